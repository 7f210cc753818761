"""Change the core in small ways, see which changes no test notices, and write docs/reference/mutants.md (FND-41).

    python tools/mutants.py             every module named in pyproject.toml under [tool.mutmut]
    python tools/mutants.py MODULE …    only these, e.g. trigpoint.core.graders.exact

A run goes on where the last one stopped: `rm -r mutants` starts anew. Reasons for survivors stand in
docs/reference/mutants.toml, by the survivor's place and change.
"""

from __future__ import annotations

import datetime
import platform
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "mutants.md"
REASONS = ROOT / "docs" / "reference" / "mutants.toml"
NOTICED = ("killed", "timeout", "segfault")  # a mutant that hangs or crashes the tests is noticed too
WANTED = 85.0  # percent


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """One change: where it is ("trigpoint.core.exact.fraction_text"), what came of it, what it is."""

    name: str  # as mutmut calls it
    status: str  # "killed", "survived", "no tests", "timeout", …
    change: str = ""  # "- old + new", of survivors only

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


def mutmut(*arguments: str, check: bool = True) -> str:
    """What a mutmut command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if check and done.returncode:
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
    """ "- old + new": the changed lines of a unified diff, its head left out."""
    lines = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return " ".join(f"{line[0]} {line[1:].strip()}" for line in lines if line)


def with_changes(found: Iterable[Mutant]) -> list[Mutant]:
    """The same mutants, survivors with what was changed."""
    return [
        Mutant(name=one.name, status=one.status, change=change_in(mutmut("show", one.name)))
        if one.status not in NOTICED
        else one
        for one in found
    ]


def share(noticed: int, total: int) -> str:
    """Percent with one decimal, rounded down: 84.96% is not 85.0%."""
    return f"{noticed * 1000 // total / 10:.1f}%" if total else "–"


def reasons() -> dict[str, str]:
    """place and change of a survivor → why it may live."""
    table = tomllib.loads(REASONS.read_text(encoding="utf-8")) if REASONS.exists() else {}
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


def main(modules: list[str]) -> int:
    chosen = [f"{name}.*" for name in modules]
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", "2", *chosen], cwd=ROOT, check=False
    )
    if done.returncode:
        return done.returncode
    found = [one for one in parsed(mutmut("results", "--all", "true")) if one.status not in ("not checked", "skipped")]
    if modules:
        found = [one for one in found if any(f"{one.module}.".startswith(f"{name}.") for name in modules)]
    if not found:
        print("No mutant was tried: name modules that [tool.mutmut] in pyproject.toml lists.", file=sys.stderr)
        return 2
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    PAGE.write_text(page(with_changes(found), reasons(), day, f"mutmut {version('mutmut')}"), encoding="utf-8")
    print(f"{share(sum(one.status in NOTICED for one in found), len(found))} noticed; see {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
