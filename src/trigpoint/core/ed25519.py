"""Ed25519 signatures: verifying only (FND-33). RFC 8032, section 5.1.7, read strictly.

Stricter than the RFC asks, so that no two verifiers can differ about a signature: a point must be in its
one canonical form, S below the group's order, and neither the key nor R of small order. The equation is
the one without the cofactor. Nothing secret is handled here, so nothing needs constant time.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)


class _Point(NamedTuple):
    """(x, y) = (X/Z, Y/Z) with T = XY/Z: the extended coordinates of RFC 8032, 5.1.4."""

    x: int
    y: int
    z: int
    t: int


_ZERO = _Point(0, 1, 1, 0)
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE = _Point(_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` (64 bytes) over `message` was made with the secret of `key` (32 bytes)."""
    if len(key) != 32 or len(signature) != 64:
        return False
    commitment, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    a, r = _point_from(key), _point_from(commitment)
    if a is None or r is None or scalar >= _L or _is_small(a) or _is_small(r):
        return False
    challenge = int.from_bytes(hashlib.sha512(commitment + key + message).digest(), "little") % _L
    minus_a = _Point(_P - a.x, a.y, a.z, _P - a.t)
    return _same(_sum_of_two(scalar, _BASE, challenge, minus_a), r)  # R = S·B − k·A


def _point_from(data: bytes) -> _Point | None:
    """The point that 32 bytes stand for (5.1.3); None for bytes that are no point, or not its one form."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return _Point(x, y, 1, x * y % _P)


def _plus(p: _Point, q: _Point) -> _Point:
    a, b = (p.y - p.x) * (q.y - q.x) % _P, (p.y + p.x) * (q.y + q.x) % _P
    c, d = 2 * p.t * q.t * _D % _P, 2 * p.z * q.z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _sum_of_two(first: int, p: _Point, second: int, q: _Point) -> _Point:
    """first·p + second·q, both read bit by bit from the top."""
    table = {(1, 0): p, (0, 1): q, (1, 1): _plus(p, q)}
    total = _ZERO
    for bit in range(max(first.bit_length(), second.bit_length()) - 1, -1, -1):
        total = _plus(total, total)
        bits = (first >> bit & 1, second >> bit & 1)
        if bits in table:
            total = _plus(total, table[bits])
    return total


def _same(p: _Point, q: _Point) -> bool:
    return (p.x * q.z - q.x * p.z) % _P == 0 and (p.y * q.z - q.y * p.z) % _P == 0


def _is_small(p: _Point) -> bool:
    """Whether 8·p is the neutral element: such a key would pass for signatures nobody made."""
    for _ in range(3):
        p = _plus(p, p)
    return _same(p, _ZERO)
