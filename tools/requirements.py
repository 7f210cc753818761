"""Which test shows which requirement: ids cited in tests, and the page that lists them (FND-42)."""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "reference" / "requirements.toml"

_CITED = re.compile(r"\b([A-Z]{3})-(\d{2})(?!\d)(?:\s*(?:…|\.\.\.?|–|—)\s*(?:\1-)?(\d{2})\b)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """One method's requirements: id → short title, and the ids declared finished."""

    name: str
    title: str
    ids: dict[str, str]
    finished: tuple[str, ...]


def methods() -> list[Method]:
    """The methods of requirements.toml, in its order. Raises ValueError for a finished id that isn't listed."""
    read = []
    for name, table in tomllib.loads(LIST.read_text(encoding="utf-8")).items():
        finished = tuple(one for entry in table["finished"] for one in cited_in(entry))
        if strangers := set(finished) - table["ids"].keys():
            raise ValueError(f"{LIST.name}: {name}: finished but not listed: {', '.join(sorted(strangers))}")
        read.append(Method(name=name, title=table["title"], ids=table["ids"], finished=finished))
    return read


def cited_in(text: str) -> list[str]:
    """Every id that `text` cites, ranges spelt out: "RUN-20, WAT-40…42" → RUN-20, WAT-40, WAT-41, WAT-42."""
    found = []
    for prefix, first, last in _CITED.findall(text):
        found += [f"{prefix}-{number:02d}" for number in range(int(first), int(last or first) + 1)]
    return found


def citations(source: str) -> Iterator[tuple[str, str]]:
    """(name of the test, id) for each citation in a test file's docstrings, comments and parameter ids.

    A citation outside every test function belongs to the file as a whole: its name is "".
    """
    tree = ast.parse(source)
    spans = [
        (_first_line(node), node.end_lineno or node.lineno, node.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]
    for line, text in [*_docstrings(tree), *_parameter_ids(tree), *_comments(source)]:
        # a comment right above a test is the test's
        owner = next((name for first, last, name in spans if first - 1 <= line <= last), "")
        for one in cited_in(text):
            yield owner, one


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text and isinstance(node.body[0], ast.Expr):
                # a class or module speaks for the whole file, so line 0: outside every test
                inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                yield node.body[0].lineno if inside else 0, text


def _parameter_ids(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in ("id", "ids"):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def shown_by(folder: Path = ROOT / "tests") -> dict[str, list[str]]:
    """id → the tests that cite it ("tests/core/test_files.py::test_name"), sorted, each once."""
    found: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder.parent).as_posix()
        for test, one in citations(path.read_text(encoding="utf-8")):
            found.setdefault(one, set()).add(f"{name}::{test}" if test else name)
    return {one: sorted(tests) for one, tests in sorted(found.items())}


def unshown(method: Method, shown: dict[str, list[str]]) -> list[str]:
    """The finished ids of a method that no test cites."""
    return [one for one in method.finished if one not in shown]


def unknown(known: Iterable[Method], shown: dict[str, list[str]]) -> list[str]:
    """Cited ids that no list knows though it has others of the same kind: slips of the pen."""
    ids = {one for method in known for one in method.ids}
    kinds = {one[:3] for one in ids}
    return sorted(one for one in shown if one[:3] in kinds and one not in ids)


def page() -> str:
    """docs/reference/requirements.md, without its heading comment."""
    shown = shown_by()
    lines = [
        "# Requirements and the tests that show them",
        "",
        "Each requirement has an id that tests cite. A requirement marked *finished* must have a test: one without"
        " fails the build.",
        "The ids and their state stand in [requirements.toml](requirements.toml).",
    ]
    listed = methods()
    for method in listed:
        cited = sum(one in shown for one in method.ids)
        lines += [
            "",
            f"## {method.title}",
            "",
            f"{cited} of {len(method.ids)} are cited, {len(method.finished)} are finished.",
        ]
        for one, title in method.ids.items():
            state = " · finished" if one in method.finished else ""
            lines += ["", f"**{one}** {title}{state}", ""]
            lines += [f"- `{test}`" for test in shown.get(one, [])] or ["- no test cites it yet"]
    kinds = {one[:3] for method in listed for one in method.ids}
    if others := {one: tests for one, tests in shown.items() if one[:3] not in kinds}:
        lines += ["", "## Cited, of methods still to come"]
        for one, tests in others.items():
            lines += ["", f"**{one}**", "", *[f"- `{test}`" for test in tests]]
    return "\n".join(lines) + "\n"
