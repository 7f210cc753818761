"""The store's tables. Migrations in `store.migrations` make the same, numbered and only added to."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("method", String(32), nullable=False),
    Column("began", String(24), nullable=False),
    Column("plan", Text, nullable=False),  # JSON: what the run is
)

attempts = Table(
    "attempts",
    metadata,
    # SQLite counts rows only in a plain integer key
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("run", String(64), ForeignKey("runs.id"), nullable=False),
    Column("respondent", String(200), nullable=False),
    Column("slot", Integer, nullable=False),
    Column("message", String(100), nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("begun", String(24), nullable=False),
    Column("ended", String(24)),
    Column("status", String(20), nullable=False),
    Column("final", Boolean, nullable=False, default=False),
    Column("reply", Text),  # JSON; null until the attempt ends
    # a double record is impossible, whoever writes (FND-21)
    UniqueConstraint("run", "respondent", "message", "repeat", "attempt", name="one_record_an_attempt"),
)
