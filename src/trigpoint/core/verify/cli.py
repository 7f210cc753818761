"""The command line of the verifier, for `python3 -m trigpoint.core.verify`, the one-file verifier and
`trigpoint verify` alike: a path in, text or JSON and an exit code out (RUN-42, FND-14)."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from trigpoint.core.errors import RefusedError, TrigpointError, printable, shown
from trigpoint.core.verify.disk import open_files
from trigpoint.core.verify.report import Report, Verdict
from trigpoint.core.verify.verifier import verify

ABOUT = """\
Check every digest, grade, score and interval of a bundle, a folder or a zip file. Nothing in it is run, nothing is
unpacked, nothing is looked up.

exit code: 0 every check holds; 1 something contradicts; 3 nothing contradicts, but evidence is absent;
2 unreadable or refused"""


class Outcome(NamedTuple):
    """What to print, and how the process ends."""

    text: str
    exit_code: int


def verify_path(path: str, expect: str | None = None, *, as_json: bool = False) -> Outcome:
    """The report on the bundle at `path`. Never raises: what can't be read or is refused is said, with exit code 2."""
    try:
        with open_files(path) as files:
            report = verify(files, expect)
    except TrigpointError as error:
        return _refused(path, error, as_json)
    except Exception as error:  # a fault of this program must not look like a verdict
        found = f"{type(error).__name__}: {shown(str(error))}"
        fault = RefusedError("could not be checked: a fault of this program", found=found, next="Please report it.")
        return _refused(path, fault, as_json)
    return _told(path, report, as_json)


def _told(path: str, report: Report, as_json: bool) -> Outcome:
    if as_json:
        return Outcome(_json({"path": path, **report.members()}), report.exit_code)
    *lines, anchoring = report.lines()
    return Outcome("\n".join([*lines, _summary(report), anchoring]), report.exit_code)


def _summary(report: Report) -> str:
    counts = Counter(finding.verdict for finding in report.findings)
    words = ", ".join(f"{counts[verdict]} {_PLURAL[verdict]}" for verdict in Verdict if counts[verdict])
    return f"{len(report.findings)} checks: {words}"


_PLURAL = {Verdict.HOLDS: "hold", Verdict.FAILS: "fail", Verdict.CANT_TELL: "can't tell"}


def _refused(path: str, error: TrigpointError, as_json: bool) -> Outcome:
    if as_json:
        return Outcome(_json({"path": path, "exit_code": 2, "error": error.parts()}), 2)
    return Outcome(printable(f"refused     {shown(path)}: {error}"), 2)


def _json(members: dict[str, Any]) -> str:
    return json.dumps(members, ensure_ascii=True, indent=2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify what the command line names and print it. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="trigpoint-verify", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", metavar="PATH", help="the bundle: a folder or a zip file")
    parser.add_argument("--expect", metavar="ROOT", help="the root that the bundle must have, 64 hexadecimal digits")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    given = parser.parse_args(arguments)
    told = verify_path(given.path, given.expect, as_json=given.json)
    print(told.text)
    return told.exit_code
