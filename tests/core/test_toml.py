"""RUN-11, FND-06: hand-written TOML is read strictly, and hostile TOML within bounds."""

from __future__ import annotations

from decimal import Decimal

import pytest

from trigpoint.core.errors import RefusedError, SuiteError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.toml import MAX_DOTS, MAX_FILE, read_toml


def read(source: str | bytes) -> object:
    data = source.encode() if isinstance(source, str) else source
    return read_toml(MemoryFiles({"a.toml": data}), "a.toml")[1]


def test_decimals_stay_exact() -> None:
    assert read("a = 0.1\nb = 1_000.50\nc = 7") == {"a": Decimal("0.1"), "b": Decimal("1000.50"), "c": 7}


@pytest.mark.parametrize(
    ("source", "what"),
    [
        pytest.param("a = ", "not TOML", id="cut off"),
        pytest.param("a = 1\na = 2", "not TOML", id="doubled key"),
        pytest.param(b"a = '\xff'", "not UTF-8", id="not UTF-8"),
        pytest.param("a = nan", "a number that isn't finite", id="not a number"),
        pytest.param("a = -inf", "a number that isn't finite", id="infinity"),
        pytest.param("a = 2020-01-01", "a bare date", id="bare date"),
        pytest.param("a = {b = [{c = 07:32:00}]}", "a bare date", id="inner bare time"),
        pytest.param("a = 9007199254740992", "an integer beyond", id="integer too large"),
        pytest.param("a = [[0x7fffffffffffffff]]", "an integer beyond", id="inner integer too large"),
        pytest.param("a = " + "1" * 5000, "not TOML", id="5,000 digits"),
        pytest.param("a = 0x" + "1" * 100_000, "an integer beyond", id="100,000 hexadecimal digits"),
        pytest.param("a = " + "[" * 100_000, "not TOML", id="100,000 open lists"),
        pytest.param("a = " + "{a=" * 2_000 + "1" + "}" * 2_000, "not TOML", id="2,000 inline tables"),
    ],
)
def test_what_has_no_plain_meaning_is_named(source: str | bytes, what: str) -> None:
    with pytest.raises(SuiteError, match=what):
        read(source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(".".join(["a"] * 500_000) + " = 1", id="one key of 500,000 parts"),
        pytest.param("[" + " . ".join(["a"] * (MAX_DOTS + 2)) + "]", id="a table's name, spaced"),
        pytest.param("a = {" + ".".join(['"a"'] * (MAX_DOTS + 2)) + " = 1}", id="an inline table's key, quoted"),
        pytest.param("#" * (MAX_FILE + 1), id="a file too large"),
    ],
)
def test_what_would_take_too_long_is_refused_by_counting(source: str) -> None:
    """Reading a dotted key takes the square of its parts: 2,000,000 of them fit into one file."""
    with pytest.raises(RefusedError):
        read(source)


def test_dots_in_texts_are_let_be() -> None:
    leader = "Chapter 1 " + "." * 2_000 + " 7"
    assert read(f'a = "{leader}"\nb = """\n{leader}\n"""') == {"a": leader, "b": leader + "\n"}
