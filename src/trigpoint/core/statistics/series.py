"""One series judged run by run: states, flags, confirmation, segments (STA-01; statistics 4.1 to 4.3).

A series is one subject on one suite version. A flag is judged by fresh runs: those the caller made for it
(`confirm`), or else the next three of the series itself. A confirmed shift starts a new segment with its own
baseline; the old one stays visible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from trigpoint.core.statistics.confirm import FRESH_RUNS, Confirmation, confirm, same_level
from trigpoint.core.statistics.monitor import (
    LEARNING_RUNS,
    Direction,
    Monitor,
    Moved,
    Side,
    Thresholds,
    checked_credits,
)
from trigpoint.core.statistics.monitor_baseline import Baseline

KEPT_SEGMENTS = 40  # ended ones: a series that jumps for ever can't fill memory
WATCH = 0.5  # share of its threshold from which C_t makes a series worth watching


class State(StrEnum):
    """What the monitor says of a run (STA-02)."""

    LEARNING = "learning"
    WITHIN_NOISE = "within_noise"
    WATCH = "watch"
    FLAGGED = "flagged"
    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not_confirmed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What stands after one run. Runs are numbered from 1 within the series."""

    run: int
    state: State
    learned: int  # runs of this segment so far, up to the 14 of learning
    direction: Direction | None = None
    statistic: float | None = None  # the one nearest to its threshold; None while learning
    threshold: float | None = None
    noise_band: float | None = None  # points either way; None while learning
    start: int | None = None  # the run at which the shift seems to begin; None within noise
    moved: tuple[Moved, ...] = ()  # the strongest first
    confirmation: Confirmation | None = None  # with the states confirmed and not_confirmed


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A stretch of a series with one baseline."""

    first_run: int
    baseline: Baseline | None  # the last one fitted; None while learning
    ended_by: Verdict | None  # the confirmed shift; None for the segment that goes on


@dataclass(frozen=True, kw_only=True, slots=True)
class _Flag:
    direction: Direction
    start: int
    baseline: Baseline  # as it stood at the flag
    fresh: tuple[tuple[float, ...], ...] = ()


class Series:
    """Runs in, verdicts out. Memory: the size of one run, times a constant, and one baseline a segment."""

    def __init__(self, tests: int, thresholds: Thresholds | None = None) -> None:
        self.tests = tests
        self.runs = 0
        self.verdict: Verdict | None = None  # on the latest run
        self._thresholds = thresholds
        self._ended: deque[Segment] = deque(maxlen=KEPT_SEGMENTS)
        self._flag: _Flag | None = None
        self._begin(1)

    @property
    def monitor(self) -> Monitor:
        """The statistics of the segment that goes on."""
        return self._monitor

    @property
    def segments(self) -> list[Segment]:
        """The segments in order, the latest 41 of them; the last one goes on."""
        return [*self._ended, Segment(first_run=self._first_run, baseline=self._monitor.baseline, ended_by=None)]

    def add(self, credits: Sequence[float]) -> Verdict:
        """Takes in one complete run, one credit 0–1 a test, and says what stands after it.

        Raises ValueError for another number of tests or a credit outside 0–1.
        """
        run = checked_credits(credits, self.tests)
        self.runs += 1
        baseline, flag = self._monitor.add(run), self._flag
        if baseline is None:
            self.verdict = Verdict(run=self.runs, state=State.LEARNING, learned=self._monitor.runs)
        elif flag is None:
            self.verdict = self._judge(baseline)
        else:
            self._flag = flag = replace(flag, fresh=(*flag.fresh, run))
            self.verdict = self._read(baseline, State.FLAGGED, flag.direction, start=flag.start)
            if len(flag.fresh) == FRESH_RUNS:
                self.verdict = self._settle(flag, self.verdict, flag.fresh, within=True)
        return self.verdict

    def confirm(self, fresh: Sequence[Sequence[float]]) -> Verdict:
        """Settles the open flag by runs made for it (three), which are no part of the series.

        Returns the latest run's verdict, now `confirmed` or `not_confirmed`. Raises ValueError when no flag is
        open or a fresh run is incomplete.
        """
        if self._flag is None or self.verdict is None:
            raise ValueError("no flag waits to be confirmed")
        self.verdict = self._settle(self._flag, self.verdict, fresh, within=False)
        return self.verdict

    def dismiss(self) -> None:
        """Drops an open flag without fresh runs, as explained by something else; both statistics begin at 0 again."""
        if self._flag is not None:
            self._flag = None
            self._monitor.reset()

    def recovered_to(self) -> Segment | None:
        """The latest earlier segment, but for the one just left, whose level this one is back at."""
        now = self._monitor.baseline
        if now is None:
            return None
        earlier = list(self._ended)[-2::-1]
        return next((past for past in earlier if past.baseline and same_level(past.baseline, now)), None)

    def _begin(self, first_run: int) -> None:
        self._first_run = first_run
        self._monitor = Monitor(self.tests, self._thresholds)

    def _judge(self, baseline: Baseline) -> Verdict:
        alarm = self._monitor.alarm()
        if alarm is not None:
            start = self._start(self._loudest(alarm))
            self._flag = _Flag(direction=alarm, start=start, baseline=baseline)
            return self._read(baseline, State.FLAGGED, alarm, start=start)
        side = self._loudest(None)
        if side.total >= WATCH * self._monitor.thresholds.total:
            return self._read(baseline, State.WATCH, side.direction, start=self._start(side))
        return self._read(baseline, State.WITHIN_NOISE, None, start=None)

    def _start(self, side: Side) -> int:
        """The run after the side's statistic was last 0."""
        return self.runs - self._monitor.runs_since(side) + 1

    def _loudest(self, direction: Direction | None) -> Side:
        """The side that speaks: that of the direction, or the one whose C_t is higher."""
        down, up = self._monitor.down, self._monitor.up
        if direction is Direction.DOWN or direction is Direction.UP:
            return down if direction is Direction.DOWN else up
        if direction is Direction.BOTH:
            return down
        return down if down.total >= up.total else up

    def _read(self, baseline: Baseline, state: State, direction: Direction | None, *, start: int | None) -> Verdict:
        side = self._loudest(direction)
        statistic, threshold = self._monitor.speaking(side)
        sides = (self._monitor.down, self._monitor.up) if direction is Direction.BOTH else (side,)
        return Verdict(
            run=self.runs,
            state=state,
            learned=LEARNING_RUNS,
            direction=direction,
            statistic=statistic,
            threshold=threshold,
            noise_band=baseline.noise_band,
            start=start,
            moved=tuple(test for each in sides for test in each.moved(baseline)) if direction else (),
        )

    def _settle(self, flag: _Flag, seen: Verdict, fresh: Sequence[Sequence[float]], *, within: bool) -> Verdict:
        """`within`: the fresh runs belong to the series, so a new segment begins with them."""
        found = confirm(flag.baseline, fresh, flag.direction)
        self._flag = None
        if not found.confirmed:
            self._monitor.reset()
            return replace(seen, state=State.NOT_CONFIRMED, confirmation=found)
        verdict = replace(seen, state=State.CONFIRMED, direction=found.direction, confirmation=found)
        level = replace(flag.baseline, down=(), up=())  # a past level needs no evidence table
        self._ended.append(Segment(first_run=self._first_run, baseline=level, ended_by=verdict))
        self._begin(self.runs - len(fresh) + 1 if within else self.runs + 1)
        for run in fresh if within else ():
            self._monitor.add(run)
        return verdict


def published(verdict: Verdict, tests: Sequence[str]) -> dict[str, Any]:
    """The verdict as `--json` prints it (STA-02): rounded, with the tests by name, null where there is none."""
    return {
        "state": verdict.state.value,
        "direction": verdict.direction and verdict.direction.value,
        "statistic": _rounded(verdict.statistic, 3),
        "threshold": _rounded(verdict.threshold, 3),
        "noise_band": _rounded(verdict.noise_band, 2),
        "tests_moved": [
            {
                "test": tests[test.test],
                "direction": test.direction.value,
                "statistic": round(test.statistic, 3),
                "before": {"credits": round(test.before, 3), "runs": test.before_runs},
                "after": {"credits": round(test.after, 3), "runs": test.after_runs},
            }
            for test in verdict.moved
        ]
        or None,
    }


def _rounded(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)
