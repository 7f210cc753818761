"""Cells of a table of runs, as trackers write them: credits, percentages, words, gaps, times (STA-02).

An empty or absent cell is absent, never 0. What can't be read surely is unreadable, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import IntEnum
from typing import NamedTuple

MAX_CELL = 40  # characters of a credit
_WORDS = {
    "1": ("pass", "passed", "yes", "y", "true", "t", "ok", "correct", "success", "right", "✓", "✔", "✅"),
    "0": ("fail", "failed", "no", "n", "false", "f", "incorrect", "failure", "wrong", "✗", "✘", "❌"),
    "": ("", "-", "–", "—", "na", "n/a", "nan", "null", "none", "nil", "missing", "absent", "skip", "skipped", "?"),
}  # fmt: skip
_KNOWN = {word: meaning for meaning, words in _WORDS.items() for word in words}
_NUMBER = re.compile(r"([0-9]{1,12}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE]([+-]?[0-9]))?( ?%)?\Z")
_DAY = re.compile(r"([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})(?:[Tt ](.{5,30}))?\Z")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)? ?(?:([Zz])|([+-])([0-9]{2}):?([0-9]{2}))?\Z"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Kind(IntEnum):
    """What a cell holds; the numbers are told apart by what they say of the scale."""

    ABSENT = 0
    WORD = 1
    ZERO = 2
    UP_TO_ONE = 3  # above 0, at most 1
    ABOVE_ONE = 4  # at most 100
    BEYOND = 5  # above 100: no credit on any scale
    PERCENT = 6  # with a percent sign
    UNREADABLE = 7


class Cell(NamedTuple):
    """One cell. `text` is its one spelling: equal cells have equal texts."""

    kind: Kind
    text: str
    value: Decimal | None  # as written; a word's is 0 or 1


def read_cell(text: str, *, decimal_comma: bool = False) -> Cell:
    """What a cell says. `decimal_comma`: the file parts its columns by something else than commas."""
    plain = text.strip()
    if len(plain) > MAX_CELL:
        return Cell(Kind.UNREADABLE, "?", None)
    word = _KNOWN.get(plain.lower())
    if word == "":
        return Cell(Kind.ABSENT, "", None)
    if word is not None and not plain.isdecimal():
        return Cell(Kind.WORD, "pass" if word == "1" else "fail", Decimal(word))
    found = _NUMBER.match(plain.replace(",", ".") if decimal_comma else plain)
    if not found:
        return Cell(Kind.UNREADABLE, "?", None)
    value = Decimal(found[1]).scaleb(int(found[2] or 0))
    spelt = format(value.normalize(), "f")
    if found[3]:
        return Cell(Kind.PERCENT if value <= 100 else Kind.BEYOND, spelt + "%", value)
    return Cell(_kind_of(value), spelt, value)


def _kind_of(value: Decimal) -> Kind:
    if value == 0:
        return Kind.ZERO
    if value <= 1:
        return Kind.UP_TO_ONE
    return Kind.ABOVE_ONE if value <= 100 else Kind.BEYOND


def credit(cell: Cell, *, percent: bool) -> Decimal | None:
    """The credit 0–1, exact; None when the cell holds none on this scale."""
    if cell.value is None or cell.kind is Kind.BEYOND:
        return None
    if cell.kind is Kind.PERCENT or (percent and cell.kind is not Kind.WORD):
        return cell.value.scaleb(-2)
    return cell.value if cell.value <= 1 else None


def scales(counts: Sequence[Sequence[int]], hinted: Sequence[bool]) -> list[bool]:
    """Column by column, whether plain numbers are percentages. `counts[column][kind]` counts cells.

    A column whose name says percent is in percent. Else the more frequent of its numbers decide, those above 1 or those
    above 0 and up to 1; as many of both, or none, and the whole file decides in the same way, a tie there for percent.
    No order of rows matters.
    """
    above = sum(column[Kind.ABOVE_ONE] for column in counts)
    whole_file = above > 0 and above >= sum(column[Kind.UP_TO_ONE] for column in counts)
    return [
        hint
        or (
            whole_file
            if column[Kind.ABOVE_ONE] == column[Kind.UP_TO_ONE]
            else column[Kind.ABOVE_ONE] > column[Kind.UP_TO_ONE]
        )
        for column, hint in zip(counts, hinted, strict=True)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """When a run was made."""

    day: date  # UTC
    order: int  # nanoseconds since 1970; a day without a time counts from its midnight
    timed: bool


def read_moment(text: str) -> Moment | None:
    """The moment of `2026-10-12` or an RFC 3339 time (a space for T, no seconds, no zone = UTC are let pass).

    None for anything else, days that don't exist, and days written in an order one would have to guess.
    """
    found = _DAY.match(text.strip())
    if not found:
        return None
    time = _TIME.match(found[5].strip()) if found[5] else None
    if found[5] and not time:
        return None
    try:
        moment = datetime(int(found[1]), int(found[3]), int(found[4]), tzinfo=UTC)
        fraction = 0
        if time:
            hour, minute, second = (int(time[place] or 0) for place in (1, 2, 3))
            zone = timezone(timedelta(hours=int(time[7]), minutes=int(time[8]))) if time[6] == "+" else UTC
            if time[6] == "-":
                zone = timezone(-timedelta(hours=int(time[7]), minutes=int(time[8])))
            moment = moment.replace(hour=hour, minute=minute, second=second, tzinfo=zone).astimezone(UTC)
            fraction = int((time[4] or "0").ljust(9, "0"))
    except (ValueError, OverflowError):
        return None
    since = moment - _EPOCH
    return Moment(
        day=moment.date(), order=(since.days * 86_400 + since.seconds) * 10**9 + fraction, timed=time is not None
    )
