"""The repeats interval (RUN-31; statistics 4.4)."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics.interval import Interval, NoInterval
from trigpoint.core.statistics.repeats import Repeats, t_quantile
from trigpoint.core.statistics.shrinkage import fit

QUARTERS = {name: Fraction(1, 4) for name in "abcd"}


def repeated(items, shares=QUARTERS):
    """items: (category, weight, credits of each repeat)."""
    adding = Repeats(shares, len(items[0][2]))
    for category, weight, credits in items:
        adding.add(category, Fraction(weight), [Fraction(credit) for credit in credits])
    return adding


def even(*rows):
    """Tasks dealt out to four categories in turn."""
    return repeated([("abcd"[place % 4], 1, row) for place, row in enumerate(rows)])


def ends(adding):
    found = adding.interval()
    assert isinstance(found, Interval)
    return f"{found.low_text} {found.high_text}"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([[1, 1, 1]] * 24, "99.1 100.0", id="all passed every time: not quite certain"),
        pytest.param(
            [[0, 0, 0]] * 24, "0.0 5.5", id="none ever passed: mu .5, kappa .3, v = .0434, SE = .0246, t = 2.228"
        ),
        pytest.param([[1, 1, 1]] * 20 + [[1, 0, 1]] * 4, "87.9 100.0", id="four tasks waver"),
        pytest.param([[1, 1, 1]] * 20 + [[0, 0, 0]] * 4, "79.4 87.3", id="four always fail: that isn't noise"),
        pytest.param([["1/2", "1/2", "1/2"]] * 24, "47.7 52.3", id="half credit every time"),
        pytest.param([[1, 1]] * 20 + [[1, 0]] * 4, "82.0 100.0", id="two repeats"),
        pytest.param([[1] * 10] * 20 + [[1, 0] * 5] * 4, "88.7 94.6", id="ten repeats"),
    ],
)
def test_worked_examples(rows, expected):
    assert ends(even(*rows)) == expected


def in_plain_floats(items, shares):
    """H ± t·SE with SE² = Σ a_i²·v_i/r, the short way, for three repeats."""
    rows = [[float(Fraction(credit)) for credit in row] for _, _, row in items]
    totals = {name: sum(weight for category, weight, _ in items if category == name) for name in shares}
    parts = [float(shares[category] * weight / totals[category]) for category, weight, _ in items]
    variances = fit([sum(row) for row in rows], [sum(c * c for c in row) for row in rows], 3).variances
    headline = sum(a * sum(row) / 3 for a, row in zip(parts, rows, strict=True))
    half = 2.2281388519862747 * sqrt(sum(a * a * v for a, v in zip(parts, variances, strict=True)) / 3)
    return 100 * max(0, headline - half), 100 * min(1, headline + half)


HALVES = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
WHOLE = {"a": Fraction(1)}
STEADY, WAVERING, NEVER = [1, 1, 1], [1, 0, 1], [0, 0, 0]


@pytest.mark.parametrize(
    ("items", "shares", "expected"),
    [
        pytest.param(
            [("a", 1, row) for row in [STEADY] * 13 + [WAVERING] * 4 + [["1/4", "3/4", 1]] * 3 + [NEVER] * 4],
            WHOLE,
            "64.9 82.3",
            id="all count the same: SE is sqrt(Σ v/r)/n",
        ),
        pytest.param(
            [("a", 1, WAVERING), ("a", 1, STEADY), *[("b", 1, STEADY)] * 22],
            HALVES,
            "83.1 100.0",
            id="wavering in a category of two",
        ),
        pytest.param(
            [("a", 1, STEADY), ("a", 1, STEADY), ("b", 1, WAVERING), *[("b", 1, STEADY)] * 21],
            HALVES,
            "94.4 100.0",
            id="the same in a category of 22",
        ),
        pytest.param([("a", 1, WAVERING), ("a", 5, STEADY), *[("a", 1, NEVER)] * 6], WHOLE, "33.8 60.7", id="light"),
        pytest.param([("a", 5, WAVERING), ("a", 1, STEADY), *[("a", 1, NEVER)] * 6], WHOLE, "9.9 62.3", id="heavy"),
    ],
)
def test_a_task_counts_with_its_share_of_the_headline(items, shares, expected):
    """The page's formula where all tasks count the same; extended to weights and categories (RUN-31)."""
    adding = repeated(items, shares)
    assert ends(adding) == expected
    low, high = in_plain_floats(items, shares)
    assert float(adding.interval().low) == pytest.approx(low, abs=0.0501)
    assert float(adding.interval().high) == pytest.approx(high, abs=0.0501)


@pytest.mark.parametrize("repeats", [0, 1])
def test_one_run_gives_no_repeats_interval_and_says_why(repeats):
    found = Repeats(QUARTERS, repeats).interval()
    assert isinstance(found, NoInterval)
    assert found.reason.startswith("One run can't show")


def test_record_says_level_method_and_what_it_means():
    found = even([1, 1, 0], [1, 1, 1], [0, 0, 0], [1, 1, 1]).interval()
    assert (found.level, found.method, found.seed) == (Fraction(19, 20), "shrunk-repeats-t/1", None)
    assert found.meaning.startswith("For these tasks again: ")


def test_impossible_items_are_refused():
    adding = Repeats(QUARTERS, 3)
    with pytest.raises(ValueError, match="no category of this suite: 'x'"):
        adding.add("x", Fraction(1), [Fraction(1)] * 3)
    with pytest.raises(ValueError, match="needs 3 credits"):
        adding.add("a", Fraction(1), [Fraction(1)] * 2)
    adding.add("a", Fraction(1), [Fraction(1)] * 3)
    with pytest.raises(ValueError, match="'b' has no items"):
        adding.interval()


@pytest.mark.parametrize(
    ("degrees", "exact", "within"),
    [
        (9, 2.2621571627982055, 1.4e-5),
        (10, 2.2281388519862747, 8e-6),
        (12, 2.1788128296672289, 3.2e-6),
        (17, 2.1098155778333171, 6e-7),
        (30, 2.0422724563012383, 4e-8),
        (60, 2.0002978220142605, 1e-9),
        (120, 1.9799304050824408, 4e-11),
        (200, 1.9718962236339094, 1e-11),
    ],
)
def test_t_quantile_is_right_for_the_degrees_it_serves(degrees, exact, within):
    """97.5% points of Student's t from arbitrary-precision arithmetic."""
    assert exact - within < t_quantile(degrees) <= exact + 1e-14


def test_t_quantile_has_the_same_bits_everywhere():
    """FND-31: the stated series in fractions, its five terms to the last digit."""
    assert t_quantile(9) == 2.2621435754456365
    assert t_quantile(10) == 2.2281308968121536


def test_t_quantile_refuses_what_it_cannot_do_well():
    with pytest.raises(ValueError, match="9 or more"):
        t_quantile(8)


rows = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(1, 3),
        st.lists(st.sampled_from([0, Fraction(1, 2), 1]), min_size=3, max_size=3),
    ),
    max_size=12,
)


@given(rows, st.randoms(use_true_random=False))
def test_order_of_items_and_of_repeats_never_matters(items, random):
    items = [("a", 1, [1, 1, 0]), ("b", 1, [0, 0, 1]), *items]
    shares = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    found = repeated(items, shares).interval()
    shuffled = [(name, weight, random.sample(row, 3)) for name, weight, row in random.sample(items, len(items))]
    assert repeated(shuffled, shares).interval() == found
    assert 0 <= found.low <= found.high <= 100
