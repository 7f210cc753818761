"""Rows of `trigpoint grade`: a rule, what it expects and a reply (RUN-20 … RUN-23, FND-10)."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from trigpoint.core.errors import OperatorError
from trigpoint.core.graders import base, rows
from trigpoint.core.graders.rows import grade_row
from trigpoint.core.records import Grade, GraderSpec


def row(rule: Any, expected: Any, reply: Any, **more: Any) -> dict[str, Any]:
    return {"rule": rule, "expected": expected, "reply": reply, **more}


def result(outcome: str, credit: Any, reason: str = "") -> dict[str, Any]:
    return {"outcome": outcome, "credit": credit, "reason": reason}


@pytest.mark.parametrize(
    ("given", "graded"),
    [
        pytest.param(row("exact/1", "Paris", " Paris"), result("correct", 1), id="correct"),
        pytest.param(
            row("exact", "Paris", "Rome"), result("incorrect", 0, '"Rome" is not an accepted text'), id="wrong"
        ),
        pytest.param(row("exact", "a", "A", options={"casefold": True}), result("correct", 1), id="options"),
        pytest.param(row("exact", "a", "a", options=None), result("correct", 1), id="options null"),
        pytest.param(row("exact", "a", "a", options={}), result("correct", 1), id="options empty"),
        pytest.param(row("exact", "a", "a", id="s01", credit=0, note="x"), result("correct", 1), id="other members"),
        pytest.param(row("pattern", r"\d+", "42"), result("correct", 1), id="pattern"),
        pytest.param(
            row("json_fields", {"a": 1, "b": 2, "c": 3, "d": 4}, '{"a":1,"b":2,"c":3,"d":0}'),
            result("partial", 0.75, "3 of 4 fields right; not right: d"),
            id="partial",
        ),
        pytest.param(
            row("json_fields", {"a": 1}, "x"), result("format_not_recognised", 0, 'not JSON: "x"'), id="parser failure"
        ),
        pytest.param(
            row("value", 3, "3 or 4"),
            result("not_scorable", 0, '"3 or 4" can\'t be read surely as one number'),
            id="unscorable counts 0 in a fair run",
        ),
        pytest.param(row("value", Decimal("0.5"), "1/2"), result("correct", 1), id="a Decimal expected"),
        pytest.param(row("exact", "a", ""), result("missing", 0, "the reply is empty"), id="empty"),
        pytest.param(row("pattern", ".*", " \n\u3000"), result("missing", 0, "the reply is empty"), id="blank"),
        pytest.param(row("value", 1, None), result("missing", 0, "the reply is empty"), id="null"),
        pytest.param(row("exact", "\ufffd", "\ud800"), result("correct", 1), id="a lone surrogate is replaced"),
    ],
)
def test_a_row_becomes_a_grade(given: dict[str, Any], graded: dict[str, Any]) -> None:
    """FND-10: outcomes by name; RUN-23: missing output and unscorable answers score 0 in a fair run."""
    assert grade_row(given) == graded
    assert type(grade_row(given)["credit"]) is type(graded["credit"])
    json.dumps(grade_row(given))


NEEDS = 'line 3: row: expected a member "{}", found none'


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param(
            [1], 'line 3: row: expected an object {"rule", "expected", "reply"}, found an array of 1', id="no object"
        ),
        pytest.param("x", 'line 3: row: expected an object {"rule", "expected", "reply"}, found "x"', id="a text"),
        pytest.param({}, NEEDS.format("rule"), id="empty"),
        pytest.param({"rule": "exact", "expected": "a"}, NEEDS.format("reply"), id="no reply"),
        pytest.param({"rule": "exact", "reply": "a"}, NEEDS.format("expected"), id="no expected"),
        pytest.param({"expected": "a", "reply": "a"}, NEEDS.format("rule"), id="no rule"),
        pytest.param(
            row("exact", "a", 3), "line 3: reply: expected a text, or null for none, found the number 3", id="reply"
        ),
        pytest.param(
            row("exact", "a", "a", options=["x"]),
            "line 3: options: expected an object, found an array of 1",
            id="options",
        ),
        pytest.param(
            row("fuzzy", "a", "a"),
            'line 3: rule: expected one of exact/1, pattern/1, json_fields/1, value/1, found "fuzzy"',
            id="rule",
        ),
        pytest.param(
            row("exact", "a", "a", options={"x": 1}),
            'line 3: options: expected options out of normalize, casefold, found "x".'
            " Remove it, or see the page of graders.",
            id="an unknown option",
        ),
        pytest.param(
            row("exact", 1, ""),
            'line 3: expected: expected a text or a list of texts, found the number 1. Write it in quotes: "42".',
            id="checked though the reply is empty",
        ),
    ],
)
def test_a_row_that_cannot_be_graded_is_refused(given: Any, message: str) -> None:
    """FND-14: usage and input errors; what, where, expected, found."""
    with pytest.raises(OperatorError) as raised:
        grade_row(given, "line 3")
    assert str(raised.value) == message
    assert raised.value.exit_code == 2


def test_a_method_with_another_table_gives_unsettled_answers_no_credit(monkeypatch: pytest.MonkeyPatch) -> None:
    """FND-10: what an unsettled answer is worth is the method's, so a check's rule gives None."""

    def unsure(answer: str, spec: GraderSpec) -> Grade:
        assert spec == GraderSpec(rule="sums/1", expected=1, options={})
        return base.not_scorable("sums/1", "no idea")

    sums = base.Grader(rule="sums/1", method="check", check=lambda spec, where: None, grade=unsure)
    monkeypatch.setattr(rows, "grader_for", lambda rule, where: sums)
    assert grade_row(row("sums", 1, "1")) == result("not_scorable", None, "no idea")
    assert grade_row(row("sums", 1, "")) == result("missing", None, "the reply is empty")
