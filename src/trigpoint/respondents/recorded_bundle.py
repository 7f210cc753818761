"""Replies recorded in a bundle: attempts from calls.jsonl, texts from items.jsonl (FND-01)."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

from trigpoint.core.bundle.rows import call_from, row_from
from trigpoint.core.canonical import root_of, strict_loads
from trigpoint.core.errors import BundleError, OperatorError, shown
from trigpoint.core.records import SETTLED, CallStatus, Row
from trigpoint.respondents.offsets import Offsets, line_at, lines_of
from trigpoint.respondents.recorded_rows import Recorded

FILE_LIMIT = 4 * 1024**3  # bytes of one unpacked file of a zip

CALLS, ITEMS = "calls.jsonl", "items.jsonl"


class BundleRecording:
    """A bundle's calls and items. Attempts whose end was never recorded are passed over.

    A message with several items must have the same reply in all its rows. Raises BundleError or
    OperatorError naming file and line.
    """

    def __init__(self, files: Mapping[str, BinaryIO]) -> None:
        self._files, self._attempts, self._texts = files, Offsets(), Offsets()
        try:
            self.sha256 = self._read_through()
        except BaseException:
            self.close()
            raise

    def _read_through(self) -> str:
        digests = {name: hashlib.sha256() for name in (CALLS, ITEMS)}
        for offset, where, line in lines_of(self._files[CALLS], CALLS, digests[CALLS]):
            call = call_from(strict_loads(line, where=where), where)
            if call.reply.status is not CallStatus.UNKNOWN:
                self._attempts.add(call.message, call.repeat, offset)
        for offset, where, line in lines_of(self._files[ITEMS], ITEMS, digests[ITEMS]):
            row = row_from(strict_loads(line, where=where), where)
            self._texts.add(row.message, row.repeat, offset)
        return root_of((name, seen.hexdigest()) for name, seen in digests.items())

    def find(self, message: str, repeat: int, attempt: int) -> Recorded | None:
        offset = self._attempts.find(message, repeat, attempt)
        if offset is None:
            return None
        call = call_from(strict_loads(line_at(self._files[CALLS], offset), where=CALLS), CALLS)
        if call.reply.status not in SETTLED:
            return Recorded(call.reply)
        rows = [row for row in self._rows(message, repeat) if row.attempt == call.attempt]
        if len({row.reply for row in rows}) > 1:
            raise OperatorError(
                "a bundle that can't be replayed",
                where=f"{ITEMS}: message {shown(message)}",
                expected="the whole reply in each of its rows",
                found="different ones",
            )
        return Recorded(replace(call.reply, text=rows[0].reply)) if rows else None

    def _rows(self, message: str, repeat: int) -> list[Row]:
        lines = (line_at(self._files[ITEMS], offset) for offset in self._texts.all(message, repeat))
        return [row_from(strict_loads(line, where=ITEMS), ITEMS) for line in lines]

    def close(self) -> None:
        self._attempts.close()
        self._texts.close()
        for stream in self._files.values():
            stream.close()


def folder_files(folder: Path) -> dict[str, BinaryIO]:
    """The two files of a bundle folder, open. Raises BundleError where one can't be read."""
    with ExitStack() as opened:
        try:
            files: dict[str, BinaryIO] = {
                name: opened.enter_context((folder / name).open("rb")) for name in (CALLS, ITEMS)
            }
        except OSError as error:
            raise BundleError("not a bundle", where=Path(error.filename).name, found=error.strerror or "") from None
        opened.pop_all()
        return files


def zip_files(path: Path) -> dict[str, BinaryIO]:
    """The two files of a zipped bundle, unpacked into temporary files. Raises BundleError."""
    with ExitStack() as opened:
        try:
            with zipfile.ZipFile(path) as archive:
                files = {name: _unpacked(archive, name, opened) for name in (CALLS, ITEMS)}
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise BundleError("a zip that can't be read", where=path.name, found=shown(str(error))) from None
        opened.pop_all()
        return files


def _unpacked(archive: zipfile.ZipFile, name: str, opened: ExitStack) -> BinaryIO:
    inside = [entry for entry in archive.infolist() if entry.filename == name]
    if len(inside) != 1:
        raise BundleError("not a bundle", where=name, expected="one file of that name", found=str(len(inside)))
    unpacked = tempfile.TemporaryFile()  # noqa: SIM115 — closed with `opened`
    copy = cast(BinaryIO, opened.enter_context(unpacked))
    left = FILE_LIMIT
    with archive.open(inside[0]) as packed:
        while piece := packed.read(1 << 20):
            left -= len(piece)
            if left < 0:
                raise BundleError("a file that is too large", where=name, expected=f"at most {FILE_LIMIT:,} bytes")
            copy.write(piece)
    copy.seek(0)
    return copy
