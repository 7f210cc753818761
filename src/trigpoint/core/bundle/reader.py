"""Read a bundle of this project's own format, one file at a time, without holding its rows (FND-06)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trigpoint.core.bundle import manifest
from trigpoint.core.bundle.rows import call_from, row_from
from trigpoint.core.canonical import canonical_loads
from trigpoint.core.errors import BundleError, RefusedError
from trigpoint.core.files import Files, SubFolder, read_limited
from trigpoint.core.records import Call, Row
from trigpoint.core.suite import Suite, load_suite

MAX_ROW = 40 * 1024**2  # bytes of one line: a reply is kept whole
MAX_DOCUMENT = 32 * 1024**2  # bytes of one JSON file


class BundleReader:
    """One bundle: its documents, its rows one by one, its suite.

    Everything read is checked to be in canonical form; whether it is *true* is what core.verify finds out.
    All methods raise BundleError for what isn't of the format, RefusedError beyond a limit.
    """

    def __init__(self, files: Files) -> None:
        self.files = files

    def document(self, path: str) -> Any:
        """The value of a JSON file: canonical bytes and one LF."""
        data = read_limited(self.files, path, MAX_DOCUMENT)
        if not data.endswith(b"\n"):
            raise BundleError("not ended by a line feed", where=path)
        return canonical_loads(data[:-1], where=path)

    def manifest(self) -> manifest.Manifest:
        return manifest.manifest_from(self.document(manifest.PATH))

    def rows(self, path: str) -> Iterator[tuple[str, Any]]:
        """("items.jsonl:7", value) of each line, in order; no more than one line is held."""
        with self.files.open(path) as stream:
            number = 0
            while line := stream.readline(MAX_ROW + 1):
                number += 1
                where = f"{path}:{number}"
                if len(line) > MAX_ROW:
                    raise RefusedError("a line that is too long", where=where, expected=f"at most {MAX_ROW:,} bytes")
                if not line.endswith(b"\n"):
                    raise BundleError("not ended by a line feed", where=where)
                yield where, canonical_loads(line[:-1], where=where)

    def calls(self) -> Iterator[Call]:
        """Every attempt, in the bundle's order; replies' texts stand in the item rows."""
        return (call_from(members, where) for where, members in self.rows("calls.jsonl"))

    def items(self) -> Iterator[Row]:
        """Every item × repeat, in the bundle's order."""
        return (row_from(members, where) for where, members in self.rows("items.jsonl"))

    def suite(self) -> Suite:
        """The suite as it was asked. Raises SuiteError where it isn't one."""
        return load_suite(SubFolder(self.files, "suite"))
