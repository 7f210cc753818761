"""The checks that every kind of bundle shares: manifest, closed list, digests, root, signatures (RUN-42)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, TypeVar

from trigpoint.core import ed25519
from trigpoint.core.bundle.manifest import PATH, SIGNATURES, FileEntry, Manifest, is_listed, manifest_from
from trigpoint.core.bundle.reader import MAX_ROW, BundleReader
from trigpoint.core.bundle.shapes import checked, hexadecimal, one_of, text
from trigpoint.core.errors import BundleError, RefusedError, TrigpointError, shown
from trigpoint.core.files import Files
from trigpoint.core.verify.report import BY_EXPECT, Board, Check

SIGNATURE_FORMAT = "trigpoint-signature/1"
MAX_SIGNATURES = 200
MAX_SIGNATURE = 64 * 1024
LARGE = 256 * 1024**2  # bytes

MANIFEST = Check(name="manifest", file=PATH, says="in canonical form, of a known format")
CLOSED = Check(name="files", file=PATH, says="lists every file, and every listed file is there")
DIGESTS = Check(name="digests", file=PATH, says="every file has its size and SHA-256")
ROOT = Check(name="root", file=PATH, says="the root recomputes")
EXPECTED = Check(name="expected-root", file=PATH, says="the root is the expected one")
SIGNED = Check(name="signatures", file=SIGNATURES, says="every signature over the root is valid")

#: What must hold before a root says anything about the files.
OVER_ALL = (MANIFEST, CLOSED, DIGESTS, ROOT)

_SIGNATURE_NAME = re.compile(r"signatures/[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9])?\.json\Z")
_SIGNATURE_HEX = re.compile(r"[0-9a-f]{128}\Z")
_PIECE = 1 << 20

_Value = TypeVar("_Value")


@dataclass(slots=True)
class Case:
    """One bundle on the table: its files, what is known of it so far, and the board of findings."""

    files: Files
    board: Board
    expect: str | None = None
    manifest: Manifest | None = None
    keys: list[str] = field(default_factory=list)  # whose signature over the root is valid
    reader: BundleReader = field(init=False)
    paths: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.reader, self.paths = BundleReader(self.files), frozenset(self.files.paths())

    def tried(self, check: Check, look: Callable[[], _Value]) -> _Value | None:
        """What `look` returns; None where it finds a contradiction, which is written under `check`.

        A refusal (too large, too deep, unknown format) goes through: it ends the checking.
        """
        try:
            return look()
        except RefusedError:
            raise
        except TrigpointError as error:
            self.board.fails(check, error)
            return None

    def document(self, check: Check, path: str) -> Any:
        """The value of a JSON file; None where it is absent or broken, which is written under `check`."""
        if path not in self.paths:
            self.board.cant_tell(check, f"{path} is absent")
            return None
        return self.tried(check, lambda: self.reader.document(path))

    def unequal(self, check: Check, where: str, what: str, expected: object, found: object) -> None:
        """Write a contradiction unless the two are equal and of one type."""
        if type(expected) is not type(found) or expected != found:
            self.board.fails(check, fault(what, where, expected, found))


def fault(what: str, where: str, expected: object, found: object) -> BundleError:
    """The contradiction between a value that recomputes and the one that stands in the bundle."""
    return BundleError(what, where=where, expected=told(expected), found=told(found))


def told(value: object) -> str:
    """A value for a person: text in quotes, everything else as JSON has it; cut where it is long."""
    if isinstance(value, dict | list | bool | None):
        return shown(json.dumps(value, ensure_ascii=True), 120)
    return shown(value, 120) if isinstance(value, str) else shown(str(value), 120)


def manifest_is_canonical(case: Case) -> None:
    """The manifest can be read: canonical, of this format, with its keys. It is kept in the case."""
    members = case.document(MANIFEST, PATH)
    if members is not None:
        case.manifest = case.tried(MANIFEST, lambda: manifest_from(members))
    if case.manifest:
        case.board.holds(MANIFEST, f"{case.manifest.method_version}, {len(case.manifest.files):,} files")


def list_is_closed(case: Case, *, required: frozenset[str], may_be_there: Callable[[str], bool]) -> None:
    """No file beyond the list, none of a name the format doesn't have, none doubled; what is absent is told."""
    listed = frozenset(entry.path for entry in case.manifest.files) if case.manifest else case.paths
    for path in sorted(case.paths):
        if is_listed(path) and path not in listed:
            case.board.fails(CLOSED, BundleError("a file that the manifest doesn't list", where=path))
        if path.startswith(SIGNATURES) and not _SIGNATURE_NAME.match(path):
            case.board.fails(CLOSED, BundleError("not a signature's name", where=path, expected="signatures/NAME.json"))
    for path in sorted(listed | case.paths):
        if is_listed(path) and not may_be_there(path):
            case.board.fails(CLOSED, BundleError("a file that this format doesn't have", where=path))
    if absent := sorted((listed | required) - case.paths):
        more = f" and {len(absent) - 1:,} more" if len(absent) > 1 else ""
        case.board.cant_tell(CLOSED, f"{absent[0]}{more}: absent")
    if case.manifest:
        case.board.holds(CLOSED)
    else:
        case.board.cant_tell(CLOSED, f"{PATH} can't be used")


def sizes_are_bounded(case: Case, largest: Callable[[str], int]) -> None:
    """Raises RefusedError for a file larger than its kind may be, before any of it is read."""
    for path in case.files.paths():
        if (size := case.files.size(path)) > (most := largest(path)):
            raise RefusedError("too large", where=path, expected=f"at most {most:,} bytes", found=f"{size:,}")


def small_files_match(case: Case) -> None:
    """Each listed file that is there and not large has the size and digest the manifest gives."""
    if case.manifest is None:
        case.board.cant_tell(DIGESTS, f"{PATH} can't be used")
        return
    for entry in case.manifest.files:
        if entry.path not in case.paths:
            case.board.cant_tell(DIGESTS, f"{entry.path} is absent")
        elif entry.bytes <= LARGE:
            case.tried(DIGESTS, lambda entry=entry: _file_matches(case.files, entry))  # type: ignore[misc]


def large_files_match(case: Case, broken: Collection[str]) -> None:
    """The same for large files, last: of one whose rows are `broken` nothing more needs to be read."""
    if case.manifest is None:
        return
    for entry in case.manifest.files:
        if entry.path in case.paths and entry.bytes > LARGE:
            if entry.path in broken:
                case.board.cant_tell(DIGESTS, f"{entry.path} is large and its rows are broken: not read to its end")
            else:
                case.tried(DIGESTS, lambda entry=entry: _file_matches(case.files, entry))  # type: ignore[misc]
    case.board.holds(DIGESTS, f"{sum(entry.bytes for entry in case.manifest.files):,} bytes")


def _file_matches(files: Files, entry: FileEntry) -> None:
    size = files.size(entry.path)
    if size != entry.bytes:
        raise BundleError("another size", where=entry.path, expected=f"{entry.bytes:,} bytes", found=f"{size:,}")
    found = _digest_of_lines(files, entry.path)
    if found != entry.sha256:
        raise BundleError("another SHA-256", where=entry.path, expected=entry.sha256, found=found)


def _digest_of_lines(files: Files, path: str) -> str:
    """SHA-256 of one file. A line longer than any row may be is refused on the way, before all is read."""
    hasher, line = hashlib.sha256(), 0
    with files.open(path) as stream:
        while piece := stream.read(_PIECE):
            hasher.update(piece)
            end = piece.rfind(b"\n")
            line = line + len(piece) if end < 0 else len(piece) - end - 1
            if line > MAX_ROW:
                raise RefusedError("a line that is too long", where=path, expected=f"at most {MAX_ROW:,} bytes")
    return hasher.hexdigest()


def root_recomputes(case: Case) -> None:
    """The manifest's root is the one of the files it lists (FND-02)."""
    if case.manifest is None:
        case.board.cant_tell(ROOT, f"{PATH} can't be used")
        return
    case.unequal(
        ROOT, f"{PATH}: root", "not the root of the listed files", case.manifest.root_of_entries(), case.manifest.root
    )
    case.board.holds(ROOT, case.manifest.root)


def root_is_expected(case: Case) -> None:
    """The manifest's root is the one that was asked for, where one was."""
    if case.expect is None:
        return
    if case.manifest is None:
        case.board.cant_tell(EXPECTED, f"{PATH} can't be used")
        return
    case.unequal(EXPECTED, f"{PATH}: root", "not the expected root", case.expect, case.manifest.root)
    case.board.holds(EXPECTED)


_SIGNATURE_SHAPE = {
    "format": one_of((SIGNATURE_FORMAT,)),
    "algorithm": one_of(("Ed25519",)),
    "key": hexadecimal,
    "root": hexadecimal,
    "signature": lambda value: (
        None if text(value) is None and _SIGNATURE_HEX.match(value) else "128 lower-case hexadecimal digits"
    ),
}


def signed_bytes(root: str) -> bytes:
    """What a signature is made over: a name for its purpose, then the root."""
    return f"{SIGNATURE_FORMAT}\n{root}\n".encode()


def signatures_hold(case: Case) -> None:
    """Every file in signatures/ is a valid signature over this root (FND-33)."""
    paths = sorted(path for path in case.paths if path.startswith(SIGNATURES))
    if paths and case.manifest is None:
        case.board.cant_tell(SIGNED, f"{PATH} can't be used")
        return
    if len(paths) > MAX_SIGNATURES:
        raise RefusedError("too many signatures", where=SIGNATURES, expected=f"at most {MAX_SIGNATURES}")
    for path in paths:
        case.tried(SIGNED, lambda path=path: case.keys.append(_signer(case, path)))  # type: ignore[misc]
    case.board.holds(SIGNED, f"{len(paths):,}" if paths else "none")


def _signer(case: Case, path: str) -> str:
    """The key whose valid signature stands in `path`. Raises BundleError for any other."""
    members = case.reader.document(path)
    if isinstance(members, dict) and isinstance(format_ := members.get("format"), str) and format_ != SIGNATURE_FORMAT:
        raise RefusedError(
            "an unknown format", where=f"{path}: format", expected=SIGNATURE_FORMAT, found=shown(format_)
        )
    found = checked(members, _SIGNATURE_SHAPE, path)
    root = case.manifest.root if case.manifest else ""
    if found["root"] != root:
        raise BundleError("a signature over another root", where=f"{path}: root", expected=root, found=found["root"])
    if not ed25519.verify(bytes.fromhex(found["key"]), signed_bytes(root), bytes.fromhex(found["signature"])):
        raise BundleError("not a signature of its key over this root", where=f"{path}: signature")
    return str(found["key"])


def anchors(case: Case) -> list[str]:
    """Who or what ties this root to something outside the bundle; nothing, where the root says nothing."""
    if case.board.failed(*OVER_ALL, SIGNED) or case.manifest is None:
        return []
    found = [f"by signature {key}" for key in dict.fromkeys(case.keys)]
    if case.expect is not None and not case.board.failed(EXPECTED):
        found.append(BY_EXPECT)
    return found
