"""The checks of a fair run's bundle, in order (RUN-42)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from trigpoint.core.bundle.manifest import SIGNATURES
from trigpoint.core.bundle.reader import MAX_DOCUMENT
from trigpoint.core.bundle.readme import README
from trigpoint.core.bundle.shapes import boolean, count, list_of, maybe, members, text
from trigpoint.core.canonical import strict_loads
from trigpoint.core.errors import BundleError, RefusedError, SuiteError, TrigpointError, shown
from trigpoint.core.files import MAX_TOTAL, SubFolder, read_limited
from trigpoint.core.harness import Harness, harness_from
from trigpoint.core.known_suites import KNOWN_SUITES
from trigpoint.core.records import RequestSettings, SetupField
from trigpoint.core.result import MOST_REPEATS, observed_words
from trigpoint.core.setup import Setup, setup_from
from trigpoint.core.suite import Suite, load_suite, pin_of
from trigpoint.core.toml import MAX_FILE
from trigpoint.core.verify import common, recomputed
from trigpoint.core.verify.common import Case
from trigpoint.core.verify.recomputed import RESULT_PATH, SETUP_PATH, SUITE_DIGEST
from trigpoint.core.verify.report import BY_SUITE, Check
from trigpoint.core.verify.walk import CALLS, CALLS_PATH, ITEMS, ITEMS_PATH, WALKED, Walked, walk, walk_alone

METHOD, METHOD_VERSION = "fair-run", recomputed.METHOD_VERSION

README_PATH, OBSERVATIONS_PATH, SUITE_TOML, PIN_PATH = (
    "README.txt",
    "observations.jsonl",
    "suite/suite.toml",
    "suite/pin.json",
)
SUITE_ROWS, MAX_SUITE_ROWS = "suite/items.jsonl", 1024**3
REQUIRED = frozenset({RESULT_PATH, SETUP_PATH, README_PATH, OBSERVATIONS_PATH, CALLS_PATH, ITEMS_PATH, SUITE_TOML})

_README = Check(name="readme", file=README_PATH, says="the text of this format")
_SUITE = Check(name="suite", file="suite/", says="loads, every item well-formed")
_PUBLISHED = Check(name="published-suite", file="suite/", says="no other than the published one, where it has its name")
_SETUP = Check(name="setup", file=SETUP_PATH, says="well-formed, with the harness of its version and its digest")
_OBSERVED = Check(name="observed", file=SETUP_PATH, says="the observed fields are what the calls say")
_OBSERVATIONS = Check(name="observations", file=OBSERVATIONS_PATH, says="empty: no instrument looks at a fair run")

CHECKS: tuple[Check, ...] = (
    *(common.MANIFEST, common.CLOSED, common.DIGESTS, common.ROOT, _README),
    *(_SUITE, SUITE_DIGEST, _PUBLISHED, _SETUP, recomputed.TUPLE),
    *WALKED,
    *(_OBSERVED, _OBSERVATIONS),
    *recomputed.MEMBERS,
    common.SIGNED,
)

#: Fields that every fair run's tuple has, by section; a respondent may add more to model and inference.
_FIELDS = {
    "model": ("id", "revision", "artifact_sha256", "quantization"),
    "harness": ("digest", *Harness().manifest()),
    "suite": ("id", "version", "digest"),
    "inference": RequestSettings.__slots__,
    "host": ("os", "cpu", "cores", "python", "trigpoint"),
}
_CLOSED = ("harness", "suite")
_RETRY = members(
    {
        "max_attempts": count(1),
        "statuses": list_of(count(100)),
        "transport_errors": boolean,
        "timeouts": boolean,
        "wait_ms": count(0),
        "max_wait_ms": count(0),
        "max_retry_after_ms": count(0),
    }
)


def looks_like_one(case: Case) -> bool:
    """Whether these files are a fair run's, where no manifest says so."""
    return bool(case.paths & {RESULT_PATH, SETUP_PATH, ITEMS_PATH, CALLS_PATH})


def check_all(case: Case) -> list[str]:
    """Carry out every check but the manifest's, which comes first. Returns the anchors that hold."""
    common.list_is_closed(case, required=REQUIRED, may_be_there=_may_be_there)
    common.sizes_are_bounded(case, _largest)
    common.small_files_match(case)
    common.root_recomputes(case)
    common.root_is_expected(case)
    common.signatures_hold(case)
    _readme_is_ours(case)
    _observations_are_empty(case)
    result = recomputed.result_document(case)
    setup, observed = _setup(case)
    harness = _harness(case, setup["harness"]) if setup else None
    suite = _suite(case)
    recomputed.compare_tuple(case, result, setup)
    if suite:
        recomputed.compare_suite(case, result, setup, suite)
    repeats = result["repeats"] if result else _repeats_in_rows(case)
    if suite is None or repeats is None:
        why = "the suite can't be read" if suite is None else "the repeats aren't known"
        walked = walk_alone(case, harness, why)
    else:
        walked = walk(case, suite, harness, repeats)
    _look_at_observed(case, walked, observed)
    recomputed.compare(case, walked, result, setup)
    common.large_files_match(case, broken={check.file for check in (CALLS, ITEMS) if case.board.failed(check)})
    return [*common.anchors(case), *_anchor_of(case, suite)]


def _largest(path: str) -> int:
    """How many bytes a file of this name may have."""
    if path in (CALLS_PATH, ITEMS_PATH):
        return MAX_TOTAL
    if path.startswith("suite/"):
        return MAX_SUITE_ROWS if path == SUITE_ROWS else MAX_FILE
    return common.MAX_SIGNATURE if path.startswith(SIGNATURES) else MAX_DOCUMENT


def _may_be_there(path: str) -> bool:
    return path in REQUIRED or path.startswith("suite/")


def _readme_is_ours(case: Case) -> None:
    if README_PATH not in case.paths:
        case.board.cant_tell(_README, f"{README_PATH} is absent")
    elif case.tried(_README, lambda: read_limited(case.files, README_PATH, 1 << 20)) != README.encode():
        case.board.fails(_README, BundleError("another text than this format's", where=README_PATH))
    case.board.holds(_README)


def _observations_are_empty(case: Case) -> None:
    if OBSERVATIONS_PATH not in case.paths:
        case.board.cant_tell(_OBSERVATIONS, f"{OBSERVATIONS_PATH} is absent")
    else:
        size = case.files.size(OBSERVATIONS_PATH)
        case.unequal(_OBSERVATIONS, OBSERVATIONS_PATH, "rows that no fair run has", "0 bytes", f"{size:,} bytes")
    case.board.holds(_OBSERVATIONS)


def _setup(case: Case) -> tuple[Setup | None, dict[str, list[str]] | None]:
    """(setup, observed) of setup.json; (None, None) where it is absent or broken."""
    document = case.document(_SETUP, SETUP_PATH)
    if document is None:
        return None, None
    read = case.tried(_SETUP, lambda: setup_from(document))
    if read is None:
        return None, None
    for section, names in _FIELDS.items():
        found = read[0][section].keys()
        absent, more = set(names) - found, set(found - set(names)) if section in _CLOSED else set()
        for name in sorted(absent | more):
            what = "a field is absent" if name in absent else "a field that no setup has"
            case.board.fails(_SETUP, BundleError(what, where=f"{SETUP_PATH}: {section}.{shown(name)}"))
    case.board.holds(_SETUP)
    return read


def _harness(case: Case, section: dict[str, SetupField] | Any) -> Harness | None:
    """The harness that setup.json describes, if it is one of this program's and has its digest."""
    where = f"{SETUP_PATH}: harness"
    given = {name: part.value for name, part in section.items()}
    claimed = given.pop("digest", None)
    if isinstance(name := given.get("id"), str) and name != Harness().id:
        raise RefusedError("an unknown harness", where=f"{where}.id", expected=Harness().id, found=shown(name))
    wanted = maybe(text)(given.get("system")) or _RETRY(given.get("retry"))
    if given.keys() != Harness().manifest().keys() or wanted:
        case.board.fails(_SETUP, BundleError("not a harness", where=where, expected=wanted or ""))
        return None
    harness = harness_from(given)
    for name, value in harness.manifest().items():
        case.unequal(_SETUP, f"{where}.{name}", f"not what {harness.id} has", value, given[name])
    case.unequal(_SETUP, f"{where}.digest", "not the digest of the harness", harness.digest(), claimed)
    return harness


def _suite(case: Case) -> Suite | None:
    """The suite, loaded; None where a file of it is absent or it is none."""
    listed = {entry.path for entry in case.manifest.files} if case.manifest else set()
    absent = sorted(path for path in listed | {SUITE_TOML} if path.startswith("suite/") and path not in case.paths)
    if PIN_PATH in absent:
        case.board.cant_tell(SUITE_DIGEST, f"{PIN_PATH} is absent")
        absent.remove(PIN_PATH)
    if absent:
        for check in (_SUITE, SUITE_DIGEST, _PUBLISHED):
            case.board.cant_tell(check, f"{absent[0]} is absent")
        return None
    suite = case.tried(_SUITE, lambda: _loaded(case))
    if suite is None:
        for check in (SUITE_DIGEST, _PUBLISHED):
            case.board.cant_tell(check, "the suite can't be read")
        return None
    case.unequal(_SUITE, f"{SUITE_TOML}: method", "a suite of another method", METHOD, suite.method)
    case.board.holds(_SUITE, f"{suite.id} {suite.version}, {suite.count:,} items")
    if PIN_PATH in case.paths:
        data = read_limited(case.files, PIN_PATH, 1 << 20).strip()
        pin = case.tried(SUITE_DIGEST, lambda: strict_loads(data, where=PIN_PATH))
        case.unequal(SUITE_DIGEST, PIN_PATH, "not this suite's pin", pin_of(suite), pin)
    known = KNOWN_SUITES.get((suite.id, suite.version))
    if known is not None:
        case.unequal(_PUBLISHED, "suite/", f"not the published {suite.id} {suite.version}", known, suite.digest)
    case.board.holds(_PUBLISHED, "" if known else "this verifier knows none of its name")
    return suite


class _WithoutPin(SubFolder):
    """The suite's folder but for its pin, which is a check of its own: the rest can be looked at without it."""

    def paths(self) -> Sequence[str]:
        return [path for path in super().paths() if path != "pin.json"]


def _loaded(case: Case) -> Suite:
    try:
        return load_suite(_WithoutPin(case.files, "suite"))
    except SuiteError as error:
        kind = RefusedError if isinstance(error, RefusedError) else BundleError
        raise kind(error.what, where=f"suite/{error.where}", expected=error.expected, found=error.found) from None


def _repeats_in_rows(case: Case) -> int | None:
    """How often the first item stands in items.jsonl, where result.json doesn't say the repeats."""
    if ITEMS_PATH not in case.paths:
        return None
    try:
        rows = case.reader.items()
        first = next(rows, None)
        same = takewhile(lambda row: first is not None and row.item == first.item, rows)
        return 1 + sum(1 for _ in zip(same, range(MOST_REPEATS), strict=False)) if first else None
    except RefusedError:
        raise
    except TrigpointError:
        return None  # the walk names what is wrong


def _look_at_observed(case: Case, walked: Walked, observed: dict[str, list[str]] | None) -> None:
    if observed is None:
        case.board.cant_tell(_OBSERVED, f"{SETUP_PATH} can't be used")
    elif walked.tally is None or not walked.calls_whole:
        case.board.cant_tell(_OBSERVED, walked.why)
    else:
        expected = observed_words(walked.tally)
        case.unequal(_OBSERVED, f"{SETUP_PATH}: observed", "not what the calls say", expected, observed)
    case.board.holds(_OBSERVED)


def _anchor_of(case: Case, suite: Suite | None) -> list[str]:
    known = suite is not None and (suite.id, suite.version) in KNOWN_SUITES
    sure = case.board.all_hold((*common.OVER_ALL, _SUITE, SUITE_DIGEST, _PUBLISHED))
    return [BY_SUITE] if known and sure else []
