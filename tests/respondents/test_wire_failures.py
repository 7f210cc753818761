"""What an endpoint can do wrong, over every wire, streaming and not: each ends under its own name (RUN-50, RUN-51)."""

from __future__ import annotations

import asyncio
import gzip
import socket
from typing import Any

import pytest

from respondents.asking import WIRES, asked, message, respondent
from respondents.wire_bodies import TEXT, Script
from respondents.wire_server import Behaviour, WireServer
from trigpoint.core.records import CallStatus, Reply
from trigpoint.respondents import http

ERROR = CallStatus.ENDPOINT_ERROR
both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
every_wire = pytest.mark.parametrize("wire", list(WIRES))


def is_error(reply: Reply) -> bool:
    return reply.status is ERROR and reply.text is None and reply.reasoning is None and bool(reply.error)


@both
@every_wire
@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 413, 429, 500, 503, 529])
def test_an_error_status_is_an_endpoint_error_with_that_status(wire, stream, status):
    """RUN-51: whether to ask again is the harness's decision; the status and the wait are its grounds."""
    reply, seen = asked(wire, Behaviour(status=status, message="try\nlater\x1b[31m"), stream=stream)
    assert is_error(reply)
    assert (reply.http_status, reply.retryable, reply.retry_after_ms) == (status, False, None)
    assert reply.error.startswith(f"HTTP {status}: ")
    assert reply.error.endswith("try later[31m")
    assert len(seen) == 1


@both
@every_wire
@pytest.mark.parametrize(
    ("headers", "milliseconds"),
    [
        pytest.param({"Retry-After": "7"}, 7000, id="seconds"),
        pytest.param({"Retry-After": "0"}, 0, id="at once"),
        pytest.param({"retry-after-ms": "1500", "Retry-After": "7"}, 1500, id="the finer word wins"),
        pytest.param({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, id="a date in the past"),
        pytest.param({"Retry-After": "soon"}, None, id="unreadable"),
    ],
)
def test_retry_after_is_read(wire, stream, headers, milliseconds):
    reply, _ = asked(wire, Behaviour(status=429, headers=headers), stream=stream)
    assert (reply.http_status, reply.retry_after_ms) == (429, milliseconds)


@both
@every_wire
@pytest.mark.parametrize(
    ("inside", "status"),
    [(429, {}), (500, {}), (529, {"openai": 500, "openai-responses": 500})],
    ids=["429", "500", "529"],
)
def test_an_error_body_with_status_200_is_an_error_of_the_status_it_names(wire, stream, inside, status):
    reply, _ = asked(wire, Behaviour(inside=inside), stream=stream)
    assert is_error(reply)
    assert (reply.http_status, reply.extra) == (status.get(wire, inside), {"transport_status": 200})
    assert "not now" in reply.error


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        pytest.param(b'{"error": "busy"}', "busy", id="error as text"),
        pytest.param(b'{"error": {"message": "busy"}}', "busy", id="error without a code"),
        pytest.param(b'{"error": {"code": true, "message": "busy"}}', "busy", id="a code that is no number"),
        pytest.param(b'{"object": "error", "message": "busy"}', "busy", id="error as object kind"),
        pytest.param(b'{"error": {"metadata": {}}}', "an error without words", id="error without words"),
        pytest.param(b'{"error": [1, {"detail": "busy"}]}', "busy", id="a list of errors"),
        pytest.param(b'[{"error": {"message": "busy"}}]', "busy", id="inside a list"),
    ],
)
def test_an_error_body_that_names_no_status_keeps_200(raw, says):
    reply, _ = asked("openai", Behaviour(raw=raw))
    assert is_error(reply)
    assert (reply.error, reply.http_status, reply.extra) == (says, 200, {"transport_status": 200})


def test_an_error_inside_a_choice_is_an_error():
    raw = b'{"choices":[{"message":{"content":"half an ans"},"error":{"code":502,"message":"gone"}}]}'
    reply, _ = asked("openai", Behaviour(raw=raw))
    assert is_error(reply)
    assert (reply.http_status, reply.error) == (502, "502: gone")


@every_wire
@pytest.mark.parametrize("late", [429, 500])
def test_an_error_event_in_mid_stream_is_an_error_and_the_text_before_it_no_answer(wire, late):
    reply, _ = asked(wire, Behaviour(late_error=late), stream=True)
    assert is_error(reply)
    assert (reply.http_status, reply.extra) == (late, {"transport_status": 200})


def test_the_wait_inside_a_gemini_error_is_read():
    raw = b'{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"retryDelay":"34.5s"}]}}'
    reply, _ = asked("gemini", Behaviour(raw=raw))
    assert (reply.http_status, reply.retry_after_ms) == (429, 34_500)


@both
@pytest.mark.parametrize("wire", ["openai", "openai-responses"])
def test_an_error_code_that_means_a_refusal_is_one(wire, stream):
    """Some servers refuse a message with status 400 and a code for it, before the model has seen it."""
    raw = b'{"error":{"code":"content_filter","message":"filtered by policy","type":null}}'
    reply, _ = asked(wire, Behaviour(status=400, raw=raw), stream=stream)
    assert (reply.status, reply.text, reply.finish_reason) == (CallStatus.REFUSED, None, "content_filter")
    assert (reply.http_status, reply.retryable) == (400, False)


DEEP = b'{"choices":' + b"[" * 100_000


@both
@every_wire
@pytest.mark.parametrize(
    ("raw", "says"),
    [
        pytest.param(b"", "expected JSON, found nothing", id="nothing"),
        pytest.param(b"<html>Bad gateway</html>", 'expected JSON, found "<html>Bad', id="a page"),
        pytest.param(b'{"choices": [', "expected JSON", id="half an object"),
        pytest.param(b'{"a": "\xff"}', "can't be read", id="not UTF-8"),
        pytest.param(b"[]", "expected a JSON object, found a list", id="a list"),
        pytest.param(b"7", "expected a JSON object, found a number", id="a number"),
        pytest.param(b"null", "expected a JSON object, found null", id="null"),
        pytest.param(b"{}", "expected ", id="an empty object"),
        pytest.param(DEEP, "can't be read", id="nested without end"),
        pytest.param(b'{"n": ' + b"9" * 10_000 + b"}", "can't be read", id="a number without end"),
    ],
)
def test_a_body_that_can_t_be_read_is_an_error_that_says_what_was_expected(wire, stream, raw, says):
    reply, _ = asked(wire, Behaviour(raw=raw), stream=stream)
    assert is_error(reply)
    assert says in reply.error
    assert (reply.http_status, reply.retryable) == (200, False)


@pytest.mark.parametrize(
    ("wire", "raw", "says"),
    [
        ("openai", b'{"choices": []}', "expected choices[0] to be an object, found no choice"),
        ("openai", b'{"choices": [7]}', "expected choices[0] to be an object, found a number"),
        ("openai", b'{"choices": [{"text": "7"}]}', "expected choices[0].message to be an object, found null"),
        ("openai", b'{"choices": {"0": {}}}', "expected choices to be a list, found an object"),
        ("openai-responses", b'{"output": "7"}', "expected output to be a list, found text"),
        ("openai-responses", b'{"output": [], "status": "queued"}', 'expected status "completed" or "incomplete"'),
        ("openai-responses", b'{"output": [], "status": "failed"}', 'found "failed"'),
        ("anthropic", b'{"content": "7"}', "expected content to be a list, found text"),
        ("gemini", b'{"candidates": []}', "expected candidates[0] to be an object, found a list"),
        ("gemini", b'{"candidates": true}', "found true or false"),
    ],
)
def test_a_body_of_another_shape_is_an_error_that_names_the_member(wire, raw, says):
    reply, _ = asked(wire, Behaviour(raw=raw))
    assert is_error(reply)
    assert says in reply.error


@every_wire
@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"data: {half\n\n", id="malformed JSON"),
        pytest.param(b'data: {"a":"\xff"}\n\n', id="not UTF-8"),
        pytest.param(b"data: 7\n\n", id="no object"),
        pytest.param(b"data: " + DEEP + b"\n\n", id="nested without end"),
    ],
)
def test_a_stream_with_an_unreadable_event_is_an_error(wire, raw):
    closing = b'data: {"type":"message_stop"}\n\ndata: [DONE]\n\n'
    reply, _ = asked(wire, Behaviour(raw=raw + closing, raw_type="text/event-stream"), stream=True)
    assert is_error(reply)
    assert "stream can't be read" in reply.error
    assert (reply.http_status, reply.retryable) == (200, False)


@both
@every_wire
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_connection_cut_before_the_end_is_lost_in_transport(wire, stream, share):
    """RUN-51: a transport error may be asked again; the part that came is no answer."""
    reply, seen = asked(wire, Behaviour(cut_at=share), stream=stream)
    assert is_error(reply)
    assert (reply.http_status, reply.retryable) == (None, True)
    assert len(seen) == 1, "the transport itself never sends a request twice"


@every_wire
def test_a_stream_that_closes_in_order_without_its_closing_event_was_cut(wire):
    """For Gemini the closing event is the one with a finish reason."""
    reply, _ = asked(wire, Behaviour(drop_last=True), stream=True)
    assert is_error(reply)
    assert (reply.retryable, "closing event" in reply.error) == (True, True)


def test_a_chat_stream_that_says_done_without_a_finish_reason_was_cut():
    raw = b'data: {"choices":[{"index":0,"delta":{"content":"half an ans"}}]}\n\ndata: [DONE]\n\n'
    reply, _ = asked("openai", Behaviour(raw=raw, raw_type="text/event-stream"), stream=True)
    assert is_error(reply)
    assert reply.retryable


@both
@every_wire
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(Behaviour(wait=30), id="before the first byte"),
        pytest.param(Behaviour(wait_within=30), id="within the body"),
        pytest.param(Behaviour(status=500, wait_within=30), id="within an error body"),
    ],
)
def test_no_complete_reply_within_the_limit_is_a_time_out(wire, stream, does):
    reply, _ = asked(wire, does, stream=stream, timeout_seconds=0.2)
    assert (reply.status, reply.text, reply.error) == (CallStatus.TIMED_OUT, None, "no complete reply within 0.2 s")
    assert reply.latency_ms >= 200


@pytest.mark.parametrize("wire", ["openai", "openai-responses", "anthropic"])
def test_a_stream_left_open_after_its_closing_event_is_complete(wire):
    reply, _ = asked(wire, Behaviour(linger=30), stream=True, timeout_seconds=10)
    assert (reply.status, reply.text) == (CallStatus.ANSWERED, TEXT)
    assert reply.latency_ms < 10_000


@both
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(Behaviour(endless=True, raw=b" "), id="without end"),
        pytest.param(Behaviour(endless=True, raw=b": so\n", raw_type="text/event-stream"), id="a stream without end"),
        pytest.param(Behaviour(raw=b" " * 40_000_000), id="of a length it names"),
        pytest.param(
            Behaviour(raw=gzip.compress(b" " * 40_000_000), headers={"Content-Encoding": "gzip"}), id="once unpacked"
        ),
    ],
)
def test_a_huge_body_is_refused_by_counting(stream, does):
    """A limit counts bytes: 32 MiB, after unpacking."""
    reply, _ = asked("openai", does, stream=stream)
    assert is_error(reply)
    assert "expected at most 33,554,432 bytes, found more" in reply.error
    assert (reply.http_status, reply.retryable) == (200, False)


def test_a_large_body_below_the_limit_is_read():
    text = "x" * 5_000_000
    reply, _ = asked("openai", Behaviour(script=Script(parts=(text,))))
    assert reply.text == text


@both
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(stream, status):
    """FND-32: the key would go along to wherever the answer says."""

    async def ask() -> tuple[Reply, list[Any]]:
        async with WireServer() as other, WireServer() as server:
            headers = {"Location": f"{other.url}/v1/chat/completions"}
            server.behaviour = Behaviour(status=status, raw=b"", headers=headers)
            async with respondent("openai", base_url=f"{server.url}/v1", settings={"stream": stream}) as one:
                return await one.ask(message(), repeat=1, attempt=1), other.seen

    reply, seen_elsewhere = asyncio.run(ask())
    assert is_error(reply)
    assert (reply.http_status, seen_elsewhere) == (status, [])
    assert "redirect refused" in reply.error


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@every_wire
def test_a_refused_connection_is_lost_in_transport(wire):
    async def ask() -> Reply:
        async with respondent(wire, base_url=f"http://127.0.0.1:{free_port()}/v1") as one:
            return await one.ask(message(), repeat=1, attempt=1)

    reply = asyncio.run(ask())
    assert is_error(reply)
    assert (reply.http_status, reply.retryable) == (None, True)
    assert reply.error.startswith("no connection")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param(b"SSH-2.0-server\r\n\r\n", "answer is not valid HTTP", id="another protocol"),
        pytest.param(b"", "connection closed before an answer", id="closed at once"),
        pytest.param(b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "answer is not valid HTTP", id="a broken header"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "answer is not valid HTTP",
            id="a broken chunk",
        ),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
            "connection cut in mid-body",
            id="not the coding it says",
        ),
    ],
)
def test_an_answer_that_is_no_http_is_lost_in_transport(answer, says):
    async def ask() -> Reply:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, respondent("openai", base_url=f"http://127.0.0.1:{port}/v1") as one:
            return await one.ask(message(), repeat=1, attempt=1)

    reply = asyncio.run(ask())
    assert is_error(reply)
    assert (reply.error.split(" (")[0], reply.http_status, reply.retryable) == (says, None, True)


@both
def test_cancelling_an_ask_ends_its_request(stream):
    """RUN-51: Ctrl-C stops cleanly: the server sees the connection go."""

    async def ask() -> None:
        gone = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            begun.set()
            while await reader.read(1000):
                pass
            gone.set()
            writer.close()

        begun = asyncio.Event()
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        settings = {"stream": stream}
        async with server, respondent("openai", base_url=f"http://127.0.0.1:{port}/v1", settings=settings) as one:
            asking = asyncio.create_task(one.ask(message(), repeat=1, attempt=1))
            await begun.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await asyncio.wait_for(gone.wait(), 30)

    asyncio.run(ask())


@both
@every_wire
def test_one_connection_serves_many_asks_also_after_an_error_answer(wire, stream):
    async def ask() -> set[int]:
        async with WireServer() as server:
            settings = {"stream": stream}
            async with respondent(wire, base_url=f"{server.url}/v1", settings=settings) as one:
                for does in (Behaviour(), Behaviour(status=429), Behaviour(inside=500), Behaviour()):
                    server.behaviour = does
                    await one.ask(message(), repeat=1, attempt=1)
            return {seen.peer for seen in server.seen}

    assert len(asyncio.run(ask())) == 1


def test_at_most_as_many_connections_as_asks_may_be_under_way():
    async def ask() -> set[int]:
        async with WireServer(Behaviour(wait=0.01)) as server:
            async with respondent("openai", base_url=f"{server.url}/v1", concurrency=3) as one:
                await asyncio.gather(*(one.ask(message(), repeat=n, attempt=1) for n in range(12)))
            return {seen.peer for seen in server.seen}

    assert len(asyncio.run(ask())) == 3


def test_cookies_are_never_kept_and_no_proxy_is_taken_from_the_environment(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")

    async def ask() -> list[Any]:
        async with WireServer(Behaviour(headers={"Set-Cookie": "a=b; Path=/"})) as server:
            # by name: a cookie of a bare address wouldn't be kept by anybody
            async with respondent("openai", base_url=server.url.replace("127.0.0.1", "localhost") + "/v1") as one:
                replies = [await one.ask(message(), repeat=n, attempt=1) for n in (1, 2)]
            assert [reply.status for reply in replies] == [CallStatus.ANSWERED] * 2
            return server.seen

    assert all("Cookie" not in seen.headers for seen in asyncio.run(ask()))


def test_the_certificate_of_a_host_is_checked():
    """The session's own checks stay on: nothing in the transport turns them off."""
    transport = http.Transport(headers={}, concurrency=1)

    async def checks() -> object:
        await transport.open()
        try:
            return transport._session.connector._ssl
        finally:
            await transport.close()

    assert asyncio.run(checks()) is True
