"""macro-average/1: the mean credit of each category, then the mean of the categories (RUN-22, RUN-24).

A `MacroAverage` takes one item's credit at a time and keeps only how often each weight and credit came, so its
memory does not grow with the rows and the order of the rows can't matter. Intervals are worked out from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from trigpoint.core.exact import decimal_text

VERSION = "macro-average/1"


class Cell(NamedTuple):
    """Items of one category that have the same weight and the same credit."""

    weight: Fraction  # > 0
    credit: Fraction  # 0–1
    items: int  # ≥ 1


@dataclass(frozen=True, kw_only=True, slots=True)
class CategoryScore:
    """One category of a score."""

    category: str
    share: Fraction  # of the headline, 0–1; the shares add up to 1
    items: int
    passed: int  # items with full credit (RUN-22)
    mean: Fraction  # weighted mean credit, 0–1

    @property
    def points(self) -> str:
        """The mean as shown: 0–100 with one decimal, half up."""
        return decimal_text(self.mean * 100, 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class MacroScore:
    """A headline with its categories, in the suite's order."""

    headline: Fraction  # 0–1, exact
    items: int
    passed: int
    categories: tuple[CategoryScore, ...]
    version: str = VERSION

    @property
    def points(self) -> str:
        """The headline as shown: 0–100 with one decimal, half up."""
        return decimal_text(self.headline * 100, 1)


class MacroAverage:
    """Adds up items, in any order; `score()` is what they come to.

    `weights` names every category of the suite, in its order, with its weight in the headline (equal in Core v1).
    Raises ValueError for no categories or a weight that isn't above 0.
    """

    def __init__(self, weights: Mapping[str, Fraction]) -> None:
        if not weights or any(weight <= 0 for weight in weights.values()):
            raise ValueError("a macro-average needs categories, each with a weight above 0")
        total = sum(weights.values(), Fraction(0))
        self.shares = {category: Fraction(weight) / total for category, weight in weights.items()}
        self._counts: dict[str, Counter[tuple[int, int, int, int]]] = {category: Counter() for category in weights}

    @classmethod
    def equal(cls, categories: Iterable[str]) -> MacroAverage:
        """All categories count the same."""
        return cls(dict.fromkeys(categories, Fraction(1)))

    def add(self, category: str, weight: Fraction, credit: Fraction) -> None:
        """Count one item. With repeats, `credit` is the mean of the item's repeats. An item not attempted has 0.

        Raises ValueError for a category the suite doesn't have, a weight ≤ 0 or a credit outside 0–1.
        """
        # Whole numbers as the key: hashing a Fraction costs ten times as much, and there may be 240,000 rows.
        key = (*weight.as_integer_ratio(), *credit.as_integer_ratio())
        counts = self._counts.get(category)
        if counts is None:
            raise ValueError(f"no category of this suite: {category!r}")
        if key not in counts and not (weight > 0 and 0 <= credit <= 1):
            raise ValueError(f"an item needs a weight above 0 and a credit in 0–1, not {weight} and {credit}")
        counts[key] += 1

    def cells(self, category: str) -> Iterator[Cell]:
        """The category's items, grouped, in order of weight and credit: a form that no order of rows changes."""
        counts = self._counts[category]
        groups = ((Fraction(wn, wd), Fraction(cn, cd), count) for (wn, wd, cn, cd), count in counts.items())
        return (Cell(*group) for group in sorted(groups))

    @property
    def items(self) -> int:
        """How many items were added, in all categories."""
        return sum(counts.total() for counts in self._counts.values())

    def score(self) -> MacroScore:
        """The exact score. Raises ValueError while a category has no items: its mean would be made up."""
        categories = tuple(self._category_score(category) for category in self.shares)
        return MacroScore(
            headline=sum((one.share * one.mean for one in categories), Fraction(0)),
            items=sum(one.items for one in categories),
            passed=sum(one.passed for one in categories),
            categories=categories,
        )

    def _category_score(self, category: str) -> CategoryScore:
        cells = list(self.cells(category))
        if not cells:
            raise ValueError(f"category {category!r} has no items")
        total = sum(cell.weight * cell.items for cell in cells)
        earned = sum(cell.weight * cell.credit * cell.items for cell in cells)
        return CategoryScore(
            category=category,
            share=self.shares[category],
            items=sum(cell.items for cell in cells),
            passed=sum(cell.items for cell in cells if cell.credit == 1),
            mean=Fraction(earned / total),
        )
