"""The monitor: weighted per-test CUSUM with a worst-test branch, both ways (STA-01; statistics 4.1).

One series is one subject on one suite. Its complete runs go in one by one; what has piled up against "nothing
changed" comes out. From a flag to a verdict: `series`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from trigpoint.core.statistics.monitor_baseline import Baseline, BaselineSums, Evidence
from trigpoint.core.statistics.portable import log

LEARNING_RUNS = 14  # no verdict before
LAG = 7  # judged runs join the baseline this many runs later
BASELINE_RUNS = 60  # then it is frozen
REFIT_EVERY = 7  # additions
CAP = 3.0  # of one run's residual: one run alone can never raise the alarm
SLACK = 0.5  # taken off every residual
REFERENCE_TESTS = 34  # the number of tests that the worst-test threshold is stated for
MOVED = 3.0  # a test's own statistic from which it counts as moved: e³, odds of 20 to 1


class Direction(StrEnum):
    """Which way a series moves."""

    DOWN = "down"
    UP = "up"
    BOTH = "both"  # both alarm on the same run


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Where the two statistics raise a flag."""

    total: float = 6.2  # h_w, of the weighted CUSUM
    worst: float = 11.9  # h_o, of the worst test among 34

    def __post_init__(self) -> None:
        if not (1.0 <= self.total <= 1000.0 and 4.0 <= self.worst <= 1000.0):
            raise ValueError("thresholds must lie within 1–1000 (total) and 4–1000 (worst test)")

    def worst_of(self, tests: int) -> float:
        """h_o for a suite of so many tests: more tests, more chances for one of them to stray."""
        return self.worst + log(tests / REFERENCE_TESTS)


#: False flags a model-year and direction → thresholds (the table of statistics 4.1).
THRESHOLDS = {
    "1": Thresholds(),
    "0.5": Thresholds(total=7.5, worst=14.7),
    "0.1": Thresholds(total=9.6, worst=22.4),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """One test whose own results speak against "nothing changed"."""

    test: int  # place in the suite, from 0
    direction: Direction
    statistic: float  # L_ti
    before: float  # credits over the baseline's runs
    before_runs: int
    after: float  # credits since its statistic was last 0
    after_runs: int


class Side:
    """One direction's statistics. `total` is C_t; `tests` are L_ti; counts of runs since each was last 0."""

    __slots__ = ("direction", "sums", "tests", "tests_runs", "total", "total_runs", "worst")

    def __init__(self, direction: Direction, tests: int) -> None:
        self.direction = direction
        self.total, self.total_runs, self.worst = 0.0, 0, 0.0
        self.tests = [0.0] * tests
        self.tests_runs = [0] * tests
        self.sums = [0.0] * tests

    def step(self, residual: float, evidence: Sequence[Evidence], credits: Sequence[float]) -> None:
        """Takes in one judged run; `residual` is positive when it speaks for this direction."""
        total = self.total + (min(residual, CAP) - SLACK)
        self.total, self.total_runs = (total, self.total_runs + 1) if total > 0.0 else (0.0, 0)
        moved = [level + per[x] for level, per, x in zip(self.tests, evidence, credits, strict=True)]
        self.tests = [level if level > 0.0 else 0.0 for level in moved]
        self.tests_runs = [n + 1 if level > 0.0 else 0 for n, level in zip(self.tests_runs, moved, strict=True)]
        self.sums = [
            total + x if level > 0.0 else 0.0 for total, x, level in zip(self.sums, credits, moved, strict=True)
        ]
        self.worst = max(self.tests)

    def moved(self, baseline: Baseline) -> list[Moved]:
        """The tests that moved, the strongest first; equal ones in suite order."""
        found = [place for place, level in enumerate(self.tests) if level >= MOVED]
        return [
            Moved(
                test=place,
                direction=self.direction,
                statistic=self.tests[place],
                before=baseline.sums[place],
                before_runs=baseline.runs,
                after=self.sums[place],
                after_runs=self.tests_runs[place],
            )
            for place in sorted(found, key=lambda place: -self.tests[place])
        ]


class Monitor:
    """The statistics of one series. Work and memory a run: proportional to the number of tests."""

    def __init__(self, tests: int, thresholds: Thresholds | None = None) -> None:
        if tests < 1:
            raise ValueError("a series has at least one test")
        self.tests = tests
        self.thresholds = thresholds or Thresholds()
        self.worst_threshold = self.thresholds.worst_of(tests)
        self.runs = 0  # all that came in
        self.baseline: Baseline | None = None  # None while learning
        self._sums = BaselineSums(tests)
        self._waiting: deque[tuple[float, ...]] = deque()
        self.reset()

    def reset(self) -> None:
        """Both directions back to 0; the baseline stays."""
        self.down, self.up = Side(Direction.DOWN, self.tests), Side(Direction.UP, self.tests)

    def add(self, credits: Sequence[float]) -> Baseline | None:
        """Takes in one complete run, one credit 0–1 a test. Returns the baseline it was judged by; None while learning.

        Raises ValueError for another number of tests or a credit outside 0–1.
        """
        run = checked_credits(credits, self.tests)
        self.runs += 1
        baseline = self.baseline
        if baseline is None:
            self._sums.add(run)
            if self._sums.runs == LEARNING_RUNS:
                self.baseline = self._sums.fitted()
            return None
        residual = baseline.residual(run)
        self.down.step(residual, baseline.down, run)
        self.up.step(-residual, baseline.up, run)
        self._join(run)
        return baseline

    def alarm(self) -> Direction | None:
        """The direction in which a statistic stands at or above its threshold."""
        down, up = self.alarmed(self.down), self.alarmed(self.up)
        return Direction.BOTH if down and up else Direction.DOWN if down else Direction.UP if up else None

    def alarmed(self, side: Side) -> bool:
        """Whether either statistic of the side stands at or above its threshold."""
        return side.total >= self.thresholds.total or side.worst >= self.worst_threshold

    def by_one_test(self, side: Side) -> bool:
        """Whether the worst test alone raises the side's alarm."""
        return side.total < self.thresholds.total and side.worst >= self.worst_threshold

    def speaking(self, side: Side) -> tuple[float, float]:
        """The statistic to show with its threshold: C_t, or the worst test's where that alone raises the alarm."""
        if self.by_one_test(side):
            return side.worst, self.worst_threshold
        return side.total, self.thresholds.total

    def runs_since(self, side: Side) -> int:
        """Runs since the speaking statistic was last 0: the first of them is the estimated start (4.1, step 5)."""
        return side.tests_runs[side.tests.index(side.worst)] if self.by_one_test(side) else side.total_runs

    def _join(self, run: tuple[float, ...]) -> None:
        """Judged runs join the baseline seven runs later, until it holds 60; each seven of them refit it."""
        if self._sums.runs >= BASELINE_RUNS:
            self._waiting.clear()
            return
        self._waiting.append(run)
        if len(self._waiting) > LAG:
            self._sums.add(self._waiting.popleft())
            if (self._sums.runs - LEARNING_RUNS) % REFIT_EVERY == 0:
                self.baseline = self._sums.fitted()


def checked_credits(credits: Sequence[float], tests: int) -> tuple[float, ...]:
    """The run as floats. Raises ValueError unless there is one credit within 0–1 for every test."""
    run = tuple(map(float, credits))
    if len(run) != tests:
        raise ValueError(f"a run of this series has {tests} credits, not {len(run)}: only complete runs count")
    if not (min(run) >= 0.0 and max(run) <= 1.0 and all(map(isfinite, run))):
        raise ValueError("a credit must lie in 0–1")
    return run
