"""Holm's adjustment and rank bands (STA-05, RUN-32)."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics.ranking import holm, rank_bands


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        pytest.param([], [], id="no pairs"),
        pytest.param(["0.03"], ["0.03"], id="one pair stays as it is"),
        pytest.param(["0.01", "0.04", "0.03", "0.005"], ["0.03", "0.06", "0.06", "0.02"], id="the textbook's four"),
        pytest.param(["0.04", "0.04", "0.04"], ["0.12", "0.12", "0.12"], id="equals stay equal"),
        pytest.param(["0.02", "0.021"], ["0.04", "0.04"], id="none gets less than a smaller one"),
        pytest.param(["0.9", "0.5"], ["1", "1"], id="exactly 1"),
        pytest.param(["0.9", "0.6"], ["1", "1"], id="none more than 1"),
        pytest.param(["0.6", "0.01"], ["0.6", "0.02"], id="order given is kept"),
    ],
)
def test_holm(p_values, adjusted):
    assert holm([Fraction(p) for p in p_values]) == [Fraction(p) for p in adjusted]


ALL_CLEAR = Fraction(1, 1000)


def bands(scores, *unclear):
    """Rank bands where all pairs are clear but those named."""
    p_values = dict.fromkeys(combinations(range(len(scores)), 2), ALL_CLEAR)
    p_values |= dict.fromkeys(unclear, Fraction(1, 2))
    return [str(band) for band in rank_bands([Fraction(score) for score in scores], p_values)]


@pytest.mark.parametrize(
    ("scores", "unclear", "expected"),
    [
        pytest.param([], [], [], id="nobody"),
        pytest.param([5], [], ["1"], id="alone"),
        pytest.param([9, 8, 7], [], ["1", "2", "3"], id="all clear"),
        pytest.param([7, 9, 8], [], ["3", "1", "2"], id="all clear, in the order given"),
        pytest.param([9, 8, 7], [(0, 1), (0, 2), (1, 2)], ["1–3", "1–3", "1–3"], id="none clear"),
        pytest.param([9, 8, 7, 6], [(0, 1), (2, 3)], ["1–2", "1–2", "3–4", "3–4"], id="two bands"),
        pytest.param([6, 9, 7, 8], [(1, 3), (0, 2)], ["3–4", "1–2", "3–4", "1–2"], id="two bands, in the order given"),
        pytest.param([9, 8, 7], [(0, 1), (1, 2)], ["1–3", "1–3", "1–3"], id="a chain is one band"),
        pytest.param([9, 8, 7], [(0, 2)], ["1–3", "1–3", "1–3"], id="what ranks between is in the band"),
        pytest.param([9, 8, 7, 6], [(1, 2)], ["1", "2–3", "2–3", "4"], id="a band in the middle"),
        pytest.param([9, 8, 7], [(1, 2)], ["1", "2–3", "2–3"], id="a band at the end"),
    ],
)
def test_entries_whose_difference_is_not_clear_share_a_band(scores, unclear, expected):
    """RUN-32: "1–3"."""
    assert bands(scores, *unclear) == expected


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        pytest.param("0.0166", ["1", "2", "3"], id="clear after Holm: 3 × 0.0166 < 0.05"),
        pytest.param("0.0167", ["1–3", "1–3", "1–3"], id="not clear after Holm: 3 × 0.0167 > 0.05"),
    ],
)
def test_bands_are_drawn_after_holm(p, expected):
    p_values = dict.fromkeys([(0, 1), (0, 2), (1, 2)], Fraction(p))
    assert [str(band) for band in rank_bands([Fraction(3), Fraction(2), Fraction(1)], p_values)] == expected


def test_exactly_5_in_100_is_clear():
    assert [str(band) for band in rank_bands([Fraction(1), Fraction(0)], {(0, 1): Fraction(5, 100)})] == ["1", "2"]


@pytest.mark.parametrize("pairs", [[(0, 1)], [(0, 1), (0, 2), (1, 2), (2, 3)], [(1, 0), (0, 2), (1, 2)]])
def test_every_pair_is_needed_and_no_other(pairs):
    with pytest.raises(ValueError, match="each of the 3 pairs"):
        rank_bands([Fraction(3), Fraction(2), Fraction(1)], dict.fromkeys(pairs, ALL_CLEAR))


@given(
    st.lists(st.integers(0, 9), max_size=6).flatmap(
        lambda scores: st.tuples(
            st.just(scores),
            st.lists(
                st.fractions(0, 1, max_denominator=200),
                min_size=len(scores) * (len(scores) - 1) // 2,
                max_size=len(scores) * (len(scores) - 1) // 2,
            ),
        )
    )
)
def test_bands_partition_the_ranks_and_join_what_is_not_clear(case):
    scores, p_list = case
    pairs = list(combinations(range(len(scores)), 2))
    found = rank_bands([Fraction(score) for score in scores], dict(zip(pairs, p_list, strict=True)))
    for (i, j), adjusted in zip(pairs, holm(p_list), strict=True):
        assert adjusted <= Fraction(5, 100) or found[i] == found[j]
        assert (
            found[i] == found[j]
            or (found[i].last < found[j].first) == (scores[i] > scores[j])
            or scores[i] == scores[j]
        )
    for band in found:
        assert found.count(band) == band.last - band.first + 1
