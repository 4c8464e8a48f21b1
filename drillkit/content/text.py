"""YAML text -> a tree of text scalars, each with its line and column.

Every scalar stays the text that its author typed: YAML's own typing reads `no` as false, `12:30` as
750 and `010` as 8. A file whose YAML is broken is read again item by item, so that one bad card
never hides the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drillkit.content.diagnostic import Diagnostic
from drillkit.content.guess import UnreadableError
from drillkit.content.tree import Mapping, Node, Scalar, Sequence, TreeReader, yaml_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_KEY = re.compile(r"[A-Za-z][\w-]*:(\s|$)")
BREAKS = "\n\r\x85\u2028\u2029"
CONFLICT = re.compile(r"^(<{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)
DOCUMENT_MARK = re.compile(r"(---|\.\.\.)(\s|$)")
MAX_FILE_BYTES = 4 * 2**20


@dataclass
class Tree:
    """What a text holds, as far as it could be read, and what is wrong with it.

    `items` are the entries of the file's one list (cards, problems), `head` everything beside it.
    """

    head: Mapping
    items: list[Node]
    diagnostics: list[Diagnostic] = field(default_factory=list)


def decode(raw: bytes, file: str) -> tuple[str | None, list[Diagnostic]]:
    """Turn a file's bytes into text: UTF-8 with or without BOM, any line ends.

    A byte that is not UTF-8 becomes a lone surrogate, which `read_tree` refuses where it stands.
    Returns None with the reason where the file is too large or UTF-16.
    """
    if len(raw) > MAX_FILE_BYTES:
        return None, too_large(file, len(raw))
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "save it as UTF-8"
        return None, [Diagnostic(file, 1, 1, "error", "encoding", "the file is UTF-16", hint)]
    return raw.decode("utf-8-sig", "surrogateescape"), []


def too_large(file: str, size: int) -> list[Diagnostic]:
    """Say that a file is over the cap."""
    return [
        Diagnostic(
            file,
            0,
            0,
            "error",
            "too-large",
            f"the file has {size:,} bytes; at most {MAX_FILE_BYTES:,} are read",
            "split it into several files, one topic each",
        )
    ]


def read_tree(text: str, file: str, list_key: str) -> Tree:
    """Read the YAML `text` of `file`, whose list of items stands under `list_key`.

    Where the YAML is broken, each item is read by itself and only the broken ones are missing.
    """
    text, conflicts = _without_conflicts(text, file)
    reader = TreeReader(text, file)
    try:
        root = reader.root()
    except UnreadableError as error:
        tree = _read_by_item(text, file, list_key, error)
    else:
        tree = _split(root, file, list_key, reader.diagnostics)
    tree.diagnostics[:0] = conflicts
    return tree


def read_mapping(raw: bytes, file: str, starter: str) -> tuple[Mapping | None, list[Diagnostic]]:
    """Read the bytes of `file`, whose YAML is one mapping; None where it is none.

    `starter` is the command that writes a file to start from.
    """
    decoded, found = decode(raw, file)
    if decoded is None:
        return None, found
    text, found = _without_conflicts(decoded, file)
    if found:
        # What stands between the markers is missing, so all else would be told as wrong too.
        return None, found
    reader = TreeReader(text, file)
    try:
        root = reader.root()
    except UnreadableError as error:
        return None, [*reader.diagnostics, _broken(file, error)]
    if isinstance(root, Mapping):
        return root, reader.diagnostics
    code, message = ("empty", "the file is empty")
    if root is not None:
        code, message = ("shape", "the file does not start with keys")
    line, column = (1, 1) if root is None else (root.line, root.column)
    hint = f"`{starter}` writes one to start from"
    return None, [Diagnostic(file, line, column, "error", code, message, hint)]


def _without_conflicts(text: str, file: str) -> tuple[str, list[Diagnostic]]:
    """Blank the lines of each unfinished merge, so that the cards outside can be read."""
    if not CONFLICT.search(text):
        return text, []
    lines = yaml_lines(text)
    last = max((number for number, line in enumerate(lines) if line[:7] == ">" * 7), default=0)
    found: list[Diagnostic] = []
    inside = False
    for number, line in enumerate(lines):
        marker = CONFLICT.match(line)
        if marker and not inside:
            message = f"a git conflict marker {marker[1]}"
            hint = "finish the merge: keep one side and delete the three marker lines"
            found.append(Diagnostic(file, number + 1, 1, "error", "conflict", message, hint))
        if marker or inside:
            lines[number] = line[len(line.rstrip(BREAKS)) :]
        if marker:
            inside = marker[1][0] != ">" and number < last
    return "".join(lines), found


def _split(root: Node | None, file: str, list_key: str, found: list[Diagnostic]) -> Tree:
    def refuse(node: Node, code: str, message: str, hint: str) -> None:
        found.append(Diagnostic(file, node.line, node.column, "error", code, message, hint))

    if root is None:
        empty = Mapping(1, 1)
        refuse(empty, "empty", "the file is empty", "`drillkit new deck` writes one to start from")
        return Tree(empty, [], found)
    if not isinstance(root, Mapping):
        refuse(
            root,
            "shape",
            f"the file does not start with keys such as `{list_key}:`",
            "`drillkit new deck` writes one to start from",
        )
        return Tree(Mapping(1, 1), [], found)
    listed = root.values.get(list_key)
    if isinstance(listed, Sequence):
        return Tree(root, listed.items, found)
    if listed is None:
        refuse(root, "missing-key", f"the key `{list_key}:` is missing", f"add `{list_key}:`")
    elif isinstance(listed, Scalar) and not listed.text:
        refuse(listed, "empty", f"`{list_key}:` lists nothing", "begin each item with a dash: `- `")
    else:
        refuse(listed, "shape", f"`{list_key}:` is not a list", "begin each item with a dash: `- `")
    return Tree(root, [], found)


# --- a broken file, item by item -----------------------------------------------------------------


def _read_by_item(text: str, file: str, list_key: str, whole: UnreadableError) -> Tree:
    lines = yaml_lines(text)
    opening = re.compile(rf"{list_key}:\s*(#.*)?$")
    start = next((n for n, line in enumerate(lines) if opening.match(line)), None)
    blocks = [] if start is None else list(_blocks(lines, start + 1))
    if start is None or not blocks:
        return Tree(Mapping(1, 1), [], [_broken(file, whole)])
    tree = Tree(Mapping(1, 1), [], [])
    aliased = 0
    for first, last in (*_head_parts(lines, 0, start), *blocks, *_head_parts(lines, blocks[-1][1])):
        part = "".join(lines[first:last])
        reader = TreeReader(part, file, first + 1, aliased)
        try:
            node = reader.root()
        except UnreadableError as error:
            tree.diagnostics.append(_broken(file, error, _name_of(part)))
            continue
        finally:
            aliased = reader.aliased
        tree.diagnostics += reader.diagnostics
        if isinstance(node, Sequence):
            tree.items += node.items
        elif isinstance(node, Mapping):
            tree.head.keys = node.keys | tree.head.keys
            tree.head.values = node.values | tree.head.values
    if not any(found.severity == "error" for found in tree.diagnostics):
        tree.diagnostics.append(_broken(file, whole))
    return tree


def _head_parts(lines: list[str], start: int, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield the line ranges of the keys beside the list: one that is broken hides no other."""
    first = start
    stop = len(lines) if end is None else end
    for number in range(start, stop):
        if HEAD_KEY.match(lines[number]) and number > first:
            yield first, number
            first = number
    if first < stop:
        yield first, stop


def _broken(file: str, error: UnreadableError, subject: str = "") -> Diagnostic:
    return Diagnostic(
        file, error.line, error.column, "error", error.code, error.message, error.hint, subject
    )


def _name_of(block: str) -> str:
    match = re.search(r"^[\s-]*\{?\s*id:\s*([\w-]+)\s*(?:,|$)", block, re.MULTILINE)
    return f"card {match[1]}" if match else ""


def _blocks(lines: list[str], start: int) -> Iterator[tuple[int, int]]:
    """Yield the line ranges of the items of the list that starts below `start`."""
    indent: int | None = None
    first = start
    for number in range(start, len(lines)):
        line = lines[number]
        text = line.lstrip(" ")
        if not text.strip() or text.startswith("#"):
            continue
        depth = len(line) - len(text)
        if indent is None:
            if not text.startswith("-"):
                return
            indent, first = depth, number
        elif depth == indent and text.startswith(("- ", "-\n", "-\r")):
            yield first, number
            first = number
        elif DOCUMENT_MARK.match(line):
            # The mark is what is wrong; the item above it is not.
            yield first, number
            first = number + 1
        elif HEAD_KEY.match(line):
            # The list is over: a key of the head follows.
            yield first, number
            return
    if indent is not None:
        yield first, len(lines)
