"""The key of the environment is found nowhere: not on disk, not in output (RUN-41, FND-32)."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from benchmarks.loopback import Running

from making import sum_item, write_suite
from running.helpers import KEY, command, environment, rows, run_arguments, trigpoint
from trigpoint.core.redact import MARKER

FAULTS = ["key-text", "key-json", "key-error", "key-header", "key-model", ""]


def nowhere(folder: Path, *outputs: str) -> None:
    """No file below `folder` and no output holds the key."""
    for path in folder.rglob("*"):
        assert KEY not in str(path)
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    for output in outputs:
        assert KEY not in output


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "streamed"])
def test_an_echoed_key_is_redacted_everywhere(tmp_path: Path, endpoint: Running, stream: tuple[str, ...]) -> None:
    """RUN-41: in a reply, inside JSON, split over stream chunks, in an error body, in a header."""
    suite = write_suite(tmp_path / "suite", [sum_item(n, fault=fault) for n, fault in enumerate(FAULTS)])
    out = tmp_path / "out"
    home = str(tmp_path / "home")
    done = trigpoint(*run_arguments(suite, endpoint, out, *stream), TRIGPOINT_HOME=home)
    shown = trigpoint(
        "run", suite, "--model", "openai/loop", "--base-url", endpoint.base_url, "--json", TRIGPOINT_HOME=home
    )
    nowhere(tmp_path, done.stdout, done.stderr, shown.stdout, shown.stderr)
    replies = [row["reply"] for row in rows(out)]
    assert MARKER in replies[0]
    assert MARKER in replies[1]
    calls = rows(out, "calls.jsonl")
    assert MARKER in calls[2]["error"]
    if not stream:
        assert MARKER in calls[3]["request_id"]
    assert MARKER in calls[4]["served_model"]
    assert trigpoint("verify", out).returncode == 0


def test_the_journal_of_an_unfinished_run_holds_no_key(tmp_path: Path, slow_endpoint: Running) -> None:
    """RUN-41: redacted before anything is persisted, also when the run is killed."""
    suite = write_suite(tmp_path / "suite", [sum_item(n, fault="key-text") for n in range(100)])
    arguments = run_arguments(suite, slow_endpoint, tmp_path / "out", "--concurrency", 2)
    process = subprocess.Popen(command(*arguments), env=environment())
    while slow_endpoint.stats()["answered"] < 20:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert MARKER.encode() in (tmp_path / "out.unfinished" / "journal.jsonl").read_bytes()
    nowhere(tmp_path)


@pytest.mark.parametrize("place", ["--revision", "--system", "--base-url", "--out", "suite", "--model"])
def test_a_key_in_what_the_operator_gives_is_refused_before_anything_is_kept(
    tmp_path: Path, endpoint: Running, place: str
) -> None:
    """FND-32: any exact occurrence, also in a flag, a system prompt or a suite."""
    item = sum_item(0)
    if place == "suite":
        item["prompt"] += f" {KEY}"
    suite = write_suite(tmp_path / "suite", [item])
    (tmp_path / "system.txt").write_text(f"Use {KEY}.")
    given = {
        "--revision": ["--revision", f"r-{KEY}"],
        "--system": ["--system", tmp_path / "system.txt"],
        "--base-url": ["--base-url", f"{endpoint.base_url}/{KEY}"],
        "--model": ["--model", f"openai/{KEY}"],
        "--out": ["--out", tmp_path / f"out-{KEY}"],
    }.get(place, [])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out", *given))
    assert done.returncode == 2
    assert "a configured key stands in" in done.stderr
    assert KEY not in done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["suite", "system.txt"]
    assert endpoint.stats()["requests"] == 0


def test_a_short_key_is_warned_of(tmp_path: Path, endpoint: Running) -> None:
    """FND-32: shorter keys: a warning, no redaction."""
    suite = write_suite(tmp_path / "suite", [sum_item(0)])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out"), OPENAI_API_KEY="short")
    assert done.returncode == 0
    assert "can't be redacted" in done.stderr
    assert "short\n" not in done.stderr
