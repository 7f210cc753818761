"""RUN-42, FND-05: the good bundle holds, and each fault is seen for what it is, in memory and as committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden.make import FAULTS, GOOD, HERE, bundles
from golden.small import PUBLIC, Files, make, root_of_bundle, zipped
from trigpoint.core.errors import RefusedError
from trigpoint.core.files import Files as AnyFiles
from trigpoint.core.files import MemoryFiles, read_limited
from trigpoint.core.verify.disk import open_files
from trigpoint.core.verify.report import Verdict
from trigpoint.core.verify.verifier import verify


@pytest.fixture(scope="module")
def made() -> dict[str, Files]:
    return bundles()


def verdict(files: AnyFiles) -> tuple[int, set[str]]:
    """(exit code, names of the checks that fail)."""
    try:
        report = verify(files)
    except RefusedError:
        return 2, set()
    return report.exit_code, {finding.check for finding in report.findings if finding.verdict is Verdict.FAILS}


def test_every_check_of_the_good_bundle_holds() -> None:
    report = verify(MemoryFiles(make()))
    assert [finding for finding in report.findings if finding.verdict is not Verdict.HOLDS] == []
    assert (report.exit_code, report.anchors) == (0, (f"by signature {PUBLIC}",))


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_by_its_check(name: str, made: dict[str, Files]) -> None:
    """RUN-42, FND-14: a contradiction 1, absent evidence 3, refused 2."""
    fault = FAULTS[name]
    exit_code, failing = verdict(MemoryFiles(made[name]))
    assert exit_code == fault.exit_code
    assert set(fault.checks) <= failing
    assert bool(failing) is (exit_code == 1)


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_is_the_good_bundle(name: str, made: dict[str, Files]) -> None:
    assert made[name] != made[GOOD]


def test_the_committed_bundles_are_the_ones_that_the_script_writes(made: dict[str, Files]) -> None:
    """They were written by `python tests/golden/make.py`; run it again where a format still changes."""
    assert {path.stem for path in HERE.glob("*.zip")} == set(made)
    for name, files in made.items():
        with open_files(str(HERE / f"{name}.zip")) as committed:
            assert contents(committed) == files, name


def contents(files: AnyFiles) -> Files:
    return {path: read_limited(files, path, 1 << 24) for path in files.paths()}


def test_folder_zip_and_memory_give_the_same_report(tmp_path: Path) -> None:
    """FND-06: one reader, whatever the bundle lies in."""
    files = make()
    for path, data in files.items():
        (tmp_path / "b" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "b" / path).write_bytes(data)
    (tmp_path / "b.zip").write_bytes(zipped(files))
    reports = [verify(MemoryFiles(files)).members()]
    for name in ("b", "b.zip"):
        with open_files(str(tmp_path / name)) as opened:
            reports.append(verify(opened).members())
    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["root"] == root_of_bundle(files)
