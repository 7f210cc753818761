"""The pages in real headless Chromium: inert, readable, no serious fault for anybody (LOOK: report and verify)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from publish.made import HOSTILE, graded, replayed
from trigpoint.publish.compare_page import compare_page
from trigpoint.publish.comparison import compare
from trigpoint.publish.report import report_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.full
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic", "--disable-sync",
         "--disable-component-update", "--no-first-run"]  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    hostile = replayed(folder, "hostile", [[reply] for reply in HOSTILE])
    first = replayed(folder, "first", graded([True] * len(HOSTILE)))
    made = {
        "report": report_page(hostile, verified=True),
        "compare": compare_page(compare(first, hostile), verified=True),
    }
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture(scope="module")
def browser(pages: dict[str, Path]) -> Iterator[Browser]:
    # after the pages: a browser driven from this thread keeps an event loop in it, and a run brings its own
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield one
        one.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["report", "compare"])
def test_a_hostile_page_is_inert_and_fit_for_everybody(
    browser: Browser, pages: dict[str, Path], name: str, width: int, scheme: Any
) -> None:
    """Nothing runs or is fetched; no serious axe-core finding; no horizontal scroll; light and dark."""
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(pages[name].as_uri())
    for details in page.query_selector_all("details"):
        details.evaluate("node => node.open = true")
    assert "owned" not in page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    serious = [one for one in found.response["violations"] if one["impact"] in ("serious", "critical")]
    assert serious == [], [(one["id"], one["nodes"][0]["html"][:200]) for one in serious]
    assert said == []
    context.close()


def test_the_report_can_be_used_with_the_keyboard_alone(browser: Browser, pages: dict[str, Path]) -> None:
    """Tab reaches a mark of the strip, Enter goes to its task, Enter on its summary opens it."""
    page = browser.new_page()
    page.goto(pages["report"].as_uri())
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('ol.strip a')"):
            break
        page.keyboard.press("Tab")
    target = page.evaluate("document.activeElement.getAttribute('href').slice(1)")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash.slice(1)") == target
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate(f"document.getElementById('{target}').open")
