"""The files of Core v1 read as plain TOML and text, so that the keys are checked without the loader."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import trigpoint.suites

FOLDER = Path(trigpoint.suites.__file__).parent / "core-v1"
CATEGORIES = ("reasoning", "mathematics", "extraction", "instructions")
IDS = tuple(f"{category}-{number:02}" for category in CATEGORIES for number in range(1, 7))


def suite() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "suite.toml").read_text(encoding="utf-8"))


def item(task: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "items" / f"{task}.toml").read_text(encoding="utf-8"))


def expected(task: str) -> Any:
    grader = item(task)["grader"]
    return json.loads(grader["expected_json"]) if "expected_json" in grader else grader["expected"]


def prompt(task: str) -> str:
    return (FOLDER / "prompts" / f"{task}.md").read_text(encoding="utf-8").rstrip("\n")


def references(task: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "references" / f"{task}.toml").read_text(encoding="utf-8"))
