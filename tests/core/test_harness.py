"""The retry policy, and the harness's digest (RUN-02, RUN-51)."""

from __future__ import annotations

import json

import pytest

from trigpoint.core.harness import Harness, RetryPolicy, harness_from
from trigpoint.core.records import SETTLED, CallStatus, Reply


def reply(status: CallStatus, **more: object) -> Reply:
    return Reply(status=status, **more)  # type: ignore[arg-type]


ERROR = CallStatus.ENDPOINT_ERROR
AGAIN = [
    (reply(ERROR, http_status=429), 1, True),
    (reply(ERROR, http_status=429), 3, True),
    (reply(ERROR, http_status=429), 4, False),
    (reply(ERROR, http_status=500), 1, True),
    (reply(ERROR, http_status=529), 1, True),
    (reply(ERROR, http_status=400), 1, False),
    (reply(ERROR, http_status=401), 1, False),
    (reply(ERROR, retryable=True), 1, True),
    (reply(ERROR, retryable=True), 4, False),
    (reply(ERROR), 1, False),
    (reply(ERROR, http_status=429, retry_after_ms=120_000), 1, True),
    (reply(ERROR, http_status=429, retry_after_ms=120_001), 1, False),
    (reply(CallStatus.TIMED_OUT), 1, False),
    (reply(CallStatus.UNKNOWN), 1, True),
    (reply(CallStatus.UNKNOWN), 99, True),
    *[(reply(status, http_status=429, retryable=True), 1, False) for status in sorted(SETTLED)],
]


@pytest.mark.parametrize(("ended", "tries", "again"), AGAIN)
def test_when_an_attempt_is_repeated(ended: Reply, tries: int, again: bool) -> None:
    """RUN-51: transport errors and passing failures, never a completed answer."""
    assert RetryPolicy().repeats(ended, tries) is again


def test_time_outs_are_repeated_where_the_policy_says_so() -> None:
    assert RetryPolicy(timeouts=True).repeats(reply(CallStatus.TIMED_OUT), 1)
    assert not RetryPolicy(transport_errors=False).repeats(reply(ERROR, retryable=True), 1)


@pytest.mark.parametrize(
    ("given", "tries", "ms"),
    [(None, 1, 500), (None, 2, 1000), (None, 3, 2000), (None, 9, 30_000), (None, 400, 30_000), (0, 1, 0), (7, 3, 7)],
)
def test_the_wait_is_what_the_endpoint_asks_for_else_doubled(given: int | None, tries: int, ms: int) -> None:
    assert RetryPolicy().pause_ms(reply(ERROR, retry_after_ms=given), tries) == ms


def test_a_harness_is_known_by_its_manifest() -> None:
    """RUN-02: system prompt, contract, parser and retry policy are in the digest."""
    one = Harness(system="Be brief.", retry=RetryPolicy(max_attempts=2))
    assert harness_from(json.loads(json.dumps(one.manifest()))) == one
    others = [Harness(), Harness(system=""), Harness(retry=RetryPolicy(timeouts=True)), Harness(id="x/1"), one]
    assert len({harness.digest() for harness in others}) == 5
    assert one.manifest()["contracts"]["final-answer"]["id"] == "final-answer/1"
