"""Two runs compared task by task (STA-05, RUN-32)."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics.paired import PairedDifferences

WHOLE = {"a": Fraction(1)}
HALVES = {"a": Fraction(1, 2), "b": Fraction(1, 2)}


def compared(tasks, shares=WHOLE, seed=1):
    """tasks: (category, weight, credit in the first run, in the second)."""
    adding = PairedDifferences(shares)
    for category, weight, first, second in tasks:
        adding.add(category, Fraction(weight), Fraction(first), Fraction(second))
    return adding.compare(seed=seed)


def duel(wins, losses, ties=0, seed=1):
    """Pass/fail tasks of one category."""
    return compared([("a", 1, 1, 0)] * wins + [("a", 1, 0, 1)] * losses + [("a", 1, 1, 1)] * ties, seed=seed)


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "p", "points"),
    [
        pytest.param(0, 0, 24, "1", "0.0", id="nothing differs"),
        pytest.param(1, 0, 23, "1", "+4.2", id="one task: both signs are as far"),
        pytest.param(5, 0, 1, "1/16", "+83.3", id="five of five can't be clear: 2/32"),
        pytest.param(6, 0, 0, "1/32", "+100.0", id="six of six can: 2/64"),
        pytest.param(0, 6, 0, "1/32", "-100.0", id="six lost"),
        pytest.param(4, 4, 16, "1", "0.0", id="as many won as lost"),
        pytest.param(10, 2, 12, "79/2048", "+33.3", id="10 to 2: 2·(1 + 12 + 66)/4096"),
        pytest.param(16, 0, 8, "1/32768", "+66.7", id="16 of 16, still exact"),
    ],
)
def test_pass_fail_duels_follow_the_binomial(wins, losses, ties, p, points):
    """STA-05: p is the part of all settings of the signs with a difference at least as large."""
    seen = duel(wins, losses, ties)
    assert seen.p == Fraction(p)
    assert seen.points == points
    assert (seen.better, seen.worse, seen.items) == (wins, losses, wins + losses + ties)
    assert (seen.seed, seen.flips, seen.method) == (None, None, "sign-flip/1")


def by_enumeration(tasks, shares):
    totals = Counter()
    for category, weight, _, _ in tasks:
        totals[category] += weight
    parts = [shares[c] * w / totals[c] * (Fraction(first) - Fraction(second)) for c, w, first, second in tasks]
    moved = [part for part in parts if part]
    sums = [
        abs(sum(s * part for s, part in zip(signs, moved, strict=True)))
        for signs in product((1, -1), repeat=len(moved))
    ]
    return sum(parts), Fraction(sum(one >= abs(sum(parts)) for one in sums), len(sums))


tasks = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(1, 3),
        st.sampled_from([0, Fraction(1, 3), 1]),
        st.sampled_from([0, Fraction(1, 2), 1]),
    ),
    max_size=7,
).map(lambda rows: [("a", 1, 1, 0), ("b", 1, 1, 1), *rows])


@given(tasks)
def test_exact_p_is_that_of_trying_every_sign(rows):
    shares = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    seen = compared(rows, shares)
    assert (seen.difference, seen.p) == by_enumeration(rows, shares)


def test_a_task_counts_with_its_share_of_the_headline():
    """Seven wins in a category of 20 are outweighed by one loss in a category of two."""
    rows = [("a", 1, 0, 1), ("a", 1, 1, 1), *[("b", 1, 1, 0)] * 7, *[("b", 1, 0, 0)] * 13]
    seen = compared(rows, HALVES)
    assert seen.points == "-7.5"
    assert seen.p > Fraction(3, 4)
    assert seen.effective_items == 1 / (Fraction(1, 4) / 2 + Fraction(1, 4) / 20)
    assert seen.mean_square == (Fraction(1, 4) ** 2 + 7 * Fraction(1, 40) ** 2) * seen.effective_items


def test_where_all_tasks_count_the_same_the_effective_items_are_the_items():
    seen = duel(5, 3, 16)
    assert seen.effective_items == 24
    assert seen.mean_square == Fraction(8, 24)


def drawn_p(tasks, seed):
    """The stated rule for more than 16 differing tasks: 48 signs from each next random(), lowest bit first."""
    random = Random(seed).random
    sizes = sorted(abs(first - second) for first, second in tasks if first != second)
    observed = abs(sum(first - second for first, second in tasks))
    as_far = 0
    for _ in range(9_999):
        total = 0
        for start in range(0, len(sizes), 48):
            bits = int(random() * 2**48)
            for place, size in enumerate(sizes[start : start + 48]):
                total += size if bits >> place & 1 else -size
        as_far += abs(total) >= observed
    return Fraction(1 + as_far, 10_000)


@pytest.mark.parametrize("count", [17, 48, 49, 60])
def test_beyond_16_differing_tasks_signs_are_drawn_by_the_stated_rule(count):
    """STA-05: 9,999 seeded flips, p = (1 + as far)/10,000, to the digit."""
    pairs = [(12, 12 - place % 5 - 1) if place % 3 else (place % 7, 11) for place in range(count)]
    pairs = [(first, second) for first, second in pairs if first != second]
    seen = compared([("a", 1, Fraction(first, 12), Fraction(second, 12)) for first, second in [*pairs, (4, 4)]], seed=9)
    assert seen.better + seen.worse == len(pairs) > 16
    assert seen.p == drawn_p(pairs, 9)
    assert (seen.seed, seen.flips) == (9, 9_999)


@pytest.mark.parametrize(
    ("wins", "losses", "seed", "p"),
    [
        pytest.param(17, 0, 1, "1/10000", id="never less than 1 in 10,000"),
        pytest.param(20, 8, 1, "341/10000", id="20 to 8; the binomial says 0.0357"),
        pytest.param(20, 8, 2, "383/10000", id="20 to 8, another seed"),
        pytest.param(60, 45, 1, "821/5000", id="60 to 45; the binomial says 0.1715"),
        pytest.param(10, 10, 1, "1", id="as many won as lost"),
    ],
)
def test_same_digits_everywhere(wins, losses, seed, p):
    assert duel(wins, losses, 40, seed=seed).p == Fraction(p)


def test_impossible_tasks_are_refused():
    adding = PairedDifferences(HALVES)
    one = Fraction(1)
    with pytest.raises(ValueError, match="no category of this suite: 'x'"):
        adding.add("x", one, one, one)
    for weight, first, second in [(0, 1, 1), (-1, 1, 1), (1, 2, 1), (1, -1, 1), (1, 1, 2), (1, 1, -1)]:
        with pytest.raises(ValueError, match="a task needs a weight above 0 and credits in 0–1"):
            adding.add("a", Fraction(weight), Fraction(first), Fraction(second))
    adding.add("a", one, one, one)
    with pytest.raises(ValueError, match="'b' has no items"):
        adding.compare(seed=1)


@given(tasks, st.randoms(use_true_random=False))
def test_order_of_tasks_never_matters_and_sides_mirror(rows, random):
    seen = compared(rows, HALVES)
    assert compared(random.sample(rows, len(rows)), HALVES) == seen
    mirrored = compared([(c, w, second, first) for c, w, first, second in rows], HALVES)
    assert (mirrored.difference, mirrored.p) == (-seen.difference, seen.p)
    assert (mirrored.better, mirrored.worse) == (seen.worse, seen.better)


@given(
    st.lists(st.integers(-12, 12), min_size=17, max_size=60).filter(lambda d: sum(x != 0 for x in d) > 16),
    st.randoms(use_true_random=False),
)
def test_order_of_tasks_never_matters_when_signs_are_drawn(differences, random):
    rows = [("a", 1, Fraction(max(d, 0), 12), Fraction(max(-d, 0), 12)) for d in differences]
    assert compared(random.sample(rows, len(rows)), seed=3) == compared(rows, seed=3)
