"""Read typed fields out of hand-written tables, with errors that name file, line and field (RUN-11)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from trigpoint.core.errors import SuiteError, shown

ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9])?\Z")


def known_fields(table: Mapping[str, Any], allowed: Collection[str], where: str) -> None:
    """Raises SuiteError for a field nobody reads: a misspelt option must not be ignored in silence."""
    for name in table:
        if name not in allowed:
            raise SuiteError("unknown field", where=f"{where}: {name}", expected="one of " + ", ".join(sorted(allowed)))


def text_field(table: Mapping[str, Any], name: str, where: str, default: str | None = None) -> str:
    """A text that isn't blank; `default` where the field is absent. Raises SuiteError."""
    value = table.get(name, default)
    if not isinstance(value, str) or (not value.strip() and default is None):
        raise SuiteError("not a text", where=f"{where}: {name}", expected="a text", found=_found(table, name))
    return value


def id_field(table: Mapping[str, Any], name: str, where: str) -> str:
    """A text that can be an id. Raises SuiteError."""
    value = text_field(table, name, where)
    if not ID.match(value):
        raise SuiteError(
            "not an id",
            where=f"{where}: {name}",
            expected="1–80 letters, digits, '.', '_' or '-', with a letter or digit at both ends",
            found=shown(value),
        )
    return value


def positive_field(table: Mapping[str, Any], name: str, where: str, default: int | None = None) -> Fraction:
    """An exact number above 0: 2, 0.5 or "1/3"."""
    value = table.get(name, default)
    number = _number(value)
    if number is None or number <= 0 or number > 10**9 or number.denominator > 10**9:
        raise SuiteError(
            "not a weight",
            where=f"{where}: {name}",
            expected='a number > 0 such as 1, 0.5 or "1/3"',
            found=_found(table, name),
            next=f"Write {name} = 1.",
        )
    return number


def _number(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return None
    if isinstance(value, Decimal) and (not value.is_finite() or abs(int(value.as_tuple().exponent)) > 30):
        return None
    if isinstance(value, str) and not re.fullmatch(r"[0-9]{1,12}(?:/[0-9]{1,12}|\.[0-9]{1,12})?", value):
        return None
    try:
        return Fraction(value)
    except ZeroDivisionError:
        return None


def no_dates(value: Any, where: str) -> None:
    """Raises SuiteError for a bare TOML date: JSON has none, so dates are written as text."""
    if isinstance(value, datetime.date | datetime.time):
        raise SuiteError("a bare date", where=where, expected="a text", found=str(value), next="Put it in quotes.")
    if isinstance(value, dict):
        for name, inner in value.items():
            no_dates(inner, f"{where}.{name}")
    if isinstance(value, list):
        for place, inner in enumerate(value):
            no_dates(inner, f"{where}[{place}]")


def _found(table: Mapping[str, Any], name: str) -> str:
    return shown(table[name] if isinstance(table[name], str) else repr(table[name])) if name in table else "nothing"


def line_of(source: str, name: str) -> int:
    """The line (from 1) on which a TOML key first stands, 0 when it can't be told. For messages only."""
    found = re.search(rf"^[ \t]*(?:\[+[ \t]*)?{re.escape(name)}[ \t]*(?:=|\])", source, re.MULTILINE)
    return source.count("\n", 0, found.start()) + 1 if found else 0
