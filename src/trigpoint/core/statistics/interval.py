"""The headline interval: Wilson's, with an effective number of tasks (STA-04, RUN-31; statistics 4.4).

No random numbers, fractions up to the one square root, decimals of 50 digits from there: it replays to the digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from trigpoint.core.exact import decimal_text, round_half_up
from trigpoint.core.scoring.macro_average import Cell, MacroAverage

HEADLINE_METHOD = "wilson-effective-n/1"
HEADLINE_MEANING = (
    "For tasks like these: asked other tasks of the same kinds, this model could as well score anywhere in this range."
)
LEVEL = Fraction(95, 100)
Z = Fraction("1.959963984540054235524594430520551")  # the normal distribution's 97.5% point
_CONTEXT = Context(prec=50, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A range for a score, ends in points 0–100, already rounded half up to one decimal."""

    low: Fraction
    high: Fraction
    level: Fraction  # 19/20: how often intervals made this way should hold the truth
    method: str  # with its version: "wilson-effective-n/1"
    meaning: str  # one sentence
    seed: int | None = None  # of methods that use chance, with how often they drew
    draws: int | None = None

    @property
    def low_text(self) -> str:
        """The lower end as shown: "61.2"."""
        return decimal_text(self.low, 1)

    @property
    def high_text(self) -> str:
        """The upper end as shown: "93.8"."""
        return decimal_text(self.high, 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class NoInterval:
    """Why there is no interval: one sentence for people."""

    method: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Category:
    """What the interval needs of one category."""

    share: Fraction
    mean: Fraction
    variance: Fraction  # s²: of one task's credit, weighted, unbiased where the weights are equal
    count: Fraction  # effective: (Σw)² / Σw²


def headline_interval(score: MacroAverage) -> Interval | NoInterval:
    """95% range of the headline for tasks like these, or why there is none.

    H is the headline, m_k, s_k² and n_k a category's weighted mean, variance and effective count, W_k its share.

    1. n, the effective number of tasks, is 1 / Σ W_k²/n_k: the number of tasks where all count the same.
    2. SE² = Σ W_k²·s_k²/n_k. A category with fewer tasks than its share of them all, W_k·Σn_k, says too little about
       its own spread, so its s_k² is drawn towards H(1 − H): its own part is (n_k − 1)/(W_k·Σn_k − 1). Nothing
       changes where categories are of one size and count the same, as in Core v1.
    3. n_eff = H(1 − H)/SE², kept within n and 2n; n where SE, H or 1 − H is 0.
    4. Wilson's interval for H with n_eff tasks.
    """
    categories = []
    for name, share in score.shares.items():
        cells = list(score.cells(name))
        if sum(cell.items for cell in cells) < 2:
            return NoInterval(
                method=HEADLINE_METHOD,
                reason=f"Category {name} has {'one task' if cells else 'no tasks'}, "
                "which can't show how much tasks of its kind differ. Two or more in each category give an interval.",
            )
        categories.append(_category(share, cells))
    headline = sum((c.share * c.mean for c in categories), Fraction(0))
    return wilson_interval(headline, _effective_count(categories, headline))


def wilson_interval(mean: Fraction, n: Fraction) -> Interval:
    """Wilson's 95% interval as published, for a mean credit of `mean` (0–1) over `n` > 0 tasks, not always whole."""
    low, high = _wilson(mean, n)
    return Interval(
        low=points(Fraction(low)),
        high=points(Fraction(high)),
        level=LEVEL,
        method=HEADLINE_METHOD,
        meaning=HEADLINE_MEANING,
    )


def points(value: Fraction) -> Fraction:
    """A share 0–1 as published: points with one decimal, half up, never outside 0–100."""
    return round_half_up(min(max(value, Fraction(0)), Fraction(1)) * 100, 1)


def _wilson(mean: Fraction, n: Fraction) -> tuple[Decimal, Decimal]:
    shrink = 1 + Z * Z / n
    centre = (mean + Z * Z / (2 * n)) / shrink
    root = _CONTEXT.sqrt(_decimal(mean * (1 - mean) / n + Z * Z / (4 * n * n)))
    half = _CONTEXT.multiply(_decimal(Z / shrink), root)
    middle = _decimal(centre)
    return _CONTEXT.subtract(middle, half), _CONTEXT.add(middle, half)


def _category(share: Fraction, cells: list[Cell]) -> _Category:
    total = sum((c.weight * c.items for c in cells), Fraction(0))
    squared = sum((c.weight**2 * c.items for c in cells), Fraction(0))
    mean = sum((c.weight * c.credit * c.items for c in cells), Fraction(0)) / total
    spread = sum((c.weight * (c.credit - mean) ** 2 * c.items for c in cells), Fraction(0))
    return _Category(share=share, mean=mean, variance=spread / (total - squared / total), count=total**2 / squared)


def _effective_count(categories: list[_Category], headline: Fraction) -> Fraction:
    n = 1 / sum((c.share**2 / c.count for c in categories), Fraction(0))
    at_random = headline * (1 - headline)  # the variance of pass or fail; partial credit varies less
    counts = sum((c.count for c in categories), Fraction(0))
    error = Fraction(0)
    for c in categories:
        fair = c.share * counts
        own = (c.count - 1) / (fair - 1) if c.count < fair else Fraction(1)
        error += c.share**2 * (own * c.variance + (1 - own) * at_random) / c.count
    return min(max(at_random / error, n), 2 * n) if error and at_random else n


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
