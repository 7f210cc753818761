"""Sets of characters, and the same but for case, against Python's `re` (FND-30)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.automaton.chars import CATEGORIES, CharSet, bounds_of, case_key, same_but_case

ALL = "".join(map(chr, range(0x110000)))
CASED = "".join(char for char in ALL if len({char, char.lower(), char.upper(), char.title()}) > 1)


@pytest.mark.parametrize("letter", "dwsDWS")
def test_categories_are_those_of_re_for_every_code_point(letter: str) -> None:
    """FND-30: \\d, \\w and \\s agree with `re` on text."""
    matched = set(re.findall(f"\\{letter}", ALL))
    assert [char for char in ALL if CATEGORIES[letter](char) != (char in matched)] == []


def test_the_same_but_case_is_that_of_re_for_every_character_with_a_case() -> None:
    """FND-30: (?i) agrees with `re` on text, odd ones such as ſ, the Kelvin sign and İ included."""
    assert len(CASED) > 2_700
    different = [char for char in CASED if set(same_but_case(char)) != set(re.findall(f"(?i){re.escape(char)}", CASED))]
    assert different == []


def test_a_character_without_case_is_the_same_as_itself_alone() -> None:
    assert [same_but_case(char) for char in "1_ 字\U0001f600\U000e0041"] == list("1_ 字\U0001f600\U000e0041")
    assert set(same_but_case("K")) == set("kK\u212a")
    assert case_key("\u212a") == case_key("k") == "K"
    assert case_key("İ") == case_key("ı") == "I"


@pytest.mark.parametrize(
    ("ranges", "bounds"),
    [
        pytest.param([], (), id="none"),
        pytest.param([(5, 5)], (5, 6), id="one"),
        pytest.param([(5, 7), (1, 2)], (1, 3, 5, 8), id="sorted"),
        pytest.param([(1, 2), (3, 4)], (1, 5), id="touching"),
        pytest.param([(1, 9), (3, 4)], (1, 10), id="inside another"),
        pytest.param([(1, 4), (3, 9)], (1, 10), id="overlapping"),
        pytest.param([(1, 2), (4, 4)], (1, 3, 4, 5), id="a gap of one"),
    ],
)
def test_bounds_join_ranges(ranges: list[tuple[int, int]], bounds: tuple[int, ...]) -> None:
    assert bounds_of(ranges) == bounds


RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: tuple(sorted(pair))), max_size=5)


@given(RANGES, st.integers(0, 41))
def test_a_set_holds_what_its_ranges_hold(ranges: list[tuple[int, int]], code: int) -> None:
    inside = any(low <= code <= high for low, high in ranges)
    assert (chr(code) in CharSet(bounds_of(ranges))) is inside
    assert (chr(code) in CharSet(bounds_of(ranges), negated=True)) is not inside


@pytest.mark.parametrize(
    ("charset", "inside", "outside"),
    [
        pytest.param(CharSet(categories="d"), "7\u0663", "x", id="\\d"),
        pytest.param(CharSet(bounds_of([(97, 97)]), "d"), "a7", "A", id="a or \\d"),
        pytest.param(CharSet(bounds_of([(97, 97)]), "d", negated=True), "Ab", "a7", id="neither a nor \\d"),
        pytest.param(CharSet(bounds_of([(97, 97)]), any_case=True), "aA", "b", id="a in any case"),
        pytest.param(CharSet(bounds_of([(75, 75)]), negated=True, any_case=True), "a", "kK\u212a", id="no k"),
        pytest.param(CharSet(categories="DS"), "7a ", "", id="\\D or \\S is anything"),
        pytest.param(CharSet(negated=True), "a\n", "", id="anything"),
    ],
)
def test_sets(charset: CharSet, inside: str, outside: str) -> None:
    assert [char for char in inside if char not in charset] == []
    assert [char for char in outside if char in charset] == []
