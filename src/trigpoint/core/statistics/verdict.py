"""The sentence a comparison opens with: what is known, how sure, what would settle it (RUN-32, STA-05)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from trigpoint.core.exact import decimal_text
from trigpoint.core.statistics.paired import Comparison
from trigpoint.core.statistics.power import MOST_MORE_ITEMS, Settling, would_settle
from trigpoint.core.statistics.ranking import CLEAR


class Word(StrEnum):
    """What may be said of the first run against the second."""

    BETTER = "clearly better"
    WORSE = "clearly worse"
    CANT_TELL = "can't tell"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """A word and its sentence."""

    word: Word
    sentence: str


def verdict(seen: Comparison, *, adjusted_p: Fraction | None = None, repeats: int = 1) -> Verdict:
    """The verdict on the first run against the second.

    `adjusted_p` is p after Holm where several pairs are shown; `repeats` is how many both runs had.
    """
    p = seen.p if adjusted_p is None else adjusted_p
    if p > CLEAR or not seen.difference:
        return Verdict(word=Word.CANT_TELL, sentence=_cant_tell(seen, p, repeats))
    word = Word.BETTER if seen.difference > 0 else Word.WORSE
    more = "more" if seen.difference > 0 else "less"
    size = decimal_text(abs(seen.difference) * 100, 1)
    return Verdict(word=word, sentence=f"{word.capitalize()}: the first run scores {size} points {more}; {_chance(p)}.")


def _cant_tell(seen: Comparison, p: Fraction, repeats: int) -> str:
    if not seen.better + seen.worse:
        return "Can't tell: both runs earn the same on every task."
    if not seen.difference:
        return "Can't tell: the two runs win and lose the same, so both score alike."
    size = decimal_text(abs(seen.difference) * 100, 1)
    return f"Can't tell: a difference of {size} points can be chance ({_p_text(p)}). {_settling(seen, repeats)}"


def _settling(seen: Comparison, repeats: int) -> str:
    found = would_settle(seen, repeats=repeats)
    return f"{_ways(found)} would settle a difference of this size."


def _ways(found: Settling) -> str:
    tasks = f"{found.more_items:,} more tasks" if found.more_items else f"more than {MOST_MORE_ITEMS:,} more tasks"
    tasks = "1 more task" if found.more_items == 1 else tasks
    tasks = f"About {tasks}" if found.more_items else tasks.capitalize()
    return tasks if found.repeats is None else f"{tasks} or {found.repeats} repeats of each run"


def _chance(p: Fraction) -> str:
    return f"chance alone would do that in {_percent(p)} of comparisons ({_p_text(p)})"


def _percent(p: Fraction) -> str:
    return "less than 0.1%" if p < Fraction(1, 1000) else f"{decimal_text(p * 100, 1)}%"


def _p_text(p: Fraction) -> str:
    return "p < 0.001" if p < Fraction(1, 1000) else f"p = {decimal_text(p, 3)}"
