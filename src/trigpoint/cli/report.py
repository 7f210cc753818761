"""`trigpoint report`: one self-contained page of a bundle (RUN-53)."""

from __future__ import annotations

from pathlib import Path

import click

from trigpoint.core.errors import OperatorError


@click.command()
@click.argument("bundle")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The page. [BUNDLE.html beside it]")
def report(bundle: str, out: Path | None) -> int:
    """Write one HTML page of BUNDLE: verdict, ranges, every task with question, reply and grade, the receipt.

    The bundle is verified first; the page says whether it held. Exit code: 0 written, 1 written although a check
    fails, 2 unreadable, 3 written although evidence is absent.
    """
    from trigpoint.core.verify.verifier import verify
    from trigpoint.publish.bundles import open_bundle
    from trigpoint.publish.report import report_page

    opened = open_bundle(bundle)
    checked = verify(opened.files)
    place = out or Path(f"{bundle.rstrip('/').removesuffix('.zip')}.html")
    page = report_page(opened, verified=checked.exit_code == 0)
    try:
        place.write_text(page, encoding="utf-8")
    except OSError as error:
        raise OperatorError("could not write", where=str(place), found=error.strerror or "") from None
    click.echo(f"{place}: {len(page.encode()):,} bytes, one file, works offline.")
    if checked.exit_code:
        click.echo("The bundle did not verify: `trigpoint verify` says what is wrong. The page says so too.", err=True)
    return checked.exit_code
