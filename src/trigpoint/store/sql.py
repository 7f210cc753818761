"""The SQL recorder: a run's attempts in tables, on SQLite or PostgreSQL (FND-21)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from typing import Any

from sqlalchemy import Engine, Row, and_, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from trigpoint.core.errors import InternalError, OperatorError
from trigpoint.core.records import Call, CallStatus
from trigpoint.store.memory import must_be_next, must_be_open
from trigpoint.store.recorder import NEVER, UNKNOWN_REPLY, Progress, Slot, done, reply_from, reply_json
from trigpoint.store.tables import attempts, runs


def create_run(engine: Engine, run: str, *, method: str, began: str, plan: Mapping[str, Any]) -> None:
    """Record what a run is. A run of this id that is there already stays as it is."""
    with engine.begin() as connection:
        if connection.execute(select(runs.c.id).where(runs.c.id == run)).first() is None:
            connection.execute(insert(runs).values(id=run, method=method, began=began, plan=json.dumps(plan)))


class SqlRecorder:
    """One run's attempts at one respondent. Every record is committed when the call returns."""

    def __init__(self, engine: Engine, run: str, respondent: str) -> None:
        self._engine, self._run, self._respondent = engine, run, respondent
        self._mine = and_(attempts.c.run == run, attempts.c.respondent == respondent)

    def progress(self, number: int) -> Progress:
        asked = (
            select(attempts.c.status, attempts.c.final, attempts.c.ended)
            .where(self._mine, attempts.c.slot == number)
            .order_by(attempts.c.attempt)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(asked).all()
        if not rows:
            return NEVER
        return Progress(
            attempts=len(rows),
            ended=sum(row.ended is not None for row in rows),
            last=CallStatus(rows[-1].status),
            final=any(row.final for row in rows),
        )

    def begun(self, slot: Slot, attempt: int, at: str) -> None:
        must_be_next(self.progress(slot.number), slot, attempt)
        row = {
            "run": self._run,
            "respondent": self._respondent,
            "slot": slot.number,
            "message": slot.message,
            "repeat": slot.repeat,
            "attempt": attempt,
            "begun": at,
            "status": str(CallStatus.UNKNOWN),
            "final": False,
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(attempts).values(row))
        except IntegrityError:
            raise InternalError(
                "another worker has begun this attempt", where=f"{slot.message}, repeat {slot.repeat}"
            ) from None
        except OperationalError as error:
            raise _write_error(error) from None

    def ended(self, slot: Slot, call: Call, *, final: bool) -> Awaitable[None]:
        must_be_open(self.progress(slot.number), slot, call.attempt)
        values = {
            "ended": call.ended,
            "status": str(call.reply.status),
            "final": final,
            "reply": json.dumps(reply_json(call.reply)),
        }
        where = and_(self._mine, attempts.c.slot == slot.number, attempts.c.attempt == call.attempt)
        try:
            with self._engine.begin() as connection:
                connection.execute(update(attempts).where(where, attempts.c.ended.is_(None)).values(values))
        except OperationalError as error:
            raise _write_error(error) from None
        return done()

    def calls(self, slot: Slot) -> list[Call]:
        asked = select(attempts).where(self._mine, attempts.c.slot == slot.number).order_by(attempts.c.attempt)
        with self._engine.connect() as connection:
            return [_call(row) for row in connection.execute(asked)]

    async def settle(self) -> None:
        return None

    def close(self) -> None:
        return None


def _call(row: Row[Any]) -> Call:
    return Call(
        message=row.message,
        repeat=row.repeat,
        attempt=row.attempt,
        begun=row.begun,
        ended=row.ended,
        reply=reply_from(json.loads(row.reply)) if row.reply else UNKNOWN_REPLY,
    )


def _write_error(error: OperationalError) -> OperatorError:
    found = str(error.orig).strip().splitlines()[0][:200]
    return OperatorError("could not write to the database", found=found, next="What is recorded stays: try again.")
