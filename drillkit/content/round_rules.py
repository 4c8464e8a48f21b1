"""What the author of a design round can get wrong: names, values, formulas, texts.

Each fault is told at its key. Whether every draw can be solved, and judged right, is proved
elsewhere (`authoring.round_proofs`), since that takes its numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from drillkit.content.deck import ID
from drillkit.content.problem_rules import PLACEHOLDER, ROUNDINGS, SYMBOL
from drillkit.content.round import FactKind, JobPart
from drillkit.content.round_course import judge_course
from drillkit.content.round_names import LARGEST_WEIGHT, PLAN_OUTCOMES, RESERVED, RoundFaults
from drillkit.content.schema import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.content.round import Assumption, Case, Check, Fact, PlanCheck, Round
    from drillkit.content.round_names import Place
    from drillkit.content.schema import Report
    from drillkit.content.tree import Mapping

FACT_KINDS: tuple[str, ...] = tuple(filter(None, get_args(FactKind)))
JOB_PARTS: tuple[str, ...] = get_args(JobPart)
OPTIONAL_PARTS = frozenset({"kv_heads"})


def judge_round(drawn: Round, node: Mapping, report: Report) -> None:
    """Report every fault of a round whose shape is right."""
    faults = RoundFaults(drawn, node, report)
    _Numbers(faults).run()
    judge_course(faults)


class _Numbers:
    """The numbers of a round and how they hang together."""

    def __init__(self, faults: RoundFaults) -> None:
        self.faults = faults
        self.round = faults.round

    def run(self) -> None:
        self._names()
        self._cases()
        for fact in self.round.facts:
            self._fact(fact)
        for stated in self.round.assume:
            self._assumption(stated)
        needs = self._derived()
        for number, text in enumerate(self.round.where):
            self.faults.condition(text, ("where", number), self.faults.known)
        before: set[str] = set()
        plans = 0
        for number, phase in enumerate(self.round.phases):
            place: Place = ("phases", number)
            for index, check in enumerate(phase.checks):
                self._check(check, (*place, "checks", index), before, needs)
                before.add(check.id)
            if phase.plan is not None:
                plans += 1
                self._plan(phase.plan, (*place, "plan"), before)
                if plans > 1:
                    told, hint = "a second phase asks for a layout", "keep one `plan` in a round"
                    self.faults.error((*place, "plan"), "plan", told, hint)
        self._examples()

    def _names(self) -> None:
        faults = self.faults
        for fact in self.round.facts:
            faults.symbol(fact.symbol, ("facts", fact.symbol), "a fact")
            faults.unit(fact.symbol, fact.unit, ("facts", fact.symbol, "unit"), fact.value)
        for stated in self.round.assume:
            faults.symbol(stated.symbol, ("assume", stated.symbol), "an assumption")
            place: Place = ("assume", stated.symbol, "unit")
            faults.unit(stated.symbol, stated.unit, place, stated.default)
        for one in self.round.derive:
            faults.symbol(one.symbol, ("derive", one.symbol), "derived")
            faults.unit(one.symbol, one.unit, ("derive", one.symbol, "unit"))
        for number, phase in enumerate(self.round.phases):
            for index, check in enumerate(phase.checks):
                place = ("phases", number, "checks", index)
                faults.symbol(check.id, (*place, "id"), "a check")
                faults.unit(check.id, check.unit, (*place, "unit"))

    # --- facts, cases, assumptions ---

    def _cases(self) -> None:
        facts = {fact.symbol: fact for fact in self.round.facts}
        filled = {symbol for case in self.round.cases for symbol, _ in case.values}
        taken: set[str] = set()
        for number, case in enumerate(self.round.cases):
            place: Place = ("cases", number)
            if case.name in taken:
                told = f"the case {case.name!r} stands twice"
                self.faults.error((*place, "name"), "duplicate-id", told, "rename one")
            taken.add(case.name)
            for symbol, text in case.values:
                if self.faults.is_known(symbol, facts, (*place, symbol), "fact"):
                    self.faults.value(symbol, text, (*place, symbol))
            missing = sorted(filled & set(facts) - {symbol for symbol, _ in case.values})
            for symbol in missing:
                told = f"the case {case.name!r} has no `{symbol}`, as others have"
                self.faults.error(place, "case", told, f"add `{symbol}: …`")
            self._words(case, place)
        for symbol in sorted(filled & set(facts)):
            if facts[symbol].value or facts[symbol].vary:
                told = f"`{symbol}` has a value and every case has one too"
                self.faults.error(("facts", symbol), "fact", told, "keep one of them")

    def _words(self, case: Case, place: Place) -> None:
        words = dict(case.words)
        for name in sorted(self.faults.words - words.keys()):
            told = f"the case {case.name!r} has no words for `{name}`, as others have"
            self.faults.error((*place, "words"), "case", told, f"add `{name}: …`")
        for name, text in case.words:
            where: Place = (*place, "words", name)
            if not SYMBOL.fullmatch(name) or name in self.faults.known or name in RESERVED:
                told = f"`{name}` cannot name words"
                hint = "choose a name of letters that nothing else has"
                self.faults.error(where, "bad-symbol", told, hint)
            # Words do not hold words, so that none can hold itself.
            self.faults.text(text, where, self.faults.stated)
            if self.faults.words & set(PLACEHOLDER.findall(text)):
                self.faults.error(where, "placeholder", "words stand in words", "write them out")

    def _fact(self, fact: Fact) -> None:
        faults, place = self.faults, ("facts", fact.symbol)
        if fact.symbol not in faults.facts and not fact.say:
            told = f"`{fact.symbol}` has no `value`, no case gives one, and it has no `say`"
            faults.error(place, "fact", told, "add `value: …`, or what the interviewer says of it")
        if fact.vary and not fact.value:
            told = f"`{fact.symbol}` has no `value`"
            faults.error(place, "fact", told, "add the value of the round as written")
        if fact.required and not fact.ask:
            told = f"no word reveals `{fact.symbol}`, which is to be asked for"
            faults.error(place, "fact", told, "add `ask: [deadline, weeks]`")
        if fact.value:
            faults.value(fact.symbol, fact.value, (*place, "value"))
        for number, text in enumerate(fact.vary):
            faults.value(fact.symbol, text, (*place, "vary", number))
        if fact.kind and fact.kind not in FACT_KINDS:
            near = nearest(fact.kind, FACT_KINDS)
            guess = f"did you mean `{near}`? " if near else ""
            told = f"there is no kind of fact {fact.kind!r}"
            faults.error((*place, "kind"), "kind", told, f"{guess}one of: {', '.join(FACT_KINDS)}")

    def _assumption(self, stated: Assumption) -> None:
        faults, place = self.faults, ("assume", stated.symbol)
        default = faults.value(stated.symbol, stated.default, (*place, "default"))
        ends = [
            faults.value(stated.symbol, text, (*place, "range", number))
            for number, text in enumerate(stated.range)
        ]
        if len(ends) not in {0, 2}:
            told = f"{len(ends)} values; two are needed"
            faults.error((*place, "range"), "range", told, "[25%, 55%]")
            return
        low, high = ends or (None, None)
        if low is None or high is None:
            return
        if low >= high:
            told = "the first value is not the lower one"
            faults.error((*place, "range"), "range", told, "[25%, 55%]")
        elif default is not None and not low <= default <= high:
            told = f"the default {stated.default} is outside the range"
            faults.error((*place, "default"), "range", told, "widen the range")

    # --- formulas ---

    def _derived(self) -> dict[str, frozenset[str]]:
        """Judge what is derived; return of each symbol the checks that it takes in the end."""
        faults = self.faults
        direct: dict[str, frozenset[str]] = {}
        for one in self.round.derive:
            place: Place = ("derive", one.symbol)
            if "expr" in getattr(faults.node_at(place), "values", ()):
                place = (*place, "expr")
            direct[one.symbol] = faults.formula(one.expr, place, faults.known)
        needs = {symbol: _reach(symbol, direct) for symbol in direct}
        for symbol, found in needs.items():
            if symbol in found:
                told = f"`{symbol}` takes its own value"
                faults.error(("derive", symbol), "cycle", told, "derive it from other symbols")
        return {symbol: found & set(faults.checks) for symbol, found in needs.items()}

    def _check(
        self, check: Check, place: Place, before: set[str], needs: dict[str, frozenset[str]]
    ) -> None:
        faults = self.faults
        self._in_order(check.expr, (*place, "expr"), check.id, before, needs)
        faults.share(check.tol, (*place, "tol"), "tol")
        if check.round and check.round not in ROUNDINGS:
            near = nearest(check.round, ROUNDINGS) or "up"
            told = f"`round` is {check.round!r}"
            hint = f"did you mean `{near}`? up|down|nearest"
            faults.error((*place, "round"), "range", told, hint)
        for number, slip in enumerate(check.slips):
            inner = (*place, "slips", number)
            self._in_order(slip.expr, (*inner, "expr"), check.id, before, needs)
            faults.text(slip.says, (*inner, "says"), (*faults.known, *faults.fields))
        for ratio, text in check.diagnose:
            inner = (*place, "diagnose", ratio)
            faults.ratio(ratio, inner, "ratio")
            faults.text(text, inner, (*faults.known, *faults.fields))
        if check.drill and not ID.fullmatch(check.drill):
            told = f"{check.drill!r} is no id of a problem family"
            faults.error((*place, "drill"), "bad-id", told, "write the id of a numeric problem")
        faults.between(check.weight, 1, LARGEST_WEIGHT, (*place, "weight"))
        faults.text(check.ask, (*place, "ask"), faults.stated)
        faults.text(check.hint, (*place, "hint"), (*faults.stated, *before))

    def _in_order(
        self,
        text: str,
        place: Place,
        check: str,
        before: set[str],
        needs: dict[str, frozenset[str]],
    ) -> None:
        """Read a check's formula, which may use the checks before it."""
        faults = self.faults
        found = faults.formula(text, place, faults.known)
        for name in sorted(found):
            used = needs.get(name, frozenset({name} & set(faults.checks))) - before
            for later in sorted(used):
                through = "" if later == name else f" through `{name}`"
                when = "itself" if later == check else f"`{later}`{through}, which is asked later"
                told = f"`{check}` uses {when}"
                faults.error(place, "later-check", told, "use facts and the checks before it")

    def _plan(self, plan: PlanCheck, place: Place, before: set[str]) -> None:
        faults = self.faults
        known = (*faults.stated, *before)
        if not plan.fields or len(set(plan.fields)) < len(plan.fields):
            told = "a field stands twice" if plan.fields else "no fields"
            hint = "fields: [tp, pp, dp, zero, micro_batch]"
            faults.error((*place, "fields"), "plan", told, hint)
        needed = [part for part in JOB_PARTS if part not in OPTIONAL_PARTS]
        self._formulas("job", plan.job, (JOB_PARTS, needed), place, known)
        self._formulas("model", plan.model, (plan.fields, plan.fields), place, known)
        if not plan.valid:
            told = "no condition judges the layout"
            faults.error((*place, "valid"), "plan", told, 'add "tp*pp*dp == gpus"')
        for number, rule in enumerate(plan.valid):
            inner: Place = (*place, "valid", number)
            names = (*known, *plan.fields, *PLAN_OUTCOMES)
            faults.condition(rule.holds, (*inner, "holds"), names)
            faults.text(rule.says, (*inner, "says"), (*faults.known, *faults.fields))
        faults.between(plan.weight, 1, LARGEST_WEIGHT, (*place, "weight"))

    def _formulas(
        self,
        key: str,
        formulas: tuple[tuple[str, str], ...],
        parts: tuple[Sequence[str], Sequence[str]],
        place: Place,
        known: tuple[str, ...],
    ) -> None:
        """Judge the formulas of a plan's `job` or `model`: `parts` may be written, must be."""
        faults = self.faults
        may, must = parts
        what = "job part" if key == "job" else "plan field"
        for part, text in formulas:
            if faults.is_known(part, may, (*place, key, part), what):
                faults.formula(text, (*place, key, part), known)
        for part in must:
            if part not in dict(formulas):
                told = f"`{key}` has no `{part}`"
                faults.error((*place, key), "plan", told, f"add `{part}: …`")

    def _examples(self) -> None:
        faults = self.faults
        solved = (*faults.derived, *faults.checks)
        for number, example in enumerate(self.round.examples):
            place: Place = ("examples", number)
            for symbol, text in example.expect:
                if faults.is_known(symbol, solved, (*place, symbol), "check or derived symbol"):
                    faults.value(symbol, text, (*place, symbol))
            faults.share(example.within, (*place, "within"), "within")


def _reach(symbol: str, direct: dict[str, frozenset[str]]) -> frozenset[str]:
    """All names that a derived symbol takes, through others as well."""
    found: set[str] = set()
    waiting = [symbol]
    while waiting:
        for name in direct.get(waiting.pop(), frozenset()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)
