"""RUN-42: random edits, raw and with every digest made to fit: none passes."""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from golden.small import (
    ATTEMPTS,
    ITEMS,
    SIGNATURE_PATH,
    Files,
    make,
    pinned,
    resealed,
    rows_of,
    suite_files,
    with_document,
    with_rows,
)
from trigpoint.core.canonical import strict_loads
from trigpoint.core.errors import RefusedError, SuiteError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.verify.verifier import verify

RAW_SEEDS, FORGED_SEEDS, SUITE_SEEDS = 1200, 1200, 400
PARTS = 4  # of each, so that they can run side by side


@pytest.fixture(scope="module")
def good() -> Files:
    """Items of equal weight: their bootstrap is the quick one."""
    items = [{name: value for name, value in item.items() if name != "weight"} for item in ITEMS]
    suite = {**suite_files(items=[item | PROMPT.get(item["id"], {}) for item in items])}
    return make(suite=suite, attempts=ATTEMPTS)


PROMPT = {"record": {"prompt": "Give the record as JSON."}}


def exit_code(files: Mapping[str, bytes]) -> int:
    try:
        return verify(MemoryFiles(files)).exit_code
    except RefusedError:
        return 2


def seeds(count: int) -> list[range]:
    return [range(part, count, PARTS) for part in range(PARTS)]


# --- raw edits --------------------------------------------------------------------------------------------

Edit = Callable[[random.Random, Files], Files]


def _bytes(change: Callable[[random.Random, bytearray, int], Any]) -> Edit:
    def edit(rng: random.Random, files: Files) -> Files:
        path = rng.choice([path for path, data in files.items() if data])
        data = bytearray(files[path])
        change(rng, data, rng.randrange(len(data)))
        return {**files, path: bytes(data)}

    return edit


def _flip(rng: random.Random, data: bytearray, at: int) -> None:
    data[at] ^= 1 << rng.randrange(8)


def _replace(rng: random.Random, data: bytearray, at: int) -> None:
    data[at] = rng.randrange(256)


def _insert(rng: random.Random, data: bytearray, at: int) -> None:
    data[at:at] = bytes(rng.choice(b'0127"{},: \nax\xff') for _ in range(rng.randrange(1, 4)))


def _delete(rng: random.Random, data: bytearray, at: int) -> None:
    del data[at : at + rng.randrange(1, 20)]


def _cut(rng: random.Random, data: bytearray, at: int) -> None:
    del data[at:]


def _double(rng: random.Random, data: bytearray, at: int) -> None:
    data[at:at] = data[at : at + rng.randrange(1, 60)]


def _lines(rng: random.Random, files: Files) -> Files:
    path = rng.choice([path for path, data in files.items() if data.count(b"\n") > 1])
    lines = files[path].splitlines(keepends=True)
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(two, lines[one])
        case _:
            lines.pop(one)
    return {**files, path: b"".join(lines)}


def _remove(rng: random.Random, files: Files) -> Files:
    gone = rng.choice([path for path in files if path != SIGNATURE_PATH])  # a signature may be taken away
    return {path: data for path, data in files.items() if path != gone}


def _rename(rng: random.Random, files: Files) -> Files:
    path = rng.choice([path for path in files if path != SIGNATURE_PATH])
    renamed = path.replace("t", "T", 1) if "t" in path else f"{path}2"
    return {renamed if name == path else name: data for name, data in files.items()}


def _exchange(rng: random.Random, files: Files) -> Files:
    one, two = rng.sample(sorted(files), 2)
    return {**files, one: files[two], two: files[one]}


def _add(rng: random.Random, files: Files) -> Files:
    folder = rng.choice(["", "suite/", "suite/prompts/", "signatures/", "x/"])
    return {**files, f"{folder}extra{rng.randrange(9)}{rng.choice(['.json', '.md', '.toml', ''])}": rng.randbytes(3)}


RAW: list[Edit] = [
    *map(_bytes, (_flip, _flip, _replace, _insert, _delete, _cut, _double)),
    *(_lines, _lines, _remove, _rename, _exchange, _add),
]


@pytest.mark.parametrize("part", seeds(RAW_SEEDS), ids=str)
def test_no_random_edit_passes(part: range, good: Files) -> None:
    """RUN-42: any changed, missing or added byte, line or file."""
    for seed in part:
        rng = random.Random(seed)
        files = good
        while files == good:
            files = rng.choice(RAW)(rng, good)
        assert exit_code(files) != 0, f"seed {seed}"


# --- edits with every digest made to fit --------------------------------------------------------------------


def _nodes(value: Any, steps: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every value inside, leaves and containers."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for name, part in inner for way in ((*steps, name), *_nodes(part, (*steps, name)))]


def _other(rng: random.Random, value: Any) -> Any:
    """A value that is not this one, near or of another type."""
    near: list[Any] = [None, True, False, 0, 1, "", "0", [], {}, 0.5, -1, "1/2", "x" * 64, "é"]
    if type(value) is int:
        near += [value + 1, value - 1, str(value), float(value) + 0.5]
    if type(value) is str:
        near += [value + " ", value[:-1], value.upper(), value[::-1], [value]]
    if isinstance(value, list | dict):
        near += [[value], str(value)]
    return rng.choice([new for new in near if type(new) is not type(value) or new != value])


def _mutated(rng: random.Random, value: Any, ways: list[tuple[Any, ...]]) -> Any:
    """A copy with one node changed, removed, doubled or joined by another."""
    changed = copy.deepcopy(value)
    *inner, last = rng.choice(ways)
    parent = changed
    for step in inner:
        parent = parent[step]
    kind = rng.randrange(6)
    if kind == 0 and isinstance(parent, dict):
        del parent[last]
    elif kind == 1 and isinstance(parent, dict):
        parent[f"{last}2"] = parent[last]
    elif kind == 0:
        parent.pop(last)
    elif kind == 1:
        parent.insert(last, copy.deepcopy(parent[last]))
    elif kind == 2 and isinstance(parent, list) and len(parent) > 1:
        parent.reverse()
    else:
        parent[last] = _other(rng, parent[last])
    return changed


#: Fields of rows that follow from other parts of the bundle, so that a lone edit contradicts something.
DERIVED_ITEM = {
    "item",
    "repeat",
    "message",
    "attempt",
    "input_sha256",
    "answer",
    "outcome",
    "credit",
    "reason",
    "grader",
}
DERIVED_CALL = {"message", "repeat", "attempt", "retry_of", "status"}


def _rows(path: str, derived: set[str]) -> Edit:
    def edit(rng: random.Random, files: Files) -> Files:
        rows = rows_of(files, path)
        one, two = rng.randrange(len(rows)), rng.randrange(len(rows))
        match rng.randrange(8):
            case 0:
                rows[one], rows[two] = rows[two], rows[one]
            case 1:
                rows.insert(two, rows[one])
            case 2:
                rows.pop(one)
            case 3:
                rows[one][rng.choice(["note", "Item", ""])] = 1
            case 4:
                del rows[one][rng.choice(sorted(rows[one]))]
            case _:
                rows[one] = _mutated(rng, rows[one], [(name,) for name in sorted(derived)])
        return resealed(with_rows(files, path, rows))

    return edit


def _document(path: str, but: tuple[Any, ...] = ()) -> Edit:
    def edit(rng: random.Random, files: Files) -> Files:
        value = strict_loads(files[path])
        ways = [way for way in _nodes(value) if way != but]
        return resealed(with_document(files, path, _mutated(rng, value, ways)))

    return edit


FORGED: list[Edit] = [
    *[_rows("items.jsonl", DERIVED_ITEM)] * 3,
    *[_rows("calls.jsonl", DERIVED_CALL)] * 2,
    *[_document("result.json", but=("run",))] * 4,
    *[_document("setup.json")] * 2,
]


@pytest.mark.parametrize("part", seeds(FORGED_SEEDS), ids=str)
def test_no_derived_value_can_be_edited_with_every_digest_made_to_fit(part: range, good: Files) -> None:
    """RUN-42: every edit that leaves a derived value disagreeing with its source."""
    for seed in part:
        rng = random.Random(f"forged {seed}")
        files = good
        while files == good:
            files = rng.choice(FORGED)(rng, good)
        assert exit_code(files) in (1, 2), f"seed {seed}"


@pytest.mark.parametrize("part", seeds(SUITE_SEEDS), ids=str)
def test_no_suite_can_be_put_in_the_place_of_the_one_that_was_asked(part: range, good: Files) -> None:
    """Items mutated at random, pinned and sealed anew: never held, and never more than a named error."""
    for seed in part:
        rng = random.Random(f"suite {seed}")
        items = rows_of(good, "suite/items.jsonl")
        one = rng.randrange(len(items))
        items[one] = _mutated(rng, items[one], _nodes(items[one]))
        files = with_rows(good, "suite/items.jsonl", items)
        suite = {path.removeprefix("suite/"): data for path, data in files.items() if path.startswith("suite/")}
        if rng.randrange(2):
            suite.pop("pin.json")
        with contextlib.suppress(SuiteError):  # no suite at all: pinning refuses it, the verifier must too
            files |= {f"suite/{path}": data for path, data in (pinned(suite) if "pin.json" in suite else suite).items()}
        assert exit_code(resealed(files)) in (1, 2), f"seed {seed}"
