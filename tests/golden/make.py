"""Writes the golden bundles of this folder: `python tests/golden/make.py` (PYTHONPATH=src:tests).

One good bundle a format version, and one for each fault, named for it. Each fault is a small change to the
good bundle; where it ends in `resealed`, every digest was made to fit the change, as a forger would.
The zips are committed: what old versions of this program wrote must stay readable and its faults stay seen.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from golden.small import (
    PUBLIC,
    SIGNATURE_PATH,
    Files,
    edited,
    make,
    resealed,
    root_of_bundle,
    with_document,
    zipped,
)

HERE = Path(__file__).resolve().parent
GOOD = "good-1"  # of trigpoint-bundle/1, fair-run/1


class Fault(NamedTuple):
    """A change to the good bundle: what `verify` must end with, and the checks that must fail."""

    change: Callable[[Files], Files]
    exit_code: int
    checks: tuple[str, ...] = ()


def flipped(path: str) -> Callable[[Files], Files]:
    """One bit of the file's middle byte."""

    def change(files: Files) -> Files:
        data = bytearray(files[path])
        data[len(data) // 2] ^= 1
        return {**files, path: bytes(data)}

    return change


def without(path: str) -> Callable[[Files], Files]:
    return lambda files: {name: data for name, data in files.items() if name != path}


def added(path: str, data: bytes) -> Callable[[Files], Files]:
    return lambda files: {**files, path: data}


def appended(path: str, data: bytes) -> Callable[[Files], Files]:
    return lambda files: {**files, path: files[path] + data}


def sealed(change: Callable[[Files], Files]) -> Callable[[Files], Files]:
    """The change, with the manifest and the signature made to fit."""
    return lambda files: resealed(change(files))


def value(path: str, steps: str, new: Any) -> Callable[[Files], Files]:
    """A value of a JSON file set anew and resealed: "score.shown", "3.credit" (row 3)."""

    def change(members: Any) -> None:
        *inner, last = [int(step) if step.isdigit() else step for step in steps.split(".")]
        for step in inner:
            members = members[step]
        members[last] = new

    return sealed(lambda files: edited(files, path, change))


def rows(path: str, change: Callable[[list[Any]], Any]) -> Callable[[Files], Files]:
    """Rows changed in place and resealed."""
    return sealed(lambda files: edited(files, path, change))


def members(path: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    return sealed(lambda files: edited(files, path, change))


def text(path: str, old: str, new: str) -> Callable[[Files], Files]:
    """Text replaced once and resealed: for what no JSON writer would write."""

    def change(files: Files) -> Files:
        assert files[path].count(old.encode()) >= 1, (path, old)
        return {**files, path: files[path].replace(old.encode(), new.encode(), 1)}

    return sealed(change)


def manifest(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    return lambda files: edited(files, "manifest.json", change)


def signature(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    return lambda files: edited(files, SIGNATURE_PATH, change)


def swapped(path: str, one: int, two: int) -> Callable[[Files], Files]:
    def change(found: list[Any]) -> None:
        found[one], found[two] = found[two], found[one]

    return rows(path, change)


def forged(files: Files) -> Files:
    """A reply and everything that follows from it rewritten: can't be seen from inside (FND-34)."""
    from golden.small import ATTEMPTS, reply

    return make(attempts={**ATTEMPTS, "nothing": ([reply("ANSWER: yes")], [reply("ANSWER: yes")])})


EVIDENCE = (
    "result.json", "setup.json", "README.txt", "calls.jsonl", "items.jsonl", "observations.jsonl",
    "suite/suite.toml", "suite/items.jsonl", "suite/prompts/record.md",
)  # fmt: skip
ITEMS, CALLS, RESULT, SETUP = "items.jsonl", "calls.jsonl", "result.json", "setup.json"

FAULTS: dict[str, Fault] = {
    # a byte, with nothing else touched
    **{
        f"byte-flipped-{path.replace('/', '-')}": Fault(flipped(path), 1, ("digests",))
        for path in EVIDENCE
        if path != "observations.jsonl"
    },
    "byte-flipped-suite-pin.json": Fault(flipped("suite/pin.json"), 1, ("digests",)),
    "byte-flipped-manifest.json": Fault(flipped("manifest.json"), 1),
    "byte-flipped-signature": Fault(flipped(SIGNATURE_PATH), 1, ("signatures",)),
    "byte-added-observations": Fault(appended("observations.jsonl", b"\n"), 1, ("digests", "observations")),
    "byte-added-items": Fault(appended(ITEMS, b"\n"), 1, ("digests", "items")),
    "byte-added-manifest": Fault(appended("manifest.json", b"\n"), 1, ("manifest",)),
    "byte-added-readme-resealed": Fault(sealed(appended("README.txt", b"!")), 1, ("readme",)),
    # a file
    **{
        f"file-removed-{path.replace('/', '-')}": Fault(without(path), 3)
        for path in (*EVIDENCE, "manifest.json", "suite/pin.json")
    },
    **{
        f"file-removed-{path}-resealed": Fault(sealed(without(path)), 3)
        for path in ("result.json", "setup.json", "README.txt", "calls.jsonl", "items.jsonl", "observations.jsonl")
    },
    "file-removed-suite-items-resealed": Fault(sealed(without("suite/items.jsonl")), 1, ("suite",)),
    "file-removed-prompt-resealed": Fault(sealed(without("suite/prompts/record.md")), 1, ("suite",)),
    "file-added": Fault(added("notes.txt", b"hello"), 1, ("files",)),
    "file-added-resealed": Fault(sealed(added("notes.txt", b"hello")), 1, ("files",)),
    "file-added-in-suite": Fault(added("suite/README.md", b"hello"), 1, ("files", "suite-digest")),
    "file-added-in-suite-resealed": Fault(sealed(added("suite/README.md", b"hello")), 1, ("suite-digest",)),
    "file-added-in-signatures": Fault(added("signatures/notes.txt", b"hello"), 1, ("files", "signatures")),
    "file-doubled-under-another-name-resealed": Fault(
        sealed(lambda files: {**files, "items2.jsonl": files[ITEMS]}), 1, ("files",)
    ),
    # rows
    "item-row-removed-resealed": Fault(rows(ITEMS, lambda found: found.pop(4)), 1, ("items",)),
    "item-row-removed-last-resealed": Fault(rows(ITEMS, lambda found: found.pop()), 1, ("items",)),
    "item-row-added-resealed": Fault(
        rows(ITEMS, lambda found: found.append({**found[-1], "repeat": 3})), 1, ("items",)
    ),
    "item-row-of-no-item-resealed": Fault(
        rows(ITEMS, lambda found: found.insert(2, {**found[2], "item": "x"})), 1, ("items",)
    ),
    "item-row-doubled-resealed": Fault(rows(ITEMS, lambda found: found.insert(3, found[3])), 1, ("items",)),
    "item-rows-reordered-resealed": Fault(swapped(ITEMS, 3, 4), 1, ("items",)),
    "item-repeats-reordered-resealed": Fault(swapped(ITEMS, 2, 3), 1, ("items",)),
    "call-row-removed-resealed": Fault(rows(CALLS, lambda found: found.pop(0)), 1, ("calls",)),
    "call-row-removed-inside-resealed": Fault(rows(CALLS, lambda found: found.pop(2)), 1, ("calls",)),
    "call-row-removed-last-resealed": Fault(rows(CALLS, lambda found: found.pop()), 1, ("calls",)),
    "call-row-added-resealed": Fault(
        rows(CALLS, lambda found: found.append({**found[-1], "attempt": 2, "retry_of": 1})), 1, ("retries",)
    ),
    "call-row-of-no-item-resealed": Fault(
        rows(CALLS, lambda found: found.append({**found[-1], "message": "x"})), 1, ("calls",)
    ),
    "call-row-doubled-resealed": Fault(rows(CALLS, lambda found: found.insert(1, found[1])), 1, ("calls",)),
    "call-rows-reordered-resealed": Fault(swapped(CALLS, 1, 2), 1, ("calls",)),
    "call-messages-reordered-resealed": Fault(swapped(CALLS, 0, 4), 1, ("calls",)),
    # keys
    "item-key-removed-resealed": Fault(rows(ITEMS, lambda found: found[5].pop("reason")), 1, ("items",)),
    "item-key-added-resealed": Fault(rows(ITEMS, lambda found: found[5].update(note="x")), 1, ("items",)),
    "item-key-doubled-resealed": Fault(text(ITEMS, '"attempt":1,', '"attempt":1,"attempt":1,'), 1, ("items",)),
    "item-keys-reordered-resealed": Fault(
        text(ITEMS, '{"answer":"blue","attempt":1,', '{"attempt":1,"answer":"blue",'), 1, ("items",)
    ),
    "item-white-space-resealed": Fault(text(ITEMS, '"attempt":1', '"attempt": 1'), 1, ("items",)),
    "item-no-last-line-feed-resealed": Fault(sealed(lambda files: {**files, ITEMS: files[ITEMS][:-1]}), 1, ("items",)),
    "item-blank-line-resealed": Fault(text(ITEMS, "}\n{", "}\n\n{"), 1, ("items",)),
    "item-carriage-return-resealed": Fault(text(ITEMS, "}\n", "}\r\n"), 1, ("items",)),
    "call-key-removed-resealed": Fault(rows(CALLS, lambda found: found[5].pop("error")), 1, ("calls",)),
    "call-key-added-resealed": Fault(rows(CALLS, lambda found: found[5].update(note="x")), 1, ("calls",)),
    "call-usage-key-removed-resealed": Fault(
        rows(CALLS, lambda found: found[0]["usage"].pop("input_tokens")), 1, ("calls",)
    ),
    "call-key-doubled-resealed": Fault(text(CALLS, '"attempt":1,', '"attempt":1,"attempt":1,'), 1, ("calls",)),
    "result-key-removed-resealed": Fault(members(RESULT, lambda found: found.pop("coverage")), 1, ("coverage",)),
    "result-inner-key-removed-resealed": Fault(
        members(RESULT, lambda found: found["outcomes"].pop("missing")), 1, ("outcomes",)
    ),
    "result-key-added-resealed": Fault(members(RESULT, lambda found: found.update(best=True)), 1, ("result",)),
    "result-inner-key-added-resealed": Fault(
        members(RESULT, lambda found: found["score"].update(rank=1)), 1, ("score",)
    ),
    "result-key-doubled-resealed": Fault(text(RESULT, '"repeats":2,', '"repeats":2,"repeats":2,'), 1, ("result",)),
    "result-no-object-resealed": Fault(sealed(lambda files: with_document(files, RESULT, [1])), 1, ("result",)),
    "setup-field-removed-resealed": Fault(
        members(SETUP, lambda found: found["inference"].pop("temperature")), 1, ("setup", "tuple")
    ),
    "setup-section-removed-resealed": Fault(members(SETUP, lambda found: found.pop("host")), 1, ("setup",)),
    "setup-field-added-resealed": Fault(
        members(SETUP, lambda found: found["model"].update(size={"source": "declared", "value": "7B"})), 1, ("tuple",)
    ),
    "setup-key-added-resealed": Fault(members(SETUP, lambda found: found.update(note="x")), 1, ("setup",)),
    "setup-key-doubled-resealed": Fault(text(SETUP, '"format":', '"format":"","format":'), 1, ("setup",)),
    "manifest-key-removed": Fault(manifest(lambda found: found.pop("root")), 1, ("manifest",)),
    "manifest-key-added": Fault(manifest(lambda found: found.update(note="x")), 1, ("manifest",)),
    "manifest-no-format": Fault(manifest(lambda found: found.pop("format")), 1, ("manifest",)),
    "manifest-entry-removed": Fault(manifest(lambda found: found["files"].pop(2)), 1, ("files", "root")),
    "manifest-entry-doubled": Fault(
        manifest(lambda found: found["files"].insert(2, found["files"][2])), 1, ("manifest",)
    ),
    "manifest-entries-reordered": Fault(manifest(lambda found: found["files"].reverse()), 1, ("manifest",)),
    "manifest-entry-key-added": Fault(manifest(lambda found: found["files"][2].update(note="x")), 1, ("manifest",)),
    "manifest-lists-itself": Fault(
        manifest(lambda found: found["files"].insert(4, {**found["files"][0], "path": "manifest.json"})),
        1,
        ("manifest",),
    ),
    "manifest-path-up": Fault(manifest(lambda found: found["files"][0].update(path="../README.txt")), 1, ("manifest",)),
    "manifest-size-edited": Fault(manifest(lambda found: found["files"][2].update(bytes=7)), 1, ("digests",)),
    "manifest-size-as-text": Fault(manifest(lambda found: found["files"][2].update(bytes="7")), 1, ("manifest",)),
    "manifest-digest-edited": Fault(
        manifest(lambda found: found["files"][2].update(sha256="0" * 64)), 1, ("digests", "root")
    ),
    "manifest-root-edited": Fault(manifest(lambda found: found.update(root="0" * 64)), 1, ("root",)),
    "manifest-indented": Fault(
        lambda files: {
            **files,
            "manifest.json": json.dumps(json.loads(files["manifest.json"]), indent=1).encode() + b"\n",
        },
        1,
        ("manifest",),
    ),
    "manifest-names-an-absent-file": Fault(
        lambda files: without("suite/z.md")(resealed({**files, "suite/z.md": b"x"})), 3
    ),
    # derived values, every digest made to fit
    "item-credit-edited-resealed": Fault(value(ITEMS, "1.credit", "1"), 1, ("grades",)),
    "item-credit-and-outcome-edited-resealed": Fault(
        rows(ITEMS, lambda found: found[1].update(credit="1", outcome="correct", reason="")), 1, ("grades",)
    ),
    "item-credit-null-resealed": Fault(value(ITEMS, "1.credit", None), 1, ("items",)),
    "item-credit-not-in-lowest-terms-resealed": Fault(value(ITEMS, "4.credit", "6/8"), 1, ("items",)),
    "item-credit-as-number-resealed": Fault(value(ITEMS, "1.credit", 0), 1, ("items",)),
    "item-outcome-edited-resealed": Fault(value(ITEMS, "2.outcome", "incorrect"), 1, ("grades",)),
    "item-outcome-unknown-resealed": Fault(value(ITEMS, "2.outcome", "great"), 1, ("items",)),
    "item-reason-edited-resealed": Fault(value(ITEMS, "1.reason", "close enough"), 1, ("grades",)),
    "item-grader-edited-resealed": Fault(value(ITEMS, "1.grader", "exact/2"), 1, ("grades",)),
    "item-answer-edited-resealed": Fault(value(ITEMS, "1.answer", "blue"), 1, ("answers",)),
    "item-reply-edited-resealed": Fault(value(ITEMS, "1.reply", "ANSWER: blue"), 1, ("answers", "grades")),
    "item-reply-where-none-came-resealed": Fault(value(ITEMS, "6.reply", "ANSWER: 21.5"), 1, ("replies",)),
    "item-reply-removed-resealed": Fault(value(ITEMS, "0.reply", None), 1, ("answers", "grades")),
    "item-input-digest-edited-resealed": Fault(value(ITEMS, "0.input_sha256", "0" * 64), 1, ("inputs",)),
    "item-attempt-edited-resealed": Fault(value(ITEMS, "1.attempt", 2), 1, ("replies",)),
    "item-attempt-removed-resealed": Fault(value(ITEMS, "0.attempt", None), 1, ("replies",)),
    "item-attempt-invented-resealed": Fault(value(ITEMS, "9.attempt", 1), 1, ("calls",)),
    "item-message-edited-resealed": Fault(value(ITEMS, "0.message", "code"), 1, ("items",)),
    "item-repeat-edited-resealed": Fault(value(ITEMS, "1.repeat", 3), 1, ("items",)),
    "call-status-edited-resealed": Fault(value(CALLS, "4.status", "answered"), 1, ("answers", "grades")),
    "call-attempt-edited-resealed": Fault(value(CALLS, "2.attempt", 3), 1, ("calls",)),
    "call-number-skipped-resealed": Fault(
        lambda files: value(CALLS, "3.attempt", 4)(value(ITEMS, "1.attempt", 4)(files)), 1, ("calls",)
    ),
    "call-retry-of-edited-resealed": Fault(value(CALLS, "2.retry_of", None), 1, ("calls",)),
    "call-ends-before-it-begins-resealed": Fault(value(CALLS, "0.ended", "2026-02-03T03:00:00.000Z"), 1, ("calls",)),
    "call-end-removed-resealed": Fault(value(CALLS, "0.ended", None), 1, ("calls",)),
    "call-unknown-with-an-end-resealed": Fault(value(CALLS, "5.ended", "2026-02-03T05:00:00.000Z"), 1, ("calls",)),
    "call-unknown-with-a-status-code-resealed": Fault(value(CALLS, "5.http_status", 200), 1, ("calls",)),
    "call-time-of-another-form-resealed": Fault(value(CALLS, "0.begun", "2026-02-03 04:00:01Z"), 1, ("calls",)),
    "call-begun-earlier-resealed": Fault(value(CALLS, "0.begun", "2026-01-01T00:00:00.000Z"), 1, ("result",)),
    "call-tokens-edited-resealed": Fault(value(CALLS, "0.usage.input_tokens", 5), 1, ("tokens",)),
    "call-served-model-edited-resealed": Fault(value(CALLS, "0.served_model", "other"), 1, ("observed",)),
    "retried-after-an-answer-resealed": Fault(value(CALLS, "1.status", "answered"), 1, ("retries",)),
    "retried-after-a-plain-refusal-of-http-resealed": Fault(value(CALLS, "1.http_status", 400), 1, ("retries",)),
    "retried-more-often-than-allowed-resealed": Fault(
        rows(CALLS, lambda found: found.insert(12, {**found[11], "attempt": 5, "retry_of": 4})), 1, ("retries",)
    ),
    "score-edited-resealed": Fault(value(RESULT, "score.value", "1"), 1, ("score",)),
    "score-shown-edited-resealed": Fault(value(RESULT, "score.shown", "99.9"), 1, ("score",)),
    "score-as-number-resealed": Fault(value(RESULT, "score.shown", 31.9), 1, ("score",)),
    "scoring-edited-resealed": Fault(value(RESULT, "score.scoring", "mean/1"), 1, ("score",)),
    "category-edited-resealed": Fault(value(RESULT, "categories.0.value", "1"), 1, ("categories",)),
    "category-share-edited-resealed": Fault(value(RESULT, "categories.0.share", "1/2"), 1, ("categories",)),
    "categories-reordered-resealed": Fault(
        members(RESULT, lambda found: found["categories"].reverse()), 1, ("categories",)
    ),
    "category-removed-resealed": Fault(members(RESULT, lambda found: found["categories"].pop()), 1, ("categories",)),
    "passed-edited-resealed": Fault(value(RESULT, "counts.passed", 6), 1, ("counts",)),
    "count-as-true-resealed": Fault(value(RESULT, "counts.unknown_attempts", True), 1, ("counts",)),
    "attempts-edited-resealed": Fault(value(RESULT, "counts.attempts", 12), 1, ("counts",)),
    "coverage-edited-resealed": Fault(value(RESULT, "coverage.shown", "100.0"), 1, ("coverage",)),
    "outcome-count-edited-resealed": Fault(value(RESULT, "outcomes.endpoint_error", 0), 1, ("outcomes",)),
    "tokens-edited-resealed": Fault(value(RESULT, "tokens.output_tokens", 1), 1, ("tokens",)),
    "interval-headline-edited-resealed": Fault(value(RESULT, "intervals.headline.low", "30.0"), 1, ("intervals",)),
    "interval-repeats-edited-resealed": Fault(value(RESULT, "intervals.repeats.high", "32.0"), 1, ("intervals",)),
    "interval-bootstrap-edited-resealed": Fault(value(RESULT, "intervals.bootstrap.high", "99.0"), 1, ("intervals",)),
    "interval-meaning-edited-resealed": Fault(value(RESULT, "intervals.headline.meaning", "Sure."), 1, ("intervals",)),
    "seed-edited-resealed": Fault(value(RESULT, "seeds.bootstrap", 2), 1, ("seeds",)),
    "versions-edited-resealed": Fault(value(RESULT, "versions.graders", ["exact/1"]), 1, ("versions",)),
    "notes-removed-resealed": Fault(value(RESULT, "notes", []), 1, ("result",)),
    "began-edited-resealed": Fault(value(RESULT, "began", "2026-02-03T04:00:00.000Z"), 1, ("result",)),
    "run-id-edited-resealed": Fault(value(RESULT, "run", "../x"), 1, ("result",)),
    "repeats-edited-resealed": Fault(value(RESULT, "repeats", 1), 1, ("items",)),
    "repeats-as-text-resealed": Fault(value(RESULT, "repeats", "2"), 1, ("result",)),
    "repeats-beyond-all-bounds-resealed": Fault(value(RESULT, "repeats", 2**53 - 1), 1, ("result",)),
    "result-suite-digest-edited-resealed": Fault(value(RESULT, "suite.digest", "0" * 64), 1, ("suite-digest",)),
    "result-suite-version-edited-resealed": Fault(value(RESULT, "suite.version", "2.0.0"), 1, ("suite-digest",)),
    "result-method-edited-resealed": Fault(value(RESULT, "method", "check"), 1, ("result",)),
    "setup-digest-edited-resealed": Fault(value(RESULT, "setup_digest", "0" * 64), 1, ("tuple",)),
    "tuple-digest-edited-resealed": Fault(value(RESULT, "tuple_digest", "0" * 64), 1, ("tuple",)),
    "setup-model-edited-resealed": Fault(value(SETUP, "model.id.value", "openai/other"), 1, ("tuple",)),
    "setup-source-edited-resealed": Fault(value(SETUP, "model.revision.source", "declared"), 1, ("tuple",)),
    "setup-source-unknown-resealed": Fault(value(SETUP, "model.revision.source", "guessed"), 1, ("setup",)),
    "setup-host-edited-resealed": Fault(value(SETUP, "host.cores.value", 64), 1, ("tuple",)),
    "setup-observed-edited-resealed": Fault(value(SETUP, "observed.served_model", ["other"]), 1, ("observed",)),
    "setup-observed-removed-resealed": Fault(members(SETUP, lambda found: found["observed"].clear()), 1, ("observed",)),
    "setup-suite-digest-edited-resealed": Fault(value(SETUP, "suite.digest.value", "0" * 64), 1, ("suite-digest",)),
    "setup-harness-digest-edited-resealed": Fault(value(SETUP, "harness.digest.value", "0" * 64), 1, ("setup",)),
    "setup-retry-policy-edited-resealed": Fault(
        value(SETUP, "harness.retry.value.max_attempts", 2), 1, ("setup", "retries")
    ),
    "setup-retry-policy-no-policy-resealed": Fault(
        value(SETUP, "harness.retry.value.max_attempts", True), 1, ("setup",)
    ),
    "setup-contract-edited-resealed": Fault(
        value(SETUP, "harness.contracts.value.json.instruction", "Reply with anything."), 1, ("setup",)
    ),
    "setup-system-prompt-edited-resealed": Fault(
        value(SETUP, "harness.system.value", "Cheat."), 1, ("setup", "inputs")
    ),
    "suite-expected-answer-edited-resealed": Fault(
        text("suite/items.jsonl", '"Blue"', '"Grey"'), 1, ("suite-digest", "grades")
    ),
    "suite-expected-answer-edited-unpinned-resealed": Fault(
        lambda files: text("suite/items.jsonl", '"Blue"', '"Grey"')(without("suite/pin.json")(files)),
        1,
        ("suite-digest",),
    ),
    "suite-prompt-edited-resealed": Fault(text("suite/prompts/record.md", "Ada", "Bob"), 1, ("suite-digest", "inputs")),
    "suite-weight-edited-unpinned-resealed": Fault(
        lambda files: text("suite/suite.toml", "weight = 2", "weight = 3")(without("suite/pin.json")(files)),
        1,
        ("suite-digest", "score"),
    ),
    "suite-pin-edited-resealed": Fault(text("suite/pin.json", '"small"', '"other"'), 1, ("suite-digest",)),
    "suite-of-another-method-unpinned-resealed": Fault(
        lambda files: text("suite/suite.toml", "fair-run", "check")(without("suite/pin.json")(files)), 1, ("suite",)
    ),
    "suite-of-no-known-format-resealed": Fault(text("suite/suite.toml", "suite/1", "suite/9"), 1, ("suite",)),
    "observations-row-added-resealed": Fault(sealed(added("observations.jsonl", b"{}\n")), 1, ("observations",)),
    # signatures
    "signature-over-another-root": Fault(signature(lambda found: found.update(root="0" * 64)), 1, ("signatures",)),
    "signature-of-another-key": Fault(
        signature(lambda found: found.update(key=PUBLIC[:-2] + "00")), 1, ("signatures",)
    ),
    "signature-key-removed": Fault(signature(lambda found: found.pop("algorithm")), 1, ("signatures",)),
    "signature-kept-for-other-files": Fault(
        lambda files: {**value(RESULT, "score.shown", "99.9")(files), SIGNATURE_PATH: files[SIGNATURE_PATH]},
        1,
        ("signatures", "score"),
    ),
    # refused
    "format-of-a-later-version": Fault(manifest(lambda found: found.update(format="trigpoint-bundle/2")), 2),
    "format-of-another-tool": Fault(manifest(lambda found: found.update(format="other/1")), 2),
    "method-unknown": Fault(manifest(lambda found: found.update(method="seance")), 2),
    "method-of-a-later-version": Fault(manifest(lambda found: found.update(method_version="fair-run/2")), 2),
    "harness-of-a-later-version-resealed": Fault(value(SETUP, "harness.id.value", "plain/2"), 2),
    "signature-of-a-later-version": Fault(signature(lambda found: found.update(format="trigpoint-signature/2")), 2),
    "result-nested-too-deeply-resealed": Fault(sealed(added(RESULT, b"[" * 3000 + b"]" * 3000 + b"\n")), 2),
    "manifest-nested-too-deeply": Fault(added("manifest.json", b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n"), 2),
    "item-nested-too-deeply-resealed": Fault(sealed(added(ITEMS, b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n")), 2),
    "suite-item-nested-too-deeply-resealed": Fault(
        sealed(appended("suite/items.jsonl", b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n")), 2
    ),
    # what can't be seen from inside
    "replies-forged-and-all-rewritten": Fault(forged, 0),
}


def bundles() -> dict[str, Files]:
    """Every golden bundle: name → path → bytes."""
    good = make()
    return {GOOD: good, **{name: fault.change(good) for name, fault in FAULTS.items()}}


def main() -> None:
    """Write GOOD as a folder and every bundle as a zip; remove what is no more."""
    made = bundles()
    for path in HERE.glob("*.zip"):
        if path.stem not in made:
            path.unlink()
    for name, files in made.items():
        (HERE / f"{name}.zip").write_bytes(zipped(files))
    print(f"{len(made)} bundles, root of the good one: {root_of_bundle(made[GOOD])}", file=sys.stderr)


if __name__ == "__main__":
    main()
