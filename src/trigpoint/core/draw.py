"""Secret → values → items: draw what is asked from a committed secret (RUN-12, CYC-02, CHK-03).

Commit first: publish SHA-256 of the secret and one digest over everything that decides the draw. Reveal later:
whoever has the secret draws the same items again, to the byte.

The stream, so that another language can replay it:
1. The secret is 32 bytes, written as 64 lower-case hexadecimal digits. Its commitment is SHA-256 of those characters.
2. Each use has a label (text). Its bytes are the blocks 0, 1, 2 … put one after another, where block i is
   HMAC-SHA-256 with the 32 secret bytes as key, over the label's UTF-8 bytes, one zero byte, and i as 8 bytes,
   the highest first. Labels hold no zero byte, so no two labels share a block.
3. `integer(n)` takes k bytes, k being the least with 256^k ≥ n, as one number v, the highest byte first. When
   v ≥ 256^k − (256^k mod n), v is thrown away and the next k bytes are taken; otherwise the result is v mod n.
   n = 1 takes no byte.
4. `choice` is the element at `integer(length)`. `shuffle` walks i from the last index down to 1, swapping element i
   with element `integer(i + 1)`. `sample(c)` is the first c of a shuffle. `fraction` is `integer(2^53)` / 2^53.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from trigpoint.core.canonical import digest, sha256_hex
from trigpoint.core.errors import BundleError, RefusedError, SuiteError, shown
from trigpoint.core.fields import id_field, known_fields, text_field
from trigpoint.core.suite import SCORINGS

PLAN_FORMAT = "trigpoint-plan/1"
COMMIT_FORMAT = "trigpoint-commit/1"
DRAW_FORMAT = "trigpoint-draw/1"  # of draw.json, and of the labels of its streams
MAX_ITEMS = 5_000  # of one draw: three files an item, and a suite folder has at most 20,000

_IDS = ("id", "version")
_HEAD = (*_IDS, "title", "licence", "scoring")
_DIGITS = frozenset("0123456789abcdef")
T = TypeVar("T")


class Stream:
    """The chance of one label under one secret; the same for ever (the module's page has it to the bit)."""

    def __init__(self, secret: str, label: str) -> None:
        """Raises BundleError for a secret that isn't one (never showing it), or a label with a zero byte."""
        if "\0" in label:
            raise BundleError("a label with a zero byte", where="label", found=shown(label))
        self._key, self._label = bytes.fromhex(checked_secret(secret)), label.encode() + b"\0"
        self._next, self._held = 0, b""

    def _take(self, count: int) -> bytes:
        while len(self._held) < count:
            self._held += hmac.digest(self._key, self._label + self._next.to_bytes(8, "big"), "sha256")
            self._next += 1
        taken, self._held = self._held[:count], self._held[count:]
        return taken

    def integer(self, below: int) -> int:
        """A whole number 0 ≤ n < `below`, each as likely. `below` is 1 to 2⁶⁴."""
        if not 1 <= below <= 2**64:
            raise ValueError(f"integer: expected 1 to 2**64, found {below}")
        width = ((below - 1).bit_length() + 7) // 8
        whole = 256**width
        while True:
            value = int.from_bytes(self._take(width), "big")
            if value < whole - whole % below:
                return value % below

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`, both included."""
        return least + self.integer(most - least + 1)

    def choice(self, values: Sequence[T]) -> T:
        """One element, each as likely."""
        return values[self.integer(len(values))]

    def shuffle(self, values: Sequence[T]) -> list[T]:
        """The elements in an order of which each is as likely; `values` stays as it is."""
        mixed = list(values)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.integer(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """`count` different elements in a drawn order."""
        return self.shuffle(values)[:count]

    def fraction(self) -> Fraction:
        """A number 0 ≤ x < 1 of 53 bits, exact as a double too."""
        return Fraction(self.integer(2**53), 2**53)


class Setting(NamedTuple):
    """One setting of a generator: a whole number from `least` to `most`, and what it means."""

    default: int
    least: int
    most: int
    means: str


class References(NamedTuple):
    """Replies with known grades; each row holds reply and why, a wrong one also outcome, and credit when partial."""

    right: Sequence[Mapping[str, str]]
    wrong: Sequence[Mapping[str, str]]


class DrawnItem(NamedTuple):
    """What a generator gives for one item; `grader` is rule, expected and options, as in an item's file."""

    prompt: str
    contract: str
    grader: Mapping[str, Any]
    note: str
    references: References


@dataclass(frozen=True, kw_only=True, slots=True)
class Generator:
    """A seeded maker of items. The same stream and settings give the same item for ever: a change is a new version."""

    name: str  # name and version, "orderings/1"
    category: str  # the category it was made for
    settings: Mapping[str, Setting]
    draw: Callable[[Stream, Mapping[str, int]], DrawnItem]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """So many items of one generator, with all its settings: nothing rests on a default."""

    generator: str
    category: str
    count: int
    settings: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything that decides a draw but the secret."""

    id: str
    version: str
    title: str
    licence: str
    scoring: str
    parts: tuple[Part, ...]


def read_plan(table: Any, generators: Mapping[str, Generator], where: str) -> Plan:
    """The plan in a table, settings that aren't named filled in. Raises SuiteError naming the field."""
    if not isinstance(table, dict) or table.get("format") != PLAN_FORMAT:
        raise SuiteError("another format", where=f"{where}: format", expected=PLAN_FORMAT)
    known_fields(table, {"format", *_HEAD, "parts"}, where)
    head = {name: (id_field if name in _IDS else text_field)(table, name, where) for name in _HEAD}
    if head["scoring"] not in SCORINGS:
        found = shown(head["scoring"])
        raise SuiteError("unknown value", where=f"{where}: scoring", expected=SCORINGS[0], found=found)
    rows = table.get("parts")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise SuiteError("no parts", where=f"{where}: parts", expected="at least one [[parts]] table")
    parts = tuple(_read_part(row, generators, f"{where}: parts {place}") for place, row in enumerate(rows, 1))
    if (total := sum(part.count for part in parts)) > MAX_ITEMS:
        raise SuiteError("too many items", where=f"{where}: parts", expected=f"at most {MAX_ITEMS:,}", found=str(total))
    return Plan(**head, parts=parts)


def _read_part(row: Mapping[str, Any], generators: Mapping[str, Generator], where: str) -> Part:
    known_fields(row, {"generator", "category", "count", "settings"}, where)
    name = text_field(row, "generator", where)
    if name not in generators:
        known = ", ".join(generators)
        raise SuiteError(
            "unknown generator", where=f"{where}: generator", expected=f"one of {known}", found=shown(name)
        )
    given = row.get("settings", {})
    if not isinstance(given, dict):
        raise SuiteError("not settings", where=f"{where}: settings", expected="a table")
    known_settings = generators[name].settings
    known_fields(given, known_settings, f"{where}: settings")
    settings = {
        key: _whole(given.get(key, known.default), known.least, known.most, f"{where}: settings.{key}")
        for key, known in known_settings.items()
    }
    count = _whole(row.get("count"), 1, MAX_ITEMS, f"{where}: count")
    return Part(generator=name, category=id_field(row, "category", where), count=count, settings=settings)


def _whole(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SuiteError("a wrong number", where=where, expected=f"{least} to {most:,}", found=shown(repr(value)))
    return value


def plan_members(plan: Plan) -> dict[str, Any]:
    """The plan as JSON; `digest` of it is what a commitment holds."""
    parts = [
        {"generator": part.generator, "category": part.category, "count": part.count, "settings": dict(part.settings)}
        for part in plan.parts
    ]
    return {"format": PLAN_FORMAT, **{name: getattr(plan, name) for name in _HEAD}, "parts": parts}


def checked_secret(text: str) -> str:
    """`text` itself. Raises BundleError, which never shows it, unless it is 64 lower-case hexadecimal digits."""
    if not isinstance(text, str) or len(text) != 64 or not _DIGITS.issuperset(text):
        raise BundleError("not a secret", where="secret", expected="64 lower-case hexadecimal digits")
    return text


def commitment(secret: str) -> str:
    """SHA-256 of the 64 characters of the secret (CYC-02)."""
    return sha256_hex(checked_secret(secret).encode())


def commit_members(secret: str, plan: Plan) -> dict[str, Any]:
    """What commit.json holds: the plan, its digest, and the digest of the secret; nothing else of the secret."""
    plan_sha256, members = digest(plan_members(plan)), plan_members(plan)
    return {"format": COMMIT_FORMAT, "secret_sha256": commitment(secret), "plan_sha256": plan_sha256, "plan": members}


def check_reveal(commit: Any, secret: str, plan: Plan) -> list[str]:
    """What contradicts the commitment, one line each, fields named; nothing when it holds.

    Raises RefusedError when `commit` isn't a commitment of this format.
    """
    if not isinstance(commit, dict) or commit.get("format") != COMMIT_FORMAT:
        raise RefusedError("not a commitment", where="commit: format", expected=COMMIT_FORMAT)
    expected = commit_members(secret, plan)
    found = [f"commit: {path}" for path in differences(commit, expected) if not path.startswith("secret_sha256")]
    if commit.get("secret_sha256") != expected["secret_sha256"]:
        found.append("commit: secret_sha256: the secret is not the committed one")
    return found


def differences(left: Any, right: Any, path: str = "") -> Iterator[str]:
    """ "path: this one, that one" for each leaf in which two JSON values differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in sorted(left.keys() | right.keys(), key=str):
            known = str(name) if str(name).isidentifier() and str(name).isascii() else shown(name)
            inner = f"{path}.{known}" if path else known
            yield from differences(left.get(name, "nothing"), right.get(name, "nothing"), inner)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for place, pair in enumerate(zip(left, right, strict=True), 1):
            yield from differences(*pair, f"{path} {place}")
    elif type(left) is not type(right) or left != right:
        yield f"{path}: committed {shown(str(left))}, found {shown(str(right))}"
