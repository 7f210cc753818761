"""Suites shipped with the package, and how a SUITE named on the command line is found."""

from __future__ import annotations

from importlib.resources import files as resources
from pathlib import Path

from trigpoint.core.errors import OperatorError


def shipped() -> list[str]:
    """The names of the suites in the package."""
    folder = Path(str(resources(__name__)))
    return sorted(path.name for path in folder.iterdir() if (path / "suite.toml").is_file())


def suite_path(name: str) -> Path:
    """The folder of a shipped suite, or of a path. A path is meant where it has a separator or exists.

    Raises OperatorError when there is none.
    """
    given = Path(name)
    if (given / "suite.toml").is_file():
        return given
    if name in shipped():
        return Path(str(resources(__name__))) / name
    known = ", ".join(shipped()) or "none"
    raise OperatorError(
        "no such suite",
        where=name,
        expected=f"a folder with a suite.toml, or one of the shipped suites ({known})",
        next="`trigpoint suite new FOLDER` starts one.",
    )
