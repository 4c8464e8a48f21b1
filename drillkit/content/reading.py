"""A content file's bytes, of whatever kind, read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from drillkit.content import deck as decks
from drillkit.content.kind import kind_of
from drillkit.content.library import Held, Packed
from drillkit.content.packed import pack_deck

if TYPE_CHECKING:
    from drillkit.content.files import Stamp
    from drillkit.content.round import Round, Script


def read_content(raw: bytes, path: str, stamp: Stamp) -> Held:
    """Read a file of any kind. It never raises: what cannot be read is a diagnostic."""
    kind = kind_of(raw, path)
    # What reads formulas is imported where it is needed: decks do without.
    if kind == "problems":
        from drillkit.content.problem_reading import read_problems  # noqa: PLC0415

        reading = read_problems(raw, path)
        return Held(stamp, tuple(reading.diagnostics), problems=reading.problems)
    if kind == "round":
        from drillkit.content.round_reading import read_round  # noqa: PLC0415

        found = read_round(raw, path)
        return Held(stamp, tuple(found.diagnostics), round=pack_round(found.round))
    if kind == "script":
        from drillkit.content.script_reading import read_script  # noqa: PLC0415

        script = read_script(raw, path)
        return Held(stamp, tuple(script.diagnostics), script=pack_script(script.script))
    deck_reading = decks.read_deck(raw, path)
    return Held(stamp, tuple(deck_reading.diagnostics), deck=pack_deck(deck_reading.deck))


def pack_round(found: Round | None) -> Packed | None:
    """Return a round as bytes."""
    return None if found is None else Packed(found.id, found.line, _packed(found))


def pack_script(found: Script | None) -> Packed | None:
    """Return a script as bytes, under the id of its round."""
    return None if found is None else Packed(found.round, found.line, _packed(found))


def _packed(found: Round | Script) -> bytes:
    # A file's name may be no text: bytes of Latin-1, say. Here it is only ever shown.
    path = found.path.encode("utf-8", "replace").decode()
    return msgspec.msgpack.encode(msgspec.structs.replace(found, path=path))
