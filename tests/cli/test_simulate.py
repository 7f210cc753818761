"""`trigpoint simulate`: seeded, the same for any number of workers, as table, JSON and page (STA-03)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from trigpoint.cli.simulate import simulate

SMALL = ("--years", "1", "--series", "2")
PROFILE = """
name = "mine"
[[tests]]
count = 5
low = 0.6
high = 0.95
category = "short"
[[tests]]
rate = 0.8
parts = 4
category = "essay"
"""


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(simulate, [str(argument) for argument in arguments], standalone_mode=False)
    assert result.exception is None, result.exception
    return result


def measured(*arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    place = tmp_path / "mine.toml"
    place.write_text(PROFILE, encoding="utf-8")
    return place


def test_any_number_of_workers_gives_the_same_bytes(profile: Path) -> None:
    """STA-03: uses all cores; the figures come from the seed alone."""
    asked = (profile, "--years", "1", "--series", "21", "--json")
    alone = run(*asked, "--workers", "1").stdout_bytes
    assert run(*asked, "--workers", "2").stdout_bytes == alone
    assert run(*asked, "--workers", "1", "--seed", "2").stdout_bytes != alone


def test_the_json_holds_all_that_is_asked_for(profile: Path) -> None:
    """STA-03: false flags and confirmations a direction and model-year, power, delay, coverage."""
    found = measured(profile, *SMALL, "--workers", "1", "--tests", "3", "--score-only", "--intervals", "20")
    assert (found["seed"], found["thresholds"]) == (1, {"total": 6.2, "worst": 11.9})
    (mine,) = found["profiles"]
    assert (mine["profile"], mine["tests"], mine["mean"]) == ("mine", 6, 77.92)
    assert [year["scenario"] for year in mine["years"]] == ["no change", "bad days", "format glitches"]
    for year in [*mine["years"], *mine["sizes"], *mine["score_only"]["years"]]:
        assert year["judged_runs"] >= 300
        assert set(year["false_flags_a_year"]) == set(year["false_confirmations_a_year"]) == {"down", "up"}
    assert len(mine["drops"]) == len(mine["score_only"]["drops"]) == 7
    for drop in mine["drops"]:
        assert drop["series"] == 2
        shares = list(drop["found_within"].values())
        assert shares == sorted(shares)
        assert 0 <= drop["confirmed"] <= 1
    assert [size["tests"] for size in mine["sizes"]] == [3]
    assert len(found["intervals"]) == 15
    assert all(0 <= cell["coverage"] <= 1 and cell["width"] > 0 for cell in found["intervals"])


def test_the_table_opens_with_the_sentence(profile: Path) -> None:
    """STA-03: for people: the verdict, then the tables."""
    lines = run(profile, *SMALL, "--workers", "1").stdout.splitlines()
    assert lines[0].startswith("At thresholds 6.2 and 11.9 an unchanged AI raises at most ")
    assert any(line.startswith("mine: 6 tests, mean 77.9. Lasting drops") for line in lines)


def test_a_page_gets_the_figures_between_its_marks_and_keeps_the_rest(profile: Path, tmp_path: Path) -> None:
    """STA-03: the page of the documentation is written by the command, which it names."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- begin: trigpoint simulate -->\nearlier\n<!-- end: trigpoint simulate -->\nafter\n")
    arguments = (profile, *SMALL, "--workers", "1", "--threshold", "0.5", "--write-docs", page)
    run(*arguments)
    first = page.read_text(encoding="utf-8")
    assert first.startswith("before\n<!-- begin: trigpoint simulate -->\n```\ntrigpoint simulate mine --years 1")
    assert "--seed 1 --threshold 7.5/14.7\n```" in first
    assert first.endswith("<!-- end: trigpoint simulate -->\nafter\n")
    assert "earlier" not in first
    run(*arguments)
    assert page.read_text(encoding="utf-8") == first


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(None, "no such profile", id="no file"),
        pytest.param("tests = ", "not TOML", id="no TOML"),
        pytest.param("name = 'x'", "a profile without tests", id="no tests"),
    ],
)
def test_a_profile_that_cannot_be_read_is_refused(tmp_path: Path, text: str | None, what: str) -> None:
    """FND-14."""
    place = tmp_path / "bad.toml"
    if text is not None:
        place.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(simulate, [str(place)], standalone_mode=False)
    assert (getattr(result.exception, "what", None), getattr(result.exception, "exit_code", None)) == (what, 2)


def test_a_page_without_marks_is_refused_before_it_is_touched(profile: Path, tmp_path: Path) -> None:
    """FND-14."""
    page = tmp_path / "page.md"
    page.write_text("nothing here\n")
    arguments = [str(profile), *SMALL, "--workers", "1", "--write-docs", str(page)]
    result = CliRunner().invoke(simulate, arguments, standalone_mode=False)
    assert getattr(result.exception, "what", None) == "no place for the figures"
    assert page.read_text() == "nothing here\n"


def test_the_full_size_figures_of_the_page_keep_the_promises() -> None:
    """STA-04: what docs/explanation/statistics.md says was measured lies within the goals."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "explanation" / "statistics.md").read_text(encoding="utf-8")
    rows = {}
    title = ""
    for line in page.splitlines():
        if line.startswith("**") and ":" in line:
            title = line.strip("*").split(":")[0]
        elif line.startswith("| ") and title:
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            rows[title, cells[0]] = cells[1:]
    goals = {"strong": 0.80, "saturated": 0.90, "middling": 0.70}
    for name, goal in goals.items():
        flags_down, flags_up, confirmed_down, confirmed_up = map(float, rows[name, "no change"])
        assert max(flags_down, flags_up) <= 1
        assert max(confirmed_down, confirmed_up) <= 0.15
        for scenario in ("bad days", "format glitches"):
            assert max(map(float, rows[name, scenario][:2])) <= 1.5
        assert float(rows[name, "5 points, spread"][2]) >= goal
        assert float(rows[name, "10 points, spread"][2]) >= 0.98
        assert float(rows[name, "one test breaks for good"][2]) >= 0.95
        assert float(rows[name, "10 points over 60 runs"][4]) >= 0.95
