"""What `simulate` measures, cut into pieces for any number of processes, and put together again in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from trigpoint.core.statistics.coverage import Coverage, Range, fixed_tasks, population
from trigpoint.core.statistics.monitor import Thresholds
from trigpoint.core.statistics.simulated import PARTIAL, PASS_FAIL, Suite, alike, differing
from trigpoint.core.statistics.simulation import Profile, resized
from trigpoint.core.statistics.simulation_measure import (
    ChangeCounts,
    Counts,
    Piece,
    YearCounts,
    add_changes,
    add_years,
    measure,
)
from trigpoint.core.statistics.simulation_scenarios import CHANGES, DISTURBANCES

_CHUNK = 20  # replicates a piece
_SIZE_SHARE = 4  # other sizes get this part of the years


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One cell of the table of intervals."""

    name: str
    truth: int  # percent
    differ: bool  # the categories' truths differ
    runs: int
    seed: int

    @property
    def repeated(self) -> bool:
        """Whether it is about the interval of repeats."""
        return self.name == REPEATED


REPEATED = "the same tasks, three repeats"
_SUITES: dict[str, Suite] = {"24 tasks, pass or fail": PASS_FAIL, "24 tasks, four with partial credit": PARTIAL}
_TRUTHS = (50, 80, 95)
#: Chances of a right field whose mean is near the truth, for the interval of repeats.
_FIXED = {
    50: [Range(tasks=9, low=0.98, high=1), Range(tasks=6, low=0.2, high=0.8), Range(tasks=9, low=0, high=0.02)],
    80: [Range(tasks=17, low=0.98, high=1), Range(tasks=5, low=0.2, high=0.8), Range(tasks=2, low=0, high=0.02)],
    95: [Range(tasks=22, low=0.98, high=1), Range(tasks=2, low=0.2, high=0.8)],
}
_REPEATED_SHARE = 5  # the interval of repeats takes longer: this part of the runs

Part = Piece | Cell


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is asked for. Years a scenario, series a kind of drop, runs a cell of the intervals (0 = none)."""

    profiles: tuple[Profile, ...]
    years: int
    series: int
    seed: int
    thresholds: Thresholds
    sizes: tuple[int, ...] = ()
    score_only: bool = False
    intervals: int = 0

    def pieces(self) -> list[Part]:
        """All work, in the order of the results."""
        parts: list[Part] = []
        for profile in self.profiles:
            for scenario in DISTURBANCES:
                parts += self._chunks(profile, scenario, self.years)
            for change in CHANGES:
                parts += self._chunks(profile, change.name, self.series)
            if self.score_only:
                parts += self._chunks(profile, "no change", self.years, score_only=True)
                for change in CHANGES:
                    parts += self._chunks(profile, change.name, self.series, score_only=True)
            for size in self.sizes:
                parts += self._chunks(resized(profile, size), "no change", max(1, self.years // _SIZE_SHARE))
        return parts + list(self._cells())

    def _chunks(self, profile: Profile, scenario: str, total: int, *, score_only: bool = False) -> list[Part]:
        return [
            Piece(
                profile=profile,
                scenario=scenario,
                first=first,
                count=min(_CHUNK, total - first),
                seed=self.seed,
                thresholds=self.thresholds,
                score_only=score_only,
            )
            for first in range(0, total, _CHUNK)
        ]

    def _cells(self) -> list[Cell]:
        if not self.intervals:
            return []
        cells = [
            Cell(name=name, truth=truth, differ=differ, runs=self.intervals, seed=self.seed)
            for name in _SUITES
            for truth in _TRUTHS
            for differ in (False, True)
        ]
        runs = max(1, self.intervals // _REPEATED_SHARE)
        return cells + [Cell(name=REPEATED, truth=truth, differ=False, runs=runs, seed=self.seed) for truth in _TRUTHS]


def measured(part: Part) -> Counts | Coverage:
    """The counts of one piece; what a worker does."""
    if isinstance(part, Piece):
        return measure(part)
    if part.repeated:
        return fixed_tasks(PARTIAL, _FIXED[part.truth], repeats=3, runs=part.runs, seed=part.seed)
    truths = (differing if part.differ else alike)(Fraction(part.truth, 100))
    return population(_SUITES[part.name], truths, runs=part.runs, seed=part.seed)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """One scenario, whole."""

    profile: Profile
    scenario: str
    score_only: bool
    resized: bool
    counts: Counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """All that was measured, in the plan's order."""

    plan: Plan
    measured: tuple[Measured, ...]
    intervals: tuple[tuple[Cell, Coverage], ...]

    def years(self, profile: Profile, *, score_only: bool = False) -> dict[str, YearCounts]:
        """Scenario → counts."""
        return {
            one.scenario: one.counts
            for one in self.measured
            if one.profile == profile and one.score_only is score_only and isinstance(one.counts, YearCounts)
        }

    def changes(self, profile: Profile, *, score_only: bool = False) -> dict[str, ChangeCounts]:
        """Kind of drop → counts."""
        return {
            one.scenario: one.counts
            for one in self.measured
            if one.profile == profile and one.score_only is score_only and isinstance(one.counts, ChangeCounts)
        }

    def sizes(self, profile: Profile) -> dict[int, YearCounts]:
        """Number of tests → counts."""
        return {
            len(one.profile.tests): one.counts
            for one in self.measured
            if one.resized and one.profile.name == profile.name and isinstance(one.counts, YearCounts)
        }


def gathered(plan: Plan, counts: Sequence[Counts | Coverage]) -> Result:
    """The pieces' counts (in the plan's order) as one result."""
    groups: dict[tuple[Profile, str, bool], list[Counts]] = {}
    cells = []
    for part, found in zip(plan.pieces(), counts, strict=True):
        if isinstance(part, Cell):
            assert isinstance(found, Coverage)  # noqa: S101 - a cell's counts are a coverage
            cells.append((part, found))
        elif not isinstance(found, Coverage):
            groups.setdefault((part.profile, part.scenario, part.score_only), []).append(found)
    done = tuple(
        Measured(
            profile=profile,
            scenario=scenario,
            score_only=score_only,
            resized=profile not in plan.profiles,
            counts=_whole(parts),
        )
        for (profile, scenario, score_only), parts in groups.items()
    )
    return Result(plan=plan, measured=done, intervals=tuple(cells))


def _whole(parts: Sequence[Counts]) -> Counts:
    years = [part for part in parts if isinstance(part, YearCounts)]
    return add_years(years) if years else add_changes([part for part in parts if isinstance(part, ChangeCounts)])
