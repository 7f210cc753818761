"""The percentile bootstrap (RUN-30)."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.scoring.macro_average import MacroAverage
from trigpoint.core.statistics.bootstrap import bootstrap_interval
from trigpoint.core.statistics.interval import Interval, NoInterval


def run(*categories, shares=None):
    names = [f"category {place}" for place in range(len(categories))]
    adding = MacroAverage(dict(zip(names, map(Fraction, shares or [1] * len(names)), strict=True)))
    for name, items in zip(names, categories, strict=True):
        for item in items:
            weight, credit = item if isinstance(item, tuple) else (1, item)
            adding.add(name, Fraction(weight), Fraction(credit))
    return adding


def passes(*counts, of=6):
    return [[1] * k + [0] * (of - k) for k in counts]


def by_the_docstring(categories, shares, seed, draws):
    """The stated rule, step by step, in fractions; ends as published."""
    random, headlines = Random(seed).random, []
    ordered = [sorted((Fraction(w), Fraction(c)) for w, c in items) for items in categories]
    for _ in range(draws):
        headline = Fraction(0)
        for share, items in zip(shares, ordered, strict=True):
            taken = [items[int(len(items) * random())] for _ in items]
            headline += Fraction(share, sum(shares)) * sum(w * c for w, c in taken) / sum(w for w, _ in taken)
        headlines.append(headline)
    headlines.sort()
    k = max(1, draws // 40)
    return [Fraction(int(end * 1000 + Fraction(1, 2)), 10) for end in (headlines[k - 1], headlines[-k])]


quarters = st.sampled_from([0, "1/4", "1/2", "2/3", 1])
weights = st.sampled_from([1, "1/2", 3])
categories_of = st.lists(st.lists(st.tuples(weights, quarters), min_size=1, max_size=6), min_size=1, max_size=4)


@given(categories_of, st.integers(0, 2**32), st.integers(1, 90), st.data())
def test_it_is_the_documented_rule(categories, seed, draws, data):
    """RUN-30: quantile rule and order of draws documented, seed recorded, reproducible to the digit."""
    shares = data.draw(st.lists(st.integers(1, 3), min_size=len(categories), max_size=len(categories)))
    found = bootstrap_interval(run(*categories, shares=shares), seed=seed, draws=draws)
    assert [found.low, found.high] == by_the_docstring(categories, shares, seed, draws)


@given(st.lists(st.lists(quarters, min_size=1, max_size=6), min_size=1, max_size=4), st.integers(0, 2**32))
def test_the_quick_way_for_equal_weights_is_the_same_rule(categories, seed):
    weighted = [[(1, credit) for credit in items] for items in categories]
    found = bootstrap_interval(run(*categories), seed=seed, draws=41)
    assert [found.low, found.high] == by_the_docstring(weighted, [1] * len(categories), seed, 41)


@pytest.mark.parametrize(
    ("categories", "seed", "expected"),
    [
        pytest.param([*passes(6, 5, 4), [1, 1, 1, "1/2", "3/4", 0]], 1, "65.6 93.8", id="seed 1"),
        pytest.param([*passes(6, 5, 4), [1, 1, 1, "1/2", "3/4", 0]], 2, "65.6 93.8", id="seed 2"),
        pytest.param(passes(6, 6, 6, 5), 1, "87.5 100.0", id="one failure"),
        pytest.param([[(1, 1), (2, 0), (3, "1/3")], [(1, 1), (1, 0)]], 1, "7.1 80.0", id="weights"),
        pytest.param(passes(6, 6, 6, 6), 1, "100.0 100.0", id="all passed: the known collapse"),
        pytest.param(passes(0, 0, 0, 0), 1, "0.0 0.0", id="none passed: the known collapse"),
        pytest.param([[1]], 1, "100.0 100.0", id="one task"),
    ],
)
def test_same_digits_everywhere(categories, seed, expected):
    """FND-31, RUN-30: 10,000 draws, the 250th smallest and the 250th largest headline."""
    found = bootstrap_interval(run(*categories), seed=seed)
    assert f"{found.low_text} {found.high_text}" == expected


@pytest.mark.parametrize("draws", [1, 2, 39, 40, 79, 80, 81, 120])
def test_ends_are_the_kth_from_each_side(draws):
    """k = ⌊draws/40⌋, at least 1."""
    categories = [[(1, Fraction(place, 7)) for place in range(8)]]
    found = bootstrap_interval(run(*categories), seed=11, draws=draws)
    assert [found.low, found.high] == by_the_docstring(categories, [1], 11, draws)


def test_record_keeps_seed_and_draws():
    found = bootstrap_interval(run([1, 0]), seed=77, draws=50)
    assert (found.seed, found.draws, found.method, found.level) == (77, 50, "percentile-bootstrap/1", Fraction(19, 20))
    assert bootstrap_interval(run([1, 0]), seed=77).draws == 10_000


@pytest.mark.parametrize(("items", "kept"), [(239, True), (240, True), (241, False)])
def test_it_is_kept_for_up_to_240_items(items, kept):
    """RUN-30: stored for n ≤ 240 items, beyond that the calibrated interval alone."""
    found = bootstrap_interval(run([1] * (items - 100), [0] * 100), seed=1, draws=40)
    assert isinstance(found, Interval if kept else NoInterval)
    if not kept:
        assert found.reason.startswith("The percentile bootstrap is kept for up to 240 tasks, this run has 241;")


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="draws must be at least 1"):
        bootstrap_interval(run([1]), seed=1, draws=0)
    with pytest.raises(ValueError, match="has no items"):
        bootstrap_interval(run([1], []), seed=1, draws=1)


@given(categories_of, st.randoms(use_true_random=False))
def test_order_of_items_never_matters(categories, random):
    found = bootstrap_interval(run(*categories), seed=5, draws=80)
    shuffled = [random.sample(items, len(items)) for items in categories]
    assert bootstrap_interval(run(*shuffled), seed=5, draws=80) == found
    assert 0 <= found.low <= found.high <= 100
