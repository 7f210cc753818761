"""Several bundles of one suite ranked: bands that say what can't be told apart (RUN-32, STA-05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from trigpoint.core.statistics.ranking import RankBand, holm, rank_bands
from trigpoint.publish.bundles import Opened
from trigpoint.publish.comparison import Compared, compare


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """Entries from the best score down, with their bands, and every pair compared."""

    entries: list[tuple[Opened, RankBand]]
    pairs: list[tuple[Compared, Fraction]]  # with p adjusted by Holm for all pairs shown


def rank(bundles: Sequence[Opened]) -> Ranked:
    """The ranking. Raises OperatorError with the reasons when two of them can't be compared."""
    places = list(combinations(range(len(bundles)), 2))
    compared = [compare(bundles[i], bundles[j]) for i, j in places]
    p_values = {place: one.seen.p for place, one in zip(places, compared, strict=True)}
    headlines = [Fraction(bundle.result["score"]["value"]) for bundle in bundles]
    bands = rank_bands(headlines, p_values)
    order = sorted(range(len(bundles)), key=lambda i: -headlines[i])
    adjusted = holm([one.seen.p for one in compared])
    return Ranked(entries=[(bundles[i], bands[i]) for i in order], pairs=list(zip(compared, adjusted, strict=True)))
