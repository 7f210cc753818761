"""Errors, sorted by who can act on them (operator, respondent, bundle, us).

Each says what, where, expected, found and next. One place in the command line and one in the web
application print them; this module only carries the parts.
"""

from __future__ import annotations

from typing import ClassVar


class TrigpointError(Exception):
    """The root of all errors this package raises on purpose.

    `what` is one short phrase; the other parts may be empty. `str()` gives one line.
    `exit_code` is the process exit code of FND-14 that a command ends with.
    """

    who: ClassVar[str] = "us"
    exit_code: ClassVar[int] = 2

    def __init__(self, what: str, *, where: str = "", expected: str = "", found: str = "", next: str = "") -> None:
        self.what, self.where, self.expected, self.found, self.next = what, where, expected, found, next
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        wanted = [f"expected {self.expected}"] if self.expected else []
        wanted += [f"found {self.found}"] if self.found else []
        text += ": " + ", ".join(wanted) if wanted else ""
        return text + (f". {self.next}" if self.next else "")

    def parts(self) -> dict[str, str]:
        """The error as JSON members; empty parts are left out."""
        named = {
            "who": self.who,
            "what": self.what,
            "where": self.where,
            "expected": self.expected,
            "found": self.found,
            "next": self.next,
        }
        return {name: text for name, text in named.items() if text}


class OperatorError(TrigpointError):
    """Something the person at the keyboard can put right: a flag, a file, a suite, a missing part."""

    who = "operator"


class SuiteError(OperatorError):
    """A suite folder that isn't what it must be; `where` is file, line and field."""


class RespondentError(TrigpointError):
    """The service, model or program that was asked could not be used at all."""

    who = "respondent"


class BundleError(TrigpointError):
    """A bundle that can't be read or is refused: bad path, link, size, depth, format (exit 2)."""

    who = "bundle"


class RefusedError(BundleError):
    """Input that is refused rather than judged: unreadable, too large, too deep, of an unknown format."""


class RefusedSuiteError(SuiteError, RefusedError):
    """A suite beyond a limit: the operator's to mend where it is theirs, refused where it lies in a bundle."""


class CanonicalError(BundleError):
    """Bytes or values that have no one canonical form (FND-02)."""


class InternalError(TrigpointError):
    """A promise of this program that it broke itself; please report it."""

    who = "us"
    exit_code = 70


def printable(text: str) -> str:
    """`text` with every character that a terminal might obey escaped: controls, direction marks, the like."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def shown(value: object, limit: int = 80) -> str:
    """`value` for an error message: quoted, control characters escaped, cut at `limit` characters."""
    text = ascii(value) if not isinstance(value, str) or not value.isprintable() else f'"{value}"'
    return text if len(text) <= limit else text[:limit] + f"… ({len(text):,} characters)"
