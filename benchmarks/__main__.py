"""`make bench`: every speed figure, measured now on this machine.

    python -m benchmarks [--write-docs]

With --write-docs the tables are written into docs/explanation/performance.md, each below its command.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "explanation" / "performance.md"
COMMANDS = {
    "asking": ["benchmarks.asking", "--peer"],
    "start-up": ["benchmarks.startup"],
    "grading": ["benchmarks.grading"],
    "verifying": ["benchmarks.verifying"],
    "statistics": ["benchmarks.deciding"],
    "monitor": ["benchmarks.monitor"],
}


def measured(name: str) -> str:
    """The table that one benchmark prints. Raises CalledProcessError when it fails."""
    done = subprocess.run([sys.executable, "-m", *COMMANDS[name]], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def machine() -> str:
    """What the figures were measured on, without a name or path."""
    cpu = "an unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        cpu = next(
            (line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line), cpu
        )
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def written(page: str, tables: dict[str, str]) -> str:
    """`page` with each table between its markers."""
    for name, table in {"machine": machine(), **tables}.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        head, _, rest = page.partition(begin)
        _, _, tail = rest.partition(end)
        page = f"{head}{begin}\n\n{table}\n\n{end}{tail}"
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write-docs", action="store_true")
    parser.add_argument("--only", choices=list(COMMANDS), action="append", help="one of them; may be repeated")
    given = parser.parse_args()
    tables = {}
    for name in given.only or COMMANDS:
        print(f"\n{name}: python -m {' '.join(COMMANDS[name])}", flush=True)
        tables[name] = measured(name)
        print(tables[name], flush=True)
    if given.write_docs:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
        print(f"\nwritten: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
