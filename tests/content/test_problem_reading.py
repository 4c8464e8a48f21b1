"""Problem files as written: what is read, what is wrong and where, what an attacker gets."""

from __future__ import annotations

import os
import textwrap
import time

import pytest

from drillkit.content.kind import kind_of
from drillkit.content.library import Change
from drillkit.content.problem_reading import MOST, MOST_NODES, read_problems
from drillkit.content.shelf import Shelf

GOOD = """\
title: Memory
tags: [memory]
problems:
  - id: zero3
    title: Model states
    tags: [zero]
    figure: zero
    seconds: 90
    given:
      P: {name: parameters, unit: params, from: [1.3e9, 7B, 13e9]}
      N: {name: GPUs, unit: GPUs, powers_of_2: [8, 1024], exclude: [512]}
      M: {name: memory, unit: GB, range: [8, 80], step: 4}
    presets:
      model: [llama-2-7b]
      stage: {ZeRO-3: {N: 64}}
    where: ["16*P/N < 200e9"]
    equations: ["M = 16*P/N"]
    find:
      M: {unit: GB, within: 3%, ask: "A {P} model on {N} GPUs?"}
      N: {unit: GPUs, round: up, ask: "{P}, {M}?", where: [N > 2], hints: [Divide.]}
    slips:
      - {id: weights, M: 2*P/N, says: Weights only., only: "M, N"}
    examples:
      - {given: {P: 7e9, N: 64}, M: 1.75 GB, source: by hand, within: 1%}
    hints: [First., "Then {P}."]
    why: All is sharded.
    source: [a, b]
    was: old
"""


def problems(text: str):
    return read_problems(textwrap.dedent(text).encode(), "p.yaml")


def broken(**changes: str):
    """The diagnostics of a small family in which these parts are replaced."""
    parts = {
        "id": "x",
        "given": "{P: {unit: params, from: [7e9]}, N: {unit: GPUs, powers_of_2: [8, 64]}}",
        "equations": '["M = 16*P/N"]',
        "find": '{M: {unit: GB, ask: "{P} on {N}?"}}',
    } | changes
    lines = ["problems:", "  - title: t"]
    lines += [f"    {key}: {value}" for key, value in parts.items() if value]
    reading = read_problems("\n".join(lines).encode(), "p.yaml")
    assert not reading.nodes
    return [(found.code, found.message, found.hint) for found in reading.diagnostics]


def test_every_key_arrives_typed():
    reading = problems(GOOD)
    assert [str(found) for found in reading.diagnostics] == []
    (family,) = reading.problems.problems
    assert (reading.problems.title, family.item, family.line) == ("Memory", "problems/zero3", 4)
    assert (family.tags, family.figure, family.seconds) == (("memory", "zero"), "zero", 90)
    parameters, gpus, memory = family.given
    assert (parameters.symbol, parameters.values) == ("P", ("1.3e9", "7B", "13e9"))
    assert (gpus.powers_of_2, gpus.exclude) == (("8", "1024"), ("512",))
    assert (memory.range, memory.step) == (("8", "80"), "4")
    known, own = family.presets
    assert (known.group, known.known) == ("model", ("llama-2-7b",))
    assert (own.own[0].name, own.own[0].values) == ("ZeRO-3", (("N", "64"),))
    first, second = family.find
    assert (first.symbol, first.tolerance) == ("M", "3%")
    assert (second.round, second.tolerance, second.where) == ("up", "exact", ("N > 2",))
    (slip,) = family.slips
    assert (slip.id, slip.formulas, slip.only) == ("weights", (("M", "2*P/N"),), ("M", "N"))
    (example,) = family.examples
    assert (example.given, example.expect) == ((("P", "7e9"), ("N", "64")), (("M", "1.75 GB"),))
    assert (family.source, family.was) == (("a", "b"), ("old",))


def test_malformed_family_never_hides_the_others():
    text = GOOD + "  - id: bad\n    title: [\n  - id: worse\n    tittle: x\n  - just text\n"
    reading = problems(text)
    assert [family.id for family in reading.problems.problems] == ["zero3"]
    assert [found.line for found in reading.diagnostics if found.severity == "error"]


def test_fault_is_told_at_its_place():
    text = GOOD.replace("M: 2*P/N", "M: 2*Q/N")
    (found,) = problems(text).diagnostics
    assert (found.line, found.column, found.subject) == (22, 26, "problem zero3")
    assert "Q is not a name" in found.message


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"id": ""}, "missing-id", "`id` is missing"),
        ({"id": "Not An Id"}, "bad-id", "lowercase"),
        ({"equations": ""}, "missing-key", "`equations` is missing"),
        ({"find": ""}, "missing-key", "`find` is missing"),
        ({"find": "{M: {unit: GB}}"}, "missing-key", "has no `ask`"),
        ({"find": "{X: {ask: what?}}"}, "unused", "no equation has the symbol X"),
        ({"find": '{M: {unit: GB, ask: "{M}?"}}'}, "placeholder", "tells its own answer"),
        ({"find": '{M: {unit: GB, ask: "{Q}?"}}'}, "placeholder", "{Q} is not declared"),
        ({"find": "{M: {unit: lightyears, ask: x}}"}, "unit", "lightyears"),
        ({"find": "{M: {unit: GB, ask: x, within: 3 GB}}"}, "within", "3 GB"),
        ({"find": "{M: {unit: GB, ask: x, within: 80%}}"}, "within", "80%"),
        ({"find": "{M: {unit: GB, ask: x, round: upp}}"}, "range", "upp"),
        ({"find": "{M: {unit: GB, ask: x, withn: 2%}}"}, "unknown-key", "withn"),
        ({"given": "{P: {from: [seven]}, N: {}}"}, "value", "seven"),
        ({"given": "{P: {from: [1], range: [1, 2]}, N: {}}"}, "source", "`from` and `range`"),
        ({"given": "{P: {range: [2, 1]}, N: {}}"}, "range", "lower"),
        ({"given": "{P: {range: [1]}, N: {}}"}, "range", "two are needed"),
        ({"given": "{P: {range: [0, 9]}, N: {}}"}, "range", "zero or below"),
        ({"given": "{P: {range: [1, 9], step: 0}, N: {}}"}, "range", "step"),
        ({"given": "{P: {powers_of_2: [5, 7]}, N: {}}"}, "range", "no power of 2"),
        ({"given": "{P: {range: [1, 9], log: yes, nice: yes}, N: {}}"}, "source", "only one"),
        ({"given": "{P: {step: 2}, N: {}}"}, "source", "no `range`"),
        ({"given": "{P!: {from: [1]}, P: {}, N: {}}"}, "bad-symbol", "P!"),
        ({"given": "{min: {from: [1]}, P: {}, N: {}}"}, "bad-symbol", "taken"),
        ({"where": '["P <"]'}, "formula", "P <"),
        ({"where": "[P + N]"}, "formula", "comparison"),
        ({"slips": "[{id: a, M: 2*P}]"}, "slip", "what to say"),
        ({"slips": "[{id: a, Q: 2*P, says: x}]"}, "unknown-symbol", "`Q`"),
        ({"slips": "[{id: a, M: 2*P, says: no, it is not}]"}, "unknown-symbol", "it is not"),
        ({"slips": "[{id: a, M: P, says: x}, {id: a, M: N, says: y}]"}, "duplicate-id", "twice"),
        ({"slips": "[{id: a, M: P, says: x, only: P}]"}, "slip", "not asked for"),
        ({"examples": "[{given: {P: 1}, M: 1 GB}]"}, "example", "source"),
        ({"examples": "[{given: {P: 1}, N: 8, source: x}]"}, "example", "not asked for"),
        ({"examples": "[{given: {P: x}, M: 1 GB, source: x}]"}, "value", "'x'"),
        ({"presets": "{M: [a]}"}, "preset", "cannot name a group"),
        ({"presets": "{g: {}}"}, "preset", "empty"),
        ({"figure": "zebra"}, "unknown-figure", "zebra"),
        ({"seconds": "1"}, "range", "seconds"),
        ({"tittle": "x"}, "unknown-key", "tittle"),
        ({"hints": '["{Q}"]'}, "placeholder", "{Q}"),
    ],
)
def test_each_mistake_is_named(changes, code, said):
    found = broken(**changes)
    assert [one for one in found if one[0] == code and said in one[1]], found


def test_one_id_twice_is_told():
    twice = GOOD + GOOD[GOOD.index("  - id") :]
    reading = problems(twice)
    assert [found.code for found in reading.diagnostics] == ["duplicate-id"]
    assert len(reading.problems.problems) == 1


def test_unquoted_comma_in_braces_is_guessed():
    found = broken(slips="[{id: a, M: 2*P, says: no, it is not}]")
    assert any("quotes" in hint for _, _, hint in found)


# --- hostile files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('touch owned')",
        "P.__class__",
        "(lambda: P)()",
        "eval(P)",
        "open(P)",
        "9**9**9**9**9",
        "P**99999",
        "(" * 200 + "P" + ")" * 200,
        "P" + "+P" * 500,
        "P\x00N",
        "[P for P in N]",
        "P; N",
        "10^10^10",
    ],
)
def test_code_and_bombs_in_formulas_are_refused_or_harmless(formula, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quoted = formula.replace("'", "''")
    for changes in (
        {"equations": f"['M = {quoted}']"},
        {"where": f"['{quoted} < 1']"},
        {"slips": f"[{{id: a, M: '{quoted}', says: x}}]"},
        {"given": f"{{P: {{from: ['{quoted}']}}, N: {{from: [8]}}}}"},
    ):
        lines = ["problems:", "  - title: t", "    id: x"]
        parts = {
            "given": "{P: {from: [7e9]}, N: {from: [8]}}",
            "equations": '["M = 16*P/N"]',
            "find": "{M: {ask: x}}",
        } | changes
        lines += [f"    {key}: {value}" for key, value in parts.items()]
        started = time.process_time()
        read_problems("\n".join(lines).encode(), "p.yaml")
        # Far above what it takes (milliseconds), far below what a bomb would.
        assert time.process_time() - started < 5
    assert not (tmp_path / "owned").exists()


def family_with(**parts: str) -> bytes:
    base = {
        "given": "{P: {from: [7e9]}, N: {from: [8]}}",
        "equations": '["M = 16*P/N"]',
        "find": "{M: {ask: x}}",
    } | parts
    lines = ["problems:", "  - id: x", "    title: t"]
    return "\n".join([*lines, *(f"    {key}: {value}" for key, value in base.items())]).encode()


@pytest.mark.parametrize(
    "raw",
    [
        family_with(given="{" + ", ".join(f"s{n}: {{from: [1]}}" for n in range(5000)) + "}"),
        family_with(equations="[" + ", ".join(f'"M = {n}*P"' for n in range(5000)) + "]"),
        family_with(slips="[" + ", ".join("{id: a, M: P, says: x}" for _ in range(5000)) + "]"),
        family_with(given="{P: {from: [" + "1, " * 50_000 + "1]}, N: {from: [8]}}"),
        family_with(examples="[" + ", ".join("{given: {P: 1}, M: 1}" for _ in range(999)) + "]"),
        b"problems:\n" + b"".join(b"  - {id: a%d}\n" % n for n in range(5000)),
    ],
    ids=["symbols", "equations", "slips", "values", "examples", "problems"],
)
def test_too_much_of_anything_is_refused(raw):
    found = read_problems(raw, "p.yaml")
    assert "too-many" in {one.code for one in found.diagnostics}
    assert len(found.problems.problems) <= MOST["problems"]


def test_nodes_of_a_file_are_bounded():
    entry = "  - {{id: a{}, x: [{}]}}\n"
    values = ", ".join("1" for _ in range(2000))
    raw = "problems:\n" + "".join(entry.format(n, values) for n in range(2 * MOST_NODES // 2000))
    found = read_problems(raw.encode(), "p.yaml")
    assert any("the file has more than" in one.message for one in found.diagnostics)


@pytest.mark.parametrize(
    "given",
    [
        "{P: {range: [1, 1e59], step: 1}, N: {from: [8]}}",
        "{P: {powers_of_2: [1, 1e59]}, N: {from: [8]}}",
    ],
)
def test_huge_ranges_are_refused(given):
    found = read_problems(family_with(given=given), "p.yaml")
    assert [one.code for one in found.diagnostics] == ["range"]


def test_any_bytes_give_diagnostics_and_no_exception():
    raw = GOOD.encode()
    for cut in range(0, len(raw), 97):
        read_problems(raw[:cut] + b"\xff" + raw[cut:], "p.yaml")
        read_problems(raw[:cut] + b"{[*&!" + raw[cut:], "p.yaml")
        read_problems(raw[cut:], "p.yaml")
        read_problems(raw[:cut], "p.yaml")


# --- in the library ------------------------------------------------------------------------------


@pytest.fixture
def write_problem(tmp_path):
    def write(text: str, name: str = "p.yaml", written_s: int = 1_600_000_000):
        path = tmp_path / "problems" / "numeric" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (written_s, written_s))
        return path

    return write


def test_library_holds_families_by_id_beside_decks(tmp_path, write_problem):
    path = write_problem(GOOD)
    write_problem("deck: d\ncards:\n  - {id: a, ask: q, answer: x}\n", "deck.yaml")
    library = Shelf([tmp_path], tmp_path / "cache").read()
    assert list(library.problems) == ["zero3"]
    assert "d/a" in library.items
    assert library.place("problems/zero3").path == path
    assert library.place("problems/zero3").line == 4


def test_unchanged_problem_file_comes_from_the_cache_as_it_was_read(tmp_path, write_problem):
    write_problem(GOOD.replace("90", "9999"))
    write_problem(GOOD, "good.yaml")
    first = Shelf([tmp_path], tmp_path / "cache").read()
    again = Shelf([tmp_path], tmp_path / "cache").read()
    assert (first.files_read, again.files_read) == (2, 0)
    assert (again.problems, again.diagnostics) == (first.problems, first.diagnostics)
    assert [found.code for found in again.diagnostics] == ["range"]


def test_edit_of_a_family_is_told_and_one_that_only_moved_is_none(tmp_path, write_problem):
    write_problem(GOOD)
    shelf = Shelf([tmp_path], None)
    before = shelf.read()
    write_problem("# moved\n\n" + GOOD, written_s=1_600_000_001)
    moved = shelf.read()
    assert not moved.change_from(before)
    write_problem(GOOD.replace("3%", "2%"), written_s=1_600_000_002)
    edited = shelf.read()
    assert edited.change_from(moved) == Change(edited=("problems/zero3",))
    assert str(edited.change_from(moved)) == "1 problem edited"


def test_family_that_stands_in_two_files_is_told_and_the_first_is_used(tmp_path, write_problem):
    first = write_problem(GOOD, "a.yaml")
    write_problem(GOOD.replace("90", "60"), "b.yaml")
    library = Shelf([tmp_path], None).read()
    (found,) = library.diagnostics
    assert (found.code, f"{first}:4" in found.message) == ("duplicate-id", True)
    assert library.problems["zero3"].seconds == 90


def test_deck_may_not_take_the_name_of_the_problems(tmp_path, write_problem):
    write_problem("deck: problems\ncards:\n  - {id: a, ask: q, answer: x}\n")
    library = Shelf([tmp_path], None).read()
    assert [found.code for found in library.diagnostics] == ["reserved-id"]


@pytest.mark.parametrize(
    ("raw", "file", "kind"),
    [
        (b"title: x\nproblems:\n", "decks/a.yaml", "problems"),
        (b"deck: x\ncards: []\n", "problems/numeric/a.yaml", "deck"),
        (b"", "problems/numeric/a.yaml", "problems"),
        (b"", "decks/a.yaml", "deck"),
    ],
)
def test_kind_of_a_file_is_told_by_its_keys_then_by_its_folder(raw, file, kind):
    assert kind_of(raw, file) == kind
