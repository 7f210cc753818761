"""A sealed bundle opened for reading: its result, setup and rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trigpoint.core.bundle.rows import call_from, row_from
from trigpoint.core.canonical import strict_loads
from trigpoint.core.errors import BundleError, shown
from trigpoint.core.files import Files, SubFolder, lines_limited, read_limited
from trigpoint.core.records import Call, Row
from trigpoint.core.setup import Setup, setup_from
from trigpoint.core.suite import Suite, load_suite
from trigpoint.core.verify.disk import open_files
from trigpoint.core.verify.report import Verdict
from trigpoint.core.verify.verifier import verify

_DOCUMENT_LIMIT = 16 * 1024 * 1024
_LINE_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A bundle's parts. Opening reads and checks shapes; it does not verify."""

    place: str
    result: dict[str, Any]
    setup: Setup
    setup_members: dict[str, Any]
    observed: dict[str, list[str]]
    root: str
    whole: bool = False  # every check was made and holds
    files: Files = field(repr=False)

    def suite(self) -> Suite:
        return load_suite(SubFolder(self.files, "suite"))

    def rows(self) -> Iterator[Row]:
        for number, line in lines_limited(self.files, "items.jsonl", _LINE_LIMIT):
            yield row_from(strict_loads(line), f"items.jsonl:{number}")

    def calls(self) -> Iterator[Call]:
        for number, line in lines_limited(self.files, "calls.jsonl", _LINE_LIMIT):
            yield call_from(strict_loads(line), f"calls.jsonl:{number}")


def open_bundle(place: str) -> Opened:
    """The bundle at a path, folder or zip. Raises BundleError when it is none."""
    files = open_files(place)
    manifest, result, setup = (_document(files, name, place) for name in ("manifest.json", "result.json", "setup.json"))
    read, observed = setup_from(setup, f"{place}: setup.json")
    return Opened(
        place=place,
        result=result,
        setup=read,
        setup_members=setup,
        observed=observed,
        root=str(manifest.get("root")),
        files=files,
    )


def verified_bundle(place: str) -> Opened:
    """The bundle at a path, after every check was made on it.

    Raises BundleError when one fails: figures of a bundle that contradicts itself are compared with nothing.
    """
    found = open_bundle(place)
    report = verify(found.files)
    if failed := [finding.check for finding in report.findings if finding.verdict is Verdict.FAILS]:
        named = ", ".join(failed[:5])
        raise BundleError(
            "the bundle does not verify", where=place, found=f"failing: {named}", next=f"trigpoint verify {place}"
        )
    return dataclasses.replace(found, whole=report.exit_code == 0)


def _document(files: Files, name: str, place: str) -> dict[str, Any]:
    members = strict_loads(read_limited(files, name, _DOCUMENT_LIMIT), where=f"{place}: {name}")
    if not isinstance(members, dict):
        raise BundleError("not an object", where=f"{place}: {name}", found=shown(repr(members)))
    return members
