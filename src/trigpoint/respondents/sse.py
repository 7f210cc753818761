"""Reads server-sent events out of chunks of bytes, wherever the chunks are cut.

Source: HTML Living Standard, 9.2.6 "Interpreting an event stream". Only `data` matters to the wires spoken
here: each names the kind of event inside its data. An event without the blank line that ends it is dropped.
"""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"


class Events:
    """Feed it chunks in order; each call gives the data of the events that became complete.

    Time and memory are linear in the bytes fed. How many those may be, the transport counts.
    """

    def __init__(self) -> None:
        self._rest: list[bytes] = []  # pieces of the line under way
        self._data: list[str] = []  # data lines of the event under way
        self._start = True
        self._after_cr = False  # the last line ended with CR: an LF that follows belongs to it

    def feed(self, chunk: bytes) -> list[str]:
        """Data of each event completed by `chunk`; raises ValueError for a line that isn't UTF-8."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        done: list[str] = []
        for line in self._lines(chunk):
            self._line(line, done)
        return done

    def _lines(self, chunk: bytes) -> list[bytes]:
        """The complete lines, without their ends; what is left over is kept for the next chunk."""
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
        if not end:
            self._rest.append(chunk)
            return []
        self._after_cr = chunk.endswith(b"\r")
        lines = b"".join([*self._rest, chunk[:end]]).splitlines()
        self._rest = [chunk[end:]]
        if self._start:
            self._start = False
            lines[0] = lines[0].removeprefix(_BOM)
        return lines

    def _line(self, line: bytes, done: list[str]) -> None:
        if not line:
            if self._data:
                done.append("\n".join(self._data))
                self._data = []
            return
        name, _, value = line.partition(b":")  # a comment is a line with an empty name
        if name == b"data":
            self._data.append(value.removeprefix(b" ").decode())
