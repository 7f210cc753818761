"""Exact texts of a bundle as the numbers that `--json` prints (FND-02)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any


def number(text: str) -> int | float:
    """The number that an exact text stands for: "3/8" → 0.375, "62.5" → 62.5, "1" → 1."""
    value = Fraction(text)
    return int(value) if value.denominator == 1 else float(value)


def result_numbers(result: Mapping[str, Any]) -> dict[str, Any]:
    """result.json's members with credits, scores and ends of intervals as numbers."""
    return {
        **result,
        "score": _numbers(result["score"], "value", "shown"),
        "categories": [_numbers(one, "share", "value", "shown") for one in result["categories"]],
        "coverage": _numbers(result["coverage"], "value", "shown"),
        "intervals": {name: _numbers(one, "low", "high", "level") for name, one in result["intervals"].items()},
    }


def _numbers(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {
        name: number(value) if name in names and isinstance(value, str) else value for name, value in members.items()
    }
