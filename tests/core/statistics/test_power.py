"""What a run could show and what would settle a difference (RUN-32, FND-15: `run --dry-run`)."""

from fractions import Fraction
from math import sqrt

import pytest

from trigpoint.core.statistics.paired import PairedDifferences
from trigpoint.core.statistics.power import Settling, smallest_visible_difference, would_settle
from trigpoint.core.statistics.simulated import Task
from trigpoint.core.statistics.telling_apart import comparisons


@pytest.mark.parametrize(
    ("tasks", "repeats", "truth", "points"),
    [
        pytest.param(24, 1, "0.8", "41.6", id="Core v1 once"),
        pytest.param(24, 3, "0.8", "31.7", id="Core v1 three times"),
        pytest.param(24, 1, "0.5", "39.4", id="in the middle"),
        pytest.param(24, 1, "0.2", "41.6", id="20 and 80 mirror each other"),
        pytest.param(24, 1, "1", "33.3", id="one passes everything"),
        pytest.param(24, 1, "0", "33.3", id="one passes nothing"),
        pytest.param(240, 1, "0.8", "10.3", id="ten times the tasks"),
        pytest.param(2400, 1, "0.8", "3.0", id="a hundred times"),
        pytest.param(4, 1, "0.8", None, id="four tasks never show anything"),
    ],
)
def test_smallest_visible_difference(tasks, repeats, truth, points):
    items = dict.fromkeys("abcd", tasks // 4)
    found = smallest_visible_difference(items, repeats=repeats, truth=Fraction(truth))
    assert found == (None if points is None else Fraction(points))


@pytest.mark.parametrize(("tasks", "repeats"), [(5, 20), (7, 5), (8, 5)])
def test_where_fewer_than_six_tasks_can_be_expected_to_differ_nothing_shows(tasks, repeats):
    """However many repeats: with five differing tasks, all one way, p is 2/32."""
    found = smallest_visible_difference({"a": tasks}, repeats=repeats, truth=Fraction(8, 10))
    assert found == {5: None, 7: None, 8: Fraction("72.9")}[tasks]


def test_unequal_categories_and_shares_show_less():
    even = smallest_visible_difference({"a": 30, "b": 30})
    uneven = smallest_visible_difference({"a": 4, "b": 56})
    weighted = smallest_visible_difference({"a": 30, "b": 30}, {"a": Fraction(9, 10), "b": Fraction(1, 10)})
    fitting = smallest_visible_difference({"a": 6, "b": 54}, {"a": Fraction(1, 10), "b": Fraction(9, 10)})
    assert even == fitting == Fraction("23.4")
    assert (uneven, weighted) == (Fraction("56.0"), Fraction("31.8"))


@pytest.mark.parametrize(
    ("items", "repeats", "truth"),
    [
        ({}, 1, "0.5"),
        ({"a": 0}, 1, "0.5"),
        ({"a": 1, "b": 0}, 1, "0.5"),
        ({"a": 9}, 0, "0.5"),
        ({"a": 9}, 1, "1.1"),
        ({"a": 9}, 1, "-0.1"),
    ],
)
def test_impossible_plans_are_refused(items, repeats, truth):
    with pytest.raises(ValueError, match="need a task or more"):
        smallest_visible_difference(items, repeats=repeats, truth=Fraction(truth))


@pytest.mark.parametrize(("per_category", "repeats", "truth"), [(6, 1, 80), (6, 3, 80), (6, 3, 95), (15, 1, 50)])
def test_the_paired_test_finds_it_about_8_times_in_10(per_category, repeats, truth):
    """The estimate against the real test, simulated as the module assumes; a task asked r times earns k/r."""
    score = Fraction(truth, 100)
    difference = smallest_visible_difference(dict.fromkeys("abcd", per_category), repeats=repeats, truth=score)
    suite = ((Task(fields=repeats),) * per_category,) * 4
    found = comparisons(suite, score, score - difference / 100, shared=1, runs=250, seed=4)
    assert 0.7 <= found.paired <= 0.93
    assert found.wrong_way == 0


def seen(wins, losses, ties=0, tasks=1):
    adding = PairedDifferences({"a": Fraction(1)})
    for count, first, second in [(wins, 1, 0), (losses, 0, 1), (ties, 1, 1)]:
        for _ in range(count * tasks):
            adding.add("a", Fraction(1), Fraction(first), Fraction(second))
    return adding.compare(seed=1)


@pytest.mark.parametrize(
    ("comparison", "repeats", "expected"),
    [
        pytest.param(seen(0, 0, 24), 1, Settling(more_items=None, repeats=None), id="nothing differs"),
        pytest.param(seen(4, 4, 16), 1, Settling(more_items=None, repeats=None), id="no difference to settle"),
        pytest.param(seen(11, 3, 10), 1, Settling(more_items=18, repeats=4), id="almost clear"),
        pytest.param(seen(5, 2, 17), 1, Settling(more_items=130, repeats=None), id="repeats alone wouldn't do"),
        pytest.param(seen(12, 11, 217), 1, Settling(more_items=None, repeats=None), id="over 10,000 more tasks"),
        pytest.param(seen(3, 0, 2), 1, Settling(more_items=7, repeats=None), id="too few differ: six are needed"),
        pytest.param(
            seen(11, 3, 10), 3, Settling(more_items=16, repeats=None), id="three repeats done: more are no use"
        ),
    ],
)
def test_what_would_settle_a_difference(comparison, repeats, expected):
    assert would_settle(comparison, repeats=repeats) == expected


def test_more_tasks_solve_the_stated_inequality():
    """(d − 1/2n)·√n ≥ 1.960·√(V + d²) + 0.842·√V at the proposed size, not at one less by a tenth."""
    comparison = seen(9, 5, 34)
    d, q = 4 / 48, 14 / 48
    needed = 1.959964 * sqrt(q) + 0.841621 * sqrt(q - d * d)

    def enough(n):
        return (d - 1 / (2 * n)) * sqrt(n) >= needed

    total = 48 + would_settle(comparison).more_items
    assert enough(total)
    assert not enough(0.9 * total)


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "more"),
    [
        pytest.param(4, 0, 0, 2, id="below 20 as it is"),
        pytest.param(10, 3, 11, 30, id="to 5 below 100: 27 needed"),
        pytest.param(9, 4, 13, 85, id="85"),
        pytest.param(7, 4, 13, 220, id="to two figures from 100 on"),
        pytest.param(25, 20, 195, 3200, id="thousands"),
    ],
)
def test_more_tasks_are_rounded_up_to_about_two_figures(wins, losses, ties, more):
    assert would_settle(seen(wins, losses, ties)).more_items == more
