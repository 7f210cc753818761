"""result.json against what suite, calls, rows and setup come to, member by member (RUN-42)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from trigpoint.core.errors import BundleError, shown
from trigpoint.core.fields import ID
from trigpoint.core.result import MOST_REPEATS, result_members
from trigpoint.core.setup import Setup
from trigpoint.core.verify.common import Case, told
from trigpoint.core.verify.report import Check
from trigpoint.core.verify.walk import Walked

METHOD_VERSION = "fair-run/1"
RESULT_PATH, SETUP_PATH = "result.json", "setup.json"

SUITE_DIGEST = Check(name="suite-digest", file="suite/", says="is the one that setup, result and pin name")
TUPLE = Check(name="tuple", file=RESULT_PATH, says="setup digest and tuple digest recompute from setup.json")
RESULT = Check(
    name="result", file=RESULT_PATH, says="format, method, times, repeats and notes are the run's; no more keys"
)

#: The members of result.json that are recomputed, by check. The order is that of the findings.
MEMBERS: Mapping[Check, tuple[str, ...]] = {
    RESULT: ("format", "method", "method_version", "began", "ended", "repeats", "notes"),
    Check(name="score", file=RESULT_PATH, says="the score recomputes"): ("score",),
    Check(name="categories", file=RESULT_PATH, says="every category recomputes"): ("categories",),
    Check(name="counts", file=RESULT_PATH, says="every count recomputes"): ("counts",),
    Check(name="coverage", file=RESULT_PATH, says="the coverage recomputes"): ("coverage",),
    Check(name="outcomes", file=RESULT_PATH, says="the outcomes recompute"): ("outcomes",),
    Check(name="tokens", file=RESULT_PATH, says="the token counts recompute"): ("tokens",),
    Check(name="intervals", file=RESULT_PATH, says="every interval recomputes, draw by draw"): ("intervals",),
    Check(name="seeds", file=RESULT_PATH, says="the seeds are the method's"): ("seeds",),
    Check(name="versions", file=RESULT_PATH, says="scoring and graders are the suite's"): ("versions",),
    TUPLE: ("setup_digest", "tuple_digest"),
    SUITE_DIGEST: ("suite",),
}
#: What calls.jsonl alone can tell.
_FROM_CALLS = ("began", "ended", "tokens.", "counts.attempts", "counts.unknown_attempts")
_ABSENT = object()


def result_document(case: Case) -> dict[str, Any] | None:
    """The members of result.json; None where it is absent, no object, or its repeats are no number to go by."""
    found = case.document(RESULT, RESULT_PATH)
    if found is None:
        return None
    if type(found) is not dict:
        case.board.fails(RESULT, BundleError("not an object", where=RESULT_PATH))
        return None
    repeats = found.get("repeats")
    if type(repeats) is not int or not 1 <= repeats <= MOST_REPEATS:
        wanted = f"a whole number from 1 to {MOST_REPEATS:,}"
        case.board.fails(
            RESULT, BundleError("a wrong value", where=f"{RESULT_PATH}: repeats", expected=wanted, found=told(repeats))
        )
        return None
    return found


def compare(case: Case, walked: Walked, result: dict[str, Any] | None, setup: Setup | None) -> None:
    """Every member of result.json that can be recomputed, against what stands in it."""
    if walked.tally is None or result is None:
        why = f"{RESULT_PATH} can't be used" if result is None else walked.why
        for check in MEMBERS:
            case.board.cant_tell(check, why)
        return
    expected = result_members(
        walked.tally, run_id=str(result.get("run")), setup=setup or {}, method_version=METHOD_VERSION
    )
    _look_at_keys(case, expected, result)
    for check, names in MEMBERS.items():
        for name in names:
            for path, wanted, found in differences(expected[name], result.get(name), name):
                if not walked.calls_whole and path.startswith(_FROM_CALLS):
                    case.board.cant_tell(check, walked.why)
                elif setup is None and check is TUPLE:
                    case.board.cant_tell(check, f"{SETUP_PATH} can't be used")
                else:
                    _fails(case, check, path, wanted, found)
        case.board.holds(check)


def _look_at_keys(case: Case, expected: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    for name in sorted(result.keys() - expected.keys()):
        _fails(case, RESULT, shown(name), _ABSENT, result[name])
    if not (type(run := result.get("run")) is str and ID.match(run)):
        _fails(case, RESULT, "run", "an id", run)


def differences(expected: Any, found: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """(dotted path, expected, found) of each leaf that differs in value or type; _ABSENT where there is none."""
    if type(expected) is dict and type(found) is dict:
        for name in sorted(expected.keys() | found.keys()):
            yield from differences(expected.get(name, _ABSENT), found.get(name, _ABSENT), f"{path}.{name}")
    elif type(expected) is list and type(found) is list:
        for place, (one, two) in enumerate(zip_longest(expected, found, fillvalue=_ABSENT)):
            yield from differences(one, two, f"{path}[{place}]")
    elif type(expected) is not type(found) or expected != found:
        yield path, expected, found


def _fails(case: Case, check: Check, path: str, expected: Any, found: Any) -> None:
    what = "not what it comes to"
    wanted, stands = ("nothing" if value is _ABSENT else told(value) for value in (expected, found))
    case.board.fails(check, BundleError(what, where=f"{RESULT_PATH}: {path}", expected=wanted, found=stands))
