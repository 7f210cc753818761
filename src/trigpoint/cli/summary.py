"""What a person reads at the end of a run: the sentence first, then the numbers, then what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trigpoint.core.errors import printable
from trigpoint.core.outcomes import Outcome
from trigpoint.publish.words import SHOWN, interval_words, outcome_counts, plural, unsettled

if TYPE_CHECKING:
    from trigpoint.running import Ended


def summary(ended: Ended, model: str) -> str:
    """The end summary of a sealed run, as lines."""
    result = ended.result or {}
    place = shlex.quote(str(ended.place))
    lines = [
        f"{printable(result['suite']['title'])} {result['suite']['version']} · {printable(model)}"
        + (f" · run {ended.number} of this tuple" if ended.number else ""),
        "",
        verdict(result),
        *[f"{note}" for note in result["notes"]],
        "",
        *categories(result["categories"]),
        "",
        f"Outcomes  {outcome_counts(result['outcomes'])}",
        f"Asked     {asked(result)}",
    ]
    if result["intervals"]["repeats"]["low"] is not None:
        lines.append(f"Again     {interval_words(result['intervals']['repeats'])}, for these tasks asked again")
    lines += [
        f"Bundle    {ended.place}",
        f"Root      {ended.root}",
        "",
        f"Next      trigpoint verify {place}",
        f"          trigpoint report {place} -o report.html",
        "",
        last_line(result, ended.reason),
    ]
    return "\n".join(lines)


def verdict(result: Mapping[str, Any]) -> str:
    """One plain sentence with the number and its noise."""
    headline = result["intervals"]["headline"]
    counts = result["counts"]
    tasks = plural(counts["items"], "task") + (f", {result['repeats']} times each" if result["repeats"] > 1 else "")
    meaning = " for tasks like these" if headline["low"] is not None else ""
    return f"Score {result['score']['shown']} of 100 on {tasks} ({interval_words(headline)}{meaning})."


def categories(rows: list[Mapping[str, Any]]) -> list[str]:
    """One line a category: title, mean, passed. A title is a stranger's text: what a terminal obeys is escaped."""
    titles = [printable(row["title"]) for row in rows]
    width = max(map(len, titles))
    return [
        f"  {title:<{width}}  {row['shown']:>5}  {row['passed']} of {row['items']} passed"
        for title, row in zip(titles, rows, strict=True)
    ]


def asked(result: Mapping[str, Any]) -> str:
    """Coverage, and how many attempts it took."""
    counts = result["counts"]
    return (
        f"{counts['attempted']:,} of {plural(counts['rows'], 'item')} (coverage {result['coverage']['shown']}%)"
        f" in {plural(counts['attempts'], 'attempt')}"
    )


def last_line(result: Mapping[str, Any], reason: str) -> str:
    """What happened, in one line, with every failure by name."""
    outcomes = result["outcomes"]
    failed = unsettled(outcomes)
    if not failed:
        return "Finished: every item was answered or settled by the endpoint."
    named = ", ".join(
        f"{outcomes[outcome]:,} {SHOWN[outcome][1]}"
        for outcome in (Outcome.ENDPOINT_ERROR, Outcome.TIMED_OUT, Outcome.NOT_ATTEMPTED)
        if outcomes.get(outcome)
    )
    why = f" ({reason})" if reason else ""
    return f"Finished with {named}{why}: they count 0 in the score and are listed in items.jsonl."
