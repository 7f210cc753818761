"""result.json against what suite, calls, rows and setup come to, member by member (RUN-42)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from trigpoint.core.errors import BundleError, shown
from trigpoint.core.fields import ID
from trigpoint.core.result import MOST_REPEATS, result_members, suite_members
from trigpoint.core.setup import Setup, setup_digest, tuple_digest
from trigpoint.core.suite import Suite
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


def compare_tuple(case: Case, result: dict[str, Any] | None, setup: Setup | None) -> None:
    """The two digests over the run tuple (FND-03)."""
    if result is None or setup is None:
        case.board.cant_tell(TUPLE, f"{RESULT_PATH if result is None else SETUP_PATH} can't be used")
        return
    _compare(case, TUPLE, {"setup_digest": setup_digest(setup), "tuple_digest": tuple_digest(setup)}, result)
    case.board.holds(TUPLE)


def compare_suite(case: Case, result: dict[str, Any] | None, setup: Setup | None, suite: Suite) -> None:
    """The suite in the bundle is the one that result.json and setup.json name."""
    if result is None:
        case.board.cant_tell(SUITE_DIGEST, f"{RESULT_PATH} can't be used")
    else:
        _compare(case, SUITE_DIGEST, {"suite": suite_members(suite)}, result)
    if setup is None:
        case.board.cant_tell(SUITE_DIGEST, f"{SETUP_PATH} can't be used")
    else:
        for name, part in setup["suite"].items():
            where, wanted = f"{SETUP_PATH}: suite.{shown(name)}", getattr(suite, name, None)
            case.unequal(SUITE_DIGEST, where, "not the suite in the bundle", wanted, part.value)
    case.board.holds(SUITE_DIGEST)


def compare(case: Case, walked: Walked, result: dict[str, Any] | None, setup: Setup | None) -> None:
    """Every other member of result.json, against what the rows come to."""
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
        wanted = {name: expected[name] for name in names}
        _compare(case, check, wanted, result, but=() if walked.calls_whole else _FROM_CALLS)
        if not walked.calls_whole and any(part.startswith(names) for part in _FROM_CALLS):
            case.board.cant_tell(check, walked.why)
        case.board.holds(check)


def _compare(
    case: Case, check: Check, expected: Mapping[str, Any], result: Mapping[str, Any], *, but: tuple[str, ...] = ()
) -> None:
    """Write each difference but those at the paths that begin with one of `but`."""
    for name, value in expected.items():
        for path, wanted, found in differences(value, result.get(name, _ABSENT), name):
            if not path.startswith(but):
                _fails(case, check, path, wanted, found)


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
