"""`trigpoint tuple A B`: which fields of two runs' tuples differ (RUN-06)."""

from __future__ import annotations

from typing import Any

import click

from trigpoint.core.records import SetupField


@click.command("tuple")
@click.argument("first")
@click.argument("second", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def tuple_(first: str, second: str | None, as_json: bool) -> int:
    """Show the run tuple of bundle FIRST, or the fields in which FIRST and SECOND differ.

    A bundle that fails a check is refused. Exit code: 0 the same, 1 something differs, 2 unreadable or refused.
    """
    from trigpoint.cli.main import print_json
    from trigpoint.core.setup import contradictions, differences, unknown_fields
    from trigpoint.publish.bundles import verified_bundle
    from trigpoint.publish.comparison import field_json, observed_differences

    one = verified_bundle(first)
    if second is None:
        members = one.setup_members
        said = contradictions(one.setup, one.observed)
        print_json(members | {"contradictions": said}) if as_json else click.echo(_whole(one.setup, said))
        return 0
    two = verified_bundle(second)
    found = differences(one.setup, two.setup)
    unknown = sorted(set(unknown_fields(one.setup)) & set(unknown_fields(two.setup)))
    seen = observed_differences(one, two)
    if as_json:
        rows = [
            {"field": part.field, "first": field_json(part.first), "second": field_json(part.second)} for part in found
        ]
        print_json(
            {
                "differences": rows,
                "observed": {name: list(pair) for name, pair in seen.items()},
                "unknown_in_both": unknown,
            }
        )
    else:
        for part in found:
            click.echo(f"{part.field}\n  first:  {_shown(part.first)}\n  second: {_shown(part.second)}")
        for name, (left, right) in seen.items():
            click.echo(
                f"observed.{name}\n  first:  {', '.join(left) or 'nothing'}\n  second: {', '.join(right) or 'nothing'}"
            )
        if not found and not seen:
            click.echo("The same tuple: no field differs.")
        if unknown:
            click.echo(f"Unknown in both, so they may differ there: {', '.join(unknown)}")
    return 1 if found or seen else 0


def _shown(part: SetupField | None) -> str:
    return "not there" if part is None else f"{part.value!r} ({part.source})"


def _whole(setup: Any, said: list[str]) -> str:
    lines = []
    for section, parts in setup.items():
        lines.append(f"{section}:")
        lines += [f"  {name} = {_shown(part)}" for name, part in parts.items()]
    lines += [f"Contradiction: {sentence}." for sentence in said]
    return "\n".join(lines)
