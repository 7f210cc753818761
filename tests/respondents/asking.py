"""Asking the twin over each wire: what the tests of the wires share."""

from __future__ import annotations

import asyncio
from typing import Any

from respondents.wire_server import Behaviour, Seen, WireServer
from trigpoint.core.records import ItemId, Message, Reply, RequestSettings
from trigpoint.respondents.anthropic import Anthropic
from trigpoint.respondents.base import Target
from trigpoint.respondents.gemini import Gemini
from trigpoint.respondents.openai_chat import OpenAIChat
from trigpoint.respondents.openai_responses import OpenAIResponses
from trigpoint.respondents.providers import HTTPRespondent

KEY = "key-0123456789-abcdef"
WIRES: dict[str, type[HTTPRespondent]] = {
    "openai": OpenAIChat,
    "openai-responses": OpenAIResponses,
    "anthropic": Anthropic,
    "gemini": Gemini,
}
SYSTEM, TEXT = "Be brief. “Kurz.”", 'What is 3 + 4?\nReply with "the number" only: 😀 \\ é'


def message(text: str = TEXT, system: str | None = SYSTEM) -> Message:
    return Message(id="one", index=0, system=system, text=text, items=(ItemId("one"),))


def target(wire: str, **more: Any) -> Target:
    settings = RequestSettings(**more.pop("settings", {}))
    environment = more.pop("environment", dict.fromkeys(WIRES[wire].wire.key_variables, KEY))
    return Target(model=more.pop("model", f"{wire}/model-1"), settings=settings, environment=environment, **more)


def respondent(wire: str, **more: Any) -> HTTPRespondent:
    return WIRES[wire].create(target(wire, **more))


def asked(
    wire: str, does: Behaviour, *, system: str | None = SYSTEM, text: str = TEXT, **settings: Any
) -> tuple[Reply, list[Seen]]:
    """The reply to one message, and what the server saw."""

    async def ask() -> tuple[Reply, list[Seen]]:
        async with WireServer(does) as server, respondent(wire, base_url=f"{server.url}/v1", settings=settings) as one:
            return await one.ask(message(text, system), repeat=1, attempt=1), server.seen

    return asyncio.run(ask())
