"""Reads one day from a text, in the few spellings that have one meaning."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LENGTH = 60  # characters of a text that may be a date

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
#: Full name and first three letters → 1–12; "sept" too.
MONTHS = {name: number for number, full in enumerate(_MONTHS, 1) for name in (full, full[:3])} | {"sept": 9}

_HYPHENS = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-")
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = "(?P<year>[0-9]{4})"
#: 2024-03-05 · 5 March 2024, the 5th of March, 2024 · March 5, 2024
_SPELLINGS = tuple(
    re.compile(spelling)
    for spelling in (
        f"{_YEAR}-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})",
        f"(?:the )?{_DAY} (?:of )?{_MONTH},? {_YEAR}",
        f"{_MONTH} {_DAY},? {_YEAR}",
    )
)


class Day(NamedTuple):
    """A day of the Gregorian calendar, which is taken to hold for all years."""

    year: int  # 1–9999
    month: int
    day: int


class NoSuchDay(ValueError):
    """A date that is written rightly and isn't in the calendar, such as 30 February."""


def read_date(text: str) -> Day | None:
    """The day that a text is; None when it isn't surely one.

    Case, the width of white space and which hyphen it is don't matter. Raises NoSuchDay.
    """
    if len(text) > MAX_LENGTH:
        return None
    plain = " ".join(text.translate(_HYPHENS).split()).lower()
    for spelling in _SPELLINGS:
        if found := spelling.fullmatch(plain):
            month = MONTHS.get(found["month"]) or int(found["month"])
            day = Day(int(found["year"]), month, int(found["day"]))
            if day.year and 1 <= month <= 12 and 1 <= day.day <= _month_length(day.year, month):
                return day
            raise NoSuchDay(plain)
    return None


def _month_length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if leap and month == 2 else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
