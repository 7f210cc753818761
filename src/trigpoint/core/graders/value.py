"""value/1: the answer is a number, a date, a set or an ordered list with the expected value (RUN-20).

0 or 1. What can't be read surely is not_scorable when a digit stands in it, else incorrect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from trigpoint.core.errors import InternalError
from trigpoint.core.graders.base import (
    Grader,
    Option,
    bad_value,
    brief,
    check_options,
    not_scorable,
    one_of,
    right,
    wrong,
)
from trigpoint.core.graders.dates import NoSuchDay, read_date
from trigpoint.core.graders.numbers import fraction_of, holds_digit, read_number
from trigpoint.core.graders.text import STEPS, nfkc, normal, text_options
from trigpoint.core.records import Grade, GraderSpec

RULE = "value/1"
MAX_ITEMS = 1_000  # of an expected set or list

_NUMBER_FORM = 'a number: 12, 0.5, or a text such as "3/4"'
_NUMBERS_FORM = f"a list of 1 to {MAX_ITEMS:,} items, each {_NUMBER_FORM}"
_UNIT_EDGE = "+-.,'/%"  # what a unit can't begin with: it would be read as part of the number


def _is_tolerance(value: Any) -> bool:
    exact = fraction_of(value)
    return exact is not None and exact >= 0


def _is_unit(value: Any) -> bool:
    units = _as_list(value)
    return 0 < len(units) <= 20 and all(
        isinstance(unit, str)
        and unit == unit.strip()
        and 0 < len(unit) <= 40
        and not holds_digit(unit)
        and (unit == "%" or unit[0] not in _UNIT_EDGE)
        for unit in units
    )


def _is_separator(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 10 and not holds_digit(value)


_KIND = {"kind": one_of("number", "date", "set", "list")}
_TOLERANCES = {
    f"{name}_tolerance": Option(0, _is_tolerance, 'a number ≥ 0, or its text ("0.001")')
    for name in ("absolute", "relative")
}
_ITEMS = {
    "items": one_of("text", "number"),
    "separator": Option(",", _is_separator, "a text of 1 to 10 characters without digits"),
}
_UNIT = {"unit": Option((), _is_unit, 'a unit such as "km", or a list of its spellings, without digits')}


class Kind(NamedTuple):
    """One kind of value: its options, a check of `expected` (what is asked for, or ""), and its grade."""

    options: dict[str, Option]
    wants: Callable[[GraderSpec], str]
    grade: Callable[[str, GraderSpec], Grade]


def check(spec: GraderSpec, where: str) -> None:
    """Raises SuiteError for an `expected` that isn't a value of its kind, or an option that kind doesn't have."""
    for name, option in (*_KIND.items(), ("items", _ITEMS["items"])):
        if name in spec.options and not option.accepts(spec.options[name]):
            raise bad_value(f"options.{name}", where, option.expected, spec.options[name])
    kind = KINDS[_kind(spec)]
    check_options(spec.options, _KIND | kind.options, where)
    if wanted := kind.wants(spec):
        raise bad_value("expected", where, wanted, spec.expected)


def grade(answer: str, spec: GraderSpec) -> Grade:
    """1 when the answer has the expected value, else 0; not_scorable when its value can't be read surely."""
    return KINDS[_kind(spec)].grade(answer, spec)


def _kind(spec: GraderSpec) -> str:
    kind: str = spec.options.get("kind", "number")
    return f"{kind} of {spec.options.get('items', 'text')}" if kind in ("set", "list") else kind


def _unread(answer: str, form: str) -> Grade:
    if holds_digit(answer):
        return not_scorable(RULE, f"{brief(answer)} can't be read surely as {form}")
    return wrong(RULE, f"{brief(answer)} is not {form}")


def _verdict(is_right: bool, answer: str) -> Grade:
    return right(RULE) if is_right else wrong(RULE, f"{brief(answer)} is not the expected value")


# numbers


def _wants_number(spec: GraderSpec) -> str:
    return "" if fraction_of(spec.expected, _units(spec)) is not None else _NUMBER_FORM


def _grade_number(answer: str, spec: GraderSpec) -> Grade:
    found = read_number(answer, _units(spec))
    if found is None:
        return _unread(answer, "one number")
    return _verdict(_near(found, spec.expected, spec), answer)


def _units(spec: GraderSpec) -> Sequence[str]:
    return _as_list(spec.options.get("unit", ()))


def _near(found: Fraction, wanted: Any, spec: GraderSpec) -> bool:
    """Whether two numbers are equal or as near as one of the tolerances allows, its edge included."""
    expected = _exact(wanted, spec)
    gap = abs(found - expected)
    absolute = _exact(spec.options.get("absolute_tolerance", 0), spec)
    relative = _exact(spec.options.get("relative_tolerance", 0), spec)
    return gap <= absolute or gap <= relative * abs(expected)


def _exact(value: Any, spec: GraderSpec) -> Fraction:
    """A number of a checked spec."""
    exact = fraction_of(value, _units(spec))
    if exact is None:
        raise InternalError("a spec that was never checked", found=f"{spec.rule} for {type(value).__name__}")
    return exact


# dates


def _wants_date(spec: GraderSpec) -> str:
    try:
        known = isinstance(spec.expected, str) and read_date(spec.expected)
    except NoSuchDay:
        known = None
    return "" if known else 'a date as text, "2024-03-05"'


def _grade_date(answer: str, spec: GraderSpec) -> Grade:
    try:
        found = read_date(answer)
    except NoSuchDay:
        return wrong(RULE, f"{brief(answer)} is no day of the calendar")
    return _unread(answer, "one date") if found is None else _verdict(found == read_date(spec.expected), answer)


# sets and lists


def _wants_texts(spec: GraderSpec) -> str:
    items = spec.expected
    fits = isinstance(items, list | tuple) and 0 < len(items) <= MAX_ITEMS
    fits = fits and all(isinstance(item, str) and _is_item(item, spec) for item in items)
    return "" if fits else f"a list of 1 to {MAX_ITEMS:,} texts, none empty and none holding the separator"


def _is_item(text: str, spec: GraderSpec) -> bool:
    return len(_split_text(text, spec)) == 1 and bool(_normal(text, spec).strip())


def _wants_numbers(spec: GraderSpec) -> str:
    items = spec.expected
    fits = isinstance(items, list | tuple) and 0 < len(items) <= MAX_ITEMS
    return "" if fits and all(fraction_of(item) is not None for item in items) else _NUMBERS_FORM


def _wants_different(
    wants: Callable[[GraderSpec], str], value: Callable[[Any, GraderSpec], Any]
) -> Callable[[GraderSpec], str]:
    """The same, and no value stands twice: an answer with doubles is never a set."""

    def wanted(spec: GraderSpec) -> str:
        form = wants(spec)
        doubled = not form and len({value(item, spec) for item in spec.expected}) < len(spec.expected)
        return "a list without doubles" if doubled else form

    return wanted


def _grade_texts(answer: str, spec: GraderSpec) -> Grade:
    parts, expected = _split_text(answer, spec), spec.expected
    if len(parts) != len(expected):
        return _miscounted(parts, spec)
    order: Callable[[Iterable[str]], list[str]] = sorted if _is_set(spec) else list
    found = order(_normal(part, spec) for part in parts)
    return _verdict(found == order(_normal(item, spec) for item in expected), answer)


def _grade_numbers(answer: str, spec: GraderSpec) -> Grade:
    parts = _split(answer, spec)
    if len(parts) > len(spec.expected):
        return _miscounted(parts, spec)
    found: list[Fraction] = []
    for part in parts:
        value = read_number(part)
        if value is None:
            return _unread(part, "one number")
        found.append(value)
    if len(parts) < len(spec.expected):
        return _miscounted(parts, spec)
    if _is_set(spec):
        return _verdict(set(found) == {_exact(item, spec) for item in spec.expected}, answer)
    return _verdict(all(_near(one, item, spec) for one, item in zip(found, spec.expected, strict=True)), answer)


def _is_set(spec: GraderSpec) -> bool:
    return bool(spec.options["kind"] == "set")


def _miscounted(parts: Sequence[str], spec: GraderSpec) -> Grade:
    return wrong(RULE, f"items: {len(parts):,} instead of {len(spec.expected):,}")


def _split(text: str, spec: GraderSpec, separator: str | None = None) -> list[str]:
    """The parts between separators; a single space stands for any run of white space."""
    separator = separator or spec.options.get("separator", ",")
    return text.split(None if separator == " " else separator)


def _split_text(text: str, spec: GraderSpec) -> list[str]:
    """The same of a text whose full-width commas, say, are commas when "nfkc" is among the steps."""
    if "nfkc" not in spec.options.get("normalize", STEPS):
        return _split(text, spec)
    return _split(nfkc(text), spec, nfkc(spec.options.get("separator", ",")))


def _normal(text: str, spec: GraderSpec) -> str:
    return normal(text, spec.options.get("normalize", STEPS), spec.options.get("casefold", False))


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


KINDS = {
    "number": Kind(_TOLERANCES | _UNIT, _wants_number, _grade_number),
    "date": Kind({}, _wants_date, _grade_date),
    "set of text": Kind(_ITEMS | text_options(), _wants_different(_wants_texts, _normal), _grade_texts),
    "set of number": Kind(_ITEMS, _wants_different(_wants_numbers, _exact), _grade_numbers),
    "list of text": Kind(_ITEMS | text_options(), _wants_texts, _grade_texts),
    "list of number": Kind(_ITEMS | _TOLERANCES, _wants_numbers, _grade_numbers),
}

VALUE = Grader(rule=RULE, method="fair-run", check=check, grade=grade)
