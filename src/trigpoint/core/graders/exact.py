"""exact/1: the answer is one of the accepted texts, after stated normalisation (RUN-20, RUN-21)."""

from __future__ import annotations

from typing import Any

from trigpoint.core.graders.base import Grader, bad_value, brief, check_options, right, wrong
from trigpoint.core.graders.text import normal, text_options
from trigpoint.core.records import Grade, GraderSpec

RULE = "exact/1"
MAX_ACCEPTED = 100

OPTIONS = text_options()


def check(spec: GraderSpec, where: str) -> None:
    """Raises SuiteError unless `expected` is a text or a list of texts that an answer can equal."""
    check_options(spec.options, OPTIONS, where)
    accepted = _accepted(spec.expected)
    if not 0 < len(accepted) <= MAX_ACCEPTED:
        raise bad_value("expected", where, f"a text or a list of 1 to {MAX_ACCEPTED} texts", spec.expected)
    for text in accepted:
        if not isinstance(text, str):
            raise bad_value("expected", where, "a text or a list of texts", text, 'Write it in quotes: "42".')
        if not _normal(text, spec).strip():
            raise bad_value("expected", where, "a text with something in it", text, "An empty answer is missing.")


def grade(answer: str, spec: GraderSpec) -> Grade:
    """1 when the answer equals an accepted text, both normalised the same way; else 0."""
    found = _normal(answer, spec)
    if any(_normal(text, spec) == found for text in _accepted(spec.expected)):
        return right(RULE)
    return wrong(RULE, f"{brief(found)} is not an accepted text")


def _accepted(expected: Any) -> list[Any]:
    return list(expected) if isinstance(expected, list | tuple) else [expected]


def _normal(text: str, spec: GraderSpec) -> str:
    options = spec.options
    return normal(text, options.get("normalize", OPTIONS["normalize"].default), options.get("casefold", False))


EXACT = Grader(rule=RULE, method="fair-run", check=check, grade=grade)
