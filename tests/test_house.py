"""The rules of the house: what the core may import, what files may hold, how tests may be switched off."""

from __future__ import annotations

import ast
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "trigpoint"
CORE = sorted((PACKAGE / "core").rglob("*.py"))
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

# written apart, so that this file doesn't hold what it looks for
INDEX_HOSTS = re.compile(
    "|".join(
        (
            r"pypi" r"\.org",
            r"files\.python" r"hosted\.org",
            r"registry\.npm" r"js\.org",
            r"https?://[^\s\"'`]*/sim" r"ple\b",
            r"(?<![\w-])(?:extra-)?index" r"-url",
        )
    ),
    re.IGNORECASE,
)
MACHINE_PATHS = re.compile(r"(?<![\w.:/~$}-])/(?:wo" r"rk|ro" r"ot|home/\w+)/[\w.]")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tracked_texts() -> Iterator[tuple[str, str]]:
    """(path, text) of each file that is committed or would be; binary files are left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for path in filter(None, listed.stdout.split("\0")):
        try:
            yield path, (ROOT / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue


def imports_of(path: Path) -> set[str]:
    """The dotted names a file imports; relative imports are not used in this project."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            found.add(str(node.module))
    return found


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_core_imports_the_standard_library_and_itself_alone(path: Path) -> None:
    """DESIGN's first rule: `core` and python3 alone verify any bundle (FND-20, FND-34)."""
    foreign = {
        name
        for name in imports_of(path)
        if name.partition(".")[0] not in sys.stdlib_module_names and not f"{name}.".startswith("trigpoint.core.")
    }
    assert foreign <= {"trigpoint"}, foreign


# What reaches the outside or differs from call to call. The verifier's own command line reads a disk (by `os`).
OUTSIDE = {
    "asyncio", "http", "multiprocessing", "pathlib", "random", "secrets", "select", "shutil", "signal", "socket",
    "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
CLOCKS = {"now", "utcnow", "today"}


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_core_has_no_clock_network_process_or_unseeded_chance(path: Path) -> None:
    """FND-30: no clock decides a grade. `random.Random(seed)` alone is allowed of `random`."""
    reached = {name.partition(".")[0] for name in imports_of(path)} & OUTSIDE
    if "random" in reached and not unseeded_uses(path):
        reached.discard("random")
    assert not reached
    if "datetime" in imports_of(path):
        assert not {node.attr for node in nodes(path, ast.Attribute)} & CLOCKS


N = TypeVar("N", bound=ast.AST)


def nodes(path: Path, kind: type[N]) -> Iterator[N]:
    """Every node of one kind in a file's syntax tree."""
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kind))


def unseeded_uses(path: Path) -> list[str]:
    """Uses of the module `random` other than `random.Random(seed)`."""
    bad = [
        f"line {node.lineno}: from random import …"
        for node in nodes(path, ast.ImportFrom)
        if node.module == "random" and {alias.name for alias in node.names} != {"Random"}
    ]
    for node in nodes(path, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "random" and node.attr != "Random":
            bad.append(f"line {node.lineno}: random.{node.attr}")
    for call in nodes(path, ast.Call):
        if not call.args and not call.keywords and ast.unparse(call.func) in ("Random", "random.Random"):
            bad.append(f"line {call.lineno}: Random() without a seed")
    return bad


@pytest.mark.parametrize(
    ("source", "found"),
    [
        pytest.param("import random\nr = random.Random(7).random()", False, id="seeded"),
        pytest.param("import random\nr = random.random()", True, id="the shared generator"),
        pytest.param("import random\nr = random.Random()", True, id="no seed"),
        pytest.param("from random import Random\nr = Random()", True, id="no seed, imported by name"),
        pytest.param("from random import shuffle", True, id="a function of the shared generator"),
    ],
)
def test_unseeded_chance_is_seen(tmp_path: Path, source: str, found: bool) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    assert bool(unseeded_uses(path)) is found


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_no_core_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_core_works_with_bare_python_and_nothing_else_on_the_path(tmp_path: Path) -> None:
    """Every module of the core imports under `python3 -I -S` where only the core can be found (FND-34)."""
    home = tmp_path / "trigpoint"
    home.mkdir()
    shutil.copy(PACKAGE / "__init__.py", home)
    shutil.copytree(PACKAGE / "core", home / "core", ignore=shutil.ignore_patterns("__pycache__"))
    modules = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in CORE
        if path.name != "__main__.py"
    ]
    program = f"import sys, importlib; sys.path.insert(0, {str(tmp_path)!r})\n" + "\n".join(
        f"importlib.import_module({name!r})" for name in modules
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_imports_point_down() -> None:
    """The contracts of pyproject.toml: core at the bottom, the command line on top (FND-20)."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_source_file_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), "no module docstring"


def test_no_file_names_a_package_index_or_a_path_of_this_machine() -> None:
    """What is committed works behind any mirror and on any machine."""
    found = []
    for path, text in tracked_texts():
        for number, line in enumerate(text.splitlines(), 1):
            if INDEX_HOSTS.search(line) or MACHINE_PATHS.search(line) or f"{ROOT}/" in line:
                found.append(f"{path}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


SWITCHES = {"skip": "reason", "skipif": "reason", "xfail": "reason", "importorskip": "reason"}


def switched_off_without_reason(source: str) -> list[int]:
    """Line numbers of skip, skipif, xfail and importorskip that give no reason, or an empty one."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    lines = []
    for node in ast.walk(tree):
        bare = isinstance(node, ast.Attribute) and node.attr in SWITCHES and id(node) not in called
        if bare and ast.unparse(node).endswith(f"mark.{node.attr}"):
            lines.append(node.lineno)
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SWITCHES):
            continue
        if "pytest" not in ast.unparse(node.func):
            continue
        direct = "mark" not in ast.unparse(node.func) and node.func.attr in ("skip", "xfail")
        reasons = [word.value for word in node.keywords if word.arg in ("reason", "msg")]
        reasons += node.args[:1] if direct else []
        if not any(not (isinstance(reason, ast.Constant) and not reason.value) for reason in reasons):
            lines.append(node.lineno)
    return sorted(lines)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("@pytest.mark.skip\ndef test(): ...", [1], id="bare"),
        pytest.param("@pytest.mark.skipif(True)\ndef test(): ...", [1], id="a condition alone"),
        pytest.param("@pytest.mark.xfail(reason='')\ndef test(): ...", [1], id="an empty reason"),
        pytest.param("@pytest.mark.skipif(True, reason='no fork there')\ndef test(): ...", [], id="with reason"),
        pytest.param("pytest.skip()", [1], id="a call without words"),
        pytest.param("pytest.skip('no chromium here')", [], id="a call with words"),
        pytest.param("pytest.importorskip('numpy')", [1], id="an import without reason"),
    ],
)
def test_a_switched_off_test_without_reason_is_seen(source: str, lines: list[int]) -> None:
    assert switched_off_without_reason(source) == lines


@pytest.mark.parametrize("path", TESTS, ids=name_of)
def test_no_test_is_switched_off_without_reason(path: Path) -> None:
    """FND-40: nothing is skipped in CI, and elsewhere only for a reason that is given."""
    assert switched_off_without_reason(path.read_text(encoding="utf-8")) == []


# conftest.py refuses what isn't loopback; these show that it does.


@pytest.mark.parametrize(
    "reach",
    [
        pytest.param(lambda: socket.create_connection(("192.0.2.1", 9), timeout=1), id="connect"),
        pytest.param(lambda: socket.getaddrinfo("example.invalid", 80), id="resolve"),
        pytest.param(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", ("192.0.2.1", 9)), id="send"),
        pytest.param(lambda: socket.socket().bind(("", 0)), id="listen to all"),
    ],
)
def test_traffic_beyond_loopback_is_refused(reach) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Exception, match="tests stay on loopback"):
        reach()


def test_loopback_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()


def test_each_test_has_a_home_of_its_own() -> None:
    """FND-13: TRIGPOINT_HOME names a folder that nobody has written in."""
    assert not Path(os.environ["TRIGPOINT_HOME"]).exists()


SKIPPING = "import pytest\n\ndef test_one():\n    pytest.skip('a part is missing')\n\ndef test_two(): ...\n"


@pytest.mark.parametrize(("ci", "code"), [pytest.param("", 0, id="at home"), pytest.param("true", 1, id="in CI")])
@pytest.mark.parametrize("workers", [pytest.param((), id="alone"), pytest.param(("-n", "1"), id="with a worker")])
def test_a_skipped_test_fails_in_ci(tmp_path: Path, ci: str, code: int, workers: tuple[str, ...]) -> None:
    """FND-40: nothing is skipped in CI."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_skipping.py").write_text(SKIPPING, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout


# The Makefile's environment script, tried on folders that stand where .venv should.


def environment(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "tools").mkdir(exist_ok=True)
    shutil.copy(ROOT / "tools" / "environment.sh", folder / "tools")
    return subprocess.run(
        ["sh", "tools/environment.sh", "dev"],
        cwd=folder,
        env={**os.environ, "VENV": ".venv", "PYTHON": "", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_make_refuses_a_folder_that_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "letters.txt").write_text("mine", encoding="utf-8")
    done = environment(tmp_path)
    assert done.returncode == 1
    assert "is not a virtual environment" in done.stderr
    assert (tmp_path / ".venv" / "letters.txt").read_text(encoding="utf-8") == "mine"


def test_make_says_that_the_python_named_does_not_run(tmp_path: Path) -> None:
    done = environment(tmp_path, PYTHON="python-of-nowhere")
    assert done.returncode == 1
    assert "PYTHON=python-of-nowhere is not a Python 3.11 or newer that runs" in done.stderr


def test_make_says_how_to_get_a_python(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "dirname", "mkdir", "readlink", "rm", "ls"):
        (tools / name).symlink_to(str(shutil.which(name)))
    done = environment(tmp_path, PATH=str(tools))
    assert done.returncode == 1
    assert "no Python 3.11 or newer found" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr


def test_a_link_in_place_of_the_environment_is_removed_and_its_target_kept(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / "kept.txt").write_text("kept", encoding="utf-8")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / ".venv").symlink_to(target)
    done = environment(checkout, PYTHON="python-of-nowhere")
    assert "the link is removed" in done.stderr
    assert not (checkout / ".venv").is_symlink()
    assert (target / "kept.txt").exists()
