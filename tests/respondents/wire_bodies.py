"""What a model says, written in each of the four wire formats: as one body, and as the events of a stream.

Written after the providers' published formats; tests with their own client libraries show that those accept
every body and every stream made here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

INPUT, OUTPUT, REASONED = 11, 7, 3  # tokens; output includes what was reasoned
TEXT = "Sieben – 7 😀"
SERVED = "served-model-1"
REFUSED = "I can't help with that."


@dataclass(frozen=True, kw_only=True)
class Script:
    """What the model says. `ending`: whole, cut_off, refused, filtered, blocked, tools."""

    parts: tuple[str, ...] = (TEXT,)  # () = no text at all
    reasoning: str | None = None
    ending: str = "whole"
    unknown: bool = False  # fields that no client knows stand everywhere

    def spice(self, value: Any) -> Any:
        """The value with an unknown member in each of its objects, if the script says so."""
        if not self.unknown:
            return value
        if isinstance(value, dict):
            return {name: self.spice(inner) for name, inner in value.items()} | {"x_new": {"deep": [1, None]}}
        return [self.spice(inner) for inner in value] if isinstance(value, list) else value


def pieces(text: str) -> list[str]:
    return [text[at : at + 3] for at in range(0, len(text), 3)] or [""]


# chat completions ----------------------------------------------------------------------------------------

CHAT_FINISH = {"cut_off": "length", "filtered": "content_filter", "tools": "tool_calls"}
CHAT_CALL = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}


def chat_body(script: Script) -> dict[str, Any]:
    many = len(script.parts) > 1
    content: Any = [{"type": "text", "text": part} for part in script.parts] if many else "".join(script.parts)
    message: dict[str, Any] = {"role": "assistant", "content": content if script.parts else None, "refusal": None}
    if script.reasoning is not None:
        message["reasoning_content"] = script.reasoning
    if script.ending == "refused":
        message |= {"content": None, "refusal": REFUSED}
    if script.ending == "tools":
        message |= {"content": None, "tool_calls": [CHAT_CALL]}
    finish = CHAT_FINISH.get(script.ending, "stop")
    choice = {"index": 0, "finish_reason": finish, "logprobs": None, "message": message}
    return chat_head("chat.completion") | {"choices": [choice], "usage": chat_usage()}


def chat_events(script: Script) -> Iterator[Any]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if script.parts else None}]
    deltas += [{"reasoning_content": piece} for piece in pieces(script.reasoning)] if script.reasoning else []
    if script.ending == "refused":
        deltas = [{"role": "assistant", "content": None}, *({"refusal": piece} for piece in pieces(REFUSED))]
    elif script.ending == "tools":
        first = CHAT_CALL | {"index": 0, "function": {"name": "look_up", "arguments": ""}}
        deltas = [{"role": "assistant", "content": None, "tool_calls": [first]}]
        deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}]
    else:
        deltas += [{"content": piece} for part in script.parts for piece in pieces(part)]
    head = chat_head("chat.completion.chunk")
    for delta in deltas:
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None}
    finish = CHAT_FINISH.get(script.ending, "stop")
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": None}
    yield head | {"choices": [], "usage": chat_usage()}
    yield "[DONE]"


def chat_head(kind: str) -> dict[str, Any]:
    named = {"id": "chatcmpl-1", "object": kind, "created": 1700000000, "model": SERVED}
    return named | {"system_fingerprint": "fp_1"}


def chat_usage() -> dict[str, Any]:
    details = {"completion_tokens_details": {"reasoning_tokens": REASONED}}
    return {"prompt_tokens": INPUT, "completion_tokens": OUTPUT, "total_tokens": INPUT + OUTPUT} | details


# responses -----------------------------------------------------------------------------------------------

INCOMPLETE = {"cut_off": "max_output_tokens", "filtered": "content_filter"}


def responses_items(script: Script) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if script.reasoning is not None:
        items.append(
            {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": script.reasoning}]}
        )
    if script.ending == "tools":
        call = {"name": "look_up", "arguments": "{}", "call_id": "call_1", "status": "completed"}
        return [*items, {"id": "fc_1", "type": "function_call"} | call]
    content: list[dict[str, Any]] = [{"type": "output_text", "text": part, "annotations": []} for part in script.parts]
    if script.ending == "refused":
        content = [{"type": "refusal", "refusal": REFUSED}]
    status = "incomplete" if script.ending in INCOMPLETE else "completed"
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": content}
    return [*items, *([message] if content else [])]


def responses_body(script: Script) -> dict[str, Any]:
    reason = INCOMPLETE.get(script.ending)
    return responses_head() | {
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "output": responses_items(script),
        "usage": {
            "input_tokens": INPUT,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": OUTPUT,
            "output_tokens_details": {"reasoning_tokens": REASONED},
            "total_tokens": INPUT + OUTPUT,
        },
    }


def responses_head() -> dict[str, Any]:
    named = {"id": "resp_1", "object": "response", "created_at": 1700000000, "model": SERVED, "error": None}
    asked = {"metadata": {}, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return named | asked | {"instructions": None, "temperature": 1.0, "top_p": 1.0}


def responses_events(script: Script) -> Iterator[Any]:
    number = iter(range(1_000_000))

    def event(name: str, **members: Any) -> dict[str, Any]:
        return {"type": name, "sequence_number": next(number)} | members

    begun = responses_head() | {"status": "in_progress", "output": [], "incomplete_details": None, "usage": None}
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for at, item in enumerate(responses_items(script)):
        yield event("response.output_item.added", output_index=at, item=item)
        for index, part in enumerate(item.get("content") or ()):
            place = {"item_id": item["id"], "output_index": at, "content_index": index}
            yield event("response.content_part.added", **place, part=part)
            if part["type"] == "output_text":
                for piece in pieces(part["text"]):
                    yield event("response.output_text.delta", **place, delta=piece, logprobs=[])
                yield event("response.output_text.done", **place, text=part["text"], logprobs=[])
            yield event("response.content_part.done", **place, part=part)
        yield event("response.output_item.done", output_index=at, item=item)
    body = responses_body(script)
    yield event(f"response.{body['status']}", response=body)


# messages ------------------------------------------------------------------------------------------------

STOP = {"cut_off": "max_tokens", "refused": "refusal", "filtered": "refusal", "tools": "tool_use"}


def message_body(script: Script) -> dict[str, Any]:
    stop = STOP.get(script.ending, "end_turn")
    details = {"type": "refusal", "category": None, "explanation": REFUSED} if stop == "refusal" else None
    usage = message_usage(OUTPUT)
    return message_head() | {"content": blocks(script), "stop_reason": stop, "stop_details": details, "usage": usage}


def blocks(script: Script) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if script.reasoning is not None:
        found.append({"type": "thinking", "thinking": script.reasoning, "signature": "c2ln"})
    if script.ending == "tools":
        return [*found, {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {}}]
    if script.ending in ("refused", "filtered"):
        return found
    return found + [{"type": "text", "text": part, "citations": None} for part in script.parts]


def message_head() -> dict[str, Any]:
    named = {"id": "msg_1", "type": "message", "role": "assistant", "model": SERVED}
    return named | {"stop_reason": None, "stop_sequence": None, "content": []}


def message_usage(output: int) -> dict[str, Any]:
    cached = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {
        "input_tokens": INPUT,
        "output_tokens": output,
        **cached,
        "output_tokens_details": {"thinking_tokens": REASONED},
    }


def message_events(script: Script) -> Iterator[Any]:
    whole = message_body(script)
    yield {"type": "message_start", "message": message_head() | {"usage": message_usage(1)}}
    yield {"type": "ping"}
    for at, block in enumerate(whole["content"]):
        empty = {"text": "", "thinking": "", "signature": ""}
        yield {
            "type": "content_block_start",
            "index": at,
            "content_block": block | {k: empty[k] for k in empty if k in block},
        }
        name = block["type"]
        for piece in pieces(block[name]) if name in ("text", "thinking") else ():
            yield {"type": "content_block_delta", "index": at, "delta": {"type": f"{name}_delta", name: piece}}
        if name == "tool_use":
            yield {
                "type": "content_block_delta",
                "index": at,
                "delta": {"type": "input_json_delta", "partial_json": "{}"},
            }
        yield {"type": "content_block_stop", "index": at}
    ending = {name: whole[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    yield {"type": "message_delta", "delta": ending, "usage": message_usage(OUTPUT)}
    yield {"type": "message_stop"}


# generateContent -----------------------------------------------------------------------------------------

GEMINI_FINISH = {"cut_off": "MAX_TOKENS", "refused": "SAFETY", "filtered": "PROHIBITED_CONTENT"}


def gemini_body(script: Script) -> dict[str, Any]:
    if script.ending == "blocked":
        return gemini_head() | {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    return gemini_head() | {"candidates": [gemini_candidate(gemini_parts(script), script)]}


def gemini_parts(script: Script) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if script.reasoning is not None:
        found.append({"text": script.reasoning, "thought": True})
    if script.ending == "tools":
        return [*found, {"functionCall": {"name": "look_up", "args": {}}}]
    return (
        found
        if script.ending in GEMINI_FINISH and script.ending != "cut_off"
        else found + [{"text": part} for part in script.parts]
    )


def gemini_candidate(parts: list[dict[str, Any]], script: Script | None) -> dict[str, Any]:
    finish = {"finishReason": GEMINI_FINISH.get(script.ending, "STOP")} if script else {}
    content = {"content": {"role": "model", "parts": parts}} if parts else {}
    return {"index": 0} | content | finish


def gemini_head() -> dict[str, Any]:
    counts = {"promptTokenCount": INPUT, "candidatesTokenCount": OUTPUT - REASONED, "thoughtsTokenCount": REASONED}
    return {
        "modelVersion": SERVED,
        "responseId": "gem_1",
        "usageMetadata": counts | {"totalTokenCount": INPUT + OUTPUT},
    }


def gemini_events(script: Script) -> Iterator[Any]:
    if script.ending == "blocked":
        yield gemini_body(script)
        return
    for part in gemini_parts(script):
        for piece in pieces(part["text"]) if "text" in part else ():
            yield gemini_head() | {"candidates": [gemini_candidate([part | {"text": piece}], None)]}
        if "text" not in part:
            yield gemini_head() | {"candidates": [gemini_candidate([part], None)]}
    yield gemini_head() | {"candidates": [gemini_candidate([], script)]}


# errors --------------------------------------------------------------------------------------------------


def openai_error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "rate_limit_exceeded"}.get(status, "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


def anthropic_error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def gemini_error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}.get(status, "INTERNAL")
    return {"error": {"code": status, "message": message, "status": kind}}


@dataclass(frozen=True, kw_only=True)
class Format:
    body: Callable[[Script], dict[str, Any]]
    events: Callable[[Script], Iterator[Any]]
    error: Callable[[int, str], dict[str, Any]]
    named_events: bool  # whether each event carries its type as `event:` too


#: the end of the path asked for → what is spoken there
FORMATS = {
    "/chat/completions": Format(body=chat_body, events=chat_events, error=openai_error, named_events=False),
    "/responses": Format(body=responses_body, events=responses_events, error=openai_error, named_events=True),
    "/messages": Format(body=message_body, events=message_events, error=anthropic_error, named_events=True),
    "enerateContent": Format(body=gemini_body, events=gemini_events, error=gemini_error, named_events=False),
}


def encoded_event(event: Any, named: bool) -> bytes:
    data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
    return (f"event: {event['type']}\n" if named else "").encode() + f"data: {data}\n\n".encode()
