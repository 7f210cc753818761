"""The report: complete, and inert whatever a reply holds (RUN-30, RUN-53, RUN-64)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from publish.made import HOSTILE, graded, replayed
from trigpoint.cli.main import cli
from trigpoint.publish.page import SHOWN_CHARACTERS, visible
from trigpoint.publish.report import headline, report_page

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "figure", "figcaption", "div"),
    *("svg", "defs", "symbol", "rect", "path", "circle", "g", "line", "text", "use"),
    *("h1", "h2", "h3", "p", "a", "span", "pre", "code", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}


class Seen(HTMLParser):
    """Everything a page is made of."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def looked_at(page: str) -> Seen:
    seen = Seen()
    seen.feed(page)
    return seen


def test_a_hostile_run_s_page_holds_no_element_attribute_or_address_of_its_own(tmp_path: Path) -> None:
    """HTML, script, bidi and a megabyte in one line are shown, and nothing of them acts."""
    page = report_page(replayed(tmp_path, "hostile", [[reply] for reply in HOSTILE]), verified=True)
    seen = looked_at(page)
    assert seen.tags <= ALLOWED
    for tag, name, value in seen.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("href", "src"):
            assert value is not None
            assert value.startswith("#"), value
    assert "default-src 'none'" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00\x07\x1b]", page)
    whole = "".join(seen.text)
    assert "<script>document.title='owned'</script>" in whole  # shown as text
    assert "U+202E" in whole
    assert f"{1_000_000 - SHOWN_CHARACTERS:,} more characters" in whole
    assert len(page) < 400_000


def test_the_page_holds_every_task_with_question_reply_answer_grade_and_reason(tmp_path: Path) -> None:
    """RUN-53: every task with input, output, answer, grade; RUN-25, RUN-30: count, coverage, breakdown, failures."""
    bundle = replayed(tmp_path, "one", graded([True, False, True, True], repeats=2))
    text = "".join(looked_at(report_page(bundle, verified=True)).text)
    for row in bundle.rows():
        for part in (row.item, row.reply, row.answer, row.grader, row.input_sha256, row.reason):
            assert part is not None
            assert part in text
    for item in bundle.suite().items():
        assert item.prompt in text
    for part in (bundle.root, bundle.result["setup_digest"], bundle.result["tuple_digest"], "coverage 100.0%"):
        assert part in text
    for interval in bundle.result["intervals"].values():
        assert interval["low"] in text
        assert interval["meaning"] in text
    assert "verified when this page was made" in text


def test_it_says_when_the_bundle_was_not_verified(tmp_path: Path) -> None:
    page = report_page(replayed(tmp_path, "one", graded([True, True])), verified=False)
    assert "was not verified when this page was made" in page


@pytest.mark.parametrize(
    ("right", "begins"),
    [
        pytest.param([True, True, True, False], "Scored 75.0 of 100; on other tasks like these", id="a range"),
        pytest.param([True, True], "Scored 100.0 of 100 on 2 tasks; how far that could move can't be told", id="none"),
    ],
)
def test_the_sentence_comes_first_with_its_noise(tmp_path: Path, right: list[bool], begins: str) -> None:
    """RUN-30, RUN-31: no number without its noise; where there is none, why."""
    assert headline(replayed(tmp_path, "one", graded(right)).result).startswith(begins)


def test_the_command_writes_the_page_and_says_when_a_check_fails(tmp_path: Path) -> None:
    """RUN-53: `trigpoint report`; a bundle that fails verification still gets its page, which says so."""
    replayed(tmp_path, "one", graded([True, True]))
    done = CliRunner().invoke(cli, ["report", str(tmp_path / "one")], standalone_mode=False)
    assert done.return_value == 0
    assert "was verified" in (tmp_path / "one.html").read_text()
    items = tmp_path / "one" / "items.jsonl"
    items.write_bytes(items.read_bytes().replace(b'"credit":"1"', b'"credit":"0"', 1))
    out = tmp_path / "again.html"
    done = CliRunner().invoke(cli, ["report", str(tmp_path / "one"), "-o", str(out)], standalone_mode=False)
    assert done.return_value == 1
    assert "was not verified" in out.read_text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("a\nb\tc", "a\nb\tc"),
        ("a\r\nb", "a\nb"),
        ("naïve − × 日本語 🙂 א", "naïve − × 日本語 🙂 א"),
        ("\u202e", '<span class="code" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span>'),
        ("\x00", '<span class="code" title="control character">U+0000</span>'),
        ("\ud800", '<span class="code" title="control character">U+D800</span>'),
        ("a\xadb", 'a<span class="code" title="SOFT HYPHEN">U+00AD</span>b'),
    ],
)
def test_what_acts_or_hides_is_shown_as_its_code(text: str, shown: str) -> None:
    assert str(visible(text)) == shown
