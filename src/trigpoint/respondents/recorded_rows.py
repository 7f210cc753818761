"""Replies recorded as JSON lines, written by hand or by a program; also the way to script a failing endpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

from trigpoint.core.bundle.shapes import Shape, boolean, count, maybe, one_of, text
from trigpoint.core.canonical import strict_loads
from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.records import CallStatus, Reply
from trigpoint.respondents.offsets import ANY_REPEAT, Offsets, line_at, lines_of

_KEYS: Mapping[str, Shape] = {"item": text, "message": text, "repeat": count(1), "delay_ms": count(0)}

#: Members that are the reply's own, under the names it has them.
_REPLY: Mapping[str, Shape] = {
    "reasoning": maybe(text),
    "finish_reason": maybe(text),
    "served_model": maybe(text),
    "error": maybe(text),
    "http_status": maybe(count(100)),
    "retry_after_ms": maybe(count(0)),
    "retryable": boolean,
}

#: The members of a row. One of item and message is needed, all else may be left out.
ROW_SHAPE: Mapping[str, Shape] = {
    **_KEYS,
    "reply": maybe(text),
    "status": one_of(tuple(status for status in CallStatus if status is not CallStatus.UNKNOWN)),
    **_REPLY,
}


class Recorded(NamedTuple):
    """One recorded attempt, and how long to wait before it is given back."""

    reply: Reply
    delay_ms: int = 0


class RowRecording:
    """A JSONL file; the rows of one message and repeat are its successive attempts, the last one holds on.

    Rows without a repeat hold for every repeat that has no rows of its own. Raises OperatorError or
    CanonicalError naming file and line.
    """

    def __init__(self, name: str, rows: BinaryIO) -> None:
        self._name, self._rows, self._offsets = name, rows, Offsets()
        try:
            self.sha256 = self._read_through()
        except BaseException:
            self.close()
            raise

    def _read_through(self) -> str:
        seen = hashlib.sha256()
        for offset, where, line in lines_of(self._rows, self._name, seen):
            row = _checked_row(line, where)
            self._offsets.add(_message(row), row.get("repeat", ANY_REPEAT), offset)
        return seen.hexdigest()

    def find(self, message: str, repeat: int, attempt: int) -> Recorded | None:
        for wanted in (repeat, ANY_REPEAT):
            offset = self._offsets.find(message, wanted, attempt)
            if offset is not None:
                return _recorded(_checked_row(line_at(self._rows, offset), self._name))
        return None

    def close(self) -> None:
        self._offsets.close()
        self._rows.close()


def _checked_row(line: bytes, where: str) -> dict[str, Any]:
    row = strict_loads(line, where=where)
    if type(row) is not dict or len({"item", "message"} & row.keys()) != 1:
        raise OperatorError("not a recorded reply", where=where, expected="an object with item or message")
    for name, value in row.items():
        if name not in ROW_SHAPE:
            expected = "one of " + ", ".join(ROW_SHAPE)
            raise OperatorError("unknown member", where=f"{where}: {shown(name)}", expected=expected)
        if wanted := ROW_SHAPE[name](value):
            raise OperatorError("a wrong value", where=f"{where}: {name}", expected=wanted, found=shown(repr(value)))
    return row


def _message(row: Mapping[str, Any]) -> str:
    return str(row["message"] if "message" in row else row["item"])


def _recorded(row: Mapping[str, Any]) -> Recorded:
    """Without a status, a row is an answer if it has a reply and no error, else an endpoint error."""
    answered = "reply" in row and row.get("error") is None
    status = CallStatus(row.get("status", CallStatus.ANSWERED if answered else CallStatus.ENDPOINT_ERROR))
    told = {name: row[name] for name in _REPLY if name in row}
    return Recorded(Reply(status=status, text=row.get("reply"), **told), row.get("delay_ms", 0))
