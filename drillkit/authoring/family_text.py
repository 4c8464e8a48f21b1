"""A family of problems as the text of its entry in a file, to be read and edited by a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.authoring.drafts import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drillkit.content.problem import Find, Given, Problem, Slip


def written(family: Problem) -> list[str]:
    """Return the lines of a family's entry in a list.

    They hold what drillkit makes families of itself: values to draw from, equations, questions and
    slips; no presets, conditions or examples.
    """
    lines = [f"id: {family.id}", f"title: {quoted(family.title)}"]
    for key, texts in (("source", family.source), ("tags", family.tags)):
        if texts:
            lines.append(f"{key}: {_listed(texts)}")
    lines.append("given:")
    lines += [f"  {given.symbol}: {_given(given)}" for given in family.given]
    lines += [f"equations: {_listed(family.equations)}", "find:"]
    for find in family.find:
        lines.append(f"  {find.symbol}:")
        lines += [f"    {line}" for line in _find(find)]
    if family.slips:
        lines.append("slips:")
        lines += [f"  - {_slip(slip)}" for slip in family.slips]
    return [("  " if number else "- ") + line for number, line in enumerate(lines)]


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(quoted(text) for text in texts)}]"


def _given(given: Given) -> str:
    parts = [f"name: {quoted(given.name)}"] if given.name else []
    if given.unit:
        parts.append(f"unit: {quoted(given.unit)}")
    if given.values:
        parts.append(f"from: [{', '.join(given.values)}]")
    return "{" + ", ".join(parts) + "}"


def _find(find: Find) -> Iterator[str]:
    for key, text in (("unit", find.unit), ("round", find.round), ("within", find.within)):
        if text:
            yield f"{key}: {quoted(text)}"
    yield f"ask: {quoted(find.ask)}"
    if find.hints:
        yield f"hints: {_listed(find.hints)}"


def _slip(slip: Slip) -> str:
    formulas = ", ".join(f"{symbol}: {quoted(text)}" for symbol, text in slip.formulas)
    return f"{{id: {slip.id}, {formulas}, says: {quoted(slip.says)}}}"
