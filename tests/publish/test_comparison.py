"""Two bundles compared task by task (RUN-06, RUN-32, STA-05)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from making import sum_item, write_suite
from publish.made import graded, replayed
from trigpoint.cli.main import cli
from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.verdict import Word
from trigpoint.publish.bundles import verified_bundle
from trigpoint.publish.compare_page import compare_page
from trigpoint.publish.comparison import compare, compared_json


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(part) for part in arguments], standalone_mode=False)


def test_a_clear_difference_is_told_with_its_chance_and_its_tasks(tmp_path: Path) -> None:
    """RUN-32: compared task by task, not by overlap."""
    first = replayed(tmp_path, "first", graded([True] * 24))
    second = replayed(tmp_path, "second", graded([n >= 10 for n in range(24)]))
    found = compare(first, second)
    assert found.verdict.word is Word.BETTER
    assert [one.item for one in found.changed] == [f"sum-{n:06d}" for n in range(10)]
    assert (found.seen.better, found.seen.worse) == (10, 0)
    assert compare(second, first).verdict.word is Word.WORSE
    members = compared_json(found)
    assert members["difference"] == 41.7  # numbers in --json, exact texts in bundles (FND-02)
    assert members["p_exact"] == "1/512"  # 2 of 2^10 settings of the signs are as far from 0


def test_of_the_same_run_it_cannot_tell_and_exits_with_3(tmp_path: Path) -> None:
    """FND-14: 3 can't tell."""
    replayed(tmp_path, "one", graded([True, False, True, True]))
    done = call("compare", tmp_path / "one", tmp_path / "one")
    assert done.return_value == 3
    assert done.output.startswith("Can't tell")
    assert "no field differs" in done.output


@pytest.mark.parametrize(
    ("flag", "field"),
    [
        (("--max-attempts", 2), ["harness.retry.max_attempts"]),
        (("--timeout", 7), ["inference.timeout_seconds"]),
    ],
)
def test_a_tuple_that_differs_in_one_thing_names_that_and_nothing_else(
    tmp_path: Path, flag: tuple[object, ...], field: list[str]
) -> None:
    """RUN-06: of two runs that differ in one field of the tuple, that field is named."""
    first = replayed(tmp_path, "first", graded([True] * 4))
    second = replayed(tmp_path, "second", graded([True] * 4), *flag)
    assert [part.field for part in compare(first, second).tuple_differences] == field


def test_runs_of_different_suites_are_refused_with_every_reason(tmp_path: Path) -> None:
    """FND-20: comparable, or every reason why not."""
    first = replayed(tmp_path, "first", graded([True] * 4))
    other = tmp_path / "other"
    other.mkdir()
    write_suite(other / "suite", [sum_item(n, category="ab"[n % 2]) for n in range(3)])
    second = replayed(other, "second", graded([True] * 3))
    with pytest.raises(OperatorError, match="the suite differs"):
        compare(first, second)
    assert call("compare", tmp_path / "first", other / "second").exception is not None


def test_a_bundle_that_contradicts_itself_is_compared_with_nothing(tmp_path: Path) -> None:
    """RUN-42: figures of a tampered bundle reach no verdict."""
    replayed(tmp_path, "first", graded([True] * 4))
    replayed(tmp_path, "second", graded([True] * 4))
    items = tmp_path / "second" / "items.jsonl"
    items.write_bytes(items.read_bytes().replace(b'"credit":"1"', b'"credit":"0"'))
    for name in ("compare", "tuple"):
        done = call(name, tmp_path / "first", tmp_path / "second")
        assert "does not verify" in str(done.exception)
        assert "Clearly" not in done.output


def test_several_runs_share_ranks_where_they_cannot_be_told_apart(tmp_path: Path) -> None:
    """RUN-32, STA-05: rank bands, p adjusted by Holm for all pairs shown."""
    for name, right in (("best", 24), ("near", 22), ("far", 4)):
        replayed(tmp_path, name, graded([n < right for n in range(24)]))
    done = call("compare", tmp_path / "far", tmp_path / "best", tmp_path / "near", "--json")
    assert done.return_value == 0
    members = json.loads(done.output)
    ranks = [(Path(entry["place"]).name, entry["rank"]) for entry in members["entries"]]
    assert ranks == [("best", "1–2"), ("near", "1–2"), ("far", "3")]
    assert len(members["pairs"]) == 3
    text = call("compare", tmp_path / "far", tmp_path / "best", tmp_path / "near").output
    assert "1–2" in text
    assert "Holm" in text


def test_a_page_overwrites_nothing_but_a_page_and_only_when_told(tmp_path: Path) -> None:
    """RUN-05: no report replaces evidence."""
    first = tmp_path / "first"
    replayed(tmp_path, "first", graded([True] * 4))
    before = (first / "manifest.json").read_bytes()
    for flags in ((), ("--force",)):
        for command in (("report", first), ("compare", first, first)):
            done = call(*command, "-o", first / "manifest.json", *flags)
            assert isinstance(done.exception, OperatorError)
    assert (first / "manifest.json").read_bytes() == before
    page = tmp_path / "page.html"
    assert call("report", first, "-o", page).return_value == 0
    assert isinstance(call("report", first, "-o", page).exception, OperatorError)
    assert call("report", first, "-o", page, "--force").return_value == 0


def test_repeats_count_by_their_mean(tmp_path: Path) -> None:
    first = replayed(tmp_path, "first", [["wrong", sum_item(n)["grader"]["expected"]] for n in range(4)])
    second = replayed(tmp_path, "second", graded([False] * 4, repeats=2))
    found = compare(first, second)
    assert [str(one.first) for one in found.changed] == ["1/2"] * 4
    assert found.changed[0].first_outcomes == ("incorrect", "correct")


def test_the_page_and_the_json_say_the_same_as_the_command(tmp_path: Path) -> None:
    first = replayed(tmp_path, "first", graded([True] * 24))
    second = replayed(tmp_path, "second", graded([n >= 10 for n in range(24)]), "--timeout", 7)
    found = compare(first, second)
    page = compare_page(found, verified=True)
    assert found.verdict.sentence in page
    assert "inference.timeout_seconds" in page
    done = call("compare", tmp_path / "first", tmp_path / "second", "--json", "-o", tmp_path / "c.html")
    assert done.return_value == 0
    opened = compare(*(verified_bundle(str(tmp_path / name)) for name in ("first", "second")))
    assert json.loads(done.output) == compared_json(opened)
    assert (tmp_path / "c.html").read_text() == page


def test_the_same_model_again_is_seldom_called_different(tmp_path: Path) -> None:
    """STA-05: the comparison of a run with itself repeated says "can't tell" (small; at full size in coverage)."""
    chance = random.Random(7)
    told = 0
    for turn in range(12):
        folder = tmp_path / str(turn)
        folder.mkdir()
        runs = [replayed(folder, name, graded([chance.random() < 0.7 for _ in range(24)])) for name in ("a", "b")]
        told += compare(*runs).verdict.word is not Word.CANT_TELL
    assert told <= 2


def test_how_long_calls_took_is_kept_and_stands_in_no_figure(tmp_path: Path) -> None:
    """RUN-52: recorded for diagnosis, never ranked."""
    found = compare(*(replayed(tmp_path, name, graded([True] * 4)) for name in ("one", "two")))
    for run in (found.first, found.second):
        assert all(isinstance(call.reply.latency_ms, int) for call in run.calls())
        assert "latency" not in json.dumps(run.result)
    assert "latency" not in json.dumps(compared_json(found))
