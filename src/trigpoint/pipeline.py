"""Ask everything that is still to be asked, and record it: suite → messages → respondent → recorder.

Reads top to bottom. Grading comes after, when the run is sealed (`store.seal`): nothing here looks at
what a reply says, only at how the attempt ended.
"""

from __future__ import annotations

import asyncio
import dataclasses
import heapq
from collections import Counter, deque
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from trigpoint.clock import Clock, moment
from trigpoint.core.canonical import canonical
from trigpoint.core.errors import TrigpointError
from trigpoint.core.harness import Harness
from trigpoint.core.records import Call, CallStatus, Reply
from trigpoint.core.redact import Redactor
from trigpoint.core.suite import Suite
from trigpoint.methods.protocol import Method, Task
from trigpoint.respondents.base import Respondent
from trigpoint.store.recorder import Recorder, Slot, slot_of

MOST_TEXT = 16 * 1024 * 1024  # bytes of one reply's text as JSON
_UNSYNCED_AT_MOST = 512  # replies that may wait for the disk before asking pauses


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """Where a run stops beginning calls; None = no limit. No part of the tuple (FND-15)."""

    calls: int | None = None
    tokens: int | None = None  # input and output as reported
    seconds: float | None = None


@dataclass(kw_only=True, slots=True)
class Live:
    """What is going on, for a progress display: counts of slots by how they stand."""

    total: int
    resumed: int = 0  # slots that were final before this process began
    finals: Counter[CallStatus] = field(default_factory=Counter)
    retries: int = 0
    calls: int = 0
    tokens: int = 0
    in_flight: int = 0
    ms_before: int = 0  # asking done by earlier processes of the same run

    @property
    def done(self) -> int:
        return self.resumed + self.finals.total()


class Stop:
    """Asked once: begin nothing more, let what is in flight finish. Asked twice: drop that too."""

    def __init__(self) -> None:
        self.asked = 0
        self.reason = ""
        self._drop = asyncio.Event()

    def ask(self, reason: str) -> None:
        self.asked += 1
        self.reason = self.reason or reason
        if self.asked > 1:
            self._drop.set()

    async def dropped(self) -> None:
        await self._drop.wait()


@dataclass(kw_only=True)
class Run:
    """One run's parts, joined."""

    method: Method
    suite: Suite
    harness: Harness
    respondent: Respondent
    recorder: Recorder
    redactor: Redactor
    clock: Clock
    live: Live
    stop: Stop
    repeats: int = 1
    concurrency: int = 1
    budget: Budget = Budget()
    calls_per_second: float | None = None

    async def collect(self) -> None:
        """Ask until every slot is final, the budget is spent or a stop is asked for.

        Returns with everything recorded on disk. Raises OperatorError for what the operator must mend
        (no key, disk full): what was recorded by then stays.
        """
        await _Collector(self).run()


@dataclass(order=True, slots=True)
class _Parked:
    ready_ms: int
    slot: Slot
    task: Task = field(compare=False)


class _Received(NamedTuple):
    """What came back for one attempt, not yet recorded."""

    work: _Parked
    attempt: int
    tries: int
    begun_ms: int
    ended_ms: int
    reply: Reply


def bounded(reply: Reply) -> Reply:
    """The reply, or an endpoint error in its place where its text would not fit a row of a bundle.

    A verifier refuses rows beyond 40 MiB, and a row may hold a text twice, as reply and as answer.
    """
    for text in (reply.text, reply.reasoning):
        # no character takes more than six bytes as JSON, so most texts need no look
        if text is not None and 6 * len(text) > MOST_TEXT and (size := len(canonical(text))) > MOST_TEXT:
            said = f"the reply is too large to keep: {size:,} bytes as JSON, expected at most {MOST_TEXT:,}"
            return dataclasses.replace(
                reply, status=CallStatus.ENDPOINT_ERROR, text=None, reasoning=None, error=said, retryable=False
            )
    return reply


class _Collector:
    def __init__(self, run: Run) -> None:
        self.run_ = run
        self.source = self._open_slots()
        self.parked: list[_Parked] = []
        self.unsynced: deque[Awaitable[None]] = deque()
        self.hold_until = 0  # an endpoint that asks for a pause gets it from every worker
        self.next_start = 0.0
        self.busy = 0
        self.began = run.clock.monotonic_ms()
        self.wake = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self.received: deque[_Received] = deque()
        self.failure: TrigpointError | None = None

    def _open_slots(self) -> Iterator[_Parked]:
        """Everything not final yet: all messages once, then all again for the next repeat."""
        run = self.run_
        for repeat in range(1, run.repeats + 1):
            for task in run.method.messages(run.suite, run.harness):
                slot = slot_of(task.message, repeat, run.repeats)
                if not run.recorder.progress(slot.number).final:
                    yield _Parked(0, slot, task)

    async def run(self) -> None:
        every = asyncio.ensure_future(self._workers())
        dropped = asyncio.ensure_future(self.run_.stop.dropped())
        try:
            await asyncio.wait([every, dropped], return_when=asyncio.FIRST_COMPLETED)
            if every.done():
                await every
        finally:
            every.cancel()
            dropped.cancel()
            await asyncio.gather(every, dropped, return_exceptions=True)
        while self.received:
            self._settle_next()
        if self.failure:
            raise self.failure
        while self.unsynced:
            await self.unsynced.popleft()
        await self.run_.recorder.settle()

    async def _workers(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.run_.concurrency):
                    group.create_task(self._worker())
        except* TrigpointError as errors:
            raise errors.exceptions[0] from None  # one reason is enough for the person who reads it

    async def _worker(self) -> None:
        while (work := await self._next()) is not None:
            self.busy += 1
            got = await self._ask(work)
            if got is None:
                self.busy -= 1
            elif self.run_.budget.tokens is not None:
                self._settle(got)  # what it cost decides whether another may begin
            else:
                # Replies come in bursts: the next requests go out before the last replies are recorded.
                self.received.append(got)
                self.loop.call_soon(self._settle_next)
            while len(self.unsynced) > _UNSYNCED_AT_MOST:
                await self.unsynced.popleft()

    async def _next(self) -> _Parked | None:
        """The next slot to try: a parked one that is ready, else a new one; None when nothing may begin."""
        while not self._over():
            if self.failure:
                raise self.failure
            now = self.run_.clock.monotonic_ms()
            if now < self.hold_until:
                await self._sleep(self.hold_until - now)
            elif self.parked and self.parked[0].ready_ms <= now:
                return heapq.heappop(self.parked)
            elif (fresh := next(self.source, None)) is not None:
                return fresh
            elif self.parked:
                await self._sleep(self.parked[0].ready_ms - now)
            elif self.busy:
                await self._sleep(1000)  # one in flight may yet be parked
            else:
                break
        self.wake.set()
        return None

    async def _sleep(self, ms: int) -> None:
        """Wait, but no longer than until some attempt ends or the run is stopped."""
        self.wake.clear()
        try:
            async with asyncio.timeout(min(ms, 200) / 1000):
                await self.wake.wait()
        except TimeoutError:
            pass

    def _over(self) -> bool:
        run, budget = self.run_, self.run_.budget
        if run.stop.asked:
            return True
        spent = (
            (budget.calls is not None and run.live.calls >= budget.calls)
            or (budget.tokens is not None and run.live.tokens >= budget.tokens)
            or (budget.seconds is not None and self._elapsed() >= budget.seconds * 1000)
        )
        if spent:
            run.stop.reason = run.stop.reason or "the budget is spent"
        return spent

    def _elapsed(self) -> int:
        """Milliseconds of asking so far, in all processes that worked on this run."""
        return self.run_.live.ms_before + self.run_.clock.monotonic_ms() - self.began

    async def _ask(self, work: _Parked) -> _Received | None:
        """One attempt, begun on record and asked; None when its turn came too late to begin."""
        run = self.run_
        if run.calls_per_second:
            await self._paced()
            if self._over():
                return None
        before = run.recorder.progress(work.slot.number)
        attempt, tries = before.attempts + 1, before.ended + 1
        begun_ms, started = run.clock.now_ms(), run.clock.monotonic_ms()
        run.recorder.begun(work.slot, attempt, moment(begun_ms))
        run.live.calls += 1
        run.live.in_flight += 1
        try:
            reply = await run.respondent.ask(work.task.message, repeat=work.slot.repeat, attempt=attempt)
        finally:
            run.live.in_flight -= 1
        # the end is the begin plus what a clock that can't go back measured
        return _Received(work, attempt, tries, begun_ms, begun_ms + run.clock.monotonic_ms() - started, reply)

    def _settle_next(self) -> None:
        try:
            self._settle(self.received.popleft())
        except TrigpointError as error:
            self.failure = self.failure or error
            self.wake.set()

    def _settle(self, got: _Received) -> None:
        """Redact and record what came back, and see whether it is asked again."""
        run, slot = self.run_, got.work.slot
        reply = bounded(run.redactor.reply(got.reply))
        call = Call(
            message=slot.message,
            repeat=slot.repeat,
            attempt=got.attempt,
            begun=moment(got.begun_ms),
            ended=moment(got.ended_ms),
            reply=reply,
        )
        again = run.harness.retry.repeats(reply, got.tries)
        self.busy -= 1
        self.wake.set()
        self.unsynced.append(run.recorder.ended(slot, call, final=not again))
        self._count(reply, again)
        if again:
            self._park(got.work, reply, got.tries)

    def _count(self, reply: Reply, again: bool) -> None:
        live = self.run_.live
        live.tokens += (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0)
        if again:
            live.retries += 1
        else:
            live.finals[reply.status] += 1

    def _park(self, work: _Parked, reply: Reply, tries: int) -> None:
        now, pause = self.run_.clock.monotonic_ms(), self.run_.harness.retry.pause_ms(reply, tries)
        if reply.retry_after_ms:
            self.hold_until = max(self.hold_until, now + pause)
        heapq.heappush(self.parked, _Parked(now + pause, work.slot, work.task))

    async def _paced(self) -> None:
        """At most calls_per_second begins a second, evenly spaced."""
        now = self.run_.clock.monotonic_ms() / 1000
        start = max(now, self.next_start)
        self.next_start = start + 1 / (self.run_.calls_per_second or 1)
        if start > now:
            await asyncio.sleep(start - now)
