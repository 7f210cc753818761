"""The run tuple: model, harness, suite, inference, host, each field with where it comes from (RUN-01 … 06).

`setup_digest` is over model, harness, suite and inference; `tuple_digest` adds the runner's host (FND-03).
What endpoints report during the run is kept apart, under `observed`, and is in neither digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trigpoint.core.canonical import digest
from trigpoint.core.errors import BundleError, shown
from trigpoint.core.records import SetupField, Source

FORMAT = "trigpoint-setup/1"
SETUP_SECTIONS = ("model", "harness", "suite", "inference")
TUPLE_SECTIONS = (*SETUP_SECTIONS, "host")

Setup = Mapping[str, Mapping[str, SetupField]]


class Difference(NamedTuple):
    """One field in which two setups differ; None on a side that doesn't have it."""

    field: str  # "inference.temperature"
    first: SetupField | None
    second: SetupField | None


def setup_json(setup: Setup, observed: Mapping[str, list[str]]) -> dict[str, Any]:
    """The members of setup.json."""
    return {"format": FORMAT, **_sections(setup, TUPLE_SECTIONS), "observed": dict(observed)}


def setup_digest(setup: Setup) -> str:
    """SHA-256 over model, harness, suite and inference: what comparing, resuming and repeats go by."""
    return digest(_sections(setup, SETUP_SECTIONS))


def tuple_digest(setup: Setup) -> str:
    """SHA-256 over the same and the runner's host."""
    return digest(_sections(setup, TUPLE_SECTIONS))


def setup_from(
    members: Any, where: str = "setup.json"
) -> tuple[dict[str, dict[str, SetupField]], dict[str, list[str]]]:
    """(setup, observed) of setup.json's members. Raises BundleError naming the field."""
    if not isinstance(members, dict) or members.get("format") != FORMAT:
        found = shown(str(members.get("format"))) if isinstance(members, dict) else "no object"
        raise BundleError("another format", where=f"{where}: format", expected=FORMAT, found=found)
    if members.keys() != {"format", "observed", *TUPLE_SECTIONS}:
        raise BundleError("other keys than the format has", where=where, found=shown(", ".join(sorted(members))))
    setup = {name: _section(members[name], f"{where}: {name}") for name in TUPLE_SECTIONS}
    observed = members["observed"]
    if not isinstance(observed, dict) or not all(
        isinstance(seen, list) and all(isinstance(word, str) for word in seen) for seen in observed.values()
    ):
        raise BundleError("a wrong value", where=f"{where}: observed", expected="lists of texts")
    return setup, observed


def _section(members: Any, where: str) -> dict[str, SetupField]:
    if not isinstance(members, dict):
        raise BundleError("not an object", where=where)
    section = {}
    for name, inner in members.items():
        if not isinstance(inner, dict) or inner.keys() != {"value", "source"}:
            raise BundleError("not a field", where=f"{where}.{name}", expected="value and source")
        try:
            section[name] = SetupField(value=inner["value"], source=Source(inner["source"]))
        except ValueError:
            expected = "one of " + ", ".join(Source)
            raise BundleError("unknown source", where=f"{where}.{name}", expected=expected) from None
    return section


def _sections(setup: Setup, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: {key: {"value": part.value, "source": str(part.source)} for key, part in setup.get(name, {}).items()}
        for name in names
    }


def differences(first: Setup, second: Setup) -> list[Difference]:
    """Every field that differs in value or source, in section order, then by name (RUN-06).

    Fields unknown on both sides are no difference that can be named: see unknown_fields.
    """
    found = []
    for section in TUPLE_SECTIONS:
        left, right = first.get(section, {}), second.get(section, {})
        for name in sorted(left.keys() | right.keys()):
            one, two = left.get(name), right.get(name)
            if one != two:
                found += _named_apart(f"{section}.{name}", one, two)
    # a digest that differs only because a named part of its section does says nothing more
    named = {part.field.partition(".")[0] for part in found if not part.field.endswith(".digest")}
    return [part for part in found if part.field != "harness.digest" or "harness" not in named]


def _named_apart(field: str, one: SetupField | None, two: SetupField | None) -> list[Difference]:
    """A difference of two fields; where both hold members, the members that differ."""
    if one is None or two is None or not (isinstance(one.value, dict) and isinstance(two.value, dict)):
        return [Difference(field, one, two)]
    if one.value == two.value:
        return [Difference(field, one, two)]
    members = sorted(one.value.keys() | two.value.keys())
    return [
        Difference(f"{field}.{name}", _member(one, name), _member(two, name))
        for name in members
        if one.value.get(name) != two.value.get(name)
    ]


def _member(part: SetupField, name: str) -> SetupField | None:
    return SetupField(value=part.value[name], source=part.source) if name in part.value else None


def unknown_fields(setup: Setup) -> list[str]:
    """The fields nobody could tell: two runs that share them may still differ there."""
    return [
        f"{section}.{name}"
        for section in TUPLE_SECTIONS
        for name, part in sorted(setup.get(section, {}).items())
        if part.source is Source.UNKNOWN
    ]


def contradictions(setup: Setup, observed: Mapping[str, list[str]]) -> list[str]:
    """Sentences, one for each declared field that what was observed speaks against (FND-03)."""
    declared = setup.get("model", {}).get("id")
    served = observed.get("served_model", [])
    if declared is None or not served:
        return []
    asked = str(declared.value).partition("/")[2] or str(declared.value)
    return [
        f"asked for {asked}, but the endpoint says it served {name}"
        for name in served
        if not (name == asked or name.startswith(f"{asked}-") or asked.endswith(f"/{name}"))
    ]
