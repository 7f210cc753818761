"""`gemini/MODEL`: the generateContent wire of Google Gemini (RUN-50)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from trigpoint.core.records import CallStatus, Usage
from trigpoint.respondents.endpoint import Wire
from trigpoint.respondents.providers import HTTPRespondent, Said
from trigpoint.respondents.reading import count, inner, joined, kind, objects, word

_REFUSALS = (
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "ESCALATION",
    "MODEL_ARMOR",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
)
FINISH: Mapping[str | None, CallStatus] = {
    **dict.fromkeys(_REFUSALS, CallStatus.REFUSED),
    "MAX_TOKENS": CallStatus.CUT_OFF,
    "CONTINUATION": CallStatus.CUT_OFF,
}  # any other word, or none: the reply is whole
_BUDGET = re.compile(r"-?[0-9]{1,7}")


class Gemini(HTTPRespondent):
    """POST {base}/models/{model}:generateContent; the key goes in a header, never in the URL."""

    wire: ClassVar[Wire] = Wire(
        name="gemini",
        base_url="https://generativelanguage.googleapis.com/v1",
        base_url_variable="GOOGLE_GEMINI_BASE_URL",
        version_path="/v1",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        settings=frozenset({"temperature", "top_p", "seed", "max_output_tokens", "effort"}),
    )

    def path(self) -> str:
        model = self.model if self.model.startswith(("models/", "tunedModels/")) else f"models/{self.model}"
        method = ":streamGenerateContent?alt=sse" if self.settings.stream else ":generateContent"
        return f"/{quote(model)}{method}"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def body(self, system: str | None, text: str) -> dict[str, Any]:
        asked = self.settings
        config = {
            "temperature": asked.temperature,
            "topP": asked.top_p,
            "seed": asked.seed,
            "maxOutputTokens": asked.max_output_tokens,
            "thinkingConfig": _thinking(asked.effort),
        }
        sent = {
            "systemInstruction": {"role": "user", "parts": [{"text": system}]} if system is not None else None,
            "generationConfig": {name: value for name, value in config.items() if value is not None},
            "contents": [{"role": "user", "parts": [{"text": text}]}],
        }
        return {name: value for name, value in sent.items() if value is not None}

    def read(self, body: dict[str, Any]) -> Said:
        candidate = next(iter(objects(body.get("candidates"))), None)
        blocked = word(inner(body, "promptFeedback").get("blockReason"))
        if candidate is None and blocked is None:
            raise ValueError(f"expected candidates[0] to be an object, found {kind(body.get('candidates'))}")
        parts = objects(inner(candidate, "content").get("parts"))
        finish = word(candidate.get("finishReason")) if candidate else blocked
        calls = sum(1 for part in parts if "functionCall" in part)
        text = joined(part.get("text") for part in parts if not part.get("thought"))
        return Said(
            status=FINISH.get(finish, CallStatus.ANSWERED) if candidate else CallStatus.REFUSED,
            text=None if calls and not text else text,
            reasoning=joined(part.get("text") for part in parts if part.get("thought")),
            finish_reason=finish,
            served_model=word(body.get("modelVersion")),
            id=word(body.get("responseId")),
            usage=_usage(body),
            extra={"tool_calls": calls} if calls else {},
        )

    def fold(self) -> ContentFold:
        return ContentFold()


class ContentFold:
    """Chunks of a stream → one body. No event says that it is the last: the stream is whole if it closed in
    order and a chunk gave a finish reason, or blocked the prompt."""

    def __init__(self) -> None:
        self._body: dict[str, Any] = {}
        self._parts: list[dict[str, Any]] = []
        self._finish: str | None = None
        self._answered = False

    def add(self, data: str) -> bool:
        chunk = json.loads(data)
        if not isinstance(chunk, dict):
            raise ValueError(f"expected an object in each event, found {kind(chunk)}")
        self._body |= {name: value for name, value in chunk.items() if name != "candidates" and value is not None}
        for candidate in objects(chunk.get("candidates"))[:1]:
            self._answered = True
            self._parts += objects(inner(candidate, "content").get("parts"))
            self._finish = word(candidate.get("finishReason")) or self._finish
        return "error" in self._body

    def whole(self) -> dict[str, Any] | None:
        if "error" in self._body or (not self._answered and "promptFeedback" in self._body):
            return self._body
        if self._finish is None:
            return None
        return self._body | {"candidates": [{"content": {"parts": self._parts}, "finishReason": self._finish}]}


def _thinking(effort: str | None) -> dict[str, Any] | None:
    """A word is a level; a whole number is a budget in tokens, for the models that know only that."""
    if effort is None:
        return None
    return {"thinkingBudget": int(effort)} if _BUDGET.fullmatch(effort) else {"thinkingLevel": effort.upper()}


def _usage(body: dict[str, Any]) -> Usage:
    """Output counts reasoning too, as on every other wire; here the two are reported apart."""
    usage = inner(body, "usageMetadata")
    said, thought = count(usage.get("candidatesTokenCount")), count(usage.get("thoughtsTokenCount"))
    both = [tokens for tokens in (said, thought) if tokens is not None]
    return Usage(
        input_tokens=count(usage.get("promptTokenCount")),
        output_tokens=sum(both) if both else None,
        reasoning_tokens=thought,
    )
