"""The report of one bundle as one self-contained page (RUN-53, RUN-30, RUN-64)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from trigpoint.core.exact import decimal_text
from trigpoint.core.message import message_text
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Call, Item, Row
from trigpoint.core.setup import contradictions
from trigpoint.publish.bundles import Opened
from trigpoint.publish.page import render
from trigpoint.publish.words import plural

MOST_TASKS = 600  # rows shown in full; beyond, what isn't plainly correct comes first
_RANGES = (
    ("headline", "For tasks like these", "range"),
    ("repeats", "For these tasks again", "range"),
    ("bootstrap", "Percentile bootstrap", "thin"),
)


def report_page(bundle: Opened, *, verified: bool) -> str:
    """The page of `bundle`. Everything in the bundle is untrusted: it is escaped, and nothing of it runs."""
    result, suite = bundle.result, bundle.suite()
    tasks = list(_tasks(bundle))
    shown = tasks
    left_out = ""
    if len(tasks) > MOST_TASKS:
        shown = sorted(tasks, key=lambda task: task["outcome"] == Outcome.CORRECT)[:MOST_TASKS]
        left_out = (
            f"{MOST_TASKS:,} of {len(tasks):,} rows are shown, those not correct first; all stand in items.jsonl."
        )
    return render(
        "report.html",
        result=result,
        suite=suite,
        model=_value(bundle, "model", "id"),
        verdict=headline(result),
        meaning=meaning(result),
        chart=chart_rows(result),
        chart_label=chart_sentence(result),
        intervals=list(_intervals(result)),
        asked=asked(result),
        outcomes={str(outcome): result["outcomes"][outcome] for outcome in Outcome},
        tasks=shown,
        left_out=left_out,
        setup={name: dict(parts) for name, parts in _plain_setup(bundle).items()},
        observed={name: seen for name, seen in bundle.observed.items() if seen},
        contradictions=contradictions(bundle.setup, bundle.observed),
        root=bundle.root,
        verified=verified,
    )


def headline(result: Mapping[str, Any]) -> str:
    """One plain sentence: the score with its range."""
    found, items = result["intervals"]["headline"], result["counts"]["items"]
    score = result["score"]["shown"]
    if found["low"] is None:
        return f"Scored {score} of 100 on {plural(items, 'task')}; how far that could move can't be told."
    return (
        f"Scored {score} of 100; on other tasks like these it could be anything from {found['low']} to {found['high']}."
    )


def meaning(result: Mapping[str, Any]) -> str:
    """What the number is made of."""
    counts, repeats = result["counts"], result["repeats"]
    times = f", each asked {repeats} times" if repeats > 1 else ""
    return (
        f"{plural(counts['items'], 'task')}{times}, answered in text and graded by fixed code."
        f" {counts['passed']:,} of {plural(counts['rows'], 'reply').replace('replys', 'replies')} earned full credit."
    )


def asked(result: Mapping[str, Any]) -> str:
    """Coverage in words."""
    counts = result["counts"]
    return f"{counts['attempted']:,} of {counts['rows']:,} asked (coverage {result['coverage']['shown']}%)"


def chart_rows(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The ranges of a result as rows of an axis chart: ends and dot in the picture's units."""
    dot = on_axis(result["score"]["shown"])
    rows = []
    for name, label, kind in _RANGES:
        found = result["intervals"][name]
        if found["low"] is not None:
            ends = {"low": found["low"], "low_x": on_axis(found["low"]), "high_x": on_axis(found["high"])}
            rows.append({"label": f"{label}: {found['low']} to {found['high']}", "kind": kind, "dot_x": dot, **ends})
    return rows or [{"label": f"Score {result['score']['shown']}", "kind": "thin", "dot_x": dot, "low": None}]


def chart_sentence(result: Mapping[str, Any]) -> str:
    """What the picture shows, for those who can't see it."""
    parts = [f"Score {result['score']['shown']} on an axis from 0 to 100"]
    for name, label, _ in _RANGES:
        found = result["intervals"][name]
        if found["low"] is not None:
            parts.append(f"{label[0].lower()}{label[1:]} {found['low']} to {found['high']}")
    return "; ".join(parts) + "."


def on_axis(points: str) -> str:
    """Where a score stands on a chart of axis_chart, in the picture's units."""
    return f"{15 + 3.9 * float(points):.1f}"


def _intervals(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, label, _ in _RANGES:
        found = result["intervals"][name]
        nothing = found["low"] is None
        yield {
            "name": label,
            "low": "–" if nothing else found["low"],
            "high": "–" if nothing else found["high"],
            "text": found["reason"] if nothing else found["meaning"],
        }


def _tasks(bundle: Opened) -> Iterator[dict[str, Any]]:
    """Every row with what was asked, expected and said, in the bundle's order."""
    repeats = bundle.result["repeats"]
    rows, calls = bundle.rows(), _last_calls(bundle)
    for item in bundle.suite().items():
        for _ in range(repeats):
            row = next(rows)
            call = calls.get((row.message, row.repeat))
            yield _task(item, row, call, repeats)


def _last_calls(bundle: Opened) -> dict[tuple[str, int], Call]:
    return {(call.message, call.repeat): call for call in bundle.calls()}


def _task(item: Item, row: Row, call: Call | None, repeats: int) -> dict[str, Any]:
    reply = call.reply if call else None
    said = (reply.finish_reason or reply.error) if reply else None
    return {
        "anchor": f"{item.index}-{row.repeat}",
        "item": row.item,
        "repeat": row.repeat,
        "repeat_shown": repeats > 1,
        "outcome": str(row.outcome),
        "credit": "–" if row.credit is None else decimal_text(row.credit, 2),
        "reason": row.reason,
        "input": message_text(item),
        "reply": row.reply,
        "reasoning": reply.reasoning if reply else None,
        "answer": row.answer,
        "finish": said,
        "expected": _text(item.grader.expected),
        "grader": row.grader,
        "attempt": row.attempt,
        "latency": reply.latency_ms if reply else None,
        "input_sha256": row.input_sha256,
        "open": False,
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _value(bundle: Opened, section: str, name: str) -> str:
    part = bundle.setup.get(section, {}).get(name)
    return str(part.value) if part else "unknown"


def _plain_setup(bundle: Opened) -> dict[str, dict[str, Any]]:
    return {
        section: {
            name: {"value": _text(part.value) if part.value is not None else "–", "source": str(part.source)}
            for name, part in sorted(parts.items())
        }
        for section, parts in bundle.setup.items()
    }
