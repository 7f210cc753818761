"""Reply → answer → grade, for one item: what a run does, and what a verifier does again (RUN-23)."""

from __future__ import annotations

from fractions import Fraction

from trigpoint.core.graders import grader_for
from trigpoint.core.message import CONTRACTS
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import CallStatus, Grade, Item

#: An attempt that gave no complete reply is graded by its status alone, never by its text.
BY_STATUS: dict[CallStatus, tuple[Outcome, str]] = {
    CallStatus.REFUSED: (Outcome.REFUSED_RULE, "the endpoint signals a refusal"),
    CallStatus.CUT_OFF: (Outcome.CUT_OFF, "the endpoint signals that the output limit was reached"),
    CallStatus.TIMED_OUT: (Outcome.TIMED_OUT, "no complete reply within the time limit"),
    CallStatus.ENDPOINT_ERROR: (Outcome.ENDPOINT_ERROR, "no reply after every attempt the harness allows"),
    CallStatus.UNKNOWN: (Outcome.ENDPOINT_ERROR, "the last attempt was begun and its end never recorded"),
}


def grade_reply(item: Item, status: CallStatus | None, text: str | None) -> tuple[str | None, Grade]:
    """(answer as read, grade) of what came back for a fair run's item; `status` None = never attempted.

    A fair run scores every item: where nothing could be graded the credit is 0, under its own name.
    """
    if status is None:
        return None, _zero(item, Outcome.NOT_ATTEMPTED, "no request was sent")
    if status in BY_STATUS:
        return None, _zero(item, *BY_STATUS[status])
    if text is None or not text.strip():
        return None, _zero(item, Outcome.MISSING, "the reply has no text")
    answer = CONTRACTS[item.contract].read(text)
    if answer.text is None:
        return None, _zero(item, Outcome.FORMAT_NOT_RECOGNISED, answer.reason)
    grade = grader_for(item.grader.rule).grade(answer.text, item.grader)
    if grade.credit is None:
        return answer.text, _zero(item, grade.outcome, grade.reason)
    return answer.text, grade


def _zero(item: Item, outcome: Outcome, reason: str) -> Grade:
    return Grade(outcome=outcome, credit=Fraction(0), reason=reason, grader=item.grader.rule)
