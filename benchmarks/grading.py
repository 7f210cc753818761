"""Grading: answers a second for each rule, beside what Python's own `re`, `==` and `json` would take.

    python -m benchmarks.grading [--json] [--answers 20000]

A row of JSON in, a row of JSON out, as `trigpoint grade` does it, on one core. The bound reads and writes the
same JSON and does the bare comparison between: no check of the rule, no options, no reason, no limits.
The last column is the grader alone, for an answer that is in memory already. All figures are CPU time, the best
of three passes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from trigpoint.core.graders import GRADERS
from trigpoint.core.graders.rows import grade_row
from trigpoint.core.records import GraderSpec

SEED = 1
PASSES = 3
WORDS = "amber basin cedar delta ember fjord grove heron islet jetty kelp lagoon marsh".split()  # noqa: SIM905

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one rule."""

    rule: str
    answers: int
    right: int  # how many of them were given full credit
    rows_per_second: float  # JSON in, JSON out
    bound_per_second: float  # the same JSON with the bare comparison
    grade_microseconds: float  # the grader alone


def _sentence(chance: random.Random) -> str:
    return " ".join(WORDS[int(chance.random() * len(WORDS))] for _ in range(8))


def _exact(chance: random.Random) -> Row:
    text = _sentence(chance)
    return {"expected": text, "reply": text if chance.random() < 0.5 else text[:-1]}


def _pattern(chance: random.Random) -> Row:
    day = f"The meeting is on 20{int(chance.random() * 90) + 10}-0{int(chance.random() * 12) + 1}-17 in the harbour."
    return {"expected": r"The meeting is on \d{4}-(?:0[1-9]|1[0-2])-\d\d in the [a-z]+\.", "reply": day}


def _json_fields(chance: random.Random) -> Row:
    expected = {"name": _sentence(chance), "count": int(chance.random() * 99), "tags": WORDS[:3], "more": {"ok": True}}
    found = {**expected, "count": int(chance.random() * 2)}
    return {"expected": expected, "reply": json.dumps(found)}


def _value(chance: random.Random) -> Row:
    number = round(chance.random() * 1e6, 2)
    return {"expected": number, "reply": f"{number:,}", "options": {"absolute_tolerance": 0.005}}


#: rule → how a row is made, and the bare comparison
RULES: dict[str, tuple[Callable[[random.Random], Row], Callable[[Row], bool]]] = {
    "exact/1": (_exact, lambda row: row["expected"] == row["reply"]),
    "pattern/1": (_pattern, lambda row: re.fullmatch(row["expected"], row["reply"]) is not None),
    "json_fields/1": (_json_fields, lambda row: row["expected"] == json.loads(row["reply"])),
    "value/1": (_value, lambda row: abs(float(row["reply"].replace(",", "")) - row["expected"]) <= 0.005),
}


def best_seconds(work: Callable[[str], str], lines: Sequence[str]) -> float:
    """CPU seconds of the quickest of three passes over all lines."""
    passes = []
    for _ in range(PASSES):
        begun = time.process_time()
        for line in lines:
            work(line)
        passes.append(time.process_time() - begun)
    return min(passes)


def measure(rule: str, answers: int) -> Measured:
    """Grades `answers` rows drawn from a fixed seed."""
    make, compare = RULES[rule]
    chance = random.Random(SEED)
    rows = [{"rule": rule, **make(chance)} for _ in range(answers)]
    lines = [json.dumps(row) for row in rows]
    grader = GRADERS[rule]
    specs = [GraderSpec(rule=rule, expected=row["expected"], options=row.get("options", {})) for row in rows]
    pairs = iter(list(zip(rows, specs, strict=True)) * PASSES)

    def alone(line: str) -> str:
        row, spec = next(pairs)
        return grader.grade(row["reply"], spec).reason

    return Measured(
        rule=rule,
        answers=answers,
        right=sum(grade_row(row)["credit"] == 1 for row in rows),
        rows_per_second=answers / best_seconds(lambda line: json.dumps(grade_row(json.loads(line))), lines),
        bound_per_second=answers / best_seconds(lambda line: json.dumps({"right": compare(json.loads(line))}), lines),
        grade_microseconds=best_seconds(alone, lines) / answers * 1e6,
    )


def table(figures: Iterable[Measured]) -> str:
    """The figures as a table for a terminal."""
    head = f"{'rule':<15}{'rows/s':>10}{'bound/s':>10}{'share':>7}{'grade µs':>10}"
    return "\n".join(
        [head]
        + [
            f"{one.rule:<15}{one.rows_per_second:>10,.0f}{one.bound_per_second:>10,.0f}"
            f"{one.rows_per_second / one.bound_per_second:>7.0%}{one.grade_microseconds:>10.1f}"
            for one in figures
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--answers", type=int, default=20_000, help="answers for each rule")
    arguments = parser.parse_args()
    figures = [measure(rule, arguments.answers) for rule in RULES]
    print(json.dumps([asdict(one) for one in figures], indent=2) if arguments.json else table(figures))


if __name__ == "__main__":
    main()
