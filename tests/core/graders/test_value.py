"""value/1: numbers, dates, sets and ordered lists by their value, 0 or 1 (RUN-20)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.errors import InternalError, SuiteError
from trigpoint.core.graders import GRADERS
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Grade, GraderSpec

VALUE = GRADERS["value/1"]
RIGHT, WRONG, UNSURE = Outcome.CORRECT, Outcome.INCORRECT, Outcome.NOT_SCORABLE
SET, LIST = {"kind": "set"}, {"kind": "list"}
NUMBERS, ORDERED = {"kind": "set", "items": "number"}, {"kind": "list", "items": "number"}
ABSOLUTE, RELATIVE = "absolute_tolerance", "relative_tolerance"


def graded(answer: str, expected: Any, options: dict[str, Any] | None = None) -> Grade:
    spec = GraderSpec(rule="value/1", expected=expected, options=options or {})
    VALUE.check(spec, "here")
    return VALUE.grade(answer, spec)


def outcome(answer: str, expected: Any, options: dict[str, Any] | None = None) -> Outcome:
    grade = graded(answer, expected, options)
    assert grade.credit == {RIGHT: Fraction(1), WRONG: Fraction(0), UNSURE: None}[grade.outcome]
    assert grade.grader == "value/1"
    return grade.outcome


@pytest.mark.parametrize(
    ("answer", "expected", "options", "verdict"),
    [
        pytest.param("42", 42, {}, RIGHT, id="a number"),
        pytest.param("42.0", 42, {"kind": "number"}, RIGHT, id="another spelling"),
        pytest.param("41", 42, {}, WRONG, id="another number"),
        pytest.param("42.000000000000000001", 42, {}, WRONG, id="nearly"),
        pytest.param("-42", 42, {}, WRONG, id="another sign"),
        pytest.param("1/3", "1/3", {}, RIGHT, id="a fraction"),
        pytest.param("0.333", "1/3", {}, WRONG, id="nearly a fraction"),
        pytest.param("0.1", 0.1, {}, RIGHT, id="a double is what it is written as"),
        pytest.param("0.1", Decimal("0.1"), {}, RIGHT, id="a decimal"),
        pytest.param("1,234", 1234, {}, RIGHT, id="grouped"),
        pytest.param("1234", "1,234", {}, RIGHT, id="grouped in the suite"),
        pytest.param("50%", 0.5, {}, RIGHT, id="percent is a hundredth"),
        pytest.param("50", "50%", {}, WRONG, id="and only then"),
        pytest.param("50%", 50, {"unit": "%"}, RIGHT, id="percent as the unit"),
        pytest.param("5 km", 5, {"unit": "km"}, RIGHT, id="with its unit"),
        pytest.param("5 kilometres", 5, {"unit": ["km", "kilometres"]}, RIGHT, id="with another spelling of it"),
        pytest.param("5", "5 km", {"unit": "km"}, RIGHT, id="unit in the suite"),
        pytest.param("5 miles", 5, {"unit": "km"}, UNSURE, id="with another unit"),
        pytest.param("5 km", 5, {}, UNSURE, id="with a unit nobody named"),
        # what can't be read surely, and what holds no number
        pytest.param("3 or 4", 3, {}, UNSURE, id="two numbers"),
        pytest.param("6 911", 6911, {}, UNSURE, id="one number or two"),
        pytest.param("1 1/2", 1.5, {}, UNSURE, id="a mixed number"),
        pytest.param("x = 42", 42, {}, UNSURE, id="an equation"),
        pytest.param("10²", 100, {}, UNSURE, id="a power"),
        pytest.param("forty-two", 42, {}, WRONG, id="words"),
        pytest.param("I don't know", 42, {}, WRONG, id="no number"),
        pytest.param("1/0", 1, {}, UNSURE, id="no value"),
        # tolerances, their edge included
        pytest.param("10.5", 10, {ABSOLUTE: 0.5}, RIGHT, id="absolute, at the edge above"),
        pytest.param("9.5", 10, {ABSOLUTE: "1/2"}, RIGHT, id="absolute, at the edge below"),
        pytest.param("10.51", 10, {ABSOLUTE: Decimal("0.5")}, WRONG, id="absolute, beyond"),
        pytest.param("9.49", 10, {ABSOLUTE: 0.5}, WRONG, id="absolute, beyond below"),
        pytest.param("101", 100, {RELATIVE: 0.01}, RIGHT, id="relative, at the edge above"),
        pytest.param("99", 100, {RELATIVE: "1%"}, RIGHT, id="relative, at the edge below"),
        pytest.param("101.01", 100, {RELATIVE: 0.01}, WRONG, id="relative, beyond"),
        pytest.param("-101", -100, {RELATIVE: 0.01}, RIGHT, id="relative to the size"),
        pytest.param("0.001", 0, {RELATIVE: 1}, WRONG, id="relative to nothing"),
        pytest.param("0.001", 0, {RELATIVE: 1, ABSOLUTE: 0.001}, RIGHT, id="either of two"),
        pytest.param("103", 100, {RELATIVE: 0.03, ABSOLUTE: 1}, RIGHT, id="the other of two"),
        pytest.param("104", 100, {RELATIVE: 0.03, ABSOLUTE: 1}, WRONG, id="neither, though both together"),
        pytest.param("0.1", "1/10", {ABSOLUTE: 0}, RIGHT, id="a tolerance of none"),
        pytest.param("0.30000000000000004", 0.3, {ABSOLUTE: 1e-17}, WRONG, id="a tolerance below a double's"),
        pytest.param("1e9999", 1, {RELATIVE: 1}, WRONG, id="far away"),
    ],
)
def test_numbers(answer: str, expected: Any, options: dict[str, Any], verdict: Outcome) -> None:
    """RUN-20: numbers with absolute and relative tolerance; exact decimals, 0 or 1."""
    assert outcome(answer, expected, options) is verdict


@pytest.mark.parametrize(
    ("answer", "expected", "verdict"),
    [
        pytest.param("2024-03-05", "2024-03-05", RIGHT, id="as expected"),
        pytest.param("5 March 2024", "2024-03-05", RIGHT, id="another spelling"),
        pytest.param("2024-03-05", "March 5, 2024", RIGHT, id="another spelling in the suite"),
        pytest.param("2024-03-06", "2024-03-05", WRONG, id="another day"),
        pytest.param("5 May 2024", "2024-03-05", WRONG, id="another month"),
        pytest.param("5 March 2023", "2024-03-05", WRONG, id="another year"),
        pytest.param("2024-02-30", "2024-03-01", WRONG, id="no such day"),
        pytest.param("03/05/2024", "2024-03-05", UNSURE, id="March or May"),
        pytest.param("2024-03-05 or 2024-03-06", "2024-03-05", UNSURE, id="one of two"),
        pytest.param("yesterday", "2024-03-05", WRONG, id="no date"),
    ],
)
def test_dates(answer: str, expected: str, verdict: Outcome) -> None:
    """RUN-20: dates."""
    assert outcome(answer, expected, {"kind": "date"}) is verdict


@pytest.mark.parametrize(
    ("answer", "expected", "options", "verdict"),
    [
        pytest.param("a, b, c", ["a", "b", "c"], SET, RIGHT, id="set, in order"),
        pytest.param("c,a , b", ["a", "b", "c"], SET, RIGHT, id="set, in another order"),
        pytest.param("a, b", ["a", "b", "c"], SET, WRONG, id="set, one missing"),
        pytest.param("a, b, c, d", ["a", "b", "c"], SET, WRONG, id="set, one more"),
        pytest.param("a, b, b", ["a", "b"], SET, WRONG, id="set, one twice"),
        pytest.param("a, b, b", ["a", "b", "c"], SET, WRONG, id="set, one twice for another"),
        pytest.param("a, b,", ["a", "b"], SET, WRONG, id="set, a separator too many"),
        pytest.param("a b", ["a", "b"], SET, WRONG, id="set, no separator"),
        pytest.param("a, b and c", ["a", "b", "c"], SET, WRONG, id="set, in words"),
        pytest.param("B, a", ["a", "b"], SET, WRONG, id="set, another case"),
        pytest.param("B, a", ["a", "b"], SET | {"casefold": True}, RIGHT, id="set, folded"),
        pytest.param("a，ｂ", ["a", "b"], SET, RIGHT, id="set, full width"),
        pytest.param("new   york,b", ["b", "new york"], SET, RIGHT, id="set, a run of white space"),
        pytest.param("a", ["a"], SET, RIGHT, id="set of one"),
        pytest.param("b; a", ["a", "b"], SET | {"separator": ";"}, RIGHT, id="set, another separator"),
        pytest.param("b；a", ["a", "b"], SET | {"separator": "；"}, RIGHT, id="set, a full-width separator"),
        pytest.param("b  a\n", ["a", "b"], SET | {"separator": " "}, RIGHT, id="set, any white space"),
        pytest.param("b\r\na c", ["a c", "b"], SET | {"separator": "\n"}, RIGHT, id="set, lines"),
        pytest.param("b, a", ["a", "b"], SET | {"normalize": []}, WRONG, id="set, white space counts"),
        pytest.param("b,a", ["a", "b"], SET | {"normalize": []}, RIGHT, id="set, no steps"),
        pytest.param("b，a", ["a", "b"], SET | {"normalize": ["trim"]}, WRONG, id="set, full width without NFKC"),
        pytest.param("a, b", ["a", "b"], LIST, RIGHT, id="list"),
        pytest.param("b, a", ["a", "b"], LIST, WRONG, id="list, in another order"),
        pytest.param("a, a", ["a", "a"], LIST, RIGHT, id="list, one twice as expected"),
        pytest.param("a", ["a", "a"], LIST, WRONG, id="list, one missing"),
        pytest.param("A > b", ["a", "B"], LIST | {"separator": ">", "casefold": True}, RIGHT, id="list, folded"),
        pytest.param("1, 2", ["1", "2"], LIST | {"items": "text"}, RIGHT, id="list of texts that look like numbers"),
        pytest.param("1.0, 2", ["1", "2"], LIST, WRONG, id="list of texts, compared as texts"),
        # numbers as items
        pytest.param("2, 1.0", [1, 2], NUMBERS, RIGHT, id="numbers, in another order"),
        pytest.param("2, 50%", ["1/2", 2], NUMBERS, RIGHT, id="numbers, other spellings"),
        pytest.param("1, 2, 2.0", [1, 2], NUMBERS, WRONG, id="numbers, one twice"),
        pytest.param("2, 2.0", [1, 2], NUMBERS, WRONG, id="numbers, one twice for another"),
        pytest.param("1", [1, 2], NUMBERS, WRONG, id="numbers, one missing"),
        pytest.param("1, x", [1, 2], NUMBERS, WRONG, id="numbers, a word"),
        pytest.param("1, 2 or 3", [1, 2], NUMBERS, UNSURE, id="numbers, one unsure"),
        pytest.param("1; 2", [1, 2], NUMBERS, UNSURE, id="numbers, another separator"),
        pytest.param("1 2", [1, 2], NUMBERS | {"separator": " "}, RIGHT, id="numbers by white space"),
        pytest.param("1, 2, 3 or 4", [1, 2], NUMBERS, WRONG, id="numbers, too many, however they read"),
        pytest.param("1, 2", [1, 2], ORDERED, RIGHT, id="ordered numbers"),
        pytest.param("2, 1", [1, 2], ORDERED, WRONG, id="ordered numbers, in another order"),
        pytest.param("1, 2.01", [1, 2], ORDERED, WRONG, id="ordered numbers, nearly"),
        pytest.param("1.01, 1.99", [1, 2], ORDERED | {ABSOLUTE: 0.01}, RIGHT, id="ordered numbers, near enough"),
        pytest.param("1.01, 1.98", [1, 2], ORDERED | {ABSOLUTE: 0.01}, WRONG, id="ordered numbers, the last too far"),
        pytest.param("1.02, 2", [1, 2], ORDERED | {ABSOLUTE: 0.01}, WRONG, id="ordered numbers, the first too far"),
        pytest.param("1.1, 2.2", [1, 2], ORDERED | {RELATIVE: 0.1}, RIGHT, id="ordered numbers, relative"),
        pytest.param("1", [1, 2], ORDERED, WRONG, id="ordered numbers, one missing"),
        pytest.param("1, 2, 3", [1, 2], ORDERED, WRONG, id="ordered numbers, one more"),
        pytest.param(", 2", [1, 2], ORDERED, WRONG, id="ordered numbers, an empty one"),
    ],
)
def test_sets_and_lists(answer: str, expected: list[Any], options: dict[str, Any], verdict: Outcome) -> None:
    """RUN-20: sets and ordered lists; order counts in a list alone, doubles are wrong in a set."""
    assert outcome(answer, expected, options) is verdict


@pytest.mark.parametrize(
    ("answer", "expected", "options", "reason"),
    [
        pytest.param("42", 42, {}, "", id="right"),
        pytest.param("41", 42, {}, '"41" is not the expected value', id="another value"),
        pytest.param("x", 42, {}, '"x" is not one number', id="no number"),
        pytest.param("x 4", 42, {}, '"x 4" can\'t be read surely as one number', id="unsure number"),
        pytest.param("x", "2024-03-05", {"kind": "date"}, '"x" is not one date', id="no date"),
        pytest.param(
            "3/4/5", "2024-03-05", {"kind": "date"}, '"3/4/5" can\'t be read surely as one date', id="unsure date"
        ),
        pytest.param(
            "2024-02-30", "2024-03-05", {"kind": "date"}, '"2024-02-30" is no day of the calendar', id="no such day"
        ),
        pytest.param(
            "2024-02-29", "2024-03-05", {"kind": "date"}, '"2024-02-29" is not the expected value', id="another day"
        ),
        pytest.param("a", ["a", "b"], SET, "items: 1 instead of 2", id="too few texts"),
        pytest.param("a,c", ["a", "b"], SET, '"a,c" is not the expected value', id="other texts"),
        pytest.param("1,2,3", [1, 2], NUMBERS, "items: 3 instead of 2", id="too many numbers"),
        pytest.param("1", [1, 2], NUMBERS, "items: 1 instead of 2", id="too few numbers"),
        pytest.param("1, b", [1, 2], NUMBERS, '" b" is not one number', id="no number in a set"),
        pytest.param(
            "1, 2b", [1, 2], NUMBERS, '" 2b" can\'t be read surely as one number', id="unsure number in a set"
        ),
    ],
)
def test_the_reason_says_why(answer: str, expected: Any, options: dict[str, Any], reason: str) -> None:
    assert graded(answer, expected, options).reason == reason


NUMBER = 's:1: expected: expected a number: 12, 0.5, or a text such as "3/4", found {}'
DATE = 's:1: expected: expected a date as text, "2024-03-05", found {}'
TEXTS = "s:1: expected: expected a list of 1 to 1,000 texts, none empty and none holding the separator, found {}"
ITEMS = 's:1: expected: expected a list of 1 to 1,000 items, each a number: 12, 0.5, or a text such as "3/4", found {}'
TOLERANCE = 's:1: options.{}_tolerance: expected a number ≥ 0, or its text ("0.001"), found {}'
UNIT = 's:1: options.unit: expected a unit such as "km", or a list of its spellings, without digits, found {}'
DOUBLES = "s:1: expected: expected a list without doubles, found an array of 2"
SEPARATOR = "s:1: options.separator: expected a text of 1 to 10 characters without digits, found {}"
UNKNOWN = "s:1: options: expected options out of {}, found {}. Remove it, or see the page of graders."


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        pytest.param("x", {}, NUMBER.format('"x"'), id="no number"),
        pytest.param(True, {}, NUMBER.format("true"), id="true"),
        pytest.param([1], {}, NUMBER.format("an array of 1"), id="a list for a number"),
        pytest.param("5 km", {}, NUMBER.format('"5 km"'), id="a unit nobody named"),
        pytest.param(float("inf"), {}, NUMBER.format("the number inf"), id="infinity"),
        pytest.param(20240305, {"kind": "date"}, DATE.format("the number 20240305"), id="a number for a date"),
        pytest.param("03/05/2024", {"kind": "date"}, DATE.format('"03/05/2024"'), id="an unsure date"),
        pytest.param("2024-02-30", {"kind": "date"}, DATE.format('"2024-02-30"'), id="no such day"),
        pytest.param("a,b", SET, TEXTS.format('"a,b"'), id="a text for a set"),
        pytest.param([], SET, TEXTS.format("an array of 0"), id="an empty set"),
        pytest.param(["a"] * 1001, LIST, TEXTS.format("an array of 1,001"), id="too many texts"),
        pytest.param(["a", 1], LIST, TEXTS.format("an array of 2"), id="a number among texts"),
        pytest.param(["a", " "], LIST, TEXTS.format("an array of 2"), id="a blank text"),
        pytest.param(["a", "b,c"], LIST, TEXTS.format("an array of 2"), id="a text with the separator"),
        pytest.param(
            ["a", "b c"], LIST | {"separator": " "}, TEXTS.format("an array of 2"), id="a text with white space"
        ),
        pytest.param(["a", "b，c"], LIST, TEXTS.format("an array of 2"), id="a text with a full-width separator"),
        pytest.param({"a": 1}, SET, TEXTS.format("an object of 1"), id="an object for a set"),
        pytest.param(["a", "ａ"], SET, DOUBLES, id="a double"),
        pytest.param(["a", "A"], SET | {"casefold": True}, DOUBLES, id="a double when folded"),
        pytest.param([1, "1.0"], NUMBERS, DOUBLES, id="a double number"),
        pytest.param([1, "x"], ORDERED, ITEMS.format("an array of 2"), id="a word among numbers"),
        pytest.param([], NUMBERS, ITEMS.format("an array of 0"), id="no numbers"),
        pytest.param("1", NUMBERS, ITEMS.format('"1"'), id="a text for numbers"),
        pytest.param(list(range(1001)), NUMBERS, ITEMS.format("an array of 1,001"), id="too many numbers"),
        # options
        pytest.param(
            1,
            {"kind": "float"},
            's:1: options.kind: expected "number" or "date" or "set" or "list", found "float"',
            id="kind",
        ),
        pytest.param(
            1,
            {"kind": ["set"]},
            's:1: options.kind: expected "number" or "date" or "set" or "list", found an array of 1',
            id="kinds",
        ),
        pytest.param(
            ["a"],
            SET | {"items": "texts"},
            's:1: options.items: expected "text" or "number", found "texts"',
            id="items",
        ),
        pytest.param(
            1,
            {"items": "number"},
            UNKNOWN.format("kind, absolute_tolerance, relative_tolerance, unit", '"items"'),
            id="items of a number",
        ),
        pytest.param(
            "2024-03-05", {"kind": "date", "unit": "d"}, UNKNOWN.format("kind", '"unit"'), id="unit of a date"
        ),
        pytest.param(
            ["a"],
            SET | {ABSOLUTE: 1},
            UNKNOWN.format("kind, items, separator, normalize, casefold", f'"{ABSOLUTE}"'),
            id="near texts",
        ),
        pytest.param(
            [1],
            NUMBERS | {RELATIVE: 1},
            UNKNOWN.format("kind, items, separator", f'"{RELATIVE}"'),
            id="near numbers in a set",
        ),
        pytest.param(
            [1],
            ORDERED | {"casefold": True},
            UNKNOWN.format("kind, items, separator, absolute_tolerance, relative_tolerance", '"casefold"'),
            id="folded numbers",
        ),
        pytest.param(1, {ABSOLUTE: -1}, TOLERANCE.format("absolute", "the number -1"), id="a negative tolerance"),
        pytest.param(1, {RELATIVE: "tight"}, TOLERANCE.format("relative", '"tight"'), id="a word for a tolerance"),
        pytest.param(1, {RELATIVE: None}, TOLERANCE.format("relative", "null"), id="null for a tolerance"),
        pytest.param(1, {"unit": ""}, UNIT.format('""'), id="an empty unit"),
        pytest.param(1, {"unit": []}, UNIT.format("an array of 0"), id="no units"),
        pytest.param(1, {"unit": ["km", 3]}, UNIT.format("an array of 2"), id="a number for a unit"),
        pytest.param(1, {"unit": "m2"}, UNIT.format('"m2"'), id="a digit in a unit"),
        pytest.param(1, {"unit": "m²"}, UNIT.format('"m²"'), id="a raised digit in a unit"),
        pytest.param(1, {"unit": " km"}, UNIT.format('" km"'), id="a space around a unit"),
        pytest.param(1, {"unit": "/h"}, UNIT.format('"/h"'), id="a unit that begins like a fraction"),
        pytest.param(1, {"unit": "-"}, UNIT.format('"-"'), id="a sign as unit"),
        pytest.param(1, {"unit": "%x"}, UNIT.format('"%x"'), id="a unit that begins with percent"),
        pytest.param(1, {"unit": "k" * 41}, UNIT.format(f'"{"k" * 41}"'), id="a long unit"),
        pytest.param(1, {"unit": ["k"] * 21}, UNIT.format("an array of 21"), id="many units"),
        pytest.param(["a"], SET | {"separator": ""}, SEPARATOR.format('""'), id="an empty separator"),
        pytest.param(["a"], SET | {"separator": 3}, SEPARATOR.format("the number 3"), id="a number for a separator"),
        pytest.param(["a"], SET | {"separator": "1"}, SEPARATOR.format('"1"'), id="a digit for a separator"),
        pytest.param(["a"], SET | {"separator": "-" * 11}, SEPARATOR.format(f'"{"-" * 11}"'), id="a long separator"),
    ],
)
def test_a_spec_that_cannot_be_used_is_refused(expected: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SuiteError) as raised:
        VALUE.check(GraderSpec(rule="value/1", expected=expected, options=options), "s:1")
    assert str(raised.value) == message


def test_a_spec_that_was_never_checked_is_our_own_fault() -> None:
    with pytest.raises(InternalError) as raised:
        VALUE.grade("1", GraderSpec(rule="value/1", expected="x"))
    assert str(raised.value) == "a spec that was never checked: found value/1 for str"


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        pytest.param(1, {"unit": ["k" * 40] + ["km"] * 19}, id="20 units, one of 40 characters"),
        pytest.param(1, {ABSOLUTE: 0, RELATIVE: "0"}, id="tolerances of none"),
        pytest.param([f"t{number}" for number in range(1000)], SET, id="1,000 texts"),
        pytest.param(list(range(1000)), NUMBERS, id="1,000 numbers"),
        pytest.param(["a"], SET | {"separator": "-" * 10}, id="a separator of 10"),
        pytest.param(["a", "a"], LIST, id="doubles in a list"),
        pytest.param([1, 1], ORDERED, id="double numbers in a list"),
    ],
)
def test_a_spec_just_within_the_limits_is_accepted(expected: Any, options: dict[str, Any]) -> None:
    VALUE.check(GraderSpec(rule="value/1", expected=expected, options=options), "s:1")


WORDS = st.lists(st.text("abcxyz", min_size=1, max_size=3), min_size=1, max_size=6, unique=True)


@given(WORDS, st.randoms(use_true_random=False))
def test_the_order_of_a_set_never_matters(words: list[str], chance: Any) -> None:
    shuffled = chance.sample(words, len(words))
    assert outcome(" , ".join(shuffled), words, SET) is RIGHT
    assert outcome(", ".join(shuffled), words, LIST) is (RIGHT if shuffled == words else WRONG)
    assert outcome(", ".join([*shuffled, words[0]]), words, SET) is WRONG


@given(st.lists(st.integers(-99, 99), min_size=1, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_a_set_of_numbers_never_matters(numbers: list[int], chance: Any) -> None:
    shuffled = chance.sample(numbers, len(numbers))
    assert outcome(", ".join(map(str, shuffled)), numbers, NUMBERS) is RIGHT
    assert outcome(", ".join(map(str, shuffled)), numbers, ORDERED) is (RIGHT if shuffled == numbers else WRONG)


DECIMALS = st.decimals(-1000, 1000, places=3)


@given(DECIMALS, DECIMALS, st.decimals(0, 10, places=3))
def test_the_tolerance_is_exact(found: Decimal, expected: Decimal, tolerance: Decimal) -> None:
    near = abs(found - expected) <= tolerance
    assert outcome(f"{found:f}", expected, {ABSOLUTE: tolerance}) is (RIGHT if near else WRONG)
    near = abs(found - expected) <= tolerance * abs(expected)
    assert outcome(f"{found:f}", expected, {RELATIVE: tolerance}) is (RIGHT if near else WRONG)
