"""pattern/1: the answer fits a regular expression (RUN-20, RUN-21, FND-30).

What isn't covered: no backreferences, no lookaround, no named groups. See docs/reference/graders.md.
"""

from __future__ import annotations

from trigpoint.core.automaton import MAX_STEPS, Automaton, PatternError, compile_pattern
from trigpoint.core.errors import SuiteError
from trigpoint.core.graders.base import Grader, bad_value, brief, check_options, flag, not_scorable, right, wrong
from trigpoint.core.records import Grade, GraderSpec

RULE = "pattern/1"

OPTIONS = {"search": flag(), "casefold": flag(), "multiline": flag(), "dotall": flag()}


def check(spec: GraderSpec, where: str) -> None:
    """Raises SuiteError unless `expected` is a pattern of the supported subset."""
    check_options(spec.options, OPTIONS, where)
    if not isinstance(spec.expected, str) or not spec.expected:
        raise bad_value("expected", where, "a pattern, as text", spec.expected)
    try:
        _automaton(spec)
    except PatternError as error:
        raise SuiteError("expected", where=where, expected=error.expected, found=error.found, next=error.next) from None


def grade(answer: str, spec: GraderSpec) -> Grade:
    """1 when the whole answer fits (with `search`, when a part of it does); else 0."""
    fits = _automaton(spec).matches(answer)
    if fits is None:
        return not_scorable(RULE, f"the pattern takes more than {MAX_STEPS:,} steps on this answer")
    if fits:
        return right(RULE)
    return wrong(RULE, f"{brief(answer)} {'holds nothing that fits' if _search(spec) else 'does not fit'}")


def _search(spec: GraderSpec) -> bool:
    return bool(spec.options.get("search", False))


def _automaton(spec: GraderSpec) -> Automaton:
    return compile_pattern(spec.expected, **spec.options)


PATTERN = Grader(rule=RULE, method="fair-run", check=check, grade=grade)
