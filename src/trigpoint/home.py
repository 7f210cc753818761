"""Where things live and what is in force: flag, environment, file, default (FND-13)."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trigpoint.core.canonical import BOM, BOM_FAULT
from trigpoint.core.errors import OperatorError, shown

#: setting → (environment variable, default). Flags of a command come before both.
SETTINGS: Mapping[str, tuple[str, Any]] = {
    "model": ("TRIGPOINT_MODEL", "local"),
    "base_url": ("TRIGPOINT_BASE_URL", None),
    "concurrency": ("TRIGPOINT_CONCURRENCY", None),
    "database_url": ("TRIGPOINT_DATABASE_URL", None),
}


@dataclass(frozen=True, slots=True)
class InForce:
    """A setting's value and where it comes from, for `trigpoint doctor`."""

    value: Any
    source: str  # "flag", "environment NAME", "file PATH", "default"


def home(environment: Mapping[str, str] = os.environ) -> InForce:
    """The home folder: TRIGPOINT_HOME, else the platform's place for a program's data."""
    if given := environment.get("TRIGPOINT_HOME"):
        return InForce(Path(given).expanduser(), "environment TRIGPOINT_HOME")
    user = Path.home()
    if sys.platform == "darwin":
        return InForce(user / "Library" / "Application Support" / "trigpoint", "default")
    if sys.platform == "win32":
        return InForce(Path(environment.get("LOCALAPPDATA") or user) / "trigpoint", "default")
    data = environment.get("XDG_DATA_HOME")
    return InForce(Path(data if data else user / ".local" / "share") / "trigpoint", "default")


def configuration(environment: Mapping[str, str] = os.environ) -> tuple[dict[str, Any], Path]:
    """(settings of trigpoint.toml, its path); no file = no settings. Raises OperatorError for a bad one."""
    path = home(environment).value / "trigpoint.toml"
    try:
        data = path.read_bytes()
        if data.startswith(BOM):
            raise OperatorError(**BOM_FAULT, where=str(path))
        table = tomllib.loads(data.decode())
    except FileNotFoundError:
        return {}, path
    except (OSError, ValueError, RecursionError) as error:
        raise OperatorError("can't read the configuration", where=str(path), found=str(error)) from None
    if unknown := sorted(table.keys() - SETTINGS.keys()):
        expected = "one of " + ", ".join(SETTINGS)
        raise OperatorError("unknown setting", where=f"{path}: {unknown[0]}", expected=expected)
    return table, path


def in_force(name: str, flag: Any = None, environment: Mapping[str, str] = os.environ) -> InForce:
    """What holds for a setting: the flag, else the environment, else the file, else the default."""
    variable, default = SETTINGS[name]
    if flag is not None:
        return InForce(flag, "flag")
    if environment.get(variable):
        return InForce(environment[variable], f"environment {variable}")
    table, path = configuration(environment)
    if name in table:
        return InForce(table[name], f"file {path}")
    return InForce(default, "default")


def text(found: InForce, name: str) -> str | None:
    """A setting as a text, None when it isn't set. Raises OperatorError: a file may hold any kind of value."""
    if found.value is None or isinstance(found.value, str):
        return found.value
    raise OperatorError(
        "a wrong setting", where=f"{found.source}: {name}", expected="a text", found=shown(str(found.value))
    )


def whole_number(found: InForce, name: str, least: int = 1) -> int | None:
    """A setting as a whole number ≥ `least`, None when it isn't set. Raises OperatorError."""
    if found.value is None:
        return None
    try:
        value = int(found.value)
    except (TypeError, ValueError):
        value = least - 1
    if value < least or isinstance(found.value, bool):
        expected = f"a whole number ≥ {least}"
        raise OperatorError(
            "a wrong setting", where=f"{found.source}: {name}", expected=expected, found=shown(str(found.value))
        )
    return value
