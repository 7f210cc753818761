"""The docs say what the code says: generated pages, links, options, docstrings, requirements, dependencies."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import docs
import requirements

ROOT = Path(__file__).resolve().parent.parent
CORE = sorted((ROOT / "src" / "trigpoint" / "core").rglob("*.py"))
MARKDOWN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
COMMANDS = list(docs.commands())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("name", docs.PAGES)
def test_a_generated_page_is_what_the_code_says(name: str) -> None:
    assert (docs.REFERENCE / name).read_text(encoding="utf-8") == docs.generated(name), "run `make docs`"


def test_check_finds_a_changed_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(docs.PAGES, "outcomes.md", (lambda: "something else", "nowhere"))
    assert docs.main(["--check"]) == 1
    assert "docs/reference/outcomes.md is not what the code says" in capsys.readouterr().err


# Links


def headings(text: str) -> set[str]:
    """The anchors that a Markdown page's headings give."""
    titles = re.findall(r"^#{1,6} +(.+?) *$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(text: str) -> Iterator[str]:
    """The targets of a Markdown text's links and images, code left out."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)
    yield from re.findall(r"\]\(([^()\s]+)\)", prose)


@pytest.mark.parametrize("path", MARKDOWN, ids=name_of)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    for target in links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file) if file else path
        assert there.exists(), f"{target} leads nowhere"
        if anchor and there.suffix == ".md":
            assert anchor in headings(there.read_text(encoding="utf-8")), f"{target}: no such heading"


@pytest.mark.parametrize("path", [path for path in MARKDOWN if "docs" in path.parts], ids=name_of)
def test_every_page_can_be_reached_from_the_index(path: Path) -> None:
    reached, ahead = set[Path](), [ROOT / "docs" / "index.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached and page.suffix == ".md" and page.exists():
            reached.add(page)
            ahead += [
                (page.parent / target.partition("#")[0]).resolve()
                for target in links(page.read_text(encoding="utf-8"))
                if not re.match(r"[a-z]+:|#", target)
            ]
    assert path in reached


# Commands


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_option_says_what_it_does(name: str, command: click.Command) -> None:
    assert command.help, f"{name} has no help"
    page = (docs.REFERENCE / "cli.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{name} {option.opts[0]} has no help"
            assert option.opts[0] in section, f"{name} {option.opts[0]} is not on the page"


# Docstrings


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_every_public_name_of_the_core_is_documented(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    assert not [node.name for node in public if not ast.get_docstring(node)]


# Requirements


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        pytest.param("the reply is kept (RUN-40)", ["RUN-40"], id="one"),
        pytest.param("RUN-20, CHK-21", ["RUN-20", "CHK-21"], id="a list"),
        pytest.param("see WAT-40…43", ["WAT-40", "WAT-41", "WAT-42", "WAT-43"], id="a range"),
        pytest.param("RUN-50 … 52", ["RUN-50", "RUN-51", "RUN-52"], id="a range with spaces"),
        pytest.param("FND-01–FND-03", ["FND-01", "FND-02", "FND-03"], id="a range with both ends whole"),
        pytest.param("FND-10...12", ["FND-10", "FND-11", "FND-12"], id="a range in plain points"),
        pytest.param("RUN-21, 24 tasks", ["RUN-21"], id="a number that isn't an id"),
        pytest.param("RUN-21 – 200 tasks", ["RUN-21"], id="a dash that isn't a range"),
        pytest.param("UTF-8 and SHA-256", [], id="names that look alike"),
    ],
)
def test_ids_are_found_in_text(text: str, ids: list[str]) -> None:
    """FND-42: a citation is an id, or a range of them."""
    assert requirements.cited_in(text) == ids


# ids put together here, so that this file's own examples don't count as citations
SOURCE = '''"""Of XYZ-01."""

TABLE = "XYZ-02 in data is no citation"

# XYZ-03: right above a test
@pytest.mark.parametrize("a", [pytest.param(1, id="XYZ-04 by name")])
def test_one(a):
    """XYZ-05 is shown."""
    assert a  # XYZ-06

def helper():
    """XYZ-07 is no test's."""
'''.replace("XYZ", "QQ" + "Q")


def test_a_citation_belongs_to_the_test_it_stands_in() -> None:
    """FND-42: docstrings, comments and parameter ids cite; other texts don't."""
    found = sorted(requirements.citations(SOURCE), key=lambda pair: pair[1])
    assert [(test, one[-2:]) for test, one in found] == [
        ("", "01"),
        ("test_one", "03"),
        ("test_one", "04"),
        ("test_one", "05"),
        ("test_one", "06"),
        ("", "07"),
    ]


@pytest.mark.parametrize("method", requirements.methods(), ids=lambda method: method.name)
def test_every_finished_requirement_has_a_test(method: requirements.Method) -> None:
    """FND-42: an id declared finished and cited by no test fails the build."""
    assert requirements.unshown(method, requirements.shown_by()) == []


def test_a_finished_requirement_without_a_test_is_seen() -> None:
    method = requirements.Method(name="m", title="M", ids={"QQQ-01": "a", "QQQ-02": "b"}, finished=("QQQ-01", "QQQ-02"))
    assert requirements.unshown(method, {"QQQ-02": ["tests/test_m.py"]}) == ["QQQ-01"]


def test_no_test_cites_an_id_that_is_on_no_list() -> None:
    assert requirements.unknown(requirements.methods(), requirements.shown_by()) == []


# Dependencies


def dependencies() -> list[str]:
    """Every distribution that pyproject.toml names, extras and build included; the package itself left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in project["project"]["optional-dependencies"].values():
        listed += extra
    names = {re.match(r"[\w.-]+", line).group().lower() for line in listed}  # type: ignore[union-attr]
    return sorted(names - {"trigpoint"})


@pytest.mark.parametrize("name", dependencies())
def test_every_dependency_is_explained_and_pinned(name: str) -> None:
    """Each has a line on the page of dependencies (what for, why it, licence) and one version in constraints.txt."""
    page = (ROOT / "docs" / "explanation" / "dependencies.md").read_text(encoding="utf-8")
    assert f"| {name} |" in page.lower()
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
    assert [pin for pin in pins if pin.startswith(f"{name}==")]


def test_every_package_that_is_imported_is_declared() -> None:
    """What comes along with another package today may not tomorrow. Import and distribution names agree here."""
    imported = {
        name.partition(".")[0]
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
    }
    assert imported - sys.stdlib_module_names - {"trigpoint"} <= set(dependencies())
