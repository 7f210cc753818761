"""Option types, and what holds for a model, that more than one command needs (FND-13, FND-15)."""

from __future__ import annotations

import importlib
import math
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from trigpoint.home import InForce, in_force

if TYPE_CHECKING:
    from trigpoint.respondents.endpoint import Wire

_SHA256 = re.compile(r"[0-9a-f]{64}")


class FiniteRange(click.FloatRange):
    """A finite number within bounds: `nan` and `inf` would pass a comparison, or never end a limit."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is not a finite number.", param, ctx)


class Sha256(click.types.StringParamType):
    """64 hexadecimal digits, as lower case."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        digits = str(value).lower()
        found = _SHA256.fullmatch(digits)
        return digits if found else self.fail(f"{value!r} is not 64 hexadecimal digits.", param, ctx)


def wire_of(model: str) -> Wire | None:
    """The wire of a built-in provider's model (`openai/…`); None for what isn't asked over HTTP, or not built in."""
    from trigpoint.respondents.registry import BUILT_IN

    module, _, name = BUILT_IN.get(model.partition("/")[0], "").partition(":")
    wire: Wire | None = getattr(getattr(importlib.import_module(module), name), "wire", None) if module else None
    return wire


def base_url_in_force(model: str, flag: str | None = None, environment: Mapping[str, str] = os.environ) -> InForce:
    """Which base URL holds for `model`: --base-url, TRIGPOINT_BASE_URL, the provider's own variable, the file.

    None stands for what the respondent finds by itself: the provider's variable (the source names it), or the
    provider. Raises OperatorError for a configuration that can't be read.
    """
    if flag is None and not environment.get("TRIGPOINT_BASE_URL"):
        wire = wire_of(model)
        if wire and environment.get(wire.base_url_variable, "").strip():
            return InForce(None, f"environment {wire.base_url_variable}")
    return in_force("base_url", flag, environment)
