"""A problem family made ready for drawing: formulas parsed, and a plan for each of its questions.

A plan (`Asking`) says which symbols are drawn, which are worked out from them to be stated, and by
which equations the unknown follows. A symbol that the question states without a source of its own
is worked out from the others, rounded to three figures and then taken as given: where that takes
the unknown itself (how many GPUs lead to 26 GB?), the unknown is drawn first and worked out again
from what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from drillkit.algebra.answer import parse_unit
from drillkit.algebra.expression import (
    Binary,
    Call,
    Compare,
    Condition,
    Divides,
    Equation,
    Expression,
    Logic,
    Measured,
    Name,
    Negative,
    Number,
    names,
)
from drillkit.algebra.formula import parse_condition, parse_equation, parse_formula
from drillkit.content.problem_rules import read_number
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.judge import tolerance
from drillkit.numeric.presets import known_presets
from drillkit.numeric.route import Route, Step, plan
from drillkit.numeric.source import Source, source_of
from drillkit.numeric.wording import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from drillkit.algebra.units import Unit
    from drillkit.content.problem import Find, Given, PresetGroup, Problem
    from drillkit.content.problem import Slip as WrittenSlip


@dataclass(frozen=True)
class Rule:
    """A condition on the numbers; `exact` where floats could miss an equality."""

    text: str
    tree: Condition
    needs: frozenset[str]
    exact: bool


@dataclass(frozen=True)
class Chosen:
    """A preset that can be drawn: its name, and values in base units."""

    name: str
    values: Mapping[str, Fraction]


@dataclass(frozen=True)
class SlipPlan:
    """How one slip comes to its value for one question.

    `direct` is a formula for the answer; otherwise `replaced` values of given symbols are put in,
    and the unknown is worked out by `route` from the `known` symbols. `rounds` says that its
    formula rounds by itself.
    """

    slip: WrittenSlip
    known: frozenset[str] = frozenset()
    direct: Expression | None = None
    replaced: Mapping[str, Expression] = field(default_factory=dict)
    before: Route = ()
    route: Route = ()
    rounds: bool = False


@dataclass(frozen=True)
class Asking:
    """The plan for one question of a family."""

    find: Find
    unit: Unit
    within: Fraction
    drawn: tuple[str, ...]
    groups: tuple[str, ...]
    stated: tuple[tuple[str, Route], ...]
    route: Route
    rules: tuple[Rule, ...]
    slips: tuple[SlipPlan, ...]
    limit: Expression | None = None

    @property
    def exact(self) -> bool:
        """Whether only the number itself is right."""
        return not self.within

    @property
    def numbers(self) -> frozenset[str]:
        """The symbols that have a value in each variant: drawn, stated or on the way."""
        worked = [symbol for symbol, _ in self.stated] + [step.symbol for step in self.route]
        return frozenset((*self.drawn, *worked))


class Family:
    """A problem with everything in it parsed; `asking` plans a question when it is first asked."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.units: dict[str, Unit] = {}
        self.names: dict[str, str] = {}
        parts: tuple[Given | Find, ...] = (*problem.given, *problem.find)
        for part in parts:
            self.units.setdefault(part.symbol, parse_unit(part.unit))
            self.names[part.symbol] = self.names.get(part.symbol) or part.name
        self.symbols = tuple(self.units)
        self.equations = [parse_equation(text, self.symbols) for text in problem.equations]
        self.equations += [
            Equation(Name(given.symbol), parse_formula(given.formula, self.symbols))
            for given in problem.given
            if given.formula
        ]
        self.computed = frozenset(given.symbol for given in problem.given if given.formula)
        self.sources: dict[str, Source] = {}
        for given in problem.given:
            source = source_of(given, self.units[given.symbol])
            if source is not None:
                self.sources[given.symbol] = source
        self.groups = {group.group: self._presets(group) for group in problem.presets}
        self._askings: dict[str, Asking] = {}

    def _presets(self, group: PresetGroup) -> tuple[Chosen, ...]:
        known = known_presets()
        chosen: list[Chosen] = []
        for name in group.known:
            if name not in known:
                raise DrillkitError(
                    f"there is no preset {name!r}", hint="known: " + ", ".join(known)
                )
            title, values = known[name]
            chosen.append(Chosen(title, {s: v for s, v in values.items() if s in self.units}))
        for preset in group.own:
            values = {s: read_number(t, self.units[s]) for s, t in preset.values if s in self.units}
            chosen.append(Chosen(preset.name, values))
        return tuple(chosen)

    def filled(self, group: str) -> frozenset[str]:
        """The symbols that every preset of a group fills."""
        return frozenset.intersection(*(frozenset(one.values) for one in self.groups[group]))

    @property
    def samplable(self) -> frozenset[str]:
        """The symbols that can be drawn."""
        return frozenset(self.sources).union(*(self.filled(group) for group in self.groups))

    def asking(self, symbol: str) -> Asking:
        """The plan for the question after `symbol`.

        Raises `UsageError` where the family does not ask for it, `DrillkitError` where it does
        not follow from what is given.
        """
        if symbol not in self._askings:
            self._askings[symbol] = _Planner(self, self._find(symbol)).asking()
        return self._askings[symbol]

    def _find(self, symbol: str) -> Find:
        try:
            return self.problem.asked(symbol)
        except KeyError:
            known = ", ".join(find.symbol for find in self.problem.find)
            raise UsageError(
                f"{self.problem.id} does not ask for {symbol!r}", hint=f"it asks for: {known}"
            ) from None


@lru_cache(maxsize=256)
def family_of(problem: Problem) -> Family:
    """The family of a problem as written, made ready once. Raises `DrillkitError`."""
    return Family(problem)


class _Planner:
    def __init__(self, family: Family, find: Find) -> None:
        self.family = family
        self.find = find
        self.unknown = find.symbol
        self.limit = parse_formula(find.fit, family.symbols) if find.fit else None

    def asking(self) -> Asking:
        family = self.family
        drawable = family.samplable - {self.unknown}
        mentioned = set(PLACEHOLDER.findall(self.find.ask))
        said = mentioned & set(family.symbols) - {self.unknown}
        said |= names(self.limit) - {self.unknown} if self.limit else set()
        worked = [s for s in family.symbols if s in said and s not in drawable]
        stated = self._worked_out(worked, drawable)
        named = frozenset[str]().union(*(family.filled(g) for g in family.groups if g in mentioned))
        known = frozenset((drawable & (said | named)) | set(worked))
        route = plan(family.equations, known, self.unknown)
        if route is None:
            # What the question leaves unsaid is drawn as well; `check` tells its author.
            known = frozenset(drawable | set(worked))
            route = plan(family.equations, known, self.unknown)
        if route is None:
            raise DrillkitError(
                f"{self.unknown} does not follow from what the question gives",
                hint=f"give or state one more symbol, or add an equation `{self.unknown} = …`",
            )
        needed = self._needed(route, stated, said)
        slips = tuple(self._slips(known))
        for slip in slips:
            needed |= self._needed_by_slip(slip)
        # What the route works out must not be drawn beside it, or the two would differ.
        given = frozenset[str]().union(*(s.needs for _, steps in stated for s in steps))
        needed -= {step.symbol for step in route} - given
        groups = tuple(
            group for group in family.groups if family.filled(group) & needed or group in mentioned
        )
        reachable = (needed & family.samplable) | set(worked) | {step.symbol for step in route}
        # A model or GPU that is drawn anyway also fills what only a condition asks about.
        filled = frozenset[str]().union(*(family.filled(group) for group in groups))
        rules = tuple(rule for rule in self._rules() if rule.needs <= reachable | filled)
        needed |= frozenset[str]().union(*(rule.needs for rule in rules)) & filled
        within = tolerance(self.find.tolerance)
        return Asking(
            find=self.find,
            unit=parse_unit(self.find.unit),
            within=within,
            drawn=tuple(s for s in family.symbols if s in needed & family.samplable),
            groups=groups,
            stated=stated,
            route=route,
            rules=rules,
            slips=slips,
            limit=self.limit,
        )

    def _worked_out(
        self, worked: list[str], drawable: frozenset[str]
    ) -> tuple[tuple[str, Route], ...]:
        """The routes of the stated symbols that have no source: in turn, each may use the last."""
        family = self.family
        for start in (drawable, drawable | {self.unknown}):
            known, found = set(start), []
            for symbol in worked:
                route = plan(family.equations, known, symbol)
                if route is None:
                    break
                found.append((symbol, route))
                known.add(symbol)
            if len(found) == len(worked):
                if self.unknown in start and self.unknown not in family.samplable:
                    break
                return tuple(found)
        raise DrillkitError(
            f"the question states {', '.join(worked)}, which does not follow from what is drawn",
            hint="give it a source (from, range, …) or an equation",
        )

    def _needed(
        self, route: Route, stated: tuple[tuple[str, Route], ...], said: set[str]
    ) -> set[str]:
        needed = set(said)
        for steps in (route, *(steps for _, steps in stated)):
            for step in steps:
                needed |= step.needs
        return needed

    def _needed_by_slip(self, slip: SlipPlan) -> set[str]:
        needed = set(names(slip.direct)) if slip.direct is not None else set()
        for tree in slip.replaced.values():
            needed |= names(tree)
        for step in (*slip.before, *slip.route):
            needed |= step.needs
        return needed - {self.unknown}

    def _rules(self) -> list[Rule]:
        rules = []
        for text in (*self.family.problem.where, *self.find.where):
            tree = parse_condition(text, self.family.symbols)
            rules.append(Rule(text, tree, names(tree), _needs_exact(tree)))
        return rules

    # --- slips ---

    def _slips(self, known: frozenset[str]) -> list[SlipPlan]:
        plans = []
        for slip in self.family.problem.slips:
            if slip.only and self.unknown not in slip.only:
                continue
            made = self._slip(slip, known)
            if made is not None:
                plans.append(made)
        return plans

    def _slip(self, slip: WrittenSlip, known: frozenset[str]) -> SlipPlan | None:
        family = self.family
        formulas = {s: parse_formula(text, family.symbols) for s, text in slip.formulas}
        rounds = any(_rounds(tree) for tree in formulas.values())
        defined = {one.left.name for one in family.equations if isinstance(one.left, Name)}
        used = frozenset[str]().union(*(names(tree) for tree in formulas.values()))
        # A mistake may use numbers that the right way does not need.
        known |= (used & family.samplable) - defined - {self.unknown}
        if self.unknown in formulas:
            direct = formulas[self.unknown]
            before = self._reach(names(direct) - {self.unknown}, known)
            if before is None:
                return None
            return SlipPlan(slip, known, direct, before=before, rounds=rounds)
        equations = [
            Equation(one.left, formulas[one.left.name])
            if isinstance(one.left, Name) and one.left.name in formulas
            else one
            for one in family.equations
        ]
        replaced = {s: tree for s, tree in formulas.items() if s not in defined}
        if frozenset(replaced) - known or any(names(tree) - known for tree in replaced.values()):
            return None
        route = plan(equations, known, self.unknown) or ()
        taken = frozenset[str]().union(*(step.needs for step in route))
        if taken & set(replaced) or any(step.equation not in family.equations for step in route):
            return SlipPlan(slip, known, replaced=replaced, route=route, rounds=rounds)
        return None

    def _reach(self, wanted: frozenset[str], known: frozenset[str]) -> Route | None:
        """The steps by which a slip's own symbols become known."""
        steps: list[Step] = []
        for symbol in sorted(wanted - known):
            route = plan(self.family.equations, known | {self.unknown}, symbol)
            if route is None:
                return None
            steps += [step for step in route if step not in steps]
        return tuple(steps)


def _needs_exact(tree: Condition) -> bool:
    match tree:
        case Divides():
            return True
        case Compare(relation):
            return relation in {"==", "!="}
        case Logic(_, parts):
            return any(_needs_exact(part) for part in parts)


def _rounds(tree: Expression) -> bool:
    match tree:
        case Call(function, parts):
            return function in {"ceil", "floor"} or any(_rounds(part) for part in parts)
        case Binary(_, left, right):
            return _rounds(left) or _rounds(right)
        case Negative(term) | Measured(term):
            return _rounds(term)
        case Name() | Number():
            return False
