"""What every respondent takes from a target: flags it can't pass on, fields, keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.records import SetupField, Source
from trigpoint.respondents.base import Target

KEY_ENDINGS = ("_API_KEY", "_TOKEN", "_SECRET")


def refuse_flags(target: Target, *, takes: Collection[str], why: str) -> None:
    """Raises OperatorError for a flag given but not in `takes`: it would be recorded without being obeyed.

    takes: names as Target and RequestSettings have them ("temperature", "command"). A time limit always holds.
    """
    given = {setting.name: getattr(target.settings, setting.name) for setting in fields(target.settings)}
    given |= {"base_url": target.base_url, "command": target.command}
    for name in given.keys() - {"timeout_seconds", *takes}:
        if given[name] is not None and given[name] is not False:
            flag = f"--{name.replace('_', '-')}"
            raise OperatorError(
                f"{shown(target.model)} can't take {flag}",
                found=f"{flag} {shown(str(given[name]))}",
                next=f"{why}. Leave it out.",
            )


def declared_fields(target: Target) -> dict[str, SetupField]:
    """revision, artifact_sha256 and quantization, each as declared or unknown (RUN-01)."""
    return {name: declared_field(target, name) for name in ("revision", "artifact_sha256", "quantization")}


def declared_field(target: Target, name: str) -> SetupField:
    """What the operator declares of the model ("revision", …), or unknown."""
    if (value := target.declared.get(name)) is not None:
        return SetupField(value=value, source=Source.DECLARED)
    return SetupField(value=None, source=Source.UNKNOWN)


def is_key_name(name: str) -> bool:
    """Whether an environment variable's name says that it holds a secret."""
    return name.upper().endswith(KEY_ENDINGS)


def key_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of all variables whose names end in _API_KEY, _TOKEN or _SECRET, in the names' order."""
    return tuple(environment[name] for name in sorted(environment) if is_key_name(name) and environment[name])
