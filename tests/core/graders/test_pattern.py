"""pattern/1: the answer fits a regular expression (RUN-20, RUN-21). What fits what is in tests/core/automaton."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from trigpoint.core.errors import SuiteError
from trigpoint.core.graders import GRADERS
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Grade, GraderSpec

PATTERN = GRADERS["pattern/1"]


def graded(answer: str, expected: Any, **options: Any) -> Grade:
    spec = GraderSpec(rule="pattern/1", expected=expected, options=options)
    PATTERN.check(spec, "here")
    return PATTERN.grade(answer, spec)


@pytest.mark.parametrize(
    ("answer", "expected", "options", "right"),
    [
        pytest.param("42", r"\d+", {}, True, id="the whole answer"),
        pytest.param("42 apples", r"\d+", {}, False, id="a part of it"),
        pytest.param("42\n", r"\d+", {}, False, id="a line feed more"),
        pytest.param("42 apples", r"\d+", {"search": True}, True, id="a part, with search"),
        pytest.param("no number", r"\d+", {"search": True}, False, id="no part"),
        pytest.param("42", r"\d+", {"search": False}, True, id="search switched off"),
        pytest.param("x42", r"\d+", {"search": False}, False, id="search switched off: a part"),
        pytest.param("YES", "yes|no", {}, False, id="another case"),
        pytest.param("YES", "yes|no", {"casefold": True}, True, id="another case, with casefold"),
        pytest.param("YES", "(?i)yes|no", {}, True, id="another case, with the flag"),
        pytest.param("a\nb", "a.b", {}, False, id="dot and line feed"),
        pytest.param("a\nb", "a.b", {"dotall": True}, True, id="with dotall"),
        pytest.param("a\nb", "^b$", {"search": True}, False, id="a line"),
        pytest.param("a\nb", "^b$", {"search": True, "multiline": True}, True, id="with multiline"),
    ],
)
def test_an_answer_is_right_when_it_fits(answer: str, expected: str, options: dict[str, bool], right: bool) -> None:
    """RUN-20, RUN-21: regular expression, full match by default, 0 or 1."""
    grade = graded(answer, expected, **options)
    assert grade.outcome is (Outcome.CORRECT if right else Outcome.INCORRECT)
    assert grade.credit == int(right)
    assert grade.grader == "pattern/1"


def test_the_reason_says_what_did_not_fit() -> None:
    assert graded("a", "a").reason == ""
    assert graded("ab", "a").reason == '"ab" does not fit'
    assert graded("b", "a", search=True).reason == '"b" holds nothing that fits'


def test_an_answer_that_takes_too_many_steps_is_not_scorable() -> None:
    """FND-30: beyond the step cap there is no verdict, and no credit that looks like one."""
    grade = graded("a" * 100_000, "(?:a|b)*a(?:a|b){300}c")
    assert grade.outcome is Outcome.NOT_SCORABLE
    assert grade.credit is None
    assert grade.reason == "the pattern takes more than 10,000,000 steps on this answer"
    assert grade.grader == "pattern/1"
    assert graded("a" * 1_000, "(?:a|b)*a(?:a|b){300}c").credit == Fraction(0)


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        pytest.param(
            "(?=a)a",
            {},
            'x:3: expected: expected the supported subset, found lookahead ("(?=") at character 1',
            id="pattern",
        ),
        pytest.param(
            "a{",
            {},
            'x:3: expected: expected the supported subset, found "{" with nothing before it to repeat at character 2.'
            " Write \\{ for the character.",
            id="with advice",
        ),
        pytest.param("", {}, 'x:3: expected: expected a pattern, as text, found ""', id="empty"),
        pytest.param(["a"], {}, "x:3: expected: expected a pattern, as text, found an array of 1", id="list"),
        pytest.param("a", {"search": "yes"}, 'x:3: options.search: expected true or false, found "yes"', id="search"),
        pytest.param("a", {"casefold": 0}, "x:3: options.casefold: expected true or false, found the number 0", id="0"),
        pytest.param("a", {"dotall": None}, "x:3: options.dotall: expected true or false, found null", id="dotall"),
        pytest.param("a", {"multiline": []}, "x:3: options.multiline: expected true or false, found an array of 0",
                     id="line"),
        pytest.param(
            "a",
            {"normalize": []},
            'x:3: options: expected options out of search, casefold, multiline, dotall, found "normalize".'
            " Remove it, or see the page of graders.",
            id="option of another rule",
        ),
    ],
)  # fmt: skip
def test_a_spec_that_cannot_be_used_is_refused(expected: Any, options: dict[str, Any], message: str) -> None:
    """FND-30: what the subset lacks is said, with its place."""
    with pytest.raises(SuiteError) as raised:
        PATTERN.check(GraderSpec(rule="pattern/1", expected=expected, options=options), "x:3")
    assert str(raised.value) == message
