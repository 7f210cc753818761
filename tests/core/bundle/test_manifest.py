"""FND-01, FND-02: the closed list of a bundle's files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.bundle.manifest import FileEntry, is_listed, make_manifest, manifest_bytes, manifest_from
from trigpoint.core.canonical import canonical_loads, root_of, sha256_hex
from trigpoint.core.errors import BundleError, RefusedError

A, B = FileEntry(path="a/b", sha256="1" * 64, bytes=3), FileEntry(path="B", sha256="2" * 64, bytes=0)


def members() -> dict[str, Any]:
    return dict(canonical_loads(manifest_bytes(make_manifest("fair-run", "fair-run/1", [A, B]))[:-1]))


def test_a_manifest_is_one_canonical_line_in_path_order() -> None:
    """The root is the digest of what `sha256sum` would print for the files, sorted."""
    root = sha256_hex(f"{B.sha256}  B\n{A.sha256}  a/b".encode())
    assert manifest_bytes(make_manifest("fair-run", "fair-run/1", [A, B])).decode() == (
        f'{{"files":[{{"bytes":0,"path":"B","sha256":"{B.sha256}"}},{{"bytes":3,"path":"a/b","sha256":"{A.sha256}"}}],'
        f'"format":"trigpoint-bundle/1","method":"fair-run","method_version":"fair-run/1","root":"{root}"}}\n'
    )


_paths = st.text(st.sampled_from("abcé/._-"), min_size=1, max_size=6).filter(
    lambda path: all(part and not part.endswith(".") for part in path.split("/"))
)


@given(st.dictionaries(_paths, st.integers(0, 2**53 - 1), max_size=6))
def test_reading_gives_back_what_was_made(sizes: dict[str, int]) -> None:
    entries = [FileEntry(path=path, sha256=sha256_hex(path.encode()), bytes=size) for path, size in sizes.items()]
    made = make_manifest("fair-run", "fair-run/1", entries)
    assert manifest_from(canonical_loads(manifest_bytes(made)[:-1])) == made
    assert made.root == made.root_of_entries() == root_of((entry.path, entry.sha256) for entry in entries)


@pytest.mark.parametrize(
    ("path", "listed"),
    [
        ("result.json", True),
        ("suite/manifest.json", True),
        ("manifest.json", False),
        ("signatures/a.json", False),
        ("signatures", True),
    ],
)
def test_all_but_the_manifest_and_its_signatures_are_listed(path: str, listed: bool) -> None:
    assert is_listed(path) is listed


@pytest.mark.parametrize("path", ["manifest.json", "signatures/x.json", "../a", "/a", "a//b", "a\\b", "", "a\n"])
def test_what_no_manifest_lists_is_not_made(path: str) -> None:
    with pytest.raises(BundleError):
        make_manifest("fair-run", "fair-run/1", [A, FileEntry(path=path, sha256="1" * 64, bytes=1)])


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param({"root": "x"}, "root: a wrong value", id="no root"),
        pytest.param({"root": "A" * 64}, "root: a wrong value", id="root in capitals"),
        pytest.param({"files": {}}, "files: a wrong value", id="files are no list"),
        pytest.param({"files": [1]}, r"files\[0\]: not an object", id="an entry that is no object"),
        pytest.param({"files": [{"path": "a", "sha256": "1" * 64}]}, "without bytes", id="an entry without its size"),
        pytest.param({"method": 1}, "method: a wrong value", id="method is no text"),
        pytest.param({"more": 1}, "with", id="one key more"),
        pytest.param({"format": 1}, "format: a wrong value", id="format is no text"),
    ],
)
def test_another_shape_is_a_contradiction(change: dict[str, Any], what: str) -> None:
    with pytest.raises(BundleError, match=what) as caught:
        manifest_from(members() | change)
    assert not isinstance(caught.value, RefusedError)


@pytest.mark.parametrize("value", [None, [], "x", 7])
def test_no_object_is_no_manifest(value: Any) -> None:
    with pytest.raises(BundleError, match="not an object"):
        manifest_from(value)


@pytest.mark.parametrize("order", [[A, B], [B, B], [A, A, B]])
def test_entries_out_of_order_or_doubled_are_a_contradiction(order: list[FileEntry]) -> None:
    files = [{"path": entry.path, "sha256": entry.sha256, "bytes": entry.bytes} for entry in order]
    with pytest.raises(BundleError, match="not in path order, or listed twice"):
        manifest_from(members() | {"files": files})


@pytest.mark.parametrize("name", ["trigpoint-bundle/2", "trigpoint-bundle/0", "other/1", ""])
def test_an_unknown_format_is_refused_by_its_name(name: str) -> None:
    """DESIGN, decision 5: whatever else it holds."""
    with pytest.raises(RefusedError, match="a bundle format that this program doesn't know") as caught:
        manifest_from({"format": name, "anything": [1]})
    assert caught.value.found == f'"{name}"'
