"""The nouns that all methods share: item, reply, answer, grade, row, call, score.

Frozen and keyword-only; the unit stands beside the field. Texts are Unicode without lone surrogates
(`clean_text` replaces them where a reply comes in, and says so).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NewType

from trigpoint.core.outcomes import Outcome

ItemId = NewType("ItemId", str)

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> tuple[str, bool]:
    """`text` with every lone surrogate shown as U+FFFD, and whether there was one (FND-02)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text), True
    return text, False


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderSpec:
    """Which rule judges an item: `rule` is a name with its version ("exact/1")."""

    rule: str
    expected: Any  # text, number, list or object, as the rule says
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One thing asked and graded on its own (a task, a question, a test)."""

    id: ItemId
    index: int  # place in the suite's order, from 0
    category: str
    weight: Fraction  # > 0
    prompt: str
    grader: GraderSpec
    contract: str  # a name in core.message.CONTRACTS: how the answer is asked for and read
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One thing sent to a respondent. A fair run's message holds one item, a check's holds all."""

    id: str  # for a fair run: the item's id
    index: int  # place in the order of sending, from 0
    system: str | None
    text: str
    items: tuple[ItemId, ...]


class CallStatus(StrEnum):
    """How one attempt at one message ended."""

    ANSWERED = "answered"  # a complete reply came, whatever it says; never asked again
    REFUSED = "refused"  # complete, and the endpoint signals a refusal
    CUT_OFF = "cut_off"  # complete, and the endpoint signals the output limit
    TIMED_OUT = "timed_out"  # no complete reply within the time limit
    ENDPOINT_ERROR = "endpoint_error"  # an error answer, a lost connection, an unreadable body
    UNKNOWN = "unknown"  # begun, and the process was killed before the end was recorded


#: Statuses with a complete reply: the message is settled and is never asked again.
SETTLED = frozenset({CallStatus.ANSWERED, CallStatus.REFUSED, CallStatus.CUT_OFF})


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Token counts as the endpoint reports them; None = not reported."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """All that came back for one attempt at one message."""

    status: CallStatus
    text: str | None = None  # None = no text at all (content null, or no complete reply)
    reasoning: str | None = None  # kept apart, never graded
    finish_reason: str | None = None  # the wire's own word
    served_model: str | None = None
    request_id: str | None = None
    usage: Usage = Usage()
    http_status: int | None = None
    latency_ms: int | None = None  # from sending to the last byte; for diagnosis, never ranked (RUN-52)
    retry_after_ms: int | None = None  # what the endpoint asks us to wait
    retryable: bool = False  # lost in transport or a crash, with no answer of the endpoint's to go by
    error: str | None = None  # one line, keys already redacted
    repaired: bool = False  # lone surrogates were replaced by U+FFFD
    extra: Mapping[str, Any] = field(default_factory=dict)  # e.g. system_fingerprint, tool calls seen


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """The part of a reply that answers one item; `text` None = there is none, and `outcome` says why."""

    text: str | None
    reason: str = ""
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Grade:
    """What a grader says of one answer."""

    outcome: Outcome
    credit: Fraction | None  # 0–1; None = not scored, never the same as 0
    reason: str = ""
    grader: str = ""  # "exact/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One item × repeat of a finished run: what items.jsonl holds a line for."""

    item: ItemId
    repeat: int  # from 1
    input_sha256: str  # of the message text as sent
    message: str
    attempt: int | None  # the attempt whose reply was graded; None = never attempted
    reply: str | None
    answer: str | None
    outcome: Outcome
    credit: Fraction | None
    reason: str
    grader: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One attempt at one message: what calls.jsonl holds a line for. Times are RFC 3339, UTC, ms."""

    message: str
    repeat: int  # from 1
    attempt: int  # from 1
    begun: str
    ended: str | None  # None = unknown: the process was killed in between
    reply: Reply


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestSettings:
    """What is sent with every request; None = not sent, so the endpoint's own default holds."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_output_tokens: int | None = None
    effort: str | None = None
    stream: bool = False
    timeout_seconds: float = 300.0  # for one whole attempt, from sending to the last byte


class Source(StrEnum):
    """Where a field of a setup comes from (FND-01)."""

    DECLARED = "declared"  # the operator said so
    OBSERVED = "observed"  # the runtime or endpoint reported it
    DEFAULT = "default"  # nobody said; this program's or the endpoint's default holds
    UNKNOWN = "unknown"  # nobody can tell; never equal to another unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class SetupField:
    """One field of a run tuple."""

    value: Any  # text, number, bool or None
    source: Source
