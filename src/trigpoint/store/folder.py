"""The folder recorder: a run in progress as `NAME.unfinished/` beside where its bundle will stand.

run.json says what the run is, suite/ is the suite as it was when the run began, journal.jsonl holds one
line for each attempt begun and each attempt ended. Memory: a few bytes a slot, whatever the replies hold.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any

from trigpoint.core.errors import InternalError, OperatorError
from trigpoint.core.records import Call, CallStatus
from trigpoint.store.journal import Journal, disk_error
from trigpoint.store.memory import must_be_next, must_be_open
from trigpoint.store.recorder import NEVER, UNKNOWN_REPLY, Progress, Slot, Spent, reply_from, reply_json

_STATUSES = tuple(CallStatus)
_FINAL = 0x80
PLAN = "run.json"


class FolderRecorder:
    """One run's attempts in one folder."""

    def __init__(self, folder: Path, slots: int, opened_ms: int = 0) -> None:
        self.folder = folder
        self._journal = Journal(folder / "journal.jsonl")
        # per slot: attempts begun; last status (index + 1) with the final bit; offsets of its last two lines
        self._attempts = array("H", bytes(2 * slots))
        self._state = array("B", bytes(slots))
        self._begun = array("q", [-1]) * slots
        self._ended = array("q", [-1]) * slots
        self._earlier: dict[int, list[tuple[int, int]]] = {}  # slots asked more than once: (begun, ended) offsets
        self.spent = Spent()
        for offset, line in self._journal.lines():
            try:
                self._replay(offset, line)
            except (InternalError, LookupError, TypeError, ValueError):
                where = f"{self._journal.path}: byte {offset}"
                raise OperatorError(
                    "a damaged journal", where=where, expected="each attempt begun, then ended, in order"
                ) from None
        self._journal.append({"opened": opened_ms})

    def _replay(self, offset: int, line: Mapping[str, Any]) -> None:
        if "opened" in line:
            self.spent.opened(line["opened"])
            return
        number, attempt = line["slot"], line["attempt"]
        if number < 0:
            raise IndexError(number)
        if "begun" in line:
            must_be_next(self.progress(number), Slot(number, "", 0), attempt)
            self._open(number, offset)
            self.spent.begun()
        else:
            must_be_open(self.progress(number), Slot(number, "", 0), attempt)
            reply = reply_from(line["reply"])
            self._settle(number, offset, reply.status, final=line["final"])
            self.spent.ended(line["ended"], reply)

    def _open(self, slot: int, offset: int) -> None:
        if self._attempts[slot]:
            self._earlier.setdefault(slot, []).append((self._begun[slot], self._ended[slot]))
        self._attempts[slot] += 1
        self._begun[slot], self._ended[slot] = offset, -1
        self._state[slot] = _STATUSES.index(CallStatus.UNKNOWN) + 1

    def _settle(self, slot: int, offset: int, status: CallStatus, *, final: bool) -> None:
        self._ended[slot] = offset
        self._state[slot] = _STATUSES.index(status) + 1 | (_FINAL if final else 0)

    def progress(self, number: int) -> Progress:
        state = self._state[number]
        last = _STATUSES[(state & ~_FINAL) - 1] if state else None
        if not state:
            return NEVER
        ended = (self._ended[number] >= 0) + sum(end >= 0 for _, end in self._earlier.get(number, ()))
        return Progress(attempts=self._attempts[number], ended=ended, last=last, final=bool(state & _FINAL))

    def begun(self, slot: Slot, attempt: int, at: str) -> None:
        must_be_next(self.progress(slot.number), slot, attempt)
        self._open(slot.number, self._journal.append({"slot": slot.number, "attempt": attempt, "begun": at}))

    def ended(self, slot: Slot, call: Call, *, final: bool) -> Awaitable[None]:
        must_be_open(self.progress(slot.number), slot, call.attempt)
        line = {
            "slot": slot.number,
            "attempt": call.attempt,
            "since": call.begun,
            "ended": call.ended,
            "final": final,
            "reply": reply_json(call.reply),
        }
        self._settle(slot.number, self._journal.append(line), call.reply.status, final=final)
        return self._journal.synced()

    def calls(self, slot: Slot) -> list[Call]:
        number = slot.number
        if not self._attempts[number]:
            return []
        places = [*self._earlier.get(number, []), (self._begun[number], self._ended[number])]
        return [self._call(slot, attempt, begun, ended) for attempt, (begun, ended) in enumerate(places, 1)]

    def _call(self, slot: Slot, attempt: int, begun: int, ended: int) -> Call:
        line = self._journal.read(ended if ended >= 0 else begun)
        return Call(
            message=slot.message,
            repeat=slot.repeat,
            attempt=attempt,
            begun=line["since"] if ended >= 0 else line["begun"],
            ended=line["ended"] if ended >= 0 else None,
            reply=reply_from(line["reply"]) if ended >= 0 else UNKNOWN_REPLY,
        )

    async def settle(self) -> None:
        await self._journal.synced()

    def close(self) -> None:
        self._journal.close()


def write_plan(folder: Path, plan: Mapping[str, Any]) -> None:
    """run.json, whole or not at all, and on disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / (PLAN + ".part")
        with open(draft, "w", encoding="utf-8") as stream:
            json.dump(plan, stream, ensure_ascii=False, indent=1)
            stream.flush()
            os.fsync(stream.fileno())
        draft.rename(folder / PLAN)
        sync_folder(folder)
    except OSError as error:
        raise disk_error(error, folder) from None


def read_plan(folder: Path) -> dict[str, Any]:
    """run.json of an unfinished run. Raises OperatorError when there is none or it can't be read."""
    try:
        plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise OperatorError("no unfinished run", where=str(folder), next="Run without --resume.") from None
    except (OSError, ValueError) as error:
        raise OperatorError("can't read the unfinished run", where=str(folder / PLAN), found=str(error)) from None
    if not isinstance(plan, dict):
        raise OperatorError("can't read the unfinished run", where=str(folder / PLAN), expected="an object")
    return plan


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def remove_folder(folder: Path) -> None:
    """Take an unfinished folder away, run.json first: half removed, it is no run any more."""
    (folder / PLAN).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
