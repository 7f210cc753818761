"""FND-06: a bundle is read one file and one line at a time, and only in its canonical form."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from golden.small import ATTEMPTS, Files, make, rows_of
from trigpoint.core.bundle import reader
from trigpoint.core.bundle.reader import BundleReader
from trigpoint.core.bundle.rows import item_row
from trigpoint.core.errors import BundleError, RefusedError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import CallStatus


@pytest.fixture(scope="module")
def good() -> Files:
    return make()


def test_a_bundle_reads_as_the_records_it_was_written_from(good: Files) -> None:
    bundle = BundleReader(MemoryFiles(good))
    assert bundle.manifest().method_version == "fair-run/1"
    assert bundle.document("result.json")["repeats"] == 2
    assert bundle.suite().id == "small"
    calls, rows = list(bundle.calls()), list(bundle.items())
    assert [call.reply.status for call in calls[1:4]] == [CallStatus.ENDPOINT_ERROR] * 2 + [CallStatus.ANSWERED]
    assert next(call for call in calls if call.message == "record").reply.extra == {
        "system_fingerprint": "fp-7",
        "π": 0.5,
    }
    assert len(calls) == sum(len(attempts) for slots in ATTEMPTS.values() for attempts in slots)
    assert {row.outcome for row in rows} == set(Outcome) - {Outcome.REFUSED_TOLD, Outcome.NOT_SCORABLE}
    assert [item_row(row) for row in rows] == rows_of(good, "items.jsonl")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b"", "not ended by a line feed", id="empty"),
        pytest.param(b"{}", "not ended by a line feed", id="no line feed"),
        pytest.param(b"{}\n\n", "not in canonical form", id="two line feeds"),
        pytest.param(b"{ }\n", "not in canonical form", id="a blank"),
        pytest.param(b"{}\r\n", "not in canonical form", id="a carriage return"),
        pytest.param(b"nonsense\n", "not JSON", id="no JSON"),
    ],
)
def test_a_document_is_canonical_bytes_and_one_line_feed(data: bytes, what: str) -> None:
    with pytest.raises(BundleError, match=what):
        BundleReader(MemoryFiles({"a.json": data})).document("a.json")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        pytest.param(b'{"a":1}\n{"a": 1}\n', "a.jsonl:2", id="a blank"),
        pytest.param(b'{"a":1}\n\n{"a":1}\n', "a.jsonl:2", id="an empty line"),
        pytest.param(b'{"a":1}\n{"a":1}', "a.jsonl:2", id="no line feed at the end"),
        pytest.param(b'\xef\xbb\xbf{"a":1}\n', "a.jsonl:1", id="a byte order mark"),
    ],
)
def test_rows_are_checked_line_by_line_and_named_by_their_number(data: bytes, where: str) -> None:
    with pytest.raises(BundleError) as caught:
        list(BundleReader(MemoryFiles({"a.jsonl": data})).rows("a.jsonl"))
    assert caught.value.where == where


def test_a_line_or_document_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_ROW", 10)
    monkeypatch.setattr(reader, "MAX_DOCUMENT", 10)
    bundle = BundleReader(MemoryFiles({"a.jsonl": b'"12345678"\n', "b.jsonl": b"1\n" * 100}))
    for ask in (lambda: list(bundle.rows("a.jsonl")), lambda: bundle.document("a.jsonl")):
        with pytest.raises(RefusedError):
            ask()
    assert len(list(bundle.rows("b.jsonl"))) == 100


class Endless(MemoryFiles):
    """A file of as many lines as anybody reads."""

    def open(self, path: str) -> BinaryIO:
        return _Stream()  # type: ignore[return-value]


class _Stream:
    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def readline(self, limit: int) -> bytes:
        return b'{"text":"' + b"x" * 1000 + b'"}\n'


def test_memory_is_that_of_one_line_however_many_are_read() -> None:
    rows: Iterator[object] = BundleReader(Endless({"a.jsonl": b""})).rows("a.jsonl")
    tracemalloc.start()
    for _ in range(5_000):
        next(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000  # 5 MB went through


def test_a_row_of_another_shape_is_named(good: Files) -> None:
    bundle = BundleReader(MemoryFiles({"items.jsonl": good["calls.jsonl"], "calls.jsonl": b"[]\n"}))
    with pytest.raises(BundleError, match=r"items.jsonl:1: other keys than the format has"):
        list(bundle.items())
    with pytest.raises(BundleError, match=r"calls.jsonl:1: not an object"):
        list(bundle.calls())


def test_an_absent_file_is_named() -> None:
    with pytest.raises(BundleError, match=r"items.jsonl: no such file"):
        list(BundleReader(MemoryFiles({})).items())
