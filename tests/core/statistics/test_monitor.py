"""The monitor against a plain reading of statistics 4.1, and its boundaries."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.statistics.plain_monitor import baseline_runs_at, history, plain_baseline, plain_side, watched
from trigpoint.core.statistics.monitor import MOVED, Direction, Monitor, Side, Thresholds
from trigpoint.core.statistics.monitor_baseline import Evidence
from trigpoint.core.statistics.simulation import Profile, SimulatedTest, chance_of, one_run

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["strong", "saturated", "middling"])
@pytest.mark.parametrize("count", [15, 22, 28, 29, 64, 80])
def test_statistics_are_those_of_the_plain_reading(name: str, count: int) -> None:
    """STA-01 (4.1): residual, cap, CUSUM, worst test, both ways, over learning, lag, refits and the frozen baseline."""
    runs = history(name, count, lower=0.05)
    monitor = watched(runs)
    for side, up in ((monitor.down, False), (monitor.up, True)):
        plain = plain_side(runs, up=up)
        assert side.total == pytest.approx(plain.c, rel=1e-9, abs=1e-9)
        assert side.tests == pytest.approx(plain.levels, rel=1e-9, abs=1e-9)
        assert side.total_runs == count + 1 - plain.c_start
        assert side.tests_runs == [count + 1 - start for start in plain.starts]


@pytest.mark.parametrize("count", [14, 27, 28, 29, 35, 62, 63, 64, 100])
def test_baseline_learns_lags_refits_and_freezes(count: int) -> None:
    """STA-01 (4.1, step 1): 14 runs, then a lag of 7 and a refit after each 7 additions, the last at 56."""
    runs = history("middling", count)
    baseline = watched(runs).baseline
    assert baseline is not None
    assert baseline.runs == baseline_runs_at(count + 1)
    assert baseline.runs <= 56
    plain = plain_baseline(runs[: baseline.runs])
    assert baseline.means == pytest.approx(plain.m, rel=1e-12)
    assert baseline.variances == pytest.approx(plain.v, rel=1e-12)
    assert baseline.overdispersion == pytest.approx(plain.phi, rel=1e-9)
    band = 1.96 * 100 * math.sqrt(plain.phi * math.fsum(plain.v)) / 34
    assert baseline.noise_band == pytest.approx(band, rel=1e-9)


def test_nothing_is_judged_in_the_first_14_runs() -> None:
    """STA-01 (4.1, step 1): the fifteenth run is the first with a verdict."""
    runs = history("strong", 15)
    monitor = Monitor(34)
    judged = [monitor.add(run) is not None for run in runs]
    assert judged == [False] * 14 + [True]


def test_one_run_alone_never_raises_the_alarm() -> None:
    """STA-01 (4.1, step 4): the cap of 3 holds even when every test fails at once, and gives 2.5 in all."""
    monitor = watched(history("saturated", 60), Thresholds())
    monitor.reset()
    monitor.add([0.0] * 34)
    assert monitor.down.total == 2.5
    assert monitor.alarm() is None


def test_independent_tests_that_swing_together_are_seen_as_overdispersion() -> None:
    """STA-01 (4.1, step 3): phi is 1 at least, and grows when all tests share good and bad days."""
    together = [[1.0] * 10 if number % 3 else [0.0] * 10 for number in range(14)]
    apart = [[0.0 if (number + test) % 3 == 0 else 1.0 for test in range(10)] for number in range(14)]
    swinging, steady = watched(together).baseline, watched(apart).baseline
    assert swinging is not None
    assert steady is not None
    assert steady.overdispersion == 1.0
    assert swinging.overdispersion == pytest.approx(plain_baseline(together).phi)
    assert swinging.overdispersion > 4


@pytest.mark.parametrize(
    ("tests", "worst"),
    [(34, 11.9), (1, 11.9 + math.log(1 / 34)), (6, 11.9 + math.log(6 / 34)), (150, 11.9 + math.log(150 / 34))],
)
def test_the_worst_test_threshold_grows_with_the_number_of_tests(tests: int, worst: float) -> None:
    """STA-01 (4.1): h_o is stated for 34 tests; ln(N/34) is added."""
    assert Monitor(tests).worst_threshold == pytest.approx(worst, rel=1e-12)
    assert Monitor(tests).thresholds.total == 6.2


def side_at(total: float, worst: float) -> Side:
    side = Side(Direction.DOWN, 2)
    side.total, side.worst, side.tests = total, worst, [0.0, worst]
    side.total_runs, side.tests_runs = 5, [0, 3]
    return side


@pytest.mark.parametrize(
    ("total", "worst", "alarm", "speaking", "runs"),
    [
        pytest.param(6.2, 0.0, True, (6.2, 6.2), 5, id="the total at its threshold"),
        pytest.param(6.1999, 11.8999, False, (6.1999, 6.2), 5, id="both just below"),
        pytest.param(0.0, 11.9, True, (11.9, 11.9), 3, id="one test at its threshold"),
        pytest.param(7.0, 20.0, True, (7.0, 6.2), 5, id="the total speaks where both alarm"),
    ],
)
def test_a_statistic_alarms_at_its_threshold(
    total: float, worst: float, alarm: bool, speaking: tuple[float, float], runs: int
) -> None:
    """STA-01 (4.1, step 5): C ≥ h_w or max L ≥ h_o; the start is the run after that statistic was last 0."""
    monitor = Monitor(34)
    side = side_at(total, worst)
    assert monitor.alarmed(side) is alarm
    assert monitor.speaking(side) == speaking
    assert monitor.runs_since(side) == runs


def test_alarms_on_both_sides_are_both() -> None:
    """STA-02: direction is "both" when both alarm on the same run."""
    monitor = Monitor(34)
    monitor.down.total = monitor.up.total = 6.2
    assert monitor.alarm() is Direction.BOTH
    monitor.up.total = 6.1
    assert monitor.alarm() is Direction.DOWN
    monitor.down.total, monitor.up.total = 6.1, 6.2
    assert monitor.alarm() is Direction.UP


def test_tests_that_moved_are_listed_the_strongest_first_with_their_counts() -> None:
    """STA-01 (4.2): by L_ti, with credits before and after; a test that didn't move isn't named."""
    steady = [[1.0] * 5 for _ in range(20)]
    after = [[1.0, 0.0, 1.0, 0.5, 1.0], [1.0, 0.0, 1.0, 0.5, 1.0]]
    monitor = watched(steady + after)
    assert monitor.baseline is not None
    moved = monitor.down.moved(monitor.baseline)
    assert [(one.test, one.before, one.before_runs, one.after, one.after_runs) for one in moved] == [
        (1, 14.0, 14, 0.0, 2),
        (3, 14.0, 14, 1.0, 2),
    ]
    assert all(one.statistic >= MOVED and one.direction is Direction.DOWN for one in moved)


@pytest.mark.parametrize(
    "credits",
    [
        pytest.param([1.0, 1.0], id="a test too few"),
        pytest.param([1.0, 1.0, 1.0, 1.0], id="a test too many"),
        pytest.param([1.0, 1.0, 1.1], id="above 1"),
        pytest.param([1.0, -0.1, 1.0], id="below 0"),
        pytest.param([1.0, 1.0, float("nan")], id="not a number"),
        pytest.param([float("nan"), 1.0, 1.0], id="not a number, first"),
    ],
)
def test_an_incomplete_or_impossible_run_is_refused_and_changes_nothing(credits: list[float]) -> None:
    """STA-01 (4.1): only complete runs count; missing is never 0."""
    monitor = Monitor(3)
    with pytest.raises(ValueError, match="credit"):
        monitor.add(credits)
    assert monitor.runs == 0


@pytest.mark.parametrize(("total", "worst"), [(0.0, 11.9), (6.2, 3.9), (float("nan"), 11.9), (6.2, 1e9)])
def test_thresholds_out_of_range_are_refused(total: float, worst: float) -> None:
    with pytest.raises(ValueError, match="thresholds"):
        Thresholds(total=total, worst=worst)


def test_endless_new_credits_do_not_fill_memory() -> None:
    """A hostile graded test can't make the table of increments grow for ever."""
    evidence = Evidence(0.5, mirrored=False)
    for number in range(5000):
        assert evidence[number / 5000] == pytest.approx(math.log(1 + 0.7 * (0.5 - number / 5000) / 0.5))
    assert len(evidence) <= 1024


def test_a_score_alone_is_not_held_to_vary_as_much_as_a_test() -> None:
    """STA-02: a mean of many tests varies less than 0.03 of pass/fail, and the band says what it really does."""
    profile = Profile(name="one", tests=tuple(SimulatedTest(rate=0.7) for _ in range(100)))
    chance = chance_of("score alone")
    scores = [[math.fsum(one_run(profile.tests, [0.7] * 100, chance)) / 100] for _ in range(80)]
    baseline = watched(scores).baseline
    assert baseline is not None
    true_band = 1.96 * 100 * math.sqrt(0.7 * 0.3 / 100)
    assert 0.8 * true_band < baseline.noise_band < 1.3 * true_band


PROGRAM = """
import hashlib
from trigpoint.core.statistics.monitor import Monitor
from trigpoint.core.statistics.monitor_power import smallest_drops
from trigpoint.core.statistics.simulation import SimulatedTest, chance_of, one_run
lines = []
for low in (0.1, 0.6, 0.95):
    tests = [SimulatedTest(rate=low + (1 - low) * place / 33, parts=1 + place % 3) for place in range(34)]
    monitor, chance = Monitor(34), chance_of("golden", low)
    for number in range(80):
        monitor.add(one_run(tests, [test.rate * (0.9 if number > 50 else 1.0) for test in tests], chance))
        lines += [repr(monitor.down.total), repr(monitor.up.total), repr(monitor.down.tests), repr(monitor.up.tests)]
    lines += [repr(monitor.baseline.noise_band), repr(smallest_drops(monitor.baseline))]
print(hashlib.sha256("\\n".join(lines).encode()).hexdigest())
"""
GOLDEN = "2e55b7fce4b3b30303ce437ffe1949165bf0f721a52ddb12c7d4871190ed451c"


def test_every_bit_is_the_same_on_this_python() -> None:
    """STA-01, FND-31: replayable to the digit. The digest was made on Python 3.11, 3.12 and 3.13 alike."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == GOLDEN
    assert len(GOLDEN) == len(hashlib.sha256().hexdigest())
