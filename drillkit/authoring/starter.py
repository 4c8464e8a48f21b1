"""What `drillkit new` writes, and the JSON Schema that lets an editor complete and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.content.cards import FIGURES, KINDS, Card
from drillkit.content.deck import HIDDEN, slug
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from pathlib import Path

DECK = """\
# A deck: one topic, one file. `drillkit check {name}` tells what is wrong, `drillkit` reviews it.
# Everything is read as text, so 010, no and 12:30 stay what you typed. Quote a text that holds
# a colon followed by a space, or that starts with one of [ {{ * & ! % @ `.
deck: {deck}
title: {title}
order: 500                  # decks with a lower number come first
tags: []                    # every card of the deck carries these

cards:
  - id: first-card          # letters, digits, hyphens; keep it, and the card keeps its history
    kind: recall            # the default, may be left out: compared in the head
    ask: What is one fact, asked so that only one answer fits?
    answer: The answer, short enough to say in one breath.
    why: What makes it true; shown with the answer.
    source: Where it can be looked up

  # Every card may also have: tags, symbols: {{p: ranks in the ring}}, figure: {figures},
  # perhaps with its numbers (figure: zero P=7e9 N=64),
  # drill: what to practise next, ids of problems, rounds or figures (drill: [fit-check, zero]),
  # after: parent-id (shown only once the parent was answered), group: name (one of a group a day),
  # was: old-id (carries the history over a rename).

  - id: a-gap
    kind: cloze             # one gap is blanked at random; a|b: both are right
    text: "Mixed-precision AdamW keeps {{{{16}}}} bytes a parameter, {{{{12|twelve}}}} in fp32."

  - id: a-choice
    kind: choice            # shuffled; two to five choices, several may be right
    ask: Which one is right?
    choices:
      - {{text: this one, right: true, because: the reason it is right}}
      - {{text: that one, because: the mistake behind it}}

  - id: a-list
    kind: points            # recalled freely, then ticked off
    ask: Which three things belong here?
    points: [the first, the second, the third]

  - id: a-number
    kind: number            # typed with its unit, scored by how far off it is
    ask: HBM bandwidth of an H100 SXM?
    answer: 3.35 TB/s
    within: 5%

  # Other kinds: order (steps: put in order), steps (steps: a derivation, line by line),
  # table (columns, rows: one cell is blanked), wording (prompts, answer: recognise the class),
  # aloud (seconds, points: spoken, then ticked), spot (claim, flaw, right: find the mistake).
"""


def write_deck(path: Path) -> Path:
    """Write a commented deck and return its file. Raises `DrillkitError` if one is there."""
    target = target_of(path)
    name = slug(target.stem) or "deck"
    text = DECK.format(
        name=target,
        deck=name,
        title=name.replace("-", " ").capitalize(),
        figures=" | ".join(FIGURES),
    )
    return write_new(target, text)


def target_of(path: Path) -> Path:
    """Return the file to write, with its ending."""
    return path if path.suffix in {".yaml", ".yml"} else path.with_name(path.name + ".yaml")


def write_new(target: Path, text: str) -> Path:
    """Write a file that is not there yet. Raises `DrillkitError` otherwise."""
    try:
        if not target.parent.exists():
            target.parent.mkdir(parents=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        if target.exists() or target.is_symlink():
            what, hint = "there is a file already", "choose another name"
        else:
            what, hint = f"cannot be written: {error.strerror}", "choose another folder"
        raise DrillkitError(what, where=str(target), hint=hint) from None
    return target


# An editor's YAML reads `answer: 16` as a number and `answer: no` as a truth; here all is text.
ANY_SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}


def deck_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a deck file."""
    texts = {"anyOf": [ANY_SCALAR, {"type": "array", "items": ANY_SCALAR}]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "drillkit deck",
        "type": "object",
        "additionalProperties": False,
        "required": ["deck", "cards"],
        "properties": {
            "deck": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"},
            "title": ANY_SCALAR,
            "order": {"type": "integer", "minimum": 0},
            "tags": texts,
            "cards": {
                "type": "array",
                "items": {"oneOf": [_card_schema(name, kind) for name, kind in KINDS.items()]},
            },
        },
    }


def _card_schema(name: str, kind: type[Card]) -> dict[str, Any]:
    _, parts = msgspec.json.schema_components([kind], ref_template="#/{name}")
    own = parts[kind.__name__]
    properties = {
        key: _loosened(value, parts)
        for key, value in own["properties"].items()
        if key not in HIDDEN
    }
    properties["kind"] = {"const": name}
    summary = (kind.__doc__ or "").strip()
    # A card without a kind is a recall card; every other kind is named.
    needed = ["id"] if name == "recall" else ["id", "kind"]
    return {
        "title": name,
        "description": summary,
        "type": "object",
        "additionalProperties": False,
        "required": needed,
        "properties": properties,
    }


def _loosened(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Return a field's schema as the reader takes it: any scalar is a text, one text a list."""
    if "$ref" in schema:
        inner = parts[schema["$ref"].removeprefix("#/")]
        return {
            "type": "object",
            "additionalProperties": False,
            "required": inner.get("required", []),
            "properties": {
                key: _loosened(value, parts) for key, value in inner["properties"].items()
            },
        }
    match schema.get("type"):
        case "string":
            return ANY_SCALAR
        case "array":
            items = _loosened(schema["items"], parts)
            listed = {"type": "array", "items": items}
            return {"anyOf": [ANY_SCALAR, listed]} if items == ANY_SCALAR else listed
        case "object":
            return {"type": "object", "additionalProperties": ANY_SCALAR}
        case kind:
            return {"type": kind}
