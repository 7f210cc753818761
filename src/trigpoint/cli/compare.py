"""`trigpoint compare A B …`: runs of one suite, task by task (RUN-32, STA-05)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trigpoint.core.errors import OperatorError

if TYPE_CHECKING:
    from trigpoint.publish.bundles import Opened
    from trigpoint.publish.comparison import Compared
    from trigpoint.publish.ranking import Ranked

CANT_TELL = 3
MOST_NAMED = 40  # changed tasks printed; --json lists all


@click.command()
@click.argument("bundles", nargs=-1, required=True)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write two bundles as one HTML page."
)
@click.option("--force", is_flag=True, help="Overwrite the page at --out.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def compare(bundles: tuple[str, ...], out: Path | None, force: bool, as_json: bool) -> int:
    """Compare two bundles: a verdict, the tuple fields that differ, the tasks that changed.

    More than two are ranked, in bands of what can't be told apart. Every bundle is verified first; one that fails a
    check is compared with nothing. Exit code: 0 clearly better or worse, 2 they can't be compared or read, 3 can't
    tell.
    """
    from trigpoint.publish.bundles import verified_bundle

    if len(bundles) < 2:
        raise OperatorError("nothing to compare with", expected="two bundles or more", found=f"{len(bundles)}")
    opened = [verified_bundle(place) for place in bundles]
    if len(opened) == 2:
        return _two(opened[0], opened[1], out, force, as_json)
    return _many(opened, out, as_json)


def _two(first: Opened, second: Opened, out: Path | None, force: bool, as_json: bool) -> int:
    from trigpoint.cli.main import print_json
    from trigpoint.cli.page_file import write_page
    from trigpoint.core.statistics.verdict import Word
    from trigpoint.publish.compare_page import compare_page
    from trigpoint.publish.comparison import compare as compare_bundles
    from trigpoint.publish.comparison import compared_json

    found = compare_bundles(first, second)
    if out is not None:
        write_page(out, compare_page(found, verified=first.whole and second.whole), force=force)
    print_json(compared_json(found)) if as_json else click.echo("\n".join(_lines(found)))
    return CANT_TELL if found.verdict.word is Word.CANT_TELL else 0


def _many(opened: list[Opened], out: Path | None, as_json: bool) -> int:
    from trigpoint.cli.main import print_json
    from trigpoint.core.statistics.ranking import CLEAR
    from trigpoint.publish.ranking import rank

    if out is not None:
        raise OperatorError("a page holds two bundles", where="--out", next="Name two, or leave --out away.")
    ranked = rank(opened)
    print_json(_ranked_json(ranked)) if as_json else click.echo("\n".join(_ranking(ranked)))
    return 0 if any(adjusted <= CLEAR for _, adjusted in ranked.pairs) else CANT_TELL


def _ranked_json(ranked: Ranked) -> dict[str, Any]:
    from trigpoint.publish.comparison import compared_json

    entries = [
        {"place": run.place, "root": run.root, "score": float(run.result["score"]["shown"]), "rank": str(band)}
        for run, band in ranked.entries
    ]
    pairs = [{**compared_json(one), "p_adjusted": float(adjusted)} for one, adjusted in ranked.pairs]
    return {"entries": entries, "pairs": pairs}


def _ranking(ranked: Ranked) -> list[str]:
    from trigpoint.core.exact import decimal_text
    from trigpoint.publish.words import interval_words

    lines = ["Runs that share a rank can't be told apart on this suite.", ""]
    for run, band in ranked.entries:
        interval = interval_words(run.result["intervals"]["headline"])
        lines.append(f"{band!s:>5}  {run.result['score']['shown']:>5}  {interval}  {run.place}")
    lines += ["", "Each pair, p adjusted for all pairs shown (Holm):"]
    for one, adjusted in ranked.pairs:
        places = f"{one.first.place} − {one.second.place}"
        lines.append(f"  {one.seen.points:>6}  p = {decimal_text(adjusted, 3)}  {places}")
    return lines + _notes(ranked.entries[0][0])


def _lines(found: Compared) -> list[str]:
    from trigpoint.core.exact import decimal_text
    from trigpoint.publish.words import interval_words

    lines = [found.verdict.sentence, *_notes(found.first), ""]
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
    for one in found.changed[:MOST_NAMED]:
        credits = f"{decimal_text(one.first, 2)} → {decimal_text(one.second, 2)}"
        lines.append(f"  {one.item:<24} {credits}  {one.first_outcomes[0]} → {one.second_outcomes[0]}")
    if len(found.changed) > MOST_NAMED:
        lines.append(f"  … and {len(found.changed) - MOST_NAMED} more (--json lists all)")
    return lines


def _notes(run: Opened) -> list[str]:
    notes: list[str] = run.result["notes"]
    return notes
