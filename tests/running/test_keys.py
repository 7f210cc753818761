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


def test_a_short_key_is_warned_of(tmp_path: Path, endpoint: Running) -> None:
    """FND-32: shorter keys: a warning, no redaction."""
    suite = write_suite(tmp_path / "suite", [sum_item(0)])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out"), OPENAI_API_KEY="short")
    assert done.returncode == 0
    assert "can't be redacted" in done.stderr
    assert "short\n" not in done.stderr
