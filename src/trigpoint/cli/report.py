"""`trigpoint report`: one self-contained page of a bundle (RUN-53)."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("bundle")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The page. [BUNDLE.html beside it]")
@click.option("--force", is_flag=True, help="Overwrite the page that stands there.")
def report(bundle: str, out: Path | None, force: bool) -> int:
    """Write one HTML page of BUNDLE: verdict, ranges, every task with question, reply and grade, the receipt.

    The bundle is verified first; the page says whether it held. Exit code: 0 written, 1 written although a check
    fails, 2 unreadable, 3 written although evidence is absent.
    """
    from trigpoint.cli.page_file import write_page
    from trigpoint.core.verify.verifier import verify
    from trigpoint.publish.bundles import open_bundle
    from trigpoint.publish.report import report_page

    opened = open_bundle(bundle)
    checked = verify(opened.files)
    place = out or Path(f"{bundle.rstrip('/').removesuffix('.zip')}.html")
    page = report_page(opened, verified=checked.exit_code == 0)
    write_page(place, page, force=force)
    click.echo(f"{place}: {len(page.encode()):,} bytes, one file, works offline.")
    if checked.exit_code:
        click.echo("The bundle did not verify: `trigpoint verify` says what is wrong. The page says so too.", err=True)
    return checked.exit_code
