"""The run tuple: digests, differences, contradictions (FND-03, RUN-01 … 06)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trigpoint.core.canonical import digest
from trigpoint.core.errors import BundleError
from trigpoint.core.records import SetupField, Source
from trigpoint.core.setup import (
    Setup,
    contradictions,
    differences,
    setup_digest,
    setup_from,
    setup_json,
    tuple_digest,
    unknown_fields,
)


def part(value: Any, source: Source = Source.DECLARED) -> SetupField:
    return SetupField(value=value, source=source)


def a_setup(**changes: Any) -> dict[str, dict[str, SetupField]]:
    """A setup; a change is section__name=field."""
    setup = {
        "model": {"id": part("openai/m"), "revision": part(None, Source.UNKNOWN)},
        "harness": {"digest": part("0" * 64, Source.OBSERVED)},
        "suite": {"digest": part("1" * 64, Source.OBSERVED)},
        "inference": {"temperature": part(None, Source.DEFAULT), "seed": part(7)},
        "host": {"os": part("Linux", Source.OBSERVED)},
    }
    for name, value in changes.items():
        section, _, key = name.partition("__")
        setup[section] = {**setup[section], key: value}
    return setup


CHANGES: dict[str, Any] = {
    "model__id": part("openai/n"),
    "model__revision": part("r1"),
    "harness__digest": part("2" * 64, Source.OBSERVED),
    "suite__digest": part("2" * 64, Source.OBSERVED),
    "inference__temperature": part(0),
    "inference__seed": part(7, Source.DEFAULT),
    "inference__top_p": part(1),
    "host__os": part("Darwin", Source.OBSERVED),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_changed_field_is_named_and_nothing_else(name: str) -> None:
    """RUN-06; RUN-05: any change to the tuple changes its digest."""
    one, two = a_setup(), a_setup(**{name: CHANGES[name]})
    assert [d.field for d in differences(one, two)] == [name.replace("__", ".", 1)]
    assert tuple_digest(one) != tuple_digest(two)
    assert (setup_digest(one) == setup_digest(two)) == name.startswith("host")


def test_a_setup_does_not_differ_from_itself() -> None:
    assert differences(a_setup(), a_setup()) == []


def test_the_digests_are_over_the_sections_as_written() -> None:
    """FND-03: setup_digest without the host, tuple_digest with it; what was observed is in neither."""
    written = setup_json(a_setup(), {"served_model": ["m-1"]})
    sections = {name: written[name] for name in ("model", "harness", "suite", "inference")}
    assert setup_digest(a_setup()) == digest(sections)
    assert tuple_digest(a_setup()) == digest({**sections, "host": written["host"]})


def test_reading_is_the_inverse_of_writing() -> None:
    written = json.loads(json.dumps(setup_json(a_setup(), {"served_model": ["m"]})))
    assert setup_from(written) == (a_setup(), {"served_model": ["m"]})


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.pop("host"),
        lambda s: s.update(more={}),
        lambda s: s.update(format="trigpoint-setup/9"),
        lambda s: s["model"].update(id="x"),
        lambda s: s["model"].update(id={"value": 1}),
        lambda s: s["model"].update(id={"value": 1, "source": "guessed"}),
        lambda s: s.update(observed=[]),
        lambda s: s.update(observed={"served_model": [1]}),
        lambda s: s.update(host=[]),
    ],
)
def test_another_shape_is_refused(change: Any) -> None:
    written = json.loads(json.dumps(setup_json(a_setup(), {})))
    change(written)
    with pytest.raises(BundleError):
        setup_from(written)
    with pytest.raises(BundleError):
        setup_from([written])


def test_unknown_fields_are_listed_since_they_may_differ() -> None:
    """RUN-01: each field says which."""
    assert unknown_fields(a_setup()) == ["model.revision"]


@pytest.mark.parametrize(
    ("asked", "served", "contradicted"),
    [
        ("openai/m", ["m"], False),
        ("openai/m", ["m-2026-01-01"], False),
        ("openai/org/m", ["m"], False),
        ("openai/m", ["n"], True),
        ("openai/m", ["m", "n"], True),
        ("openai/m", ["m2"], True),
        ("openai/m", [], False),
    ],
)
def test_a_served_model_other_than_asked_is_shown(asked: str, served: list[str], contradicted: bool) -> None:
    """FND-03: a contradiction between declared and observed is shown."""
    setup: Setup = a_setup(model__id=part(asked))
    assert bool(contradictions(setup, {"served_model": served})) == contradicted


def test_of_a_field_with_members_the_members_that_differ_are_named() -> None:
    """RUN-06: that field and nothing else; a digest that follows from a named part says nothing more."""
    one = a_setup(harness__retry=part({"max_attempts": 4, "wait_ms": 500}), harness__digest=part("3" * 64))
    two = a_setup(harness__retry=part({"max_attempts": 2, "wait_ms": 500}), harness__digest=part("4" * 64))
    (found,) = differences(one, two)
    assert (found.field, found.first, found.second) == ("harness.retry.max_attempts", part(4), part(2))
