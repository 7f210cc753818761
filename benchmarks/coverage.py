#!/usr/bin/env python3
"""Measure what the intervals and comparisons promise, on simulated suites (STA-04).

    python benchmarks/coverage.py                the small size: about a minute on two free cores
    python benchmarks/coverage.py --full         the full size: about a quarter of an hour on two free cores
    python benchmarks/coverage.py --write-docs   the full size, and the tables of docs/explanation/intervals.md anew

Exits with 1 where a goal is missed. The same size gives the same figures on any machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from trigpoint.core.exact import decimal_text  # noqa: E402
from trigpoint.core.scoring.macro_average import MacroAverage  # noqa: E402
from trigpoint.core.statistics.bootstrap import bootstrap_interval  # noqa: E402
from trigpoint.core.statistics.coverage import Coverage, Range, fixed_tasks, population  # noqa: E402
from trigpoint.core.statistics.interval import Interval, NoInterval, wilson_interval  # noqa: E402
from trigpoint.core.statistics.power import smallest_visible_difference  # noqa: E402
from trigpoint.core.statistics.simulated import (  # noqa: E402
    PARTIAL,
    PARTIAL_IN_ONE,
    PASS_FAIL,
    Suite,
    Task,
    alike,
    differing,
)
from trigpoint.core.statistics.telling_apart import Found, comparisons  # noqa: E402

PAGE = ROOT / "docs" / "explanation" / "intervals.md"
BEGIN, END = "<!-- coverage: begin -->", "<!-- coverage: end -->"
SEED = 20_260_101


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How many simulated runs a cell has."""

    name: str
    runs: int  # for intervals without chance
    repeats: int  # for the repeats interval
    bootstraps: int  # for the bootstrap where tasks only pass or fail (few distinct runs, each drawn once)
    partial_bootstraps: int
    draws: int  # of each bootstrap
    comparisons: int


SMALL = Sizes(name="small", runs=2_000, repeats=500, bootstraps=200, partial_bootstraps=40, draws=500, comparisons=200)
FULL = Sizes(
    name="full",
    runs=40_000,
    repeats=5_000,
    bootstraps=20_000,
    partial_bootstraps=400,
    draws=10_000,
    comparisons=5_000,
)

Key = tuple[str, str, str]  # table, row, column
Results = dict[Key, Coverage | Found]
Spread = Callable[[Fraction, int], tuple[Fraction, ...]]

TRUTHS = (50, 80, 95, 100)
SPREADS: dict[str, Spread] = {"alike": alike, "differ": differing}
SUITES: dict[str, Suite] = {
    "four partial-credit tasks": PARTIAL,
    "all pass or fail": PASS_FAIL,
    "four partial-credit tasks in one category": PARTIAL_IN_ONE,
}
MAIN = ("four partial-credit tasks", "all pass or fail")
GRID = tuple(range(5, 100, 5))
#: Chances of the 24 tasks. Steady: most are settled, a few are open. Loose: few are settled for good.
PROFILES: dict[str, dict[int, tuple[Range, ...]]] = {
    "steady": {
        50: (Range(tasks=9, low=0.98, high=1), Range(tasks=6, low=0.2, high=0.8), Range(tasks=9, low=0, high=0.02)),
        80: (Range(tasks=17, low=0.98, high=1), Range(tasks=5, low=0.2, high=0.8), Range(tasks=2, low=0, high=0.02)),
        95: (Range(tasks=22, low=0.98, high=1), Range(tasks=2, low=0.2, high=0.8)),
        100: (Range(tasks=24, low=1, high=1),),
    },
    "loose": {
        50: (Range(tasks=7, low=0.95, high=1), Range(tasks=7, low=0.3, high=0.9), Range(tasks=10, low=0, high=0.2)),
        80: (Range(tasks=16, low=0.95, high=1), Range(tasks=5, low=0.3, high=0.9), Range(tasks=3, low=0, high=0.4)),
        95: (Range(tasks=20, low=0.97, high=1), Range(tasks=4, low=0.6, high=0.9)),
    },
}
REPEATS = (2, 3, 5)
UNEVEN: dict[str, Suite] = {
    "4, 6, 8 and 6 tasks": tuple((Task(),) * n for n in (4, 6, 8, 6)),
    "3, 5, 8 and 8 tasks": tuple((Task(),) * n for n in (3, 5, 8, 8)),
    "2, 20, 20 and 20 tasks": tuple((Task(),) * n for n in (2, 20, 20, 20)),
    "6 in each, weights 1, 1, 1, 2, 2, 3": (tuple(Task(weight=w) for w in (1, 1, 1, 2, 2, 3)),) * 4,
}
#: name: (suite, first, second, shared difficulty)
PAIRS: dict[str, tuple[Suite, Fraction, Fraction, int]] = {
    "the same model asked twice, score 80": (PASS_FAIL, Fraction(80, 100), Fraction(80, 100), 2),
    "the same model asked twice, score 50": (PASS_FAIL, Fraction(50, 100), Fraction(50, 100), 2),
    "two unrelated models, both score 80": (PASS_FAIL, Fraction(80, 100), Fraction(80, 100), 0),
    "80 against 60, unrelated": (PASS_FAIL, Fraction(80, 100), Fraction(60, 100), 0),
    "80 against 60, half of the difficulty shared": (PASS_FAIL, Fraction(80, 100), Fraction(60, 100), 1),
    "80 against 60, half shared, three repeats": (
        ((Task(fields=3),) * 6,) * 4,  # a task passed in k of 3 repeats earns k/3
        Fraction(80, 100),
        Fraction(60, 100),
        1,
    ),
}
SAME = [name for name, (_, first, second, _) in PAIRS.items() if first == second]


def wilson_of_all(score: MacroAverage) -> Interval:
    """Wilson's interval on the plain number of tasks: the headline interval should not be wider on average."""
    return wilson_interval(score.score().headline, Fraction(score.items))


def plain_count(score: MacroAverage) -> Interval:
    """The headline interval if n were the plain number of tasks and each category's own spread were trusted."""
    whole, error = score.score(), Fraction(0)
    for one in whole.categories:
        spread = sum((cell.credit - one.mean) ** 2 * cell.items for cell in score.cells(one.category))
        error += one.share**2 * Fraction(spread) / (one.items - 1) / one.items
    at_random, n = whole.headline * (1 - whole.headline), Fraction(score.items)
    return wilson_interval(whole.headline, min(max(at_random / error, n), 2 * n) if error and at_random else n)


Cells = Iterator[tuple[Key, Callable[[], Coverage | Found]]]


def cells(sizes: Sizes) -> Cells:
    """Every cell of every table, with the work that fills it; the dearest first."""
    drawn = partial(bootstrap_interval, seed=SEED, draws=sizes.draws)
    yield from _headline_cells(sizes, drawn)
    yield from _repeats_cells(sizes)
    yield from _grid_cells(sizes)
    yield from _uneven_cells(sizes)
    for name, (suite, *scores, shared) in PAIRS.items():
        beside = drawn if suite is PASS_FAIL else None
        work = partial(comparisons, suite, *scores, shared=shared, runs=sizes.comparisons, seed=SEED, interval=beside)
        yield ("pairs", name, ""), work


def _truths(percents: Sequence[int]) -> Iterator[tuple[int, str, tuple[Fraction, ...]]]:
    for percent in percents:
        for spread, truths in SPREADS.items():
            yield percent, spread, truths(Fraction(percent, 100), 4)


def _headline_cells(sizes: Sizes, drawn: Callable[[MacroAverage], Interval | NoInterval]) -> Cells:
    for name, suite in SUITES.items():
        for percent, spread, truths in _truths(TRUTHS):
            cell, row = partial(population, suite, truths, seed=SEED), f"{name}|{percent}|{spread}"
            if suite is not PARTIAL_IN_ONE:
                runs = sizes.bootstraps if suite is PASS_FAIL else sizes.partial_bootstraps
                yield ("headline", row, "bootstrap"), partial(cell, runs=runs, interval=drawn)
                yield ("headline", row, "wilson"), partial(cell, runs=sizes.runs, interval=wilson_of_all)
            yield ("headline", row, "interval"), partial(cell, runs=sizes.runs)


def _repeats_cells(sizes: Sizes) -> Cells:
    for profile, by_truth in PROFILES.items():
        for name in MAIN:
            for percent, ranges in by_truth.items():
                for r in REPEATS:
                    work = partial(fixed_tasks, SUITES[name], ranges, repeats=r, runs=sizes.repeats, seed=SEED)
                    yield ("repeats", f"{profile}|{name}|{percent}", str(r)), work


def _grid_cells(sizes: Sizes) -> Cells:
    for name in MAIN:
        for percent, spread, truths in _truths(GRID):
            work = partial(population, SUITES[name], truths, runs=sizes.runs, seed=SEED)
            yield ("grid", str(percent), f"{name}|{spread}"), work


def _uneven_cells(sizes: Sizes) -> Cells:
    for name, suite in UNEVEN.items():
        for percent, spread, truths in _truths((50, 80, 95)):
            cell, row = partial(population, suite, truths, runs=sizes.runs, seed=SEED), f"{name}|{percent}|{spread}"
            yield ("uneven", row, "interval"), cell
            if "weights" not in name:
                yield ("uneven", row, "plain"), partial(cell, interval=plain_count)


def measure(sizes: Sizes, workers: int) -> Results:
    """All cells, in processes of their own; a line of progress on stderr now and then."""
    todo, found, begun = list(cells(sizes)), Results(), time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        keys = {pool.submit(work): key for key, work in todo}
        for done in as_completed(keys):
            found[keys[done]] = done.result()
            if len(found) % 20 == 0 or len(found) == len(todo):
                print(f"{len(found)} of {len(todo)} cells, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return {key: found[key] for key, _ in todo}


# Goals


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A promise, the figure it is held against, and whether it holds."""

    text: str
    found: str
    holds: bool


def goals(results: Results, sizes: Sizes) -> list[Goal]:
    """STA-04 and section 5. At the small size a share may miss by three standard errors."""
    slack = 0.0 if sizes is FULL else 3 * (0.05 * 0.95 / sizes.repeats) ** 0.5
    partial_cells = _some(results, "headline", "four partial-credit tasks|", "interval", without="|100|")
    plain_cells = _some(results, "headline", "all pass or fail|", "interval", without="|100|")
    grid = [one for (table, _, column), one in results.items() if table == "grid" and column.startswith("all pass")]
    steady = _some(results, "repeats", "steady|four partial-credit tasks|", "3")
    width = steady[1].width
    widest = max(
        float(one.width - wilson.width)
        for prefix in (f"{name}|" for name in MAIN)
        for one, wilson in zip(
            _some(results, "headline", prefix, "interval"), _some(results, "headline", prefix, "wilson"), strict=True
        )
    )
    same = [results["pairs", name, ""] for name in SAME]
    apart = [one for (table, name, _), one in results.items() if table == "pairs" and name not in SAME]
    return [
        _at_least("headline interval, four partial-credit tasks, every cell at 50, 80, 95", partial_cells, 0.95, slack),
        _at_least("headline interval, all pass or fail, every cell at 50, 80, 95", plain_cells, 0.93, slack),
        _at_least("headline interval, all pass or fail, every cell from 5 to 95", grid, 0.93, slack),
        _mean("the same, on average at least 0.95", grid, low=0.95, high=1, slack=slack),
        _mean(
            "headline interval, mean of both suites at 50, 80, 95, at most 0.975",
            partial_cells + plain_cells,
            low=0,
            high=0.975,
            slack=slack,
        ),
        Goal(
            text="headline interval, mean width at most that of Wilson's on 24 tasks, every cell",
            found=f"widest: {widest:+.1f} points",
            holds=widest <= 0,
        ),
        Goal(
            text="headline interval, never of width 0",
            found=str(sum(one.no_width for one in partial_cells + plain_cells + grid)),
            holds=not any(one.no_width for one in partial_cells + plain_cells + grid),
        ),
        _at_least("three repeats, steady model, four partial-credit tasks, every cell", steady, 0.945, slack),
        Goal(text="three repeats, width at 80 at most 15 points", found=_points(width), holds=width <= 15),
        Goal(
            text="a run against itself repeated: can't tell at least 95 times in 100",
            found=f"{min(1 - float(one.paired) for one in same):.3f}",
            holds=min(1 - float(one.paired) for one in same) >= 0.95 - slack,
        ),
        Goal(
            text="a true difference of 20 points is found more often than by intervals that don't overlap",
            found=", ".join(f"{_share(one.paired)} against {_share(one.apart)}" for one in apart),
            holds=all(one.paired > max(one.apart, one.beside or 0) for one in apart),
        ),
    ]


def _some(results: Results, table: str, prefix: str, column: str, without: str = "\0") -> list[Coverage]:
    return [
        one
        for (t, row, c), one in results.items()
        if t == table and c == column and row.startswith(prefix) and without not in row and isinstance(one, Coverage)
    ]


def _at_least(text: str, found: Sequence[Coverage], goal: float, slack: float) -> Goal:
    least = min(float(one.held) for one in found)
    return Goal(text=f"{text}: at least {goal}", found=f"{least:.4f}", holds=least >= goal - slack)


def _mean(text: str, found: Sequence[Coverage], *, low: float, high: float, slack: float) -> Goal:
    mean = float(sum(one.held for one in found) / len(found))
    return Goal(text=text, found=f"{mean:.4f}", holds=low - slack <= mean <= high + slack)


# The page


def page(results: Results, sizes: Sizes) -> str:
    """The tables as Markdown."""
    command = "python benchmarks/coverage.py" + ("" if sizes is SMALL else " --full")
    return "\n\n".join(
        [
            f"Measured by `{command}`: {sizes.runs:,} simulated runs a cell for the headline interval, "
            f"{sizes.repeats:,} for repeats, {sizes.bootstraps:,} for the bootstrap ({sizes.partial_bootstraps:,} with "
            f"partial credit; {sizes.draws:,} draws each), {sizes.comparisons:,} comparisons. Seed {SEED}.",
            "### Promises\n\n"
            + _table(
                ("Promise", "Found", "Holds"),
                [(goal.text, goal.found, "yes" if goal.holds else "**no**") for goal in goals(results, sizes)],
            ),
            "### One run, tasks a sample of tasks like these\n\n" + _headline_table(results),
            "### One run, all truths: coverage of the headline interval\n\n" + _grid_table(results),
            "### Repeats, the tasks stay the same: coverage / mean width\n\n" + _repeats_table(results),
            "### Categories of unequal size, and weights: coverage / mean width\n\n" + _uneven_table(results),
            "### Two models on the same 24 tasks: how often a difference is found\n\n" + _pairs_table(results),
            "### The smallest true difference two runs would show 8 times in 10, in points\n\n" + _visible_table(),
        ]
    )


def _headline_table(results: Results) -> str:
    rows = []
    for name in SUITES:
        for truth in TRUTHS:
            for spread in SPREADS:
                key = f"{name}|{truth}|{spread}"
                ours, beside = results["headline", key, "interval"], results.get(("headline", key, "bootstrap"))
                other = (
                    (_share(beside.held), _points(beside.width), _share(beside.no_width))
                    if isinstance(beside, Coverage)
                    else ("", "", "")
                )
                rows.append((name, str(truth), spread, _share(ours.held), _points(ours.width), *other))
    head = ("Suite", "Truth", "Categories", "Headline interval holds it", "Width")
    return _table((*head, "Percentile bootstrap holds it", "Width", "Of width 0"), rows)


def _grid_table(results: Results) -> str:
    columns = [f"{name}|{spread}" for name in MAIN[::-1] for spread in SPREADS]
    found = {column: [results["grid", str(truth), column].held for truth in GRID] for column in columns}
    rows = [(str(truth), *(_share(found[c][place]) for c in columns)) for place, truth in enumerate(GRID)]
    rows.append(("**mean**", *(_share(sum(found[c]) / len(GRID)) for c in columns)))
    return _table(("Truth", *(column.replace("|", ", categories ") for column in columns)), rows)


def _repeats_table(results: Results) -> str:
    rows = [
        (profile, name, str(truth), *(_both(results["repeats", f"{profile}|{name}|{truth}", str(r)]) for r in REPEATS))
        for profile, by_truth in PROFILES.items()
        for name in MAIN
        for truth in by_truth
    ]
    return _table(("Model", "Suite", "Truth", *(f"{r} repeats" for r in REPEATS)), rows)


def _uneven_table(results: Results) -> str:
    rows = []
    for name in UNEVEN:
        for truth in (50, 80, 95):
            for spread in SPREADS:
                key = f"{name}|{truth}|{spread}"
                beside = results.get(("uneven", key, "plain"))
                rows.append(
                    (
                        name,
                        str(truth),
                        spread,
                        _both(results["uneven", key, "interval"]),
                        _both(beside) if beside else "",
                    )
                )
    return _table(("Suite", "Truth", "Categories", "Headline interval", "Plain count of tasks instead"), rows)


def _pairs_table(results: Results) -> str:
    rows = []
    for name in PAIRS:
        one = results["pairs", name, ""]
        beside = "" if one.beside is None else _share(one.beside)
        rows.append((name, _share(one.paired), _share(one.wrong_way), _share(one.apart), beside))
    head = ("Models", "Paired test", "The wrong way", "Headline intervals apart", "Bootstraps apart")
    return _table(head, rows)


def _visible_table() -> str:
    rows = []
    for n in (6, 24, 48, 96, 240):
        for r in (1, 3, 5):
            found = [
                smallest_visible_difference(dict.fromkeys("abcd", n // 4) if n > 6 else {"a": 6}, repeats=r, truth=t)
                for t in (Fraction(50, 100), Fraction(80, 100), Fraction(95, 100))
            ]
            rows.append((str(n), str(r), *("none" if one is None else _points(one) for one in found)))
    return _table(("Tasks", "Repeats", "one scores 50", "80", "95"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _share(value: Fraction) -> str:
    return decimal_text(Fraction(value), 3)


def _points(value: Fraction) -> str:
    return decimal_text(Fraction(value), 1)


def _both(one: Coverage) -> str:
    return f"{_share(one.held)} / {_points(one.width)}"


def write_page(path: Path, tables: str) -> None:
    """Put the tables between the markers of the page. Raises ValueError where a marker is missing."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path}: expected the markers {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the page where asked to. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the full size")
    parser.add_argument("--write-docs", action="store_true", help=f"the full size, into {PAGE.relative_to(ROOT)}")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    given = parser.parse_args(arguments)
    sizes = FULL if given.full or given.write_docs else SMALL
    results = measure(sizes, given.workers)
    tables = page(results, sizes)
    print(tables)
    if given.write_docs:
        write_page(PAGE, tables)
    missed = [goal for goal in goals(results, sizes) if not goal.holds]
    for goal in missed:
        print(f"missed: {goal.text}: found {goal.found}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
