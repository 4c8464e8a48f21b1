"""Every row of the answer tables gets the verdict that stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from drillkit.errors import DrillkitError
from drillkit.numeric.table import agrees, judge_table, judged, table_questions

TESTS = Path(__file__).parent.parent
TABLES = {
    name: yaml.load((TESTS / name).read_text(encoding="utf-8"), yaml.CBaseLoader)
    for name in ("cases/answers.yaml", "algebra/more_answers.yaml")
}
QUESTIONS = {name: table_questions(table) for name, table in TABLES.items()}
ROWS = [
    pytest.param(name, row, id=f"{row['problem']}: {row['input'][:50] or 'nothing'}")
    for name, table in TABLES.items()
    for row in table["answers"]
]


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_a_typed_answer_gets_its_verdict(table, row):
    verdict = judged(row["input"], QUESTIONS[table][row["problem"]])
    assert agrees(verdict, row["verdict"]), f"{verdict.id}: {verdict.reading} {verdict.note}"


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_judged_as_a_whole(name):
    rows = len(TABLES[name]["answers"])
    assert judge_table(TABLES[name]) == {"rows": rows, "agree": rows, "disagree": []}


def test_a_row_that_disagrees_says_what_was_expected_and_what_came():
    table = {
        "problems": {"one": {"truth": "112000000000", "unit": "GB"}},
        "answers": [
            {"problem": "one", "input": "112 GB", "verdict": "correct"},
            {"problem": "one", "input": "99 GB", "verdict": "correct"},
        ],
    }
    result = judge_table(table)
    assert (result["rows"], result["agree"]) == (2, 1)
    assert result["disagree"][0]["row"] == 2
    assert result["disagree"][0]["expect"] == "correct"
    assert result["disagree"][0]["got"] == "wrong"
    assert "99 GB" in result["disagree"][0]["reading"]


def test_numbers_and_texts_are_the_same_in_a_table():
    problem = {"truth": 848.5281374238571, "unit": "min", "unit_factor": 60, "dims": {"time": 1}}
    rows = [{"problem": "one", "input": "14.1 min", "verdict": "correct"}]
    assert judge_table({"problems": {"one": problem}, "answers": rows})["agree"] == 1


def test_a_unit_that_the_reader_lacks_is_made_of_its_factor_and_dimension():
    problem = {"truth": "12", "unit": "furlongs", "unit_factor": "2", "dims": {"length": "1"}}
    rows = [{"problem": "one", "input": "6", "verdict": "correct_note"}]
    assert judge_table({"problems": {"one": problem}, "answers": rows})["agree"] == 1


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"problems": [], "answers": []},
        {"problems": {"one": "two"}, "answers": []},
        {"problems": {}, "answers": "many"},
        {"problems": {}, "answers": ["text"]},
        {"problems": {}, "answers": [{"problem": "one", "input": "1", "verdict": "correct"}]},
        {"problems": {"one": {"truth": "many"}}, "answers": []},
        {"problems": {"one": {"truth": "1/0"}}, "answers": []},
        {"problems": {"one": {"truth": "1", "round": "sideways"}}, "answers": []},
        {"problems": {"one": {"truth": "p +", "symbols": {"p": ["1", "2"]}}}, "answers": []},
        {"problems": {"one": {"truth": "p", "symbols": {"p": ["1"]}}}, "answers": []},
        {"problems": {"one": {"truth": "q", "symbols": {"p": ["1", "2"]}}}, "answers": []},
    ],
)
def test_a_malformed_table_is_an_error_that_a_person_can_mend(table):
    with pytest.raises(DrillkitError):
        judge_table(table)
