"""The headline interval (STA-04, RUN-31; statistics 4.4)."""

from fractions import Fraction
from math import sqrt
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.scoring.macro_average import MacroAverage
from trigpoint.core.statistics.interval import Interval, NoInterval, headline_interval, points, wilson_interval


def run(*categories, shares=None):
    """A run of categories, each a list of credits, or of (weight, credit)."""
    names = [str(place) for place in range(len(categories))]
    adding = MacroAverage(dict(zip(names, map(Fraction, shares or [1] * len(names)), strict=True)))
    for name, items in zip(names, categories, strict=True):
        for item in items:
            weight, credit = item if isinstance(item, tuple) else (1, item)
            adding.add(name, Fraction(weight), Fraction(credit))
    return adding


def ends(*categories, **options):
    found = headline_interval(run(*categories, **options))
    assert isinstance(found, Interval), found
    return f"{found.low_text} {found.high_text}"


def passes(*counts, of=6):
    return [[1] * k + [0] * (of - k) for k in counts]


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        # Means 1, 5/6, 4/6, 17/24; H = .8021; s² = 0, .1667, .2667, .1604; SE² = .006185; n_eff = .1588/SE² = 25.67
        pytest.param([*passes(6, 5, 4), [1, 1, 1, "1/2", "3/4", 0]], "61.4 91.2", id="worked by hand"),
        pytest.param(passes(6, 6, 6, 6), "86.2 100.0", id="all passed: 1/(1 + z²/24), never 100–100"),
        pytest.param(passes(0, 0, 0, 0), "0.0 13.8", id="none passed"),
        pytest.param(passes(3, 3, 3, 3), "31.4 68.6", id="alike: SE² is above H(1 − H)/24, so n_eff is 24"),
        pytest.param(passes(6, 6, 0, 0), "31.4 68.6", id="SE 0 with H between: n_eff is 24"),
        pytest.param(passes(6, 6, 1, 0), "40.3 67.4", id="hardly any spread within: n_eff is 48"),
        pytest.param([["1/2"] * 6] * 4, "31.4 68.6", id="the same partial credit everywhere: n_eff is 24"),
        pytest.param([[1, 0], [1, 1]], "30.1 95.4", id="two categories of two"),
    ],
)
def test_worked_examples(categories, expected):
    """STA-04: Wilson with an effective number of tasks, ends rounded half up to one decimal."""
    assert ends(*categories) == expected


def in_plain_floats(categories, shares):
    """Section 4.4, and what `headline_interval` says of weights and unequal sizes, the short way."""
    z, shares = 1.959963984540054, [share / sum(shares) for share in shares]
    means, variances, counts = [], [], []
    for items in categories:
        total, squared = sum(w for w, _ in items), sum(w * w for w, _ in items)
        means.append(sum(w * c for w, c in items) / total)
        variances.append(sum(w * (c - means[-1]) ** 2 for w, c in items) / (total - squared / total))
        counts.append(total * total / squared)
    h, n = sum(map(mul, shares, means)), 1 / sum(s * s / k for s, k in zip(shares, counts, strict=True))
    error = 0
    for share, spread, k in zip(shares, variances, counts, strict=True):
        fair = share * sum(counts)
        own = (k - 1) / (fair - 1) if k < fair - 1e-9 else 1
        error += share * share * (own * spread + (1 - own) * h * (1 - h)) / k
    n_eff = n if error < 1e-15 or h * (1 - h) < 1e-15 else min(max(h * (1 - h) / error, n), 2 * n)
    centre = (h + z * z / (2 * n_eff)) / (1 + z * z / n_eff)
    half = z / (1 + z * z / n_eff) * sqrt(h * (1 - h) / n_eff + z * z / (4 * n_eff**2))
    return 100 * max(centre - half, 0), 100 * min(centre + half, 1)


quarters = st.sampled_from([0, 0.25, 0.5, 0.75, 1])
any_run = st.lists(st.lists(st.tuples(st.integers(1, 4), quarters), min_size=2, max_size=8), min_size=1, max_size=5)


@given(any_run, st.data())
def test_it_is_the_stated_formula(categories, data):
    shares = data.draw(st.lists(st.integers(1, 3), min_size=len(categories), max_size=len(categories)))
    found = headline_interval(run(*categories, shares=shares))
    low, high = in_plain_floats(categories, shares)
    assert float(found.low) == pytest.approx(low, abs=0.0500001)
    assert float(found.high) == pytest.approx(high, abs=0.0500001)


@pytest.mark.parametrize(
    ("categories", "shares", "expected"),
    [
        pytest.param(passes(6, 5, 4, 3), [2, 2, 2, 2], "55.3 87.9", id="equal shares of any size"),
        pytest.param(
            passes(6, 5, 4, 3),
            [3, 1, 1, 1],
            "62.8 93.7",
            id="a heavier category: n is 18, its spread drawn to H(1 − H)",
        ),
        pytest.param([[(2, 1)] * 6, [(2, 1)] * 5 + [(2, 0)]], None, "64.6 98.5", id="weights all 2 are weights all 1"),
        pytest.param([[1] * 6, [1] * 5 + [0]], None, "64.6 98.5", id="weights all 1"),
        pytest.param(
            [[1] * 6, [(3, 1), *[1] * 4, 0]], None, "64.7 99.2", id="a weight of 3: the category counts as 4.6"
        ),
        pytest.param([[1, 1], [1] * 10 + [0] * 10], None, "40.3 93.0", id="2 and 20 tasks: n is 7.3"),
        pytest.param([[1, 0], [1] * 20], None, "39.5 93.2", id="2 and 20 tasks, the small one varies"),
    ],
)
def test_weights_and_unequal_sizes(categories, shares, expected):
    """RUN-31: extended to weights by weighted means and effective counts."""
    assert ends(*categories, shares=shares) == expected


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        pytest.param([[1], [1, 0]], "Category 0 has one task", id="one task in a category"),
        pytest.param([[1, 0], [(5, 1)]], "Category 1 has one task", id="one weighted task in the last"),
        pytest.param([[1]], "Category 0 has one task", id="one task in all"),
        pytest.param([[1, 1], []], "Category 1 has no tasks", id="none"),
    ],
)
def test_a_category_of_one_task_gives_no_interval_and_says_why(categories, words):
    """RUN-31: a category of one task refuses an interval."""
    found = headline_interval(run(*categories))
    assert isinstance(found, NoInterval)
    assert found.reason.startswith(words)
    assert found.method == "wilson-effective-n/1"


def test_record_says_level_method_and_what_it_means():
    found = headline_interval(run(*passes(5, 5)))
    assert (found.level, found.method) == (Fraction(19, 20), "wilson-effective-n/1")
    assert found.meaning.startswith("For tasks like these: ")
    assert (found.seed, found.draws) == (None, None)
    assert found.low == Fraction(found.low_text)


@pytest.mark.parametrize(
    ("mean_credit", "n", "expected"),
    [
        # Reference values of Wilson's interval, no continuity correction.
        pytest.param(Fraction(81, 263), 263, ("25.5", "36.6"), id="81 of 263"),
        pytest.param(Fraction(15, 148), 148, ("6.2", "16.0"), id="15 of 148"),
        pytest.param(Fraction(0), 20, ("0.0", "16.1"), id="0 of 20"),
        pytest.param(Fraction(1, 29), 29, ("0.6", "17.2"), id="1 of 29"),
    ],
)
def test_wilson_agrees_with_published_values(mean_credit, n, expected):
    """Newcombe 1998, table I, method 3."""
    found = wilson_interval(mean_credit, Fraction(n))
    assert (found.low_text, found.high_text) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        pytest.param(Fraction("0.1234"), "12.3", id="12.34 rounds down"),
        pytest.param(Fraction("0.1235"), "12.4", id="12.35 rounds up"),
        pytest.param(Fraction(-1, 100), "0", id="below 0"),
        pytest.param(Fraction(101, 100), "100", id="above 100"),
    ],
)
def test_points_are_rounded_half_up_and_stay_within_0_and_100(share, expected):
    assert points(share) == Fraction(expected)


@given(any_run, st.randoms(use_true_random=False))
def test_order_of_tasks_never_matters_and_the_range_holds_the_score(categories, random):
    found = headline_interval(run(*categories))
    shuffled = [random.sample(items, len(items)) for items in categories]
    assert headline_interval(run(*shuffled)) == found
    headline = run(*categories).score().headline * 100
    assert 0 <= found.low < found.high <= 100
    assert found.low - Fraction(1, 20) <= headline <= found.high + Fraction(1, 20)


@given(any_run)
def test_failures_for_passes_mirror_the_range(categories):
    found = headline_interval(run(*categories))
    mirrored = headline_interval(run(*[[(w, 1 - Fraction(c)) for w, c in items] for items in categories]))
    # A half rounds up on both sides, so an end that falls on one may differ by a tenth.
    assert abs(100 - mirrored.high - found.low) <= Fraction(1, 10)
    assert abs(100 - mirrored.low - found.high) <= Fraction(1, 10)


@given(any_run)
def test_every_task_twice_never_widens_the_range(categories):
    found, doubled = (headline_interval(run(*[items * k for items in categories])) for k in (1, 2))
    assert doubled.high - doubled.low <= found.high - found.low
