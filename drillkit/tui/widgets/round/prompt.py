"""The line below the board: a number, a layout, or a word to the interviewer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from drillkit.harmless import one_line
from drillkit.tui.text import line
from drillkit.tui.widgets.round.asked import Target, first_open, given, targets

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from drillkit.rounds.sitting import Sitting

Mode = Literal["idle", "number", "talk"]
MOST_TYPED = 2_000
IDLE = "F3 gives a number · F4 answers or asks · Esc all commands"
NUMBER = "value and unit · ↑↓ another number"
TALK = "?word asks for a fact · !note parks an idea · @mfu=40% assumes"
ANSWER = "your answer; empty: see my board · ?word asks · !note parks"
# Only a name's first letter begins one: tried at each letter, a long text would take minutes.
_FIELD = re.compile(r"(?<![A-Za-z_])([A-Za-z_]{1,32})\s{0,8}[=:-]?\s{0,8}(\d{1,6})\b")
_ALIASES = {"micro": "micro_batch", "mb": "micro_batch", "z": "zero", "mbs": "micro_batch"}


class PromptInput(Input):
    """One line, into which only what can be seen is pasted."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(one_line(event.text))


class Prompt(Horizontal):
    """Asks for one thing at a time. What is half typed is kept while one looks elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "choose(-1)", "The number before", show=False),
        Binding("down", "choose(1)", "The next number", show=False),
        Binding("pageup", "screen.scroll_panels(-1)", "Scroll beside the board", show=False),
        Binding("pagedown", "screen.scroll_panels(1)", "Scroll beside the board", show=False),
    ]

    class Given(Message):
        """Enter was pressed in `mode`, with a target where it is a number or a layout."""

        def __init__(self, mode: Mode, target: Target | None, text: str) -> None:
            super().__init__()
            self.mode = mode
            self.target = target
            self.text = text

    class Typed(Message):
        """What is typed is understood so."""

        def __init__(self, told: str) -> None:
            super().__init__()
            self.told = told

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(id="prompt")
        self._sitting = sitting
        self.mode: Mode = "idle"
        self._targets: list[Target] = []
        self._at = 0
        self._drafts: dict[str, str] = {}
        self._said_label = Static(id="prompt-label")
        self.field = PromptInput(
            placeholder=IDLE, id="prompt-input", compact=True, max_length=MOST_TYPED
        )

    def compose(self) -> ComposeResult:
        yield self._said_label
        yield self.field

    @property
    def target(self) -> Target | None:
        """What the number being typed is for."""
        return self._targets[self._at] if self.mode == "number" and self._targets else None

    def meant(self, text: str) -> Target | None:
        """What `text` is for: a layout typed where a number is asked for is still a layout."""
        target = self.target
        if target is None or target.check is None:
            return target
        named = layout_fields(text).keys()
        plans = ((one, one.phase.plan) for one in self._targets if one.check is None)
        laid = (one for one, plan in plans if plan and len(named & set(plan.fields)) > 1)
        return next(laid, target)

    # --- what it asks for ----------------------------------------------------------------------

    def ask_number(self, name: str = "") -> bool:
        """Ask for the target of that name, or the first open one; return whether there is any."""
        self._keep_draft()
        state = self._sitting.state
        self._targets = targets(state)
        if not self._targets:
            return False
        named = [at for at, one in enumerate(self._targets) if name in {one.key, one.name}]
        self._at = named[0] if named else first_open(state, self._targets)
        self.mode = "number"
        self._show()
        return True

    def ask_talk(self) -> None:
        """Ask for a word to the interviewer."""
        self._keep_draft()
        self.mode = "talk"
        self._show()

    def rest(self) -> None:
        """Ask for nothing."""
        self._keep_draft()
        self.mode = "idle"
        self._show()

    def action_choose(self, step: int) -> None:
        if self.mode == "number" and self._targets:
            self._keep_draft()
            self._at = (self._at + step) % len(self._targets)
            self._show()

    def _draft_name(self) -> str:
        target = self.target
        return self.mode if target is None else target.key

    def _keep_draft(self) -> None:
        if self.mode != "idle":
            self._drafts[self._draft_name()] = self.field.value

    def _show(self) -> None:
        field = self.field
        self._said_label.update(line(self._label(), "bold"))
        field.placeholder = self._placeholder()
        field.value = self._drafts.get(self._draft_name(), "") if self.mode != "idle" else ""
        field.cursor_position = len(field.value)
        if self.mode == "idle":
            field.can_focus = False
        else:
            field.can_focus = True
            field.focus()
        self._echo()

    def _label(self) -> str:
        target = self.target
        if target is not None:
            return self._asks(target)
        if self.mode == "talk":
            return "answer:" if self._sitting.state.open_curveball is not None else "ask:"
        return ">"

    def _asks(self, target: Target) -> str:
        """The question, cut to half of the row, and the unit of the answer, which is not."""
        if target.check is None:
            return "layout:"
        unit = f" ({target.check.unit}):" if target.check.unit else ":"
        asks, room = one_line(target.check.ask), self.screen.size.width // 2 - len(unit) - 2
        return (asks if len(asks) <= room else f"{asks[: max(0, room - 1)]}…") + unit

    def _placeholder(self) -> str:
        target = self.target
        if target is not None and target.check is None and target.phase.plan is not None:
            return " ".join(f"{name}=" for name in target.phase.plan.fields)
        if target is not None:
            before = given(self._sitting.state, target)
            return f"now {before}; type it again to revise" if before else NUMBER
        if self.mode == "talk":
            return ANSWER if self._sitting.state.open_curveball is not None else TALK
        return IDLE

    def refresh_label(self) -> None:
        """Ask for an answer, or a question, as the interviewer waits for one or not."""
        if self.mode == "talk":
            self._said_label.update(line(self._label(), "bold"))
            self.field.placeholder = self._placeholder()

    # --- what is typed -------------------------------------------------------------------------

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._echo()

    def _echo(self) -> None:
        """Say how what is typed is understood."""
        text = self.field.value.strip()
        target = self.meant(text)
        told = ""
        if text and target is not None and not text.startswith("@"):
            told = self._read(target, text)
        self.post_message(self.Typed(told))

    def _read(self, target: Target, text: str) -> str:
        if target.check is not None:
            return self._sitting.read(target.check.id, text).message
        fields = layout_fields(text)
        plan = target.phase.plan
        wanted = plan.fields if plan is not None else ()
        missing = [name for name in wanted if name not in fields]
        unknown = [name for name in fields if name not in wanted]
        if unknown:
            return f"not asked for here: {', '.join(unknown)}"
        told = f"still to be said: {', '.join(missing)}" if missing else "Enter records it"
        return told if target == self.target else f"a layout: {told}"

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = self.field.value.strip()
        self.post_message(self.Given(self.mode, self.meant(text), text))

    def taken(self) -> None:
        """What was typed was recorded: forget it."""
        self.field.value = ""
        self._keep_draft()


def layout_fields(text: str) -> dict[str, int]:
    """Read `tp=8 pp=4, zero 1` as fields; the last of a name counts."""
    return {
        _ALIASES.get(name.lower(), name.lower()): int(value) for name, value in _FIELD.findall(text)
    }
