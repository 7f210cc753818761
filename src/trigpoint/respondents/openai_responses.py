"""`openai-responses/MODEL`: the responses wire of OpenAI (RUN-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from trigpoint.core.records import CallStatus, Usage
from trigpoint.respondents.endpoint import Wire
from trigpoint.respondents.openai_chat import OpenAIChat
from trigpoint.respondents.providers import HTTPRespondent, Said
from trigpoint.respondents.reading import count, inner, joined, kind, member, objects, word

#: Why a response is incomplete → how the attempt ended; another reason is a limit of some kind.
INCOMPLETE: Mapping[str | None, CallStatus] = {"content_filter": CallStatus.REFUSED}
_LAST_EVENTS = frozenset({"response.completed", "response.incomplete", "response.failed"})


class OpenAIResponses(HTTPRespondent):
    """POST {base}/responses, not stored at the endpoint (`store` false): the messages of a run may be secret."""

    wire: ClassVar[Wire] = Wire(
        name="openai-responses",
        base_url=OpenAIChat.wire.base_url,
        base_url_variable=OpenAIChat.wire.base_url_variable,
        version_path="",
        key_variables=OpenAIChat.wire.key_variables,
        settings=frozenset({"temperature", "top_p", "max_output_tokens", "effort"}),
    )

    def path(self) -> str:
        return "/responses"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, system: str | None, text: str) -> dict[str, Any]:
        asked = self.settings
        sent = {
            "model": self.model,
            "temperature": asked.temperature,
            "top_p": asked.top_p,
            "max_output_tokens": asked.max_output_tokens,
            "reasoning": {"effort": asked.effort} if asked.effort is not None else None,
            "store": False,
            "stream": asked.stream or None,
            "instructions": system,
            "input": text,
        }
        return {name: value for name, value in sent.items() if value is not None}

    def read(self, body: dict[str, Any]) -> Said:
        output = objects(member(body, "output", list))
        parts = [part for item in output if item.get("type") == "message" for part in objects(item.get("content"))]
        refusal = joined(part.get("refusal") for part in parts if part.get("type") == "refusal")
        calls = sum(1 for item in output if str(item.get("type")).endswith("_call"))
        text = joined(part.get("text") for part in parts if part.get("type") == "output_text")
        status, finish = _ending(body)
        return Said(
            status=CallStatus.REFUSED if refusal else status,
            text=None if calls and not text else text,
            reasoning=_reasoning(output),
            finish_reason=finish,
            served_model=word(body.get("model")),
            id=word(body.get("id")),
            usage=_usage(body),
            extra={name: value for name, value in {"refusal": refusal, "tool_calls": calls}.items() if value},
        )

    def fold(self) -> ResponsesFold:
        return ResponsesFold()


class ResponsesFold:
    """Events of a stream → the response that its last event carries whole."""

    def __init__(self) -> None:
        self._body: dict[str, Any] | None = None
        self._items: list[Any] = []

    def add(self, data: str) -> bool:
        event = json.loads(data)
        kind_of = event.get("type") if isinstance(event, dict) else None
        if kind_of == "error" or (isinstance(event, dict) and event.get("error")):
            self._body = {"error": event.get("error") or event}
        elif kind_of == "response.output_item.done":
            self._items.append(event.get("item"))
        elif kind_of in _LAST_EVENTS:
            self._body = dict(member(event, "response", dict))
            # some servers leave the items out of the last event, having sent each before
            self._body["output"] = self._body.get("output") or self._items
        return self._body is not None

    def whole(self) -> dict[str, Any] | None:
        return self._body


def _ending(body: dict[str, Any]) -> tuple[CallStatus, str | None]:
    """How the response ended, and the wire's word for it; ValueError for one that isn't at its end."""
    status = word(body.get("status"))
    if status == "incomplete":
        reason = word(inner(body, "incomplete_details").get("reason"))
        return INCOMPLETE.get(reason, CallStatus.CUT_OFF), reason or status
    if status not in ("completed", None):
        raise ValueError(f'expected status "completed" or "incomplete", found {_shown(status)}')
    return CallStatus.ANSWERED, status


def _shown(status: str) -> str:
    known = ("failed", "cancelled", "queued", "in_progress")
    return f'"{status}"' if status in known else kind(status)


def _reasoning(output: list[dict[str, Any]]) -> str | None:
    """The reasoning itself where the endpoint gives it, else its summary."""
    items = [item for item in output if item.get("type") == "reasoning"]
    texts = (
        part.get("text") for item in items for part in objects(item.get("content")) or objects(item.get("summary"))
    )
    return joined(texts)


def _usage(body: dict[str, Any]) -> Usage:
    usage = inner(body, "usage")
    return Usage(
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        reasoning_tokens=count(inner(usage, "output_tokens_details").get("reasoning_tokens")),
    )
