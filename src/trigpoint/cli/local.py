"""`trigpoint local install`: what pip can't express (FND-22)."""

from __future__ import annotations

import click


@click.group()
def local() -> None:
    """The embedded model that runs in-process, without key or network."""


@local.command()
def install() -> int:
    """Install the embedded model (SmolLM2-135M) and its runtime, pinned and checked by digest. Safe to repeat."""
    from trigpoint.respondents.local_install import install as do_install

    do_install(click.echo)
    return 0
