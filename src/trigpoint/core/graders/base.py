"""What a grader is, how it says its verdict, and how its options are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from trigpoint.core.errors import SuiteError, shown
from trigpoint.core.outcomes import Outcome, outcome_of_credit
from trigpoint.core.records import Grade, GraderSpec

SHOWN = 60  # characters of an answer that a reason shows
NAMED = 5  # names that a reason lists before it counts the rest


@dataclass(frozen=True, kw_only=True, slots=True)
class Grader:
    """One rule. `method` is the one whose table of outcomes says what an unsettled answer is worth (FND-10).

    `check(spec, where)` raises SuiteError for an `expected` or an option the rule can't use.
    `grade(answer, spec)` wants a spec that passed `check`, and never raises, whatever the answer's text.
    The same answer and spec give the same grade on every machine: limits count characters and steps.
    """

    rule: str  # name and version, "exact/1"
    method: str
    check: Callable[[GraderSpec, str], None]
    grade: Callable[[str, GraderSpec], Grade]


class Option(NamedTuple):
    """One option of a rule."""

    default: Any
    accepts: Callable[[Any], bool]
    expected: str  # what an error message asks for


def flag(default: bool = False) -> Option:
    """An option that is true or false."""
    return Option(default, lambda value: isinstance(value, bool), "true or false")


def one_of(*names: str) -> Option:
    """An option that is one of a few texts; the first is the default."""
    return Option(
        names[0],
        lambda value: isinstance(value, str) and value in names,
        " or ".join(f'"{name}"' for name in names),
    )


def check_options(options: Mapping[str, Any], known: Mapping[str, Option], where: str) -> None:
    """Raises SuiteError for an option that isn't known, or has a value it can't have."""
    for name, value in options.items():
        if name not in known:
            raise SuiteError(
                "options",
                where=where,
                expected=f"options out of {', '.join(known)}" if known else "no options",
                found=shown(name),
                next="Remove it, or see the page of graders.",
            )
        if not known[name].accepts(value):
            raise bad_value(f"options.{name}", where, known[name].expected, value)


def bad_value(field: str, where: str, expected: str, value: object, next: str = "") -> SuiteError:
    """The error for a value that a field of a grader can't have."""
    return SuiteError(field, where=where, expected=expected, found=_named(value), next=next)


def _named(value: object) -> str:
    """A value of a suite in the words of JSON, never long."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int) and value.bit_length() > 200:
        return "a huge integer"  # Python refuses to write some of them out
    if isinstance(value, int | float | Decimal):
        return f"the number {value!s:.80}"
    if isinstance(value, Mapping | list | tuple):
        return f"{'an object' if isinstance(value, Mapping) else 'an array'} of {len(value):,}"
    return type(value).__name__


NOTHING, ALL = Fraction(0), Fraction(1)


def graded(rule: str, credit: Fraction, reason: str = "") -> Grade:
    """A grade by its credit, 0–1."""
    return Grade(outcome=outcome_of_credit(credit), credit=credit, reason=reason, grader=rule)


def right(rule: str) -> Grade:
    """Full credit."""
    return Grade(outcome=Outcome.CORRECT, credit=ALL, grader=rule)


def wrong(rule: str, reason: str) -> Grade:
    """An answer that was read and earns nothing."""
    return Grade(outcome=Outcome.INCORRECT, credit=NOTHING, reason=reason, grader=rule)


def unreadable(rule: str, reason: str) -> Grade:
    """The answer isn't in the form that was asked for: 0 in every method."""
    return Grade(outcome=Outcome.FORMAT_NOT_RECOGNISED, credit=NOTHING, reason=reason, grader=rule)


def not_scorable(rule: str, reason: str) -> Grade:
    """An answer stands there and its worth can't be worked out; the method says what that is worth."""
    return Grade(outcome=Outcome.NOT_SCORABLE, credit=None, reason=reason, grader=rule)


def brief(text: str) -> str:
    """An answer for a reason: quoted, control characters escaped, cut after SHOWN characters."""
    if len(text) <= SHOWN:
        return shown(text, 6 * SHOWN)
    return f"{shown(text[:SHOWN], 6 * SHOWN)}… ({len(text):,} characters)"


def short(name: str) -> str:
    """A field's name for a reason: as it is when plain, else quoted and cut."""
    return name if name.isascii() and name.isidentifier() and len(name) <= SHOWN else shown(name, SHOWN)


def listed(names: Sequence[str], show: Callable[[str], str] = str) -> str:
    """The first few names, each as `show` puts it, and how many more there are."""
    rest = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(show(name) for name in names[:NAMED]) + rest
