"""What the wires have in common: where a provider is reached, with which key, and how an ask goes.

Each wire format is a small subclass of HTTPRespondent in a file of its own; it says how a request is built
and how a body is read, and nothing of connections, keys or time limits.
"""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self
from urllib.parse import urlsplit

import yarl

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.records import (
    CallStatus,
    Message,
    Reply,
    RequestSettings,
    SetupField,
    Source,
    Usage,
    clean_text,
)
from trigpoint.core.redact import Redactor
from trigpoint.respondents.base import Target
from trigpoint.respondents.failures import body_text, described, error_line, error_object, retry_after_ms, status_of
from trigpoint.respondents.http import Fold, Raw, Transport

#: Request settings that no wire is sent by name: they say how we ask, not what for.
_OURS = frozenset({"stream", "timeout_seconds"})
_TEXT = "\0text\0"  # stands for the message's text while the rest of a body is made
_PEEKED_AT = 20_000  # bytes; far more than are shown, so that a key cut here isn't among them
_VERSIONED = re.compile(r"/v[0-9]+[a-z0-9]*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wire:
    """One wire format and the provider that speaks it at home (FND-11)."""

    name: str  # the first segment of a model's name
    base_url: str  # with the version path
    base_url_variable: str
    version_path: str  # added to a base URL from the environment that has none, as the provider's own clients do
    key_variables: tuple[str, ...]  # the first that is set is sent; all are kept out of what is written
    settings: frozenset[str]  # the fields of RequestSettings that the wire has a word for


class Said(NamedTuple):
    """What one complete body says, in the words of core; texts not yet cleaned."""

    status: CallStatus = CallStatus.ANSWERED
    text: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    served_model: str | None = None
    id: str | None = None
    usage: Usage = Usage()
    extra: Mapping[str, Any] = {}


class ErrorInside(Exception):
    """Raised by `read` for an error that sits deeper in a body than where every wire puts it."""

    def __init__(self, error: Any) -> None:
        super().__init__("error inside a body")
        self.error = error


class HTTPRespondent(ABC):
    """A respondent behind one wire format. `ask` never raises for what the other side does."""

    wire: ClassVar[Wire]

    def __init__(self, target: Target) -> None:
        self.name = target.model
        self.model = _model_id(target.model, self.wire)
        self.settings = target.settings
        self._declared = target.declared
        _refuse_unknown_settings(target.settings, self.wire)
        self.endpoint, self._endpoint_source = _base_url(target, self.wire)
        found = [target.environment.get(name, "").strip() for name in self.wire.key_variables]
        self._keys = tuple(key for key in found if key)
        self._key = self._sent_key()
        self._url = yarl.URL(self.endpoint + self.path())
        self._frame = lru_cache(maxsize=4)(self._make_frame)
        headers = self.headers(self._key) | ({"Accept": "text/event-stream"} if self.settings.stream else {})
        self._transport = Transport(headers=headers, concurrency=target.concurrency, keys=self._keys)

    @classmethod
    def create(cls, target: Target) -> Self:
        """The respondent, not yet connected. Raises OperatorError for a missing or broken key, a base URL
        that can't be used, and a setting that this wire can't be told."""
        return cls(target)

    async def __aenter__(self) -> Self:
        await self._transport.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._transport.close()

    # what a wire says of itself ------------------------------------------------------------------------

    @abstractmethod
    def path(self) -> str:
        """What follows the base URL."""

    @abstractmethod
    def headers(self, key: str | None) -> dict[str, str]:
        """Headers of every request of this wire; `key` None = send none."""

    @abstractmethod
    def body(self, system: str | None, text: str) -> dict[str, Any]:
        """One request. `text` must be the last text in it, in the order of its members."""

    @abstractmethod
    def read(self, body: dict[str, Any]) -> Said:
        """What a complete body without an error says. Raises ValueError for a body of another shape."""

    @abstractmethod
    def fold(self) -> Fold:
        """A fresh folder for the events of one stream."""

    # an ask --------------------------------------------------------------------------------------------

    async def ask(self, message: Message, *, repeat: int, attempt: int) -> Reply:
        """All that came back for one message. `repeat` and `attempt` change nothing in what is sent."""
        before, after = self._frame(message.system)
        sent = before + json.dumps(message.text).encode() + after
        fold = self.fold() if self.settings.stream else None
        raw = await self._transport.post(self._url, sent, seconds=self.settings.timeout_seconds, fold=fold)
        return raw if isinstance(raw, Reply) else self._reply(raw)

    def _make_frame(self, system: str | None) -> tuple[bytes, bytes]:
        """What stands before and after the text in the body of a request, the same for every message."""
        before, _, after = json.dumps(self.body(system, _TEXT)).rpartition(json.dumps(_TEXT))
        return before.encode(), after.encode()

    def _reply(self, raw: Raw) -> Reply:
        if raw.status != 200:
            return self._failed(raw, _refusal_of_redirect(raw) or body_text(raw.body))
        try:
            body = json.loads(raw.body) if isinstance(raw.body, bytes) else raw.body
            if error := error_object(body):
                return self._failed(raw, described(error), status_of(error))
            if not isinstance(body, dict):
                raise ValueError(f"expected a JSON object, found {kind(body)}")
            said = self.read(body)
        except ErrorInside as exc:
            return self._failed(raw, described(exc.error), status_of(exc.error))
        except json.JSONDecodeError as exc:
            return self._failed(raw, f"body can't be read: expected JSON, found {self._peek(raw)} ({exc.msg})")
        except (ValueError, RecursionError) as exc:
            return self._failed(raw, f"body can't be read: {exc}")
        return self._settled(raw, said)

    def _failed(self, raw: Raw, says: str, status: int | None = None) -> Reply:
        """An error answer; `status` is what an error in a body with status 200 stands for, if it says so."""
        inside = raw.status == 200
        return Reply(
            status=CallStatus.ENDPOINT_ERROR,
            error=error_line(says if inside else f"HTTP {raw.status}: {says}", self._keys),
            http_status=status or raw.status,
            retry_after_ms=retry_after_ms(raw.headers, now=time.time()),
            request_id=_request_id(raw.headers),
            latency_ms=raw.latency_ms,
            extra={"transport_status": raw.status} if inside else {},
        )

    def _settled(self, raw: Raw, said: Said) -> Reply:
        text, repaired = clean_text(said.text) if said.text is not None else (None, False)
        reasoning, also = clean_text(said.reasoning) if said.reasoning is not None else (None, False)
        return Reply(
            status=said.status,
            text=text,
            reasoning=reasoning,
            finish_reason=_clean(said.finish_reason),
            served_model=_clean(said.served_model),
            request_id=_request_id(raw.headers) or _clean(said.id),
            usage=said.usage,
            http_status=raw.status,
            latency_ms=raw.latency_ms,
            repaired=repaired or also,
            extra={name: _clean(value) for name, value in said.extra.items()},
        )

    def _peek(self, raw: Raw) -> str:
        """The first characters of a body, keys replaced before they are cut out."""
        text = Redactor(self._keys).text(raw.body[:_PEEKED_AT].decode(errors="replace"))
        return shown(text, 60) if text else "nothing"

    # what the setup says of it -------------------------------------------------------------------------

    def model_fields(self) -> Mapping[str, SetupField]:
        """id as asked for; revision, artifact_sha256 and quantization as declared, else unknown (RUN-01)."""
        others = ("revision", "artifact_sha256", "quantization")
        return {"id": SetupField(value=self.model, source=Source.DECLARED)} | {
            name: SetupField(value=self._declared[name], source=Source.DECLARED)
            if name in self._declared
            else SetupField(value=None, source=Source.UNKNOWN)
            for name in others
        }

    def inference_fields(self) -> Mapping[str, SetupField]:
        """wire, and endpoint: the base URL, which holds neither user information nor a query (RUN-04)."""
        return {
            "wire": SetupField(value=self.wire.name, source=Source.DECLARED),
            "endpoint": SetupField(value=self.endpoint, source=self._endpoint_source),
        }

    def keys(self) -> tuple[str, ...]:
        """Every key found in this wire's environment variables, sent or not (FND-32)."""
        return self._keys

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _sent_key(self) -> str | None:
        """The first key that is set; None if there is none and the endpoint isn't the provider's own."""
        for key in self._keys:
            if not (key.isascii() and key.isprintable()) or " " in key:
                expected = "printable ASCII without spaces"
                raise OperatorError(
                    "unusable key", where=self._key_names(), expected=expected, found="other characters"
                )
        if not self._keys and self.endpoint == self.wire.base_url:
            raise OperatorError(
                "no key",
                where=self.name,
                expected=f"a key in {self._key_names()}",
                found="none set",
                next="Set it, or name another endpoint with --base-url",
            )
        return self._keys[0] if self._keys else None

    def _key_names(self) -> str:
        return " or ".join(self.wire.key_variables)


# reading bodies ------------------------------------------------------------------------------------------


def kind(value: Any) -> str:
    """What a JSON value is, for an error message."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def member(value: Any, name: str, wanted: type[dict[str, Any]] | type[list[Any]], where: str = "") -> Any:
    """The member `name` of a JSON object; raises ValueError unless it is there and of the wanted type."""
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, wanted):
        expected = "an object" if wanted is dict else "a list"
        raise ValueError(f"expected {where}{name} to be {expected}, found {kind(found)}")
    return found


def word(value: Any) -> str | None:
    """The value if it is text."""
    return value if isinstance(value, str) else None


def count(value: Any) -> int | None:
    """The value if it is a whole number ≥ 0, as a token count must be; None = not reported."""
    return value if type(value) is int and value >= 0 else None


def inner(value: Any, name: str) -> dict[str, Any]:
    """The member `name` if it is an object, else an empty one: for parts that a body may leave out."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; an empty list for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def joined(parts: Iterable[Any]) -> str | None:
    """All texts in order, as one; None if there is no text at all, which is not the same as an empty one."""
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def _request_id(headers: Mapping[str, str]) -> str | None:
    found = headers.get("x-request-id") or headers.get("request-id")
    return _clean(found) if found else None


def _clean(value: Any) -> Any:
    return clean_text(value)[0] if isinstance(value, str) else value


def _refusal_of_redirect(raw: Raw) -> str:
    """A redirect isn't followed: the key would be sent to wherever the answer says (FND-32)."""
    return "redirect refused; name the endpoint itself with --base-url" if 300 <= raw.status <= 399 else ""


# reading the target --------------------------------------------------------------------------------------


def _model_id(model: str, wire: Wire) -> str:
    found = model.partition("/")[2]
    if not found or not found.isprintable() or " " in found:
        raise OperatorError("no usable model", where="--model", expected=f"{wire.name}/MODEL", found=shown(model))
    return found


def _refuse_unknown_settings(settings: RequestSettings, wire: Wire) -> None:
    for setting in fields(settings):
        name = setting.name
        if name not in wire.settings | _OURS and getattr(settings, name) is not None:
            raise OperatorError(
                "unknown setting",
                where=f"--{name.replace('_', '-')}",
                expected=f"a setting that the wire {wire.name}/ has a word for",
                found="one it can't be told",
                next="Leave it out",
            )


def _base_url(target: Target, wire: Wire) -> tuple[str, Source]:
    """The base URL without a closing slash, and who named it. Raises OperatorError, never showing the URL:
    what can't be read as one may hold a password."""
    if target.base_url:
        return _checked_url(target.base_url, "--base-url"), Source.DECLARED
    if given := target.environment.get(wire.base_url_variable, "").strip():
        url = _checked_url(given, wire.base_url_variable)
        return url if _VERSIONED.search(url) else url + wire.version_path, Source.DECLARED
    return wire.base_url, Source.DEFAULT


def _checked_url(url: str, where: str) -> str:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for a port that is no number
    except ValueError:
        raise OperatorError("unusable URL", where=where, expected="http(s)://HOST[:PORT]/v1") from None
    faults = {
        "something else": parts.scheme not in ("http", "https") or not parts.hostname,
        "spaces or control characters": not url.isprintable() or " " in url,
        "a user name or password before the host": "@" in parts.netloc,
        "a query or fragment": "?" in url or "#" in url,
    }
    for found, present in faults.items():
        if present:
            raise OperatorError("unusable URL", where=where, expected="http(s)://HOST[:PORT]/v1", found=found)
    return url.rstrip("/")
