"""Two runs on the same suite, compared task by task (STA-05, RUN-32; statistics 4.4, last paragraph).

Which of two models is better on tasks like these? If neither were, each task's difference could as well have had the
other sign. So the signs are flipped, in every way or in many, to see how often chance alone gives a difference this
large. Comparing the same tasks sees more than looking whether two intervals overlap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random

from trigpoint.core.exact import decimal_text

PAIRED_METHOD = "sign-flip/1"
MOST_EXACT = 16  # differing tasks: 2^16 ways to set the signs
FLIPS = 9_999
_BITS = 48  # of the 53 that one value of random() holds


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """How two runs of one suite differ: the first minus the second."""

    difference: Fraction  # of the headlines, −1 to 1
    p: Fraction  # 0–1: how often chance alone differs at least this much, either way
    items: int
    better: int  # tasks with more credit in the first run
    worse: int  # tasks with less
    mean_square: Fraction  # of a task's difference, as the headline weighs tasks
    effective_items: Fraction  # equally weighing tasks that would tell as much; `items` where all weigh the same
    seed: int | None  # None where every way of flipping was tried
    flips: int | None
    method: str = PAIRED_METHOD

    @property
    def points(self) -> str:
        """The difference as shown, in points with a sign: "+12.5", "-3.0", "0.0"."""
        text = decimal_text(self.difference * 100, 1)
        return text if text.startswith("-") or text == "0.0" else f"+{text}"


class PairedDifferences:
    """Adds up the tasks of two runs, pair by pair, in any order; `compare()` is what they say.

    `shares` are the categories' shares of the headline, as a `MacroAverage` has them. Memory does not grow with rows.
    """

    def __init__(self, shares: Mapping[str, Fraction]) -> None:
        self._shares = dict(shares)
        self._counts: dict[str, Counter[tuple[Fraction, Fraction]]] = {category: Counter() for category in shares}

    def add(self, category: str, weight: Fraction, first: Fraction, second: Fraction) -> None:
        """Count one task by its credit in both runs (with repeats: the means of its repeats).

        Raises ValueError for a category the suite doesn't have, a weight ≤ 0 or a credit outside 0–1.
        """
        if category not in self._counts:
            raise ValueError(f"no category of this suite: {category!r}")
        if not (weight > 0 and 0 <= first <= 1 and 0 <= second <= 1):
            raise ValueError(f"a task needs a weight above 0 and credits in 0–1, not {weight}, {first} and {second}")
        self._counts[category][weight, first - second] += 1

    def compare(self, *, seed: int) -> Comparison:
        """The comparison: sign-flip permutation of the tasks' differences, each times its share of the headline.

        Up to 16 differing tasks, every way of setting their signs is tried, and p is the part of them whose sum is at
        least as far from 0 as the observed one. Beyond, 9,999 settings are drawn (`_drawn` says how) and
        p = (1 + as far)/10,000.
        Raises ValueError while a category has no items.
        """
        parts = self._parts()
        differing = sum(often for (_, difference), often in parts.items() if difference)
        scale = lcm(*((share * difference).denominator for share, difference in parts))
        sizes: Counter[int] = Counter()  # of the differing tasks' parts in the headline, as whole numbers
        for (share, difference), often in parts.items():
            if difference:
                sizes[int(abs(share * difference) * scale)] += often
        total = sum((share * difference * often for (share, difference), often in parts.items()), Fraction(0))
        observed = abs(int(total * scale))
        exact = differing <= MOST_EXACT
        one_task = sum((share**2 * often for (share, _), often in parts.items()), Fraction(0))
        squares = sum(((share * d) ** 2 * often for (share, d), often in parts.items()), Fraction(0))
        return Comparison(
            difference=total,
            p=_every_way(sizes, observed) if exact else _drawn(sizes, observed, seed),
            items=sum(parts.values()),
            better=sum(often for (_, difference), often in parts.items() if difference > 0),
            worse=sum(often for (_, difference), often in parts.items() if difference < 0),
            mean_square=squares / one_task,
            effective_items=1 / one_task,
            seed=None if exact else seed,
            flips=None if exact else FLIPS,
        )

    def _parts(self) -> Counter[tuple[Fraction, Fraction]]:
        """(a task's share of the headline, its difference) → how many tasks."""
        parts: Counter[tuple[Fraction, Fraction]] = Counter()
        for category, counts in self._counts.items():
            if not counts:
                raise ValueError(f"category {category!r} has no items")
            total = sum((weight * often for (weight, _), often in counts.items()), Fraction(0))
            for (weight, difference), often in counts.items():
                parts[self._shares[category] * weight / total, difference] += often
        return parts


def _every_way(sizes: Counter[int], observed: int) -> Fraction:
    """The part of all settings of the signs with |sum| ≥ observed. Sums that meet are counted, not listed."""
    ways = Counter({0: 1})
    for size in sizes.elements():
        flipped: Counter[int] = Counter()
        for total, often in ways.items():
            flipped[total + size] += often
            flipped[total - size] += often
        ways = flipped
    as_far = sum(often for total, often in ways.items() if abs(total) >= observed)
    return Fraction(as_far, ways.total())


def _drawn(sizes: Counter[int], observed: int, seed: int) -> Fraction:
    """p from 9,999 drawn settings of the signs.

    For each setting the tasks, smallest difference first, are taken 48 at a time: the next value u of random() gives
    ⌊u·2^48⌋, whose bits, lowest first, say plus (1) or minus (0) for one task each.
    """
    random = Random(seed).random  # noqa: S311 - chance that anyone can replay is the point
    ordered = sorted(sizes.elements())
    whole = sum(ordered)
    blocks = [_byte_tables(ordered[start : start + _BITS]) for start in range(0, len(ordered), _BITS)]
    as_far = 0
    for _ in range(FLIPS):
        plus = 0
        for tables in blocks:
            bits = int(random() * (1 << _BITS))
            for table in tables:
                plus += table[bits & 255]
                bits >>= 8
        as_far += abs(2 * plus - whole) >= observed
    return Fraction(1 + as_far, FLIPS + 1)


def _byte_tables(sizes: list[int]) -> list[list[int]]:
    return [_byte_table(tuple(sizes[start : start + 8])) for start in range(0, len(sizes), 8)]


@lru_cache(maxsize=8)  # equal neighbours share a table, so memory doesn't grow with tasks that only pass or fail
def _byte_table(sizes: tuple[int, ...]) -> list[int]:
    """What each byte adds up to where a set bit counts the size at its place; bits beyond the last change nothing."""
    sums = [0]
    for size in sizes:
        sums += [total + size for total in sums]
    return sums * (256 // len(sums))
