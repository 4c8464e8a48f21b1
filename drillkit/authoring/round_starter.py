"""What `drillkit new round` writes, and the JSON Schema of a round file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from drillkit.authoring.problem_starter import NAMED_TEXTS, TEXTS, closed
from drillkit.authoring.starter import ANY_SCALAR, target_of, write_new
from drillkit.content.deck import slug
from drillkit.content.problem_rules import ROUNDINGS, SYMBOL
from drillkit.content.round import LEVELS, ROWS, CurveballKind, PlanField
from drillkit.content.round_course import LONGEST_ROUND, MOST_CARDS
from drillkit.content.round_names import LARGEST_WEIGHT
from drillkit.content.round_rules import FACT_KINDS, JOB_PARTS, OPTIONAL_PARTS

if TYPE_CHECKING:
    from pathlib import Path

# Names in angle brackets are filled in; braces are the file's own.
ROUND = """\
# A design round: one file, one conversation with an interviewer, on a clock.
# `drillkit check <file>` proves it on many draws: every number solvable, every layout judged.
# Symbols stand for numbers: {gpus} in a text is the value with its unit. Formulas are in base
# units (byte, second, FLOP, counts, $; a share for %); `unit` converts. Times are "m:ss".
round: <id>
title: <title>
level: senior               # mid | senior | staff
minutes: 15                 # what all phases take together
order: 500                  # rounds with a lower number come first
tags: []
source: [Where the numbers can be looked up]
# was: [old-id]             # carries the history over a rename

# What the interviewer reads out: short. It may name facts, never what is to be worked out.
prompt: |
  We want our own decoder of {params} parameters. Plan the run.

# Values that vary together. The first case is the round as written; a seed draws one.
# `words: {cause: a slow node}` adds texts to a case: {cause} stands for them elsewhere.
cases:
  - {name: 7B, params: 7e9, layers: 32, width: 4096, heads: 32}
  - {name: 13B, params: 13e9, layers: 40, width: 5120, heads: 40}

# What the interviewer knows. A word of `ask` reveals a fact; `required` ones are worth asking.
# kind: shape | data | tokens | deadline | hardware | done. A seed draws one of `vary`.
facts:
  params: {name: parameters, unit: params, ask: [size, model], required: true, kind: shape}
  layers: {name: layers, unit: layers, ask: [depth, layers], kind: shape}
  width: {name: width, ask: [width, hidden], kind: shape}
  heads: {name: attention heads, unit: heads, ask: [heads], kind: shape}
  seq: {name: sequence length, value: 4096, unit: tokens, ask: [context, sequence], kind: data}
  tokens: {name: training tokens, value: 1e12, unit: tokens, ask: [tokens], kind: tokens}
  batch: {name: global batch, value: 4194304, unit: tokens, ask: [batch], kind: tokens}
  gpus: {name: GPUs, value: 128, vary: [128, 256], unit: GPUs, ask: [gpus], kind: hardware}
  inter: {name: network, value: 50 GB/s, unit: GB/s, ask: [network], say: "{inter} a GPU."}
  done: {say: Done means a better score than what we rent., ask: [done, goal], kind: done}

# What the candidate may choose; the checks follow it. `range` is what passes without a word.
assume:
  mfu: {name: MFU, default: 40%, unit: "%", range: [25%, 55%]}

# Helpers for formulas and texts: a formula, or one with its unit.
derive:
  lost: 32
  wall: {expr: gpu_hours/gpus, unit: days}
where: [batch/seq >= gpus]  # conditions that a draw must meet; also and, or, not, divides(a, b)

# Phases called clarify, compute, memory, layout, roofline, reliability, eval or monitor know their
# row of the rubric; another one says `row:`, which is one of
# <rows>.
phases:
  - id: clarify
    title: Clarify          # else the id
    minutes: 3
    say: Ask me what you need.
    write: [model shape, tokens, hardware, what done means]     # what to write down
    # What a good answer says. A miss becomes the card `ask` with the answer `say`; `keys` are
    # words that suggest a hit, a|b: either will do.
    points:
      - id: goal-first
        say: States the goal and what done means before any number.
        ask: What do you settle in a design round before any number?
        keys: [goal|done, assume]
        weight: 1
    model: ["{params} parameters, {tokens} tokens, {gpus} GPUs; assume an MFU of {mfu}."]

  - id: compute
    minutes: 5
    # Numbers that are asked for. The formula may use facts, assumptions, what is derived and the
    # checks before it. tol: 5% or exact; round: up, down or nearest.
    checks:
      - id: flops_tok
        ask: training FLOPs per token
        expr: 6*params + 6*layers*seq*width
        unit: FLOP
        tol: 10%
        hint: Three times the forward pass, and the attention scores.
        # Wrong formulas, and what a ratio of given to expected tells.
        slips: [{expr: 2*params, says: That is the forward pass alone.}]
        diagnose: {0.33: "Forward pass only?"}
      - {id: gpu_hours, ask: GPU-hours, expr: tokens*flops_tok/(989e12*mfu), unit: GPU-h, weight: 2}
      # drill: zero3-memory     # the numeric problem that trains it
    points:
      - {id: days, say: Makes days of GPU-hours., ask: "What do GPU-hours tell?", keys: [day|week]}
    model: ["{gpu_hours}: {wall} on {gpus} GPUs."]

  - id: layout
    minutes: 7
    # Any layout that meets `valid` is right. Beside the fields the conditions may use what the
    # planner works out: states, activations, memory (bytes on the fullest GPU), bubble, exposed
    # (shares of the step), step (s), mfu, micro_batches. `job` is what the planner starts from.
    plan:
      fields: [tp, pp, dp, zero, micro_batch]       # also cp and recompute (0 none, 1 full)
      job:                  # batch in sequences, bytes, FLOP/s, bytes/s; kv_heads where grouped
        {params: params, layers: layers, hidden: width, heads: heads, seq: seq, batch: batch/seq,
         gpus: gpus, node: 8, hbm: 80e9, peak: 989e12, intra: 450e9, inter: inter}
      valid:
        - {holds: tp*pp*dp == gpus, says: "The degrees must multiply to {gpus} GPUs."}
        - {holds: memory <= 0.9*80e9, says: It does not fit into 80 GB.}
      model: {tp: 1, pp: 1, dp: gpus, zero: 2, micro_batch: 1}
      weight: 2
    points:
      - {id: in-node, say: TP stays inside a node., ask: "Where does TP stay?", keys: [node]}
    model: ["TP {tp}, PP {pp}, DP {dp}, ZeRO-{zero}."]

# Interruptions: constraint | failure | scale | challenge | cost | silence. At most one a phase.
curveballs:
  - id: lose-a-rack
    kind: failure
    at: {phase: layout, after: "1:30"}      # or at: "9:30"
    say: "We lose {lost} GPUs. What changes?"
    set: {gpus: gpus - 32}                  # facts from then on
    points:
      - {id: dates, say: The date moves., ask: "A rack is lost. What moves?", keys: [date|later]}
    model: The run takes longer by 128/96; the batch stays, by accumulation.
  - id: sure
    kind: challenge                         # {claim} is `factor` times a number that was right
    check: gpu_hours
    factor: 0.5
    window: ["6:00", "7:30"]                # the seed takes one second of it
    # when: check.gpu_hours == miss         # or plan.tp > 8, phase.ID == overrun,
    say: "Sure? I get {claim}."             # fact.SYMBOL == unasked
    points:
      - {id: stands, say: Stands by what is right., ask: "What if it is doubted?", keys: [because]}
    model: Says how the number was made, and stays with it.

# Weights and own descriptions of grades 1 to 4, by level. A grade below `floor` is a no-hire.
rubric:
  - {id: numbers, weight: 3, floor: 2, anchors: {senior: {3: Both numbers within 10 %.}}}

# Numbers from the source, which the round as written must reproduce.
examples:
  - {flops_tok: 4.52e10 FLOP, gpu_hours: 31750 GPU-h, within: 0.5%, source: computed by hand}
cards: {max: 7}             # how many cards a round makes of what was missed
"""


def write_round(path: Path) -> Path:
    """Write a commented round and return its file. Raises `DrillkitError` if one is there."""
    target = target_of(path)
    name = slug(target.stem) or "my-round"
    filled = {
        "<file>": str(target),
        "<id>": name,
        "<title>": name.replace("-", " ").capitalize(),
        "<rows>": ", ".join(ROWS),
    }
    text = ROUND
    for mark, value in filled.items():
        text = text.replace(mark, value)
    return write_new(target, text)


def round_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a round file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "drillkit round",
        **closed(
            {
                "round": _ID,
                "title": ANY_SCALAR,
                "level": {"enum": list(LEVELS)},
                "minutes": _whole(1, LONGEST_ROUND),
                "order": _whole(0),
                "tags": TEXTS,
                "source": TEXTS,
                "was": TEXTS,
                "prompt": ANY_SCALAR,
                "cases": _list(
                    {
                        **NAMED_TEXTS,
                        "required": ["name"],
                        "minProperties": 2,
                        "properties": {"words": NAMED_TEXTS},
                    }
                ),
                "facts": _by_symbol(_FACT),
                "assume": _by_symbol(_ASSUMPTION),
                "derive": _by_symbol({"anyOf": [ANY_SCALAR, _DERIVED]}),
                "where": TEXTS,
                "phases": _list(_PHASE),
                "curveballs": _list(_CURVEBALL),
                "rubric": _list(_CRITERION),
                "examples": _list({**NAMED_TEXTS, "required": ["source"], "minProperties": 2}),
                "cards": closed({"max": _whole(0, MOST_CARDS)}),
            },
            *("round", "title", "prompt", "facts", "phases"),
        ),
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _whole(least: int, most: int | None = None) -> dict[str, Any]:
    upper = {} if most is None else {"maximum": most}
    return {"type": "integer", "minimum": least, **upper}


def _by_symbol(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "patternProperties": {f"^{SYMBOL.pattern}$": schema},
    }


_ID: dict[str, Any] = {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"}
_SYMBOL: dict[str, Any] = {"type": "string", "pattern": f"^{SYMBOL.pattern}$"}
_TWO: dict[str, Any] = {"type": "array", "items": ANY_SCALAR, "minItems": 2, "maxItems": 2}
_TIME: dict[str, Any] = {"type": "string", "pattern": "^[0-9]{1,3}:[0-5][0-9]$"}
_WEIGHT = _whole(1, LARGEST_WEIGHT)

_FACT = closed(
    {
        "name": ANY_SCALAR,
        "value": ANY_SCALAR,
        "unit": ANY_SCALAR,
        "vary": TEXTS,
        "ask": TEXTS,
        "required": {"type": "boolean"},
        "say": ANY_SCALAR,
        "kind": {"enum": list(FACT_KINDS)},
    }
)
_ASSUMPTION = closed(
    {"name": ANY_SCALAR, "default": ANY_SCALAR, "unit": ANY_SCALAR, "range": _TWO}, "default"
)
_DERIVED = closed({"expr": ANY_SCALAR, "unit": ANY_SCALAR}, "expr")
_POINT = closed(
    {"id": _ID, "say": ANY_SCALAR, "ask": ANY_SCALAR, "keys": TEXTS, "weight": _WEIGHT},
    *("id", "say", "ask"),
)
_CHECK = closed(
    {
        "id": _SYMBOL,
        "ask": ANY_SCALAR,
        "expr": ANY_SCALAR,
        "unit": ANY_SCALAR,
        "tol": ANY_SCALAR,
        "round": {"enum": list(ROUNDINGS)},
        "diagnose": NAMED_TEXTS,
        "slips": _list(closed({"expr": ANY_SCALAR, "says": ANY_SCALAR}, "expr", "says")),
        "weight": _WEIGHT,
        "drill": _ID,
        "hint": ANY_SCALAR,
    },
    *("id", "ask", "expr"),
)
_RULE = closed({"holds": ANY_SCALAR, "says": ANY_SCALAR}, "holds")
_PLAN_FIELDS: tuple[str, ...] = get_args(PlanField)
_PLAN = closed(
    {
        "fields": _list({"enum": list(_PLAN_FIELDS)}),
        "job": closed(
            dict.fromkeys(JOB_PARTS, ANY_SCALAR),
            *(part for part in JOB_PARTS if part not in OPTIONAL_PARTS),
        ),
        "valid": _list({"anyOf": [ANY_SCALAR, _RULE]}),
        "model": closed(dict.fromkeys(_PLAN_FIELDS, ANY_SCALAR)),
        "weight": _WEIGHT,
    },
    *("fields", "job", "valid", "model"),
)
_PHASE = closed(
    {
        "id": _ID,
        "title": ANY_SCALAR,
        "minutes": _whole(1, LONGEST_ROUND),
        "row": {"enum": list(ROWS)},
        "say": ANY_SCALAR,
        "write": TEXTS,
        "checks": _list(_CHECK),
        "plan": _PLAN,
        "points": _list(_POINT),
        "model": TEXTS,
    },
    *("id", "minutes", "points"),
)
_CURVEBALL = {
    **closed(
        {
            "id": _ID,
            "kind": {"enum": list(get_args(CurveballKind))},
            "at": {"anyOf": [_TIME, closed({"phase": _ID, "after": _TIME}, "phase")]},
            "window": {"type": "array", "items": _TIME, "minItems": 2, "maxItems": 2},
            "when": ANY_SCALAR,
            "say": ANY_SCALAR,
            "set": _by_symbol(ANY_SCALAR),
            "check": _SYMBOL,
            "factor": ANY_SCALAR,
            "points": _list(_POINT),
            "model": ANY_SCALAR,
        },
        *("id", "say", "points"),
    ),
    "oneOf": [{"required": [key]} for key in ("at", "window", "when")],
}
_GRADES = closed({str(grade): ANY_SCALAR for grade in range(1, 5)})
_CRITERION = closed(
    {
        "id": {"enum": list(ROWS)},
        "weight": _whole(0, LARGEST_WEIGHT),
        "floor": _whole(0, 4),
        "anchors": closed(dict.fromkeys(LEVELS, _GRADES)),
    },
    "id",
)
