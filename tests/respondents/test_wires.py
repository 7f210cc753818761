"""Every wire, streaming and not: what the endpoint says is what the reply holds (RUN-50)."""

from __future__ import annotations

import pytest

from respondents import wire_bodies as say
from respondents.asking import WIRES, asked
from respondents.wire_bodies import REFUSED, Script
from respondents.wire_server import Behaviour
from trigpoint.core.records import CallStatus, Usage

ANSWERED, CUT_OFF = CallStatus.ANSWERED, CallStatus.CUT_OFF
FINISH = {
    "openai": {
        "whole": "stop",
        "cut_off": "length",
        "refused": "stop",
        "filtered": "content_filter",
        "tools": "tool_calls",
    },
    "openai-responses": {
        "whole": "completed",
        "cut_off": "max_output_tokens",
        "refused": "completed",
        "filtered": "content_filter",
        "tools": "completed",
    },
    "anthropic": {
        "whole": "end_turn",
        "cut_off": "max_tokens",
        "refused": "refusal",
        "filtered": "refusal",
        "tools": "tool_use",
    },
    "gemini": {
        "whole": "STOP",
        "cut_off": "MAX_TOKENS",
        "refused": "SAFETY",
        "filtered": "PROHIBITED_CONTENT",
        "blocked": "PROHIBITED_CONTENT",
        "tools": "STOP",
    },
}

both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
every_wire = pytest.mark.parametrize("wire", list(WIRES))


@both
@every_wire
@pytest.mark.parametrize(
    ("script", "status", "text"),
    [
        pytest.param(Script(), ANSWERED, say.TEXT, id="right answer"),
        pytest.param(Script(parts=("The ", "ans\nwer ", "is 7")), ANSWERED, "The ans\nwer is 7", id="several parts"),
        pytest.param(Script(parts=("",)), ANSWERED, "", id="empty text"),
        pytest.param(Script(parts=("", "")), ANSWERED, "", id="several empty parts"),
        pytest.param(Script(parts=()), ANSWERED, None, id="no text at all"),
        pytest.param(Script(ending="cut_off"), CUT_OFF, say.TEXT, id="cut off with text"),
        pytest.param(Script(ending="cut_off", parts=("",)), CUT_OFF, "", id="cut off before any text"),
        pytest.param(Script(ending="tools"), ANSWERED, None, id="tool call instead of text"),
        pytest.param(Script(ending="refused"), CallStatus.REFUSED, None, id="refusal"),
        pytest.param(Script(reasoning="3 and 4 are 7"), ANSWERED, say.TEXT, id="reasoning"),
        pytest.param(Script(reasoning="hm", ending="cut_off", parts=("",)), CUT_OFF, "", id="cut off while reasoning"),
        pytest.param(Script(unknown=True, reasoning="hm"), ANSWERED, say.TEXT, id="unknown fields"),
        pytest.param(Script(unknown=True, ending="tools"), ANSWERED, None, id="unknown fields beside a tool call"),
    ],
)
def test_a_complete_reply_is_read_as_the_wire_means_it(wire, stream, script, status, text):
    """RUN-50: text, refusals, cut-offs and reasoning, each in its own place, whatever the wire."""
    reply, _ = asked(wire, Behaviour(script=script), stream=stream)
    assert (reply.status, reply.text, reply.error) == (status, text, None)
    assert reply.reasoning == script.reasoning
    assert reply.finish_reason == FINISH[wire][script.ending]
    assert reply.served_model == say.SERVED
    assert reply.usage == Usage(input_tokens=say.INPUT, output_tokens=say.OUTPUT, reasoning_tokens=say.REASONED)
    assert (reply.http_status, reply.retryable, reply.repaired) == (200, False, False)
    assert reply.latency_ms is not None
    assert reply.extra.get("tool_calls", 0) == (script.ending == "tools")
    assert reply.extra.get("system_fingerprint") == ("fp_1" if wire == "openai" else None)


@both
@pytest.mark.parametrize("wire", ["openai", "openai-responses", "anthropic"])
def test_the_words_of_a_refusal_are_kept_apart_from_the_text(wire, stream):
    reply, _ = asked(wire, Behaviour(script=Script(ending="refused")), stream=stream)
    assert reply.extra["refusal"] == REFUSED


@both
@pytest.mark.parametrize(
    ("wire", "ending"),
    [("openai", "filtered"), ("openai-responses", "filtered"), ("gemini", "filtered"), ("gemini", "blocked")],
)
def test_a_reply_that_the_endpoint_filtered_is_a_refusal(wire, ending, stream):
    reply, _ = asked(wire, Behaviour(script=Script(ending=ending)), stream=stream)
    assert (reply.status, reply.finish_reason) == (CallStatus.REFUSED, FINISH[wire][ending])


@both
@every_wire
@pytest.mark.parametrize("piece", [1, 2, 7, 64])
def test_a_reply_may_come_in_pieces_of_any_size(wire, stream, piece):
    """Characters of several bytes, line ends and events are cut anywhere."""
    reply, _ = asked(wire, Behaviour(script=Script(reasoning="über"), piece=piece), stream=stream)
    assert (reply.status, reply.text, reply.reasoning) == (ANSWERED, say.TEXT, "über")


@both
@every_wire
@pytest.mark.parametrize("name", ["x-request-id", "request-id"])
def test_the_request_id_is_the_header_s(wire, stream, name):
    reply, _ = asked(wire, Behaviour(headers={name: "req-77"}), stream=stream)
    assert reply.request_id == "req-77"


@both
@pytest.mark.parametrize(
    ("wire", "own"),
    [("openai", "chatcmpl-1"), ("openai-responses", "resp_1"), ("anthropic", "msg_1"), ("gemini", "gem_1")],
)
def test_without_that_header_it_is_the_body_s_id(wire, own, stream):
    reply, _ = asked(wire, Behaviour(), stream=stream)
    assert reply.request_id == own


SURROGATE = {
    "openai": b'{"choices":[{"message":{"content":"a\\ud800b"},"finish_reason":"stop"}],"model":"\\udfff"}',
    "openai-responses": b'{"output":[{"type":"message","content":[{"type":"output_text","text":"a\\ud800b"}]}],'
    b'"status":"completed","model":"\\udfff"}',
    "anthropic": b'{"content":[{"type":"text","text":"a\\ud800b"}],"stop_reason":"end_turn","model":"\\udfff"}',
    "gemini": b'{"candidates":[{"content":{"parts":[{"text":"a\\ud800b"}]}}],"modelVersion":"\\udfff"}',
}


@every_wire
def test_a_lone_surrogate_is_replaced_and_said(wire):
    """FND-02: texts are Unicode without lone surrogates."""
    reply, _ = asked(wire, Behaviour(raw=SURROGATE[wire]))
    assert (reply.text, reply.repaired, reply.served_model) == ("a\ufffdb", True, "\ufffd")


def test_a_repaired_reasoning_is_said_too():
    raw = b'{"choices":[{"message":{"content":"7","reasoning":"a\\ud800"}}]}'
    reply, _ = asked("openai", Behaviour(raw=raw))
    assert (reply.text, reply.reasoning, reply.repaired) == ("7", "a\ufffd", True)


@every_wire
def test_a_stream_asked_for_but_answered_whole_is_read_whole(wire):
    raw = SURROGATE[wire].replace(b"\\ud800", b"-")
    reply, _ = asked(wire, Behaviour(raw=raw), stream=True)
    assert (reply.status, reply.text) == (ANSWERED, "a-b")


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        pytest.param("{}", (None, None, None), id="nothing reported"),
        pytest.param('{"prompt_tokens": 0, "completion_tokens": 5}', (0, 5, None), id="zero is a count"),
        pytest.param('{"prompt_tokens": "9", "completion_tokens": 1.5}', (None, None, None), id="not a whole number"),
        pytest.param('{"prompt_tokens": -1, "completion_tokens": true}', (None, None, None), id="not a count"),
        pytest.param('{"prompt_tokens": 9007199254740993}', (None, None, None), id="too large for JSON"),
        pytest.param("[1, 2]", (None, None, None), id="not an object"),
    ],
)
def test_token_counts_are_taken_only_where_they_are_counts(usage, counts):
    raw = b'{"choices":[{"message":{"content":"7"}}],"usage":%s}' % usage.encode()
    reply, _ = asked("openai", Behaviour(raw=raw))
    assert (reply.status, reply.text) == (ANSWERED, "7")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.reasoning_tokens) == counts


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        pytest.param('{"content":"7","reasoning":"r"}', "7", "r", id="named reasoning"),
        pytest.param('{"content":"7","reasoning_content":"r","reasoning":"s"}', "7", "r", id="under both names"),
        pytest.param('{"content":"7","reasoning_content":""}', "7", None, id="empty reasoning is none"),
        pytest.param(
            '{"content":[{"type":"thinking","thinking":[{"type":"text","text":"r"}]},{"type":"text","text":"7"}]}',
            "7",
            "r",
            id="as parts of the content",
        ),
        pytest.param('{"content":"<think>r</think>7"}', "<think>r</think>7", None, id="inside the text it is text"),
        pytest.param('{"content":7}', None, None, id="content that is no text"),
        pytest.param('{"content":"","tool_calls":[{}]}', None, None, id="an empty text beside a tool call is none"),
        pytest.param('{"content":"7","tool_calls":[{}]}', "7", None, id="a text beside a tool call"),
    ],
)
def test_reasoning_under_the_names_that_servers_give_it(message, text, reasoning):
    reply, _ = asked("openai", Behaviour(raw=b'{"choices":[{"message":%s}]}' % message.encode()))
    assert (reply.status, reply.text, reply.reasoning) == (ANSWERED, text, reasoning)


def test_the_first_choice_of_a_stream_is_the_reply():
    chunk = 'data: {"choices":[{"index":%d,"delta":{"content":"%s"},"finish_reason":"stop"}]}\n\n'
    raw = chunk % (1, "no") + chunk % (0, "7") + chunk % (1, "no") + "data: [DONE]\n\n"
    reply, _ = asked("openai", Behaviour(raw=raw.encode(), raw_type="text/event-stream"), stream=True)
    assert reply.text == "7"


def test_the_first_candidate_of_a_gemini_stream_is_the_reply():
    two = b'{"content":{"parts":[{"text":"7"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"no"}]}}'
    does = Behaviour(raw=b'data: {"candidates":[%s]}\n\n' % two, raw_type="text/event-stream")
    assert asked("gemini", does, stream=True)[0].text == "7"


def test_the_reasoning_itself_goes_before_its_summary():
    item = b'{"type":"reasoning","summary":[{"text":"in short"}],"content":[{"text":"at "},{"text":"length"}]}'
    reply, _ = asked("openai-responses", Behaviour(raw=b'{"status":"completed","output":[%s]}' % item))
    assert (reply.text, reply.reasoning) == (None, "at length")


@every_wire
@pytest.mark.parametrize(
    "text", ["\0text\0", "\ud800", "", '\\"\u2028'], ids=["marker", "surrogate", "empty", "escapes"]
)
def test_any_text_goes_out_as_it_is(wire, text):
    """The system prompt may hold anything too, also what stands for the text while a body is made."""
    _, seen = asked(wire, Behaviour(), system="a \0text\0 b", text=text)
    assert [inner for inner in leaves(seen[0].body) if inner in (text, "a \0text\0 b")] == ["a \0text\0 b", text]


def leaves(value: object) -> list[object]:
    inner = value.values() if isinstance(value, dict) else value
    return [leaf for each in inner for leaf in leaves(each)] if isinstance(value, dict | list) else [value]


def test_a_responses_stream_whose_last_event_leaves_the_items_out_is_still_whole():
    item = '{"type":"message","content":[{"type":"output_text","text":"7"}]}'
    raw = f'data: {{"type":"response.output_item.done","item":{item}}}\n\n'
    raw += 'data: {"type":"response.completed","response":{"status":"completed","output":[]}}\n\n'
    reply, _ = asked("openai-responses", Behaviour(raw=raw.encode(), raw_type="text/event-stream"), stream=True)
    assert (reply.status, reply.text) == (ANSWERED, "7")


@pytest.mark.parametrize(("wire", "word"), [("anthropic", "model_context_window_exceeded"), ("gemini", "CONTINUATION")])
def test_another_limit_that_ends_a_reply_is_a_cut_off_too(wire, word):
    raw = {
        "anthropic": b'{"content":[{"type":"text","text":"a"}],"stop_reason":"%s"}',
        "gemini": b'{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"%s"}]}',
    }[wire] % word.encode()
    reply, _ = asked(wire, Behaviour(raw=raw))
    assert (reply.status, reply.text, reply.finish_reason) == (CUT_OFF, "a", word)


@every_wire
def test_a_finish_word_that_nobody_knows_is_kept_and_the_reply_taken_as_whole(wire):
    raw = {
        "openai": b'{"choices":[{"message":{"content":"7"},"finish_reason":"eos"}]}',
        "openai-responses": b'{"output":[{"type":"message","content":[{"type":"output_text","text":"7"}]}]}',
        "anthropic": b'{"content":[{"type":"text","text":"7"}],"stop_reason":"eos"}',
        "gemini": b'{"candidates":[{"content":{"parts":[{"text":"7"}]},"finishReason":"eos"}]}',
    }[wire]
    reply, _ = asked(wire, Behaviour(raw=raw))
    assert (reply.status, reply.text) == (ANSWERED, "7")
    assert reply.finish_reason == (None if wire == "openai-responses" else "eos")
