"""Statistics: how long intervals, comparisons and the monitor take, in one process.

python -m benchmarks.deciding [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from fractions import Fraction

from trigpoint.core.scoring.macro_average import MacroAverage
from trigpoint.core.statistics.bootstrap import bootstrap_interval
from trigpoint.core.statistics.interval import headline_interval
from trigpoint.core.statistics.paired import PairedDifferences
from trigpoint.core.statistics.repeats import Repeats

CATEGORIES = ("a", "b", "c", "d")
ONE = Fraction(1)


def average(items: int, chance: random.Random) -> MacroAverage:
    score = MacroAverage.equal(CATEGORIES)
    for number in range(items):
        score.add(CATEGORIES[number % 4], ONE, Fraction(chance.randrange(5), 4))
    return score


def pairs(items: int, chance: random.Random) -> PairedDifferences:
    found = PairedDifferences(dict.fromkeys(CATEGORIES, Fraction(1, 4)))
    for number in range(items):
        found.add(CATEGORIES[number % 4], ONE, Fraction(chance.randrange(5), 4), Fraction(chance.randrange(5), 4))
    return found


def repeats(items: int, chance: random.Random) -> Repeats:
    found = Repeats(dict.fromkeys(CATEGORIES, Fraction(1, 4)), 5)
    for number in range(items):
        found.add(CATEGORIES[number % 4], ONE, [Fraction(chance.randrange(2)) for _ in range(5)])
    return found


def seconds(work: Callable[[], object]) -> float:
    """The quickest of three."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    chance = random.Random(1)
    found = {}
    for items in (24, 240):
        score, two, again = average(items, chance), pairs(items, chance), repeats(items, chance)
        found[f"headline interval, {items} tasks"] = seconds(lambda score=score: headline_interval(score))
        found[f"percentile bootstrap, {items} tasks"] = seconds(lambda score=score: bootstrap_interval(score, seed=1))
        found[f"repeats interval, {items} tasks × 5"] = seconds(again.interval)
        found[f"paired comparison, {items} tasks"] = seconds(lambda two=two: two.compare(seed=1))
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print("| what | ms |\n| --- | --- |")
    for what, took in found.items():
        print(f"| {what} | {1000 * took:.2f} |")


if __name__ == "__main__":
    main()
