"""What a respondent that isn't asked over HTTP takes from a target: flags it can't pass on, fields, keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from trigpoint.core.errors import OperatorError
from trigpoint.core.records import SetupField, Source
from trigpoint.respondents.base import Target

_SETTINGS = {
    "temperature": "--temperature",
    "top_p": "--top-p",
    "seed": "--seed",
    "max_output_tokens": "--max-output-tokens",
    "effort": "--effort",
    "stream": "--stream",
}
_OTHERS = {"base_url": "--base-url", "command": "--command"}

_KEY_ENDINGS = ("_API_KEY", "_TOKEN", "_SECRET")


def refuse_flags(target: Target, *, takes: Collection[str], why: str) -> None:
    """Raises OperatorError for a flag given but not in `takes`: it would be recorded without being obeyed.

    takes: names as Target and RequestSettings have them ("temperature", "command").
    """
    given = {flag: getattr(target.settings, name) for name, flag in _SETTINGS.items() if name not in takes}
    given |= {flag: getattr(target, name) for name, flag in _OTHERS.items() if name not in takes}
    for flag, value in given.items():
        if value is not None and value is not False:
            raise OperatorError(
                f"{target.model} can't take {flag}", found=f"{flag} {value}", next=f"{why}. Leave it out."
            )


def declared_field(target: Target, name: str) -> SetupField:
    """What the operator declares of the model ("revision", …), or unknown."""
    if (value := target.declared.get(name)) is not None:
        return SetupField(value=value, source=Source.DECLARED)
    return SetupField(value=None, source=Source.UNKNOWN)


def is_key_name(name: str) -> bool:
    """Whether an environment variable's name says that it holds a secret."""
    return name.upper().endswith(_KEY_ENDINGS)


def key_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of all variables whose names end in _API_KEY, _TOKEN or _SECRET, in the names' order."""
    return tuple(environment[name] for name in sorted(environment) if is_key_name(name) and environment[name])


def plain_line(text: str, limit: int = 300) -> str:
    """`text` on one line: white space as single spaces, unprintable characters left out, cut at `limit`."""
    line = "".join(char for char in " ".join(text.split()) if char.isprintable())
    return line if len(line) <= limit else line[: limit - 1] + "…"
