"""Open the store: SQLite by default, PostgreSQL by TRIGPOINT_DATABASE_URL; migrated to the newest tables."""

from __future__ import annotations

from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from trigpoint.core.errors import OperatorError

_SQLITE_SETTINGS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # a commit is on disk when it returns
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=5000",
)


def open_database(url: str) -> Engine:
    """An engine on the newest tables. Raises OperatorError when the database can't be reached or made."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        elif parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare_sqlite)
        migrate(engine)
    except ArgumentError:
        expected = "sqlite:///PATH or postgresql://USER@HOST/NAME"
        raise OperatorError("not a database", where="TRIGPOINT_DATABASE_URL", expected=expected) from None
    except OperationalError as error:
        found = str(error.orig).strip().splitlines()[0][:200]
        raise OperatorError("can't open the database", where="TRIGPOINT_DATABASE_URL", found=found) from None
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for setting in _SQLITE_SETTINGS:
        cursor.execute(setting)
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the tables to the newest migration; safe to repeat."""
    configuration = Config()
    configuration.set_main_option("script_location", str(resources("trigpoint.store") / "migrations"))
    with engine.begin() as connection:
        configuration.attributes["connection"] = connection
        command.upgrade(configuration, "head")
