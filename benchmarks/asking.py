"""Asking: samples a second, CPU and memory a sample, against a bare aiohttp loop and another harness.

    python -m benchmarks.asking [--json] [--samples 2000] [--peer]

Each is a process of its own against the same loopback endpoint: 2,000 one-line exact-match samples at
concurrency 64, at 0 ms and 50 ms latency. The rate is the endpoint's: from the first request to the last.
CPU and peak memory are the operating system's account of the whole finished process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.loopback import Running, running

CONCURRENCY = 64
HEADER = """\
format = "trigpoint-suite/1"
id = "sums"
version = "1.0.0"
method = "fair-run"
licence = "CC0-1.0"
scoring = "macro-average/1"
contract = "whole-reply"
[[categories]]
id = "sum"
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One process's figures."""

    what: str
    latency_ms: int
    samples: int
    rate: float  # requests a second, as the endpoint saw them
    cpu_ms: float  # user and system, a sample, start-up included
    peak_mib: float
    seconds: float
    bytes_a_sample: float | None = None


def question(number: int) -> tuple[str, str]:
    """(prompt, answer) of one sample."""
    first, second = 1000 + number * 7919 % 9000, 1000 + number * 104_729 % 9000
    return f"[{number:05d}] What is {first} + {second}? Reply with the number only.", str(first + second)


def write_suite(folder: Path, samples: int) -> Path:
    folder.mkdir()
    (folder / "suite.toml").write_text(HEADER)
    with open(folder / "items.jsonl", "w", encoding="utf-8") as stream:
        for number in range(samples):
            prompt, expected = question(number)
            grader = {"rule": "exact/1", "expected": expected}
            item = {"id": f"s{number:06d}", "category": "sum", "prompt": prompt, "grader": grader}
            stream.write(json.dumps(item) + "\n")
    return folder


async def bare(base_url: str, samples: int) -> None:
    """The bound: the same requests in an aiohttp loop that records and grades nothing."""
    import aiohttp

    numbers = iter(range(samples))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session:

        async def worker() -> None:
            for number in numbers:
                body = {"model": "m", "messages": [{"role": "user", "content": question(number)[0]}]}
                async with session.post(f"{base_url}/chat/completions", json=body) as answer:
                    members = await answer.json()
                    assert members["choices"][0]["message"]["content"]

        await asyncio.gather(*[worker() for _ in range(CONCURRENCY)])


def measured(what: str, command: Sequence[str], endpoint: Running, latency: int, samples: int) -> Measured:
    """Run `command` to its end. Raises RuntimeError when it fails."""
    endpoint.reset()
    env = {**os.environ, "OPENAI_API_KEY": "sk-loopback-0123456789", "OPENAI_BASE_URL": endpoint.base_url}
    before = os.times()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{what} ended with {process.returncode}")
    stats = endpoint.stats()
    return Measured(
        what=what,
        latency_ms=latency,
        samples=samples,
        rate=stats["rate"],
        cpu_ms=1000 * (used.ru_utime + used.ru_stime) / samples,
        peak_mib=used.ru_maxrss / 1024,
        seconds=os.times().elapsed - before.elapsed,
    )


def all_measured(samples: int, *, peer: bool) -> list[Measured]:
    """Every figure, peers first."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = write_suite(folder / "suite", samples)
        for latency in (0, 50):
            with running(folder, latency_ms=latency) as endpoint:
                for turn in range(3):  # in turn, so that a drift of the machine's speed meets all alike
                    found.append(measured("bare aiohttp loop", _bare(endpoint, samples), endpoint, latency, samples))
                    out = folder / f"out-{latency}-{turn}"
                    one = measured("trigpoint", _ours(suite, endpoint, out), endpoint, latency, samples)
                    size = Path(f"{out}.zip").stat().st_size
                    found.append(Measured(**{**asdict(one), "bytes_a_sample": size / samples}))
                if peer:
                    command = [sys.executable, "-m", "benchmarks.peer_inspect", endpoint.base_url, str(samples)]
                    found.append(measured("inspect-ai", command, endpoint, latency, samples))
    return found


def _bare(endpoint: Running, samples: int) -> list[str]:
    return [sys.executable, "-m", "benchmarks.asking", "--bare", endpoint.base_url, "--samples", str(samples)]


def _ours(suite: Path, endpoint: Running, out: Path) -> list[str]:
    given = ["--model", "openai/m", "--base-url", endpoint.base_url, "--concurrency", str(CONCURRENCY), "--quiet"]
    return [sys.executable, "-m", "trigpoint", "run", str(suite), *given, "--out", str(out), "--zip"]


def best(found: list[Measured], what: str, latency: int) -> Measured | None:
    """The run with the middle rate of one kind."""
    runs = sorted((one for one in found if (one.what, one.latency_ms) == (what, latency)), key=lambda one: one.rate)
    return runs[len(runs) // 2] if runs else None


def table(found: list[Measured]) -> str:
    """The figures as Markdown, the middle run of each kind, with the rate as a share of the bare loop's."""
    lines = [
        "| what | latency | samples/s | share of the bare loop | CPU ms/sample | peak MiB | zip bytes/sample |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for latency in (0, 50):
        bound = best(found, "bare aiohttp loop", latency)
        for what in ("bare aiohttp loop", "trigpoint", "inspect-ai"):
            if (one := best(found, what, latency)) and bound:
                size = f"{one.bytes_a_sample:.0f}" if one.bytes_a_sample else "–"
                lines.append(
                    f"| {what} | {latency} ms | {one.rate:,.0f} | {one.rate / bound.rate:.2f} | {one.cpu_ms:.2f}"
                    f" | {one.peak_mib:.0f} | {size} |"
                )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--peer", action="store_true", help="measure inspect-ai too (pip install inspect-ai)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bare", metavar="URL", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.bare:
        import uvloop  # the loop that trigpoint runs on too: the bound gains nothing by it and loses nothing

        uvloop.run(bare(given.bare, given.samples))
        return
    found = all_measured(given.samples, peer=given.peer or shutil.which("inspect") is not None)
    print(json.dumps([asdict(one) for one in found], indent=2) if given.json else table(found))


if __name__ == "__main__":
    main()
