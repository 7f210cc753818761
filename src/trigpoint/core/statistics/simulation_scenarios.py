"""What may happen to a simulated model or its harness: drops, declines, bad days, lost replies (STA-03).

A change lowers the tests' rates from some run on. A disturbance strikes single runs and lasts for none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trigpoint.core.statistics.simulation import Chance, Profile, one_run

BAD_DAY_SPREAD = 0.6  # standard deviation of the shift that all tests of a run share, in log-odds
GLITCH_RATE = 0.02  # of runs in which one category loses replies: about seven a year
GLITCH_LOSS = 0.5  # of that category's tests

Rates = Sequence[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A lasting change: `rates(profile's rates, points, k)` at the k-th run since it began, k from 1."""

    name: str
    points: float
    rates: Callable[[Rates, float, int], Rates]
    within: int  # runs: the horizon that its goal is stated for


def spread(rates: Rates, points: float, _: int) -> Rates:
    """Every test passes less often, in proportion, so that the score falls by `points`."""
    total = sum_of(rates)
    factor = max(0.0, 1.0 - points / 100.0 * len(rates) / total) if total > 0.0 else 1.0
    return [rate * factor for rate in rates]


def few(rates: Rates, points: float, _: int) -> Rates:
    """The most reliable tests break, as few as it takes."""
    left = points / 100.0 * len(rates)
    lowered = list(rates)
    for place in sorted(range(len(rates)), key=lambda place: (-rates[place], place)):
        taken = min(left, lowered[place])
        lowered[place] -= taken
        left -= taken
    return lowered


def one_test(rates: Rates, _points: float, _: int) -> Rates:
    """The most reliable test breaks for good."""
    broken = max(range(len(rates)), key=lambda place: (rates[place], -place))
    return [0.0 if place == broken else rate for place, rate in enumerate(rates)]


def slow(rates: Rates, points: float, run: int) -> Rates:
    """As `spread`, growing evenly over 60 runs."""
    return spread(rates, points * min(1.0, run / 60.0), run)


CHANGES = (
    Change(name="2 points, spread", points=2.0, rates=spread, within=7),
    Change(name="5 points, spread", points=5.0, rates=spread, within=7),
    Change(name="10 points, spread", points=10.0, rates=spread, within=7),
    Change(name="2 points, few tests", points=2.0, rates=few, within=7),
    Change(name="5 points, few tests", points=5.0, rates=few, within=7),
    Change(name="one test breaks for good", points=0.0, rates=one_test, within=7),
    Change(name="10 points over 60 runs", points=10.0, rates=slow, within=30),
)


def steady(profile: Profile, rates: Rates, chance: Chance) -> list[float]:
    """One ordinary run."""
    return one_run(profile.tests, rates, chance)


def bad_day(profile: Profile, rates: Rates, chance: Chance) -> list[float]:
    """One run whose tests all share a good or bad day."""
    odds = exponential(BAD_DAY_SPREAD * bell(chance))
    return one_run(profile.tests, [rate * odds / (1.0 - rate + rate * odds) for rate in rates], chance)


def glitch(profile: Profile, rates: Rates, chance: Chance) -> list[float]:
    """One run; now and then half of a category's replies are lost and count as failed."""
    credits = one_run(profile.tests, rates, chance)
    if chance() < GLITCH_RATE:
        categories = sorted({test.category for test in profile.tests})
        struck = categories[int(chance() * len(categories))]
        for place, test in enumerate(profile.tests):
            if test.category == struck and chance() < GLITCH_LOSS:
                credits[place] = 0.0
    return credits


#: name → how one run comes about.
DISTURBANCES: dict[str, Callable[[Profile, Rates, Chance], list[float]]] = {
    "no change": steady,
    "bad days": bad_day,
    "format glitches": glitch,
}


def bell(chance: Chance) -> float:
    """A number with mean 0 and standard deviation 1, near enough normal: twelve uniform ones, less 6.

    No logarithm or cosine of the platform's, so the same on every machine.
    """
    total = 0.0
    for _ in range(12):
        total += chance()
    return total - 6.0


def exponential(x: float) -> float:
    """e^x for −4 < x < 4 to six digits by + − × ÷ alone: the same on every machine."""
    small = x / 4096.0
    value = (1.0 + small / 2.0) / (1.0 - small / 2.0)
    for _ in range(12):
        value *= value
    return value


def sum_of(rates: Rates) -> float:
    """The rates added in their order."""
    total = 0.0
    for rate in rates:
        total += rate
    return total
