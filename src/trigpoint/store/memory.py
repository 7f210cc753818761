"""The recorder's in-memory twin: same contract, nothing kept. For tests and dry tools."""

from __future__ import annotations

from collections.abc import Awaitable

from trigpoint.core.errors import InternalError
from trigpoint.core.records import Call, CallStatus
from trigpoint.store.recorder import NEVER, UNKNOWN_REPLY, Progress, Slot, done


class MemoryRecorder:
    """Attempts in a dictionary."""

    def __init__(self) -> None:
        self._calls: dict[int, list[Call | str]] = {}  # a text is the begin time of an open attempt
        self._final: set[int] = set()

    def progress(self, number: int) -> Progress:
        kept = self._calls.get(number)
        if not kept:
            return NEVER
        last = kept[-1]
        status = CallStatus.UNKNOWN if isinstance(last, str) else last.reply.status
        ended = sum(not isinstance(call, str) for call in kept)
        return Progress(attempts=len(kept), ended=ended, last=status, final=number in self._final)

    def begun(self, slot: Slot, attempt: int, at: str) -> None:
        must_be_next(self.progress(slot.number), slot, attempt)
        self._calls.setdefault(slot.number, []).append(at)

    def ended(self, slot: Slot, call: Call, *, final: bool) -> Awaitable[None]:
        must_be_open(self.progress(slot.number), slot, call.attempt)
        self._calls[slot.number][-1] = call
        if final:
            self._final.add(slot.number)
        return done()

    def calls(self, slot: Slot) -> list[Call]:
        return [
            Call(message=slot.message, repeat=slot.repeat, attempt=place, begun=kept, ended=None, reply=UNKNOWN_REPLY)
            if isinstance(kept, str)
            else kept
            for place, kept in enumerate(self._calls.get(slot.number, []), 1)
        ]

    async def settle(self) -> None:
        return None

    def close(self) -> None:
        return None


def must_be_next(progress: Progress, slot: Slot, attempt: int) -> None:
    """Raises InternalError unless `attempt` may be begun now."""
    if progress.final or attempt != progress.attempts + 1:
        raise InternalError(
            "an attempt out of order",
            where=f"{slot.message}, repeat {slot.repeat}",
            expected=f"{progress.attempts + 1}",
            found=f"{attempt}",
        )


def must_be_open(progress: Progress, slot: Slot, attempt: int) -> None:
    """Raises InternalError unless `attempt` is the one that was begun last and not ended."""
    if progress.final or attempt != progress.attempts or progress.last is not CallStatus.UNKNOWN:
        raise InternalError(
            "an end without its begin", where=f"{slot.message}, repeat {slot.repeat}", found=f"attempt {attempt}"
        )
