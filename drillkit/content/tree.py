"""The tree of a YAML text: scalars as typed, each with its line and column.

It is built from libyaml's events in one pass and without recursion, so that depth, size and aliases
are bounded while reading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from drillkit.content.diagnostic import Diagnostic, Severity
from drillkit.content.guess import UnreadableError, explain

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_UTF_8 = re.compile("[\ud800-\udfff]")
MAX_DEPTH = 12
MAX_ALIASED_NODES = 10_000


class Node:
    """A piece of the tree; `line` and `column` count from 1, `size` counts its nodes."""

    __slots__ = ("column", "line", "size")

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.size = 1


class Scalar(Node):
    """A text, as typed."""

    __slots__ = ("text",)

    def __init__(self, text: str, line: int, column: int) -> None:
        super().__init__(line, column)
        self.text = text


class Sequence(Node):
    """A list."""

    __slots__ = ("items",)

    def __init__(self, line: int, column: int) -> None:
        super().__init__(line, column)
        self.items: list[Node] = []


class Mapping(Node):
    """Keys and values; `keys` remembers where each key stands."""

    __slots__ = ("keys", "values")

    def __init__(self, line: int, column: int) -> None:
        super().__init__(line, column)
        self.keys: dict[str, Scalar] = {}
        self.values: dict[str, Node] = {}


def yaml_lines(text: str) -> list[str]:
    """Split `text` where YAML counts a new line, keeping the line ends."""
    return re.findall(r"[^\n\r\x85\u2028\u2029]*(?:\r\n|[\n\r\x85\u2028\u2029])|.+\Z", text)


class TreeReader:
    """Builds the tree of one text; `first_line` is where the text starts in its file.

    `aliased` is how many nodes the aliases of other parts of the file stand for already.
    """

    def __init__(self, text: str, file: str, first_line: int = 1, aliased: int = 0) -> None:
        self.text = text
        self.file = file
        self.first_line = first_line
        self.diagnostics: list[Diagnostic] = []
        self._open: list[tuple[Sequence | Mapping, str | None]] = []
        self._pending_key: Scalar | None = None
        self._anchors: dict[str, Node] = {}
        self.aliased = aliased
        self._root: Node | None = None
        self._documents = 0

    def root(self) -> Node | None:
        """Return the only document's node, or None for an empty text. Raises `UnreadableError`."""
        take: dict[type[yaml.Event], Callable[[Any], None]] = {
            ScalarEvent: self._scalar,
            MappingStartEvent: self._start,
            SequenceStartEvent: self._start,
            MappingEndEvent: self._close,
            SequenceEndEvent: self._close,
            AliasEvent: self._alias,
            DocumentStartEvent: self._document,
        }
        try:
            for event in yaml.parse(self.text, yaml.CBaseLoader):
                handler = take.get(event.__class__)
                if handler is not None:
                    handler(event)
        except yaml.YAMLError as error:
            raise explain(error, self.text, self.first_line) from None
        except UnicodeEncodeError:
            raise self._not_utf_8() from None
        return self._root

    def _not_utf_8(self) -> UnreadableError:
        found = NOT_UTF_8.search(self.text)
        assert found is not None  # nothing else cannot be encoded  # noqa: S101
        before = yaml_lines(self.text[: found.start()] + "|")
        byte = ord(found[0]) & 0xFF
        return UnreadableError(
            self.first_line + len(before) - 1,
            len(before[-1]),
            f"the byte 0x{byte:02x} is not UTF-8",
            f"save the file as UTF-8 (in Latin-1 this byte would be {chr(byte)!r})",
            "encoding",
        )

    def _place(self, event: Any) -> tuple[int, int]:  # noqa: ANN401 the stubs lack libyaml's marks
        mark = event.start_mark
        return mark.line + self.first_line, mark.column + 1

    def _refusal(
        self, event: yaml.Event, message: str, hint: str, code: str = "yaml"
    ) -> UnreadableError:
        return UnreadableError(*self._place(event), message, hint, code)

    def _note(
        self, severity: Severity, code: str, place: tuple[int, int], message: str, hint: str
    ) -> None:
        self.diagnostics.append(Diagnostic(self.file, *place, severity, code, message, hint))

    def _document(self, event: DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self._refusal(event, "a second document starts here", "remove the line `---`")

    def _key_is_next(self) -> bool:
        return (
            bool(self._open)
            and self._pending_key is None
            and isinstance(self._open[-1][0], Mapping)
        )

    def _scalar(self, event: ScalarEvent) -> None:
        if event.tag is not None:
            raise self._refusal(
                event, f"the tag {event.tag} is not used here", "quote a text that starts with `!`"
            )
        node = Scalar(event.value, *self._place(event))
        # A key waits for its value; anything else is a value itself.
        if self._key_is_next():
            self._pending_key = node
        else:
            self._add(node)
        if event.anchor is not None:
            self._anchors[event.anchor] = node

    def _start(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        if event.tag is not None:
            raise self._refusal(
                event, f"the tag {event.tag} is not used here", "quote a text that starts with `!`"
            )
        if len(self._open) >= MAX_DEPTH:
            raise self._refusal(
                event, f"nested more than {MAX_DEPTH} deep", "quote a text that starts with [ or {"
            )
        if self._key_is_next():
            raise self._refusal(
                event, "a list or mapping stands where a key belongs", "quote a text with {{ or ["
            )
        shape = Mapping if isinstance(event, MappingStartEvent) else Sequence
        node = shape(*self._place(event))
        self._add(node)
        self._open.append((node, event.anchor))

    def _close(self, _event: yaml.Event) -> None:
        node, anchor = self._open.pop()
        if anchor is not None:
            self._anchors[anchor] = node
        if self._open:
            self._open[-1][0].size += node.size - 1

    def _alias(self, event: AliasEvent) -> None:
        node = self._anchors.get(event.anchor or "")
        if node is None:
            raise self._refusal(
                event,
                f"*{event.anchor} refers to nothing",
                "quote a text that starts with *",
            )
        self.aliased += node.size
        if self.aliased > MAX_ALIASED_NODES:
            raise self._refusal(
                event,
                f"the aliases stand for more than {MAX_ALIASED_NODES:,} nodes",
                "write the values out",
                "alias-bomb",
            )
        if self._key_is_next():
            raise self._refusal(event, "an alias stands where a key belongs", "write the key out")
        self._add(node)

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        parent = self._open[-1][0]
        parent.size += node.size
        if isinstance(parent, Sequence):
            parent.items.append(node)
            return
        key = self._pending_key
        assert key is not None  # a value comes only after its key  # noqa: S101
        self._pending_key = None
        if key.text in parent.keys:
            first = parent.keys[key.text]
            self._note(
                "error",
                "duplicate-key",
                (key.line, key.column),
                f"the key `{key.text}` stands twice, first on line {first.line}",
                "remove one of them",
            )
            return
        parent.keys[key.text] = key
        parent.values[key.text] = node
