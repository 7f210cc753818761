"""Each test compiles its patterns itself."""

from __future__ import annotations

import pytest

from trigpoint.core.automaton import compile_pattern


@pytest.fixture(autouse=True)
def _nothing_compiled_before() -> None:
    compile_pattern.cache_clear()
