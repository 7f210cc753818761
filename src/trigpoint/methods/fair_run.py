"""Fair run: one message an item, an answer contract, a macro-average that hides no failure (RUN-20 … 25)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trigpoint.core.compare import reasons_against
from trigpoint.core.grading import grade_answer, read_answer
from trigpoint.core.harness import Harness
from trigpoint.core.message import item_message
from trigpoint.core.records import Grade, ItemId, Reply
from trigpoint.core.suite import Suite
from trigpoint.methods.protocol import Answers, Observations, Task


class FairRun:
    """A score for a complete run tuple."""

    name = "fair-run"
    version = "fair-run/1"

    def messages(self, suite: Suite, harness: Harness) -> Iterator[Task]:
        for item in suite.items():
            yield Task(message=item_message(item, harness.system), items=(item,))

    def read(self, task: Task, reply: Reply | None) -> Answers:
        status, text = (reply.status, reply.text) if reply else (None, None)
        return {item.id: read_answer(item, status, text) for item in task.items}

    def grade(self, task: Task, answers: Answers, observations: Observations) -> Mapping[ItemId, Grade]:
        return {item.id: grade_answer(item, answers[item.id]) for item in task.items}

    def comparable(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
        return reasons_against(first, second)
