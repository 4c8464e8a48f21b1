"""The symbols of the cards and their clashes."""

from __future__ import annotations

from drillkit.content.glossary import glossary
from drillkit.content.shelf import Shelf


def test_a_symbol_lists_every_meaning_the_most_used_first(tmp_path):
    (tmp_path / "a.yaml").write_text(
        "deck: a\ncards:\n"
        "  - {id: x, ask: q1, answer: a, symbols: {p: ranks in the ring}}\n"
        "  - {id: y, ask: q2, answer: a, symbols: {p: pipeline stages}}\n"
        "  - {id: z, ask: q3, answer: a, symbols: {p: pipeline stages, Ψ: parameters}}\n",
        "utf-8",
    )
    found = glossary(Shelf([tmp_path], None).read())
    assert list(found) == ["p", "Ψ"]
    assert [(m.text, m.items) for m in found["p"]] == [
        ("pipeline stages", ("a/y", "a/z")),
        ("ranks in the ring", ("a/x",)),
    ]
