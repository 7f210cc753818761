"""The harness of a fair run: system prompt, contracts with their parsers, and retry policy (RUN-02)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trigpoint.core.canonical import digest
from trigpoint.core.message import CONTRACTS
from trigpoint.core.records import SETTLED, CallStatus, Reply


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """When an attempt is repeated. Never after a complete reply, whatever it says (RUN-51)."""

    max_attempts: int = 4
    statuses: tuple[int, ...] = (408, 409, 425, 429, 500, 502, 503, 504, 529)
    transport_errors: bool = True  # lost connections, a crashed runtime
    timeouts: bool = False
    wait_ms: int = 500  # before the second attempt; doubled for each further one
    max_wait_ms: int = 30_000
    max_retry_after_ms: int = 120_000  # an endpoint that asks for more is not asked again in this run

    def repeats(self, reply: Reply, tries: int) -> bool:
        """Whether an attempt that ended as `reply` is followed by another.

        `tries` counts the attempts so far that ended; those that a kill of this program cut short
        (status `unknown`) say nothing about the endpoint: they aren't counted and are always followed.
        """
        if reply.status is CallStatus.UNKNOWN:
            return True
        if reply.status in SETTLED or tries >= self.max_attempts:
            return False
        if (reply.retry_after_ms or 0) > self.max_retry_after_ms:
            return False
        if reply.status is CallStatus.TIMED_OUT:
            return self.timeouts
        return (reply.retryable and self.transport_errors) or reply.http_status in self.statuses

    def pause_ms(self, reply: Reply, tries: int) -> int:
        """How long to wait after try number `tries`: what the endpoint asks for, else the doubled wait."""
        doubled = min(self.wait_ms << min(tries - 1, 20), self.max_wait_ms)
        return max(reply.retry_after_ms, 0) if reply.retry_after_ms is not None else doubled

    def manifest(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, kw_only=True, slots=True)
class Harness:
    """How every item of a run is asked, read and retried."""

    id: str = "plain/1"
    system: str | None = None
    retry: RetryPolicy = RetryPolicy()

    def manifest(self) -> dict[str, Any]:
        """All of it as JSON members, the contracts' texts included; its digest is the harness digest."""
        return {
            "id": self.id,
            "system": self.system,
            "contracts": {name: {"id": c.id, "instruction": c.instruction} for name, c in CONTRACTS.items()},
            "retry": self.retry.manifest(),
        }

    def digest(self) -> str:
        return digest(self.manifest())


def harness_from(manifest: dict[str, Any]) -> Harness:
    """The harness a manifest describes. Raises ValueError or TypeError for a shape that none has."""
    retry = dict(manifest["retry"])
    retry["statuses"] = tuple(retry["statuses"])
    return Harness(id=manifest["id"], system=manifest["system"], retry=RetryPolicy(**retry))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
