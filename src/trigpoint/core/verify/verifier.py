"""Verify any bundle: find out its kind, carry out that kind's checks (RUN-42, CYC-30)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trigpoint.core.bundle.manifest import PATH, Manifest
from trigpoint.core.errors import OperatorError, RefusedError, shown
from trigpoint.core.files import Files
from trigpoint.core.verify import common, fair_run
from trigpoint.core.verify.common import Case
from trigpoint.core.verify.report import Board, Check, Report


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of bundle: its checks in order, and what carries them out and returns the anchors that hold."""

    name: str
    method_version: str
    checks: tuple[Check, ...]
    check_all: Callable[[Case], list[str]]
    looks_like_one: Callable[[Case], bool]  # where no manifest says what it is


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name=fair_run.METHOD,
            method_version=fair_run.METHOD_VERSION,
            checks=fair_run.CHECKS,
            check_all=fair_run.check_all,
            looks_like_one=fair_run.looks_like_one,
        ),
    )
}


def verify(files: Files, expect: str | None = None) -> Report:
    """One finding a check, in order; a check that can't be carried out says so and never passes.

    expect: the root, 64 hexadecimal digits, that the bundle must have. Raises RefusedError for what is no
    bundle, or one of an unknown format, method or version; OperatorError for an `expect` that is no root.
    """
    if expect is not None and not is_root(expect):
        raise OperatorError("not a root", where="--expect", expected="64 hexadecimal digits", found=shown(expect))
    case = Case(files=files, board=Board(), expect=expect.lower() if expect else None)
    common.manifest_is_canonical(case)
    kind = _kind(case, case.manifest)
    case.board.checks = _with_expected(kind.checks) if expect else kind.checks
    anchors: list[str] = []
    refused: RefusedError | None = None
    try:
        anchors = kind.check_all(case)
    except RefusedError as error:
        refused = error
    return Report(
        kind=kind.name,
        root=case.manifest.root if case.manifest else None,
        findings=case.board.findings(),
        anchors=tuple(anchors),
        refused=refused,
    )


def is_root(text: str) -> bool:
    """Whether a text can be a root: 64 hexadecimal digits, in either case."""
    return len(text) == 64 and all(char in "0123456789abcdefABCDEF" for char in text)


def _with_expected(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    place = checks.index(common.ROOT) + 1
    return (*checks[:place], common.EXPECTED, *checks[place:])


def _kind(case: Case, manifest: Manifest | None) -> Kind:
    if manifest is None:
        found = next((kind for kind in KINDS.values() if kind.looks_like_one(case)), None)
        if found is None:
            raise RefusedError("no bundle", expected=f"a {PATH} and the files it lists")
        return found
    kind = KINDS.get(manifest.method)
    if kind is None or manifest.method_version != kind.method_version:
        known = ", ".join(kind.method_version for kind in KINDS.values())
        raise RefusedError(
            "a method that this program doesn't know",
            where=f"{PATH}: method_version",
            expected=known,
            found=shown(f"{manifest.method}, {manifest.method_version}"),
            next="A newer trigpoint may read it.",
        )
    return kind
