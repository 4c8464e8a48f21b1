"""The bottom line: the keys that work now."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual import events
    from textual.binding import Binding
    from textual.screen import Screen

BETWEEN = Content("  ")


class KeyLine(Static, can_focus=False):
    """Each key with what it does, read from the screen's bindings; a click presses the key.

    Textual's Footer makes a widget of every key and all of them anew at every card, which takes
    longer than drawing the card.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis;
        color: $footer-description-foreground; background: $footer-background;
    }
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        told = Content("\n").join(list(self._lines()))
        if told != self.content:
            self.update(told, layout=False)

    def _lines(self) -> Iterator[Content]:
        """The keys, on one line; where more lines are shown, none parts a key from its words."""
        room = self.content_size.width if self.styles.text_wrap == "wrap" else 0
        held: list[Content] = []
        for part in self._parts():
            if room and held and BETWEEN.join([*held, part]).cell_length > room:
                yield BETWEEN.join(held)
                held = []
            held.append(part)
        yield BETWEEN.join(held)

    def _parts(self) -> Iterator[Content]:
        by_action: dict[str, tuple[Binding, bool]] = {}
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            if binding.show:
                by_action.setdefault(binding.action, (binding, enabled))
        for group, found in groupby(by_action.values(), lambda pair: pair[0].group):
            bindings = list(found)
            if group is not None and len(bindings) > 1:
                keys = Content(" ").join([self._key(one, enabled=on) for one, on in bindings])
                yield Content.assemble(keys, " ", group.description)
            else:
                for binding, enabled in bindings:
                    yield Content.assemble(
                        self._key(binding, enabled=enabled), " ", binding.description
                    )

    def _key(self, binding: Binding, *, enabled: bool) -> Content:
        display = self.app.get_key_display(binding)
        look = "bold $footer-key-foreground" if enabled else "dim $footer-key-foreground"
        return Content.styled(display, look).stylize(Style.from_meta({"pressed": binding.key}))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        key = event.style.meta.get("pressed")
        if key:
            self.app.simulate_key(key)
