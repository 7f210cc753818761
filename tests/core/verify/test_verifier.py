"""RUN-42, FND-14, FND-34: what a report says, what ends it, what anchors a bundle."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from golden.make import EVIDENCE, FAULTS
from golden.small import (
    ITEMS,
    KEY,
    PUBLIC,
    SIGNATURE_PATH,
    Files,
    edited,
    make,
    pinned,
    resealed,
    root_of_bundle,
    suite_files,
    with_rows,
)
from trigpoint.core import known_suites
from trigpoint.core.bundle.reader import MAX_DOCUMENT
from trigpoint.core.canonical import canonical_line
from trigpoint.core.errors import BundleError, OperatorError, RefusedError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.suite import load_suite
from trigpoint.core.verify import common, fair_run, recomputed
from trigpoint.core.verify.common import SIGNATURE_FORMAT, signed_bytes
from trigpoint.core.verify.report import NOT_ANCHORED, Board, Check, Report, Verdict
from trigpoint.core.verify.verifier import KINDS, verify


@pytest.fixture(scope="module")
def good() -> Files:
    return make()


def found(files: Files, expect: str | None = None) -> Report:
    return verify(MemoryFiles(files), expect)


def verdicts(report: Report) -> dict[str, Verdict]:
    return {finding.check: finding.verdict for finding in report.findings}


# --- the report ---------------------------------------------------------------------------------------------


def test_there_is_one_finding_a_check_in_the_checks_order(good: Files) -> None:
    report = found(good)
    assert [finding.check for finding in report.findings] == [check.name for check in fair_run.CHECKS]
    assert len({check.name for check in fair_run.CHECKS}) == len(fair_run.CHECKS)


def test_a_line_has_the_word_the_check_the_place_and_what_was_expected_and_found(good: Files) -> None:
    report = found(FAULTS["score-shown-edited-resealed"].change(good))
    (line,) = [line for line in report.lines() if line.startswith("fails")]
    assert line == (
        'fails       score            result.json: score.shown: not what it comes to: expected "31.9", found "99.9"'
    )


def test_the_first_contradiction_is_described_and_all_are_counted(good: Files) -> None:
    def change(rows: list[Any]) -> None:
        for row in rows:
            row["input_sha256"] = "0" * 64

    report = found(resealed(edited(good, "items.jsonl", change)))
    (finding,) = [finding for finding in report.findings if finding.check == "inputs"]
    assert (finding.where, finding.count) == ("items.jsonl:1: input_sha256", 12)
    assert finding.detail.endswith("(and 11 more)")


def test_members_hold_everything_the_lines_say(good: Files) -> None:
    members = found(FAULTS["score-shown-edited-resealed"].change(good)).members()
    assert (members["kind"], members["exit_code"], members["anchored"]) == ("fair-run", 1, True)
    (failed,) = [check for check in members["checks"] if check["verdict"] == "fails"]
    assert failed == {
        "check": "score",
        "verdict": "fails",
        "file": "result.json",
        "detail": 'not what it comes to: expected "31.9", found "99.9"',
        "where": "result.json: score.shown",
        "expected": '"31.9"',
        "found": '"99.9"',
        "count": 1,
    }


def test_a_check_that_nobody_concluded_can_t_tell() -> None:
    """A check is never passed by leaving it out."""
    check = Check(name="x", file="y", says="z")
    board = Board([check])
    assert board.findings()[0].verdict is Verdict.CANT_TELL
    board.holds(check)
    assert board.findings()[0].verdict is Verdict.HOLDS
    board.cant_tell(check, "absent")
    assert board.findings()[0].verdict is Verdict.CANT_TELL
    board.fails(check, BundleError("broken"))
    assert board.findings()[0].verdict is Verdict.FAILS


REFUSED = RefusedError("too large")


@pytest.mark.parametrize(
    ("words", "refused", "exit_code"),
    [
        pytest.param([Verdict.HOLDS], None, 0, id="all hold"),
        pytest.param([Verdict.HOLDS, Verdict.CANT_TELL], None, 3, id="evidence is absent"),
        pytest.param([Verdict.CANT_TELL, Verdict.FAILS], None, 1, id="a contradiction beats absence"),
        pytest.param([Verdict.FAILS], REFUSED, 1, id="a contradiction beats a refusal: always"),
        pytest.param([Verdict.HOLDS, Verdict.CANT_TELL], REFUSED, 2, id="refused before all was looked at"),
    ],
)
def test_exit_codes(words: list[Verdict], refused: RefusedError | None, exit_code: int) -> None:
    """FND-14: a contradiction 1, always; else absent evidence 3; unreadable or refused 2; else 0."""
    board = Board([Check(name=str(place), file="f", says="s") for place in range(len(words))])
    for check, word in zip(board.checks, words, strict=True):
        board.holds(check)
        if word is Verdict.FAILS:
            board.fails(check, BundleError("x"))
        if word is Verdict.CANT_TELL:
            board.cant_tell(check, "x")
    report = Report(kind="k", root=None, findings=board.findings(), anchors=(), refused=refused)
    assert report.exit_code == exit_code


# --- absent evidence ----------------------------------------------------------------------------------------

ABSENT = (*EVIDENCE, "manifest.json", "suite/pin.json")


_ROWS = {"answers", "grades", "inputs", "items", "replies", "calls", "retries", "observed"}
_RESULT = {check.name for check in recomputed.MEMBERS}
_SUITE = {"suite", "suite-digest", "published-suite", *_ROWS, *_RESULT}
NEEDED_BY = {
    "result.json": {"suite-digest", "tuple", *_RESULT},
    "setup.json": {"setup", "suite-digest", "tuple", "inputs", "observed", "retries"},
    "README.txt": {"readme"},
    "calls.jsonl": {"calls", "retries", "replies", "answers", "grades", "observed", "result", "counts", "tokens"},
    "items.jsonl": {*_ROWS, *_RESULT},
    "observations.jsonl": {"observations"},
    "suite/suite.toml": _SUITE,
    "suite/items.jsonl": _SUITE,
    "suite/prompts/record.md": _SUITE,
    "suite/pin.json": {"suite-digest"},
    "manifest.json": {"manifest", "root", "signatures"},
}


@pytest.mark.parametrize("path", ABSENT)
def test_absent_evidence_is_never_a_pass_and_the_rest_is_still_checked(path: str, good: Files) -> None:
    """CYC-31, FND-14: what is listed or required but absent → 3; what needs it can't tell, all else holds."""
    report = found({name: data for name, data in good.items() if name != path})
    assert report.exit_code == 3
    told = {finding.check for finding in report.findings if finding.verdict is Verdict.CANT_TELL}
    assert told == {"files", "digests", *NEEDED_BY[path]}
    assert all(finding.detail for finding in report.findings)


def test_without_calls_nothing_that_they_alone_tell_is_held(good: Files) -> None:
    """Sums of nothing are 0: a result that says 0 must not agree with absent evidence."""
    nothing = edited(good, "result.json", lambda result: result["tokens"].update(dict.fromkeys(result["tokens"], 0)))
    told = verdicts(found({path: data for path, data in nothing.items() if path != "calls.jsonl"}))
    assert told["tokens"] is Verdict.CANT_TELL


def test_a_member_that_would_be_null_must_still_be_there() -> None:
    """Nothing was ever asked: began and ended are null, and their keys can't be taken away."""
    never = {item["id"]: ([], []) for item in ITEMS}
    files = make(attempts=never)
    assert found(files).exit_code == 0
    report = found(resealed(edited(files, "result.json", lambda result: result.pop("began"))))
    assert (report.exit_code, verdicts(report)["result"]) == (1, Verdict.FAILS)


def test_without_calls_the_grades_of_complete_replies_are_still_recomputed(good: Files) -> None:
    files = {path: data for path, data in good.items() if path != "calls.jsonl"}
    assert verdicts(found(files))["grades"] is Verdict.CANT_TELL
    assert verdicts(found(files))["score"] is Verdict.HOLDS
    edited_files = edited(files, "items.jsonl", lambda rows: rows[1].update(credit="1", outcome="correct"))
    assert verdicts(found(edited_files))["grades"] is Verdict.FAILS


def test_without_the_result_the_rows_are_still_followed(good: Files) -> None:
    files = {path: data for path, data in good.items() if path != "result.json"}
    assert verdicts(found(files))["items"] is Verdict.HOLDS
    shorter = with_rows(files, "items.jsonl", [])
    assert verdicts(found(shorter))["items"] is Verdict.CANT_TELL


DERIVED = [name for name, fault in FAULTS.items() if fault.exit_code == 1 and "edited" in name]


@pytest.mark.parametrize("path", ABSENT)
def test_deleting_evidence_never_turns_a_contradiction_into_a_pass(path: str, good: Files) -> None:
    """CYC-31: for each edited value, with each file taken away, listed or not."""
    for name in DERIVED[:: 3 if path in EVIDENCE else 1]:
        files = {inner: data for inner, data in FAULTS[name].change(good).items() if inner != path}
        assert found(files).exit_code in (1, 3), name
        if path != "manifest.json":
            assert found(resealed(files)).exit_code in (1, 3) or path == "suite/pin.json", name


@pytest.mark.parametrize("files", [{}, {"notes.txt": b"x"}, {"manifest.json": b"\xff\n"}, {"suite/suite.toml": b""}])
def test_what_is_no_bundle_is_refused(files: Files) -> None:
    with pytest.raises(RefusedError, match="no bundle"):
        found(files)


# --- anchoring ----------------------------------------------------------------------------------------------


def signature_by(private: Ed25519PrivateKey, root: str) -> bytes:
    return canonical_line(
        {
            "format": SIGNATURE_FORMAT,
            "algorithm": "Ed25519",
            "key": private.public_key().public_bytes_raw().hex(),
            "root": root,
            "signature": private.sign(signed_bytes(root)).hex(),
        }
    )


def without_signature(files: Files) -> Files:
    return {path: data for path, data in files.items() if path != SIGNATURE_PATH}


def test_a_bundle_that_nothing_ties_says_so_in_its_last_line(good: Files) -> None:
    report = found(without_signature(good))
    assert report.exit_code == 0
    assert report.lines()[-1] == NOT_ANCHORED
    assert report.anchoring.startswith("not anchored: a forger who rewrites everything consistently")


def test_a_signature_anchors_by_its_key(good: Files) -> None:
    assert found(good).lines()[-1] == f"anchored by signature {PUBLIC}"


def test_an_expected_root_anchors_and_another_fails(good: Files) -> None:
    files = without_signature(good)
    root = root_of_bundle(files)
    assert found(files, root).lines()[-1] == "anchored by --expect ROOT"
    assert found(files, root.upper()).exit_code == 0
    other = found(files, "0" * 64)
    assert (other.exit_code, other.anchoring, verdicts(other)["expected-root"]) == (1, NOT_ANCHORED, Verdict.FAILS)
    assert "expected-root" not in verdicts(found(files))


@pytest.mark.parametrize("expect", ["", "xyz", "0" * 63, "0" * 65, "g" * 64, "é" * 64])
def test_an_expectation_that_is_no_root_is_the_operator_s_error(expect: str, good: Files) -> None:
    with pytest.raises(OperatorError, match="--expect: not a root"):
        found(good, expect)


def test_several_anchors_stand_in_one_line(good: Files) -> None:
    second = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"second").digest())
    root = root_of_bundle(good)
    files = {**good, "signatures/z.json": signature_by(second, root), "signatures/a.json": signature_by(KEY, root)}
    other = second.public_key().public_bytes_raw().hex()
    report = found(files, root)
    assert report.anchoring == f"anchored by signature {PUBLIC}, by signature {other}, by --expect ROOT"


def test_a_forger_s_bundle_is_not_anchored_by_the_old_signature(good: Files) -> None:
    forged = FAULTS["replies-forged-and-all-rewritten"].change(good)
    assert found(without_signature(forged)).exit_code == 0
    kept = {**forged, SIGNATURE_PATH: good[SIGNATURE_PATH]}
    assert (found(kept).exit_code, found(kept).anchoring) == (1, NOT_ANCHORED)
    assert found(without_signature(forged), root_of_bundle(good)).exit_code == 1


def test_a_broken_bundle_is_anchored_by_nothing(good: Files) -> None:
    """A root that doesn't cover the files says nothing about them."""
    for name in ("file-added", "byte-flipped-items.jsonl", "manifest-root-edited", "byte-added-manifest"):
        assert found(FAULTS[name].change(good), root_of_bundle(good)).anchoring == NOT_ANCHORED, name


def test_a_suite_that_ships_with_the_verifier_anchors(good: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = load_suite(MemoryFiles(suite_files())).digest
    monkeypatch.setattr(fair_run, "KNOWN_SUITES", {("small", "1.0.0"): digest})
    files = without_signature(good)
    assert found(files).lines()[-1] == "anchored by a pinned suite digest shipped with the verifier"
    monkeypatch.setattr(fair_run, "KNOWN_SUITES", {("small", "1.0.0"): "0" * 64})
    report = found(files)
    assert (report.exit_code, verdicts(report)["published-suite"]) == (1, Verdict.FAILS)
    assert report.anchoring == NOT_ANCHORED


def test_the_digests_of_shipped_suites_are_those_of_the_shipped_folders() -> None:
    """FND-34. Each suite in the package stands in the table, and the other way round."""
    from importlib import resources

    shipped = {}
    for folder in resources.files("trigpoint.suites").iterdir():
        if folder.is_dir() and (folder / "suite.toml").is_file() and (folder / "pin.json").is_file():
            suite = load_suite(MemoryFiles(_files_below(folder)))
            shipped[suite.id, suite.version] = suite.digest
    assert dict(known_suites.KNOWN_SUITES) == shipped


def _files_below(folder: Any, prefix: str = "") -> Files:
    read: Files = {}
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        read |= _files_below(entry, f"{path}/") if entry.is_dir() else {path: entry.read_bytes()}
    return read


# --- signatures ---------------------------------------------------------------------------------------------


def test_too_many_signatures_are_refused(good: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "MAX_SIGNATURES", 1)
    files = {**good, "signatures/b.json": good[SIGNATURE_PATH]}
    assert found(files).exit_code == 2


@pytest.mark.parametrize("name", ["a.txt", "a/b.json", ".json", "-.json", "é.json", f"{'a' * 81}.json"])
def test_other_names_than_name_json_are_no_signatures(name: str, good: Files) -> None:
    report = found({**good, f"signatures/{name}": good[SIGNATURE_PATH]})
    assert (report.exit_code, verdicts(report)["files"]) == (1, Verdict.FAILS)


# --- hostile content ----------------------------------------------------------------------------------------


def _bounded(files: Files, megabytes: int) -> Report | RefusedError:
    """The report, or the refusal; fails where it took more memory than allowed."""
    held = sum(map(len, files.values()))
    tracemalloc.start()
    try:
        return found(files)
    except RefusedError as error:
        return error
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < (megabytes << 20) + 4 * held, f"{peak:,} bytes"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda f: {**f, "manifest.json": b"[" * (4 << 20) + b"\n"}, id="a manifest of open lists"),
        pytest.param(
            lambda f: {**f, "manifest.json": b"[" + b"{}," * (2 << 20) + b"{}]\n"}, id="a manifest of objects"
        ),
        pytest.param(lambda f: {**f, "manifest.json": b" " * (MAX_DOCUMENT + 9)}, id="a huge manifest"),
        pytest.param(lambda f: resealed({**f, "result.json": b"1" * (33 << 20) + b"\n"}), id="a huge result"),
        pytest.param(lambda f: resealed({**f, "setup.json": b'{"a":' * 9999 + b"\n"}), id="a deep setup"),
        pytest.param(lambda f: resealed({**f, "items.jsonl": b"x" * (41 << 20)}), id="a huge row"),
        pytest.param(
            lambda f: resealed({**f, "calls.jsonl": b"[" + b"0," * (1 << 20) + b"0]\n"}), id="a row of values"
        ),
        pytest.param(
            lambda f: resealed({**f, "suite/suite.toml": b".".join([b"a"] * 900_000) + b" = 1"}),
            id="a suite's long key",
        ),
        pytest.param(lambda f: resealed({**f, "suite/items.jsonl": b'{"a":' * 9999 + b"\n"}), id="a deep suite item"),
        pytest.param(lambda f: resealed({**f, "suite/prompts/record.md": b"x" * (5 << 20)}), id="a huge prompt"),
        pytest.param(lambda f: {**f, SIGNATURE_PATH: b"[" * (2 << 20) + b"\n"}, id="a deep signature"),
    ],
)
def test_huge_or_deep_content_is_refused_soon_and_in_bounded_memory(
    change: Callable[[Files], Files], good: Files
) -> None:
    """FND-06: by counting, before it is built."""
    files = change(good)
    came = _bounded(files, 48)
    assert isinstance(came, RefusedError) or came.exit_code == 2


def test_a_large_file_whose_rows_break_is_not_read_to_its_end(good: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip can hold 64 GiB in 160 MB: what is broken at its first line is not digested for minutes."""
    monkeypatch.setattr(common, "LARGE", 1000)
    assert found(good).exit_code == 0
    reworded = verdicts(found({**good, "items.jsonl": good["items.jsonl"].replace(b"scattered", b"shattered")}))
    assert (reworded["digests"], reworded["items"]) == (Verdict.FAILS, Verdict.HOLDS)
    junk = found(resealed({**good, "items.jsonl": b"{}\n" * 5000}))
    assert (junk.exit_code, verdicts(junk)["digests"]) == (1, Verdict.CANT_TELL)


@pytest.mark.parametrize("path", ["README.txt", "suite/pin.json", SIGNATURE_PATH, "result.json"])
def test_a_file_larger_than_its_kind_is_refused_unread(path: str, good: Files) -> None:
    class Claimed(MemoryFiles):
        def size(self, name: str) -> int:
            return 40 << 20 if name == path else super().size(name)

    report = verify(Claimed(good))
    assert (report.exit_code, str(report.refused).startswith(f"{path}: too large")) == (2, True)


def test_what_a_terminal_might_obey_is_escaped(good: Files) -> None:
    """A name may hold C1 controls and direction marks: no path is refused for them, no line prints them."""
    lines = found({**good, "suite/a\x9b31m\u202eb": b"x"}).lines()
    assert all(line.isprintable() for line in lines)
    assert any(r"suite/a\x9b31m\u202eb" in line for line in lines)


def test_many_short_lines_of_nothing_are_left_at_the_first(good: Files) -> None:
    files = resealed({**good, "items.jsonl": b"\n" * (4 << 20)})
    report = _bounded(files, 8)
    assert isinstance(report, Report)
    assert (report.exit_code, verdicts(report)["items"]) == (1, Verdict.FAILS)


def test_repeats_that_nobody_asked_are_no_endless_loop(good: Files) -> None:
    """A forged number of repeats ends where the rows do."""
    files = resealed(edited(good, "result.json", lambda members: members.update(repeats=1000)))
    assert found(files).exit_code == 1
    no_rows = {path: data for path, data in files.items() if path != "items.jsonl"}
    assert found(no_rows).exit_code == 3


def test_thousands_of_attempts_at_one_message_are_looked_at_one_by_one(good: Files) -> None:
    row = good["calls.jsonl"].splitlines(keepends=True)[0]
    files = resealed({**good, "calls.jsonl": row * 5_000})
    report = _bounded(files, 4)
    assert isinstance(report, Report)
    assert report.exit_code == 1


def test_kinds_are_told_apart_by_the_manifest_and_each_has_its_checks() -> None:
    """CYC-30: the kind is detected; DESIGN: unknown ones are refused by name."""
    assert set(KINDS) == {"fair-run"}
    assert all(kind.checks[0] is common.MANIFEST for kind in KINDS.values())


def test_nothing_in_a_bundle_can_name_a_file_outside_of_it(good: Files) -> None:
    def change(members: dict[str, Any]) -> None:
        members["files"][0]["path"] = "../../etc/passwd"

    report = found(edited(good, "manifest.json", change))
    assert (report.exit_code, verdicts(report)["manifest"]) == (1, Verdict.FAILS)


def test_a_repinned_suite_with_another_weight_contradicts_setup_and_score(good: Files) -> None:
    suite = {path.removeprefix("suite/"): data for path, data in good.items() if path.startswith("suite/")}
    suite["suite.toml"] = suite["suite.toml"].replace(b"weight = 2", b"weight = 3")
    files = resealed({**good, **{f"suite/{path}": data for path, data in pinned(suite).items()}})
    failing = {check for check, word in verdicts(found(files)).items() if word is Verdict.FAILS}
    assert {"suite-digest", "score", "categories"} <= failing
