"""The graders: each judges one answer by one rule, and nothing but the answer's text decides.

A new grader is one file beside these and one line in the table. A changed verdict is a new version of a rule;
old versions stay, so that what was graded by them can be graded again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from trigpoint.core.errors import SuiteError, shown
from trigpoint.core.graders.base import Grader
from trigpoint.core.graders.exact import EXACT
from trigpoint.core.graders.json_fields import JSON_FIELDS
from trigpoint.core.graders.pattern import PATTERN
from trigpoint.core.graders.value import VALUE

__all__ = ["GRADERS", "Grader", "grader_for"]

_TABLE = (
    EXACT,
    PATTERN,
    JSON_FIELDS,
    VALUE,
)

#: rule ("exact/1") → its grader
GRADERS: Mapping[str, Grader] = MappingProxyType({grader.rule: grader for grader in _TABLE})


def _newest(graders: Mapping[str, Grader]) -> dict[str, Grader]:
    """name without version → the grader with the highest one."""
    rising = sorted(graders, key=lambda rule: int(rule.rpartition("/")[2]))
    return {rule.rpartition("/")[0]: graders[rule] for rule in rising}


_NEWEST = _newest(GRADERS)


def grader_for(rule: object, where: str = "") -> Grader:
    """The grader of "exact/1", or the newest of "exact". Raises SuiteError, naming the known rules, for others."""
    if isinstance(rule, str) and (grader := GRADERS.get(rule) or _NEWEST.get(rule)):
        return grader
    raise SuiteError("rule", where=where, expected=f"one of {', '.join(GRADERS)}", found=shown(rule))
