"""Words, marks and small tables that commands and pages share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trigpoint.core.outcomes import Outcome

#: outcome → (mark, word for people). A mark differs by shape, never by colour alone.
SHOWN: dict[Outcome, tuple[str, str]] = {
    Outcome.CORRECT: ("■", "correct"),
    Outcome.PARTIAL: ("◧", "partly correct"),
    Outcome.INCORRECT: ("□", "incorrect"),
    Outcome.FORMAT_NOT_RECOGNISED: ("◇", "answer format not recognised"),
    Outcome.NOT_SCORABLE: ("?", "couldn't be scored"),
    Outcome.MISSING: ("·", "missing"),
    Outcome.REFUSED_TOLD: ("⊘", "refused (you told us)"),
    Outcome.REFUSED_RULE: ("⊘", "refused by the endpoint"),
    Outcome.TIMED_OUT: ("⌛", "timed out"),
    Outcome.ENDPOINT_ERROR: ("✕", "endpoint error"),
    Outcome.CUT_OFF: ("◺", "cut off"),
    Outcome.NOT_ATTEMPTED: ("–", "not attempted"),
}

#: Outcomes for which `run` ends with 3: the endpoint or the run failed, not the model's answer (FND-14).
UNSETTLED = (Outcome.ENDPOINT_ERROR, Outcome.TIMED_OUT, Outcome.NOT_ATTEMPTED)


def outcome_counts(outcomes: Mapping[str, int]) -> str:
    """ "14 correct, 2 partly correct, 1 endpoint error": every outcome that occurred, by name."""
    named = [f"{outcomes[outcome]:,} {SHOWN[outcome][1]}" for outcome in Outcome if outcomes.get(outcome)]
    return ", ".join(named) or "none"


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def interval_words(interval: Mapping[str, Any]) -> str:
    """ "95% range 5.1 to 28.0", or why there is none."""
    if interval["low"] is None:
        return f"no range: {interval['reason']}"
    return f"95% range {interval['low']} to {interval['high']}"


def unsettled(outcomes: Mapping[str, int]) -> int:
    """How many rows ended without the endpoint having answered."""
    return sum(outcomes.get(outcome, 0) for outcome in UNSETTLED)
