"""Killed, interrupted, resumed: nothing lost, nothing asked or counted twice (RUN-43, RUN-51)."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from benchmarks.loopback import Running

from making import sum_item, write_suite
from running.helpers import command, environment, rows, run_arguments, settled, trigpoint


def kill_at_random_moments(tmp_path: Path, endpoint: Running, *, kills: int, items: int, seed: int) -> None:
    suite = write_suite(tmp_path / "suite", [sum_item(number) for number in range(items)])
    chance = random.Random(seed)
    out = tmp_path / "broken"
    arguments = run_arguments(suite, endpoint, out, "--concurrency", 3, "--repeats", 2)
    killed = 0
    while killed < kills and not out.exists():
        resume = ["--resume"] if (tmp_path / "broken.unfinished").exists() else []
        process = subprocess.Popen(command(*arguments, *resume), env=environment(), stdout=subprocess.DEVNULL)
        # from before the first import to well into asking
        time.sleep(0.1 + 0.7 * chance.random())
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    assert killed == kills, f"the run ended after {killed} kills: give it more items"
    last = trigpoint(*arguments, *(["--resume"] if (tmp_path / "broken.unfinished").exists() else []))
    assert last.returncode == 0, last.stderr
    seen = endpoint.stats()

    endpoint.reset()
    unbroken = tmp_path / "unbroken"
    assert trigpoint(*run_arguments(suite, endpoint, unbroken, "--concurrency", 3, "--repeats", 2)).returncode == 0
    assert settled(out) == settled(unbroken)

    calls = rows(out, "calls.jsonl")
    keys = [(row["message"], row["repeat"], row["attempt"]) for row in calls]
    assert len(set(keys)) == len(keys)
    answered = [(row["message"], row["repeat"]) for row in calls if row["status"] == "answered"]
    assert sorted(answered) == sorted({(row["item"], row["repeat"]) for row in rows(out)})  # each once
    # the endpoint saw as many calls as are recorded, unless a call was begun and killed before it was sent
    unknown = sum(row["status"] == "unknown" for row in calls)
    assert len(calls) - unknown <= seen["requests"] <= len(calls)
    assert not (tmp_path / "broken.unfinished").exists()
    assert trigpoint("verify", out).returncode == 0


def test_killed_at_random_moments_it_ends_like_an_unbroken_run(tmp_path: Path, slow_endpoint: Running) -> None:
    """RUN-43: each item × repeat recorded once, none that was recorded asked again."""
    kill_at_random_moments(tmp_path, slow_endpoint, kills=5, items=150, seed=1)


@pytest.mark.full
def test_killed_at_thirty_random_moments(tmp_path: Path, slow_endpoint: Running) -> None:
    """RUN-43, at full size."""
    kill_at_random_moments(tmp_path, slow_endpoint, kills=30, items=1200, seed=2)


def interrupted(tmp_path: Path, endpoint: Running, number: signal.Signals) -> tuple[int, Path, list[object]]:
    """(exit code, out, arguments) of a run that was sent a signal while it was asking."""
    suite = write_suite(tmp_path / "suite", [sum_item(number) for number in range(200)])
    out = tmp_path / "out"
    arguments = run_arguments(suite, endpoint, out, "--concurrency", 2)
    process = subprocess.Popen(command(*arguments), env=environment(), stderr=subprocess.PIPE, text=True)
    while endpoint.stats()["requests"] < 20:
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert "--resume" in said
    return process.returncode, out, arguments


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_lets_calls_in_flight_finish_and_can_be_resumed(
    tmp_path: Path, slow_endpoint: Running, number: signal.Signals
) -> None:
    """RUN-51, FND-14: exit code 130; resumed, it asks only the rest."""
    code, out, arguments = interrupted(tmp_path, slow_endpoint, number)
    assert code == 130
    assert not out.exists()
    without = trigpoint(*arguments)
    assert without.returncode == 2
    assert "--resume" in without.stderr
    assert trigpoint(*arguments, "--resume").returncode == 0
    seen = slow_endpoint.stats()
    assert seen["requests"] == seen["prompts"] == 200  # none was dropped, none asked twice
    assert {row["attempt"] for row in rows(out)} == {1}


@pytest.mark.parametrize(("limit", "most"), [(("--budget-calls", 30), 30), (("--budget-tokens", 1000), 40)])
def test_a_budget_is_for_the_whole_run_however_often_it_is_resumed(
    tmp_path: Path, slow_endpoint: Running, limit: tuple[object, ...], most: int
) -> None:
    """FND-15: calls and tokens of earlier processes count."""
    suite = write_suite(tmp_path / "suite", [sum_item(number) for number in range(60)])
    out = tmp_path / "out"
    arguments = run_arguments(suite, slow_endpoint, out, "--concurrency", 1, *limit)
    process = subprocess.Popen(command(*arguments), env=environment(), stderr=subprocess.DEVNULL)
    while slow_endpoint.stats()["requests"] < 10:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert trigpoint(*arguments, "--resume").returncode == 3
    assert slow_endpoint.stats()["requests"] <= most


def test_resuming_another_tuple_is_refused_and_names_the_field(tmp_path: Path, slow_endpoint: Running) -> None:
    """RUN-05: any change to the tuple is a new run."""
    _, out, arguments = interrupted(tmp_path, slow_endpoint, signal.SIGINT)
    other = trigpoint(*arguments, "--resume", "--temperature", 0.5)
    assert other.returncode == 2
    assert "inference.temperature" in other.stderr
    assert not out.exists()


def test_resume_without_an_unfinished_run_says_so(tmp_path: Path, endpoint: Running) -> None:
    suite = write_suite(tmp_path / "suite", [sum_item(0)])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out", "--resume"))
    assert done.returncode == 2
    assert "no unfinished run" in done.stderr
    assert endpoint.stats()["requests"] == 0


def test_a_zip_holds_the_same_files(tmp_path: Path, endpoint: Running) -> None:
    """RUN-40: --zip seals one file."""
    suite = write_suite(tmp_path / "suite", [sum_item(n) for n in range(4)])
    done = trigpoint(*run_arguments(suite, endpoint, tmp_path / "out", "--zip", "--json"))
    assert done.returncode == 0
    assert json.loads(done.stdout)["bundle"] == str(tmp_path / "out.zip")
    assert trigpoint("verify", tmp_path / "out.zip").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.zip", "suite"]


def test_two_processes_that_begin_the_same_run_do_not_mix(tmp_path: Path, slow_endpoint: Running) -> None:
    """RUN-43: the second is refused, and the first ends as if alone."""
    suite = write_suite(tmp_path / "suite", [sum_item(number) for number in range(60)])
    arguments = run_arguments(suite, slow_endpoint, tmp_path / "out", "--concurrency", 2)
    both = [subprocess.Popen(command(*arguments), env=environment(), stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], said
    seen = slow_endpoint.stats()
    assert seen["requests"] == seen["prompts"] == 60
    assert trigpoint("verify", tmp_path / "out").returncode == 0
