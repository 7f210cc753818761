"""Statistics 4.1 and 4.2 as they read, step by step over whole histories: what the monitor is checked against.

The plain reading shares nothing with the code under test but the shrinkage of step 2, which has tests of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from trigpoint.core.statistics.monitor import Monitor, Thresholds
from trigpoint.core.statistics.shrinkage import fit
from trigpoint.core.statistics.simulation import built_in, chance_of, one_run

Runs = Sequence[Sequence[float]]
NEVER = Thresholds(total=1000.0, worst=1000.0)


def history(name: str, runs: int, *, seed: int = 1, lower: float = 0.0) -> list[list[float]]:
    profile, chance = built_in(name), chance_of("test", name, seed)
    rates = [test.rate * (1.0 - lower) for test in profile.tests]
    return [one_run(profile.tests, rates, chance) for _ in range(runs)]


def watched(runs: list[list[float]], thresholds: Thresholds = NEVER) -> Monitor:
    monitor = Monitor(len(runs[0]), thresholds)
    for run in runs:
        monitor.add(run)
    return monitor


@dataclass(frozen=True)
class PlainBaseline:
    n: int
    m: list[float]
    v: list[float]
    phi: float


def baseline_runs_at(t: int) -> int:
    """How many runs the baseline in force at run t (from 1) was fitted from; 0 while learning."""
    if t <= 14:
        return 0
    held = min(60, 14 + max(0, t - 1 - 14 - 7))
    return 14 + (held - 14) // 7 * 7


def plain_baseline(runs: Runs) -> PlainBaseline:
    n, tests = len(runs), len(runs[0])
    sums = [math.fsum(run[i] for run in runs) for i in range(tests)]
    squares = [math.fsum(run[i] ** 2 for run in runs) for i in range(tests)]
    shrunk = fit(sums, squares, n)
    v = list(shrunk.variances)
    means = [math.fsum(run) / tests for run in runs]
    middle = math.fsum(means) / n
    s2 = math.fsum((mean - middle) ** 2 for mean in means) / (n - 1)
    phi = max(1.0, ((n - 1) * s2 / (math.fsum(v) / tests**2) + 20) / (n - 1 + 20))
    return PlainBaseline(n, list(shrunk.means), v, phi)


@dataclass
class PlainSide:
    c: float
    c_start: int
    levels: list[float]
    starts: list[int]


def plain_side(runs: Runs, *, up: bool) -> PlainSide:
    """C, every L_i and the run after each was last 0, after the last of the runs, when nothing was ever reset."""
    tests = len(runs[0])
    side = PlainSide(0.0, 0, [0.0] * tests, [0] * tests)
    for t, run in enumerate(runs, 1):
        n = baseline_runs_at(t)
        if not n:
            side.c_start, side.starts = t + 1, [t + 1] * tests
            continue
        base = plain_baseline(runs[:n])
        w = [1 / (v + 0.02) for v in base.v]
        spread = math.sqrt(base.phi * math.fsum(a * a * v for a, v in zip(w, base.v, strict=True)))
        r = math.fsum(a * (m - x) for a, m, x in zip(w, base.m, run, strict=True)) / spread
        side.c = max(0.0, side.c + min(3.0, -r if up else r) - 0.5)
        if side.c == 0.0:
            side.c_start = t + 1
        for i, (m, x) in enumerate(zip(base.m, run, strict=True)):
            mean, credit = (1 - m, 1 - x) if up else (m, x)
            capped = min(mean, 0.995)
            side.levels[i] = max(0.0, side.levels[i] + math.log(1 + 0.7 * (capped - credit) / (1 - capped)))
            if side.levels[i] == 0.0:
                side.starts[i] = t + 1
    return side


def plain_confirmation(base: PlainBaseline, fresh: Runs) -> tuple[float, float, float]:
    """z (downward), size in points and its standard error."""
    count, tests = len(fresh), len(fresh[0])
    means = [math.fsum(run[i] for run in fresh) / count for i in range(tests)]
    w = [1 / (v + 0.02) for v in base.v]
    more = 1 / count + 1 / base.n
    z = math.fsum(a * (m - x) for a, m, x in zip(w, base.m, means, strict=True)) / math.sqrt(
        base.phi * math.fsum(a * a * v for a, v in zip(w, base.v, strict=True)) * more
    )
    size = 100 * (math.fsum(means) - math.fsum(base.m)) / tests
    return z, size, 100 * math.sqrt(base.phi * math.fsum(base.v) / tests**2 * more)
