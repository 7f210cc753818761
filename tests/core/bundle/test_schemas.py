"""FND-05: every format has a JSON Schema in the package, and what the writer writes validates against it."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from golden.small import SIGNATURE_PATH, Files, make, rows_of
from trigpoint.core.bundle.rows import CALL_SHAPE, ITEM_SHAPE
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import CallStatus
from trigpoint.core.schemas import SCHEMAS

FOLDER = resources.files("trigpoint.core.schemas")


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / SCHEMAS[name]).read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def good() -> Files:
    return make()


def values(files: Files, name: str) -> list[Any]:
    """What a bundle holds of one format."""
    path = SIGNATURE_PATH if name.startswith("signatures/") else name
    if path.endswith(".toml"):
        return [tomllib.loads(files[path].decode())]
    return rows_of(files, path) if path.endswith(".jsonl") else [json.loads(files[path])]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_good_bundle_validates(name: str, good: Files) -> None:
    validator = Draft202012Validator(schema(name))
    found = values(good, name)
    assert found or name == "observations.jsonl"
    for value in found:
        validator.validate(value)


def test_every_schema_is_one_and_is_listed() -> None:
    assert {entry.name for entry in FOLDER.iterdir() if entry.name.endswith(".json")} == set(SCHEMAS.values())
    for name in SCHEMAS:
        Draft202012Validator.check_schema(schema(name))


CLOSED = [name for name in SCHEMAS if name != "observations.jsonl"]


@pytest.mark.parametrize("name", CLOSED)
def test_a_key_more_or_a_needed_key_less_is_no_longer_valid(name: str, good: Files) -> None:
    validator, value = Draft202012Validator(schema(name)), values(good, name)[0]
    assert not validator.is_valid({**value, "surprise": 1})
    for key in schema(name)["required"]:
        assert not validator.is_valid({other: inner for other, inner in value.items() if other != key}), key


def test_no_observation_is_valid_in_a_fair_run() -> None:
    assert not Draft202012Validator(schema("observations.jsonl")).is_valid({})


@pytest.mark.parametrize(("name", "shape"), [("items.jsonl", ITEM_SHAPE), ("calls.jsonl", CALL_SHAPE)])
def test_a_row_s_schema_has_the_keys_the_reader_asks_for(name: str, shape: Any) -> None:
    assert set(schema(name)["properties"]) == set(shape) == set(schema(name)["required"])


def test_the_schemas_words_are_the_code_s() -> None:
    assert schema("items.jsonl")["properties"]["outcome"]["enum"] == list(Outcome)
    assert schema("calls.jsonl")["properties"]["status"]["enum"] == list(CallStatus)
    assert set(schema("result.json")["properties"]["outcomes"]["required"]) == set(Outcome)


PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "bundle.md").read_text(encoding="utf-8")


def keys_of(part: Any) -> set[str]:
    """Every key that a schema names, at any depth."""
    if isinstance(part, list):
        return {name for inner in part for name in keys_of(inner)}
    if not isinstance(part, dict):
        return set()
    named = set(part["properties"]) if isinstance(part.get("properties"), dict) else set()
    return named | {name for inner in part.values() for name in keys_of(inner)}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_page_of_the_format_names_every_key(name: str) -> None:
    """FND-05: docs/reference/bundle.md has the file and each of its keys."""
    assert f"## {name.split('/', maxsplit=1)[0]}" in PAGE
    words = set(re.findall(r"[a-z_0-9]+", " ".join(re.findall(r"`([^`]+)`", PAGE))))
    outcomes = set(Outcome)  # they have a page of their own
    assert keys_of(schema(name)) - words - outcomes == set()
