"""Reply → answer → grade, for one item: what a run does, and what a verifier does again (RUN-23)."""

from __future__ import annotations

from fractions import Fraction

from trigpoint.core.graders import grader_for
from trigpoint.core.message import CONTRACTS
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Answer, CallStatus, Grade, Item

#: An attempt that gave no complete reply is graded by its status alone, never by its text.
BY_STATUS: dict[CallStatus | None, tuple[Outcome, str]] = {
    None: (Outcome.NOT_ATTEMPTED, "no request was sent"),
    CallStatus.REFUSED: (Outcome.REFUSED_RULE, "the endpoint signals a refusal"),
    CallStatus.CUT_OFF: (Outcome.CUT_OFF, "the endpoint signals that the output limit was reached"),
    CallStatus.TIMED_OUT: (Outcome.TIMED_OUT, "no complete reply within the time limit"),
    CallStatus.ENDPOINT_ERROR: (Outcome.ENDPOINT_ERROR, "no reply after every attempt the harness allows"),
    CallStatus.UNKNOWN: (Outcome.ENDPOINT_ERROR, "the last attempt was begun and its end never recorded"),
}


def read_answer(item: Item, status: CallStatus | None, text: str | None) -> Answer:
    """The answer to one item in the reply of a last attempt; `status` None = never attempted."""
    if status in BY_STATUS:
        outcome, reason = BY_STATUS[status]
        return Answer(text=None, reason=reason, outcome=outcome)
    if text is None or not text.strip():
        return Answer(text=None, reason="the reply has no text", outcome=Outcome.MISSING)
    return CONTRACTS[item.contract].read(text)


def grade_answer(item: Item, answer: Answer) -> Grade:
    """The grade of one answer in a fair run, which scores every item.

    Where there is no answer, or its value can't be told, the credit is 0 under a name of its own.
    """
    if answer.text is None:
        outcome, reason = answer.outcome or Outcome.FORMAT_NOT_RECOGNISED, answer.reason
        return Grade(outcome=outcome, credit=Fraction(0), reason=reason, grader=item.grader.rule)
    grade = grader_for(item.grader.rule).grade(answer.text, item.grader)
    credit = Fraction(0) if grade.credit is None else grade.credit
    return Grade(outcome=grade.outcome, credit=credit, reason=grade.reason, grader=item.grader.rule)


def grade_reply(item: Item, status: CallStatus | None, text: str | None) -> tuple[str | None, Grade]:
    """(answer as read, grade) of what came back for one item."""
    answer = read_answer(item, status, text)
    return answer.text, grade_answer(item, answer)
