"""The clock edge: wall time for records, monotonic time for durations. Tests bring their own."""

from __future__ import annotations

import secrets
import time
from typing import Protocol


class Clock(Protocol):
    """Where the pipeline takes its time from."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def monotonic_ms(self) -> int:
        """Milliseconds since some fixed moment; never goes back."""
        ...


class SystemClock:
    """The machine's own."""

    def now_ms(self) -> int:
        return max(0, time.time_ns() // 1_000_000)  # no id or time is earlier than 1970

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000


def moment(ms: int) -> str:
    """RFC 3339, UTC, milliseconds (FND-12)."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03d}Z"


def new_id(clock: Clock) -> str:
    """A sortable id: 12 hexadecimal digits of time, then 128 random bits (FND-12)."""
    return f"{clock.now_ms():012x}{secrets.token_hex(16)}"
