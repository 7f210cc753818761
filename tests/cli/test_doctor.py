"""`trigpoint doctor`: what is in force, missing or wrong; exit 0 means that a plain run would work (FND-13)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from trigpoint.cli.main import cli
from trigpoint.respondents import local_install
from trigpoint.respondents.local_install import ModelState

NOTHING = ModelState(runtime=None, numpy=None, model=None, sha256=None)


@pytest.fixture(autouse=True)
def without_the_embedded_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same facts wherever the tests run, whether or not the model is installed there."""
    monkeypatch.setattr(local_install, "installed", lambda: NOTHING)


def write(text: str | bytes) -> Path:
    """trigpoint.toml in the test's home."""
    path = Path(os.environ["TRIGPOINT_HOME"]) / "trigpoint.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def doctor() -> tuple[int, dict[str, dict[str, str]]]:
    """(exit code, facts by name)."""
    done = CliRunner().invoke(cli, ["doctor", "--json"], standalone_mode=False)
    assert done.exception is None, done.exception
    said = json.loads(done.output)
    assert said["ready"] is (done.return_value == 0)
    return done.return_value, {fact["name"]: fact for fact in said["facts"]}


# model, environment → exit code, states
READY = [
    ("no key", "openai/m", {}, 1, {"key for openai/": "missing", "embedded model": "optional"}),
    ("a key", "openai/m", {"OPENAI_API_KEY": "k" * 20}, 0, {"key for openai/": "ok", "plain run": "ok"}),
    ("another's key", "gemini/m", {"OPENAI_API_KEY": "k" * 20}, 1, {"key for gemini/": "missing"}),
    ("the second key", "gemini/m", {"GOOGLE_API_KEY": "k" * 20}, 0, {"key for gemini/": "ok"}),
    ("own endpoint", "openai/m", {"OPENAI_BASE_URL": "http://[::1]:1/v1"}, 0, {"key for openai/": "optional"}),
    ("own URL", "openai/m", {"TRIGPOINT_BASE_URL": "http://[::1]:1/v1"}, 0, {"endpoint": "ok"}),
    ("no URL", "openai/m", {"TRIGPOINT_BASE_URL": "nowhere"}, 1, {"endpoint": "wrong"}),
    ("a key with a space", "openai/m", {"OPENAI_API_KEY": "k k"}, 1, {"plain run": "wrong"}),
    ("local", "local", {}, 1, {"embedded model": "missing"}),
    ("unknown wire", "nobody/m", {}, 1, {"model": "wrong", "embedded model": "optional"}),
    ("no recording", "replay/no-such.jsonl", {}, 1, {"plain run": "wrong"}),
    ("a URL for a program", "command/x", {"TRIGPOINT_BASE_URL": "http://[::1]:1/v1"}, 1, {"plain run": "wrong"}),
    ("no number", "replay/x", {"TRIGPOINT_CONCURRENCY": "abc"}, 1, {"concurrency": "wrong", "model": "ok"}),
]


@pytest.mark.parametrize(("model", "given", "code", "states"), [row[1:] for row in READY], ids=[r[0] for r in READY])
def test_exit_0_means_that_a_plain_run_would_work(
    monkeypatch: pytest.MonkeyPatch, model: str, given: dict[str, str], code: int, states: dict[str, str]
) -> None:
    """FND-13: what the model in force needs is missing; what others would need is optional."""
    for name, value in {"TRIGPOINT_MODEL": model, **given}.items():
        monkeypatch.setenv(name, value)
    ended, facts = doctor()
    assert {name: facts[name]["state"] for name in states} == states
    assert ended == code


@pytest.mark.parametrize(
    ("text", "name"), [("model = 5", "model"), ("base_url = 5", "base_url"), ("concurrency = 0", "concurrency")]
)
def test_a_wrong_value_of_the_file_is_named(text: str, name: str) -> None:
    write(text)
    code, facts = doctor()
    assert (code, facts[name]["state"]) == (1, "wrong")
    assert "expected" in facts[name]["source"]


BAD_FILES = {
    "no TOML": b"model = ",
    "an unknown setting": b"modell = 1",
    "no UTF-8": b"\xff",
    "a byte order mark": b'\xef\xbb\xbfmodel = "local"',
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES)
def test_with_a_configuration_that_cannot_be_read_all_else_is_said(data: bytes) -> None:
    path = write(data)
    code, facts = doctor()
    assert (code, facts["configuration"]["state"]) == (1, "wrong")
    assert str(path) in facts["configuration"]["value"]
    assert (facts["model"]["value"], facts["OPENAI_API_KEY"]["state"]) == ("local", "optional")


@pytest.mark.parametrize("name", ["TRIGPOINT_BASE_URL", "TRIGPOINT_DATABASE_URL", "OPENAI_BASE_URL"])
@pytest.mark.parametrize(
    "url", ["http://me:hidden@h/v1", "me:hidden@h", "http://me:hid/?#@den@h/v1", "http://h/v1?key=hidden"]
)
def test_no_url_shows_user_password_or_query(monkeypatch: pytest.MonkeyPatch, name: str, url: str) -> None:
    """FND-32: a URL may hold a secret."""
    monkeypatch.setenv(name, url)
    monkeypatch.setenv("TRIGPOINT_MODEL", "openai/m")
    said = CliRunner().invoke(cli, ["doctor"], standalone_mode=False).output
    assert name.removeprefix("TRIGPOINT_").lower() in said.lower()
    assert not any(part in said for part in ("hid/", "hidden", "den@", "me:"))


def test_the_places_of_the_home_are_shown() -> None:
    """FND-13: trigpoint.db, and secrets/ of mode 0700."""
    home = write("").parent
    _, facts = doctor()
    assert facts["database"]["value"] == str(home / "trigpoint.db")
    assert "secrets" not in facts
    for mode, state in ((0o700, "ok"), (0o755, "wrong")):
        (home / "secrets").mkdir(exist_ok=True)
        (home / "secrets").chmod(mode)
        secrets = doctor()[1]["secrets"]
        assert secrets["state"] == state
        assert f"mode {mode:04o}" in secrets["source"]


def test_lines_for_a_person_end_with_what_is_missing_and_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_CONCURRENCY", "abc")
    said = CliRunner().invoke(cli, ["doctor"], standalone_mode=False).output
    assert said.splitlines()[-2:] == ["Missing: embedded model.", "Wrong: concurrency."]
