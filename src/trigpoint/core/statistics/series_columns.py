"""Which column of a table of runs is the date, the subject, the suite version, and which are tests (STA-02).

By name, whatever the order; what was taken for what is said, so that a wrong guess is seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trigpoint.core.errors import OperatorError, shown

MAX_COLUMNS = 2_000
MAX_NAME = 200  # characters of a subject, version or column
#: role → names it goes by, the first that occurs wins.
ROLES: dict[str, tuple[str, ...]] = {
    "date": ("date", "day", "timestamp", "datetime", "time", "run_date", "run_at", "started_at", "created_at"),
    "subject": ("subject", "model", "model_name", "entry", "system", "name"),
    "version": ("suite_version", "version", "suite"),
}
#: Columns that stand beside tests and are none.
_TOTALS = ("score", "total", "overall", "mean", "average", "accuracy", "pass_rate", "result")
_OTHERS = (
    "id", "run", "run_id", "index", "url", "link", "provider", "access", "effort", "tier", "notes", "note", "comment",
    "comments", "cost", "price", "latency", "latency_ms", "duration", "seconds", "tokens", "input_tokens",
    "output_tokens", "n", "runs", "stderr", "std", "sd", "low", "high", "cli_version", "served_model",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Places of the roles in a row, from 0, and the candidates for tests; `total` is left out beside tests."""

    width: int
    date: int
    subject: int | None  # None = the whole file is one subject
    version: int | None
    candidates: tuple[int, ...]
    totals: tuple[int, ...]
    names: tuple[str, ...]  # as they stand in the file, all columns


def read_header(names: Sequence[str], given: Mapping[str, str], ignore: Sequence[str], *, where: str = "") -> Columns:
    """The columns of a header. `given`: role → column name, by flag. Raises OperatorError for what can't be used."""
    clean = tuple(name.strip()[:MAX_NAME] or f"column {place}" for place, name in enumerate(names, 1))
    if len(clean) > MAX_COLUMNS:
        raise OperatorError(
            "too many columns", where=where, expected=f"at most {MAX_COLUMNS:,}", found=f"{len(clean):,}"
        )
    doubled = sorted(name for name in set(clean) if clean.count(name) > 1)
    if doubled:
        raise OperatorError("two columns of one name", where=where, found=shown(doubled[0]), next="Rename one of them.")
    keys = [key_of(name) for name in clean]
    places = {role: _place(role, keys, clean, given.get(role), where) for role in ROLES}
    date = places["date"]
    if date is None:
        raise OperatorError(
            "no date column", where=where, expected="one of " + ", ".join(ROLES["date"]),
            found=shown(", ".join(clean)), next="Name it by --date.",
        )  # fmt: skip
    taken = {place for place in places.values() if place is not None}
    left_out = {_exactly(name, clean, where) for name in ignore}
    rest = [place for place in range(len(clean)) if place not in taken and place not in left_out]
    rest = [place for place in rest if names[place].strip() and keys[place] not in _OTHERS] or rest
    return Columns(
        width=len(clean),
        date=date,
        subject=places["subject"],
        version=places["version"],
        candidates=tuple(rest),
        totals=tuple(place for place in rest if keys[place] in _TOTALS),
        names=clean,
    )


def columns_of_credits(columns: Columns, readable: Sequence[bool]) -> list[int]:
    """The columns that are tests, or the one score. `readable[k]`: candidate k holds at least one credit.

    Beside two or more other columns of credits, one called score or total is their sum and left out; beside fewer it
    is the score, and alone counts.
    """
    credits = [place for place, reads in zip(columns.candidates, readable, strict=True) if reads]
    others = [place for place in credits if place not in columns.totals]
    if len(others) >= 2 or len(others) == len(credits):
        return others
    return [place for place in credits if place in columns.totals][:1]


def key_of(name: str) -> str:
    """A column name without case, unit and punctuation: "Suite version" → suite_version, "Score (%)" → score."""
    bare = re.sub(r"\([^()]*\)|%|\bpercent\b|\bpct\b", "", name.strip().lower())
    return re.sub(r"[^\w]+", "_", bare).strip("_")


def says_percent(name: str) -> bool:
    """Whether a column's own name says that its numbers are percentages."""
    return bool(re.search(r"%|(?<![a-z])(percent|pct)(?![a-z])", name.lower()))


def _place(role: str, keys: Sequence[str], names: Sequence[str], given: str | None, where: str) -> int | None:
    if given is not None:
        return _exactly(given, names, where)
    return next((keys.index(name) for name in ROLES[role] if name in keys), None)


def _exactly(name: str, names: Sequence[str], where: str) -> int:
    if name not in names:
        raise OperatorError("no such column", where=where, expected=shown(", ".join(names), 200), found=shown(name))
    return names.index(name)
