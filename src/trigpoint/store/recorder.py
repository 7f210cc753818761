"""The recorder: what keeps every attempt of a run, so that no kill loses or doubles one (FND-21, RUN-43).

Two implementations under the same contract tests: a folder (`FolderRecorder`) and SQL tables (`SqlRecorder`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from trigpoint.core.records import Call, CallStatus, Message, Reply, Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far one slot is: attempts begun, how many of them ended, how the last did (None = never begun)."""

    attempts: int = 0
    ended: int = 0  # attempts that a kill cut short don't count against the retry policy
    last: CallStatus | None = None
    final: bool = False


NEVER = Progress()


class Slot(NamedTuple):
    """One message × repeat of a run."""

    number: int  # in the suite's order, then by repeat
    message: str
    repeat: int  # from 1


def slot_of(message: Message, repeat: int, repeats: int) -> Slot:
    """The slot of a message's repeat in a run of `repeats`."""
    return Slot(message.index * repeats + repeat - 1, message.id, repeat)


class Spent:
    """What earlier processes of a run have spent, counted from its journal (FND-15: budgets are for the whole run)."""

    def __init__(self) -> None:
        self.calls = self.tokens = self.ms = 0
        self._since: int | None = None
        self._latest = 0

    def opened(self, at_ms: int) -> None:
        """A process began to work on the run."""
        self._since, self._latest = at_ms, at_ms

    def begun(self) -> None:
        self.calls += 1

    def ended(self, at: str, reply: Reply) -> None:
        """An attempt ended; the process was at work from its opening until here at least."""
        self.tokens += (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0)
        now = int(datetime.fromisoformat(at).timestamp() * 1000)
        if self._since is not None and now > self._latest:
            self.ms += now - self._latest
            self._latest = now


class Recorder(Protocol):
    """Keeps the attempts of one run. Everything recorded survives a kill at any moment."""

    def progress(self, number: int) -> Progress:
        """How far the slot of this number is."""
        ...

    def begun(self, slot: Slot, attempt: int, at: str) -> None:
        """Record, before the call, that it begins. Outlives the process at once.

        Raises InternalError for an attempt that isn't the next of its slot, or a slot that is final.
        """
        ...

    def ended(self, slot: Slot, call: Call, *, final: bool) -> Awaitable[None]:
        """Record how the attempt begun last in this slot ended. Counts once the awaitable is done: it is on disk."""
        ...

    def calls(self, slot: Slot) -> list[Call]:
        """Every attempt of the slot in order; one begun and never ended has status `unknown`."""
        ...

    async def settle(self) -> None:
        """Wait until all that was recorded is on disk."""
        ...

    def close(self) -> None: ...


UNKNOWN_REPLY = Reply(status=CallStatus.UNKNOWN)


def reply_json(reply: Reply) -> dict[str, Any]:
    """A reply as JSON members, without what has its default."""
    members: dict[str, Any] = {"status": str(reply.status)}
    for name in _FIELDS:
        value = getattr(reply, name)
        if value is not None and value is not False and value != {}:
            members[name] = value
    used = reply.usage
    if used != _NO_USAGE:
        members["usage"] = [used.input_tokens, used.output_tokens, used.reasoning_tokens]
    return members


def reply_from(members: Mapping[str, Any]) -> Reply:
    """The reply of its JSON members."""
    given = dict(members)
    used = given.pop("usage", None)
    given["status"] = CallStatus(given["status"])
    if used:
        given["usage"] = Usage(input_tokens=used[0], output_tokens=used[1], reasoning_tokens=used[2])
    return Reply(**given)


_NO_USAGE = Usage()
_FIELDS = tuple(name for name in Reply.__slots__ if name not in ("status", "usage"))


def done() -> asyncio.Future[None]:
    """An awaitable that is done already, for recorders that write through."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.set_result(None)
    return future
