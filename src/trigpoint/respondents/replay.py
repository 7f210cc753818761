"""`replay/PATH`: recorded replies given back, from a bundle or a JSONL file (RUN-50)."""

from __future__ import annotations

import asyncio
import time
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.records import CallStatus, Message, Reply, SetupField, Source
from trigpoint.respondents.base import Target
from trigpoint.respondents.flags import declared_fields, refuse_flags
from trigpoint.respondents.recorded_bundle import BundleRecording, folder_files, zip_files
from trigpoint.respondents.recorded_rows import RowRecording

NOTHING = "no recorded reply"


class Replay:
    """Gives each message the reply recorded for it; a message without one ends as an endpoint error."""

    def __init__(self, target: Target, path: Path) -> None:
        self.name = f"replay/{_short_name(path)}"
        self._target, self._path = target, path
        self._recording: RowRecording | BundleRecording | None = None

    @classmethod
    def create(cls, target: Target) -> Replay:
        """Raises OperatorError for a missing path and for settings, which a recorded reply can't obey."""
        refuse_flags(target, takes=(), why="The replies are recorded already")
        path = target.model.partition("/")[2]
        if not path:
            raise OperatorError("replay needs a recording", expected="replay/PATH", found=target.model)
        return cls(target, Path(path))

    async def __aenter__(self) -> Replay:
        self._recording = open_recording(self._path)
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._recording is not None:
            self._recording.close()

    async def ask(self, message: Message, *, repeat: int, attempt: int) -> Reply:
        """The reply recorded for (message, repeat, attempt). `latency_ms` is what giving it back took."""
        began = time.monotonic()
        found = self._known().find(message.id, repeat, attempt)
        if found is None:
            reply = Reply(status=CallStatus.ENDPOINT_ERROR, error=NOTHING)
        else:
            reply = await self._in_time(found.reply, found.delay_ms)
        return replace(reply, latency_ms=round((time.monotonic() - began) * 1000))

    async def _in_time(self, reply: Reply, delay_ms: int) -> Reply:
        if not delay_ms:
            return reply
        try:
            async with asyncio.timeout(self._target.settings.timeout_seconds):
                await asyncio.sleep(delay_ms / 1000)
        except TimeoutError:
            return Reply(status=CallStatus.TIMED_OUT)
        return reply

    def _known(self) -> RowRecording | BundleRecording:
        if self._recording is None:
            raise RuntimeError("use `async with` around a respondent")
        return self._recording

    def model_fields(self) -> Mapping[str, SetupField]:
        return {"id": SetupField(value=self.name, source=Source.DECLARED), **declared_fields(self._target)}

    def inference_fields(self) -> Mapping[str, SetupField]:
        return {
            "wire": SetupField(value="replay", source=Source.DECLARED),
            "recording_sha256": SetupField(value=self._known().sha256, source=Source.OBSERVED),
        }

    def keys(self) -> tuple[str, ...]:
        return ()


def open_recording(path: Path) -> RowRecording | BundleRecording:
    """The recording at `path`, read through once. Raises OperatorError or BundleError naming file and line."""
    if path.is_dir():
        return BundleRecording(folder_files(path))
    try:
        rows = path.open("rb")
    except OSError as error:
        raise OperatorError(
            "a recording that can't be read",
            where=shown(str(path), 400),
            expected="a bundle (folder or zip) or a JSONL file",
            found=error.strerror or "",
        ) from None
    if zipfile.is_zipfile(rows):
        rows.close()
        return BundleRecording(zip_files(path))
    rows.seek(0)
    return RowRecording(path.name, rows)


def _short_name(path: Path) -> str:
    """The file's own name: results hold no folder of this machine."""
    path = path.resolve()
    return path.stem if path.suffix in (".jsonl", ".zip") else path.name
