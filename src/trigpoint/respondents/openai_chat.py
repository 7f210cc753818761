"""`openai/MODEL`: the chat completions wire, spoken by OpenAI and by most other servers (RUN-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from trigpoint.core.records import CallStatus, Usage
from trigpoint.respondents.endpoint import Wire
from trigpoint.respondents.providers import ErrorInside, HTTPRespondent, Said
from trigpoint.respondents.reading import count, inner, joined, kind, member, objects, word

FINISH: Mapping[str | None, CallStatus] = {
    "length": CallStatus.CUT_OFF,
    "content_filter": CallStatus.REFUSED,
}  # any other word, or none: the reply is whole
_REASONING_PARTS = frozenset({"reasoning", "thinking"})


class OpenAIChat(HTTPRespondent):
    """POST {base}/chat/completions."""

    wire: ClassVar[Wire] = Wire(
        name="openai",
        base_url="https://api.openai.com/v1",
        base_url_variable="OPENAI_BASE_URL",
        version_path="",
        key_variables=("OPENAI_API_KEY",),
        settings=frozenset({"temperature", "top_p", "seed", "max_output_tokens", "effort"}),
    )

    def path(self) -> str:
        return "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, system: str | None, text: str) -> dict[str, Any]:
        asked = self.settings
        sent = {
            "model": self.model,
            "temperature": asked.temperature,
            "top_p": asked.top_p,
            "seed": asked.seed,
            output_limit_name(self.endpoint): asked.max_output_tokens,
            "reasoning_effort": asked.effort,
            **({"stream": True, "stream_options": {"include_usage": True}} if asked.stream else {}),
            "messages": [
                *([{"role": "system", "content": system}] if system is not None else []),
                {"role": "user", "content": text},
            ],
        }
        return {name: value for name, value in sent.items() if value is not None}

    def read(self, body: dict[str, Any]) -> Said:
        choice = _first_choice(body)
        if choice.get("error"):
            raise ErrorInside(choice["error"])
        message = member(choice, "message", dict, "choices[0].")
        finish, refusal = word(choice.get("finish_reason")), word(message.get("refusal"))
        calls = len(objects(message.get("tool_calls"))) + bool(message.get("function_call"))
        extra = {"system_fingerprint": word(body.get("system_fingerprint")), "refusal": refusal, "tool_calls": calls}
        text = _text(message.get("content"))
        return Said(
            status=CallStatus.REFUSED if refusal else FINISH.get(finish, CallStatus.ANSWERED),
            text=None if calls and not text else text,
            reasoning=_reasoning(message),
            finish_reason=finish,
            served_model=word(body.get("model")),
            id=word(body.get("id")),
            usage=_usage(body),
            extra={name: value for name, value in extra.items() if value},
        )

    def fold(self) -> ChatFold:
        return ChatFold()


class ChatFold:
    """Chunks of a stream → the body of a chat completion. The stream ends with `[DONE]`."""

    def __init__(self) -> None:
        self._body: dict[str, Any] = {}
        self._finish: str | None = None
        self._pieces: dict[str, list[str]] = {}
        self._calls: set[Any] = set()
        self._done = False

    def add(self, data: str) -> bool:
        if data.strip() == "[DONE]":
            self._done = True
            return True
        chunk = json.loads(data)
        if not isinstance(chunk, dict):
            raise ValueError(f"expected an object in each event, found {kind(chunk)}")
        for name in ("id", "model", "system_fingerprint", "usage", "error"):
            if chunk.get(name) is not None:
                self._body[name] = chunk[name]
        for choice in objects(chunk.get("choices")):
            if choice.get("index", 0) == 0:
                self._add_choice(choice)
        return "error" in self._body

    def _add_choice(self, choice: dict[str, Any]) -> None:
        self._finish = word(choice.get("finish_reason")) or self._finish
        delta = inner(choice, "delta")
        said = {"content": _text(delta.get("content")), "refusal": word(delta.get("refusal"))}
        said["reasoning_content"] = _reasoning(delta)
        for name, piece in said.items():
            if piece is not None:
                self._pieces.setdefault(name, []).append(piece)
        self._calls |= {str(call.get("index")) for call in objects(delta.get("tool_calls"))}
        self._calls |= {"function_call"} if delta.get("function_call") else set()

    def whole(self) -> dict[str, Any] | None:
        if "error" in self._body:
            return self._body
        if not self._done or self._finish is None:
            return None
        message: dict[str, Any] = {name: "".join(pieces) for name, pieces in self._pieces.items()}
        message["tool_calls"] = [{} for _ in self._calls]
        return self._body | {"choices": [{"message": message, "finish_reason": self._finish}]}


def output_limit_name(endpoint: str) -> str:
    """`max_completion_tokens` at OpenAI (its newer models refuse the old word), `max_tokens` at every other
    server (many know only that one, and would pass over the new word in silence)."""
    host = "." + (urlsplit(endpoint).hostname or "")
    return "max_completion_tokens" if host.endswith((".openai.com", ".openai.azure.com")) else "max_tokens"


def _first_choice(body: dict[str, Any]) -> dict[str, Any]:
    choices = member(body, "choices", list)
    if not choices or not isinstance(choices[0], dict):
        raise ValueError(f"expected choices[0] to be an object, found {kind(choices[0]) if choices else 'no choice'}")
    return choices[0]


def _text(content: Any) -> str | None:
    """The text of a message's content: a text, or a list of parts of which the text parts are joined."""
    if isinstance(content, list):
        return joined(part.get("text") for part in objects(content) if part.get("type") not in _REASONING_PARTS)
    return word(content)


def _reasoning(message: dict[str, Any]) -> str | None:
    """Reasoning under the names that servers give it, or as parts of the content; never part of the text."""
    parts = [part for part in objects(message.get("content")) if part.get("type") in _REASONING_PARTS]
    within = joined(_text(part.get("thinking", part.get("text"))) for part in parts)
    return word(message.get("reasoning_content")) or word(message.get("reasoning")) or within


def _usage(body: dict[str, Any]) -> Usage:
    usage = inner(body, "usage")
    return Usage(
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
        reasoning_tokens=count(inner(usage, "completion_tokens_details").get("reasoning_tokens")),
    )
