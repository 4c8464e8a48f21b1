"""The app: screens on a stack, files watched, signals heeded."""

from __future__ import annotations

import asyncio
import gc
import signal
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message

from drillkit.errors import DrillkitError, UsageError
from drillkit.review.queue import Filter
from drillkit.tui import editor
from drillkit.tui.screens.home import HomeScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.today import Loaded, Today, look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import FrameType

    from textual.screen import Screen

    from drillkit.content.library import Library, Place
    from drillkit.content.round import Round
    from drillkit.review.collection import Collection
    from drillkit.rounds.archive import Kept
    from drillkit.rounds.choice import Choice
    from drillkit.rounds.pace import Visit
    from drillkit.rounds.sitting import Sitting
    from drillkit.workspace import Workspace

THEMES = {"dark": "textual-dark", "light": "textual-light", "ansi": "ansi-dark"}
WATCH_S = 1.5


class LibraryChanged(Message):
    """A deck file was edited, added or deleted."""

    def __init__(self, library: Library, told: str) -> None:
        super().__init__()
        self.library = library
        self.told = told


class Failed(Message):
    """Something could not be read; the text says what and what to do."""

    def __init__(self, error: DrillkitError) -> None:
        super().__init__()
        self.error = error


class DrillApp(App[None]):
    """One terminal, one person, one workspace."""

    CSS_PATH = "app.tcss"
    NOTIFICATION_TIMEOUT = 3
    TITLE = "drillkit"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "To the shell; fg returns", show=False),
    ]

    def __init__(
        self, workspace: Workspace, start: Callable[[DrillApp], None] | None = None
    ) -> None:
        super().__init__()
        self.workspace = workspace
        self.today: Today | None = None
        self.fatal: DrillkitError | None = None
        self._start = start
        self._collection: Collection | None = None
        self._settled = False

    # --- start and end ---------------------------------------------------------------------

    def get_default_screen(self) -> HomeScreen:
        # Home lies at the bottom; pushed onto Textual's empty screen, two would be drawn at first.
        return HomeScreen()

    def on_mount(self) -> None:
        self._heed_signals()
        # Back from the shell, Textual repaints only what happened to be waiting for it.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        try:
            self._use_settings()
        except DrillkitError as error:
            self._stop(error)
            return
        self.set_interval(WATCH_S, self._watch)

    def _use_settings(self) -> None:
        settings = self.workspace.settings
        self.theme = THEMES[settings.theme]
        self.set_keymap(settings.keys)

    def settings_changed(self) -> None:
        """Read the settings again and go on with them; a fault in the file is told."""
        try:
            self.workspace.reread_settings()
            self._use_settings()
        except DrillkitError as error:
            self.complain(error)

    def _heed_signals(self) -> None:
        """Leave the terminal usable when the terminal closes or the machine shuts down."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.exit)
        self._guard_continue()

    def _guard_continue(self) -> None:
        """Let SIGCONT do no harm after a SIGSTOP, which Textual never hears of.

        Its own handler would start the terminal's modes a second time, and take the raw ones for
        those that were there before.
        """
        stop, go_on = signal.getsignal(signal.SIGTSTP), signal.getsignal(signal.SIGCONT)
        driver = self._driver
        if not callable(stop) or not callable(go_on) or driver is None or not driver.can_suspend:
            return
        left_properly = False

        def stopping(number: int, frame: FrameType | None) -> None:
            nonlocal left_properly
            left_properly = True
            stop(number, frame)

        def continued(number: int, frame: FrameType | None) -> None:
            nonlocal left_properly
            if not left_properly:
                driver.suspend_application_mode()
            left_properly = False
            go_on(number, frame)
            self.refresh(layout=True)

        signal.signal(signal.SIGTSTP, stopping)
        signal.signal(signal.SIGCONT, continued)

    def _stop(self, error: DrillkitError) -> None:
        self.fatal = error
        self.exit(return_code=error.exit_code)

    def on_unmount(self) -> None:
        if self._collection is not None:
            self._collection.close()

    # --- reading, off the screen's thread --------------------------------------------------

    @work(thread=True, exclusive=True, group="look", exit_on_error=False)
    def reload(self) -> None:
        """Read decks and collection, then tell Home."""
        try:
            self.post_message(Loaded(look(self.workspace)))
        except DrillkitError as error:
            self.post_message(Failed(error))

    def on_loaded(self, event: Loaded) -> None:
        self.today = event.today
        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.show_today(event)
        if not self._settled:
            self._settled = True
            self.call_after_refresh(self._settle)
        if self._start is not None:
            start, self._start = self._start, None
            start(self)

    def _settle(self) -> None:
        """Do, once the counts are on the screen, what the start left for later."""
        self._back_up()
        # See `start`; and thousands of cards need not be searched for garbage each time.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()

    def on_failed(self, event: Failed) -> None:
        # Without the collection there is nothing to show and nothing may be written over.
        if self.today is None:
            self._stop(event.error)
        else:
            self.complain(event.error)

    @work(thread=True, exclusive=True, group="backup", exit_on_error=False)
    def _back_up(self) -> None:
        from drillkit.review.backup import daily_backup  # noqa: PLC0415 not before the first screen

        folders, settings = self.workspace.folders, self.workspace.settings
        day = self.workspace.clock.now().study_day(settings.day_starts).toordinal()
        try:
            daily_backup(folders.collection, folders.backups, day)
        except DrillkitError as error:
            self.post_message(Failed(error))

    @work(thread=True, exclusive=True, group="watch", exit_on_error=False)
    def _watch(self) -> None:
        before = self.today.library if self.today is not None else None
        if before is None:
            return
        library = self.workspace.library()
        if library is not before:
            told = str(library.change_from(before))
            self.post_message(LibraryChanged(library, told))

    async def on_library_changed(self, event: LibraryChanged) -> None:
        if self.today is None or event.library is self.today.library:
            return
        if event.told and not self._undisturbed:
            self.notify(line(event.told).plain, title="Decks", markup=False)
        await self._use_library(event.library)

    @property
    def _undisturbed(self) -> bool:
        return any(isinstance(one, DrillScreen) and one.UNDISTURBED for one in self.screen_stack)

    async def _use_library(self, library: Library) -> None:
        from drillkit.tui.screens.review import ReviewScreen  # noqa: PLC0415 not before the first screen

        for screen in self.screen_stack:
            if isinstance(screen, ReviewScreen):
                await screen.use_library(library)
        self.reload()

    # --- what screens ask for --------------------------------------------------------------

    def review(self, chosen: Filter) -> None:
        """Start or continue a sitting."""
        from drillkit.review.session import Session  # noqa: PLC0415 not before the first screen
        from drillkit.tui.screens.review import ReviewScreen  # noqa: PLC0415

        if self.today is None:
            return
        try:
            session = Session.open(
                self.collection(),
                self.today.library,
                self.workspace.clock,
                self.workspace.settings,
                chosen,
            )
        except DrillkitError as error:
            self.complain(error)
            return
        self.push_screen(ReviewScreen(session))

    def practice(self, problem: str = "", find: str = "", seed: int | None = None) -> None:
        """Show the problem families, or one of them at once."""
        from drillkit.tui.screens.practice import PracticeScreen  # noqa: PLC0415 not before the first screen
        from drillkit.tui.screens.problem import ProblemScreen  # noqa: PLC0415

        if self.today is None:
            return
        library = self.today.library
        if not problem:
            self.push_screen(PracticeScreen(library))
        elif problem in library.problems:
            self.push_screen(ProblemScreen((library.problems[problem],), find, seed))
        else:
            from difflib import get_close_matches  # noqa: PLC0415 only for a wrong call

            near = get_close_matches(problem, library.problems, n=1)
            hint = f"did you mean {near[0]}?" if near else "`drillkit practice` lists them"
            self._stop(UsageError(f"there is no problem {problem!r}", hint=hint))

    def rounds(self) -> None:
        """Show the design rounds."""
        from drillkit.tui.screens.rounds import RoundsScreen  # noqa: PLC0415 not before the first screen

        if self.today is not None:
            self.push_screen(RoundsScreen(self.today.library))

    def start_round(self, name: str, choice: Choice | None = None) -> None:
        """Open the start of a round, or begin it as it was chosen; a wrong name ends the app."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        try:
            rounds.start_round(self, name, choice)
        except UsageError as error:
            self._stop(error)

    def begin_round(self, round_: Round, choice: Choice) -> None:
        """Begin a round."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        rounds.begin_round(self, round_, choice)

    def return_to_round(self, kept: Kept) -> None:
        """Ask what is to become of a round that was left in the middle."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        rounds.return_to_round(self, kept)

    def resume_round(self, kept: Kept, *, counted: bool) -> None:
        """Go on with a round that was left in the middle."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        rounds.resume_round(self, kept, counted=counted)

    def grade_as_it_is(self, kept: Kept) -> None:
        """End a round that was left in the middle, and grade it."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        rounds.grade_as_it_is(self, kept)

    def play_round(self, sitting: Sitting, ghost: Sequence[Visit] = ()) -> None:
        """Show a round that is being played; `ghost` is the course of the best run so far."""
        from drillkit.tui.screens.round import RoundScreen  # noqa: PLC0415 not before the first screen

        self.push_screen(RoundScreen(sitting, ghost))

    def debrief_round(self, round_: Sitting | Kept, *, again: bool = False) -> None:
        """Go on with the debrief of a round; `again` grades it a second time."""
        from drillkit.tui import rounds  # noqa: PLC0415 not before the first screen

        rounds.debrief_round(self, round_, again=again)

    @property
    def library(self) -> Library:
        """The decks and problems as they were last read."""
        assert self.today is not None  # noqa: S101 no screen that needs it opens before
        return self.today.library

    def collection(self) -> Collection:
        """Return the connection of the screens' own thread."""
        if self._collection is None:
            self._collection = self.workspace.collection()
        return self._collection

    def action_practice(self) -> None:
        self.practice()

    def action_rounds(self) -> None:
        self.rounds()

    def edit(self, place: Place) -> bool:
        """Open the person's editor at `place`; return whether it ran."""
        try:
            with self.suspend():
                editor.run(place, self.workspace.settings.editor)
        except DrillkitError as error:
            self.complain(error)
            return False
        except SuspendNotSupported:
            self.notify("This terminal cannot hand over to an editor.", severity="warning")
            return False
        self.refresh(layout=True)
        return True

    def complain(self, error: DrillkitError) -> None:
        """Tell of an error without ending anything."""
        what = f"{error.where}: {error.what}" if error.where else error.what
        text = f"{what}. {error.hint}" if error.hint else what
        self.notify(line(text).plain, severity="error", markup=False, timeout=12)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Put our own activities before Textual's in the command palette."""
        if self.today is not None:
            for title, about, act in (
                ("Review", "everything that waits", lambda: self.review(Filter())),
                ("Practice", "numeric problems, outside the schedule", self.action_practice),
                ("Mock round", "a design interview of 45 minutes", self.action_rounds),
                ("Figures", "to play with", self.action_figures),
                ("Search", "across all cards", self.action_search),
                ("Symbols", "what they mean on the cards", self.action_glossary),
                ("Settings", "of drillkit", self.action_settings),
            ):
                yield SystemCommand(title, about, act)
        yield from super().get_system_commands(screen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "faults":
            return self.today is not None and self.today.faults > 0
        if action == "practice":
            return self.today is not None and bool(self.today.library.problems)
        return super().check_action(action, parameters)

    async def action_quit(self) -> None:
        """End drillkit, unless a round is being played: that asks first."""
        if not any(
            isinstance(one, DrillScreen) and one.ask_to_leave() for one in self.screen_stack
        ):
            self.exit()

    def action_help(self) -> None:
        from drillkit.tui.screens.help import HelpScreen  # noqa: PLC0415 not before the first screen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def action_search(self) -> None:
        from drillkit.tui.screens.search import SearchScreen  # noqa: PLC0415 not before the first screen

        if self.today is not None:
            self.push_screen(SearchScreen(self.today.library))

    def action_glossary(self) -> None:
        from drillkit.tui.screens.glossary import GlossaryScreen  # noqa: PLC0415 not before the first screen

        if self.today is not None:
            self.push_screen(GlossaryScreen(self.today.library))

    def action_figures(self) -> None:
        from drillkit.tui.screens.figures import FiguresScreen  # noqa: PLC0415 not before the first screen

        self.push_screen(FiguresScreen())

    def action_faults(self) -> None:
        from drillkit.tui.screens.faults import FaultsScreen  # noqa: PLC0415 not before the first screen

        if self.today is not None:
            self.push_screen(FaultsScreen(self.today.library.diagnostics))

    def action_settings(self) -> None:
        from drillkit.settings_file import SettingsFile  # noqa: PLC0415 not before the first screen
        from drillkit.tui.screens.settings import SettingsScreen  # noqa: PLC0415

        self.push_screen(SettingsScreen(SettingsFile(self.workspace.folders.settings)))
