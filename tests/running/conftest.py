"""One counting endpoint for the tests of a run; forgotten between tests."""

from collections.abc import Iterator

import pytest
from benchmarks.loopback import Running, running


@pytest.fixture(scope="session")
def _endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("endpoint")) as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(_endpoint: Running) -> Running:
    """Answers at once."""
    _endpoint.reset()
    return _endpoint


@pytest.fixture(scope="session")
def _slow_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("slow-endpoint"), latency_ms=20) as endpoint:
        yield endpoint


@pytest.fixture
def slow_endpoint(_slow_endpoint: Running) -> Running:
    """Answers after 20 ms."""
    _slow_endpoint.reset()
    return _slow_endpoint
