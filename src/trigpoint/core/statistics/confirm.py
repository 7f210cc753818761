"""From a flag to a verdict: fresh runs alone say whether a shift is real and how large (STA-01; statistics 4.2).

The runs that raised a flag were selected by it, so they would overstate the shift; they take no part here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from trigpoint.core.statistics.monitor import Direction, checked_credits
from trigpoint.core.statistics.monitor_baseline import NORMAL_95, Baseline

FRESH_RUNS = 3  # run after a flag, on the same day where the budget allows
CONFIRMED = 1.645  # z from which a shift counts as confirmed


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirmation:
    """What the fresh runs say. Points; `size` is negative for a drop."""

    direction: Direction  # confirmed, or asked about
    confirmed: bool
    z: float  # towards the direction: positive speaks for the shift
    runs: int
    size: float
    standard_error: float
    low: float  # ends of the 95% range of the size
    high: float


def confirm(baseline: Baseline, fresh: Sequence[Sequence[float]], flagged: Direction) -> Confirmation:
    """Judges a flag by fresh runs (three; each one credit a test) against the baseline that stood at the flag.

    A flag both ways is confirmed in the direction the fresh runs lean to, if they do so enough.
    Raises ValueError for no fresh run or an incomplete one.
    """
    if not fresh:
        raise ValueError("confirming needs at least one fresh run")
    runs = [checked_credits(run, len(baseline.means)) for run in fresh]
    count = len(runs)
    means = [fsum(column) / count for column in zip(*runs, strict=True)]
    down = baseline.residual_of_mean(means, count)
    direction = (Direction.DOWN if down >= 0.0 else Direction.UP) if flagged is Direction.BOTH else flagged
    z = down if direction is Direction.DOWN else -down
    size = 100.0 * (fsum(means) / len(means)) - baseline.level
    error = 100.0 * sqrt(baseline.score_variance * (1.0 / count + 1.0 / baseline.runs))
    return Confirmation(
        direction=direction,
        confirmed=z >= CONFIRMED,
        z=z,
        runs=count,
        size=size,
        standard_error=error,
        low=size - NORMAL_95 * error,
        high=size + NORMAL_95 * error,
    )


def same_level(old: Baseline, new: Baseline) -> bool:
    """Whether the runs behind `new` lie within the noise of `old`: a recovery to it (95%, both ways)."""
    means = [total / new.runs for total in new.sums]
    return abs(old.residual_of_mean(means, new.runs)) < NORMAL_95
