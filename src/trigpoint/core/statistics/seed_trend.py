"""The seed's rule of change: a score against the one before it, and against the week before it (WAT-40 to WAT-43).

Whole hundredths of a point throughout, so every comparison is exact: scores, baseline and both changes have two
decimals, a half goes away from zero, and changes are differences of rounded figures.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

WINDOW_DAYS = 7  # the baseline reaches from this many days before the latest day through the day before it
MIN_RUNS = 3  # fewer in the window: no baseline, no trend
LINE = 200  # hundredths of a point: more than this away from the baseline is a trend
EVIDENCE_LINE = 1000  # hundredths of a point: a change larger than this offers evidence (WAT-50)
HISTORY_DAYS = 366  # days that have a run


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredRun:
    """One published run of a subject."""

    day: date  # UTC
    score: Fraction  # points, 0–100, rounded or not
    suite_version: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedTrend:
    """What the seed's rule says of a run. Points with two decimals; None = there is none."""

    score: Decimal
    change: Decimal | None  # from the run before it
    baseline: Decimal | None
    change_from_baseline: Decimal | None
    trend: str | None  # "down", "up" or "flat"

    @property
    def offers_evidence(self) -> bool:
        """Whether the change is more than 10 points either way (WAT-50)."""
        return self.change is not None and abs(self.change) * 100 > EVIDENCE_LINE


class SeedRule:
    """The rule over the runs of one subject on one suite version, given in order of time.

    Holds no more than the runs of eight days.
    """

    def __init__(self) -> None:
        self._previous: int | None = None
        self._week: deque[tuple[date, int]] = deque()  # runs of the seven days before `_today`
        self._week_sum = 0
        self._today: list[tuple[date, int]] = []  # runs of the latest day: none is in its own baseline

    def add(self, day: date, score: Fraction, *, after_other_version: bool = False) -> SeedTrend:
        """The verdict on one run. `after_other_version`: the subject's run before it was on another suite version.

        Raises ValueError for a day before the last one.
        """
        if self._today and day < self._today[0][0]:
            raise ValueError(f"runs must come in order of time: {day} after {self._today[0][0]}")
        self._turn_to(day)
        latest = hundredths(score)
        previous = None if after_other_version else self._previous
        self._today.append((day, latest))
        self._previous = latest
        return _verdict(latest, previous, self._week_sum, len(self._week))

    def _turn_to(self, day: date) -> None:
        if self._today and self._today[0][0] != day:
            self._week.extend(self._today)
            self._week_sum += sum(score for _, score in self._today)
            self._today = []
        first = day - timedelta(days=WINDOW_DAYS)
        while self._week and self._week[0][0] < first:
            self._week_sum -= self._week.popleft()[1]


def seed_trend(runs: Sequence[ScoredRun]) -> SeedTrend:
    """The verdict on the last of a subject's runs, given in order of time, over all suite versions.

    Raises ValueError for no runs, or runs out of order.
    """
    if not runs:
        raise ValueError("no run, no trend")
    version = runs[-1].suite_version
    rule, before = SeedRule(), None
    for run in runs:
        if run.suite_version == version:
            verdict = rule.add(run.day, run.score, after_other_version=before not in (None, version))
        before = run.suite_version
    return verdict


def history(runs: Iterable[ScoredRun]) -> list[ScoredRun]:
    """The runs of the last 366 days that have one; days without a run use none (WAT-43). Order is kept."""
    kept = list(runs)
    first = sorted({run.day for run in kept})[-HISTORY_DAYS:][:1]
    return [run for run in kept if run.day >= first[0]]


def mean_score(credits: Sequence[Fraction]) -> Fraction:
    """The mean of the credits in points, unrounded (WAT-32 rounds it to two decimals). Raises ValueError for none."""
    if not credits:
        raise ValueError("no tests, no score")
    return 100 * sum(credits, Fraction(0)) / len(credits)


def hundredths(points: Fraction) -> int:
    """`points` in whole hundredths, a half away from zero."""
    return rounded_quotient(100 * points.numerator, points.denominator)


def rounded_quotient(numerator: int, denominator: int) -> int:
    """numerator / denominator to a whole number, a half away from zero; the denominator is above 0."""
    whole = (2 * abs(numerator) + denominator) // (2 * denominator)
    return whole if numerator >= 0 else -whole


def _verdict(latest: int, previous: int | None, week_sum: int, week_runs: int) -> SeedTrend:
    baseline = rounded_quotient(week_sum, week_runs) if week_runs >= MIN_RUNS else None
    away = None if baseline is None else latest - baseline
    return SeedTrend(
        score=_points(latest),
        change=None if previous is None else _points(latest - previous),
        baseline=None if baseline is None else _points(baseline),
        change_from_baseline=None if away is None else _points(away),
        trend=None if away is None else "down" if away < -LINE else "up" if away > LINE else "flat",
    )


def _points(value: int) -> Decimal:
    return Decimal(value).scaleb(-2)
