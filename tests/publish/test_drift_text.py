"""The text of a judged series, line by line."""

import pytest

from trigpoint.publish.drift_text import _wrapped


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Since when?", "  Since when?   q3: 27 of 28"),
        ("Moved by 2026-11-05", "  Moved by 2026-11-05 q3: 27 of 28"),
        ("", "  q3: 27 of 28"),
    ],
)
def test_a_name_and_what_is_said_never_touch(name: str, line: str) -> None:
    assert _wrapped(name, "q3: 27 of 28") == [line]
