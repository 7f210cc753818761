"""Core v1 as a suite: its shape, and every reference reply graded by the rules that grade a run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from suites.core_v1_files import CATEGORIES, FOLDER, IDS, expected, item, prompt, references, suite
from trigpoint.core.files import MemoryFiles
from trigpoint.core.grading import grade_reply
from trigpoint.core.message import message_text
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import CallStatus, Item
from trigpoint.core.references import check_references
from trigpoint.core.suite import Suite, load_suite

RULES = {"exact/1", "pattern/1", "json_fields/1", "value/1"}
CONTRACTS = {
    "reasoning": "final-answer",
    "mathematics": "final-answer",
    "extraction": "json",
    "instructions": "whole-reply",
}


@pytest.fixture(scope="module")
def core_v1() -> Suite:
    paths = (path for path in FOLDER.rglob("*") if path.is_file())
    return load_suite(MemoryFiles({path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}))


@pytest.fixture(scope="module")
def items(core_v1: Suite) -> dict[str, Item]:
    return {str(loaded.id): loaded for loaded in core_v1.items()}


def test_it_has_six_tasks_in_each_of_four_categories_all_of_weight_one(core_v1: Suite, items: dict[str, Item]) -> None:
    """RUN-10, RUN-24: 24 tasks, four categories in order, every weight 1."""
    assert core_v1.count == 24
    assert tuple(category.id for category in core_v1.categories) == CATEGORIES
    assert Counter(loaded.category for loaded in items.values()) == dict.fromkeys(CATEGORIES, 6)
    assert {loaded.weight for loaded in items.values()} | {category.weight for category in core_v1.categories} == {1}


def test_its_tasks_are_named_and_ordered_by_category_and_number(items: dict[str, Item]) -> None:
    """RUN-11: the order of the suite is that of the file names."""
    assert sorted(items) == list(items)
    assert set(items) == set(IDS)


def test_every_reference_reply_gets_the_grade_it_states(core_v1: Suite) -> None:
    """RUN-10, RUN-20, RUN-21, RUN-23: all right and wrong replies, by the suite's own check."""
    checked = check_references(core_v1)
    assert checked.wrong == []
    assert checked.without == []
    assert checked.count == sum(len(replies) for task in IDS for replies in references(task).values())


@pytest.mark.parametrize("task", IDS)
def test_a_task_has_three_right_and_five_wrong_replies_all_different(task: str) -> None:
    """RUN-10: at least 3 right replies and 5 wrong ones, and each wrong one says why."""
    rows = references(task)
    replies = [row["reply"] for kind in ("right", "wrong") for row in rows[kind]]
    assert len(rows["right"]) >= 3
    assert len(rows["wrong"]) >= 5
    assert len(set(replies)) == len(replies)
    assert all(row["why"].strip() for row in rows["wrong"])


@pytest.mark.parametrize("task", IDS)
def test_a_task_is_short_says_what_it_probes_and_names_a_known_rule(task: str, items: dict[str, Item]) -> None:
    """RUN-10: an input a laptop can hold, a note with the difficulty, a grader."""
    table: dict[str, Any] = item(task)
    assert len(message_text(items[task])) <= 1_800
    assert table["note"].split(".")[0] in {"Easy", "Medium", "Hard"}
    assert table["grader"]["rule"] in RULES
    assert items[task].contract == CONTRACTS[table["category"]]
    assert "\r" not in prompt(task)


def test_the_suite_has_easy_medium_and_hard_tasks() -> None:
    """RUN-10: a few easy, most medium, a few hard."""
    levels = Counter(item(task)["note"].split(".")[0] for task in IDS)
    assert levels == {"Easy": 4, "Medium": 14, "Hard": 6}


def test_no_two_tasks_share_a_key() -> None:
    """RUN-10: no answer is worth giving twice."""
    keys = [str(expected(task)) for task in IDS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("reply", ["", "   \n", "I don't know.", "ANSWER: 42", "{}", "[]", "ANSWER: A, B, C, D"])
def test_a_reply_that_fits_every_task_alike_earns_nothing(reply: str, items: dict[str, Item]) -> None:
    """RUN-10, RUN-23: no single text is right anywhere in the suite."""
    for loaded in items.values():
        _, grade = grade_reply(loaded, CallStatus.ANSWERED, reply)
        assert grade.credit == 0
        assert grade.outcome is not Outcome.CORRECT


@pytest.mark.parametrize("task", IDS)
def test_a_task_is_not_right_with_another_tasks_reply(task: str, items: dict[str, Item]) -> None:
    """RUN-10: the right replies of the other tasks earn nothing here."""
    others = [row["reply"] for other in IDS if other != task for row in references(other)["right"]]
    assert {grade_reply(items[task], CallStatus.ANSWERED, reply)[1].credit for reply in others} == {0}


def test_the_header_names_licence_contract_and_scoring() -> None:
    """RUN-11, RUN-24: what a reader of suite.toml finds."""
    header = suite()
    assert (header["id"], header["version"], header["licence"]) == ("core-v1", "1.0.0", "CC-BY-4.0")
    assert (header["scoring"], header["contract"]) == ("macro-average/1", "final-answer")


def test_the_readme_says_that_it_is_a_calibration_release() -> None:
    """RUN-64: whoever reads the suite reads its limit."""
    assert "calibration release" in (FOLDER / "README.md").read_text(encoding="utf-8")
