"""`suite draw plan|commit|reveal|verify`, the whole way and every refusal (RUN-12)."""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from trigpoint.cli.main import cli, main
from trigpoint.core.errors import OperatorError, RefusedError, SuiteError, TrigpointError

PLAN = """\
format = "trigpoint-plan/1"
id = "season"
version = "1.0.0"
title = "Season"
licence = "CC0-1.0"
scoring = "macro-average/1"

[[parts]]
generator = "orderings/1"
category = "reasoning"
count = 2

[[parts]]
generator = "ledgers/1"
category = "extraction"
count = 2
settings = { orders = 3, changes = 2 }
"""


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(part) for part in arguments], standalone_mode=False)


def draw(*arguments: object) -> Result:
    return call("suite", "draw", *arguments)


def secret_file() -> Path:
    return Path(os.environ["TRIGPOINT_HOME"]) / "secrets" / "season-1.0.0.secret"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture
def commit(plan: Path) -> Path:
    path = plan.parent / "commit.json"
    assert draw("commit", plan, "-o", path).return_value == 0
    return path


@pytest.fixture
def suite(plan: Path, commit: Path) -> Path:
    folder = plan.parent / "season"
    done = draw("reveal", plan, "--commit", commit, "-o", folder)
    assert done.return_value == 0, done.exception
    return folder


class TestTheWholeWay:
    def test_from_a_starting_plan_to_a_run_with_right_answers(self, tmp_path: Path) -> None:
        """RUN-12: plan, commit, reveal, verify, check, run with the reference replies: 100.0."""
        plan, commit, folder = tmp_path / "autumn.toml", tmp_path / "commit.json", tmp_path / "autumn"
        assert draw("plan", plan).return_value == 0
        plan.write_text(plan.read_text("utf-8").replace("count = 6", "count = 2"), encoding="utf-8")
        assert draw("commit", plan, "-o", commit).return_value == 0
        assert draw("reveal", plan, "--commit", commit, "-o", folder).return_value == 0
        verified = draw("verify", folder, "--commit", commit)
        assert (verified.return_value, verified.output.count("holds: ")) == (0, 2)
        checked = call("suite", "check", folder)
        assert checked.return_value == 0
        assert "4 items, pinned" in checked.output
        assert "36 reference replies, 0 graded otherwise" in checked.output
        replies = tmp_path / "replies.jsonl"
        with replies.open("w", encoding="utf-8") as stream:
            for path in sorted((folder / "references").iterdir()):
                right = tomllib.loads(path.read_text("utf-8"))["right"][1]["reply"]
                stream.write(json.dumps({"item": path.stem, "reply": right}) + "\n")
        out = tmp_path / "bundle"
        done = call("run", folder, "--model", f"replay/{replies}", "--out", out, "--quiet", "--json")
        assert done.return_value == 0, done.exception
        assert json.loads((out / "result.json").read_text("utf-8"))["score"]["shown"] == "100.0"
        assert call("verify", out).return_value in (0, 3)

    def test_a_published_commitment_draws_the_same_files_again(self, suite: Path, plan: Path, commit: Path) -> None:
        again = plan.parent / "again"
        draw("reveal", plan, "--commit", commit, "-o", again)
        for path in (path.relative_to(suite) for path in suite.rglob("*") if path.is_file()):
            assert (again / path).read_bytes() == (suite / path).read_bytes()

    def test_two_homes_draw_different_items(self, plan: Path, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """RUN-12: the secret alone decides the items of one plan."""
        monkeypatch.setenv("TRIGPOINT_HOME", str(plan.parent / "another-home"))
        commit, folder = plan.parent / "other.json", plan.parent / "other"
        draw("commit", plan, "-o", commit)
        draw("reveal", plan, "--commit", commit, "-o", folder)
        for path in (suite / "prompts").iterdir():
            assert path.read_bytes() != (folder / "prompts" / path.name).read_bytes()


class TestCommit:
    def test_the_secret_is_its_owners_alone(self, commit: Path) -> None:
        """RUN-12: mode 0600 in a folder of mode 0700."""
        assert stat.S_IMODE(secret_file().stat().st_mode) == 0o600
        assert stat.S_IMODE(secret_file().parent.stat().st_mode) == 0o700

    def test_the_folder_is_closed_when_it_was_open(self, plan: Path) -> None:
        secret_file().parent.mkdir(parents=True, mode=0o755)
        draw("commit", plan, "-o", plan.parent / "c.json")
        assert stat.S_IMODE(secret_file().parent.stat().st_mode) == 0o700

    def test_nothing_of_the_secret_is_printed_or_published(self, plan: Path) -> None:
        """RUN-12: not as text, not as bytes, not in part (8 of its digits in a row, forwards or backwards)."""
        out = plan.parent / "commit.json"
        done = draw("commit", plan, "-o", out)
        secret = secret_file().read_text("ascii").strip()
        told = done.output + out.read_text("utf-8")
        pieces = {text[at : at + 8] for text in (secret, secret[::-1]) for at in range(57)}
        assert not [piece for piece in pieces if piece in told.lower()]
        assert base64.b64encode(bytes.fromhex(secret)).decode()[:10] not in told
        assert bytes.fromhex(secret) not in out.read_bytes()
        assert sorted(json.loads(out.read_text("utf-8"))) == ["format", "plan", "plan_sha256", "secret_sha256"]

    def test_a_second_commitment_is_refused_and_changes_nothing(self, plan: Path, commit: Path) -> None:
        """With two commitments one could choose which to reveal."""
        before = secret_file().read_bytes(), commit.read_bytes()
        other = plan.parent / "other.json"
        for path in (commit, other):
            done = draw("commit", plan, "-o", path)
            assert isinstance(done.exception, OperatorError)
        assert "a secret of this suite and version exists" in str(done.exception)
        assert (secret_file().read_bytes(), commit.read_bytes()) == before
        assert not other.exists()

    def test_no_secret_is_left_when_the_commitment_cannot_be_written(self, plan: Path) -> None:
        done = draw("commit", plan, "-o", plan.parent / "no-such-folder" / "commit.json")
        assert isinstance(done.exception, OperatorError)
        assert not secret_file().exists()

    def test_a_plan_that_is_none_names_file_and_field(self, plan: Path) -> None:
        plan.write_text(PLAN.replace("orderings/1", "orderings/9"), encoding="utf-8")
        done = draw("commit", plan)
        assert isinstance(done.exception, SuiteError)
        assert done.exception.where == "plan.toml: parts 1: generator"
        assert not secret_file().exists()

    def test_a_starting_plan_overwrites_nothing_and_wants_an_id(self, plan: Path) -> None:
        assert isinstance(draw("plan", plan).exception, OperatorError)
        assert plan.read_text("utf-8") == PLAN
        assert isinstance(draw("plan", plan.parent / "a b.toml").exception, SuiteError)
        assert draw("plan", plan.parent / "a b.toml", "--id", "ab").return_value == 0


class TestReveal:
    @pytest.mark.parametrize(
        ("old", "new", "field"),
        [
            pytest.param('title = "Season"', 'title = "Saison"', "plan.title", id="title"),
            pytest.param("count = 2", "count = 3", "plan.parts 1.count", id="count"),
            pytest.param("changes = 2", "changes = 3", "plan.parts 2.settings.changes", id="a setting"),
            pytest.param('"reasoning"', '"logic"', "plan.parts 1.category", id="category"),
        ],
    )
    def test_another_plan_is_refused_with_its_field(
        self, plan: Path, commit: Path, old: str, new: str, field: str
    ) -> None:
        """RUN-12."""
        plan.write_text(PLAN.replace(old, new, 1), encoding="utf-8")
        done = draw("reveal", plan, "--commit", commit, "-o", plan.parent / "out")
        assert isinstance(done.exception, OperatorError)
        assert field in done.exception.where
        assert not (plan.parent / "out").exists()

    def test_a_comment_in_the_plan_changes_nothing(self, plan: Path, commit: Path) -> None:
        plan.write_text("# published in spring\n" + PLAN, encoding="utf-8")
        assert draw("reveal", plan, "--commit", commit, "-o", plan.parent / "out").return_value == 0

    def test_another_secret_is_refused_and_not_shown(self, plan: Path, commit: Path) -> None:
        secret_file().write_text("0" * 64)
        done = draw("reveal", plan, "--commit", commit, "-o", plan.parent / "out")
        assert "the secret is not the committed one" in str(done.exception)
        assert "000000" not in str(done.exception) + done.output

    def test_a_spoilt_secret_is_named_by_its_file_and_not_shown(self, plan: Path, commit: Path) -> None:
        secret_file().write_text("swordfish")
        done = draw("reveal", plan, "--commit", commit, "-o", plan.parent / "out")
        assert isinstance(done.exception, OperatorError)
        assert str(secret_file()) in str(done.exception)
        assert "swordfish" not in str(done.exception)

    def test_before_the_commitment_there_is_nothing_to_reveal(self, plan: Path) -> None:
        (plan.parent / "commit.json").write_text("{}")
        done = draw("reveal", plan, "--commit", plan.parent / "commit.json", "-o", plan.parent / "out")
        assert isinstance(done.exception, OperatorError)
        assert done.exception.where == str(secret_file())

    @pytest.mark.parametrize("text", ["{}", "[", '{"format": "trigpoint-commit/2"}'])
    def test_what_is_no_commitment_is_refused(self, plan: Path, commit: Path, text: str) -> None:
        commit.write_text(text)
        done = draw("reveal", plan, "--commit", commit, "-o", plan.parent / "out")
        assert isinstance(done.exception, TrigpointError)
        assert done.exception.exit_code == 2

    def test_a_folder_that_is_there_is_left_alone(self, plan: Path, commit: Path, suite: Path) -> None:
        before = (suite / "draw.json").read_bytes()
        done = draw("reveal", plan, "--commit", commit, "-o", suite)
        assert isinstance(done.exception, OperatorError)
        assert (suite / "draw.json").read_bytes() == before


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def tamper(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return tamper


def add_a_file(folder: Path) -> None:
    (folder / "README.md").write_text("hello")


class TestVerify:
    @pytest.mark.parametrize(
        ("tamper", "named"),
        [
            pytest.param(edit("suite.toml", 'title = "Season"', 'title = "season"'), "suite.toml:4: ", id="a title"),
            pytest.param(edit("prompts/reasoning-002.md", "- ", "* "), "prompts/reasoning-002.md:3: ", id="a prompt"),
            pytest.param(edit("items/extraction-001.toml", "weight = 1", "weight = 2"), ".toml:5: ", id="a weight"),
            pytest.param(edit("items/reasoning-001.toml", "expected = [", "expected = [ "), ":11: ", id="a space"),
            pytest.param(edit("references/reasoning-001.toml", "as asked", "asked"), ":3: ", id="a reference"),
            pytest.param(edit("pin.json", '"sha256": "', '"sha256": "0'), "pin.json:5: ", id="the pin"),
            pytest.param(
                edit("draw.json", '"plan_sha256": "', '"plan_sha256": "0'), "commitment.plan_sha256", id="draw"
            ),
            pytest.param(lambda folder: (folder / "prompts/extraction-002.md").unlink(), "is missing", id="one less"),
            pytest.param(add_a_file, "README.md: a file that the draw doesn't give", id="one more"),
        ],
    )
    def test_a_changed_file_is_named_with_its_line(
        self, suite: Path, tamper: Callable[[Path], None], named: str
    ) -> None:
        """RUN-12: exit code 1, file and line."""
        tamper(suite)
        done = draw("verify", suite)
        assert done.return_value == 1, done.exception
        assert any(named in line for line in done.output.splitlines()), done.output
        assert all(line.startswith("differs: ") for line in done.output.splitlines())

    def test_every_file_is_compared(self, suite: Path) -> None:
        files = [path for path in suite.rglob("*") if path.is_file()]
        assert json.loads(draw("verify", suite, "--json").output)["files"] == len(files) == 4 * 3 + 3
        for path in files:
            data = path.read_bytes()
            path.write_bytes(data + b"\n")
            assert draw("verify", suite).return_value == 1, path
            path.write_bytes(data)
        assert draw("verify", suite).return_value == 0

    def test_a_suite_drawn_whole_from_another_secret_is_caught_by_the_commitment_alone(
        self, suite: Path, plan: Path, commit: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without the published commitment nothing shows when the secret was chosen, and verify says so."""
        monkeypatch.setenv("TRIGPOINT_HOME", str(plan.parent / "another-home"))
        draw("commit", plan, "-o", plan.parent / "other.json")
        folder = plan.parent / "other"
        draw("reveal", plan, "--commit", plan.parent / "other.json", "-o", folder)
        alone = draw("verify", folder)
        assert (alone.return_value, "not compared: a commitment" in alone.output) == (0, True)
        against = draw("verify", folder, "--commit", commit)
        assert against.return_value == 1
        assert "the secret is not the committed one" in against.output

    def test_without_a_draw_the_exit_code_is_3(self, tmp_path: Path) -> None:
        call("suite", "new", tmp_path / "mine")
        assert draw("verify", tmp_path / "mine").return_value == 3
        members = json.loads(draw("verify", tmp_path / "mine", "--json").output)
        assert members == {"drawn": False, "differences": []}

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            pytest.param("trigpoint-draw/1", "trigpoint-draw/2", id="another format"),
            pytest.param('"secret": "', '"secret": "x', id="no secret"),
            pytest.param("orderings/1", "orderings/7", id="an unknown generator"),
            pytest.param('"format"', "format", id="no JSON"),
        ],
    )
    def test_a_draw_that_cannot_be_drawn_is_refused(self, suite: Path, old: str, new: str) -> None:
        """FND-14: exit code 2."""
        edit("draw.json", old, new)(suite)
        done = draw("verify", suite)
        assert isinstance(done.exception, TrigpointError)
        assert done.exception.exit_code == 2

    def test_a_commitment_too_large_is_refused(self, suite: Path, tmp_path: Path) -> None:
        (tmp_path / "large.json").write_bytes(b" " * (1024 * 1024 + 1))
        assert isinstance(draw("verify", suite, "--commit", tmp_path / "large.json").exception, RefusedError)


# The pages about making suites: their files are written, their commands are run, their outputs are compared.

PAGES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
DIGEST = re.compile(r"[0-9a-f]{64}")


def write_files(page: str) -> None:
    """Every block under a line that is one file's name in code marks."""
    for name, body in re.findall(r"^`([\w/.-]+)`\n\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(body, encoding="utf-8")


def output_of(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """(exit code, lines of both outputs) of a command as typed."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command)[1:])
    told = capsys.readouterr()
    return int(ended.value.code or 0), (told.out + told.err).splitlines()


def unshown(shown: list[str], told: list[str]) -> list[str]:
    """The first shown line that doesn't come in its order; `…` stands for any lines, digests may be others."""
    ahead = iter([DIGEST.sub("#", line) for line in told])
    for line in shown:
        if line != "…" and DIGEST.sub("#", line) not in ahead:
            return [line, *told]
    return []


@pytest.mark.parametrize("name", ["make-a-suite.md", "draw-a-seasonal-suite.md"])
def test_the_commands_of_a_page_say_what_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """RUN-11, RUN-12: a suite by hand from nothing to a verified bundle, and a drawn one, as the how-tos have it."""
    monkeypatch.chdir(tmp_path)
    page = (PAGES / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(\$ trigpoint .*?)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    for place, (command, shown) in enumerate(blocks):
        code, told = output_of(command.removeprefix("$ "), capsys)
        assert (code, unshown(shown.splitlines(), told)) == (0, []), command
        if place == 0:
            write_files(page)


def test_the_mistake_that_the_page_shows_is_said_like_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """RUN-11: file, line, field, and what was expected."""
    monkeypatch.chdir(tmp_path)
    page = (PAGES / "make-a-suite.md").read_text(encoding="utf-8")
    output_of("trigpoint suite new tides", capsys)
    write_files(page)
    edit("items/reading-03.toml", '"reading"', '"readin"')(tmp_path / "tides")
    code, told = output_of("trigpoint suite check tides", capsys)
    assert code == 2
    assert "```\n" + "\n".join(told) + "\n```" in page
