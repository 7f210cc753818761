"""Small closed shapes for JSON members: strict about types, keys and ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from trigpoint.core.canonical import MAX_INTEGER
from trigpoint.core.errors import BundleError, shown
from trigpoint.core.exact import credit_from

#: Takes a value, returns what was expected when it isn't of the shape, else None.
Shape = Callable[[Any], str | None]

_HEX = re.compile(r"[0-9a-f]{64}\Z")
_MOMENT = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z\Z", re.A
)


def text(value: Any) -> str | None:
    """A text, empty ones included."""
    return None if type(value) is str else "a text"


def boolean(value: Any) -> str | None:
    """True or false, and no number."""
    return None if type(value) is bool else "true or false"


def json_object(value: Any) -> str | None:
    """An object with whatever keys."""
    return None if type(value) is dict else "an object"


def hexadecimal(value: Any) -> str | None:
    """A SHA-256, or 32 other bytes."""
    return None if type(value) is str and _HEX.match(value) else "64 lower-case hexadecimal digits"


def moment(value: Any) -> str | None:
    """RFC 3339, UTC, milliseconds (FND-12)."""
    return None if type(value) is str and _MOMENT.match(value) else "a time such as 2026-01-31T09:30:00.000Z"


def credit(value: Any) -> str | None:
    """An exact number 0–1 in lowest terms."""
    try:
        credit_from(value)
    except BundleError as error:
        return error.expected
    return None


def count(least: int) -> Shape:
    """A whole number from `least` up."""
    wanted = f"a whole number ≥ {least}"
    return lambda value: None if type(value) is int and least <= value <= MAX_INTEGER else wanted


def one_of(words: type[StrEnum] | tuple[str, ...]) -> Shape:
    """One word of a closed set."""
    known = frozenset(str(word) for word in words)
    wanted = "one of " + ", ".join(sorted(known))
    return lambda value: None if type(value) is str and value in known else wanted


def maybe(shape: Shape) -> Shape:
    """The shape, or null."""

    def either(value: Any) -> str | None:
        wanted = None if value is None else shape(value)
        return f"{wanted}, or null" if wanted else None

    return either


def list_of(shape: Shape) -> Shape:
    """A list of values of one shape."""

    def every(value: Any) -> str | None:
        if type(value) is not list:
            return "a list"
        wanted = next(filter(None, map(shape, value)), None)
        return f"a list, each {wanted}" if wanted else None

    return every


def members(shapes: Mapping[str, Shape]) -> Shape:
    """An object with exactly these keys."""

    def closed(value: Any) -> str | None:
        if type(value) is not dict or value.keys() != shapes.keys():
            return "an object with exactly the keys " + ", ".join(sorted(shapes))
        for name, shape in shapes.items():
            if wanted := shape(value[name]):
                return f"at {name}: {wanted}"
        return None

    return closed


usage = members({name: maybe(count(0)) for name in ("input_tokens", "output_tokens", "reasoning_tokens")})


def checked(value: Any, shapes: Mapping[str, Shape], where: str) -> dict[str, Any]:
    """`value` itself, an object with exactly the keys of `shapes`, each of its shape.

    Raises BundleError naming the key, what was expected and what was found.
    """
    if type(value) is not dict:
        raise BundleError("not an object", where=where, expected="a JSON object", found=shown(repr(value)))
    if value.keys() != shapes.keys():
        absent, extra = sorted(shapes.keys() - value.keys()), sorted(value.keys() - shapes.keys())
        found = [f"without {', '.join(absent)}"] if absent else []
        found += [f"with {shown(', '.join(extra))}"] if extra else []
        raise BundleError("other keys than the format has", where=where, found=" and ".join(found))
    for name, shape in shapes.items():
        if wanted := shape(value[name]):
            raise BundleError(
                "a wrong value", where=f"{where}: {name}", expected=wanted, found=shown(repr(value[name]))
            )
    return value


def fraction(value: Any) -> str | None:
    """An exact number in lowest terms: "3/8", "-1/2", "12"."""
    try:
        good = type(value) is str and len(value) < 400 and str(Fraction(value)) == value
    except (ValueError, ZeroDivisionError):
        good = False
    return None if good else "a fraction in lowest terms"
