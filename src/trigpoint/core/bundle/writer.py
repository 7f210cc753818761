"""Write a bundle: rows, result, setup, suite and manifest, streamed to any sink (FND-01)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO, Protocol

from trigpoint.core.bundle.manifest import PATH, FileEntry, make_manifest, manifest_bytes
from trigpoint.core.bundle.readme import README
from trigpoint.core.canonical import canonical_line
from trigpoint.core.files import Files


class Sink(Protocol):
    """Where files are written: a folder, or memory."""

    def create(self, path: str) -> BinaryIO:
        """A new binary stream for one path; closed by the caller, and durable when the whole is finished."""
        ...


class _Hashed:
    """One file being written, its digest and size kept on the way."""

    def __init__(self, sink: Sink, path: str) -> None:
        self.path, self._stream = path, sink.create(path)
        self._hasher, self.size = hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        self._hasher.update(data)
        self.size += len(data)
        self._stream.write(data)

    def close(self) -> None:
        self._stream.close()

    def entry(self) -> FileEntry:
        return FileEntry(path=self.path, sha256=self._hasher.hexdigest(), bytes=self.size)


class BundleWriter:
    """Collects the files of one bundle; `finish` writes the manifest and returns its root."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._open: dict[str, _Hashed] = {}
        self._entries: list[FileEntry] = []

    def row(self, path: str, members: Mapping[str, Any]) -> None:
        """Append one canonical line to a rows file."""
        self._stream(path).write(canonical_line(members))

    def rows(self, path: str) -> None:
        """Make sure that a rows file is there, even without rows."""
        self._stream(path)

    def _stream(self, path: str) -> _Hashed:
        if path not in self._open:
            self._open[path] = _Hashed(self._sink, path)
        return self._open[path]

    def document(self, path: str, members: Mapping[str, Any]) -> None:
        self.whole(path, [canonical_line(members)])

    def whole(self, path: str, pieces: Iterable[bytes]) -> None:
        """One whole file."""
        file = _Hashed(self._sink, path)
        for piece in pieces:
            file.write(piece)
        self._end(file)

    def copy(self, files: Files, prefix: str) -> None:
        """Every file of `files` below `prefix`."""
        for path in files.paths():
            with files.open(path) as stream:
                self.whole(f"{prefix}/{path}", iter(lambda: stream.read(1 << 20), b""))

    def _end(self, file: _Hashed) -> None:
        file.close()
        self._entries.append(file.entry())

    def finish(self, method: str, method_version: str) -> str:
        """Write README.txt and manifest.json. Returns the root."""
        for file in self._open.values():
            self._end(file)
        self.whole("README.txt", [README.encode()])
        made = make_manifest(method, method_version, self._entries)
        with self._sink.create(PATH) as stream:
            stream.write(manifest_bytes(made))
        return made.root
