"""A table that somebody hands us, as plain lists, mappings and texts; not part of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content.text import MAX_FILE_BYTES, decode, read_tree
from drillkit.content.tree import Mapping, Node, Scalar, Sequence
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.content.diagnostic import Diagnostic

Plain = dict[str, "Plain"] | list["Plain"] | str


def read_table(path: Path, list_key: str) -> dict[str, Plain]:
    """Read a YAML or JSON file whose rows stand under `list_key`, or which is the list itself.

    Every scalar stays text. Raises `DrillkitError` with the first thing that is wrong.
    """
    try:
        with path.open("rb") as source:
            raw = source.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise DrillkitError(f"cannot be read: {error.strerror}", where=str(path)) from None
    text, faults = decode(raw, str(path))
    if text is None:
        raise _error(faults[0], 0)
    start = next((line for line in text.splitlines() if line and not line.startswith("#")), "")
    bare = start.startswith(("- ", "-\t", "["))
    shift = 0
    if start.startswith("["):
        text = text.replace("[", f"{list_key}: [", 1)
    elif bare:
        text, shift = f"{list_key}:\n{text}", 1
    tree = read_tree(text, str(path), list_key)
    for fault in tree.diagnostics:
        if fault.severity == "error":
            raise _error(fault, shift)
    plain = _plain(tree.head)
    return plain if isinstance(plain, dict) else {}


def _error(fault: Diagnostic, shift: int) -> DrillkitError:
    place = f"{fault.file}:{fault.line - shift}:{fault.column}" if fault.line else fault.file
    return DrillkitError(fault.message, where=place, hint=fault.hint)


def _plain(node: Node) -> Plain:
    if isinstance(node, Mapping):
        return {name: _plain(value) for name, value in node.values.items()}
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return node.text if isinstance(node, Scalar) else ""
