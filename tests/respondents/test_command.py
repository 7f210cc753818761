"""Any program as a respondent: stdin in, stdout out, counted, ended for certain (RUN-50, FND-32)."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import time

import pytest
import uvloop

from respondents.processes import gone, until
from trigpoint.core.errors import OperatorError
from trigpoint.core.records import CallStatus, Message, RequestSettings, SetupField, Source
from trigpoint.core.redact import MARKER
from trigpoint.respondents import command as command_module
from trigpoint.respondents.base import Target
from trigpoint.respondents.command import Command, decoded

KEY = "sk-0123456789abcdef"


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request):
    """Runs a coroutine on each of the two event loops that runs are made on."""
    return {"asyncio": asyncio.run, "uvloop": uvloop.run}[request.param]


def python(code: str) -> str:
    """A command line that runs `code` in a fresh interpreter without site packages."""
    return shlex.join([sys.executable, "-I", "-S", "-c", code])


def target(line: str | None, *, model: str = "command/demo", environment: dict | None = None, **settings) -> Target:
    environment = {"PATH": os.environ["PATH"]} if environment is None else environment
    return Target(model=model, command=line, settings=RequestSettings(**settings), environment=environment)


async def ask(given: Target, text: str = "Hi", system: str | None = None):
    async with Command.create(given) as command:
        message = Message(id="a", index=0, system=system, text=text, items=("a",))
        return await command.ask(message, repeat=1, attempt=1)


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


@pytest.mark.parametrize(
    ("text", "system", "expected"),
    [
        pytest.param("What is 2 + 2?", None, "What is 2 + 2?", id="the message alone"),
        pytest.param("Hi", "Be brief.", "Be brief.\n\nHi", id="system text first, then a blank line"),
        pytest.param("é 🦄\r\n\0 $(id) `id` \n", None, "é 🦄\r\n\0 $(id) `id` \n", id="every character as it is"),
        pytest.param("x" * 3_000_000, None, "x" * 3_000_000, id="more than a pipe holds, both ways"),
    ],
)
def test_the_prompt_is_on_stdin_and_the_reply_is_stdout(run, text, system, expected):
    reply = run(ask(target(python(ECHO)), text, system))
    assert (reply.status, reply.text, reply.repaired) == (CallStatus.ANSWERED, expected, False)
    assert reply.latency_ms is not None


def test_the_command_line_is_split_and_never_given_to_a_shell(run):
    """FND-32."""
    line = python("import sys; print(sys.argv[1:])") + " 'a b' ; echo $HOME > f | `id` *"
    reply = run(ask(target(line)))
    assert reply.text == "['a b', ';', 'echo', '$HOME', '>', 'f', '|', '`id`', '*']\n"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(b"caf\xc3\xa9\r\n", ("café\r\n", False), id="UTF-8 as it is"),
        pytest.param(b"", ("", False), id="nothing"),
        pytest.param(b"a\xffb", ("a\ufffdb", True), id="a byte that isn't UTF-8"),
        pytest.param(b"\xed\xa0\x80", ("\ufffd\ufffd\ufffd", True), id="a surrogate"),
    ],
)
def test_output_is_decoded_and_repairs_are_told(output, expected):
    """FND-02."""
    assert decoded(output) == expected


@pytest.mark.parametrize(
    ("code", "error", "retryable"),
    [
        pytest.param("raise SystemExit(3)", "exit status 3", False, id="a status and nothing said"),
        pytest.param(
            "raise SystemExit('one\\n\\ntwo  \\x1b[31mred\\x07\\n\\n')",
            "exit status 1: two [31mred",
            False,
            id="the last line",
        ),
        pytest.param("raise SystemExit('x' * 8_000)", "exit status 1: " + "x" * 284 + "…", False, id="a long line"),
        pytest.param("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL", True, id="killed by a signal"),
        pytest.param(
            "import os, sys; print('ok'); sys.stderr.write('bad\\n'); sys.exit(2)",
            "exit status 2: bad",
            False,
            id="with output",
        ),
    ],
)
def test_a_failing_program_is_an_endpoint_error(run, code, error, retryable):
    reply = run(ask(target(python(code))))
    assert (reply.status, reply.error, reply.retryable) == (CallStatus.ENDPOINT_ERROR, error, retryable)
    assert reply.text is None


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print('done')", id="never reads"),
        pytest.param("import os, sys; os.close(0); print('done')", id="closes stdin"),
        pytest.param("import sys; sys.stdin.read(10); print('done')", id="reads a little"),
    ],
)
def test_a_program_that_does_not_read_its_prompt_is_fine(run, code):
    reply = run(ask(target(python(code)), "x" * 5_000_000))
    assert (reply.status, reply.text) == (CallStatus.ANSWERED, "done\n")


def test_too_much_output_is_counted_and_the_program_killed(run, monkeypatch):
    monkeypatch.setattr(command_module, "OUTPUT_LIMIT", 100_000)
    exact = run(ask(target(python("print('x' * 100_000, end='')"))))
    assert (exact.status, len(exact.text)) == (CallStatus.ANSWERED, 100_000)
    endless = run(ask(target(python("import os\nwhile True: os.write(1, bytes(1000))"))))
    assert (endless.status, endless.retryable) == (CallStatus.ENDPOINT_ERROR, False)
    assert endless.error == "more than 100,000 bytes of output"


#: Writes its own number and its child's to a file, then both wait for ever.
_FAMILY = """
import os, sys, time
child = os.fork()
if child:
    with open({0!r} + ".new", "w") as file:
        file.write(f"{{os.getpid()}} {{child}}")
    os.rename({0!r} + ".new", {0!r})
while True:
    time.sleep(9)
"""


@pytest.mark.parametrize("end", ["time-out", "cancel"])
def test_the_whole_process_group_is_ended(run, tmp_path, end):
    """A program that started others leaves none behind, however its ask ends."""
    numbers = tmp_path / "numbers"

    async def go():
        for seconds in [1, 10, 100]:  # a busy machine may need longer than the first to start two processes
            given = target(python(_FAMILY.format(str(numbers))), timeout_seconds=300 if end == "cancel" else seconds)
            asking = asyncio.create_task(ask(given))
            await until(lambda asking=asking: numbers.exists() or asking.done())
            if end == "cancel":
                asking.cancel()
            (ended,) = await asyncio.gather(asking, return_exceptions=True)
            if numbers.exists():
                break
        family = [int(number) for number in numbers.read_text().split()]
        await until(lambda: all(map(gone, family)))
        return ended

    ended = run(go())
    if end == "time-out":
        assert (ended.status, ended.text) == (CallStatus.TIMED_OUT, None)
    else:
        assert isinstance(ended, asyncio.CancelledError)


def test_a_cancel_while_the_program_starts_ends_its_group_too(run, tmp_path):
    """Between the start of the program and the pipes' being connected it may have started others already."""
    numbers = tmp_path / "numbers"

    async def go():
        asking = asyncio.create_task(ask(target(python(_FAMILY.format(str(numbers))))))
        while not numbers.exists():  # the event loop stands still meanwhile, so the start can't go on
            await asyncio.sleep(0)
            time.sleep(0.2)  # noqa: ASYNC251 — standing still is the point
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        family = [int(number) for number in numbers.read_text().split()]
        await until(lambda: all(map(gone, family)))

    run(go())


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param(target(None), "--command", id="no command line"),
        pytest.param(target("   "), "--command", id="an empty one"),
        pytest.param(target("llm 'x"), "quot", id="an open quote"),
        pytest.param(target("no-such-program-anywhere -m x"), "no-such-program-anywhere", id="no such program"),
        pytest.param(target("cat", model="command"), "command/NAME", id="no name"),
        pytest.param(target("cat", model="command/a b"), "command/NAME", id="a name with a space"),
        pytest.param(target("cat", temperature=0.0), "--temperature", id="temperature, 0 too"),
        pytest.param(target("cat", top_p=1.0), "--top-p", id="top p"),
        pytest.param(target("cat", seed=0), "--seed", id="seed"),
        pytest.param(target("cat", max_output_tokens=9), "--max-output-tokens", id="output limit"),
        pytest.param(target("cat", effort="low"), "--effort", id="effort"),
        pytest.param(target("cat", stream=True), "--stream", id="stream"),
        pytest.param(Target(model="command/x", command="cat", base_url="http://x/v1"), "--base-url", id="base url"),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_first_ask(given, named):
    with pytest.raises(OperatorError) as refused:
        Command.create(given)
    assert named in str(refused.value)


def test_a_program_that_went_away_is_the_operators_to_mend(run, tmp_path):
    program = tmp_path / "fleeting"
    program.write_text("#!/bin/cat\n")
    program.chmod(0o755)
    given = target(str(program))

    async def go():
        async with Command.create(given) as command:
            program.unlink()
            message = Message(id="a", index=0, system=None, text="Hi", items=("a",))
            await command.ask(message, repeat=1, attempt=1)

    with pytest.raises(OperatorError, match="no such program"):
        run(go())


def test_the_environment_passes_and_its_keys_are_named_for_redaction(run):
    """FND-32: the program may need any of them, so whatever looks like a key is replaced where it comes back."""
    environment = {
        "PATH": os.environ["PATH"],
        "OPENAI_API_KEY": KEY,
        "hf_token": "hf-4567890123",
        "X_SECRET": "",
        "HOME": "/h",
    }
    line = python("import os, sys; sys.exit('no access with ' + os.environ['OPENAI_API_KEY'])") + f" --key {KEY}"
    given = target(line, environment=environment)
    command = Command.create(given)
    assert command.keys() == (KEY, "hf-4567890123")
    assert command.inference_fields()["command"].value.endswith(f"--key {MARKER}")
    assert run(ask(given)).error == f"exit status 1: no access with {MARKER}"


def test_half_a_key_at_the_edge_of_what_is_kept_is_not_shown(run):
    """FND-32: of a long stderr only whole lines are looked at."""
    environment = {"PATH": os.environ["PATH"], "OPENAI_API_KEY": KEY}
    long_line = python(f"import sys; sys.exit({KEY!r} + 'y' * 8_180)")  # the limit falls inside the key
    assert run(ask(target(long_line, environment=environment))).error == "exit status 1"
    more = python(f"import sys; sys.exit({KEY!r} + 'y' * 8_180 + '\\nlast')")
    assert run(ask(target(more, environment=environment))).error == "exit status 1: last"


def test_a_key_cut_by_the_end_of_an_error_line_is_still_replaced(run):
    """FND-32: keys are looked for before the line is cut."""
    environment = {"PATH": os.environ["PATH"], "OPENAI_API_KEY": KEY}
    line = python(f"import sys; sys.exit('x' * 280 + {KEY!r} + 'y' * 99)")
    reply = run(ask(target(line, environment=environment)))
    assert KEY[:6] not in reply.error


def test_the_setup_says_what_is_known_and_what_is_not():
    """RUN-01, RUN-04: a command's model is the operator's word; its version nobody can tell."""
    given = Target(
        model="command/my-llm", command="cat -u", declared={"revision": "v2"}, environment={"PATH": os.environ["PATH"]}
    )
    command = Command.create(given)
    unknown = SetupField(value=None, source=Source.UNKNOWN)
    assert command.name == "command/my-llm"
    assert command.model_fields() == {
        "id": SetupField(value="command/my-llm", source=Source.DECLARED),
        "revision": SetupField(value="v2", source=Source.DECLARED),
        "artifact_sha256": unknown,
        "quantization": unknown,
    }
    assert command.inference_fields() == {
        "wire": SetupField(value="command", source=Source.DECLARED),
        "command": SetupField(value="cat -u", source=Source.DECLARED),
        "program_version": unknown,
    }
