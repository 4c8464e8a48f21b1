"""JSON Schema, as far as ours uses it: a value against a schema, without a library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
SAYS_NOTHING = {"$schema", "title", "description", "properties", "patternProperties", "type"}
RULES: dict[str, Callable[[Any, Any], bool]] = {
    "enum": lambda value, need: value in need,
    "pattern": lambda value, need: re.search(need, value) is not None,
    "minimum": lambda value, need: value >= need,
    "maximum": lambda value, need: value <= need,
    "minItems": lambda value, need: len(value) >= need,
    "maxItems": lambda value, need: len(value) <= need,
    "minProperties": lambda value, need: len(value) >= need,
    "required": lambda value, need: set(need) <= set(value),
    "anyOf": lambda value, need: any(not faults(value, one) for one in need),
    "oneOf": lambda value, need: sum(not faults(value, one) for one in need) == 1,
}


def faults(value: Any, schema: dict[str, Any], at: str = "") -> list[str]:
    """What is wrong with a value. Raises KeyError for a part of JSON Schema not known here."""
    if "type" in schema and not _is_a(value, schema["type"]):
        return [f"{at}: {value!r} is no {schema['type']}"]
    found: list[str] = []
    for key in set(schema) - SAYS_NOTHING:
        if key == "items":
            found += [
                f for n, one in enumerate(value) for f in faults(one, schema[key], f"{at}/{n}")
            ]
        elif key == "additionalProperties":
            found += _properties(value, schema, at)
        elif not RULES[key](value, schema[key]):
            found.append(f"{at}: {value!r} breaks {key} {schema[key]}")
    return found


def _is_a(value: Any, wanted: str | list[str]) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, TYPES[name]) for name in names)


def _properties(value: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[str]:
    for name, one in value.items():
        inner = schema.get("properties", {}).get(name)
        for pattern, by_pattern in schema.get("patternProperties", {}).items():
            inner = by_pattern if inner is None and re.search(pattern, name) else inner
        if inner is None and schema["additionalProperties"] is False:
            yield f"{at}: unknown key {name}"
        else:
            yield from faults(one, inner or schema["additionalProperties"], f"{at}/{name}")
