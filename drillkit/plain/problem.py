"""Numeric problems, line by line."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, TextIO

from drillkit.errors import UsageError
from drillkit.numeric.attempt import Attempt
from drillkit.numeric.sample import draw
from drillkit.numeric.seed import SEEDS
from drillkit.plain.lines import Left, Lines
from drillkit.review.answering import Answer
from drillkit.review.direct import practise_item
from drillkit.review.grade import Grade

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.numeric.variant import Variant
    from drillkit.workspace import Workspace


def solve_plainly(lines: Lines, variant: Variant, clock: Clock) -> tuple[Attempt, Grade]:
    """Let the person answer one variant; say the verdicts and the derivation at the end."""
    from drillkit.numeric.worked import solve_variant  # noqa: PLC0415 sympy takes 300 ms

    attempt = Attempt(variant)
    started_s = clock.elapsed_s()
    lines.say(variant.ask)
    while not attempt.over:
        typed = lines.hear("Answer with its unit (h: hint, Enter: give up): ")
        if typed == "h":
            lines.say(attempt.hint() or "No more hints.")
        elif not typed:
            attempt.give_up()
        else:
            lines.say(attempt.submit(typed).told)
    grade = Grade(*attempt.result(clock.elapsed_s() - started_s))
    for step in solve_variant(variant).steps:
        lines.say(step)
    lines.say(f"The answer: {variant.answer}. {grade.remark}")
    if variant.why:
        lines.say(variant.why)
    return attempt, grade


def practise_plainly(
    workspace: Workspace,
    name: str,
    find: str,
    seed: int | None,
    streams: tuple[TextIO, TextIO],
) -> int:
    """Ask one problem after another until the person leaves; return the exit code.

    Raises `UsageError` for an unknown problem.
    """
    library = workspace.library()
    if name and name not in library.problems:
        raise UsageError(f"there is no problem {name!r}", hint="`drillkit check` counts them")
    families = [library.problems[name]] if name else list(library.problems.values())
    if not families:
        raise UsageError("there are no problems", hint="`drillkit new problem FILE` writes some")
    lines = Lines(*streams)
    with workspace.collection() as collection, contextlib.suppress(Left):
        while True:
            chosen = secrets.randbelow(SEEDS) if seed is None else seed
            variant = draw(secrets.choice(families), chosen, find)
            seed = None
            started_s = workspace.clock.elapsed_s()
            attempt, grade = solve_plainly(lines, variant, workspace.clock)
            think_ms = round((workspace.clock.elapsed_s() - started_s) * 1000)
            practise_item(
                collection,
                library,
                workspace.clock,
                workspace.settings,
                variant.problem.item,
                Answer(grade.proposal, think_ms, 0, attempt.record()),
            )
            lines.hear("Enter for the next one: ")
    return 0
