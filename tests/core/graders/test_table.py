"""The table of graders, and what holds for every one of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trigpoint.core.errors import OperatorError, SuiteError
from trigpoint.core.graders import GRADERS, _newest, grader_for
from trigpoint.core.outcomes import EFFECTS, Outcome
from trigpoint.core.records import GraderSpec

#: rule → specs that between them use every option
SPECS: dict[str, list[tuple[Any, dict[str, Any]]]] = {
    "exact/1": [
        ("Paris", {}),
        (["Paris", "paris, france"], {"casefold": True}),
        ("a  b", {"normalize": []}),
        ("a b", {"normalize": ["collapse"], "casefold": True}),
    ],
    "pattern/1": [
        (r"\d+(?:\.\d+)?", {}),
        (r"^\s*(?:yes|no)\b", {"search": True, "casefold": True, "multiline": True, "dotall": True}),
        (r"(?:[a-z]|[a-m])*a(?:[a-z]|[n-z]){9}", {"search": True}),
    ],
    "json_fields/1": [
        ({"a": 1, "b": {"c": [True, None, "x"], "d": {}}}, {}),
        ([1, [2, []]], {"extra_root_fields": "allow", "extra_nested_fields": "forbid"}),
        ({"a": "Ä b"}, {"normalize": ["nfkc", "trim", "collapse"], "casefold": True}),
    ],
    "value/1": [
        (42, {}),
        ("1/3", {"absolute_tolerance": "0.01", "relative_tolerance": 1, "unit": ["km", "%"]}),
        ("2024-02-29", {"kind": "date"}),
        (["a", "b"], {"kind": "set", "casefold": True}),
        ([1, 2], {"kind": "set", "items": "number", "separator": " "}),
        (["a", "b"], {"kind": "list", "separator": "\n", "normalize": ["trim"]}),
        ([1, "2.5"], {"kind": "list", "items": "number", "absolute_tolerance": 1}),
    ],
}
CASES = [
    pytest.param(GraderSpec(rule=rule, expected=expected, options=options), id=f"{rule} {options}")
    for rule, specs in SPECS.items()
    for expected, options in specs
]


def test_every_grader_of_the_table_is_tried_here() -> None:
    assert list(GRADERS) == list(SPECS) == ["exact/1", "pattern/1", "json_fields/1", "value/1"]
    assert all(GRADERS[rule].rule == rule for rule in GRADERS)
    assert {grader.method for grader in GRADERS.values()} == {"fair-run"} <= set(EFFECTS)


@pytest.mark.parametrize("rule", SPECS)
def test_a_grader_is_found_by_its_name_with_or_without_version(rule: str) -> None:
    assert grader_for(rule) is GRADERS[rule]
    assert grader_for(rule.removesuffix("/1")) is GRADERS[rule]


def test_a_name_alone_means_the_highest_version() -> None:
    table = dict.fromkeys(("exact/9", "exact/10", "exact/2", "pattern/3"), GRADERS["exact/1"])
    table["exact/10"] = GRADERS["value/1"]
    table["odd/name/4"] = GRADERS["pattern/1"]
    newest = {"exact": GRADERS["value/1"], "pattern": GRADERS["exact/1"], "odd/name": GRADERS["pattern/1"]}
    assert _newest(table) == newest


@pytest.mark.parametrize(
    "rule", ["exac", "exact/2", "exact/", "/1", "", "Exact", None, 1, ["exact"], {"exact": 1}], ids=repr
)
def test_an_unknown_rule_is_refused_with_the_known_ones(rule: object) -> None:
    with pytest.raises(OperatorError) as raised:
        grader_for(rule, "items.jsonl:3")
    error = raised.value
    assert (error.what, error.where) == ("rule", "items.jsonl:3")
    assert error.expected == "one of exact/1, pattern/1, json_fields/1, value/1"
    assert str(rule)[:5] in error.found


@pytest.mark.parametrize("spec", CASES)
def test_an_option_that_a_rule_does_not_know_is_refused(spec: GraderSpec) -> None:
    grader = GRADERS[spec.rule]
    grader.check(spec, "x")
    more = GraderSpec(rule=spec.rule, expected=spec.expected, options={**spec.options, "fuzzy": True})
    with pytest.raises(SuiteError) as raised:
        grader.check(more, "items.jsonl:7")
    error = raised.value
    assert (error.what, error.where, error.found) == ("options", "items.jsonl:7", '"fuzzy"')
    assert all(name in error.expected for name in spec.options)
    assert error.next == "Remove it, or see the page of graders."


LOUD = "0123456789 aAäß½²٣字\u0301\u202e\u200b\x00\n\t,;[]{}\"'\\:.+-−/%e()<>*\ud800\U0001f600"


@given(st.sampled_from(CASES), st.text(LOUD, max_size=40) | st.text(st.characters(), max_size=20))
@example(CASES[0], "")
def test_no_answer_makes_a_grader_raise(case: Any, answer: str) -> None:
    """RUN-23: whatever stands in an answer, there is one outcome; the reason stays short and can be written."""
    (spec,) = case.values
    grade = GRADERS[spec.rule].grade(answer, spec)
    assert grade.grader == spec.rule
    assert grade == GRADERS[spec.rule].grade(answer, spec)
    credit = {
        Outcome.CORRECT: Fraction(1),
        Outcome.INCORRECT: Fraction(0),
        Outcome.FORMAT_NOT_RECOGNISED: Fraction(0),
        Outcome.NOT_SCORABLE: None,
        Outcome.PARTIAL: grade.credit,
    }[grade.outcome]
    assert grade.credit == credit
    assert (grade.outcome is Outcome.PARTIAL) == (grade.credit not in (None, 0, 1))
    assert (grade.reason == "") == (grade.outcome is Outcome.CORRECT)
    assert len(grade.reason) < 1_000
    assert grade.reason.isprintable()
    grade.reason.encode()


#: name → a text of about that many characters
HUGE: dict[str, Callable[[int], str]] = {
    "letters": lambda size: "a" * size,
    "digits": lambda size: "9" * size,
    "signs": lambda size: "-" * size,
    "commas": lambda size: "1," * (size // 2),
    "spaces": lambda size: " " * size + "x",
    "lines": lambda size: "a\n" * (size // 2),
    "open brackets": lambda size: "[" * size,
    "nested arrays": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "nested objects": lambda size: '{"a":' * (size // 6) + "1" + "}" * (size // 6),
    "quotes": lambda size: '"' * size,
    "backslashes": lambda size: '"' + "\\" * size,
    "many keys": lambda size: "{" + ",".join(f'"k{n}":{n}' for n in range(size // 12)) + "}",
    "a doubled last key": lambda size: (
        "{" + ",".join(f'"k{n}":1' for n in range(size // 12)) + f',"k{size // 12 - 1}":1}}'
    ),
    "a long number in JSON": lambda size: '{"a":' + "9" * size + "}",
    "a huge exponent in JSON": lambda size: '{"a":1e' + "9" * size + "}",
    "a wide array": lambda size: "[" + "0," * (size // 2) + "0]",
    "combining marks": lambda size: "e" + "\u0301\u0323" * (size // 2),
    "marks that change places": lambda size: "\u0301\u0323" * (size // 2),
    "expanding ligatures": lambda size: "\ufdfa" * (size // 3),
    "bidi": lambda size: "\u202e" * size,
    "NUL": lambda size: "\x00" * size,
    "all of Unicode": lambda size: "".join(chr(n) for n in range(min(size, 0x110000)) if not 0xD800 <= n < 0xE000),
    "a power tower": lambda size: "9^" * (size // 2) + "9",
    "a fraction of digits": lambda size: "1" * (size // 2) + "/" + "3" * (size // 2),
    "an exponent tower": lambda size: "1e" * (size // 2) + "1",
}


def every_grader_has_an_outcome_for(answer: str) -> None:
    for case in CASES:
        (spec,) = case.values
        grade = GRADERS[spec.rule].grade(answer, spec)
        assert grade.outcome is not Outcome.PARTIAL
        assert grade.outcome is not Outcome.CORRECT or spec.rule == "pattern/1"
        assert len(grade.reason) < 1_000


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_lot_of_anything_has_an_outcome(text: Callable[[int], str]) -> None:
    """FND-30: limits count characters, digits, depth and steps; nothing hangs and nothing raises."""
    every_grader_has_an_outcome_for(text(100_000))


@pytest.mark.full
@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_megabyte_of_anything_has_an_outcome(text: Callable[[int], str]) -> None:
    """FND-30: the same for 1 MB."""
    every_grader_has_an_outcome_for(text(1_000_000))
