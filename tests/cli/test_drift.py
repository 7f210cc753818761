"""`trigpoint drift`: reading files as they are, the stated JSON, text and page (STA-02)."""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trigpoint.cli.drift import drift
from trigpoint.cli.drift_rows import RowStore
from trigpoint.cli.drift_table import RunTable
from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.simulation import built_in, chance_of, one_run
from trigpoint.core.statistics.simulation_scenarios import few, spread

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(drift, [str(argument) for argument in arguments], input=text, standalone_mode=False)


def judged(text: str, *flags: str) -> dict[str, Any]:
    result = run("-", "--json", *flags, text=text)
    assert result.exception is None, result.exception
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def table(*rows: str, head: str = "date,subject,score") -> str:
    return "\n".join([head, *rows]) + "\n"


def wide(name: str = "strong", runs: int = 60, *, subject: str = "m", drop_from: int | None = None) -> list[str]:
    """Rows of daily runs; from run `drop_from` on 10 points fewer."""
    profile, chance = built_in(name), chance_of("drift", name, subject)
    rates = [test.rate for test in profile.tests]
    rows = []
    for number in range(runs):
        now = rates if drop_from is None or number < drop_from else spread(rates, 12.0, 1)
        cells = [f"{credit:g}" for credit in one_run(profile.tests, now, chance)]
        rows.append(f"2026-{1 + number // 28:02}-{1 + number % 28:02},{subject},{','.join(cells)}")
    return rows


WIDE = "date,subject," + ",".join(f"q{number}" for number in range(34))


def test_the_worked_example_in_the_stated_shape() -> None:
    """STA-02, WAT-40, WAT-41, WAT-42: 96.50, −11.25, −9.25, down; null where there is none."""
    text = table("2026-10-12,m,91", "2026-10-14,m,95", "2026-10-16,m,96", "2026-10-19,m,98.5", "2026-10-20,m,87.25")
    assert judged(text)["subjects"][0]["runs"][-1] == {
        "date": "2026-10-20",
        "score": 87.25,
        "seed": {"change": -11.25, "baseline": 96.5, "change_from_baseline": -9.25, "trend": "down"},
        "monitor": {
            "state": "learning", "direction": None, "statistic": None, "threshold": None, "noise_band": None,
            "tests_moved": None,
        },
    }  # fmt: skip


def test_the_json_has_the_stated_members_and_no_others() -> None:
    """STA-02: the shape, whole, once there is a baseline and a confirmed shift."""
    found = judged(table(*wide(drop_from=40), head=WIDE))
    assert list(found) == ["subjects"]
    (series,) = found["subjects"]
    assert list(series) == ["subject", "suite_version", "runs", "smallest_drop"]
    assert (series["subject"], series["suite_version"]) == ("m", None)
    assert list(series["smallest_drop"]) == ["3", "5", "7", "14", "30"]
    for one in series["runs"]:
        assert list(one) == ["date", "score", "seed", "monitor"]
        assert list(one["seed"]) == ["change", "baseline", "change_from_baseline", "trend"]
        assert list(one["monitor"]) == ["state", "direction", "statistic", "threshold", "noise_band", "tests_moved"]
    states = [one["monitor"]["state"] for one in series["runs"]]
    assert states[:14] == ["learning"] * 14
    assert set(states[14:40]) == {"within_noise"}
    assert "confirmed" in states[40:50]
    confirmed = series["runs"][states.index("confirmed")]["monitor"]
    assert confirmed["direction"] == "down"
    assert confirmed["tests_moved"]


def test_without_enough_runs_nothing_is_promised() -> None:
    """STA-02: smallest_drop is null while learning."""
    assert judged(table("2026-01-01,m,90"))["subjects"][0]["smallest_drop"] is None


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        pytest.param(["2026-01-01,m,1,0,0.5"], "date,subject,a,b,c", id="0–1"),
        pytest.param(["2026-01-01,m,100,0,50"], "date,subject,a,b,c", id="percent"),
        pytest.param(["2026-01-01,m,100%,0%,50%"], "date,subject,a,b,c", id="percent signs"),
        pytest.param(["2026-01-01,m,pass,fail,50%"], "date,subject,a,b,c", id="words"),
        pytest.param(["2026-01-01;m;1;0;0,5"], "date;subject;a;b;c", id="semicolons and decimal commas"),
        pytest.param(["2026-01-01\tm\tyes\tno\t.5"], "date\tsubject\ta\tb\tc", id="tabs"),
        pytest.param(["m,0.5,2026-01-01,0,1"], "\ufeffModel,c,Date,b,a", id="a byte order mark and another order"),
        pytest.param(["2026-01-01,m,50,1,0,0.5"], "date,subject,Score,a,b,c", id="a total beside the tests"),
        pytest.param(["2026-01-01,m,true,FALSE,0.5,fine"], "date,subject,a,b,c,remark", id="a column of words"),
        pytest.param(["2026-01-01,m,1,0,0.5,0.013"], "date,subject,a,b,c,cost", id="a column known to be no test"),
        pytest.param(["2026-01-01,m,1,0,0.5,"], "date,subject,a,b,c,d", id="a column empty in all rows"),
        pytest.param(['"2026-01-01","m","1","0","0.5"'], "date,subject,a,b,c", id="quoted"),
        pytest.param(["2026-01-01,m,1,0,0.5", "", ""], "date,subject,a,b,c", id="blank lines"),
        pytest.param(["2026-01-01,m,1,0,0.5,, "], "date,subject,a,b,c", id="commas at the end"),
        pytest.param(["0,2026-01-01,m,1,0,0.5"], ",date,subject,a,b,c", id="numbered rows without a name"),
        pytest.param(["2026-01-01,m,50,40,60"], "date,subject,score,low,high", id="a score with its range"),
        pytest.param(["2026-01-01,m,1,0,0.5\r"], "date,subject,a,b,c\r", id="CRLF"),
        pytest.param(["2026-01-01,m,50"], "date,subject,score", id="a score"),
        pytest.param(["2026-01-01,m,0.5"], "date,subject,score", id="a score 0–1"),
        pytest.param(["2026-01-01,m,50"], "date,subject,score (%)", id="a score in percent by its name"),
    ],
)
def test_files_of_other_trackers_are_read(rows: list[str], head: str) -> None:
    """STA-02: percent or 0–1, words, separators, column names and orders as others write them."""
    (series,) = judged(table(*rows, head=head))["subjects"]
    assert (series["subject"], [one["score"] for one in series["runs"]]) == ("m", [50.0])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param("2026-01-02,m,1", "line 3: expected 4 cells, found 3; row left out", id="torn"),
        pytest.param("tomorrow,m,1,1", "line 3: expected a date such as 2026-10-12 or an RFC 3339 time", id="date"),
        pytest.param("2026-01-02,,1,1", "line 3: expected a subject", id="no subject"),
        pytest.param("2026-01-02,m,1,maybe", 'line 3: column "b": expected a credit, found "maybe"', id="no credit"),
        pytest.param("2026-01-02,m,1,7", 'line 3: column "b": expected a credit, found "7"', id="off the scale"),
        pytest.param("2026-01-02,m,1,-1", 'line 3: column "b": expected a credit, found "-1"', id="negative"),
        pytest.param("2026-01-02,m,1,", 'line 3: "b" is empty; only complete runs count', id="incomplete"),
        pytest.param("2026-01-01,m,1,1", "line 3: repeats another row; counted once", id="doubled"),
        pytest.param("2026-01-02,m,,", "Rows without any result, kept as gaps: 1.", id="a gap"),
    ],
)
def test_a_row_left_out_is_named_by_its_line(row: str, said: str) -> None:
    """STA-02: bad rows are named by line and never count as 0; what is absent is a gap."""
    result = run("-", "--json", text=table("2026-01-01,m,1,1", row, "2026-01-03,m,0,0", head="date,subject,a,b"))
    assert result.exception is None
    assert said in result.stderr
    runs = json.loads(result.stdout)["subjects"][0]["runs"]
    assert [(one["date"], one["score"]) for one in runs] == [("2026-01-01", 100.0), ("2026-01-03", 0.0)]
    assert runs[1]["seed"]["change"] == -100.0


def test_many_bad_rows_are_counted_and_the_first_named() -> None:
    """STA-02: a file of rubbish doesn't flood the screen."""
    result = run("-", "--json", text=table("2026-01-01,m,1", *["x,m,1"] * 100))
    assert result.stderr.count("row left out") == 20
    assert "line 22:" in result.stderr
    assert "… and 80 more such rows" in result.stderr


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("", "no table of runs", id="empty"),
        pytest.param("hello\n", "no table of runs", id="no table"),
        pytest.param("date,subject,score\n", "no run could be read", id="no rows"),
        pytest.param("date,subject,score\nx,m,1\n", "no run could be read", id="no good row"),
        pytest.param("date,subject,score\n2026-01-01,m,\n", "no run could be read", id="gaps alone"),
        pytest.param("subject,score\nm,1\n", "no date column", id="no date"),
        pytest.param("date,llm,a,b\n2026-01-01,gpt,1,0\n", "no subject column", id="a subject under another name"),
        pytest.param(f'date,subject,score\n2026-01-01,m,"{"x" * 200_000}', "not a table", id="an endless quote"),
        pytest.param("date,subject,a,b\n2026-01-01,m,1,\n2026-01-02,m,,1\n", "no complete run", id="never complete"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_judged_is_refused(text: str, what: str) -> None:
    """FND-14: input that can't be used ends with 2, and says what is wrong with it."""
    error = run("-", text=text).exception
    assert getattr(error, "what", error) == what
    assert getattr(error, "exit_code", None) == 2


def test_what_is_not_utf_8_or_not_there_is_refused(tmp_path: Path) -> None:
    """FND-14."""
    place = tmp_path / "runs.csv"
    place.write_bytes("date,subject,score\n2026-01-01,m,1\n".encode("utf-16"))
    assert getattr(run(place).exception, "what", None) in ("not UTF-8", "no table of runs")
    place.write_bytes(b"date,subject,score\n2026-01-01,\xff,1\n")
    assert getattr(run(place).exception, "what", None) == "not UTF-8"
    assert getattr(run(tmp_path / "none.csv").exception, "what", None) == "could not read"


def test_strict_refuses_a_file_with_an_unreadable_row() -> None:
    text = table("2026-01-01,m,1", "x,m,1")
    assert run("-", text=text).exception is None
    assert getattr(run("-", "--strict", text=text).exception, "what", None) == "rows that can't be read"


def test_a_subject_column_may_be_named_and_columns_ignored() -> None:
    text = table("2026-01-01,gpt,0.5,7", head="date,llm,a,remark")
    found = judged(text, "--subject", "llm", "--ignore", "remark")
    assert found["subjects"][0]["subject"] == "gpt"
    assert judged("date,score\n2026-01-01,0.5\n")["subjects"][0]["subject"] == "series"


def test_several_runs_a_day_stand_in_order_of_their_times() -> None:
    """STA-02: an RFC 3339 time in the date column; zones are taken into account."""
    rows = ["2026-01-01T12:00:00Z,m,0.5", "2026-01-01T12:30:00+01:00,m,0.4", "2026-01-01T08:00:00Z,m,0.3"]
    (series,) = judged(table(*rows))["subjects"]
    assert [one["score"] for one in series["runs"]] == [30.0, 40.0, 50.0]


def test_runs_of_one_date_without_times_are_both_kept_and_said() -> None:
    """STA-02: several runs a day; without times their order is fixed by what they hold."""
    for rows in (["2026-01-01,m,0.5", "2026-01-01,m,0.4"], ["2026-01-01,m,0.4", "2026-01-01,m,0.5"]):
        result = run("-", "--json", text=table(*rows))
        assert [one["score"] for one in json.loads(result.stdout)["subjects"][0]["runs"]] == [40.0, 50.0]
        assert "share their date" in result.stderr


def test_suite_versions_are_series_of_their_own_and_nothing_is_compared_across() -> None:
    """STA-02, WAT-40: one entry a subject and version; the previous run is the subject's, whatever its version."""
    rows = [f"2026-01-0{day},m,{version},{score}" for day, version, score in
            [(1, "A", 90), (2, "A", 91), (3, "B", 50), (4, "A", 92), (5, "A", 93), (6, "B", 51)]]  # fmt: skip
    found = judged(table(*rows, head="date,subject,suite_version,score"))["subjects"]
    changes = {series["suite_version"]: [one["seed"]["change"] for one in series["runs"]] for series in found}
    assert changes == {"A": [None, 1.0, None, 1.0], "B": [None, None]}
    assert [series["suite_version"] for series in found] == ["A", "B"]


def test_an_incomplete_row_of_another_version_is_no_previous_run() -> None:
    """WAT-40: previous means the run before, and what isn't complete is no run."""
    rows = ["2026-01-01,m,A,1,1", "2026-01-02,m,B,1,", "2026-01-03,m,A,1,0", "2026-01-04,m,B,1,1"]
    found = judged(table(*rows, head="date,subject,suite_version,a,b"))["subjects"]
    assert [one["seed"]["change"] for one in found[0]["runs"]] == [None, -50.0]


def test_a_score_is_exact_to_the_hundredth() -> None:
    """WAT-32, FND-31: (32 × 100 + 0 + 60) / 34 → 95.88; thirds and halves round half away from zero."""
    cells = ",".join(["1"] * 32 + ["0", "0.6"])
    assert judged(table(f"2026-01-01,m,{cells}", head=WIDE))["subjects"][0]["runs"][0]["score"] == 95.88
    halves = ",".join(["1"] * 199 + ["0.99"])
    head = "date,subject," + ",".join(f"t{number}" for number in range(200))
    assert judged(table(f"2026-01-01,m,{halves}", head=head))["subjects"][0]["runs"][0]["score"] == 100.0
    halves = ",".join(["1"] * 199 + ["0.97"])
    assert judged(table(f"2026-01-01,m,{halves}", head=head))["subjects"][0]["runs"][0]["score"] == 99.99


@pytest.mark.parametrize(
    ("given", "total", "worst"), [("1", 6.2, 11.9), ("0.5", 7.5, 14.7), ("0.1", 9.6, 22.4), ("8/20", 8.0, 20.0)]
)
def test_thresholds_may_be_chosen(given: str, total: float, worst: float) -> None:
    """STA-01: the rows of the table of 4.1, or two figures of one's own."""
    (series,) = judged(table(*wide(runs=20), head=WIDE), "--threshold", given)["subjects"]
    assert series["runs"][-1]["monitor"]["threshold"] in (total, worst)


@pytest.mark.parametrize("given", ["2", "a/b", "6.2", "0/0", "nan/nan", "6.2/11.9/1"])
def test_other_thresholds_are_refused(given: str) -> None:
    """FND-14."""
    assert getattr(run("-", "--threshold", given, text="x").exception, "what", None) == "not a threshold"


ROWS = [
    *wide(runs=30, subject="a", drop_from=20),
    *wide("middling", runs=25, subject="b"),
    "2026-01-05,a," + ",".join(["1"] * 34),  # a second run of that day, without a time
    "2026-01-05T12:00:00Z,b," + ",".join(["0"] * 34),
    "2026-01-09,b," + ",".join(["1"] * 33) + ",",
    "x,b," + ",".join(["1"] * 34),
]
EXPECTED = run("-", "--json", text=table(*ROWS, head=WIDE)).stdout_bytes


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_order_of_rows_gives_the_same_bytes(chance: random.Random) -> None:
    """STA-02: same input, same bytes out, in any order of rows."""
    rows = list(ROWS)
    chance.shuffle(rows)
    assert run("-", "--json", text=table(*rows, head=WIDE)).stdout_bytes == EXPECTED


def test_the_golden_bytes_are_the_same_on_every_python() -> None:
    """STA-02, FND-31: made on Python 3.11, 3.12 and 3.13 alike; a change of any digit is a change of what we say."""
    golden = Path(__file__).parent / "golden" / "drift.json"
    assert golden.read_bytes() == EXPECTED


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """STA-02: rows are sorted on disk and given back one by one."""

    def peak(rows: int) -> int:
        place = tmp_path / f"{rows}.csv"
        times = (f"2026-01-01T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.{n:09}Z" for n in range(rows))
        place.write_text(table(*(f"{time},m{n % 3},{n % 2}" for n, time in enumerate(times))))
        tracemalloc.start()
        with place.open(newline="") as stream, RunTable(stream, where="runs.csv", given={}, ignore=()) as read:
            count = sum(1 for series in read.series() for _ in series.runs)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == rows
        return found

    peak(500)  # imports and caches
    assert peak(9_000) < 1.3 * peak(3_000)


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file goes, whether the judging ends well or not."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("-", text=table("2026-01-01,m,1")).exception is None
    assert run("-", text=table("x,m,1")).exception is not None
    assert list(tmp_path.iterdir()) == []


CELLS = st.one_of(
    st.sampled_from(
        ["1", "0", "0.5", "95%", "pass", "", "2026-01-01", "2026-01-01T00:00:00Z", "m", '"', "\x00", "=1", "9e9"]
    ),
    st.text(max_size=5),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=30), st.sampled_from([",", ";", "\t"]))
def test_no_file_raises_anything_but_a_plain_refusal(rows: list[list[str]], separator: str) -> None:
    """STA-02: whatever stands in a file, it is judged or refused by name."""
    head = separator.join(["date", "subject", "suite_version", "a", "b"])
    text = table(*(separator.join(cells) for cells in rows), head=head)
    error = run("-", text=text.encode("utf-8", "replace").decode()).exception
    assert error is None or isinstance(error, OperatorError)


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """FND-14: what happened, where, what next."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(RowStore, "add", full)
    error = run("-", text=table("2026-01-01,m,1")).exception
    assert getattr(error, "what", error) == "could not sort the rows on disk"


# text for people


@pytest.mark.parametrize(
    ("rows", "head", "sentences"),
    [
        pytest.param(wide(runs=9), WIDE, ["Can't tell yet. 9 of 14 runs learnt"], id="learning"),
        pytest.param(wide(runs=40), WIDE, ["No lasting change.", "No sign of it."], id="no change"),
        pytest.param(wide(runs=43, drop_from=40), WIDE, ["Probably worse since about", "more time"], id="flagged"),
        pytest.param(wide(runs=46, drop_from=40), WIDE, ["Worse since about", "95% range"], id="confirmed"),
        pytest.param(wide(runs=80, drop_from=40), WIDE, ["Worse than before about", "steady since"], id="long after"),
        pytest.param(["2026-01-01,m,0.5"], "date,subject,score", ["Judged by the score alone"], id="a score alone"),
    ],
)  # fmt: skip
def test_the_text_opens_with_the_verdict(rows: list[str], head: str, sentences: list[str]) -> None:
    """STA-01 (4.3), STA-02, WAT-44: worse or not, since when, how sure, what next; a score alone is said to cost."""
    result = run("-", text=table(*rows, head=head))
    assert result.exception is None
    plain = " ".join(result.stdout.split())
    for sentence in sentences:
        assert sentence in plain
    for question in ("Is it worse?", "Since when?", "How sure?", "What next?"):
        assert question in plain


def test_a_hostile_name_cannot_act_on_a_terminal() -> None:
    name = "a\x1b[31m\u202eb"
    result = run("-", text=table(f"2026-01-01,{name},0.5"))
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    assert "a\\u001b[31m\\u202eb" in result.stdout


# the page


class Parsed(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page(tmp_path: Path, text: str) -> Parsed:
    place = tmp_path / "page.html"
    result = run("-", "--html", str(place), text=text)
    assert result.exception is None, result.exception
    return Parsed(place.read_text(encoding="utf-8"))


def test_the_page_answers_the_four_questions_of_a_reader(tmp_path: Path) -> None:
    """STA-02: is it worse, since when, how sure, what to do next; chart with its sentence; the runs as a table."""
    found = page(tmp_path, table(*wide(runs=50, drop_from=40), head=WIDE))
    for words in (
        "Worse since about 2026-02-1",
        "Is it worse? Yes.",
        "Since when? About 2026-02-1",
        "How sure? Confirmed",
        "What to do next Look at the tests that moved, listed below",
        "What this series can show",
    ):
        assert words in found.text, words
    drawings = [
        attrs for tag, attrs in found.tags if tag == "svg" and attrs.get("role") == "img" and attrs.get("class")
    ]
    assert [drawing["class"] for drawing in drawings] == ["wide", "narrow"]
    assert all("50 runs from 2026-01-01" in str(drawing["aria-label"]) for drawing in drawings)
    assert "Shift confirmed on 2026-02-1" in str(drawings[0]["aria-label"])
    assert sum(tag == "tr" for tag, _ in found.tags) > 50


def test_the_page_needs_no_script_and_asks_for_nothing(tmp_path: Path) -> None:
    """STA-02: one self-contained page under a strict policy."""
    found = page(tmp_path, table(*wide(runs=20), head=WIDE))
    policy = next(attrs for tag, attrs in found.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert str(policy["content"]).startswith("default-src 'none'")
    assert not {tag for tag, _ in found.tags} & {"script", "img", "link", "iframe", "object"}
    links = [str(value) for _, attrs in found.tags for name, value in attrs.items() if name in ("href", "src")]
    assert all(link.startswith("#") for link in links)


def test_a_hostile_file_is_inert_on_the_page(tmp_path: Path) -> None:
    """STA-02: everything from the file is escaped: subject, version, tests, dates."""
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
    cells = [",".join(["1", "1", "1"] if number < 20 else ["0", "0", "1"]) for number in range(24)]
    rows = [f"2026-01-{1 + number:02},{evil},{evil},{cell}" for number, cell in enumerate(cells)]
    head = f'date,subject,suite_version,{evil},"a\'b""c",d'
    found = page(tmp_path, table(*rows, head=head))
    assert not {tag for tag, _ in found.tags} & {"script", "img"}
    assert not [name for _, attrs in found.tags for name in attrs if name.startswith("on")]
    assert "<script>alert(1)</script>" in found.text
    assert "\u202e" not in found.text


def test_several_series_are_listed_first_with_their_verdicts(tmp_path: Path) -> None:
    rows = (
        wide(runs=50, subject="falling", drop_from=40) + wide(runs=50, subject="steady") + wide(runs=5, subject="new")
    )
    found = page(tmp_path, table(*rows, head=WIDE))
    assert "3 series: 1 worse, 1 no lasting change, 1 can't tell yet." in found.text
    anchors = {attrs.get("id") for tag, attrs in found.tags if tag == "section"}
    assert {attrs["href"] for tag, attrs in found.tags if tag == "a"} == {f"#{anchor}" for anchor in anchors}


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """FND-14."""
    result = run("-", "--html", str(tmp_path / "none" / "page.html"), text=table("2026-01-01,m,1"))
    assert getattr(result.exception, "what", None) == "could not write"


@pytest.mark.parametrize("runs", [1, 2, 400])
def test_a_chart_of_any_length_has_only_finite_places(tmp_path: Path, runs: int) -> None:
    rows = [f"{2026 + n // 336}-{1 + n // 28 % 12:02}-{1 + n % 28:02},m,1" for n in range(runs)]
    place = tmp_path / "page.html"
    assert run("-", "--html", str(place), text=table(*rows)).exception is None
    text = place.read_text(encoding="utf-8")
    assert not re.search(r"nan|inf\b", text.split("<figure", 1)[1].split("</figure", 1)[0])
    assert ("34 runs before" in text) is (runs == 400)


def test_one_broken_test_is_named() -> None:
    """STA-01 (4.2), STA-02: the evidence lists tests by their own statistic with before and after counts."""
    profile, chance = built_in("strong"), chance_of("one broken")
    rates = [test.rate for test in profile.tests]
    rows = []
    for number in range(50):
        now = rates if number < 40 else few(rates, 100 / 34, 1)
        cells = ",".join(f"{credit:g}" for credit in one_run(profile.tests, now, chance))
        rows.append(f"2026-{1 + number // 28:02}-{1 + number % 28:02},m,{cells}")
    (series,) = judged(table(*rows, head=WIDE))["subjects"]
    broken = f"q{max(range(34), key=lambda place: (rates[place], -place))}"
    confirmed = next(one["monitor"] for one in series["runs"] if one["monitor"]["state"] == "confirmed")
    assert confirmed["tests_moved"][0]["test"] == broken
    assert confirmed["tests_moved"][0]["after"]["credits"] == 0.0


def test_it_runs_as_a_process_and_ends_with_2_for_a_bad_file(tmp_path: Path) -> None:
    """FND-14: through the command line's own error printing."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    place = tmp_path / "runs.csv"
    place.write_text(table("2026-01-01,m,0.5"), encoding="utf-8")
    good, bad = (
        subprocess.run(
            [sys.executable, "-m", "trigpoint", "drift", str(file), "--json"],
            env=environment, capture_output=True, text=True, check=False,
        )
        for file in (place, tmp_path / "none.csv")
    )  # fmt: skip
    assert (good.returncode, json.loads(good.stdout)["subjects"][0]["runs"][0]["score"]) == (0, 50.0)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "could not read" in bad.stderr
