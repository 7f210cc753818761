"""One byte form of JSON (RFC 8785), strict reading, and digests (FND-02).

Only what has exactly one form is accepted: integers within ±(2⁵³ − 1), finite numbers, text without
lone surrogates, objects without doubled keys.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from trigpoint.core.errors import CanonicalError, RefusedError, shown

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_VALUES = 500_000  # in one JSON text: what bounds the memory that reading it takes
MAX_DIGITS = 1_000  # of one number that isn't an integer
BOM = b"\xef\xbb\xbf"
#: what an error says of a file that begins with BOM, wherever one is read
BOM_FAULT: Mapping[str, str] = {
    "what": "a byte order mark stands at the start",
    "expected": "UTF-8 without one",
    "next": "Save the file as UTF-8 without BOM.",
}
_DIGITS_END = 10**21  # from here on a double is written with an exponent

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
_encode_text = json.encoder.encode_basestring


def canonical(value: Any) -> bytes:
    """The RFC 8785 bytes of `value` (dicts with text keys, lists, tuples, text, numbers, bools, None).

    Raises CanonicalError for a value with no canonical form: NaN or infinity, an integer beyond
    ±(2⁵³ − 1) (a double that would be written as one included), a lone surrogate, a key that isn't text,
    a depth beyond 64, another type.
    """
    try:
        if _is_plain(value, 0):
            return _encode(value).encode()
        parts: list[str] = []
        _write(value, parts)
        return "".join(parts).encode()
    except UnicodeEncodeError as error:
        raise CanonicalError(
            "text with a lone surrogate has no canonical form", found=shown(error.object[error.start : error.end])
        ) from None


def canonical_line(value: Any) -> bytes:
    """One LF-ended row."""
    return canonical(value) + b"\n"


def _is_plain(value: Any, depth: int) -> bool:
    """Whether the C encoder gives the canonical form: no floats, and ASCII keys. Refuses what has none."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        if -MAX_INTEGER <= value <= MAX_INTEGER:
            return True
        raise CanonicalError("an integer beyond ±(2⁵³ − 1) has no canonical form", found=shown(str(value)[:40]))
    if depth >= MAX_DEPTH:
        raise CanonicalError("nested too deeply", expected=f"at most {MAX_DEPTH} levels")
    if kind is dict:
        plain = True
        for key, inner in value.items():
            if type(key) is not str:
                raise CanonicalError("an object key must be text", found=shown(repr(key)))
            plain = _is_plain(inner, depth + 1) and key.isascii() and plain
        return plain
    if kind is list or kind is tuple:
        plain = True
        for inner in value:  # every element is looked at: each may be refused
            plain = _is_plain(inner, depth + 1) and plain
        return plain
    if kind is float:
        _refuse_double(value)
        return False
    if isinstance(value, str | int | Mapping | list | tuple):
        return False
    raise CanonicalError("this type has no canonical form", found=kind.__name__)


def _refuse_double(value: float) -> None:
    if not math.isfinite(value):
        raise CanonicalError("a number that isn't finite has no canonical form", found=repr(value))
    if MAX_INTEGER < abs(value) < _DIGITS_END:  # it would be written as an integer that no reader takes
        raise CanonicalError("an integer beyond ±(2⁵³ − 1) has no canonical form", found=repr(value))


def _write(value: Any, out: list[str]) -> None:
    if isinstance(value, str):
        out.append(_encode_text(str(value)))
    elif value is None or isinstance(value, bool):
        out.append({None: "null", True: "true", False: "false"}[value])
    elif isinstance(value, int):
        out.append(str(int(value)))
    elif isinstance(value, float):
        out.append(number_text(value))
    elif isinstance(value, Mapping):
        out.append("{")
        for place, key in enumerate(sorted(value, key=lambda k: k.encode("utf-16-be"))):
            out.append("," if place else "")
            out.append(_encode_text(key) + ":")
            _write(value[key], out)
        out.append("}")
    else:
        out.append("[")
        for place, inner in enumerate(value):
            out.append("," if place else "")
            _write(inner, out)
        out.append("]")


def number_text(value: float) -> str:
    """A finite double as ECMAScript prints it (RFC 8785, 3.2.2.3): shortest digits, its own exponent rule."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, part = mantissa.partition(".")
    part = "" if part == "0" else part
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + part) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        body = digits + "0" * (point - count)
    elif 0 < point <= 21:
        body = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        body = "0." + "0" * -point + digits
    else:
        body = digits[0] + ("." + digits[1:] if count > 1 else "") + f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return sign + body


def _no_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        doubled = next(name for name, times in counts.items() if times > 1)
        raise CanonicalError("a key stands twice in one object", found=shown(doubled))
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise CanonicalError("a number that isn't finite", found=name)


def _integer(digits: str) -> int:
    if len(digits) > 17 or not -MAX_INTEGER <= (value := int(digits)) <= MAX_INTEGER:
        raise CanonicalError("an integer beyond ±(2⁵³ − 1)", found=shown(digits, 40))
    return value


def _double(digits: str) -> float:
    value = float(digits) if len(digits) <= MAX_DIGITS else math.inf
    if not math.isfinite(value):
        raise CanonicalError("a number too large or too long for a double", found=shown(digits, 40))
    return value


_NUMBERS: dict[str, Any] = {"parse_constant": _refuse_constant, "parse_int": _integer, "parse_float": _double}
_decode = json.JSONDecoder(object_pairs_hook=_no_doubled_keys, **_NUMBERS).decode
_decode_loosely = json.JSONDecoder(**_NUMBERS).decode  # takes doubled keys, at a third of the time

_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


def depth_of(data: bytes) -> int:
    """How deep brackets nest outside of texts in JSON bytes, up to MAX_DEPTH + 1: by counting, never recursive."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return 0  # can't be too deep, which is all that matters
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_TEXTS.sub(b"", data)):
        depth += 1 if bracket.group() in b"[{" else -1
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            break
    return deepest


def _refuse_size(data: bytes, where: str) -> None:
    """Raises RefusedError for JSON of too many values or nested too deeply, before any of it is built."""
    if _values_of(data) > MAX_VALUES and _values_of(_TEXTS.sub(b"", data)) > MAX_VALUES:
        raise RefusedError("too many values", where=where, expected=f"at most {MAX_VALUES:,}")
    if depth_of(data) > MAX_DEPTH:
        raise RefusedError("nested too deeply", where=where, expected=f"at most {MAX_DEPTH} levels")


def _values_of(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def strict_loads(data: bytes, *, where: str = "") -> Any:
    """The value of JSON bytes, strictly: UTF-8, no BOM, no doubled keys, no NaN, bounded depth and integers.

    Raises CanonicalError naming `where`; RefusedError for what is too deep or has too many values.
    """
    _refuse_size(data, where)
    if data.startswith(BOM):
        raise CanonicalError(**BOM_FAULT, where=where)
    try:
        value = _decode(data.decode())
        if b"\\u" in data:  # an escape is the only way a lone surrogate gets into decoded UTF-8
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except CanonicalError as error:
        raise CanonicalError(error.what, where=where, expected=error.expected, found=error.found) from None
    except UnicodeEncodeError:
        raise CanonicalError("text with a lone surrogate", where=where) from None
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x} at {error.start}"
        raise CanonicalError("not UTF-8", where=where, found=found) from None
    except (ValueError, RecursionError) as error:
        raise CanonicalError("not JSON", where=where, found=str(error)[:120]) from None


def canonical_loads(data: bytes, *, where: str = "") -> Any:
    """Like strict_loads, and the bytes must be the canonical form of their own value."""
    _refuse_size(data, where)
    try:
        value = _decode_loosely(data.decode())
        if canonical(value) == data:  # then no key stood twice: the written form has each once
            return value
    except (ValueError, RecursionError, CanonicalError):
        pass  # strict_loads says what is wrong
    strict_loads(data, where=where)
    raise CanonicalError(
        "not in canonical form", where=where, expected="RFC 8785 bytes", next="Write it with trigpoint."
    )


def sha256_hex(data: bytes) -> str:
    """64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """SHA-256 of the canonical form."""
    return sha256_hex(canonical(value))


def root_of(files: Iterable[tuple[str, str]]) -> str:
    """One digest over (path, sha256) pairs: the lines `sha256  path` in path order, joined by LF (FND-02).

    Paths are ordered by their code points, which for UTF-8 is the order of their bytes.
    """
    return sha256_hex("\n".join(f"{sha}  {path}" for path, sha in sorted(files)).encode())
