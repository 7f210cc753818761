"""How often the intervals hold the truth: seeded simulation (STA-03, STA-04; statistics 2 and 5).

Each function fills one cell of a table. The intervals are those that results are published with, ends rounded as
published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeAlias, TypeVar

from trigpoint.core.scoring.macro_average import MacroAverage
from trigpoint.core.statistics.interval import Interval, NoInterval, headline_interval
from trigpoint.core.statistics.repeats import Repeats
from trigpoint.core.statistics.simulated import (
    Chance,
    Rights,
    Suite,
    answer,
    canonical,
    in_order,
    sample,
    score,
    shares,
)

#: Right fields of each repeat of each task, category by category.
Repeated: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
Run = TypeVar("Run", Rights, Repeated)


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """What a cell found."""

    runs: int
    held: Fraction  # 0–1: how often the interval held the truth
    width: Fraction  # mean, in points
    no_width: Fraction  # 0–1: how often the interval was a single point


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """So many tasks, each coming out right with a chance drawn evenly from low to high."""

    tasks: int
    low: float
    high: float


def population(
    suite: Suite,
    truths: Sequence[Fraction],
    *,
    runs: int,
    seed: int,
    interval: Callable[[MacroAverage], Interval | NoInterval] = headline_interval,
) -> Coverage:
    """An interval for the headline, where the tasks asked are a sample of all tasks like these.

    `truths` is the chance, by category, that a field of a task drawn anew comes out right. `interval` must not depend
    on the order of tasks or of equal categories. Raises ValueError for a suite that has no such interval.
    """
    random = Random(seed).random  # noqa: S311 - chance that anyone can replay is the point
    chances = [float(truth) for truth in truths]
    truth = sum(truths, Fraction(0)) / len(truths)
    drawn = ((canonical(suite, sample(suite, chances, random)), truth) for _ in range(runs))
    return _coverage(drawn, lambda run: interval(score(suite, run)))


def fixed_tasks(suite: Suite, ranges: Sequence[Range], *, repeats: int, runs: int, seed: int) -> Coverage:
    """The repeats interval, where the tasks stay the same and only the model's answers change.

    `ranges` are the chances of a right field, one a task. Each simulated run draws its own chances and which task has
    which; the truth it is held against is what they come to. Raises ValueError for a suite that has no such interval.
    """
    random = Random(seed).random  # noqa: S311 - chance that anyone can replay is the point

    def interval(run: Repeated) -> Interval | NoInterval:
        adding = Repeats(shares(suite), repeats)
        for category, task, rights in in_order(suite, run):
            adding.add(category, Fraction(task.weight), [Fraction(right, task.fields) for right in rights])
        return adding.interval()

    def drawn() -> tuple[Repeated, Fraction]:
        chances = iter(_shuffled([r.low + (r.high - r.low) * random() for r in ranges for _ in range(r.tasks)], random))
        by_category = [[next(chances) for _ in tasks] for tasks in suite]
        run = [
            [tuple(sorted([answer(task, chance, random) for _ in range(repeats)])) for task, chance in asked]
            for asked in (zip(tasks, row, strict=True) for tasks, row in zip(suite, by_category, strict=True))
        ]
        return canonical(suite, run), _truth(suite, by_category)

    return _coverage((drawn() for _ in range(runs)), interval)


def _shuffled(values: list[float], random: Chance) -> list[float]:
    return [values.pop(int(len(values) * random())) for _ in range(len(values))]


def _truth(suite: Suite, chances: Sequence[Sequence[float]]) -> Fraction:
    """The headline that these chances come to, 0–1."""
    headline = Fraction(0)
    for tasks, row in zip(suite, chances, strict=True):
        earned = sum((task.weight * Fraction(chance) for task, chance in zip(tasks, row, strict=True)), Fraction(0))
        headline += earned / (sum(task.weight for task in tasks) * len(suite))
    return headline


def _coverage(results: Iterable[tuple[Run, Fraction]], interval: Callable[[Run], Interval | NoInterval]) -> Coverage:
    ends: dict[Run, tuple[Fraction, Fraction]] = {}
    held = single = count = 0
    width = Fraction(0)
    for run, truth in results:
        if run not in ends:
            found = interval(run)
            if isinstance(found, NoInterval):
                raise ValueError(found.reason)
            ends[run] = found.low, found.high
        low, high = ends[run]
        count += 1
        held += low <= truth * 100 <= high
        width += high - low
        single += low == high
    return Coverage(runs=count, held=Fraction(held, count), width=width / count, no_width=Fraction(single, count))
