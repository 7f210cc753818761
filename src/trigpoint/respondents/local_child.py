"""The child process that holds the model: JSON lines in on stdin, JSON lines out on what was stdout.

Run as `python -m trigpoint.respondents.local_child`. The first line in is {"model": path,
"context_tokens": n}, answered by {"ready": true} or {"failed": why}. Each further line is
{"id": n, "body": {...}}, a chat-completion body, answered by {"id": n, "answer": {...}} or
{"id": n, "malformed": why}, one at a time, in order. The process ends as soon as stdin does, in the
middle of a decode too, so it never outlives its parent.

Only the standard library and the runtime are imported: a child starts in the time the weights need.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import sys
import threading
from typing import Any, BinaryIO


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """(requests, answers) on own descriptors; 0, 1 and 2 then lead nowhere, whatever the runtime prints or reads."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    return requests, answers


def _lines_of(requests: BinaryIO) -> queue.SimpleQueue[bytes]:
    """A queue of the lines that come in, fed by a thread that ends the whole process at the end of them."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for line in requests:
            lines.put(line)
        os._exit(0)  # the parent closed the pipe or is gone; the runtime's threads would keep the process alive

    threading.Thread(target=read, daemon=True).start()
    return lines


def _server(model: str, context_tokens: int) -> Any:
    """The runtime with the model loaded: one thread, processor only, no log, no prompt cache, nothing fetched."""
    import xllamacpp  # noqa: PLC0415 — after the descriptors are out of its reach

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = 0
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = 1  # two threads wait for each other at each layer on a busy machine
        cpu.poll = 0
    params.n_gpu_layers = 0
    params.fit_params = False
    params.cache_ram_mib = 0
    params.offline = True
    # The runtime also listens at a loopback port, which can't be switched off: nobody gets the key to it.
    params.api_keys = [secrets.token_hex(32)]
    params.ui = params.endpoint_slots = False
    params.n_threads_http = 1
    return xllamacpp.Server(params)


def _answered(server: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"id": request["id"], "answer": server.handle_chat_completions(request["body"])}
    except Exception as error:  # the runtime raises ValueError, RuntimeError … for bodies it can't read
        return {"id": request["id"], "malformed": str(error)}


def main() -> None:
    """Serve until stdin ends."""
    requests, answers = _pipes()
    lines = _lines_of(requests)

    def send(value: dict[str, Any]) -> None:
        answers.write(json.dumps(value).encode() + b"\n")
        answers.flush()

    try:
        server = _server(**json.loads(lines.get()))
    except Exception as error:
        send({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    send({"ready": True})
    while True:
        send(_answered(server, json.loads(lines.get())))


if __name__ == "__main__":
    main()
    sys.exit()  # not reached
