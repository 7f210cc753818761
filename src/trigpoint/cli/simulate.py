"""`trigpoint simulate`: what the monitor promises, measured on simulated suites (STA-03, STA-04)."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trigpoint.core.errors import OperatorError

if TYPE_CHECKING:
    from trigpoint.cli.simulate_plan import Plan
    from trigpoint.core.statistics.simulation import Profile


@click.command()
@click.argument("profiles", nargs=-1, metavar="[PROFILE]...")
@click.option("--years", default=100, show_default=True, type=click.IntRange(1, 10**6), help="Model-years a scenario.")
@click.option("--series", default=200, show_default=True, type=click.IntRange(1, 10**6), help="Series a kind of drop.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**53 - 1), help="Of all chance.")
@click.option("--threshold", default="1", show_default=True, help="As in `trigpoint drift`.")
@click.option("--tests", multiple=True, type=click.IntRange(1, 1000), help="Other sizes of the suite too. Again.")
@click.option("--score-only", is_flag=True, help="Measure the monitor on the score alone, too.")
@click.option("--intervals", default=0, type=click.IntRange(0, 10**6), help="Runs to try a single run's range on.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; the figures don't depend on it. [all cores]")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--write-docs", type=click.Path(path_type=Path, dir_okay=False), help="Write the figures into this page.")
def simulate(**given: Any) -> int:
    """Measure false flags, confirmations, power and delay of the monitor on each PROFILE.

    PROFILE is strong, saturated or middling (all three by default), or a TOML file: a name, and [[tests]] groups with
    count, rate (or low and high), parts (of a graded test) and category. The same seed gives the same figures.

    Exit code: 0 measured, 2 usage.
    """
    from trigpoint.cli.drift import thresholds_of
    from trigpoint.cli.simulate_plan import Plan, gathered
    from trigpoint.cli.simulate_words import page_with, printed, report_json

    page = given["write_docs"]
    text = None if page is None else _text_of(page)  # before the long work, not after it
    plan = Plan(
        profiles=tuple(_profile(name) for name in given["profiles"] or ("strong", "saturated", "middling")),
        years=given["years"],
        series=given["series"],
        seed=given["seed"],
        thresholds=thresholds_of(given["threshold"]),
        sizes=given["tests"],
        score_only=given["score_only"],
        intervals=given["intervals"],
    )
    workers = given["workers"] or os.cpu_count() or 1
    result = gathered(plan, _measured(plan, workers))
    if text is not None:
        _write(page, page_with(text, result))
    if given["as_json"]:
        from trigpoint.cli.main import print_json

        print_json(report_json(result))
    else:
        click.echo(printed(result))
    return 0


def _measured(plan: Plan, workers: int) -> list[Any]:
    """The counts of each piece of the plan, in its order, by so many processes."""
    from trigpoint.cli.simulate_plan import measured
    from trigpoint.cli.simulate_progress import Steps

    pieces = plan.pieces()
    with Steps(len(pieces)) as steps:
        if workers == 1:
            return [steps.done(measured(piece)) for piece in pieces]
        with ProcessPoolExecutor(min(workers, len(pieces))) as pool:
            try:
                return [steps.done(counts) for counts in pool.map(measured, pieces)]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _profile(name: str) -> Profile:
    import tomllib

    from trigpoint.core.statistics.simulation import BUILT_IN, built_in, profile_from

    if name in BUILT_IN:
        return built_in(name)
    try:
        members = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise OperatorError(
            "no such profile", where=name, expected="strong, saturated, middling or a TOML file",
            found=error.strerror or "",
        ) from None  # fmt: skip
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OperatorError("not TOML", where=name, found=str(error)) from None
    return profile_from(members, where=name)


def _text_of(page: Path) -> str:
    try:
        return page.read_text(encoding="utf-8")
    except OSError as error:
        raise OperatorError("could not read", where=str(page), found=error.strerror or "") from None


def _write(page: Path, text: str) -> None:
    try:
        page.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OperatorError("could not write", where=str(page), found=error.strerror or "") from None
