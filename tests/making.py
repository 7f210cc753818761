"""Small real things that many tests need: suites in memory, calls, a clock that is set by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trigpoint.core.files import MemoryFiles
from trigpoint.core.records import Call, CallStatus, Reply
from trigpoint.core.suite import Suite, load_suite

HEADER = """\
format = "trigpoint-suite/1"
id = "sums"
version = "1.0.0"
title = "Sums"
method = "fair-run"
licence = "CC0-1.0"
scoring = "macro-average/1"
contract = "whole-reply"
"""


def sum_item(number: int, *, fault: str = "", category: str = "sum") -> dict[str, Any]:
    """An item whose right answer is the sum; a fault named in its prompt makes the loopback endpoint misbehave."""
    first, second = 1000 + number * 7919 % 9000, 1000 + number * 104_729 % 9000
    asked = f"[{number:06d}] What is {first} + {second}?" + (f" [fault:{fault}]" if fault else "")
    return {
        "id": f"sum-{number:06d}",
        "category": category,
        "prompt": asked,
        "grader": {"rule": "exact/1", "expected": str(first + second)},
    }


def suite_files(items: Sequence[Mapping[str, Any]], header: str = HEADER) -> dict[str, bytes]:
    """The files of a suite with these items, their categories declared."""
    categories = "".join(f'[[categories]]\nid = "{name}"\n' for name in dict.fromkeys(i["category"] for i in items))
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    return {"suite.toml": (header + categories).encode(), "items.jsonl": lines.encode()}


def sum_suite(count: int) -> Suite:
    return load_suite(MemoryFiles(suite_files([sum_item(number) for number in range(count)])))


def write_suite(folder: Path, items: Sequence[Mapping[str, Any]]) -> Path:
    """The same on disk."""
    folder.mkdir(parents=True)
    for path, data in suite_files(items).items():
        (folder / path).write_bytes(data)
    return folder


def a_call(message: str, attempt: int = 1, repeat: int = 1, **reply: Any) -> Call:
    """One ended attempt, answered unless said otherwise."""
    given = {"status": CallStatus.ANSWERED, "text": f"reply to {message}", "http_status": 200, **reply}
    return Call(
        message=message,
        repeat=repeat,
        attempt=attempt,
        begun="2026-01-31T09:30:00.000Z",
        ended="2026-01-31T09:30:00.250Z",
        reply=Reply(**given),
    )


class SetClock:
    """A clock that only moves when it is told to."""

    def __init__(self, now_ms: int = 1_767_225_600_000) -> None:
        self.now, self.elapsed = now_ms, 0

    def now_ms(self) -> int:
        return self.now

    def monotonic_ms(self) -> int:
        return self.elapsed

    def pass_ms(self, ms: int) -> None:
        self.now += ms
        self.elapsed += ms
