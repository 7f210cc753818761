"""Simulated suites: how often each test passes, and what one run of it looks like (STA-03).

A promise such as "at most one false flag a model-year" is tested on these. The three built-in profiles are invented,
close in mean and spread to real series; an operator gives a profile of their own. All chance comes from the
`random` function handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import fsum
from random import Random
from typing import Any

from trigpoint.core.errors import OperatorError, shown

Chance = Callable[[], float]

MAX_TESTS = 1000
MAX_PARTS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedTest:
    """One test of a simulated suite."""

    rate: float  # mean credit, 0–1
    parts: int = 1  # equal parts that pass or fail by themselves; 1 = pass/fail
    category: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """A simulated suite on an unchanging model."""

    name: str
    tests: tuple[SimulatedTest, ...]

    @property
    def mean(self) -> float:
        """Expected score in points."""
        return 100.0 * fsum(test.rate for test in self.tests) / len(self.tests)


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """So many tests with rates spread evenly from `low` to `high`."""

    count: int
    low: float
    high: float
    parts: int = 1
    category: str = ""

    def rates(self) -> list[float]:
        """One rate a test, in rising order."""
        if self.count == 1:
            return [(self.low + self.high) / 2]
        step = (self.high - self.low) / (self.count - 1)
        return [self.low + step * place for place in range(self.count - 1)] + [self.high]


CATEGORIES = (("trick", 5), ("exact", 12), ("rules", 16), ("apps", 1))  # of a watch suite (WAT-01)
GRADED = 7  # tests of a watch suite that give partial credit
GRADED_PARTS = 2
_STRIDE = 13  # shares no factor with 34: mixes reliable and unreliable tests through the categories

_BUILT_IN = {
    "strong": (Group(count=28, low=0.97, high=1.0), Group(count=6, low=0.65, high=0.9)),
    "saturated": (Group(count=31, low=0.985, high=1.0), Group(count=3, low=0.82, high=0.95)),
    "middling": (
        Group(count=14, low=0.99, high=1.0),
        Group(count=4, low=0.95, high=0.98),
        Group(count=11, low=0.39, high=0.9),
        Group(count=5, low=0.0, high=0.2),
    ),
}


def built_in(name: str) -> Profile:
    """One of the three profiles: 34 tests in four categories, 27 pass/fail and 7 graded."""
    rates = [rate for group in _BUILT_IN[name] for rate in group.rates()]
    total = len(rates)
    graded = {place for place in range(total) if (place + 1) * GRADED // total > place * GRADED // total}
    ordered = [place * _STRIDE % total for place in range(total)]
    categories = [category for category, count in CATEGORIES for _ in range(count)]
    tests = tuple(
        SimulatedTest(rate=rates[place], parts=GRADED_PARTS if place in graded else 1, category=category)
        for place, category in zip(ordered, categories, strict=True)
    )
    return Profile(name=name, tests=tests)


BUILT_IN = tuple(_BUILT_IN)


def resized(profile: Profile, tests: int) -> Profile:
    """A suite of so many tests with the same mixture: every test stands for an equal share of the old ones."""
    old = sorted(profile.tests, key=lambda test: (test.rate, test.parts, test.category))
    picked = [old[(2 * place + 1) * len(old) // (2 * tests)] for place in range(tests)]
    return replace(profile, tests=tuple(picked))


def profile_from(members: Mapping[str, Any], *, where: str = "") -> Profile:
    """A profile as its file says: `name`, and `tests` as groups {count, low, high | rate, parts, category}.

    Raises OperatorError naming the member that isn't what it must be.
    """
    groups = members.get("tests")
    if not isinstance(groups, list) or not groups:
        raise OperatorError("a profile without tests", where=where, next="Write a [[tests]] group, e.g. rate = 0.9.")
    read = [_group(group, f"{where}: tests[{place}]") for place, group in enumerate(groups)]
    tests = tuple(
        SimulatedTest(rate=rate, parts=group.parts, category=group.category) for group in read for rate in group.rates()
    )
    if len(tests) > MAX_TESTS:
        raise OperatorError("too many tests", where=where, expected=f"at most {MAX_TESTS:,}", found=f"{len(tests):,}")
    return Profile(name=str(members.get("name", "profile"))[:80], tests=tests)


def _group(members: object, where: str) -> Group:
    if not isinstance(members, Mapping):
        raise OperatorError("not a group of tests", where=where, found=shown(members))
    unknown = sorted(set(members) - {"count", "low", "high", "rate", "parts", "category"})
    if unknown:
        raise OperatorError("an unknown member", where=where, found=shown(unknown[0]))
    rate = members.get("rate")
    low, high = (_number(members, name, where, rate) for name in ("low", "high"))
    return Group(
        count=_whole(members, "count", where, MAX_TESTS),
        low=low,
        high=high,
        parts=_whole(members, "parts", where, MAX_PARTS),
        category=str(members.get("category", ""))[:80],
    )


def _number(members: Mapping[str, Any], name: str, where: str, default: object) -> float:
    value = members.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise OperatorError(f"{name} isn't a rate", where=where, expected="a number 0–1", found=shown(value))
    return float(value)


def _whole(members: Mapping[str, Any], name: str, where: str, most: int) -> int:
    value = members.get(name, 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise OperatorError(f"{name} is out of range", where=where, expected=f"1–{most:,}", found=shown(value))
    return value


def chance_of(*names: object) -> Chance:
    """A stream of its own for every set of names: the same names give the same numbers anywhere."""
    digest = sha256("/".join(map(str, names)).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big")).random  # noqa: S311 - simulated, never a secret


def one_run(tests: Iterable[SimulatedTest], rates: Sequence[float], chance: Chance) -> list[float]:
    """The credits of one run at the given rates, one a test."""
    return [
        (1.0 if chance() < rate else 0.0)
        if test.parts == 1
        else sum([chance() < rate for _ in range(test.parts)]) / test.parts
        for test, rate in zip(tests, rates, strict=True)
    ]
