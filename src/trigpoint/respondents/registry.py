"""Which class answers for the first segment of a model name (FND-11, FND-20)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from trigpoint.core.errors import OperatorError, shown
from trigpoint.respondents.base import Respondent, Target

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

#: wire → where its class is. Others come by the entry point group `trigpoint.respondents`.
BUILT_IN: dict[str, str] = {
    "openai": "trigpoint.respondents.openai_chat:OpenAIChat",
    "openai-responses": "trigpoint.respondents.openai_responses:OpenAIResponses",
    "anthropic": "trigpoint.respondents.anthropic:Anthropic",
    "gemini": "trigpoint.respondents.gemini:Gemini",
    "local": "trigpoint.respondents.local:Local",
    "command": "trigpoint.respondents.command:Command",
    "replay": "trigpoint.respondents.replay:Replay",
}
GROUP = "trigpoint.respondents"


def make_respondent(target: Target) -> Respondent:
    """The respondent for `target.model`. Raises OperatorError for a wire nobody answers for."""
    wire = target.model.partition("/")[0]
    if wire in BUILT_IN:
        module, _, name = BUILT_IN[wire].partition(":")
        kind = getattr(importlib.import_module(module), name)
    else:
        found = [entry for entry in _entry_points() if entry.name == wire]
        if not found:
            raise OperatorError(
                "no respondent of this kind",
                where=f"--model {shown(target.model)}",
                expected="a name that begins with one of " + ", ".join(f"{name}/" for name in wires()),
                next="For a server that speaks OpenAI's wire: --model openai/NAME --base-url http://HOST/v1",
            )
        kind = found[0].load()
    respondent: Respondent = kind.create(target)
    return respondent


def wires() -> list[str]:
    """Every first segment that something answers for."""
    return sorted({*BUILT_IN, *(entry.name for entry in _entry_points())})


def _entry_points() -> EntryPoints:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to load, and seldom needed

    return entry_points(group=GROUP)
