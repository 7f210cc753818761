"""exact/1: one of the accepted texts after stated normalisation (RUN-20, RUN-21)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.errors import SuiteError
from trigpoint.core.graders import GRADERS
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Grade, GraderSpec

EXACT = GRADERS["exact/1"]


def graded(answer: str, expected: Any, **options: Any) -> Grade:
    spec = GraderSpec(rule="exact/1", expected=expected, options=options)
    EXACT.check(spec, "here")
    return EXACT.grade(answer, spec)


def is_right(answer: str, expected: Any, **options: Any) -> bool:
    grade = graded(answer, expected, **options)
    assert grade.credit == (1 if grade.outcome is Outcome.CORRECT else 0)
    assert grade.outcome in (Outcome.CORRECT, Outcome.INCORRECT)
    return grade.outcome is Outcome.CORRECT


@pytest.mark.parametrize(
    ("answer", "expected", "options", "right"),
    [
        pytest.param("Paris", "Paris", {}, True, id="the same"),
        pytest.param("paris", "Paris", {}, False, id="another case"),
        pytest.param("paris", "Paris", {"casefold": True}, True, id="another case, folded"),
        pytest.param("paris", "Paris", {"casefold": False}, False, id="folding switched off"),
        pytest.param("Pari", "Paris", {}, False, id="one letter short"),
        pytest.param("Paris.", "Paris", {}, False, id="a full stop more"),
        pytest.param("Paris, France", "Paris", {}, False, id="holds the right text"),
        pytest.param("The answer is Paris", "Paris", {}, False, id="ends with the right text"),
        pytest.param(" Paris \n", "Paris", {}, True, id="white space at the ends"),
        pytest.param("New  \n York", "New York", {}, True, id="a run of white space"),
        pytest.param("New\u00a0York", "New York", {}, True, id="a no-break space"),
        pytest.param("NewYork", "New York", {}, False, id="no white space"),
        pytest.param("New\u200bYork", "New York", {}, False, id="a zero-width space is no white space"),
        pytest.param("Ｐａｒｉｓ", "Paris", {}, True, id="full width"),
        pytest.param("cafe\u0301", "caf\u00e9", {}, True, id="a combining accent"),
        pytest.param("ﬁn", "fin", {}, True, id="a ligature"),
        pytest.param("10²", "102", {}, True, id="NFKC flattens a superscript: stated, and so be it"),
        pytest.param("STRASSE", "straße", {"casefold": True}, True, id="folding is more than lower case"),
        pytest.param("strasse", "straße", {}, False, id="no folding"),
        pytest.param("Paris", ["London", "Paris"], {}, True, id="one of two"),
        pytest.param("London", ["London", "Paris"], {}, True, id="the other of two"),
        pytest.param("LondonParis", ["London", "Paris"], {}, False, id="both of two"),
        pytest.param("Paris", "  Paris ", {}, True, id="the accepted text is normalised too"),
        pytest.param("PARIS", ["x", " paris"], {"casefold": True}, True, id="folded and one of two"),
        # listed steps alone
        pytest.param(" Paris", "Paris", {"normalize": []}, False, id="no steps: white space counts"),
        pytest.param("Paris", "Paris", {"normalize": []}, True, id="no steps: the same"),
        pytest.param("paris", "PARIS", {"normalize": [], "casefold": True}, True, id="folding alone"),
        pytest.param("cafe\u0301", "caf\u00e9", {"normalize": ["trim", "collapse"]}, False, id="no NFKC"),
        pytest.param("Ｐ  Q", "P  Q", {"normalize": ["nfkc"]}, True, id="NFKC alone"),
        pytest.param("Ｐ  Q", "P Q", {"normalize": ["nfkc"]}, False, id="NFKC alone collapses nothing"),
        pytest.param("\nP", "P", {"normalize": ["trim"]}, True, id="trim alone"),
        pytest.param("P  Q", "P Q", {"normalize": ["trim"]}, False, id="trim alone collapses nothing"),
        pytest.param("P \t Q", "P Q", {"normalize": ["collapse"]}, True, id="collapse alone"),
        pytest.param("P Q ", "P Q", {"normalize": ["collapse"]}, False, id="collapse alone trims nothing"),
        pytest.param(" x ", "x", {"normalize": ["collapse", "nfkc", "trim"]}, True, id="in any order"),
    ],
)
def test_an_answer_is_right_when_it_equals_an_accepted_text(
    answer: str, expected: Any, options: dict[str, Any], right: bool
) -> None:
    """RUN-20, RUN-21: exact match, 0 or 1; Unicode NFKC, trim, collapse, optional case folding, listed per task."""
    assert is_right(answer, expected, **options) is right


def test_the_reason_shows_what_was_found() -> None:
    assert graded("Paris", "Paris") == Grade(outcome=Outcome.CORRECT, credit=Fraction(1), grader="exact/1")
    assert graded("  pari", "Paris") == Grade(
        outcome=Outcome.INCORRECT, credit=Fraction(0), reason='"pari" is not an accepted text', grader="exact/1"
    )
    assert graded("a\u202eb", "x").reason == "'a\\u202eb' is not an accepted text"
    assert graded("y" * 60, "x").reason == f'"{"y" * 60}" is not an accepted text'
    assert graded("y" * 61, "x").reason == f'"{"y" * 60}"… (61 characters) is not an accepted text'
    assert graded("y" * 1234, "x").reason == f'"{"y" * 60}"… (1,234 characters) is not an accepted text'


TEXTS = 'items.jsonl:3: expected: expected a text or a list of texts, found {}. Write it in quotes: "42".'
BLANK = "items.jsonl:3: expected: expected a text with something in it, found {}. An empty answer is missing."
COUNT = "items.jsonl:3: expected: expected a text or a list of 1 to 100 texts, found an array of {}"
FLAG = "items.jsonl:3: options.casefold: expected true or false, found {}"
STEPS = 'items.jsonl:3: options.normalize: expected a list out of "nfkc", "trim", "collapse", found {}'


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        pytest.param(42, {}, TEXTS.format("the number 42"), id="number"),
        pytest.param(None, {}, TEXTS.format("null"), id="null"),
        pytest.param(True, {}, TEXTS.format("true"), id="true"),
        pytest.param(False, {}, TEXTS.format("false"), id="false"),
        pytest.param({"a": 1}, {}, TEXTS.format("an object of 1"), id="object"),
        pytest.param(["a", Decimal("1.50")], {}, TEXTS.format("the number 1.50"), id="one number"),
        pytest.param(10**61, {}, TEXTS.format("a huge integer"), id="huge number"),
        pytest.param(10**60, {}, TEXTS.format(f"the number {10**60}"), id="large number"),
        pytest.param(Decimal("9" * 81), {}, TEXTS.format(f"the number {'9' * 80}"), id="long number"),
        pytest.param(b"a", {}, TEXTS.format("bytes"), id="bytes"),
        pytest.param([], {}, COUNT.format(0), id="no texts"),
        pytest.param(["a"] * 101, {}, COUNT.format(101), id="too many"),
        pytest.param("", {}, BLANK.format('""'), id="empty"),
        pytest.param(["a", " \n"], {}, BLANK.format("' \\n'"), id="one blank"),
        pytest.param(" ", {"normalize": []}, BLANK.format('" "'), id="a space"),
        pytest.param("a", {"casefold": 1}, FLAG.format("the number 1"), id="flag as number"),
        pytest.param("a", {"casefold": "yes"}, FLAG.format('"yes"'), id="flag as text"),
        pytest.param("a", {"casefold": None}, FLAG.format("null"), id="flag as null"),
        pytest.param("a", {"normalize": "nfkc"}, STEPS.format('"nfkc"'), id="steps as text"),
        pytest.param("a", {"normalize": ["nfc"]}, STEPS.format("an array of 1"), id="unknown step"),
        pytest.param("a", {"normalize": ["trim", "trim"]}, STEPS.format("an array of 2"), id="a step twice"),
        pytest.param("a", {"normalize": [["trim"]]}, STEPS.format("an array of 1"), id="a step in a list"),
    ],
)
def test_a_spec_that_cannot_be_met_is_refused(expected: Any, options: dict[str, Any], message: str) -> None:
    """RUN-11: errors name the place, the field, what was expected and found."""
    with pytest.raises(SuiteError) as raised:
        EXACT.check(GraderSpec(rule="exact/1", expected=expected, options=options), "items.jsonl:3")
    assert str(raised.value) == message


def test_a_hundred_texts_may_be_accepted() -> None:
    assert is_right("t99", [f"t{number}" for number in range(100)])


@given(st.text(min_size=1), st.text(), st.booleans())
def test_the_same_normalisation_stands_on_both_sides(one: str, other: str, casefold: bool) -> None:
    """What is accepted is right as an answer, and being equal has no direction."""
    if not one.strip():
        return
    assert is_right(one, one, casefold=casefold)
    if other.strip():
        assert is_right(one, other, casefold=casefold) is is_right(other, one, casefold=casefold)


@given(st.text("aAbBäÄéÉ ßK\u212aſ", min_size=1), st.sampled_from([str.upper, str.lower, str.title]))
def test_the_case_never_matters_when_folded(text: str, turned: Any) -> None:
    if text.strip():
        assert is_right(turned(text), text, casefold=True)
