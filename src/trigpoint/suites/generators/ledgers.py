"""ledgers/1 (extraction): read a day's order notes, with corrections and asides, into nested JSON.

What holds at the end is worked out twice, forwards note by note and backwards from the last note, and must agree.
In every item one value is put right (the first one mentioned is wrong) and one correction is taken back (the last one
mentioned is wrong, and so is the one mentioned most), so no rule of place or number finds all fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from trigpoint.core.draw import DrawnItem, Generator, References, Setting, Stream
from trigpoint.core.errors import InternalError
from trigpoint.core.exact import fraction_text
from trigpoint.suites.generators.ledgers_words import ASIDES, CLOSING, DAYS, NAMES, NOTES, OPENINGS, WARES

NAME = "ledgers/1"
SETTINGS = {
    "orders": Setting(5, 3, 10, "how many customers order"),
    "changes": Setting(6, 2, 20, "how many changes are noted; one that is taken back counts once"),
    "asides": Setting(3, 0, 10, "how many remarks there are that change nothing"),
}
FIELDS = ("quantity", "ware", "day")
_KINDS = ("corrected", "taken back", "cancelled", "revived")


class Note(NamedTuple):
    """One note: what it does to whose order, and the value it gives."""

    does: str  # order, set, undo, cancel, revive
    customer: str
    field: str = ""
    value: Any = None


def draw(stream: Stream, settings: Mapping[str, int]) -> DrawnItem:
    """One item. Raises InternalError when the two readings of its notes differ."""
    notes = _notes(stream, settings["orders"], settings["changes"])
    answer = forwards(notes)
    if answer != backwards(notes):
        raise InternalError("two readings of the same notes differ", where=NAME)
    sentences = [_sentence(stream, note) for note in notes]
    for _ in range(settings["asides"]):
        about = stream.choice([note.customer for note in notes])
        aside = stream.choice(ASIDES).format(
            c=about, n=stream.between(2, 60), d=stream.choice(DAYS), w=stream.choice(WARES)
        )
        sentences.insert(stream.integer(len(sentences) + 1), aside)
    prompt = f"{stream.choice(OPENINGS)}\n\n{' '.join(sentences)}\n\n{CLOSING}"
    return DrawnItem(
        prompt=prompt,
        contract="json",
        grader={"rule": "json_fields/1", "extra_nested_fields": "forbid", "expected": answer},
        note="Following corrections, withdrawn corrections and cancellations; asides hold figures that don't count.",
        references=_references(notes, answer),
    )


def _notes(stream: Stream, orders: int, changes: int) -> list[Note]:
    """The notes in the order they are written: each customer orders once; changes come at some time after that."""
    customers = stream.sample(NAMES, orders)
    queues = [
        [Note("order", customer, "", {field: _value(stream, field) for field in FIELDS})] for customer in customers
    ]
    current = {queue[0].customer: dict(queue[0].value) for queue in queues}
    _change(stream, "corrected", queues[0], current)  # these two orders stand at the end, whatever else happens
    _change(stream, "taken back", queues[1], current)
    for _ in range(changes - 2):
        _change(stream, stream.choice(_KINDS), stream.choice(queues[2:]), current)
    return _woven(stream, queues)


def _change(stream: Stream, kind: str, queue: list[Note], current: dict[str, dict[str, Any]]) -> None:
    """Add the notes of one change to a customer's queue."""
    customer = queue[0].customer
    if kind in ("cancelled", "revived") and queue[-1].does != "cancel":
        queue.append(Note("cancel", customer))
        if kind == "revived":
            queue.append(Note("revive", customer))
        return
    if queue[-1].does == "cancel":  # no correction to an order that is cancelled
        queue.append(Note("revive", customer))
    field = stream.choice(FIELDS)
    value = _value(stream, field, current[customer][field])
    queue.append(Note("set", customer, field, value))
    if kind == "taken back":
        queue.append(Note("undo", customer, field, value))
    else:
        current[customer][field] = value


def _value(stream: Stream, field: str, other_than: Any = None) -> Any:
    """A value of a field, never the one that stands there."""
    while True:
        value = stream.between(2, 60) if field == "quantity" else stream.choice({"ware": WARES, "day": DAYS}[field])
        if value != other_than:
            return value


def _woven(stream: Stream, queues: Sequence[Sequence[Note]]) -> list[Note]:
    """All notes, those of one customer in their order, customers mixed."""
    turns = stream.shuffle([place for place, queue in enumerate(queues) for _ in queue])
    heads = [iter(queue) for queue in queues]
    return [next(heads[turn]) for turn in turns]


def forwards(notes: Sequence[Note]) -> dict[str, Any]:
    """What holds after the last note, each note carried out in turn."""
    history: dict[str, dict[str, list[Any]]] = {}
    cancelled: set[str] = set()
    for note in notes:
        if note.does == "order":
            history[note.customer] = {field: [value] for field, value in note.value.items()}
        elif note.does == "set":
            history[note.customer][note.field].append(note.value)
        elif note.does == "undo":
            history[note.customer][note.field].pop()
        elif note.does == "cancel":
            cancelled.add(note.customer)
        else:
            cancelled.discard(note.customer)
    standing = {name: {field: values[-1] for field, values in fields.items()} for name, fields in history.items()}
    return _answer({name: fields for name, fields in standing.items() if name not in cancelled}, cancelled)


def backwards(notes: Sequence[Note]) -> dict[str, Any]:
    """The same, found from the end: the latest word on a customer or a field counts, less what is taken back."""
    orders: dict[str, dict[str, Any]] = {}
    cancelled: set[str] = set()
    for customer in {note.customer for note in notes}:
        own = [note for note in reversed(notes) if note.customer == customer]
        state = next((note.does for note in own if note.does in ("cancel", "revive")), "revive")
        if state == "cancel":
            cancelled.add(customer)
        else:
            orders[customer] = {field: _latest(own, field) for field in FIELDS}
    return _answer(orders, cancelled)


def _latest(own: Sequence[Note], field: str) -> Any:
    """The value that stands, `own` being one customer's notes, the last first."""
    skipped = 0
    for note in own:
        if note.does == "undo" and note.field == field:
            skipped += 1
        elif note.does == "set" and note.field == field:
            if not skipped:
                return note.value
            skipped -= 1
        elif note.does == "order":
            return note.value[field]
    raise InternalError("a customer without an order", where=NAME)


def _answer(orders: Mapping[str, Mapping[str, Any]], cancelled: set[str]) -> dict[str, Any]:
    return {"orders": {name: dict(orders[name]) for name in sorted(orders)}, "cancelled": sorted(cancelled)}


def _sentence(stream: Stream, note: Note) -> str:
    kind = f"{note.does} {note.field}".strip()
    values = note.value if note.does == "order" else {note.field: note.value}
    return stream.choice(NOTES[kind]).format(c=note.customer, **values)


def _references(notes: Sequence[Note], answer: dict[str, Any]) -> References:
    """Right: three layouts. Wrong: a reader who heeds no correction, wrong frames, and what isn't JSON alone."""
    text, orders = json.dumps(answer), answer["orders"]
    turned = {name: answer[name] for name in ("cancelled", "orders")}
    right = {
        "one line": text,
        "in a fence, indented": f"```json\n{json.dumps(answer, indent=2)}\n```",
        "members the other way round": json.dumps(turned, separators=(",", ":")),
    }
    wrong = {
        "the orders without their frame": json.dumps(orders),
        "cancelled is missing": json.dumps({"orders": orders}),
        "a member that nobody asked for": json.dumps({**answer, "total": len(orders)}),
    }
    unread = {"prose before the JSON": f"Here it is: {text}", "cut off": text[:-1]}
    return References(
        right=[{"reply": reply, "why": why} for why, reply in right.items()],
        wrong=[
            _uncorrected(notes, answer),
            *({"reply": reply, "why": why} for why, reply in wrong.items()),
            *({"reply": reply, "outcome": "format_not_recognised", "why": why} for why, reply in unread.items()),
        ],
    )


def _uncorrected(notes: Sequence[Note], answer: dict[str, Any]) -> dict[str, str]:
    """The reply of a reader who heeds no correction, with the share of leaf fields that it has right."""
    found = forwards([note for note in notes if note.does not in ("set", "undo")])
    fields = [(name, field) for name in answer["orders"] for field in FIELDS]
    missed = sum(answer["orders"][name][field] != found["orders"][name][field] for name, field in fields)
    leaves = len(fields) + max(1, len(answer["cancelled"]))  # an empty list is one leaf
    credit = fraction_text(Fraction(leaves - missed, leaves))
    return {"reply": json.dumps(found), "outcome": "partial", "credit": credit, "why": "heeds no correction"}


LEDGERS = Generator(name=NAME, category="extraction", settings=SETTINGS, draw=draw)
