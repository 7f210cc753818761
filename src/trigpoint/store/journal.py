"""An append-only file of JSON lines that a kill can't tear (DESIGN: journal first).

A line is written at once, so that it outlives the process, and synced to disk in groups a few
milliseconds apart, so that it outlives the machine. A torn last line is cut off when reopened.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from trigpoint.core.errors import OperatorError

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
GROUP_SECONDS = 0.003


class Journal:
    """One open journal. The opener holds its lock; a second process is refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = locked(path, os.O_RDWR | os.O_APPEND)
        self.size = os.fstat(self._fd).st_size
        self._syncer = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._waiting: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._syncing: asyncio.Future[None] | None = None

    def lines(self) -> Iterator[tuple[int, Any]]:
        """(offset, value) of every whole line; a torn last line is cut off for good.

        Raises OperatorError for a damaged line that isn't the last.
        """
        offset, damaged = 0, None
        with open(self.path, "rb") as stream:
            for line in stream:
                if damaged is not None:
                    raise OperatorError("a damaged journal", where=f"{self.path}: byte {damaged}")
                try:
                    if not line.endswith(b"\n"):
                        raise ValueError
                    value = json.loads(line)
                except ValueError:
                    damaged = offset
                    continue
                yield offset, value
                offset += len(line)
        if damaged is not None:
            os.ftruncate(self._fd, damaged)
            self.size = damaged

    def read(self, offset: int) -> Any:
        """The value of the line at `offset`."""
        data = b""
        while not data.endswith(b"\n"):
            piece = os.pread(self._fd, max(4096, len(data)), offset + len(data))
            end = piece.find(b"\n")
            data += piece[: end + 1] if end >= 0 else piece
            if not piece:
                break
        return json.loads(data)

    def append(self, value: Any) -> int:
        """Write one line now; returns its offset. It outlives this process from here on.

        Raises OperatorError when the disk takes no more; what was half written is taken back.
        """
        data = _encode(value).encode("utf-8", "surrogatepass") + b"\n"
        offset = self.size
        try:
            written = 0
            while written < len(data):
                written += os.write(self._fd, data[written:])
        except OSError as error:
            os.ftruncate(self._fd, offset)
            raise disk_error(error, self.path) from None
        self.size += len(data)
        return offset

    def synced(self) -> asyncio.Future[None]:
        """Resolves when all that was appended so far is on disk; fails when the disk refuses."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting.append(future)
        if self._timer is None and self._syncing is None:
            self._timer = loop.call_later(GROUP_SECONDS, self._sync, loop)
        return future

    def _sync(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        group, self._waiting = self._waiting, []
        self._syncing = loop.run_in_executor(self._syncer, os.fdatasync, self._fd)
        self._syncing.add_done_callback(lambda done: self._settle(loop, done, group))

    def _settle(
        self, loop: asyncio.AbstractEventLoop, done: asyncio.Future[None], group: list[asyncio.Future[None]]
    ) -> None:
        error = done.exception()
        self._syncing = None
        for future in group:
            if future.done():
                continue
            if isinstance(error, OSError):
                future.set_exception(disk_error(error, self.path))
            else:
                future.set_result(None)
        if self._waiting and self._timer is None:
            self._timer = loop.call_later(GROUP_SECONDS, self._sync, loop)

    def close(self) -> None:
        """Sync and let go of the lock; a second call does nothing."""
        if self._fd < 0:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._syncer.shutdown(wait=True)
        fd, self._fd = self._fd, -1
        try:
            os.fdatasync(fd)
        finally:
            os.close(fd)


def locked(path: Path, flags: int = os.O_RDWR) -> int:
    """A descriptor of `path`, made where it isn't there, that holds its lock until it is closed.

    Raises OperatorError while another process, or another opener in this one, holds it.
    """
    fd = os.open(path, flags | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise OperatorError(
            "this run is being worked on by another process", where=str(path), next="Wait for it, or end it."
        ) from None
    return fd


def disk_error(error: OSError, path: Path) -> OperatorError:
    """What the operator can do about a write that failed."""
    return OperatorError(
        "could not write",
        where=str(path),
        found=error.strerror or type(error).__name__,
        next="Nothing recorded so far is lost: make room, then run again with --resume.",
    )
