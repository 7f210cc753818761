"""FND-06: folders and zips from strangers are read safely or refused, by counting and without unpacking."""

from __future__ import annotations

import hashlib
import io
import os
import random
import socket
import stat
import struct
import tempfile
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from trigpoint.core.errors import BundleError, RefusedError
from trigpoint.core.files import Files, read_limited
from trigpoint.core.verify import disk, unzip
from trigpoint.core.verify.disk import FolderFiles, ZipFiles, open_files, refuse_colliding

GOOD = {"manifest.json": b"{}\n", "suite/items.jsonl": b"row\n" * 5000, "suite/prompts/é.md": b"hi", "empty": b""}


def folder_of(files: Mapping[str, bytes], at: Path) -> Path:
    for path, data in files.items():
        (at / path).parent.mkdir(parents=True, exist_ok=True)
        (at / path).write_bytes(data)
    return at


def zip_of(files: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, compress_type=method)
    return out.getvalue()


def read_zip(data: bytes, at: Path) -> dict[str, bytes]:
    (at / "x.zip").write_bytes(data)
    with open_files(str(at / "x.zip")) as files:
        return contents(files)


def contents(files: Files) -> dict[str, bytes]:
    found = {path: read_limited(files, path, 1 << 26) for path in files.paths()}
    assert {path: files.size(path) for path in found} == {path: len(data) for path, data in found.items()}
    return found


def streamed_zip(files: Mapping[str, bytes]) -> bytes:
    """Written to a pipe: sizes and checksums stand behind the bytes."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:
            self.data += data
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return bytes(pipe.data)


def wide_zip(files: Mapping[str, bytes]) -> bytes:
    """Local headers in the 64-bit form."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            with archive.open(path, "w", force_zip64=True) as inside:
                inside.write(data)
    return out.getvalue()


# --- what is read ---------------------------------------------------------------------------------


def test_a_folder_is_read_as_its_paths_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "nothing-inside").mkdir()
    with open_files(str(folder_of(GOOD, tmp_path))) as files:
        assert list(files.paths()) == sorted(GOOD)
        assert contents(files) == GOOD


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(zip_of, id="deflated"),
        pytest.param(lambda files: zip_of(files, method=zipfile.ZIP_STORED), id="stored"),
        pytest.param(streamed_zip, id="streamed, with records behind the bytes"),
        pytest.param(wide_zip, id="64-bit local headers"),
        pytest.param(lambda files: zip_of({**files, "suite/": b"", "nothing-inside/": b""}), id="with folder entries"),
    ],
)
def test_a_zip_is_read_as_its_paths_and_bytes(write: Callable[[Mapping[str, bytes]], bytes], tmp_path: Path) -> None:
    assert read_zip(write(GOOD), tmp_path) == GOOD


def test_a_zip_of_more_than_65535_entries_is_read(tmp_path: Path) -> None:
    many = {f"items/{number}": b"" for number in range(65_600)}
    assert len(read_zip(zip_of(many, method=zipfile.ZIP_STORED), tmp_path)) == 65_600


def test_several_members_can_be_read_side_by_side(tmp_path: Path) -> None:
    lines = {name: b"".join(b"%s %d\n" % (name.encode(), n) for n in range(20_000)) for name in ("a", "b")}
    (tmp_path / "x.zip").write_bytes(zip_of(lines))
    with ZipFiles(str(tmp_path / "x.zip")) as files, files.open("a") as one, files.open("b") as two:
        for n in range(20_000):
            assert (one.readline(), two.readline()) == (b"a %d\n" % n, b"b %d\n" % n)


@pytest.mark.parametrize("make", [folder_of, lambda files, at: _written(zip_of(files), at)], ids=["folder", "zip"])
def test_an_absent_file_is_named(make: Callable[[Mapping[str, bytes], Path], Path], tmp_path: Path) -> None:
    with open_files(str(make(GOOD, tmp_path))) as files:
        for ask in (files.open, files.size):
            with pytest.raises(BundleError, match="suite/nope: no such file"):
                ask("suite/nope")


def _written(data: bytes, at: Path) -> Path:
    (at / "x.zip").write_bytes(data)
    return at / "x.zip"


# --- folders that are refused -----------------------------------------------------------------------


def _socket_at(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # a socket's path must be short
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


@pytest.mark.parametrize(
    ("put", "what"),
    [
        pytest.param(lambda at: (at / "a").symlink_to("/etc/passwd"), "a link", id="link to a file outside"),
        pytest.param(lambda at: (at / "a").symlink_to("manifest.json"), "a link", id="link to a file inside"),
        pytest.param(lambda at: (at / "a").symlink_to("/etc"), "a link", id="link to a folder"),
        pytest.param(lambda at: (at / "a").symlink_to("a"), "a link", id="link to itself"),
        pytest.param(lambda at: os.mkfifo(at / "suite" / "a"), "a pipe", id="pipe"),
        pytest.param(lambda at: _socket_at(at / "a"), "a socket", id="socket"),
        pytest.param(lambda at: (at / "A").write_bytes(b"") or (at / "a").write_bytes(b""), "are one", id="case"),
        pytest.param(lambda at: folder_of({"Suite/x": b""}, at), "are one", id="case of a folder"),
        pytest.param(lambda at: (at / "back\\slash").write_bytes(b""), "a path that is refused", id="backslash"),
        pytest.param(lambda at: (at / "line\nfeed").write_bytes(b""), "a path that is refused", id="line feed"),
        pytest.param(lambda at: (at / os.fsdecode(b"\xff")).write_bytes(b""), "a path that is refused", id="no text"),
        pytest.param(lambda at: folder_of({"/".join("a" * 20): b""}, at), "nested too deeply", id="deep folders"),
        pytest.param(
            lambda at: folder_of({"a": b"", unicodedata.normalize("NFD", "é"): b"", "é": b""}, at),
            "are one",
            id="accents",
        ),
    ],
)
def test_a_folder_with_tricks_is_refused(put: Callable[[Path], object], what: str, tmp_path: Path) -> None:
    folder_of(GOOD, tmp_path)
    put(tmp_path)
    with pytest.raises(BundleError, match=what):
        open_files(str(tmp_path))


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_FILES", 5)
    folder_of({f"a/{n}": b"" for n in range(5)}, tmp_path)
    with pytest.raises(RefusedError, match="too many files"):
        open_files(str(tmp_path))


def test_a_folder_too_large_in_all_is_refused_unread(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as stream:
        stream.truncate(disk.MAX_TOTAL + 1)
    with pytest.raises(RefusedError, match="too large in all"):
        open_files(str(tmp_path))


def test_a_file_or_folder_swapped_for_a_link_after_the_look_is_not_followed(tmp_path: Path) -> None:
    inside, outside = folder_of(GOOD, tmp_path / "in"), folder_of({"items.jsonl": b"secret"}, tmp_path / "out")
    with FolderFiles(str(inside)) as files:
        (inside / "manifest.json").unlink()
        (inside / "manifest.json").symlink_to(outside / "items.jsonl")
        (inside / "suite").rename(tmp_path / "away")
        (inside / "suite").symlink_to(outside)
        (inside / "empty").unlink()
        os.mkfifo(inside / "empty")
        for path in ("manifest.json", "suite/items.jsonl"):
            with pytest.raises(RefusedError, match="can't be read"):
                files.open(path)
        with pytest.raises(RefusedError, match="not a regular file"):
            files.open("empty")


@pytest.mark.parametrize(
    ("path", "what"),
    [("nowhere", "can't be opened"), ("/dev/null", "neither a folder nor a regular file"), ("text", "neither|no zip")],
)
def test_what_is_neither_folder_nor_zip_is_refused(path: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello " * 10)
    with pytest.raises(RefusedError, match=what):
        open_files(str(tmp_path / path))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="neither a folder nor a zip file"):
        read_zip(b"", tmp_path)


def test_a_pipe_in_the_bundle_s_place_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.zip")
    with pytest.raises(RefusedError, match="neither a folder nor a regular file"):
        open_files(str(tmp_path / "x.zip"))


# --- names that meet ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(["a", "A"], id="case"),
        pytest.param(["suite/a", "SUITE/b"], id="case of a folder"),
        pytest.param(["straße", "STRASSE"], id="full case folding"),
        pytest.param(["é", "e\u0301"], id="accent in two forms"),
        pytest.param(["É", "e\u0301"], id="accent and case"),
        pytest.param(["a", "a/b"], id="a file that is a folder"),
        pytest.param(["\u212b", "\u00e5"], id="angstrom sign"),
    ],
)
def test_names_that_are_one_somewhere_are_refused(paths: list[str]) -> None:
    with pytest.raises(RefusedError):
        refuse_colliding(paths)


def test_different_names_are_let_be() -> None:
    refuse_colliding(["a/b", "a/c", "ab", "b/a", "e", "é", "a-b/c"])


# --- zips that are refused ------------------------------------------------------------------------------


def central(data: bytes, nth: int = 0) -> int:
    """Where the nth line of the directory begins."""
    at = data.index(b"PK\x01\x02")
    for _ in range(nth):
        at = data.index(b"PK\x01\x02", at + 4)
    return at


def patched(data: bytes, place: int, new: bytes) -> bytes:
    return data[:place] + new + data[place + len(new) :]


def both(data: bytes, local: int, in_central: int, new: bytes) -> bytes:
    """Patch the first entry's field in its local header and in the directory."""
    return patched(patched(data, local, new), central(data) + in_central, new)


BASE = zip_of({"a": b"hello " * 50, "b": b"x"})
LINK = zipfile.ZipInfo("link")
LINK.external_attr, LINK.create_system = (stat.S_IFLNK | 0o777) << 16, 3


def _with(info: zipfile.ZipInfo | str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, data)
    return out.getvalue()


def _doubled() -> bytes:
    return zip_of({"a": b"1", "b": b"2"}).replace(b"b", b"a")


def _overlapping() -> bytes:
    """The second line of the directory points at the first entry: each byte is inflated twice."""
    data = zip_of({"a": b"1" * 100, "b": b"2" * 100})
    return patched(data, central(data, 1) + 42, struct.pack("<L", 0))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b"prefix" + BASE, "doesn't end where|no entry", id="bytes before"),
        pytest.param(BASE + b"\0", "bytes behind", id="bytes behind"),
        pytest.param(patched(BASE, len(BASE) - 2, b"\1\0") + b"c", "bytes behind", id="a comment"),
        pytest.param(BASE[:-1], "no zip file", id="cut off"),
        pytest.param(BASE[:30], "no zip file", id="a header only"),
        pytest.param(zip_of({"../a": b""}), "a path that is refused", id="path up"),
        pytest.param(zip_of({"/etc/a": b""}), "a path that is refused", id="absolute path"),
        pytest.param(zip_of({"a\\b": b""}), "a path that is refused", id="backslash"),
        pytest.param(zip_of({"C:a": b""}), "a path that is refused", id="drive letter"),
        pytest.param(zip_of({"../": b""}), "a path that is refused", id="folder up"),
        pytest.param(_doubled(), "stands twice", id="a name twice"),
        pytest.param(zip_of({"a": b"", "A": b""}), "are one", id="case"),
        pytest.param(zip_of({"a": b"", "a/b": b""}), "both a file and a folder", id="a file that is a folder"),
        pytest.param(zip_of({"a": b"", "a/": b""}), "stands twice", id="a file and a folder entry"),
        pytest.param(zip_of({"a/": b"content"}), "a folder with content", id="a folder with content"),
        pytest.param(_with(LINK, b"/etc/passwd"), "a link or a device", id="a link"),
        pytest.param(both(BASE, 6, 8, b"\1\0"), "encrypted", id="encrypted"),
        pytest.param(both(BASE, 6, 8, b"\x41\0"), "encrypted", id="strongly encrypted"),
        pytest.param(both(BASE, 6, 8, b"\x20\0"), "of a kind that isn't read", id="patched data"),
        pytest.param(both(BASE, 8, 10, b"\x0c\0"), "unknown compression", id="bzip2"),
        pytest.param(both(BASE, 8, 10, b"\x63\0"), "unknown compression", id="AES"),
        pytest.param(_overlapping(), "overlap", id="overlapping entries"),
        pytest.param(patched(BASE, 30, b"z"), "two headers differ", id="another name in the local header"),
        pytest.param(patched(BASE, 10, b"\x11"), "two headers differ", id="another time in the local header"),
        pytest.param(patched(BASE, central(BASE) + 34, b"\1"), "another form", id="on a second disk"),
        pytest.param(patched(BASE, len(BASE) - 18, b"\1"), "several parts", id="a zip in parts"),
        pytest.param(patched(BASE, len(BASE) - 12, b"\3\0"), "several parts", id="counts that differ"),
        pytest.param(patched(BASE, len(BASE) - 14, b"\3\0\3\0"), "directory", id="a count too high"),
        pytest.param(patched(BASE, len(BASE) - 14, b"\1\0\1\0"), "more than its entries", id="a count too low"),
        pytest.param(patched(BASE, len(BASE) - 10, b"\xff" * 8), "directory", id="a directory beyond the end"),
    ],
)
def test_a_zip_with_tricks_is_refused(data: bytes, what: str, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=what):
        read_zip(data, tmp_path)


def test_hidden_bytes_between_entries_are_refused(tmp_path: Path) -> None:
    one = zip_of({"a": b"1", "b": b"2"}, method=zipfile.ZIP_STORED)
    second, directory = one.index(b"PK\x03\x04", 4), central(one)
    moved = one[:second] + b"hidden" + one[second:]
    moved = patched(moved, directory + 6 + (central(one, 1) - directory) + 42, struct.pack("<L", second + 6))
    moved = patched(moved, len(moved) - 6, struct.pack("<L", directory + 6))
    with pytest.raises(RefusedError, match="bytes that belong to no entry"):
        read_zip(moved, tmp_path)


def test_too_many_entries_are_refused_before_the_directory_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "MAX_FILES", 3)
    with pytest.raises(RefusedError, match="too many entries"):
        read_zip(zip_of({str(n): b"" for n in range(4)}), tmp_path)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(patched(BASE, 40, b"\xff\xff"), "damaged", id="bytes that don't inflate"),
        pytest.param(both(BASE, 14, 16, b"\0\0\0\0"), "checksum differs", id="another checksum"),
        pytest.param(both(BASE, 22, 24, struct.pack("<L", 299)), "longer than declared", id="longer than declared"),
        pytest.param(both(BASE, 22, 24, struct.pack("<L", 301)), "another length", id="shorter than declared"),
    ],
)
def test_a_damaged_entry_is_reported_when_it_is_read(data: bytes, what: str, tmp_path: Path) -> None:
    """No refusal of the whole: a verifier goes on and names the file."""
    with pytest.raises(BundleError, match=what) as caught:
        read_zip(data, tmp_path)
    assert not isinstance(caught.value, RefusedError)
    assert caught.value.where == "a"


# --- bombs ------------------------------------------------------------------------------------------------


def _bomb(size: int, at: Path) -> Path:
    with (
        zipfile.ZipFile(at / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("a", "w") as inside,
    ):
        for _ in range(size >> 20):
            inside.write(bytes(1 << 20))
    return at / "bomb.zip"


def test_an_entry_that_declares_too_much_is_refused_without_inflating(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="inflates too far: found 134,217,728 bytes"):
        open_files(str(_bomb(128 << 20, tmp_path)))


def test_many_entries_that_each_grow_within_bounds_are_refused_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unzip, "FREE_BYTES", 1 << 20)
    with pytest.raises(RefusedError, match="a zip that inflates too far"):
        read_zip(zip_of({str(n): bytes(1 << 20) for n in range(8)}), tmp_path)


def test_an_entry_that_lies_about_its_size_is_stopped_at_what_it_declared(tmp_path: Path) -> None:
    data = _bomb(32 << 20, tmp_path).read_bytes()
    lying = both(data, 22, 24, struct.pack("<L", 1000))
    tracemalloc.start()
    with pytest.raises(BundleError, match="longer than declared"):
        read_zip(lying, tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20  # the zip's own bytes are held by the test


def test_reading_a_large_member_needs_little_memory(tmp_path: Path) -> None:
    with ZipFiles(str(_bomb(48 << 20, tmp_path))) as files, files.open("a") as stream:
        tracemalloc.start()
        total = 0
        while piece := stream.read(1 << 16):
            total += len(piece)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (total, peak < 2 << 20) == (48 << 20, True)


# --- fuzz -------------------------------------------------------------------------------------------------


def test_any_changed_byte_of_a_zip_is_refused_or_leaves_other_content_or_the_same_files(tmp_path: Path) -> None:
    """Whatever is patched, reading ends in BundleError or in files; what differs is seen by their digests."""
    files = {"manifest.json": b'{"a":1}\n' * 9, "suite/x.md": random.Random(1).randbytes(60)}
    data = zip_of(files)
    whole = hashlib.sha256(data).hexdigest()
    rng = random.Random(7)
    same = 0
    for place in range(len(data)):
        changed = patched(data, place, bytes([data[place] ^ 1 << rng.randrange(8)]))
        assert hashlib.sha256(changed).hexdigest() != whole
        with tempfile.TemporaryDirectory(dir=tmp_path) as at:
            try:
                same += read_zip(changed, Path(at)) == files
            except BundleError:
                continue
    assert same < 40  # versions, permissions and the like: a container's own data, no part of the bundle


def test_noise_is_never_more_than_refused(tmp_path: Path) -> None:
    rng = random.Random(3)
    base = zip_of(GOOD)
    for _ in range(300):
        changed = bytearray(base)
        for _ in range(rng.randrange(1, 12)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        try:
            read_zip(bytes(changed), tmp_path)
        except BundleError:
            continue
