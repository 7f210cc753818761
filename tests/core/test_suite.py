"""Suite folders: what is read, and what each refusal says (FND-04, RUN-03, RUN-11)."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from making import HEADER, suite_files, sum_item
from trigpoint.core.errors import BundleError, SuiteError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.suite import Suite, load_suite, pin_of, suite_digest

BY_FILE = {
    "suite.toml": b"""\
format = "trigpoint-suite/1"
id = "small"
version = "2026.1"
title = "Small"
method = "fair-run"
licence = "CC0-1.0"
scoring = "macro-average/1"
contract = "final-answer"
system = "Be brief."
note = "A trial."
[[categories]]
id = "a"
title = "First kind"
weight = "1/3"
[[categories]]
id = "b"
weight = 0.5
""",
    "items/a-1.toml": b"""\
id = "a-1"
category = "a"
weight = 2
note = "what it probes"
[grader]
rule = "value/1"
kind = "number"
expected = 4.5
""",
    "prompts/a-1.md": b"\r\nHalf of nine?\r\n\r\n",
    "items/b-1.toml": b"""\
id = "b-1"
category = "b"
contract = "json"
prompt = "Give JSON."
[grader]
rule = "json_fields/1"
expected_json = '{"n": null, "x": 0.10}'
""",
}


def changed(path: str, old: str, new: str) -> dict[str, bytes]:
    """The files with one text replaced (it must stand there)."""
    text = BY_FILE[path].decode()
    assert old in text
    return {**BY_FILE, path: text.replace(old, new).encode()}


def load(files: dict[str, bytes]) -> Suite:
    return load_suite(MemoryFiles(files))


def test_a_folder_written_by_hand_is_read_to_the_last_field() -> None:
    """FND-04: TOML header, one file an item, prompts as Markdown."""
    suite = load(BY_FILE)
    first, second = suite.items()
    assert (suite.id, suite.version, suite.title, suite.licence, suite.count) == (
        "small",
        "2026.1",
        "Small",
        "CC0-1.0",
        2,
    )
    assert [(c.id, c.title, c.weight) for c in suite.categories] == [
        ("a", "First kind", Fraction(1, 3)),
        ("b", "b", Fraction(1, 2)),
    ]
    assert (suite.system, suite.note) == ("Be brief.", "A trial.")
    assert (first.id, first.index, first.weight, first.contract) == ("a-1", 0, 2, "final-answer")
    assert first.prompt == "Half of nine?"
    assert str(first.grader.expected) == "4.5"
    assert (second.contract, second.weight, second.index) == ("json", 1, 1)
    assert second.grader.expected["n"] is None
    assert str(second.grader.expected["x"]) == "0.10"  # decimals stay as written


def test_items_are_the_same_at_each_reading() -> None:
    suite = load(BY_FILE)
    assert list(suite.items()) == list(suite.items())


def test_lines_and_files_give_the_same_items() -> None:
    """FND-04: items.jsonl, or one file an item."""
    lines = load(suite_files([sum_item(n) for n in range(3)]))
    tables = [
        (
            item["id"],
            f'id = "{item["id"]}"\ncategory = "sum"\nprompt = "{item["prompt"]}"\n[grader]\nrule = "exact/1"\n'
            f'expected = "{item["grader"]["expected"]}"\n',
        )
        for item in (sum_item(n) for n in range(3))
    ]
    header = (HEADER + '[[categories]]\nid = "sum"\n').encode()
    files = load({"suite.toml": header, **{f"items/{name}.toml": text.encode() for name, text in tables}})
    assert list(lines.items()) == list(files.items())


def test_every_byte_of_every_file_but_the_pin_is_in_the_digest() -> None:
    """RUN-03: inputs, graders, weights and categories make the suite's digest."""
    digest = load(BY_FILE).digest
    assert digest == suite_digest(MemoryFiles(BY_FILE))
    for path, data in BY_FILE.items():
        for place in (0, len(data) // 2, len(data) - 1):
            flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
            assert suite_digest(MemoryFiles({**BY_FILE, path: flipped})) != digest
    assert suite_digest(MemoryFiles({**BY_FILE, "README.md": b""})) != digest
    assert suite_digest(MemoryFiles({**BY_FILE, "pin.json": b"x"})) == digest


def test_a_pinned_suite_loads_and_a_changed_one_is_refused() -> None:
    """FND-04: the loader refuses a mismatch."""
    pin = json.dumps(pin_of(load(BY_FILE))).encode()
    assert load({**BY_FILE, "pin.json": pin}).digest == load(BY_FILE).digest
    with pytest.raises(SuiteError, match=r"pin\.json: sha256.*not the pinned one"):
        load({**changed("prompts/a-1.md", "nine", "ten"), "pin.json": pin})
    with pytest.raises(SuiteError, match="another format"):
        load({**BY_FILE, "pin.json": b'{"format":"other"}'})


REFUSED = [
    (
        'format = "trigpoint-suite/1"',
        'format = "trigpoint-suite/9"',
        "suite.toml",
        "suite.toml:1: format",
        "trigpoint-suite/1",
    ),
    ('method = "fair-run"', 'method = "quiz"', "suite.toml", "suite.toml:5: method", "one of fair-run"),
    ('scoring = "macro-average/1"', 'scoring = "sum"', "suite.toml", "suite.toml:7: scoring", "macro-average/1"),
    ('contract = "final-answer"', 'contract = "chat"', "suite.toml", "suite.toml:8: contract", "one of final-answer"),
    ('licence = "CC0-1.0"', "licence = 3", "suite.toml", "suite.toml:6: licence", "a text"),
    ('id = "small"', 'id = "../x"', "suite.toml", "suite.toml:2: id", "letters, digits"),
    ("weight = 0.5", "weight = 0", "suite.toml", "categories: weight", "a number > 0"),
    ('weight = "1/3"', 'weight = "a third"', "suite.toml", "categories: weight", "a number > 0"),
    ('id = "b"', 'id = "a"', "suite.toml", "categories", "same id"),
    ('title = "Small"', 'titel = "Small"', "suite.toml", "titel", "unknown field"),
    ('title = "Small"', "title = 2026-01-31", "suite.toml", "suite.toml.title", "bare date"),
    ('[[categories]]\nid = "b"', "[[categories", "suite.toml", "suite.toml", "not TOML"),
    ('category = "a"', 'category = "c"', "items/a-1.toml", "items/a-1.toml:2: category", "one of a, b"),
    ('id = "a-1"', 'id = "a-2"', "items/a-1.toml", "items/a-1.toml: id", "file name differ"),
    ("weight = 2", "weight = true", "items/a-1.toml", "items/a-1.toml:3: weight", "a number > 0"),
    ('rule = "value/1"', 'rule = "guess/1"', "items/a-1.toml", "items/a-1.toml", "exact/1"),
    ("expected = 4.5", "", "items/a-1.toml", "items/a-1.toml:5: grader", "expected_json"),
    ("expected = 4.5", "expected = 4.5\nexpected_json = '4'", "items/a-1.toml", "items/a-1.toml:5: grader", "both"),
    ("expected = 4.5", "expected = 4.5\ntolerence = 1", "items/a-1.toml", "items/a-1.toml", "tolerence"),
    ("[grader]", "[marker]", "items/a-1.toml", "marker", "unknown field"),
    ('{"n": null, "x": 0.10}', '{"n": 1, "n": 2}', "items/b-1.toml", "expected_json", "twice"),
    ('prompt = "Give JSON."', "", "items/b-1.toml", "items/b-1.toml", "prompts/b-1.md"),
    ('prompt = "Give JSON."', 'prompt = "  "', "items/b-1.toml", "items/b-1.toml:4: prompt", "a text"),
    ("Half of nine?", " ", "prompts/a-1.md", "prompts/a-1.md", "empty prompt"),
]


@pytest.mark.parametrize(("old", "new", "path", "where", "said"), REFUSED, ids=[f"{r[2]} {r[1]}"[:50] for r in REFUSED])
def test_a_refusal_names_file_line_and_field(old: str, new: str, path: str, where: str, said: str) -> None:
    """RUN-11: errors name file, line, field, and what was expected."""
    with pytest.raises((SuiteError, BundleError)) as caught:
        load(changed(path, old, new))
    assert where in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param({"items.jsonl": b"{}"}, "both", id="items in two places"),
        pytest.param({"notes.txt": b""}, "no suite has", id="an unknown file"),
        pytest.param({"items/deep/x.toml": b""}, "no suite has", id="a folder too deep"),
        pytest.param({"prompts/zz.md": b"x"}, "prompt of no item", id="a prompt of no item"),
        pytest.param({"items/c.toml": b"\xff"}, "not UTF-8", id="bytes that are no text"),
    ],
)
def test_a_folder_with_something_else_in_it_is_refused(files: dict[str, bytes], said: str) -> None:
    with pytest.raises((SuiteError, BundleError), match=said):
        load({**BY_FILE, **files})


@pytest.mark.parametrize("missing", ["suite.toml", "prompts/a-1.md"])
def test_a_folder_with_something_missing_is_refused(missing: str) -> None:
    with pytest.raises(SuiteError):
        load({path: data for path, data in BY_FILE.items() if path != missing})


def test_a_category_without_items_is_refused() -> None:
    with pytest.raises(SuiteError, match="category without items"):
        load({path: data for path, data in BY_FILE.items() if path != "items/b-1.toml"})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"id":"sum-000000","category":"sum","prompt":"p","grader":{"rule":"exact/1","expected":"1"}}', "same id"),
        (b"[1]", "a JSON object"),
        (b'{"id":"x","id":"y"}', "twice"),
        (b'{"id": NaN}', "isn't finite"),
        (b"{" + b'"a":{' * 80, "nested too deeply"),
        (b"nonsense", "not JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number(line: bytes, said: str) -> None:
    """RUN-11: the line is named."""
    files = suite_files([sum_item(0), sum_item(1)])
    files["items.jsonl"] += line + b"\n"
    with pytest.raises(SuiteError, match=said) as caught:
        load_suite(MemoryFiles(files))
    assert "items.jsonl" in str(caught.value)
    assert said == "same id" or "items.jsonl:3" in str(caught.value)
