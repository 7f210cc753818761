"""The simulators: what they draw, what they count, and that any cutting of the work gives the same (STA-03)."""

from __future__ import annotations

import math

import pytest

from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.monitor import Thresholds
from trigpoint.core.statistics.simulation import (
    BUILT_IN,
    Profile,
    SimulatedTest,
    built_in,
    chance_of,
    one_run,
    profile_from,
    resized,
)
from trigpoint.core.statistics.simulation_measure import (
    NEVER,
    ChangeCounts,
    Piece,
    YearCounts,
    add_changes,
    add_years,
    measure,
)
from trigpoint.core.statistics.simulation_scenarios import (
    CHANGES,
    bad_day,
    bell,
    exponential,
    few,
    glitch,
    one_test,
    slow,
    spread,
)


@pytest.mark.parametrize(
    ("name", "mean", "deviation"), [("strong", 94.8, 3.4), ("saturated", 98.3, 2.1), ("middling", 74.6, 5.0)]
)
def test_a_built_in_suite_has_the_stated_shape(name: str, mean: float, deviation: float) -> None:
    """STA-03: 34 tests, 27 pass/fail and 7 graded, in four categories; mean and spread near those of the page."""
    profile = built_in(name)
    assert profile.mean == pytest.approx(mean, abs=0.1)
    assert sorted(test.parts for test in profile.tests) == [1] * 27 + [2] * 7
    assert [sum(test.category == each for test in profile.tests) for each in ("trick", "exact", "rules", "apps")] == [
        5,
        12,
        16,
        1,
    ]
    variance = math.fsum(test.rate * (1 - test.rate) / test.parts for test in profile.tests)
    assert 100 * math.sqrt(variance) / 34 == pytest.approx(deviation, rel=0.1)


def test_a_run_earns_what_its_rates_say() -> None:
    tests = (SimulatedTest(rate=0.0), SimulatedTest(rate=1.0), SimulatedTest(rate=0.5, parts=4))
    chance = chance_of("rates")
    runs = [one_run(tests, [0.0, 1.0, 0.5], chance) for _ in range(400)]
    assert {tuple(run[:2]) for run in runs} == {(0.0, 1.0)}
    assert {run[2] for run in runs} == {0.0, 0.25, 0.5, 0.75, 1.0}
    assert math.fsum(run[2] for run in runs) / 400 == pytest.approx(0.5, abs=0.05)


RATES = [0.9, 0.5, 1.0, 0.0, 0.8]


@pytest.mark.parametrize("points", [2.0, 5.0, 30.0])
@pytest.mark.parametrize("kind", [spread, few])
def test_a_drop_takes_away_just_so_many_points(kind: object, points: float) -> None:
    """STA-03: spread over all tests, or in the fewest reliable ones."""
    lowered = (spread if kind is spread else few)(RATES, points, 1)
    assert 100 * (math.fsum(RATES) - math.fsum(lowered)) / 5 == pytest.approx(points)
    assert all(0.0 <= now <= before for now, before in zip(lowered, RATES, strict=True))


def test_few_break_the_most_reliable_tests_first() -> None:
    assert few(RATES, 30.0, 1) == [0.4, 0.5, 0.0, 0.0, 0.8]
    assert one_test(RATES, 0.0, 1) == [0.9, 0.5, 0.0, 0.0, 0.8]


def test_a_slow_decline_grows_to_its_whole_size_in_60_runs() -> None:
    lost = [math.fsum(RATES) - math.fsum(slow(RATES, 10.0, run)) for run in (1, 30, 60, 90)]
    assert [100 * each / 5 for each in lost] == pytest.approx([10 / 60, 5.0, 10.0, 10.0])


def test_bad_days_move_all_tests_of_a_run_together() -> None:
    """STA-03: a shared shift in log-odds of standard deviation 0.6."""
    profile = Profile(name="one rate", tests=tuple(SimulatedTest(rate=0.7) for _ in range(400)))
    chance = chance_of("bad days")
    scores = [math.fsum(bad_day(profile, [0.7] * 400, chance)) / 400 for _ in range(300)]
    odds = [math.log(score / (1 - score)) for score in scores]
    middle = math.fsum(odds) / 300
    deviation = math.sqrt(math.fsum((each - middle) ** 2 for each in odds) / 299)
    assert (middle, deviation) == (pytest.approx(math.log(0.7 / 0.3), abs=0.1), pytest.approx(0.61, abs=0.08))


def test_format_glitches_strike_one_category_now_and_then() -> None:
    """STA-03: half of one category's replies lost in about one run in fifty."""
    profile = Profile(name="all pass", tests=tuple(SimulatedTest(rate=1.0, category="ab"[n % 2]) for n in range(40)))
    chance = chance_of("glitches")
    runs = [glitch(profile, [1.0] * 40, chance) for _ in range(2000)]
    struck = [run for run in runs if min(run) == 0.0]
    assert 20 <= len(struck) <= 65
    for run in struck:
        lost = [run[0::2].count(0.0), run[1::2].count(0.0)]
        assert min(lost) == 0
        assert 3 <= max(lost) <= 18


@pytest.mark.parametrize("x", [-4.0, -0.6, 0.0, 0.1, 2.5, 4.0])
def test_the_portable_exponential_is_exact_enough(x: float) -> None:
    """FND-31: no transcendental function of the platform's."""
    assert exponential(x) == pytest.approx(math.exp(x), rel=1e-6)


def test_the_portable_bell_has_mean_0_and_deviation_1() -> None:
    chance = chance_of("bell")
    values = [bell(chance) for _ in range(4000)]
    assert math.fsum(values) / 4000 == pytest.approx(0.0, abs=0.06)
    assert math.fsum(value * value for value in values) / 4000 == pytest.approx(1.0, abs=0.08)


@pytest.mark.parametrize("size", [1, 6, 17, 34, 60, 150])
def test_a_resized_suite_keeps_its_mixture(size: int) -> None:
    for name in BUILT_IN:
        smaller = resized(built_in(name), size)
        assert len(smaller.tests) == size
        assert size < 17 or smaller.mean == pytest.approx(built_in(name).mean, abs=2.0)


def test_a_profile_is_read_from_its_members() -> None:
    """STA-03: an operator's own suite."""
    groups = [{"count": 3, "low": 0.5, "high": 1.0}, {"rate": 0.25, "parts": 4, "category": "essay"}]
    profile = profile_from({"name": "mine", "tests": groups})
    assert [(test.rate, test.parts, test.category) for test in profile.tests] == [
        (0.5, 1, ""), (0.75, 1, ""), (1.0, 1, ""), (0.25, 4, "essay"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("members", "what"),
    [
        pytest.param({}, "a profile without tests", id="nothing"),
        pytest.param({"tests": []}, "a profile without tests", id="no groups"),
        pytest.param({"tests": ["x"]}, "not a group of tests", id="no group"),
        pytest.param({"tests": [{"rate": 2}]}, "low isn't a rate", id="above 1"),
        pytest.param({"tests": [{"rate": True}]}, "low isn't a rate", id="a truth value"),
        pytest.param({"tests": [{"count": 2}]}, "low isn't a rate", id="no rate"),
        pytest.param({"tests": [{"rate": 1, "count": 0}]}, "count is out of range", id="none of them"),
        pytest.param({"tests": [{"rate": 1, "parts": 99}]}, "parts is out of range", id="too many parts"),
        pytest.param({"tests": [{"rate": 1, "weight": 2}]}, "an unknown member", id="unknown"),
        pytest.param({"tests": [{"rate": 1, "count": 900}] * 2}, "too many tests", id="too many"),
    ],
)
def test_a_profile_that_cannot_be_is_refused(members: dict[str, object], what: str) -> None:
    with pytest.raises(OperatorError) as refused:
        profile_from(members, where="mine.toml")
    assert refused.value.what == what


def piece(scenario: str, first: int, count: int, *, score_only: bool = False, name: str = "strong") -> Piece:
    return Piece(
        profile=built_in(name), scenario=scenario, first=first, count=count, seed=1, thresholds=Thresholds(),
        score_only=score_only,
    )  # fmt: skip


def test_any_cutting_of_the_work_gives_the_same_counts() -> None:
    """STA-03: the same figures for any number of workers."""
    whole, parts = measure(piece("bad days", 0, 3)), [measure(piece("bad days", n, 1)) for n in range(3)]
    assert isinstance(whole, YearCounts)
    assert add_years(part for part in parts if isinstance(part, YearCounts)) == whole
    drop = CHANGES[1].name
    all_drops, some = measure(piece(drop, 0, 6)), [measure(piece(drop, n, 2)) for n in (0, 2, 4)]
    assert isinstance(all_drops, ChangeCounts)
    assert add_changes(part for part in some if isinstance(part, ChangeCounts)) == all_drops


def test_counts_say_what_they_are() -> None:
    years = YearCounts(judged=730, flags=(4, 1), confirmed=(1, 0))
    assert [years.a_year(count) for count in (*years.flags, *years.confirmed)] == [2.0, 0.5, 0.5, 0.0]
    found = ChangeCounts(delays=(3, 7, 8, NEVER), confirmed=2, covered=3)
    assert [found.found_within(runs) for runs in (2, 3, 7, 30)] == [0.0, 0.25, 0.5, 0.75]
    assert (found.flagged, found.median_delay) == (3, 7)
    assert ChangeCounts(delays=(3, NEVER, NEVER), confirmed=0, covered=0).median_delay is None


# the promises, at a small size: bounds are the goal and three standard errors of what these few series can show

YEARS, SERIES = 40, 60


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_unchanged_model_raises_at_most_one_false_flag_a_year(name: str) -> None:
    """STA-04: ≤ 1 false flag a direction and model-year, ≤ 0.15 false confirmations."""
    found = measure(piece("no change", 0, YEARS, name=name))
    assert isinstance(found, YearCounts)
    assert found.judged > YEARS * 350
    for flags, confirmed in zip(found.flags, found.confirmed, strict=True):
        assert found.a_year(flags) <= 1 + 3 * math.sqrt(1 / YEARS)
        assert found.a_year(confirmed) <= 0.15 + 3 * math.sqrt(0.15 / YEARS)


@pytest.mark.parametrize("scenario", ["bad days", "format glitches"])
def test_bad_days_and_glitches_raise_few_more(scenario: str) -> None:
    """STA-04: ≤ 1.5 a model-year where the total-score rules give 3 to 12."""
    found = measure(piece(scenario, 0, YEARS // 2))
    assert isinstance(found, YearCounts)
    assert all(found.a_year(flags) <= 1.5 + 3 * math.sqrt(1.5 / (YEARS // 2)) for flags in found.flags)


GOALS = {
    "5 points, spread": (7, {"strong": 0.80, "saturated": 0.90, "middling": 0.70}),
    "10 points, spread": (7, dict.fromkeys(BUILT_IN, 0.98)),
    "one test breaks for good": (7, dict.fromkeys(BUILT_IN, 0.95)),
    "10 points over 60 runs": (30, dict.fromkeys(BUILT_IN, 0.95)),
}


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("scenario", GOALS)
def test_lasting_drops_are_found(name: str, scenario: str) -> None:
    """STA-04: power within 7 runs (a slow decline: 30), at the same thresholds."""
    runs, goals = GOALS[scenario]
    goal = goals[name]
    found = measure(piece(scenario, 0, SERIES, name=name))
    assert isinstance(found, ChangeCounts)
    assert found.found_within(runs) >= goal - 3 * math.sqrt(goal * (1 - goal) / SERIES)


def test_a_score_alone_finds_less() -> None:
    """STA-02: what it costs to have no column a test, as the text says."""
    tests, score = (measure(piece("5 points, spread", 0, SERIES, score_only=only)) for only in (False, True))
    assert isinstance(tests, ChangeCounts)
    assert isinstance(score, ChangeCounts)
    assert score.found_within(7) < tests.found_within(7) - 0.3
    assert score.found_within(30) > 0.7
