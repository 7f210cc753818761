"""FND-06: files as paths and bytes, with limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.errors import BundleError, RefusedError
from trigpoint.core.files import MemoryFiles, SubFolder, checked_path, lines_limited, read_limited

FILES = MemoryFiles({"suite/items.jsonl": b"a\nbb\n", "suite/prompts/x.md": b"hi", "README.txt": b"", "suite2/a": b"-"})


@pytest.mark.parametrize(
    "path", ["a", "a/b/c.txt", "suite/items.jsonl", ".hidden", "a..b", "é/漢", "a" * 400, "-", "a b"]
)
def test_a_plain_relative_path_is_taken_as_it_is(path: str) -> None:
    assert checked_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("", id="empty"),
        pytest.param("/etc/passwd", id="absolute"),
        pytest.param("../a", id="up"),
        pytest.param("a/../../b", id="up from inside"),
        pytest.param("a/./b", id="dot"),
        pytest.param("a//b", id="empty name"),
        pytest.param("a/", id="ends in a slash"),
        pytest.param("a\\b", id="backslash"),
        pytest.param("C:/a", id="drive letter"),
        pytest.param("a:stream", id="stream of a file"),
        pytest.param("a\0b", id="NUL"),
        pytest.param("a\nb", id="line feed"),
        pytest.param("a\x7f", id="delete"),
        pytest.param("a.", id="dot at the end"),
        pytest.param("a /b", id="blank at a name's end"),
        pytest.param("a*", id="star"),
        pytest.param("a?", id="question mark"),
        pytest.param('"', id="quote"),
        pytest.param("a\udc80", id="bytes that are no text"),
        pytest.param("a" * 401, id="too long"),
    ],
)
def test_a_path_that_leaves_or_has_two_spellings_is_refused(path: str) -> None:
    with pytest.raises(BundleError, match="a path that is refused"):
        checked_path(path)
    with pytest.raises(BundleError):
        MemoryFiles({path: b""})


def test_a_sub_folder_is_seen_as_the_whole() -> None:
    suite = SubFolder(FILES, "suite")
    assert list(suite.paths()) == ["items.jsonl", "prompts/x.md"]
    assert suite.size("prompts/x.md") == 2
    assert read_limited(suite, "prompts/x.md", 2) == b"hi"
    with pytest.raises(BundleError, match="no such file"):
        suite.open("README.txt")


def test_paths_are_sorted_and_absent_files_are_named() -> None:
    assert list(FILES.paths()) == ["README.txt", "suite/items.jsonl", "suite/prompts/x.md", "suite2/a"]
    with pytest.raises(BundleError) as caught:
        FILES.size("nope")
    assert caught.value.where == "nope"


def test_a_file_is_read_up_to_its_limit_and_not_beyond() -> None:
    assert read_limited(FILES, "suite/items.jsonl", 5) == b"a\nbb\n"
    with pytest.raises(RefusedError, match="too large: expected at most 4 bytes"):
        read_limited(FILES, "suite/items.jsonl", 4)


def test_lines_are_numbered_and_bounded() -> None:
    files = MemoryFiles({"a": b"one\n\nlast"})
    assert list(lines_limited(files, "a", 4)) == [(1, b"one"), (2, b""), (3, b"last")]
    with pytest.raises(RefusedError, match=r"a:1: a line that is too long"):
        list(lines_limited(files, "a", 3))


@given(st.lists(st.binary(max_size=6).filter(lambda line: b"\n" not in line)))
def test_lines_joined_are_the_file(lines: list[bytes]) -> None:
    files = MemoryFiles({"a": b"".join(line + b"\n" for line in lines)})
    assert [line for _, line in lines_limited(files, "a", 10)] == lines
