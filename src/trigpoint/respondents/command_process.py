"""Run a program once: bytes in, bytes out, counted, in a process group of its own that is ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

_TAIL = 8_192  # bytes of stderr kept, from its end


class Ended(NamedTuple):
    """How a program ended. `status` as Python has it: minus the signal's number where a signal killed it."""

    status: int
    output: bytes
    stderr: bytes  # its last whole lines
    too_long: bool  # it wrote beyond the limit and was killed for it


class _Gathered(asyncio.SubprocessProtocol):
    """Collects both outputs. `settled` once nothing more is awaited, `gone` once the process has ended."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.output, self.stderr = bytearray(), bytearray()
        self.cut = False  # stderr's beginning was thrown away
        self.too_long = False
        # events, not futures: a cancelled wait would cancel a future, and it would look settled
        self.settled, self.gone = asyncio.Event(), asyncio.Event()
        self._open = {1, 2}
        self._transport: asyncio.SubprocessTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.stderr += data
            if len(self.stderr) > _TAIL:
                self.stderr, self.cut = self.stderr[-_TAIL:], True
        elif len(self.output) + len(data) > self.limit:
            self.too_long = True
            self.settled.set()
        else:
            self.output += data

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.discard(fd)
        self._look()

    def process_exited(self) -> None:
        self.gone.set()
        self._look()

    def last_lines(self) -> bytes:
        """What is kept of stderr without a line cut in two: half a key would be recognised by nobody (FND-32)."""
        return bytes(self.stderr.partition(b"\n")[2] if self.cut else self.stderr)

    def _look(self) -> None:
        """Settled when it has ended and closed its output; where it failed, stderr is waited for as well."""
        if (
            self.gone.is_set()
            and 1 not in self._open
            and (self._transport.get_returncode() == 0 or 2 not in self._open)
        ):
            self.settled.set()


async def run_program(
    words: Sequence[str], *, given: bytes, environment: Mapping[str, str], limit: int, seconds: float
) -> Ended:
    """Start `words`, write `given` to its stdin, and wait until it has ended and closed its output.

    limit: bytes of stdout; a program that writes more is killed. seconds: until TimeoutError is raised.
    On time-out, too much output and cancellation the whole process group is killed and waited for.
    Raises OSError where the program can't be started. A program that doesn't read its stdin is fine.
    """
    loop = asyncio.get_running_loop()
    starting = asyncio.ensure_future(
        loop.subprocess_exec(
            lambda: _Gathered(limit),
            *words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=dict(environment),
            start_new_session=True,
        )
    )
    try:
        async with asyncio.timeout(seconds):
            # shielded: a start broken off half way would leave what the program itself has started by then
            transport, gathered = await asyncio.shield(starting)
            _write(transport, given)
            await gathered.settled.wait()
    finally:
        await _end(starting)
    return Ended(
        status=transport.get_returncode() or 0,
        output=bytes(gathered.output),
        stderr=gathered.last_lines(),
        too_long=gathered.too_long,
    )


async def _end(starting: asyncio.Future[tuple[asyncio.SubprocessTransport, _Gathered]]) -> None:
    """Wait until the program is gone, after killing its group unless it ended by itself, and close its pipes."""
    await asyncio.wait([starting])
    if starting.exception() is not None:
        return
    transport, gathered = starting.result()
    if not gathered.settled.is_set() or gathered.too_long:
        _kill_group(transport)
    try:
        await gathered.gone.wait()
    finally:
        transport.close()


def _write(transport: asyncio.SubprocessTransport, given: bytes) -> None:
    """All of `given`, then the end. A program that has closed its stdin or ended already is not an error."""
    stdin = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
    with contextlib.suppress(OSError, RuntimeError):
        stdin.write(given)
        stdin.write_eof()


def _kill_group(transport: asyncio.SubprocessTransport) -> None:
    """SIGKILL to the program and all it started: as session leader its group's number is its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()
