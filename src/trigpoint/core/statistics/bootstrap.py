"""The percentile bootstrap by category, kept for comparison with other harnesses (RUN-30; statistics 4.4).

It stands beside the headline interval, never in front of it: where nearly all tasks pass, the data hold no failure to
draw again, and the range collapses (to a width of 0 where all pass).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from random import Random
from typing import TypeVar

from trigpoint.core.scoring.macro_average import Cell, MacroAverage
from trigpoint.core.statistics.interval import LEVEL, Interval, NoInterval, points

BOOTSTRAP_METHOD = "percentile-bootstrap/1"
BOOTSTRAP_MEANING = (
    "Percentile bootstrap over these tasks, for comparison with other harnesses: too narrow where nearly all tasks "
    "pass or nearly all fail."
)
DRAWS = 10_000
MOST_ITEMS = 240

Number = TypeVar("Number", int, Fraction)


def bootstrap_interval(score: MacroAverage, *, seed: int, draws: int = DRAWS) -> Interval | NoInterval:
    """95% percentile interval of the headline, resampling within categories, or why there is none.

    One draw goes through the categories in the suite's order. For a category of n items it takes n items with
    replacement, each the item at place ⌊n·u⌋, u the next value of `random.Random(seed).random()`; the items stand in
    order of weight, then credit. The draw's headline is the macro-average of the items taken, exact. The ends are
    the k-th smallest and the k-th largest of the headlines, k = ⌊draws/40⌋ (250 of 10,000), at least 1.

    With repeats an item's credit is the mean of its repeats. The same items, seed and draws give the same ends
    anywhere. Raises ValueError for draws < 1 and while a category has no items.
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    if score.items > MOST_ITEMS:
        return NoInterval(
            method=BOOTSTRAP_METHOD,
            reason=f"The percentile bootstrap is kept for up to {MOST_ITEMS} tasks, this run has {score.items:,}; "
            "beyond that the headline interval says the same and more.",
        )
    random = Random(seed).random  # noqa: S311 - chance that anyone can replay is the point
    score.score()  # refuses a category without items
    cells = {category: list(score.cells(category)) for category in score.shares}
    even = all(cell.weight == group[0].weight for group in cells.values() for cell in group)
    low, high = (_even_ends if even else _uneven_ends)(score, cells, random, draws)
    return Interval(
        low=points(low),
        high=points(high),
        level=LEVEL,
        method=BOOTSTRAP_METHOD,
        meaning=BOOTSTRAP_MEANING,
        seed=seed,
        draws=draws,
    )


def _even_ends(
    score: MacroAverage, cells: dict[str, list[Cell]], random: Callable[[], float], draws: int
) -> tuple[Fraction, Fraction]:
    """The ends where a category's items weigh the same: whole numbers over one denominator, so quick and exact."""
    shares = {name: score.shares[name] / sum(cell.items for cell in group) for name, group in cells.items()}
    exact = [[shares[name] * cell.credit for cell in group for _ in range(cell.items)] for name, group in cells.items()]
    denominator = lcm(*(value.denominator for values in exact for value in values))
    groups = [([int(value * denominator) for value in values], len(values)) for values in exact]
    totals = []
    for _ in range(draws):
        total = 0
        for values, n in groups:
            total += sum([values[int(n * random())] for _ in range(n)])
        totals.append(total)
    low, high = _ends(totals)
    return Fraction(low, denominator), Fraction(high, denominator)


def _uneven_ends(
    score: MacroAverage, cells: dict[str, list[Cell]], random: Callable[[], float], draws: int
) -> tuple[Fraction, Fraction]:
    """The ends where weights differ: a category's mean is over the weights that were drawn."""
    groups = []
    for name, group in cells.items():
        scale = lcm(*(cell.weight.denominator * cell.credit.denominator for cell in group))
        pairs = [(int(c.weight * scale), int(c.weight * c.credit * scale)) for c in group for _ in range(c.items)]
        groups.append((score.shares[name], pairs, len(pairs)))
    headlines = []
    for _ in range(draws):
        headline = Fraction(0)
        for share, pairs, n in groups:
            taken = [pairs[int(n * random())] for _ in range(n)]
            headline += share * Fraction(sum([earned for _, earned in taken]), sum([weight for weight, _ in taken]))
        headlines.append(headline)
    return _ends(headlines)


def _ends(headlines: list[Number]) -> tuple[Number, Number]:
    headlines.sort()
    k = max(1, len(headlines) // 40)
    return headlines[k - 1], headlines[-k]
