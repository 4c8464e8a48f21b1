"""All diagnostics of a library at once, and the one thing that can be mended by machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from drillkit.authoring.drills import judge_card_drills
from drillkit.authoring.figure_settings import judge_settings
from drillkit.authoring.prose import judge_prose, wording_key
from drillkit.authoring.round_check import judge_rounds, named_rounds
from drillkit.content.deck import DeckReading, read_deck
from drillkit.content.diagnostic import Diagnostic, in_order
from drillkit.content.files import each_file, unreadable
from drillkit.content.kind import kind_of
from drillkit.content.library import Held, assemble
from drillkit.content.packed import pack_deck
from drillkit.content.problem_reading import ProblemReading, read_problems
from drillkit.content.reading import pack_round
from drillkit.content.replacing import replace_file
from drillkit.content.round_reading import RoundReading, read_round
from drillkit.content.script_reading import ScriptReading, read_script
from drillkit.content.text import MAX_FILE_BYTES
from drillkit.content.tree import Scalar, yaml_lines
from drillkit.errors import DrillkitError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from drillkit.content.cards import AnyCard
    from drillkit.content.files import Stamp


Proof = Callable[[], list[Diagnostic]]


@dataclass(frozen=True)
class Verdict:
    """What was looked at and everything that was found, in the order of the files."""

    files: int
    cards: int
    problems: int
    rounds: int
    diagnostics: tuple[Diagnostic, ...]
    fixed: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        return sum(found.severity == "error" for found in self.diagnostics)

    @property
    def warnings(self) -> int:
        return len(self.diagnostics) - self.errors


@dataclass
class _Reading:
    readings: dict[str, DeckReading] = field(default_factory=dict)
    problems: dict[str, ProblemReading] = field(default_factory=dict)
    rounds: dict[str, RoundReading] = field(default_factory=dict)
    scripts: dict[str, ScriptReading] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)

    def take(self, raw: bytes, name: str, stamp: Stamp) -> None:
        """Read the bytes of one file."""
        match kind_of(raw, name):
            case "problems":
                problems = self.problems[name] = read_problems(raw, name)
                faults = tuple(problems.diagnostics)
                self.held[name] = Held(stamp, faults, problems=problems.problems)
            case "round":
                found = self.rounds[name] = read_round(raw, name)
                faults = tuple(found.diagnostics)
                self.held[name] = Held(stamp, faults, round=pack_round(found.round))
            case "script":
                script = self.scripts[name] = read_script(raw, name)
                self.held[name] = Held(stamp, tuple(script.diagnostics))
            case "deck":
                deck = self.readings[name] = read_deck(raw, name)
                faults = tuple(deck.diagnostics)
                self.held[name] = Held(stamp, faults, deck=pack_deck(deck.deck))


def check(
    paths: Iterable[Path],
    *,
    fix: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Verdict:
    """Read every file below `paths` and report everything; `fix` writes missing ids first.

    `progress` is called with ("reading", files done, files in all) and then with ("proving",
    proofs done, proofs in all). Raises `UsageError` for a path that does not exist.
    """
    read = _Reading()
    stamps = _files(paths, read.faults)
    fixed: list[str] = []
    for number, (path, stamp) in enumerate(stamps.items()):
        if progress is not None:
            progress("reading", number, len(stamps))
        try:
            with path.open("rb") as source:
                raw = source.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            read.faults.append(unreadable(str(path), error))
            continue
        if fix and kind_of(raw, str(path)) == "deck":
            raw = _mended(path, raw, fixed, read.faults)
        read.take(raw, str(path), stamp)
    library = assemble(read.held, read.faults, len(read.held))
    diagnostics = list(library.diagnostics)
    for name, reading in read.readings.items():
        for card, node in reading.nodes:
            diagnostics += judge_prose(card, node, name)
            diagnostics += judge_settings(card.figure, node, name, f"card {card.id}")
    for name, families in read.problems.items():
        for problem, node in families.nodes:
            diagnostics += judge_settings(problem.figure, node, name, f"problem {problem.id}")
    diagnostics += _same_questions(read.readings)
    known = set(library.problems)
    diagnostics += judge_card_drills(read.readings, known, named_rounds(read.rounds))
    diagnostics += judge_rounds(read.rounds, read.scripts, known)
    diagnostics += _proved(read, progress)
    return Verdict(
        files=len(stamps),
        cards=len(library.items) - len(library.problems),
        problems=len(library.problems),
        rounds=len(library.rounds),
        diagnostics=tuple(in_order(diagnostics)),
        fixed=tuple(fixed),
    )


def _mended(path: Path, raw: bytes, fixed: list[str], faults: list[Diagnostic]) -> bytes:
    """Write missing ids into a deck; return its bytes as they are then."""
    try:
        mended = with_ids(raw, str(path))
        if mended != raw:
            replace_file(path, mended)
            fixed.append(str(path))
    except DrillkitError as error:
        faults.append(_unfixed(path, error.what, error.hint))
    except OSError as error:
        why = f"the missing ids cannot be written: {error.strerror or error}"
        faults.append(_unfixed(path, why, "check the permissions of file and folder"))
    else:
        return mended
    return raw


def _proved(read: _Reading, progress: Callable[[str, int, int], None] | None) -> list[Diagnostic]:
    proofs = [*_of_problems(read.problems), *_of_rounds(read.rounds, read.scripts)]
    found: list[Diagnostic] = []
    for number, prove_one in enumerate(proofs):
        if progress is not None:
            progress("proving", number, len(proofs))
        found += prove_one()
    return found


def _of_problems(readings: dict[str, ProblemReading]) -> Iterator[Proof]:
    for name, reading in readings.items():
        if reading.nodes:
            # Imported here: decks are checked without what solves problems.
            from drillkit.authoring.proofs import prove  # noqa: PLC0415

            for problem, node in reading.nodes:
                yield partial(prove, problem, node, name)


def _of_rounds(
    readings: dict[str, RoundReading], scripts: dict[str, ScriptReading]
) -> Iterator[Proof]:
    for name, reading in readings.items():
        if reading.round is not None and reading.node is not None:
            from drillkit.authoring.round_proofs import prove_round  # noqa: PLC0415 as above

            own = [one.script for one in scripts.values() if one.script is not None]
            own = [script for script in own if script.round == reading.round.id]
            yield partial(prove_round, reading.round, reading.node, name, own)


def _unfixed(path: Path, why: str, hint: str) -> Diagnostic:
    return Diagnostic(str(path), 0, 0, "error", "not-fixed", why, hint)


def _files(paths: Iterable[Path], faults: list[Diagnostic]) -> dict[Path, Stamp]:
    roots = tuple(paths)
    for path in roots:
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"there is no {path}", hint="name a deck file or a folder of decks")
    return each_file(roots, faults)


def _same_questions(readings: dict[str, DeckReading]) -> list[Diagnostic]:
    seen: dict[object, tuple[str, AnyCard]] = {}
    found = []
    for name, reading in readings.items():
        for card, node in reading.nodes:
            first_name, first = seen.setdefault(wording_key(card), (name, card))
            if first is card:
                continue
            place = node.values.get("ask", node)
            found.append(
                Diagnostic(
                    name,
                    place.line,
                    place.column,
                    "warning",
                    "same-question",
                    f"asks the same as card {first.id} ({first_name}:{first.line})",
                    "remove one, or say what each is about",
                    f"card {card.id}",
                )
            )
    return found


# --- writing missing ids -------------------------------------------------------------------------


def with_ids(raw: bytes, file: str) -> bytes:
    """Return a deck file's bytes with an id written on each card that has none.

    Nothing else changes: not a space, a line end or a byte order mark. Raises `DrillkitError` if
    the result would not read as the same cards.
    """
    reading = read_deck(raw, file)
    bare = [(card, node) for card, node in reading.nodes if not _has_id(node.values.get("id"))]
    if not bare:
        return raw
    bom = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
    lines = yaml_lines(raw[len(bom) :].decode("utf-8", "surrogateescape"))
    # From the last card to the first, so that the places of those above stay right.
    for card, node in sorted(bare, key=lambda pair: (-pair[1].line, -pair[1].column)):
        line = lines[node.line - 1]
        before, after = line[: node.column - 1], line[node.column - 1 :]
        if "id" in node.keys:
            key = node.keys["id"]
            whole = lines[key.line - 1]
            # Only an empty pair of quotes gives way; a comment or a comma stays where it is.
            lines[key.line - 1] = whole[: key.column - 1] + re.sub(
                r"""(["']?id["']?[ \t]*:)([ \t]*(?:""|''))?""",
                rf"\1 {card.id}",
                whole[key.column - 1 :],
                count=1,
            )
        elif after.startswith("{"):
            inner = after[1:].lstrip(" ")
            brace = after[: len(after) - len(inner)]
            comma = ", " if inner.strip() else ","
            lines[node.line - 1] = f"{before}{brace}id: {card.id}{comma}{inner}"
        else:
            ending = re.search(r"(\r\n|[\n\r\x85\u2028\u2029])?\Z", line)
            newline = (ending[1] if ending and ending[1] else "\n") or "\n"
            lines[node.line - 1] = f"{before}id: {card.id}{newline}{' ' * len(before)}{after}"
    mended = bom + "".join(lines).encode("utf-8", "surrogateescape")
    if _same_cards(reading, read_deck(mended, file)):
        return mended
    raise DrillkitError(
        "the missing ids cannot be written safely", where=file, hint="add them by hand"
    )


def _has_id(node: object) -> bool:
    return isinstance(node, Scalar) and bool(node.text.strip())


def _same_cards(before: DeckReading, after: DeckReading) -> bool:
    def plain(reading: DeckReading) -> list[tuple[str, str, tuple[str, ...]]]:
        return [(card.item, card.question, card.answer_lines()) for card in reading.deck.cards]

    return plain(before) == plain(after)
