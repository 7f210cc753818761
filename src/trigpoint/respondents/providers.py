"""What all respondents over HTTP have in common: how an ask goes, and what becomes of its answer.

Each wire format is a small subclass of HTTPRespondent in a file of its own; it says how a request is built
and how a body is read, and nothing of connections, keys, errors or time limits.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import yarl

from trigpoint.core.errors import shown
from trigpoint.core.records import CallStatus, Message, Reply, SetupField, Source, Usage, clean_text
from trigpoint.core.redact import Redactor
from trigpoint.respondents.base import Target
from trigpoint.respondents.endpoint import Wire, base_url, model_id, sent_key, set_keys
from trigpoint.respondents.failures import (
    decoded,
    described,
    error_line,
    error_object,
    is_policy_refusal,
    retry_after_ms,
    retry_delay_ms,
    status_of,
)
from trigpoint.respondents.flags import declared_fields, refuse_flags
from trigpoint.respondents.http import Fold, Raw, Transport
from trigpoint.respondents.reading import clean, kind

_TEXT = "\0text\0"  # stands for the message's text while the rest of a body is made
_PEEKED_AT = 20_000  # bytes; far more than are shown, so that a key cut here isn't among them


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
        self.name, self.settings, self._target = target.model, target.settings, target
        self.model = model_id(target.model, self.wire)
        takes = self.wire.settings | {"stream", "base_url"}
        refuse_flags(target, takes=takes, why=f"The wire {self.wire.name}/ has no word for it")
        self.endpoint, self._endpoint_source = base_url(target, self.wire)
        self._keys = set_keys(target.environment, self.wire)
        headers = self.headers(sent_key(self._keys, self.endpoint, self.wire))
        self._url = yarl.URL(self.endpoint + self.path())
        self._frame = lru_cache(maxsize=4)(self._make_frame)
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
            return self._failed(raw, _refused_redirect(raw) or decoded(raw.body))
        try:
            body = json.loads(raw.body) if isinstance(raw.body, bytes) else raw.body
            if error := error_object(body):
                return self._failed(raw, error)
            if not isinstance(body, dict):
                raise ValueError(f"expected a JSON object, found {kind(body)}")
            said = self.read(body)
        except ErrorInside as exc:
            return self._failed(raw, exc.error)
        except json.JSONDecodeError as exc:
            return self._failed(raw, f"body can't be read: expected JSON, found {self._peek(raw)} ({exc.msg})")
        except (ValueError, RecursionError) as exc:
            return self._failed(raw, f"body can't be read: {exc}")
        return self._settled(raw, said)

    def _failed(self, raw: Raw, error: Any) -> Reply:
        """The Reply of an error answer; `error` is the provider's error object, or words of our own.

        An error that came with status 200 gets the status that its code stands for, if it has one.
        """
        inside, refused = raw.status == 200, is_policy_refusal(error)
        wait = retry_after_ms(raw.headers, now=time.time())
        return Reply(
            status=CallStatus.REFUSED if refused else CallStatus.ENDPOINT_ERROR,
            finish_reason=clean(error["code"]) if refused else None,
            error=error_line(described(error) if inside else f"HTTP {raw.status}: {described(error)}", self._keys),
            http_status=(inside and status_of(error)) or raw.status,
            retry_after_ms=retry_delay_ms(error) if wait is None else wait,
            request_id=_request_id(raw.headers),
            latency_ms=raw.latency_ms,
            extra={"transport_status": raw.status} if inside else {},
        )

    def _settled(self, raw: Raw, said: Said) -> Reply:
        text, repaired = clean_text(said.text) if said.text is not None else (None, False)
        reasoning, also = clean_text(said.reasoning) if said.reasoning else (None, False)
        return Reply(
            status=said.status,
            text=text,
            reasoning=reasoning,
            finish_reason=clean(said.finish_reason),
            served_model=clean(said.served_model),
            request_id=_request_id(raw.headers) or clean(said.id),
            usage=said.usage,
            http_status=raw.status,
            latency_ms=raw.latency_ms,
            repaired=repaired or also,
            extra={name: clean(value) for name, value in said.extra.items()},
        )

    def _peek(self, raw: Raw) -> str:
        """The first characters of a body, keys replaced before they are cut out."""
        text = Redactor(self._keys).text(raw.body[:_PEEKED_AT].decode(errors="replace"))
        return shown(text, 60) if text else "nothing"

    # what the setup says of it -------------------------------------------------------------------------

    def model_fields(self) -> Mapping[str, SetupField]:
        """id as asked for; revision, artifact_sha256 and quantization as declared, else unknown (RUN-01)."""
        return {"id": SetupField(value=self.name, source=Source.DECLARED), **declared_fields(self._target)}

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


def _request_id(headers: Mapping[str, str]) -> str | None:
    found = headers.get("x-request-id") or headers.get("request-id")
    return clean(found) if found else None


def _refused_redirect(raw: Raw) -> str:
    """A redirect isn't followed: the key would be sent to wherever the answer says (FND-32)."""
    return "redirect refused; name the endpoint itself with --base-url" if 300 <= raw.status <= 399 else ""
