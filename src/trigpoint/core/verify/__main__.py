"""`python3 -m trigpoint.core.verify PATH`: verify a bundle with bare Python."""

from __future__ import annotations

import sys

from trigpoint.core.verify.cli import main

if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without Unicode still gets every line
    sys.exit(main())
