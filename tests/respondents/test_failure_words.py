"""Error lines, waits and statuses, read out of whatever an endpoint sends (RUN-51, FND-32)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.redact import MARKER
from trigpoint.respondents.failures import LINE_LIMIT, described, error_line, retry_after_ms, retry_delay_ms, status_of

DAY = 86_400_000
NOW = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT


@pytest.mark.parametrize(
    ("headers", "milliseconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2000),
        ({"Retry-After": "0.5"}, 500),
        ({"Retry-After": "120s"}, 120_000),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT"}, 30_000),
        ({"Retry-After": "Wed, 21 Oct 2015 07:27:00 GMT"}, 0),
        ({"Retry-After": "Thu, 21 Oct 2055 07:28:30 GMT"}, DAY),
        ({"Retry-After": "999999999"}, DAY),
        ({"Retry-After": "9" * 40}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "1e3"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "٣"}, None),
        ({"Retry-After": "Wed, 99 Oct 2015"}, None),
        ({"Retry-After": ""}, None),
        ({"retry-after-ms": "20.2"}, 21),
        ({"retry-after-ms": "x", "Retry-After": "3"}, 3000),
    ],
)
def test_the_wait_that_an_endpoint_asks_for(headers, milliseconds):
    """A wait is never cut short; one that can't be read is none."""
    assert retry_after_ms(headers, now=NOW) == milliseconds


@pytest.mark.parametrize(
    ("error", "milliseconds"),
    [
        ({"details": [{"@type": "type.googleapis.com/google.rpc.Help"}, {"retryDelay": "3s"}]}, 3000),
        ({"details": [{"retryDelay": 3}]}, None),
        ({"details": {"retryDelay": "3s"}}, None),
        ({"details": ["3s"]}, None),
        ("3s", None),
        (None, None),
    ],
)
def test_the_wait_inside_an_error_object(error, milliseconds):
    assert retry_delay_ms(error) == milliseconds


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 429}, 429),
        ({"code": "503"}, 503),
        ({"code": 200}, None),
        ({"code": 4290}, None),
        ({"code": True}, None),
        ({"code": "rate_limit_exceeded"}, 429),
        ({"code": "odd", "type": "overloaded_error"}, 529),
        ({"type": "authentication_error"}, 401),
        ({"status": "UNAVAILABLE"}, 503),
        ({"code": None, "type": "invalid_request_error"}, 400),
        ({"type": "odd"}, None),
        ("busy", None),
        ([429], None),
    ],
)
def test_the_status_that_an_error_object_stands_for(error, status):
    assert status_of(error) == status


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded_error: Overloaded"),
        ({"code": 503, "message": "m", "status": "UNAVAILABLE"}, "UNAVAILABLE: m"),
        ({"message": "m"}, "m"),
        ({"type": "t"}, "t"),
        ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "field required"),
        ({"message": {"error": {"message": "inner"}}}, "inner"),
        ({"message": [[[[["too deep"]]]]]}, "an error without words"),
        ("busy", "busy"),
        ({}, "an error without words"),
        (7, "an error without words"),
    ],
)
def test_what_an_error_object_says(error, says):
    assert described(error) == says


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  two\r\n lines\t", "two lines"),
        ("\x1b[31mred\x00\u202e\u200b", "[31mred"),
        ("\ud800lone", "lone"),
        ("x" * 400, "x" * 299 + "…"),
    ],
    ids=["lines", "control and bidirectional characters", "a lone surrogate", "too long"],
)
def test_an_error_line_is_one_printable_line(text, line):
    assert error_line(text) == line


KEY = "sk-0123456789"


@given(st.integers(0, 600), st.integers(0, 600), st.text(max_size=5))
def test_no_part_of_a_key_is_left_where_a_line_is_cut(before, after, odd):
    """FND-32: redaction comes before the cut, so that no beginning of a key is left at the end of the line."""
    line = error_line("x" * before + KEY + odd + "y" * after, (KEY,))
    assert KEY[:4] not in line
    assert len(line) <= LINE_LIMIT


def test_a_key_split_by_unprintable_characters_is_still_found():
    assert error_line("sk-012\u200b3456789", (KEY,)) == MARKER


def test_a_key_where_a_long_text_is_cut_leaves_no_part_behind():
    """Blanks are taken together, so the end of what is looked at can stand near the start of the line."""
    line = error_line("it is" + " " * 19_990 + KEY, (KEY,))
    assert KEY[:3] not in line
