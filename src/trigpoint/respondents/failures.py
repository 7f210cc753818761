"""What a provider says when it can't answer: its error line, its status, and how long it asks us to wait."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from trigpoint.core.redact import Redactor

LINE_LIMIT = 300  # characters of an error line
_LOOKED_AT = 20_000  # characters that are looked at for it
WAIT_LIMIT_MS = 86_400_000  # a day; a longer wait is cut to it

#: Names that providers give their errors → the HTTP status they send with them. Needed where an error comes
#: inside an answer with status 200 or in mid-stream, so that it is treated as if it had come by itself.
STATUS_OF_NAME = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
    "INVALID_ARGUMENT": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}

#: Error codes by which an endpoint refuses a message for what it says, instead of answering with a refusal.
REFUSAL_CODES = frozenset(
    {"content_filter", "content_policy_violation", "bio_policy", "cyber_policy", "misalignment_policy_violation"}
)

_SAYING = ("message", "detail", "error", "msg")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?s?")


def error_line(text: str, keys: tuple[str, ...] = ()) -> str:
    """`text` as one printable line of at most LINE_LIMIT characters, keys replaced before it is cut (FND-32).

    Unprintable characters are removed. The keys are looked for once more after that, since a removed
    character may have stood inside one.
    """
    redactor = Redactor(keys)
    spaced = " ".join(redactor.text(text)[:_LOOKED_AT].split())
    printable = redactor.text("".join(char for char in spaced if char.isprintable()))
    return printable if len(printable) <= LINE_LIMIT else printable[: LINE_LIMIT - 1] + "…"


def error_object(value: Any) -> Any:
    """The error inside a decoded body: an object, a text, or None if the body holds no error."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return None
    if value.get("error"):
        return value["error"]
    return value if value.get("object") == "error" or value.get("type") == "error" else None


def described(error: Any) -> str:
    """What an error object says: its name, then its message."""
    if not isinstance(error, dict):
        return _message(error) or "an error without words"
    named = (error.get(key) for key in ("type", "status", "code"))
    name = next((str(found) for found in named if found and type(found) in (str, int)), "")
    return ": ".join(part for part in (name, _message(error)) if part) or "an error without words"


def _message(value: Any, depth: int = 4) -> str:
    """The first message within `depth` levels: some servers give a list of errors, or one inside another."""
    if isinstance(value, str) or depth == 0:
        return value if isinstance(value, str) else ""
    if isinstance(value, dict):
        return next((found for key in _SAYING if (found := _message(value.get(key), depth - 1))), "")
    entries = value[:3] if isinstance(value, list) else []
    return next((found for each in entries if (found := _message(each, depth - 1))), "")


def status_of(error: Any) -> int | None:
    """The HTTP status that an error object stands for, by its number or by its name."""
    if not isinstance(error, dict):
        return None
    for key in ("code", "status", "type"):
        found = error.get(key)
        if isinstance(found, str) and found in STATUS_OF_NAME:
            return STATUS_OF_NAME[found]
        number = int(found) if isinstance(found, str) and re.fullmatch("[45][0-9]{2}", found) else found
        if type(number) is int and 400 <= number <= 599:
            return number
    return None


def decoded(body: Any) -> Any:
    """What the body of an error answer holds: its error object, else its JSON value, else its text."""
    try:
        value = json.loads(body) if isinstance(body, bytes) else body
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
    found = error_object(value)
    return value if found is None else found


def is_policy_refusal(error: Any) -> bool:
    """Whether an error object is the endpoint's way to say that it refuses to answer this message."""
    return isinstance(error, dict) and isinstance(code := error.get("code"), str) and code in REFUSAL_CODES


def retry_after_ms(headers: Mapping[str, str], *, now: float) -> int | None:
    """How many milliseconds the endpoint asks us to wait, at most a day; None if it doesn't say.

    Reads `retry-after-ms`, then `Retry-After` as seconds or an HTTP date (RFC 9110, 10.2.3).
    now: seconds since 1970, for dates; one in the past gives 0.
    """
    if _SECONDS.fullmatch(exact := headers.get("retry-after-ms", "").strip()):
        return _bounded(float(exact.removesuffix("s")))
    given = headers.get("Retry-After", "").strip()
    if _SECONDS.fullmatch(given):
        return _bounded(float(given.removesuffix("s")) * 1000)
    try:
        return _bounded((parsedate_to_datetime(given).timestamp() - now) * 1000)
    except (ValueError, OverflowError):
        return None


def retry_delay_ms(error: Any) -> int | None:
    """The wait inside a Gemini error object, at most a day; None if it doesn't say (google.rpc.RetryInfo)."""
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else []:
        given = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(given, str) and _SECONDS.fullmatch(given):
            return _bounded(float(given.removesuffix("s")) * 1000)
    return None


def _bounded(milliseconds: float) -> int:
    return max(0, min(math.ceil(milliseconds), WAIT_LIMIT_MS))
