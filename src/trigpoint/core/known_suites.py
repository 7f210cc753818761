"""Digests of the suites this program ships: what `verify` can anchor a bundle's suite by (FND-34)."""

from __future__ import annotations

from collections.abc import Mapping

#: (suite id, version) → digest. A published suite never changes; a changed one is a new version, a new line.
KNOWN_SUITES: Mapping[tuple[str, str], str] = {
    ("core-v1", "1.0.0"): "fe2ee0d50a30fad60e3057498ee330c85784853ec54ca523320f3c2cddd1c03a",
}
