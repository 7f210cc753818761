"""macro-average/1 (RUN-22, RUN-24)."""

from fractions import Fraction
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.scoring.macro_average import Cell, MacroAverage

ONE = Fraction(1)


def macro(**categories):
    """Equal categories; each a list of credits, or of (weight, credit)."""
    adding = MacroAverage.equal(categories)
    for category, items in categories.items():
        for item in items:
            weight, credit = item if isinstance(item, tuple) else (1, item)
            adding.add(category, Fraction(weight), Fraction(credit))
    return adding


@pytest.mark.parametrize(
    ("categories", "points", "passed"),
    [
        pytest.param({"a": [1, 1], "b": [0, 0]}, "50.0", 2, id="two categories"),
        pytest.param({"a": [1], "b": [1, 0, 0, 0]}, "62.5", 2, id="categories count the same, not tasks"),
        pytest.param(
            {"a": [1, "3/8"], "b": [1, 1]}, "84.4", 3, id="84.375 rounds half up, partial credit isn't passed"
        ),
        pytest.param({"a": [0, 0, "1/8"], "b": [0, 0, "53/1000"]}, "3.0", 0, id="2.966… rounds up"),
        pytest.param({"a": ["1/2000"]}, "0.1", 0, id="a half rounds up"),
        pytest.param({"a": ["999/1000000"]}, "0.1", 0, id="just below a tenth"),
        pytest.param({"a": [(1, 1), (3, 0)], "b": [1]}, "62.5", 2, id="weights within a category"),
        pytest.param({"a": [(2, 1), (6, 0)], "b": [(9, 1)]}, "62.5", 2, id="only the weights' ratio counts"),
        pytest.param({"a": [1] * 6, "b": [1] * 6, "c": [1] * 6, "d": [1] * 6}, "100.0", 24, id="all passed"),
        pytest.param({"a": [0] * 6, "b": [0] * 6}, "0.0", 0, id="none passed"),
    ],
)
def test_headline_is_the_mean_of_category_means(categories, points, passed):
    """RUN-24: mean task credit by category, then the macro-average, half up. RUN-22: passed only at full credit."""
    score = macro(**categories).score()
    assert score.points == points
    assert score.passed == passed
    assert score.items == sum(map(len, categories.values()))
    assert score.version == "macro-average/1"


def test_headline_and_categories_are_exact():
    score = macro(a=["1/3", 1], b=[(2, "1/7"), (1, 1)]).score()
    first, second = score.categories
    assert (first.category, first.share, first.items, first.passed, first.mean) == (
        "a",
        Fraction(1, 2),
        2,
        1,
        Fraction(2, 3),
    )
    assert (second.category, second.share, second.items, second.passed) == ("b", Fraction(1, 2), 2, 1)
    assert second.mean == Fraction(9, 21)
    assert score.headline == (Fraction(2, 3) + Fraction(3, 7)) / 2
    assert (first.points, second.points) == ("66.7", "42.9")


def test_categories_may_weigh_differently_and_stay_in_the_suites_order():
    adding = MacroAverage({"z": Fraction(3), "a": Fraction(1)})
    adding.add("a", ONE, Fraction(0))
    adding.add("z", ONE, ONE)
    score = adding.score()
    assert score.headline == Fraction(3, 4)
    assert [(one.category, one.share) for one in score.categories] == [("z", Fraction(3, 4)), ("a", Fraction(1, 4))]


def test_unattempted_items_stay_in_the_denominator():
    """RUN-24: an item not attempted is added with credit 0, and lowers the score."""
    assert macro(a=[1, 1, 0]).score().headline == Fraction(2, 3)


def test_a_category_without_items_has_no_score():
    with pytest.raises(ValueError, match="'b' has no items"):
        macro(a=[1], b=[]).score()


@pytest.mark.parametrize(
    ("category", "weight", "credit", "message"),
    [
        pytest.param("x", ONE, ONE, "no category of this suite: 'x'", id="unknown category"),
        pytest.param("a", Fraction(0), ONE, "weight above 0", id="weight 0"),
        pytest.param("a", Fraction(-1), ONE, "weight above 0", id="weight below 0"),
        pytest.param("a", ONE, Fraction(-1, 9), "credit in 0–1", id="credit below 0"),
        pytest.param("a", ONE, Fraction(10, 9), "credit in 0–1", id="credit above 1"),
    ],
)
def test_impossible_items_are_refused_and_not_counted(category, weight, credit, message):
    adding = macro(a=[1])
    for _ in range(2):  # the second time must not pass as known
        with pytest.raises(ValueError, match=message):
            adding.add(category, weight, credit)
    assert adding.items == 1


@pytest.mark.parametrize("weights", [{}, {"a": Fraction(0)}, {"a": ONE, "b": Fraction(-1)}])
def test_impossible_categories_are_refused(weights):
    with pytest.raises(ValueError, match="weight above 0"):
        MacroAverage(weights)


def test_cells_group_equal_items_in_order_of_weight_and_credit():
    adding = macro(a=[1, (2, 0), 0, 1, "1/2", (2, 0)])
    assert list(adding.cells("a")) == [
        Cell(ONE, Fraction(0), 1),
        Cell(ONE, Fraction(1, 2), 1),
        Cell(ONE, ONE, 2),
        Cell(Fraction(2), Fraction(0), 2),
    ]


def test_memory_does_not_grow_with_rows():
    """FND-06: 50,000 rows of three kinds are three cells."""
    adding = MacroAverage.equal(["a"])
    for row, _ in zip(count(), range(50_000), strict=False):
        adding.add("a", ONE, Fraction(row % 3, 2))
    assert len(list(adding.cells("a"))) == 3
    assert adding.items == 50_000
    assert adding.score().headline == Fraction(49_999, 100_000)


credits = st.fractions(min_value=0, max_value=1, max_denominator=12)
items = st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5), credits), min_size=3, max_size=30)


def added(rows):
    adding = MacroAverage.equal("abc")
    for category, weight, credit in [("a", 1, Fraction(0)), ("b", 1, ONE), ("c", 1, Fraction(1, 2)), *rows]:
        adding.add(category, Fraction(weight), credit)
    return adding


@given(items, st.randoms(use_true_random=False))
def test_order_of_items_never_matters(rows, random):
    assert added(random.sample(rows, len(rows))).score() == added(rows).score()


@given(items, st.data())
def test_more_credit_never_lowers_the_score(rows, data):
    place = data.draw(st.integers(0, len(rows) - 1))
    category, weight, credit = rows[place]
    better = [*rows[:place], (category, weight, data.draw(st.fractions(credit, 1))), *rows[place + 1 :]]
    assert 0 <= added(rows).score().headline <= added(better).score().headline <= 1
