"""variant, solve and judge from the command line, as people and scripts call them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FAMILY = """\
problems:
  - id: zero3
    title: Model states
    given:
      P: {name: parameters, unit: params, from: [7e9, 13e9, 30e9, 70e9]}
      N: {name: GPUs, unit: GPUs, powers_of_2: [8, 256]}
      M: {name: memory, unit: GB, from: [10, 16, 24, 40]}
    equations: ["M = 16*P/N"]
    find:
      M: {unit: GB, within: 2%, ask: "{P} parameters on {N} GPUs: GB each?"}
      N: {unit: GPUs, round: up, ask: "{P} parameters, {M} each: GPUs?"}
    slips:
      - {id: weights-only, M: 2*P/N, says: Only the weights.}
    hints: [Divide.]
"""


@pytest.fixture
def drillkit(tmp_path):
    """Run a command; return the exit code, what it printed and what it complained about."""
    folder = tmp_path / "problems" / "numeric"
    folder.mkdir(parents=True)
    (folder / "zero.yaml").write_text(FAMILY)

    def run(*arguments: str | Path):
        done = subprocess.run(
            [sys.executable, "-m", "drillkit", *map(str, arguments)],
            cwd=ROOT,
            env=os.environ | {"DRILLKIT_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return run


def document(run, *arguments: str | Path):
    code, out, err = run(*arguments, "--json")
    assert err == ""
    return code, json.loads(out)


def test_variant_is_one_document_with_everything_about_a_question(drillkit):
    code, told = document(drillkit, "variant", "zero3", "--find", "N", "--seed", "4")
    assert code == 0
    assert (told["problem"], told["find"], told["seed"]) == ("zero3", "N", 4)
    given = told["given"]
    assert set(given) == {"P", "M"}
    assert (given["M"]["unit"], given["M"]["text"]) == ("GB", f"{given['M']['value'] // 10**9} GB")
    assert given["M"]["text"] in told["ask"]
    gpus = -(-16 * given["P"]["value"] // given["M"]["value"])
    assert told["answer"] == {"value": gpus, "unit": "GPUs", "text": f"{gpus} GPUs"}
    assert told["steps"][0] == "M = 16·P/N, so"
    assert [slip["id"] for slip in told["slips"]] == ["weights-only"]
    assert (told["formula"], told["hints"]) == ("16·P/M", ["Divide."])


def test_same_seed_gives_the_same_variant_and_none_another_one(drillkit):
    first, again = (document(drillkit, "variant", "problems/zero3", "--seed", "9") for _ in "12")
    assert first == again
    seeds = {document(drillkit, "variant", "zero3")[1]["seed"] for _ in range(3)}
    assert len(seeds) == 3


def test_numbers_past_what_json_can_hold_exactly_are_floats(drillkit):
    code, told = document(drillkit, "solve", "zero3", "P=7e30", "N=1")
    assert (code, told["value"]) == (0, 1.12e32)


def test_variant_in_words(drillkit):
    code, out, _ = drillkit("variant", "zero3", "--find", "M", "--seed", "4")
    assert code == 0
    assert "parameters on" in out
    assert "seed 4, find M" in out
    assert "(weights-only): Only the weights." in out


def test_solve_works_with_numbers_of_ones_own(drillkit):
    assert document(drillkit, "solve", "zero3", "P=7B", "N=64") == (
        0,
        {
            "find": "M",
            "value": 1_750_000_000,
            "unit": "GB",
            "text": "1.75 GB",
            "formula": "16·P/N",
            "steps": ["M = 16·P/N", "  = 16·7×10⁹/64", "  = 1.75×10⁹ B = 1.75 GB"],
        },
    )
    code, told = document(drillkit, "solve", "zero3", "P=70e9", "M=24GB", "--find", "N")
    assert (code, told["value"], told["text"]) == (0, 47, "47 GPUs")
    _, out, _ = drillkit("solve", "zero3", "P=70e9", "M=24 GB")
    assert out.endswith("= 46.67 GPUs, rounded up: 47 GPUs\nN: 47 GPUs\n")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["variant", "zero4"], 2, "hint: did you mean zero3?"),
        (["variant", "zero3", "--find", "Q"], 2, "does not ask for 'Q'"),
        (["solve"], 2, "no problem is named"),
        (["solve", "zero3", "P"], 2, "'P' is no value"),
        (["solve", "zero3", "P=7e9"], 2, "hint: give N=…"),
        (["solve", "zero3", "P=many", "N=8"], 1, "many"),
        (["solve", "zero3", "Q=1", "N=8"], 1, "no symbol 'Q'"),
        (["solve", "zero3", "P=7e9", "N=0", "--find", "M"], 1, "division by zero"),
        (["judge", "112 GB"], 2, "no truth is given"),
        (["judge", "112 GB", "--truth", "much"], 1, "much"),
        (["judge", "--table", "nowhere.yaml"], 1, "cannot be read"),
        (["solve", "--table", "nowhere.yaml"], 1, "cannot be read"),
    ],
)
def test_wrong_calls_are_told_with_what_to_do(drillkit, arguments, code, said):
    got, out, err = drillkit(*arguments)
    assert (got, out) == (code, "")
    assert said in err


@pytest.mark.parametrize(
    ("typed", "verdict", "slip"),
    [
        ("112 GB", "correct", None),
        ("104.3 GiB", "correct", None),
        ("112 GiB", "misconception:gb_gib", "gb_gib"),
        ("117 GB", "close", None),
        ("700 GB", "wrong", None),
        ("112 s", "wrong_unit", None),
        ("nonsense", "invalid", None),
    ],
)
def test_judge_tells_verdict_reading_and_slip(drillkit, typed, verdict, slip):
    code, told = document(drillkit, "judge", typed, "--truth", "112 GB", "--within", "1%")
    assert code == 0
    assert (told["verdict"], told["slip"]) == (verdict, slip)
    assert told["reading"]


def test_judge_in_words(drillkit):
    _, out, _ = drillkit("judge", "112 GiB", "--truth", "112 GB")
    assert out.startswith("misconception:gb_gib\n  read as 112 GiB = 120.3 GB\n")


ROWS = """\
# from a paper
- {problem: zero3, given: {P: 7.5e9, N: 64}, find: M, expect: 1.9 GB, within: 2%, source: x}
- {problem: zero3, given: {P: 7.5e9, N: 64}, find: M, expect: 2.9 GB, source: x}
"""


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        "rows:\n" + "".join(f"  {line}\n" for line in ROWS.split("\n")[1:3]),
        json.dumps(
            [
                {"problem": "zero3", "given": {"P": 7.5e9, "N": 64}, "find": "M", "expect": e}
                for e in ("1.875 GB", "2.9 GB")
            ]
        ),
    ],
    ids=["list", "mapping", "json"],
)
def test_table_of_worked_numbers(drillkit, tmp_path, text):
    (tmp_path / "rows.yaml").write_text(text)
    code, told = document(drillkit, "solve", "--table", tmp_path / "rows.yaml")
    assert (code, told["rows"], told["agree"]) == (1, 2, 1)
    (difference,) = told["disagree"]
    assert difference == {"row": 2, "problem": "zero3", "expect": "2.9 GB", "got": "1.875 GB"}
    code, out, _ = drillkit("solve", "--table", tmp_path / "rows.yaml")
    assert "row 2, zero3: expected 2.9 GB, got 1.875 GB\n1 of 2 rows agree\n" in out


ANSWERS = """\
problems:
  mem: {truth: "112000000000", unit: GB, rtol: 0.01}
answers:
  - {problem: mem, input: 112 GB, verdict: correct}
  - {problem: mem, input: 112 GiB, verdict: correct}
"""


def test_table_of_answers(drillkit, tmp_path):
    (tmp_path / "answers.yaml").write_text(ANSWERS)
    code, told = document(drillkit, "judge", "--table", tmp_path / "answers.yaml")
    assert (code, told["rows"], told["agree"]) == (1, 2, 1)
    (difference,) = told["disagree"]
    assert (difference["expect"], difference["got"]) == ("correct", "misconception:gb_gib")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rows: 3\n", "rows.yaml:1:7: error: `rows:` is not a list"),
        ("- a: [\n", "rows.yaml:"),
        ("", "the file is empty"),
        ("x: &a [1]\nrows: [*b]\n", "rows.yaml:2:8"),
    ],
)
def test_malformed_table_is_told_with_its_place(drillkit, tmp_path, text, said):
    (tmp_path / "rows.yaml").write_text(text)
    code, _, err = drillkit("solve", "--table", tmp_path / "rows.yaml")
    assert code == 1
    assert said in err


def test_check_new_and_schema_know_problems(drillkit, tmp_path):
    code, told = document(drillkit, "check", tmp_path / "problems")
    assert (code, told["files"], told["cards"], told["problems"]) == (0, 1, 0, 1)
    path = tmp_path / "mine.yaml"
    assert drillkit("new", "problem", path)[:2] == (0, f"written: {path}\n")
    assert drillkit("check", path)[0] == 0
    code, out, _ = drillkit("schema", "problem")
    assert json.loads(out)["title"] == "drillkit problems"
    code, _, err = drillkit("new", "poem", path)
    assert (code, "the kinds are: deck, problem" in err) == (2, True)
