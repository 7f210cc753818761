"""Verifying: time and peak memory against the number of items, for a folder and for a zip.

    python -m benchmarks.verifying [--json] [--items 24 2400 24000 240000]

Each bundle holds that many one-line exact-match items, answered once. It is written by the real writer in a
process of its own; then `python -m trigpoint.core.verify` checks it in another, whose time, start-up included,
and peak memory are the operating system's account.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SIZES = (24, 2_400, 24_000, 240_000)
HEADER = """\
format = "trigpoint-suite/1"
id = "sums"
version = "1.0.0"
method = "fair-run"
licence = "CC0-1.0"
scoring = "macro-average/1"
contract = "final-answer"
[[categories]]
id = "sum"
[[categories]]
id = "more"
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One verification."""

    items: int
    form: str  # folder or zip
    seconds: float
    peak_mib: float
    bundle_mib: float


def write_bundle(folder: Path, items: int) -> None:
    """A good bundle of so many items in `folder`, and beside it as FOLDER.zip."""
    from trigpoint.core.harness import Harness
    from trigpoint.core.records import Call, CallStatus, Reply, RequestSettings, SetupField, Source, Usage
    from trigpoint.core.suite import load_suite
    from trigpoint.core.verify.disk import FolderFiles
    from trigpoint.methods.fair_run import FairRun
    from trigpoint.store.seal import Finished
    from trigpoint.store.seal import write_bundle as seal
    from trigpoint.store.sinks import FolderSink, zip_folder

    class Answers:
        """The recorder of a run in which every item was answered at once, nine in ten rightly."""

        def calls(self, slot: Any) -> list[Call]:
            said = slot.number if slot.number % 10 else slot.number + 1
            at = f"2026-01-01T{slot.number // 3600 % 24:02d}:{slot.number // 60 % 60:02d}:{slot.number % 60:02d}"
            reply = Reply(
                status=CallStatus.ANSWERED,
                text=f"Let me see: the number on the slip is {said}, and nothing is added.\nANSWER: {said}",
                finish_reason="stop",
                served_model="m",
                usage=Usage(input_tokens=60, output_tokens=20),
                http_status=200,
                latency_ms=12,
            )
            return [
                Call(message=slot.message, repeat=1, attempt=1, begun=f"{at}.000Z", ended=f"{at}.500Z", reply=reply)
            ]

    suite_folder = folder.with_name(folder.name + "-suite")
    suite_folder.mkdir()
    (suite_folder / "suite.toml").write_text(HEADER)
    with open(suite_folder / "items.jsonl", "w", encoding="utf-8") as stream:
        for number in range(items):
            item = {
                "id": f"s{number:06d}",
                "category": "more" if number % 3 else "sum",
                "prompt": f"The slip says {number}. Which number is on the slip?",
                "grader": {"rule": "exact/1", "expected": str(number)},
            }
            stream.write(json.dumps(item) + "\n")
    suite, harness = load_suite(FolderFiles(str(suite_folder))), Harness()
    unknown = SetupField(value=None, source=Source.UNKNOWN)
    names = {
        "model": ("id", "revision", "artifact_sha256", "quantization"),
        "inference": RequestSettings.__slots__,
        "host": ("os", "cpu", "cores", "python", "trigpoint"),
    }
    setup = {section: dict.fromkeys(fields, unknown) for section, fields in names.items()}
    told = {"digest": harness.digest(), **harness.manifest()}
    setup["harness"] = {name: SetupField(value=value, source=Source.DEFAULT) for name, value in told.items()}
    setup["suite"] = {
        name: SetupField(value=getattr(suite, name), source=Source.OBSERVED) for name in ("id", "version", "digest")
    }
    run = Finished(
        run_id="0" * 44,
        method=FairRun(),
        suite=suite,
        harness=harness,
        setup=setup,
        repeats=1,
        recorder=Answers(),  # type: ignore[arg-type]
    )
    folder.mkdir()
    seal(FolderSink(folder), run)
    zip_folder(folder, folder.with_name(folder.name + ".zip"))


def measured(path: Path, items: int) -> Measured:
    """The figures of one verification, which must hold."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "trigpoint.core.verify", str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{path} doesn't hold:\n{said}")
    files = [path] if path.is_file() else [inner for inner in path.rglob("*") if inner.is_file()]
    size = sum(inner.stat().st_size for inner in files)
    return Measured(items, "zip" if path.is_file() else "folder", seconds, used.ru_maxrss / 1024, size / 2**20)


def all_measured(sizes: list[int]) -> list[Measured]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for items in sizes:
            bundle = Path(folder) / f"b{items}"
            command = [sys.executable, "-m", "benchmarks.verifying", "--write", str(bundle), "--items", str(items)]
            subprocess.run(command, check=True)
            found += [measured(path, items) for path in (bundle, bundle.with_name(bundle.name + ".zip"))]
    return found


def table(found: list[Measured]) -> str:
    """The figures as Markdown."""
    lines = ["| items | form | seconds | ms an item | peak MiB | bundle MiB |", "| --- | --- | --- | --- | --- | --- |"]
    lines += [
        f"| {one.items:,} | {one.form} | {one.seconds:.2f} | {one.seconds / one.items * 1000:.3f} | {one.peak_mib:.0f}"
        f" | {one.bundle_mib:.1f} |"
        for one in found
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_bundle(given.write, given.items[0])
        return
    found = all_measured(given.items)
    print(json.dumps([asdict(one) for one in found], indent=2) if given.json else table(found))


if __name__ == "__main__":
    main()
