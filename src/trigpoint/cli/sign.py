"""`trigpoint sign`: an Ed25519 signature over a bundle's root (FND-33, FND-34)."""

from __future__ import annotations

import os
from pathlib import Path

import click

from trigpoint.core.errors import OperatorError


@click.command()
@click.argument("bundle", type=click.Path(path_type=Path))
def sign(bundle: Path) -> int:
    """Sign the root of BUNDLE, a folder, with the private key in TRIGPOINT_SIGNING_KEY (64 hexadecimal digits).

    The key is never written anywhere. A bundle that doesn't verify is not signed. Exit code: 0 signed, 1 or 3 as
    `verify` would end, 2 usage.
    """
    from trigpoint.core.verify.cli import verify_path
    from trigpoint.publish.signing import VARIABLE, sign_bundle

    secret = os.environ.get(VARIABLE, "")
    if not secret:
        raise OperatorError(
            "no signing key",
            where=VARIABLE,
            expected="64 hexadecimal digits",
            next="Make one with: python3 -c 'import secrets; print(secrets.token_hex(32))', and keep it safe.",
        )
    checked = verify_path(str(bundle))
    if checked.exit_code:
        click.echo(checked.text, err=True)
        return checked.exit_code
    click.echo(f"{sign_bundle(bundle, secret)}: signed. Anyone can check it with `trigpoint verify {bundle}`.")
    return 0
