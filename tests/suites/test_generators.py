"""The generators: every answer found again from the prompt's text alone, and no shortcut to it (RUN-12)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations
from math import prod, sqrt
from typing import Any

import pytest

from trigpoint.core.canonical import digest
from trigpoint.core.draw import DrawnItem, Stream, read_plan
from trigpoint.core.errors import SuiteError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.references import check_references
from trigpoint.core.suite import load_suite
from trigpoint.suites.generators import GENERATORS, ledgers, orderings
from trigpoint.suites.generators.drawing import drawn_files, drawn_items

SECRET = "5a" * 32
SEEDS = 300


def drawn(name: str, label: object, **settings: int) -> DrawnItem:
    known = GENERATORS[name].settings
    return GENERATORS[name].draw(
        Stream(SECRET, f"{name} {label}"), {key: settings.get(key, known[key].default) for key in known}
    )


@pytest.fixture(scope="module")
def puzzles() -> list[DrawnItem]:
    return [drawn("orderings/1", seed) for seed in range(SEEDS)]


@pytest.fixture(scope="module")
def books() -> list[DrawnItem]:
    return [drawn("ledgers/1", seed) for seed in range(SEEDS)]


# orderings/1, read again from its text: a clue is a pattern and what it says of places, counted from 1

Says = Callable[..., bool]
BEFORE = "came in at some time before|stands somewhere to the left of|sang at some point before"
BEFORE += "|is nearer to the mill than|is passed at some point before"
AFTER = "came in at some time after|stands somewhere to the right of|sang at some point after"
AFTER += "|is farther from the mill than|is passed at some point after"
BESIDE = "came in directly one after the other, in one order or the other|stand side by side|are direct neighbours"
BESIDE += "|sang in directly neighbouring places, in one order or the other|hang directly beside each other"
N = r"(\w+)"
NUMBERS = {"one": 1, "two": 2, "three": 3}
CLUES: list[tuple[str, Says]] = [
    (f"{N} (?:{BEFORE}) {N}", lambda n, a, b: a < b),
    (f"{N} (?:{AFTER}) {N}", lambda n, a, b: a > b),
    (f"{N} and {N} (?:{BESIDE})", lambda n, a, b: abs(a - b) == 1),
    (f"At least one place lies between {N} and {N}", lambda n, a, b: abs(a - b) >= 2),
    (f"Exactly one place lies between {N} and {N}", lambda n, a, b: abs(a - b) == 2),
    (f"Exactly two places lie between {N} and {N}", lambda n, a, b: abs(a - b) == 3),
    (f"Exactly three places lie between {N} and {N}", lambda n, a, b: abs(a - b) == 4),
    (f"The place of {N} is somewhere between those of {N} and {N}", lambda n, a, b, c: (a - b) * (a - c) < 0),
    (f"Between {N} and {N}, somewhere, is {N}", lambda n, b, c, a: (a - b) * (a - c) < 0),
    (f"{N} has neither the first place nor the last", lambda n, a: a not in (1, n)),
    (f"The number of {N}'s place is even", lambda n, a: a in (2, 4, 6)),
    (f"The number of {N}'s place is odd", lambda n, a: a in (1, 3, 5)),
    (f"The place of {N} is closer to that of {N} than to that of {N}", lambda n, a, b, c: abs(a - b) < abs(a - c)),
    (f"From {N} it is farther to {N} than to {N}", lambda n, a, c, b: abs(a - b) < abs(a - c)),
    (
        f"Of {N} and {N}, exactly one has a place at an end, the first or the last",
        lambda n, a, b: [a in (1, n), b in (1, n)].count(True) == 1,
    ),
]
BACKWARDS = re.compile(r"came in last to the first|right to left|the last to the first|farthest to|last one passed")


def listed(prompt: str) -> list[str]:
    """The names in the order in which the first line lists them."""
    found = re.search(r": ((?:\w+, )+\w+ and \w+)\.", prompt)
    assert found, prompt
    return re.split(r", | and ", found.group(1))


def clue_lines(prompt: str) -> list[str]:
    return [line[2:] for line in prompt.splitlines() if line.startswith("- ")]


def said(clue: str) -> tuple[list[str], Says]:
    """The names in a clue, and what it says; exactly one pattern fits."""
    found = [(match, says) for pattern, says in CLUES if (match := re.fullmatch(pattern + r"\.", clue))]
    assert len(found) == 1, clue
    return list(found[0][0].groups()), found[0][1]


def solutions(names: Sequence[str], clues: Iterable[str]) -> list[tuple[str, ...]]:
    """Every order, the first place first, that fulfils all clues."""
    read = [said(clue) for clue in clues]
    return [
        order
        for order in permutations(names)
        if all(says(len(order), *(order.index(name) + 1 for name in named)) for named, says in read)
    ]


def expected_order(item: DrawnItem) -> list[str]:
    """The right answer, turned so that the first place stands first."""
    answer: list[str] = item.grader["expected"]
    return answer[::-1] if BACKWARDS.search(item.prompt.splitlines()[-1]) else answer


@pytest.mark.parametrize("things", [4, 5])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_one_order_alone_fulfils_the_clues_and_each_clue_is_needed(things: int, depth: int) -> None:
    """RUN-12: the answer is proven by a second solver that reads the prompt."""
    for seed in range(25):
        item = drawn("orderings/1", seed, things=things, depth=depth)
        names, clues = listed(item.prompt), clue_lines(item.prompt)
        assert solutions(names, clues) == [tuple(expected_order(item))], item.prompt
        for spared in clues:
            assert len(solutions(names, [clue for clue in clues if clue != spared])) > 1, (spared, item.prompt)


def test_six_things_are_solved_too() -> None:
    item = drawn("orderings/1", "six", things=6)
    assert solutions(listed(item.prompt), clue_lines(item.prompt)) == [tuple(expected_order(item))]


@pytest.mark.parametrize("count", [4, 5, 6])
@pytest.mark.parametrize("name", orderings.KINDS)
def test_no_clue_by_itself_fixes_a_place(name: str, count: int) -> None:
    """No kind of clue states the answer: whatever fulfils it leaves everything at least two places."""
    kind = orderings.KINDS[name]
    left = [order for order in permutations(range(1, count + 1)) if kind.true(*order[: kind.slots], count)]
    assert all(len({order[thing] for order in left}) != 1 for thing in range(count))


def test_no_clue_in_a_prompt_fixes_a_place(puzzles: list[DrawnItem]) -> None:
    for item in puzzles[:80]:
        names = listed(item.prompt)
        for clue in clue_lines(item.prompt):
            left = solutions(names, [clue])
            assert all(len({order.index(name) for order in left}) > 1 for name in names), clue


def test_clues_are_of_several_kinds_and_all_kinds_and_scenes_come_up(puzzles: list[DrawnItem]) -> None:
    kinds = [{says for _, says in map(said, clue_lines(item.prompt))} for item in puzzles]
    assert all(len(found) > 1 for found in kinds)
    assert set.union(*kinds) == {says for _, says in CLUES}
    assert len({item.prompt.split()[1] for item in puzzles}) == len(orderings.SCENES)


def mentioned(item: DrawnItem) -> list[str]:
    return re.findall(r"\w+", " ".join(clue_lines(item.prompt)))


def by_first_mention(item: DrawnItem) -> list[str]:
    words, names = mentioned(item), listed(item.prompt)
    return sorted(names, key=lambda name: words.index(name) if name in words else len(words) + names.index(name))


def by_mentions(item: DrawnItem) -> list[str]:
    counts = Counter(mentioned(item))
    return sorted(listed(item.prompt), key=lambda name: -counts[name])


@pytest.mark.parametrize(
    "guess",
    [
        pytest.param(lambda item: listed(item.prompt), id="as listed"),
        pytest.param(lambda item: sorted(listed(item.prompt)), id="alphabetical"),
        pytest.param(by_first_mention, id="as first mentioned in the clues"),
        pytest.param(by_mentions, id="the most mentioned first"),
    ],
)
def test_no_order_of_the_text_is_the_answer_more_often_than_chance(
    puzzles: list[DrawnItem], guess: Callable[[DrawnItem], list[str]]
) -> None:
    """Chance is 1 in 120 for all five places and 1 in 2 for a pair; the bounds are 5 standard deviations off."""
    whole = {"right": 0, "turned": 0}
    agreeing = 0
    for item in puzzles:
        guessed, right = guess(item), expected_order(item)
        whole["right"] += guessed == right
        whole["turned"] += guessed[::-1] == right
        agreeing += sum(right.index(a) < right.index(b) for a, b in combinations(guessed, 2))
    assert max(whole.values()) <= 10
    assert abs(agreeing / (SEEDS * 10) - 0.5) < 0.06


def test_every_listed_place_leads_about_as_often(puzzles: list[DrawnItem]) -> None:
    """60 of 300 for each of 5 places, give or take 5 standard deviations (6.9 each)."""
    leads = Counter(listed(item.prompt).index(item.grader["expected"][0]) for item in puzzles)
    assert len(leads) == 5
    assert all(abs(count - SEEDS / 5) < 35 for count in leads.values())


# ledgers/1, read again from its text

QUANTITY, WARE, DAY = r"(?P<quantity>\d+)", r"(?P<ware>[a-z]+)", r"(?P<day>[A-Z][a-z]+day)"
C = r"(?P<c>[A-Z][a-z]+)"
SAYINGS = [
    ("order", rf"{C} wants {QUANTITY} {WARE}, to be brought on {DAY}\."),
    ("order", rf"{C} asked for {QUANTITY} {WARE}; delivery on {DAY}\."),
    ("order", rf"For {DAY}, {C} ordered {QUANTITY} {WARE}\."),
    ("set", rf"{C} rang: the number is to be {QUANTITY}\."),
    ("set", rf"Change for {C}: {QUANTITY} pieces now\."),
    ("set", rf"{C} would rather have {WARE}, as many as were noted\."),
    ("set", rf"Change for {C}: the goods are to be {WARE}\."),
    ("set", rf"{C} can only be reached on {DAY}, so deliver then\."),
    ("set", rf"Change for {C}: bring it on {DAY}\."),
    ("undo", rf"The change to {QUANTITY} pieces for {C} was a mistake of mine; what stood before holds again\."),
    ("undo", rf"The change to {DAY} for {C} was a mistake of mine; what stood before holds again\."),
    ("undo", rf"The change to {WARE} for {C} was a mistake of mine; what stood before holds again\."),
    ("undo", rf"{C} takes back the change of number to {QUANTITY}: as it was before, please\."),
    ("undo", rf"{C} takes back the change of goods to {WARE}: as it was before, please\."),
    ("undo", rf"{C} takes back the change of day to {DAY}: as it was before, please\."),
    ("cancel", rf"{C} cancels the order\."),
    ("cancel", rf"No delivery to {C} after all: order cancelled\."),
    ("revive", rf"{C} wants the cancelled order after all, just as it stood\."),
    ("revive", rf"The order of {C} is on again, unchanged\."),
]
Told = tuple[str, str, dict[str, Any]]


def told(prompt: str) -> list[Told]:
    """(what is done, customer, values) of every note; each sentence is read by exactly one pattern."""
    body = re.sub(r" ?\([^)]*\)", "", prompt.split("\n\n")[1]).strip()
    notes: list[Told] = []
    for sentence in re.split(r"(?<=\.) ", body):
        found = [(does, match) for does, pattern in SAYINGS if (match := re.fullmatch(pattern, sentence))]
        assert len(found) == 1, sentence
        values: dict[str, Any] = found[0][1].groupdict()
        name = values.pop("c")
        notes.append((found[0][0], name, {k: int(v) if k == "quantity" else v for k, v in values.items()}))
    return notes


def read_out(prompt: str) -> dict[str, Any]:
    """What holds at the end, a stack of snapshots for each customer's field."""
    stacks: dict[tuple[str, str], list[Any]] = {}
    off: dict[str, bool] = {}
    for does, name, values in told(prompt):
        if does in ("cancel", "revive"):
            assert off[name] is (does == "revive"), "only a standing order is cancelled, only a cancelled one revived"
            off[name] = does == "cancel"
        else:
            off.setdefault(name, False)
            assert not off[name], "no change to a cancelled order"
        for field, value in values.items():
            stack = stacks.setdefault((name, field), [])
            if does == "undo":
                assert stack.pop() == value, "what is taken back is the latest change"
            else:
                assert value not in stack[-1:], "a change changes something"
                stack.append(value)
    orders = {
        name: {field: stacks[name, field][-1] for field in ("quantity", "ware", "day")}
        for name, is_off in off.items()
        if not is_off
    }
    return {"orders": orders, "cancelled": sorted(name for name, is_off in off.items() if is_off)}


def test_the_answer_is_found_again_from_the_text(books: list[DrawnItem]) -> None:
    """RUN-12: by a reader of its own, which sees the prompt alone."""
    for item in books:
        assert read_out(item.prompt) == item.grader["expected"], item.prompt
    large = drawn("ledgers/1", "large", orders=10, changes=20, asides=10)
    assert read_out(large.prompt) == large.grader["expected"]
    small = drawn("ledgers/1", "small", orders=3, changes=2, asides=0)
    assert read_out(small.prompt) == small.grader["expected"]
    assert "(" not in small.prompt.split("\n\n")[1]


def test_the_two_readings_of_the_notes_are_different_code_with_one_result() -> None:
    Note = ledgers.Note
    notes = [Note("order", "A", "", {"quantity": 2, "ware": "w", "day": "d"}), Note("set", "A", "quantity", 3)]
    notes += [Note("set", "A", "quantity", 4), Note("undo", "A", "quantity", 4)]
    right = {"orders": {"A": {"quantity": 3, "ware": "w", "day": "d"}}, "cancelled": []}
    assert ledgers.forwards(notes) == ledgers.backwards(notes) == right
    gone = [*notes, Note("cancel", "A")]
    assert ledgers.forwards(gone) == ledgers.backwards(gone) == {"orders": {}, "cancelled": ["A"]}


@pytest.mark.parametrize(
    "pick",
    [
        pytest.param(lambda values: values[0], id="the first mentioned"),
        pytest.param(lambda values: values[-1], id="the last mentioned"),
        pytest.param(lambda values: Counter(values).most_common(1)[0][0], id="the most mentioned"),
        pytest.param(max, id="the largest"),
        pytest.param(min, id="the smallest"),
    ],
)
def test_no_place_or_number_of_mentions_gives_the_answer(
    books: list[DrawnItem], pick: Callable[[list[Any]], Any]
) -> None:
    """A reader who sees which orders stand and takes one value of each changed field by a rule of thumb.

    By place or mentions: never a whole answer. By size: no more often than picking blindly among those mentioned.
    """
    whole = hits = changed = 0
    blind = 0.0
    for item in books:
        seen: dict[tuple[str, str], list[Any]] = {}
        for _, name, values in told(item.prompt):
            for field, value in values.items():
                seen.setdefault((name, field), []).append(value)
        orders = item.grader["expected"]["orders"]
        right = {key: pick(values) == orders[key[0]][key[1]] for key, values in seen.items() if key[0] in orders}
        whole += all(right.values())
        hits += sum(right[key] for key in right if len(seen[key]) > 1)
        changed += sum(len(seen[key]) > 1 for key in right)
        blind += prod(1 / len(set(seen[key])) for key in right)
    assert changed > SEEDS
    assert hits / changed < 0.75
    assert whole <= (blind + 5 * sqrt(blind) if pick in (max, min) else 0)


# all generators

#: The digest of five items of a fixed secret. Another one means another generator: give it a new version.
PINNED = {
    "orderings/1": "483822832741072ca6757403cb91f9cb077f8ff3593cebb745a3913facb5fcfb",
    "ledgers/1": "52e9d68b2c237a4ce5c52bc5950fe05beb2080a5afa9968149d720227ab763c6",
}


@pytest.mark.parametrize("name", GENERATORS)
def test_a_published_generator_never_changes(name: str) -> None:
    """RUN-12, FND-04: a changed generator is a new version, the old one stays."""
    assert digest([as_json(drawn(name, place)) for place in range(5)]) == PINNED[name]


def as_json(item: DrawnItem) -> dict[str, Any]:
    return {**item._asdict(), "references": item.references._asdict()}


@pytest.mark.parametrize("name", GENERATORS)
def test_items_are_all_different(name: str, puzzles: list[DrawnItem], books: list[DrawnItem]) -> None:
    items = {"orderings/1": puzzles, "ledgers/1": books}[name]
    assert len({item.prompt for item in items}) == SEEDS


PLAN = {
    "format": "trigpoint-plan/1",
    "id": "season",
    "version": "1.0.0",
    "title": 'A "season" \\ with é and \u007f',
    "licence": "CC0-1.0",
    "scoring": "macro-average/1",
    "parts": [
        {"generator": "orderings/1", "category": "reasoning", "count": 4},
        {"generator": "ledgers/1", "category": "extraction", "count": 3},
        {"generator": "ledgers/1", "category": "extraction", "count": 2, "settings": {"orders": 10, "changes": 20}},
        {"generator": "orderings/1", "category": "reasoning", "count": 1, "settings": {"things": 4, "depth": 3}},
    ],
}


def test_a_drawn_suite_loads_and_its_references_are_graded_as_they_say() -> None:
    """RUN-10, RUN-12: three right and at least five wrong replies an item."""
    plan = read_plan(PLAN, GENERATORS, "plan")
    files = drawn_files(plan, SECRET)
    suite = load_suite(MemoryFiles(files))
    assert (suite.count, suite.title, [c.id for c in suite.categories]) == (
        10,
        PLAN["title"],
        ["reasoning", "extraction"],
    )
    checked = check_references(suite)
    assert (checked.wrong, checked.without) == ([], [])
    assert checked.count == 5 * 3 + 5 * 3 + 5 * 6 + 5 * 6
    assert [item.id for item in suite.items()][:2] == ["extraction-001", "extraction-002"]


def test_two_secrets_share_no_prompt_and_no_answer() -> None:
    """RUN-12: what is published before the reveal says nothing about the items."""
    plan = read_plan(PLAN, GENERATORS, "plan")
    one, other = (list(drawn_items(plan, secret)) for secret in (SECRET, "0" * 64))
    assert [row[:2] for row in one] == [row[:2] for row in other]
    assert not {item.prompt for _, _, item in one} & {item.prompt for _, _, item in other}
    answers = [{json.dumps(item.grader["expected"]) for _, _, item in rows} for rows in (one, other)]
    assert not answers[0] & answers[1]
    assert drawn_files(plan, SECRET) == drawn_files(plan, SECRET)


def test_a_prompt_that_was_drawn_before_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two equal tasks would count one thing twice."""
    from trigpoint.core.draw import Generator, References
    from trigpoint.core.errors import InternalError

    def coin(stream: Stream, settings: Any) -> DrawnItem:
        return DrawnItem(f"side {stream.integer(2)}", "whole-reply", {}, "", References([], []))

    generator = Generator(name="coin/1", category="chance", settings={}, draw=coin)
    known = {"coin/1": generator}
    monkeypatch.setattr("trigpoint.suites.generators.drawing.GENERATORS", known)

    def prompts(count: int) -> list[str]:
        parts = [{"generator": "coin/1", "category": "chance", "count": count}]
        plan = read_plan({**PLAN, "parts": parts}, known, "plan")
        return sorted(item.prompt for _, _, item in drawn_items(plan, SECRET))

    assert prompts(2) == ["side 0", "side 1"]
    with pytest.raises(InternalError, match="too few different items"):
        prompts(3)


def test_a_category_too_long_for_an_id_is_refused() -> None:
    parts = [{"generator": "ledgers/1", "category": "x" * 80, "count": 1}]
    with pytest.raises(SuiteError, match="not an id"):
        drawn_files(read_plan({**PLAN, "parts": parts}, GENERATORS, "plan"), SECRET)
