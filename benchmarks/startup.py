"""Start-up: `trigpoint --version` and a whole run of 20 samples, as processes, against bare Python.

    python -m benchmarks.startup [--json]

The middle of nine runs each; wall and CPU seconds of the whole process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.asking import write_suite
from benchmarks.loopback import running

TURNS = 9


def timed(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """(wall seconds, CPU seconds) of one process. Raises RuntimeError when it fails."""
    began = time.monotonic()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return time.monotonic() - began, used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    env = {**os.environ, "OPENAI_API_KEY": "sk-loopback-0123456789"}
    found: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = write_suite(folder / "suite", 20)
        with running(folder) as endpoint:
            for turn in range(TURNS):
                ours = [sys.executable, "-m", "trigpoint"]
                asked = ["run", str(suite), "--model", "openai/m", "--base-url", endpoint.base_url, "--quiet"]
                commands = {
                    "bare Python": [sys.executable, "-c", "pass"],
                    "trigpoint --version": [*ours, "--version"],
                    "trigpoint run, 20 samples": [*ours, *asked, "--out", str(folder / f"out-{turn}")],
                }
                for what, command in commands.items():
                    found.setdefault(what, []).append(timed(command, env))
    middle = {what: [statistics.median(times) for times in zip(*runs, strict=True)] for what, runs in found.items()}
    if given.json:
        print(json.dumps(middle, indent=2))
        return
    print("| what | wall ms | CPU ms |\n| --- | --- | --- |")
    for what, (wall, cpu) in middle.items():
        print(f"| {what} | {1000 * wall:.0f} | {1000 * cpu:.0f} |")


if __name__ == "__main__":
    main()
