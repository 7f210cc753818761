"""A pattern as a tree, and what may stand after what in it (the position automaton of Glushkov, 1961).

Every place of a pattern that takes one character is a *position*, numbered from 1 in reading order. A set of
positions is an int whose bit p stands for position p. Anchors take no character: they hold or fail between two
characters, so the tables are worked out once for each kind of gap (`Holds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import NamedTuple, Protocol

from trigpoint.core.automaton.chars import CharSet
from trigpoint.core.errors import OperatorError

MAX_STATES = 2_000  # positions and anchors, after counted repeats are written out
MAX_EDGES = 200_000  # pairs "q may follow p"


class PatternError(OperatorError):
    """A pattern outside the supported subset or its limits; `found` says at which character."""


class Anchor(Enum):
    """What holds or fails between two characters."""

    TEXT_START = "\\A"  # and ^
    LINE_START = "^ with multiline"
    TEXT_END = "\\Z"
    LAST_LINE_END = "$"  # the end, or before a line feed that ends the text
    LINE_END = "$ with multiline"
    BOUNDARY = "\\b"
    NO_BOUNDARY = "\\B"


Holds = Callable[[Anchor], bool]


class Ends(NamedTuple):
    """What a part of a pattern looks like from outside, for one kind of gap."""

    empty: bool  # it may take no character at all
    first: int  # positions that may take its first character
    last: int  # positions that may take its last character


EMPTY = Ends(True, 0, 0)
FAIL = Ends(False, 0, 0)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Edges:
    """follow[p] = the positions that may come straight after p, for one kind of gap."""

    def __init__(self, count: int, holds: Holds) -> None:
        self.follow = [0] * count
        self.holds = holds
        self._made = 0

    def join(self, before: int, after: int) -> None:
        """Lets every position of `after` follow every one of `before`. Raises PatternError beyond MAX_EDGES."""
        if not after:
            return
        self._made += before.bit_count() * after.bit_count()
        if self._made > MAX_EDGES:
            raise PatternError(
                "pattern",
                expected=f"at most {MAX_EDGES:,} ways from one place of the pattern to the next",
                found="more",
                next="Write fewer repeats of parts that may be empty.",
            )
        for place in bits(before):
            self.follow[place] |= after


#: A numbered part: tells the edges all that may follow inside it, and returns its outside.
Part = Callable[[Edges], Ends]


class Node(Protocol):
    """A part of a pattern, as read."""

    def size(self) -> int:
        """States it needs, counted repeats written out; at least 1."""
        ...

    def numbered(self, labels: list[CharSet | str]) -> Part:
        """The part with positions of its own; what each of them accepts is added to `labels`."""
        ...


@dataclass(frozen=True, slots=True)
class Chars:
    """One character: a literal (its case_key when case is ignored) or a set."""

    accepts: CharSet | str

    def size(self) -> int:
        return 1

    def numbered(self, labels: list[CharSet | str]) -> Part:
        labels.append(self.accepts)
        position = 1 << len(labels)
        return lambda edges: Ends(False, position, position)


@dataclass(frozen=True, slots=True)
class Gap:
    """An anchor."""

    anchor: Anchor

    def size(self) -> int:
        return 1

    def numbered(self, labels: list[CharSet | str]) -> Part:
        return lambda edges: EMPTY if edges.holds(self.anchor) else FAIL


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other; no part = the empty text."""

    parts: tuple[Node, ...]

    def size(self) -> int:
        return max(1, sum(part.size() for part in self.parts))

    def numbered(self, labels: list[CharSet | str]) -> Part:
        parts = [part.numbered(labels) for part in self.parts]
        return lambda edges: _chain([part(edges) for part in parts], edges)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of its parts."""

    parts: tuple[Node, ...]

    def size(self) -> int:
        return sum(part.size() for part in self.parts)

    def numbered(self, labels: list[CharSet | str]) -> Part:
        parts = [part.numbered(labels) for part in self.parts]

        def ends(edges: Edges) -> Ends:
            empty, first, last = FAIL
            for one in [part(edges) for part in parts]:
                empty, first, last = empty or one.empty, first | one.first, last | one.last
            return Ends(empty, first, last)

        return ends


@dataclass(frozen=True, slots=True)
class Repeat:
    """Its part from `low` to `high` times; `high` None = without end."""

    part: Node
    low: int
    high: int | None

    def _copies(self) -> int:
        return max(1, self.low) if self.high is None else self.high

    def size(self) -> int:
        return max(1, self._copies() * self.part.size())

    def numbered(self, labels: list[CharSet | str]) -> Part:
        copies = [self.part.numbered(labels) for _ in range(self._copies())]

        def ends(edges: Edges) -> Ends:
            outsides = [copy(edges) for copy in copies]
            if self.high is None:  # the last copy may come again
                edges.join(outsides[-1].last, outsides[-1].first)
            rest = EMPTY
            for outside in reversed(outsides[self.low :]):  # x{0,2} is (x(x)?)?: few edges
                rest = _then(outside, rest, edges)._replace(empty=True)
            return _chain([*outsides[: self.low], rest], edges)

        return ends


def _chain(parts: Iterable[Ends], edges: Edges) -> Ends:
    return reduce(lambda before, after: _then(before, after, edges), parts, EMPTY)


def _then(one: Ends, two: Ends, edges: Edges) -> Ends:
    edges.join(one.last, two.first)
    return Ends(
        one.empty and two.empty,
        one.first | (two.first if one.empty else 0),
        two.last | (one.last if two.empty else 0),
    )
