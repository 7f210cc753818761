"""What every respondent is: something that takes one message and returns all that came back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from trigpoint.core.records import Message, Reply, RequestSettings, SetupField


@dataclass(frozen=True, kw_only=True)
class Target:
    """Which respondent to make, and how it is to be asked: all that a command line or a file says."""

    model: str  # "openai/gpt-5", "local", "replay/PATH", "command/NAME" (FND-11)
    base_url: str | None = None
    command: str | None = None  # --command, split by shell rules, never given to a shell
    settings: RequestSettings = field(default_factory=RequestSettings)
    declared: Mapping[str, str] = field(default_factory=dict)  # revision, artifact_sha256, quantization
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    concurrency: int = 1  # how many asks may be under way at once; sizes connection pools and child processes


class Respondent(Protocol):
    """One endpoint, model or program. Made by `create(target)`, used inside `async with`.

    `ask` never raises for what the other side does: a failure is a Reply whose status says so. It raises
    OperatorError only for what the operator must mend (no key, no such program). Cancelling `ask` ends
    the request or process at once.
    """

    name: str  # "provider/model" as it stands in the setup

    @classmethod
    def create(cls, target: Target) -> Respondent: ...

    async def __aenter__(self) -> Respondent: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def ask(self, message: Message, *, repeat: int, attempt: int) -> Reply: ...

    def model_fields(self) -> Mapping[str, SetupField]:
        """id, revision, artifact_sha256, quantization (RUN-01), known before the first ask (after __aenter__)."""
        ...

    def inference_fields(self) -> Mapping[str, SetupField]:
        """wire, endpoint and what else of RUN-04 is this respondent's own; request settings are added by the caller."""
        ...

    def keys(self) -> tuple[str, ...]:
        """Every secret this respondent was configured with, for redaction (FND-32)."""
        ...
