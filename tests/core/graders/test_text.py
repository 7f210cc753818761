"""Normalising texts: NFKC with a bound on combining marks, and idempotence."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.graders.text import MAX_MARKS, STEPS, nfkc, normal

MARKS = "\u0323\u0301"  # in the order that composition wants them; the other way round they change places


@pytest.mark.parametrize(
    ("marks", "normalised"),
    [pytest.param(MAX_MARKS, True, id="64 in a row"), pytest.param(MAX_MARKS + 1, False, id="65 in a row")],
)
def test_texts_with_many_combining_marks_in_a_row_are_left_as_they_are(marks: int, normalised: bool) -> None:
    """FND-30: sorting marks takes the square of their number, so the number is bounded."""
    text = "ﬁ e" + "\u0301\u0323" * (marks // 2) + "\u0301" * (marks % 2) + "z"
    assert (nfkc(text) == unicodedata.normalize("NFKC", text)) is normalised
    assert (nfkc(text) == text) is not normalised


def test_marks_of_several_letters_are_not_a_row() -> None:
    text = ("e" + MARKS[::-1] * 30) * 50
    assert nfkc(text) == unicodedata.normalize("NFKC", text) != text


@given(st.text())
def test_nfkc_is_pythons(text: str) -> None:
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


@given(st.text(), st.lists(st.sampled_from(STEPS), unique=True), st.booleans())
def test_normalising_twice_changes_nothing(text: str, steps: list[str], casefold: bool) -> None:
    once = normal(text, steps, casefold)
    assert normal(once, steps, casefold) == once


@pytest.mark.parametrize(
    ("steps", "casefold", "expected"),
    [
        pytest.param(STEPS, False, "ﬁ Ä".replace("ﬁ", "fi"), id="all steps"),
        pytest.param((), False, " ﬁ \t Ä\n", id="none"),
        pytest.param(("trim",), False, "ﬁ \t Ä", id="trim"),
        pytest.param(("collapse",), False, " ﬁ Ä ", id="collapse"),
        pytest.param(("nfkc",), False, " fi \t Ä\n", id="nfkc"),
        pytest.param(("trim",), True, "fi \t ä", id="trim and fold"),
    ],
)
def test_each_step_does_its_own_and_no_more(steps: tuple[str, ...], casefold: bool, expected: str) -> None:
    """RUN-20: stated normalisation."""
    assert normal(" ﬁ \t Ä\n", steps, casefold) == expected


def test_folding_is_followed_by_composition() -> None:
    """Folded text is composed again: U+0345 under an alpha folds to iota, and the rest must still meet."""
    one, other = "\u03b1\u0345\u0301", "\u03b1\u0301\u0345"
    assert normal(one, STEPS, True) == normal(other, STEPS, True)
    assert normal("ᾼX", STEPS, True) == unicodedata.normalize("NFKC", normal("ᾼX", STEPS, True))
