"""What is read in the header of a model file (RUN-01)."""

from __future__ import annotations

import struct

import pytest

from trigpoint.core.errors import OperatorError
from trigpoint.respondents.gguf import quantization


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def entry(name: bytes, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def header(*entries: bytes, version: int = 3, count: int | None = None) -> bytes:
    return struct.pack("<4sIQQ", b"GGUF", version, 0, len(entries) if count is None else count) + b"".join(entries)


U32, F32, TEXT, ARRAY = 4, 6, 8, 9
NAME = entry(b"general.name", TEXT, text(b"a model"))
SCALE = entry(b"general.scale", F32, struct.pack("<f", 0.5))
TAGS = entry(b"general.tags", ARRAY, struct.pack("<IQ", TEXT, 2) + text(b"en") + text(b"de"))
Q4_1 = entry(b"general.file_type", U32, struct.pack("<I", 3))
ENDLESS = entry(b"general.tags", ARRAY, struct.pack("<IQ", TEXT, 2**60))


@pytest.mark.parametrize(
    ("data", "found"),
    [
        pytest.param(header(NAME, SCALE, TAGS, Q4_1), "Q4_1", id="after a text, a number and a list"),
        pytest.param(header(Q4_1, version=2), "Q4_1", id="version 2"),
        pytest.param(header(entry(b"general.file_type", U32, struct.pack("<I", 999))), None, id="a code nobody knows"),
        pytest.param(header(entry(b"general.file_type", TEXT, text(b"Q4_1"))), None, id="a text where a code belongs"),
        pytest.param(header(NAME), None, id="not stated"),
        pytest.param(header(ENDLESS, Q4_1), None, id="a list beyond the limit"),
        pytest.param(header(entry(b"x", TEXT, struct.pack("<Q", 2**63))), None, id="a text beyond the limit"),
        pytest.param(header(entry(b"x", 77, b"")), None, id="a kind nobody knows"),
        pytest.param(header(NAME, Q4_1)[:-2], None, id="cut short"),
        pytest.param(header(count=2**64 - 1), None, id="a count that lies"),
    ],
)
def test_quantization_is_read_in_the_header_or_is_not_known(tmp_path, data, found):
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    assert quantization(path) == found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        pytest.param(b"", "", id="empty"),
        pytest.param(b"PK\x03\x04" + bytes(60), "PK", id="a zip"),
        pytest.param(header(NAME, version=9), "version 9", id="a later version"),
    ],
)
def test_another_file_is_refused_by_name(tmp_path, data, found):
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(OperatorError) as refused:
        quantization(path)
    assert str(path) in refused.value.where
    assert found in refused.value.found
