"""Write a page where nothing else stands: evidence is never overwritten by a report of it (RUN-05)."""

from __future__ import annotations

from pathlib import Path

from trigpoint.core.errors import OperatorError


def write_page(place: Path, page: str, *, force: bool) -> None:
    """Write `page`. Raises OperatorError when something stands there and `force` isn't given, or it isn't a page."""
    if place.exists() and (not force or place.suffix not in (".html", ".htm")):
        raise OperatorError(
            "there is something already", where=str(place), next="Name another file; --force overwrites an .html page."
        )
    try:
        place.write_text(page, encoding="utf-8")
    except OSError as error:
        raise OperatorError("could not write", where=str(place), found=error.strerror or "") from None
