"""Seal a run: its recorded attempts become a bundle, whole or not at all (RUN-40, RUN-43).

The bundle is written inside the unfinished folder, synced, and renamed to its place in one step. Killed
before that, sealing starts anew from the journal; killed after it, only the leftover folder remains.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trigpoint.core.bundle.rows import call_row, item_row
from trigpoint.core.bundle.writer import BundleWriter, Sink
from trigpoint.core.harness import Harness
from trigpoint.core.message import input_sha256
from trigpoint.core.records import Call, Row
from trigpoint.core.result import Tally, observed_words, result_members
from trigpoint.core.setup import Setup, setup_json
from trigpoint.core.suite import Suite
from trigpoint.methods.protocol import Method, Task
from trigpoint.store.folder import remove_folder, sync_folder
from trigpoint.store.journal import disk_error
from trigpoint.store.recorder import Recorder, slot_of
from trigpoint.store.sinks import FolderSink, zip_folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """What a run is, once nothing more will be asked."""

    run_id: str
    method: Method
    suite: Suite
    harness: Harness
    setup: Setup
    repeats: int
    recorder: Recorder = field(repr=False)


def write_bundle(sink: Sink, run: Finished) -> tuple[dict[str, Any], str]:
    """(result.json's members, root) of the run, written to `sink`. Memory doesn't grow with the rows."""
    writer = BundleWriter(sink)
    tally = Tally(run.suite, run.repeats)
    writer.copy(run.suite.files, "suite")
    for name in ("calls.jsonl", "items.jsonl", "observations.jsonl"):
        writer.rows(name)
    for task in run.method.messages(run.suite, run.harness):
        digest = input_sha256(task.message)
        for repeat in range(1, run.repeats + 1):
            calls = run.recorder.calls(slot_of(task.message, repeat, run.repeats))
            for call in calls:
                writer.row("calls.jsonl", call_row(call))
                tally.call(call)
            for item, row in zip(task.items, graded_rows(run.method, task, repeat, digest, calls), strict=True):
                writer.row("items.jsonl", item_row(row))
                tally.row(item, row)
    result = result_members(tally, run_id=run.run_id, setup=run.setup, method_version=run.method.version)
    writer.document("result.json", result)
    writer.document("setup.json", setup_json(run.setup, observed_words(tally)))
    return result, writer.finish(run.method.name, run.method.version)


def graded_rows(method: Method, task: Task, repeat: int, digest: str, calls: list[Call]) -> list[Row]:
    """The rows of one message × repeat: the last attempt's reply, read and graded."""
    last = calls[-1] if calls else None
    answers = method.read(task, last.reply if last else None)
    grades = method.grade(task, answers, {})
    return [
        Row(
            item=item.id,
            repeat=repeat,
            message=task.message.id,
            attempt=last.attempt if last else None,
            input_sha256=digest,
            reply=last.reply.text if last else None,
            answer=answers[item.id].text,
            outcome=grades[item.id].outcome,
            credit=grades[item.id].credit,
            reason=grades[item.id].reason,
            grader=grades[item.id].grader,
        )
        for item in task.items
    ]


def seal(run: Finished, unfinished: Path, target: Path, *, as_zip: bool) -> tuple[Mapping[str, Any], str]:
    """Write the bundle to `target` (a folder, or a zip file) and take the unfinished folder away.

    Raises OperatorError when the disk refuses; the unfinished run stays as it is.
    """
    draft = unfinished / "bundle"
    try:
        shutil.rmtree(draft, ignore_errors=True)
        sink = FolderSink(draft)
        draft.mkdir()
        result, root = write_bundle(sink, run)
        if as_zip:
            packed = unfinished / "bundle.zip"
            zip_folder(draft, packed)
            draft = packed
        else:
            sink.sync()
        draft.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise disk_error(error, unfinished) from None
    run.recorder.close()
    remove_folder(unfinished)
    return result, root
