"""Read a hand-written TOML file strictly, whoever wrote it: exact decimals, bounded work, no dates."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from itertools import islice
from typing import Any

from trigpoint.core.canonical import BOM, BOM_FAULT, MAX_INTEGER
from trigpoint.core.errors import RefusedSuiteError, SuiteError, shown
from trigpoint.core.fields import no_dates
from trigpoint.core.files import Files, read_limited

MAX_FILE = 4 * 1024 * 1024
MAX_DOTS = 300  # in one key: reading a dotted key takes the square of its parts

_SEGMENT = re.compile(r"[=\n,{}\[\]]")
_STEP = re.compile(r"\.[ \t]*[\w\"'-]", re.ASCII)


def read_toml(files: Files, path: str) -> tuple[str, dict[str, Any]]:
    """(source, table). Raises SuiteError naming the line where the reader knows it, RefusedError beyond a limit."""
    data = read_limited(files, path, MAX_FILE)
    if data.startswith(BOM):
        raise SuiteError(**BOM_FAULT, where=path)
    try:
        source = data.decode()
        _refuse_long_keys(source, path)
        table = tomllib.loads(source, parse_float=_decimal)
        no_dates(table, path)
        _refuse_large_integers(table, path)
    except UnicodeDecodeError as error:
        raise SuiteError("not UTF-8", where=path, found=f"byte {data[error.start]:#04x} at {error.start}") from None
    except (ValueError, RecursionError) as error:  # ValueError: its own, and a number of thousands of digits
        raise SuiteError("not TOML", where=path, found=str(error)[:200] or "too deep") from None
    return source, table


def _refuse_long_keys(source: str, path: str) -> None:
    if source.count(".") <= MAX_DOTS:
        return
    for segment in _SEGMENT.split(source):
        if segment.count(".") > MAX_DOTS and any(islice(_STEP.finditer(segment), MAX_DOTS, None)):
            raise RefusedSuiteError("a key of too many parts", where=path, expected=f"at most {MAX_DOTS} dots")


def _refuse_large_integers(value: Any, where: str) -> None:
    if isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
        raise SuiteError("an integer beyond ±(2⁵³ − 1)", where=where, next="Write it as text, in quotes.")
    if isinstance(value, dict):
        for name, inner in value.items():
            _refuse_large_integers(inner, f"{where}.{shown(name)}")
    if isinstance(value, list):
        for place, inner in enumerate(value):
            _refuse_large_integers(inner, f"{where}[{place}]")


def _decimal(text: str) -> Decimal:
    value = Decimal(text.replace("_", ""))
    if not value.is_finite():
        raise SuiteError("a number that isn't finite", found=text)
    return value
