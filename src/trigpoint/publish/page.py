"""Self-contained pages: one HTML file each, no script, no request, everything from elsewhere escaped.

The frame, the colours and the small marks are the same on every page; a page is a template beside them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from trigpoint.core.outcomes import Outcome
from trigpoint.publish.words import SHOWN, plural

SHOWN_CHARACTERS = 20_000  # of one text on a page; the rest stands in the bundle

# what would act on the page's own text, or can't be seen: shown as its code instead
_CATEGORIES = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}
_PLAIN = frozenset("\n\t")
_SUSPECT = re.compile("[^\n\t\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u058f]")
_DATE = re.compile(r"(?<![\w-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")


def visible(text: str, limit: int = SHOWN_CHARACTERS) -> Markup:
    """`text` escaped, its control, bidi and invisible characters shown as marked codes, cut after `limit`."""
    kept = text[:limit].replace("\r\n", "\n")
    shown = Markup("").join(_pieces(kept))
    if len(text) > limit:
        rest = f"… {len(text) - limit:,} more characters; the whole text stands in the bundle"
        shown += Markup('<span class="cut">{}</span>').format(rest)
    return shown


def _pieces(text: str) -> list[Markup]:
    pieces, start = [], 0
    for found in _SUSPECT.finditer(text):
        char = found.group()
        if unicodedata.category(char) not in _CATEGORIES or char in _PLAIN:
            continue
        pieces.append(escape(text[start : found.start()]))
        pieces.append(Markup('<span class="code" title="{}">U+{:04X}</span>').format(_name(char), ord(char)))
        start = found.end()
    pieces.append(escape(text[start:]))
    return pieces


def dated(text: Markup) -> Markup:
    """Escaped text whose dates don't break at a line's end."""
    return Markup(_DATE.sub(r'<span class="date">\g<0></span>', str(text)))  # noqa: S704 - digits and hyphens alone are added


def _name(char: str) -> str:
    return unicodedata.name(char, "control character")


def mark(outcome: str) -> Markup:
    """The small square of one outcome: a shape of its own, its word for those who can't see it."""
    word = SHOWN[Outcome(outcome)][1]
    return Markup(
        '<svg class="mark m-{0}" viewBox="0 0 12 12" role="img" aria-label="{1}"><use href="#m-{0}"/></svg>'
    ).format(outcome, word)


@lru_cache(maxsize=1)
def environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("trigpoint.publish", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=visible, dated=dated, mark=mark, plural=plural)
    environment.globals.update(words={str(outcome): SHOWN[outcome][1] for outcome in Outcome})
    return environment


def render(template: str, **context: Any) -> str:
    """The page of a template as one HTML text."""
    return environment().get_template(template).render(**context)
