"""Runs and their attempts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("method", sa.String(32), nullable=False),
        sa.Column("began", sa.String(24), nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("run", sa.String(64), sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("respondent", sa.String(200), nullable=False),
        sa.Column("slot", sa.Integer, nullable=False),
        sa.Column("message", sa.String(100), nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("begun", sa.String(24), nullable=False),
        sa.Column("ended", sa.String(24)),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("reply", sa.Text),
        sa.UniqueConstraint("run", "respondent", "message", "repeat", "attempt", name="one_record_an_attempt"),
    )
