"""An endpoint that echoes the key, in whatever place: nothing of it is left in the reply (RUN-41, FND-32)."""

from __future__ import annotations

import json

import pytest

from respondents.asking import KEY, WIRES, asked
from respondents.wire_bodies import Script
from respondents.wire_server import Behaviour
from trigpoint.core.records import CallStatus
from trigpoint.core.redact import MARKER, Redactor

both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
every_wire = pytest.mark.parametrize("wire", list(WIRES))
ECHO = f"your key is {KEY}, is it not"
INSIDE = json.dumps({"headers": {"Authorization": f"Bearer {KEY}"}})


@both
@every_wire
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(Behaviour(script=Script(parts=(ECHO,))), id="in the text"),
        pytest.param(Behaviour(script=Script(parts=(INSIDE,))), id="in JSON in the text"),
        pytest.param(Behaviour(script=Script(parts=(ECHO[:20], ECHO[20:]))), id="split over parts"),
        pytest.param(Behaviour(script=Script(parts=(ECHO,)), piece=5), id="split over chunks"),
        pytest.param(Behaviour(script=Script(reasoning=ECHO)), id="in the reasoning"),
        pytest.param(Behaviour(headers={"x-request-id": KEY, "request-id": KEY}), id="in a header"),
    ],
)
def test_a_key_in_a_complete_reply_is_replaced(wire, stream, does):
    reply, _ = asked(wire, does, stream=stream)
    assert reply.status is CallStatus.ANSWERED
    assert KEY in repr(reply), "the endpoint did echo it"
    redacted = Redactor((KEY,)).reply(reply)
    assert KEY not in repr(redacted)
    assert MARKER in repr(redacted)


@both
@every_wire
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(Behaviour(status=401, message=ECHO), id="in an error body"),
        pytest.param(Behaviour(inside=500, message=ECHO), id="in an error body with status 200"),
        pytest.param(Behaviour(status=500, raw=ECHO.encode(), raw_type="text/plain"), id="in a page"),
        pytest.param(Behaviour(raw=ECHO.encode()), id="in a body that is no JSON"),
        pytest.param(Behaviour(raw=b"x" * 50 + KEY.encode()), id="where what is shown of a body ends"),
        pytest.param(Behaviour(status=400, message="x" * 270 + ECHO), id="where the error line ends"),
        pytest.param(Behaviour(status=429, headers={"x-request-id": "r", "Retry-After": KEY}), id="as a wait"),
        pytest.param(Behaviour(status=307, headers={"Location": f"/{KEY}"}, raw=KEY.encode()), id="in a redirect"),
        pytest.param(Behaviour(headers={f"X-{KEY}": KEY}, cut_at=0.5), id="in a reply that was cut"),
    ],
)
def test_a_key_in_an_error_is_replaced_before_the_pipeline_sees_it(wire, stream, does):
    reply, _ = asked(wire, does, stream=stream)
    assert reply.status is CallStatus.ENDPOINT_ERROR
    assert KEY not in repr(reply)
    assert KEY[:8] not in repr(reply)


@every_wire
def test_a_key_in_a_late_error_event_is_replaced(wire):
    reply, _ = asked(wire, Behaviour(late_error=500, message=ECHO), stream=True)
    assert reply.status is CallStatus.ENDPOINT_ERROR
    assert KEY not in repr(reply)


PLACES = {
    "openai": '{{"id":"{0}","model":"{0}","system_fingerprint":"{0}","choices":[{{"finish_reason":"{0}",'
    '"message":{{"content":"","refusal":"{0}","tool_calls":[{{"id":"{0}"}}]}}}}]}}',
    "openai-responses": '{{"id":"{0}","model":"{0}","status":"incomplete","incomplete_details":{{"reason":"{0}"}},'
    '"output":[{{"type":"message","content":[{{"type":"refusal","refusal":"{0}"}}]}}]}}',
    "anthropic": '{{"id":"{0}","model":"{0}","stop_reason":"{0}","stop_details":{{"explanation":"{0}"}},"content":[]}}',
    "gemini": '{{"responseId":"{0}","modelVersion":"{0}","candidates":[{{"finishReason":"{0}"}}]}}',
}


@every_wire
def test_a_key_in_any_other_field_is_replaced(wire):
    reply, _ = asked(wire, Behaviour(raw=PLACES[wire].format(KEY).encode()))
    assert repr(reply).count(KEY) >= 3, "the endpoint did echo it"
    assert KEY not in repr(Redactor((KEY,)).reply(reply))


@every_wire
def test_the_key_goes_in_a_header_and_nowhere_else(wire):
    _, seen = asked(wire, Behaviour(), stream=True)
    sent = [name.lower() for name, value in seen[0].headers.items() if KEY in value]
    assert sent == [{"anthropic": "x-api-key", "gemini": "x-goog-api-key"}.get(wire, "authorization")]
    assert KEY not in seen[0].path + json.dumps(seen[0].body)
