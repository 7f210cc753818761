"""Sign a bundle's root with Ed25519, beside the bundle's files and outside the root (FND-33)."""

from __future__ import annotations

import os
from pathlib import Path

from trigpoint.core.canonical import canonical_line
from trigpoint.core.errors import OperatorError
from trigpoint.publish.bundles import open_bundle

FORMAT = "trigpoint-signature/1"
VARIABLE = "TRIGPOINT_SIGNING_KEY"


def signed_bytes(root: str) -> bytes:
    """What a signature is over: the format's name and the root, a line each."""
    return f"{FORMAT}\n{root}\n".encode()


def sign_bundle(folder: Path, secret: str) -> Path:
    """Write signatures/KEY.json into a bundle folder; returns its path. The same key signs once.

    `secret` is the private key, 64 hexadecimal digits. Raises OperatorError for another form, for a zip, and when
    the signature is there already.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - an extra
    except ImportError:
        raise OperatorError("signing needs a package", next="pip install 'trigpoint[cycle]'") from None
    try:
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret.strip()))
    except ValueError:
        raise OperatorError("not a signing key", where=VARIABLE, expected="64 hexadecimal digits") from None
    if not folder.is_dir():
        raise OperatorError("only a bundle folder can be signed", where=str(folder), next="Unpack the zip, then sign.")
    root = open_bundle(str(folder)).root
    public = key.public_key().public_bytes_raw().hex()
    target = folder / "signatures" / f"{public[:16]}.json"
    if target.exists():
        raise OperatorError("signed already with this key", where=str(target))
    members = {
        "format": FORMAT,
        "algorithm": "Ed25519",
        "key": public,
        "root": root,
        "signature": key.sign(signed_bytes(root)).hex(),
    }
    target.parent.mkdir(exist_ok=True)
    draft = target.with_suffix(".part")
    with open(draft, "wb") as stream:
        stream.write(canonical_line(members))
        stream.flush()
        os.fsync(stream.fileno())
    draft.rename(target)
    return target
