"""`trigpoint drift`: has a series of runs got worse, since when, how sure (STA-02)."""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from trigpoint.core.errors import OperatorError, shown

if TYPE_CHECKING:
    from trigpoint.cli.drift_notes import Notes
    from trigpoint.cli.drift_table import RunTable
    from trigpoint.core.statistics.monitor import Thresholds
    from trigpoint.publish.drift_series import JudgedRun, JudgedSeries


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, every run.")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), help="Write it as one HTML page too.")
@click.option(
    "--threshold",
    default="1",
    show_default=True,
    help="False flags a year and direction: 1, 0.5 or 0.1; or two figures of your own, as in 6.2/11.9.",
)
@click.option("--date", metavar="COLUMN", help="The column of dates, where the name doesn't tell.")
@click.option("--subject", metavar="COLUMN", help="The column of subjects.")
@click.option("--version", metavar="COLUMN", help="The column of suite versions.")
@click.option("--ignore", metavar="COLUMN", multiple=True, help="A column that is no test. May be given again.")
@click.option("--runs", default=10, show_default=True, type=click.IntRange(0, 366), help="Latest runs shown a subject.")
@click.option("--strict", is_flag=True, help="Refuse a file with any row that can't be read.")
def drift(**given: Any) -> int:
    """Judge the series of runs in FILE (CSV; - reads standard input): the seven-day rule and the calibrated monitor.

    Columns: date, subject, then one column a test (credits 0–1, percent, or words such as pass and fail); or date,
    subject, score. An optional suite_version column parts series. Several runs a day: write RFC 3339 times. An empty
    cell is absent, never 0, and only complete runs count. What was taken for what, and every row left out, is said on
    standard error.

    Exit code: 0 judged, 2 nothing could be judged or the file can't be read.
    """
    try:
        return _drift(given)
    except sqlite3.Error as error:
        raise OperatorError(
            "could not sort the rows on disk", where=tempfile.gettempdir(), found=str(error),
            next="Make room there, or set TMPDIR to another folder.",
        ) from None  # fmt: skip


def _drift(given: Mapping[str, Any]) -> int:
    from trigpoint.cli.drift_table import RunTable

    thresholds = thresholds_of(given["threshold"])
    roles = {role: given[role] for role in ("date", "subject", "version") if given[role] is not None}
    with ExitStack() as stack:
        stream = _opened(given["file"], stack)
        table = stack.enter_context(RunTable(stream, where=str(given["file"]), given=roles, ignore=given["ignore"]))
        sinks: list[_Sink] = [_Json() if given["as_json"] else _Text(given["runs"])]
        if given["page"] is not None:
            from trigpoint.publish.drift_page import PageWriter

            sinks.append(stack.enter_context(PageWriter(given["page"])))
        judged = _judge(table, thresholds, sinks)
        _say(table.notes.sentences())
        _refuse(table.notes, judged, str(given["file"]), strict=given["strict"])
        for sink in sinks:
            sink.end(table.notes.sentences())
    return 0


def _refuse(notes: Notes, judged: int, where: str, *, strict: bool) -> None:
    if not judged:
        raise OperatorError("no complete run", where=where, found=(notes.named() or ["only gaps"])[0])
    if strict and notes.skipped:
        raise OperatorError(
            "rows that can't be read", where=where, found=f"{notes.skipped:,}, named above",
            next="Mend them, or leave out --strict.",
        )  # fmt: skip


class _Sink(Protocol):
    """Where judged runs go, one after the other."""

    def begin(self, series: JudgedSeries) -> None: ...

    def run(self, series: JudgedSeries, run: JudgedRun) -> None: ...

    def finish(self, series: JudgedSeries) -> None: ...

    def end(self, notes: list[str]) -> None: ...


def _judge(table: RunTable, thresholds: Thresholds, sinks: list[_Sink]) -> int:
    """Runs judged. A series without a complete run is left out everywhere."""
    from trigpoint.publish.drift_series import JudgedSeries

    count = 0
    for rows in table.series():
        series = JudgedSeries(rows.subject, rows.version, rows.tests, thresholds) if rows.tests else None
        for row in rows.runs:
            assert series is not None  # noqa: S101 - a complete run has tests
            run = series.add(row.written, row.day, row.moment, row.credits, after_other_version=row.after_other_version)
            for sink in sinks:
                if series.runs == 1:
                    sink.begin(series)
                sink.run(series, run)
        if series is not None and series.runs:
            count += series.runs
            for sink in sinks:
                sink.finish(series)
    return count


class _Json:
    """STA-02's shape, written as it comes: memory doesn't grow with the runs."""

    def __init__(self) -> None:
        self._series = 0

    def begin(self, series: JudgedSeries) -> None:
        head = json.dumps({"subject": series.subject, "suite_version": series.version}, ensure_ascii=False)
        click.echo(("," if self._series else '{"subjects": [') + "\n" + head[:-1] + ', "runs": [', nl=False)
        self._series += 1

    def run(self, series: JudgedSeries, run: JudgedRun) -> None:
        line = json.dumps(run.members(series.tests), ensure_ascii=False)
        sys.stdout.write((",\n" if series.runs > 1 else "\n") + line)

    def finish(self, series: JudgedSeries) -> None:
        drops = series.smallest_drops()
        members = None if drops is None else {str(runs): drop for runs, drop in drops.items()}
        sys.stdout.write(f'], "smallest_drop": {json.dumps(members)}}}')

    def end(self, notes: list[str]) -> None:
        sys.stdout.write("\n]}\n")


class _Text:
    """For people: the verdict first, then the evidence, a block a series."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._words: dict[str, int] = {}

    def begin(self, series: JudgedSeries) -> None: ...

    def run(self, series: JudgedSeries, run: JudgedRun) -> None: ...

    def finish(self, series: JudgedSeries) -> None:
        from trigpoint.publish.drift_story import story
        from trigpoint.publish.drift_text import block

        word = story(series).word
        self._words[word] = self._words.get(word, 0) + 1
        click.echo(block(series, self._runs))

    def end(self, notes: list[str]) -> None:
        from trigpoint.publish.drift_story import counted

        click.echo(counted(self._words))


def thresholds_of(text: str) -> Thresholds:
    """What --threshold says. Raises OperatorError for anything else."""
    from trigpoint.core.statistics.monitor import THRESHOLDS, Thresholds

    if text in THRESHOLDS:
        return THRESHOLDS[text]
    total, _, worst = text.partition("/")
    try:
        return Thresholds(total=float(total), worst=float(worst))
    except ValueError:
        raise OperatorError(
            "not a threshold", where="--threshold", expected="1, 0.5, 0.1 or two figures such as 6.2/11.9",
            found=shown(text),
        ) from None  # fmt: skip


def _opened(file: Path, stack: ExitStack) -> TextIO:
    if str(file) == "-":
        sys.stdin.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
        return sys.stdin
    try:
        return stack.enter_context(file.open(encoding="utf-8", newline=""))
    except OSError as error:
        raise OperatorError("could not read", where=str(file), found=error.strerror or "") from None


def _say(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        click.echo(sentence, err=True)
