"""What `new` writes and what `schema` prints."""

from __future__ import annotations

import re

import msgspec
import pytest

from drillkit.authoring.check import check
from drillkit.authoring.starter import deck_schema, write_deck
from drillkit.content.cards import KINDS
from drillkit.content.deck import read_deck
from drillkit.content.schema import keys_of
from drillkit.errors import DrillkitError


def test_new_deck_has_nothing_to_mend(tmp_path):
    path = write_deck(tmp_path / "my-topic.yaml")
    verdict = check([path])
    assert [str(found) for found in verdict.diagnostics] == []
    assert verdict.cards == 5


def test_new_deck_is_named_after_its_file(tmp_path):
    deck = read_deck(write_deck(tmp_path / "Ring Buffers").read_bytes(), "x").deck
    assert (deck.id, deck.title) == ("ring-buffers", "Ring buffers")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("a", "a.yaml"),
        ("a.yaml", "a.yaml"),
        ("a.yml", "a.yml"),
        ("v1.2", "v1.2.yaml"),
        ("sub/a", "sub/a.yaml"),
    ],
)
def test_ending_and_folders_are_added(tmp_path, asked, written):
    assert write_deck(tmp_path / asked) == tmp_path / written
    assert (tmp_path / written).is_file()


def test_deck_of_a_name_without_letters_gets_an_id(tmp_path):
    assert read_deck(write_deck(tmp_path / "百.yaml").read_bytes(), "x").deck.id == "deck"


def test_new_deck_tells_of_every_kind_key_and_figure(tmp_path):
    text = write_deck(tmp_path / "a").read_text()
    words = set(re.findall(r"[a-z0-9_]+", text))
    assert sorted(set(KINDS) - words) == []
    keys = {key for kind in KINDS.values() for key in keys_of(kind, frozenset({"deck", "line"}))}
    # A table's `blank` is left to the schema and the README.
    assert sorted(keys - words - {"blank"}) == []


def test_file_that_is_there_is_never_written_over(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("mine")
    with pytest.raises(DrillkitError) as caught:
        write_deck(path)
    assert (caught.value.what, caught.value.where, caught.value.hint) == (
        "there is a file already",
        str(path),
        "choose another name",
    )
    assert path.read_text() == "mine"


def test_link_that_leads_nowhere_is_not_followed(tmp_path):
    (tmp_path / "a.yaml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DrillkitError, match="there is a file already"):
        write_deck(tmp_path / "a.yaml")
    assert not (tmp_path / "elsewhere").exists()


def test_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DrillkitError, match="cannot be written: Not a directory"):
        write_deck(tmp_path / "file" / "a.yaml")


# --- the schema ----------------------------------------------------------------------------------


def test_schema_knows_every_kind_and_every_key():
    cards = deck_schema()["properties"]["cards"]["items"]["oneOf"]
    known = {card["title"]: set(card["properties"]) for card in cards}
    assert known == {
        name: set(keys_of(kind, frozenset({"deck", "line"}))) | {"kind"}
        for name, kind in KINDS.items()
    }


def test_schema_is_json_without_references():
    raw = msgspec.json.encode(deck_schema())
    assert b"$ref" not in raw
    assert msgspec.json.decode(raw) == deck_schema()


def test_schema_takes_any_scalar_where_drillkit_reads_a_text():
    cards = {c["title"]: c for c in deck_schema()["properties"]["cards"]["items"]["oneOf"]}
    scalar = {"type": ["string", "number", "boolean", "null"]}
    assert cards["recall"]["properties"]["answer"] == scalar
    assert cards["recall"]["properties"]["source"] == {
        "anyOf": [scalar, {"type": "array", "items": scalar}]
    }
    option = cards["choice"]["properties"]["choices"]["items"]
    assert option["required"] == ["text"]
    assert option["properties"]["right"] == {"type": "boolean"}


def test_schema_lets_a_recall_card_go_without_its_kind_and_no_other():
    cards = deck_schema()["properties"]["cards"]["items"]["oneOf"]
    assert {card["title"] for card in cards if "kind" not in card["required"]} == {"recall"}
