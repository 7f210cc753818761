"""Reference replies of a suite: replies with known grades, graded again (RUN-10, RUN-11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from trigpoint.core.errors import SuiteError, shown
from trigpoint.core.exact import credit_from, fraction_text
from trigpoint.core.fields import known_fields, text_field
from trigpoint.core.grading import grade_reply
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import CallStatus, Item
from trigpoint.core.suite import Suite
from trigpoint.core.toml import read_toml

_CREDITS = {Outcome.CORRECT: Fraction(1)}


class Reference(NamedTuple):
    """One reply and the grade it must get."""

    where: str
    reply: str
    outcome: Outcome
    credit: Fraction


class Wrong(NamedTuple):
    """A reference reply that was graded otherwise than it says."""

    where: str
    expected: str
    found: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What a check of all references came to."""

    count: int
    wrong: list[Wrong]
    without: list[str]  # items with no references


def check_references(suite: Suite) -> Checked:
    """Grade every reference reply. Raises SuiteError for a references file that isn't one."""
    count, wrong, without, known = 0, [], [], set()
    paths = set(suite.files.paths())
    for item in suite.items():
        path = f"references/{item.id}.toml"
        known.add(path)
        if path not in paths:
            without.append(str(item.id))
            continue
        for reference in references_of(read_toml(suite.files, path)[1], path):
            count += 1
            if found := _graded_otherwise(item, reference):
                wrong.append(found)
    if stray := sorted(path for path in paths - known if path.startswith("references/")):
        raise SuiteError("references of no item", where=stray[0], next="Name the file like the item's id.")
    return Checked(count=count, wrong=wrong, without=without)


def references_of(table: Mapping[str, Any], path: str) -> Iterator[Reference]:
    """The references in one file's table."""
    known_fields(table, {"right", "wrong"}, path)
    for kind, outcome in (("right", "correct"), ("wrong", "incorrect")):
        rows = table.get(kind, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise SuiteError("not references", where=f"{path}: {kind}", expected=f"[[{kind}]] tables")
        for number, row in enumerate(rows, 1):
            yield _reference(row, f"{path}: {kind} {number}", outcome)


def _reference(row: Mapping[str, Any], where: str, default: str) -> Reference:
    known_fields(row, {"reply", "outcome", "credit", "why"}, where)
    reply = row.get("reply")
    if not isinstance(reply, str):
        raise SuiteError("no reply", where=f"{where}: reply", expected="a text, empty if need be")
    word = text_field(row, "outcome", where, default)
    try:
        outcome = Outcome(word)
    except ValueError:
        raise SuiteError("unknown outcome", where=f"{where}: outcome", found=shown(word)) from None
    if outcome is Outcome.PARTIAL and "credit" not in row:
        raise SuiteError("no credit", where=f"{where}: credit", expected='a fraction such as "3/4"')
    credit = credit_from(row["credit"]) if "credit" in row else _CREDITS.get(outcome, Fraction(0))
    return Reference(where, reply, outcome, credit)


def _graded_otherwise(item: Item, reference: Reference) -> Wrong | None:
    _, grade = grade_reply(item, CallStatus.ANSWERED, reference.reply)
    if grade.outcome is reference.outcome and grade.credit == reference.credit:
        return None
    return Wrong(
        reference.where,
        f"{reference.outcome} {fraction_text(reference.credit)}",
        f"{grade.outcome} {fraction_text(grade.credit or Fraction(0))}",
        grade.reason,
    )
