"""Asking the twin with the providers' own client libraries: the oracles of the wires (RUN-50)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import anthropic
import openai
from google import genai
from google.genai import types

from respondents.asking import KEY


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What an official client makes of a reply, by its own accessors."""

    text: str | None
    finish: str | None
    model: str | None
    tokens: tuple[int | None, int | None, int | None]  # input, output, reasoning
    reasoning: str | None = None
    calls: int = 0


Ask = Callable[[str, bool, str | None, str, dict[str, Any]], Awaitable[Heard]]  # url, stream, system, text, settings


def given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


async def chat(url: str, stream: bool, system: str | None, text: str, settings: dict[str, Any]) -> Heard:
    first = [{"role": "system", "content": system}] if system is not None else []
    asked: dict[str, Any] = given(
        model="model-1",
        messages=[*first, {"role": "user", "content": text}],
        temperature=settings.get("temperature"),
        top_p=settings.get("top_p"),
        seed=settings.get("seed"),
        max_tokens=settings.get("max_output_tokens"),
        reasoning_effort=settings.get("effort"),
    )
    async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0) as client:
        if stream:
            return heard_chunks([chunk async for chunk in await client.chat.completions.create(**asked, **STREAM)])
        got = await client.chat.completions.create(**asked)
    said: Any = got.choices[0].message
    calls = len(said.tool_calls or ())
    reasoning = getattr(said, "reasoning_content", None)
    return chat_heard([said.content], got.choices[0].finish_reason, got, [reasoning], calls)


STREAM: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def heard_chunks(chunks: list[Any]) -> Heard:
    """The library's own gathering of chunks raises for a cut-off; its typed chunks are gathered here."""
    choices = [choice for chunk in chunks for choice in chunk.choices]
    finish = next((choice.finish_reason for choice in choices if choice.finish_reason), None)
    calls = {call.index for choice in choices for call in choice.delta.tool_calls or ()}
    reasoning = [getattr(choice.delta, "reasoning_content", None) for choice in choices]
    return chat_heard([choice.delta.content for choice in choices], finish, chunks[-1], reasoning, len(calls))


def chat_heard(texts: list[Any], finish: str | None, last: Any, reasoning: list[Any], calls: int) -> Heard:
    tokens = last.usage.completion_tokens_details.reasoning_tokens
    return Heard(
        text=joined(texts),
        finish=finish,
        model=last.model,
        tokens=(last.usage.prompt_tokens, last.usage.completion_tokens, tokens),
        reasoning=joined(reasoning),
        calls=calls,
    )


def joined(texts: list[Any]) -> str | None:
    found = [text for text in texts if text is not None]
    return "".join(found) if found else None


async def responses(url: str, stream: bool, system: str | None, text: str, settings: dict[str, Any]) -> Heard:
    effort = settings.get("effort")
    asked: dict[str, Any] = given(
        model="model-1",
        instructions=system,
        input=text,
        store=False,
        temperature=settings.get("temperature"),
        top_p=settings.get("top_p"),
        max_output_tokens=settings.get("max_output_tokens"),
        reasoning={"effort": effort} if effort else None,
    )
    async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0) as client:
        if stream:
            events = [event async for event in await client.responses.create(**asked, stream=True)]
            got: Any = events[-1].response
        else:
            got = await client.responses.create(**asked)
    usage, items = got.usage, got.output
    summaries = [part.text for item in items if item.type == "reasoning" for part in item.summary]
    written = any(part.type == "output_text" for item in items if item.type == "message" for part in item.content)
    return Heard(
        text=got.output_text if written else None,
        finish=got.incomplete_details.reason if got.incomplete_details else got.status,
        model=got.model,
        tokens=(usage.input_tokens, usage.output_tokens, usage.output_tokens_details.reasoning_tokens),
        reasoning=joined(summaries),
        calls=sum(item.type == "function_call" for item in items),
    )


async def messages(url: str, stream: bool, system: str | None, text: str, settings: dict[str, Any]) -> Heard:
    effort = settings.get("effort")
    sampling = given(temperature=settings.get("temperature"), top_p=settings.get("top_p"))
    asked: dict[str, Any] = given(
        model="model-1",
        max_tokens=settings.get("max_output_tokens", 8192),
        system=system,
        messages=[{"role": "user", "content": text}],
        output_config={"effort": effort} if effort else None,
        # this client speaks a version without sampling settings; the older one is asked for by hand
        extra_body=sampling or None,
        extra_headers={"anthropic-version": "2023-06-01"} if sampling else None,
    )
    async with anthropic.AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0) as client:
        if stream:
            async with client.messages.stream(**asked) as events:
                got: Any = await events.get_final_message()
        else:
            got = await client.messages.create(**asked)
    texts = [block.text for block in got.content if block.type == "text"]
    thoughts = [block.thinking for block in got.content if block.type == "thinking"]
    return Heard(
        text=joined(texts),
        finish=got.stop_reason,
        model=got.model,
        tokens=(got.usage.input_tokens, got.usage.output_tokens, got.usage.output_tokens_details.thinking_tokens),
        reasoning=joined(thoughts),
        calls=sum(block.type == "tool_use" for block in got.content),
    )


async def content(url: str, stream: bool, system: str | None, text: str, settings: dict[str, Any]) -> Heard:
    effort = settings.get("effort")
    config = types.GenerateContentConfig(
        system_instruction=system,
        temperature=settings.get("temperature"),
        top_p=settings.get("top_p"),
        seed=settings.get("seed"),
        max_output_tokens=settings.get("max_output_tokens"),
        thinking_config=types.ThinkingConfig(thinking_level=effort) if effort else None,
    )
    models = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=url)).aio.models
    if stream:
        got = [
            chunk async for chunk in await models.generate_content_stream(model="model-1", contents=text, config=config)
        ]
    else:
        got = [await models.generate_content(model="model-1", contents=text, config=config)]
    firsts = [chunk.candidates[0] for chunk in got if chunk.candidates]
    parts = [part for first in firsts if first.content for part in first.content.parts or ()]
    texts = [part.text for part in parts if part.text is not None and not part.thought]
    thoughts = [part.text for part in parts if part.thought and part.text is not None]
    usage: Any = got[-1].usage_metadata
    return Heard(
        text=joined(texts),
        finish=next((first.finish_reason.value for first in firsts if first.finish_reason), None),
        model=got[-1].model_version,
        # this wire counts what was reasoned apart from the output
        tokens=(
            usage.prompt_token_count,
            usage.candidates_token_count + usage.thoughts_token_count,
            usage.thoughts_token_count,
        ),
        reasoning=joined(thoughts),
        calls=sum(part.function_call is not None for part in parts),
    )


CLIENTS: dict[str, Ask] = {"openai": chat, "openai-responses": responses, "anthropic": messages, "gemini": content}
ERRORS = (openai.APIStatusError, anthropic.APIStatusError, genai.errors.APIError)


def status_of(error: Any) -> int:
    return int(error.code if isinstance(error, genai.errors.APIError) else error.status_code)


def camel(value: Any) -> Any:
    """Member names in one spelling: the Gemini client mixes the two that its wire takes for the same."""
    if isinstance(value, dict):
        return {re.sub("_([a-z])", lambda at: at[1].upper(), name): camel(inner) for name, inner in value.items()}
    return [camel(inner) for inner in value] if isinstance(value, list) else value
