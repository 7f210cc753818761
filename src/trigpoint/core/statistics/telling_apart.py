"""How often a paired comparison tells two models apart, beside looking whether intervals overlap (STA-05)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeAlias

from trigpoint.core.scoring.macro_average import MacroAverage
from trigpoint.core.statistics.interval import Interval, NoInterval, headline_interval
from trigpoint.core.statistics.paired import Comparison, PairedDifferences
from trigpoint.core.statistics.ranking import CLEAR
from trigpoint.core.statistics.simulated import Chance, Rights, Suite, answer, canonical, score, shares

Judge: TypeAlias = Callable[[MacroAverage], Interval | NoInterval]
Ranges: TypeAlias = tuple[Interval | NoInterval, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """How often each way of telling finds a difference, 0–1."""

    runs: int
    paired: Fraction  # sign-flip, p ≤ 0.05
    wrong_way: Fraction  # of all comparisons, those in which it calls the worse model better
    apart: Fraction  # the headline intervals don't overlap
    beside: Fraction | None  # the same of another interval; None = none was given


def comparisons(
    suite: Suite,
    first: Fraction,
    second: Fraction,
    *,
    shared: int,
    runs: int,
    seed: int,
    interval: Judge | None = None,
) -> Found:
    """Two models that score `first` and `second` (0–1) on all tasks like these, on tasks drawn anew each time.

    Two coins settle a task's difficulty for a model, each right with the model's score; a field comes out right with
    chance 0, ½ or 1, by how many are. So half of a task's variance is noise. `shared` of the coins (0, 1 or 2) are the
    same for both models: 0, their results have nothing to do with each other; 1, what planning assumes
    (`power`); 2 with equal scores, the same model asked twice. `interval` is another one to look at beside.
    """
    random = Random(seed).random  # noqa: S311 - chance that anyone can replay is the point
    counts: Counter[str] = Counter()
    ranges: dict[Rights, Ranges] = {}
    for _ in range(runs):
        one, other = _pair(suite, float(first), float(second), shared, random)
        seen = _compare(suite, one, other, seed)
        counts["up"] += seen.p <= CLEAR and seen.difference > 0
        counts["down"] += seen.p <= CLEAR and seen.difference < 0
        ones, others = (_ranges(suite, run, interval, ranges) for run in (one, other))
        counts["headline"] += _apart(ones[0], others[0])
        counts["beside"] += _apart(ones[-1], others[-1])
    return Found(
        runs=runs,
        paired=Fraction(counts["up"] + counts["down"], runs),
        wrong_way=Fraction(counts["up"] * (first < second) + counts["down"] * (first > second), runs),
        apart=Fraction(counts["headline"], runs),
        beside=Fraction(counts["beside"], runs) if interval else None,
    )


def _pair(suite: Suite, first: float, second: float, shared: int, random: Chance) -> tuple[Rights, Rights]:
    """Both models' runs on the same tasks."""
    rows = []
    for tasks in suite:
        row = []
        for task in tasks:
            coins = [random(), random()]
            others = coins[:shared] + [random() for _ in range(2 - shared)]
            chances = (sum([coin < first for coin in coins]) / 2, sum([coin < second for coin in others]) / 2)
            row.append([answer(task, chance, random) for chance in chances])
        rows.append(row)
    one, other = (tuple(tuple(pair[side] for pair in row) for row in rows) for side in (0, 1))
    return one, other


def _compare(suite: Suite, one: Rights, other: Rights, seed: int) -> Comparison:
    differences = PairedDifferences(shares(suite))
    for category, tasks, *rows in zip(shares(suite), suite, one, other, strict=True):
        for task, *rights in zip(tasks, *rows, strict=True):
            differences.add(category, Fraction(task.weight), *(Fraction(right, task.fields) for right in rights))
    return differences.compare(seed=seed)


def _ranges(suite: Suite, run: Rights, interval: Judge | None, known: dict[Rights, Ranges]) -> Ranges:
    """The headline interval, and the other one if there is one, each worked out once a canonical run."""
    run = canonical(suite, run)
    if run not in known:
        added = score(suite, run)
        known[run] = (headline_interval(added), *((interval(added),) if interval else ()))
    return known[run]


def _apart(one: Interval | NoInterval, other: Interval | NoInterval) -> bool:
    if isinstance(one, NoInterval) or isinstance(other, NoInterval):
        return False
    return one.high < other.low or other.high < one.low
