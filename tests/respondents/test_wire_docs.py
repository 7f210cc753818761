"""The reference page of the wires names all that the adapters know."""

from __future__ import annotations

from pathlib import Path

import pytest

from respondents.asking import WIRES, respondent
from trigpoint.respondents import anthropic, failures, gemini, http, openai_chat

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "wires.md").read_text("utf-8")
FLAGS = {"temperature", "top_p", "seed", "max_output_tokens", "effort"}


def row(first: str) -> list[str]:
    """The cells of the one table row that begins with `first`."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("wire", list(WIRES))
def test_every_wire_is_in_the_first_table_with_its_endpoint_and_variables(wire):
    kind, cells = WIRES[wire].wire, row(f"`{wire}/`")
    assert cells[2:4] == [f"`{kind.base_url}`", f"`{kind.base_url_variable}`"]
    assert cells[4] == ", else ".join(f"`{name}`" for name in kind.key_variables)
    path = respondent(wire, model=f"{wire}/MODEL").path()
    assert cells[1] == f"`POST …{path}`"


@pytest.mark.parametrize("setting", sorted(FLAGS))
def test_the_table_of_settings_says_which_wire_refuses_which(setting):
    cells = row(f"`--{setting.replace('_', '-')}`")[1:]
    refusing = [wire for wire, cell in zip(WIRES, cells, strict=True) if cell == "refused"]
    assert refusing == [wire for wire in WIRES if setting not in WIRES[wire].wire.settings]


@pytest.mark.parametrize(
    "known",
    sorted(
        {
            *failures.REFUSAL_CODES,
            *filter(None, gemini.FINISH),
            *filter(None, anthropic.STOP),
            *filter(None, openai_chat.FINISH),
            anthropic.VERSION,
            anthropic.SAMPLING_VERSION,
        }
    ),
)
def test_every_word_that_decides_something_is_on_the_page(known):
    assert f"`{known}`" in PAGE


def test_the_limits_on_the_page_are_the_code_s():
    assert f"{http.BODY_LIMIT // 1024**2} MiB of body" in PAGE
    assert f"at most {failures.LINE_LIMIT} printable characters" in PAGE
    assert f"{anthropic.DEFAULT_MAX_TOKENS:,} is sent" in PAGE
    assert failures.WAIT_LIMIT_MS == 24 * 3600 * 1000
    assert "at most a day" in PAGE
