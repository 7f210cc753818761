"""`trigpoint doctor`: what is in force, where it comes from, what is missing or wrong (FND-13)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trigpoint.core.errors import OperatorError, TrigpointError, printable

if TYPE_CHECKING:
    from trigpoint.home import InForce
    from trigpoint.respondents.base import Target
    from trigpoint.respondents.local_install import ModelState

Fact = dict[str, str]

#: environment variables that hold keys: doctor says whether they are set, never what they hold
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def doctor(as_json: bool) -> int:
    """Say what is in force and where it comes from, and what is missing and how to get it.

    Exit code: 0 everything a plain `trigpoint run` needs is there, 1 something is missing or wrong.
    """
    from trigpoint.cli.main import print_json

    facts = [*_places(), *_settings(), *_urls(), *_parts(), *_keys(), *_asked()]
    faults = {state: [fact["name"] for fact in facts if fact["state"] == state] for state in ("missing", "wrong")}
    ready = not any(faults.values())
    if ready:
        facts.append(_plain_run())
        ready = facts[-1]["state"] == "ok"
        faults["wrong"] = [] if ready else [facts[-1]["name"]]
    if as_json:
        print_json({"facts": facts, "ready": ready})
    else:
        click.echo("\n".join(_lines(facts, faults)))
    return 0 if ready else 1


def _lines(facts: list[Fact], faults: dict[str, list[str]]) -> list[str]:
    width = max(len(fact["name"]) for fact in facts)
    said = [f"{state.capitalize()}: {', '.join(names)}." for state, names in faults.items() if names]
    return [
        *(f"{fact['name']:<{width}}  {fact['state']:<8} {fact['value']}  ({fact['source']})" for fact in facts),
        "",
        *(said or ["All that a plain run needs is here."]),
    ]


def _fact(name: str, value: Any, source: str, state: str = "ok") -> Fact:
    shown = "" if value is None else printable(str(value))
    return {"name": name, "state": state, "value": shown, "source": printable(source)}


def _places() -> list[Fact]:
    from trigpoint import __version__
    from trigpoint.home import configuration, home

    place = home()
    nearest = _nearest(place.value)
    writable = nearest.is_dir() and os.access(nearest, os.W_OK)
    file = place.value / "trigpoint.toml"
    read = _fact("configuration", file, "read" if file.exists() else "no file: defaults hold")
    try:
        configuration()
    except OperatorError as error:
        read = _fact("configuration", file, str(error), "wrong")
    database = place.value / "trigpoint.db"
    return [
        _fact("trigpoint", __version__, "package"),
        _fact("python", sys.version.split()[0], "running", "ok" if sys.version_info >= (3, 11) else "missing"),
        _fact("home", place.value, place.source, "ok" if writable else "missing"),
        read,
        _fact("database", database, "there" if database.exists() else "not made yet"),
        *_secrets(place.value / "secrets"),
    ]


def _secrets(folder: Path) -> list[Fact]:
    """The folder of secrets with its mode, where there is one; wrong where others can enter it."""
    if not folder.is_dir():
        return []
    mode = stat.S_IMODE(folder.stat().st_mode)
    is_open = bool(mode & 0o077) and os.name == "posix"
    source = f"mode {mode:04o}" + (f"; close it: chmod 700 {folder}" if is_open else "")
    return [_fact("secrets", folder, source, "wrong" if is_open else "ok")]


def _nearest(path: Path) -> Path:
    """The nearest folder that exists, upwards."""
    return path if path.exists() or path == path.parent else _nearest(path.parent)


def _in_force(name: str) -> InForce:
    """What holds for a setting; a configuration that can't be read counts as none, and is a fact of its own."""
    from trigpoint.home import SETTINGS, InForce, in_force

    try:
        return in_force(name)
    except OperatorError:
        return InForce(SETTINGS[name][1], "default; the configuration can't be read")


def _settings() -> list[Fact]:
    from trigpoint.home import text, whole_number

    checks: dict[str, Callable[[InForce, str], Any]] = {
        "model": _known_model,
        "base_url": text,
        "concurrency": whole_number,
        "database_url": text,
    }
    facts = []
    for name, check in checks.items():
        found, state, why = _in_force(name), "ok", ""
        try:
            check(found, name)
        except OperatorError as error:
            state, why = "wrong", f"; expected {error.expected}"
        value = _without_user(found.value) if name.endswith("_url") else found.value
        facts.append(_fact(name, value, found.source + why, state))
    return facts


def _known_model(found: InForce, name: str) -> None:
    """Raises OperatorError for a model that is no text or of a wire that nobody answers for."""
    from trigpoint.home import text
    from trigpoint.respondents.registry import wires

    if (text(found, name) or "").partition("/")[0] not in wires():
        raise OperatorError("unknown model", expected="a name that begins with one of " + ", ".join(wires()))


def _without_user(value: Any) -> Any:
    """A URL without user name, password and query: each may hold a secret."""
    if not isinstance(value, str):
        return value
    before, mark, rest = value.partition("://") if "://" in value else ("", "", value)
    _, at, rest = rest.rpartition("@")  # the last one: a password may hold others, and ? and / too
    place, query, _ = rest.partition("?")
    return before + mark + ("…@" if at else "") + place + ("?…" if query else "")


def _urls() -> list[Fact]:
    """The providers' own URL variables, each once."""
    from trigpoint.cli.options import wire_of
    from trigpoint.respondents.registry import BUILT_IN

    names = dict.fromkeys(wire.base_url_variable for name in BUILT_IN if (wire := wire_of(name)))
    given = {name: os.environ.get(name, "").strip() for name in names}
    return [
        _fact(name, _without_user(url) or "not set", "environment", "ok" if url else "optional")
        for name, url in given.items()
    ]


def _parts() -> list[Fact]:
    from trigpoint.respondents.local_install import installed

    extras = (
        ("database (web)", "sqlalchemy", "pip install 'trigpoint[web]'"),
        ("signing (cycle)", "cryptography", "pip install 'trigpoint[cycle]'"),
    )
    return [
        _fact("embedded model", *_model_state(installed())),
        *(
            _fact(
                name,
                "installed" if importlib.util.find_spec(module) else "not installed",
                get,
                "ok" if importlib.util.find_spec(module) else "optional",
            )
            for name, module, get in extras
        ),
    ]


def _model_state(found: ModelState) -> tuple[str, str, str]:
    """(value, source, state) of the embedded model: missing only where it is the one to be asked."""
    if found.complete:
        return f"{found.model}, runtime {found.runtime}, digest as pinned", "installed", "ok"
    needed = str(_in_force("model").value).partition("/")[0] == "local"
    missing = f"without {', '.join(found.missing)}"
    return missing, "get it: trigpoint local install", "missing" if needed else "optional"


def _keys() -> list[Fact]:
    return [
        _fact(
            name,
            "set" if os.environ.get(name) else "not set",
            "environment",
            "ok" if os.environ.get(name) else "optional",
        )
        for name in KEYS
    ]


def _endpoint(model: str) -> InForce:
    """The base URL that a plain run would give the respondent; a bad configuration counts as none."""
    from trigpoint.cli.options import base_url_in_force
    from trigpoint.home import InForce

    try:
        return base_url_in_force(model)
    except OperatorError:
        return InForce(None, "default; the configuration can't be read")


def _target(model: str) -> Target:
    """What a plain run would ask. Raises OperatorError for a base URL that is no text."""
    from trigpoint.home import text
    from trigpoint.respondents.base import Target

    return Target(model=model, base_url=text(_endpoint(model), "base_url"))


def _asked() -> list[Fact]:
    """For a model behind HTTP: which endpoint would be asked, and whether its key is set. Nothing is asked."""
    from trigpoint.cli.options import wire_of
    from trigpoint.respondents.endpoint import base_url, set_keys

    model = str(_in_force("model").value)
    if (wire := wire_of(model)) is None:
        return []
    try:
        endpoint, _ = base_url(_target(model), wire)
    except OperatorError as error:
        return [_fact("endpoint", error.what, f"{error.where}; expected {error.expected}", "wrong")]
    names = " or ".join(wire.key_variables)
    own = endpoint == wire.base_url
    state = "ok" if set_keys(os.environ, wire) else "missing" if own else "optional"
    return [
        _fact("endpoint", endpoint, "the provider's own" if own else _endpoint(model).source),
        _fact(f"key for {wire.name}/", "set" if state == "ok" else "not set", names, state),
    ]


def _plain_run() -> Fact:
    """Whether the respondent in force can be made ready, which is tried; nothing is asked."""
    from trigpoint.respondents.registry import make_respondent

    async def ready(target: Target) -> None:
        async with make_respondent(target):
            pass

    model = str(_in_force("model").value)
    try:
        asyncio.run(ready(_target(model)))
    except TrigpointError as error:
        return _fact("plain run", "refused", str(error), "wrong")
    return _fact("plain run", f"{model} can be asked", "tried, asking nothing")
