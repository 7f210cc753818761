"""What a target must hold before the first ask, and what the setup then says of it (FND-11, FND-15, RUN-01, RUN-04)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from respondents.asking import KEY, WIRES, respondent, target
from trigpoint.core.errors import OperatorError
from trigpoint.core.records import SetupField, Source
from trigpoint.respondents.anthropic import DEFAULT_MAX_TOKENS
from trigpoint.respondents.openai_chat import output_limit_name

every_wire = pytest.mark.parametrize("wire", list(WIRES))
HOME = {
    "openai": "https://api.openai.com/v1",
    "openai-responses": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1",
}
UNKNOWN = SetupField(value=None, source=Source.UNKNOWN)


def declared(value: str) -> SetupField:
    return SetupField(value=value, source=Source.DECLARED)


@every_wire
def test_the_setup_names_model_wire_and_endpoint(wire):
    """RUN-01, RUN-04: what nobody declared is unknown, never empty."""
    one = respondent(wire, model=f"{wire}/vendor/model-1", declared={"revision": "r7"})
    assert one.name == f"{wire}/vendor/model-1"
    assert dict(one.model_fields()) == {
        "id": declared(f"{wire}/vendor/model-1"),
        "revision": declared("r7"),
        "artifact_sha256": UNKNOWN,
        "quantization": UNKNOWN,
    }
    assert one.inference_fields()["wire"] == declared(wire)
    assert one.inference_fields()["endpoint"] == SetupField(value=HOME[wire], source=Source.DEFAULT)


@every_wire
def test_a_base_url_is_used_as_it_stands(wire):
    """FND-11: `--base-url` includes the version path."""
    one = respondent(wire, base_url="http://127.0.0.1:9/proxy/v7/")
    assert one.inference_fields()["endpoint"] == declared("http://127.0.0.1:9/proxy/v7")


@pytest.mark.parametrize(
    ("wire", "variable", "given", "endpoint"),
    [
        ("openai", "OPENAI_BASE_URL", "http://h:9/v1", "http://h:9/v1"),
        ("openai", "OPENAI_BASE_URL", "http://h:9/api", "http://h:9/api"),
        ("openai-responses", "OPENAI_BASE_URL", "http://h:9/v1/", "http://h:9/v1"),
        ("anthropic", "ANTHROPIC_BASE_URL", "http://h:9", "http://h:9/v1"),
        ("anthropic", "ANTHROPIC_BASE_URL", "http://h:9/v1", "http://h:9/v1"),
        ("gemini", "GOOGLE_GEMINI_BASE_URL", "http://h:9/", "http://h:9/v1"),
        ("gemini", "GOOGLE_GEMINI_BASE_URL", "http://h:9/v1alpha", "http://h:9/v1alpha"),
    ],
)
def test_a_base_url_from_the_environment_means_what_the_provider_s_own_client_takes_it_for(
    wire, variable, given, endpoint
):
    one = respondent(wire, environment={variable: given})
    assert one.inference_fields()["endpoint"] == declared(endpoint)
    flag_first = respondent(wire, environment={variable: given}, base_url="http://flag/v1")
    assert flag_first.inference_fields()["endpoint"] == declared("http://flag/v1")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://user:secret-password@host/v1", "a user name or password before the host"),
        ("https://secret-password@host/v1", "a user name or password before the host"),
        ("http://host/v1?key=secret-password", "a query or fragment"),
        ("http://host/v1#secret-password", "a query or fragment"),
        ("http://host/v1\nX: secret-password", "spaces or control characters"),
        ("http://ho st/v1", "spaces or control characters"),
        ("ftp://host/v1", "something else"),
        ("host/v1", "something else"),
        ("http://", "something else"),
        ("http://host:port/v1", "something else"),
        ("http://host:99999/v1", "something else"),
        ("http://host:0/v1", "something else"),
        ("http://[::1/v1", "something else"),
        ("http://a..b/v1", "something else"),
        ("http://" + "a" * 70 + ".b/v1", "something else"),
    ],
)
def test_a_url_that_can_t_be_used_is_refused_and_not_shown(url, found):
    """FND-32: it may hold a password."""
    with pytest.raises(OperatorError) as refused:
        respondent("openai", base_url=url)
    assert refused.value.parts()["found"] == found
    assert refused.value.parts()["where"] == "--base-url"
    assert "secret" not in str(refused.value)
    assert "secret" not in repr(refused.value)


@every_wire
def test_the_provider_itself_is_not_asked_without_a_key(wire):
    names = WIRES[wire].wire.key_variables
    with pytest.raises(OperatorError, match=" or ".join(names)):
        respondent(wire, environment=dict.fromkeys(names, " "))
    assert respondent(wire, environment={}, base_url="http://127.0.0.1:9/v1").keys() == ()


@every_wire
@pytest.mark.parametrize("key", ["secret key", "secret\nkey", "sécret-key", "secret\x00key"])
def test_a_key_that_can_t_stand_in_a_header_is_refused_and_not_shown(wire, key):
    with pytest.raises(OperatorError) as refused:
        respondent(wire, environment={WIRES[wire].wire.key_variables[0]: key})
    assert "cret" not in str(refused.value)


def test_every_key_found_is_told_for_redaction_and_the_first_is_sent():
    """FND-32: also the one that isn't sent is kept out of what is written."""
    both = {"GOOGLE_API_KEY": "google-key-1", "GEMINI_API_KEY": " gemini-key-1\n", "OPENAI_API_KEY": "another"}
    assert respondent("gemini", environment=both).keys() == ("gemini-key-1", "google-key-1")
    assert respondent("gemini", environment={"GOOGLE_API_KEY": "google-key-1"}).keys() == ("google-key-1",)


@every_wire
def test_no_key_shows_in_the_respondent_s_own_words(wire):
    one = respondent(wire)
    assert one.keys() == (KEY,) * len(WIRES[wire].wire.key_variables)
    assert KEY not in repr(one) + str(one) + repr(one.inference_fields()) + repr(one.model_fields())


@pytest.mark.parametrize(
    ("wire", "name", "flag"),
    [
        ("openai-responses", "seed", "--seed"),
        ("anthropic", "seed", "--seed"),
    ],
)
def test_a_setting_that_a_wire_has_no_word_for_is_refused_before_the_first_ask(wire, name, flag):
    """FND-15: a setting that would be dropped in silence would make the setup a lie."""
    with pytest.raises(OperatorError, match=flag) as refused:
        respondent(wire, settings={name: 7})
    assert f"{wire}/" in str(refused.value)


@every_wire
def test_a_flag_of_another_respondent_is_refused(wire):
    with pytest.raises(OperatorError, match="--command"):
        respondent(wire, command="llm")


@every_wire
@pytest.mark.parametrize("model", ["", "/", " /a b", "/a\nb"])
def test_a_model_without_a_usable_name_is_refused(wire, model):
    with pytest.raises(OperatorError, match="--model"):
        respondent(wire, model=f"{wire}{model}")


def test_the_output_limit_that_anthropic_can_t_do_without_is_said_to_be_a_default():
    """RUN-04: what is sent without anybody having said so stands in the setup as a default."""
    assert respondent("anthropic").inference_fields()["max_output_tokens"] == SetupField(
        value=DEFAULT_MAX_TOKENS, source=Source.DEFAULT
    )
    given = respondent("anthropic", settings={"max_output_tokens": 5})
    assert "max_output_tokens" not in given.inference_fields()


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        ({}, "2026-10-21"),
        ({"effort": "low"}, "2026-10-21"),
        ({"temperature": 0}, "2023-06-01"),
        ({"top_p": 1}, "2023-06-01"),
    ],
)
def test_the_version_of_the_anthropic_wire_is_one_that_knows_what_is_set(settings, version):
    """RUN-04: newer versions refuse temperature and top_p; which one was spoken stands in the setup."""
    one = respondent("anthropic", settings=settings)
    assert one.inference_fields()["wire_version"] == SetupField(value=version, source=Source.DEFAULT)
    assert one.headers(None) == {"anthropic-version": version}


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        ("https://mine.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("https://openai.com.example/v1", "max_tokens"),
        ("https://notopenai.com/v1", "max_tokens"),
        ("http://127.0.0.1:8000/v1", "max_tokens"),
    ],
)
def test_the_output_limit_goes_by_the_name_the_server_knows(endpoint, name):
    assert output_limit_name(endpoint) == name


@pytest.mark.parametrize(
    ("model", "stream", "path"),
    [
        ("gemini-9", False, "/models/gemini-9:generateContent"),
        ("gemini-9", True, "/models/gemini-9:streamGenerateContent?alt=sse"),
        ("models/gemini-9", False, "/models/gemini-9:generateContent"),
        ("tunedModels/mine", False, "/tunedModels/mine:generateContent"),
        ("a?b#c%d", False, "/models/a%3Fb%23c%25d:generateContent"),
    ],
)
def test_a_gemini_model_s_name_stands_in_the_path_and_can_add_nothing_to_it(model, stream, path):
    one = respondent("gemini", model=f"gemini/{model}", settings={"stream": stream})
    assert one.path() == path
    assert str(one._url) == one.endpoint + path


@pytest.mark.parametrize(
    ("effort", "config"),
    [
        ("low", {"thinkingLevel": "LOW"}),
        ("0", {"thinkingBudget": 0}),
        ("-1", {"thinkingBudget": -1}),
        ("1024", {"thinkingBudget": 1024}),
        ("9" * 8, {"thinkingLevel": "9" * 8}),
    ],
)
def test_an_effort_for_gemini_is_a_level_or_a_budget_in_tokens(effort, config):
    one = respondent("gemini", settings={"effort": effort})
    assert one.body(None, "x")["generationConfig"] == {"thinkingConfig": config}


def test_knowing_what_a_respondent_is_costs_no_http_client():
    """Start-up stays short: the protocol can be imported without the client library."""
    code = "import sys, trigpoint.respondents.base; sys.exit('aiohttp' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=False).returncode
        == 0
    )


def test_a_target_s_words_never_reach_another():
    """Two respondents of one process keep their own keys and settings."""
    one, two = respondent("openai"), respondent("openai", environment={"OPENAI_API_KEY": "other-key-1"})
    assert (one.keys(), two.keys()) == ((KEY,), ("other-key-1",))
    assert target("openai").settings == one.settings
