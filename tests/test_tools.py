"""The repository's own tools: what `make mutants` makes of what mutmut prints (FND-41)."""

from __future__ import annotations

import pytest

from mutants import Mutant, change_in, page, parsed, share

LISTING = """
    trigpoint.core.exact.x_fraction_text__mutmut_1: killed
    trigpoint.core.exact.xǁReaderǁread__mutmut_12: survived
    trigpoint.core.exact.x__hidden__mutmut_2: no tests
"""
DIFF = """# trigpoint.core.exact.x_fraction_text__mutmut_1: survived
--- src/trigpoint/core/exact.py
+++ src/trigpoint/core/exact.py
@@ -1,4 +1,4 @@
 def f(a):
-    return a < 1
+    return a <= 1
"""


def test_a_listing_gives_a_mutant_a_line() -> None:
    assert [(one.place, one.status) for one in parsed(LISTING)] == [
        ("trigpoint.core.exact.fraction_text", "killed"),
        ("trigpoint.core.exact.Reader.read", "survived"),
        ("trigpoint.core.exact._hidden", "no tests"),
    ]


def test_a_diff_gives_what_it_changes_with_some_words_around() -> None:
    assert change_in(DIFF) == "return a < 1 → return a <= 1"
    long = DIFF.replace("a <", "one_long_name_of_a_function(with_an_argument) + a <")
    assert change_in(long) == "(with_an_argument) + a < 1 → (with_an_argument) + a <= 1"


@pytest.mark.parametrize(
    ("noticed", "total", "shown"),
    [
        pytest.param(8496, 10_000, "84.9%", id="rounds down"),
        pytest.param(85, 100, "85.0%", id="exact"),
        pytest.param(0, 0, "–", id="nothing tried"),
    ],
)
def test_a_share_is_never_rounded_up(noticed: int, total: int, shown: str) -> None:
    assert share(noticed, total) == shown


def test_the_page_counts_what_no_test_reached_against_us() -> None:
    """FND-41: the figure counts survivors and unreached mutants, and each survivor has a reason or says it has none."""
    found = [
        *parsed(LISTING)[:1],
        Mutant(name="trigpoint.core.exact.x_g__mutmut_1", status="survived", change="a → b"),
        Mutant(name="trigpoint.core.exact.x_h__mutmut_1", status="no tests", change="c → d"),
        Mutant(name="trigpoint.core.exact.x_h__mutmut_2", status="timeout"),
    ]
    text = page(found, {"trigpoint.core.exact.g: a → b": "Both are the same."}, "2026-01-31", "a tool")
    assert "**50.0%** of 4 small changes" in text
    assert "| `trigpoint.core.exact` | 4 | 2 | 50.0% |" in text
    assert "- `trigpoint.core.exact.g`: ``a → b``\n  Both are the same." in text
    assert "- `trigpoint.core.exact.h` (no tests): ``c → d``\n  No reason given yet." in text
