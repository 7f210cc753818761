"""The providers' own client libraries agree with ours: they send what our adapters send, accept what our twin
sends, and read in it what our adapters read (RUN-50)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from google.genai.types import GenerateContentResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from respondents import wire_bodies as say
from respondents.asking import KEY, SYSTEM, TEXT, WIRES, asked, message, respondent
from respondents.official import CLIENTS, ERRORS, Heard, camel, status_of
from respondents.wire_bodies import Script
from respondents.wire_server import Behaviour, Seen, WireServer
from trigpoint.core.records import Reply

both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
every_wire = pytest.mark.parametrize("wire", list(WIRES))


def heard(wire: str, does: Behaviour, stream: bool, system: str | None = SYSTEM, **settings: Any) -> tuple[Heard, Seen]:
    async def ask() -> tuple[Heard, Seen]:
        async with WireServer(does) as server:
            return await CLIENTS[wire](server.url, stream, system, TEXT, settings), server.seen[0]

    return asyncio.run(ask())


SETTINGS: dict[str, dict[str, Any]] = {
    "nothing set": {},
    "a limit": {"max_output_tokens": 77},
    "an effort": {"effort": "low"},
    "temperature": {"temperature": 0.0},
    "sampling": {"temperature": 0.7, "top_p": 0.9},
    "seed": {"seed": 7},
    "all": {"temperature": 0.0, "top_p": 1.0, "seed": 0, "max_output_tokens": 1, "effort": "high"},
}


@both
@every_wire
@pytest.mark.parametrize("system", [SYSTEM, None, ""], ids=["system", "no system", "empty system"])
@pytest.mark.parametrize("chosen", SETTINGS)
def test_the_same_arguments_make_the_same_request(wire, stream, system, chosen):
    """FND-15: each setting goes by the name that the provider's own client gives it."""
    settings = {name: value for name, value in SETTINGS[chosen].items() if name in WIRES[wire].wire.settings}
    _, ours = asked(wire, Behaviour(), system=system, stream=stream, **settings)
    _, theirs = heard(wire, Behaviour(), stream, system, **settings)
    assert camel(ours[0].body) == camel(theirs.body)
    assert ours[0].path == theirs.path
    assert header(ours[0], "content-type") == header(theirs, "content-type") == "application/json"
    assert header(ours[0], "anthropic-version") == header(theirs, "anthropic-version")
    assert key_sent(ours[0]) == key_sent(theirs) == KEY


def header(seen: Seen, wanted: str) -> str | None:
    return next((value for name, value in seen.headers.items() if name.lower() == wanted), None)


def key_sent(seen: Seen) -> str | None:
    """Anthropic's client sends a bearer token, ours the header that every version of that wire reads."""
    bearer = (header(seen, "authorization") or "").removeprefix("Bearer ")
    return bearer or header(seen, "x-api-key") or header(seen, "x-goog-api-key")


@both
@every_wire
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(), id="right answer"),
        pytest.param(Script(parts=("",)), id="empty text"),
        pytest.param(Script(ending="cut_off"), id="cut off"),
        pytest.param(Script(ending="refused"), id="refusal"),
        pytest.param(Script(ending="tools"), id="tool call"),
        pytest.param(Script(reasoning="3 and 4 are 7"), id="reasoning"),
        pytest.param(Script(unknown=True, reasoning="hm"), id="unknown fields"),
        pytest.param(Script(ending="filtered"), id="filtered"),
    ],
)
def test_the_official_client_reads_what_ours_reads(wire, stream, script):
    theirs, _ = heard(wire, Behaviour(script=script), stream)
    ours, _ = asked(wire, Behaviour(script=script), stream=stream)
    assert (theirs.text, theirs.finish, theirs.model) == (ours.text, ours.finish_reason, ours.served_model)
    assert theirs.tokens == (ours.usage.input_tokens, ours.usage.output_tokens, ours.usage.reasoning_tokens)
    assert theirs.reasoning == ours.reasoning
    assert theirs.calls == ours.extra.get("tool_calls", 0)


@both
@pytest.mark.parametrize("wire", ["openai-responses", "anthropic", "gemini"])
def test_the_official_client_joins_several_parts_as_ours_does(wire, stream):
    """OpenAI's chat client knows one part only; other servers of that wire send more."""
    script = Script(parts=("The ", "answer", " is 7"))
    theirs, _ = heard(wire, Behaviour(script=script), stream)
    assert theirs.text == asked(wire, Behaviour(script=script), stream=stream)[0].text == "The answer is 7"


@both
@every_wire
@pytest.mark.parametrize("status", [400, 401, 429, 500, 503, 529])
def test_the_official_client_raises_where_ours_says_endpoint_error(wire, stream, status):
    with pytest.raises(ERRORS) as raised:
        heard(wire, Behaviour(status=status), stream)
    reply, _ = asked(wire, Behaviour(status=status), stream=stream)
    assert status_of(raised.value) == reply.http_status == status


ENDINGS = ["whole", "cut_off", "refused", "filtered", "tools"]
BODIES = {
    "openai": (TypeAdapter(ChatCompletion), say.chat_body),
    "openai-responses": (TypeAdapter(Response), say.responses_body),
    "anthropic": (TypeAdapter(AnthropicMessage), say.message_body),
    "gemini": (TypeAdapter(GenerateContentResponse), say.gemini_body),
}


@every_wire
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_body_of_the_twin_is_valid_by_the_official_types(wire, ending):
    types, body = BODIES[wire]
    types.validate_python(body(Script(ending=ending, reasoning="hm")))


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_event_of_the_twin_s_openai_streams_is_valid_by_the_official_types(ending):
    script = Script(ending=ending, reasoning="hm")
    for chunk in list(say.chat_events(script))[:-1]:
        ChatCompletionChunk.model_validate(chunk)
    events = TypeAdapter(ResponseStreamEvent)
    for event in say.responses_events(script):
        events.validate_python(event)


def test_an_official_client_and_ours_can_take_turns_at_one_server():
    async def ask() -> tuple[Heard, Reply]:
        async with WireServer() as server, respondent("openai", base_url=f"{server.url}/v1") as one:
            ours = await one.ask(message(), repeat=1, attempt=1)
            return await CLIENTS["openai"](server.url, False, SYSTEM, TEXT, {}), ours

    theirs, ours = asyncio.run(ask())
    assert theirs.text == ours.text == say.TEXT
