"""Reading one day from a text, in the few spellings that have one meaning (RUN-20)."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.graders.dates import MONTHS, NoSuchDay, read_date

MARCH_5 = (2024, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        *("2024-03-05", " 2024-03-05 ", "2024‑03‑05", "2024–03–05", "2024−03−05", "2024‐03‒05"),
        *(
            "5 March 2024",
            "05 March 2024",
            "5 march 2024",
            "5 MARCH 2024",
            "5 Mar 2024",
            "5 Mar. 2024",
            "5 March, 2024",
        ),
        *("5th March 2024", "the 5th of March 2024", "The 5th of March, 2024", "5 of March 2024", "5  March\n2024"),
        *("March 5, 2024", "March 5 2024", "March 5th, 2024", "Mar 5, 2024", "Mar. 5, 2024", "march 05, 2024"),
    ],
    ids=ascii,
)
def test_spellings_with_one_meaning_are_read(text: str) -> None:
    assert read_date(text) == MARCH_5


@pytest.mark.parametrize(
    "text",
    [
        *("", "today", "March", "2024", "March 2024", "5 March", "2024-03", "2024-3-5", "2024-03-5", "20240305"),
        *("03/05/2024", "5/3/2024", "2024/03/05", "5.3.2024", "05-03-2024", "5 March 24", "24-03-05", "12024-03-05"),
        *(
            "2024-03-05T00:00",
            "2024-03-05 or 06",
            "Tuesday, 5 March 2024",
            "on 5 March 2024",
            "5 March 2024.",
            "5 Märch 2024",
        ),
        *(
            "5March2024",
            "March 5,2024",
            "5 March ,2024",
            "5  st March 2024",
            "5xx March 2024",
            "the March 5, 2024",
            "5 Marc 2024",
        ),
        *("２０２４-03-05", "2024-03-05" + "x" * 60, "5. March 2024", "March the 5th, 2024", "--03-05"),
    ],
    ids=ascii,
)
def test_what_is_not_surely_one_day_is_not_read(text: str) -> None:
    assert read_date(text) is None


def test_a_text_of_60_characters_may_be_a_date() -> None:
    assert read_date("5 March" + " " * 49 + "2024") == MARCH_5
    assert read_date("5 March" + " " * 50 + "2024") is None


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2023-02-29", "1900-02-29", "2024-00-10", "2024-13-10", "2024-04-31", "2024-01-00", "0000-01-01",
     "32 January 2024", "February 30, 2024", "0 May 2024", "2024-12-32", "99 June 2024", "2024-99-01"],
)  # fmt: skip
def test_a_day_that_is_not_in_the_calendar_is_told_apart(text: str) -> None:
    with pytest.raises(NoSuchDay):
        read_date(text)


def test_every_month_has_its_names() -> None:
    first = ("January", "February", "March", "April", "May", "June")
    names = (*first, "July", "August", "September", "October", "November", "December")
    for number, name in enumerate(names, 1):
        for spelled in {name, name[:3], name.upper(), f"{name[:3]}."}:
            assert read_date(f"7 {spelled} 0900") == read_date(f"{spelled} 7, 0900") == (900, number, 7)
    assert read_date("7 Sept 2024") == (2024, 9, 7)
    assert len(MONTHS) == 24


@given(st.dates(), st.sampled_from(["{0:%Y}-{0:%m}-{0:%d}", "{0.day} {1} {2:04}", "{1} {0.day}, {2:04}"]))
def test_every_day_of_the_calendar_is_read(day: datetime.date, spelling: str) -> None:
    month = list(MONTHS)[2 * (day.month - 1) - (day.month > 5)]
    text = spelling.replace("{0:%Y}", "{2:04}").format(day, month, day.year)
    assert read_date(text) == (day.year, day.month, day.day)


@given(st.integers(1, 9999), st.integers(1, 12), st.integers(1, 31))
def test_the_calendar_is_the_gregorian_one(year: int, month: int, day: int) -> None:
    try:
        datetime.date(year, month, day)
    except ValueError:
        with pytest.raises(NoSuchDay):
            read_date(f"{year:04}-{month:02}-{day:02}")
    else:
        assert read_date(f"{year:04}-{month:02}-{day:02}") == (year, month, day)
