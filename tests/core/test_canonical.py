"""FND-02: one byte form of JSON, and strict reading."""

from __future__ import annotations

import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.canonical import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_VALUES,
    canonical,
    canonical_line,
    canonical_loads,
    digest,
    number_text,
    root_of,
    sha256_hex,
    strict_loads,
)
from trigpoint.core.errors import CanonicalError, RefusedError

# RFC 8785, appendix B: the bits of a double, and how it is written.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "written"), NUMBERS, ids=[bits for bits, _ in NUMBERS])
def test_doubles_are_written_as_the_rfc_lists_them(bits: str, written: str) -> None:
    assert number_text(struct.unpack(">d", bytes.fromhex(bits))[0]) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(
            {
                "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
                "string": '€$\x0f\nA\'B"\\\\"/',
                "literals": [None, True, False],
            },
            '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
            '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
            id="the sample of section 3.2.2",
        ),
        pytest.param(
            {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\x80": 6, "ö": 7},
            '{"\\r":2,"1":4,"\x80":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
            id="the sample of section 3.2.3: keys in the order of UTF-16 units",
        ),
        pytest.param(
            "\x00\x07\x08\x09\x0a\x0b\x0c\x0d\x1f\x7f\u2028",
            '"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\x7f\u2028"',
            id="controls",
        ),
        pytest.param([], "[]", id="empty list"),
        pytest.param({}, "{}", id="empty object"),
        pytest.param((1, (2,)), "[1,[2]]", id="tuples are lists"),
        pytest.param(-0.0, "0", id="minus nought"),
        pytest.param(MAX_INTEGER, "9007199254740991", id="the largest integer"),
        pytest.param({"a": True, "b": 1.5}, '{"a":true,"b":1.5}', id="true is no number"),
    ],
)
def test_values_have_the_rfc_s_bytes(value: object, written: str) -> None:
    assert canonical(value) == written.encode()
    assert canonical_loads(written.encode()) is not None


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(math.nan, id="not a number"),
        pytest.param([math.inf], id="infinity"),
        pytest.param(MAX_INTEGER + 1, id="integer too large"),
        pytest.param({"a": -MAX_INTEGER - 1}, id="integer too small"),
        pytest.param(2.0**53, id="a double written as an integer too large"),
        pytest.param("a\ud800", id="lone surrogate"),
        pytest.param({"\udfff": 1}, id="lone surrogate in a key"),
        pytest.param({1: 2}, id="key that isn't text"),
        pytest.param({"a": {1: 2.5}}, id="inner key that isn't text"),
        pytest.param({1, 2}, id="a set"),
        pytest.param(b"x", id="bytes"),
        pytest.param(json.loads("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)), id="too deep"),
    ],
)
def test_what_has_no_canonical_form_is_not_written(value: object) -> None:
    """FND-02: refused on the way out."""
    with pytest.raises(CanonicalError):
        canonical(value)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b'{"a":1,"a":1}', "a key stands twice", id="doubled key"),
        pytest.param(b'[{"b":{"a":1,"c":2,"a":3}}]', "a key stands twice", id="inner doubled key"),
        pytest.param(b"NaN", "isn't finite", id="NaN"),
        pytest.param(b"[-Infinity]", "isn't finite", id="infinity"),
        pytest.param(b"1e999", "too large", id="beyond a double"),
        pytest.param(b"1." + b"0" * 2000, "too long", id="a number of 2,000 digits"),
        pytest.param(b"9007199254740992", "an integer beyond", id="integer too large"),
        pytest.param(b"1" * 100_000, "an integer beyond", id="very long integer"),
        pytest.param(b'"\\ud800"', "lone surrogate", id="escaped lone surrogate"),
        pytest.param(b'{"\\udc00":1}', "lone surrogate", id="escaped lone surrogate in a key"),
        pytest.param(b'"\xed\xa0\x80"', "not UTF-8", id="surrogate in the bytes"),
        pytest.param(b'"\xff"', "not UTF-8", id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbf1", "a byte order mark stands at the start", id="byte order mark"),
        pytest.param(b"", "not JSON", id="nothing"),
        pytest.param(b"{} {}", "not JSON", id="two values"),
        pytest.param(b"{'a':1}", "not JSON", id="single quotes"),
        pytest.param(b'"a\nb"', "not JSON", id="bare control character"),
        pytest.param(b"[1,]", "not JSON", id="trailing comma"),
        pytest.param(b"01", "not JSON", id="leading nought"),
    ],
)
def test_what_has_no_one_meaning_is_not_read(data: bytes, what: str) -> None:
    """FND-02: refused on the way in, and the message says where."""
    for read in (strict_loads, canonical_loads):
        with pytest.raises(CanonicalError, match=what) as caught:
            read(data, where="rows:7")
        assert caught.value.where == "rows:7"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'{"b":1,"a":2}', id="keys out of order"),
        pytest.param(b'{"a": 1}', id="white space"),
        pytest.param(b"[1]\n", id="line feed"),
        pytest.param(b"1.0", id="1.0"),
        pytest.param(b"1E2", id="1E2"),
        pytest.param(b"-0", id="minus nought"),
        pytest.param(b"0.10", id="nought at the end"),
        pytest.param(b"1e20", id="an exponent where digits are due"),
        pytest.param(b'"\\u0041"', id="needless escape"),
        pytest.param(b'"\\/"', id="escaped slash"),
        pytest.param(b'"\\u000A"', id="capital escape"),
        pytest.param(b'"\\ud83d\\ude00"', id="escaped pair"),
    ],
)
def test_json_in_another_form_is_read_strictly_but_is_not_canonical(data: bytes) -> None:
    strict_loads(data)
    with pytest.raises(CanonicalError, match="not in canonical form"):
        canonical_loads(data, where="here")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"[" * 200_000, id="200,000 open lists"),
        pytest.param(b'{"a":' * 200_000 + b"1" + b"}" * 200_000, id="200,000 objects"),
        pytest.param(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), id="one too deep"),
        pytest.param(b"[" + b"[]," * MAX_VALUES + b"[]]", id="too many lists"),
        pytest.param(b"[" + b"1," * (MAX_VALUES + 1) + b"1]", id="too many numbers"),
        pytest.param(b"[" * 10_000_000, id="ten million open lists"),
    ],
)
def test_json_too_deep_or_with_too_many_values_is_refused_by_counting(data: bytes) -> None:
    """FND-06: before anything is built from it."""
    for read in (strict_loads, canonical_loads):
        with pytest.raises(RefusedError, match=r"nested too deeply|too many values"):
            read(data)


def test_brackets_and_commas_inside_texts_count_as_text() -> None:
    text = '\\"[{,' * (MAX_VALUES + 7)
    assert canonical_loads(canonical([text, "\\"])) == [text, "\\"]


def test_the_deepest_allowed_nesting_is_read_and_written() -> None:
    data = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert canonical(canonical_loads(data)) == data


_finite = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not MAX_INTEGER < abs(x) < 1e21)
_scalars = (
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | _finite | st.text(st.characters(codec="utf-8"))
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_values)
def test_reading_gives_back_what_was_written(value: object) -> None:
    assert canonical_loads(canonical(value)) == value


@given(_values)
def test_any_json_of_a_value_comes_to_the_same_canonical_bytes(value: object) -> None:
    assert canonical(strict_loads(json.dumps(value, indent=1).encode())) == canonical(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_double_reads_back_as_itself(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_by_name(data: bytes) -> None:
    try:
        value = canonical_loads(data)
    except CanonicalError:
        return
    assert canonical(value) == data


def test_a_row_is_one_line_and_a_digest_is_over_the_canonical_form() -> None:
    assert canonical_line({"b": 1, "a": "\n"}) == b'{"a":"\\n","b":1}\n'
    assert digest({"b": 1, "a": 2}) == sha256_hex(b'{"a":2,"b":1}')


def test_the_root_is_over_sha256sum_lines_in_path_order() -> None:
    """FND-02: what `sha256sum` prints, sorted by path, without a last line feed."""
    one, two = "1" * 64, "2" * 64
    expected = sha256_hex(f"{two}  B\n{one}  a/b\n{two}  é".encode())
    assert root_of([("é", two), ("a/b", one), ("B", two)]) == expected
    assert root_of([]) == sha256_hex(b"")
