"""A design round, as its author writes it.

Formulas are in base units (byte, second, FLOP, counts, a share for %), as in numeric problems;
`round_reading` has checked that each can be read. What a seed draws, what a check comes to and how
a round is played is the business of `rounds`.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from drillkit.content.cards import DEFAULT_ORDER

Level = Literal["mid", "senior", "staff"]
LEVELS: tuple[Level, ...] = get_args(Level)

Row = Literal[
    "scope",
    "numbers",
    "memory",
    "layout",
    "bottlenecks",
    "reliability",
    "evaluation",
    "communication",
]
ROWS: tuple[Row, ...] = get_args(Row)
"""The rows on which every round is graded; `communication` also holds pace and recovery."""

FactKind = Literal["", "shape", "data", "tokens", "deadline", "hardware", "done"]

CurveballKind = Literal["constraint", "failure", "scale", "challenge", "cost", "silence"]

PlanField = Literal["tp", "pp", "dp", "cp", "zero", "micro_batch", "recompute"]

JobPart = Literal[
    "params", "layers", "hidden", "heads", "kv_heads", "seq", "batch",
    "gpus", "node", "hbm", "peak", "intra", "inter",
]  # fmt: skip


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something the interviewer knows and tells when asked.

    `value` (in `unit` unless it carries its own) holds as written; `vary` lists what a seed may
    draw in its place; a fact that every case fills has neither. A fact without a number has `say`
    alone. `ask` are the words that reveal it, `kind` its place on the list of what to clarify.
    """

    symbol: str
    name: str = ""
    value: str = ""
    unit: str = ""
    vary: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    required: bool = False
    say: str = ""
    kind: str = ""


class Case(msgspec.Struct, frozen=True):
    """Values that vary together, such as the shape of a model, as (symbol, value).

    `words` are texts that go with them, as (name, text): `{name}` stands for one in other texts.
    """

    name: str
    values: tuple[tuple[str, str], ...]
    words: tuple[tuple[str, str], ...] = ()


class Assumption(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that the candidate chooses and states; checks follow it. `range` is what passes."""

    symbol: str
    default: str
    name: str = ""
    unit: str = ""
    range: tuple[str, ...] = ()


class Derived(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that follows from the others, for checks, conditions and texts."""

    symbol: str
    expr: str
    unit: str = ""


class Slip(msgspec.Struct, frozen=True):
    """A mistake at a check: the wrong formula, and what to say to it."""

    expr: str
    says: str


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number that the candidate is asked for.

    `expr` may use facts, assumptions, derived values and the ids of checks before it: those stand
    for what the candidate recorded. `tol` is relative. `diagnose` says what a ratio of given to
    expected means, as (ratio, text). `drill` names a problem family that trains it.
    """

    id: str
    ask: str
    expr: str
    unit: str = ""
    tol: str = "5%"
    round: str = ""
    diagnose: tuple[tuple[str, str], ...] = ()
    slips: tuple[Slip, ...] = ()
    weight: int = 1
    drill: str = ""
    hint: str = ""


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that a layout must meet, and what to say where it does not."""

    holds: str
    says: str = ""


class PlanCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The layout that a phase asks for: any that meets `valid` is right.

    `job` gives the planner's inputs as formulas (JobPart -> formula), `model` the fields of the
    layout that the model answer takes (PlanField -> formula). Conditions may also use what the
    planner works out: `states`, `activations`, `memory` (bytes on the fullest GPU), `bubble`,
    `exposed` (shares of the step), `step` (seconds), `mfu` and `micro_batches`.
    """

    fields: tuple[PlanField, ...]
    valid: tuple[Rule, ...]
    model: tuple[tuple[str, str], ...]
    job: tuple[tuple[str, str], ...]
    weight: int = 2


class Point(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something a good answer says. `keys` are words that suggest it (`a|b`: either will do).

    `ask` is the question of the card that a miss becomes, with `say` as its answer.
    """

    id: str
    say: str
    ask: str
    keys: tuple[str, ...] = ()
    weight: int = 1


class Phase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the round. `write` is what to write down, `model` what a strong engineer writes."""

    id: str
    minutes: int
    row: Row
    title: str = ""
    say: str = ""
    write: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    plan: PlanCheck | None = None
    points: tuple[Point, ...] = ()
    model: tuple[str, ...] = ()


class Trigger(msgspec.Struct, frozen=True, omit_defaults=True):
    """When a curveball comes. Times are in seconds; exactly one of the four ways is set.

    `phase` with `after_s` into it; `minute_s` of the round; `window_s`, of which the seed takes one
    second; or `when`, a condition such as `check.gpu_hours == miss` or `phase.memory == overrun`.
    """

    phase: str = ""
    after_s: int = 0
    minute_s: int | None = None
    window_s: tuple[int, int] | None = None
    when: str = ""


class Curveball(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An interruption by the interviewer.

    `set` changes facts from then on, as (symbol, formula). A `challenge` doubts the number of
    `check` and claims `factor` times it. `model` is what a strong answer says.
    """

    id: str
    say: str
    trigger: Trigger
    kind: CurveballKind = "constraint"
    set: tuple[tuple[str, str], ...] = ()
    check: str = ""
    factor: str = "0.5"
    points: tuple[Point, ...] = ()
    model: str = ""


class Criterion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of the rubric: its weight, its floor, and own anchors as (level, grade, text).

    A grade below `floor` caps the verdict at no-hire. Anchors that a round does not write are the
    general ones.
    """

    id: Row
    weight: int = 1
    floor: int = 0
    anchors: tuple[tuple[Level, int, str], ...] = ()


class Worked(msgspec.Struct, frozen=True):
    """Numbers from a source that the round as written (seed 0) must reproduce."""

    expect: tuple[tuple[str, str], ...]
    source: str
    within: str = "1%"


class Round(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One design round. `minutes` is what all phases take; `path` and `line` where it is written.

    `cards_max` is how many drafts a round makes at most.
    """

    id: str
    title: str
    prompt: str
    facts: tuple[Fact, ...]
    phases: tuple[Phase, ...]
    path: str = ""
    line: int = 1
    level: Level = "senior"
    minutes: int = 45
    order: int = DEFAULT_ORDER
    cases: tuple[Case, ...] = ()
    assume: tuple[Assumption, ...] = ()
    derive: tuple[Derived, ...] = ()
    where: tuple[str, ...] = ()
    curveballs: tuple[Curveball, ...] = ()
    rubric: tuple[Criterion, ...] = ()
    examples: tuple[Worked, ...] = ()
    cards_max: int = 7
    tags: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    was: tuple[str, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks, in the order of the phases."""
        return tuple(check for phase in self.phases for check in phase.checks)

    def phase(self, identity: str) -> Phase:
        """Return a phase by its id. Raises KeyError."""
        for phase in self.phases:
            if phase.id == identity:
                return phase
        raise KeyError(identity)


class ScriptStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a scripted candidate does at second `at_s` of the round; one of the others is set.

    `ask` are words asked of the interviewer, `write` goes on the board, `assume` and `number` are
    (symbol or check, typed text), `layout` is (field, value) or empty with `model_layout`.
    """

    at_s: int
    ask: tuple[str, ...] = ()
    write: str = ""
    assume: tuple[tuple[str, str], ...] = ()
    number: tuple[tuple[str, str], ...] = ()
    layout: tuple[tuple[str, str], ...] = ()
    model_layout: bool = False
    phase: str = ""
    away_s: int = 0
    answer: str = ""


class Script(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A scripted candidate: the test of a round, with the verdicts that it may get.

    `answers` are given to curveballs, as (curveball, text), `answer_after_s` after they come.
    """

    name: str
    round: str
    steps: tuple[ScriptStep, ...]
    verdict: tuple[str, ...]
    path: str = ""
    line: int = 1
    level: str = ""
    mode: str = "interview"
    seeds: tuple[int, ...] = (0,)
    answers: tuple[tuple[str, str], ...] = ()
    answer_after_s: int = 40
    grades: tuple[tuple[Row, int], ...] = ()
