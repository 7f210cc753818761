"""Cells, columns and scales of a table of runs (STA-02)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.series_cells import Kind, credit, read_cell, read_moment, scales
from trigpoint.core.statistics.series_columns import columns_of_credits, key_of, read_header, says_percent


@pytest.mark.parametrize(
    ("text", "kind", "spelt"),
    [
        ("1", Kind.UP_TO_ONE, "1"), ("1.0", Kind.UP_TO_ONE, "1"), ("0", Kind.ZERO, "0"), ("0.00", Kind.ZERO, "0"),
        (".5", Kind.UP_TO_ONE, "0.5"), ("1.", Kind.UP_TO_ONE, "1"), ("9.5e-1", Kind.UP_TO_ONE, "0.95"),
        ("100", Kind.ABOVE_ONE, "100"), ("95.50", Kind.ABOVE_ONE, "95.5"), ("100.01", Kind.BEYOND, "100.01"),
        ("95%", Kind.PERCENT, "95%"), ("0.5 %", Kind.PERCENT, "0.5%"), ("101%", Kind.BEYOND, "101%"),
        ("PASS", Kind.WORD, "pass"), (" Passed ", Kind.WORD, "pass"), ("yes", Kind.WORD, "pass"),
        ("TRUE", Kind.WORD, "pass"), ("correct", Kind.WORD, "pass"), ("✓", Kind.WORD, "pass"),
        ("fail", Kind.WORD, "fail"), ("No", Kind.WORD, "fail"), ("False", Kind.WORD, "fail"),
        ("", Kind.ABSENT, ""), ("  ", Kind.ABSENT, ""), ("n/a", Kind.ABSENT, ""), ("NaN", Kind.ABSENT, ""),
        ("null", Kind.ABSENT, ""), ("-", Kind.ABSENT, ""), ("skipped", Kind.ABSENT, ""),
        ("-1", Kind.UNREADABLE, "?"), ("inf", Kind.UNREADABLE, "?"), ("1e99", Kind.UNREADABLE, "?"),
        ("١", Kind.UNREADABLE, "?"), ("1_0", Kind.UNREADABLE, "?"), ("0x1", Kind.UNREADABLE, "?"),
        ("0,5", Kind.UNREADABLE, "?"), ("maybe", Kind.UNREADABLE, "?"), ("1" * 41, Kind.UNREADABLE, "?"),
        ("=1+1", Kind.UNREADABLE, "?"),
    ],
)  # fmt: skip
def test_a_cell_is_read_as_trackers_write_it(text: str, kind: Kind, spelt: str) -> None:
    """STA-02: percent or 0–1, words, gaps; missing is absent, never 0; what isn't sure is unreadable."""
    cell = read_cell(text)
    assert (cell.kind, cell.text) == (kind, spelt)


def test_a_decimal_comma_is_read_where_commas_part_no_columns() -> None:
    assert read_cell("95,5", decimal_comma=True).text == "95.5"


@pytest.mark.parametrize(
    ("text", "percent", "expected"),
    [
        ("0.5", False, "0.5"), ("0.5", True, "0.005"), ("50", True, "0.5"), ("50", False, None), ("50%", False, "0.5"),
        ("pass", True, "1"), ("fail", True, "0"), ("", True, None), ("1", False, "1"), ("1", True, "0.01"),
    ],
)  # fmt: skip
def test_a_credit_is_exact_on_its_scale(text: str, percent: bool, expected: str | None) -> None:
    """STA-02: a percent sign and a word mean the same on either scale."""
    found = credit(read_cell(text), percent=percent)
    assert found == (None if expected is None else Decimal(expected))


@given(st.decimals(0, 1, places=6))
def test_a_spelt_cell_reads_as_itself(value: Decimal) -> None:
    cell = read_cell(str(value))
    assert read_cell(cell.text) == cell


def column(up_to_one: int = 0, above_one: int = 0) -> list[int]:
    counts = [0] * len(Kind)
    counts[Kind.UP_TO_ONE], counts[Kind.ABOVE_ONE] = up_to_one, above_one
    return counts


@pytest.mark.parametrize(
    ("columns", "hints", "expected"),
    [
        pytest.param([column(5), column(3)], [False, False], [False, False], id="all 0–1"),
        pytest.param([column(0, 5), column(0, 3)], [False, False], [True, True], id="all percent"),
        pytest.param([column(5), column(0, 9)], [False, False], [False, True], id="each column has its own scale"),
        pytest.param([column(50, 1), column(9)], [False, False], [False, False], id="one stray number moves nothing"),
        pytest.param([column(0, 9), column(2, 90)], [False, False], [True, True], id="a 1 in a column of percentages"),
        pytest.param([column(1, 1), column(9)], [False, False], [False, False], id="a tie follows the file"),
        pytest.param([column(1, 1)], [False], [True], id="a tie of the whole file"),
        pytest.param([column(), column(0, 9)], [False, False], [True, True], id="only zeros follow the file"),
        pytest.param([column(4, 0), column(4, 0)], [True, False], [True, False], id="a name that says percent"),
    ],
)
def test_the_scale_is_decided_by_the_whole_column(
    columns: list[list[int]], hints: list[bool], expected: list[bool]
) -> None:
    """STA-02: percent or 0–1 by a stated rule in which no order of rows matters."""
    assert scales(columns, hints) == expected


@pytest.mark.parametrize(
    ("text", "day", "order"),
    [
        ("1970-01-01", "1970-01-01", 0),
        ("1970/01/02", "1970-01-02", 86_400 * 10**9),
        ("1970-01-01T01:00:00Z", "1970-01-01", 3600 * 10**9),
        ("1970-01-01 01:00", "1970-01-01", 3600 * 10**9),
        ("1970-01-02T00:30:00+01:00", "1970-01-01", (86_400 - 1800) * 10**9),
        ("1970-01-01T23:30:00-01:00", "1970-01-02", (86_400 + 1800) * 10**9),
        ("1970-01-01t00:00:00.000000001z", "1970-01-01", 1),
        ("1969-12-31T23:59:59Z", "1969-12-31", -(10**9)),
    ],
)
def test_a_moment_is_a_day_or_an_rfc_3339_time(text: str, day: str, order: int) -> None:
    """STA-02: several runs a day by RFC 3339 times; days are UTC (FND-12)."""
    moment = read_moment(text)
    assert moment is not None
    assert (str(moment.day), moment.order, moment.timed) == (day, order, ":" in text)


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "10/12/2026", "2026-13-01", "2026-02-30", "2026-1-1", "2026-01-01T25:00:00Z", "2026-01-01T",
     "2026-01-01T1:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "２０２６-01-01", "2026-01/01"],
)  # fmt: skip
def test_a_date_one_would_have_to_guess_is_refused(text: str) -> None:
    assert read_moment(text) is None


@pytest.mark.parametrize(
    ("name", "key"), [("Suite Version", "suite_version"), ("Score (%)", "score"), ("Model-Name", "model_name")]
)
def test_a_column_is_known_by_its_bare_name(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize(
    ("name", "says"),
    [("score (%)", True), ("pct_right", True), ("Percent", True), ("percentile", False)],
)
def test_a_column_may_say_percent_itself(name: str, says: bool) -> None:
    assert says_percent(name) is says


def test_roles_are_found_by_name_in_any_order() -> None:
    """STA-02: date, subject, suite_version, then tests; files as other trackers publish them."""
    columns = read_header(["t1", "Model", "t2", "Timestamp", "suite_version", "notes"], {}, [])
    assert (columns.date, columns.subject, columns.version, columns.candidates) == (3, 1, 4, (0, 2))


@pytest.mark.parametrize(
    ("names", "readable", "tests"),
    [
        pytest.param(["date", "subject", "score"], [True], [2], id="a score alone"),
        pytest.param(["date", "subject", "a", "b"], [True, True], [2, 3], id="tests"),
        pytest.param(["date", "subject", "score", "a", "b"], [True] * 3, [3, 4], id="a total beside tests"),
        pytest.param(["date", "subject", "score", "a"], [True] * 2, [2], id="a score beside one other column"),
        pytest.param(["date", "subject", "score", "a", "b"], [True, False, False], [2], id="words beside a score"),
        pytest.param(["date", "subject", "a", "b"], [True, False], [2], id="a column of words is no test"),
        pytest.param(["date", "subject", "cost"], [True], [2], id="the only column counts, whatever its name"),
    ],
)
def test_a_total_beside_tests_is_not_counted_twice(names: list[str], readable: list[bool], tests: list[int]) -> None:
    assert columns_of_credits(read_header(names, {}, []), readable) == tests


@pytest.mark.parametrize(
    ("names", "given", "ignore", "what"),
    [
        pytest.param(["a", "b"], {}, [], "no date column", id="no date"),
        pytest.param(["date", "a", "a"], {}, [], "two columns of one name", id="doubled"),
        pytest.param(["date", "a"], {"subject": "b"}, [], "no such column", id="a flag that names none"),
        pytest.param(["date", "a"], {}, ["b"], "no such column", id="nothing to ignore"),
        pytest.param(["date", *(f"t{n}" for n in range(2000))], {}, [], "too many columns", id="too wide"),
    ],
)
def test_a_header_that_cannot_be_used_is_refused(
    names: list[str], given: dict[str, str], ignore: list[str], what: str
) -> None:
    with pytest.raises(OperatorError) as refused:
        read_header(names, given, ignore, where="runs.csv:1")
    assert (refused.value.what, refused.value.where) == (what, "runs.csv:1")
