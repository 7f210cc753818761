"""Many comparisons at once: Holm's adjustment, and the rank bands that follow (STA-05, RUN-32)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

CLEAR = Fraction(5, 100)  # a difference is clear where its p, adjusted for all pairs shown, is at most this


@dataclass(frozen=True, kw_only=True, slots=True)
class RankBand:
    """The ranks that an entry shares with all it can't be told from."""

    first: int  # from 1, the best
    last: int

    def __str__(self) -> str:
        """As shown: "1–3", or "4" where nothing else is in the band."""
        return f"{self.first}–{self.last}" if self.last > self.first else str(self.first)


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """The p values adjusted for being shown together, in the order given.

    Holm's step-down rule: the smallest of m is multiplied by m, the next by m − 1 and so on; none gets less than a
    smaller one, none more than 1. Calling clear what is at most 0.05 errs in at most 5 of 100 such tables.
    """
    adjusted = [Fraction(1)] * len(p_values)
    least = Fraction(0)
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(Fraction(1), p_values[index] * (len(p_values) - place)))
        adjusted[index] = least
    return adjusted


def rank_bands(headlines: Sequence[Fraction], p_values: Mapping[tuple[int, int], Fraction]) -> list[RankBand]:
    """The band of each entry, in the order given; `headlines` are their scores, higher is better.

    `p_values` holds the paired comparison of every two entries, keyed by their places (i, j), i < j, before any
    adjustment. Two entries whose difference isn't clear share a band, and so does all that ranks between them; where
    A and B aren't clear and neither are B and C, all three share one, even if A and C alone are clear.
    Raises ValueError where a pair is missing or there is one too many.
    """
    pairs = list(combinations(range(len(headlines)), 2))
    if set(pairs) != set(p_values):
        raise ValueError(f"rank bands need the comparison of each of the {len(pairs)} pairs, and no other")
    order = sorted(range(len(headlines)), key=lambda i: -headlines[i])
    place = {entry: rank for rank, entry in enumerate(order)}
    joined = [False] * len(headlines)  # joined[k]: the places k and k + 1 share a band
    for (i, j), p in zip(pairs, holm([p_values[pair] for pair in pairs]), strict=True):
        if p > CLEAR:
            low, high = sorted((place[i], place[j]))
            joined[low:high] = [True] * (high - low)
    return [_band(place[entry], joined) for entry in range(len(headlines))]


def _band(place: int, joined: Sequence[bool]) -> RankBand:
    first = last = place
    while first and joined[first - 1]:
        first -= 1
    while joined[last]:
        last += 1
    return RankBand(first=first + 1, last=last + 1)
