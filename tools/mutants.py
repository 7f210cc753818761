"""Change the core in small ways, see which changes no test notices, and write docs/reference/mutants.md (FND-41).

    python tools/mutants.py            every group below
    python tools/mutants.py GROUP …    only these; the page keeps what it says of the others

Each group is tried in a copy of the checkout under build/mutants, so nothing in the checkout changes. A run goes on
where the last one stopped. Reasons for survivors stand in docs/reference/mutants.toml, by place and change.
"""

from __future__ import annotations

import datetime
import json
import platform
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutants"
REFERENCE = ROOT / "docs" / "reference"
NOTICED = ("killed", "timeout", "segfault")  # a mutant that hangs or crashes the tests is noticed too
WANTED = 85.0  # percent
CONTEXT = 24  # characters shown before and behind what a mutant changes

#: group → (what is changed, the tests that may notice it)
GROUPS: dict[str, tuple[list[str], list[str]]] = {
    "graders": (["automaton/*", "graders/*"], ["automaton", "graders"]),
    "extraction": (["message.py"], ["test_message.py"]),
    "scoring": (["scoring/*"], ["scoring"]),
    "verify": (["verify/*"], ["verify", "test_files.py"]),
}

# mutmut never takes a time limit back, so that it later signals whatever process has got the number of one that ended
# long ago. Its limit on processor time, which the system keeps, is enough: nothing in the core waits.
RUN = """
from mutmut.__main__ import cli
from mutmut.workers import isolation

assert callable(isolation.register_timeout)
isolation.register_timeout = lambda pid, timeout_s: None
cli()
"""

SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = {modules}
# what an error says is for people: changing a word of it changes no verdict
do_not_mutate_patterns = ['^\\s*raise \\w+Error\\(']
also_copy = ["LICENSE", "Makefile", "README.md", "benchmarks", "constraints.txt", "docs", "tools"]
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not full"]
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """One change: where it is ("trigpoint.core.exact.fraction_text"), what came of it, what it is."""

    name: str  # as mutmut calls it
    status: str  # "killed", "survived", "no tests", "timeout", …
    change: str = ""  # "old → new", of survivors only

    @property
    def module(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def place(self) -> str:
        """Module and function (or Class.method), without the marks that mutmut adds."""
        inner = self.name.rpartition(".")[2].rpartition("__mutmut_")[0]
        for mark in ("xǁ", "x_"):
            inner = inner.removeprefix(mark)
        return f"{self.module}.{inner.replace('ǁ', '.')}"

    @property
    def key(self) -> str:
        return f"{self.place}: {self.change}"


def prepared(group: str) -> Path:
    """A copy of the checkout in which mutmut tries one group; what an earlier run found there is kept."""
    folder = BUILD / group
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for name in ("src", "tests", "tools", "docs", "benchmarks"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for path in filter(None, listed.stdout.split("\0")):
        if (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, folder / path)
    modules, tests = GROUPS[group]
    settings = SETTINGS.format(
        modules=json.dumps([f"src/trigpoint/core/{name}" for name in modules]),
        tests=json.dumps([f"tests/core/{name}" for name in tests]),
    )
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as stream:
        stream.write(settings)
    return folder


def mutmut(folder: Path, *arguments: str) -> str:
    """What a mutmut command in `folder` prints. Raises SystemExit when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"mutmut {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def parsed(listing: str) -> list[Mutant]:
    """The mutants of what `mutmut results --all` prints: a line "name: status" each."""
    found = []
    for line in listing.splitlines():
        name, colon, status = line.strip().rpartition(": ")
        if colon and "__mutmut_" in name:
            found.append(Mutant(name=name, status=status))
    return found


def change_in(diff: str) -> str:
    """ "a < 1 → a <= 1": what a unified diff of one change replaces, with some words around it."""
    lines = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    old, new = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    start, end = max(0, start - CONTEXT), max(0, end - CONTEXT)
    return f"{old[start : len(old) - end]} → {new[start : len(new) - end]}"


def _shared(first: str, second: str) -> int:
    """How many characters both begin with."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (one, two) in enumerate(pairs) if one != two), min(len(first), len(second)))


def tried(group: str) -> list[Mutant]:
    """Every mutant of a group with what came of it; survivors with what was changed."""
    folder = prepared(group)
    subprocess.run([sys.executable, "-c", RUN, "run", "--max-children", "2"], cwd=folder, check=True)
    found = parsed(mutmut(folder, "results", "--all", "true"))
    left = [one.name for one in found if one.status in ("not checked", "check was interrupted by user")]
    if left or not found:
        raise SystemExit(f"{group}: {len(left):,} of {len(found):,} mutants were not tried: call this again")
    return [
        Mutant(name=one.name, status=one.status, change=change_in(mutmut(folder, "show", one.name)))
        if one.status not in NOTICED
        else one
        for one in found
    ]


def share(noticed: int, total: int) -> str:
    """Percent with one decimal, rounded down: 84.96% is not 85.0%."""
    return f"{noticed * 1000 // total / 10:.1f}%" if total else "–"


def reasons() -> dict[str, str]:
    """place and change of a survivor → why it may live."""
    path = REFERENCE / "mutants.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {f"{place}: {change}": why for place, inner in table.items() for change, why in inner.items()}


def page(found: list[Mutant], known: dict[str, str], day: str, tool: str) -> str:
    """The Markdown page: the figure, a line a module, every survivor with its reason."""
    total, noticed = len(found), sum(one.status in NOTICED for one in found)
    lines = [
        "<!-- Written by `make mutants`. Change the tests or mutants.toml, not this page. -->",
        "",
        "# Mutants",
        "",
        f"**{share(noticed, total)}** of {total:,} small changes to the core were noticed by a test ({day}, {tool},"
        f" Python {platform.python_version()}). The aim is {WANTED:.0f}%.",
        "",
        "A mutant is the code with one small change: `<` for `<=`, a constant moved, an argument dropped. A test suite"
        " that notices none of them tests nothing. Statements that raise an error are left alone: their words are for"
        " people. A mutant that never ends or crashes the tests counts as noticed.",
        "",
        "| Module | Mutants | Noticed | Share |",
        "| --- | --- | --- | --- |",
    ]
    by_module: dict[str, Counter[bool]] = {}
    for one in found:
        by_module.setdefault(one.module, Counter())[one.status in NOTICED] += 1
    for module, counted in sorted(by_module.items()):
        lines.append(
            f"| `{module}` | {counted.total():,} | {counted[True]:,} | {share(counted[True], counted.total())} |"
        )
    survivors = sorted((one for one in found if one.status not in NOTICED), key=lambda one: (one.place, one.change))
    lines += ["", f"## Survivors ({len(survivors):,})", ""]
    if not survivors:
        lines.append("None.")
    for one in survivors:
        status = "" if one.status == "survived" else f" ({one.status})"
        lines += [f"- `{one.place}`{status}: ``{one.change}``", f"  {known.get(one.key, 'No reason given yet.')}"]
    return "\n".join(lines) + "\n"


def recorded(group: str) -> Path:
    """Where the result of a group's last whole run is kept, for pages written after a run of other groups."""
    return BUILD / f"{group}.json"


def main(groups: list[str]) -> int:
    if unknown := [name for name in groups if name not in GROUPS]:
        print(f"no such group: {', '.join(unknown)}; there are {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    for group in groups or list(GROUPS):
        rows = [asdict(one) for one in tried(group)]
        recorded(group).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    found = [
        Mutant(**row)
        for group in GROUPS
        if recorded(group).exists()
        for row in json.loads(recorded(group).read_text(encoding="utf-8"))
    ]
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = page(found, reasons(), day, f"mutmut {version('mutmut')}")
    (REFERENCE / "mutants.md").write_text(text, encoding="utf-8")
    print(f"{share(sum(one.status in NOTICED for one in found), len(found))} noticed; see docs/reference/mutants.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
