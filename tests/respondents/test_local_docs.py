"""The page on respondents of this machine says what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from trigpoint.core.records import CallStatus
from trigpoint.respondents import command, flags, local, replay
from trigpoint.respondents.recorded_rows import ROW_SHAPE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "respondents-local.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        f"`--max-output-tokens` | yes; {local.DEFAULTS['max_output_tokens']} if not given",
        f"`--temperature` | yes; {local.DEFAULTS['temperature']:g} if not given",
        f"0–{local.LARGEST_SEED}; {local.DEFAULTS['seed']} if not given",
        f"a context of {local.CONTEXT_TOKENS} tokens",
        f"more than {command.OUTPUT_LIMIT // 1024**2} MiB of output",
        f"`{replay.NOTHING}`",
        *(f"`{ending}`" for ending in flags.KEY_ENDINGS),
        *(f"`{member}`" for member in ROW_SHAPE),
        *(f"`{status}`" for status in CallStatus if status is not CallStatus.UNKNOWN),
    ],
)
def test_every_default_limit_and_member_is_on_the_page(words):
    assert words in PAGE
