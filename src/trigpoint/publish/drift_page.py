"""Judged series as one self-contained HTML page (STA-02): written series by series, so memory holds one at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from markupsafe import Markup

from trigpoint import __version__
from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.monitor import Moved, Thresholds
from trigpoint.core.statistics.series import State
from trigpoint.publish.drift_chart import chart
from trigpoint.publish.drift_series import JudgedRun, JudgedSeries, Level
from trigpoint.publish.drift_story import counted, story
from trigpoint.publish.drift_text import safe
from trigpoint.publish.drift_words import (
    SCORE_ONLY,
    STATE_WORDS,
    amount,
    false_flags,
    moved_tests,
    number,
    points_bare,
    seed_sentence,
    signed,
    size_words,
)
from trigpoint.publish.page import environment, render

LATEST = 14  # runs that stand open in the table; the others can be opened
MOST_MOVED = 20
MOST_LISTED = 500  # series in the overview on top
_EVENTFUL = (State.FLAGGED, State.CONFIRMED, State.NOT_CONFIRMED)


class PageWriter:
    """A sink of judged runs that writes the page at the end; use it inside `with`.

    Raises OperatorError when the page can't be written.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._sections: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed by __exit__
        self._overview: list[dict[str, Any]] = []
        self._words: dict[str, int] = {}
        self._count = 0
        self._pending: tuple[JudgedSeries, str] | None = None  # the only series so far: its heading isn't known yet
        self._thresholds = Thresholds()

    def __enter__(self) -> PageWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._sections.close()

    def begin(self, series: JudgedSeries) -> None:
        """A series whose first run is in."""
        self._thresholds = series.thresholds

    def run(self, series: JudgedSeries, run: JudgedRun) -> None:
        """Nothing to keep of a single run: the series keeps what is shown."""

    def finish(self, series: JudgedSeries) -> None:
        """Keeps the section of a series whose last run is in."""
        self._count += 1
        anchor = f"s{self._count}"
        told = story(series)
        self._words[told.word] = self._words.get(told.word, 0) + 1
        if len(self._overview) < MOST_LISTED:
            self._overview.append(
                {"anchor": anchor, "subject": series.subject, "version": series.version, "headline": told.headline}
            )
        if self._count == 1:
            self._pending = series, anchor
            return
        if self._pending is not None:
            self._sections.write(section(*self._pending, several=True))
            self._pending = None
        self._sections.write(section(series, anchor, several=True))

    def end(self, notes: list[str]) -> None:
        """Writes the page."""
        heading, title, kicker = self._heading()
        if self._pending is not None:
            self._sections.write(section(*self._pending, several=False))
        thresholds = f"{self._thresholds.total:g} and {self._thresholds.worst:g}"
        pieces = environment().get_template("drift.html").generate(
            heading=heading, title=title, kicker=kicker, overview=self._overview if self._count > 1 else [],
            sections=self._pieces(), notes=notes, false_flags=false_flags(self._thresholds), thresholds=thresholds,
            version=__version__,
        )  # fmt: skip
        try:
            with self._place.open("w", encoding="utf-8", newline="\n") as page:
                page.writelines(pieces)
        except OSError as error:
            raise OperatorError("could not write", where=str(self._place), found=error.strerror or "") from None

    def _heading(self) -> tuple[str, str, str]:
        if self._count == 1:
            only = self._overview[0]
            version = f" · suite {only['version']}" if only["version"] else ""
            return only["headline"], safe(only["subject"]), f"{only['subject']}{version}"
        return counted(self._words), f"{self._count:,} series", "Series judged side by side"

    def _pieces(self) -> Iterator[Markup]:
        self._sections.seek(0)
        while piece := self._sections.read(1 << 16):
            yield Markup(piece)  # noqa: S704 - made by `section`, which escapes


def section(series: JudgedSeries, anchor: str, *, several: bool) -> str:
    """One series as HTML; everything from the file is escaped."""
    runs = [_row(run) for run in reversed(series.latest)]
    moved, when = moved_tests(series)
    drops = series.smallest_drops()
    levels = series.levels()
    return render(
        "drift_series.html",
        series=series,
        anchor=anchor,
        subject=safe(series.subject),
        several=several,
        story=story(series),
        chart=chart(series),
        levels=[_level(level) for level in levels],
        moved=[_moved_row(one, series.tests[one.test]) for one in moved[:MOST_MOVED]],
        more_moved=max(0, len(moved) - MOST_MOVED),
        moved_when=when,
        drops=[(runs_, "–" if drop is None else points_bare(drop)) for runs_, drop in (drops or {}).items()],
        score_only=SCORE_ONLY,
        seed=seed_sentence(series.last),
        rows=runs[:LATEST],
        earlier=runs[LATEST:],
        left_out=series.runs - len(runs),
    )


def _moved_row(moved: Moved, name: str) -> dict[str, str]:
    before = f"{amount(moved.before)} of {moved.before_runs}"
    return {"name": name, "before": before, "after": f"{amount(moved.after)} of {moved.after_runs}"}


def _level(level: Level) -> dict[str, str]:
    known, end = level.baseline, level.ended_by
    usual = "not yet known" if known is None else f"score {known.level:.1f}, single runs within ±{known.noise_band:.1f}"
    ended = "It goes on." if end is None else f"Ended about {end.start} by {size_words(end)}."
    return {"begun": level.begun, "said": f"{usual}. {ended}"}


def _row(run: JudgedRun) -> dict[str, Any]:
    seed, verdict = run.seed, run.verdict
    direction = f" {verdict.direction.value}" if verdict.direction else ""
    return {
        "date": run.written,
        "score": seed.score,
        "change": "–" if seed.change is None else signed(seed.change, 2),
        "away": "–" if seed.change_from_baseline is None else signed(seed.change_from_baseline, 2),
        "trend": seed.trend or "–",
        "state": STATE_WORDS[verdict.state] + direction,
        "statistic": "–"
        if verdict.statistic is None
        else f"{number(verdict.statistic)} of {number(verdict.threshold)}",
        "marked": verdict.state in _EVENTFUL,
    }
