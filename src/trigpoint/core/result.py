"""Rows → result.json: what a fair run comes to, computed the same way by a run and by a verifier (RUN-24 … 31).

`Tally` takes the calls and rows of a run in the bundle's order and keeps counts, so its memory doesn't grow
with them. `result_members` is a pure function of the tally and the setup.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from trigpoint.core.errors import InternalError
from trigpoint.core.exact import decimal_text, fraction_text
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Call, Item, Row
from trigpoint.core.scoring.macro_average import MacroAverage, MacroScore
from trigpoint.core.setup import Setup, setup_digest, tuple_digest
from trigpoint.core.statistics.bootstrap import bootstrap_interval
from trigpoint.core.statistics.interval import Interval, NoInterval, headline_interval
from trigpoint.core.statistics.repeats import Repeats
from trigpoint.core.suite import Suite

FORMAT = "trigpoint-result/1"
BOOTSTRAP_SEED = 1  # stored with every result; any fixed number serves (RUN-30)
MOST_REPEATS = 1000
OBSERVED_AT_MOST = 20  # different words kept of one observed field; more end in "…"


class Tally:
    """Counts of a run's calls and rows."""

    def __init__(self, suite: Suite, repeats: int) -> None:
        self.suite, self.repeats = suite, repeats
        self.average = MacroAverage({category.id: category.weight for category in suite.categories})
        self.again = Repeats(self.average.shares, repeats)
        self.outcomes: Counter[Outcome] = Counter()
        self.graders: set[str] = set()
        self.attempted = self.passed = self.rows = self.attempts = self.unknown = 0
        self.began: str | None = None
        self.ended: str | None = None
        self.tokens: Counter[str] = Counter()
        self.observed: dict[str, set[str]] = {"served_model": set(), "system_fingerprint": set()}
        self._credits: list[Fraction] = []

    def call(self, call: Call) -> None:
        """Count one attempt."""
        self.attempts += 1
        self.unknown += call.ended is None
        self.began = min(self.began or call.begun, call.begun)
        last = call.ended or call.begun
        self.ended = max(self.ended or last, last)
        used = call.reply.usage
        for name in ("input_tokens", "output_tokens", "reasoning_tokens"):
            self.tokens[name] += getattr(used, name) or 0
        self._observe("served_model", call.reply.served_model)
        self._observe("system_fingerprint", call.reply.extra.get("system_fingerprint"))

    def _observe(self, name: str, word: object) -> None:
        seen = self.observed[name]
        if isinstance(word, str) and len(seen) <= OBSERVED_AT_MOST:
            seen.add(word)

    def row(self, item: Item, row: Row) -> None:
        """Count one row of `item`. An item's repeats come together; it counts with the last of them."""
        if row.credit is None:
            raise InternalError("a fair run's row without credit", where=row.item)
        self.rows += 1
        self.outcomes[row.outcome] += 1
        self.attempted += row.attempt is not None
        self.passed += row.credit == 1
        self.graders.add(row.grader)
        self._credits.append(row.credit)
        if len(self._credits) == self.repeats:
            self._item_done(item, self._credits)
            self._credits = []

    def _item_done(self, item: Item, credits: list[Fraction]) -> None:
        if self.repeats == 1:
            self.average.add(item.category, item.weight, credits[0])
            return
        self.average.add(item.category, item.weight, sum(credits, Fraction(0)) / self.repeats)
        self.again.add(item.category, item.weight, credits)


def observed_words(tally: Tally) -> dict[str, list[str]]:
    """What endpoints reported of themselves, sorted; at most 20 words a field, then "…"."""
    found = {}
    for name, seen in tally.observed.items():
        words = sorted(seen)
        found[name] = [*words[:OBSERVED_AT_MOST], "…"] if len(words) > OBSERVED_AT_MOST else words
    return found


def result_members(tally: Tally, *, run_id: str, setup: Setup, method_version: str) -> dict[str, Any]:
    """The members of result.json.

    Raises ValueError when rows are absent: a score over part of the suite is never made up.
    """
    suite, score = tally.suite, tally.average.score()
    return {
        "format": FORMAT,
        "method": suite.method,
        "method_version": method_version,
        "run": run_id,
        "began": tally.began,
        "ended": tally.ended,
        "suite": suite_members(suite),
        "setup_digest": setup_digest(setup),
        "tuple_digest": tuple_digest(setup),
        "repeats": tally.repeats,
        "score": {"value": fraction_text(score.headline), "shown": score.points, "scoring": suite.scoring},
        "categories": _categories(tally, score),
        "counts": {
            "items": suite.count,
            "rows": tally.rows,
            "passed": tally.passed,
            "attempted": tally.attempted,
            "attempts": tally.attempts,
            "unknown_attempts": tally.unknown,
        },
        "coverage": {"value": _ratio(tally.attempted, tally.rows), "shown": _percent(tally.attempted, tally.rows)},
        "outcomes": {str(outcome): tally.outcomes[outcome] for outcome in Outcome},
        "tokens": {name: tally.tokens[name] for name in ("input_tokens", "output_tokens", "reasoning_tokens")},
        "intervals": {
            "headline": interval_json(headline_interval(tally.average)),
            "repeats": interval_json(tally.again.interval()),
            "bootstrap": interval_json(bootstrap_interval(tally.average, seed=BOOTSTRAP_SEED)),
        },
        "seeds": {"bootstrap": BOOTSTRAP_SEED},
        "versions": {"scoring": suite.scoring, "graders": sorted(tally.graders)},
        "notes": [suite.note] if suite.note else [],
    }


def suite_members(suite: Suite) -> dict[str, str]:
    """How a result names its suite."""
    return {"id": suite.id, "version": suite.version, "title": suite.title, "digest": suite.digest}


def interval_json(interval: Interval | NoInterval) -> dict[str, Any]:
    """An interval's members; where there is none, low and high are null and `reason` says why."""
    if isinstance(interval, NoInterval):
        return {"method": interval.method, "low": None, "high": None, "reason": interval.reason}
    return {
        "method": interval.method,
        "low": interval.low_text,
        "high": interval.high_text,
        "level": fraction_text(interval.level),
        "meaning": interval.meaning,
        "seed": interval.seed,
        "draws": interval.draws,
    }


def _categories(tally: Tally, score: MacroScore) -> list[dict[str, Any]]:
    titles = {category.id: category.title for category in tally.suite.categories}
    return [
        {
            "id": one.category,
            "title": titles[one.category],
            "share": fraction_text(one.share),
            "items": one.items,
            "passed": one.passed,
            "value": fraction_text(one.mean),
            "shown": one.points,
        }
        for one in score.categories
    ]


def _ratio(part: int, whole: int) -> str:
    return fraction_text(Fraction(part, whole)) if whole else "0"


def _percent(part: int, whole: int) -> str:
    return decimal_text(Fraction(100 * part, whole), 1) if whole else "0.0"
