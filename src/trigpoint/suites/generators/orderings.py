"""orderings/1 (reasoning): put n named things into their one order, from clues of several kinds.

The order is drawn first. Clues are true sentences about it, taken until an exhaustive search over all n! orders finds
one alone, then thinned until none can be spared. No clue by itself fixes the place of anything. Sides of a clue are
named in a drawn order, so neither the list of names nor their order in the clues tells anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from trigpoint.core.draw import DrawnItem, Generator, References, Setting, Stream
from trigpoint.core.errors import InternalError
from trigpoint.suites.generators.orderings_words import SCENES, Scene

NAME = "orderings/1"
_COUNTS = ("No", "One", "Two", "Three", "Four", "Five", "Six")
_TRIES = 200  # orders drawn before giving up: one is nearly always enough
SETTINGS = {
    "things": Setting(5, 4, 6, "how many things are put in order"),
    "depth": Setting(2, 1, 3, "clues of before and after are 1 many, 2 as many as others, 3 the last resort"),
}


class Kind(NamedTuple):
    """One kind of clue about `slots` things: when places fulfil it, its sentences, and which slots may change sides."""

    slots: int
    true: Callable[..., bool]  # (places of the things named, from 1; how many there are) → fulfilled
    sentences: tuple[str, ...]
    swap: tuple[int, int] | None = None


def _gap(places_between: int, sentence: str) -> Kind:
    return Kind(2, lambda a, b, n: abs(a - b) == places_between + 1, (sentence,), (0, 1))


KINDS: Mapping[str, Kind] = {
    "before": Kind(2, lambda a, b, n: a < b, ("{0} {before} {1}.", "{1} {after} {0}.")),
    "neighbours": Kind(2, lambda a, b, n: abs(a - b) == 1, ("{0} and {1} {next_to}.",), (0, 1)),
    "apart": Kind(2, lambda a, b, n: abs(a - b) > 1, ("At least one place lies between {0} and {1}.",), (0, 1)),
    "gap one": _gap(1, "Exactly one place lies between {0} and {1}."),
    "gap two": _gap(2, "Exactly two places lie between {0} and {1}."),
    "gap three": _gap(3, "Exactly three places lie between {0} and {1}."),
    "between": Kind(
        3,
        lambda a, b, c, n: b < a < c or c < a < b,
        ("The place of {0} is somewhere between those of {1} and {2}.", "Between {1} and {2}, somewhere, is {0}."),
        (1, 2),
    ),
    "inside": Kind(1, lambda a, n: 1 < a < n, ("{0} has neither the first place nor the last.",)),
    "even": Kind(1, lambda a, n: a % 2 == 0, ("The number of {0}'s place is even.",)),
    "odd": Kind(1, lambda a, n: a % 2 == 1, ("The number of {0}'s place is odd.",)),
    "closer": Kind(
        3,
        lambda a, b, c, n: abs(a - b) < abs(a - c),
        (
            "The place of {0} is closer to that of {1} than to that of {2}.",
            "From {0} it is farther to {2} than to {1}.",
        ),
    ),
    "one at an end": Kind(
        2,
        lambda a, b, n: (a in (1, n)) != (b in (1, n)),
        ("Of {0} and {1}, exactly one has a place at an end, the first or the last.",),
        (0, 1),
    ),
}


class Clue(NamedTuple):
    """A kind of clue and the things it names, by number."""

    kind: str
    things: tuple[int, ...]


def draw(stream: Stream, settings: Mapping[str, int]) -> DrawnItem:
    """One item, its answer proven to be the only one. Raises InternalError when no order can be told by clues."""
    count = settings["things"]
    scene = stream.choice(SCENES)
    names = stream.sample(scene.names, count)
    for _ in range(_TRIES):
        truth = tuple(stream.shuffle(range(1, count + 1)))  # the place of each thing
        clues = _clues(stream, truth, settings["depth"])
        if clues and len({clue.kind for clue in clues}) > 1:
            break
    else:
        raise InternalError("no clues tell the order", where=NAME)
    backwards = stream.integer(2)
    line = sorted(range(count), key=lambda thing: truth[thing], reverse=bool(backwards))
    sentences = [_sentence(stream, scene, clue, names) for clue in stream.shuffle(clues)]
    return _item(scene, names, sentences, scene.ask[backwards], [names[thing] for thing in line])


def _clues(stream: Stream, truth: tuple[int, ...], depth: int) -> list[Clue]:
    """True clues that leave `truth` alone among all orders, none to spare; [] when there are none such."""
    orders = _orders(len(truth))
    only = 1 << orders.index(truth)
    masks = _universe(len(truth))
    chosen: list[Clue] = []
    left = (1 << len(orders)) - 1
    for clue in _candidates(stream, [clue for clue in masks if masks[clue] & only], depth):
        if left & masks[clue] != left:
            chosen.append(clue)
            left &= masks[clue]
        if left == only:
            return _thinned(chosen, masks, only)
    return []


def _thinned(chosen: Sequence[Clue], masks: Mapping[Clue, int], only: int) -> list[Clue]:
    """The clues without those that can be spared: every one that stays shuts out some order."""
    kept = list(chosen)
    for clue in chosen:
        rest = [masks[other] for other in kept if other != clue]
        left = -1
        for mask in rest:
            left &= mask
        if left == only:
            kept.remove(clue)
    return kept


def _candidates(stream: Stream, clues: Sequence[Clue], depth: int) -> list[Clue]:
    """All true clues in the order in which they are tried: kinds by turns, `before` as the depth says."""
    by_kind = {kind: stream.shuffle([clue for clue in clues if clue.kind == kind]) for kind in KINDS}
    kinds = stream.shuffle([kind for kind in KINDS if kind != "before" or depth == 2])
    if depth == 1:
        kinds = [kind for other in kinds for kind in (other, "before")]
    tried: list[Clue] = []
    while any(by_kind[kind] for kind in kinds):
        tried += [by_kind[kind].pop() for kind in kinds if by_kind[kind]]
    return tried + by_kind["before"]


@cache
def _orders(count: int) -> list[tuple[int, ...]]:
    """Every order of `count` things, as the place of each."""
    return list(permutations(range(1, count + 1)))


@cache
def _universe(count: int) -> dict[Clue, int]:
    """Every clue about `count` things → the orders that fulfil it, as bits."""
    masks: dict[Clue, int] = {}
    for name, kind in KINDS.items():
        for things in permutations(range(count), kind.slots):
            if kind.swap and things[kind.swap[0]] > things[kind.swap[1]]:
                continue  # the same clue with its sides changed
            fits = (kind.true(*(order[thing] for thing in things), count) for order in _orders(count))
            masks[Clue(name, things)] = sum(1 << place for place, fit in enumerate(fits) if fit)
    return masks


def _sentence(stream: Stream, scene: Scene, clue: Clue, names: Sequence[str]) -> str:
    kind = KINDS[clue.kind]
    named = [names[thing] for thing in clue.things]
    if kind.swap and stream.integer(2):
        one, other = kind.swap
        named[one], named[other] = named[other], named[one]
    words = {"before": scene.before, "after": scene.after, "next_to": scene.next_to}
    return stream.choice(kind.sentences).format(*named, **words)


def _item(scene: Scene, names: Sequence[str], clues: Sequence[str], ask: str, answer: list[str]) -> DrawnItem:
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    opening = scene.intro.format(n=_COUNTS[len(names)].lower(), names=listed)
    lines = [opening[0].upper() + opening[1:], "", *(f"- {clue}" for clue in clues), ""]
    lines.append(f"List {ask}: all {len(names)} names, separated by commas.")
    return DrawnItem(
        prompt="\n".join(lines),
        contract="final-answer",
        grader={"rule": "value/1", "kind": "list", "casefold": True, "expected": answer},
        note=f"Holding {len(clues)} clues together; each is needed, and one order alone fulfils them all.",
        references=_references(answer),
    )


def _references(answer: list[str]) -> References:
    text = ", ".join(answer)
    wrong = {
        "the other way round": answer[::-1],
        "the first two changed about": [answer[1], answer[0], *answer[2:]],
        "the last two changed about": [*answer[:-2], answer[-1], answer[-2]],
        "all moved on by one place": [*answer[1:], answer[0]],
        "the last one is missing": answer[:-1],
    }
    right = {
        "as asked": f"ANSWER: {text}",
        "thinking first, without capitals": f"Only one order fulfils every clue.\n\nANSWER: {text.lower()}",
        "bold, without spaces": f"**ANSWER:** {','.join(answer)}",
    }
    lineless = {
        "reply": f"The order is {text}.",
        "outcome": "format_not_recognised",
        "why": "no line begins with ANSWER:",
    }
    return References(
        right=[{"reply": reply, "why": why} for why, reply in right.items()],
        wrong=[
            *({"reply": f"ANSWER: {', '.join(names)}", "why": why} for why, names in wrong.items()),
            lineless,
        ],
    )


ORDERINGS = Generator(name=NAME, category="reasoning", settings=SETTINGS, draw=draw)
