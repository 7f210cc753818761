"""Reading one number from a text, exactly and only when there is one way to read it (RUN-20, FND-30)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.graders.numbers import decimal_of, fraction_of, holds_digit, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("42", "42", id="digits"),
        pytest.param(" 42\n", "42", id="white space around"),
        pytest.param("007", "7", id="leading noughts"),
        pytest.param("0", "0", id="nought"),
        pytest.param("+42", "42", id="plus"),
        pytest.param("-42", "-42", id="hyphen"),
        pytest.param("−42", "-42", id="minus sign"),
        pytest.param("－４２．５", "-42.5", id="full width"),
        pytest.param("3.25", "3.25", id="decimal point"),
        pytest.param(".5", "1/2", id="no digit before the point"),
        pytest.param("5.", "5", id="no digit after the point"),
        pytest.param("-0.0", "0", id="minus nought"),
        pytest.param("0.1", "1/10", id="a tenth is exact"),
        # thousands
        pytest.param("1,234", "1234", id="comma"),
        pytest.param("12,345,678.9", "12345678.9", id="commas"),
        pytest.param("1'234'567", "1234567", id="apostrophe"),
        pytest.param("1’234", "1234", id="curly apostrophe"),
        pytest.param("1\u202f234", "1234", id="narrow no-break space"),
        pytest.param("1\u00a0234", "1234", id="no-break space"),
        pytest.param("1\u2009234", "1234", id="thin space"),
        pytest.param("-999,999", "-999999", id="three digits first"),
        # exponents
        pytest.param("1e3", "1000", id="e"),
        pytest.param("1.5E+3", "1500", id="E with plus"),
        pytest.param("25e-1", "2.5", id="e with minus"),
        pytest.param("2e−1", "0.2", id="e with a minus sign"),
        pytest.param("3.2×10^5", "320000", id="times ten to the"),
        pytest.param("3.2 x 10^-2", "0.032", id="x ten to the minus"),
        pytest.param("3.2 * 10^+2", "320", id="star ten to the plus"),
        pytest.param("3.2 × 10⁵", "320000", id="raised digits"),
        pytest.param("3.2 × 10⁻¹²", "3.2e-12", id="raised minus"),
        pytest.param("1,000e-3", "1", id="commas and exponent"),
        pytest.param("1e0", "1", id="exponent nought"),
        pytest.param("1e9999", "1e9999", id="the largest exponent"),
        pytest.param("1e-9999", "1e-9999", id="the smallest exponent"),
        # fractions and percent
        pytest.param("3/4", "3/4", id="fraction"),
        pytest.param("-6 / 8", "-3/4", id="fraction with spaces, not in lowest terms"),
        pytest.param("3⁄4", "3/4", id="fraction slash"),
        pytest.param("3∕4", "3/4", id="division slash"),
        pytest.param("0/5", "0", id="nothing of five"),
        pytest.param("½", "1/2", id="one character"),
        pytest.param("−¾", "-3/4", id="one character with a sign"),
        pytest.param("50%", "1/2", id="percent"),
        pytest.param("12.5 %", "1/8", id="percent with a space"),
        pytest.param("1/2%", "1/200", id="half a percent"),
        pytest.param("50％", "1/2", id="full-width percent"),
    ],
)
def test_a_number_is_read_exactly(text: str, value: str) -> None:
    assert read_number(text) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "+", ".", "-.", "%", "e5", "x", "five", "−"),
        # could be two numbers, or one with a separator
        *(
            "6 911",
            "1 234 567",
            "3 or 4",
            "3, 4",
            "3 4",
            "3-4",
            "1..2",
            "1.2.3",
            "--5",
            "+-5",
            "- 5",
            "5-",
            "1 1/2",
            "1½",
        ),
        # a decimal comma, or grouping that isn't right
        *(
            "1,5",
            "1,23",
            "1,2345",
            "12,34,567",
            "1234,567",
            "0,123",
            "1.234,5",
            "1,234,5",
            ",5",
            "1,",
            "1,234'567",
            "1_000",
        ),
        *("1,234.567,8", "00,123", "1,,234"),
        # something beside the number
        *(
            "5 km",
            "$5",
            "5€",
            "x = 5",
            "5!",
            "(5)",
            "**5**",
            "5.0.",
            "about 5",
            "5 %%",
            "%5",
            "٣",
            "5\u200b",
            "10²",
            "2^10",
        ),
        *(
            "1e",
            "1e+",
            "1e5.5",
            "1e10000",
            "1 e5",
            "1e 5",
            "1×10",
            "1×10^",
            "1×10^⁵",
            "1 ×  10^5",
            "1×11^5",
            "10^5",
            "1×10⁵⁵⁵⁵⁵",
        ),
        *("1/0", "0/0", "1/", "/2", "1//2", "1/2/3", "1/-2", "1.5/2", "1  /2", "⅟", "½½", "x½", "1/2 1/2"),
        *("0x10", "1e5e5", "Infinity", "NaN", "inf", "1\n2", "1\u3000234", "٪", "5‰", "–5", "‑5", "1,2\u202f34"),
    ],
    ids=ascii,
)
def test_what_is_not_surely_one_number_is_not_read(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param("9" * 400, True, id="400 digits"),
        pytest.param("9" * 401, False, id="401 digits"),
        pytest.param("-0." + "9" * 399, True, id="400 digits with a point"),
        pytest.param("-0." + "9" * 400, False, id="401 digits with a point"),
        pytest.param("9" * 400 + "/" + "7" * 400, True, id="400 digits above and below"),
        pytest.param("9" * 401 + "/7", False, id="401 digits above"),
        pytest.param("7/" + "9" * 401, False, id="401 digits below"),
        pytest.param(" " * 2_000 + "5", True, id="white space isn't counted"),
        pytest.param("1" + ",000" * 249, False, id="750 digits in 997 characters"),
        pytest.param("5" + " " * 997 + "km", True, id="1,000 characters"),
        pytest.param("5" + " " * 998 + "km", False, id="1,001 characters"),
    ],
)
def test_digits_and_characters_are_counted(text: str, read: bool) -> None:
    """FND-30: limits count digits, exponents and characters."""
    assert (read_number(text, ["km"]) is not None) is read


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [
        pytest.param("5 km", ["km"], "5", id="behind, with a space"),
        pytest.param("5km", ["km"], "5", id="behind"),
        pytest.param("5", ["km"], "5", id="left out"),
        pytest.param("$5", ["$"], "5", id="before"),
        pytest.param("$ 5", ["$"], "5", id="before, with a space"),
        pytest.param("-$5.50", ["$"], "-5.5", id="after the sign"),
        pytest.param("+$5", ["$"], "5", id="after a plus"),
        pytest.param("$-5", ["$"], "-5", id="before the sign"),
        pytest.param("5 €", ["$", "€"], "5", id="one of two"),
        pytest.param("5 km", ["m", "km"], "5", id="the longest first"),
        pytest.param("50%", ["%"], "50", id="percent as the unit"),
        pytest.param("50 %", ["km"], "1/2", id="percent beside another unit"),
        pytest.param("5 eV", ["eV"], "5", id="a unit that begins like an exponent"),
        pytest.param("1e3 km", ["km"], "1000", id="with an exponent"),
        pytest.param("1/2 km", ["km"], "1/2", id="with a fraction"),
        pytest.param("5 km", ["KM"], None, id="another case"),
        pytest.param("5 miles", ["km"], None, id="another unit"),
        pytest.param("5 km km", ["km"], None, id="twice behind"),
        pytest.param("$5$", ["$"], None, id="before and behind"),
        pytest.param("km", ["km"], None, id="alone"),
        pytest.param("$5 km", ["$", "km"], None, id="two units"),
        pytest.param("5 k", ["km"], None, id="half a unit"),
        pytest.param("x$5", ["$"], None, id="in the middle"),
    ],
)
def test_a_unit_may_stand_before_or_behind(text: str, units: list[str], value: str | None) -> None:
    assert read_number(text, units) == (None if value is None else Fraction(value))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        pytest.param(3, "3", id="int"),
        pytest.param(-7, "-7", id="negative int"),
        pytest.param(Decimal("1.50"), "1.5", id="Decimal"),
        pytest.param(0.1, "0.1", id="float as it is written"),
        pytest.param(1e22, "1e22", id="large float"),
        pytest.param(5e-324, "5e-324", id="small float"),
        pytest.param(10**400 - 1, str(10**400 - 1), id="400 digits"),
        pytest.param(Decimal("1e9999"), "1e9999", id="the largest exponent"),
        pytest.param(Decimal("1e-9999"), "1e-9999", id="the smallest exponent"),
        pytest.param(10**400, None, id="401 digits"),
        pytest.param(-(10**400), None, id="401 digits, negative"),
        pytest.param(10**100_000, None, id="too long to write out"),
        pytest.param(Decimal("1e10000"), None, id="exponent too large"),
        pytest.param(Decimal("1e-10000"), None, id="exponent too small"),
        pytest.param(Decimal("1." + "1" * 400), None, id="401 digits with a point"),
        pytest.param(Decimal("NaN"), None, id="Decimal NaN"),
        pytest.param(Decimal("-Infinity"), None, id="Decimal infinity"),
        pytest.param(float("inf"), None, id="infinity"),
        pytest.param(float("nan"), None, id="NaN"),
        pytest.param(True, None, id="true"),
        pytest.param(False, None, id="false"),
        pytest.param(None, None, id="null"),
        pytest.param("3", None, id="text"),
        pytest.param([3], None, id="list"),
    ],
)
def test_numbers_of_a_suite_are_exact(value: Any, exact: str | None) -> None:
    """FND-31: decimals to the last step."""
    assert decimal_of(value) == (None if exact is None else Decimal(exact))
    if not isinstance(value, str):
        assert fraction_of(value) == (None if exact is None else Fraction(exact))


def test_a_text_of_a_suite_is_read_as_a_number() -> None:
    assert fraction_of("1/3") == Fraction(1, 3)
    assert fraction_of("5 km", ["km"]) == 5
    assert fraction_of("5 km") is None


@pytest.mark.parametrize("text", ["5", "a5", "½", "x²", "٣", "Ⅷ", "①", "３"])
def test_a_digit_of_any_kind_is_seen(text: str) -> None:
    assert holds_digit(text) is True


@pytest.mark.parametrize("text", ["", "five", "-.,%/", "三", "\x00", "∞", "πe"])
def test_no_digit_is_seen_where_none_is(text: str) -> None:
    assert holds_digit(text) is False


@given(st.integers(-(10**30), 10**30), st.integers(0, 20))
def test_a_written_decimal_is_read_as_what_it_is(whole: int, places: int) -> None:
    value = Decimal(whole).scaleb(-places)
    assert read_number(f"{value:f}") == Fraction(value)
    assert read_number(f"{value:,f}") == Fraction(value)
    assert read_number(f"{value:e}") == Fraction(value)
    assert read_number(f"{value:f}".replace("-", "−")) == Fraction(value)


@given(st.fractions())
def test_a_written_fraction_is_read_as_what_it_is(value: Fraction) -> None:
    assert read_number(f"{value.numerator}/{value.denominator}") == value
