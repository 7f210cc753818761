"""Two roads to the key of each of the five long tasks of Core v1.

A road reads the prompt where it can, and returns every answer that fits. The two roads to one key share no
code but the reading of the prompt.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from suites.core_v1_files import prompt

# reasoning-06: the squirrel's best way


def nuts() -> list[list[int]]:
    """The board of the squirrel, row by row."""
    rows = re.findall(r"^(?:\d ){5}\d$", prompt("reasoning-06"), re.MULTILINE)
    assert len(rows) == 6
    return [[int(number) for number in row.split()] for row in rows]


def squirrel_by_walking() -> set[str]:
    """The greatest sum over all ways from corner to corner, walked one by one; exactly one way reaches it."""
    board = nuts()
    sums: Counter[int] = Counter()

    def walk(row: int, column: int, way: tuple[tuple[int, int], ...], total: int) -> None:
        way, total = (*way, (row, column)), total + board[row][column]
        if (row, column) == (5, 5):
            sums[total] += 1
            return
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = row + down, column + right
            if there in way or not (0 <= there[0] < 6 and 0 <= there[1] < 6):
                continue
            if (board[row][column] + board[there[0]][there[1]]) % 3:
                walk(*there, way, total)

    walk(0, 0, (), 0)
    assert sums[max(sums)] == 1, "the best way is the only one of its sum"
    return {str(max(sums))}


def squirrel_by_sets() -> set[str]:
    """The greatest sum over sets of cells: ways of one length that have a set and an end in common are one case."""
    cells = [number for row in nuts() for number in row]
    steps = {cell: [] for cell in range(36)}
    for cell in range(36):
        for other in (cell + 1,) * (cell % 6 < 5) + (cell + 6,) * (cell < 30):
            if (cells[cell] + cells[other]) % 3:
                steps[cell].append(other)
                steps[other].append(cell)
    reached, best = {(1, 0)}, 0
    while reached:
        reached = {(taken | 1 << to, to) for taken, at in reached for to in steps[at] if not taken >> to & 1}
        ends = [taken for taken, at in reached if at == 35]
        best = max([best, *(sum(cells[cell] for cell in range(36) if taken >> cell & 1) for taken in ends)])
        reached = {(taken, at) for taken, at in reached if at != 35}
    return {str(best)}


# mathematics-03: the numbers 1 to 9 in a row

STEPS = (2, 3, 5)  # how far apart neighbours may be
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def rows_by_trying() -> set[str]:
    """All 362,880 rows, counted if they keep both rules."""
    count = 0
    for row in itertools.permutations(range(1, 10)):
        if all(abs(one - two) in STEPS for one, two in itertools.pairwise(row)):
            places = sorted((3, 5, 7), key=row.index)
            count += places[1] == 5
    return {str(count)}


def rows_by_adding() -> set[str]:
    """The same count from the end of the row backwards: how many ways are left, given what stands and what is last."""

    @cache
    def ways(placed: frozenset[int], last: int) -> int:
        if len(placed) == 9:
            return 1
        total = 0
        for step in (-5, -3, -2, 2, 3, 5):
            number = last + step
            # The 5 may come only when exactly one of 3 and 7 stands already.
            early = number == 5 and len(placed & {3, 7}) != 1
            if 1 <= number <= 9 and number not in placed and not early:
                total += ways(placed | {number}, number)
        return total

    return {str(sum(ways(frozenset({first}), first) for first in (1, 2, 3, 4, 6, 7, 8, 9)))}


# mathematics-06: the board with two cells missing

Cell = tuple[int, int]


def board() -> tuple[Cell, ...]:
    """The cells of the board, row by row: a dot each."""
    picture = re.findall(r"^[. ]{7,9}$", prompt("mathematics-06"), re.MULTILINE)
    cells = tuple((row, at // 2) for row, line in enumerate(picture) for at, mark in enumerate(line) if mark == ".")
    assert len(cells) == 18
    assert {(row, column) for row in range(4) for column in range(5)} - set(cells) == {(1, 1), (3, 4)}
    return cells


def ells(cells: tuple[Cell, ...]) -> list[frozenset[Cell]]:
    """Every place for an L on the board."""
    corners = itertools.product(range(3), range(4))  # of a square of four cells, at the top left; it may be missing
    squares = [[(row + down, column + right) for down in (0, 1) for right in (0, 1)] for row, column in corners]
    tiles = {frozenset(square) - {left_out} for square in squares for left_out in square}
    return [tile for tile in tiles if tile <= set(cells)]


def tilings_by_first_gap() -> set[str]:
    """The coverings, counted tile by tile: each tile must take the first cell still open."""
    cells = board()
    pairs = [frozenset({one, two}) for one, two in itertools.combinations(cells, 2) if near(one, two)]
    tiles = {cell: [tile for tile in pairs + ells(cells) if cell in tile] for cell in cells}

    def count(open_cells: frozenset[Cell], left: int) -> int:
        if not open_cells:
            return left == 0
        fitting = [tile for tile in tiles[min(open_cells)] if tile <= open_cells and len(tile) - 2 <= left]
        return sum(count(open_cells - tile, left - (len(tile) == 3)) for tile in fitting)

    return {str(count(frozenset(cells), 2))}


def near(one: Cell, two: Cell) -> bool:
    """Whether two cells have a side in common."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


def tilings_by_pairing() -> set[str]:
    """For every two L apart, the rest is paired like a chessboard: each dark cell with a light one beside it."""
    cells, total = set(board()), 0
    for one, two in itertools.combinations(ells(board()), 2):
        if one & two:
            continue
        dark = sorted(cell for cell in cells - one - two if sum(cell) % 2)
        light = frozenset(cell for cell in cells - one - two if sum(cell) % 2 == 0)
        open_sets = Counter({light: 1} if len(light) == len(dark) else {})
        for cell in dark:
            after: Counter[frozenset[Cell]] = Counter()
            for free, ways in open_sets.items():
                for other in free:
                    if near(cell, other):
                        after[free - {other}] += ways
            open_sets = after
        total += sum(open_sets.values())
    return {str(total)}


# instructions-05: sixteen words in a line


def words() -> list[str]:
    """The sixteen words, a to z."""
    listed = sorted(prompt("instructions-05").split("\n\n")[1].split(", "))
    assert len(set(listed)) == 16
    return listed


def line_by_trying() -> set[str]:
    """The first full line met when words are tried from a to z, and the last one is taken back at a dead end."""
    beside = {word: [other for other in words() if other != word and len({*word} & {*other}) == 2] for word in words()}

    def lines(begun: tuple[str, ...]) -> Iterator[str]:
        if len(begun) == 16:
            yield " > ".join(begun)
        for word in beside[begun[-1]] if begun else words():
            if word not in begun:
                yield from lines((*begun, word))

    return {next(lines(()))}


def line_by_sets() -> set[str]:
    """The first line, word by word, knowing for every set of words where a line through just them can begin."""
    listed = words()
    shared = [[sum(letter in one and letter in two for letter in ALPHABET) for two in listed] for one in listed]
    beside = [sum(1 << at for at, count in enumerate(row) if count == 2 and at != me) for me, row in enumerate(shared)]
    begins = [0] * (1 << 16)
    for taken in range(1, 1 << 16):
        for at in range(16):
            rest = taken ^ 1 << at
            if taken >> at & 1 and (not rest or begins[rest] & beside[at]):
                begins[taken] |= 1 << at
    left, allowed, line = (1 << 16) - 1, (1 << 16) - 1, []
    while left:
        choices = begins[left] & allowed
        at = (choices & -choices).bit_length() - 1
        line.append(listed[at])
        left, allowed = left ^ 1 << at, beside[at]
    return {" > ".join(line)}


# extraction-06: the lockers

Lockers = dict[str, Any]
ENTRY = re.compile(r"^(\d\d) ([^;\n]*)(?:; void (.*))?$", re.MULTILINE)


def book() -> tuple[dict[int, str], dict[int, set[int]]]:
    """What the 26 entries say, and which entries each calls void."""
    rows = ENTRY.findall(prompt("extraction-06"))
    assert [int(number) for number, _, _ in rows] == list(range(1, 27))
    says = {int(number): words for number, words, _ in rows}
    return says, {int(number): {int(other) for other in re.findall(r"\d\d", void)} for number, _, void in rows}


def void_entries() -> set[int]:
    """The one choice of void entries that fits: all 32,768 choices for the entries that call others void are tried."""
    _, calls = book()
    callers = [number for number, void in calls.items() if void]
    found = []
    for kept in itertools.product((False, True), repeat=len(callers)):
        counting = {caller for caller, keep in zip(callers, kept, strict=True) if keep}
        void = set().union(*(calls[caller] for caller in counting))
        if void.isdisjoint(counting) and counting | void >= set(callers):
            found.append(void)
    (only,) = found
    return only


def lockers_by_reading() -> Lockers:
    """The key as the entries give it, read by their wording and done one after another."""
    says, _ = book()
    start = re.findall(r"\b([A-F]) (\w+) (\d+)", prompt("extraction-06").split("\n01 ")[0])
    keeper, tokens = {box: name for box, name, _ in start}, {box: int(count) for box, _, count in start}
    void = void_entries()
    for number in says.keys() - void:
        if correction := re.fullmatch(r"in (\d\d) read (\w+) for (\w+)", says[number]):
            target = int(correction[1])
            says[target], changes = re.subn(rf"\b{correction[3]}\b", correction[2], says[target])
            assert changes == 1
    moved = dict.fromkeys(says, 0)
    for number in sorted(says.keys() - void):
        words = says[number]
        if again := re.fullmatch(r"(\d\d) again", words):
            assert int(again[1]) not in void
            words = says[int(again[1])]
        if words.startswith("in "):
            continue
        names = re.findall(r"\b[A-Z]\w*", words)
        one, two = (name if len(name) == 1 else box_of(name, keeper) for name in names)
        assert one != two, "no entry names one locker twice"
        if words.endswith(" swap"):
            swapped: dict[str, Any] = keeper if words.startswith("keepers") else tokens
            swapped[one], swapped[two] = swapped[two], swapped[one]
            continue
        moved[number] = amount(words, tokens[one], moved)
        assert moved[number] <= tokens[one], "no locker gives more than it holds"
        tokens[one] -= moved[number]
        tokens[two] += moved[number]
    return {"void": sorted(void)} | {box: {"keeper": keeper[box], "tokens": tokens[box]} for box in keeper}


def box_of(name: str, keeper: dict[str, str]) -> str:
    """The locker that this person keeps now."""
    return next(box for box, person in keeper.items() if person == name)


def amount(words: str, held: int, moved: dict[int, int]) -> int:
    """How many tokens an entry moves out of a locker that holds so many."""
    if as_in := re.match(r"as in (\d\d),", words):
        return moved[int(as_in[1])]
    if words.startswith("a "):
        return held // {"half": 2, "third": 3}[words.split()[1]]
    return int(words.split(maxsplit=1)[0])


#: Who counts and whom it makes void, as a person settles it.
BY_HAND_VOID = {2: {22}, 4: {9}, 6: {5, 24}, 7: {21, 22}, 12: {10, 13}, 16: {17, 25}, 26: {20, 23}}
#: The entries that count, with names turned into lockers: tokens, from, to; 0 exchanges the tokens.
BY_HAND_MOVES = (
    (17, "C", "E"),  # 01, corrected by 08
    (20, "A", "B"),  # 02: half of 41
    (11, "D", "C"),  # 04: Ivo keeps D since 03
    (9, "F", "B"),  # 06
    (11, "B", "D"),  # 07: as in 04
    (0, "C", "D"),  # 11
    (6, "F", "A"),  # 12: half of 13
    (0, "A", "C"),  # 14: Nia keeps A since 03
    (6, "C", "E"),  # 15, corrected by 18: as in 12
    (5, "E", "A"),  # 16
    (0, "A", "E"),  # 26
)


def lockers_by_hand() -> Lockers:
    """The key from entries settled and turned into moves by a person; only the adding is left to the machine."""
    tokens = {"A": 41, "B": 26, "C": 35, "D": 33, "E": 18, "F": 22}
    keepers = {"A": "Nia", "B": "Max", "C": "Lea", "D": "Ivo", "E": "Ole", "F": "Pam"}  # after 03 and 19
    for count, one, two in BY_HAND_MOVES:
        if count:
            tokens[one], tokens[two] = tokens[one] - count, tokens[two] + count
        else:
            tokens[one], tokens[two] = tokens[two], tokens[one]
    void = sorted(set().union(*BY_HAND_VOID.values()))
    return {"void": void} | {box: {"keeper": keepers[box], "tokens": tokens[box]} for box in tokens}
