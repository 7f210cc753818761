"""A drawn suite's files, checked against a new draw from its own draw.json (RUN-12)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from trigpoint.core.canonical import strict_loads
from trigpoint.core.draw import DRAW_FORMAT, check_reveal, checked_secret, differences, read_plan
from trigpoint.core.errors import RefusedError, shown
from trigpoint.core.files import Files, read_limited
from trigpoint.core.toml import MAX_FILE
from trigpoint.suites.generators import GENERATORS
from trigpoint.suites.generators.drawing import draw_members, drawn_files


def check_draw(files: Files, commit: Any = None) -> tuple[list[str], int]:
    """(what differs, one line each, naming file and line; how many files were drawn). `commit`: commit.json's value.

    Raises RefusedError, SuiteError or CanonicalError when draw.json can't be drawn from at all.
    """
    table = strict_loads(read_limited(files, "draw.json", MAX_FILE), where="draw.json")
    if not isinstance(table, dict) or table.get("format") != DRAW_FORMAT:
        raise RefusedError("another format", where="draw.json: format", expected=DRAW_FORMAT)
    secret = checked_secret(table.get("secret", ""))
    plan = read_plan(table.get("plan"), GENERATORS, "draw.json: plan")
    found = [f"draw.json: {line}" for line in differences(table, draw_members(plan, secret))]
    if commit is not None:
        found += check_reveal(commit, secret, plan)
    drawn = drawn_files(plan, secret)
    given = set(files.paths())
    for path in sorted(given | drawn.keys()):
        if path not in drawn:
            found.append(f"{path}: a file that the draw doesn't give")
        elif path not in given:
            found.append(f"{path}: the file is missing")
        elif (data := read_limited(files, path, MAX_FILE)) != drawn[path]:
            found.append(_first_difference(path, data, drawn[path]))
    return found, len(drawn)


def _first_difference(path: str, given: bytes, drawn: bytes) -> str:
    """The first line, from 1, in which two files differ."""
    lines = zip_longest(given.split(b"\n"), drawn.split(b"\n"))
    number, (this, that) = next((number, pair) for number, pair in enumerate(lines, 1) if pair[0] != pair[1])
    return f"{path}:{number}: expected {_line(that)}, found {_line(this)}"


def _line(line: bytes | None) -> str:
    return "no line" if line is None else shown(line.decode("utf-8", "replace"))
