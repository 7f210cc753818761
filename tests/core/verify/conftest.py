"""The bootstrap of the small bundles is drawn once for each set of credits: it is a pure function of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trigpoint.core import result


@pytest.fixture(autouse=True, scope="session")
def _bootstrap_drawn_once() -> Iterator[None]:
    real, known = result.bootstrap_interval, {}

    def remembered(score: Any, *, seed: int) -> Any:
        cells = tuple((name, share, tuple(score.cells(name))) for name, share in score.shares.items())
        if (cells, seed) not in known:
            known[cells, seed] = real(score, seed=seed)
        return known[cells, seed]

    result.bootstrap_interval = remembered
    yield
    result.bootstrap_interval = real
