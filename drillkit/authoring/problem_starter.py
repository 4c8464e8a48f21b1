"""What `drillkit new problem` writes, and the JSON Schema of a problem file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drillkit.authoring.starter import ANY_SCALAR, target_of, write_new
from drillkit.content.cards import FIGURES
from drillkit.content.deck import slug
from drillkit.content.problem_rules import ROUNDINGS, SYMBOL

if TYPE_CHECKING:
    from pathlib import Path

PROBLEMS = """\
# Numeric problems: one topic, one file. Every question draws new numbers from what stands here.
# `drillkit check {name}` proves each family on 200 draws: solvable, judged right.
# `drillkit variant {id}-transfer --seed 1` shows one variant with its solution and mistakes.
title: {title}
tags: []                    # every family of the file carries these

problems:
  - id: {id}-transfer       # letters, digits, hyphens; keep it, and it keeps its history
    title: Time to move a tensor
    tags: []
    seconds: 60             # how long it should take
    # figure: {figures}

    # Symbols and their units: GB, GB/s, s, min, FLOP, TFLOP/s, params, tokens, GPUs, %, $ or none.
    # Where a value comes from: from: [a, b], powers_of_2: [8, 1024], range: [1, 80] with step: 1
    # or log: true (else nice: true, round numbers), exclude: [..], formula: "2*x" (of others).
    # With none of these it is filled by a preset, or worked out from the equations.
    given:
      S: {{name: size of the tensor, unit: GB, from: [1, 2, 5, 8, 10, 14, 20, 28]}}
      B: {{name: bandwidth of the link, unit: GB/s, from: [25, 50, 100, 300, 450]}}
      T: {{name: time, unit: ms, range: [10, 500]}}
    where: [S/B > 0.01]     # conditions; also and, or, not, divides(a, b)

    # Presets fill several symbols at once: known ones (llama-3-70b, gpt-3-175b, h100, …) or
    # written out. {{link}} in a text is the name of the one drawn.
    # presets:
    #   gpu: [a100, h100]
    #   link: {{NVLink 4: {{B: 450 GB/s}}, InfiniBand NDR: {{B: 400 Gb/s}}}}

    # In base units: byte, second, FLOP, count. Several equations make a chain of steps.
    equations: ["T = S/B"]

    # What can be asked. {{S}} is a value with its unit; counted ones stand alone: "{{N}} GPUs".
    # within: 2% or exact; round: up, down or nearest; negative: true; own where and hints;
    # fit: C (with `room = C - T` asked for) asks whether it fits into C and by how much.
    find:
      T: {{unit: ms, within: 2%, ask: "How many ms does it take to send {{S}} at {{B}}?"}}
      S: {{unit: GB, within: 2%, ask: "How many GB does a link of {{B}} carry in {{T}}?"}}

    # Mistakes with a name. A wrong formula for T is worked out for the question after S as well,
    # unless it says `only: T`. Slips of unit (GB or GiB, bits or bytes) are known to drillkit.
    slips:
      - id: both-ways
        B: 2*B
        says: The rate holds in one direction; the other one is no help here.
      - {{id: there-and-back, T: 2*S/B, says: The tensor crosses the link once.}}
      - {{id: all-links, B: 18*B, says: "The rate is that of all links, not of one."}}

    # Numbers that must come out, each with its source.
    examples:
      - {{given: {{S: 14 GB, B: 50 GB/s}}, T: 280 ms, source: computed by hand}}
    hints: [Bytes over bytes a second are seconds.]
    why: The time is the size over the bandwidth; a latency of microseconds does not count here.
    source: Where the formula can be looked up
    # was: old-id           # carries the history over a rename
"""


def write_problems(path: Path) -> Path:
    """Write a commented problem file and return it. Raises `DrillkitError` if one is there."""
    target = target_of(path)
    name = slug(target.stem) or "topic"
    text = PROBLEMS.format(
        name=target,
        id=name,
        title=name.replace("-", " ").capitalize(),
        figures=" | ".join(FIGURES),
    )
    return write_new(target, text)


TEXTS: dict[str, Any] = {"anyOf": [ANY_SCALAR, {"type": "array", "items": ANY_SCALAR}]}
NAMED_TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": ANY_SCALAR}


def problem_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a problem file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "drillkit problems",
        **closed(
            {
                "title": ANY_SCALAR,
                "order": {"type": "integer", "minimum": 0},
                "tags": TEXTS,
                "problems": {"type": "array", "items": _family_schema()},
            },
            "problems",
        ),
    }


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of a mapping with these keys and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def _by_symbol(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "patternProperties": {f"^{SYMBOL.pattern}$": schema},
    }


def _family_schema() -> dict[str, Any]:
    two = {"type": "array", "items": ANY_SCALAR, "minItems": 2, "maxItems": 2}
    truth = {"type": "boolean"}
    given = closed(
        {
            "name": ANY_SCALAR,
            "unit": ANY_SCALAR,
            "from": TEXTS,
            "powers_of_2": two,
            "range": two,
            "step": ANY_SCALAR,
            "log": truth,
            "nice": truth,
            "exclude": TEXTS,
            "formula": ANY_SCALAR,
        }
    )
    find = closed(
        {
            "name": ANY_SCALAR,
            "unit": ANY_SCALAR,
            "ask": ANY_SCALAR,
            "within": ANY_SCALAR,
            "round": {"enum": list(ROUNDINGS)},
            "fit": ANY_SCALAR,
            "negative": truth,
            "where": TEXTS,
            "hints": TEXTS,
        },
        "ask",
    )
    presets = {
        "anyOf": [
            {"type": "array", "items": ANY_SCALAR},
            {"type": "object", "additionalProperties": NAMED_TEXTS},
        ]
    }
    slip = {
        "type": "object",
        "additionalProperties": ANY_SCALAR,
        "required": ["id", "says"],
        "minProperties": 3,
    }
    example = {
        "type": "object",
        "additionalProperties": ANY_SCALAR,
        "required": ["given", "source"],
        "minProperties": 3,
        "properties": {"given": NAMED_TEXTS},
    }
    return closed(
        {
            "id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"},
            "title": ANY_SCALAR,
            "tags": TEXTS,
            "figure": {"type": "string", "pattern": f"^({'|'.join(FIGURES)})( |$)"},
            "seconds": {"type": "integer", "minimum": 5, "maximum": 3600},
            "given": _by_symbol(given),
            "presets": {"type": "object", "additionalProperties": presets},
            "where": TEXTS,
            "equations": TEXTS,
            "find": _by_symbol(find),
            "slips": {"type": "array", "items": slip},
            "examples": {"type": "array", "items": example},
            "hints": TEXTS,
            "why": ANY_SCALAR,
            "source": TEXTS,
            "was": TEXTS,
        },
        "id",
        "title",
        "equations",
        "find",
    )
