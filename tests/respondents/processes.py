"""What tests of child processes share: waiting for a condition, and seeing that a process has ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path


def gone(process_id: int) -> bool:
    """Whether the process has ended; one that nobody has waited for yet has."""
    try:
        os.kill(process_id, 0)
        stat = Path(f"/proc/{process_id}/stat")
        return stat.parent.parent.is_dir() and stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


async def until(condition: Callable[[], bool]) -> None:
    for _ in iter(condition, True):
        await asyncio.sleep(0.01)
