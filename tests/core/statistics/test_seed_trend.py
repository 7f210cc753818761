"""The seed's rule of change: worked example, every boundary, and laws over random histories."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics.seed_trend import ScoredRun, SeedRule, SeedTrend, history, mean_score, seed_trend

EXAMPLE = [(12, "91.00"), (14, "95.00"), (16, "96.00"), (19, "98.50"), (20, "87.25")]  # 14, 16, 19 add up to 289.50


def runs(*days: tuple[int, str], version: str = "2026.10.1") -> list[ScoredRun]:
    """Runs in October 2026."""
    return [ScoredRun(day=date(2026, 10, day), score=Fraction(score), suite_version=version) for day, score in days]


def said(verdict: SeedTrend) -> tuple[str | None, ...]:
    figures = (verdict.change, verdict.baseline, verdict.change_from_baseline)
    return (*(None if figure is None else str(figure) for figure in figures), verdict.trend)


def test_the_worked_example() -> None:
    """WAT-40, WAT-41, WAT-42: 96.50, −11.25, −9.25, down; October 12 lies outside the window."""
    verdict = seed_trend(runs(*EXAMPLE))
    assert said(verdict) == ("-11.25", "96.50", "-9.25", "down")
    assert verdict.offers_evidence


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        pytest.param([(20, "90")], (None, None, None, None), id="a first run has no change"),
        pytest.param([(19, "90"), (20, "90")], ("0.00", None, None, None), id="one run in the window is too few"),
        pytest.param([(18, "90"), (19, "90"), (20, "90")], ("0.00", None, None, None), id="two runs are too few"),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "90")], ("0.00", "90.00", "0.00", "flat"), id="three are enough"
        ),
        pytest.param(
            [(13, "90"), (18, "90"), (19, "90"), (20, "90")], ("0.00", "90.00", "0.00", "flat"), id="seven days before"
        ),
        pytest.param([(12, "90"), (18, "90"), (19, "90"), (20, "90")], ("0.00", None, None, None), id="eight days"),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "88")], ("-2.00", "90.00", "-2.00", "flat"), id="exactly −2.00"
        ),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "87.99")], ("-2.01", "90.00", "-2.01", "down"), id="−2.01"
        ),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "92")], ("2.00", "90.00", "2.00", "flat"), id="exactly 2.00"
        ),
        pytest.param([(17, "90"), (18, "90"), (19, "90"), (20, "92.01")], ("2.01", "90.00", "2.01", "up"), id="2.01"),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "92.0049")], ("2.00", "90.00", "2.00", "flat"),
            id="the line is for rounded figures",
        ),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "92.005")], ("2.01", "90.00", "2.01", "up"),
            id="a half goes away from zero",
        ),
        pytest.param(
            [(17, "0.01"), (18, "0.01"), (19, "0.02"), (20, "0")], ("-0.02", "0.01", "-0.01", "flat"),
            id="the baseline is rounded before it is taken off",
        ),
        pytest.param(
            [(17, "0.01"), (18, "0"), (18, "0"), (19, "0.01"), (20, "0")], ("-0.01", "0.01", "-0.01", "flat"),
            id="a baseline of half a hundredth rounds up",
        ),
        pytest.param([(1, "70"), (20, "90")], ("20.00", None, None, None), id="a change reaches over gaps"),
        pytest.param(
            [(17, "90"), (18, "90"), (19, "90"), (20, "10"), (20, "90")], ("80.00", "90.00", "0.00", "flat"),
            id="a run of the same day is the previous one but in no baseline",
        ),
        pytest.param(
            [(18, "80"), (19, "90"), (19, "100"), (20, "90")], ("-10.00", "90.00", "0.00", "flat"),
            id="several runs a day count each",
        ),
    ],
)  # fmt: skip
def test_boundaries(days: list[tuple[int, str]], expected: tuple[str | None, ...]) -> None:
    """WAT-40, WAT-41, WAT-42: three runs, seven calendar days, exactly 2.00, two decimals half away from zero."""
    assert said(seed_trend(runs(*days))) == expected


@pytest.mark.parametrize(
    ("points", "offered"), [("10.00", False), ("10.01", True), ("-10.00", False), ("-10.01", True)]
)
def test_evidence_is_offered_beyond_ten_points(points: str, offered: bool) -> None:
    """WAT-50: only a change of more than 10 points offers evidence."""
    assert seed_trend(runs((19, "50"), (20, str(50 + Decimal(points))))).offers_evidence is offered


def test_a_new_version_starts_a_new_baseline_and_has_no_change() -> None:
    """WAT-40, WAT-42: nothing is compared across suite versions."""
    old, new = runs((16, "90"), (17, "90"), (18, "90")), runs((19, "50"), version="2026.10.2")
    assert said(seed_trend(old + new)) == (None, None, None, None)


def test_a_run_of_another_version_in_between_takes_the_change_away_but_not_the_baseline() -> None:
    """WAT-41: the baseline uses the latest version only, and previous means the run before, whatever it was."""
    mine, other = runs((15, "90"), (16, "90"), (17, "90")), runs((18, "10"), version="other")
    assert said(seed_trend(mine + other + runs((20, "90")))) == (None, "90.00", "0.00", "flat")


def test_the_score_is_the_mean_of_the_test_percentages() -> None:
    """WAT-32's example: 32 tests at 100, one at 0, one at 60."""
    credits = [Fraction(1)] * 32 + [Fraction(0), Fraction(6, 10)]
    assert str(SeedRule().add(date(2026, 10, 1), mean_score(credits)).score) == "95.88"


def test_history_keeps_the_last_366_days_that_have_a_run() -> None:
    """WAT-43: days without a run use none; all runs of a kept day stay."""
    first = date(2025, 1, 1)
    every_second = [
        ScoredRun(day=first + timedelta(days=2 * number), score=Fraction(number), suite_version="1")
        for number in range(400)
        for _ in range(2)
    ]
    kept = history(every_second)
    assert len(kept) == 2 * 366
    assert kept == every_second[-2 * 366 :]
    assert history(every_second[:10]) == every_second[:10]
    assert history([]) == []


def test_runs_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="in order of time"):
        seed_trend(runs((20, "1"), (19, "1")))
    with pytest.raises(ValueError, match="no run"):
        seed_trend([])


def plain_rule(history: list[ScoredRun]) -> tuple[str | None, ...]:
    """WAT-40 to WAT-42 as they read, by decimals and by hand: what the rule is checked against."""
    cent = Decimal("0.01")

    def rounded(value: Decimal) -> Decimal:
        return value.quantize(cent, rounding="ROUND_HALF_UP")  # decimal's word for half away from zero

    scores = [rounded(Decimal(run.score.numerator) / run.score.denominator) for run in history]
    latest, before = history[-1], history[-2] if len(history) > 1 else None
    same = before is not None and before.suite_version == latest.suite_version
    change = scores[-1] - scores[-2] if same else None
    window = [
        score
        for score, run in zip(scores, history, strict=True)
        if run.suite_version == latest.suite_version and 1 <= (latest.day - run.day).days <= 7
    ]
    if len(window) < 3:
        return (None if change is None else str(change), None, None, None)
    baseline = rounded(sum(window, Decimal(0)) / len(window))
    away = scores[-1] - baseline
    trend = "down" if away < -2 else "up" if away > 2 else "flat"
    return (None if change is None else str(change), str(baseline), str(away), trend)


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 10**5).map(lambda n: Fraction(n, 1000)), st.sampled_from("AAAB")),
        min_size=1,
        max_size=40,
    )
)
def test_the_rule_agrees_with_a_plain_reading_of_it(rows: list[tuple[int, Fraction, str]]) -> None:
    """WAT-40, WAT-41, WAT-42: over random days, scores and versions."""
    ordered = [
        ScoredRun(day=date(2026, 1, 1) + timedelta(days=day), score=score, suite_version=version)
        for day, score, version in sorted(rows, key=lambda row: row[0])
    ]
    assert said(seed_trend(ordered)) == plain_rule(ordered)
