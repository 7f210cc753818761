"""Contracts: how an answer is asked for and found in a reply (RUN-02, RUN-23)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.canonical import digest
from trigpoint.core.message import (
    CONTRACTS,
    final_answer,
    input_sha256,
    item_message,
    json_reply,
    message_text,
    unfenced,
    whole_reply,
)
from trigpoint.core.outcomes import Outcome
from trigpoint.core.records import GraderSpec, Item, ItemId, Message

FINAL = [
    ("ANSWER: 12", "12"),
    ("Thinking.\nANSWER: 12", "12"),
    ("ANSWER: 11\nNo, wait.\nANSWER: 12", "12"),
    ("**ANSWER:** 12", "12"),
    ("**ANSWER: 12**", "12"),
    ("__ANSWER:__ 12", "12"),
    ("**ANSWER:** **12**", "12"),
    ("## ANSWER: 12", "12"),
    ("> ANSWER: 12", "12"),
    ("   ANSWER:12   \n\n", "12"),
    ("ANSWER:\n12", "12"),
    ("ANSWER: a\nb\nc", "a\nb\nc"),
    ("ANSWER: 12\r\n", "12"),
    ("ANSWER: 2**3**", "2**3**"),
    ("**ANSWER:** a ** b", "a ** b"),
    ("ANSWER: **1**", "1"),
    ("ANSWER: ****", "****"),
    ("ANSWER: **a** b **c**", "**a** b **c**"),
    ("ANSWER: ****a**", "****a**"),
    ("ANSWER: **a****", "**a****"),
    ("ANSWER: ** a **", "a"),
    ("**ANSWER: 1 ** ", "1"),
    ("###### ANSWER: 1", "1"),
    ("> > ANSWER: 1", "1"),
    ("\tANSWER: 1", "1"),
]
UNREAD = [
    "",
    "12",
    "The ANSWER: 12",
    "answer: 12",
    "Answer: 12",
    "ANSWER 12",
    "ANSWER:",
    "ANSWER: \n \n",
    "FINAL ANSWER: 3",
]


@pytest.mark.parametrize(("reply", "answer"), FINAL)
def test_the_final_answer_is_what_follows_the_last_answer_line(reply: str, answer: str) -> None:
    assert final_answer(reply).text == answer


@pytest.mark.parametrize("reply", UNREAD)
def test_without_an_answer_line_the_format_is_not_recognised(reply: str) -> None:
    """RUN-23: no repair: a parser failure is counted by name."""
    read = final_answer(reply)
    assert read.text is None
    assert read.outcome is Outcome.FORMAT_NOT_RECOGNISED
    stands = reply.startswith("ANSWER:")
    assert read.reason == ("nothing stands after ANSWER:" if stands else "no line begins with ANSWER:")


JSON = [
    ('{"a": 1}', '{"a": 1}'),
    ("\n [1]\n", "[1]"),
    ('```json\n{"a": 1}\n```', '{"a": 1}'),
    ("~~~\n[1]\n~~~", "[1]"),
    ('````\n{"a": "```"}\n````', '{"a": "```"}'),
    ("Here it is:\n{}", None),
    ("```json\n{}\n```\nDone.", None),
    ("```json\n{}\n```\n```json\n{}\n```", None),
    ('"text"', None),
    ("``` {} ```", None),
    ("```\n{}", None),
    ("```\n{}\n~~~", None),
    ("~~~json\n{}\n~~~", "{}"),
    ("  ```\n{}\n  ```  ", "{}"),
    ("```\n\n{}\n\n```", "{}"),
    ("```js`on\n{}\n```", None),
    ("", None),
]


@pytest.mark.parametrize(("reply", "answer"), JSON)
def test_json_is_the_whole_reply_or_the_one_fence_that_is(reply: str, answer: str | None) -> None:
    read = json_reply(reply)
    assert read.text == answer
    if answer is None:
        assert (read.outcome, read.reason) == (Outcome.FORMAT_NOT_RECOGNISED, "the reply is not JSON alone")


def test_the_whole_reply_is_trimmed_and_nothing_else() -> None:
    assert whole_reply("\n  a\n\n b \n").text == "a\n\n b"


@given(st.text(alphabet="`~ \nAN SWER:*{}[]", max_size=60))
def test_no_reply_raises(reply: str) -> None:
    for contract in CONTRACTS.values():
        contract.read(reply)
    unfenced(reply)


@pytest.mark.parametrize("piece", ["`", "ANSWER:\n", "> ", "#### ", "**", "```\n", " ", "{"])
def test_a_hostile_megabyte_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    """FND-30: linear patterns; a quadratic one would not end here."""
    reply = piece * (1_000_000 // len(piece))
    for contract in CONTRACTS.values():
        contract.read(reply)


def an_item(contract: str) -> Item:
    spec = GraderSpec(rule="exact/1", expected="x")
    return Item(
        id=ItemId("i"),
        index=0,
        category="c",
        weight=1,
        prompt="Why?",
        grader=spec,
        contract=contract,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_message_is_the_prompt_then_the_instruction(name: str) -> None:
    assert message_text(an_item(name)) == f"Why?\n\n{CONTRACTS[name].instruction}"


def test_a_fair_run_s_message_holds_one_item_and_the_system_prompt() -> None:
    item = an_item("json")
    sent = item_message(item, "Be brief.")
    assert sent == Message(id="i", index=0, system="Be brief.", text=message_text(item), items=(item.id,))
    assert item_message(item, None).system is None


def test_the_contracts_are_known_by_name_and_version() -> None:
    """RUN-02: a changed instruction or parser is a new version; these bytes are in every harness digest."""
    assert {name: contract.id for name, contract in CONTRACTS.items()} == {
        "final-answer": "final-answer/1",
        "whole-reply": "whole-reply/1",
        "json": "json/1",
    }
    instructions = {name: contract.instruction for name, contract in CONTRACTS.items()}
    assert digest(instructions) == "af9883f1a53afafe7a29d431dfc007689a5d11722c4f634fb99a5055bb8f5e9e"


def test_the_input_digest_tells_system_and_text_apart() -> None:
    """RUN-40: the exact input's hash."""
    one = Message(id="i", index=0, system="a", text="b", items=())
    assert input_sha256(one) == digest({"system": "a", "text": "b"})
    others = [
        Message(id="i", index=0, system=s, text=t, items=()) for s, t in [(None, "a\n\nb"), ("ab", ""), ("", "ab")]
    ]
    assert len({input_sha256(m) for m in (one, *others)}) == 4
