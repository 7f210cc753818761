"""The few facts a GGUF file states about itself in its header. Nothing else of the file is looked at."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from trigpoint.core.errors import OperatorError, shown

_MAGIC = b"GGUF"
_ENTRIES = 64  # header entries looked at; `general.*` stands first
_LONGEST_TEXT = 65_536  # bytes of one text
_LONGEST_ARRAY = 1_024  # elements of one array

#: Kind of a value → its bytes, for all that have a fixed size.
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_U32, _TEXT, _ARRAY, _U64 = 4, 8, 9, 10

#: general.file_type → the usual name of the quantization most of the weights have.
_FILE_TYPES = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    21: "Q2_K_S",
    22: "IQ3_XS",
    23: "IQ3_XXS",
    24: "IQ1_S",
    25: "IQ4_NL",
    26: "IQ3_S",
    27: "IQ3_M",
    28: "IQ2_S",
    29: "IQ2_M",
    30: "IQ4_XS",
    31: "IQ1_M",
    32: "BF16",
}


class _Unreadable(Exception):
    """The header goes beyond what is looked at."""


def quantization(path: Path) -> str | None:
    """The quantization the header states ("Q4_1"), or None if it states none that is known.

    Reads at most the first 64 header entries. Raises OperatorError for a file that is no GGUF of
    version 2 or 3; a header that is broken further on is left for the runtime to refuse.
    """
    with path.open("rb") as stream:
        start = stream.read(24)
        version = int.from_bytes(start[4:8], "little")
        if start[:4] != _MAGIC or len(start) < 24 or version not in (2, 3):
            raise OperatorError(
                "not a model file that can be run",
                where=str(path),
                expected="a GGUF file of version 2 or 3",
                found=shown(repr(start[:4])) if start[:4] != _MAGIC else f"version {version}",
            )
        try:
            return _FILE_TYPES.get(_file_type(stream, int.from_bytes(start[16:24], "little")))
        except _Unreadable:
            return None


def _file_type(stream: BinaryIO, entries: int) -> int:
    for _ in range(min(entries, _ENTRIES)):
        name, kind = _text(stream), _number(stream, _U32)
        if name == b"general.file_type" and kind == _U32:
            return _number(stream, kind)
        _skip(stream, kind)
    raise _Unreadable


def _skip(stream: BinaryIO, kind: int) -> None:
    if kind == _ARRAY:
        inner, count = _number(stream, _U32), _number(stream, _U64)
        if count > _LONGEST_ARRAY or inner == _ARRAY:
            raise _Unreadable
        for _ in range(count):
            _skip(stream, inner)
    elif kind == _TEXT:
        _text(stream)
    else:
        _number(stream, kind)


def _text(stream: BinaryIO) -> bytes:
    length = _number(stream, _U64)
    if length > _LONGEST_TEXT:
        raise _Unreadable
    return _exactly(stream, length)


def _number(stream: BinaryIO, kind: int) -> int:
    """A value of fixed size as an unsigned integer: lengths and codes are, and nothing else is looked for."""
    if kind not in _SIZES:
        raise _Unreadable
    return int.from_bytes(_exactly(stream, _SIZES[kind]), "little")


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise _Unreadable
    return data
