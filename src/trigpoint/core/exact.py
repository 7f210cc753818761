"""Exact numbers: credits as fractions, and the named roundings (FND-31, RUN-24)."""

from __future__ import annotations

import re
from fractions import Fraction

from trigpoint.core.errors import BundleError, shown

_CREDIT = re.compile(r"(0|1|[1-9][0-9]{0,17}/[1-9][0-9]{0,17})\Z")


def fraction_text(value: Fraction) -> str:
    """A fraction in lowest terms as bundles write it: "3/8", "1", "-1/2"."""
    return str(value)


def credit_from(text: object) -> Fraction:
    """The credit a bundle's text stands for. Raises BundleError unless it is 0–1 in lowest terms."""
    if isinstance(text, str) and _CREDIT.match(text):
        value = Fraction(text)
        if 0 <= value <= 1 and str(value) == text:
            return value
    raise BundleError("not a credit", expected='"0", "1" or a fraction in lowest terms', found=shown(text))


def round_half_up(value: Fraction, places: int) -> Fraction:
    """`value` to `places` decimals; a half goes away from zero (the one rounding of scores)."""
    scale = 10**places
    magnitude = (2 * abs(value) * scale + 1) // 2
    return Fraction(int(magnitude) if value >= 0 else -int(magnitude), scale)


def decimal_text(value: Fraction, places: int) -> str:
    """`value`, rounded half up (away from zero) to exactly `places` decimals: "62.5", "-0.3", "0.0"."""
    scaled = int(round_half_up(value, places) * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if scaled < 0 else text
