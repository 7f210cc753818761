"""The files that `trigpoint suite new` begins a suite with."""

from __future__ import annotations

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.fields import ID

_SUITE = """\
format = "trigpoint-suite/1"
id = "{name}"
version = "0.1.0"
title = "{name}"
method = "fair-run"
licence = "CC-BY-4.0"
scoring = "macro-average/1"
contract = "final-answer"   # how answers are asked for and read; an item may name another

[[categories]]
id = "arithmetic"
title = "Arithmetic"
weight = 1
"""
_ITEM = """\
id = "sum-01"
category = "arithmetic"
weight = 1
note = "What this item probes, and where a careless answer goes wrong."

[grader]
rule = "value/1"
kind = "number"
expected = 42
"""
_PROMPT = """\
A crate holds 6 rows of 8 jars. Six jars are broken. How many jars are whole?
"""
_REFERENCES = '''\
# Replies with known grades: `trigpoint suite check` grades them. Whole replies, as a model would give them.
[[right]]
reply = "ANSWER: 42"

[[right]]
reply = """6 × 8 = 48, less 6.
ANSWER: 42"""

[[right]]
reply = "**ANSWER:** 42"

[[wrong]]
reply = "ANSWER: 48"
why = "forgot the broken jars"

[[wrong]]
reply = "It is 42."
outcome = "format_not_recognised"
why = "no line begins with ANSWER:"
'''


def starter_files(name: str) -> dict[str, str]:
    """path → text. Raises OperatorError for a name that can't be an id."""
    if not ID.match(name):
        raise OperatorError("not an id", where="--id", expected="letters, digits, '.', '_' or '-'", found=shown(name))
    return {
        "suite.toml": _SUITE.format(name=name),
        "items/sum-01.toml": _ITEM,
        "prompts/sum-01.md": _PROMPT,
        "references/sum-01.toml": _REFERENCES,
    }
