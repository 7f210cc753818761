"""Recorded replies given back, from rows and from bundles (RUN-50, FND-01)."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from trigpoint.core.bundle.rows import call_row, item_row
from trigpoint.core.canonical import canonical_line, root_of, sha256_hex
from trigpoint.core.errors import BundleError, OperatorError
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Call, CallStatus, Message, Reply, RequestSettings, Row, SetupField, Source, Usage
from trigpoint.respondents.base import Target
from trigpoint.respondents.recorded_rows import RowRecording
from trigpoint.respondents.replay import Replay

ERROR = CallStatus.ENDPOINT_ERROR
NOTHING = Reply(status=ERROR, error="no recorded reply")


def asked(path: Path, *asks: tuple[str, int, int], timeout_seconds: float = 300.0) -> list[Reply]:
    """The replies to (message, repeat, attempt), in order, without their latency."""
    target = Target(model=f"replay/{path}", settings=RequestSettings(timeout_seconds=timeout_seconds))

    async def go() -> list[Reply]:
        async with Replay.create(target) as replay:
            replies = []
            for message, repeat, attempt in asks:
                given = Message(id=message, index=0, system=None, text="?", items=(message,))
                replies.append(await replay.ask(given, repeat=repeat, attempt=attempt))
            return replies

    replies = asyncio.run(go())
    assert all(reply.latency_ms is not None for reply in replies)
    return [replace(reply, latency_ms=None) for reply in replies]


def rows_file(folder: Path, *rows: dict) -> Path:
    path = folder / "rows.jsonl"
    path.write_bytes(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("rows", "ask", "expected"),
    [
        pytest.param(
            [{"item": "a", "reply": "4"}], ("a", 1, 1), Reply(status=CallStatus.ANSWERED, text="4"), id="an answer"
        ),
        pytest.param(
            [{"message": "a", "reply": "é\n"}],
            ("a", 7, 3),
            Reply(status=CallStatus.ANSWERED, text="é\n"),
            id="for any repeat",
        ),
        pytest.param(
            [{"item": "a", "reply": "any"}, {"item": "a", "repeat": 2, "reply": "second"}],
            ("a", 2, 1),
            Reply(status=CallStatus.ANSWERED, text="second"),
            id="its own repeat comes first",
        ),
        pytest.param(
            [{"item": "a", "repeat": 2, "reply": "second"}, {"item": "a", "reply": "any"}],
            ("a", 1, 1),
            Reply(status=CallStatus.ANSWERED, text="any"),
            id="another repeat falls back",
        ),
        pytest.param([{"item": "a", "reply": "4"}], ("b", 1, 1), NOTHING, id="no row"),
        pytest.param([{"item": "a", "repeat": 1, "reply": "4"}], ("a", 2, 1), NOTHING, id="no row of that repeat"),
        pytest.param([{"item": "a", "reply": "4"}], ("A", 1, 1), NOTHING, id="ids are exact"),
        pytest.param([{"item": "a", "reply": None}], ("a", 1, 1), Reply(status=CallStatus.ANSWERED), id="content null"),
        pytest.param([{"item": "a"}], ("a", 1, 1), Reply(status=ERROR), id="no reply at all"),
        pytest.param(
            [{"item": "a", "reply": "x", "error": "lost"}],
            ("a", 1, 1),
            Reply(status=ERROR, text="x", error="lost"),
            id="an error",
        ),
        pytest.param(
            [
                {
                    "item": "a",
                    "status": "cut_off",
                    "reply": "half",
                    "finish_reason": "length",
                    "reasoning": "hm",
                    "served_model": "m-1",
                }
            ],
            ("a", 1, 1),
            Reply(status=CallStatus.CUT_OFF, text="half", finish_reason="length", reasoning="hm", served_model="m-1"),
            id="all that an endpoint says",
        ),
    ],
)
def test_a_message_gets_the_reply_recorded_for_it(tmp_path, rows, ask, expected):
    assert asked(rows_file(tmp_path, *rows), ask) == [expected]


def test_rows_of_one_message_are_its_successive_attempts(tmp_path):
    """So a failing endpoint can be scripted; the last row holds for all further attempts."""
    path = rows_file(
        tmp_path,
        {"item": "a", "error": "busy", "http_status": 429, "retry_after_ms": 20},
        {"item": "b", "reply": "other"},
        {"item": "a", "error": "connection lost", "retryable": True},
        {"item": "a", "reply": "4"},
    )
    assert asked(path, ("a", 1, 1), ("a", 1, 2), ("a", 1, 3), ("a", 1, 9)) == [
        Reply(status=ERROR, error="busy", http_status=429, retry_after_ms=20),
        Reply(status=ERROR, error="connection lost", retryable=True),
        Reply(status=CallStatus.ANSWERED, text="4"),
        Reply(status=CallStatus.ANSWERED, text="4"),
    ]


def test_a_delay_beyond_the_time_limit_is_a_time_out(tmp_path):
    path = rows_file(
        tmp_path, {"item": "a", "reply": "4", "delay_ms": 3_600_000}, {"item": "b", "reply": "5", "delay_ms": 1}
    )
    late, soon = asked(path, ("a", 1, 1), ("b", 1, 1), timeout_seconds=0.5)
    assert late == Reply(status=CallStatus.TIMED_OUT)
    assert soon.text == "5"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        pytest.param(b'{"item":"a","repyl":"4"}', "repyl", id="a misspelt member"),
        pytest.param(b'{"item":"a","message":"a"}', "item or message", id="both names"),
        pytest.param(b'{"reply":"4"}', "item or message", id="no name"),
        pytest.param(b'["a"]', "item or message", id="no object"),
        pytest.param(b'{"item":"a","repeat":0}', "repeat", id="repeat 0"),
        pytest.param(b'{"item":"a","status":"unknown"}', "status", id="a status that nothing ends with"),
        pytest.param(b'{"item":"a","status":"fine"}', "status", id="a status nobody knows"),
        pytest.param(b'{"item":"a","reply":4}', "reply", id="a number as reply"),
        pytest.param(b'{"item":"a","reply":"\\ud800"}', "surrogate", id="a lone surrogate"),
        pytest.param(b'{"item":"a","item":"b"}', "twice", id="a doubled key"),
        pytest.param(b"not JSON", "not JSON", id="not JSON"),
        pytest.param(b"[" * 100_000, "deep", id="deep nesting"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(tmp_path, line, named):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"item":"z","reply":"1"}\n\n' + line)
    with pytest.raises((OperatorError, BundleError)) as refused:
        asked(path)
    assert named in str(refused.value)
    assert "rows.jsonl:3" in str(refused.value)


def call(message: str, attempt: int, reply: Reply, *, repeat: int = 1) -> Call:
    times = {"begun": "2026-01-31T09:30:00.000Z", "ended": "2026-01-31T09:30:01.000Z"}
    return Call(message=message, repeat=repeat, attempt=attempt, reply=reply, **times)


def row(message: str, attempt: int | None, reply: str | None, *, item: str | None = None) -> Row:
    return Row(
        item=item or message,
        repeat=1,
        input_sha256="0" * 64,
        message=message,
        attempt=attempt,
        reply=reply,
        answer=None,
        outcome=Outcome.INCORRECT,
        credit=Fraction(0),
        reason="",
        grader="exact/1",
    )


CUT = Reply(status=CallStatus.CUT_OFF, finish_reason="length", usage=Usage(output_tokens=9), served_model="m-1")
LOST = Reply(status=ERROR, error="connection lost", retryable=True)
CALLS = [
    call("a", 1, Reply(status=CallStatus.UNKNOWN)),
    call("a", 2, LOST),
    call("a", 3, CUT),
    call("b", 1, Reply(status=CallStatus.REFUSED)),
    call("c", 1, LOST),
    call("two", 1, CUT),
    call("parts", 1, CUT),
]
ROWS = [
    row("a", 3, "half"),
    row("b", 1, None),
    row("c", 1, None),
    row("d", None, None),
    row("two", 1, "whole", item="t1"),
    row("two", 1, "whole", item="t2"),
    row("parts", 1, "one", item="p1"),
    row("parts", 1, "another", item="p2"),
]


@pytest.fixture(params=["folder", "zip"])
def bundle(request, tmp_path) -> Path:
    files = {
        "calls.jsonl": b"".join(canonical_line(call_row(made)) for made in CALLS),
        "items.jsonl": b"".join(canonical_line(item_row(made)) for made in ROWS),
        "manifest.json": b"{}",
    }
    path = tmp_path / ("my.run" if request.param == "folder" else "my.run.zip")
    if request.param == "folder":
        path.mkdir()
        for name, data in files.items():
            (path / name).write_bytes(data)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    return path


def test_a_bundle_gives_back_its_attempts(bundle):
    """FND-01: statuses from calls.jsonl, texts from items.jsonl; an attempt of unknown end is passed over."""
    asks = [("a", 1, 1), ("a", 1, 2), ("b", 1, 1), ("c", 1, 1), ("d", 1, 1), ("a", 2, 1), ("two", 1, 1)]
    assert asked(bundle, *asks) == [
        LOST,
        replace(CUT, text="half"),
        Reply(status=CallStatus.REFUSED),
        LOST,
        NOTHING,
        NOTHING,
        replace(CUT, text="whole"),
    ]


def test_a_reply_recorded_in_different_parts_is_not_guessed(bundle):
    with pytest.raises(OperatorError, match="can't be replayed"):
        asked(bundle, ("parts", 1, 1))


def test_the_setup_names_the_recording_by_its_digest_and_never_by_its_folder(bundle):
    """RUN-01, RUN-04: folder and zip of one bundle are one recording."""

    async def go():
        async with Replay.create(Target(model=f"replay/{bundle}")) as replay:
            return replay.name, replay.model_fields(), replay.inference_fields(), replay.keys()

    name, model, inference, keys = asyncio.run(go())
    lines = {
        "calls.jsonl": b"".join(canonical_line(call_row(made)) for made in CALLS),
        "items.jsonl": b"".join(canonical_line(item_row(made)) for made in ROWS),
    }
    root = root_of((name, sha256_hex(data)) for name, data in lines.items())
    assert name == "replay/my.run"
    assert model["id"] == SetupField(value="replay/my.run", source=Source.DECLARED)
    assert inference["recording_sha256"] == SetupField(value=root, source=Source.OBSERVED)
    assert keys == ()


@pytest.mark.parametrize(
    ("name", "data", "named"),
    [
        pytest.param("calls.jsonl", b"{}\n", "calls.jsonl:1", id="a row without its keys"),
        pytest.param("items.jsonl", b"\n\n[]\n", "items.jsonl:3", id="no object"),
        pytest.param("items.jsonl", None, "items.jsonl", id="a file is absent"),
    ],
)
def test_a_broken_bundle_is_refused_with_file_and_line(bundle, tmp_path, name, data, named):
    if bundle.is_file():
        packed = tmp_path / "broken.zip"
        with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(packed, "w") as new:
            for kept in set(old.namelist()) - {name}:
                new.writestr(kept, old.read(kept))
            if data is not None:
                new.writestr(name, data)
        bundle = packed
    elif data is None:
        (bundle / name).unlink()
    else:
        (bundle / name).write_bytes(data)
    with pytest.raises(BundleError) as refused:
        asked(bundle)
    assert named in str(refused.value)


def test_a_damaged_zip_is_refused(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("calls.jsonl", b"x" * 9_000)
        archive.writestr("items.jsonl", b"")
    data = bytearray(path.read_bytes())
    data[45] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(BundleError, match="zip"):
        asked(path)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param(Target(model="replay/"), "replay/PATH", id="no path"),
        pytest.param(
            Target(model="replay/x", settings=RequestSettings(temperature=1.0)), "--temperature", id="a setting"
        ),
        pytest.param(Target(model="replay/x", base_url="http://x/v1"), "--base-url", id="a base url"),
    ],
)
def test_what_a_recording_cannot_obey_is_refused(given, named):
    with pytest.raises(OperatorError) as refused:
        Replay.create(given)
    assert named in str(refused.value)


def test_an_absent_recording_is_named(tmp_path):
    with pytest.raises(OperatorError, match=r"none\.jsonl"):
        asked(tmp_path / "none.jsonl")


def test_memory_does_not_grow_with_the_rows(tmp_path):
    """FND-06: ten times the rows, the same memory of Python's own; the index is on disk."""

    def peak(count: int) -> int:
        path = tmp_path / f"{count}.jsonl"
        with path.open("wb") as file:
            file.writelines(b'{"item":"item-%d","reply":"%s"}\n' % (number, b"x" * 200) for number in range(count))
        tracemalloc.start()
        try:
            recording = RowRecording(path.name, path.open("rb"))
            assert recording.find(f"item-{count - 1}", 1, 1).reply.text == "x" * 200
            recording.close()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)
    assert peak(10_000) < peak(1_000) + 20_000
