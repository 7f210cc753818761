"""Run the command line as a person does: as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.loopback import Running

from trigpoint.core.bundle.rows import ATTEMPT_AND_TIME_FIELDS

KEY = "sk-loopback-0123456789abcdef"


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "trigpoint", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "OPENAI_API_KEY": KEY, "PYTHONPATH": os.pathsep.join(sys.path), **more}


def trigpoint(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """The finished process, with its exit code and output."""
    return subprocess.run(
        command(*arguments), env=environment(**more), capture_output=True, text=True, timeout=120, check=False
    )


def run_arguments(suite: Path, endpoint: Running, out: Path, *more: object) -> list[object]:
    return ["run", suite, "--model", "openai/loop", "--base-url", endpoint.base_url, "--out", out, "--quiet", *more]


def rows(bundle: Path, name: str = "items.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (bundle / name).read_text().splitlines()]


def settled(bundle: Path) -> list[dict[str, Any]]:
    """The item rows without what may differ between a broken-off and an unbroken run."""
    return [{k: v for k, v in row.items() if k not in ATTEMPT_AND_TIME_FIELDS} for row in rows(bundle)]
