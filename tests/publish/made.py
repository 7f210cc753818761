"""Bundles made by replaying replies, for the tests of pages and comparisons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from making import sum_item, write_suite
from trigpoint.cli.main import cli
from trigpoint.publish.bundles import Opened, open_bundle

HOSTILE = [
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>",
    "</pre></details><style>body{display:none}</style><iframe src='http://127.0.0.1:9/'></iframe>",
    "\u202eevil\u202c \u2066isolate \u200b\ufeff \u0000\u0007\u001b[31m",
    "x" * 1_000_000,
    "{{ 7*7 }} {% raw %} &lt; &amp; \" ' ` javascript:alert(1)",
    "<a href='javascript:alert(1)'>x</a><svg onload=alert(1)>",
    "\n" * 3000 + "end",
    '=HYPERLINK("http://127.0.0.1")',
]


def replayed(folder: Path, name: str, replies: list[list[str]], *more: object) -> Opened:
    """A bundle of as many items as there are lists of replies, one reply a repeat."""
    suite = folder / "suite"
    if not suite.exists():
        write_suite(suite, [sum_item(n, category="ab"[n % 2]) for n in range(len(replies))])
    rows: list[dict[str, Any]] = [
        {"item": f"sum-{n:06d}", "repeat": repeat, "reply": reply}
        for n, one in enumerate(replies)
        for repeat, reply in enumerate(one, 1)
    ]
    source = folder / "replies" / "same.jsonl"
    source.parent.mkdir(exist_ok=True)
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = folder / name
    asked = ["run", suite, "--model", f"replay/{source}", "--repeats", len(replies[0])]
    arguments = [*asked, "--out", out, "--quiet", *more]
    done = CliRunner().invoke(cli, [str(part) for part in arguments], standalone_mode=False)
    assert done.exception is None, done.exception
    return open_bundle(str(out))


def graded(right: list[bool], *, repeats: int = 1) -> list[list[str]]:
    """Replies that are right or wrong, item by item."""
    return [[sum_item(n)["grader"]["expected"] if good else "wrong"] * repeats for n, good in enumerate(right)]
