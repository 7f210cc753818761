"""Sets of characters, and which characters are the same when case is ignored.

Both say what Python's `re` says of text patterns: \\d is `str.isdecimal`, \\s is `str.isspace`, \\w is
`str.isalnum` or the underscore. Characters that Python's Unicode tables don't know yet are none of these.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_LAST_CASED = 0x20000  # Unicode keeps scripts with case below; the tests look at every code point
_BLOCK = 256


def is_word(char: str) -> bool:
    """Whether \\w matches one character."""
    return char.isalnum() or char == "_"


#: What \d, \w and \s match; the capital letter matches all else.
CATEGORIES: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "w": is_word,
    "s": str.isspace,
    "D": lambda char: not char.isdecimal(),
    "W": lambda char: not is_word(char),
    "S": lambda char: not char.isspace(),
}


def case_key(char: str) -> str:
    """A text that two characters share exactly when a pattern that ignores case takes them for the same.

    The first character of the lower-case form, in upper case: k, K and the Kelvin sign share "K".
    """
    return char.lower()[0].upper()


@functools.cache
def _case_classes() -> dict[str, str]:
    """case_key → all characters that share it, where more than one does."""
    classes: dict[str, str] = {}
    for start in range(0, _LAST_CASED, _BLOCK):
        block = "".join(map(chr, range(start, start + _BLOCK)))
        if block.lower() != block.upper():  # most blocks have no case at all: one look each
            for char in block:
                key = case_key(char)
                classes[key] = classes.get(key, "") + char
    return {key: chars for key, chars in classes.items() if len(chars) > 1}


def same_but_case(char: str) -> str:
    """All characters that are the same as `char` when case is ignored, itself among them."""
    return _case_classes().get(case_key(char), char)


@dataclass(frozen=True, slots=True)
class CharSet:
    """A set of characters: what one place of a pattern accepts. Equal sets are equal keys.

    `bounds` holds code points in rising order: the set begins at the first, ends before the second, begins
    again at the third, and so on. `categories` are letters out of "dwsDWS".
    """

    bounds: tuple[int, ...] = ()
    categories: str = ""
    negated: bool = False
    any_case: bool = False

    def __contains__(self, char: str) -> bool:
        for kind in self.categories:
            if CATEGORIES[kind](char):
                return not self.negated
        if self.bounds:
            for each in same_but_case(char) if self.any_case else char:
                if bisect_right(self.bounds, ord(each)) % 2:
                    return not self.negated
        return self.negated


def bounds_of(ranges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The `bounds` of a set that holds all code points of the ranges, both ends included."""
    bounds: list[int] = []
    for low, high in sorted(ranges):
        if bounds and low <= bounds[-1]:
            bounds[-1] = max(bounds[-1], high + 1)
        else:
            bounds += (low, high + 1)
    return tuple(bounds)
