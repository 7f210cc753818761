"""JSON Schemas of every format, one file each, for readers in other languages (FND-05).

The verifier has its own checks and doesn't read them. A schema can't say everything: canonical form, order and
what must recompute are in docs/reference/bundle.md.
"""

from __future__ import annotations

from collections.abc import Mapping

#: What a schema is of → its file beside this one.
SCHEMAS: Mapping[str, str] = {
    "manifest.json": "manifest-1.schema.json",
    "result.json": "result-1.schema.json",
    "setup.json": "setup-1.schema.json",
    "items.jsonl": "item-row-1.schema.json",
    "calls.jsonl": "call-row-1.schema.json",
    "observations.jsonl": "observation-row-1.schema.json",
    "signatures/NAME.json": "signature-1.schema.json",
    "suite/suite.toml": "suite-1.schema.json",
    "suite/items.jsonl": "suite-item-1.schema.json",
    "suite/pin.json": "pin-1.schema.json",
}
