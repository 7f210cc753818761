#!/usr/bin/env python3
"""How quickly the monitor judges, on one core: `python -m benchmarks.monitor`.

Prints seconds of this process's own CPU time, so that a busy machine matters little.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from trigpoint.core.statistics.monitor_power import smallest_drops  # noqa: E402
from trigpoint.core.statistics.series import Series  # noqa: E402
from trigpoint.core.statistics.simulation import BUILT_IN, built_in, chance_of, one_run  # noqa: E402

SUBJECTS, DAYS = 50, 365


def histories() -> list[list[list[float]]]:
    """A year of daily runs of 50 subjects, 34 tests each."""
    made = []
    for subject in range(SUBJECTS):
        profile, chance = built_in(BUILT_IN[subject % len(BUILT_IN)]), chance_of("benchmark", subject)
        rates = [test.rate for test in profile.tests]
        made.append([one_run(profile.tests, rates, chance) for _ in range(DAYS)])
    return made


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def judged(runs: list[list[float]]) -> Series:
    series = Series(len(runs[0]))
    for run in runs:
        series.add(run)
    return series


def main() -> None:
    given = histories()
    done: list[Series] = []
    whole = seconds(lambda: done.extend(judged(runs) for runs in given))
    each = 1e6 * whole / (SUBJECTS * DAYS)
    print(f"{SUBJECTS} subjects, {DAYS} runs, 34 tests: judged in {whole:.2f} s, {each:.0f} µs a run")
    baselines = [series.monitor.baseline for series in done[:10]]
    drops = seconds(lambda: [smallest_drops(baseline) for baseline in baselines if baseline is not None])
    print(f"smallest drops: {1000 * drops / len(baselines):.0f} ms a series")


if __name__ == "__main__":
    main()
