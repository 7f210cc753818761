"""Write the reference pages that come from the code, or with --check say which are out of date.

python tools/docs.py            write docs/reference/*.md anew
python tools/docs.py --check    exit 1 when a page differs from what the code says
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

import requirements
from trigpoint.cli.main import cli
from trigpoint.core import errors
from trigpoint.core.outcomes import EFFECTS, MEANING, Outcome

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
_EXIT_CODE = re.compile(r"Exit codes?: (.*?)(?=\n\n|\Z)", re.DOTALL)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A Markdown table; bars inside cells are escaped."""
    lines = [head, tuple("---" for _ in head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines]


def commands(group: click.Group = cli, path: tuple[str, ...] = ("trigpoint",)) -> Iterator[tuple[str, click.Command]]:
    """(full name, command) of every command, groups before their members, in the order of --help."""
    yield " ".join(path), group
    context = click.Context(group, info_name=" ".join(path))
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif command is not None:
            yield " ".join((*path, name)), command


def _context(name: str, command: click.Command) -> click.Context:
    # a fixed width, so that the page doesn't depend on the terminal
    return click.Context(command, info_name=name, terminal_width=100, help_option_names=["-h", "--help"])


def paragraphs(text: str) -> list[str]:
    """Help text as Markdown: one line a paragraph; what stands after \\b is kept as it is."""
    lines: list[str] = []
    for part in inspect.cleandoc(text).split("\n\n"):
        kept = part.startswith("\b")
        lines += ["", "```", *part.split("\n")[1:], "```"] if kept else ["", " ".join(part.split())]
    return lines


def options(name: str, command: click.Command) -> list[tuple[str, str]]:
    """(how it is written, what it does) of each option but --help, which every command has."""
    context = _context(name, command)
    records = (option.get_help_record(context) for option in command.params if isinstance(option, click.Option))
    return [record for record in records if record is not None]


def command_page() -> str:
    lines = [
        "# Command line",
        "",
        "Every command prints this with `-h` or `--help`. Exit codes: [exit-codes.md](exit-codes.md).",
    ]
    for name, command in commands():
        usage = command.get_usage(_context(name, command)).removeprefix("Usage: ")
        lines += ["", f"## {name}", "", "```", " ".join(usage.split()), "```", *paragraphs(command.help or "")]
        rows = [(f"`{written}`", " ".join(said.split())) for written, said in options(name, command)]
        lines += ["", *table(("Option", "Meaning"), rows)] if rows else []
    return "\n".join(lines) + "\n"


def outcome_page() -> str:
    lines = [
        "# Outcomes",
        "",
        "Why an item's credit is what it is. The set is closed: a bundle with another word is refused.",
        "",
    ]
    lines += table(("Outcome", "Meaning"), [(f"`{outcome}`", MEANING[outcome]) for outcome in Outcome])
    lines += [
        "",
        "## What each does, by method",
        "",
        "*Credit* is what the item earns: 1, 0, what the grader says (between 0 and 1), or none. *Denominator* is what"
        " becomes of the score: the item counts, the whole has no score, the day is a gap, only the tool's attempts"
        " count, or the outcome can't occur.",
    ]
    for method, effects in EFFECTS.items():
        rows = [(f"`{outcome}`", effects[outcome].credit, effects[outcome].denominator) for outcome in Outcome]
        lines += ["", f"### {method}", "", *table(("Outcome", "Credit", "Denominator"), rows)]
    return "\n".join(lines) + "\n"


def exit_code_page() -> str:
    lines = [
        "# Exit codes",
        "",
        "A command not listed ends with 0 when it is done and with 2 for wrong usage or input.",
        "",
    ]
    rows = []
    for name, command in commands():
        said = _EXIT_CODE.search(inspect.cleandoc(command.help or ""))
        if said:
            rows.append((f"`{name}`", " ".join(said.group(1).split())))
    lines += table(("Command", "Exit code"), rows)
    lines += ["", "## Errors, by who can act", ""]
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.TrigpointError)]
    lines += table(
        ("Error", "Who", "Exit code", "What it is"),
        [
            (
                f"`{kind.__name__}`",
                kind.who,
                str(kind.exit_code),
                (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " "),
            )
            for kind in kinds
        ],
    )
    return "\n".join(lines) + "\n"


#: page → (what makes it, what it is made from). A new generated page is a function and a line here.
PAGES: dict[str, tuple[Callable[[], str], str]] = {
    "cli.md": (command_page, "the commands in src/trigpoint/cli"),
    "outcomes.md": (outcome_page, "src/trigpoint/core/outcomes.py"),
    "exit-codes.md": (exit_code_page, "the commands' help and src/trigpoint/core/errors.py"),
    "requirements.md": (requirements.page, "requirements.toml and the ids that tests cite"),
}


def generated(name: str) -> str:
    """The whole text of one page."""
    make, source = PAGES[name]
    return f"<!-- Written by `make docs` from {source}. Change those, not this page. -->\n\n{make()}"


def stale() -> list[str]:
    """The pages whose text isn't what the code says now."""
    return [
        name
        for name in PAGES
        if not (REFERENCE / name).exists() or (REFERENCE / name).read_text(encoding="utf-8") != generated(name)
    ]


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if arguments:
        for name in (old := stale()):
            print(f"docs/reference/{name} is not what the code says: run `make docs` and commit it.", file=sys.stderr)
        return 1 if old else 0
    for name in PAGES:
        (REFERENCE / name).write_text(generated(name), encoding="utf-8")
        print(f"docs/reference/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
