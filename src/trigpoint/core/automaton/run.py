"""Runs a pattern over a text: sets of positions, character by character, remembered as they turn up.

The set of positions that may have taken the last character is one state. Where a state leads for a character
is worked out once and kept (a deterministic automaton built as it is needed). The memory is bounded: when it
is full it is emptied and built again. The number of *steps* of a run doesn't depend on what is remembered:
it is the sum, over the characters read, of the positions that might have taken the next one.
"""

from __future__ import annotations

import functools
from enum import IntEnum

from trigpoint.core.automaton.chars import CharSet, case_key, is_word
from trigpoint.core.automaton.syntax import Flags, parse
from trigpoint.core.automaton.tree import Anchor, Edges, Holds, bits

MAX_STEPS = 10_000_000
MAX_KEPT_STATES = 512
MAX_KEPT_MOVES = 8_192
KEPT_PATTERNS = 64


class Side(IntEnum):
    """What stands on one side of a gap, as far as anchors care."""

    EDGE = 0  # the start or the end of the text
    WORD = 1
    NEWLINE = 2
    LAST_NEWLINE = 3  # after the gap only: a line feed that ends the text
    OTHER = 4


def _holds(anchor: Anchor, before: Side, after: Side) -> bool:
    newlines = (Side.NEWLINE, Side.LAST_NEWLINE)
    if anchor is Anchor.TEXT_START:
        return before is Side.EDGE
    if anchor is Anchor.LINE_START:
        return before is Side.EDGE or before in newlines
    if anchor is Anchor.TEXT_END:
        return after is Side.EDGE
    if anchor is Anchor.LAST_LINE_END:
        return after in (Side.EDGE, Side.LAST_NEWLINE)
    if anchor is Anchor.LINE_END:
        return after is Side.EDGE or after in newlines
    return ((before is Side.WORD) != (after is Side.WORD)) == (anchor is Anchor.BOUNDARY)


class _State(dict[str, "_State"]):
    """One set of positions and what stood before the gap; as a dict: the next state for a character."""

    __slots__ = ("_reach", "automaton", "before", "cost", "mask")

    def __init__(self, automaton: Automaton, mask: int, before: Side, cost: int) -> None:
        super().__init__()
        self.automaton, self.mask, self.before, self.cost = automaton, mask, before, cost
        self._reach: dict[Side, tuple[int, list[tuple[CharSet, int]]]] = {}

    def __missing__(self, char: str) -> _State:
        target = self.move(char, self.automaton.side(char))
        self.automaton.keep(self, char, target)
        return target

    def move(self, char: str, after: Side) -> _State:
        """The state after `char`, which stands behind the gap as `after`."""
        automaton = self.automaton
        reach, sets = self.reach(after)
        if automaton.search and reach & automaton.end:
            return automaton.found
        mask = automaton.literal(char) & reach
        for accepts, positions in sets:
            if char in accepts:
                mask |= positions
        if automaton.search:
            mask |= 1  # a match may begin anywhere
        return automaton.state(mask, after) if mask else automaton.dead

    def reach(self, after: Side) -> tuple[int, list[tuple[CharSet, int]]]:
        """The positions that may take the next character (and the end bit), and those of sets, by set."""
        known = self._reach.get(after)
        if known is None:
            reach = self.automaton.reach(self.mask, self.before, after)
            known = self._reach[after] = reach, self.automaton.sets(reach)
        return known


class Automaton:
    """A pattern ready to run. Make it with compile_pattern."""

    def __init__(self, pattern: str, flags: Flags, search: bool) -> None:
        tree, flags = parse(pattern, flags)
        places: list[CharSet | str] = []
        self.search = search
        self._part = tree.numbered(places)
        self.labels: list[CharSet | str] = ["", *places, ""]  # position 0 is before the text, the last is its end
        self.end = 1 << len(places) + 1
        self._casefold = flags.casefold
        self._literals: dict[str, int] = {}  # what is accepted → all positions that accept it
        self._sets: dict[CharSet, int] = {}
        for position, accepts in enumerate(places, 1):
            if isinstance(accepts, CharSet):
                self._sets[accepts] = self._sets.get(accepts, 0) | 1 << position
            else:
                self._literals[accepts] = self._literals.get(accepts, 0) | 1 << position
        self._anchors: set[Anchor] = set()
        self._most = self._table(self._note)  # as if every anchor held: no gap allows more
        self._words = not self._anchors.isdisjoint({Anchor.BOUNDARY, Anchor.NO_BOUNDARY})
        self._lines = not self._anchors.isdisjoint({Anchor.LINE_START, Anchor.LINE_END})
        self._last_line = not self._anchors.isdisjoint({Anchor.LAST_LINE_END, Anchor.LINE_END})
        self._tables: dict[tuple[Side, Side], list[int]] = {}
        self._states: dict[tuple[int, Side], _State] = {}
        self._moves = 0
        self.found = _State(self, 0, Side.OTHER, MAX_STEPS + 1)  # these two end a run by their cost
        self.dead = _State(self, 0, Side.OTHER, MAX_STEPS + 1)
        self._start = self.state(1, Side.EDGE)

    def matches(self, text: str) -> bool | None:
        """Whether the whole text fits (or, for a search, a part of it); None = more than MAX_STEPS steps."""
        newline = self._last_line and text.endswith("\n")
        state, steps = self._start, self._start.cost
        for char in text[:-1] if newline else text:
            state = state[char]
            steps += state.cost
            if steps > MAX_STEPS:
                return True if state is self.found else False if state is self.dead else None
        if newline:
            state = state.move("\n", Side.LAST_NEWLINE)
        return state is self.found or bool(state.reach(Side.EDGE)[0] & self.end)

    def side(self, char: str) -> Side:
        """How anchors see a character in the middle of the text."""
        if self._words and is_word(char):
            return Side.WORD
        return Side.NEWLINE if self._lines and char == "\n" else Side.OTHER

    def literal(self, char: str) -> int:
        """The positions of literals that accept `char`."""
        return self._literals.get(case_key(char) if self._casefold else char, 0)

    def reach(self, mask: int, before: Side, after: Side) -> int:
        """The positions that may take the character after a gap, from those that took the one before it."""
        table = self._most
        if self._anchors:
            gap = before, after
            if gap not in self._tables:
                self._tables[gap] = self._table(lambda anchor: _holds(anchor, before, after))
            table = self._tables[gap]
        return _union(table, mask)

    def sets(self, reach: int) -> list[tuple[CharSet, int]]:
        """The sets among the positions of `reach`, each with its positions there."""
        if len(self._sets) <= reach.bit_count():
            return [(accepts, reach & mask) for accepts, mask in self._sets.items() if reach & mask]
        found = {label for label in map(self.labels.__getitem__, bits(reach)) if isinstance(label, CharSet)}
        return [(accepts, reach & self._sets[accepts]) for accepts in found]

    def state(self, mask: int, before: Side) -> _State:
        """The state of a set of positions, made when it isn't remembered."""
        state = self._states.get((mask, before))
        if state is None:
            if len(self._states) >= MAX_KEPT_STATES:
                self._forget()
            state = _State(self, mask, before, _union(self._most, mask).bit_count())
            self._states[mask, before] = state
        return state

    def keep(self, state: _State, char: str, target: _State) -> None:
        """Remembers a move."""
        if self._moves >= MAX_KEPT_MOVES:
            self._forget()
        self._moves += 1
        state[char] = target

    def _forget(self) -> None:
        for state in (self._start, *self._states.values()):
            state.clear()
        self._states.clear()
        self._moves = 0

    def _note(self, anchor: Anchor) -> bool:
        self._anchors.add(anchor)
        return True

    def _table(self, holds: Holds) -> list[int]:
        edges = Edges(len(self.labels) - 1, holds)
        whole = self._part(edges)
        edges.join(whole.last, self.end)
        edges.follow[0] = whole.first | (self.end if whole.empty else 0)
        return edges.follow


def _union(table: list[int], mask: int) -> int:
    union = 0
    while mask:  # tree.bits written out: this is the innermost loop
        low = mask & -mask
        union |= table[low.bit_length() - 1]
        mask ^= low
    return union


@functools.lru_cache(maxsize=KEPT_PATTERNS)
def compile_pattern(
    pattern: str, *, casefold: bool = False, multiline: bool = False, dotall: bool = False, search: bool = False
) -> Automaton:
    """The automaton of a pattern; the last 64 are kept. Raises PatternError (see syntax.parse)."""
    return Automaton(pattern, Flags(casefold, multiline, dotall), search)
