"""What options take, which base URL holds, and how a dry run and a summary say it (FND-13 … 15, RUN-11, RUN-53)."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from making import HEADER, suite_files, sum_item, write_suite
from trigpoint.cli.main import CONTEXT, cli, main
from trigpoint.cli.options import base_url_in_force
from trigpoint.cli.run import order_from, run
from trigpoint.cli.summary import categories, summary
from trigpoint.core.canonical import canonical_loads, strict_loads
from trigpoint.core.errors import CanonicalError, OperatorError, TrigpointError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.suite import load_suite
from trigpoint.pipeline import Live
from trigpoint.running import Ended

BOM = b"\xef\xbb\xbf"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(part) for part in arguments], standalone_mode=False)


def order(*arguments: str) -> Any:
    """The order of `trigpoint run` with these arguments."""
    return order_from(run.make_context("run", list(arguments), parent=click.Context(cli, **CONTEXT)).params)


def configured(text: str) -> None:
    home = Path(os.environ["TRIGPOINT_HOME"])
    home.mkdir(parents=True)
    (home / "trigpoint.toml").write_text(text)


WIRES = [
    ("openai/m", "OPENAI_BASE_URL"),
    ("openai-responses/m", "OPENAI_BASE_URL"),
    ("anthropic/m", "ANTHROPIC_BASE_URL"),
    ("gemini/m", "GOOGLE_GEMINI_BASE_URL"),
]


@pytest.mark.parametrize(("model", "variable"), WIRES)
def test_flag_environment_file_in_this_order(monkeypatch: pytest.MonkeyPatch, model: str, variable: str) -> None:
    """FND-13: the provider's own variable is environment, so it beats the file; ours is the nearer one."""
    configured('base_url = "http://file/v1"\n')
    assert order("--model", model).target.base_url == "http://file/v1"
    monkeypatch.setenv(variable, " ")
    assert order("--model", model).target.base_url == "http://file/v1"
    monkeypatch.setenv(variable, "http://provider/v1")
    assert order("--model", model).target.base_url is None  # the respondent reads its variable
    assert base_url_in_force(model).source == f"environment {variable}"
    assert order("--model", "local").target.base_url == "http://file/v1"
    monkeypatch.setenv("TRIGPOINT_BASE_URL", "http://ours/v1")
    assert order("--model", model).target.base_url == "http://ours/v1"
    assert order("--model", model, "--base-url", "http://flag/v1").target.base_url == "http://flag/v1"


@pytest.mark.parametrize("text", ["model = 5", 'model = "openai/m"\nbase_url = 5'])
def test_a_setting_that_must_be_a_text_is_refused_by_name(text: str) -> None:
    configured(text)
    done = call("run", "--dry-run")
    assert isinstance(done.exception, OperatorError)
    assert 'expected a text, found "5"' in str(done.exception)


@pytest.mark.parametrize("option", ["--temperature", "--top-p", "--timeout", "--rate", "--budget-seconds"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "-nan"])
def test_a_number_that_is_not_finite_is_usage(capsys: pytest.CaptureFixture[str], option: str, value: str) -> None:
    """FND-14: exit 2, the option named."""
    with pytest.raises(SystemExit) as ended:
        main(["run", "--dry-run", f"{option}={value}"])
    assert ended.value.code == 2
    assert f"'{option}'" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["", "ab", "g" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n", "٠" * 64])
def test_a_digest_is_64_hexadecimal_digits(capsys: pytest.CaptureFixture[str], value: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--dry-run", "--artifact-sha256", value])
    assert ended.value.code == 2
    assert "'--artifact-sha256'" in capsys.readouterr().err


def test_upper_case_digits_are_lowered() -> None:
    assert order("--artifact-sha256", "AB" * 32).target.declared == {"artifact_sha256": "ab" * 32}


class TestDryRun:
    """FND-15."""

    def suite(self, tmp_path: Path) -> Path:
        return write_suite(tmp_path / "suite", [sum_item(number) for number in range(10)])

    def test_an_unknown_wire_is_refused_as_by_the_run(self, tmp_path: Path) -> None:
        suite = self.suite(tmp_path)
        dry, wet = (call("run", suite, "--model", "nobody/m", *more).exception for more in (["--dry-run"], []))
        assert isinstance(dry, OperatorError)
        assert str(dry) == str(wet)
        assert dry.exit_code == 2

    def test_an_out_that_exists_is_refused_unless_resumed(self, tmp_path: Path) -> None:
        asked = ["run", self.suite(tmp_path), "--model", "openai/m", "--dry-run", "--out", tmp_path / "out"]
        assert call(*asked).return_value == 0
        (tmp_path / "out").mkdir()
        assert isinstance(call(*asked).exception, OperatorError)
        (tmp_path / "out.unfinished").mkdir()
        assert isinstance(call(*asked).exception, OperatorError)
        assert call(*asked, "--resume").return_value == 0

    def test_a_budget_caps_the_calls(self, tmp_path: Path) -> None:
        asked = ["run", self.suite(tmp_path), "--model", "openai/m", "--dry-run", "--max-output-tokens", 7]
        said = call(*asked, "--budget-calls", 3).output
        assert "Calls    3 (10 items × 1, cut by --budget-calls), with every retry at most 3\n" in said
        assert "a run cut short by its budget leaves tasks at 0" in said
        assert "true difference" not in said
        whole, cut, same = (
            json.loads(call(*asked, "--json", *more).output)
            for more in ([], ["--budget-calls", 3], ["--budget-calls", 10])
        )
        assert (cut["calls"], cut["most_calls"], cut["output_tokens_at_most"]) == (3, 3, 21)
        assert 0 < cut["input_tokens_estimated"] < whole["input_tokens_estimated"]
        assert cut["smallest_visible_difference"] is None
        assert cut["cut_by_budget"]
        assert (whole["calls"], whole["most_calls"]) == (10, 40)
        assert same == {**whole, "most_calls": 10}


HOSTILE = "Sums\x1b[2J\u202egnp"


def test_titles_show_what_a_terminal_would_obey() -> None:
    (line,) = categories([{"title": HOSTILE, "shown": "100", "passed": 1, "items": 1}])
    assert line == "  Sums\\x1b[2J\\u202egnp    100  1 of 1 passed"


def test_the_next_commands_can_be_pasted(tmp_path: Path) -> None:
    """RUN-53: a path is one word for a shell, whatever stands in it."""
    place = tmp_path / "a b; 'c' $(d)"
    nothing = {"low": None, "high": None, "reason": "too few tasks"}
    result = {
        "suite": {"title": HOSTILE, "version": "1"},
        "notes": [],
        "categories": [{"title": "Sums", "shown": "100", "passed": 1, "items": 1}],
        "outcomes": {"correct": 1},
        "counts": {"items": 1, "rows": 1, "attempted": 1, "attempts": 1},
        "coverage": {"shown": "100"},
        "repeats": 1,
        "score": {"shown": "100"},
        "intervals": {"headline": nothing, "repeats": nothing},
    }
    said = summary(Ended(result=result, root="00", place=place, live=Live(total=1), reason=""), "replay/x")
    commands = [line.removeprefix("Next").strip() for line in said.splitlines() if " trigpoint " in line]
    assert [shlex.split(command) for command in commands] == [
        ["trigpoint", "verify", str(place)],
        ["trigpoint", "report", str(place), "-o", "report.html"],
    ]
    assert "\x1b" not in said
    assert "\u202e" not in said


@pytest.mark.parametrize("path", ["suite.toml", "items.jsonl", "pin.json", "items/sum-000000.toml"])
def test_a_byte_order_mark_is_named(path: str) -> None:
    """RUN-11: what, where, expected and what to do."""
    files = suite_files([sum_item(0)], HEADER)
    if path.startswith("items/"):
        del files["items.jsonl"]
    files[path] = BOM + files.get(path, b"{}")
    with pytest.raises(TrigpointError) as caught:
        load_suite(MemoryFiles(files))
    said = caught.value.parts()
    assert said.pop("where").startswith(path)
    del said["who"]  # a pin is a bundle's as much as the operator's
    assert said == {
        "what": "a byte order mark stands at the start",
        "expected": "UTF-8 without one",
        "next": "Save the file as UTF-8 without BOM.",
    }


@pytest.mark.parametrize("read", [strict_loads, canonical_loads])
def test_json_with_a_byte_order_mark_says_so(read: Any) -> None:
    with pytest.raises(CanonicalError, match=r"x\.json: a byte order mark stands at the start"):
        read(BOM + b"{}", where="x.json")
