"""Seeded generators of items: pure, each proving its answer. A changed generator is a new version; old ones stay."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from trigpoint.core.draw import Generator
from trigpoint.suites.generators.ledgers import LEDGERS
from trigpoint.suites.generators.orderings import ORDERINGS

__all__ = ["GENERATORS"]

#: name and version ("orderings/1") → its generator
GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {generator.name: generator for generator in (ORDERINGS, LEDGERS)}
)
