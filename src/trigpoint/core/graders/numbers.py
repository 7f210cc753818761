"""Reads one number from a text, exactly and only when there is one way to read it.

Everything is bounded by counting: digits, the exponent, the length of the text. Nothing is rounded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

MAX_DIGITS = 400
MAX_EXPONENT = 9_999
MAX_LENGTH = 1_000  # characters of a text that may be a number

_FOLDED: dict[int, int | str] = {
    **{wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)},  # full-width forms
    0x3000: " ",
    0x2212: "-",  # minus sign
    0x2044: "/",  # fraction slash
    0x2215: "/",  # division slash
}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_DECIMAL = re.compile(
    r"""
    (?P<sign>[+-]?)
    (?P<whole> [1-9][0-9]{0,2} (?: (?P<mark>[,'’\u00a0\u2009\u202f]) [0-9]{3} ) (?: (?P=mark) [0-9]{3} )*
             | [0-9]* )
    (?: \. (?P<part>[0-9]*) )?
    (?: [eE] (?P<exponent>[+-]?[0-9]{1,4})
      | [ ]?[×x*][ ]?10 (?: \^(?P<power>[+-]?[0-9]{1,4}) | (?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}) ) )?
    """,
    re.VERBOSE,
)
_FRACTION = re.compile("(?P<sign>[+-]?)(?P<above>[0-9]+) ?/ ?(?P<below>[0-9]+)")


def read_number(text: str, units: Sequence[str] = ()) -> Fraction | None:
    """The number that a text is, exactly; None when it isn't surely one number.

    Read are: a sign (+, -, −), digits (full-width ones too), thousands separators where the grouping is right
    (1,234 or 1'234 or with a narrow or no-break space, never a plain space), a decimal point, an exponent
    (e5, × 10^5, × 10⁵), a simple fraction (3/4, ¾), a percent sign (a hundredth), and one of `units` before
    or after it. At most 400 digits and an exponent of 4.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        return None
    text = _without_unit(text.translate(_FOLDED), units)
    if text.endswith("%"):
        value = _plain(text[:-1].rstrip())
        return None if value is None else value / 100
    return _plain(text)


def decimal_of(value: Any) -> Decimal | None:
    """The exact value of an int, a Decimal or a float (its shortest text); None for others and beyond the limits."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int) and value.bit_length() > 4 * MAX_DIGITS:
        return None  # before it is written out: that takes long for huge ones
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite() or len(exact.as_tuple().digits) > MAX_DIGITS or abs(exact.adjusted()) > MAX_EXPONENT:
        return None
    return exact


def fraction_of(value: Any, units: Sequence[str] = ()) -> Fraction | None:
    """The exact value of a number, or of a text that read_number reads; else None."""
    if isinstance(value, str):
        return read_number(value, units)
    exact = decimal_of(value)
    return None if exact is None else Fraction(exact)


def holds_digit(text: str) -> bool:
    """Whether any kind of digit or number sign stands in a text: ASCII, other scripts, ½, ², Ⅷ."""
    return any(unicodedata.category(char)[0] == "N" for char in text)


def _without_unit(text: str, units: Sequence[str]) -> str:
    for unit in sorted(units, key=len, reverse=True):  # the longest first: "km" before "m"
        sign = text[:1] if text[:1] in ("+", "-") else ""
        if text.endswith(unit):
            return text.removesuffix(unit).rstrip()
        if text.removeprefix(sign).startswith(unit):
            return sign + text.removeprefix(sign).removeprefix(unit).lstrip()
    return text


def _plain(text: str) -> Fraction | None:
    """A number without unit or percent sign."""
    value = _decimal(text)
    return _fraction(_spelled_out(text)) if value is None else value


def _spelled_out(text: str) -> str:
    """A sign and one character such as ¾ as "3/4" with the sign; any other text as it is."""
    if text[:-1] in ("", "+", "-") and unicodedata.decomposition(text[-1:] or "x").startswith("<fraction>"):
        return text[:-1] + unicodedata.normalize("NFKC", text[-1]).replace("\u2044", "/")
    return text


def _fraction(text: str) -> Fraction | None:
    found = _FRACTION.fullmatch(text)
    if not found or max(len(found["above"]), len(found["below"])) > MAX_DIGITS or not int(found["below"]):
        return None
    return _signed(found["sign"], Fraction(int(found["above"]), int(found["below"])))


def _decimal(text: str) -> Fraction | None:
    found = _DECIMAL.fullmatch(text)
    if not found:
        return None
    whole = found["whole"].replace(found["mark"], "") if found["mark"] else found["whole"]
    part = found["part"] or ""
    if not 0 < len(whole + part) <= MAX_DIGITS:
        return None
    raised = (found["raised"] or "").translate(_RAISED)
    exponent = int(found["exponent"] or found["power"] or raised or 0) - len(part)
    digits = int(whole + part)
    value = Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)
    return _signed(found["sign"], value)


def _signed(sign: str, value: Fraction) -> Fraction:
    return -value if sign == "-" else value
