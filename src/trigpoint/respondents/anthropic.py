"""`anthropic/MODEL`: the Messages wire of Anthropic (RUN-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from trigpoint.core.records import CallStatus, SetupField, Source, Usage
from trigpoint.respondents.endpoint import Wire
from trigpoint.respondents.providers import HTTPRespondent, Said
from trigpoint.respondents.reading import count, inner, joined, kind, member, objects, word

VERSION = "2026-10-21"  # of the wire, sent as a header
SAMPLING_VERSION = "2023-06-01"  # the last that knows temperature and top_p; sent where one of them is set
DEFAULT_MAX_TOKENS = 8192  # sent where nobody says: this wire can't do without

STOP: Mapping[str | None, CallStatus] = {
    "refusal": CallStatus.REFUSED,
    "max_tokens": CallStatus.CUT_OFF,
    "model_context_window_exceeded": CallStatus.CUT_OFF,
}  # any other word, or none: the reply is whole
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


class Anthropic(HTTPRespondent):
    """POST {base}/messages."""

    wire: ClassVar[Wire] = Wire(
        name="anthropic",
        base_url="https://api.anthropic.com/v1",
        base_url_variable="ANTHROPIC_BASE_URL",
        version_path="/v1",
        key_variables=("ANTHROPIC_API_KEY",),
        settings=frozenset({"temperature", "top_p", "max_output_tokens", "effort"}),
    )

    def path(self) -> str:
        return "/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        # the provider's own client now sends the key as a bearer token; this header every version reads
        return {"anthropic-version": self.version()} | ({"x-api-key": key} if key else {})

    def version(self) -> str:
        """The version of the wire that has words for all that is set."""
        sampled = self.settings.temperature is not None or self.settings.top_p is not None
        return SAMPLING_VERSION if sampled else VERSION

    def body(self, system: str | None, text: str) -> dict[str, Any]:
        asked = self.settings
        sent = {
            "model": self.model,
            "max_tokens": DEFAULT_MAX_TOKENS if asked.max_output_tokens is None else asked.max_output_tokens,
            "temperature": asked.temperature,
            "top_p": asked.top_p,
            "output_config": {"effort": asked.effort} if asked.effort is not None else None,
            "stream": asked.stream or None,
            "system": system,
            "messages": [{"role": "user", "content": text}],
        }
        return {name: value for name, value in sent.items() if value is not None}

    def inference_fields(self) -> Mapping[str, SetupField]:
        """As for every wire, its version, and the output limit if nobody set one: it is sent all the same."""
        more = {"wire_version": SetupField(value=self.version(), source=Source.DEFAULT)}
        if self.settings.max_output_tokens is None:
            more["max_output_tokens"] = SetupField(value=DEFAULT_MAX_TOKENS, source=Source.DEFAULT)
        return {**super().inference_fields(), **more}

    def read(self, body: dict[str, Any]) -> Said:
        blocks = objects(member(body, "content", list))
        stop, details = word(body.get("stop_reason")), inner(body, "stop_details")
        calls = sum(1 for block in blocks if block.get("type") in _CALLS)
        text = joined(block.get("text") for block in blocks if block.get("type") == "text")
        extra = {"refusal": word(details.get("explanation")), "tool_calls": calls}
        return Said(
            status=STOP.get(stop, CallStatus.ANSWERED),
            text=None if calls and not text else text,
            reasoning=joined(block.get("thinking") for block in blocks if block.get("type") == "thinking"),
            finish_reason=stop,
            served_model=word(body.get("model")),
            id=word(body.get("id")),
            usage=_usage(body),
            extra={name: value for name, value in extra.items() if value},
        )

    def fold(self) -> MessageFold:
        return MessageFold()


class MessageFold:
    """Events of a stream → a message. The stream ends with `message_stop`."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[str, dict[str, Any]] = {}  # by index, in the order of their starts
        self._pieces: dict[tuple[str, str], list[str]] = {}
        self._done = False

    def add(self, data: str) -> bool:
        event = json.loads(data)
        if not isinstance(event, dict):
            raise ValueError(f"expected an object in each event, found {kind(event)}")
        name, at = event.get("type"), str(event.get("index"))
        if name == "error" or event.get("error"):
            self._message, self._done = {"error": event.get("error") or event}, True
        elif name == "message_start":
            self._message = dict(member(event, "message", dict))
        elif name == "content_block_start":
            self._blocks[at] = dict(inner(event, "content_block"))
        elif name == "content_block_delta":
            self._add_delta(at, inner(event, "delta"))
        elif name == "message_delta":
            self._message |= inner(event, "delta")
            self._message["usage"] = inner(self._message, "usage") | inner(event, "usage")
        elif name == "message_stop":
            self._done = True
        return self._done

    def _add_delta(self, at: str, delta: dict[str, Any]) -> None:
        for name in ("text", "thinking"):
            if isinstance(piece := delta.get(name), str):
                self._pieces.setdefault((at, name), []).append(piece)

    def whole(self) -> dict[str, Any] | None:
        if not self._done or "error" in self._message:
            return self._message if self._done else None
        for (at, name), pieces in self._pieces.items():
            block = self._blocks.setdefault(at, {"type": name})
            block[name] = (word(block.get(name)) or "") + "".join(pieces)
        return self._message | {"content": list(self._blocks.values())}


def _usage(body: dict[str, Any]) -> Usage:
    usage = inner(body, "usage")
    return Usage(
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        reasoning_tokens=count(inner(usage, "output_tokens_details").get("thinking_tokens")),
    )
