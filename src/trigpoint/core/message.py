"""Suite → messages, under the answer contracts: how an answer is asked for and found (RUN-02).

A contract is a sentence put below the task and the parser that reads what comes back. Both are part of
the harness, so changing one is a new contract version and a new run tuple.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from trigpoint.core.canonical import digest
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import Answer, Item, Message

_ANSWER_LINE = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*)*(?:\*\*|__)?ANSWER:(?:\*\*|__)?", re.MULTILINE)
_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class Contract:
    """How one kind of answer is asked for and read."""

    id: str  # name and version, as the harness records it
    instruction: str  # stands below the task's text; "" = nothing is added
    read: Callable[[str], Answer]


def final_answer(reply: str) -> Answer:
    """What follows the last line that begins with `ANSWER:`, to the end of the reply, trimmed.

    Markdown emphasis, headings and quote marks before the word are allowed, and a pair of `**` that
    closes behind the answer is taken off. Upper case only: prose that mentions an answer is no answer.
    """
    lines = list(_ANSWER_LINE.finditer(reply))
    if not lines:
        return _unreadable("no line begins with ANSWER:")
    found = lines[-1]
    text = reply[found.end() :].strip()
    opened = found.group().count("**") % 2 == 1  # **ANSWER: 12** opens before the word, closes behind
    if opened and text.endswith("**"):
        text = text[:-2].rstrip()
    elif text.startswith("**") and text.endswith("**") and len(text) > 4 and "**" not in text[2:-2]:
        text = text[2:-2].strip()
    return Answer(text=text) if text else _unreadable("nothing stands after ANSWER:")


def _unreadable(reason: str) -> Answer:
    return Answer(text=None, reason=reason, outcome=Outcome.FORMAT_NOT_RECOGNISED)


def whole_reply(reply: str) -> Answer:
    """The whole reply, trimmed."""
    return Answer(text=reply.strip())


def unfenced(text: str) -> str:
    """The inside of one Markdown code fence that is the whole of `text`; else `text` itself."""
    lines = text.split("\n")
    opening = _FENCE.match(lines[0])
    if opening is None or len(lines) < 2:
        return text
    closing = opening.group(1)
    inner = [line.strip() for line in lines[1:]]
    return "\n".join(lines[1:-1]) if closing in inner and inner.index(closing) == len(inner) - 1 else text


def json_reply(reply: str) -> Answer:
    """The whole reply trimmed, or the inside of one code fence that is the whole reply."""
    text = unfenced(reply.strip()).strip()
    if not text.startswith(("{", "[")):
        return _unreadable("the reply is not JSON alone")
    return Answer(text=text)


CONTRACTS: dict[str, Contract] = {
    "final-answer": Contract(
        id="final-answer/1",
        instruction=(
            "You may think first. Then finish with one last line that starts with ANSWER: in capital letters,"
            " followed by your final answer and nothing else."
        ),
        read=final_answer,
    ),
    "whole-reply": Contract(
        id="whole-reply/1",
        instruction="Reply with the requested text only, without any introduction or comment.",
        read=whole_reply,
    ),
    "json": Contract(
        id="json/1",
        instruction="Reply with the JSON only, without any introduction or comment.",
        read=json_reply,
    ),
}


def message_text(item: Item) -> str:
    """The text sent for one item: its prompt, a blank line, its contract's instruction."""
    instruction = CONTRACTS[item.contract].instruction
    return f"{item.prompt}\n\n{instruction}" if instruction else item.prompt


def item_message(item: Item, system: str | None) -> Message:
    """The message of a fair run: one item, and nothing of any other."""
    return Message(id=item.id, index=item.index, system=system, text=message_text(item), items=(item.id,))


def input_sha256(message: Message) -> str:
    """The digest a row keeps of what was asked: of the canonical form of {"system", "text"} (RUN-40)."""
    return digest({"system": message.system, "text": message.text})
