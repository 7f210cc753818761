"""The closed set of outcomes, and what each does to credit and denominator per method (FND-10)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class Outcome(StrEnum):
    """Why an item's credit is what it is. The set is closed: readers refuse other words."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    FORMAT_NOT_RECOGNISED = "format_not_recognised"
    NOT_SCORABLE = "not_scorable"
    MISSING = "missing"
    REFUSED_TOLD = "refused_told"
    REFUSED_RULE = "refused_rule"
    TIMED_OUT = "timed_out"
    ENDPOINT_ERROR = "endpoint_error"
    CUT_OFF = "cut_off"
    NOT_ATTEMPTED = "not_attempted"


class Effect(NamedTuple):
    """What an outcome does: the rule for its credit, and for the score's denominator."""

    credit: str  # "1", "0", "grader" (0 < credit < 1), "none"
    denominator: str  # "counts", "no score", "gap", "attempts only", "cannot occur"


_GRADED = {
    Outcome.CORRECT: Effect("1", "counts"),
    Outcome.PARTIAL: Effect("grader", "counts"),
    Outcome.INCORRECT: Effect("0", "counts"),
    Outcome.FORMAT_NOT_RECOGNISED: Effect("0", "counts"),
}
_NEVER = Effect("none", "cannot occur")

#: method → outcome → effect. The docs page of outcomes is made from this table.
EFFECTS: dict[str, dict[Outcome, Effect]] = {
    "fair-run": {
        **_GRADED,
        Outcome.NOT_SCORABLE: Effect("0", "counts"),
        Outcome.MISSING: Effect("0", "counts"),
        Outcome.REFUSED_TOLD: _NEVER,
        Outcome.REFUSED_RULE: Effect("0", "counts"),
        Outcome.TIMED_OUT: Effect("0", "counts"),
        Outcome.ENDPOINT_ERROR: Effect("0", "counts"),
        Outcome.CUT_OFF: Effect("0", "counts"),
        Outcome.NOT_ATTEMPTED: Effect("0", "counts"),
    },
    "check": {
        **_GRADED,
        Outcome.NOT_SCORABLE: Effect("none", "no score"),
        Outcome.MISSING: Effect("none", "no score"),
        Outcome.REFUSED_TOLD: Effect("0", "counts"),
        Outcome.REFUSED_RULE: _NEVER,
        Outcome.TIMED_OUT: _NEVER,
        Outcome.ENDPOINT_ERROR: _NEVER,
        Outcome.CUT_OFF: _NEVER,
        Outcome.NOT_ATTEMPTED: _NEVER,
    },
    "watch": {
        **_GRADED,
        Outcome.NOT_SCORABLE: Effect("none", "gap"),
        Outcome.MISSING: Effect("none", "gap"),
        Outcome.REFUSED_TOLD: _NEVER,
        Outcome.REFUSED_RULE: _NEVER,
        Outcome.TIMED_OUT: Effect("none", "gap"),
        Outcome.ENDPOINT_ERROR: Effect("none", "gap"),
        Outcome.CUT_OFF: Effect("none", "gap"),
        Outcome.NOT_ATTEMPTED: Effect("none", "gap"),
    },
    "cycle": {
        Outcome.CORRECT: _NEVER,
        Outcome.PARTIAL: Effect("grader", "counts"),
        Outcome.INCORRECT: _NEVER,
        Outcome.FORMAT_NOT_RECOGNISED: _NEVER,
        Outcome.NOT_SCORABLE: _NEVER,
        Outcome.MISSING: Effect("0", "counts"),
        Outcome.REFUSED_TOLD: _NEVER,
        Outcome.REFUSED_RULE: Effect("grader", "counts"),
        Outcome.TIMED_OUT: Effect("0", "attempts only"),
        Outcome.ENDPOINT_ERROR: Effect("0", "attempts only"),
        Outcome.CUT_OFF: Effect("grader", "counts"),
        Outcome.NOT_ATTEMPTED: Effect("0", "attempts only"),
    },
}

#: One plain sentence an outcome, used by pages, reports and docs.
MEANING: dict[Outcome, str] = {
    Outcome.CORRECT: "The answer earns full credit.",
    Outcome.PARTIAL: "The answer earns part of the credit.",
    Outcome.INCORRECT: "The answer was read and earns nothing.",
    Outcome.FORMAT_NOT_RECOGNISED: "No final answer could be read in the reply.",
    Outcome.NOT_SCORABLE: "An answer stands there, but its value can't be worked out surely.",
    Outcome.MISSING: "The reply, or its part for this item, is empty.",
    Outcome.REFUSED_TOLD: "A person said that the AI refused or didn't answer.",
    Outcome.REFUSED_RULE: "The endpoint itself signalled a refusal.",
    Outcome.TIMED_OUT: "No complete reply came within the time limit.",
    Outcome.ENDPOINT_ERROR: "The endpoint failed, after every retry the harness allows.",
    Outcome.CUT_OFF: "The reply was cut off at the output limit before it was complete.",
    Outcome.NOT_ATTEMPTED: "No request was sent: the run ended before this item.",
}


def outcome_of_credit(credit: Fraction) -> Outcome:
    """`correct` at 1, `incorrect` at 0, `partial` between. Raises ValueError outside 0–1."""
    if not 0 <= credit <= 1:
        raise ValueError(f"credit must lie in 0–1, not {credit}")
    if credit == 1:
        return Outcome.CORRECT
    return Outcome.PARTIAL if credit else Outcome.INCORRECT
