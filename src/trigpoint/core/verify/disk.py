"""Bundles on a disk, folder or zip, read without trusting them (FND-06).

Nothing outside the bundle is ever opened and nothing is unpacked. What has two meanings on two systems
is refused: links, devices, names that differ only in case or accents' form, zip entries that overlap,
stand twice or hide bytes between them. Limits are counted, never timed.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol, Self, TypeVar

from trigpoint.core.errors import BundleError, RefusedError, shown
from trigpoint.core.files import MAX_TOTAL, Files, checked_path
from trigpoint.core.verify.unzip import Member, member_stream, read_members

MAX_FILES = 100_000
MAX_FOLDERS_DEEP = 16
_FOLLOW_NOTHING = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)  # a pipe put in a file's place must not block the opening
_BY_FOLDER = os.open in os.supports_dir_fd

_Value = TypeVar("_Value")


class OpenFiles(Files, Protocol):
    """Files that hold a descriptor: use in `with`, or call close()."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


def open_files(path: str) -> OpenFiles:
    """The folder or zip file at `path`. Raises RefusedError when it is neither, or unsafe."""
    return FolderFiles(path) if os.path.isdir(path) else ZipFiles(path)


class FolderFiles:
    """A folder's regular files: every name is looked at first, each file is opened without following a link."""

    def __init__(self, path: str) -> None:
        self._root = path
        self._sizes = dict(sorted(_walk(path)))
        refuse_colliding(self._sizes)
        _refuse_total(sum(self._sizes.values()))
        self._descriptor = _opened(path, os.O_RDONLY | os.O_DIRECTORY) if _BY_FOLDER else None
        self._paths = list(self._sizes)

    def paths(self) -> Sequence[str]:
        return self._paths

    def size(self, path: str) -> int:
        return _known(self._sizes, path)

    def open(self, path: str) -> BinaryIO:
        _known(self._sizes, path)
        try:
            descriptor = self._open(path)
        except OSError as error:
            raise RefusedError("a file that can't be read", where=path, found=_os_reason(error)) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise RefusedError("not a regular file", where=path)
        return os.fdopen(descriptor, "rb")

    def _open(self, path: str) -> int:
        flags = os.O_RDONLY | _FOLLOW_NOTHING | _NEVER_WAIT
        if self._descriptor is None:
            return os.open(os.path.join(self._root, *path.split("/")), flags)
        *folders, name = path.split("/")
        at = self._descriptor
        try:
            for folder in folders:  # one step at a time: a folder swapped for a link is not followed either
                inner = os.open(folder, flags | os.O_DIRECTORY, dir_fd=at)
                if at != self._descriptor:
                    os.close(at)
                at = inner
            return os.open(name, flags, dir_fd=at)
        finally:
            if at != self._descriptor:
                os.close(at)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class ZipFiles:
    """A zip file's members, inflated as they are read; nothing is written anywhere."""

    def __init__(self, path: str) -> None:
        descriptor = _opened(path, os.O_RDONLY | _NEVER_WAIT)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            raise RefusedError("neither a folder nor a regular file", where=shown(path))
        self._file = os.fdopen(descriptor, "rb", buffering=0)
        try:
            self._members = self._checked(found.st_size)
        except BaseException:
            self._file.close()
            raise
        self._paths = list(self._members)

    def _checked(self, length: int) -> dict[str, Member]:
        files: dict[str, Member] = {}
        folders: dict[str, Member] = {}
        for member in read_members(self._file, length, MAX_FILES):
            path = checked_path(member.name.removesuffix("/"))
            if path in files or path in folders:
                raise RefusedError("a name that stands twice in the zip", where=shown(path))
            (folders if member.name.endswith("/") else files)[path] = member
        refuse_colliding([*files, *(f"{folder}/-" for folder in folders)])
        _refuse_total(sum(member.size for member in files.values()))
        return dict(sorted(files.items()))

    def paths(self) -> Sequence[str]:
        return self._paths

    def size(self, path: str) -> int:
        return _known(self._members, path).size

    def open(self, path: str) -> BinaryIO:
        return member_stream(self._file, _known(self._members, path))

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def refuse_colliding(paths: Iterable[str]) -> None:
    """Raises RefusedError for two paths that are one on a system that ignores case or accents' form.

    Folders count as well, and a name can't be both a file and a folder.
    """
    spelled: dict[str, str] = {}
    files = set(paths)
    for path in files:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            other = spelled.setdefault(_folded(name), name)
            if other != name:
                raise RefusedError("two names that are one on some systems", where=shown(name), found=shown(other))
            if end < len(parts) and name in files:
                raise RefusedError("a name that is both a file and a folder", where=shown(name))


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _walk(root: str) -> Iterator[tuple[str, int]]:
    """(path, bytes) of every regular file below `root`; raises RefusedError for anything else but folders."""
    waiting = [("", 0)]
    seen = 0
    while waiting:
        prefix, depth = waiting.pop()
        for entry in _entries(root, prefix):
            seen += 1
            if seen > MAX_FILES:
                raise RefusedError("too many files", where=shown(root), expected=f"at most {MAX_FILES:,}")
            path = checked_path(f"{prefix}{entry.name}")
            try:
                mode = entry.stat(follow_symlinks=False)
            except OSError as error:
                raise RefusedError("a file that can't be read", where=path, found=_os_reason(error)) from None
            if stat.S_ISDIR(mode.st_mode):
                if depth >= MAX_FOLDERS_DEEP:
                    raise RefusedError("folders nested too deeply", where=shown(path))
                waiting.append((f"{path}/", depth + 1))
            elif stat.S_ISREG(mode.st_mode):
                yield path, mode.st_size
            else:
                raise RefusedError(_kind(mode.st_mode), where=shown(path), expected="regular files and folders only")


def _entries(root: str, prefix: str) -> list[os.DirEntry[str]]:
    where = os.path.join(root, *prefix.split("/"))
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(where) as entries:
            for entry in entries:
                found.append(entry)
                if len(found) > MAX_FILES:
                    break
    except OSError as error:
        raise RefusedError("a folder that can't be read", where=shown(where), found=_os_reason(error)) from None
    return found


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISLNK, "a link"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    return next((name for test, name in kinds if test(mode)), "a device")


def _known(known: Mapping[str, _Value], path: str) -> _Value:
    try:
        return known[path]
    except KeyError:
        raise BundleError("no such file", where=path) from None


def _opened(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise RefusedError("can't be opened", where=shown(path), found=_os_reason(error)) from None


def _refuse_total(total: int) -> None:
    if total > MAX_TOTAL:
        raise RefusedError("too large in all", expected=f"at most {MAX_TOTAL:,} bytes", found=f"{total:,}")


def _os_reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
