"""Plan and secret → every file of the drawn suite, to the byte (RUN-12)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from trigpoint.core.canonical import digest
from trigpoint.core.draw import DRAW_FORMAT, DrawnItem, Plan, Stream, commit_members, plan_members
from trigpoint.core.errors import InternalError
from trigpoint.core.files import MemoryFiles
from trigpoint.core.suite import load_suite, pin_of
from trigpoint.suites.generators import GENERATORS

_SAME = 100  # draws of one item that may repeat an earlier prompt before we give up


def drawn_files(plan: Plan, secret: str) -> dict[str, bytes]:
    """path → bytes of the suite drawn: items, prompts, references, draw.json, pin.json, and suite.toml as the last.

    Raises InternalError when a generator can give too few different items, or what it gives is no suite.
    """
    texts: dict[str, str] = {}
    for name, category, item in drawn_items(plan, secret):
        texts[f"items/{name}.toml"] = _item_toml(name, category, item)
        texts[f"prompts/{name}.md"] = item.prompt + "\n"
        texts[f"references/{name}.toml"] = _references_toml(item)
    texts["draw.json"] = _json(draw_members(plan, secret))
    texts["suite.toml"] = _suite_toml(plan)
    files = {path: text.encode() for path, text in texts.items()}
    pin = _json(pin_of(load_suite(MemoryFiles(files)))).encode()
    last = files.pop("suite.toml")  # a folder without it is no suite, so a broken-off writing leaves none
    return {**files, "pin.json": pin, "suite.toml": last}


def draw_members(plan: Plan, secret: str) -> dict[str, Any]:
    """What draw.json holds: all that draws the suite again."""
    commitment = {name: commit_members(secret, plan)[name] for name in ("secret_sha256", "plan_sha256")}
    return {"format": DRAW_FORMAT, "secret": secret, "commitment": commitment, "plan": plan_members(plan)}


def drawn_items(plan: Plan, secret: str) -> Iterator[tuple[str, str, DrawnItem]]:
    """(id, category, item) of every item in the plan's order; ids count through each category.

    The label of an item's stream is FORMAT|suite id|version|part|number|try, counted from 1: the try rises
    while the prompt is one that was drawn before.
    """
    numbers: dict[str, int] = {}
    seen: set[str] = set()
    for place, part in enumerate(plan.parts, 1):
        generator = GENERATORS[part.generator]
        for number in range(1, part.count + 1):
            for again in range(1, _SAME + 1):
                label = f"{DRAW_FORMAT}|{plan.id}|{plan.version}|{place}|{number}|{again}"
                item = generator.draw(Stream(secret, label), part.settings)
                if item.prompt not in seen:
                    break
            else:
                raise InternalError("too few different items", where=f"parts {place}: {part.generator}")
            seen.add(item.prompt)
            numbers[part.category] = numbers.get(part.category, 0) + 1
            yield f"{part.category}-{numbers[part.category]:03d}", part.category, item


def _suite_toml(plan: Plan) -> str:
    note = f"Drawn by a committed plan ({digest(plan_members(plan))}); draw.json has the secret that draws it again."
    head = {"format": "trigpoint-suite/1", "id": plan.id, "version": plan.version, "title": plan.title}
    head |= {"method": "fair-run", "licence": plan.licence, "scoring": plan.scoring, "note": note}
    lines = [f"{name} = {_quoted(value)}" for name, value in head.items()]
    for category in dict.fromkeys(part.category for part in plan.parts):
        title = category[0].upper() + category[1:]
        lines += ["", "[[categories]]", f"id = {_quoted(category)}", f"title = {_quoted(title)}", "weight = 1"]
    return "\n".join(lines) + "\n"


def _item_toml(name: str, category: str, item: DrawnItem) -> str:
    head = {"id": name, "category": category, "contract": item.contract, "note": item.note}
    lines = [f"{key} = {_quoted(value)}" for key, value in head.items()] + ["weight = 1", "", "[grader]"]
    for key, value in item.grader.items():
        nested = isinstance(value, dict)
        lines.append(f"expected_json = {_quoted(json.dumps(value))}" if nested else f"{key} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _references_toml(item: DrawnItem) -> str:
    rows = [(kind, row) for kind, rows in item.references._asdict().items() for row in rows]
    parts = [f"[[{kind}]]\n" + "".join(f"{key} = {_quoted(text)}\n" for key, text in row.items()) for kind, row in rows]
    return "\n".join(parts)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's too, but for the one control character JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _json(members: Mapping[str, Any]) -> str:
    return json.dumps(members, indent=1, ensure_ascii=False) + "\n"
