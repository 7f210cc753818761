"""A chat completions endpoint on loopback that answers at once, counts, and misbehaves on request.

    python -m benchmarks.loopback --port-file port.txt [--latency-ms 50]

A raw asyncio protocol, so that what a client costs is measured and not the server. The answer to
"What is A + B?" is the sum; anything else is echoed. A prompt that names a fault, such as `[fault:429-once]`,
gets it: see FAULTS. GET /stats tells what was asked; POST /reset forgets it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_SUM = re.compile(r"(-?\d+) \+ (-?\d+)")
_FAULT = re.compile(r"\[fault:([a-z0-9-]+)\]")
FAULTS = {
    "429-once": "the first attempt gets 429 with Retry-After: 0",
    "500-once": "the first attempt gets 500",
    "drop-once": "the first attempt's connection is closed without an answer",
    "400-always": "every attempt gets 400",
    "503-always": "every attempt gets 503",
    "drop-always": "every connection is closed without an answer",
    "null": "content is null",
    "cut": "the text is empty and the finish reason is length",
    "refusal": "the endpoint's own refusal member is set",
    "hang": "no answer at all",
    "key-text": "the key that was sent stands in the reply",
    "key-json": "the key stands inside JSON in the reply",
    "key-error": "the key stands in the body of a 400",
    "key-header": "the key stands in the request id header",
    "key-model": "the key stands in the served model's name",
}


class State:
    """What was asked so far."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.reset()

    def reset(self) -> None:
        self.seen: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.in_flight = self.most_in_flight = 0
        self.first = self.last = 0.0

    def stats(self) -> dict[str, Any]:
        span = self.last - self.first
        return {
            "requests": self.seen.total(),
            "prompts": len(self.seen),
            "answered": self.answered.total(),
            "answered_twice": sorted(prompt for prompt, count in self.answered.items() if count > 1),
            "seen": dict(self.seen) if len(self.seen) <= 10_000 else None,
            "most_in_flight": self.most_in_flight,
            "span_seconds": span,
            "rate": self.seen.total() / span if span > 0 else None,
        }


class Endpoint(asyncio.Protocol):
    """One connection: requests in turn, as HTTP/1.1 has them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.buffer = b""
        self.transport: asyncio.Transport | None = None
        self.waiting = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._next()

    def _next(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if self.waiting or end < 0:
            return
        head = self.buffer[:end]
        found = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        stop = end + 4 + (int(found.group(1)) if found else 0)
        if len(self.buffer) < stop:
            return
        body, self.buffer = self.buffer[end + 4 : stop], self.buffer[stop:]
        method, path, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
        key = re.search(rb"\r\nauthorization: *Bearer ([^\r]*)", head, re.IGNORECASE)
        self.waiting = True
        if path.endswith(b"/chat/completions"):
            self._ask(body, key.group(1).decode() if key else "")
        else:
            if path == b"/reset" and method == b"POST":
                self.state.reset()
            self._send(200, self.state.stats())

    def _ask(self, body: bytes, key: str) -> None:
        state = self.state
        request = json.loads(body)
        prompt = request["messages"][-1]["content"]
        state.seen[prompt] += 1
        state.in_flight += 1
        state.most_in_flight = max(state.most_in_flight, state.in_flight)
        state.last = time.monotonic()
        state.first = state.first or state.last
        arguments = (request, prompt, state.seen[prompt], key)
        if state.latency:
            asyncio.get_running_loop().call_later(state.latency, self._answer, *arguments)
        else:
            self._answer(*arguments)

    def _answer(self, request: dict[str, Any], prompt: str, attempt: int, key: str) -> None:
        state = self.state
        state.in_flight -= 1
        state.last = time.monotonic()
        if self.transport is None:
            return
        found = _FAULT.search(prompt)
        fault = found.group(1) if found else ""
        if (fault.startswith("drop") and (attempt == 1 or fault == "drop-always")) or fault == "hang":
            if fault != "hang":
                self.transport.abort()
            return
        if refused := _error(fault, attempt, key):
            self._send(*refused)
            return
        state.answered[prompt] += 1
        total = _SUM.search(prompt)
        text: str | None = str(int(total[1]) + int(total[2])) if total else prompt
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if fault in ("null", "refusal", "cut"):
            message["content"] = "" if fault == "cut" else None
        if fault == "refusal":
            message["refusal"] = "I can't help with that."
        if fault in ("key-text", "key-json"):
            message["content"] = f"{text} {key}" if fault == "key-text" else json.dumps({"answer": text, "sent": key})
        answer = {
            "id": f"chatcmpl-{state.answered.total()}",
            "object": "chat.completion",
            "created": 0,
            "model": f"served-{key}" if fault == "key-model" else request.get("model"),
            "choices": [{"index": 0, "finish_reason": "length" if fault == "cut" else "stop", "message": message}],
            "usage": {"prompt_tokens": len(prompt) // 4, "completion_tokens": 2, "total_tokens": len(prompt) // 4 + 2},
        }
        if request.get("stream"):
            self._stream(answer)
        else:
            self._send(200, answer, f"x-request-id: req-{key}\r\n" if fault == "key-header" else "")

    def _stream(self, answer: dict[str, Any]) -> None:
        """The same answer as events of three characters each, so that a key is split over several."""
        choice = answer["choices"][0]
        text = choice["message"]["content"] or ""
        deltas = [{"content": text[at : at + 3]} for at in range(0, len(text), 3)] or [{"content": ""}]
        base = {**answer, "object": "chat.completion.chunk"}
        if refusal := choice["message"].get("refusal"):
            deltas = [{"refusal": refusal}]
        events = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        events.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
        data = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + b"data: [DONE]\n\n"
        self._write(200, data, "text/event-stream", "")

    def _send(self, status: int, members: Any, extra: str = "") -> None:
        self._write(status, json.dumps(members, separators=(",", ":")).encode(), "application/json", extra)

    def _write(self, status: int, data: bytes, kind: str, extra: str) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n{extra}content-length: {len(data)}\r\n\r\n"
        if self.transport is not None:
            self.transport.write(head.encode() + data)
        self.waiting = False
        if self.buffer:
            self._next()


def _error(fault: str, attempt: int, key: str) -> tuple[int, dict[str, Any], str] | None:
    """(status, body, extra headers) of an error answer, None when this attempt gets a good one."""
    status = {"429-once": 429, "500-once": 500, "400-always": 400, "503-always": 503, "key-error": 400}.get(fault)
    if status is None or (fault.endswith("-once") and attempt > 1):
        return None
    said = f"bad key {key}" if fault == "key-error" else f"asked for {fault}"
    return status, {"error": {"message": said, "type": "loopback"}}, "retry-after: 0\r\n"


async def serve(latency: float, port_file: str) -> None:
    """Listen on a free port until SIGTERM; the port is written to `port_file` once listening."""
    loop, state = asyncio.get_running_loop(), State(latency)
    server = await loop.create_server(lambda: Endpoint(state), "127.0.0.1", 0, backlog=4096)
    _write_port(Path(port_file), server.sockets[0].getsockname()[1])
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()


def _write_port(place: Path, port: int) -> None:
    draft = place.with_suffix(".part")
    draft.write_text(str(port))
    draft.rename(place)


class Running:
    """A running endpoint: its base URL and its counts."""

    def __init__(self, port: int) -> None:
        self.host = f"http://127.0.0.1:{port}"
        self.base_url = f"{self.host}/v1"

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.host}/stats", timeout=30) as answer:  # noqa: S310 - loopback
            members: dict[str, Any] = json.load(answer)
        return members

    def reset(self) -> None:
        request = urllib.request.Request(f"{self.host}/reset", method="POST")  # noqa: S310 - loopback
        urllib.request.urlopen(request, timeout=30).close()  # noqa: S310 - loopback


@contextmanager
def running(folder: Path, latency_ms: float = 0) -> Iterator[Running]:
    """An endpoint in a process of its own, ended on leaving."""
    port_file = folder / f"port-{os.getpid()}-{time.monotonic_ns()}.txt"
    command = [sys.executable, __file__, "--port-file", str(port_file), "--latency-ms", str(latency_ms)]
    process = subprocess.Popen(command)
    try:
        while not port_file.exists():
            if process.poll() is not None:
                raise RuntimeError(f"the endpoint ended with {process.returncode}")
            time.sleep(0.01)
        yield Running(int(port_file.read_text()))
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    given = parser.parse_args()
    try:
        import uvloop

        uvloop.run(serve(given.latency_ms / 1000, given.port_file))
    except ImportError:
        asyncio.run(serve(given.latency_ms / 1000, given.port_file))


if __name__ == "__main__":
    main()
