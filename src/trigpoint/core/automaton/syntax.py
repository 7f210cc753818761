"""Reads a pattern: the documented subset of regular expressions (FND-30).

Whatever is accepted means what Python's `re` makes of the same text; what the subset lacks is refused with
its name and place. The subset itself is described in docs/reference/graders.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from trigpoint.core.automaton.chars import CATEGORIES, CharSet, bounds_of, case_key
from trigpoint.core.automaton.tree import MAX_STATES, Anchor, Chars, Choice, Gap, Node, PatternError, Repeat, Sequence
from trigpoint.core.errors import shown

MAX_LENGTH = 1_000  # characters of a pattern
MAX_NESTING = 50  # groups inside groups
MAX_COUNT = 1_000  # the largest number in {m,n}

_FLAGS = re.compile(r"\(\?([A-Za-z]+)\)")
_COUNT = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")
_HEX = re.compile("[0-9A-Fa-f]+")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_ANCHORS = {"b": Anchor.BOUNDARY, "B": Anchor.NO_BOUNDARY, "A": Anchor.TEXT_START, "Z": Anchor.TEXT_END}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_STARS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ALL_BUT_NEWLINE = CharSet(bounds_of([(10, 10)]), negated=True)
_ALL = CharSet(negated=True)

#: What stands after "(" in constructs that the subset lacks.
_LACKING = {
    "?=": "lookahead",
    "?!": "lookahead",
    "?<=": "lookbehind",
    "?<!": "lookbehind",
    "?P=": "a backreference",
    "?P<": "a named group",
    "?<": "a named group",
    "?(": "a conditional",
    "?>": "an atomic group",
    "?#": "a comment",
}


@dataclass(frozen=True, slots=True)
class Flags:
    """How a pattern is read. `(?ims)` at its very start sets the same three."""

    casefold: bool = False
    multiline: bool = False
    dotall: bool = False


def parse(pattern: str, flags: Flags) -> tuple[Node, Flags]:
    """The tree of a pattern, and the flags in force.

    Raises PatternError naming what isn't supported and at which character (from 1).
    """
    if len(pattern) > MAX_LENGTH:
        raise PatternError("pattern", expected=f"at most {MAX_LENGTH:,} characters", found=f"{len(pattern):,}")
    parser = _Parser(pattern, flags)
    tree = parser.whole()
    if tree.size() > MAX_STATES:
        found = f"{min(tree.size(), 10**12):,} with its counted repeats written out"
        raise PatternError("pattern", expected=f"at most {MAX_STATES:,} states", found=found)
    return tree, parser.flags


class _Parser:
    """One reading of one pattern, from left to right; `at` is the place of the next character."""

    def __init__(self, pattern: str, flags: Flags) -> None:
        self.text, self.at, self.nesting = pattern, 0, 0
        self.flags = self._leading_flags(flags)
        self._openers = {"(": self._group, "[": self._class, "\\": self._escaped}
        self._single: dict[str, Node] = {
            ".": Chars(_ALL if self.flags.dotall else _ALL_BUT_NEWLINE),
            "^": Gap(Anchor.LINE_START if self.flags.multiline else Anchor.TEXT_START),
            "$": Gap(Anchor.LINE_END if self.flags.multiline else Anchor.LAST_LINE_END),
        }

    def whole(self) -> Node:
        tree = self._choice()
        if self.at < len(self.text):
            self._refuse('")" without its "("')
        return tree

    def _leading_flags(self, flags: Flags) -> Flags:
        found = _FLAGS.match(self.text)
        if not found:
            return flags
        for letter in found[1]:
            if letter not in "ims":
                self._refuse(f"the flag {shown(letter)}", next="Supported at the very start: (?i), (?m), (?s).")
        self.at = found.end()
        return Flags(
            casefold=flags.casefold or "i" in found[1],
            multiline=flags.multiline or "m" in found[1],
            dotall=flags.dotall or "s" in found[1],
        )

    def _choice(self) -> Node:
        parts = [self._sequence()]
        while self._took("|"):
            parts.append(self._sequence())
        return Choice(tuple(parts)) if len(parts) > 1 else parts[0]

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._repeated(self._one()))
        return Sequence(tuple(parts)) if len(parts) != 1 else parts[0]

    def _one(self) -> Node:
        char = self.text[self.at]
        if char in self._openers:
            return self._openers[char]()
        if char in "*+?{":
            self._refuse(f'"{char}" with nothing before it to repeat', next=f"Write \\{char} for the character.")
        self.at += 1
        return self._single[char] if char in self._single else self._literal(char)

    def _literal(self, char: str) -> Node:
        return Chars(case_key(char) if self.flags.casefold else char)

    def _group(self) -> Node:
        start = self.at
        if not self.text.startswith("(?:", start):
            for mark, name in _LACKING.items():
                if self.text.startswith(mark, start + 1):
                    self._refuse(f"{name} ({shown('(' + mark)})")
            if self.text.startswith("?", start + 1):
                self._refuse(f"flags or a mark ({shown(self.text[start : start + 3])}) inside the pattern")
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self._refuse(f"more than {MAX_NESTING} groups inside one another")
        self.at += 3 if self.text.startswith("(?:", start) else 1
        inside = self._choice()
        if not self._took(")"):
            self.at = start
            self._refuse('"(" without its ")"')
        self.nesting -= 1
        return Sequence((inside,))  # a group, even one of an anchor alone, may be repeated

    def _repeated(self, node: Node) -> Node:
        start = self.at
        counts = self._counts()
        if counts is None:
            return node
        if isinstance(node, Gap):
            self._refuse("an anchor that is repeated", at=start)
        self._took("?")  # a lazy repeat accepts the same texts
        if self.at < len(self.text) and self.text[self.at] == "+":
            self._refuse("a possessive repeat")
        if self._counts() is not None:
            self._refuse("a repeat of a repeat", at=start, next="Put the inner one into a group (?:…).")
        return Repeat(node, *counts)

    def _counts(self) -> tuple[int, int | None] | None:
        """The least and the greatest number of times, when a repeat stands here."""
        char = self.text[self.at : self.at + 1]
        if char in _STARS:
            self.at += 1
            return _STARS[char]
        found = _COUNT.match(self.text, self.at)
        if not found or not (found[1] or found[3]):
            return None
        if max(len(found[1]), len(found[3] or "")) > len(str(MAX_COUNT)):
            self._refuse(f"a count above {MAX_COUNT:,}")
        low = int(found[1] or 0)
        high = int(found[3]) if found[3] else None if found[2] else low
        if max(low, high or 0) > MAX_COUNT or (high is not None and high < low):
            self._refuse(f"a count that isn't rising or is above {MAX_COUNT:,}")
        self.at = found.end()
        return low, high

    def _escaped(self) -> Node:
        letter = self.text[self.at + 1 : self.at + 2]
        if letter in _ANCHORS:
            self.at += 2
            return Gap(_ANCHORS[letter])
        char = self._escape()
        return Chars(CharSet(categories=char[1])) if len(char) > 1 else self._literal(char)

    def _escape(self) -> str:
        """The character that an escape stands for, or a backslash and one letter of "dwsDWS"."""
        letter = self.text[self.at + 1 : self.at + 2]
        if not letter:
            self._refuse("a backslash at the end")
        if letter in CATEGORIES:
            self.at += 2
            return "\\" + letter
        if letter in _HEX_DIGITS:
            return self._hex(_HEX_DIGITS[letter])
        if letter.isascii() and letter.isdigit():
            self._refuse("a backreference or an octal escape", next="Write a character by its number as \\x07.")
        if letter.isascii() and letter.isalpha() and letter not in _CONTROLS:
            self._refuse(f"the escape \\{letter}")
        self.at += 2
        return _CONTROLS.get(letter, letter)

    def _hex(self, count: int) -> str:
        digits = self.text[self.at + 2 : self.at + 2 + count]
        if len(digits) < count or not _HEX.fullmatch(digits) or int(digits, 16) > 0x10FFFF:
            self._refuse(f"an escape without the {count} hexadecimal digits of a character")
        self.at += 2 + count
        return chr(int(digits, 16))

    def _class(self) -> Node:
        start = self.at
        self.at += 1
        negated = self._took("^")
        ranges: list[tuple[int, int]] = []
        categories = ""
        while not self._took("]"):
            if self.at >= len(self.text):
                self._refuse('"[" without its "]"', at=start)
            low = self._member()
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                if self.text[self.at] == "-":
                    self._refuse_in_class("-")
                high = self._member()
                if len(low) > 1 or len(high) > 1 or high < low:
                    self._refuse("a range that doesn't rise from one character to another", at=start)
                ranges.append((ord(low), ord(high)))
            elif len(low) > 1:
                categories += low[1]
            else:
                ranges.append((ord(low), ord(low)))
        if not ranges and not categories:
            self._refuse("an empty class", at=start, next="Write \\] for the character.")
        kinds = "".join(sorted(set(categories)))
        return Chars(CharSet(bounds_of(ranges), kinds, negated, self.flags.casefold and bool(ranges)))

    def _member(self) -> str:
        """One character of a class, or a backslash and a letter of "dwsDWS"."""
        char = self.text[self.at]
        if char == "\\":
            return self._escape()
        if char == "[" or (char in "-&~|" and self.text.startswith(char * 2, self.at)):
            self._refuse_in_class(char)
        self.at += 1
        return char

    def _refuse_in_class(self, char: str) -> NoReturn:
        """Other dialects read a set inside the class, or an operation on sets; `re` may follow."""
        self._refuse(f"{shown(char)} in a class", next=f"Write \\{char} for the character.")

    def _took(self, char: str) -> bool:
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def _refuse(self, found: str, *, at: int | None = None, next: str = "") -> NoReturn:
        place = (self.at if at is None else at) + 1
        raise PatternError(
            "pattern", expected="the supported subset", found=f"{found} at character {place:,}", next=next
        )
