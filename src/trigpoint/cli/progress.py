"""A progress bar on a terminal, plain lines elsewhere; both on standard error (RUN-51)."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from trigpoint.core.records import SETTLED

if TYPE_CHECKING:
    from trigpoint.pipeline import Live

PLAIN_SECONDS = 10.0


class Progress:
    """Shows the counts of a run while it goes on. `quiet` shows nothing."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._task = quiet, None  # type: bool, asyncio.Task[None] | None
        self._live: Live | None = None

    def watch(self, live: Live) -> None:
        """Begin to show `live`."""
        self._live = live
        if not self._quiet:
            show = self._bar if sys.stderr.isatty() else self._lines
            self._task = asyncio.get_running_loop().create_task(show(live))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _lines(self, live: Live) -> None:
        began = time.monotonic()
        while True:
            await asyncio.sleep(PLAIN_SECONDS)
            print(line(live, time.monotonic() - began), file=sys.stderr, flush=True)

    async def _bar(self, live: Live) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Rich

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}"),
        )
        with Rich(*columns, console=Console(stderr=True), transient=True) as bar:
            shown = bar.add_task("asking", total=live.total, completed=live.done, failures="")
            try:
                while True:
                    bar.update(shown, completed=live.done, failures=failures(live))
                    await asyncio.sleep(0.2)
            finally:
                bar.update(shown, completed=live.done, failures=failures(live))


def failures(live: Live) -> str:
    """ "2 endpoint_error, 1 timed_out, 3 tried again": what didn't end with a reply, by name."""
    parts = [f"{n} {status}" for status, n in sorted(live.finals.items()) if status not in SETTLED]
    parts += [f"{live.retries} tried again"] if live.retries else []
    return ", ".join(parts)


def line(live: Live, seconds: float) -> str:
    """One plain line: how far, how quick, how much longer, what failed."""
    fresh = live.done - live.resumed
    rate = fresh / seconds if seconds > 0 else 0.0
    left = f"about {(live.total - live.done) / rate:,.0f} s left" if rate > 0 else "no reply yet"
    failed = failures(live)
    return f"{live.done:,} of {live.total:,} · {rate:,.1f} a second · {left}" + (f" · {failed}" if failed else "")
