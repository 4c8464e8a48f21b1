"""What `check` proves of a family, and how each failure is told."""

from __future__ import annotations

import time

import pytest

from drillkit.authoring.check import check
from drillkit.authoring.dimensions import mismatch
from drillkit.authoring.problem_starter import problem_schema, write_problems
from drillkit.authoring.proofs import prove
from drillkit.content.problem import Find, Given
from drillkit.content.problem_reading import PROBLEM_KEYS, read_problems
from drillkit.content.schema import keys_of
from drillkit.numeric.family import family_of

GOOD = {
    "given": "{P: {unit: params, from: [1e9, 2e9, 3e9, 5e9, 7e9, 8e9]},"
    " N: {unit: GPUs, powers_of_2: [8, 64]}}",
    "equations": '["M = 16*P/N"]',
    "find": '{M: {unit: GB, within: 2%, ask: "{P} on {N}?"}}',
    "slips": "[{id: weights, M: 2*P/N, says: w}, {id: optimizer, M: 12*P/N, says: o},"
    " {id: whole, M: 20*P, says: n}]",
    "examples": "[{given: {P: 7.5e9, N: 64}, M: 1.875 GB, source: x}]",
}


def text_of(**changes: str) -> str:
    parts = GOOD | changes
    lines = ["problems:", "  - id: x", "    title: t"]
    lines += [f"    {key}: {value}" for key, value in parts.items() if value]
    return "\n".join(lines)


def proved(**changes: str):
    """What is found wrong with the small family after these changes."""
    reading = read_problems(text_of(**changes).encode(), "p.yaml")
    assert [str(found) for found in reading.diagnostics] == []
    ((problem, node),) = reading.nodes
    return prove(problem, node, "p.yaml")


def codes(**changes: str) -> list[str]:
    return [found.code for found in proved(**changes)]


def test_sound_family_has_nothing_to_mend():
    assert [str(found) for found in proved()] == []


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"presets": "{model: [gpt-9]}"}, "preset", "gpt-9"),
        (
            {"find": '{M: {unit: GB, ask: "{P}?"}}'},
            "not-stated",
            "depends on N, which the question does not state",
        ),
        (
            {"find": '{M: {unit: GB, within: 4%, ask: "{P} on {N}?"}}'},
            "gb-gib",
            "cannot tell GB from its binary sibling",
        ),
        (
            {"find": '{M: {unit: TB, within: 5%, ask: "{P} on {N}?"}}'},
            "gb-gib",
            "cannot tell TB",
        ),
        ({"where": "[16*P/N < 1e9]"}, "refused", "draws are thrown away: the condition"),
        ({"where": "[P > 1e15]"}, "no-variant", "no usable numbers"),
        (
            {"slips": "[{id: near, M: 16.5*P/N, says: w}]"},
            "no-variant",
            "no usable numbers",
        ),
        (
            {"given": "{P: {unit: params, from: [1e9, 2e9]}, N: {unit: GPUs, from: [8, 16]}}"},
            "few-variants",
            "only 4 different variants",
        ),
        (
            {"find": '{M: {unit: GB, within: exact, ask: "{P} on {N}?"}}'},
            "not-whole",
            "`within: exact`, but seed",
        ),
        ({"slips": "[{id: gib, M: 16*P/N*1e9/2**30, says: x}]"}, "slip-lost", "'gib'"),
        ({"slips": "[{id: bits, M: 8*16*P/N, says: x}]"}, "slip-lost", "'bits'"),
        ({"slips": "[{id: never, M: 0*P - 1, says: x}]"}, "slip-lost", "'never'"),
        ({"slips": "[{id: one, M: 2*P/N, says: x}]"}, "few-slips", "1 slips"),
        (
            {"examples": "[{given: {P: 7.5e9, N: 64}, M: 2 GB, source: x}]"},
            "example",
            "M comes to 1.875 GB, not 2 GB",
        ),
        ({"examples": "[{given: {P: 1}, M: 2 GB, source: x}]"}, "example", "does not follow"),
        ({"hints": '["Divide by {M}."]'}, "placeholder", "names {M}"),
        (
            {
                "given": "{P: {unit: params, range: [1.3, 1.4]}, N: {unit: GPUs, from: [8]}}",
            },
            "empty-range",
            "no value of P is left",
        ),
        (
            {
                "given": "{P: {unit: params, from: [7e9]}, N: {unit: GPUs, from: [8]},"
                " B: {unit: GB/s, range: [10, 99]}, S: {unit: GB, range: [1, 9]}}",
                "equations": '["M = S*B"]',
                "find": '{M: {unit: s, ask: "{S} at {B}?"}}',
                "examples": "",
                "slips": "",
            },
            "dimension",
            "differ in time",
        ),
        (
            {
                "equations": '["M = min(16*P/N, 9e12)"]',
                "find": '{M: {unit: GB, ask: "{P}, {N}?"}, P: {unit: params, ask: "{N}, {M}?"}}',
            },
            "unsolvable",
            "P cannot be isolated",
        ),
    ],
)
def test_each_failure_is_told_with_its_code(changes, code, said):
    found = proved(**changes)
    assert [one for one in found if one.code == code and said in one.message], found
    assert all(one.line and one.hint for one in found if one.severity == "error")


def test_failure_stands_at_its_key():
    text = text_of(slips="[{id: never, M: 0*P - 1, says: x}]")
    line = next(n for n, each in enumerate(text.split("\n"), 1) if "slips" in each)
    (lost,) = (one for one in proved(slips="[{id: never, M: 0*P - 1, says: x}]")
               if one.code == "slip-lost")  # fmt: skip
    assert (lost.line, lost.subject) == (line, "problem x")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"where": "[P > 1, Q > 5]"}, "'Q > 5' applies to no question: no value of Q"),
        (
            {"find": '{M: {unit: GB, ask: "{P} on {N}?", where: [Q < N]}}'},
            "'Q < N' applies to no question: no value of Q",
        ),
        (
            {
                "where": "[P < 1000*Q]",
                "equations": '["M = 16*P/N", "R = 2*Q"]',
                "find": '{M: {unit: GB, ask: "{P} on {N}?"}, R: {ask: "{Q}?"}}',
            },
            "'P < 1000*Q' applies to no question",
        ),
    ],
)
def test_condition_that_never_applies_is_told(changes, said):
    given = GOOD["given"][:-1] + ", Q: {from: [1, 2, 3, 4, 5, 6, 7]}}"
    text = text_of(given=given, **changes)
    key = "where: [" if "where" in changes else "find: "
    line = next(n for n, each in enumerate(text.split("\n"), 1) if key in each)
    found = [one for one in proved(given=given, **changes) if one.code == "unused"]
    assert [(one.line, one.message) for one in found if said in one.message and one.hint]
    assert [one.line for one in found] == [line]


def test_condition_of_one_question_among_several_is_no_fault():
    changes = {
        "given": GOOD["given"][:-1] + ", Q: {from: [1, 2, 3, 4, 5, 6, 7]}}",
        "where": "[P > 1, Q < 9]",
        "equations": '["M = 16*P/N", "R = 2*Q"]',
        "find": '{M: {unit: GB, ask: "{P} on {N}?"}, R: {ask: "{Q}?"}}',
    }
    assert codes(**changes) == []


def test_rounded_steps_that_spoil_the_answer_are_told():
    """The difference of two large numbers that are shown to four figures."""
    found = codes(
        given="{a: {range: [70001, 70900], step: 1}, b: {from: [1, 2]}, big: {}}",
        equations='["big = a*1000", "M = big - 70000000"]',
        find='{M: {within: 1%, ask: "{a} {b}?"}}',
        slips="",
        examples="",
    )
    assert "rounding" in found


def test_mistake_of_unit_is_left_to_drillkit():
    """8 times too much is told as bits for bytes, whatever the author calls it."""
    found = proved(slips="[{id: eight, M: 128*P/N, says: x}]")
    assert "slip-lost" in [one.code for one in found]


# --- dimensions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equation", "word"),
    [
        ("T = S/B", ""),
        ("T = S*B", "time"),
        ("T = 2*(N-1)/N*S/B", ""),
        ("T = S", "time"),
        ("S = 16*P/N", ""),
        ("S = T", "time"),
        ("S = B", "time"),
        ("T = T + S", "time"),
        ("T = T + 5", "time"),
        ("T = sqrt(2*T*T)", ""),
        ("T = max(S/B, T)", ""),
        ("T = T*T", "time"),
        ("C = H*c", ""),
        ("C = 5", "money"),
        ("H = 6*P*D/(F*m)", ""),
        ("T = 6*P*D/(N*F*m)", ""),
        ("T = 6*P*D*m", "time"),
        ("S = F*T", "bytes"),
        ("T = T/T", "time"),
        ("m = 1 - exp(0 - T/T)", ""),
        ("N = 2**m", ""),
    ],
)
def test_sides_of_another_kind_are_noticed(equation, word):
    given = (
        "{T: {unit: s}, S: {unit: GB}, B: {unit: GB/s}, N: {unit: GPUs}, P: {unit: params},"
        " C: {unit: $}, H: {unit: GPU-hours}, c: {unit: $/GPU-hour}, F: {unit: FLOP/s},"
        ' D: {unit: tokens}, m: {unit: "%"}}'
    )
    text = (
        f'problems:\n  - {{id: x, title: t, given: {given}, equations: ["{equation}"],'
        f" find: {{{equation.split()[0]}: {{ask: x, unit: {UNITS[equation.split()[0]]}}}}}}}"
    )
    reading = read_problems(text.encode(), "p.yaml")
    assert [str(found) for found in reading.diagnostics] == []
    family = family_of(reading.problems.problems[0])
    assert mismatch(family.equations[0], family.units) == word


UNITS = {"T": "s", "S": "GB", "C": "$", "H": "GPU-hours", "m": '"%"', "N": "GPUs"}


# --- hostile families ----------------------------------------------------------------------------

NUMBERS = "{P: {from: [2, 3, 5, 7]}, N: {from: [2, 3, 5]}}"


@pytest.mark.parametrize(
    "changes",
    [
        {"equations": '["M = 9**9**9*P"]'},
        {"equations": '["M = P**64**64 + N"]'},
        {"equations": '["M = exp(exp(exp(P + N)))"]'},
        {"equations": '["M = (P + N)**64*(P - N)**63"]'},
        {"equations": '["(M + P)**64 = N*(M + 1)**63"]'},
        {"where": '["divides(P - P, N)"]'},
        {"where": '["P*N > 1e58"]'},
        {"slips": "[{id: bomb, M: 9**9**9, says: x}, {id: zero, M: P/(N - N), says: x}]"},
        {
            "given": "{P: {range: [1, 1e50]}, N: {range: [1e-50, 1e50], log: true}}",
            "equations": '["M = P**9*N**9"]',
        },
        {
            "given": "{"
            + ", ".join(f"s{n}: {{}}" for n in range(20))
            + ", P: {from: [1.5]}, N: {from: [2]}}",
            "equations": "["
            + ", ".join(f'"s{n} = s{n + 1}*s{n + 1}*s{n + 1}"' for n in range(19))
            + ', "s19 = P*N", "M = s0"]',
        },
    ],
)
def test_hostile_family_ends_with_diagnostics_and_soon(changes):
    base = {"given": NUMBERS, "find": '{M: {ask: "{P} {N}?"}}', "slips": "", "examples": ""}
    started = time.process_time()
    found = proved(**(base | changes))
    assert time.process_time() - started < 20
    assert all(one.line for one in found)


# --- check, new, schema --------------------------------------------------------------------------


def test_check_counts_families_and_tells_progress(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(text_of())
    seen = []
    verdict = check([path], progress=lambda what, done, total: seen.append((what, done, total)))
    assert (verdict.files, verdict.cards, verdict.problems, verdict.errors) == (1, 0, 1, 0)
    assert ("proving", 0, 1) in seen


def test_check_reads_what_it_can_of_a_broken_file(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(text_of() + "\n  - id: y\n    title: [\n")
    verdict = check([path])
    assert (verdict.problems, verdict.errors) == (1, 1)


def test_fix_leaves_problem_files_alone(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(text_of())
    assert check([path], fix=True).fixed == ()
    assert path.read_text() == text_of()


def test_new_problem_file_has_nothing_to_mend(tmp_path):
    verdict = check([write_problems(tmp_path / "my-links")])
    assert [str(found) for found in verdict.diagnostics] == []
    assert verdict.problems == 1


def test_new_problem_file_and_schema_tell_of_every_key(tmp_path):
    text = write_problems(tmp_path / "a").read_text()
    family = problem_schema()["properties"]["problems"]["items"]["properties"]
    assert set(family) == set(PROBLEM_KEYS)
    (given,) = family["given"]["patternProperties"].values()
    (find,) = family["find"]["patternProperties"].values()
    assert set(given["properties"]) == set(keys_of(Given, frozenset({"symbol"})))
    assert set(find["properties"]) == set(keys_of(Find, frozenset({"symbol"})))
    for key in {*family, *given["properties"], *find["properties"]}:
        assert key in text, key
