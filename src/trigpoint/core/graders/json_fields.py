"""json_fields/1: the answer is JSON, and each expected leaf field earns its share (RUN-20, RUN-21).

Strict: no repair, no fences, no text around it. A doubled key, a number that isn't finite or is too long, or
nesting too deep is not recognised as an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from trigpoint.core.canonical import MAX_DEPTH, depth_of
from trigpoint.core.graders.base import (
    Grader,
    bad_value,
    brief,
    check_options,
    graded,
    listed,
    one_of,
    right,
    short,
    unreadable,
    wrong,
)
from trigpoint.core.graders.numbers import MAX_DIGITS, decimal_of
from trigpoint.core.graders.text import normal, text_options
from trigpoint.core.records import Grade, GraderSpec

RULE = "json_fields/1"
MAX_LEAVES = 1_000  # of an expected value
MAX_NUMBER = 420  # characters of a number in an answer: the longest expected one has fewer
MAX_EXPONENT_DIGITS = 4

OPTIONS = {
    "extra_root_fields": one_of("forbid", "allow"),
    "extra_nested_fields": one_of("allow", "forbid"),
    **text_options(()),
}

_ABSENT = object()  # equals no expected value


def check(spec: GraderSpec, where: str) -> None:
    """Raises SuiteError unless `expected` is an object or array of JSON values with 1 to 1,000 leaves."""
    check_options(spec.options, OPTIONS, where)
    if not isinstance(spec.expected, dict | list):
        raise bad_value("expected", where, "an object or array", spec.expected)
    leaves = _check_value(spec.expected, where, 1)
    if leaves > MAX_LEAVES:
        raise bad_value("expected", where, f"at most {MAX_LEAVES:,} leaf fields", leaves)


def _check_value(value: Any, where: str, depth: int) -> int:
    """How many leaves a value has. Raises SuiteError for what JSON can't hold."""
    if isinstance(value, dict | list) and value:
        if depth > MAX_DEPTH:
            raise bad_value("expected", where, f"at most {MAX_DEPTH} levels", "more")
        if isinstance(value, dict) and not all(isinstance(name, str) for name in value):
            raise bad_value("expected", where, "field names that are texts", value)
        inside = value.values() if isinstance(value, dict) else value
        return sum(_check_value(inner, where, depth + 1) for inner in inside)
    if not (value is None or isinstance(value, bool | str | dict | list)) and decimal_of(value) is None:
        raise bad_value("expected", where, f"JSON values, numbers finite and of at most {MAX_DIGITS} digits", value)
    return 1


def grade(answer: str, spec: GraderSpec) -> Grade:
    """The share of the expected leaves that the answer has right.

    0 when root fields are extra or missing and extra ones are forbidden; format_not_recognised when the
    answer isn't one strict JSON value.
    """
    try:
        found = _read(answer)
    except _Refused as refused:
        return unreadable(RULE, str(refused))
    if spec.options.get("extra_root_fields", "forbid") == "forbid":
        strangers = _root_difference(spec.expected, found)
        if strangers:
            return wrong(RULE, strangers)
    results = list(_compare(spec.expected, found, "", spec))
    missed = [path for path, same in results if not same]
    if not missed:
        return right(RULE)
    count = len(results) - len(missed)
    reason = f"{count} of {len(results)} fields right; not right: {listed(missed)}"
    return graded(RULE, Fraction(count, len(results)), reason)


class _Refused(Exception):
    """The answer isn't strict JSON; the text says why."""


def _read(answer: str) -> Any:
    """The value of an answer; all its numbers are Decimal."""
    if depth_of(answer.encode("utf-8", "surrogatepass")) > MAX_DEPTH:
        raise _Refused(f"JSON nested more than {MAX_DEPTH} levels deep")
    try:
        return _decoder.decode(answer)
    except ValueError:  # its own words differ between Python versions, and a reason mustn't
        raise _Refused(f"not JSON: {brief(answer)}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Refused(f"a key stands twice in one object: {short(name)}")
        found[name] = value
    return found


def _number(text: str) -> Decimal:
    exponent = text.lower().partition("e")[2].lstrip("+-")
    if len(text) > MAX_NUMBER or len(exponent) > MAX_EXPONENT_DIGITS:
        raise _Refused(f"a number of more than {MAX_NUMBER} characters, or {MAX_EXPONENT_DIGITS} in its exponent")
    return Decimal(text)


def _constant(name: str) -> NoReturn:
    raise _Refused(f"not JSON: {name}")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_constant)


def _root_difference(expected: Any, found: Any) -> str:
    """Which root fields are extra or missing, in words; "" when none is. Elements are an array's fields."""
    if type(found) is not type(expected):
        return f"an {_kind(expected)} was asked for"
    if isinstance(expected, list):
        return "" if len(found) == len(expected) else f"elements: {len(found):,} instead of {len(expected):,}"
    extra = [name for name in found if name not in expected]
    missing = [name for name in expected if name not in found]
    parts = [f"extra root fields: {listed(extra, short)}"] if extra else []
    parts += [f"missing root fields: {listed(missing, short)}"] if missing else []
    return "; ".join(parts)


def _kind(value: Any) -> str:
    return "object" if isinstance(value, dict) else "array"


def _compare(expected: Any, found: Any, path: str, spec: GraderSpec) -> Iterator[tuple[str, bool]]:
    """(path, whether it is right) of each expected leaf."""
    if not isinstance(expected, dict | list) or not expected:
        yield path or "the whole", _same(expected, found, spec)
        return
    inside = type(found) is type(expected) and not (path and _surplus(expected, found, spec))
    for name, inner in _members(expected):
        there = _member(found, name) if inside else _ABSENT
        yield from _compare(inner, there, _path(path, name), spec)


def _surplus(expected: Any, found: Any, spec: GraderSpec) -> bool:
    """Whether a container below the root holds more than it should, where that is forbidden."""
    if spec.options.get("extra_nested_fields", "allow") == "allow":
        return False
    if isinstance(expected, list):
        return len(found) > len(expected)
    return not found.keys() <= expected.keys()


def _members(container: Any) -> Iterable[tuple[str | int, Any]]:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _member(container: Any, name: Any) -> Any:
    if isinstance(container, dict):
        return container.get(name, _ABSENT)
    return container[name] if name < len(container) else _ABSENT


def _path(path: str, name: str | int) -> str:
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{short(name)}" if path else short(name)


def _same(expected: Any, found: Any, spec: GraderSpec) -> bool:
    """Whether a leaf is right: the same type, and the same value. 1.0 is 1; true is not 1, "3" is not 3."""
    if expected is None or isinstance(expected, bool):
        return found is expected
    if isinstance(expected, str):
        return isinstance(found, str) and _normal(found, spec) == _normal(expected, spec)
    if isinstance(expected, dict | list):
        return type(found) is type(expected) and not found
    return isinstance(found, Decimal) and found == decimal_of(expected)


def _normal(text: str, spec: GraderSpec) -> str:
    return normal(text, spec.options.get("normalize", ()), spec.options.get("casefold", False))


JSON_FIELDS = Grader(rule=RULE, method="fair-run", check=check, grade=grade)
