"""`trigpoint grade`: rows of answers in, grades out, a line for a line."""

from __future__ import annotations

import json
import sys
from typing import BinaryIO

import click

from trigpoint.core.errors import OperatorError, TrigpointError


@click.command()
@click.argument("rows", type=click.File("rb"), default="-")
def grade(rows: BinaryIO) -> int:
    """Grade answers: one JSON object a line, {"rule", "expected", "reply", optional "options"}.

    Prints {"outcome", "credit", "reason"} for each, in order. Exit code: 0 done, 2 a row that can't be graded
    (the line and what is wrong with it are named; the rows before it are printed).
    """
    from trigpoint.core.graders.rows import grade_row

    write = sys.stdout.write
    encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
    for number, line in enumerate(rows, 1):
        if line.isspace():
            continue
        try:
            write(encode(grade_row(json.loads(line))) + "\n")
        except (ValueError, RecursionError) as error:
            raise OperatorError("not JSON", where=f"line {number}", found=str(error)[:200]) from None
        except TrigpointError as error:
            where = f"line {number}" + (f": {error.where}" if error.where else "")
            raise OperatorError(
                error.what, where=where, expected=error.expected, found=error.found, next=error.next
            ) from None
    sys.stdout.flush()
    return 0
