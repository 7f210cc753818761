"""Load a suite folder: plain files a person writes by hand (FND-04, RUN-11).

    suite.toml                 id, version, method, licence, categories, weights, scoring
    items.jsonl                one JSON object a line, or
    items/ID.toml              one file an item, in the order of their names
    prompts/ID.md              the text of an item that has no `prompt` of its own
    references/ID.toml         replies with known grades, used by `suite check`
    pin.json                   the digest; a mismatch is refused

Items are read anew at each pass, so memory doesn't grow with their number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from trigpoint.core.canonical import root_of, strict_loads
from trigpoint.core.distinct import Distinct
from trigpoint.core.errors import BundleError, RefusedError, RefusedSuiteError, SuiteError, shown
from trigpoint.core.fields import id_field, known_fields, line_of, positive_field, text_field
from trigpoint.core.files import Files, checked_path, lines_limited, read_limited
from trigpoint.core.graders import grader_for
from trigpoint.core.message import CONTRACTS
from trigpoint.core.records import GraderSpec, Item, ItemId
from trigpoint.core.toml import MAX_FILE, read_toml

FORMAT = "trigpoint-suite/1"
PIN_FORMAT = "trigpoint-pin/1"
MAX_LINE = 1024 * 1024
MAX_FILES = 20_000
MAX_ITEMS = 2_000_000
METHODS = ("fair-run", "check", "watch", "cycle")
SCORINGS = ("macro-average/1",)
_TOP = {"format", "id", "version", "title", "method", "licence", "scoring", "contract", "system", "categories", "note"}
_ONE = Fraction(1)
_ITEM = {"id", "category", "weight", "contract", "note", "prompt", "grader"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Category:
    """One group of items whose credits are averaged before the headline."""

    id: str
    title: str
    weight: Fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class Suite:
    """A loaded suite: its header, and `items()` to read through. `digest` is over every file but pin.json."""

    id: str
    version: str
    title: str
    method: str
    licence: str
    scoring: str
    contract: str
    system: str | None
    note: str
    categories: tuple[Category, ...]
    digest: str
    files: Files = field(repr=False)
    count: int = 0

    def items(self) -> Iterator[Item]:
        """All items in the suite's order, read from the files; the same each time.

        They were checked when the suite was loaded: what stands in the files is taken as it is.
        """
        for index, (where, _, table) in enumerate(_tables(self.files)):
            yield _read_item(self, index, where, table)

    def _checked_items(self) -> Iterator[Item]:
        categories = {category.id: None for category in self.categories}
        for index, (where, source, table) in enumerate(_tables(self.files)):
            _check_item(self, categories, where, source, table)
            yield _read_item(self, index, where, table)


def load_suite(files: Files) -> Suite:
    """The suite in `files`, every item checked once.

    Raises SuiteError naming file, line and field; also for a pin that doesn't match, an unknown file,
    a doubled id, a category without items.
    """
    paths = _known_paths(files)
    source, table = read_toml(files, "suite.toml")
    try:
        suite = _header(table, files, suite_digest(files))
    except SuiteError as error:
        raise _with_line(error, "suite.toml", source) from None
    _check_pin(files, suite.digest)
    seen, used, count = Distinct(), set[str](), 0
    for item in suite._checked_items():
        seen.add(item.id)
        used.add(item.category)
        count += 1
        if count > MAX_ITEMS:
            raise RefusedSuiteError("too many items", where="items.jsonl", expected=f"at most {MAX_ITEMS:,}")
    if seen.doubled():
        raise SuiteError("two items have the same id", where="items.jsonl", next=f"Look at: {_first_doubled(suite)}.")
    if missing := [category.id for category in suite.categories if category.id not in used]:
        raise SuiteError("a category without items", where="suite.toml: categories", found=", ".join(missing))
    known = (
        {f"prompts/{item.id}.md" for item in suite.items()} if any(p.startswith("prompts/") for p in paths) else set()
    )
    if stray := [path for path in paths if path.startswith("prompts/") and path not in known]:
        raise SuiteError("a prompt of no item", where=stray[0], next="Name it like the item's id, or remove it.")
    return Suite(**{name: getattr(suite, name) for name in Suite.__slots__ if name != "count"}, count=count)


def suite_digest(files: Files) -> str:
    """SHA-256 over the lines `sha256  path` of every file but pin.json, in path order (FND-02)."""
    return root_of((path, file_sha256(files, path)) for path in files.paths() if path != "pin.json")


def file_sha256(files: Files, path: str) -> str:
    """Hexadecimal SHA-256 of one file, read in pieces."""
    hasher = hashlib.sha256()
    with files.open(path) as stream:
        while piece := stream.read(1 << 20):
            hasher.update(piece)
    return hasher.hexdigest()


def pin_of(suite: Suite) -> dict[str, str]:
    """What pin.json holds for this suite."""
    return {"format": PIN_FORMAT, "suite": suite.id, "version": suite.version, "sha256": suite.digest}


def _known_paths(files: Files) -> list[str]:
    paths = [checked_path(path) for path in files.paths()]
    if "suite.toml" not in paths:
        raise SuiteError("not a suite folder", where="suite.toml", expected="this file", found="nothing")
    if len(paths) > MAX_FILES:
        raise SuiteError("too many files", expected=f"at most {MAX_FILES:,}", found=f"{len(paths):,}")
    single = {"suite.toml", "items.jsonl", "draw.json", "pin.json", "README.md", "LICENSE", "LICENCE"}
    folders = (("items/", ".toml"), ("prompts/", ".md"), ("references/", ".toml"))
    for path in paths:
        in_folder = any(path.startswith(top) and path.endswith(end) and path.count("/") == 1 for top, end in folders)
        if path not in single and not in_folder:
            expected = "suite.toml, items.jsonl, items/ID.toml, prompts/ID.md, references/ID.toml, pin.json, README.md"
            raise SuiteError("a file that no suite has", where=path, expected=expected, next="Remove or rename it.")
    by_line, by_file = "items.jsonl" in paths, any(path.startswith("items/") for path in paths)
    if by_line == by_file:
        found = "both" if by_line else "neither"
        raise SuiteError("items stand in one place", expected="items.jsonl or items/ID.toml", found=found)
    return paths


def _header(table: Mapping[str, Any], files: Files, digest: str) -> Suite:
    where = "suite.toml"
    if table.get("format") != FORMAT:
        raise SuiteError(
            "another format", where=f"{where}: format", expected=FORMAT, found=shown(str(table.get("format")))
        )
    known_fields(table, _TOP, where)
    contract = text_field(table, "contract", where, "final-answer")
    categories = table.get("categories")
    if not isinstance(categories, list) or not categories or not all(isinstance(part, dict) for part in categories):
        raise SuiteError("no categories", where=f"{where}: categories", expected="at least one [[categories]] table")
    for part in categories:
        known_fields(part, {"id", "title", "weight"}, f"{where}: categories")
    read = tuple(
        Category(
            id=id_field(part, "id", f"{where}: categories"),
            title=text_field(part, "title", f"{where}: categories", str(part.get("id"))),
            weight=positive_field(part, "weight", f"{where}: categories", 1),
        )
        for part in categories
    )
    if len({category.id for category in read}) != len(read):
        raise SuiteError("two categories have the same id", where=f"{where}: categories")
    return Suite(
        id=id_field(table, "id", where),
        version=id_field(table, "version", where),
        title=text_field(table, "title", where, str(table.get("id"))),
        method=_one_of(table, "method", METHODS, where),
        licence=text_field(table, "licence", where),
        scoring=_one_of(table, "scoring", SCORINGS, where),
        contract=_contract(contract, f"{where}: contract"),
        system=text_field(table, "system", where) if "system" in table else None,
        note=text_field(table, "note", where, ""),
        categories=read,
        digest=digest,
        files=files,
    )


def _one_of(table: Mapping[str, Any], name: str, choices: tuple[str, ...], where: str) -> str:
    value = text_field(table, name, where)
    if value not in choices:
        raise SuiteError(
            "unknown value", where=f"{where}: {name}", expected="one of " + ", ".join(choices), found=shown(value)
        )
    return value


def _contract(name: str, where: str) -> str:
    if name not in CONTRACTS:
        raise SuiteError("unknown contract", where=where, expected="one of " + ", ".join(CONTRACTS), found=shown(name))
    return name


def _tables(files: Files) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(where, source text, table) of every item."""
    return _lines(files) if "items.jsonl" in files.paths() else _item_files(files)


def _lines(files: Files) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for number, line in lines_limited(files, "items.jsonl", MAX_LINE):
        where = f"items.jsonl:{number}"
        if not line.strip():
            continue
        table = _json_object(line, where)
        yield where, "", table


def _json(text: bytes, where: str) -> Any:
    """A JSON value with exact decimals. Raises SuiteError."""
    try:
        plain = strict_loads(text, where=where)
    except RefusedError as error:
        raise RefusedSuiteError(error.what, where=where, expected=error.expected) from None
    except BundleError as error:
        raise SuiteError(error.what, where=where, expected=error.expected, found=error.found, next=error.next) from None
    # a second pass keeps decimals exact; the strict one has refused doubled keys, depth and surrogates
    return json.loads(text, parse_float=Decimal) if b"." in text or b"e" in text or b"E" in text else plain


def _json_object(line: bytes, where: str) -> dict[str, Any]:
    table = _json(line, where)
    if not isinstance(table, dict):
        raise SuiteError("not an item", where=where, expected="a JSON object", found=shown(line.decode()))
    return table


def _item_files(files: Files) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in files.paths():
        if path.startswith("items/"):
            source, table = read_toml(files, path)
            if table.get("id") != path[len("items/") : -len(".toml")]:
                raise SuiteError("id and file name differ", where=f"{path}: id", found=shown(str(table.get("id"))))
            yield path, source, table


def _check_item(suite: Suite, categories: Collection[str], where: str, source: str, table: Mapping[str, Any]) -> None:
    """Raises SuiteError for an item that isn't as it must be."""
    try:
        known_fields(table, _ITEM, where)
        id_field(table, "id", where)
        category = text_field(table, "category", where)
        if category not in categories:
            expected = "one of " + ", ".join(categories)
            raise SuiteError("unknown category", where=f"{where}: category", expected=expected, found=shown(category))
        positive_field(table, "weight", where, 1)
        _contract(text_field(table, "contract", where, suite.contract), f"{where}: contract")
        text_field(table, "note", where, "")
        if "prompt" in table:
            text_field(table, "prompt", where)
        spec = _grader(table, where)
        grader_for(spec.rule).check(spec, f"{where}: grader")
    except SuiteError as error:
        raise _with_line(error, where, source) from None


def _read_item(suite: Suite, index: int, where: str, table: Mapping[str, Any]) -> Item:
    name = table["id"]
    return Item(
        id=ItemId(name),
        index=index,
        category=table["category"],
        weight=positive_field(table, "weight", where) if "weight" in table else _ONE,
        prompt=table["prompt"].strip("\n") if "prompt" in table else _prompt(suite.files, name, where),
        grader=_grader(table, where),
        contract=table.get("contract", suite.contract),
        note=table.get("note", ""),
    )


def _prompt(files: Files, name: str, where: str) -> str:
    path = f"prompts/{name}.md"
    try:
        data = read_limited(files, path, MAX_FILE)
    except RefusedError:
        raise
    except BundleError:
        raise SuiteError("no prompt", where=where, expected=f"a `prompt` or the file {path}") from None
    try:
        text = data.decode().replace("\r\n", "\n").strip("\n")
    except UnicodeDecodeError as error:
        raise SuiteError("not UTF-8", where=path, found=f"byte {data[error.start]:#04x} at {error.start}") from None
    if not text.strip():
        raise SuiteError("an empty prompt", where=path)
    return text


def _grader(table: Mapping[str, Any], where: str) -> GraderSpec:
    """The grader's table as a spec, its options not yet checked by the rule."""
    spec = table.get("grader")
    if not isinstance(spec, dict):
        raise SuiteError("no grader", where=f"{where}: grader", expected="a table with rule and expected")
    rule = grader_for(text_field(spec, "rule", f"{where}: grader"), f"{where}: grader.rule")
    named = ("rule", "expected", "expected_json")
    options = {name: value for name, value in spec.items() if name not in named}
    return GraderSpec(rule=rule.rule, expected=_expected(spec, f"{where}: grader"), options=options)


def _expected(spec: Mapping[str, Any], where: str) -> Any:
    """The expected answer: `expected`, or the value of the JSON text `expected_json` (TOML has no null)."""
    if ("expected" in spec) == ("expected_json" in spec):
        found = "both" if "expected" in spec else "neither"
        raise SuiteError("expected answer", where=where, expected="expected, or expected_json", found=found)
    if "expected" in spec:
        return spec["expected"]
    return _json(text_field(spec, "expected_json", where).encode(), f"{where}.expected_json")


def _with_line(error: SuiteError, path: str, source: str) -> SuiteError:
    """The same error with the line of its field, where that can be told."""
    field_name = error.where.rpartition(": ")[2].rpartition(".")[2]
    line = line_of(source, field_name) if source and error.where.startswith(path) else 0
    where = error.where.replace(path, f"{path}:{line}", 1) if line else error.where
    return SuiteError(error.what, where=where, expected=error.expected, found=error.found, next=error.next)


def _check_pin(files: Files, digest: str) -> None:
    if "pin.json" not in files.paths():
        return
    pin = strict_loads(read_limited(files, "pin.json", MAX_LINE).strip(), where="pin.json")
    if not isinstance(pin, dict) or pin.get("format") != PIN_FORMAT:
        raise SuiteError("another format", where="pin.json: format", expected=PIN_FORMAT)
    if pin.get("sha256") != digest:
        raise SuiteError(
            "the suite is not the pinned one",
            where="pin.json: sha256",
            expected=shown(str(pin.get("sha256"))),
            found=digest,
            next="A published suite never changes: give the changed one a new version, then `trigpoint suite pin`.",
        )


def _first_doubled(suite: Suite) -> str:
    seen: set[str] = set()
    for item in suite.items():
        if item.id in seen:
            return item.id
        seen.add(item.id)
    return "?"
