"""`python benchmarks/coverage.py` and the page it writes (STA-04)."""

import importlib.util
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("benchmark_coverage", ROOT / "benchmarks" / "coverage.py")
command = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = command
SPEC.loader.exec_module(command)

TINY = command.Sizes(name="tiny", runs=8, repeats=3, bootstraps=3, partial_bootstraps=2, draws=40, comparisons=4)


@pytest.fixture(scope="module")
def results():
    return {key: work() for key, work in command.cells(TINY)}


def test_every_table_is_filled(results):
    tables = command.page(results, TINY)
    assert tables.count("\n### ") == 7
    heads = [line for line, below in pairwise(tables.splitlines()) if below.startswith("| ---")]
    assert len(heads) == 7
    assert "8 simulated runs a cell for the headline interval, 3 for repeats" in tables
    assert "| all pass or fail | 100 | alike | 1.000 | 13.8 | 1.000 | 0.0 | 1.000 |" in tables
    assert "| 24 | 3 | 31.4 | 31.7 | 26.8 |" in tables


def test_a_missed_goal_is_named(results):
    """At this size nothing is proved; each goal still has its figure and its verdict."""
    goals = command.goals(results, TINY)
    assert len(goals) == 11
    assert all(goal.found for goal in goals)
    worst = dict(results)
    for key, one in results.items():
        if key[0] == "headline" and key[2] == "interval" and key[1].startswith("four partial-credit tasks|80"):
            worst[key] = command.Coverage(runs=one.runs, held=Fraction(1, 2), width=one.width, no_width=Fraction(1))
    missed = [goal.text for goal in command.goals(worst, TINY) if not goal.holds]
    assert "headline interval, four partial-credit tasks, every cell at 50, 80, 95: at least 0.95" in missed
    assert "headline interval, never of width 0" in missed


def test_the_full_size_gives_no_slack(results):
    exact = {
        key: command.Coverage(runs=1, held=Fraction(949, 1000), width=one.width, no_width=Fraction(0))
        if key[0] in ("headline", "repeats")
        else one
        for key, one in results.items()
    }
    by_text = {goal.text: goal.holds for goal in command.goals(exact, command.FULL)}
    assert not by_text["headline interval, four partial-credit tasks, every cell at 50, 80, 95: at least 0.95"]
    assert by_text["headline interval, all pass or fail, every cell at 50, 80, 95: at least 0.93"]
    assert by_text["three repeats, steady model, four partial-credit tasks, every cell: at least 0.945"]


def test_tables_go_between_the_markers(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"above\n{command.BEGIN}\nold\n{command.END}\nbelow\n", encoding="utf-8")
    command.write_page(page, "new")
    assert page.read_text(encoding="utf-8") == f"above\n{command.BEGIN}\n\nnew\n\n{command.END}\nbelow\n"
    page.write_text("no markers", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the markers"):
        command.write_page(page, "new")


def test_the_page_in_the_docs_is_of_the_full_size_and_holds_what_it_promises():
    """STA-04: the figures in the docs come from the full-size command, and every promise holds there."""
    text = command.PAGE.read_text(encoding="utf-8")
    tables = text.partition(command.BEGIN)[2].partition(command.END)[0]
    full = command.FULL
    assert f"`python benchmarks/coverage.py --full`: {full.runs:,} simulated runs" in tables
    assert tables.count("| yes |") == 11
    assert "**no**" not in tables
