"""What a run could show: the smallest difference it would find 8 times in 10, and what would settle one (RUN-32).

Estimates for planning, not tests. A paired comparison of n equally weighing tasks finds a true difference d (0–1)
with power 0.8 about when (d − 1/2rn)·√n ≥ 1.960·√(V + d²) + 0.842·√V, r the repeats and V the variance of a task's
difference. √(V + d²), since the sign-flip test centres on no difference; 1/2rn, since sums of passes come in steps,
of which the test gives away a part (how much was found by simulation: the power comes out at 0.75–0.9).

For a planned run V is not known. Assumed: half of the variance H(1 − H) of a task's credit is noise that changes from
run to run, half is how hard the task is, and of what makes tasks hard both models have half in common. Where the models
score A > B, V over r repeats is (A(1 − A) + B(1 − B))·(1/(2r) + 1/2) − B(1 − A)/2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from trigpoint.core.statistics.paired import Comparison
from trigpoint.core.statistics.portable import sqrt

_Z_LEVEL = 1.959963984540054
_Z_POWER = 0.8416212335729143  # power 0.8
_FEWEST = 6  # differing tasks: with five, even all one way has p = 2/32
MOST_MORE_ITEMS = 10_000
MOST_REPEATS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Settling:
    """What would settle a difference as large as the one seen, 8 times in 10; None = nothing within reason."""

    more_items: int | None  # tasks beside those asked, at most 10,000, rounded up to about two figures
    repeats: int | None  # of each run in all, at most 20


def smallest_visible_difference(
    items: Mapping[str, int],
    shares: Mapping[str, Fraction] | None = None,
    *,
    repeats: int = 1,
    truth: Fraction = Fraction(8, 10),
) -> Fraction | None:
    """The smallest true difference, in points with one decimal, that two such runs would show 8 times in 10.

    `items` counts the tasks of each category, `shares` are the categories' shares of the headline (equal if left out).
    One model is taken to score `truth` (0–1), the other less (more where truth is below ½). None where not even the
    largest difference would show. Raises ValueError for a category without tasks, repeats < 1 or truth outside 0–1.
    """
    if repeats < 1 or not 0 <= truth <= 1 or not items or min(items.values()) < 1:
        raise ValueError("need a task or more in each category, repeats of 1 or more and a truth in 0–1")
    shares = shares or dict.fromkeys(items, Fraction(1, len(items)))
    n = 1 / sum((shares[category] ** 2 / count for category, count in items.items()), Fraction(0))
    room = max(truth, 1 - truth)
    for tenths in range(1, int(room * 1000) + 1):
        difference = Fraction(tenths, 1000)
        other = truth - difference if truth == room else truth + difference
        once = _planned_variance(truth, other, 1)
        differing = n * (once + difference**2)  # expected, of tasks that pass or fail; repeats add to them
        variance = float(_planned_variance(truth, other, repeats))
        if differing >= _FEWEST and float(n) >= _needed_items(float(difference), variance, repeats):
            return difference * 100
    return None


def would_settle(seen: Comparison, *, repeats: int = 1) -> Settling:
    """How many more tasks, or how many repeats of each run, would settle a true difference as large as the one seen.

    `repeats` is how many the compared runs had. Both None where nothing differs. The spread of the tasks' differences
    is taken as seen; of it, repeats take away what the module's assumption calls noise.
    """
    difference = abs(float(seen.difference))
    if not difference:
        return Settling(more_items=None, repeats=None)
    variance = max(0.0, float(seen.mean_square) - difference * difference)
    settled_by = (
        r
        for r in range(repeats + 1, MOST_REPEATS + 1)
        if seen.effective_items >= _needed_items(difference, variance * float(_kept(r) / _kept(repeats)), r)
    )
    needed = Fraction(_needed_items(difference, variance, repeats))
    return Settling(more_items=_more_items(seen, needed), repeats=next(settled_by, None))


def _more_items(seen: Comparison, needed: Fraction) -> int | None:
    """Tasks to ask beside those asked, of the same weights, for `needed` effective ones and six that differ."""
    growth = max(needed / seen.effective_items, Fraction(_FEWEST, seen.better + seen.worse))
    more = max(1, ceil((growth - 1) * seen.items))
    return None if more > MOST_MORE_ITEMS else _about(more)


def _about(count: int) -> int:
    """`count` rounded up: to 5 from 20 on, to two figures from 100 on."""
    step = 1 if count < 20 else 5 if count < 100 else 10 ** (len(str(count)) - 2)
    return -(-count // step) * step


def _planned_variance(truth: Fraction, other: Fraction, repeats: int) -> Fraction:
    low, high = sorted((truth, other))
    both = low * (1 - low) + high * (1 - high)
    return both * (Fraction(1, 2 * repeats) + Fraction(1, 2)) - low * (1 - high) / 2


def _kept(repeats: int) -> Fraction:
    """The part of V that so many repeats keep, where both models score about the same."""
    return Fraction(1, 2 * repeats) + Fraction(1, 4)


def _needed_items(difference: float, variance: float, repeats: int) -> float:
    """The n at which the module's inequality begins to hold."""
    spread = _Z_LEVEL * sqrt(variance + difference * difference) + _Z_POWER * sqrt(variance)
    root = (spread + sqrt(spread * spread + 2.0 * difference / repeats)) / (2.0 * difference)
    return root * root
