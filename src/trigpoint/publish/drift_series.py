"""A series judged for people: the seed's rule and the monitor beside each other, run by run, and what stands now."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, Inexact, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from trigpoint.core.statistics.monitor import Thresholds
from trigpoint.core.statistics.monitor_baseline import Baseline
from trigpoint.core.statistics.monitor_power import smallest_drops
from trigpoint.core.statistics.seed_trend import SeedRule, SeedTrend
from trigpoint.core.statistics.series import Series, State, Verdict, published

SHOWN_RUNS = 366  # the latest runs, kept for chart and table
_DATES = 1_000  # runs whose date can still be told when a verdict points back at them
_EVENTS = 100
_EVENT_STATES = (State.FLAGGED, State.CONFIRMED, State.NOT_CONFIRMED)


class JudgedRun(NamedTuple):
    """One run with both verdicts."""

    written: str  # its date, as given
    moment: int  # nanoseconds since 1970
    seed: SeedTrend
    verdict: Verdict
    start: str | None  # the date at which the shift seems to begin; None within noise
    band: tuple[float, float] | None  # points: where an unchanged model's runs lie

    def members(self, tests: Sequence[str]) -> dict[str, Any]:
        """The run as `--json` prints it (STA-02)."""
        seed = self.seed
        return {
            "date": self.written,
            "score": float(seed.score),
            "seed": {
                "change": _number(seed.change),
                "baseline": _number(seed.baseline),
                "change_from_baseline": _number(seed.change_from_baseline),
                "trend": seed.trend,
            },
            "monitor": published(self.verdict, tests),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Level:
    """A stretch of a series between confirmed shifts."""

    begun: str  # date of its first run
    ended_by: JudgedRun | None  # the run that confirmed the shift; None for the stretch that goes on
    baseline: Baseline | None


class JudgedSeries:
    """One subject on one suite version. Runs in order of time; memory holds the latest ones."""

    def __init__(self, subject: str, version: str | None, tests: Sequence[str], thresholds: Thresholds) -> None:
        self.subject, self.version, self.tests = subject, version, tuple(tests)
        self.thresholds = thresholds
        self.runs = 0
        self.first: str | None = None  # date of the first run
        self.latest: deque[JudgedRun] = deque(maxlen=SHOWN_RUNS)
        self.events: deque[JudgedRun] = deque(maxlen=_EVENTS)  # the first run of each flag, and how each ended
        self._series = Series(len(tests), thresholds)
        self._seed = SeedRule()
        self._dates: deque[str] = deque(maxlen=_DATES)
        self._drops: dict[int, float | None] | None = None
        self._drops_of: Baseline | None = None
        self._begun: dict[int, str] = {}  # first run of a level → its date; as many as the series keeps levels

    @property
    def score_only(self) -> bool:
        """Whether there is no column a test."""
        return len(self.tests) == 1

    @property
    def last(self) -> JudgedRun:
        """The latest run."""
        return self.latest[-1]

    @property
    def baseline(self) -> Baseline | None:
        """That of the stretch that goes on; None while learning."""
        return self._series.monitor.baseline

    def add(
        self, written: str, day: date, moment: int, credits: Sequence[Decimal], *, after_other_version: bool
    ) -> JudgedRun:
        """Judges one complete run; credits are exact, one 0–1 a test."""
        self.runs += 1
        self._dates.append(written)
        if self.runs == 1:
            self.first, self._begun[1] = written, written
        before, baseline = self._series.verdict, self.baseline
        verdict = self._series.add([float(credit) for credit in credits])
        seed = self._seed.add(day, score_of(credits), after_other_version=after_other_version)
        band = _band(baseline) if verdict.noise_band is not None else None
        run = JudgedRun(written, moment, seed, verdict, self.date_of(verdict.start), band)
        self.latest.append(run)
        begun = verdict.state is State.FLAGGED and (before is None or before.state is not State.FLAGGED)
        if begun or (verdict.state in _EVENT_STATES and verdict.state is not State.FLAGGED):
            self.events.append(run)
        if verdict.state is State.CONFIRMED:
            kept = [level.first_run for level in self._series.segments]
            self._begun = {number: self._begun.get(number) or self.date_of(number) or "" for number in kept}
        return run

    def date_of(self, number: int | None) -> str | None:
        """The date of run `number` (from 1); of a run long past, that it was before the earliest one still known."""
        if number is None:
            return None
        place = len(self._dates) - 1 - (self.runs - number)
        return self._dates[place] if place >= 0 else f"before {self._dates[0]}"

    def levels(self) -> list[Level]:
        """The stretches between confirmed shifts, as far as they are kept."""
        confirmed = {run.verdict.run: run for run in self.events if run.verdict.state is State.CONFIRMED}
        return [
            Level(
                begun=self._begun[segment.first_run],
                ended_by=confirmed.get(segment.ended_by.run) if segment.ended_by else None,
                baseline=segment.baseline,
            )
            for segment in self._series.segments
        ]

    def recovered_to(self) -> str | None:
        """The date from which the level held that the series is back at; None when it isn't."""
        segment = self._series.recovered_to()
        return None if segment is None else self._begun[segment.first_run]

    def smallest_drops(self) -> dict[int, float | None] | None:
        """Runs → points found 8 times in 10; None while learning."""
        if self.baseline is not self._drops_of:
            self._drops_of = self.baseline
            self._drops = None if self.baseline is None else smallest_drops(self.baseline, self.thresholds)
        return self._drops


def score_of(credits: Sequence[Decimal]) -> Fraction:
    """The mean credit in points, exact."""
    with localcontext(prec=80) as context:
        context.traps[Inexact] = True  # credits have at most 40 digits: a rounded sum would be a fault of ours
        total = sum(credits, Decimal(0))
    return Fraction(total) * 100 / len(credits)


def _band(baseline: Baseline | None) -> tuple[float, float] | None:
    if baseline is None:
        return None
    return max(0.0, baseline.level - baseline.noise_band), min(100.0, baseline.level + baseline.noise_band)


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
