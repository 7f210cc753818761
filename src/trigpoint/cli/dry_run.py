"""`trigpoint run --dry-run`: what a run would cost, and the smallest difference it could show (FND-15)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from trigpoint.cli.main import print_json
from trigpoint.core.exact import decimal_text
from trigpoint.core.message import message_text
from trigpoint.core.statistics.power import smallest_visible_difference
from trigpoint.publish.words import plural

if TYPE_CHECKING:
    from trigpoint.running import Order

CHARACTERS_A_TOKEN = 4  # an estimate for English text; says so where it is shown
ASSUMED_TRUTH = Fraction(8, 10)
CUT_SHORT = "a run cut short by its budget leaves tasks at 0"


def dry_run(order: Order, *, as_json: bool) -> int:
    """Print calls, tokens and the smallest visible difference. Nothing is asked.

    Raises OperatorError for what the run itself would refuse at once: an unknown wire, an --out that exists.
    """
    _refuse_what_the_run_would(order)
    suite = order.suite
    items: Counter[str] = Counter()
    characters = 0
    for item in suite.items():
        items[item.category] += 1
        characters += len(message_text(item)) + len(order.harness.system or "")
    slots = suite.count * order.repeats
    most = order.budget.calls
    calls = slots if most is None else min(slots, most)
    cut = calls < slots
    limit = order.target.settings.max_output_tokens
    total = sum((category.weight for category in suite.categories), Fraction(0))
    shares = {category.id: category.weight / total for category in suite.categories}
    smallest = None if cut else smallest_visible_difference(items, shares, repeats=order.repeats, truth=ASSUMED_TRUTH)
    retried = calls * order.harness.retry.max_attempts
    found = {
        "suite": suite.id,
        "model": order.target.model,
        "items": suite.count,
        "repeats": order.repeats,
        "calls": calls,
        "cut_by_budget": cut,
        "most_calls": retried if most is None else min(retried, most),
        "input_tokens_estimated": -(-characters * calls // (suite.count * CHARACTERS_A_TOKEN)),
        "output_tokens_at_most": None if limit is None else limit * calls,
        "smallest_visible_difference": None if smallest is None else decimal_text(smallest, 1),
    }
    print_json(found) if as_json else click.echo("\n".join(_lines(found)))
    return 0


def _refuse_what_the_run_would(order: Order) -> None:
    from trigpoint.respondents.registry import make_respondent, wires
    from trigpoint.running import _places

    if order.target.model.partition("/")[0] not in wires():
        make_respondent(order.target)  # raises; for a known wire it isn't made, since that may need a key
    if order.out is not None:
        _places(order, {})  # the setup names a folder only where --out doesn't


def _shows(found: dict[str, object]) -> str:
    smallest = found["smallest_visible_difference"]
    if found["cut_by_budget"]:
        return f"No smallest visible difference: {CUT_SHORT}."
    return (
        f"Compared with another such run, it would show a true difference of {smallest} points 8 times in 10"
        f" (if one of the two scores about {int(ASSUMED_TRUTH * 100)})."
        if smallest is not None
        else "Compared with another such run, it would not show even the largest difference 8 times in 10."
    )


def _lines(found: dict[str, object]) -> list[str]:
    limit = found["output_tokens_at_most"]
    output = f"at most {limit:,} tokens" if limit is not None else "no limit set: the endpoint decides"
    each = f"{plural(int(str(found['items'])), 'item')} × {found['repeats']}"
    each += ", cut by --budget-calls" if found["cut_by_budget"] else ""
    return [
        f"Dry run: {found['suite']} on {found['model']}; nothing is asked.",
        f"Calls    {found['calls']:,} ({each}), with every retry at most {found['most_calls']:,}",
        f"Input    about {found['input_tokens_estimated']:,} tokens, at {CHARACTERS_A_TOKEN} characters a token",
        f"Output   {output}",
        _shows(found),
    ]
