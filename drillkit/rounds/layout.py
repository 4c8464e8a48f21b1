"""A layout that a candidate gives, judged by the planner and by the conditions of the round.

Any layout that meets them is right. Parameters are those that the round states; memory is that of
stages of equal length, as a candidate reckons it, with as many micro-batches in flight as 1F1B
holds; step time and traffic are the planner's estimate.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.answer import parse_unit
from drillkit.algebra.expression import Compare, Name, names
from drillkit.algebra.outcome import UnreadableError
from drillkit.content.round_names import PLAN_OUTCOMES
from drillkit.errors import DrillkitError
from drillkit.mlsys.estimate import Job, evaluate, refusal
from drillkit.mlsys.hardware import H100, INFINIBAND_NDR
from drillkit.mlsys.layout import Layout
from drillkit.mlsys.memory import Workload, training_memory
from drillkit.mlsys.pipeline import bubble_fraction
from drillkit.mlsys.transformer import Transformer
from drillkit.numeric.wording import exact_number
from drillkit.rounds.margin import margin
from drillkit.rounds.solve import fill_text, known_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drillkit.algebra.expression import Condition
    from drillkit.content.round import PlanCheck, Rule
    from drillkit.mlsys.activations import Recompute
    from drillkit.rounds.draw import Draw
    from drillkit.rounds.solve import Situation

OUTCOMES = dict(
    zip(PLAN_OUTCOMES, map(parse_unit, ("GB", "GB", "GB", "%", "%", "s", "%", "")), strict=True)
)
"""What the planner works out of a layout, and its unit."""

USUAL: dict[str, int] = {
    "tp": 1,
    "pp": 1,
    "dp": 1,
    "cp": 1,
    "zero": 0,
    "micro_batch": 1,
    "recompute": 0,
}
"""The fields of a layout, as they are where a round does not ask for them."""

DEGREES = frozenset({"tp", "pp", "dp", "cp"})
BATCH_ROOM = Fraction(1, 10)
"""A global batch may move by this share to become whole micro-batches on every rank."""

MOST_LAYOUTS = 400
LARGEST = 10**9
"""A degree beyond this is taken as this: it is wrong either way."""

NOT_WORKED_OUT = "not worked out, since the layout cannot run"


class RuleResult(NamedTuple):
    """One condition on a layout: what must hold, what to say where it does not, and by how much."""

    holds: str
    says: str
    met: bool
    margin: str


class LayoutVerdict(NamedTuple):
    """The judgement of a layout: `right` when it meets every rule.

    `values` are what the planner works out, in base units (none where the layout cannot run);
    `told` says what is missed, or by how much everything is met.
    """

    right: bool
    rules: tuple[RuleResult, ...]
    values: Mapping[str, Fraction]
    told: tuple[str, ...]


def judge_layout(
    draw: Draw, phase: str, fields: Mapping[str, int], situation: Situation
) -> LayoutVerdict:
    """Return the verdict on a layout, for the facts in force.

    Fields that are not given are as in `USUAL`. Raises `DrillkitError` where the phase asks for no
    layout or its job makes no sense.
    """
    return _Judge(draw, _plan(draw, phase), fields, situation).verdict()


def model_layout(draw: Draw, phase: str, situation: Situation) -> dict[str, int]:
    """Return the layout of the model answer, in whole numbers. Raises as `judge_layout`."""
    known = known_values(draw, situation)
    return {
        field: int(draw.formulas.value(draw.formulas.formula(text), known))
        for field, text in _plan(draw, phase).model
    }


def layouts(draw: Draw, phase: str, situation: Situation) -> Iterator[dict[str, int]]:
    """Yield layouts to try the rules on, the model first: good ones, bad ones, impossible ones.

    At most a few hundred, the same for the same draw. Raises as `judge_layout`.
    """
    plan = _plan(draw, phase)
    model = model_layout(draw, phase, situation)
    yield model
    yield {name: 3 * value if name == "dp" else value for name, value in model.items()}
    yield {name: 0 if name == "dp" else value for name, value in model.items()}
    yield {name: 3 if name in DEGREES else value for name, value in model.items()}
    job = _job(draw, plan, situation, 1)
    found = list(_spread(job, plan))
    random = draw.random(f"layouts {phase}")
    # Where there are too many, chance takes them: a step would miss whole columns.
    order = sorted(range(len(found)), key=lambda _: random.random())
    yield from (found[at] for at in sorted(order[:MOST_LAYOUTS]))


def _spread(job: Job, plan: PlanCheck) -> Iterator[dict[str, int]]:
    """Every way to factor the GPUs, with every stage, micro-batch and recomputation."""
    choices: dict[str, tuple[int, ...]] = {
        "tp": _divisors(job.gpus, 4 * job.node_size),
        "pp": _divisors(job.gpus, 2 * job.shape.layers),
        "cp": _divisors(job.gpus, 16),
        "zero": (0, 1, 2, 3),
        "micro_batch": (1, 2, 4, 8),
        "recompute": (0, 1),
    }
    fields: tuple[str, ...] = plan.fields
    asked = [name for name in choices if name in fields]
    for values in product(*(choices[name] for name in asked)):
        layout = dict(zip(asked, values, strict=True))
        split = layout.get("tp", 1) * layout.get("pp", 1) * layout.get("cp", 1)
        if job.gpus % split == 0:
            yield layout | ({"dp": job.gpus // split} if "dp" in fields else {})


def _divisors(number: int, most: int) -> tuple[int, ...]:
    return tuple(one for one in range(1, min(number, most) + 1) if number % one == 0)


def _plan(draw: Draw, phase: str) -> PlanCheck:
    plan = draw.round.phase(phase).plan
    if plan is None:
        raise DrillkitError(f"{draw.round.id}: no layout is asked for in {phase}")
    return plan


def _job(draw: Draw, plan: PlanCheck, situation: Situation, micro_batch: int) -> Job:
    """The planner's job, from the facts in force."""
    known = known_values(draw, situation)
    part = {
        name: draw.formulas.value(draw.formulas.formula(text), known) for name, text in plan.job
    }
    whole = {name: round(value) for name, value in part.items()}
    try:
        shape = Transformer(
            draw.round.title,
            whole["layers"],
            whole["hidden"],
            whole["heads"],
            ffn=4 * whole["hidden"],
            vocab=1,
            kv_heads=whole.get("kv_heads", 0),
            stated_params=whole["params"],
        )
        return Job(
            shape,
            whole["gpus"],
            whole["seq"],
            whole["batch"],
            micro_batch,
            gpu=replace(
                H100,
                name="GPU",
                flops_per_s=float(part["peak"]),
                memory_bytes=float(part["hbm"]),
                nvlink=replace(H100.nvlink, bytes_per_s=float(part["intra"])),
            ),
            node_size=whole["node"],
            inter=replace(INFINIBAND_NDR, bytes_per_s=float(part["inter"])),
        )
    except ValueError as error:
        raise DrillkitError(f"{draw.round.id}: the job of a layout: {error}") from error


class _Judge:
    """One layout on its way to a verdict."""

    def __init__(
        self, draw: Draw, plan: PlanCheck, fields: Mapping[str, int], situation: Situation
    ) -> None:
        self.draw = draw
        self.plan = plan
        self.situation = situation
        given = {name: max(-LARGEST, min(LARGEST, value)) for name, value in fields.items()}
        self.fields = {**USUAL, **given}
        micro_batch = max(1, self.fields["micro_batch"])
        self.job = _job(draw, plan, situation, micro_batch)
        self.own = tuple((rule, self._condition(rule)) for rule in plan.valid)

    def verdict(self) -> LayoutVerdict:
        rules = list(self._can_run())
        values: dict[str, Fraction] = {}
        refused = ""
        if all(rule.met for rule in rules):
            layout, job = self._layout(), self._fitted()
            refused = refusal(job, layout)
            values = {} if refused else self._worked_out(job, layout)
        judged = [self._judged(rule, condition, values) for rule, condition in self.own]
        if refused and all(rule.met or rule.margin == NOT_WORKED_OUT for rule in judged):
            # The round has a product of its own that leaves out a degree.
            rules.append(RuleResult("the layout can run", f"{refused}.", met=False, margin=""))
        missed = [rule for rule in (*rules, *judged) if not rule.met]
        told = [_told(rule) for rule in missed if rule.margin != NOT_WORKED_OUT]
        if not missed:
            told = [
                f"{condition.left.name} {rule.margin}"
                for rule, (_, condition) in zip(judged, self.own, strict=True)
                if isinstance(condition, Compare) and isinstance(condition.left, Name)
            ]
        return LayoutVerdict(not missed, (*rules, *judged), values, tuple(told))

    # --- whether it can run ---

    def _can_run(self) -> Iterator[RuleResult]:
        """What the planner refuses, one rule each."""
        fields, job = self.fields, self.job
        sizes = [fields[name] for name in (*sorted(DEGREES), "micro_batch")]
        sound = min(sizes) >= 1 and 0 <= fields["zero"] <= 3 and fields["recompute"] in {0, 1}
        yield RuleResult(
            "degrees >= 1",
            "Degrees and micro-batch are at least 1, ZeRO is 0 to 3, recompute 0 or 1.",
            sound,
            "",
        )
        if not sound:
            return
        tp, pp, dp, cp = (fields[name] for name in ("tp", "pp", "dp", "cp"))
        asked = [name for name in ("tp", "pp", "dp", "cp") if name in self.plan.fields]
        if not any(self._is_product(condition) for _, condition in self.own):
            all_gpus, degrees = tp * pp * dp * cp, " × ".join(_count(fields[one]) for one in asked)
            yield RuleResult(
                f"{'*'.join(asked)} == {_count(job.gpus)}",
                f"The degrees must multiply to {_count(job.gpus)} GPUs.",
                all_gpus == job.gpus,
                f"{degrees} = {_count(all_gpus)}",
            )
        yield RuleResult(
            "divides(tp, heads)",
            f"TP {tp} must divide the {job.shape.heads} heads.",
            job.shape.heads % tp == 0,
            f"{job.shape.heads} heads / {tp} = {_share(job.shape.heads, tp)}",
        )
        yield RuleResult(
            "pp <= layers",
            f"PP {_count(pp)} is more than the {job.shape.layers} layers.",
            pp <= job.shape.layers,
            f"{job.shape.layers} layers / {_count(pp)} = {_share(job.shape.layers, pp)} a stage",
        )
        if "cp" in asked:
            yield RuleResult(
                "divides(cp, seq)",
                f"CP {_count(cp)} must divide the {_count(job.seq)} tokens.",
                job.seq % cp == 0,
                f"{_count(job.seq)} tokens / {_count(cp)} = {_share(job.seq, cp)}",
            )
        yield self._batch()

    def _batch(self) -> RuleResult:
        dp = self.fields["dp"]
        per_step = dp * self.fields["micro_batch"]
        batch, fitted = self.job.global_batch, self._fitted().global_batch
        told = f"{_count(batch)} sequences / {_count(per_step)} = {_share(batch, per_step)} a rank"
        if fitted != batch:
            told += f"; {_count(fitted // per_step)} would be a batch of {_count(fitted)}"
        return RuleResult(
            "divides(dp*micro_batch, batch)",
            f"{_count(batch)} sequences make no whole micro-batches on {_count(dp)} ranks.",
            abs(Fraction(fitted, batch) - 1) <= BATCH_ROOM,
            told,
        )

    def _fitted(self) -> Job:
        """The job with the nearest batch of whole micro-batches: one gives way to the layout."""
        per_step = self.fields["dp"] * self.fields["micro_batch"]
        whole = max(1, round(Fraction(self.job.global_batch, per_step)))
        return replace(self.job, global_batch=whole * per_step)

    def _is_product(self, condition: Condition) -> bool:
        """Whether a condition of the round says itself what the degrees multiply to."""
        gpus = names(self.draw.formulas.formula(dict(self.plan.job)["gpus"]))
        used = names(condition)
        return (
            isinstance(condition, Compare)
            and condition.relation == "=="
            and bool(used & gpus)
            and used - gpus <= DEGREES
        )

    # --- what it comes to ---

    def _layout(self) -> Layout:
        fields = self.fields
        return Layout(
            fields["dp"],
            fields["tp"],
            fields["pp"],
            fields["cp"],
            zero_stage=fields["zero"],
            sequence_parallel=fields["tp"] > 1,
        )

    def _worked_out(self, job: Job, layout: Layout) -> dict[str, Fraction]:
        recompute: Recompute = "full" if self.fields["recompute"] else "selective"
        found = evaluate(job, layout, recompute)
        work = Workload(job.seq, job.micro_batch, found.micro_batches, recompute=recompute)
        memory = training_memory(job.shape, layout, work)
        return {
            "states": Fraction(memory.states.total_bytes),
            "activations": Fraction(memory.activation_bytes + memory.recomputed_bytes),
            "memory": Fraction(memory.total_bytes),
            "bubble": bubble_fraction(layout.pp, found.micro_batches),
            "exposed": Fraction(found.step.exposed_s / found.step.total_s),
            "step": Fraction(found.step.total_s),
            "mfu": Fraction(found.mfu),
            "micro_batches": Fraction(found.micro_batches),
        }

    # --- the round's own rules ---

    def _condition(self, rule: Rule) -> Condition:
        return self.draw.formulas.condition(rule.holds, frozenset({*USUAL, *OUTCOMES}))

    def _judged(
        self, rule: Rule, condition: Condition, values: Mapping[str, Fraction]
    ) -> RuleResult:
        text = rule.says or f"{rule.holds} does not hold."
        says = fill_text(self.draw, text, self.situation, self.fields)
        needed = names(condition)
        if needed & OUTCOMES.keys() and not values:
            return RuleResult(rule.holds, says, met=False, margin=NOT_WORKED_OUT)
        # The planner's names first: an assumed MFU goes by the same one.
        known = {name: Fraction(value) for name, value in self.fields.items()} | dict(values)
        formulas, facts = self.draw.formulas, known_values(self.draw, self.situation)
        try:
            for name in sorted(needed - known.keys()):
                known[name] = formulas.value(Name(name), facts)
            met = formulas.holds(condition, known)
            by = margin(condition, known, {**self.draw.units, **OUTCOMES})
        except (UnreadableError, ArithmeticError):
            return RuleResult(rule.holds, says, met=False, margin="")
        return RuleResult(rule.holds, says, met, by)


def _told(rule: RuleResult) -> str:
    return f"{rule.says} {rule.margin}".strip() + ("." if rule.margin else "")


def _count(number: int) -> str:
    return exact_number(Fraction(number))


def _share(number: int, parts: int) -> str:
    return f"{float(Fraction(number, parts)):.3g}" if number % parts else _count(number // parts)
