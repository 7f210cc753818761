"""`trigpoint suite check|show|pin|new|draw` (RUN-11, RUN-12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from trigpoint.cli.suite_draw import draw
from trigpoint.core.errors import OperatorError


@click.group()
def suite() -> None:
    """Make, look at, check and pin suites: folders of plain files."""


suite.add_command(draw)


def _load(name: str) -> Any:
    from trigpoint.core.suite import load_suite
    from trigpoint.core.verify.disk import FolderFiles
    from trigpoint.suites import suite_path

    path = suite_path(name)
    return path, load_suite(FolderFiles(str(path)))


@suite.command()
@click.argument("name", metavar="SUITE")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def check(name: str, as_json: bool) -> int:
    """Check every file of SUITE, and grade its reference replies.

    Exit code: 0 all good, 1 a reference reply is graded otherwise than it says, 2 a file is not as it must be.
    """
    from trigpoint.cli.main import print_json
    from trigpoint.core.references import check_references

    path, loaded = _load(name)
    checked = check_references(loaded)
    if as_json:
        print_json(
            {
                "suite": loaded.id,
                "version": loaded.version,
                "digest": loaded.digest,
                "items": loaded.count,
                "references": checked.count,
                "without_references": checked.without,
                "wrong": [wrong._asdict() for wrong in checked.wrong],
            }
        )
        return 1 if checked.wrong else 0
    for wrong in checked.wrong:
        click.echo(f"{wrong.where}: expected {wrong.expected}, graded {wrong.found} ({wrong.reason})")
    pinned = "pinned" if (path / "pin.json").exists() else "not pinned"
    click.echo(f"{loaded.id} {loaded.version}: {loaded.count} items, {pinned}, digest {loaded.digest}")
    click.echo(f"{checked.count} reference replies, {len(checked.wrong)} graded otherwise than they say.")
    if checked.without:
        click.echo(
            f"Without reference replies: {', '.join(checked.without[:10])}{' …' if len(checked.without) > 10 else ''}"
        )
    return 1 if checked.wrong else 0


@suite.command()
@click.argument("name", metavar="SUITE")
@click.argument("item", required=False)
@click.option("--keys", is_flag=True, help="Show the expected answers too.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(name: str, item: str | None, keys: bool, as_json: bool) -> int:
    """Show what SUITE asks, or one ITEM exactly as it is sent."""
    from trigpoint.cli.main import print_json
    from trigpoint.core.message import message_text

    _, loaded = _load(name)
    wanted = [one for one in loaded.items() if item in (None, one.id)]
    if not wanted:
        raise OperatorError("no such item", where=f"{name}: {item}", next=f"`trigpoint suite show {name}` lists them.")
    rows = [
        {"id": one.id, "category": one.category, "rule": one.grader.rule, "weight": str(one.weight), "note": one.note}
        | {"message": message_text(one)}
        | ({"expected": _plain(one.grader.expected)} if keys else {})
        for one in wanted
    ]
    if as_json:
        print_json({"id": loaded.id, "version": loaded.version, "digest": loaded.digest, "items": rows})
        return 0
    if item is None:
        click.echo(f"{loaded.title} {loaded.version} · {loaded.count} items · {loaded.licence}\n{loaded.note}".rstrip())
        for row in rows:
            end = f"  expected: {json.dumps(row['expected'], ensure_ascii=False)}" if keys else ""
            click.echo(f"  {row['id']:<20} {row['rule']:<15} {str(row['message']).splitlines()[0][:60]}{end}")
        return 0
    for row in rows:
        click.echo(row["message"])
        if keys:
            click.echo(f"\nExpected ({row['rule']}): {json.dumps(row['expected'], ensure_ascii=False)}\n{row['note']}")
    return 0


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


@suite.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def pin(folder: Path) -> int:
    """Write FOLDER/pin.json: from now on a changed file is refused."""
    from trigpoint.core.suite import load_suite, pin_of
    from trigpoint.core.verify.disk import FolderFiles

    loaded = load_suite(FolderFiles(str(folder)))
    (folder / "pin.json").write_text(json.dumps(pin_of(loaded), indent=1) + "\n", encoding="utf-8")
    click.echo(f"{loaded.id} {loaded.version} pinned: {loaded.digest}")
    return 0


@suite.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--id", "name", help="The suite's id. [the folder's name]")
def new(folder: Path, name: str | None) -> int:
    """Start a suite: FOLDER with a suite.toml, one item, its prompt and its reference replies."""
    from trigpoint.suites.starter import starter_files

    if folder.exists():
        raise OperatorError("there is something already", where=str(folder), next="Name a folder that isn't there yet.")
    for path, text in starter_files(name or folder.name).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        click.echo(f"wrote {target}")
    click.echo(f"Next: edit the files, then\n  trigpoint suite check {folder}\n  trigpoint run {folder} --model local")
    return 0
