"""Where the rows of a recording stand in their files, by message, repeat and attempt.

The index is a temporary SQLite file and the rows stay on disk, so memory stays flat however many there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, BinaryIO

from trigpoint.core.errors import BundleError

LINE_LIMIT = 64 * 1024 * 1024  # bytes of one row
ANY_REPEAT = 0  # for rows that hold for every repeat

_TABLE = """
CREATE TABLE attempts (message TEXT, repeat INTEGER, attempt INTEGER, offset INTEGER,
                       PRIMARY KEY (message, repeat, attempt)) WITHOUT ROWID
"""
_ADD = """
INSERT INTO attempts SELECT :message, :repeat, COALESCE(MAX(attempt), 0) + 1, :offset
FROM attempts WHERE message = :message AND repeat = :repeat
"""
_FIND = """
SELECT offset FROM attempts WHERE message = ? AND repeat = ? AND attempt <= ? ORDER BY attempt DESC LIMIT 1
"""
_ALL = "SELECT offset FROM attempts WHERE message = ? AND repeat = ? ORDER BY attempt"


class Offsets:
    """Byte offsets; those added for one message and repeat are its attempts 1, 2, … in that order."""

    def __init__(self) -> None:
        # the name "" makes a database on disk that goes away with its connection
        self._index = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._index.execute("PRAGMA journal_mode = OFF")
        self._index.execute(_TABLE)

    def add(self, message: str, repeat: int, offset: int) -> None:
        self._index.execute(_ADD, {"message": message, "repeat": repeat, "offset": offset})

    def find(self, message: str, repeat: int, attempt: int) -> int | None:
        """The offset of the `attempt`th attempt, of the last one where there are fewer, None where there is none."""
        found = self._index.execute(_FIND, (message, repeat, attempt)).fetchone()
        return int(found[0]) if found else None

    def all(self, message: str, repeat: int) -> list[int]:
        """The offsets of all its attempts, in order."""
        return [int(found[0]) for found in self._index.execute(_ALL, (message, repeat))]

    def close(self) -> None:
        self._index.close()


def lines_of(stream: BinaryIO, name: str, seen: Any) -> Iterator[tuple[int, str, bytes]]:
    """(offset, "name:line", line without its LF) of each line that isn't blank; the hash `seen` takes them all in.

    Raises BundleError for a line beyond LINE_LIMIT.
    """
    offset = number = 0
    while line := stream.readline(LINE_LIMIT + 1):
        number += 1
        where = f"{name}:{number}"
        if len(line) > LINE_LIMIT:
            raise BundleError("a line that is too long", where=where, expected=f"at most {LINE_LIMIT:,} bytes")
        seen.update(line)
        if line.strip():
            yield offset, where, line.removesuffix(b"\n")
        offset += len(line)


def line_at(stream: BinaryIO, offset: int) -> bytes:
    """The line that starts at `offset`, without its LF."""
    stream.seek(offset)
    return stream.readline(LINE_LIMIT + 1).removesuffix(b"\n")
