"""manifest.json: the closed list of a bundle's files, and one digest over all of them (FND-01, FND-02)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from trigpoint.core.bundle.shapes import checked, count, hexadecimal, text
from trigpoint.core.canonical import canonical_line, root_of
from trigpoint.core.errors import BundleError, RefusedError, shown
from trigpoint.core.files import checked_path

FORMAT = "trigpoint-bundle/1"
PATH = "manifest.json"
SIGNATURES = "signatures/"

_FILE_SHAPE = {"path": text, "sha256": hexadecimal, "bytes": count(0)}


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEntry:
    """One file as the manifest lists it."""

    path: str
    sha256: str  # 64 hexadecimal digits
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """A manifest as it stands. `root` is what it claims; `root_of_entries` is what it should be."""

    method: str  # "fair-run"
    method_version: str  # "fair-run/1"
    files: tuple[FileEntry, ...]  # in path order
    root: str

    def root_of_entries(self) -> str:
        return root_of((entry.path, entry.sha256) for entry in self.files)


def is_listed(path: str) -> bool:
    """Whether a bundle's file belongs in the manifest: all but itself and the signatures over it."""
    return path != PATH and not path.startswith(SIGNATURES)


def make_manifest(method: str, method_version: str, files: Iterable[FileEntry]) -> Manifest:
    """The manifest of these files, in whatever order they come. Raises BundleError for a path that can't be in it."""
    entries = tuple(sorted(files, key=lambda entry: entry.path))
    _check_paths(entries)
    root = root_of((entry.path, entry.sha256) for entry in entries)
    return Manifest(method=method, method_version=method_version, files=entries, root=root)


def manifest_bytes(manifest: Manifest) -> bytes:
    """The bytes of manifest.json."""
    files = [{"path": entry.path, "sha256": entry.sha256, "bytes": entry.bytes} for entry in manifest.files]
    return canonical_line(
        {
            "format": FORMAT,
            "method": manifest.method,
            "method_version": manifest.method_version,
            "files": files,
            "root": manifest.root,
        }
    )


def manifest_from(members: Any) -> Manifest:
    """The manifest of the file's members.

    Raises RefusedError for a format this program doesn't know, BundleError for anything that no manifest
    has: other keys, a doubled or unsafe path, another order. Whether `root` is right is not looked at.
    """
    if isinstance(members, dict) and isinstance(members.get("format"), str) and members["format"] != FORMAT:
        raise RefusedError(
            "a bundle format that this program doesn't know",
            where=f"{PATH}: format",
            expected=FORMAT,
            found=shown(members["format"]),
            next="A newer trigpoint may read it.",
        )
    shape = {"format": text, "method": text, "method_version": text, "files": _a_list, "root": hexadecimal}
    found = checked(members, shape, PATH)
    entries = tuple(
        FileEntry(**checked(entry, _FILE_SHAPE, f"{PATH}: files[{place}]"))
        for place, entry in enumerate(found["files"])
    )
    _check_paths(entries)
    return Manifest(method=found["method"], method_version=found["method_version"], files=entries, root=found["root"])


def _a_list(value: Any) -> str | None:
    return None if type(value) is list else "a list"


def _check_paths(entries: tuple[FileEntry, ...]) -> None:
    before = ""
    for entry in entries:
        where = f"{PATH}: files: {shown(entry.path)}"
        checked_path(entry.path)
        if not is_listed(entry.path):
            raise BundleError("a file that no manifest lists", where=where)
        if entry.path <= before:
            raise BundleError("not in path order, or listed twice", where=where, found=f"behind {shown(before)}")
        before = entry.path
