"""The simulated suites on which the promises are measured (STA-03)."""

from fractions import Fraction

import pytest

from trigpoint.core.statistics.simulated import (
    PARTIAL,
    PARTIAL_IN_ONE,
    PASS_FAIL,
    Task,
    alike,
    answer,
    canonical,
    differing,
    in_order,
    sample,
    score,
)


@pytest.mark.parametrize("suite", [PASS_FAIL, PARTIAL, PARTIAL_IN_ONE])
def test_suites_have_core_v1s_shape(suite):
    assert [len(category) for category in suite] == [6, 6, 6, 6]


def test_four_tasks_have_partial_credit():
    assert [sum(task.fields > 1 for task in category) for category in PARTIAL] == [1, 1, 1, 1]
    assert [sum(task.fields > 1 for task in category) for category in PARTIAL_IN_ONE] == [0, 0, 0, 4]


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        pytest.param("0.5", ["0.2", "0.4", "0.6", "0.8"], id="60 points from first to last"),
        pytest.param("0.8", ["0.65", "0.75", "0.85", "0.95"], id="less near 1"),
        pytest.param("0.1", ["0.025", "0.075", "0.125", "0.175"], id="less near 0"),
        pytest.param("1", ["1", "1", "1", "1"], id="none at 1"),
    ],
)
def test_differing_truths_are_evenly_spaced_about_the_truth(truth, expected):
    assert differing(Fraction(truth)) == tuple(map(Fraction, expected))
    assert alike(Fraction(truth)) == (Fraction(truth),) * 4


def chances(*values):
    given = iter(values)
    return lambda: next(given)


def test_a_field_comes_out_right_where_chance_falls_below_its_truth():
    assert answer(Task(fields=4), 0.5, chances(0.49, 0.5, 0.0, 0.99)) == 2


def test_a_sample_uses_each_categorys_truth():
    suite = ((Task(), Task(fields=2)), (Task(),))
    assert sample(suite, [0.2, 0.9], chances(0.1, 0.15, 0.3, 0.8)) == ((1, 1), (1,))


def test_canonical_runs_keep_tasks_with_their_kind():
    suite = ((Task(fields=5), Task(), Task()), (Task(), Task(), Task()))
    run = canonical(suite, ((4, 1, 0), (1, 0, 0)))
    assert run == ((0, 1, 4), (0, 0, 1))
    assert [(category, task.fields, right) for category, task, right in in_order(suite, run)] == [
        ("0", 1, 0), ("0", 1, 1), ("0", 5, 4), ("1", 1, 0), ("1", 1, 0), ("1", 1, 1),
    ]  # fmt: skip
    assert score(suite, run).score().headline == (Fraction(9, 5) / 3 + Fraction(1, 3)) / 2


def test_only_equal_categories_are_sorted():
    assert canonical(((Task(),), (Task(),)), ((1,), (0,))) == ((0,), (1,))
    assert canonical(((Task(),), (Task(weight=2),)), ((1,), (0,))) == ((1,), (0,))
