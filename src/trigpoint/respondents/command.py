"""`command/NAME`: any program that reads a prompt on stdin and writes its reply on stdout (RUN-50)."""

from __future__ import annotations

import errno
import shlex
import shutil
import signal
import time
from collections.abc import Mapping

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.fields import ID
from trigpoint.core.records import CallStatus, Message, Reply, SetupField, Source
from trigpoint.core.redact import Redactor
from trigpoint.respondents.base import Target
from trigpoint.respondents.command_process import Ended, run_program
from trigpoint.respondents.failures import error_line
from trigpoint.respondents.flags import declared_fields, key_values, refuse_flags

OUTPUT_LIMIT = 16 * 1024 * 1024  # bytes of one reply

#: The program is there but can't be started: for the operator to mend.
_NOT_A_PROGRAM = frozenset({errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR})


class Command:
    """One program, started anew for every ask; never through a shell (FND-32)."""

    def __init__(self, target: Target, words: list[str]) -> None:
        self.name = target.model
        self._target, self._words = target, words

    @classmethod
    def create(cls, target: Target) -> Command:
        """Raises OperatorError for a missing or unreadable command line, program or name, and for flags
        that no program can be told."""
        refuse_flags(target, takes=("command",), why="Write it into the command line, as the program wants it")
        name = target.model.partition("/")[2]
        if not ID.match(name):
            raise OperatorError(
                "a command needs a name",
                where=shown(target.model),
                expected="command/NAME with letters, digits, '.', '_' or '-'",
                next="The name stands for the program in results, as in command/my-llm.",
            )
        return cls(target, _words(target))

    async def __aenter__(self) -> Command:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def ask(self, message: Message, *, repeat: int, attempt: int) -> Reply:
        """The program's whole stdout. An exit status other than 0 is an endpoint error."""
        began = time.monotonic()
        try:
            ended = await run_program(
                self._words,
                given=prompt_text(message).encode(),
                environment=self._target.environment,
                limit=OUTPUT_LIMIT,
                seconds=self._target.settings.timeout_seconds,
            )
        except TimeoutError:
            return Reply(status=CallStatus.TIMED_OUT, latency_ms=_since(began))
        except OSError as error:
            if error.errno in _NOT_A_PROGRAM:
                raise _no_program(self._words[0], error.strerror or "") from error
            return self._failed(f"the program couldn't be started: {error.strerror}", began, retryable=True)
        return self._reply(ended, began)

    def _reply(self, ended: Ended, began: float) -> Reply:
        if ended.too_long:
            return self._failed(f"more than {OUTPUT_LIMIT:,} bytes of output", began)
        if ended.status:
            how = f"killed by {_signal(-ended.status)}" if ended.status < 0 else f"exit status {ended.status}"
            said = _last_line(ended.stderr)
            return self._failed(f"{how}: {said}" if said else how, began, retryable=ended.status < 0)
        text, repaired = decoded(ended.output)
        return Reply(status=CallStatus.ANSWERED, text=text, repaired=repaired, latency_ms=_since(began))

    def _failed(self, why: str, began: float, *, retryable: bool = False) -> Reply:
        return Reply(
            status=CallStatus.ENDPOINT_ERROR,
            error=error_line(why, self.keys()),
            latency_ms=_since(began),
            retryable=retryable,
        )

    def model_fields(self) -> Mapping[str, SetupField]:
        return {"id": SetupField(value=self.name, source=Source.DECLARED), **declared_fields(self._target)}

    def inference_fields(self) -> Mapping[str, SetupField]:
        """The command line as given, keys replaced. Which version of the program that is, nobody can tell."""
        return {
            "wire": SetupField(value="command", source=Source.DECLARED),
            "command": SetupField(value=Redactor(self.keys()).text(self._target.command or ""), source=Source.DECLARED),
            "program_version": SetupField(value=None, source=Source.UNKNOWN),
        }

    def keys(self) -> tuple[str, ...]:
        """The program gets the whole environment, so whatever there looks like a key may come back."""
        return key_values(self._target.environment)


def prompt_text(message: Message) -> str:
    """What stands on the program's stdin: the system text and a blank line if there is one, then the message."""
    return f"{message.system}\n\n{message.text}" if message.system else message.text


def decoded(output: bytes) -> tuple[str, bool]:
    """(text, repaired): UTF-8, with U+FFFD for what isn't, and whether anything wasn't (FND-02)."""
    try:
        return output.decode(), False
    except UnicodeDecodeError:
        return output.decode(errors="replace"), True


def _words(target: Target) -> list[str]:
    try:
        words = shlex.split(target.command or "")
    except ValueError as error:
        raise OperatorError("--command can't be split", found=str(error), next="Close every quote.") from None
    if not words:
        raise OperatorError(
            f"{target.model} needs --command", next=f"Write --model {target.model} --command 'llm -m x'."
        )
    program = shutil.which(words[0], path=target.environment.get("PATH"))
    if program is None:
        raise _no_program(words[0], "nothing of that name on PATH")
    return [program, *words[1:]]


def _no_program(word: str, found: str) -> OperatorError:
    return OperatorError(
        "no such program", where=f"--command: {shown(word)}", found=found, next="Install it, or give its full path."
    )


def _last_line(stderr: bytes) -> str:
    lines = [line for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
