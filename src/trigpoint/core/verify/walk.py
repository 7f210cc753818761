"""One pass over suite, calls and rows side by side, so that memory doesn't grow with them (FND-06).

For each item in the suite's order and each repeat, the attempts and the row that are due are taken from
their files; where a file doesn't go on as it must, it is left there and what depends on it can't tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trigpoint.core.bundle.rows import call_from, row_from
from trigpoint.core.errors import BundleError, RefusedError, TrigpointError, shown
from trigpoint.core.grading import BY_STATUS, grade_reply
from trigpoint.core.harness import Harness
from trigpoint.core.message import input_sha256, item_message
from trigpoint.core.records import SETTLED, Call, CallStatus, Item, Reply, Row
from trigpoint.core.result import Tally
from trigpoint.core.suite import Suite
from trigpoint.core.verify.common import Case, fault
from trigpoint.core.verify.report import Check

CALLS_PATH, ITEMS_PATH = "calls.jsonl", "items.jsonl"

CALLS = Check(name="calls", file=CALLS_PATH, says="every attempt well-formed, in order, without holes")
RETRIES = Check(name="retries", file=CALLS_PATH, says="asked again only where the harness says so")
ITEMS = Check(name="items", file=ITEMS_PATH, says="every item × repeat once, in the suite's order")
INPUTS = Check(name="inputs", file=ITEMS_PATH, says="every input's digest recomputes from the suite")
REPLIES = Check(name="replies", file=ITEMS_PATH, says="every row is of its last attempt, a reply only where one came")
ANSWERS = Check(name="answers", file=ITEMS_PATH, says="every answer is read again in the reply")
GRADES = Check(name="grades", file=ITEMS_PATH, says="every outcome, credit, reason and grader recomputes")
WALKED = (CALLS, RETRIES, ITEMS, INPUTS, REPLIES, ANSWERS, GRADES)

_WHOLE = frozenset({CallStatus.ANSWERED, CallStatus.CUT_OFF})
_UNKNOWN = Reply(status=CallStatus.UNKNOWN)
_BY_STATUS = frozenset(outcome for outcome, _ in BY_STATUS.values())


class _Rows:
    """The rows of one file, one ahead. `usable` turns False where the file stops being what it must be."""

    def __init__(self, case: Case, path: str, check: Check) -> None:
        self._case, self._check, self.path = case, check, path
        self.usable = path in case.paths
        self.where, self.next = path, None
        self.count = 0
        self._lines: Iterator[tuple[str, Any]] = case.reader.rows(path) if self.usable else iter(())
        self.advance()

    def read(self, members: Any) -> Any:
        raise NotImplementedError

    def advance(self) -> None:
        """Read the next row into `next`; None at the end, or where the file is broken."""
        self.next = None
        try:
            line = next(self._lines, None)
            if line is not None:
                self.where = line[0]
                self.next = self.read(line[1])
                self.count += 1
        except RefusedError:
            raise
        except TrigpointError as error:
            self.stop(error)

    def stop(self, error: TrigpointError) -> None:
        """The file can't be followed any further."""
        self._case.board.fails(self._check, error)
        self.usable, self.next = False, None


class _Calls(_Rows):
    """calls.jsonl: attempts of one message × repeat stand together, numbered from 1."""

    def __init__(self, case: Case, harness: Harness | None, tally: Tally | None) -> None:
        self._harness, self._tally = harness, tally
        self._retry_of: int | None = None
        super().__init__(case, CALLS_PATH, CALLS)

    def read(self, members: Any) -> Call:
        call = call_from(members, self.where)
        self._retry_of = members["retry_of"]
        return call

    def take(self, message: str, repeat: int) -> Call | None:
        """The last attempt at this message × repeat; None where there is none."""
        last: Call | None = None
        tries = 0  # attempts that ended: a kill of the program says nothing about the endpoint
        while (call := self.next) is not None and call.message == message and call.repeat == repeat:
            self._look(call, last, tries)
            tries += call.reply.status is not CallStatus.UNKNOWN
            last = call
            self.advance()
        return last

    def _look(self, call: Call, before: Call | None, tries: int) -> None:
        board, where = self._case.board, self.where
        number = before.attempt if before else 0
        if call.attempt != number + 1:
            board.fails(CALLS, fault("a hole in the attempts", f"{where}: attempt", number + 1, call.attempt))
        if self._retry_of != (number or None):
            board.fails(CALLS, fault("not the attempt before", f"{where}: retry_of", number or None, self._retry_of))
        if (call.ended is None) != (call.reply.status is CallStatus.UNKNOWN):
            expected = "null where, and only where, the status is unknown"
            board.fails(CALLS, fault("an end that can't be", f"{where}: ended", expected, call.ended))
        if call.ended is not None and call.ended < call.begun:
            board.fails(CALLS, fault("ended before it began", f"{where}: ended", f"{call.begun} or later", call.ended))
        if call.reply.status is CallStatus.UNKNOWN and call.reply != _UNKNOWN:
            board.fails(CALLS, BundleError("something is known of an unknown attempt", where=where))
        if call.reply.status in _WHOLE and (call.reply.error is not None or (call.reply.http_status or 200) >= 400):
            found = f"{call.reply.status} with an error or status {call.reply.http_status}"
            board.fails(CALLS, BundleError("an error of a complete reply", where=where, found=found))
        if before is not None:
            self._look_at_retry(before.reply, tries)
        if self._tally:
            self._tally.call(call)

    def _look_at_retry(self, reply: Reply, tries: int) -> None:
        if reply.status in SETTLED:
            found = f"{reply.status} before"
            self._case.board.fails(
                RETRIES, BundleError("asked again after a complete reply", where=self.where, found=found)
            )
        elif self._harness and not self._harness.retry.repeats(reply, tries):
            found = f"{reply.status} before, after {tries} tries"
            self._case.board.fails(
                RETRIES, BundleError("asked again where the retry policy says no", where=self.where, found=found)
            )

    def drain(self) -> None:
        """Look at what is left, attempt by attempt, without knowing what is due."""
        while self.next is not None:
            self.take(self.next.message, self.next.repeat)

    def finish(self) -> None:
        if self.next is not None:
            found = f"{shown(self.next.message)}, repeat {self.next.repeat}"
            self.stop(BundleError("a call out of order, or of nothing that was asked", where=self.where, found=found))


class _Items(_Rows):
    """items.jsonl: one row an item × repeat."""

    def __init__(self, case: Case) -> None:
        super().__init__(case, ITEMS_PATH, ITEMS)

    def read(self, members: Any) -> Row:
        return row_from(members, self.where)

    def take(self, item: Item, repeat: int) -> tuple[Row, str] | None:
        """(row, where) of this item × repeat; None, and nothing any more, where another stands."""
        row, where = self.next, self.where
        if not self.usable:
            return None
        due = f"{item.id}, repeat {repeat}"
        if row is None:
            self.stop(BundleError("a row is absent", where=self.path, expected=due, found="the end of the file"))
            return None
        if row.item != item.id or row.repeat != repeat:
            found = f"{shown(row.item)}, repeat {row.repeat}"
            self.stop(BundleError("not the row that is due", where=where, expected=due, found=found))
            return None
        if row.credit is None:
            self.stop(BundleError("a row without credit", where=where, expected="a fair run scores every row"))
            return None
        self.advance()
        return row, where

    def drain(self) -> None:
        while self.next is not None:
            self.advance()

    def finish(self) -> None:
        if self.next is not None:
            self.stop(BundleError("a row beyond the last that is due", where=self.where, found=shown(self.next.item)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Walked:
    """What the pass came to."""

    tally: Tally | None  # None where items.jsonl could not be followed to its end
    calls_whole: bool  # whether calls.jsonl could
    why: str  # what is missing, where something is


def walk(case: Case, suite: Suite, harness: Harness | None, repeats: int) -> Walked:
    """Check every attempt and row."""
    tally = Tally(suite, repeats)
    calls, rows = _Calls(case, harness, tally), _Items(case)
    for item in suite.items():
        message = item_message(item, harness.system if harness else None)
        digest = input_sha256(message) if harness else None
        for repeat in range(1, repeats + 1):
            last = calls.take(message.id, repeat)
            taken = rows.take(item, repeat)
            if taken is None:
                break
            row, where = taken
            if calls.usable and last is None and row.attempt is not None:
                calls.stop(BundleError("no call of an attempted item", where=where, found=shown(row.item)))
            _look_at_row(case, item, row, where, digest=digest, last=last, calls_usable=calls.usable)
            tally.row(item, row)
        if not rows.usable:
            break
    else:
        rows.finish()
        calls.finish()
    calls.drain()
    why = _conclude(case, calls, rows, harness)
    return Walked(tally=tally if rows.usable else None, calls_whole=calls.usable, why=why)


def walk_alone(case: Case, harness: Harness | None, why: str) -> Walked:
    """Where nobody knows what is due; each attempt and row can still be looked at on its own."""
    calls, rows = _Calls(case, harness, None), _Items(case)
    calls.drain()
    rows.drain()
    for check in WALKED:
        case.board.cant_tell(check, why)
    return Walked(tally=None, calls_whole=False, why=why)


def _look_at_row(
    case: Case, item: Item, row: Row, where: str, *, digest: str | None, last: Call | None, calls_usable: bool
) -> None:
    if row.message != item.id:
        case.board.fails(ITEMS, fault("not the item's message", f"{where}: message", item.id, row.message))
    if digest is not None and row.input_sha256 != digest:
        case.board.fails(
            INPUTS, fault("not the digest of what was asked", f"{where}: input_sha256", digest, row.input_sha256)
        )
    status = last.reply.status if last else None
    if calls_usable:
        attempt = last.attempt if last else None
        if row.attempt != attempt:
            case.board.fails(REPLIES, fault("not the last attempt", f"{where}: attempt", attempt, row.attempt))
        if row.reply is not None and status not in SETTLED:
            found = "no attempt" if status is None else str(status)
            case.board.fails(REPLIES, fault("a reply where none came", f"{where}: reply", None, found))
    elif row.attempt is None or row.outcome in _BY_STATUS:
        return  # how the attempt ended stood in calls.jsonl alone
    else:
        status = CallStatus.ANSWERED
    _look_at_grade(case, item, row, where, status)


def _look_at_grade(case: Case, item: Item, row: Row, where: str, status: CallStatus | None) -> None:
    answer, grade = grade_reply(item, status, row.reply)
    if row.answer != answer:
        case.board.fails(ANSWERS, fault("not the answer in the reply", f"{where}: answer", answer, row.answer))
    if (row.outcome, row.credit, row.reason, row.grader) == (grade.outcome, grade.credit, grade.reason, grade.grader):
        return
    for name in ("outcome", "credit", "reason", "grader"):
        expected, found = getattr(grade, name), getattr(row, name)
        if expected != found:
            case.board.fails(GRADES, fault("not what the rule gives", f"{where}: {name}", expected, found))


def _conclude(case: Case, calls: _Calls, rows: _Items, harness: Harness | None) -> str:
    board = case.board
    no_calls = f"{CALLS_PATH} is absent" if CALLS_PATH not in case.paths else f"{CALLS_PATH} can't be followed"
    no_rows = f"{ITEMS_PATH} is absent" if ITEMS_PATH not in case.paths else f"{ITEMS_PATH} can't be followed"
    if not calls.usable:
        for check in (CALLS, RETRIES, REPLIES, ANSWERS, GRADES):
            board.cant_tell(check, no_calls)
    if not rows.usable:
        for check in WALKED:
            board.cant_tell(check, no_rows)
    if harness is None:
        board.cant_tell(RETRIES, "the harness can't be read")
        board.cant_tell(INPUTS, "the harness can't be read")
    board.holds(CALLS, f"{calls.count:,} attempts")
    board.holds(ITEMS, f"{rows.count:,} rows")
    for check in (RETRIES, INPUTS, REPLIES, ANSWERS, GRADES):
        board.holds(check)
    return (no_rows if not rows.usable else "") or (no_calls if not calls.usable else "")
