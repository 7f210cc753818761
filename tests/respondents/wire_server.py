"""A loopback server that speaks all four wires and misbehaves on demand: the twin of the real endpoints."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from respondents.wire_bodies import FORMATS, Format, Script, encoded_event


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """What the server does with every request. Without anything set it answers `script` in good order."""

    script: Script = field(default_factory=Script)
    status: int = 200  # from 400 up: an error body of the wire, saying `message`
    message: str = "not now"
    inside: int | None = None  # status 200, with the error body that belongs to this status
    late_error: int | None = None  # in a stream: the error event of this status after some events
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # this body instead
    raw_type: str = "application/json"
    cut_at: float | None = None  # the connection is cut after this share of the bytes
    drop_last: bool = False  # a stream closes in order, but without its last event
    piece: int = 0  # bytes a write; 0 = all at once
    wait: float = 0.0  # seconds before the first byte
    wait_within: float = 0.0  # seconds between the first half of the bytes and the rest
    linger: float = 0.0  # seconds for which the connection stays open after the last event
    endless: bool = False  # bytes without end


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One request as it arrived."""

    path: str  # with the query
    headers: Mapping[str, str]
    body: Any
    peer: int  # the client's port: the same for requests over one connection


class WireServer:
    """`async with WireServer(behaviour) as server:` listens on a free loopback port until the end of the block."""

    def __init__(self, behaviour: Behaviour | None = None) -> None:
        self.behaviour = behaviour or Behaviour()
        self.seen: list[Seen] = []
        self._app = web.Application()
        self._app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(self._app, shutdown_timeout=0.1)

    async def __aenter__(self) -> WireServer:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        peer = request.transport.get_extra_info("peername")[1] if request.transport else 0
        self.seen.append(Seen(path=request.path_qs, headers=dict(request.headers), body=body, peer=peer))
        found = next((form for end, form in FORMATS.items() if request.path.endswith(end)), None)
        if found is None:
            return web.json_response({"error": "no such path"}, status=404)
        streamed = "streamGenerateContent" in request.path or bool(body and body.get("stream"))
        return await self._answer(request, found, streamed)

    async def _answer(self, request: web.Request, form: Format, streamed: bool) -> web.StreamResponse:
        does = self.behaviour
        await asyncio.sleep(does.wait)
        kind, data = self._data(form, streamed and does.status == 200)
        response = web.StreamResponse(status=does.status, headers={"Content-Type": kind, **does.headers})
        if kind == "text/event-stream" or does.endless:
            response.enable_chunked_encoding()
        else:
            response.content_length = len(data)
        await response.prepare(request)
        with suppress(ConnectionError):  # the client has seen enough
            await self._write(request, response, data)
        await asyncio.sleep(does.linger)
        return response

    def _data(self, form: Format, streamed: bool) -> tuple[str, bytes]:
        does = self.behaviour
        if does.raw is not None:
            return does.raw_type, does.raw
        if does.status != 200 or does.inside is not None:
            return "application/json", json.dumps(form.error(does.inside or does.status, does.message)).encode()
        if not streamed:
            return "application/json", json.dumps(
                does.script.spice(form.body(does.script)), ensure_ascii=False
            ).encode()
        events = [does.script.spice(event) for event in form.events(does.script)]
        if does.late_error is not None:
            error = form.error(does.late_error, does.message)
            events = [*events[: len(events) // 2], {"type": "error"} | error if form.named_events else error]
        events = events[:-1] if does.drop_last else events
        return "text/event-stream", b"".join(encoded_event(event, form.named_events) for event in events)

    async def _write(self, request: web.Request, response: web.StreamResponse, data: bytes) -> None:
        does = self.behaviour
        stop = len(data) if does.cut_at is None else int(len(data) * does.cut_at)
        size = does.piece or max(1, stop // 2 if does.wait_within else stop)
        for at in range(0, stop, size):
            await response.write(data[at : min(at + size, stop)])
            await asyncio.sleep(does.wait_within)
        while does.endless and request.transport and not request.transport.is_closing():
            await response.write(b" " * 1_000_000)
        if does.cut_at is not None and request.transport:
            request.transport.abort()
