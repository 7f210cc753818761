"""What graders share: options, errors, reasons (RUN-11, RUN-20)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from trigpoint.core.errors import SuiteError
from trigpoint.core.graders import base, text, value
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Grade, GraderSpec


def test_a_flag_is_true_or_false_and_false_by_default() -> None:
    flag = base.flag()
    assert flag.default is False
    assert base.flag(True).default is True
    assert flag.expected == "true or false"
    assert [flag.accepts(found) for found in (True, False, 1, 0, "true", None)] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_one_of_a_few_names_begins_with_the_default() -> None:
    option = base.one_of("allow", "forbid")
    assert (option.default, option.expected) == ("allow", '"allow" or "forbid"')
    assert [option.accepts(found) for found in ("allow", "forbid", "no", "", None, ["allow"])] == [True, True] + [
        False
    ] * 4


def test_text_options_are_the_steps_and_folding() -> None:
    """RUN-20: the normalisation is listed per task."""
    options = text.text_options()
    assert list(options) == ["normalize", "casefold"]
    assert options["normalize"].default == ("nfkc", "trim", "collapse")
    assert text.text_options(("trim",))["normalize"].default == ("trim",)
    assert text.text_options(())["normalize"].default == ()
    assert options["normalize"].expected == 'a list out of "nfkc", "trim", "collapse"'
    accepts = options["normalize"].accepts
    assert [accepts(found) for found in ([], ("trim",), ["collapse", "nfkc"])] == [True] * 3
    assert [accepts(found) for found in ("trim", ["trim", "trim"], ["fold"], None, {"trim": 1}, [["trim"]])] == [
        False
    ] * 6
    assert options["casefold"].default is False
    assert options["casefold"].accepts(True)
    assert not options["casefold"].accepts(1)


def test_options_are_checked_by_name_and_value() -> None:
    known = {"deep": base.flag(), "mode": base.one_of("a", "b")}
    base.check_options({}, known, "x")
    base.check_options({"mode": "b", "deep": True}, known, "x")
    with pytest.raises(SuiteError) as raised:
        base.check_options({"deep": True, "wide": 1}, known, "x:1")
    unknown = 'x:1: options: expected options out of deep, mode, found "wide". Remove it, or see the page of graders.'
    assert str(raised.value) == unknown
    with pytest.raises(SuiteError) as raised:
        base.check_options({"mode": "c"}, known, "x:1")
    assert str(raised.value) == 'x:1: options.mode: expected "a" or "b", found "c"'
    with pytest.raises(SuiteError, match='x:1: options: expected no options, found "wide"'):
        base.check_options({"wide": 1}, {}, "x:1")


def test_a_credit_has_its_outcome() -> None:
    """RUN-22: full credit alone is correct."""
    assert base.right("r/1") == base.graded("r/1", Fraction(1))
    assert base.wrong("r/1", "why") == base.graded("r/1", Fraction(0), "why")
    partial = Grade(outcome=Outcome.PARTIAL, credit=Fraction(1, 3), reason="some", grader="r/1")
    assert base.graded("r/1", Fraction(1, 3), "some") == partial
    assert base.unreadable("r/1", "why") == Grade(
        outcome=Outcome.FORMAT_NOT_RECOGNISED, credit=Fraction(0), reason="why", grader="r/1"
    )
    assert base.not_scorable("r/1", "why") == Grade(
        outcome=Outcome.NOT_SCORABLE, credit=None, reason="why", grader="r/1"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("plain_1", "plain_1", id="plain"),
        pytest.param("k" * 60, "k" * 60, id="60 characters"),
        pytest.param("k" * 61, f'"{"k" * 59}… (63 characters)', id="61 characters"),
        pytest.param("two words", '"two words"', id="a space"),
        pytest.param("", '""', id="empty"),
        pytest.param("é", '"é"', id="not ASCII"),
        pytest.param("\u202e", "'\\u202e'", id="bidi"),
    ],
)
def test_names_are_shown_short_and_harmless(name: str, shown: str) -> None:
    assert base.short(name) == shown


def test_lists_of_names_end_after_five() -> None:
    assert base.listed([]) == ""
    assert base.listed(["a", "b"]) == "a, b"
    assert base.listed(list("abcde")) == "a, b, c, d, e"
    assert base.listed(list("abcdef")) == "a, b, c, d, e and 1 more"
    assert base.listed(["x"] * 2005, str.upper) == "X, X, X, X, X and 2,000 more"


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        pytest.param(["a", "b"], "", id="different"),
        pytest.param(["a", "a"], "a list without doubles", id="doubled"),
        pytest.param([], "something", id="refused before"),
    ],
)
def test_doubles_are_looked_for_in_what_else_is_right(items: list[Any], wanted: str) -> None:
    spec = GraderSpec(rule="value/1", expected=items)
    wants = value._wants_different(lambda spec: "" if spec.expected else "something", lambda item, spec: item)
    assert wants(spec) == wanted
