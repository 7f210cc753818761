"""`local`: a small language model run on this machine, without a key or a network (RUN-50, RUN-53).

The model runs in child processes, one for each ask under way, so that a crash of the runtime is an
endpoint error of one ask and nothing more. One thread a model, greedy unless told otherwise, and no
prompt cache: the same message gives the same text, in any child, on one machine with one runtime version.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from typing import Any

from trigpoint.core.errors import OperatorError
from trigpoint.core.records import CallStatus, Message, Reply, RequestSettings, SetupField, Source, Usage, clean_text
from trigpoint.respondents.base import Target
from trigpoint.respondents.failures import error_line
from trigpoint.respondents.flags import refuse_flags
from trigpoint.respondents.local_model import RUNTIME, Weights, model_name, version_of, weights_of
from trigpoint.respondents.local_process import Child, ChildLost

CONTEXT_TOKENS = 4096  # prompt and reply together
DEFAULTS = {"temperature": 0.0, "seed": 1, "max_output_tokens": 256}
_TAKEN = ("temperature", "top_p", "seed", "max_output_tokens")
LARGEST_SEED = 2**32 - 2  # the runtime takes the next one as "choose by chance"

_STATUS = {"stop": CallStatus.ANSWERED, "length": CallStatus.CUT_OFF}


class Local:
    """A GGUF model in child processes of this one."""

    def __init__(self, target: Target) -> None:
        self.name = model_name(target.model)
        self._target = target
        self._slots = asyncio.Semaphore(max(1, min(target.concurrency, os.cpu_count() or 1)))
        self._children: set[Child] = set()
        self._idle: list[Child] = []
        self._weights: Weights | None = None

    @classmethod
    def create(cls, target: Target) -> Local:
        """Raises OperatorError for another model's name and for flags that the runtime can't obey."""
        refuse_flags(target, takes=_TAKEN, why="The local model runs in a process of its own")
        seed = target.settings.seed
        if seed is not None and not 0 <= seed <= LARGEST_SEED:
            raise OperatorError(
                "the local model can't take this seed",
                expected=f"0–{LARGEST_SEED}",
                found=str(seed),
                next="Choose another.",
            )
        return cls(target)

    async def __aenter__(self) -> Local:
        self._weights = await asyncio.to_thread(weights_of, self._target)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.gather(*(child.end() for child in self._children))
        self._children.clear()
        self._idle.clear()

    async def ask(self, message: Message, *, repeat: int, attempt: int) -> Reply:
        """What the model says. The clock of the time limit starts when a child with the model stands ready."""
        async with self._slots:
            try:
                child = await self._ready_child()
            except ChildLost as lost:
                return _lost(lost)
            kept = False
            try:
                began = time.monotonic()
                async with asyncio.timeout(self._target.settings.timeout_seconds):
                    said = await child.ask(request_body(message, self._target.settings))
                kept = True
                return reply_from(said, served=self._known().name, latency_ms=_since(began))
            except TimeoutError:
                return Reply(status=CallStatus.TIMED_OUT, latency_ms=_since(began))
            except ChildLost as lost:
                return _lost(lost)
            finally:
                if kept:
                    self._idle.append(child)
                else:
                    self._children.discard(child)
                    await child.end()

    async def _ready_child(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            if child.alive:
                return child
            self._children.discard(child)
        child = await Child.start(
            self._known().path, context_tokens=CONTEXT_TOKENS, environment=self._target.environment
        )
        self._children.add(child)
        return child

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The child processes there are now, in order of their numbers."""
        return tuple(sorted(child.process_id for child in self._children))

    def _known(self) -> Weights:
        if self._weights is None:
            raise RuntimeError("use `async with` around a respondent")
        return self._weights

    def model_fields(self) -> Mapping[str, SetupField]:
        return self._known().fields

    def inference_fields(self) -> Mapping[str, SetupField]:
        """How the runtime is set up, and the settings that hold because the operator gave none."""
        unset = {name: value for name, value in DEFAULTS.items() if getattr(self._target.settings, name) is None}
        ours = {"threads": 1, "context_tokens": CONTEXT_TOKENS, **unset}
        return {
            "wire": SetupField(value="local", source=Source.DECLARED),
            "runtime": SetupField(value=f"{RUNTIME} {version_of(RUNTIME)}", source=Source.OBSERVED),
            **{name: SetupField(value=value, source=Source.DEFAULT) for name, value in ours.items()},
        }

    def keys(self) -> tuple[str, ...]:
        return ()


def request_body(message: Message, settings: RequestSettings) -> dict[str, Any]:
    """The chat-completion body for one message: DEFAULTS where nothing is set, no prompt cache."""
    given = {name: getattr(settings, name) for name in _TAKEN}
    chosen = {**DEFAULTS, **{name: value for name, value in given.items() if value is not None}}
    chosen["max_tokens"] = chosen.pop("max_output_tokens")
    system = [{"role": "system", "content": message.system}] if message.system else []
    return {"messages": [*system, {"role": "user", "content": message.text}], "cache_prompt": False, **chosen}


def reply_from(said: Mapping[str, Any], *, served: str, latency_ms: int) -> Reply:
    """The reply in a child's answer. A refused or malformed body is an endpoint error that asking again won't mend."""
    answer = said.get("answer")
    try:
        choice = answer["choices"][0]  # type: ignore[index]
        content, finish = choice["message"].get("content"), choice.get("finish_reason")
    except (TypeError, KeyError, IndexError):
        return Reply(status=CallStatus.ENDPOINT_ERROR, error=_refusal(said), latency_ms=latency_ms)
    text, repaired = clean_text(content) if isinstance(content, str) else (None, False)
    reasoning = choice["message"].get("reasoning_content")
    used = answer.get("usage") or {}  # type: ignore[union-attr]
    return Reply(
        status=_STATUS.get(finish, CallStatus.ANSWERED),
        text=text,
        reasoning=clean_text(reasoning)[0] if isinstance(reasoning, str) else None,
        finish_reason=finish,
        served_model=served,
        usage=Usage(input_tokens=used.get("prompt_tokens"), output_tokens=used.get("completion_tokens")),
        latency_ms=latency_ms,
        repaired=repaired,
    )


def _refusal(said: Mapping[str, Any]) -> str:
    answer = said.get("answer")
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict) and error.get("type") == "exceed_context_size_error":
        return (
            f"the prompt is too long: {error.get('n_prompt_tokens')} tokens,"
            f" where the context holds {error.get('n_ctx')} with the reply"
        )
    why = error.get("message") if isinstance(error, dict) else said.get("malformed", "an answer without a choice")
    return error_line(f"the runtime refused the request: {why}")


def _lost(lost: ChildLost) -> Reply:
    return Reply(status=CallStatus.ENDPOINT_ERROR, error=error_line(str(lost)), retryable=True)


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
