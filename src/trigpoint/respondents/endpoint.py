"""Where a wire is spoken, with which key and settings: read from the target once, before the first ask (FND-11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import yarl

from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.records import Source
from trigpoint.respondents.base import Target

_VERSIONED = re.compile(r"/v[0-9]+[a-z0-9]*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wire:
    """One wire format and the provider that speaks it at home (FND-11)."""

    name: str  # the first segment of a model's name
    base_url: str  # with the version path
    base_url_variable: str
    version_path: str  # added to a base URL from the environment that has none, as the provider's own clients do
    key_variables: tuple[str, ...]  # the first that is set is sent; all are kept out of what is written
    settings: frozenset[str]  # the fields of RequestSettings that the wire has a word for


def model_id(model: str, wire: Wire) -> str:
    """What follows the first slash of `openai/gpt-5`; may hold slashes itself."""
    found = model.partition("/")[2]
    if not found or not found.isprintable() or " " in found:
        raise OperatorError("no usable model", where="--model", expected=f"{wire.name}/MODEL", found=shown(model))
    return found


def base_url(target: Target, wire: Wire) -> tuple[str, Source]:
    """The base URL without a closing slash, and who named it. Raises OperatorError, never showing the URL:
    what can't be read as one may hold a password."""
    if target.base_url:
        return _checked_url(target.base_url, "--base-url"), Source.DECLARED
    if given := target.environment.get(wire.base_url_variable, "").strip():
        url = _checked_url(given, wire.base_url_variable)
        return url if _VERSIONED.search(url) else url + wire.version_path, Source.DECLARED
    return wire.base_url, Source.DEFAULT


def set_keys(environment: Mapping[str, str], wire: Wire) -> tuple[str, ...]:
    """All keys of this wire that the environment holds, in the wire's order; an empty one counts as not set."""
    found = (environment.get(name, "").strip() for name in wire.key_variables)
    return tuple(key for key in found if key)


def sent_key(keys: tuple[str, ...], endpoint: str, wire: Wire) -> str | None:
    """The first key; None if there is none and the endpoint isn't the provider's own.

    Raises OperatorError, never showing a key, for a missing one and for one that can't stand in a header.
    """
    names = " or ".join(wire.key_variables)
    if not all(key.isascii() and key.isprintable() and " " not in key for key in keys):
        expected = "printable ASCII without spaces"
        raise OperatorError("unusable key", where=names, expected=expected, found="other characters")
    if not keys and endpoint == wire.base_url:
        next_step = "Set it, or name another endpoint with --base-url"
        raise OperatorError("no key", where=f"{wire.name}/", expected=f"one in {names}", found="none", next=next_step)
    return keys[0] if keys else None


def _checked_url(url: str, where: str) -> str:
    faults = {
        "spaces or control characters": not url.isprintable() or " " in url,
        "a user name or password before the host": "@" in url.partition("//")[2].partition("/")[0],
        "a query or fragment": "?" in url or "#" in url,
        "something else": not _has_host(url),
    }
    for found, present in faults.items():
        if present:
            raise OperatorError("unusable URL", where=where, expected="http(s)://HOST[:PORT]/v1", found=found)
    return url.rstrip("/")


def _has_host(url: str) -> bool:
    """Whether it is an http(s) URL of a host that can be looked up, with a port, if any, that is a number."""
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and bool(yarl.URL(url))
    except ValueError:
        return False
