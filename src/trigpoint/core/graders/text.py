"""The one way in which graders make texts alike before comparing them (RUN-20)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from trigpoint.core.graders.base import Option, flag

STEPS = ("nfkc", "trim", "collapse")
MAX_MARKS = 64  # combining marks in a row

_WHITE = re.compile(r"\s+")
_MANY_MARKS = re.compile(rb"[^\x00]{%d}" % (MAX_MARKS + 1))


def nfkc(text: str) -> str:
    """Unicode compatibility composition (NFKC).

    A text with more than 64 combining marks in a row comes back as it is: putting marks into their order
    takes time that grows with the square of their number.
    """
    if text.isascii() or _MANY_MARKS.search(bytes(map(unicodedata.combining, text))):
        return text
    return unicodedata.normalize("NFKC", text)


def normal(text: str, steps: Sequence[str] = STEPS, casefold: bool = False) -> str:
    """`text` after the steps, in the order of STEPS, then case folding when asked for.

    "nfkc" is Unicode NFKC, "trim" takes white space off both ends, "collapse" makes every run of white space
    one space. White space is what `str.isspace` says. Rule: RUN-20.
    """
    if "nfkc" in steps:
        text = nfkc(text)
    if casefold:
        text = text.casefold()
        if "nfkc" in steps:
            text = nfkc(nfkc(text).casefold())  # folding and composing can each leave work to the other
    if "trim" in steps:
        text = text.strip()
    if "collapse" in steps:
        text = _WHITE.sub(" ", text)
    return text


def _are_steps(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(step in STEPS for step in value) and len(set(value)) == len(value)


def text_options(steps: Sequence[str] = STEPS) -> dict[str, Option]:
    """The options `normalize` and `casefold`, with the steps a rule takes by itself."""
    names = ", ".join(f'"{step}"' for step in STEPS)
    return {"normalize": Option(tuple(steps), _are_steps, f"a list out of {names}"), "casefold": flag()}
