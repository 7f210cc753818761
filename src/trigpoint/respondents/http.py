"""One HTTP transport for every wire: one POST, one whole body back, or a Reply that says why there is none.

What it never does: follow a redirect (the key would go along), keep cookies, take a proxy or a password
file from the environment, skip TLS verification, send a request twice, or wait past the time limit.
"""

from __future__ import annotations

import asyncio
import io
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import yarl

from trigpoint import __version__
from trigpoint.core.records import CallStatus, Reply
from trigpoint.respondents.failures import error_line
from trigpoint.respondents.sse import Events

BODY_LIMIT = 32 * 1024 * 1024  # bytes of one reply, after decompression; more is an endpoint error
DNS_CACHE_SECONDS = 300
DRAIN_SECONDS = 0.25  # how long a stream that has said its last may take to close, for its connection to be kept
_COPY_LIMIT = 1024 * 1024  # aiohttp wants a larger request body as a file


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    """A complete HTTP answer: `body` is its bytes, or what `Fold.whole` made of a stream."""

    status: int
    headers: Mapping[str, str]  # names in any case
    body: Any
    latency_ms: int  # from sending to the last byte


class Fold(Protocol):
    """Puts the events of one stream together into the body that would have come without streaming."""

    def add(self, data: str) -> bool:
        """Take one event; True if it was the last. Raises ValueError for one that can't be read."""
        ...

    def whole(self) -> Any:
        """The body as a JSON value; None if the stream ended without the event that ends it."""
        ...


class _Lost(Exception):
    """No complete reply, for a reason that isn't aiohttp's own. `retryable` as in Reply."""

    def __init__(self, why: str, *, http_status: int | None = None, retryable: bool = False) -> None:
        super().__init__(why)
        self.http_status, self.retryable = http_status, retryable


class Transport:
    """A pool of at most `concurrency` connections, between `open` and `close`."""

    def __init__(self, *, headers: Mapping[str, str], concurrency: int, keys: tuple[str, ...] = ()) -> None:
        fixed = {"User-Agent": f"trigpoint/{__version__}", "Accept-Encoding": "identity"}
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **fixed, **headers}
        self._concurrency, self._keys = max(1, concurrency), keys
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Make the pool; no connection yet."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._concurrency, ttl_dns_cache=DNS_CACHE_SECONDS),
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None),  # ours is one for the whole attempt
            trust_env=False,
        )

    async def close(self) -> None:
        """End every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def post(self, url: yarl.URL, body: bytes, *, seconds: float, fold: Fold | None = None) -> Raw | Reply:
        """The complete answer, of whatever HTTP status, or a Reply telling how it was lost.

        seconds: the limit for the whole attempt, from sending to the last byte (TIMED_OUT beyond it).
        fold: set if a stream was asked for; an answer that isn't an event stream is read whole all the same.
        """
        assert self._session is not None, "not open"  # noqa: S101
        begun, response = time.monotonic(), None
        data = body if len(body) < _COPY_LIMIT else io.BytesIO(body)
        try:
            async with asyncio.timeout(seconds) as limit:
                response = await self._session.post(url, data=data, allow_redirects=False)
                read = await (_whole(response) if fold is None else _folded(response, fold))
                ms = _since(begun)
            if fold is not None:
                await _drain(response)
            return Raw(status=response.status, headers=response.headers, body=read, latency_ms=ms)
        except (aiohttp.ClientError, OSError, _Lost) as exc:
            return self._lost(exc, seconds if limit.expired() else None, _since(begun))
        finally:
            if response is not None:
                response.close()  # gives the connection back after the last byte, ends it before

    def _lost(self, exc: Exception, limit: float | None, latency_ms: int) -> Reply:
        """The Reply of an attempt without a complete answer; `limit` in seconds is set if that was the reason."""
        if limit is not None:
            error = f"no complete reply within {limit:g} s"
            return Reply(status=CallStatus.TIMED_OUT, error=error, latency_ms=latency_ms)
        ours = exc if isinstance(exc, _Lost) else None
        return Reply(
            status=CallStatus.ENDPOINT_ERROR,
            error=error_line(_told(exc), self._keys),
            http_status=ours.http_status if ours else None,
            retryable=ours.retryable if ours else True,
            latency_ms=latency_ms,
        )


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    """All bytes of the body; raises _Lost past BODY_LIMIT, counted as they come."""
    if (response.content_length or 0) > BODY_LIMIT:
        raise _too_large(response)
    first = await response.content.readany()
    if response.content.at_eof() and len(first) <= BODY_LIMIT:
        return first
    parts, size = [first], len(first)
    while chunk := await response.content.readany():
        size += len(chunk)
        if size > BODY_LIMIT:
            raise _too_large(response)
        parts.append(chunk)
    return b"".join(parts)


async def _folded(response: aiohttp.ClientResponse, fold: Fold) -> Any:
    """The folded stream, or the whole body if the answer is no event stream.

    Raises _Lost past BODY_LIMIT, at an unreadable event, or if the stream ended before its closing event.
    """
    if response.status != 200 or response.content_type != "text/event-stream":
        return await _whole(response)
    events, size = Events(), 0
    while chunk := await response.content.readany():
        size += len(chunk)
        if size > BODY_LIMIT:
            raise _too_large(response)
        try:
            if any(fold.add(data) for data in events.feed(chunk)):
                break
        except (ValueError, RecursionError) as exc:
            raise _Lost(f"stream can't be read: {exc}", http_status=response.status) from None
    whole = fold.whole()
    if whole is None:
        raise _Lost("stream ended before its closing event: the connection was cut", retryable=True)
    return whole


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read what little follows the closing event, so that the connection can serve again."""
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            while not response.content.at_eof():
                await response.content.readany()
    except (aiohttp.ClientError, OSError):
        pass  # the reply is complete; only the connection is lost


def _too_large(response: aiohttp.ClientResponse) -> _Lost:
    return _Lost(f"body too large: expected at most {BODY_LIMIT:,} bytes, found more", http_status=response.status)


#: The first class that fits tells what happened. The exceptions' own words aren't used: they may quote a part
#: of what came, and with it a part of an echoed key.
_HAPPENED: tuple[tuple[type[BaseException], str], ...] = (
    (aiohttp.ClientConnectorDNSError, "host not found"),
    (aiohttp.ClientConnectorCertificateError, "certificate of the host not accepted"),
    (aiohttp.ClientSSLError, "no TLS connection"),
    (aiohttp.ClientConnectorError, "no connection"),
    (aiohttp.ServerDisconnectedError, "connection closed before an answer"),
    (aiohttp.ClientPayloadError, "connection cut in mid-body"),
    (aiohttp.ClientResponseError, "answer is not valid HTTP"),
    (aiohttp.ClientOSError, "connection lost"),
)


def _told(exc: BaseException) -> str:
    if isinstance(exc, _Lost):
        return str(exc)
    happened = next((words for kind, words in _HAPPENED if isinstance(exc, kind)), type(exc).__name__)
    number = getattr(exc, "errno", None)
    return f"{happened} ({os.strerror(number)})" if isinstance(number, int) and number > 0 else happened


def _since(begun: float) -> int:
    return int((time.monotonic() - begun) * 1000)
