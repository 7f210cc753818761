"""Two bundles of one suite, task by task: what differs, how sure, and in which fields of the tuple (RUN-06, RUN-32)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from trigpoint.core.compare import reasons_against
from trigpoint.core.errors import BundleError, OperatorError
from trigpoint.core.exact import decimal_text
from trigpoint.core.records import Item, Row
from trigpoint.core.setup import Difference, differences, unknown_fields
from trigpoint.core.statistics.paired import Comparison, PairedDifferences
from trigpoint.core.statistics.verdict import Verdict, verdict
from trigpoint.publish.bundles import Opened
from trigpoint.publish.numbers import number, result_numbers

SEED = 1  # stored with every comparison; any fixed number serves (STA-05)


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """One task on which the two runs earn differently."""

    item: str
    category: str
    first: Fraction  # mean credit over the repeats
    second: Fraction
    first_outcomes: tuple[str, ...]  # one a repeat
    second_outcomes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """The first run against the second."""

    first: Opened = field(repr=False)
    second: Opened = field(repr=False)
    seen: Comparison
    verdict: Verdict
    tuple_differences: list[Difference]
    observed: dict[str, tuple[list[str], list[str]]]  # what endpoints said of themselves, where it differs
    unknown_in_both: list[str]
    changed: list[Changed]


def compare(first: Opened, second: Opened) -> Compared:
    """The paired comparison of two bundles.

    Raises OperatorError with every reason when they can't be compared, BundleError when rows are absent.
    """
    if reasons := reasons_against(first.result, second.result):
        raise OperatorError(
            "these two runs can't be compared",
            where=f"{first.place}, {second.place}",
            found="; ".join(reasons),
            next="Only runs of the same suite, graders and calculation are.",
        )
    suite = first.suite()
    total = sum((category.weight for category in suite.categories), Fraction(0))
    pairs = PairedDifferences({category.id: category.weight / total for category in suite.categories})
    changed = []
    for item, left, right in _paired_rows(first, second):
        one, two = _mean(left), _mean(right)
        pairs.add(item.category, item.weight, one, two)
        if one != two:
            changed.append(
                Changed(
                    item=item.id,
                    category=item.category,
                    first=one,
                    second=two,
                    first_outcomes=tuple(str(row.outcome) for row in left),
                    second_outcomes=tuple(str(row.outcome) for row in right),
                )
            )
    seen = pairs.compare(seed=SEED)
    repeats = min(first.result["repeats"], second.result["repeats"])
    return Compared(
        first=first,
        second=second,
        seen=seen,
        verdict=verdict(seen, repeats=repeats),
        tuple_differences=differences(first.setup, second.setup),
        observed=observed_differences(first, second),
        unknown_in_both=sorted(set(unknown_fields(first.setup)) & set(unknown_fields(second.setup))),
        changed=changed,
    )


def observed_differences(first: Opened, second: Opened) -> dict[str, tuple[list[str], list[str]]]:
    """What the endpoints said of themselves, where the two differ."""
    names = sorted(first.observed.keys() | second.observed.keys())
    pairs = {name: (first.observed.get(name, []), second.observed.get(name, [])) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _paired_rows(first: Opened, second: Opened) -> Iterator[tuple[Item, list[Row], list[Row]]]:
    left, right = first.rows(), second.rows()
    for item in first.suite().items():
        yield item, _rows_of(item, left, first), _rows_of(item, right, second)


def _rows_of(item: Item, rows: Iterator[Row], run: Opened) -> list[Row]:
    """The next rows of a run, which must be the item's repeats."""
    found = list(islice(rows, run.result["repeats"]))
    if len(found) != run.result["repeats"] or any(row.item != item.id for row in found):
        raise BundleError("rows are absent or out of order", where=f"{run.place}: items.jsonl: {item.id}")
    return found


def _mean(rows: list[Row]) -> Fraction:
    return sum((row.credit or Fraction(0) for row in rows), Fraction(0)) / len(rows)


def compared_json(found: Compared) -> dict[str, Any]:
    """The comparison as JSON members; credits and p as numbers are for reading, the exact ones stand beside them."""
    seen = found.seen
    return {
        "verdict": str(found.verdict.word),
        "sentence": found.verdict.sentence,
        "difference": number(decimal_text(seen.difference * 100, 1)),
        "p": float(seen.p),
        "p_exact": str(seen.p),
        "method": seen.method,
        "seed": seen.seed,
        "flips": seen.flips,
        "items": seen.items,
        "better": seen.better,
        "worse": seen.worse,
        "first": _side(found.first),
        "second": _side(found.second),
        "tuple_differences": [
            {"field": part.field, "first": field_json(part.first), "second": field_json(part.second)}
            for part in found.tuple_differences
        ],
        "observed_differences": {name: list(pair) for name, pair in found.observed.items()},
        "unknown_in_both": found.unknown_in_both,
        "notes": found.first.result["notes"],
        "changed": [
            {
                "item": one.item,
                "category": one.category,
                "first": number(str(one.first)),
                "second": number(str(one.second)),
                "first_outcomes": list(one.first_outcomes),
                "second_outcomes": list(one.second_outcomes),
            }
            for one in found.changed
        ],
    }


def field_json(part: Any) -> dict[str, Any] | None:
    """One setup field as JSON members, None where there is none."""
    return None if part is None else {"value": part.value, "source": str(part.source)}


def _side(run: Opened) -> dict[str, Any]:
    figures = result_numbers(run.result)
    return {
        "place": run.place,
        "root": run.root,
        "score": figures["score"]["shown"],
        "interval": figures["intervals"]["headline"],
        "repeats": run.result["repeats"],
        "verified": run.whole,
    }
