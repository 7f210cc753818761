"""Reading decoded bodies: parts that may be missing, of another type, or not worth trusting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trigpoint.core.records import clean_text


def kind(value: Any) -> str:
    """What a JSON value is, for an error message."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def member(value: Any, name: str, wanted: type[dict[str, Any]] | type[list[Any]], where: str = "") -> Any:
    """The member `name` of a JSON object; raises ValueError unless it is there and of the wanted type."""
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, wanted):
        expected = "an object" if wanted is dict else "a list"
        raise ValueError(f"expected {where}{name} to be {expected}, found {kind(found)}")
    return found


def word(value: Any) -> str | None:
    """The value if it is text."""
    return value if isinstance(value, str) else None


def count(value: Any) -> int | None:
    """The value if it is a whole number that JSON can hold, as a token count must be; None = not reported."""
    return value if type(value) is int and 0 <= value < 2**53 else None


def inner(value: Any, name: str) -> dict[str, Any]:
    """The member `name` if it is an object, else an empty one: for parts that a body may leave out."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; an empty list for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def joined(parts: Iterable[Any]) -> str | None:
    """All texts in order, as one; None if there is no text at all, which is not the same as an empty one."""
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def clean(value: Any) -> Any:
    """The value; if it is text, without lone surrogates (FND-02)."""
    return clean_text(value)[0] if isinstance(value, str) else value
