"""A table of runs in any order of rows, given back series by series in order of time (STA-02)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import TracebackType
from typing import NamedTuple, TextIO

from trigpoint.cli.drift_notes import Notes
from trigpoint.cli.drift_reading import CACHED, FirstReading, Known
from trigpoint.cli.drift_rows import PART, RankedRow, RowStore
from trigpoint.core.errors import shown
from trigpoint.core.statistics.series_cells import credit, read_cell

_NANOSECONDS_A_DAY = 86_400 * 10**9
_FIRST_DAY = date(1970, 1, 1)


class Run(NamedTuple):
    """One complete run. Credits are exact, one a test of its series, in the order of the columns."""

    written: str  # its date as it stands in the file
    day: date  # UTC
    moment: int  # nanoseconds since 1970
    credits: tuple[Decimal, ...]
    after_other_version: bool  # the subject's run before it was on another suite version


@dataclass(frozen=True, kw_only=True, slots=True)
class SeriesRuns:
    """The runs of one subject on one suite version, in order of time; to be gone through once."""

    subject: str
    version: str | None
    tests: tuple[str, ...]
    runs: Iterator[Run]


class RunTable:
    """A file of runs, for use inside `with`. Raises OperatorError for a file that can't be one."""

    def __init__(self, stream: TextIO, *, where: str, given: Mapping[str, str], ignore: Sequence[str]) -> None:
        self.notes = Notes()
        self._store = RowStore()
        try:
            self._read = FirstReading(stream, self._store, self.notes, where=where, given=given, ignore=ignore)
            self._parsed: tuple[dict[str, Decimal | None], dict[str, Decimal | None]] = ({}, {})
            self._rank()
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> RunTable:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._store.close()

    def series(self) -> Iterator[SeriesRuns]:
        """Every series, by subject, then by the version that began first; each to be gone through before the next."""
        columns = self._read.columns
        for rank, rows in self._store.by_rank():
            known = self._order[rank]
            places = self._own(known)
            names = tuple(columns.names[columns.candidates[self._read.tests[place]]] for place in places)
            version = known.version or None
            yield SeriesRuns(subject=known.subject, version=version, tests=names, runs=self._runs(places, names, rows))

    def _rank(self) -> None:
        known = self._read.known
        order = sorted(range(len(known)), key=lambda n: (known[n].subject, known[n].first, known[n].version))
        self._order = [known[number] for number in order]
        series_of: dict[str, int] = {}
        for each in known:
            series_of[each.subject] = series_of.get(each.subject, 0) + 1
        numbers = {subject: number for number, subject in enumerate(series_of)}
        self._store.rank(
            (number, rank, numbers[known[number].subject], series_of[known[number].subject] > 1)
            for rank, number in enumerate(order)
        )
        if len(series_of) < len(known):
            self._mark_switches()

    def _mark_switches(self) -> None:
        """Notes each complete run whose subject's run before it was on another version (WAT-40)."""
        before: tuple[int, int] | None = None
        for subject, rank, cells, line in self._store.of_subjects_with_several():
            if None in self._credits(self._own(self._order[rank]), cells.split(PART)):
                continue
            if before is not None and before[0] == subject and before[1] != rank:
                self._store.switch(line)
            before = subject, rank

    def _own(self, known: Known) -> list[int]:
        """Which of the tests a series has: a column empty in all its rows is no test of it."""
        return [place for place, candidate in enumerate(self._read.tests) if known.present >> candidate & 1]

    def _credits(self, places: Sequence[int], cells: Sequence[str]) -> list[Decimal | None]:
        """The credits; None for what is absent or can't be read."""
        tests, percent, found = self._read.tests, self._read.percent, []
        for place in places:
            text, table = cells[tests[place]], self._parsed[percent[place]]
            if text not in table:
                if len(table) >= CACHED:
                    table.clear()
                table[text] = None if text.startswith("?") else credit(read_cell(text), percent=percent[place])
            found.append(table[text])
        return found

    def _runs(self, places: Sequence[int], names: Sequence[str], rows: Iterator[RankedRow]) -> Iterator[Run]:
        before: RankedRow | None = None
        for row in rows:
            same_moment = before is not None and row.moment == before.moment
            if before is not None and same_moment and row.cells == before.cells:
                self.notes.double(row.line)
                continue
            before = row
            cells = row.cells.split(PART)
            found = self._credits(places, cells)
            credits = tuple(each for each in found if each is not None)
            if len(credits) < len(found) or not credits:
                self._leave_out(row.line, names, [cells[self._read.tests[place]] for place in places], found)
                continue
            self.notes.untimed += same_moment
            day = _FIRST_DAY + timedelta(days=row.moment // _NANOSECONDS_A_DAY)
            yield Run(row.date, day, row.moment, credits, bool(row.switched))

    def _leave_out(
        self, line: int, names: Sequence[str], cells: Sequence[str], credits: Sequence[Decimal | None]
    ) -> None:
        absent = [name for name, cell in zip(names, cells, strict=True) if not cell]
        if len(absent) == len(cells):
            self.notes.gaps += 1
        elif absent:
            self.notes.leave_out(line, absent)
        else:
            name, cell = next((n, c) for n, c, x in zip(names, cells, credits, strict=True) if x is None)
            written = shown(cell.removeprefix("?"), 40)
            self.notes.skip(line, f"column {shown(name, 60)}: expected a credit, found {written}")
