"""The comparison of two bundles as one self-contained page."""

from __future__ import annotations

from typing import Any

from trigpoint.core.exact import decimal_text
from trigpoint.publish.bundles import Opened
from trigpoint.publish.comparison import Compared
from trigpoint.publish.page import render
from trigpoint.publish.report import on_axis

MOST_CHANGED = 500


def compare_page(found: Compared, *, verified: bool) -> str:
    """The page. Everything from the bundles is escaped."""
    first, second = found.first, found.second
    observed = [
        {
            "field": f"observed.{name}",
            "first": ", ".join(pair[0]) or "nothing",
            "second": ", ".join(pair[1]) or "nothing",
        }
        for name, pair in found.observed.items()
    ]
    differing = [
        {"field": part.field, "first": _shown(part.first), "second": _shown(part.second)}
        for part in found.tuple_differences
    ]
    changed = [
        {
            "item": one.item,
            "first": decimal_text(one.first, 2),
            "second": decimal_text(one.second, 2),
            "first_outcomes": one.first_outcomes[:5],
            "second_outcomes": one.second_outcomes[:5],
        }
        for one in found.changed[:MOST_CHANGED]
    ]
    return render(
        "compare.html",
        suite=first.suite(),
        sentence=found.verdict.sentence,
        seen=found.seen,
        p=decimal_text(found.seen.p, 3) if found.seen.p >= 0.001 else "less than 0.001",
        chart=[_row("First", first), _row("Second", second)],
        chart_label=f"First run: {_range(first)}. Second run: {_range(second)}.",
        first=first,
        second=second,
        differing=differing + observed,
        unknown=found.unknown_in_both,
        categories=list(zip(first.result["categories"], second.result["categories"], strict=True)),
        changed=changed,
        more_changed=max(0, len(found.changed) - MOST_CHANGED),
        verified=verified,
    )


def _row(name: str, run: Opened) -> dict[str, Any]:
    interval = run.result["intervals"]["headline"]
    nothing = interval["low"] is None
    return {
        "label": f"{name}: {_range(run)}",
        "kind": "range",
        "dot_x": on_axis(run.result["score"]["shown"]),
        "low": interval["low"],
        "low_x": None if nothing else on_axis(interval["low"]),
        "high_x": None if nothing else on_axis(interval["high"]),
    }


def _range(run: Opened) -> str:
    interval, score = run.result["intervals"]["headline"], run.result["score"]["shown"]
    return score if interval["low"] is None else f"{score}, 95% range {interval['low']} to {interval['high']}"


def _shown(part: Any) -> str:
    return "not there" if part is None else f"{part.value} ({part.source})"
