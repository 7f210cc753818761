"""RUN-42, FND-14, FND-34: the verifier's command line, as a module, as one file and as `trigpoint verify`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from golden.make import FAULTS
from golden.small import PUBLIC, Files, make, root_of_bundle, zipped
from trigpoint.core.verify import cli
from trigpoint.core.verify.cli import main, verify_path

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def good() -> Files:
    return make()


@pytest.fixture(scope="module")
def bundle(good: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "good.zip"
    path.write_bytes(zipped(good))
    return path


def zip_at(files: Files, folder: Path) -> str:
    (folder / "b.zip").write_bytes(zipped(files))
    return str(folder / "b.zip")


def test_text_is_a_line_a_check_then_the_counts_then_the_anchoring(bundle: Path) -> None:
    told = verify_path(str(bundle))
    *checks, counts, anchoring = told.text.split("\n")
    assert told.exit_code == 0
    assert all(line.startswith("holds  ") for line in checks)
    assert counts == f"{len(checks)} checks: {len(checks)} hold"
    assert anchoring == f"anchored by signature {PUBLIC}"


@pytest.mark.parametrize(
    ("name", "exit_code", "counts"),
    [
        ("score-shown-edited-resealed", 1, "30 checks: 29 hold, 1 fail"),
        ("file-removed-README.txt", 3, "30 checks: 27 hold, 3 can't tell"),
        ("item-nested-too-deeply-resealed", 2, "can't tell"),
    ],
)
def test_words_and_exit_codes(name: str, exit_code: int, counts: str, good: Files, tmp_path: Path) -> None:
    told = verify_path(zip_at(FAULTS[name].change(good), tmp_path))
    assert told.exit_code == exit_code
    assert counts in told.text.split("\n")[-2]


def test_json_is_one_document_with_everything_the_text_has(bundle: Path, good: Files) -> None:
    told = verify_path(str(bundle), root_of_bundle(good), as_json=True)
    members = json.loads(told.text)
    assert told.text.isascii()
    assert members["path"] == str(bundle)
    assert members["root"] == root_of_bundle(good)
    assert (members["exit_code"], members["anchored"], members["kind"]) == (0, True, "fair-run")
    assert members["anchoring"].endswith("by --expect ROOT")
    assert {check["verdict"] for check in members["checks"]} == {"holds"}


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("make_it", "what"),
    [
        pytest.param(lambda at: str(at / "nowhere"), "can't be opened", id="nothing there"),
        pytest.param(str, "no bundle", id="an empty folder"),
        pytest.param(lambda at: str((at / "a.zip").write_bytes(b"PK") and at / "a.zip"), "zip", id="no zip"),
        pytest.param(lambda at: "a\0b", "embedded null", id="a path that can't be"),
    ],
)
def test_what_can_t_be_read_is_said_with_exit_code_2(
    make_it: Callable[[Path], str], what: str, as_json: bool, tmp_path: Path
) -> None:
    told = verify_path(make_it(tmp_path), as_json=as_json)
    assert told.exit_code == 2
    assert what in told.text
    assert told.text.startswith("{" if as_json else "refused ")
    if as_json:
        assert json.loads(told.text)["exit_code"] == 2


def test_an_expectation_that_is_no_root_is_usage(bundle: Path) -> None:
    assert verify_path(str(bundle), "xyz").exit_code == 2


def test_a_fault_of_the_program_is_no_verdict(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own exit code for a traceback is 1, which would be read as a contradiction."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("by chance")

    monkeypatch.setattr(cli, "verify", broken)
    told = verify_path(str(bundle))
    assert (told.exit_code, "ZeroDivisionError" in told.text, "report it" in told.text) == (2, True, True)


def test_control_characters_in_a_path_don_t_reach_the_terminal() -> None:
    assert "\x1b" not in verify_path("\x1b[31mred").text


def test_main_prints_and_returns_the_exit_code(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(bundle)]) == 0
    assert capsys.readouterr().out.endswith(f"anchored by signature {PUBLIC}\n")
    with pytest.raises(SystemExit) as usage:
        main([])
    assert usage.value.code == 2


# --- as a process -------------------------------------------------------------------------------------------


def run(command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=False, env={**kept, **environment}
    )


def test_a_checkout_verifies_with_bare_python(bundle: Path) -> None:
    """DESIGN: `PYTHONPATH=src python3 -m trigpoint.core.verify`; -S keeps installed packages away."""
    src = str(Path(cli.__file__).parents[3])
    done = run([sys.executable, "-S", "-m", "trigpoint.core.verify", str(bundle)], PYTHONPATH=src)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"anchored by signature {PUBLIC}\n")


def test_a_terminal_without_unicode_gets_every_line(bundle: Path) -> None:
    src = str(Path(cli.__file__).parents[3])
    done = run([sys.executable, "-m", "trigpoint.core.verify", str(bundle)], PYTHONPATH=src, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 32


def test_trigpoint_verify_says_the_same(bundle: Path, good: Files, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from trigpoint.cli.main import cli as commands

    for path in (str(bundle), zip_at(FAULTS["score-edited-resealed"].change(good), tmp_path)):
        for options in ([], ["--json"], ["--expect", "0" * 64]):
            told = verify_path(path, options[1] if "--expect" in options else None, as_json="--json" in options)
            came = CliRunner().invoke(commands, ["verify", path, *options], standalone_mode=False)
            assert (came.output, came.return_value) == (told.text + "\n", told.exit_code)


# --- the one file -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dist") / "trigpoint-verify.pyz"
    path.write_bytes(built())
    return path


def built() -> bytes:
    from importlib import util

    spec = util.spec_from_file_location("build_verifier", ROOT / "tools" / "build_verifier.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return bytes(module.archive(module.sources(Path(cli.__file__).parents[2])))


def pythons() -> list[str]:
    """This Python and every other one from 3.11 on that is installed."""
    others = filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 16)))
    runs = [python for python in others if run([python, "-I", "-c", ""]).returncode == 0]  # a shim may lead nowhere
    return list(dict.fromkeys([sys.executable, *runs]))


def test_the_one_file_has_the_same_bytes_each_time(one_file: Path) -> None:
    """Stored, sorted, fixed dates: who builds it gets what was published."""
    assert built() == one_file.read_bytes()
    with zipfile.ZipFile(one_file) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {(entry.compress_type, entry.date_time) for entry in entries} == {
        (zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0))
    }
    names = {entry.filename for entry in entries}
    assert all(name in ("__main__.py", "trigpoint/__init__.py") or name.startswith("trigpoint/core/") for name in names)
    assert all(name.endswith(".py") for name in names)


@pytest.mark.parametrize(
    "name", [None, "score-edited-resealed", "file-removed-items.jsonl", "manifest-nested-too-deeply"]
)
def test_the_one_file_verifies_in_isolation(name: str | None, one_file: Path, good: Files, tmp_path: Path) -> None:
    """DESIGN: runs under `python3 -I`, with no package and no environment."""
    path = zip_at(FAULTS[name].change(good) if name else good, tmp_path)
    told = verify_path(path)
    for python in pythons():
        done = run([python, "-I", "-S", str(one_file), path])
        assert (done.stdout, done.stderr, done.returncode) == (told.text + "\n", "", told.exit_code), python
