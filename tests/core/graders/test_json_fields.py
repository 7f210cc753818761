"""json_fields/1: one point split equally across the expected leaf fields (RUN-20, RUN-21)."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.errors import SuiteError
from trigpoint.core.graders import GRADERS
from trigpoint.core.outcomes import Outcome, outcome_of_credit
from trigpoint.core.records import Grade, GraderSpec

JSON_FIELDS = GRADERS["json_fields/1"]
ALLOW = {"extra_root_fields": "allow"}
STRICT = {"extra_nested_fields": "forbid"}


def graded(answer: str, expected: Any, options: dict[str, Any] | None = None) -> Grade:
    spec = GraderSpec(rule="json_fields/1", expected=expected, options=options or {})
    JSON_FIELDS.check(spec, "here")
    return JSON_FIELDS.grade(answer, spec)


NESTED = {"name": "Ann", "address": {"city": "Bern", "zip": 3000}, "tags": ["a", None], "more": {}}


@pytest.mark.parametrize(
    ("answer", "expected", "credit"),
    [
        # one point split over the leaves
        pytest.param('{"a":1,"b":2}', {"a": 1, "b": 2}, "1", id="all right"),
        pytest.param('{"a":1,"b":3}', {"a": 1, "b": 2}, "1/2", id="one of two"),
        pytest.param('{"a":0,"b":0}', {"a": 1, "b": 2}, "0", id="none of two"),
        pytest.param('{"b":2,"a":1}', {"a": 1, "b": 2}, "1", id="the order of keys doesn't matter"),
        pytest.param(' {"a" : 1}\n', {"a": 1}, "1", id="white space of JSON"),
        pytest.param(json.dumps(NESTED), NESTED, "1", id="nested, all right"),
        pytest.param(
            '{"name":"Ann","address":{"city":"Basel","zip":3000},"tags":["a",null],"more":{}}',
            NESTED,
            "5/6",
            id="nested, one of six wrong",
        ),
        pytest.param(
            '{"name":"Ann","address":"Bern 3000","tags":["a",null],"more":{}}',
            NESTED,
            "4/6",
            id="a text where an object is expected",
        ),
        pytest.param(
            '{"name":"Ann","address":{"zip":3000},"tags":["a"],"more":[]}',
            NESTED,
            "3/6",
            id="a field, an element and a kind of container wrong",
        ),
        # array elements and nulls are leaves, an empty container is one leaf
        pytest.param('{"a":[1,2,4]}', {"a": [1, 2, 3]}, "2/3", id="each element is a leaf"),
        pytest.param('{"a":[3,2,1]}', {"a": [1, 2, 3]}, "1/3", id="elements have their places"),
        pytest.param('{"a":[1]}', {"a": [1, 2, 3]}, "1/3", id="elements missing"),
        pytest.param('{"a":[1,2,3,4]}', {"a": [1, 2, 3]}, "1", id="elements beyond the expected ones"),
        pytest.param('{"a":[{"b":1,"c":0}]}', {"a": [{"b": 1, "c": 2}]}, "1/2", id="an object in an array has leaves"),
        pytest.param('{"a":null}', {"a": None}, "1", id="null is a leaf"),
        pytest.param('{"a":0}', {"a": None}, "0", id="0 is not null"),
        pytest.param('{"a":{"c":1}}', {"a": {"b": None, "c": 1}}, "1/2", id="a missing field is not null"),
        pytest.param('{"a":[]}', {"a": [None]}, "0", id="a missing element is not null"),
        pytest.param('{"a":null,"b":1}', {"a": 1, "b": 1}, "1/2", id="null is not 1"),
        pytest.param('{"a":{}}', {"a": {}}, "1", id="an empty object is a leaf"),
        pytest.param('{"a":[]}', {"a": []}, "1", id="an empty array is a leaf"),
        pytest.param('{"a":[]}', {"a": {}}, "0", id="an empty array is no empty object"),
        pytest.param('{"a":{"b":1}}', {"a": {}}, "0", id="a full object is not empty"),
        pytest.param('{"a":[0]}', {"a": []}, "0", id="a full array is not empty"),
        pytest.param('{"a":null}', {"a": []}, "0", id="null is no empty array"),
        pytest.param('{"a":{"0":1}}', {"a": [1]}, "0", id="an object is no array"),
        pytest.param('{"a":[1]}', {"a": {"0": 1}}, "0", id="an array is no object"),
        # strict types
        pytest.param('{"a":true}', {"a": 1}, "0", id="true is not 1"),
        pytest.param('{"a":1}', {"a": True}, "0", id="1 is not true"),
        pytest.param('{"a":false}', {"a": 0}, "0", id="false is not 0"),
        pytest.param('{"a":0}', {"a": False}, "0", id="0 is not false"),
        pytest.param('{"a":true}', {"a": True}, "1", id="true"),
        pytest.param('{"a":true}', {"a": False}, "0", id="true is not false"),
        pytest.param('{"a":"3"}', {"a": 3}, "0", id="a text is no number"),
        pytest.param('{"a":3}', {"a": "3"}, "0", id="a number is no text"),
        pytest.param('{"a":"true"}', {"a": True}, "0", id="a text is no true"),
        pytest.param('{"a":"null"}', {"a": None}, "0", id="a text is no null"),
        pytest.param('{"a":""}', {"a": None}, "0", id="an empty text is no null"),
        # numbers by their exact value
        pytest.param('{"a":1.0}', {"a": 1}, "1", id="1.0 is 1"),
        pytest.param('{"a":1}', {"a": Decimal("1.00")}, "1", id="1 is 1.00"),
        pytest.param('{"a":1e2}', {"a": 100}, "1", id="1e2 is 100"),
        pytest.param('{"a":10E-1}', {"a": 1}, "1", id="10E-1 is 1"),
        pytest.param('{"a":0.1}', {"a": Decimal("0.1")}, "1", id="0.1 as a decimal"),
        pytest.param('{"a":0.1}', {"a": 0.1}, "1", id="0.1 as a double is what it is written as"),
        pytest.param('{"a":0.1000000000000000055511151231257827}', {"a": 0.1}, "0", id="not the double's own digits"),
        pytest.param('{"a":0.30000000000000004}', {"a": Decimal("0.3")}, "0", id="no tolerance"),
        pytest.param('{"a":-0}', {"a": 0}, "1", id="minus nought is nought"),
        pytest.param('{"a":-1}', {"a": 1}, "0", id="the sign counts"),
        pytest.param('{"a":9007199254740993}', {"a": 9007199254740993}, "1", id="beyond 2^53"),
        pytest.param('{"a":9007199254740992}', {"a": 9007199254740993}, "0", id="beyond 2^53, one off"),
        pytest.param('{"a":1e9999}', {"a": 1}, "0", id="a huge number"),
        pytest.param('{"a":' + "9" * 400 + "}", {"a": 10**400 - 1}, "1", id="400 digits"),
        # texts as they are
        pytest.param('{"a":"x "}', {"a": "x"}, "0", id="white space in a text counts"),
        pytest.param('{"a":"X"}', {"a": "x"}, "0", id="case counts"),
        pytest.param('{"a":"\\u00e9\\n"}', {"a": "é\n"}, "1", id="escapes"),
        pytest.param('{"a":"e\\u0301"}', {"a": "é"}, "0", id="code points count"),
        # other roots
        pytest.param("[1,2]", [1, 3], "1/2", id="an array as the whole"),
        pytest.param("[]", [], "1", id="an empty array as the whole"),
        pytest.param("{}", {}, "1", id="an empty object as the whole"),
        pytest.param('{"":1,"a.b":2}', {"": 1, "a.b": 2}, "1", id="odd keys"),
        pytest.param('{"a":{"x":1,"y":9}}', {"a": {"x": 1}}, "1", id="an extra nested field costs nothing"),
    ],
)
def test_each_right_leaf_earns_its_share(answer: str, expected: Any, credit: str) -> None:
    """RUN-21: one point split equally across the expected leaf fields; types are strict."""
    grade = graded(answer, expected)
    assert grade.credit == Fraction(credit)
    assert grade.outcome is outcome_of_credit(Fraction(credit))
    assert grade.grader == "json_fields/1"


ROOT = {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    ("answer", "expected", "options", "credit", "reason"),
    [
        pytest.param('{"a":1,"b":2,"c":3,"d":4}', ROOT, {}, "0", "extra root fields: d", id="one more"),
        pytest.param('{"a":1,"b":2}', ROOT, {}, "0", "missing root fields: c", id="one less"),
        pytest.param(
            '{"a":1,"d":4,"e f":5}', ROOT, {}, "0", 'extra root fields: d, "e f"; missing root fields: b, c', id="both"
        ),
        pytest.param('{"a":1,"b":2,"C":3}', ROOT, {}, "0", "extra root fields: C; missing root fields: c", id="a case"),
        pytest.param("{}", ROOT, {}, "0", "missing root fields: a, b, c", id="all missing"),
        pytest.param('{"a":1}', {}, {}, "0", "extra root fields: a", id="none expected"),
        pytest.param('{"a":1,"b":2,"c":3,"d":4}', ROOT, ALLOW, "1", "", id="one more, allowed"),
        pytest.param('{"a":1,"b":2}', ROOT, ALLOW, "2/3", "2 of 3 fields right; not right: c", id="one less, allowed"),
        pytest.param('{"d":1}', ROOT, ALLOW, "0", "0 of 3 fields right; not right: a, b, c", id="others, allowed"),
        pytest.param('{"a":1}', {}, ALLOW, "0", "0 of 1 fields right; not right: the whole", id="not empty, allowed"),
        pytest.param('{"a":1,"b":2,"c":3}', ROOT, {"extra_root_fields": "forbid"}, "1", "", id="the very fields"),
        pytest.param(
            '{"a":1,"d":1}', {"a": 1}, {"extra_root_fields": "forbid"}, "0", "extra root fields: d", id="said"
        ),
        # an array's elements are its fields
        pytest.param("[1,2,3]", [1, 2], {}, "0", "elements: 3 instead of 2", id="one element more"),
        pytest.param("[1]", [1, 2], {}, "0", "elements: 1 instead of 2", id="one element less"),
        pytest.param("[1,2,3]", [1, 2], ALLOW, "1", "", id="one element more, allowed"),
        pytest.param("[1]", [1, 2], ALLOW, "1/2", "1 of 2 fields right; not right: [1]", id="one less, allowed"),
        # another kind of root
        pytest.param("[1,2,3]", ROOT, {}, "0", "an object was asked for", id="an array for an object"),
        pytest.param('{"0":1}', [1], {}, "0", "an array was asked for", id="an object for an array"),
        pytest.param('"a"', ROOT, {}, "0", "an object was asked for", id="a text for an object"),
        pytest.param("null", [1], {}, "0", "an array was asked for", id="null for an array"),
        pytest.param("3", ROOT, ALLOW, "0", "0 of 3 fields right; not right: a, b, c", id="a number, extra allowed"),
        pytest.param("[1]", ROOT, ALLOW, "0", "0 of 3 fields right; not right: a, b, c", id="an array, extra allowed"),
    ],
)
def test_extra_or_missing_root_fields_make_the_task_0(
    answer: str, expected: Any, options: dict[str, Any], credit: str, reason: str
) -> None:
    """RUN-21: when extra root fields are forbidden, any extra or missing root field makes the task 0."""
    grade = graded(answer, expected, options)
    assert (grade.credit, grade.reason) == (Fraction(credit), reason)


INNER = {"a": {"x": 1, "y": [1, 2]}, "b": 0}


@pytest.mark.parametrize(
    ("answer", "options", "credit"),
    [
        pytest.param('{"a":{"x":1,"y":[1,2],"z":0},"b":0}', {}, "1", id="an extra field"),
        pytest.param('{"a":{"x":1,"y":[1,2],"z":0},"b":0}', STRICT, "1/4", id="an extra field, forbidden"),
        pytest.param('{"a":{"x":1,"y":[1,2,3]},"b":0}', {}, "1", id="an extra element"),
        pytest.param('{"a":{"x":1,"y":[1,2,3]},"b":0}', STRICT, "2/4", id="an extra element, forbidden"),
        pytest.param('{"a":{"x":1,"y":[1]},"b":0}', STRICT, "3/4", id="a missing element"),
        pytest.param('{"a":{"x":1},"b":0}', STRICT, "2/4", id="a missing field"),
        pytest.param('{"a":{"x":1,"y":[1,2]},"b":0}', STRICT, "1", id="the very fields"),
        pytest.param('{"a":{"x":1,"y":[1,2]},"b":0,"c":0}', STRICT | ALLOW, "1", id="the root is the other option's"),
        pytest.param('{"a":{"x":1,"y":[1,2],"z":0},"b":0}', {"extra_nested_fields": "allow"}, "1", id="allowed aloud"),
    ],
)
def test_extra_nested_fields_cost_what_the_option_says(answer: str, options: dict[str, Any], credit: str) -> None:
    """RUN-21 leaves nested extras to the expected leaves; forbidden, their container earns nothing."""
    assert graded(answer, INNER, options).credit == Fraction(credit)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param("Ann", 'not JSON: "Ann"', id="plain text"),
        pytest.param("```json\n{}\n```", "not JSON: '```json\\n{}\\n```'", id="a fence"),
        pytest.param('{"a":1} done', 'not JSON: "{"a":1} done"', id="words after"),
        pytest.param('Here: {"a":1}', 'not JSON: "Here: {"a":1}"', id="words before"),
        pytest.param('{"a":1}{"a":1}', 'not JSON: "{"a":1}{"a":1}"', id="two values"),
        pytest.param("{'a':1}", "not JSON: \"{'a':1}\"", id="single quotes"),
        pytest.param('{"a":1,}', 'not JSON: "{"a":1,}"', id="a comma too many"),
        pytest.param('{"a":1', 'not JSON: "{"a":1"', id="cut off"),
        pytest.param('{"a":"\n"}', 'not JSON: \'{"a":"\\n"}\'', id="a raw line feed in a text"),
        pytest.param("\ufeff{}", "not JSON: '\\ufeff{}'", id="a byte order mark"),
        pytest.param('{"a":01}', 'not JSON: "{"a":01}"', id="a leading nought"),
        pytest.param('{"a":NaN}', "not JSON: NaN", id="NaN"),
        pytest.param('{"a":-Infinity}', "not JSON: -Infinity", id="infinity"),
        pytest.param('{"a":1,"a":1}', "a key stands twice in one object: a", id="a doubled key"),
        pytest.param('{"a":{"b c":1,"b c":2}}', 'a key stands twice in one object: "b c"', id="a doubled nested key"),
        pytest.param('{"a":1,"\\u0061":1}', "a key stands twice in one object: a", id="a doubled key in an escape"),
        pytest.param(
            '{"z":[{"k":1,"k":1}]}', "a key stands twice in one object: k", id="doubled where nothing is expected"
        ),
        pytest.param("[" * 65 + "]" * 65, "JSON nested more than 64 levels deep", id="65 levels"),
        pytest.param("[" * 999_999, "JSON nested more than 64 levels deep", id="a million brackets"),
        pytest.param(
            f"[{'9' * 421}]", "a number of more than 420 characters, or 4 in its exponent", id="a number too long"
        ),
        pytest.param(
            "[1e10000]", "a number of more than 420 characters, or 4 in its exponent", id="an exponent too long"
        ),
        pytest.param(
            "[1E+00001]", "a number of more than 420 characters, or 4 in its exponent", id="a padded exponent"
        ),
        pytest.param(
            "[-1.5e-10000]", "a number of more than 420 characters, or 4 in its exponent", id="a small number"
        ),
    ],
)
def test_what_is_not_strict_json_is_a_parser_failure(answer: str, reason: str) -> None:
    """RUN-21, RUN-23: a doubled key is a parser failure; no repair pass on malformed output."""
    grade = graded(answer, {"a": 1}, ALLOW)
    assert grade == Grade(
        outcome=Outcome.FORMAT_NOT_RECOGNISED, credit=Fraction(0), reason=reason, grader="json_fields/1"
    )


@pytest.mark.parametrize(
    "answer", ["[" * 64 + "]" * 64, f"[{'9' * 420}]", "[1e9999]", "[1e-9999]", "[1E+9999]", '["[[[["]']
)
def test_what_is_just_within_the_limits_is_read(answer: str) -> None:
    assert graded(answer, {"a": 1}).outcome is Outcome.INCORRECT


@pytest.mark.parametrize(
    ("answer", "options", "credit"),
    [
        pytest.param('{"a":" Ä\\u00a0b"}', {}, 0, id="as it is"),
        pytest.param('{"a":" Ä\\u00a0b"}', {"normalize": ["nfkc", "trim"]}, 1, id="steps"),
        pytest.param('{"a":"ä B"}', {"casefold": True}, 1, id="folded"),
        pytest.param('{"a":"ä B"}', {"casefold": False}, 0, id="not folded"),
        pytest.param('{"A":"Ä b"}', {"casefold": True}, 0, id="keys are never folded"),
    ],
)
def test_texts_may_be_normalised(answer: str, options: dict[str, Any], credit: int) -> None:
    assert graded(answer, {"a": "Ä b"}, options).credit == credit


def test_the_reason_names_the_fields_that_are_not_right_and_no_more_than_five() -> None:
    expected = {"list": [0] * 8, "deep": {"er": {"a b": 0}}}
    answer = json.dumps({"list": [0, 1, 1, 1, 0, 1, 1, 0], "deep": {"er": {}}})
    reason = "3 of 9 fields right; not right: list[1], list[2], list[3], list[5], list[6] and 1 more"
    assert graded(answer, expected).reason == reason
    assert graded('{"list":[],"deep":{"er":{"a b":0}}}', expected).reason.endswith("list[4] and 3 more")
    few = graded('{"list":[0,0,0,0,0,0,0,0],"deep":{}}', expected).reason
    assert few == '8 of 9 fields right; not right: deep.er."a b"'
    five = graded('{"list":[1,1,1,1,1,0,0,0],"deep":{"er":{"a b":0}}}', expected).reason
    assert five.endswith("not right: list[0], list[1], list[2], list[3], list[4]")
    long = graded(json.dumps({"k" * 61: 1}), {"k" * 60: 1}).reason
    assert long == f'extra root fields: "{"k" * 59}… (63 characters); missing root fields: {"k" * 60}'
    assert graded("{}", {"a b": 1}).reason == 'missing root fields: "a b"'


DEEP_64: Any = 0
for _ in range(64):
    DEEP_64 = [DEEP_64]


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        pytest.param("{}", {}, 'f:1: expected: expected an object or array, found "{}"', id="JSON as text"),
        pytest.param(3, {}, "f:1: expected: expected an object or array, found the number 3", id="a number"),
        pytest.param(None, {}, "f:1: expected: expected an object or array, found null", id="null"),
        pytest.param(
            {"a": {1: 2}}, {}, "f:1: expected: expected field names that are texts, found an object of 1", id="key"
        ),
        pytest.param({"a": b"x"}, {}, "finite and of at most 400 digits, found bytes", id="bytes"),
        pytest.param({"a": float("nan")}, {}, "finite and of at most 400 digits, found the number nan", id="NaN"),
        pytest.param(
            [Decimal("Infinity")], {}, "finite and of at most 400 digits, found the number Infinity", id="infinity"
        ),
        pytest.param([10**400], {}, "finite and of at most 400 digits, found a huge integer", id="401 digits"),
        pytest.param(
            [Decimal("1E+10000")], {}, "finite and of at most 400 digits, found the number 1E+10000", id="exponent"
        ),
        pytest.param([DEEP_64], {}, 'f:1: expected: expected at most 64 levels, found "more"', id="65 levels"),
        pytest.param(
            [0] * 1001, {}, "f:1: expected: expected at most 1,000 leaf fields, found the number 1001", id="leaves"
        ),
        pytest.param(
            {},
            {"extra_root_fields": True},
            'f:1: options.extra_root_fields: expected "forbid" or "allow", found true',
            id="root option",
        ),
        pytest.param(
            {},
            {"extra_nested_fields": "no"},
            'f:1: options.extra_nested_fields: expected "allow" or "forbid", found "no"',
            id="nested option",
        ),
        pytest.param(
            {}, {"casefold": "no"}, 'f:1: options.casefold: expected true or false, found "no"', id="casefold"
        ),
    ],
)
def test_a_spec_that_cannot_be_met_is_refused(expected: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SuiteError) as raised:
        JSON_FIELDS.check(GraderSpec(rule="json_fields/1", expected=expected, options=options), "f:1")
    assert str(raised.value).endswith(message)
    assert str(raised.value).startswith("f:1: ")


@pytest.mark.parametrize(
    "expected", [[0] * 1000, DEEP_64, [10**400 - 1], [Decimal("1E+9999")], [[], {}, "", None, True, 0.5]]
)
def test_a_spec_just_within_the_limits_is_accepted(expected: Any) -> None:
    JSON_FIELDS.check(GraderSpec(rule="json_fields/1", expected=expected), "f:1")


LEAVES = st.none() | st.booleans() | st.integers(-999, 999) | st.text("abÄ \n", max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)
ROOTS = st.dictionaries(st.text("abc", max_size=2), VALUES, max_size=4) | st.lists(VALUES, max_size=4)


def leaves_of(value: Any) -> int:
    if isinstance(value, dict | list) and value:
        return sum(map(leaves_of, value.values() if isinstance(value, dict) else value))
    return 1


@given(ROOTS, st.booleans())
def test_a_value_is_right_for_itself_however_it_is_written(expected: Any, pretty: bool) -> None:
    text = json.dumps(expected, indent=2 if pretty else None, ensure_ascii=pretty)
    for options in ({}, STRICT, ALLOW):
        assert graded(text, expected, options).outcome is Outcome.CORRECT


@given(ROOTS, ROOTS)
def test_credit_is_a_whole_number_of_shares(expected: Any, found: Any) -> None:
    """RUN-21: every leaf has the same share, and what is forbidden never earns more than what is allowed."""
    shares = leaves_of(expected)
    allowed = graded(json.dumps(found), expected, ALLOW).credit
    strict = graded(json.dumps(found), expected, ALLOW | STRICT).credit
    forbidden = graded(json.dumps(found), expected).credit
    assert None not in (allowed, strict, forbidden)
    assert (allowed * shares).denominator == (strict * shares).denominator == 1
    assert 0 <= strict <= allowed <= 1
    assert forbidden in (0, allowed)


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(), min_size=1, max_size=8), st.data())
def test_each_wrong_field_costs_one_share(expected: dict[str, int], data: st.DataObject) -> None:
    wrong = data.draw(st.sets(st.sampled_from(sorted(expected))))
    answer = {name: value + (name in wrong) for name, value in expected.items()}
    credit = Fraction(len(expected) - len(wrong), len(expected))
    assert graded(json.dumps(answer), expected).credit == credit
