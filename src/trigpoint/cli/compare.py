"""`trigpoint compare A B`: two runs of one suite, task by task (RUN-32, STA-05)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trigpoint.core.errors import OperatorError

if TYPE_CHECKING:
    from trigpoint.publish.comparison import Compared


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it as one HTML page too.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def compare(first: str, second: str, out: Path | None, as_json: bool) -> int:
    """Compare bundle FIRST with bundle SECOND: a verdict, the tuple fields that differ, the tasks that changed.

    Exit code: 0 clearly better or worse, 2 they can't be compared or read, 3 can't tell.
    """
    from trigpoint.cli.main import print_json
    from trigpoint.core.statistics.verdict import Word
    from trigpoint.publish.bundles import open_bundle
    from trigpoint.publish.comparison import compare as compare_bundles
    from trigpoint.publish.comparison import compared_json

    found = compare_bundles(open_bundle(first), open_bundle(second))
    if out is not None:
        _write_page(found, out)
    print_json(compared_json(found)) if as_json else click.echo("\n".join(_lines(found)))
    return 3 if found.verdict.word is Word.CANT_TELL else 0


def _write_page(found: Compared, out: Path) -> None:
    from trigpoint.core.verify.verifier import verify
    from trigpoint.publish.compare_page import compare_page

    verified = all(verify(run.files).exit_code == 0 for run in (found.first, found.second))
    try:
        out.write_text(compare_page(found, verified=verified), encoding="utf-8")
    except OSError as error:
        raise OperatorError("could not write", where=str(out), found=error.strerror or "") from None


def _lines(found: Compared) -> list[str]:
    from trigpoint.core.exact import decimal_text
    from trigpoint.publish.words import interval_words

    lines = [found.verdict.sentence, ""]
    for name, run in (("First", found.first), ("Second", found.second)):
        interval = interval_words(run.result["intervals"]["headline"])
        lines.append(f"{name:<7} {run.result['score']['shown']:>5}  {interval}  {run.place}")
    lines += ["", "Setup: no field differs." if not found.tuple_differences else "Setup fields that differ:"]
    for part in found.tuple_differences:
        values = ["not there" if side is None else f"{side.value!r} ({side.source})" for side in part[1:]]
        lines.append(f"  {part.field}: {values[0]} → {values[1]}")
    for name, (left, right) in found.observed.items():
        lines.append(f"  observed.{name}: {', '.join(left) or 'nothing'} → {', '.join(right) or 'nothing'}")
    lines += ["", f"Tasks that changed: {len(found.changed)} of {found.seen.items}"]
    for one in found.changed[:40]:
        credits = f"{decimal_text(one.first, 2)} → {decimal_text(one.second, 2)}"
        lines.append(f"  {one.item:<24} {credits}  {one.first_outcomes[0]} → {one.second_outcomes[0]}")
    if len(found.changed) > 40:
        lines.append(f"  … and {len(found.changed) - 40} more (--json lists all)")
    return lines
