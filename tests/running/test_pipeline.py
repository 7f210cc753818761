"""The pipeline in one process, against recorded replies (RUN-51, FND-15)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from making import sum_item, sum_suite
from trigpoint.clock import SystemClock, moment, new_id
from trigpoint.core.harness import Harness, RetryPolicy
from trigpoint.core.records import CallStatus, Reply
from trigpoint.core.redact import Redactor
from trigpoint.methods.fair_run import FairRun
from trigpoint.pipeline import MOST_TEXT, Budget, Live, Run, Stop, bounded
from trigpoint.respondents.base import Target
from trigpoint.respondents.replay import Replay
from trigpoint.store.memory import MemoryRecorder
from trigpoint.store.recorder import Slot


def collect(tmp_path: Path, rows: list[dict[str, Any]], items: int = 3, **more: Any) -> tuple[MemoryRecorder, Live]:
    """Ask `items` sums of recorded replies; returns what was recorded."""
    source = tmp_path / "replies.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    suite, recorder = sum_suite(items), MemoryRecorder()
    live = Live(total=items * more.get("repeats", 1))

    async def whole() -> None:
        async with Replay.create(Target(model=f"replay/{source}", concurrency=4)) as respondent:
            given = {"harness": Harness(), "concurrency": 4, "stop": Stop(), **more}
            await Run(
                method=FairRun(),
                suite=suite,
                respondent=respondent,
                recorder=recorder,
                redactor=Redactor(),
                clock=SystemClock(),
                live=live,
                **given,
            ).collect()

    asyncio.run(whole())
    return recorder, live


def row(number: int, **more: Any) -> dict[str, Any]:
    return {"item": sum_item(number)["id"], **more}


FAILED = {"status": "endpoint_error", "http_status": 503}


def statuses(recorder: MemoryRecorder, number: int) -> list[CallStatus]:
    return [call.reply.status for call in recorder.calls(Slot(number, sum_item(number)["id"], 1))]


def test_a_passing_failure_is_tried_again_and_others_go_on_meanwhile(tmp_path: Path) -> None:
    """RUN-51: retries as the policy says; a wait harms no other item."""
    rows = [row(0, **FAILED), row(0, reply="late"), row(1, reply="1"), row(2, reply="2")]
    recorder, live = collect(tmp_path, rows, harness=Harness(retry=RetryPolicy(wait_ms=1)))
    assert statuses(recorder, 0) == [CallStatus.ENDPOINT_ERROR, CallStatus.ANSWERED]
    assert (live.done, live.retries, live.calls) == (3, 1, 4)


def test_tries_end_where_the_policy_ends(tmp_path: Path) -> None:
    rows = [*[row(0, **FAILED) for _ in range(5)], row(1, reply="1"), row(2, reply="2")]
    recorder, live = collect(tmp_path, rows, harness=Harness(retry=RetryPolicy(max_attempts=3, wait_ms=1)))
    assert statuses(recorder, 0) == [CallStatus.ENDPOINT_ERROR] * 3
    assert live.finals == {CallStatus.ENDPOINT_ERROR: 1, CallStatus.ANSWERED: 2}


def test_a_stop_that_was_asked_for_begins_nothing(tmp_path: Path) -> None:
    stop = Stop()
    stop.ask("before")
    _, live = collect(tmp_path, [row(n, reply="x") for n in range(3)], stop=stop)
    assert live.calls == 0


def test_a_spent_budget_begins_nothing_more(tmp_path: Path) -> None:
    """FND-15: --budget-seconds is for the whole run."""
    rows = [row(n, reply="x", delay_ms=60) for n in range(3)]
    _, live = collect(tmp_path, rows, concurrency=1, budget=Budget(seconds=0.05))
    assert live.calls == 1


def test_calls_are_paced_where_a_rate_is_given(tmp_path: Path) -> None:
    """RUN-51: rate limits."""
    rows = [row(n, reply="x") for n in range(3)]
    recorder, _ = collect(tmp_path, rows, calls_per_second=20.0)
    begun = sorted(recorder.calls(Slot(n, sum_item(n)["id"], 1))[0].begun for n in range(3))
    seconds = [float(time[17:23]) for time in begun]
    assert (seconds[2] - seconds[0]) % 60 >= 0.09


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("x" * (MOST_TEXT - 2), True, id="as long as may be"),
        pytest.param("x" * (MOST_TEXT - 1), False, id="a byte more"),
        pytest.param("\u0001" * (MOST_TEXT // 6 + 1), False, id="six bytes a character as JSON"),
        pytest.param("", True, id="empty"),
        pytest.param(None, True, id="none"),
    ],
)
def test_a_reply_that_fits_no_row_ends_as_an_endpoint_error(text: str | None, kept: bool) -> None:
    """FND-06: whatever a run seals, a verifier can read."""
    reply = Reply(status=CallStatus.ANSWERED, text=text)
    found = bounded(reply)
    if kept:
        assert found is reply
    else:
        assert (found.status, found.text) == (CallStatus.ENDPOINT_ERROR, None)
        assert "too large to keep" in (found.error or "")


def test_times_are_rfc_3339_in_utc_with_milliseconds_and_ids_sort_by_them() -> None:
    """FND-12: ids sortable, with 128 random bits."""
    assert moment(1_769_851_800_007) == "2026-01-31T09:30:00.007Z"

    class At:
        def __init__(self, ms: int) -> None:
            self.ms = ms

        def now_ms(self) -> int:
            return self.ms

        def monotonic_ms(self) -> int:
            return 0

    early, late = new_id(At(1_000)), new_id(At(2_000))
    assert early < late
    assert len(early) == 12 + 32
    assert new_id(At(1_000)) != early
