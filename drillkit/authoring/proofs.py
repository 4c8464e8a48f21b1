"""Proofs that a family of problems can be asked and judged: over 200 seeds, before anybody sees it.

Everything is proved on variants as people get them: drawn, solved, displayed, typed back, judged.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.expression import names
from drillkit.algebra.formula import parse_condition
from drillkit.algebra.units import has
from drillkit.authoring.dimensions import mismatch
from drillkit.authoring.typed import answers_in_units, slip_text
from drillkit.content.faults import at
from drillkit.content.problem_rules import read_number
from drillkit.content.schema import Report
from drillkit.errors import DrillkitError
from drillkit.numeric.arithmetic import EXACT
from drillkit.numeric.family import Family, family_of
from drillkit.numeric.fit import judge_variant
from drillkit.numeric.judge import tolerance
from drillkit.numeric.route import follow
from drillkit.numeric.sample import MOST_TRIES, Refusal, attempts
from drillkit.numeric.variant import Variant
from drillkit.numeric.wording import ANSWER_FIGURES, PLACEHOLDER, answered, rounded
from drillkit.numeric.worked import solve_problem, solve_variant

if TYPE_CHECKING:
    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.problem import Example, Find, Problem
    from drillkit.content.tree import Mapping as Tree
    from drillkit.numeric.family import Asking

SEEDS = 200
LEAST_SEEDS = 40
TYPED_BACK = 8
"""Of each question, so many variants are typed back and judged, and their steps redone."""

TRIES_A_SEED = 10
FEWEST_DISTINCT = 20
FEWEST_OF_QUESTION = 5
FEWEST_SLIPS = 3
MOST_REFUSED = Fraction(1, 2)
SEEN_AT_LEAST = Fraction(1, 10)


def prove(problem: Problem, node: Tree, file: str, seeds: int = SEEDS) -> list[Diagnostic]:
    """Return what does not hold of a family; `node` is its mapping in `file`. It never raises."""
    report = Report(file, f"problem {problem.id}")
    proof = _Proof(problem, node, report, seeds)
    try:
        proof.run()
    except DrillkitError as error:
        report.error(node, "unsolvable", error.what, error.hint)
    return report.found


class _Proof:
    def __init__(self, problem: Problem, node: Tree, report: Report, seeds: int) -> None:
        self.problem = problem
        self.node = node
        self.report = report
        self.seeds = max(LEAST_SEEDS, math.ceil(seeds / max(len(problem.find), 1)))
        self.seen: Counter[str] = Counter()
        self.distinct = 0

    def run(self) -> None:
        try:
            family = family_of(self.problem)
        except DrillkitError as error:
            self._error(("presets",), "preset", error.what, error.hint)
            return
        self._dimensions(family)
        for given in self.problem.given:
            if given.sampled and not given.formula and given.symbol not in family.sources:
                self._error(
                    ("given", given.symbol),
                    "empty-range",
                    f"no value of {given.symbol} is left",
                    "widen its range, or exclude less; counted units take whole numbers only",
                )
        self._conditions(family)
        drawn = 0
        for find in self.problem.find:
            variants = self._drawn(family, find)
            drawn += len(variants)
            self._question(find, variants)
        if drawn:
            self._slips_seen(drawn)
            if self.distinct < FEWEST_DISTINCT:
                self._error(
                    ("given",),
                    "few-variants",
                    f"only {self.distinct} different variants of all questions",
                    f"widen the ranges until there are {FEWEST_DISTINCT}",
                )
        for number, example in enumerate(self.problem.examples):
            self._example(number, example)

    def _error(self, place: tuple[str | int, ...], code: str, message: str, hint: str = "") -> None:
        self.report.error(at(self.node, place), code, message, hint)

    def _warn(self, place: tuple[str | int, ...], code: str, message: str, hint: str = "") -> None:
        self.report.warning(at(self.node, place), code, message, hint)

    def _dimensions(self, family: Family) -> None:
        for number, equation in enumerate(family.equations[: len(self.problem.equations)]):
            word = mismatch(equation, family.units)
            if word:
                self._error(
                    ("equations", number),
                    "dimension",
                    f"the sides of {self.problem.equations[number]!r} differ in {word}",
                    "formulas are in base units: byte, second, FLOP, count; check the units",
                )

    def _conditions(self, family: Family) -> None:
        """A condition on symbols that no question has together would never refuse anything."""
        askings: dict[str, Asking] = {}
        for find in self.problem.find:
            try:
                askings[find.symbol] = family.asking(find.symbol)
            except DrillkitError:
                return  # told where its variants are drawn
        places: list[tuple[tuple[str | int, ...], str, list[Asking]]] = []
        for number, text in enumerate(self.problem.where):
            places.append((("where", number), text, list(askings.values())))
        for find in self.problem.find:
            for number, text in enumerate(find.where):
                place = ("find", find.symbol, "where", number)
                places.append((place, text, [askings[find.symbol]]))
        for where, text, able in places:
            if any(rule.text == text for asking in able for rule in asking.rules):
                continue
            needs = names(parse_condition(text, family.symbols))
            lost = needs - frozenset[str]().union(*(asking.numbers for asking in able))
            told = f": no value of {', '.join(sorted(lost))}" if lost else ""
            self._error(
                where,
                "unused",
                f"the condition {text!r} applies to no question{told}",
                "state its symbols together in a question, write it with others, or leave it out",
            )

    # --- drawing ---

    def _drawn(self, family: Family, find: Find) -> list[Variant]:
        place = ("find", find.symbol)
        try:
            asking = family.asking(find.symbol)
        except DrillkitError as error:
            self._error(place, "unsolvable", error.what, error.hint)
            return []
        self._stated(asking)
        self._told_apart(asking)
        refused: Counter[str] = Counter()
        variants: list[Variant] = []
        tries = 0
        for seed in range(self.seeds):
            for number, found in enumerate(attempts(family, asking, seed), 1):
                tries += 1
                if isinstance(found, Variant):
                    variants.append(found)
                    break
                if found.reason == "unsolvable":
                    self._error(place, "unsolvable", found.about, "or do not ask for it")
                    return []
                refused[_told(found)] += 1
                if number >= MOST_TRIES or tries > MOST_TRIES + TRIES_A_SEED * self.seeds:
                    hint = f"most often: {refused.most_common(1)[0][0]}"
                    worked = [symbol for symbol, _ in asking.stated]
                    if found.reason == "rounding" and worked:
                        hint += f"; give {worked[0]} values of its own with `from`"
                    self._error(
                        place, "no-variant", f"{number:,} draws gave no usable numbers", hint
                    )
                    return []
        self._refused_seldom(place, refused, tries)
        distinct = len({tuple(sorted(variant.values.items())) for variant in variants})
        self.distinct += distinct
        if distinct < FEWEST_OF_QUESTION:
            self._error(
                place,
                "few-variants",
                f"only {distinct} different variants in {self.seeds} draws",
                f"widen the ranges: a question has {FEWEST_OF_QUESTION} or more, a family"
                f" {FEWEST_DISTINCT}",
            )
        return variants

    def _stated(self, asking: Asking) -> None:
        """Whatever the answer follows from must stand in the question, or its preset's name."""
        said = set(PLACEHOLDER.findall(asking.find.ask))
        family = family_of(self.problem)
        for group in said & set(family.groups):
            said |= family.filled(group)
        reached = {step.symbol for step in asking.route}
        needed = {name for step in asking.route for name in step.needs} - reached
        for name in sorted(needed - said):
            self._error(
                ("find", asking.find.symbol, "ask"),
                "not-stated",
                f"the answer depends on {name}, which the question does not state",
                f"write {{{name}}} where its value belongs",
            )

    def _told_apart(self, asking: Asking) -> None:
        """GB and GiB must differ by more than two tolerances."""
        order = next(
            (
                "kMGTPE".index(atom.prefix) + 1
                for atom, _ in asking.unit.parts
                if atom.kind in {"byte", "bit"} and atom.prefix and atom.prefix in "kMGTPE"
            ),
            0,
        )
        gap = 1 - Fraction(1000, 1024) ** order
        if order and has(asking.unit.dimension, "data") and 2 * asking.within >= gap:
            most = float(gap / 2 * 100)
            self._error(
                ("find", asking.find.symbol, "within"),
                "gb-gib",
                f"a tolerance of {asking.find.tolerance} cannot tell {asking.unit.text} from its"
                " binary sibling",
                f"choose less than {most:.1f}%",
            )

    def _refused_seldom(
        self, place: tuple[str | int, ...], refused: Counter[str], tries: int
    ) -> None:
        for told, count in refused.items():
            if count > MOST_REFUSED * tries:
                self._error(
                    place,
                    "refused",
                    f"{count:,} of {tries:,} draws are thrown away: {told}",
                    "narrow the ranges so that most numbers will do",
                )

    # --- what was drawn ---

    def _question(self, find: Find, variants: list[Variant]) -> None:
        place = ("find", find.symbol)
        self._texts(find, variants[:TYPED_BACK])
        for variant in variants:
            self.seen.update(slip.id for slip in variant.slips)
            if variant.asking.exact and not find.round and not _whole(variant):
                self._error(
                    (*place, "within"),
                    "not-whole",
                    f"`within: exact`, but seed {variant.seed} gives {variant.answer}",
                    "add `round: up`, or allow a tolerance",
                )
                return
        # From the smallest answer to the largest one: their texts differ most.
        ordered = sorted(variants, key=lambda variant: variant.truth)
        for variant in ordered[:: max(1, len(ordered) // TYPED_BACK)]:
            if not (self._typed_back(variant) and self._solved(variant)):
                return

    def _texts(self, find: Find, variants: list[Variant]) -> None:
        """No name in braces is left over in what people read."""
        for variant in variants:
            slips = variant.question.slips
            for text in (variant.why, *variant.hints, *(slip.says for slip in slips)):
                left = PLACEHOLDER.findall(text)
                if left:
                    self._error(
                        ("find", find.symbol),
                        "placeholder",
                        f"{text!r} names {{{left[0]}}}, which this question does not state",
                        "say it without the value, or under the `hints` of a question",
                    )
                    return

    def _typed_back(self, variant: Variant) -> bool:
        """Tell whether the displayed answer is right, and each slip is known as itself."""
        place = ("find", variant.find.symbol)
        for text in answers_in_units(variant):
            verdict = judge_variant(text, variant)
            if not verdict.right:
                self._error(
                    place,
                    "not-accepted",
                    f"the answer {text!r} to seed {variant.seed} is judged {verdict.id}"
                    f" ({verdict.reading})",
                    "check the unit and the tolerance",
                )
                return False
        for slip in variant.slips:
            text = slip_text(variant, slip.value)
            verdict = judge_variant(text, variant)
            if slip.id not in {named.id for named in verdict.slips}:
                number = [each.id for each in self.problem.slips].index(slip.id)
                self._error(
                    ("slips", number),
                    "slip-verdict",
                    f"{text!r} for {variant.find.symbol} (seed {variant.seed}) is judged"
                    f" {verdict.id}, not as this slip",
                    "drillkit tells slips of unit and prefix by itself; remove it or change it",
                )
                return False
        return True

    def _solved(self, variant: Variant) -> bool:
        """Tell whether sympy finds the same value, and rounded intermediates do not spoil it."""
        place = ("find", variant.find.symbol)
        try:
            solve_variant(variant)
        except DrillkitError as error:
            self._error(place, "unsolvable", error.what, error.hint)
            return False
        if variant.asking.exact:
            return True
        off = _rounded_error(variant)
        scale = abs(variant.limit) if variant.limit is not None else abs(variant.truth)
        if off > variant.asking.within * scale / 2:
            self._error(
                place,
                "rounding",
                f"with intermediate results rounded to {ANSWER_FIGURES} figures, seed"
                f" {variant.seed} is off by more than half of the tolerance",
                "allow a larger tolerance, or choose numbers that do not cancel",
            )
            return False
        return True

    def _slips_seen(self, drawn: int) -> None:
        if len(self.problem.slips) < FEWEST_SLIPS:
            self._warn(
                ("slips",),
                "few-slips",
                f"{len(self.problem.slips)} slips; {FEWEST_SLIPS} or more teach",
                "add the mistakes that people make, each with what to say",
            )
        for number, slip in enumerate(self.problem.slips):
            share = Fraction(self.seen[slip.id], drawn)
            if share < SEEN_AT_LEAST:
                self._error(
                    ("slips", number),
                    "slip-lost",
                    f"the slip {slip.id!r} can be told apart in {float(share):.0%} of the variants",
                    "its value is that of another slip or of a wrong unit, or has no sense: "
                    "change its formula, or the ranges",
                )

    def _example(self, number: int, example: Example) -> None:
        place = ("examples", number)
        family = family_of(self.problem)
        given = {s: read_number(text, family.units[s]) for s, text in example.given}
        for symbol, text in example.expect:
            find = self.problem.asked(symbol)
            wanted = read_number(text, family.units[symbol])
            within = tolerance(example.within or find.tolerance)
            try:
                value = solve_problem(self.problem, given, symbol).value
            except DrillkitError as error:
                self._error((*place, symbol), "example", error.what, error.hint)
                continue
            if abs(value - wanted) > max(within, Fraction(1, 10**9)) * abs(wanted):
                got = answered(value, family.units[symbol], exact=False, within=within)
                self._error(
                    (*place, symbol),
                    "example",
                    f"{symbol} comes to {got}, not {text}",
                    "check the equations, the numbers and the source",
                )


def _told(refusal: Refusal) -> str:
    return {
        "where": f"the condition {refusal.about!r} is not met",
        "slip": f"the slip {refusal.about!r} is within three tolerances of the answer",
    }.get(refusal.reason, refusal.about)


def _whole(variant: Variant) -> bool:
    return (variant.truth / variant.asking.unit.factor).denominator == 1


def _rounded_error(variant: Variant) -> Fraction:
    """How far off the answer is when each intermediate result is rounded as it is shown."""
    family, asking = variant.family, variant.asking
    known = dict(variant.values)
    for step in asking.route:
        value = follow((step,), known, EXACT, family.sources)[step.symbol]
        unit = family.units.get(step.symbol)
        factor = unit.factor if unit else Fraction(1)
        known[step.symbol] = rounded(value / factor, ANSWER_FIGURES) * factor
    return abs(known[asking.find.symbol] - variant.truth)
