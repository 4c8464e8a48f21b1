"""What a broken text most likely meant to say."""

from __future__ import annotations

import re

import yaml


class UnreadableError(Exception):
    """The text is not YAML from `line`:`column` (from 1) on, and how to mend it."""

    def __init__(self, line: int, column: int, message: str, hint: str, code: str = "yaml") -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        self.code = code


# Part of libyaml's complaint -> what it means to an author, and what to do about it.
MEANINGS = (
    (
        "unknown escape",
        "an unknown escape inside double quotes",
        "use single quotes, or write \\\\",
    ),
    (
        "hexdecimal",
        "an escape inside double quotes lacks digits",
        "use single quotes, or write \\\\",
    ),
    (
        "Unicode character escape",
        "an escape inside double quotes is no character",
        "remove it, or use single quotes",
    ),
    (
        "quoted scalar",
        "a quote is opened and never closed",
        "close it, or double a quote inside: ''",
    ),
    ("nesting depth", "nested too deep", "quote a text that starts with [ or {"),
    (
        "expected ',' or",
        "a list or mapping in brackets is not closed",
        "quote a text that starts with [ or {",
    ),
    (
        "could not find expected ':'",
        "a line without `key:`",
        "indent a text that goes on, or put it after `key: |`",
    ),
    (
        "did not find expected",
        "the indentation does not fit the lines above",
        "align the keys of one card, and put a text with quotes inside in quotes as a whole",
    ),
)


def explain(error: yaml.YAMLError, text: str, first_line: int) -> UnreadableError:
    """Turn a YAML error of a text that starts on `first_line` of its file into a guess."""
    if isinstance(error, yaml.reader.ReaderError):
        return _forbidden(error, text, first_line)
    context = str(getattr(error, "context", None) or "")
    problem = f"{context}: {getattr(error, 'problem', None) or 'not YAML'}"
    opened = getattr(error, "context_mark", None)
    stopped = getattr(error, "problem_mark", None)
    # A quote or bracket that was never closed is best mended where it was opened, everything else
    # where reading stopped.
    is_open = ("quoted scalar" in context and "unexpected" in problem) or (
        "flow" in context and opened and stopped and opened.line != stopped.line
    )
    mark = (opened if is_open else stopped) or opened
    line = mark.line if mark is not None else 0
    column = mark.column if mark is not None else 0
    lines = text.splitlines()
    typed = lines[line] if line < len(lines) else ""
    message, hint = _guess(problem, typed, column)
    return UnreadableError(line + first_line, column + 1, message, hint)


def _forbidden(error: yaml.reader.ReaderError, text: str, first_line: int) -> UnreadableError:
    # libyaml names the character as a number and counts its place in bytes, so we look for it.
    found = error.character if isinstance(error.character, str) else chr(error.character)
    before = text[: max(text.find(found), 0)]
    return UnreadableError(
        before.count("\n") + first_line,
        len(before) - before.rfind("\n"),
        f"the character U+{ord(found):04X} is not allowed in YAML",
        "remove it",
    )


def _guess(problem: str, typed: str, column: int) -> tuple[str, str]:
    at = typed[column : column + 1]
    indentation = typed[: len(typed) - len(typed.lstrip())]
    if "\t" in indentation or at == "\t":
        return "a tab in the indentation", "indent with spaces"
    if "mapping values are not allowed" in problem:
        if re.fullmatch(r"\s*[\w-]+", typed[:column]):
            return (
                "a key is indented deeper than the one above",
                "align the keys of one card, or put a text that holds a colon in quotes",
            )
        key = re.match(r"\s*(?:- )?\s*([\w-]+):\s", typed)
        example = f'{key[1]}: "…"' if key else '"…"'
        return "a second colon in an unquoted text", f"put the text in quotes: {example}"
    if "cannot start any token" in problem:
        return f"a text cannot start with {at}", "put the text in quotes"
    if "expected ',' or" in problem and at == ":":
        return "a second colon in an unquoted text", 'put the text in quotes: "…"'
    if "did not find expected" in problem and re.search(r"[\"']\s*$", typed[:column]):
        return "a text goes on after its closing quote", "put the whole text in single quotes"
    for part, message, hint in MEANINGS:
        if part in problem:
            return message, hint
    return problem, "put texts with special characters in quotes"
