"""Suites whose truth is known, run again and again: what the promises about intervals are measured on (STA-04).

Chance is `random.Random(seed).random()` alone, so the same arguments give the same runs anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias, TypeVar

from trigpoint.core.scoring.macro_average import MacroAverage

Chance: TypeAlias = Callable[[], float]


class Task(NamedTuple):
    """A simulated task. Its credit is right fields / fields; with one field it passes or fails."""

    fields: int = 1
    weight: int = 1


#: The tasks of a suite, category by category; all categories count the same.
Suite: TypeAlias = tuple[tuple[Task, ...], ...]
#: Right fields, a number a task, category by category.
Rights: TypeAlias = tuple[tuple[int, ...], ...]
Result = TypeVar("Result", int, tuple[int, ...])  # of one task: its right fields, or those of each repeat

#: Three suites of Core v1's shape, 4 categories of 6 tasks: all pass or fail; four tasks with partial credit, one in
#: each category; the same four in one category.
PASS_FAIL: Suite = ((Task(),) * 6,) * 4
PARTIAL: Suite = ((Task(fields=5), *(Task(),) * 5),) * 4
PARTIAL_IN_ONE: Suite = (*PASS_FAIL[:3], (*(Task(fields=5),) * 4, *(Task(),) * 2))


def alike(truth: Fraction, categories: int = 4) -> tuple[Fraction, ...]:
    """The same truth in every category."""
    return (truth,) * categories


def differing(truth: Fraction, categories: int = 4) -> tuple[Fraction, ...]:
    """Truths evenly spaced about `truth`, 60 points from first to last, less where 0 or 1 is near."""
    reach = min(truth, 1 - truth, Fraction(2, 5)) * Fraction(3, 4)
    return tuple(truth + reach * (Fraction(2 * place, categories - 1) - 1) for place in range(categories))


def answer(task: Task, chance: float, random: Chance) -> int:
    """How many fields come out right, each with the same chance."""
    return sum([random() < chance for _ in range(task.fields)])


def sample(suite: Suite, truths: Sequence[float], random: Chance) -> Rights:
    """One run on tasks drawn anew: in each category a field comes out right with the category's truth."""
    return tuple(
        tuple([answer(task, truth, random) for task in tasks]) for tasks, truth in zip(suite, truths, strict=True)
    )


def canonical(suite: Suite, run: Sequence[Sequence[Result]]) -> tuple[tuple[Result, ...], ...]:
    """The same run in the order in which `in_order` lists the tasks: by kind, then result; equal categories sorted.

    What is worked out from a run doesn't depend on its order, so each canonical run need be judged only once.
    """
    inner = [
        tuple([result for _, result in sorted(zip(tasks, row, strict=True))])
        for tasks, row in zip(suite, run, strict=True)
    ]
    return tuple(sorted(inner)) if len(set(suite)) == 1 else tuple(inner)


def in_order(suite: Suite, run: Sequence[Sequence[Result]]) -> Iterator[tuple[str, Task, Result]]:
    """(category, task, result) of each task of a canonical run."""
    for place, (tasks, row) in enumerate(zip(suite, run, strict=True)):
        for task, result in zip(sorted(tasks), row, strict=True):
            yield str(place), task, result


def shares(suite: Suite) -> dict[str, Fraction]:
    """The categories' shares of the headline."""
    return {str(place): Fraction(1, len(suite)) for place in range(len(suite))}


def score(suite: Suite, run: Rights) -> MacroAverage:
    """A canonical run, added up as a real one is."""
    adding = MacroAverage(shares(suite))
    for category, task, right in in_order(suite, run):
        adding.add(category, Fraction(task.weight), Fraction(right, task.fields))
    return adding
