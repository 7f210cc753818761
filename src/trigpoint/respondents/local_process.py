"""The parent's end of a model's child process: started, asked one thing at a time, ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trigpoint.core.errors import OperatorError, RespondentError
from trigpoint.respondents.failures import error_line
from trigpoint.respondents.flags import is_key_name

START_SECONDS = 120.0  # for loading the weights; not part of any attempt
_LEAVING_SECONDS = 10.0  # for a process that closed its pipe to be gone
_LINE = 64 * 1024 * 1024  # bytes of one answer

_MODULE = "trigpoint.respondents.local_child"
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])


class ChildLost(RespondentError):
    """The child crashed, was killed, or broke the protocol: its answer will never come."""


class Child:
    """One child process with one model loaded. After ChildLost or a cancelled call only `end` may be used."""

    def __init__(self, process: Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("a child is asked and answers over pipes")
        self._process, self._requests, self._answers = process, process.stdin, process.stdout
        self._asked = 0

    @classmethod
    async def start(cls, model: Path, *, context_tokens: int, environment: Mapping[str, str]) -> Child:
        """A child with `model` loaded. Raises OperatorError if the runtime refuses it, ChildLost if it crashes."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", _MODULE),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=_LINE,
            env=_child_environment(environment),
            start_new_session=True,  # Ctrl-C is for the parent to act on
        )
        child = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                said = await child._exchange({"model": str(model), "context_tokens": context_tokens})
        except TimeoutError:
            await child.end()
            raise ChildLost(f"the model wasn't loaded within {START_SECONDS:.0f} s") from None
        except BaseException:
            await child.end()
            raise
        if "ready" not in said:
            await child.end()
            raise OperatorError(
                "the runtime can't load the model",
                where=str(model),
                found=error_line(str(said.get("failed"))),
                next="Check that the file is whole and of a kind that the installed runtime knows.",
            )
        return child

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """{"answer": …} or {"malformed": …}. Raises ChildLost."""
        self._asked += 1
        said = await self._exchange({"id": self._asked, "body": body})
        if said.get("id") != self._asked or not ({"answer", "malformed"} & said.keys()):
            raise ChildLost("the local model's process answered out of turn")
        return said

    async def _exchange(self, value: Mapping[str, Any]) -> dict[str, Any]:
        line = b""
        with contextlib.suppress(ConnectionError):
            self._requests.write(json.dumps(value).encode() + b"\n")
            await self._requests.drain()
            line = await self._line()
        try:
            said = json.loads(line) if line.endswith(b"\n") else None
        except ValueError:
            said = None
        if not isinstance(said, dict):
            await (self.end() if line.endswith(b"\n") else self._end_of_its_own())
            raise ChildLost(f"the local model's process was lost ({self._how_it_ended()})")
        return said

    async def _line(self) -> bytes:
        """One answer, or nothing where it goes beyond the limit: the process is killed and the rest thrown away."""
        try:
            return await self._answers.readline()
        except ValueError:
            self._process.kill()
            while await self._answers.read(_LINE):
                pass
            return b""

    async def end(self) -> None:
        """Kill the process if it still runs, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            if self.alive:
                self._process.kill()
        await self._process.wait()

    async def _end_of_its_own(self) -> None:
        """Wait for a process that has closed its pipe: killing it now could hide how it ended (Popen.send_signal)."""
        try:
            async with asyncio.timeout(_LEAVING_SECONDS):
                await self._process.wait()
        except TimeoutError:
            await self.end()

    def _how_it_ended(self) -> str:
        status = self._process.returncode
        return signal.Signals(-status).name if status is not None and status < 0 else f"exit status {status}"


def _child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without anyone's keys, with this package to be found and one thread a model."""
    kept = {name: value for name, value in environment.items() if not is_key_name(name)}
    roots = [_PACKAGE_ROOT, *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(roots), "OMP_NUM_THREADS": "1"}
