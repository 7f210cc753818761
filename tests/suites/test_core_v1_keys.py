"""RUN-10: the keys of Core v1 are shown, not asserted.

Each proof reads what it can from the prompt itself, tries every possible case, and returns every
answer that fits. There must be exactly one, and the item file must hold it.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import pytest

from suites import core_v1_long_proofs as long_proofs
from suites.core_v1_files import expected, prompt

Point = tuple[Fraction, Fraction]


def barges() -> set[tuple[str, ...]]:
    """Every order of the six barges that keeps the six rules."""
    names = re.search(r"named (.*) go through", prompt("reasoning-01"))
    assert names
    found = set()
    for order in itertools.permutations(re.findall(r"[A-Z]\w+", names[1])):
        at = {name: place for place, name in enumerate(order)}
        rules = (
            at["Cobalt"] == at["Fern"] + 1,
            abs(at["Alder"] - at["Dune"]) == 3,
            at["Brine"] < at["Alder"],
            at["Brine"] > at["Ember"],
            at["Dune"] < at["Fern"],
            at["Ember"] != 0,
        )
        if all(rules):
            found.add(order)
    return found


GARDENERS = ("Odo", "Pia", "Rue", "Tam")


def gate() -> set[tuple[str, ...]]:
    """Every culprit with every set of swinging gardeners under which all twelve sentences fit their speakers."""
    found = set()
    for culprit in GARDENERS:
        for kinds in itertools.product((False, True), repeat=4):
            swings = dict(zip(GARDENERS, kinds, strict=True))
            said = {
                "Odo": (culprit == "Tam", sum(kinds) == 3, not swings["Tam"]),
                "Pia": (swings["Odo"] == swings["Rue"], swings["Rue"] == swings["Tam"], swings[culprit]),
                "Rue": (swings["Tam"], sum(kinds) == 2, swings["Pia"]),
                "Tam": (swings["Pia"] == swings["Rue"], culprit == "Pia", swings["Odo"] != swings["Rue"]),
            }
            fits = {
                who: (first != second != third) if swings[who] else (first == second == third)
                for who, (first, second, third) in said.items()
            }
            if all(fits.values()):
                found.add((culprit, *(who for who in GARDENERS if swings[who])))
    return found


def folded_sheet() -> set[tuple[str, ...]]:
    """The letters that face up, top first: each cell is a point in space that every fold mirrors.

    x grows to the right, y away from the reader, z upwards. A fold over puts the moved half above
    all that lies, a fold under puts it below; both turn the moved cells over.
    """
    grid = re.search(r"\n\n((?:[A-Z] [A-Z] [A-Z] [A-Z]\n){4})", prompt("reasoning-03"))
    assert grid
    rows = [line.split() for line in grid[1].splitlines()]
    cells = [Cell(at=[x, 3 - y], z=0, letter=letter) for y, row in enumerate(rows) for x, letter in enumerate(row)]
    x, y = 0, 1
    fold(cells, y, low_half=True, over=True)
    fold(cells, x, low_half=True, over=False)
    fold(cells, y, low_half=False, over=True)
    fold(cells, x, low_half=False, over=False)
    assert len({tuple(cell.at) for cell in cells}) == 1, "all cells lie in one pile"
    pile = sorted(cells, key=lambda cell: -cell.z)
    assert len({cell.z for cell in pile}) == 16, "no two cells share a height"
    return {tuple(cell.letter for cell in pile if cell.up)}


@dataclass
class Cell:
    """One cell of the sheet: where it lies, how high, and whether its letter faces up."""

    at: list[int]
    z: int
    letter: str
    up: bool = True


def fold(cells: list[Cell], axis: int, *, low_half: bool, over: bool) -> None:
    """Mirror one half of the sheet in its middle line, and in the plane just above or below it."""
    twice_middle = min(cell.at[axis] for cell in cells) + max(cell.at[axis] for cell in cells)
    heights = [cell.z for cell in cells]
    twice_plane = 2 * max(heights) + 1 if over else 2 * min(heights) - 1
    for cell in cells:
        if (2 * cell.at[axis] < twice_middle) is low_half:
            cell.at[axis] = twice_middle - cell.at[axis]
            cell.z = twice_plane - cell.z
            cell.up = not cell.up


def decisive() -> set[frozenset[str]]:
    """Who, left out alone, would have kept the bell from ringing."""
    lines = re.findall(r"\d\. (\w+) (poured in|took out) (\d)", prompt("reasoning-04"))
    deeds = [(name, int(litres) if verb == "poured in" else -int(litres)) for name, verb, litres in lines]
    assert len(deeds) == 7
    assert bell_rings(deeds), "the story says that it rang"
    return {frozenset(name for name, _ in deeds if not bell_rings([deed for deed in deeds if deed[0] != name]))}


def bell_rings(deeds: Iterable[tuple[str, int]]) -> bool:
    """Whether the latch is down and the tank holds 2 or 3 litres after these deeds."""
    litres, down = 0, False
    for _, change in deeds:
        litres = max(0, litres + change)
        if litres >= 5 and not down:
            litres, down = 0, True
    return down and litres in (2, 3)


#: A kind of brooch: round, enamelled, heavy, signed. A box is any set of the sixteen kinds.
KINDS = tuple(itertools.product((False, True), repeat=4))


def mask(breaks: Callable[[bool, bool, bool, bool], bool]) -> int:
    """The kinds for which `breaks` holds, as bits of a box."""
    return sum(1 << bit for bit, kind in enumerate(KINDS) if breaks(*kind))


def brooches() -> set[frozenset[str]]:
    """The sentences that no box keeping the five facts makes false; all 65,536 boxes are tried.

    A sentence about every brooch is a set of forbidden kinds; one about some brooch, of needed kinds.
    """
    forbidden = (
        mask(lambda rnd, enam, heavy, signed: heavy and not rnd and not signed)
        | mask(lambda rnd, enam, heavy, signed: signed and enam)
        | mask(lambda rnd, enam, heavy, signed: rnd and not enam and not signed)
        | mask(lambda rnd, enam, heavy, signed: not heavy and not signed and not enam)
    )
    needed = mask(lambda rnd, enam, heavy, signed: enam and not rnd)
    boxes = [box for box in range(1 << 16) if not box & forbidden and box & needed]
    never = {
        "A": mask(lambda rnd, enam, heavy, signed: rnd and not heavy),
        "B": mask(lambda rnd, enam, heavy, signed: heavy and not signed and not enam),
        "C": mask(lambda rnd, enam, heavy, signed: heavy and enam),
        "F": mask(lambda rnd, enam, heavy, signed: not rnd and heavy),
        "G": mask(lambda rnd, enam, heavy, signed: not enam and not rnd and not signed),
        "H": mask(lambda rnd, enam, heavy, signed: signed == enam),
    }
    some = {
        "D": mask(lambda rnd, enam, heavy, signed: signed),
        "E": mask(lambda rnd, enam, heavy, signed: not heavy),
    }
    forced = {letter for letter, kinds in never.items() if not any(box & kinds for box in boxes)}
    forced |= {letter for letter, kinds in some.items() if all(box & kinds for box in boxes)}
    return {frozenset(forced)}


def millstones() -> set[str]:
    """The second in which the heap ends, walked second by second in exact kilograms."""
    heap, second = Fraction(594), 0
    while heap > 0:
        minute = Fraction(second, 60)
        if minute % 6 < 5:  # five minutes on, one off
            heap -= Fraction(18, 60)
        if minute >= 4:
            heap -= Fraction(12, 60)
        second += 1
    assert heap == 0, "the heap ends at a whole second"
    return {str(second)}


def digit_sum(number: int, base: int) -> int:
    """The sum of the digits of `number` in `base`."""
    total = 0
    while number:
        number, digit = divmod(number, base)
        total += digit
    return total


def level_number() -> set[str]:
    """The first level number above 240."""
    assert (digit_sum(12, 5), digit_sum(12, 7)) == (4, 6), "the prompt's example"
    return {str(next(n for n in itertools.count(241) if digit_sum(n, 5) == digit_sum(n, 7)))}


def tokens() -> set[str]:
    """The share of the 720 equally likely orders that stop after the fourth draw."""
    stops = [
        next((drawn for drawn, total in enumerate(itertools.accumulate(order), 1) if total % 4 == 0), 6)
        for order in itertools.permutations(range(1, 7))
    ]
    return {str(Fraction(stops.count(4), len(stops)))}


def clipped(polygon: list[Point], start: Point, end: Point) -> list[Point]:
    """The part of a convex polygon to the left of the line from `start` to `end`."""

    def side(at: Point) -> Fraction:
        return (end[0] - start[0]) * (at[1] - start[1]) - (end[1] - start[1]) * (at[0] - start[0])

    kept: list[Point] = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if side(here) >= 0:
            kept.append(here)
        if side(here) * side(there) < 0:
            share = side(here) / (side(here) - side(there))
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
    return kept


def triangles() -> set[str]:
    """The common area by exact clipping; a count of fine grid points must agree with it roughly."""
    corners = [((0, 0), (18, 0), (7, 10)), ((18, 10), (0, 10), (14, 0))]  # both anticlockwise
    first, second = ([(Fraction(x), Fraction(y)) for x, y in triangle] for triangle in corners)
    common = first
    for start, end in zip(second, second[1:] + second[:1], strict=True):
        common = clipped(common, start, end)
    turns = zip(common, common[1:] + common[:1], strict=True)
    area = sum((here[0] * there[1] - there[0] * here[1] for here, there in turns), Fraction(0)) / 2
    inside = 0
    for column, row in itertools.product(range(180), range(100)):  # in twentieths: middles of cells of side 1/10
        x, y = 2 * column + 1, 2 * row + 1
        in_first = 10 * x >= 7 * y and 10 * (360 - x) >= 11 * y
        in_second = 10 * x >= 14 * (200 - y) and 10 * (360 - x) >= 4 * (200 - y)
        inside += in_first and in_second
    assert abs(area - Fraction(inside, 100)) < Fraction(1, 4)
    return {str(area)}


def harbour() -> set[str]:
    """The three lines about the word."""
    return {"\n".join(("HARBOUR", "-".join(reversed("harbour")), "".join(str(int(c in "aeiou")) for c in "harbour")))}


def sentence() -> set[str]:
    """The five steps, one after another."""
    words = prompt("instructions-02").split("\n\n")[1].replace("e", "").lower().split()
    words = [word[::-1] if len(word) == 5 else word for word in words]
    words[0], words[-1] = words[-1], words[0]
    words[2] = words[2].upper()
    return {"/".join(words)}


def code() -> set[str]:
    """The four parts of the code."""
    message = re.search(r"\[(.*)\]", prompt("instructions-04"))
    assert message
    words = re.findall(r"\w+", message[1])
    longest = [word for word in words if len(word) == max(map(len, words))][-1].upper()
    numbers = [int(word) for word in words if word.isdigit()]
    question = ("?" in message[1]) != any(number > 5 for number in numbers)
    assert (len(words) % 2, sum(numbers)) == (0, 10)
    return {f"{len(words)}.{longest}.{'NO' if question else 'YES'}.ten"}


ORDERED = {"reasoning-01": barges, "reasoning-02": gate, "reasoning-03": folded_sheet}
UNORDERED = {"reasoning-04": decisive, "reasoning-05": brooches}
SINGLE = {
    "mathematics-01": millstones,
    "mathematics-02": level_number,
    "mathematics-04": tokens,
    "mathematics-05": triangles,
    "instructions-02": sentence,
    "instructions-04": code,
}
#: Two roads to each key of the long tasks: a slip on one is seen on the other.
TWICE = {
    "reasoning-06": (long_proofs.squirrel_by_walking, long_proofs.squirrel_by_sets),
    "mathematics-03": (long_proofs.rows_by_trying, long_proofs.rows_by_adding),
    "mathematics-06": (long_proofs.tilings_by_first_gap, long_proofs.tilings_by_pairing),
    "instructions-05": (long_proofs.line_by_trying, long_proofs.line_by_sets),
}


@pytest.mark.parametrize("task", ORDERED)
def test_the_only_order_that_fits_is_the_key(task: str) -> None:
    """RUN-10: one list fits, and it is the key."""
    assert ORDERED[task]() == {tuple(expected(task))}


@pytest.mark.parametrize("task", UNORDERED)
def test_the_only_set_that_fits_is_the_key(task: str) -> None:
    """RUN-10: one set fits, and it is the key, each member named once."""
    assert UNORDERED[task]() == {frozenset(expected(task))}
    assert len(set(expected(task))) == len(expected(task))


@pytest.mark.parametrize("task", SINGLE)
def test_the_only_value_that_fits_is_the_key(task: str) -> None:
    """RUN-10: one value fits, and it is the key."""
    assert SINGLE[task]() == {str(expected(task))}


@pytest.mark.parametrize("task", TWICE)
@pytest.mark.parametrize("road", [0, 1], ids=["first", "second"])
def test_both_roads_of_a_long_task_lead_to_the_key(task: str, road: int) -> None:
    """RUN-10: one value fits on either road, and it is the key."""
    assert TWICE[task][road]() == {str(expected(task))}


def test_the_book_of_the_lockers_gives_the_key() -> None:
    """RUN-10: one choice of void entries fits, and the entries that count lead to the key."""
    assert long_proofs.lockers_by_reading() == expected("extraction-06")


def test_the_lockers_done_by_hand_give_the_key() -> None:
    """RUN-10: the same book, settled and written out by a person, move by move."""
    assert long_proofs.lockers_by_hand() == expected("extraction-06")


def test_the_three_lines_fit_the_key() -> None:
    """RUN-10: what follows from the word harbour is what the pattern asks for."""
    (lines,) = harbour()
    assert re.fullmatch(expected("instructions-01"), lines)


def follows_the_storm(reply: str) -> bool:
    """The rules of instructions-03 in plain words, without a pattern; blanks at the end of a line are forgiven."""
    lines = reply.split("\n")
    if len(lines) != 2 or not lines[1].endswith("."):
        return False
    first, second = lines[0].rstrip(" ").split(" "), lines[1][:-1].split(" ")
    letters = set("abcdfghijklmnopqrstuvwxyz")
    return (
        [len(word) for word in first] == [2, 3, 4, 5, 6]
        and [word[0] for word in first] == list("storm")
        and len(second) == 4
        and all(3 <= len(word) <= 8 and word.endswith("n") for word in second)
        and all(set(word) <= letters for word in first + second)
    )


def follows_the_ember(reply: str) -> bool:
    """The rules of instructions-06 in plain words, without a pattern."""
    groups = reply.split("/")
    if len(groups) != 5 or any(len(group) != 4 for group in groups):
        return False
    firsts, left, vowels, right = (("".join(group[place] for group in groups)) for place in range(4))
    with_u = [place for place, vowel in enumerate(vowels) if vowel == "u"]
    digits = set("0123456789")
    return (
        firsts == "amber"[::-1]
        and set(left + right) <= digits
        and all(int(one) + int(two) == 9 and one > two for one, two in zip(left, right, strict=True))
        and set(vowels) <= set("aeiou")
        and len(with_u) == 2
        and with_u[1] - with_u[0] > 1
    )


STORMS = ("so tin oats rainy mainly\ncan run man sin.", "sa too only round mating\nbuttn hman moon aaaaaaan.")
EMBERS = ("r9u0/e8a1/b7u2/m6i3/a5o4", "r8o1/e7i2/b6u3/m9a0/a8u1", "r9a0/e9u0/b9i0/m9o0/a9u0")
PATTERNS = {
    "instructions-03": (follows_the_storm, STORMS, "aensz E.\n1ö"),
    "instructions-06": (follows_the_ember, EMBERS, "aeiouyr0459/ U\n"),
}


@pytest.mark.parametrize("task", PATTERNS)
@pytest.mark.parametrize("edits", [0, 1, 2])
def test_a_pattern_accepts_what_the_rules_allow_and_nothing_else(task: str, edits: int) -> None:
    """RUN-10, RUN-20: pattern and plain rules agree on right replies and on those one or two edits away."""
    rules, rights, letters = PATTERNS[task]
    pattern, chance = re.compile(expected(task)), random.Random(edits)
    allowed = 0
    for right in rights:
        for _ in range(2_000 if edits else 1):
            reply = edited(right, edits, letters, chance)
            by_rules = rules(reply)
            assert bool(pattern.fullmatch(reply)) == by_rules, reply
            allowed += by_rules
    assert allowed, "some of the edited replies are still right"


def edited(text: str, edits: int, letters: str, chance: random.Random) -> str:
    """`text` after so many random replacements, insertions or deletions of one character."""
    for _ in range(edits):
        at, letter = int(chance.random() * len(text)), letters[int(chance.random() * len(letters))]
        kind = int(chance.random() * 3)
        text = text[:at] + (letter if kind else "") + text[at + (kind != 2) :]
    return text


@pytest.mark.parametrize("vowels", [*itertools.product("au", repeat=5)], ids="".join)
def test_the_two_u_may_stand_in_six_places(vowels: tuple[str, ...]) -> None:
    """RUN-10: of the 32 ways to place the letter u, the pattern takes the right six."""
    reply = "/".join(f"{first}9{vowel}0" for first, vowel in zip("rebma", vowels, strict=True))
    assert bool(re.fullmatch(expected("instructions-06"), reply)) == follows_the_ember(reply)


def test_the_extraction_keys_hold_the_prompts_facts() -> None:
    """RUN-10: every text of a key stands in its prompt, or is made from it by a rule the prompt states.

    Dates, times and converted texts are made; they are listed, so that a slip of the pen shows.
    """
    made = {
        "extraction-01": set(),
        "extraction-02": {"2036-10-15", "10:15", "11:45"},
        "extraction-03": {"07:57:55", "07:58:53"},
        "extraction-04": {"2030-10-03", "2031-01-12", "2031-02-19", "2031-03-05"},
        "extraction-05": set(),
        "extraction-06": set(),
    }
    for task, allowed in made.items():
        texts = {leaf for leaf in leaves(expected(task)) if isinstance(leaf, str)}
        assert {text for text in texts if text not in prompt(task)} == allowed, task


def leaves(value: object) -> list[object]:
    """The scalars of a JSON value."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]
