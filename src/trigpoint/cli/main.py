"""The command line: one file a command, loaded when it is called, so that start-up stays short."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from trigpoint import __version__
from trigpoint.core.errors import OperatorError, TrigpointError

#: command → where its object is. A new command is a file and a line here.
COMMANDS: dict[str, str] = {
    "run": "trigpoint.cli.run:run",
    "verify": "trigpoint.cli.verify:verify",
    "compare": "trigpoint.cli.compare:compare",
    "sign": "trigpoint.cli.sign:sign",
    "drift": "trigpoint.cli.drift:drift",
    "simulate": "trigpoint.cli.simulate:simulate",
    "report": "trigpoint.cli.report:report",
    "grade": "trigpoint.cli.grade:grade",
    "tuple": "trigpoint.cli.tuple:tuple_",
    "suite": "trigpoint.cli.suite:suite",
    "local": "trigpoint.cli.local:local",
    "doctor": "trigpoint.cli.doctor:doctor",
}

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are named, or listed by --help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=LazyGroup, context_settings=CONTEXT, no_args_is_help=True)
@click.version_option(__version__, prog_name="trigpoint", message="%(prog)s %(version)s")
def cli() -> None:
    """Measure AI services against fixed points, and keep proof that a stranger can check."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code (FND-14)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = cli.main(given, prog_name="trigpoint", standalone_mode=False)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = 2
    except TrigpointError as error:
        say_error(error, as_json="--json" in given)
        code = error.exit_code
    except UnicodeDecodeError as error:
        say_error(OperatorError("a file that isn't UTF-8", found=str(error)), as_json="--json" in given)
        code = 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone: nothing more to say
        code = 0
    except OSError as error:
        where = str(error.filename or "output")
        refused = OperatorError("the system refused", where=where, found=error.strerror or str(error))
        say_error(refused, as_json="--json" in given)
        code = 2
    sys.exit(_flushed(code if isinstance(code, int) else 0))


def _flushed(code: int) -> int:
    """`code`, or 2 when what was printed could not be written (a full disk)."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        say_error(OperatorError("could not print", found=error.strerror or str(error)), as_json=False)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more to write at exit
        return 2
    except ValueError:
        pass  # closed already
    return code


def say_error(error: TrigpointError, *, as_json: bool) -> None:
    """The one place that prints an error: parts as JSON, or lines for a person."""
    if as_json:
        print(json.dumps({"error": error.parts()}, ensure_ascii=False), file=sys.stderr)
        return
    parts = error.parts()
    lines = [f"trigpoint: {parts['what']}"]
    lines += [f"  {name}: {parts[name]}" for name in ("where", "expected", "found", "next") if name in parts]
    print("\n".join(lines), file=sys.stderr)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
