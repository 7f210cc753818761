"""Suites shipped with the package, and how a SUITE named on the command line is found."""

from __future__ import annotations

from pathlib import Path

from trigpoint.core.errors import OperatorError

_HERE = Path(__file__).parent


def shipped() -> list[str]:
    """The names of the suites in the package."""
    return sorted(path.name for path in _HERE.iterdir() if (path / "suite.toml").is_file())


def suite_path(name: str) -> Path:
    """The folder of a shipped suite, or of a path. A path is meant where it has a separator or exists.

    Raises OperatorError when there is none.
    """
    given = Path(name)
    if (given / "suite.toml").is_file():
        return given
    if name in shipped():
        return _HERE / name
    known = ", ".join(shipped()) or "none"
    raise OperatorError(
        "no such suite",
        where=name,
        expected=f"a folder with a suite.toml, or one of the shipped suites ({known})",
        next="`trigpoint suite new FOLDER` starts one.",
    )
