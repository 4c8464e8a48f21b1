"""The export of a round: whole, the same each time, and harmless."""

from __future__ import annotations

import msgspec
import pytest
from candidates import graded, strong, weak, write
from rounds_table import Table, small_round

from drillkit.errors import DrillkitError
from drillkit.rounds.archive import Archive
from drillkit.rounds.export import board_by_phase, export, version_of, write_export
from drillkit.rounds.journal import read_journal
from drillkit.rounds.state import replay


def outside_of_fences(text: str) -> str:
    """What a Markdown reader takes for Markdown."""
    kept, fence = [], ""
    for line in text.splitlines():
        if fence:
            if line.strip() == fence:
                fence = ""
        elif line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
        else:
            kept.append(line)
    assert not fence
    return "\n".join(kept)


def test_an_export_holds_the_whole_round():
    table = graded(strong())
    table.sitting.settle(("from-rounds/small-dates",))
    text = export(table.sitting.state)
    assert text.startswith('---\nround: "small"\nversion: "')
    for line in ("seed: 0", 'level: "senior"', 'mode: "interview"', "interrupted: false",
                 'verdict: "hire"'):  # fmt: skip
        assert f"\n{line}\n" in text
    for heading in ("Timeline", "Facts", "Board", "Numbers", "Layout (layout)", "Interruptions",
                    "Rubric", "Model answer", "Cards", "Next step"):  # fmt: skip
        assert f"\n## {heading}\n" in text
    for phase in ("Clarify", "Compute", "Layout", "Monitor"):
        assert f"\n### {phase}\n\n```text\n" in text
    assert "| compute | GPU-hours | 31750 GPU-h | 31,750 GPU-h | 1 | exact |" in text
    assert "deadline: 14 days (asked at 0:20)" in text
    assert "Answered after " in text
    assert "- [x] Stands by a number that is right" in text
    assert "- from-rounds/small-dates" in text


def test_two_exports_of_a_round_are_the_same(tmp_path):
    table = graded(strong(Table(path=tmp_path / "a.jsonl")))
    table.sitting.close()
    first, second = (export(replay(read_journal(tmp_path / "a.jsonl"))) for _ in range(2))
    assert first == second == export(table.sitting.state)


def test_the_export_lies_beside_the_journal_and_is_replaced_whole(tmp_path):
    table = graded(weak(Table(path=tmp_path / "small" / "2026-01-01-0900.jsonl")))
    table.sitting.close()
    (kept,), faults = Archive(tmp_path).read()
    assert not faults
    path = write_export(kept)
    assert path == tmp_path / "small" / "2026-01-01-0900.md"
    before = path.read_bytes()
    assert write_export(kept).read_bytes() == before
    assert [one.name for one in path.parent.iterdir() if one.suffix == ".md"] == [path.name]


def test_what_is_not_graded_yet_stays_shut():
    text = export(weak().sitting.state)
    assert "Not graded yet" in text
    assert "31,750" not in text
    assert "Model answer" not in text
    assert "Goes back to a checkpoint" not in text
    with pytest.raises(DrillkitError, match="goes on"):
        export(Table().sitting.state)


@pytest.mark.parametrize(
    "board",
    [
        "```\n# owned\n```",
        "````\n```\n# owned",
        "~~~\n# owned\n~~~",
        "\x1b[31m# owned\x1b[0m",
        "a\u2028# owned",
        "== compute ==\n```\n# owned",
    ],
)
def test_the_board_cannot_leave_its_fence(board):
    table = Table()
    table.sitting.note(board)
    write(table, board)
    table.until(130)
    table.sitting.finish()
    text = export(graded(table).sitting.state)
    assert "\x1b" not in text
    assert "# owned" in text
    assert "\n# owned" not in outside_of_fences(text)


def test_answers_and_evidence_cannot_break_a_table_or_inject_markup():
    table = Table()
    table.go_to("compute")
    table.sitting.number("gpu_hours", "31750 GPU-h")
    table.pass_s(130)
    table.sitting.answer("| <script>alert(1)</script>\n```\n# owned")
    table.sitting.finish()
    table.sitting.grade("numbers", 3, "a | b <img src=x> [x](y) *c* `d`\n# owned")
    table.sitting.open_model()
    plain = outside_of_fences(export(table.sitting.state))
    assert "\n# owned" not in plain
    assert "<img" not in plain.replace("\\<img", "")
    assert "a \\| b" in plain


def test_the_board_is_told_by_phase():
    board = "first\n== compute ==\n6Ψ\n\n== layout ==\nDP\n== compute ==\nmore"
    assert board_by_phase(board) == (
        ("", "first"), ("compute", "6Ψ"), ("layout", "DP"), ("compute", "more"),
    )  # fmt: skip


def test_overtime_is_told_apart():
    table = strong(end=False)
    table.until(850)
    write(table, "too late")
    table.sitting.finish()
    text = export(graded(table).sitting.state)
    assert "### Overtime (not graded)\n\n```text\ntoo late\n```" in text


def test_the_version_names_what_the_author_wrote_and_not_where_it_lies():
    round_ = small_round()
    moved = msgspec.structs.replace(round_, path="elsewhere", line=9)
    assert version_of(moved) == version_of(round_)
    assert version_of(msgspec.structs.replace(round_, prompt="Other.")) != version_of(round_)


def test_an_absence_is_told():
    table = Table()
    table.until(30)
    table.clock.advance(90)
    table.sitting.tick()
    table.sitting.finish()
    text = export(graded(table).sitting.state)
    assert "\ninterrupted: true\n" in text
    assert "for 1:30 (counted)" in text
