"""A strict zip reader: one meaning for every byte, or a refusal.

`zipfile` is made to read what anybody wrote; a verifier has to be sure that every tool sees the same
members. So the members must fill the file from its first byte to the directory with nothing between
them, the two headers of a member must agree, and what inflates must be exactly as long as declared.
Source: APPNOTE.TXT 6.3 (PKWARE), sections 4.3 to 4.5; the layout of offsets is quoted at the lines.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, NoReturn, cast

from trigpoint.core.errors import BundleError, RefusedError, shown

MAX_DIRECTORY = 64 * 1024**2
#: Deflate can make about 1,032 bytes of one. Beyond FREE_BYTES a member, or the whole, may grow by MAX_RATIO only.
MAX_RATIO = 400
FREE_BYTES = 64 * 1024**2

STORED, DEFLATED = 0, 8
_FLAG_DESCRIPTOR, _FLAG_UTF8 = 1 << 3, 1 << 11
_FLAGS_KNOWN = _FLAG_DESCRIPTOR | _FLAG_UTF8 | 0b110  # 0b110: how hard deflate tried
_FLAGS_ENCRYPTED = 1 | 1 << 6 | 1 << 13
_END = struct.Struct("<4s4H2LH")
_END64_AT = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_ASIDE16, _ASIDE32 = 0xFFFF, 0xFFFFFFFF  # "see the 64-bit field"
_EXTRA_64, _EXTRA_OTHER_NAME = 0x0001, 0x7075
_UNIX, _KIND_BITS, _KIND_FILE, _KIND_FOLDER = 3, 0o170000, 0o100000, 0o040000
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip: where its bytes lie, and what they must come to."""

    name: str
    method: int  # STORED or DEFLATED
    start: int  # of the packed bytes
    packed: int  # bytes
    size: int  # bytes, inflated
    crc: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the central directory."""

    name: bytes
    flags: int
    method: int
    moment: tuple[int, int]
    crc: int
    packed: int
    size: int
    offset: int


def read_members(file: IO[bytes], length: int, most: int) -> list[Member]:
    """Every entry of the zip in `file`, `length` bytes long; a folder's name ends in "/" and it has no content.

    Raises RefusedError for anything that another tool could read otherwise, and for bombs.
    """
    start, size, count, end = _directory_place(file, length)
    if count > most:
        _refuse("too many entries", expected=f"at most {most:,}", found=f"{count:,}")
    if size > MAX_DIRECTORY or start + size != end:
        _refuse("a directory that doesn't end where the zip's end record begins")
    entries = sorted(_entries(_at(file, start, size), count), key=lambda entry: entry.offset)
    members, place = [], 0
    for entry in entries:
        if entry.offset != place:
            hidden = "entries that overlap" if entry.offset < place else "bytes that belong to no entry"
            _refuse(hidden, where=shown(entry.name.decode("utf-8", "replace")))
        member, place = _located(file, entry, start)
        members.append(member)
    if place != start:
        _refuse("bytes that belong to no entry")
    _refuse_bombs(members, length)
    return members


def member_stream(file: IO[bytes], member: Member) -> BinaryIO:
    """A buffered stream of the member's bytes. Reading raises BundleError where they aren't what was declared."""
    return cast(BinaryIO, io.BufferedReader(_MemberBytes(file, member), _PIECE))


class _MemberBytes(io.RawIOBase):
    """Packed bytes in, inflated bytes out, counted as they come."""

    def __init__(self, file: IO[bytes], member: Member) -> None:
        self._file, self._member = file, member
        self._read = self._given = self._crc = 0
        self._inflater = zlib.decompressobj(-15) if member.method == DEFLATED else None
        self._waiting = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        data = self._next(min(len(target), _PIECE))
        self._given += len(data)
        self._crc = zlib.crc32(data, self._crc)
        if self._given > self._member.size:
            self._broken("longer than declared")
        if not data:
            self._check_end()
        target[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        if self._inflater is None:
            return self._packed(most)
        while not self._inflater.eof:
            packed = self._waiting or self._packed(_PIECE)
            try:
                data = self._inflater.decompress(packed, most)
            except zlib.error as error:
                self._broken(str(error))
            self._waiting = self._inflater.unconsumed_tail
            if data:
                return data
            if not packed:
                self._broken("it ends too early")
        return b""

    def _packed(self, most: int) -> bytes:
        data = _at(self._file, self._member.start + self._read, min(most, self._member.packed - self._read))
        self._read += len(data)
        return data

    def _check_end(self) -> None:
        unused = self._waiting or (self._inflater.unused_data if self._inflater else b"")
        if self._given != self._member.size or unused or self._read != self._member.packed:
            self._broken("of another length than declared")
        if self._crc != self._member.crc:
            self._broken("its checksum differs")

    def _broken(self, found: str) -> NoReturn:
        raise BundleError("a zip entry that is damaged", where=self._member.name, found=found)


def _directory_place(file: IO[bytes], length: int) -> tuple[int, int, int, int]:
    """(start, bytes, entries, end) of the central directory, from the record that must end the file."""
    if length < _END.size:
        _refuse("neither a folder nor a zip file")
    at = length - _END.size
    mark, disk, first, here, count, size, start, comment = _END.unpack(_at(file, at, _END.size))
    if mark != b"PK\x05\x06" or comment:
        _refuse("no zip file, or one with bytes behind its end record")
    wide = at - _END64_AT.size
    if wide >= 0 and _at(file, wide, 4) == b"PK\x06\x07":
        _, wide_disk, at, disks = _END64_AT.unpack(_at(file, wide, _END64_AT.size))
        if at + _END64.size != wide or wide_disk or disks != 1:
            _refuse("a 64-bit end record that isn't where it must be")
        told = count, size, start
        mark, record, _, _, disk, first, here, count, size, start = _END64.unpack(_at(file, at, _END64.size))
        asides = (_ASIDE16, _ASIDE32, _ASIDE32)
        agreed = all(old in (new, aside) for old, new, aside in zip(told, (count, size, start), asides, strict=True))
        if mark != b"PK\x06\x06" or record != _END64.size - 12 or not agreed:
            _refuse("a 64-bit end record of another form")
    if disk or first or here != count:
        _refuse("a zip in several parts")
    return start, size, count, at


def _entries(directory: bytes, count: int) -> Iterator[_Entry]:
    at = 0
    for _ in range(count):
        if len(directory) - at < _CENTRAL.size:
            _refuse("a directory that is cut off")
        (
            mark, made, _, flags, method, time, date, crc, packed, size,
            name_length, extra_length, comment_length, disk, _, attributes, offset,
        ) = _CENTRAL.unpack_from(directory, at)  # fmt: skip
        at += _CENTRAL.size
        name = directory[at : at + name_length]
        extra = directory[at + name_length : at + name_length + extra_length]
        at += name_length + extra_length + comment_length
        if mark != b"PK\x01\x02" or comment_length or disk or at > len(directory):
            _refuse("a directory of another form")
        size, packed, offset = _wide(extra, (size, packed, offset))
        _refuse_kind(name, flags, method, attributes >> 16 if made >> 8 == _UNIX else 0, size)
        yield _Entry(name, flags, method, (time, date), crc, packed, size, offset)
    if at != len(directory):
        _refuse("a directory with more than its entries")


def _refuse_kind(name: bytes, flags: int, method: int, mode: int, size: int) -> None:
    where = shown(name.decode("utf-8", "replace"))
    if flags & _FLAGS_ENCRYPTED:
        _refuse("an encrypted entry", where=where)
    if flags & ~_FLAGS_KNOWN:
        _refuse("an entry of a kind that isn't read", where=where, found=f"flags {flags:#06x}")
    if method not in (STORED, DEFLATED):
        _refuse("an unknown compression", where=where, expected="stored or deflated", found=f"method {method}")
    folder = name.endswith(b"/")
    if mode & _KIND_BITS not in (0, _KIND_FOLDER if folder else _KIND_FILE):
        _refuse("a link or a device in the zip", where=where)
    if folder and size:
        _refuse("a folder with content", where=where)


def _located(file: IO[bytes], entry: _Entry, end: int) -> tuple[Member, int]:
    """The entry with its place, and where the next must begin: both of its headers have to agree."""
    where = shown(entry.name.decode("utf-8", "replace"))
    header = _at(file, entry.offset, _LOCAL.size)
    if len(header) < _LOCAL.size:
        _refuse("an entry outside the zip", where=where)
    mark, _, flags, method, time, date, crc, packed, size, name_length, extra_length = _LOCAL.unpack(header)
    rest = _at(file, entry.offset + _LOCAL.size, name_length + extra_length)
    size, packed = _wide(rest[name_length:], (size, packed))
    told = (entry.crc, entry.packed, entry.size)
    behind = flags & _FLAG_DESCRIPTOR  # then the three may follow the bytes, and be 0 before them
    same = (crc, packed, size) == told or (behind and (crc, packed, size) == (0, 0, 0))
    alike = (rest[:name_length], flags, method, (time, date)) == (entry.name, entry.flags, entry.method, entry.moment)
    if mark != b"PK\x03\x04" or not same or not alike:
        _refuse("an entry whose two headers differ", where=where)
    start = entry.offset + _LOCAL.size + name_length + extra_length
    place = start + entry.packed
    if place > end:
        _refuse("entries that overlap", where=where)
    if behind:
        length = _descriptor_length(_at(file, place, min(24, end - place)), told)
        if not length:
            _refuse("an entry whose two headers differ", where=where)
        place += length
    return Member(_name(entry), entry.method, start, entry.packed, entry.size, entry.crc), place


def _descriptor_length(found: bytes, told: tuple[int, int, int]) -> int:
    """How long the record behind the packed bytes is, 0 when it doesn't say the same as the directory."""
    forms = ("<4sLLL", "<4sLQQ") if max(told[1:]) <= _ASIDE32 else ("<4sLQQ",)
    whole = [struct.pack(form, b"PK\x07\x08", *told) for form in forms]
    allowed = [*whole, *(record[4:] for record in whole)]  # the mark may be left out
    return max((len(record) for record in allowed if found.startswith(record)), default=0)


def _wide(extra: bytes, values: tuple[int, ...]) -> list[int]:
    """The values, those set aside read from the 64-bit field of `extra` in their order (4.5.3)."""
    fields: dict[int, bytes] = {}
    at = 0
    while len(extra) - at >= 4:
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind in fields:
            _refuse("an entry with a doubled extra field")
        fields[kind] = extra[at + 4 : at + 4 + length]
        at += 4 + length
    if at != len(extra) or _EXTRA_OTHER_NAME in fields:
        _refuse("an entry with an extra field that isn't read")
    wide = fields.get(_EXTRA_64, b"")
    numbers = iter(struct.unpack(f"<{len(wide) // 8}Q", wide[: len(wide) // 8 * 8]))
    return [next(numbers, value) if value == _ASIDE32 else value for value in values]


def _name(entry: _Entry) -> str:
    try:
        return entry.name.decode("utf-8" if entry.flags & _FLAG_UTF8 else "ascii")
    except UnicodeDecodeError:
        _refuse("a name that isn't UTF-8", where=shown(entry.name.decode("latin-1")))


def _refuse_bombs(members: list[Member], length: int) -> None:
    for member in members:
        if member.size > max(FREE_BYTES, MAX_RATIO * member.packed):
            _refuse("an entry that inflates too far", where=shown(member.name), found=f"{member.size:,} bytes")
    if (total := sum(member.size for member in members)) > max(FREE_BYTES * 4, MAX_RATIO * length):
        _refuse("a zip that inflates too far", found=f"{total:,} bytes from {length:,}")


def _at(file: IO[bytes], place: int, count: int) -> bytes:
    """The bytes there; fewer at the file's end."""
    file.seek(place)
    data = file.read(count) if count > 0 else b""
    while 0 < len(data) < count and (more := file.read(count - len(data))):
        data += more
    return data


def _refuse(what: str, *, where: str = "", expected: str = "", found: str = "") -> NoReturn:
    raise RefusedError(what, where=where, expected=expected, found=found)
