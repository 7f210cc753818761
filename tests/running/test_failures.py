"""A score never hides a failure: every misbehaviour ends under its own name (RUN-23, FND-10, FND-14)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.loopback import Running

from making import sum_item, write_suite
from running.helpers import rows, run_arguments, trigpoint

#: fault → (outcome, attempts it takes, retries in a row of calls.jsonl)
ENDS = {
    "429-once": ("correct", 2),
    "500-once": ("correct", 2),
    "drop-once": ("correct", 2),
    "400-always": ("endpoint_error", 1),
    "503-always": ("endpoint_error", 2),
    "drop-always": ("endpoint_error", 2),
    "null": ("missing", 1),
    "cut": ("cut_off", 1),
    "refusal": ("refused_rule", 1),
}


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "streamed"])
def test_one_prompt_in_ten_misbehaves_and_harms_no_other(
    tmp_path: Path, endpoint: Running, stream: tuple[str, ...]
) -> None:
    """RUN-23, RUN-24, RUN-51: retried as the harness says, the rest by name, the denominator whole."""
    faults = dict(zip(range(0, 90, 10), ENDS, strict=True))
    suite = write_suite(tmp_path / "suite", [sum_item(n, fault=faults.get(n, "")) for n in range(90)])
    out = tmp_path / "out"
    done = trigpoint(*run_arguments(suite, endpoint, out, "--max-attempts", 2, "--concurrency", 8, *stream))

    found = {row["item"]: row for row in rows(out)}
    assert len(found) == 90
    for number in range(90):
        outcome, attempts = ENDS[faults[number]] if number in faults else ("correct", 1)
        row = found[f"sum-{number:06d}"]
        assert (row["outcome"], row["attempt"]) == (outcome, attempts), faults.get(number)
        assert row["credit"] == ("1" if outcome == "correct" else "0")
    calls = Counter((row["message"], row["status"]) for row in rows(out, "calls.jsonl"))
    assert calls["sum-000000", "endpoint_error"] == calls["sum-000000", "answered"] == 1

    result = json.loads((out / "result.json").read_text())
    assert result["counts"]["rows"] == 90
    assert result["score"]["value"] == "14/15"  # 84 of 90: the six that never answered rightly stay in
    assert result["coverage"]["shown"] == "100.0"
    counted = Counter(row["outcome"] for row in rows(out))
    assert {name: n for name, n in result["outcomes"].items() if n} == counted
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1].startswith("Finished with 3 endpoint error")


def test_an_endpoint_that_never_answers_times_out_under_its_name(tmp_path: Path, endpoint: Running) -> None:
    """FND-14: a transport time-out makes exit code 3, and is not asked again (RUN-02's retry policy)."""
    suite = write_suite(tmp_path / "suite", [sum_item(0, fault="hang"), sum_item(1)])
    out = tmp_path / "out"
    done = trigpoint(*run_arguments(suite, endpoint, out, "--timeout", 0.5))
    assert [(row["outcome"], row["attempt"]) for row in rows(out)] == [("timed_out", 1), ("correct", 1)]
    assert done.returncode == 3
    assert "1 timed out" in done.stdout.splitlines()[-1]


def test_wrong_answers_are_no_failure_of_the_run(tmp_path: Path, endpoint: Running) -> None:
    """FND-14: 0 when finished, whatever the model answered."""
    wrong = {**sum_item(0), "grader": {"rule": "exact/1", "expected": "another"}}
    suite = write_suite(tmp_path / "suite", [wrong, sum_item(1)])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out"))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("Finished: every item was answered")


@pytest.mark.parametrize(
    ("limit", "asked"),
    [(("--budget-calls", 3), 3), (("--budget-tokens", 40), 2)],
    ids=["calls", "tokens"],
)
def test_a_spent_budget_leaves_the_rest_not_attempted_and_in_the_denominator(
    tmp_path: Path, endpoint: Running, limit: tuple[object, ...], asked: int
) -> None:
    """FND-15, RUN-24: unattempted tasks stay in the denominator at 0."""
    suite = write_suite(tmp_path / "suite", [sum_item(n) for n in range(6)])
    out = tmp_path / "out"
    done = trigpoint(*run_arguments(suite, endpoint, out, "--concurrency", 1, *limit))
    outcomes = [row["outcome"] for row in rows(out)]
    assert outcomes == ["correct"] * asked + ["not_attempted"] * (6 - asked)
    assert endpoint.stats()["requests"] == asked
    result = json.loads((out / "result.json").read_text())
    assert result["counts"]["attempted"] == asked
    assert result["coverage"]["value"] == f"{asked}/6".replace("3/6", "1/2").replace("2/6", "1/3")
    assert done.returncode == 3
    assert "the budget is spent" in done.stdout.splitlines()[-1]


def test_nothing_is_overwritten(tmp_path: Path, endpoint: Running) -> None:
    """RUN-05: an existing output place is refused, and left as it was."""
    suite = write_suite(tmp_path / "suite", [sum_item(0)])
    out = tmp_path / "out"
    assert trigpoint(*run_arguments(suite, endpoint, out)).returncode == 0
    before = (out / "manifest.json").read_bytes()
    again = trigpoint(*run_arguments(suite, endpoint, out))
    assert again.returncode == 2
    assert "Nothing is ever overwritten" in again.stderr
    assert (out / "manifest.json").read_bytes() == before
    assert endpoint.stats()["requests"] == 1


def test_the_same_tuple_again_is_a_new_numbered_run(tmp_path: Path, endpoint: Running) -> None:
    """RUN-05: without --out, runs of one tuple are numbered."""
    suite = write_suite(tmp_path / "suite", [sum_item(0)])
    given = ["run", suite, "--model", "openai/loop", "--base-url", endpoint.base_url, "--quiet"]
    done = [trigpoint(*given, TRIGPOINT_HOME=str(tmp_path / "home")) for _ in range(2)]
    assert [one.returncode for one in done] == [0, 0]
    names = sorted(path.name for path in (tmp_path / "home" / "runs").iterdir())
    assert [name[-2:] for name in names] == ["-1", "-2"]
    assert names[0][:-1] == names[1][:-1]
    other = trigpoint(*given, "--temperature", 0.5, TRIGPOINT_HOME=str(tmp_path / "home"))
    assert other.returncode == 0
    assert len({path.name[:-2] for path in (tmp_path / "home" / "runs").iterdir()}) == 2
