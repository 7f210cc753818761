"""The commands around a run, and how errors are said (FND-13, FND-14, RUN-06, RUN-11)."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from making import sum_item, write_suite
from trigpoint.cli.main import COMMANDS, cli, main
from trigpoint.core.errors import OperatorError, TrigpointError
from trigpoint.core.verify.disk import FolderFiles
from trigpoint.core.verify.verifier import verify as verify_files


def call(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, [str(part) for part in arguments], input=stdin, standalone_mode=False)


def recorded(tmp_path: Path, name: str, replies: dict[str, str], *more: object, items: int = 4) -> Path:
    """A bundle made by replaying replies."""
    suite = tmp_path / "suite"
    if not suite.exists():
        write_suite(suite, [sum_item(number) for number in range(items)])
    source = tmp_path / f"{name}.jsonl"
    source.write_text("".join(json.dumps({"item": item, "reply": reply}) + "\n" for item, reply in replies.items()))
    out = tmp_path / name
    done = call("run", suite, "--model", f"replay/{source}", "--out", out, "--quiet", *more)
    assert done.exception is None, done.output
    return out


def right(items: int = 4) -> dict[str, str]:
    return {sum_item(n)["id"]: sum_item(n)["grader"]["expected"] for n in range(items)}


class TestSuite:
    def test_a_new_suite_checks_and_runs_at_once(self, tmp_path: Path) -> None:
        """RUN-11: `suite new`, `suite check`, `suite show`, `suite pin`."""
        folder = tmp_path / "mine"
        assert call("suite", "new", folder).return_value == 0
        checked = call("suite", "check", folder)
        assert checked.return_value == 0, checked.output
        assert "5 reference replies, 0 graded otherwise" in checked.output
        assert "not pinned" in checked.output
        assert call("suite", "pin", folder).return_value == 0
        assert " pinned" in call("suite", "check", folder).output
        shown = call("suite", "show", folder, "sum-01", "--keys").output
        assert "How many jars are whole?" in shown
        assert "Expected (value/1): 42" in shown

    def test_a_pinned_suite_that_changed_is_refused(self, tmp_path: Path) -> None:
        """FND-04."""
        folder = tmp_path / "mine"
        call("suite", "new", folder)
        call("suite", "pin", folder)
        (folder / "prompts" / "sum-01.md").write_text("Another question?")
        done = call("suite", "check", folder)
        assert isinstance(done.exception, TrigpointError)
        assert "not the pinned one" in str(done.exception)

    def test_a_reference_reply_graded_otherwise_is_named_and_ends_with_1(self, tmp_path: Path) -> None:
        folder = tmp_path / "mine"
        call("suite", "new", folder)
        references = folder / "references" / "sum-01.toml"
        references.write_text('[[right]]\nreply = "ANSWER: 41"\n')
        done = call("suite", "check", folder)
        assert done.return_value == 1
        assert "references/sum-01.toml: right 1: expected correct 1, graded incorrect 0" in done.output
        members = json.loads(call("suite", "check", folder, "--json").output)
        assert members["wrong"][0]["where"] == "references/sum-01.toml: right 1"

    def test_nothing_is_overwritten_by_new(self, tmp_path: Path) -> None:
        assert isinstance(call("suite", "new", tmp_path).exception, OperatorError)

    def test_show_lists_items_without_their_keys(self) -> None:
        shown = call("suite", "show", "core-v1", "--json").output
        members = json.loads(shown)
        assert len(members["items"]) == 24
        assert all("expected" not in item for item in members["items"])
        assert isinstance(call("suite", "show", "core-v1", "no-such").exception, OperatorError)


class TestTuple:
    def test_one_changed_field_is_named_and_nothing_else(self, tmp_path: Path) -> None:
        """RUN-06: shows which fields of two runs differ."""
        one = recorded(tmp_path, "one", right())
        two = recorded(tmp_path, "one-again", right())
        done = call("tuple", one, two, "--json")
        assert done.return_value == 1
        assert [part["field"] for part in json.loads(done.output)["differences"]] == ["model.id"]

    def test_the_same_tuple_says_so(self, tmp_path: Path) -> None:
        one = recorded(tmp_path, "one", right())
        done = call("tuple", one, one)
        assert done.return_value == 0
        assert "no field differs" in done.output
        assert "model.revision" in done.output  # unknown in both

    def test_one_bundle_alone_shows_each_field_with_its_source(self, tmp_path: Path) -> None:
        """RUN-01: declared, observed, default or unknown."""
        shown = call("tuple", recorded(tmp_path, "one", right())).output
        assert "(unknown)" in shown
        assert "(observed)" in shown
        assert "(default)" in shown


class TestGrade:
    ROWS = (
        '{"rule": "exact", "expected": "Mia", "reply": "Mia"}\n'
        '{"rule": "exact", "expected": "Mia", "reply": "Mio"}\n\n'
        '{"rule": "json_fields", "expected": {"a": 1, "b": 2}, "reply": "{\\"a\\": 1, \\"b\\": 3}"}\n'
    )

    def test_a_line_for_a_line_in_order(self) -> None:
        """DESIGN: outcomes by the names of FND-10."""
        done = call("grade", stdin=self.ROWS)
        grades = [json.loads(line) for line in done.output.splitlines()]
        assert [(g["outcome"], g["credit"]) for g in grades] == [("correct", 1), ("incorrect", 0), ("partial", 0.5)]
        assert all(set(grade) == {"outcome", "credit", "reason"} for grade in grades)

    @pytest.mark.parametrize(
        ("row", "said"),
        [("nonsense", "not JSON"), ('{"rule": "guess", "expected": 1, "reply": ""}', "guess"), ("[]", "line 1")],
    )
    def test_a_row_that_cannot_be_graded_is_named_by_its_line(self, row: str, said: str) -> None:
        done = call("grade", stdin=row + "\n")
        assert isinstance(done.exception, OperatorError)
        assert "line 1" in str(done.exception)
        assert said in str(done.exception)


class TestDoctor:
    def test_it_says_what_is_in_force_and_where_it_comes_from(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """FND-13: flag, environment, file, default."""
        home = Path(os.environ["TRIGPOINT_HOME"])
        home.mkdir(parents=True)
        (home / "trigpoint.toml").write_text('concurrency = 3\nmodel = "openai/from-file"\n')
        monkeypatch.setenv("TRIGPOINT_MODEL", "openai/from-environment")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
        monkeypatch.setenv("TRIGPOINT_DATABASE_URL", "postgresql://me:hidden@127.0.0.1/x")
        done = call("doctor", "--json")
        facts = {fact["name"]: fact for fact in json.loads(done.output)["facts"]}
        assert facts["home"]["source"] == "environment TRIGPOINT_HOME"
        assert (facts["model"]["value"], facts["model"]["source"]) == (
            "openai/from-environment",
            "environment TRIGPOINT_MODEL",
        )
        assert (facts["concurrency"]["value"], facts["concurrency"]["source"]) == ("3", f"file {home}/trigpoint.toml")
        assert facts["base_url"]["source"] == "default"
        assert facts["OPENAI_API_KEY"]["value"] == "set"
        assert "sk-secret" not in done.output
        assert "hidden" not in done.output

    def test_an_unknown_setting_is_refused_by_name(self) -> None:
        home = Path(os.environ["TRIGPOINT_HOME"])
        home.mkdir(parents=True)
        (home / "trigpoint.toml").write_text("modell = 1\n")
        done = call("run", "--dry-run")
        assert isinstance(done.exception, OperatorError)
        assert "modell" in str(done.exception)


class TestSign:
    KEY = "11" * 32

    def test_a_signed_bundle_is_anchored_by_its_key(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """FND-33, FND-34: signed by cryptography, verified in core."""
        bundle = recorded(tmp_path, "one", right())
        before = (bundle / "manifest.json").read_bytes()
        monkeypatch.setenv("TRIGPOINT_SIGNING_KEY", self.KEY)
        assert call("sign", bundle).return_value == 0
        (signature,) = (bundle / "signatures").iterdir()
        key = json.loads(signature.read_text())["key"]
        report = verify_files(FolderFiles(str(bundle)))
        assert report.exit_code == 0
        assert report.lines()[-1] == f"anchored by signature {key}"
        assert (bundle / "manifest.json").read_bytes() == before
        assert all(self.KEY.encode() not in path.read_bytes() for path in bundle.rglob("*") if path.is_file())
        assert isinstance(call("sign", bundle).exception, OperatorError)  # the same key signs once

    @pytest.mark.parametrize("key", ["", "zz", "11" * 31])
    def test_another_key_form_is_refused_without_showing_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
    ) -> None:
        bundle = recorded(tmp_path, "one", right())
        monkeypatch.setenv("TRIGPOINT_SIGNING_KEY", key)
        done = call("sign", bundle)
        assert isinstance(done.exception, OperatorError)
        assert not key or key not in str(done.exception)

    def test_a_bundle_that_does_not_verify_is_not_signed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        bundle = recorded(tmp_path, "one", right())
        items = bundle / "items.jsonl"
        items.write_bytes(items.read_bytes().replace(b"correct", b"partial", 1))
        monkeypatch.setenv("TRIGPOINT_SIGNING_KEY", self.KEY)
        assert call("sign", bundle).return_value == 1
        assert not (bundle / "signatures").exists()


class TestErrors:
    def ended(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        return int(str(caught.value.code)), capsys.readouterr().err

    def test_an_operator_error_names_its_parts_and_ends_with_2(self, capsys: pytest.CaptureFixture[str]) -> None:
        """FND-14, STYLE: what, where, expected, found, next."""
        code, said = self.ended(capsys, "run", "no-such-suite")
        assert code == 2
        assert "no such suite" in said
        assert "where: no-such-suite" in said
        assert "next:" in said
        assert "Traceback" not in said

    def test_with_json_the_error_is_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, said = self.ended(capsys, "run", "no-such-suite", "--json")
        assert code == 2
        assert json.loads(said)["error"]["who"] == "operator"

    @pytest.mark.parametrize("arguments", [("run", "--repeats", "0"), ("nonsense",), ("run", "--no-such")])
    def test_usage_ends_with_2(self, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
        assert self.ended(capsys, *arguments)[0] == 2

    def test_every_command_loads(self) -> None:
        for name in COMMANDS:
            assert call(name, "--help").exit_code == 0


def test_the_version_is_the_package_s() -> None:
    from trigpoint import __version__

    assert call("--version").output == f"trigpoint {__version__}\n"
    assert tomllib.loads(Path("pyproject.toml").read_text())["project"]["name"] == "trigpoint"


def test_a_dry_run_asks_nothing_and_says_what_the_run_could_show(tmp_path: Path) -> None:
    """FND-15: calls, tokens (estimated), and the smallest difference the run could show."""
    members = json.loads(
        call(
            "run", "core-v1", "--model", "openai/m", "--dry-run", "--repeats", 2, "--max-output-tokens", 100, "--json"
        ).output
    )
    assert (members["items"], members["calls"], members["output_tokens_at_most"]) == (24, 48, 4800)
    assert members["input_tokens_estimated"] > 2000
    assert 0 < float(members["smallest_visible_difference"]) < 100
    assert list(tmp_path.iterdir()) == []
