"""How far a simulation is: a bar on a terminal, plain lines elsewhere; both on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PLAIN_SECONDS = 10.0
T = TypeVar("T")


class Steps:
    """So many equal steps; use it inside `with`."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._began = self._said = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Steps:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("simulating", total=self._total)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def done(self, value: T) -> T:
        """Counts a step, and hands its value on."""
        self._done += 1
        now = time.monotonic()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done)
        elif now - self._said >= PLAIN_SECONDS:
            self._said = now
            left = (now - self._began) / self._done * (self._total - self._done)
            print(f"{self._done:,} of {self._total:,} pieces, about {left:,.0f} s left", file=sys.stderr, flush=True)
        return value
