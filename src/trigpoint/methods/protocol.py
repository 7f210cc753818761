"""What a method is: four short choices of rules along one pipeline (FND-20).

A method is pure: suite in, messages out; replies in, rows out. Asking, recording and sealing belong to
the pipeline and are the same for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from trigpoint.core.harness import Harness
from trigpoint.core.records import Answer, Grade, Item, ItemId, Message, Reply
from trigpoint.core.suite import Suite

Answers = Mapping[ItemId, Answer]
Observations = Mapping[ItemId, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One message and the items it asks."""

    message: Message
    items: tuple[Item, ...]


class Method(Protocol):
    """The rules of one kind of measurement."""

    name: str  # "fair-run"
    version: str  # "fair-run/1"; a changed rule is a new version

    def messages(self, suite: Suite, harness: Harness) -> Iterator[Task]:
        """All messages in the order of sending; the same each time."""
        ...

    def read(self, task: Task, reply: Reply | None) -> Answers:
        """The answer to each item of the task in what came back; None = never attempted."""
        ...

    def grade(self, task: Task, answers: Answers, observations: Observations) -> Mapping[ItemId, Grade]:
        """A grade for each item, by fixed code."""
        ...

    def comparable(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
        """Every reason why two results (result.json) can't be compared; empty = they can."""
        ...
