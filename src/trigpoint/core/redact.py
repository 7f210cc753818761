"""Configured keys never get past this point: not to disk, hash, log, error or screen (FND-32, RUN-41)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from trigpoint.core.files import Files
from trigpoint.core.records import Reply

MARKER = "[redacted key]"
MIN_LENGTH = 8  # a shorter "key" would blot out ordinary words


class Redactor:
    """Replaces each exact occurrence of a configured key by MARKER.

    Keys shorter than 8 characters are not redacted; `too_short` tells that there was one, so that the
    operator can be warned. Transformed or split keys can't be seen: the endpoint must be trusted.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        given = {key for key in keys if key}
        self.too_short = any(len(key) < MIN_LENGTH for key in given)
        # the longest first, so that a key that contains another is replaced whole
        self._keys = sorted((key for key in given if len(key) >= MIN_LENGTH), key=lambda key: (-len(key), key))

    def text(self, text: str) -> str:
        for key in self._keys:
            if key in text:
                text = text.replace(key, MARKER)
        return text

    def found_in(self, files: Files) -> str | None:
        """The path of the first file that holds a key, None where none does. Reads in pieces."""
        keys = [key.encode() for key in self._keys]
        overlap = max(map(len, keys), default=1) - 1
        for path in files.paths() if keys else ():
            with files.open(path) as stream:
                tail = b""
                while piece := stream.read(1 << 20):
                    looked_at = tail + piece
                    if any(key in looked_at for key in keys):
                        return path
                    tail = looked_at[-overlap:] if overlap else b""
        return None

    def value(self, value: Any) -> Any:
        """The same JSON-like value with every text in it, keys of objects included, redacted."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(name)): self.value(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(inner) for inner in value]
        return value

    def reply(self, reply: Reply) -> Reply:
        """The reply with all its texts redacted: answer, reasoning, error, ids, extra."""
        if not self._keys:
            return reply
        changed: dict[str, Any] = {}
        for name in ("text", "reasoning", "finish_reason", "served_model", "request_id", "error"):
            found = getattr(reply, name)
            if found is not None and (clean := self.text(found)) != found:
                changed[name] = clean
        if reply.extra:
            changed["extra"] = self.value(dict(reply.extra))
        return dataclasses.replace(reply, **changed) if changed else reply
