"""Server-sent events, whatever way the bytes are cut (RUN-50)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.respondents.sse import Events


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        pytest.param(b"data: one\n\n", ["one"], id="one event"),
        pytest.param(b"data: one\r\n\r\ndata: two\r\n\r\n", ["one", "two"], id="CRLF"),
        pytest.param(b"data: one\r\rdata: two\r\r", ["one", "two"], id="CR alone"),
        pytest.param(b"data: a\ndata: b\n\n", ["a\nb"], id="several data lines are one text"),
        pytest.param(b"data:no space\n\n", ["no space"], id="the space after the colon may be left out"),
        pytest.param(b"data:  two\n\n", [" two"], id="only one space is taken away"),
        pytest.param(b": keep alive\n\n: again\ndata: x\n\n", ["x"], id="comments say nothing"),
        pytest.param(b"event: ping\nid: 7\nretry: 10\n\ndata: x\n\n", ["x"], id="other fields say nothing"),
        pytest.param(b"data\n\n", [""], id="a name alone is an empty value"),
        pytest.param(b"\xef\xbb\xbfdata: x\n\n", ["x"], id="a byte order mark at the start"),
        pytest.param("data: 😀é\u2028\x85x\n\n".encode(), ["😀é\u2028\x85x"], id="only CR and LF end a line"),
        pytest.param(b"data: one\n\ndata: half\n", ["one"], id="an event without its blank line never came"),
        pytest.param(b"data: [DONE]\n\n", ["[DONE]"], id="the closing word is data like any"),
        pytest.param(b"", [], id="nothing"),
    ],
)
def test_events_of_a_stream(stream, events):
    assert Events().feed(stream) == events


def test_a_line_that_is_no_utf8_is_refused():
    with pytest.raises(ValueError):
        Events().feed(b"data: \xff\n\n")


LINES = st.sampled_from(
    [b"data: a", b"data: \xf0\x9f\x98\x80", b"", b": c", b"event: e", b"data", b"\xef\xbb\xbfdata: b"]
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])


@given(st.lists(st.tuples(LINES, ENDS)), st.data())
def test_where_the_chunks_are_cut_never_matters(lines, data):
    stream = b"".join(line + end for line, end in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    events, got = Events(), []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += events.feed(stream[start:stop])
    whole = Events()
    assert got == whole.feed(stream)
