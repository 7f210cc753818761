"""Judged series as plain text for a terminal or a log."""

from __future__ import annotations

import textwrap

from trigpoint.publish.drift_series import JudgedRun, JudgedSeries
from trigpoint.publish.drift_story import story
from trigpoint.publish.drift_words import (
    SCORE_ONLY,
    STATE_WORDS,
    drops_sentence,
    level_words,
    moved_sentence,
    moved_tests,
    number,
    seed_sentence,
    signed,
)
from trigpoint.publish.words import plural

_HEAD = ("date", "score", "change", "from week", "7-day rule", "monitor", "C of h")
_MOST_MOVED = 8


def block(series: JudgedSeries, runs: int) -> str:
    """One series: verdict, the four answers, tests that moved, what it can show, its latest runs."""
    told = story(series)
    version = f" · suite {safe(series.version)}" if series.version else ""
    lines = [f"{safe(series.subject)}{version} · {plural(series.runs, 'run')}", *_wrapped("", told.sentence)]
    answers = (("Is it worse?", told.worse), ("Since when?", told.since), ("How sure?", told.sure))
    for question, answer in (*answers, ("What next?", told.next)):
        lines += _wrapped(question, answer)
    levels = series.levels()
    if len(levels) > 1:
        lines.append(
            "  Levels:       " + "; ".join(f"{level_words(level)} from {level.begun}" for level in levels[-4:])
        )
    moved, when = moved_tests(series)
    for one in moved[:_MOST_MOVED]:
        lines += _wrapped(f"Moved{when}", moved_sentence(one, safe(series.tests[one.test])))
    lines += [f"  And {len(moved) - _MOST_MOVED} more tests moved."] if len(moved) > _MOST_MOVED else []
    said = [drops_sentence(series), seed_sentence(series.last), *([SCORE_ONLY] if series.score_only else [])]
    lines += [line for sentence in said for line in _wrapped("", sentence)]
    shown = list(series.latest)[-runs:] if runs else []
    return "\n".join([*lines, *_table([_cells(run) for run in shown])]) + "\n"


def safe(text: str) -> str:
    """`text` with control, bidi and other invisible characters shown as codes: a name can't act on the terminal."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def _wrapped(name: str, text: str) -> list[str]:
    """The text after its name, in lines of 100 characters."""
    head = f"  {safe(name):<13} " if name else "  "  # a long name keeps its distance
    return textwrap.wrap(safe(text), 100, initial_indent=head, subsequent_indent=" " * len(head))


def _cells(run: JudgedRun) -> tuple[str, ...]:
    seed, verdict = run.seed, run.verdict
    return (
        safe(run.written),
        str(seed.score),
        "–" if seed.change is None else signed(seed.change, 2),
        "–" if seed.change_from_baseline is None else signed(seed.change_from_baseline, 2),
        seed.trend or "–",
        STATE_WORDS[verdict.state] + (f" {verdict.direction.value}" if verdict.direction else ""),
        "–" if verdict.statistic is None else f"{number(verdict.statistic)} of {number(verdict.threshold)}",
    )


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    figures = {1, 2, 3}  # right-aligned
    return [
        "    " + "  ".join(cell.rjust(width) if place in figures else cell.ljust(width)
                            for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in (_HEAD, *rows)
    ]  # fmt: skip
