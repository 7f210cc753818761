"""The first reading of a table of runs: every row to disk, and what its columns are (STA-02)."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from trigpoint.cli.drift_notes import Notes, listed
from trigpoint.cli.drift_rows import PART, RowStore, StoredRow
from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.statistics.series_cells import Cell, Kind, read_cell, read_moment, scales
from trigpoint.core.statistics.series_columns import MAX_NAME, Columns, columns_of_credits, read_header, says_percent

ONE_SERIES = "series"  # the subject of a file that names none
CACHED = 100_000  # distinct cells kept parsed
_LONGEST_HEADER = 1 << 20  # characters
_CREDITS = (Kind.WORD, Kind.ZERO, Kind.UP_TO_ONE, Kind.ABOVE_ONE, Kind.PERCENT)


@dataclass(kw_only=True, slots=True)
class Known:
    """One subject on one suite version."""

    subject: str
    version: str
    first: int  # its earliest moment
    present: int = 0  # bit k: candidate column k holds a credit in some row


class FirstReading:
    """Reads a stream to its end into `store`. Raises OperatorError for a file that can't be a table of runs."""

    columns: Columns
    tests: list[int]  # places among the candidates
    percent: list[bool]  # of each test: plain numbers are percentages

    def __init__(
        self,
        stream: TextIO,
        store: RowStore,
        notes: Notes,
        *,
        where: str,
        given: Mapping[str, str],
        ignore: Sequence[str],
    ) -> None:
        self.known: list[Known] = []
        self._store, self._notes, self._where = store, notes, where
        self._numbers: dict[tuple[str, str], int] = {}
        self._cells: dict[str, Cell] = {}
        line = 1
        try:
            rows = csv.reader(stream, delimiter=self._header(stream, given, ignore))
            line = 2
            for cells in rows:
                if cells:
                    self._take(line, cells)
                line = rows.line_num + 2
        except csv.Error as error:
            raise OperatorError("not a table", where=f"{where}:{line}", found=str(error)) from None
        except UnicodeDecodeError:
            raise OperatorError("not UTF-8", where=f"{where}:{line}", next="Save the file as UTF-8.") from None
        self._decide()

    def _header(self, stream: TextIO, given: Mapping[str, str], ignore: Sequence[str]) -> str:
        """Takes in the first line; returns what parts the cells."""
        head = stream.readline(_LONGEST_HEADER).removeprefix("\ufeff")
        separator = max(",;\t", key=head.count)
        self._decimal_comma = separator != ","
        names = next(csv.reader([head], delimiter=separator), [])
        if len(names) < 2:
            raise OperatorError(
                "no table of runs", where=f"{self._where}:1", expected="a header such as date,subject,score",
                found=shown(head.strip()) if head.strip() else "an empty first line",
            )  # fmt: skip
        self.columns = read_header(names, given, ignore, where=f"{self._where}:1")
        self._counts = [[0] * len(Kind) for _ in self.columns.candidates]
        return separator

    def _take(self, line: int, cells: Sequence[str]) -> None:
        columns, skip = self.columns, self._notes.skip
        if len(cells) > columns.width and not "".join(cells[columns.width :]).strip():
            cells = cells[: columns.width]  # commas at the end of a line hold nothing
        if len(cells) != columns.width:
            return skip(line, f"expected {columns.width} cells, found {len(cells)}")
        when = cells[columns.date].strip()
        moment = read_moment(when)
        if moment is None:
            return skip(line, f"expected a date such as 2026-10-12 or an RFC 3339 time, found {shown(when, 40)}")
        subject = ONE_SERIES if columns.subject is None else cells[columns.subject].strip()
        version = "" if columns.version is None else cells[columns.version].strip()
        if not subject or max(len(subject), len(version)) > MAX_NAME:
            return skip(line, f"expected a subject of 1 to {MAX_NAME} characters, found {shown(subject, 40)}")
        number = self._numbers.setdefault((subject, version), len(self.known))
        if number == len(self.known):
            self.known.append(Known(subject=subject, version=version, first=moment.order))
        known = self.known[number]
        known.first = min(known.first, moment.order)
        found = [self._cell(cells[place]) for place in columns.candidates]
        for counts, cell in zip(self._counts, found, strict=True):
            counts[cell.kind] += 1
        if known.present + 1 != 1 << len(found):  # in nearly every row all columns are known already
            known.present |= sum(1 << place for place, cell in enumerate(found) if cell.kind in _CREDITS)
        self._store.add(StoredRow(number, moment.order, when, PART.join([cell.text for cell in found]), line))
        return None

    def _cell(self, text: str) -> Cell:
        cell = self._cells.get(text)
        if cell is None:
            cell = read_cell(text, decimal_comma=self._decimal_comma)
            if cell.kind in (Kind.UNREADABLE, Kind.BEYOND):  # kept as written, to be named
                cell = cell._replace(text="?" + text.strip()[:30].replace(PART, " "))
            if len(self._cells) < CACHED:
                self._cells[text] = cell
        return cell

    def _decide(self) -> None:
        """Which columns are tests, and on which scale."""
        columns, counts = self.columns, self._counts
        readable = [any(column[kind] for kind in _CREDITS) for column in counts]
        chosen = columns_of_credits(columns, readable)
        words = [
            columns.names[place]
            for place, column in zip(columns.candidates, counts, strict=True)
            if place not in chosen and column[Kind.UNREADABLE]
        ]
        if columns.subject is None and words:
            raise OperatorError(
                "no subject column", where=f"{self._where}:1", found=f"words in column {shown(words[0], 60)}",
                next="Name the subject's column by --subject, or leave the words out by --ignore.",
            )  # fmt: skip
        if not self.known or not chosen:
            why = self._notes.named()[:1] or ["no row with a date, a subject and a credit"]
            raise OperatorError("no run could be read", where=self._where, found=why[0])
        percents = scales(counts, [says_percent(columns.names[place]) for place in columns.candidates])
        self.tests = [place for place, column in enumerate(columns.candidates) if column in chosen]
        self.percent = [percents[place] for place in self.tests]
        self._say([columns.names[place] for place in chosen], {columns.date, columns.subject, columns.version, *chosen})

    def _say(self, names: Sequence[str], used: set[int | None]) -> None:
        say = self._notes.taken.append
        what = f"{len(names):,} columns as tests" if len(names) > 1 else f"column {shown(names[0], 60)} as the score"
        percent = [name for name, is_percent in zip(names, self.percent, strict=True) if is_percent]
        if not percent or len(percent) == len(names):
            say(f"Taken: {what}, numbers as {'percent' if percent else '0–1'}.")
        else:
            say(f"Taken: {what}, numbers as percent in {listed(percent)} and as 0–1 in the others.")
        if self.columns.subject is None:
            say("No subject column: all rows are one series.")
        unused = [name for place, name in enumerate(self.columns.names) if place not in used]
        if unused:
            say(f"Not used: {listed(unused)}.")
