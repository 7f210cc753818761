"""One row of `trigpoint grade`: a rule, what it expects and a reply, judged on their own."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from trigpoint.core.errors import OperatorError
from trigpoint.core.graders import grader_for
from trigpoint.core.graders.base import NOTHING, bad_value
from trigpoint.core.outcomes import EFFECTS, Outcome
from trigpoint.core.records import Grade, GraderSpec, clean_text

_NEEDED = ("rule", "expected", "reply")


def grade_row(row: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """{"outcome", "credit", "reason"} for {"rule", "expected", "reply", optional "options"}.

    Other members are let pass. `credit` is an int when it is whole, else a float, and None when the rule's
    method gives none. A reply that is null or blank is missing; what that and an unscorable answer are worth
    says the method's table of outcomes (FND-10). Numbers in `expected` and `options` may be Decimal.

    Raises OperatorError with `where` for a row that isn't an object or lacks a member, an unknown rule, an
    `expected` or an option that the rule can't use.
    """
    if not isinstance(row, Mapping):
        raise bad_value("row", where, 'an object {"rule", "expected", "reply"}', row)
    for name in _NEEDED:
        if name not in row:
            raise OperatorError("row", where=where, expected=f'a member "{name}"', found="none")
    options = row.get("options") or {}
    if not isinstance(options, Mapping):
        raise bad_value("options", where, "an object", options)
    if not isinstance(row["reply"], str | None):
        raise bad_value("reply", where, "a text, or null for none", row["reply"])
    grader = grader_for(row["rule"], where)
    spec = GraderSpec(rule=grader.rule, expected=row["expected"], options=options)
    grader.check(spec, where)
    reply, _ = clean_text(row["reply"] or "")
    if reply.strip():
        grade = grader.grade(reply, spec)
    else:
        grade = Grade(outcome=Outcome.MISSING, credit=None, reason="the reply is empty", grader=grader.rule)
    credit = grade.credit
    if credit is None and EFFECTS[grader.method][grade.outcome].credit == "0":
        credit = NOTHING
    return {"outcome": grade.outcome.value, "credit": _number(credit), "reason": grade.reason}


def _number(credit: Fraction | None) -> int | float | None:
    if credit is None:
        return None
    return int(credit) if credit.denominator == 1 else float(credit)
