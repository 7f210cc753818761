"""What every recorder promises, as tests that run on each of them (FND-21)."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable

import pytest

from making import a_call
from trigpoint.core.errors import InternalError
from trigpoint.core.records import CallStatus, Usage
from trigpoint.store.recorder import Recorder, Slot

FIRST, SECOND = Slot(0, "one", 1), Slot(1, "two", 1)
AT = "2026-01-31T09:30:00.000Z"
Reopen = Callable[[], Recorder]


class RecorderContract:
    """Subclasses give `reopen`, which opens the same run's recorder anew (the first time: an empty one)."""

    def record(self, recorder: Recorder, slot: Slot, attempt: int, *, final: bool = True, **reply: object) -> None:
        async def whole() -> None:
            recorder.begun(slot, attempt, AT)
            await recorder.ended(slot, a_call(slot.message, attempt, **reply), final=final)

        asyncio.run(whole())

    def test_a_slot_never_begun_has_no_calls(self, reopen: Reopen) -> None:
        """FND-21: nothing is made up."""
        recorder = reopen()
        assert recorder.progress(0).attempts == 0
        assert recorder.progress(0).last is None
        assert recorder.calls(FIRST) == []

    def test_what_ended_is_there_after_reopening_to_the_last_field(self, reopen: Reopen) -> None:
        """RUN-43: a recorded attempt survives, with its text, tokens, error and extras."""
        said = {
            "text": 'naïve \u0000 \u202e 𝄞 \\ "q"\r\n',
            "reasoning": "because",
            "usage": Usage(input_tokens=3, output_tokens=0),
            "served_model": "m-1",
            "request_id": "r-1",
            "finish_reason": "stop",
            "latency_ms": 250,
            "extra": {"system_fingerprint": "fp"},
            "repaired": True,
        }
        self.record(reopen(), FIRST, 1, **said)
        recorder = reopen()
        assert recorder.calls(FIRST) == [a_call("one", 1, **said)]
        progress = recorder.progress(0)
        assert (progress.attempts, progress.ended, progress.last, progress.final) == (1, 1, CallStatus.ANSWERED, True)

    def test_attempts_are_kept_in_order_with_the_failed_ones(self, reopen: Reopen) -> None:
        recorder = reopen()
        failed = {"status": CallStatus.ENDPOINT_ERROR, "text": None, "http_status": 503, "error": "busy"}
        self.record(recorder, SECOND, 1, final=False, **failed)
        self.record(recorder, FIRST, 1)
        self.record(recorder, SECOND, 2, final=False, **failed)
        self.record(recorder, SECOND, 3)
        expected = [a_call("two", 1, **failed), a_call("two", 2, **failed), a_call("two", 3)]
        assert recorder.calls(SECOND) == expected
        reopened = reopen()
        assert reopened.calls(SECOND) == expected
        assert reopened.progress(1).attempts == reopened.progress(1).ended == 3

    def test_an_attempt_begun_and_never_ended_is_unknown(self, reopen: Reopen) -> None:
        """DESIGN decision 4: begun but unrecorded is unknown and shown; it doesn't count as a try."""
        reopen().begun(FIRST, 1, AT)
        recorder = reopen()
        progress = recorder.progress(0)
        assert (progress.attempts, progress.ended, progress.last, progress.final) == (1, 0, CallStatus.UNKNOWN, False)
        (call,) = recorder.calls(FIRST)
        assert (call.begun, call.ended, call.reply.status, call.reply.text) == (AT, None, CallStatus.UNKNOWN, None)
        self.record(recorder, FIRST, 2)
        assert [one.reply.status for one in reopen().calls(FIRST)] == [CallStatus.UNKNOWN, CallStatus.ANSWERED]
        assert reopen().progress(0).ended == 1

    @pytest.mark.parametrize("attempt", [0, 2, 3])
    def test_attempts_are_begun_in_order(self, reopen: Reopen, attempt: int) -> None:
        with pytest.raises(InternalError):
            reopen().begun(FIRST, attempt, AT)

    def test_a_final_slot_is_never_begun_again(self, reopen: Reopen) -> None:
        """RUN-43: no item asked twice."""
        self.record(reopen(), FIRST, 1)
        with pytest.raises(InternalError):
            reopen().begun(FIRST, 2, AT)

    def test_an_end_needs_its_begin_and_comes_once(self, reopen: Reopen) -> None:
        """RUN-43: nothing is counted twice."""

        async def end(recorder: Recorder) -> None:
            await recorder.ended(FIRST, a_call("one", 1), final=False)

        recorder = reopen()
        with pytest.raises(InternalError):
            asyncio.run(end(recorder))
        self.record(recorder, FIRST, 1, final=False)
        with pytest.raises(InternalError):
            asyncio.run(end(recorder))

    def test_slots_are_apart(self, reopen: Reopen) -> None:
        recorder = reopen()
        self.record(recorder, FIRST, 1, text="first")
        self.record(recorder, SECOND, 1, text="second")
        again = Slot(2, "one", 2)
        recorder.begun(again, 1, AT)
        whole = dataclasses.replace(a_call("one", 1, repeat=2), begun=AT)

        async def end() -> None:
            await recorder.ended(again, whole, final=True)
            await recorder.settle()

        asyncio.run(end())
        reopened = reopen()
        assert [call.reply.text for slot in (FIRST, SECOND) for call in reopened.calls(slot)] == ["first", "second"]
        assert reopened.calls(again) == [whole]
