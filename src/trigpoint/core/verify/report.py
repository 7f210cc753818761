"""What verifying comes to: one finding a check, and what ties the bundle to anybody (FND-14, FND-34)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from trigpoint.core.errors import RefusedError, TrigpointError, printable

NOT_ANCHORED = (
    "not anchored: a forger who rewrites everything consistently, replies included, can't be seen from inside"
)
BY_EXPECT = "by --expect ROOT"
BY_SUITE = "by a pinned suite digest shipped with the verifier"


class Verdict(StrEnum):
    """What came of a check; the words that reports print."""

    HOLDS = "holds"
    FAILS = "fails"
    CANT_TELL = "can't tell"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One thing that must hold: a stable name, the file it is about, and what it says."""

    name: str
    file: str
    says: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What came of one check. `detail` is what fails, or what is missing, or what was looked at."""

    check: str
    file: str
    verdict: Verdict
    detail: str
    where: str = ""
    expected: str = ""
    found: str = ""
    count: int = 0  # contradictions; the first is the one described

    def members(self) -> dict[str, Any]:
        """As JSON members; empty parts are left out."""
        named = {
            "check": self.check,
            "verdict": str(self.verdict),
            "file": self.file,
            "detail": self.detail,
            "where": self.where,
            "expected": self.expected,
            "found": self.found,
            "count": self.count,
        }
        return {name: value for name, value in named.items() if value}

    def line(self) -> str:
        """One line for a person: the word, the check, the file or the place, and what."""
        return f"{self.verdict:<10}  {self.check:<15}  {self.where or self.file}: {self.detail}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """All findings, in the order of the checks."""

    kind: str  # "fair-run"
    root: str | None  # as the manifest has it; None = no manifest that can be read
    findings: tuple[Finding, ...]
    anchors: tuple[str, ...]
    refused: RefusedError | None = None  # what ended the checking early

    @property
    def exit_code(self) -> int:
        """FND-14: a contradiction 1, always; else refused input 2; else absent evidence 3; else 0."""
        verdicts = {finding.verdict for finding in self.findings}
        if Verdict.FAILS in verdicts:
            return 1
        if self.refused:
            return 2
        return 3 if Verdict.CANT_TELL in verdicts else 0

    @property
    def anchoring(self) -> str:
        """The last line (FND-34)."""
        return "anchored " + ", ".join(self.anchors) if self.anchors else NOT_ANCHORED

    def members(self) -> dict[str, Any]:
        """The report as JSON members."""
        return {
            "kind": self.kind,
            "root": self.root,
            "exit_code": self.exit_code,
            "checks": [finding.members() for finding in self.findings],
            "anchored": bool(self.anchors),
            "anchoring": self.anchoring,
            **({"error": self.refused.parts()} if self.refused else {}),
        }

    def lines(self) -> list[str]:
        """The report as text: a line a check, the refusal if there was one, the anchoring last."""
        refused = [f"refused     {self.refused}"] if self.refused else []
        return [printable(line) for line in (*(one.line() for one in self.findings), *refused, self.anchoring)]


@dataclass(slots=True)
class _State:
    faults: int = 0
    first: TrigpointError | None = None
    why: str = ""  # nothing can be said, because …
    looked: str | None = None  # all was looked at; what was seen


@dataclass(slots=True)
class Board:
    """Where checks write what they see. A check that nobody concluded can't tell: it never passes."""

    checks: Sequence[Check] = ()
    _states: defaultdict[str, _State] = field(default_factory=lambda: defaultdict(_State))

    def fails(self, check: Check, fault: TrigpointError) -> None:
        """A contradiction. The first is kept, all are counted."""
        state = self._states[check.name]
        state.faults += 1
        state.first = state.first or fault

    def cant_tell(self, check: Check, why: str) -> None:
        state = self._states[check.name]
        state.why = state.why or why

    def holds(self, check: Check, seen: str = "") -> None:
        """The check was carried out to its end: it holds unless something else was written."""
        self._states[check.name].looked = seen

    def failed(self, *checks: Check) -> bool:
        return any(self._states[check.name].faults for check in checks)

    def all_hold(self, checks: Iterable[Check]) -> bool:
        return all(self._finding(check).verdict is Verdict.HOLDS for check in checks)

    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._finding(check) for check in self.checks)

    def _finding(self, check: Check) -> Finding:
        state = self._states[check.name]
        if state.first is not None:
            return _failure(check, state.first, state.faults)
        if state.why or state.looked is None:
            why = state.why or "not looked at"
            return Finding(check=check.name, file=check.file, verdict=Verdict.CANT_TELL, detail=why)
        detail = f"{check.says} ({state.looked})" if state.looked else check.says
        return Finding(check=check.name, file=check.file, verdict=Verdict.HOLDS, detail=detail)


def _failure(check: Check, fault: TrigpointError, count: int) -> Finding:
    wanted = [f"expected {fault.expected}"] if fault.expected else []
    wanted += [f"found {fault.found}"] if fault.found else []
    detail = ": ".join(filter(None, (fault.what, ", ".join(wanted))))
    more = f" (and {count - 1:,} more)" if count > 1 else ""
    return Finding(
        check=check.name,
        file=check.file,
        verdict=Verdict.FAILS,
        detail=detail + more,
        where=fault.where or check.file,
        expected=fault.expected,
        found=fault.found,
        count=count,
    )
