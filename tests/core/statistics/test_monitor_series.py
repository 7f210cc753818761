"""States, flags, confirmation and segments of a series (statistics 4.2 and 4.3)."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.plain_monitor import history, plain_baseline, plain_confirmation, watched
from trigpoint.core.statistics.confirm import confirm, same_level
from trigpoint.core.statistics.monitor import THRESHOLDS, Direction, Thresholds
from trigpoint.core.statistics.monitor_power import HORIZONS, smallest_drops
from trigpoint.core.statistics.series import Series, State, Verdict, published

GOOD, BAD = [1.0] * 10, [1.0] * 4 + [0.0] * 6


def judged(runs: list[list[float]], thresholds: Thresholds | None = None) -> tuple[Series, list[Verdict]]:
    series = Series(len(runs[0]), thresholds)
    return series, [series.add(run) for run in runs]


def states(verdicts: list[Verdict]) -> str:
    """One letter a run: learning, within noise (.), watch, FLAGGED, CONFIRMED, not confirmed (n)."""
    return "".join({"within_noise": ".", "flagged": "F", "confirmed": "C"}.get(v.state, v.state[0]) for v in verdicts)


def test_a_lasting_drop_is_flagged_confirmed_and_learnt_anew() -> None:
    """STA-01, STA-02: the three runs after a flag confirm it; a new segment begins with them."""
    series, verdicts = judged([GOOD] * 20 + [BAD] * 20)
    assert states(verdicts) == "l" * 14 + "." * 6 + ".wFFFC" + "l" * 11 + "." * 3
    flagged, confirmed = verdicts[22], verdicts[25]
    assert flagged.start == confirmed.start == 21
    assert confirmed.direction is Direction.DOWN
    assert [test.test for test in flagged.moved] == [4, 5, 6, 7, 8, 9]
    assert {(test.before, test.before_runs, test.after, test.after_runs) for test in flagged.moved} == {
        (14.0, 14, 0.0, 3)
    }
    first, second = series.segments
    assert (first.first_run, first.ended_by, second.first_run, second.ended_by) == (1, confirmed, 24, None)
    assert first.baseline is not None
    assert first.baseline.level > 95
    assert second.baseline is not None
    assert second.baseline.level < 45


def test_a_passing_dip_is_flagged_but_not_confirmed() -> None:
    """STA-01 (4.2): z below 1.645 resets both statistics; the series goes on with its old baseline."""
    series, verdicts = judged([GOOD] * 20 + [BAD] * 3 + [GOOD] * 5)
    assert states(verdicts)[20:] == ".wFFFn.."
    found = verdicts[25].confirmation
    assert found is not None
    assert not found.confirmed
    assert found.z < 1.645
    assert (series.monitor.down.total, len(series.segments)) == (0.0, 1)


def test_fresh_runs_of_the_caller_settle_a_flag_at_once_and_are_no_part_of_the_series() -> None:
    """WAT-66, STA-01 (4.2): runs made for the confirmation never join the history."""
    series, verdicts = judged([GOOD] * 20 + [BAD] * 3)
    assert verdicts[-1].state is State.FLAGGED
    verdict = series.confirm([BAD] * 3)
    assert (verdict.state, verdict.run, series.runs, series.verdict) == (State.CONFIRMED, 23, 23, verdict)
    assert series.segments[-1].first_run == 24
    assert series.add(BAD).learned == 1
    with pytest.raises(ValueError, match="no flag"):
        series.confirm([BAD] * 3)


def test_a_dismissed_flag_begins_again_at_zero() -> None:
    series, _ = judged([GOOD] * 20 + [BAD] * 3)
    series.dismiss()
    assert (series.monitor.down.total, series.monitor.down.worst) == (0.0, 0.0)
    assert series.add(GOOD).state is State.WITHIN_NOISE
    series.dismiss()  # without a flag nothing happens


def test_a_rise_is_found_as_a_drop_is() -> None:
    """STA-01 (4.1, step 6): up is the same on 1 − x."""
    series, verdicts = judged([BAD] * 20 + [GOOD] * 20)
    assert [v.direction for v in verdicts if v.state is State.CONFIRMED] == [Direction.UP]
    confirmed = next(v.confirmation for v in verdicts if v.confirmation)
    assert confirmed.size == pytest.approx(60, abs=4)
    assert len(series.segments) == 2


def test_a_recovery_names_the_level_it_is_back_at() -> None:
    """STA-01 (4.2): the old baseline stays visible, so that a recovery to it can be stated."""
    series, _ = judged([GOOD] * 30 + [BAD] * 30 + [GOOD] * 8)
    assert series.recovered_to() is None, "still learning"
    for _ in range(20):
        series.add(GOOD)
    back = series.recovered_to()
    assert back is not None
    assert back.first_run == 1
    assert len(series.segments) == 3


@pytest.mark.parametrize("fresh_runs", [3, 5])
@pytest.mark.parametrize("lower", [0.0, 0.1])
def test_confirmation_is_that_of_the_plain_reading(fresh_runs: int, lower: float) -> None:
    """STA-01 (4.2): z, size and standard error from fresh runs alone; the 95% range is ±1.96 of them."""
    runs = history("middling", 14)
    fresh = history("middling", fresh_runs, seed=2, lower=lower)
    baseline = watched(runs).baseline
    assert baseline is not None
    found = confirm(baseline, fresh, Direction.DOWN)
    z, size, error = plain_confirmation(plain_baseline(runs), fresh)
    assert (found.z, found.size, found.standard_error) == pytest.approx((z, size, error), rel=1e-9)
    assert (found.low, found.high) == pytest.approx((size - 1.96 * error, size + 1.96 * error), rel=1e-9)
    assert found.confirmed is (z >= 1.645)
    up = confirm(baseline, fresh, Direction.UP)
    assert (up.z, up.size) == (-found.z, found.size)


def test_a_flag_both_ways_is_confirmed_the_way_the_fresh_runs_lean() -> None:
    """STA-02: "both" is settled by the fresh runs."""
    baseline = watched([GOOD] * 14).baseline
    low = watched([BAD] * 14).baseline
    assert baseline is not None
    assert low is not None
    down, up = confirm(baseline, [BAD] * 3, Direction.BOTH), confirm(low, [GOOD] * 3, Direction.BOTH)
    assert (down.direction, down.confirmed, up.direction, up.confirmed) == (Direction.DOWN, True, Direction.UP, True)
    assert same_level(baseline, baseline)
    assert not same_level(baseline, low)
    with pytest.raises(ValueError, match="at least one"):
        confirm(baseline, [], Direction.DOWN)


def test_published_verdicts_have_the_stated_members_and_null_where_there_is_none() -> None:
    """STA-02: the shape of "monitor", rounded."""
    _, verdicts = judged([GOOD] * 20 + [BAD] * 3)
    names = [f"t{number}" for number in range(10)]
    assert published(verdicts[0], names) == {
        "state": "learning", "direction": None, "statistic": None, "threshold": None, "noise_band": None,
        "tests_moved": None,
    }  # fmt: skip
    quiet, flagged = published(verdicts[19], names), published(verdicts[22], names)
    assert (quiet["state"], quiet["direction"], quiet["tests_moved"]) == ("within_noise", None, None)
    assert (flagged["state"], flagged["direction"], flagged["threshold"]) == ("flagged", "down", 6.2)
    assert flagged["statistic"] == round(verdicts[22].statistic or 0.0, 3) == 7.5
    assert flagged["tests_moved"][0] == {
        "test": "t4", "direction": "down", "statistic": round(verdicts[22].moved[0].statistic, 3),
        "before": {"credits": 14.0, "runs": 14}, "after": {"credits": 0.0, "runs": 3},
    }  # fmt: skip
    json.dumps(flagged)


def test_a_series_of_scores_alone_is_judged_as_one_test() -> None:
    """STA-02: date, subject, score works; a lasting drop of many times its noise is confirmed."""
    scores = [[0.9 + 0.01 * math.sin(number)] for number in range(40)] + [[0.7 + 0.01 * math.sin(n)] for n in range(20)]
    _, verdicts = judged(scores)
    assert State.CONFIRMED in {verdict.state for verdict in verdicts[40:50]}
    assert {verdict.state for verdict in verdicts[14:40]} == {State.WITHIN_NOISE}


def test_a_series_that_jumps_for_ever_keeps_few_segments() -> None:
    """Memory stays bounded whatever the history."""
    series = Series(10)
    for _ in range(60):
        for run in [GOOD] * 20 + [BAD] * 20:
            series.add(run)
    assert len(series.segments) == 41


@settings(max_examples=25)
@given(st.lists(st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=3, max_size=3), min_size=15, max_size=80))
def test_any_history_is_judged_and_replays_to_the_same_verdicts(runs: list[list[float]]) -> None:
    """STA-01: no history raises, judged runs have figures, and the same history gives the same verdicts."""
    series, verdicts = judged(runs)
    assert verdicts == judged(runs)[1]
    for verdict in verdicts:
        learning = verdict.state is State.LEARNING
        assert learning is (verdict.statistic is None) is (verdict.noise_band is None)
        assert (verdict.confirmation is not None) is (verdict.state in (State.CONFIRMED, State.NOT_CONFIRMED))
        assert (verdict.direction is None) is (verdict.state in (State.LEARNING, State.WITHIN_NOISE))
    assert series.runs == len(runs)


@given(st.permutations(range(6)), st.integers(0, 10**6))
@settings(max_examples=25)
def test_the_order_of_the_tests_never_matters(order: list[int], seed: int) -> None:
    """STA-01: sums are exact and rounded once, so columns may stand in any order."""
    runs = [run[:6] for run in history("middling", 40, seed=seed)]
    _, first = judged(runs)
    _, second = judged([[run[place] for place in order] for run in runs])
    assert [(v.state, v.statistic, v.noise_band) for v in first] == [
        (v.state, v.statistic, v.noise_band) for v in second
    ]


@pytest.mark.parametrize("name", ["strong", "saturated", "middling"])
def test_the_smallest_drop_shrinks_with_patience_and_grows_with_the_threshold(name: str) -> None:
    """STA-01 (4.3): within 3, 5, 7, 14 and 30 runs; near the page's table for these suites."""
    baseline = watched(history(name, 45)).baseline
    assert baseline is not None
    drops = [smallest_drops(baseline)[runs] or math.inf for runs in HORIZONS]
    strict = [smallest_drops(baseline, THRESHOLDS["0.1"])[runs] or math.inf for runs in HORIZONS]
    assert drops == sorted(drops, reverse=True)
    assert all(careful >= usual for careful, usual in zip(strict, drops, strict=True))
    low, high = (8, 4, 3, 1.5, 1), (20, 10, 8, 5, 3)
    assert all(a <= drop <= b for a, drop, b in zip(low, drops, high, strict=True)), drops


def test_no_drop_is_promised_where_none_can_be_found() -> None:
    """STA-02: null where there is none: a level near 0 has nothing to lose."""
    baseline = watched([[0.0] * 5 for _ in range(20)]).baseline
    assert baseline is not None
    assert set(smallest_drops(baseline).values()) == {None}
