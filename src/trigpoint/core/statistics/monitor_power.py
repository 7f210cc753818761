"""The smallest lasting drop a series' monitor finds 8 times in 10, within so many runs (STA-01; statistics 4.3).

Worked out, not simulated, so the same everywhere and quick. From the fitted baseline: every test passes less often in
proportion ("spread"); the chance of each value of one run's residual is found on a grid by adding the tests one by
one; the weighted CUSUM then steps from cell to cell. It starts where an unchanged model leaves it. A graded test
counts as the mean of 1/rho equal parts. Left out: the worst-test statistic (it only finds drops sooner, above all those
in few tests) and the baseline's own error (it makes drops harder to see in some series and easier in others).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, fsum, sqrt

from trigpoint.core.statistics.monitor import CAP, SLACK, Thresholds
from trigpoint.core.statistics.monitor_baseline import Baseline

HORIZONS = (3, 5, 7, 14, 30)  # runs
#: Drops looked at, in points; the answer is one of them.
DROPS = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)  # fmt: skip
OFTEN = 0.8
_CELL = 0.2  # about, in standard deviations; the threshold lies on the grid
_CERTAIN = 0.9999
_SETTLE_RUNS = 30  # unchanged runs before the drop


def smallest_drops(baseline: Baseline, thresholds: Thresholds | None = None) -> dict[int, float | None]:
    """Runs → points: the smallest of DROPS that is found within them with chance ≥ 0.8; None when none is."""
    chart = _Chart(baseline, (thresholds or Thresholds()).total)
    possible = [float(points) for points in DROPS if points <= baseline.level]
    seen: dict[int, list[float]] = {}

    def found(place: int, runs: int) -> bool:
        if place not in seen:
            seen[place] = chart.found(possible[place])
        return seen[place][runs - 1] >= OFTEN

    smallest: dict[int, float | None] = {}
    for runs in HORIZONS:
        low, high = 0, len(possible)  # halving: a larger drop is found more often
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if found(middle, runs) else (middle + 1, high)
        smallest[runs] = possible[low] if low < len(possible) else None
    return smallest


class _Chart:
    """The weighted CUSUM of one baseline on a grid of cells, from 0 to its threshold."""

    def __init__(self, baseline: Baseline, threshold: float) -> None:
        self._baseline = baseline
        self._deviation = sqrt(baseline.spread / baseline.overdispersion)  # of the weighted sum, tests independent
        self._parts = [_parts(mean, v) for mean, v in zip(baseline.means, baseline.variances, strict=True)]
        self._alarm = round(threshold / _CELL)  # first cell of the alarm
        self._cell = threshold / self._alarm
        self._start = [1.0] + [0.0] * (self._alarm - 1)
        steps = self._steps(0.0)
        for _ in range(_SETTLE_RUNS):
            self._start, _ = self._next(self._start, steps)
        total = fsum(self._start)
        self._start = [chance / total for chance in self._start]

    def found(self, points: float) -> list[float]:
        """The chance that a drop of so many points has raised the flag after 1, 2, … 30 runs."""
        steps, state, alarms = self._steps(points), self._start, 0.0
        chances: list[float] = []
        while len(chances) < HORIZONS[-1] and alarms < _CERTAIN:
            state, fresh = self._next(state, steps)
            alarms += fresh
            chances.append(alarms)
        return chances + [alarms] * (HORIZONS[-1] - len(chances))

    def _steps(self, points: float) -> tuple[int, list[float]]:
        """(offset, chances): a run moves the CUSUM by (offset + place) cells with each chance."""
        baseline = self._baseline
        keep = 1.0 - points / baseline.level
        lost = points / baseline.level * baseline.expected / sqrt(baseline.spread)  # mean of the residual
        scaled = [weight / self._deviation for weight in baseline.weights]
        failing = fsum(each * (1.0 - keep * mean) for each, mean in zip(scaled, baseline.means, strict=True))
        base = lost - failing - SLACK  # where the step stands when every part of every test passes
        offset = floor(base / self._cell)
        share = base / self._cell - offset  # between two cells: shared, so that the mean is kept
        top = round((CAP - SLACK) / self._cell) - offset
        chances = [1.0 - share, share] + [0.0] * (top - 1)
        for each, mean, parts in zip(scaled, baseline.means, self._parts, strict=True):
            for _ in range(parts):
                chances = _failed(chances, 1.0 - keep * mean, each / parts / self._cell, top)
        return offset, chances

    def _next(self, state: Sequence[float], steps: tuple[int, list[float]]) -> tuple[list[float], float]:
        """The chances of the cells after one more run, and the chance that it raised the flag."""
        offset, chances = steps
        after = [0.0] * (len(state) + len(chances))
        for place, here in enumerate(state):
            if here > 1e-12:
                after[place : place + len(chances)] = [
                    old + here * chance for old, chance in zip(after[place:], chances, strict=False)
                ]
        zero, alarm = -offset, self._alarm - offset  # offset < 0: a run in which all pass lowers the CUSUM
        kept = [fsum(after[: zero + 1]), *after[zero + 1 : alarm]]
        return (kept + [0.0] * self._alarm)[: self._alarm], fsum(after[alarm:])


def _parts(mean: float, variance: float) -> int:
    """How many equal parts, passing by themselves, would vary as much as the test does."""
    return max(1, round(mean * (1.0 - mean) / variance))


def _failed(chances: list[float], rate: float, jump: float, top: int) -> list[float]:
    """One more part that fails at this rate and then moves the step up by `jump` cells; the cap gathers the rest."""
    cell = int(jump)
    share = jump - cell
    near, far = rate * (1.0 - share), rate * share
    after = [chance * (1.0 - rate) for chance in chances]
    for moved, part in ((cell, near), (cell + 1, far)):
        kept = max(0, top + 1 - moved)
        after[moved:] = [old + chance * part for old, chance in zip(after[moved:], chances[:kept], strict=True)]
        after[top] += part * fsum(chances[kept:])
    return after
