"""Where bundles are written: a folder, one zip of it, or memory (the twin)."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path
from typing import BinaryIO

from trigpoint.store.folder import sync_folder

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the same bundle gives the same zip


class FolderSink:
    """Files below one folder. `sync` makes all that was written durable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: list[Path] = []

    def create(self, path: str) -> BinaryIO:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self._written.append(target)
        return open(target, "wb")

    def sync(self) -> None:
        for path in self._written:
            fd = os.open(path, os.O_RDONLY)
            try:
                os.fdatasync(fd)
            finally:
                os.close(fd)
        for folder in {path.parent for path in self._written} | {self.folder}:
            sync_folder(folder)


class MemorySink:
    """Files kept in `files`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def create(self, path: str) -> BinaryIO:
        return _Kept(self.files, path)


class _Kept(io.BytesIO):
    def __init__(self, files: dict[str, bytes], path: str) -> None:
        super().__init__()
        self._files, self._path = files, path

    def close(self) -> None:
        if not self.closed:
            self._files[self._path] = self.getvalue()
        super().close()


def zip_folder(folder: Path, target: Path) -> None:
    """One zip file of all files below `folder`, in path order, with fixed dates: same files, same bytes."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    with open(target, "wb") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
            for path in paths:
                info = zipfile.ZipInfo(path, _ZIP_DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                info.file_size = (folder / path).stat().st_size
                with open(folder / path, "rb") as source, archive.open(info, "w") as inside:
                    shutil.copyfileobj(source, inside, 1 << 20)
        stream.flush()
        os.fsync(stream.fileno())
