"""`drillkit due`: what waits, said fast.

Shell prompts and status bars ask it all the time, and to load the library that reads command lines
takes longer than the answer. So a plain call is answered without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.cli.console import answer, forgive_encodings, say
from drillkit.clock import parse_moment
from drillkit.settings import home_from_environment
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence


def quick_due(arguments: Sequence[str]) -> int | None:
    """Answer `[--home H] [--content C …] [--at T] due [--json]` and return the exit code.

    None for every other call, and when something goes wrong: the full command line tells it.
    """
    given: dict[str, list[str]] = {"--home": [], "--content": [], "--at": []}
    words = list(arguments)
    while len(words) > 1 and words[0] in given:
        given[words[0]].append(words[1])
        words = words[2:]
    content = [Path(folder) for folder in given["--content"]]
    if words not in (["due"], ["due", "--json"]) or not all(map(Path.exists, content)):
        return None
    try:
        home = Path(given["--home"][-1]) if given["--home"] else home_from_environment()
        moment = parse_moment(given["--at"][-1]) if given["--at"] else None
        forgive_encodings()
        tell_due(Workspace(home, tuple(content), moment), as_json=len(words) > 1)
    except Exception:  # noqa: BLE001 the full command line meets the same fault and tells it
        return None
    return 0


def tell_due(workspace: Workspace, *, as_json: bool) -> None:
    """Print what waits, deck by deck."""
    from drillkit.review.today import overview  # noqa: PLC0415 `check` and `new` need no review

    now = workspace.clock.now()
    with workspace.collection() as collection:
        waiting = overview(collection, workspace.library(), workspace.settings, now)
    counts, next_at = waiting.counts, waiting.next_due_at
    if as_json:
        answer(
            {
                "due": counts.due,
                "new": counts.new,
                "learning": counts.learning,
                "by_deck": {
                    deck: {"due": own.due, "new": own.new, "learning": own.learning}
                    for deck, own in waiting.by_deck.items()
                },
                "next_due_at": next_at.local.isoformat() if next_at else None,
            }
        )
        return
    say(f"{counts.due} due, {counts.new} new, {counts.learning} learning")
    for deck, own in waiting.by_deck.items():
        if own.total:
            say(f"  {deck}: {own.due} due, {own.new} new, {own.learning} learning")
    if not counts.total and next_at is not None:
        say(f"next: {next_at.local:%Y-%m-%d %H:%M}")
