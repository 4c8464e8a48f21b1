"""A numeric problem being answered: reading echoed, hints, tries, confidence, derivation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input, Static, TextArea

from drillkit.counted import counted
from drillkit.errors import DrillkitError
from drillkit.numeric.attempt import CONFIDENCES, MOST_ATTEMPTS, Attempt
from drillkit.review.grade import Grade
from drillkit.tui.text import shown, stacked
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.content import Content

    from drillkit.clock import Clock
    from drillkit.numeric.variant import Variant
    from drillkit.numeric.verdict import Verdict

CONFIDENCE = Binding.Group("How sure?", compact=True)


class ProblemView(FormView):
    """One variant. Enter judges what is typed; the first time it asks how sure you are before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(percent // 10), f"sure({percent})", "How sure?", group=CONFIDENCE)
            for percent in CONFIDENCES
        ),
        # F2 works while typing too; h is for those who left the field.
        Binding("f2", "hint", "Hint", key_display="F2"),
        Binding("h", "hint", "Hint", show=False),
        Binding("f4", "scratch", "Scratch", key_display="F4"),
        Binding("escape", "leave_field", "Other keys", key_display="Esc"),
    ]

    class Solved(Message):
        """The derivation was worked out, off the screen's thread."""

        def __init__(self, steps: str) -> None:
            super().__init__()
            self.steps = steps

    def __init__(self, variant: Variant, clock: Clock) -> None:
        super().__init__()
        self.attempt = Attempt(variant)
        self.hint = f"Type the answer with its unit; {MOST_ATTEMPTS} tries. F2 gives a hint."
        self._variant = variant
        self._clock = clock
        self._started_s = clock.elapsed_s()
        self.think_s = 0.0
        self._waiting = ""
        self._told: list[Content] = []
        self._steps = ""
        self._open = False

    def compose(self) -> ComposeResult:
        yield Input(placeholder="your answer", id="typed", max_length=160)
        yield Static("", id="echo", classes="muted")
        scratch = TextArea(id="scratch")
        scratch.border_title = "scratch (Esc leaves it)"
        scratch.display = False
        yield scratch
        yield Static("", id="told")
        yield Static("", id="derivation", classes="answer-line")

    def given(self) -> dict[str, str]:
        return {one.symbol: one.text for one in self._variant.stated}

    def on_mount(self) -> None:
        self._work_out()

    @work(thread=True, exclusive=True, group="derive", exit_on_error=False)
    def _work_out(self) -> None:
        """Let sympy derive the answer while the person reads the question."""
        from drillkit.numeric.worked import solve_variant  # noqa: PLC0415 sympy takes 300 ms

        try:
            text = "\n".join(solve_variant(self._variant).steps)
        except DrillkitError as error:
            text = f"no derivation: {error.what}"
        self.post_message(self.Solved(text))

    def on_problem_view_solved(self, event: Solved) -> None:
        self._steps = event.steps
        if self._open:
            self._show_derivation()

    # --- answering -------------------------------------------------------------------------

    @on(Input.Changed)
    def echo(self, event: Input.Changed) -> None:
        """Say how the answer is read, while it is typed."""
        event.stop()
        text = event.value.strip()
        reading = ""
        if text and self._variant.limit is None:
            reading = self._variant.question.read(text).message
        self.query_one("#echo", Static).update(shown(reading))

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if not text or self.attempt.over:
            return
        if self.attempt.confidence is None and not self.attempt.verdicts:
            self._waiting = text
            self.query_one("#echo", Static).update(
                "How sure are you? 5: 50 %, 7: 70 %, 9: 90 %. Enter skips."
            )
            self.query_one("#typed", Input).disabled = True
            self.focus()
            self.refresh_bindings()
        else:
            self._judge(text)

    def action_sure(self, percent: int) -> None:
        if self._waiting:
            self.attempt.confidence = percent
            self.judge_waiting()

    def judge_waiting(self) -> None:
        """Judge the answer for which the confidence was asked."""
        text, self._waiting = self._waiting, ""
        self.query_one("#typed", Input).disabled = False
        self.query_one("#typed", Input).focus()
        self._judge(text)
        self.refresh_bindings()

    def _judge(self, text: str) -> None:
        verdict = self.attempt.submit(text)
        self._tell(verdict)
        field = self.query_one("#typed", Input)
        if self.attempt.over:
            self.think_s = self._clock.elapsed_s() - self._started_s
            self.post_message(self.Submitted())
        else:
            field.select_all()

    def _tell(self, verdict: Verdict) -> None:
        self._told.append(shown(verdict.told, "bold" if verdict.right else ""))
        if not self.attempt.over and verdict.costs_attempt:
            left = self.attempt.tries_left
            self._told.append(shown(f"{counted(left, 'try', 'tries')} left.", "dim"))
        self.query_one("#told", Static).update(stacked(self._told))
        self.query_one("#echo", Static).update("")

    # --- keys ------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        if action == "sure":
            return bool(self._waiting)
        if action == "hint":
            return not self._open and self.attempt.hints_shown < len(self._variant.hints)
        if action == "leave_field":
            return not self._open and bool(self.query("Input:focus, TextArea:focus"))
        return not self._open if action == "scratch" else True

    def action_hint(self) -> None:
        text = self.attempt.hint()
        if text:
            self._told.append(shown(f"Hint: {text}"))
            self.query_one("#told", Static).update(stacked(self._told))
        self.refresh_bindings()

    def action_scratch(self) -> None:
        scratch = self.query_one("#scratch", TextArea)
        scratch.display = True
        scratch.focus()

    def action_leave_field(self) -> None:
        """From the scratch space back to the answer, from the answer to the screen's own keys."""
        if self.query_one("#scratch", TextArea).has_focus:
            self.query_one("#typed", Input).focus()
        else:
            self.focus()

    # --- the answer's side -----------------------------------------------------------------

    def refusal(self) -> str:
        if self._waiting:
            self.judge_waiting()
            return "" if self.attempt.over else "Judged as it is; go on."
        return ""

    def open_answer(self) -> bool:
        if not self.attempt.over:
            self.think_s = self._clock.elapsed_s() - self._started_s
            self.attempt.give_up()
        self._open = True
        self.query_one("#typed", Input).disabled = True
        self._show_derivation()
        self.refresh_bindings()
        return True

    def _show_derivation(self) -> None:
        lines = [shown(self._variant.answer, "bold"), shown(self._steps or "Working it out …")]
        self.query_one("#derivation", Static).update(stacked(lines))

    def grade(self) -> Grade | None:
        return Grade(*self.attempt.result(self.think_s))

    def response(self) -> dict[str, Any]:
        return self.attempt.record()
