"""Rows of runs sorted on disk, in a temporary SQLite file: memory holds the state of each subject, not the rows."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

_BATCH = 2_000
_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -16384;
CREATE TABLE rows (series INTEGER, moment INTEGER, date TEXT, cells TEXT, line INTEGER);
CREATE TABLE ranks (series INTEGER PRIMARY KEY, rank INTEGER, subject INTEGER, several INTEGER);
CREATE TABLE switches (line INTEGER PRIMARY KEY);
"""


class StoredRow(NamedTuple):
    """One row as read. Cells are one spelling each, parted by `PART`."""

    series: int
    moment: int  # nanoseconds since 1970
    date: str
    cells: str
    line: int


class RankedRow(NamedTuple):
    """One row in its place among those of its series."""

    rank: int
    moment: int
    date: str
    cells: str
    line: int
    switched: int  # 1: the subject's run before it was on another suite version


PART = "\x1f"


class RowStore:
    """Takes rows in any order, gives them back by series and time. `close` removes the file."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="trigpoint-")
        self._base = sqlite3.connect(Path(self._folder.name) / "rows.db", isolation_level=None)
        self._base.executescript(_SCHEMA)
        self._base.execute("BEGIN")
        self._batch: list[StoredRow] = []

    def close(self) -> None:
        """Removes the file."""
        self._base.close()
        self._folder.cleanup()

    def add(self, row: StoredRow) -> None:
        """Takes a row in."""
        self._batch.append(row)
        if len(self._batch) >= _BATCH:
            self._flush()

    def rank(self, ranks: Iterable[tuple[int, int, int, bool]]) -> None:
        """(series, its rank, its subject, whether that subject has several series): the order to give back in."""
        self._flush()
        self._base.executemany("INSERT INTO ranks VALUES (?, ?, ?, ?)", ranks)

    def of_subjects_with_several(self) -> Iterator[tuple[int, int, str, int]]:
        """(subject, rank, cells, line) by subject and time, for those subjects alone."""
        return self._base.execute(
            "SELECT subject, rank, cells, line FROM rows JOIN ranks USING (series) WHERE several"
            " ORDER BY subject, moment, rank, cells, line"
        )

    def switch(self, line: int) -> None:
        """Notes that the run of this line follows one of another version."""
        self._base.execute("INSERT INTO switches VALUES (?)", (line,))

    def by_rank(self) -> Iterator[tuple[int, Iterator[RankedRow]]]:
        """(rank, its rows by time; at one moment by their cells): go through each before the next."""
        rows = self._base.execute(
            "SELECT rank, moment, date, cells, rows.line, switches.line IS NOT NULL FROM rows JOIN ranks USING (series)"
            " LEFT JOIN switches ON switches.line = rows.line ORDER BY rank, moment, cells, rows.line"
        )
        return groupby(map(RankedRow._make, rows), key=lambda row: row.rank)

    def _flush(self) -> None:
        self._base.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", self._batch)
        self._batch = []
