"""`trigpoint verify`: check a bundle (RUN-42, FND-34)."""

from __future__ import annotations

import click


@click.command()
@click.argument("path", type=click.Path())
@click.option("--expect", metavar="ROOT", help="The root that the bundle must have: 64 hexadecimal digits.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify(path: str, expect: str | None, as_json: bool) -> int:
    """Check every digest, grade, score and interval of the bundle at PATH, a folder or a zip file.

    Nothing in the bundle is run. One line a check, the anchoring last. Exit code: 0 every check holds;
    1 something contradicts; 3 nothing contradicts, but evidence is absent; 2 unreadable or refused.
    """
    from trigpoint.core.verify.cli import verify_path

    told = verify_path(path, expect, as_json=as_json)
    click.echo(told.text)
    return told.exit_code
