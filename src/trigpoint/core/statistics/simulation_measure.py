"""What the monitor does on simulated suites: false flags, confirmations, power, delay, coverage (STA-03, STA-04).

Work is cut into pieces that depend on nothing but their own names and the seed, and counts add up to the same whole
whatever piece was done where: any number of workers gives the same figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from trigpoint.core.statistics.confirm import FRESH_RUNS
from trigpoint.core.statistics.monitor import LEARNING_RUNS, Direction, Thresholds
from trigpoint.core.statistics.series import Series, State, Verdict
from trigpoint.core.statistics.simulation import Chance, Profile, chance_of
from trigpoint.core.statistics.simulation_scenarios import CHANGES, DISTURBANCES, steady

YEAR = 365  # judged runs of a model-year
RUNS_BEFORE = 45  # before a change
RUNS_AFTER = 30  # how long a change is looked for
NEVER = RUNS_AFTER + 1
DIRECTIONS = (Direction.DOWN, Direction.UP)


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Replicates `first` to `first + count − 1` of one scenario. `scenario` names a change or a disturbance."""

    profile: Profile
    scenario: str
    first: int
    count: int
    seed: int
    thresholds: Thresholds
    score_only: bool = False  # the monitor sees the mean credit alone


@dataclass(frozen=True, kw_only=True, slots=True)
class YearCounts:
    """Years without a lasting change. Flags and confirmations: down, up. All of them are false."""

    judged: int
    flags: tuple[int, int]
    confirmed: tuple[int, int]

    def a_year(self, count: int) -> float:
        """A count as a rate a model-year."""
        return count * YEAR / self.judged


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeCounts:
    """Series with one lasting drop."""

    delays: tuple[int, ...]  # runs until the flag, per series; NEVER = not within 30
    confirmed: int  # of those flagged
    covered: int  # of those flagged: the 95% range of the size holds the true one

    def found_within(self, runs: int) -> float:
        """The share of series flagged within so many runs."""
        return sum(delay <= runs for delay in self.delays) / len(self.delays)

    @property
    def flagged(self) -> int:
        """Series flagged within 30 runs."""
        return sum(delay < NEVER for delay in self.delays)

    @property
    def median_delay(self) -> int | None:
        """Runs; None when fewer than half the series were flagged."""
        middle = sorted(self.delays)[(len(self.delays) - 1) // 2]
        return middle if middle < NEVER else None


Counts = YearCounts | ChangeCounts


def measure(piece: Piece) -> Counts:
    """The counts of one piece of work."""
    replicates = range(piece.first, piece.first + piece.count)
    if piece.scenario in DISTURBANCES:
        return add_years([_year(piece, number) for number in replicates])
    return add_changes([_change(piece, number) for number in replicates])


def add_years(parts: Iterable[YearCounts]) -> YearCounts:
    """The parts as one."""
    kept = list(parts)
    return YearCounts(
        judged=sum(part.judged for part in kept),
        flags=(sum(part.flags[0] for part in kept), sum(part.flags[1] for part in kept)),
        confirmed=(sum(part.confirmed[0] for part in kept), sum(part.confirmed[1] for part in kept)),
    )


def add_changes(parts: Iterable[ChangeCounts]) -> ChangeCounts:
    """The parts as one, in their order."""
    kept = list(parts)
    return ChangeCounts(
        delays=tuple(delay for part in kept for delay in part.delays),
        confirmed=sum(part.confirmed for part in kept),
        covered=sum(part.covered for part in kept),
    )


def _year(piece: Piece, number: int) -> YearCounts:
    """One new series of 14 + 365 runs; every flag is judged by three fresh runs at once."""
    draw = DISTURBANCES[piece.scenario]
    profile, rates, chance = _set_up(piece, number)
    series = _series(piece)
    judged, flags, confirmed = 0, [0, 0], [0, 0]
    for _ in range(LEARNING_RUNS + YEAR):
        verdict = series.add(_seen(piece, draw(profile, rates, chance)))
        judged += verdict.state is not State.LEARNING
        if verdict.state is State.FLAGGED:
            flags = [count + _points(verdict, way) for count, way in zip(flags, DIRECTIONS, strict=True)]
            verdict = series.confirm([_seen(piece, draw(profile, rates, chance)) for _ in range(FRESH_RUNS)])
            if verdict.state is State.CONFIRMED:
                confirmed = [count + _points(verdict, way) for count, way in zip(confirmed, DIRECTIONS, strict=True)]
    return YearCounts(judged=judged, flags=(flags[0], flags[1]), confirmed=(confirmed[0], confirmed[1]))


def _change(piece: Piece, number: int) -> ChangeCounts:
    """One series: 45 unchanged runs (a flag among them isn't confirmed: the monitor goes on), then the drop."""
    change = next(each for each in CHANGES if each.name == piece.scenario)
    profile, rates, chance = _set_up(piece, number)
    series = _series(piece)
    for _ in range(RUNS_BEFORE):
        series.add(_seen(piece, steady(profile, rates, chance)))
        series.dismiss()
    level = fsum(rates)
    for run in range(1, RUNS_AFTER + 1):
        now = change.rates(rates, change.points, run)
        verdict = series.add(_seen(piece, steady(profile, now, chance)))
        if verdict.state is State.FLAGGED and _points(verdict, Direction.DOWN):
            verdict = series.confirm([_seen(piece, steady(profile, now, chance)) for _ in range(FRESH_RUNS)])
            found = verdict.confirmation
            true = 100.0 * (fsum(now) - level) / len(rates)
            covered = found is not None and found.low <= true <= found.high
            return ChangeCounts(delays=(run,), confirmed=verdict.state is State.CONFIRMED, covered=covered)
        series.dismiss()
    return ChangeCounts(delays=(NEVER,), confirmed=0, covered=0)


def _set_up(piece: Piece, number: int) -> tuple[Profile, list[float], Chance]:
    profile = piece.profile
    names = (piece.seed, profile.name, len(profile.tests), piece.scenario, piece.score_only, number)
    return profile, [test.rate for test in profile.tests], chance_of(*names)


def _series(piece: Piece) -> Series:
    return Series(1 if piece.score_only else len(piece.profile.tests), piece.thresholds)


def _seen(piece: Piece, credits: list[float]) -> Sequence[float]:
    return [fsum(credits) / len(credits)] if piece.score_only else credits


def _points(verdict: Verdict, way: Direction) -> bool:
    return verdict.direction in (way, Direction.BOTH)
