"""A deck file's text -> a Deck, and everything that is wrong with it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.content.cards import DEFAULT_ORDER, KINDS, AnyCard, Card, Deck
from drillkit.content.figure_key import judge_figure
from drillkit.content.schema import Report, keys_of, nearest, read_fields
from drillkit.content.text import decode, read_tree
from drillkit.content.tree import Mapping, Node, Scalar

if TYPE_CHECKING:
    from drillkit.content.diagnostic import Diagnostic

ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
HEAD_KEYS = ("deck", "title", "order", "tags", "cards")
# Fields of a card that the reader fills in; an author does not write them.
HIDDEN = frozenset({"deck", "line"})


@dataclass
class DeckReading:
    """A deck, where each of its cards stands, and what is wrong.

    `nodes` pairs each readable card with its mapping, for whoever wants the place of a key.
    """

    deck: Deck
    nodes: list[tuple[AnyCard, Mapping]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_deck(raw: bytes, file: str) -> DeckReading:
    """Read the bytes of a deck file. It never raises: what cannot be read is a diagnostic."""
    stem = slug(PurePath(file).stem) or "deck"
    text, problems = decode(raw, file)
    if text is None:
        return DeckReading(Deck(stem, stem, file), [], problems)
    tree = read_tree(text, file, "cards")
    head = _Head.read(tree.head, file, stem, tree.diagnostics)
    reading = DeckReading(Deck(head.id, head.title, file), [], tree.diagnostics)
    # The line of each id, 0 while it is only known to come: no made-up id takes a written one.
    taken = dict.fromkeys((_written_id(node) for node in tree.items), 0)
    for node in tree.items:
        card = _card(node, file, head, taken, reading.diagnostics)
        if card is not None and isinstance(node, Mapping):
            reading.nodes.append((card, node))
    cards = tuple(card for card, _ in reading.nodes)
    reading.deck = Deck(head.id, head.title, file, head.tags, head.order, cards)
    return reading


@dataclass(frozen=True)
class _Head:
    id: str
    title: str
    tags: tuple[str, ...]
    order: int

    @classmethod
    def read(cls, mapping: Mapping, file: str, stem: str, found: list[Diagnostic]) -> _Head:
        report = Report(file, "")
        values = read_fields(mapping, Deck, report, skip=("id", "path", "cards"))
        for key, place in mapping.keys.items():
            if key not in HEAD_KEYS:
                near = nearest(key, HEAD_KEYS)
                guess = f"did you mean `{near}`?" if near else "known keys: " + ", ".join(HEAD_KEYS)
                report.error(place, "unknown-key", f"unknown key `{key}`", guess)
        deck = mapping.values.get("deck")
        name = deck.text.strip() if isinstance(deck, Scalar) else ""
        if mapping.keys and not name:
            report.error(mapping, "missing-key", "the key `deck` is missing", f"add `deck: {stem}`")
        elif name and not ID.fullmatch(name):
            report.error(
                deck or mapping,
                "bad-id",
                f"the deck id {name!r} is not in lowercase letters, digits and hyphens",
                f"write `deck: {slug(name) or stem}`",
            )
            name = slug(name)
        found += report.found
        name = name or stem
        title, tags = values.get("title", "") or name, values.get("tags", ())
        return cls(name, title, tags, values.get("order", DEFAULT_ORDER))


def _card(
    node: Node, file: str, head: _Head, taken: dict[str, int], found: list[Diagnostic]
) -> AnyCard | None:
    if not isinstance(node, Mapping):
        report = Report(file, "")
        report.error(node, "shape", "an entry of `cards` has no keys", "write `- id: …`")
        found += report.found
        return None
    written = _written_id(node)
    report = Report(file, f"card {written}" if written else "")
    kind = _kind(node, report)
    card: Card | None = None
    usable = False
    if kind is not None:
        meant = _judge_keys(node, kind, report)
        values = read_fields(node, kind, report, skip=("id", *HIDDEN))
        card = _built(kind, values, node, head)
        usable = not any(fault.code == "type" for fault in report.found)
        for key, message, hint in card.faults() if usable else ():
            usable = False
            # A key that is only misspelt was told of already.
            if key not in meant:
                report.error(node.keys.get(key, node), "card", message, hint)
        judge_figure(card.figure, node, report)
    name = _identity(written, card, node, taken, report)
    found += report.found
    return msgspec.structs.replace(card, id=name) if card is not None and usable else None  # type: ignore[return-value]


def _written_id(node: Node) -> str:
    id_node = node.values.get("id") if isinstance(node, Mapping) else None
    return id_node.text.strip() if isinstance(id_node, Scalar) else ""


def _kind(node: Mapping, report: Report) -> type[Card] | None:
    written = node.values.get("kind")
    if written is None:
        return KINDS["recall"]
    name = written.text.strip() if isinstance(written, Scalar) else ""
    if name in KINDS:
        return KINDS[name]
    near = nearest(name, KINDS)
    guess = f"did you mean `{near}`?" if near else "kinds: " + ", ".join(KINDS)
    report.error(written, "unknown-kind", f"unknown kind {name!r}", guess)
    return None


def _judge_keys(node: Mapping, kind: type[Card], report: Report) -> set[str]:
    """Report the keys that `kind` does not know; return those that were meant instead."""
    meant = set()
    known = ("kind", *keys_of(kind, HIDDEN))
    for key, place in node.keys.items():
        if key in known:
            continue
        owners = [name for name, other in KINDS.items() if key in keys_of(other, HIDDEN)]
        near = nearest(key, known)
        if owners:
            own = kind.__struct_config__.tag
            message = f"the key `{key}` does not belong to the kind {own}"
            report.error(place, "unknown-key", message, f"add `kind: {owners[0]}`?")
            # What the recall card lacks, the other kind would not need.
            meant.add("answer")
        elif near:
            report.error(place, "unknown-key", f"unknown key `{key}`", f"did you mean `{near}`?")
            meant.add(near)
        else:
            listed = ", ".join(known)
            report.error(place, "unknown-key", f"unknown key `{key}`", f"known keys: {listed}")
    return meant


def _built(kind: type[Card], values: dict[str, Any], node: Mapping, head: _Head) -> Card:
    def item_id(name: str) -> str:
        return name if "/" in name or not name else f"{head.id}/{name}"

    own_tags = values.get("tags", ())
    values["tags"] = (*head.tags, *(tag for tag in own_tags if tag not in head.tags))
    values["after"] = item_id(values.get("after", ""))
    values["was"] = tuple(item_id(name) for name in values.get("was", ()))
    return kind(id="", deck=head.id, line=node.line, **values)


def _identity(
    written: str, card: Card | None, node: Mapping, taken: dict[str, int], report: Report
) -> str:
    """Return the card's id: the written one, or one made of its question; never one twice."""
    place = node.values.get("id", node)
    name = written
    if not written and card is not None:
        name = free_id(id_from(card), taken)
        report.warning(
            place,
            "missing-id",
            f"the card has no id; it goes by {name!r} until its question is edited",
            "`drillkit check --fix` writes it down, so that the card keeps its history",
        )
    elif written and not ID.fullmatch(written):
        report.error(
            place,
            "bad-id",
            f"the id {written!r} is not in lowercase letters, digits and hyphens",
            f"write `id: {slug(written) or 'a-name'}` and `was: {written}` if it has history",
        )
        name = written.replace("/", "-")
    if taken.get(name):
        report.error(
            place,
            "duplicate-id",
            f"the id {name!r} stands on line {taken[name]} and again on line {node.line}",
            "give one of the two cards another id",
        )
        name = free_id(name, taken, "~")
    if name:
        taken[name] = node.line
    return name


def id_from(card: Card) -> str:
    """Make an id of a card's question: its first words, in lowercase and hyphens."""
    words = slug(card.question if card.ask else " ".join(card.answer_lines())).split("-")
    return "-".join(words[:7])[:60].strip("-") or "card"


def free_id(name: str, taken: dict[str, int], joint: str = "-") -> str:
    """Return `name`, or `name-2`, `name-3`, … where it is taken."""
    if name not in taken:
        return name
    number = 2
    while f"{name}{joint}{number}" in taken:
        number += 1
    return f"{name}{joint}{number}"


def slug(text: str) -> str:
    """Return `text` in lowercase ASCII letters, digits and single hyphens."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
