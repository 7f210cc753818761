"""Builds dist/trigpoint-verify.pyz: the core in one file, for `python3 -I trigpoint-verify.pyz BUNDLE`.

Stored, in path order, with fixed dates: the same sources give the same bytes anywhere.
"""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "dist" / "trigpoint-verify.pyz"

_SHEBANG = b"#!/usr/bin/env python3\n"
_DATE = (1980, 1, 1, 0, 0, 0)
_MAIN = b'''"""The one-file verifier of trigpoint bundles. Source: trigpoint.core.verify."""

import sys

if sys.version_info < (3, 11):
    sys.exit("trigpoint-verify needs Python 3.11 or newer")

import runpy

runpy.run_module("trigpoint.core.verify", run_name="__main__")
'''


def sources(package: Path) -> dict[str, bytes]:
    """path in the archive → bytes: `trigpoint/__init__.py` and every module of the core."""
    files = [package / "__init__.py", *(package / "core").rglob("*.py")]
    found = {f"trigpoint/{path.relative_to(package).as_posix()}": path.read_bytes() for path in files}
    return dict(sorted({**found, "__main__.py": _MAIN}.items()))


def archive(files: dict[str, bytes]) -> bytes:
    """The bytes of the one file."""
    out = io.BytesIO()
    out.write(_SHEBANG)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_STORED) as packed:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, _DATE)
            info.create_system, info.external_attr = 3, 0o644 << 16
            packed.writestr(info, data)
    return out.getvalue()


def main() -> None:
    data = archive(sources(ROOT / "src" / "trigpoint"))
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(data)
    TARGET.chmod(0o755)
    sys.stdout.write(f"{hashlib.sha256(data).hexdigest()}  {TARGET.relative_to(ROOT)}  {len(data):,} bytes\n")


if __name__ == "__main__":
    main()
