"""A mapping of texts against a struct: every field typed, every problem told at its place."""

from __future__ import annotations

import difflib
import re
import typing
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.content.diagnostic import Diagnostic
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

TRUE_WORDS = ("true", "yes", "on")
FALSE_WORDS = ("false", "no", "off")


class Report:
    """Collects what is wrong with one item of a file."""

    def __init__(self, file: str, subject: str) -> None:
        self.file = file
        self.subject = subject
        self.found: list[Diagnostic] = []

    def error(self, node: Node, code: str, message: str, hint: str = "") -> None:
        self.found.append(
            Diagnostic(
                self.file, node.line, node.column, "error", code, message, hint, self.subject
            )
        )

    def warning(self, node: Node, code: str, message: str, hint: str = "") -> None:
        self.found.append(
            Diagnostic(
                self.file, node.line, node.column, "warning", code, message, hint, self.subject
            )
        )


@cache
def _field_types(struct: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.encode_name: field.type for field in msgspec.structs.fields(struct)}


def keys_of(struct: type[msgspec.Struct], hidden: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the keys that an author may write for `struct`."""
    return tuple(name for name in _field_types(struct) if name not in hidden)


@cache
def needed_keys(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the keys that an author must write for `struct`."""
    fields = msgspec.structs.fields(struct)
    return tuple(field.encode_name for field in fields if field.required)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or nothing."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return near[0] if near else ""


def read_fields(
    mapping: Mapping, struct: type[msgspec.Struct], report: Report, skip: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the typed values of the keys that `struct` knows; the rest is the caller's to judge.

    A value of the wrong type is reported and left out.
    """
    wanted = _field_types(struct)
    left_out = set(skip)
    values: dict[str, Any] = {}
    for key, node in mapping.values.items():
        if key not in wanted or key in left_out:
            continue
        try:
            values[key] = _typed(node, wanted[key], key, report)
        except _WrongTypeError as error:
            report.error(error.node, "type", f"`{key}` {error}", error.hint)
    return values


class _WrongTypeError(Exception):
    def __init__(self, node: Node, message: str, hint: str) -> None:
        super().__init__(message)
        self.node = node
        self.hint = hint


def _typed(node: Node, wanted: Any, key: str, report: Report) -> Any:  # noqa: ANN401 typed by a type that is a value
    if wanted is str:
        return _text(node)
    if wanted is bool:
        return _truth(node)
    if wanted is int:
        return _integer(node)
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is tuple:
        # One text where a list may stand is a list of one.
        entries = node.items if isinstance(node, Sequence) else _one(node)
        return tuple(_typed(entry, arguments[0], key, report) for entry in entries)
    if origin is dict:
        return _texts_by_name(node)
    if origin is typing.Literal:
        return _one_of(node, arguments)
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return _struct(node, wanted, report)
    raise TypeError(f"no reader for {wanted}")  # a struct of ours has a new kind of field


def _one(node: Node) -> list[Node]:
    if isinstance(node, Scalar):
        return [node] if node.text.strip() else []
    raise _WrongTypeError(node, "is a mapping; a list is needed", "begin each entry with a dash")


def _text(node: Node) -> str:
    if isinstance(node, Scalar):
        return node.text.strip()
    shape = "list" if isinstance(node, Sequence) else "mapping"
    raise _WrongTypeError(
        node, f"is a {shape}; a text is needed", "put a text that holds [ { or : in quotes"
    )


def _truth(node: Node) -> bool:
    word = _text(node).lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise _WrongTypeError(node, f"is {word!r}; true or false is needed", "write true or false")


def _integer(node: Node) -> int:
    text = _text(node)
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    raise _WrongTypeError(node, f"is {text!r}; a whole number is needed", "write digits only: 120")


def _one_of(node: Node, known: tuple[str, ...]) -> str:
    word = _text(node)
    if word in known:
        return word
    near = nearest(word, known)
    guess = f"did you mean `{near}`? " if near else ""
    raise _WrongTypeError(node, f"cannot be {word!r}", f"{guess}one of: {', '.join(known)}")


def _texts_by_name(node: Node) -> dict[str, str]:
    if not isinstance(node, Mapping):
        raise _WrongTypeError(node, "is no mapping", "write {p: ranks, n: bytes}")
    return {name: _text(value) for name, value in node.values.items()}


def _struct(node: Node, wanted: type[msgspec.Struct], report: Report) -> msgspec.Struct:
    names = keys_of(wanted)
    if not isinstance(node, Mapping):
        raise _WrongTypeError(
            node, "has an entry without keys", "write it as {" + ": …, ".join(names[:1]) + ": …}"
        )
    for key, place in node.keys.items():
        if key not in names:
            near = nearest(key, names)
            guess = f"did you mean `{near}`?" if near else "known keys: " + ", ".join(names)
            report.error(place, "unknown-key", f"unknown key `{key}`", guess)
    values = read_fields(node, wanted, report)
    missing = [name for name in needed_keys(wanted) if name not in values]
    if missing:
        raise _WrongTypeError(node, f"has an entry without `{missing[0]}`", f"add `{missing[0]}:`")
    return wanted(**values)
