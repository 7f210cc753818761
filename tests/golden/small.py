"""A small good bundle made by the real writer, and the tools to tamper with it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from trigpoint.core.bundle.manifest import FileEntry, is_listed, make_manifest, manifest_bytes
from trigpoint.core.canonical import canonical, canonical_line, strict_loads
from trigpoint.core.files import MemoryFiles
from trigpoint.core.harness import Harness
from trigpoint.core.records import Call, CallStatus, Reply, RequestSettings, SetupField, Source, Usage
from trigpoint.core.suite import load_suite, pin_of
from trigpoint.core.verify.common import SIGNATURE_FORMAT, signed_bytes
from trigpoint.methods.fair_run import FairRun
from trigpoint.store.recorder import UNKNOWN_REPLY
from trigpoint.store.seal import Finished, write_bundle
from trigpoint.store.sinks import MemorySink

Files = dict[str, bytes]

SUITE_TOML = """\
format = "trigpoint-suite/1"
id = "small"
version = "1.0.0"
title = "Small"
method = "fair-run"
licence = "CC0-1.0"
scoring = "macro-average/1"
contract = "final-answer"
note = "Made for tests: its score means nothing."

[[categories]]
id = "words"
title = "Words"
weight = 1

[[categories]]
id = "numbers"
title = "Numbers"
weight = 2
"""

ITEMS: list[dict[str, Any]] = [
    {
        "id": "colour",
        "category": "words",
        "prompt": "Which colour has the sky by day?",
        "grader": {"rule": "exact/1", "expected": "Blue", "casefold": True},
    },
    {
        "id": "code",
        "category": "words",
        "weight": 2,
        "contract": "whole-reply",
        "prompt": "Three capital letters, a dash, two digits.",
        "grader": {"rule": "pattern/1", "expected": "[A-Z]{3}-[0-9]{2}"},
    },
    {
        "id": "record",
        "category": "numbers",
        "contract": "json",
        "grader": {"rule": "json_fields/1", "expected": {"name": "Ada", "born": 1815, "tags": ["x", None]}},
    },
    {
        "id": "sum",
        "category": "numbers",
        "prompt": "17 + 4.5 = ?",
        "grader": {"rule": "value/1", "kind": "number", "expected": 21.5, "absolute_tolerance": 0.01},
    },
    {
        "id": "silence",
        "category": "numbers",
        "prompt": "Say “eins” — «1» — 😀",
        "grader": {"rule": "exact/1", "expected": ["eins", "1"]},
    },
]
PROMPTS = {"record": 'Give {"name", "born", "tags"} of Ada Lovelace as JSON.\n'}

ANSWERED, ERROR = CallStatus.ANSWERED, CallStatus.ENDPOINT_ERROR


def reply(text: str | None, status: CallStatus = ANSWERED, **more: Any) -> Reply:
    """What came back, with the fields that an endpoint gives."""
    used = Usage(input_tokens=20, output_tokens=len(text or "")) if status is ANSWERED else Usage()
    base: dict[str, Any] = {"http_status": 200, "finish_reason": "stop", "served_model": "toy-1", "latency_ms": 12}
    return Reply(**{"status": status, "text": text, "usage": used, **base, **more})


def error(status: int, **more: Any) -> Reply:
    return reply(None, ERROR, http_status=status, finish_reason=None, served_model=None, error=f"HTTP {status}", **more)


SYSTEM = "Answer in English."
LOST = reply(
    None, ERROR, http_status=None, finish_reason=None, served_model=None, error="connection lost", retryable=True
)
SLOW = reply(None, CallStatus.TIMED_OUT, http_status=None, finish_reason=None, served_model=None, error="no end")

#: item → attempts of the first repeat, attempts of the second. Every outcome that a fair run knows is there.
ATTEMPTS: dict[str, tuple[list[Reply], list[Reply]]] = {
    "colour": ([reply("Light is scattered.\nANSWER: blue")], [error(500), LOST, reply("ANSWER: Grey", repaired=True)]),
    "code": ([reply("I won't.", CallStatus.REFUSED, finish_reason="refusal")], [UNKNOWN_REPLY, reply("ABC-12")]),
    "record": (
        [reply('{"name": "Ada", "born": 1816, "tags": ["x", null]}', extra={"system_fingerprint": "fp-7", "π": 0.5})],
        [reply('{"name": "A', CallStatus.CUT_OFF, finish_reason="length", reasoning="Let me see.")],
    ),
    "sum": ([error(503, retry_after_ms=10), error(503), error(503), error(503)], [reply("ANSWER: 21.504")]),
    "silence": ([SLOW], []),
    "nothing": ([reply(None)], [reply("No answer line here.")]),
}
ITEMS.append(
    {
        "id": "nothing",
        "category": "words",
        "prompt": "Anything?",
        "grader": {"rule": "exact/1", "expected": "yes"},
    }
)


class Recorded:
    """The attempts of a table, as a recorder gives them."""

    def __init__(self, attempts: Mapping[str, tuple[list[Reply], ...]]) -> None:
        self._attempts = attempts

    def calls(self, slot: Any) -> list[Call]:
        replies = self._attempts[slot.message][slot.repeat - 1]
        return [_call(slot, number, one) for number, one in enumerate(replies, 1)]


def _call(slot: Any, attempt: int, one: Reply) -> Call:
    second = slot.number * 7 + attempt
    stamp = f"2026-02-03T04:{second // 60:02d}:{second % 60:02d}"
    ended = None if one.status is CallStatus.UNKNOWN else f"{stamp}.250Z"
    return Call(
        message=slot.message, repeat=slot.repeat, attempt=attempt, begun=f"{stamp}.100Z", ended=ended, reply=one
    )


def suite_files(items: Iterable[Mapping[str, Any]] | None = None) -> Files:
    """The suite as a person would write it, pinned."""
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items or ITEMS)
    files = {"suite.toml": SUITE_TOML.encode(), "items.jsonl": lines.encode()}
    if items is None:
        files |= {f"prompts/{name}.md": text.encode() for name, text in PROMPTS.items()}
    return pinned(files)


def pinned(files: Files) -> Files:
    """The same suite with the pin it should have."""
    bare = {path: data for path, data in files.items() if path != "pin.json"}
    return {**bare, "pin.json": json.dumps(pin_of(load_suite(MemoryFiles(bare)))).encode() + b"\n"}


def field(value: Any, source: Source = Source.DECLARED) -> SetupField:
    return SetupField(value=value, source=source)


def setup_of(suite: Any, harness: Harness) -> dict[str, dict[str, SetupField]]:
    """A run tuple of the form that `trigpoint run` writes."""
    sent = RequestSettings(temperature=0.5, max_output_tokens=400)
    return {
        "model": {
            "id": field("openai/toy-1"),
            "revision": field(None, Source.UNKNOWN),
            "artifact_sha256": field(None, Source.UNKNOWN),
            "quantization": field(None, Source.UNKNOWN),
        },
        "harness": {
            "digest": field(harness.digest(), Source.OBSERVED),
            **{name: field(value, Source.DEFAULT) for name, value in harness.manifest().items()},
        },
        "suite": {name: field(getattr(suite, name), Source.OBSERVED) for name in ("id", "version", "digest")},
        "inference": {
            **{name: field(getattr(sent, name)) for name in RequestSettings.__slots__},
            "wire": field("openai"),
            "endpoint": field("http://127.0.0.1:8000/v1"),
        },
        "host": {
            "os": field("Linux x86_64", Source.OBSERVED),
            "cpu": field("Toy CPU", Source.OBSERVED),
            "cores": field(2, Source.OBSERVED),
            "python": field("3.11.7", Source.OBSERVED),
            "trigpoint": field("0.1.0", Source.OBSERVED),
        },
    }


def make(
    *,
    suite: Files | None = None,
    attempts: Mapping[str, tuple[list[Reply], ...]] | None = None,
    repeats: int = 2,
    signed: bool = True,
) -> Files:
    """A good bundle: path → bytes."""
    sink = MemorySink()
    loaded = load_suite(MemoryFiles(suite or suite_files()))
    harness = Harness(system=SYSTEM)
    run = Finished(
        run_id="019c2a3b4c5d" + "0123456789abcdef" * 2,
        method=FairRun(),
        suite=loaded,
        harness=harness,
        setup=setup_of(loaded, harness),
        repeats=repeats,
        recorder=Recorded(attempts or ATTEMPTS),  # type: ignore[arg-type]
    )
    write_bundle(sink, run)
    return sign(sink.files) if signed else dict(sink.files)


# --- rewriting everything consistently, as a forger would -----------------------------------------------

SIGNATURE_PATH = "signatures/tester.json"
KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"a key for tests, known to everybody").digest())
PUBLIC = KEY.public_key().public_bytes_raw().hex()


def sign(files: Files) -> Files:
    """The same files with the tester's signature over their root."""
    root = root_of_bundle(files)
    members = {
        "format": SIGNATURE_FORMAT,
        "algorithm": "Ed25519",
        "key": PUBLIC,
        "root": root,
        "signature": KEY.sign(signed_bytes(root)).hex(),
    }
    return {**files, SIGNATURE_PATH: canonical_line(members)}


def root_of_bundle(files: Files) -> str:
    return str(strict_loads(files["manifest.json"])["root"])


def resealed(files: Files) -> Files:
    """The manifest and the signature made anew for whatever the files now hold."""
    entries = [
        FileEntry(path=path, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
        for path, data in files.items()
        if is_listed(path)
    ]
    made = {**files, "manifest.json": manifest_bytes(make_manifest("fair-run", "fair-run/1", entries))}
    return sign(made) if SIGNATURE_PATH in files else made


# --- edits ------------------------------------------------------------------------------------------------


def rows_of(files: Files, path: str) -> list[Any]:
    return [strict_loads(line) for line in files[path].splitlines()]


def with_rows(files: Files, path: str, rows: Iterable[Any]) -> Files:
    return {**files, path: b"".join(canonical(row) + b"\n" for row in rows)}


def with_document(files: Files, path: str, members: Any) -> Files:
    return {**files, path: canonical_line(members)}


def edited(files: Files, path: str, change: Callable[[Any], Any]) -> Files:
    """A JSON document, or the list of rows of a .jsonl file, changed in place by `change` and written again."""
    if path.endswith(".jsonl"):
        rows = rows_of(files, path)
        change(rows)
        return with_rows(files, path, rows)
    members = strict_loads(files[path])
    change(members)
    return with_document(files, path, members)


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """One zip with fixed dates, in path order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[path], compress_type=method)
    return out.getvalue()
