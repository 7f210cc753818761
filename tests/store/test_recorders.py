"""The recorder contract on each implementation, and what only one of them promises."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect

from making import a_call
from store.recorder_contract import AT, FIRST, RecorderContract, Reopen
from trigpoint.core.errors import OperatorError
from trigpoint.core.records import CallStatus, Usage
from trigpoint.store.database import open_database
from trigpoint.store.folder import FolderRecorder
from trigpoint.store.memory import MemoryRecorder
from trigpoint.store.recorder import Slot
from trigpoint.store.sql import SqlRecorder, create_run
from trigpoint.store.tables import metadata


class TestMemory(RecorderContract):
    @pytest.fixture
    def reopen(self) -> Reopen:
        one = MemoryRecorder()
        return lambda: one


class TestFolder(RecorderContract):
    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Iterator[Reopen]:
        last: list[FolderRecorder] = []

        def again() -> FolderRecorder:
            if last:
                last.pop().close()
            last.append(FolderRecorder(tmp_path, 3))
            return last[0]

        yield again
        if last:
            last.pop().close()


def sql_reopen(url: str) -> Reopen:
    engine = open_database(url)
    create_run(engine, "run-1", method="fair-run", began=AT, plan={})
    create_run(engine, "run-1", method="fair-run", began=AT, plan={})
    return lambda: SqlRecorder(engine, "run-1", "replay/x")


class TestSqlite(RecorderContract):
    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Reopen:
        return sql_reopen(f"sqlite:///{tmp_path}/a/trigpoint.db")


@pytest.mark.full
class TestPostgres(RecorderContract):
    @pytest.fixture
    def reopen(self, postgres_url: str) -> Reopen:
        return sql_reopen(postgres_url)


def same_tables(engine: Engine) -> None:
    found = inspect(engine)
    for table in metadata.sorted_tables:
        assert {column["name"] for column in found.get_columns(table.name)} == set(table.columns.keys())


def test_migrations_make_the_tables_the_code_knows_and_repeat_safely(tmp_path: Path) -> None:
    for _ in range(2):
        same_tables(open_database(f"sqlite:///{tmp_path}/t.db"))


def test_a_second_writer_of_one_attempt_is_refused_by_the_tables(tmp_path: Path) -> None:
    """FND-21: unique key (run, respondent, message, repeat, attempt)."""
    engine = open_database(f"sqlite:///{tmp_path}/t.db")
    create_run(engine, "r", method="fair-run", began=AT, plan={})
    one, two = (SqlRecorder(engine, "r", "replay/x") for _ in range(2))
    blind = lambda number: MemoryRecorder().progress(number)  # noqa: E731 - as if both had looked before either wrote
    two.progress = blind  # type: ignore[method-assign]
    one.begun(FIRST, 1, AT)
    with pytest.raises(Exception, match="another worker has begun"):
        two.begun(FIRST, 1, AT)


def test_a_torn_last_line_is_cut_off_and_the_attempt_is_unknown(tmp_path: Path) -> None:
    """RUN-43: killed in the middle of a write, nothing before it is lost."""
    recorder = FolderRecorder(tmp_path, 2)

    async def whole() -> None:
        recorder.begun(FIRST, 1, AT)
        await recorder.ended(FIRST, a_call("one"), final=True)
        recorder.begun(Slot(1, "two", 1), 1, AT)

    asyncio.run(whole())
    recorder.close()
    journal = tmp_path / "journal.jsonl"
    good = journal.read_bytes()
    line = b'{"slot":1,"attempt":1,"since":"x","ended":"y","final":true,"reply":{"status":"answered","text":"lon'
    for torn in (line, line[:1], b"\x00" * 100, line + b"\n"):
        journal.write_bytes(good + torn)
        opened = b'{"opened":0}\n'
        again = FolderRecorder(tmp_path, 2)
        assert again.progress(0).final
        assert again.progress(1).last is CallStatus.UNKNOWN
        again.close()
        assert journal.read_bytes() == good + opened


def test_a_damaged_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(b'{"slot":0,"att\n{"slot":0,"attempt":1,"begun":"x"}\n')
    with pytest.raises(OperatorError, match="damaged journal"):
        FolderRecorder(tmp_path, 1)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param('{"slot":0,"attempt":2,"begun":"x"}\n', id="an attempt left out"),
        pytest.param(
            '{"slot":0,"attempt":1,"ended":"y","final":true,"reply":{"status":"answered"}}\n', id="an end alone"
        ),
        pytest.param('{"slot":9,"attempt":1,"begun":"x"}\n', id="a slot beyond the suite"),
        pytest.param('{"slot":-1,"attempt":1,"begun":"x"}\n', id="a slot before it"),
        pytest.param('{"attempt":1,"begun":"x"}\n', id="no slot"),
        pytest.param("[]\n", id="no object"),
    ],
)
def test_a_line_taken_out_or_put_in_is_damage_not_a_blank(tmp_path: Path, lines: str) -> None:
    """RUN-43: nothing is lost in silence."""
    (tmp_path / "journal.jsonl").write_text(lines)
    with pytest.raises(OperatorError, match="damaged journal"):
        FolderRecorder(tmp_path, 2)


def test_what_earlier_processes_spent_is_counted(tmp_path: Path) -> None:
    """FND-15: budgets are for the whole run."""
    recorder = FolderRecorder(tmp_path, 2, opened_ms=1_769_851_800_000)  # 2026-01-31T09:30:00.000Z

    async def whole() -> None:
        recorder.begun(FIRST, 1, AT)
        await recorder.ended(FIRST, a_call("one", usage=Usage(input_tokens=5, output_tokens=2)), final=True)
        recorder.begun(Slot(1, "two", 1), 1, AT)

    asyncio.run(whole())
    recorder.close()
    spent = FolderRecorder(tmp_path, 2, opened_ms=1_769_999_999_000).spent
    assert (spent.calls, spent.tokens, spent.ms) == (2, 7, 250)


def test_two_processes_cannot_work_on_one_run(tmp_path: Path) -> None:
    recorder = FolderRecorder(tmp_path, 1)
    with pytest.raises(OperatorError, match="another process"):
        FolderRecorder(tmp_path, 1)
    recorder.close()
    FolderRecorder(tmp_path, 1).close()


def test_a_full_disk_stops_with_a_clear_error_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RUN-43, DESIGN decision 4: what a full disk refuses is taken back whole."""
    recorder = FolderRecorder(tmp_path, 2)
    recorder.begun(FIRST, 1, AT)
    size = (tmp_path / "journal.jsonl").stat().st_size
    real = os.write

    async def end() -> None:
        await recorder.ended(FIRST, a_call("one"), final=True)

    room = [10]  # the disk takes ten more bytes of the line, then no more

    def full(fd: int, data: bytes) -> int:
        if not room:
            raise OSError(28, "No space left on device")
        return real(fd, data[: room.pop()])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OperatorError, match="No space left on device"):
        asyncio.run(end())
    monkeypatch.setattr(os, "write", real)
    assert (tmp_path / "journal.jsonl").stat().st_size == size
    assert recorder.progress(0).last is CallStatus.UNKNOWN
    asyncio.run(end())
    assert recorder.progress(0).final
    recorder.close()
