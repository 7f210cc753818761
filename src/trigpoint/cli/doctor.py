"""`trigpoint doctor`: what is in force, where it comes from, what is missing (FND-13)."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from trigpoint.respondents.local_install import ModelState

#: environment variables that hold keys: doctor says whether they are set, never what they hold
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def doctor(as_json: bool) -> int:
    """Say what is in force and where it comes from, and what is missing and how to get it.

    Exit code: 0 everything a plain `trigpoint run` needs is there, 1 something is missing.
    """
    from trigpoint.cli.main import print_json

    facts = [*_settings(), *_parts(), *_keys()]
    missing = [fact for fact in facts if fact["state"] == "missing"]
    if as_json:
        print_json({"facts": facts, "ready": not missing})
    else:
        width = max(len(fact["name"]) for fact in facts)
        for fact in facts:
            click.echo(f"{fact['name']:<{width}}  {fact['state']:<8} {fact['value']}  ({fact['source']})")
        click.echo(
            f"\nMissing: {', '.join(fact['name'] for fact in missing)}."
            if missing
            else "\nAll that a plain run needs is here."
        )
    return 1 if missing else 0


def _fact(name: str, value: Any, source: str, state: str = "ok") -> dict[str, str]:
    return {"name": name, "state": state, "value": "" if value is None else str(value), "source": source}


def _settings() -> list[dict[str, str]]:
    from trigpoint import __version__
    from trigpoint.home import SETTINGS, configuration, home, in_force

    place = home()
    _, path = configuration()
    writable = os.access(_nearest(place.value), os.W_OK)
    facts = [
        _fact("trigpoint", __version__, "package"),
        _fact("python", sys.version.split()[0], "running", "ok" if sys.version_info >= (3, 11) else "missing"),
        _fact("home", place.value, place.source, "ok" if writable else "missing"),
        _fact("configuration", path, "read" if path.exists() else "no file: defaults hold"),
    ]
    for name in SETTINGS:
        found = in_force(name)
        facts.append(_fact(name, _safe(name, found.value), found.source))
    return facts


def _safe(name: str, value: Any) -> Any:
    """A database URL without its password."""
    if name != "database_url" or not isinstance(value, str) or "@" not in value:
        return value
    scheme, _, rest = value.partition("://")
    return f"{scheme}://…@{rest.rpartition('@')[2]}"


def _nearest(path: Path) -> Path:
    """The nearest folder that exists, upwards."""
    return path if path.exists() or path == path.parent else _nearest(path.parent)


def _parts() -> list[dict[str, str]]:
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
    """(value, source, state) of the embedded model."""
    if found.complete:
        return f"{found.model}, runtime {found.runtime}, digest as pinned", "installed", "ok"
    return f"without {', '.join(found.missing)}", "get it: trigpoint local install", "missing"


def _keys() -> list[dict[str, str]]:
    return [
        _fact(
            name,
            "set" if os.environ.get(name) else "not set",
            "environment",
            "ok" if os.environ.get(name) else "optional",
        )
        for name in KEYS
    ]
