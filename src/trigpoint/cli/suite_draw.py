"""`trigpoint suite draw plan|commit|reveal|verify`: commit to a drawn suite first, reveal it later (RUN-12)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trigpoint.core.errors import BundleError, OperatorError, RefusedError

if TYPE_CHECKING:
    from trigpoint.core.draw import Plan

DIFFERS, NO_DRAW = 1, 3
MAX_JSON = 1024 * 1024
_PATH = click.Path(path_type=Path)

STARTING_PLAN = """\
# Everything that decides the draw but the secret. Publish it with the commitment; a change afterwards is refused.
format = "trigpoint-plan/1"
id = "{name}"
version = "1.0.0"
title = "{name}"
licence = "CC-BY-4.0"
scoring = "macro-average/1"
"""


@click.group()
def draw() -> None:
    """Draw a suite from a secret: commit to it first, reveal it later, so that nobody can have trained on it."""


@draw.command()
@click.argument("file", type=_PATH)
@click.option("--id", "name", help="The suite's id. [the file's name]")
def plan(file: Path, name: str | None) -> int:
    """Write FILE, a plan to start from: six items of every generator, each setting with what it means."""
    from trigpoint.core.draw import read_plan
    from trigpoint.core.files import MemoryFiles
    from trigpoint.core.toml import read_toml
    from trigpoint.suites.generators import GENERATORS

    name = name or file.stem
    text = STARTING_PLAN.format(name=name)
    for generator in GENERATORS.values():
        text += f'\n[[parts]]\ngenerator = "{generator.name}"\ncategory = "{generator.category}"\ncount = 6\n\n'
        text += "[parts.settings]\n"
        for key, known in generator.settings.items():
            text += f"{key} = {known.default}  # {known.least} to {known.most}: {known.means}\n"
    read_plan(read_toml(MemoryFiles({"plan.toml": text.encode()}), "plan.toml")[1], GENERATORS, "--id")
    _write_new(file, text.encode())
    click.echo(f"wrote {file}\nNext: edit it, then\n  trigpoint suite draw commit {file} -o commit.json")
    return 0


@draw.command()
@click.argument("plan_file", metavar="PLAN.toml", type=_PATH)
@click.option("-o", "--out", type=_PATH, default=Path("commit.json"), show_default=True, help="The file to publish.")
def commit(plan_file: Path, out: Path) -> int:
    """Make the secret of a draw and write the commitment to it. The secret is kept, never shown.

    It is in the home's secrets/ folder, in a file that only its owner can read. A second commitment for the
    same suite and version is refused: with two, one could choose.
    """
    import secrets

    from trigpoint.core.draw import commit_members
    from trigpoint.suites.generators.drawing import drawn_files

    wanted = _plan(plan_file)
    if out.exists():
        raise OperatorError("there is something already", where=str(out), next="A commitment is made once.")
    secret = secrets.token_hex(32)
    drawn_files(wanted, secret)  # a plan that can't be drawn is found now, not after it was published
    kept = _keep(wanted, secret)
    try:
        _write_new(out, _pretty(commit_members(secret, wanted)))
    except BaseException:
        kept.unlink()  # nobody has seen a commitment to it
        raise
    click.echo(f"wrote {out}: publish it now, with {plan_file}")
    click.echo(f"The secret is in {kept}. Keep that file: without it nothing can be revealed.")
    click.echo(f"Later: trigpoint suite draw reveal {plan_file} --commit {out} -o FOLDER")
    return 0


@draw.command()
@click.argument("plan_file", metavar="PLAN.toml", type=_PATH)
@click.option("--commit", "commit_file", type=_PATH, required=True, help="The commitment that was published.")
@click.option("-o", "--out", type=_PATH, required=True, help="The suite's new folder.")
def reveal(plan_file: Path, commit_file: Path, out: Path) -> int:
    """Draw the committed suite into a new folder, the secret with it. Any plan but the committed one is refused."""
    from trigpoint.core.draw import check_reveal
    from trigpoint.suites.generators.drawing import drawn_files

    wanted, committed = _plan(plan_file), _read_json(commit_file)
    secret = _kept(wanted)
    if found := check_reveal(committed, secret, wanted):
        raise OperatorError(
            "not what was committed", where=found[0], next="Reveal with the plan and the secret that were committed."
        )
    files = drawn_files(wanted, secret)
    try:
        out.mkdir(parents=True)
        for path, data in files.items():
            (out / path).parent.mkdir(exist_ok=True)
            _write_new(out / path, data)
    except FileExistsError:
        raise OperatorError("there is something already", where=str(out), next="Name a new folder.") from None
    click.echo(f"wrote {out}: {sum(part.count for part in wanted.parts)} items, and draw.json with the secret")
    click.echo(f"Next: trigpoint suite draw verify {out} --commit {commit_file}")
    return 0


@draw.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--commit", "commit_file", type=_PATH, help="The commitment, got by another road than the folder.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def verify(folder: Path, commit_file: Path | None, as_json: bool) -> int:
    """Draw the suite in FOLDER again from its draw.json, and compare every file, byte for byte.

    Exit code: 0 all holds, 1 something differs, 3 there is no draw.json, 2 unreadable or refused.
    """
    from trigpoint.cli.main import print_json
    from trigpoint.suites.generators.checking import check_draw

    if not (folder / "draw.json").is_file():
        say = f"{folder}: no draw.json, so nothing to draw from"
        print_json({"drawn": False, "differences": []}) if as_json else click.echo(say)
        return NO_DRAW
    from trigpoint.core.verify.disk import FolderFiles

    found, count = check_draw(FolderFiles(str(folder)), _read_json(commit_file) if commit_file else None)
    if as_json:
        print_json({"drawn": True, "commitment": commit_file is not None, "files": count, "differences": found})
        return DIFFERS if found else 0
    for line in found:
        click.echo(f"differs: {line}")
    if not found:
        click.echo(f"holds: {count} files are what the secret and the plan draw")
        against = f"holds: the secret opens {commit_file}, and the plan is the one committed"
        click.echo(against if commit_file else "not compared: a commitment; give the published one with --commit")
    return DIFFERS if found else 0


def _plan(file: Path) -> Plan:
    from trigpoint.core.draw import read_plan
    from trigpoint.core.files import MemoryFiles
    from trigpoint.core.toml import read_toml
    from trigpoint.suites.generators import GENERATORS

    files = MemoryFiles({file.name: _bytes(file)})
    return read_plan(read_toml(files, file.name)[1], GENERATORS, file.name)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise OperatorError("can't read the file", where=str(file), found=error.strerror or "") from None


def _read_json(file: Path) -> Any:
    from trigpoint.core.canonical import strict_loads

    data = _bytes(file)
    if len(data) > MAX_JSON:
        raise RefusedError("a file that is too large", where=str(file), expected=f"at most {MAX_JSON:,} bytes")
    return strict_loads(data, where=str(file))


def _secret_path(wanted: Plan) -> Path:
    from trigpoint.home import home

    folder: Path = home().value / "secrets"
    return folder / f"{wanted.id}-{wanted.version}.secret"


def _keep(wanted: Plan, secret: str) -> Path:
    """Write the secret into a new file of mode 0600, in a folder of mode 0700, before anything is published."""
    path = _secret_path(wanted)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    try:
        _write_new(path, f"{secret}\n".encode(), 0o600)
    except OperatorError as error:
        raise OperatorError(
            "a secret of this suite and version exists", where=error.where, next="Give the plan a new version."
        ) from None
    return path


def _kept(wanted: Plan) -> str:
    from trigpoint.core.draw import checked_secret

    path = _secret_path(wanted)
    try:
        return checked_secret(_bytes(path).decode("ascii", "replace").removesuffix("\n"))
    except BundleError:
        raise OperatorError("not a secret", where=str(path), expected="64 lower-case hexadecimal digits") from None


def _write_new(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file that isn't there yet, and have it on the disk. Raises OperatorError when there is one."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        raise OperatorError("there is something already", where=str(path), next="Name another file.") from None
    except OSError as error:
        raise OperatorError("can't write the file", where=str(path), found=error.strerror or "") from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _pretty(members: Any) -> bytes:
    return (json.dumps(members, indent=1, ensure_ascii=False) + "\n").encode()
