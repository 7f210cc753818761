"""Spot a doubled name among very many, in memory of eight bytes a name."""

from __future__ import annotations

import hashlib
from array import array

_BUCKETS = 64


class Distinct:
    """Remembers names as 64-bit digests; `doubled()` tells whether one was added twice.

    Two different names with the same 64 bits would be called doubled: for a million names the chance
    is under 1 in 30 million.
    """

    def __init__(self) -> None:
        self._buckets = [array("Q") for _ in range(_BUCKETS)]

    def add(self, name: str) -> None:
        mark = int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        self._buckets[mark % _BUCKETS].append(mark)

    def doubled(self) -> bool:
        return any(len(set(bucket)) != len(bucket) for bucket in self._buckets)
