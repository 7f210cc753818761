"""A folder seen as paths and bytes, without touching a disk: what suites and bundles are read from."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol

from trigpoint.core.errors import BundleError, RefusedError, shown

MAX_TOTAL = 64 * 1024**3  # bytes of all files of a bundle together, inflated
_PIECE = 1 << 16


class Files(Protocol):
    """A closed set of files. Paths are relative, '/'-separated, without '.' or '..' (checked_path).

    Folder and zip readers are in core.verify.disk; MemoryFiles is the in-memory twin.
    """

    def paths(self) -> Sequence[str]:
        """All paths, sorted by code point."""
        ...

    def size(self, path: str) -> int:
        """Bytes. Raises BundleError when absent."""
        ...

    def open(self, path: str) -> BinaryIO:
        """A binary stream from the start; the caller closes it. Raises BundleError when absent."""
        ...


class MemoryFiles:
    """Files held in a mapping path → bytes."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {checked_path(path): data for path, data in files.items()}

    def paths(self) -> Sequence[str]:
        return sorted(self._files)

    def size(self, path: str) -> int:
        return len(self._data(path))

    def open(self, path: str) -> BinaryIO:
        return io.BytesIO(self._data(path))

    def _data(self, path: str) -> bytes:
        try:
            return self._files[path]
        except KeyError:
            raise BundleError("no such file", where=path) from None


class SubFolder:
    """One folder of other files, seen as if it were the whole ("suite" of a bundle)."""

    def __init__(self, files: Files, prefix: str) -> None:
        self._files, self._prefix = files, prefix.rstrip("/") + "/"

    def paths(self) -> Sequence[str]:
        return [path.removeprefix(self._prefix) for path in self._files.paths() if path.startswith(self._prefix)]

    def size(self, path: str) -> int:
        return self._files.size(self._prefix + path)

    def open(self, path: str) -> BinaryIO:
        return self._files.open(self._prefix + path)


def checked_path(path: str) -> str:
    """`path` itself. Raises BundleError unless it stays inside and has one spelling on every system."""
    parts = path.split("/")
    bad = (
        not path
        or len(path) > 400
        or any(part in ("", ".", "..") or part.endswith((" ", ".")) for part in parts)
        or any(ord(char) < 0x20 or char in '\\:*?"<>|\x7f' or 0xD800 <= ord(char) <= 0xDFFF for char in path)
    )
    if bad:
        raise BundleError(
            "a path that is refused",
            where=shown(path),
            expected="a relative path with '/' between names, without '..', drive letters or control characters",
        )
    return path


def read_limited(files: Files, path: str, limit: int) -> bytes:
    """All bytes of one file. Raises RefusedError beyond `limit` bytes, whatever size the container claims."""
    pieces: list[bytes] = []
    left = limit + 1
    with files.open(path) as stream:
        while left and (piece := stream.read(min(left, _PIECE))):  # a large read would set the memory aside first
            pieces.append(piece)
            left -= len(piece)
    if not left:
        raise RefusedError("a file that is too large", where=path, expected=f"at most {limit:,} bytes")
    return b"".join(pieces)


def lines_limited(files: Files, path: str, limit: int) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line without its LF) of one file; the last may lack the LF.

    Raises RefusedError for a line beyond `limit` bytes: memory stays bounded by one line.
    """
    with files.open(path) as stream:
        number = 0
        while line := stream.readline(limit + 1):
            number += 1
            if len(line) > limit:
                raise RefusedError(
                    "a line that is too long", where=f"{path}:{number}", expected=f"at most {limit:,} bytes"
                )
            yield number, line.removesuffix(b"\n")
