"""The rows of calls.jsonl and items.jsonl: record ↔ JSON members (FND-01).

Every row has every key of its format, with null where nothing is known, so that a key taken out is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trigpoint.core.bundle.shapes import (
    Shape,
    boolean,
    checked,
    count,
    credit,
    hexadecimal,
    json_object,
    maybe,
    moment,
    one_of,
    text,
    usage,
)
from trigpoint.core.exact import credit_from, fraction_text
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Call, CallStatus, ItemId, Reply, Row, Usage

ITEM_SHAPE: Mapping[str, Shape] = {
    "item": text,
    "repeat": count(1),
    "message": text,
    "attempt": maybe(count(1)),
    "input_sha256": hexadecimal,
    "reply": maybe(text),
    "answer": maybe(text),
    "outcome": one_of(Outcome),
    "credit": maybe(credit),
    "reason": text,
    "grader": text,
}

CALL_SHAPE: Mapping[str, Shape] = {
    "message": text,
    "repeat": count(1),
    "attempt": count(1),
    "retry_of": maybe(count(1)),
    "begun": moment,
    "ended": maybe(moment),
    "status": one_of(CallStatus),
    "http_status": maybe(count(0)),
    "finish_reason": maybe(text),
    "served_model": maybe(text),
    "request_id": maybe(text),
    "usage": usage,
    "latency_ms": maybe(count(0)),
    "retry_after_ms": maybe(count(0)),
    "retryable": boolean,
    "error": maybe(text),
    "reasoning": maybe(text),
    "repaired": boolean,
    "extra": json_object,
}

#: Fields that may differ between an unbroken run and one that was broken off and resumed.
ATTEMPT_AND_TIME_FIELDS = frozenset({"attempt", "retry_of", "begun", "ended", "latency_ms", "request_id"})

_REPLY_FIELDS = tuple(name for name in CALL_SHAPE if name in Reply.__slots__ and name not in ("status", "usage"))


def item_row(row: Row) -> dict[str, Any]:
    """The JSON members of one items.jsonl line."""
    return {
        "item": row.item,
        "repeat": row.repeat,
        "message": row.message,
        "attempt": row.attempt,
        "input_sha256": row.input_sha256,
        "reply": row.reply,
        "answer": row.answer,
        "outcome": str(row.outcome),
        "credit": None if row.credit is None else fraction_text(row.credit),
        "reason": row.reason,
        "grader": row.grader,
    }


def row_from(members: Any, where: str) -> Row:
    """The record of one items.jsonl line. Raises BundleError naming `where` and the key."""
    found = checked(members, ITEM_SHAPE, where)
    return Row(
        **{
            **found,
            "item": ItemId(found["item"]),
            "outcome": Outcome(found["outcome"]),
            "credit": None if found["credit"] is None else credit_from(found["credit"]),
        }
    )


def call_row(call: Call) -> dict[str, Any]:
    """The JSON members of one calls.jsonl line; the reply's text stands in items.jsonl."""
    reply, used = call.reply, call.reply.usage
    return {
        "message": call.message,
        "repeat": call.repeat,
        "attempt": call.attempt,
        "retry_of": call.attempt - 1 or None,
        "begun": call.begun,
        "ended": call.ended,
        "status": str(reply.status),
        "http_status": reply.http_status,
        "finish_reason": reply.finish_reason,
        "served_model": reply.served_model,
        "request_id": reply.request_id,
        "usage": {
            "input_tokens": used.input_tokens,
            "output_tokens": used.output_tokens,
            "reasoning_tokens": used.reasoning_tokens,
        },
        "latency_ms": reply.latency_ms,
        "retry_after_ms": reply.retry_after_ms,
        "retryable": reply.retryable,
        "error": reply.error,
        "reasoning": reply.reasoning,
        "repaired": reply.repaired,
        "extra": dict(reply.extra),
    }


def call_from(members: Any, where: str) -> Call:
    """The record of one calls.jsonl line, without the reply's text. Raises BundleError."""
    found = checked(members, CALL_SHAPE, where)
    reply = Reply(
        status=CallStatus(found["status"]),
        usage=Usage(**found["usage"]),
        **{name: found[name] for name in _REPLY_FIELDS},
    )
    return Call(
        message=found["message"],
        repeat=found["repeat"],
        attempt=found["attempt"],
        begun=found["begun"],
        ended=found["ended"],
        reply=reply,
    )


Reader = Callable[[Any, str], Any]
READERS: Mapping[str, Reader] = {"items.jsonl": row_from, "calls.jsonl": call_from}
