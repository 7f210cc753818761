"""Whether two results can be compared, or every reason why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What must be the same for the points of two fair runs to mean the same thing.
SAME = (
    ("method_version", "the rules of the method"),
    ("suite.digest", "the suite"),
    ("score.scoring", "the calculation of the score"),
    ("versions.graders", "the graders"),
)


def reasons_against(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """One sentence for each thing that keeps two results (result.json) from being compared.

    What differs in the tuple is no reason: it is what a comparison is about (RUN-06).
    """
    found = []
    for path, name in SAME:
        left, right = at(first, path), at(second, path)
        if left is None or left != right:
            found.append(f"{name} differs: {_short(left)} and {_short(right)}")
    return found


def at(members: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path, None where there is none."""
    value: Any = members
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 40 else text[:12] + "…"
