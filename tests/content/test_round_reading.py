"""Round files as written: what is read, what is wrong and on which line, what an attacker gets."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drillkit.content.kind import kind_of
from drillkit.content.round import Point, Trigger
from drillkit.content.round_reading import MOST_NODES, read_round, read_time

SMALL = (Path(__file__).parent.parent / "cases" / "small_round.yaml").read_text(encoding="utf-8")


def read(text: str):
    return read_round(text.encode(), "r.yaml")


def test_small_round_has_nothing_to_mend():
    reading = read(SMALL)
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.round is not None
    assert reading.node is not None


def test_every_key_arrives_typed():
    found = read(SMALL).round
    assert (found.id, found.level, found.minutes, found.order) == ("small", "senior", 14, 7)
    assert (found.path, found.tags, found.cards_max) == ("r.yaml", ("pretraining",), 7)
    facts = {fact.symbol: fact for fact in found.facts}
    assert (facts["tokens"].vary, facts["tokens"].required) == (("1e12", "2e12"), True)
    assert (facts["inter"].unit, facts["inter"].ask) == ("GB/s", ("network", "bandwidth"))
    assert (facts["done"].value, facts["done"].kind) == ("", "done")
    assert found.cases[1].values == (
        *(("params", "13e9"), ("layers", "40"), ("width", "5120"), ("heads", "40")),
    )
    (mfu, _) = found.assume
    assert (mfu.default, mfu.unit, mfu.range) == ("40%", "%", ("25%", "55%"))
    assert [(one.symbol, one.expr, one.unit) for one in found.derive] == [
        ("lost", "32", ""),
        ("wall", "gpu_hours/(gpus*goodput)", "days"),
    ]
    assert [check.id for check in found.checks] == ["flops_tok", "gpu_hours"]
    check = found.checks[0]
    assert (check.tol, check.diagnose) == ("10%", (("0.33", "Forward pass only?"),))
    assert check.slips[0].expr == "2*params"
    assert (found.cards_max, found.where) == (7, ("batch/seq >= gpus",))


def test_phases_know_their_rows_and_plans_their_parts():
    found = read(SMALL).round
    assert [phase.row for phase in found.phases] == ["scope", "numbers", "layout", "evaluation"]
    assert [phase.title for phase in found.phases] == ["Clarify", "Compute", "Layout", "Monitor"]
    plan = found.phase("layout").plan
    assert plan.fields == ("tp", "pp", "dp", "zero", "micro_batch")
    assert [rule.holds for rule in plan.valid][-2:] == ["memory <= 0.9*hbm", "bubble <= 0.3"]
    assert dict(plan.model)["dp"] == "gpus"
    assert dict(plan.job)["batch"] == "batch/seq"
    assert found.phase("layout").points == (
        Point(
            id="tp-in-node",
            say="TP stays inside a node.",
            ask="Why does tensor parallelism stay inside a node?",
            keys=("nvlink|node",),
            weight=2,
        ),
    )
    with pytest.raises(KeyError):
        found.phase("gone")


def test_each_way_of_a_curveball_arrives():
    lost, sure, late, silence = read(SMALL).round.curveballs
    assert lost.trigger == Trigger(phase="layout", after_s=60)
    assert (lost.set, lost.kind) == ((("gpus", "gpus - 32"),), "failure")
    assert (sure.check, sure.factor) == ("gpu_hours", "0.5")
    assert late.trigger == Trigger(when="phase.clarify == overrun")
    assert silence.trigger == Trigger(window_s=(690, 750))
    at_minute = read(SMALL.replace('at: {phase: layout, after: "1:00"}', 'at: "7:30"')).round
    assert at_minute.curveballs[0].trigger == Trigger(minute_s=450)


def test_rubric_and_examples_arrive():
    found = read(SMALL).round
    numbers, layout = found.rubric
    assert (numbers.weight, numbers.floor, layout.weight) == (3, 2, 2)
    assert numbers.anchors[0] == ("mid", 3, "Both budgets with the right formulas.")
    assert [grade for level, grade, _ in numbers.anchors if level == "senior"] == [1, 2, 3, 4]
    (example,) = found.examples
    assert example.expect == (("flops_tok", "4.52e10 FLOP"), ("gpu_hours", "31750 GPU-h"))
    assert (example.within, example.source) == ("0.5%", "Training at scale lesson, §4(b)")


# --- each mistake, with its line -----------------------------------------------------------------

LOST = 'at: {phase: layout, after: "1:00"}'
WINDOW = 'window: ["11:30", "12:30"]'
WHEN = "when: phase.clarify == overrun"
SEQ = "seq: {name: sequence length, value: 4096,"
PLAN_MODEL = "model: {tp: 1, pp: 1, dp: gpus, zero: 2, micro_batch: 1}"
LAST_PHASE = "  - id: monitor\n    title: Monitor\n    minutes: 3\n    row: evaluation\n"

# What stands in the file, what in its place, the code and a part of the message; the line is that
# of the first line that the edit changes, or of the one that starts with the last text.
MISTAKES = [
    # the head
    ("round: small", "round: Not An Id", "bad-id", "lowercase"),
    ("round: small", "round:", "missing-key", "`round` is missing"),
    ("title: Pretrain a", "tittle: Pretrain a", "unknown-key", "unknown key `tittle`"),
    ("title: Pretrain a 7B decoder in two weeks\n", "", "missing-key", "`title`", "round: small"),
    ("level: senior\nminutes", "level: snior\nminutes", "type", "`level` cannot be 'snior'"),
    ("minutes: 14", "minutes: 15", "minutes", "take 14 minutes in all, `minutes` is 15"),
    ("minutes: 14", "minutes: x", "type", "a whole number is needed"),
    ("minutes: 14", "minutes: 999", "range", "`minutes` is 999"),
    ("{params} parameters. Plan", "{flops_tok} Plan", "placeholder", "tells the answer", "prompt"),
    ("{params} parameters. Plan", "{prams}. Plan", "placeholder", "names nothing", "prompt"),
    ("{params} parameters. Plan", "{done}. Plan", "placeholder", "has no number", "prompt"),
    ("{params} parameters. Plan", "{tp}. Plan", "placeholder", "has no value here", "prompt"),
    ("cards: {max: 7}", "cards: {max: 99}", "range", "`max` is 99"),
    ("cards: {max: 7}", "cards: 7", "shape", "`cards` is not a mapping"),
    ("cards: {max: 7}", "cards: {mx: 7}", "unknown-key", "`mx`"),
    # facts and cases
    (SEQ, SEQ.replace("value", "vaule"), "unknown-key", "`vaule`"),
    (SEQ, "seq: {name: sequence length,", "fact", "`seq` has no `value`, no case gives one"),
    (SEQ, SEQ.replace("value: 4096", "vary: [4096]"), "fact", "`seq` has no `value`"),
    (SEQ, SEQ.replace("4096", "long"), "value", "'long'"),
    (SEQ, SEQ.replace("4096", "3 GB"), "value", "3 GB"),
    ("vary: [1e12, 2e12]", "vary: [1e12, 2 weeks]", "value", "2 weeks", "  tokens:"),
    (SEQ + " unit: tokens", SEQ + " unit: lightyears", "unit", "lightyears"),
    ("  heads: {name", "  min: {name", "bad-symbol", "`min` is taken"),
    ("  heads: {name", "  dp: {name", "bad-symbol", "`dp` is taken"),
    ("  heads: {name", "  Ψ: {name", "bad-symbol", "'Ψ' is no name"),
    ("  heads: {name", "  hides: {name", "unknown-fact", "`heads` is no fact", "  - {name: 7B"),
    ("ask: [deadline, weeks], ", "", "fact", "no word reveals `days`", "  days"),
    ("kind: deadline", "kind: dedline", "kind", "no kind of fact 'dedline'", "  days"),
    ("ask: [done, success, metric]", "ask: {done: x}", "type", "a list is needed", "  done"),
    ("heads: 32}", "heads: 32, hads: 1}", "unknown-fact", "`hads` is no fact"),
    ("layers: 40, ", "", "case", "has no `layers`", "  - {name: 13B"),
    ("{name: 13B, ", "{name: 7B, ", "duplicate-id", "'7B' stands twice"),
    ("{name: 13B, ", "{", "case", "needs a `name`", "  - {params: 13e9"),
    ("params: 13e9", "params: many", "value", "many", "  - {name: 13B"),
    ("{name: hidden width, ", "{value: 1, ", "fact", "every case has one too"),
    # assumptions, derived values, conditions
    ("default: 40%", "default: 60%", "range", "the default 60% is outside"),
    ("range: [25%, 55%]", "range: [55%, 25%]", "range", "not the lower one", "  mfu"),
    ("range: [25%, 55%]", "range: [25%]", "range", "two are needed", "  mfu"),
    ("default: 40%", "defualt: 40%", "missing-key", "`default` is missing", "  mfu"),
    ("lost: 32", "lost: 32*", "formula", "32*"),
    ("lost: 32", "lost: lost + 1", "cycle", "takes its own value"),
    ("lost: 32", "tokens: 32", "duplicate-symbol", "`tokens` is a fact and again derived"),
    ("lost: 32", "gpu_hours: 32", "duplicate-symbol", "and again a check", "      - id: gpu_hours"),
    ("lost: 32", "lost: []", "shape", "wrong shape"),
    ("batch/seq >= gpus", "batch/seq", "formula", "comparison"),
    # phases
    ("  - id: monitor", "  - id: Monitor It", "bad-id", "lowercase"),
    ("  - id: monitor", "  - id: end", "bad-id", "'end'"),
    ("  - id: monitor", "  - id: compute", "duplicate-id", "'compute' stands twice"),
    ("    row: evaluation\n", "", None, ""),
    ("  - id: clarify", "  - id: intro", "missing-key", "'intro' does not say which `row`"),
    ("  - id: monitor", "  - id: costs", None, ""),
    ("    row: evaluation", "    row: evalution", "type", "`row` cannot be 'evalution'"),
    (
        LAST_PHASE,
        LAST_PHASE.replace("minutes: 3", "minuts: 3"),
        "missing-key",
        "`minutes`",
        "  - id: mon",
    ),
    ("    minutes: 3\n    row: evaluation", "    minutes: 0\n    row: evaluation", "range", "0"),
    ("write: [loss, MFU", "write: ['{x}', MFU", "placeholder", "{x}"),
    ("say: Ask me what", "say: Ask {gpu_hours} what", "placeholder", "tells the answer"),
    ('model: ["{flops_tok} per', 'model: ["{flop_tok} per', "placeholder", "{flop_tok}"),
    # points
    ("      - id: restates", "      - id: Restates", "bad-id", "'Restates' is not"),
    ("{id: deadline, ", "{id: restates, ", "duplicate-id", "the point 'restates' stands twice"),
    ("{id: dates, ", "{id: restates, ", "duplicate-id", "the point 'restates' stands twice"),
    ("        say: States the goal", "        sey: States", "unknown-key", "`sey`"),
    ("done|success|metric|goal,", "done||goal,", "keys", "an empty word", "        keys:"),
    (
        "weight: 2}\n    model",
        "weight: 0}\n    model",
        "range",
        "`weight` is 0",
        "      - {id: tp-",
    ),
    # checks
    ("      - id: gpu_hours", "      - id: gpu-hours", "bad-symbol", "'gpu-hours'"),
    ("      - id: gpu_hours", "      - id: flops_tok", "duplicate-symbol", "again a check"),
    ("expr: 6*params + 6", "expr: 6*param + 6", "formula", "param is not a name"),
    ("expr: 6*params + 6", "expr: gpu_hours + 6", "later-check", "`gpu_hours`, which is asked"),
    ("expr: 6*params + 6", "expr: wall + 6", "later-check", "`gpu_hours` through `wall`"),
    ("expr: tokens*flops", "expr: gpu_hours*flops", "later-check", "`gpu_hours` uses itself"),
    ("expr: 2*params", "expr: 2*prams", "formula", "prams", "        slips"),
    ("diagnose: {0.33", "diagnose: {less", "ratio", "less"),
    ("diagnose: {0.33", "diagnose: {-1", "ratio", "no ratio"),
    ("        tol: 10%\n        slips", "        tol: 90%\n        slips", "tol", "90%"),
    ("        unit: FLOP\n", "        unit: FLIP\n", "unit", "FLIP"),
    ("ask: training FLOPs", "ask: '{flops_tok}' #", "placeholder", "tells the answer"),
    ("hint: Divide all", "hint: '{gpu_hours}' #", "placeholder", "tells the answer"),
    ("hint: Divide all", "drill: Not an Id #", "bad-id", "no id of a problem family"),
    ("hint: Divide all", "round: upp #", "range", "`round` is 'upp'"),
    # the plan
    ("micro_batch]", "micro_bach]", "type", "`fields` cannot be 'micro_bach'", "      fields"),
    ("pp, dp, zero,", "pp, pp, zero,", "plan", "a field stands twice", "      fields"),
    ("        layers: layers\n", "", "plan", "`job` has no `layers`", "        params"),
    ("        hidden: width", "        hiden: width", "unknown-part", "`hiden` is no job part"),
    ("        hidden: width", "        hidden: widht", "formula", "widht"),
    (PLAN_MODEL, "model: {tp: 1, pp: 1, dp: gpus, zero: 2}", "plan", "has no `micro_batch`"),
    (PLAN_MODEL, PLAN_MODEL.replace("}", ", cp: 1}"), "unknown-field", "`cp` is no plan field"),
    (PLAN_MODEL, PLAN_MODEL.replace("gpus", "gps"), "formula", "gps"),
    ("{holds: tp <= 8, says", "{holds: tp <=, says", "formula", "tp <="),
    ("{holds: tp <= 8, says", "{holds: cp <= 8, says", "formula", "cp is not a name"),
    ("{holds: tp <= 8, says", "{hlds: tp <= 8, says", "unknown-key", "`hlds`"),
    ("multiply to {gpus}", "multiply to {gps}", "placeholder", "{gps}", "        - {holds: tp*"),
    # curveballs
    (LOST, 'at: {phase: layot, after: "1:00"}', "unknown-phase", "`layot` is no phase"),
    (LOST, 'at: {phase: layout, after: "5:00"}', "time", "has 5 minutes"),
    (LOST, "at: {phase: layout, after: 1 min}", "time", "'1 min' is no time"),
    (LOST, 'at: {phas: layout, after: "1:00"}', "unknown-key", "`phas`"),
    (LOST, 'at: "99:00"', "time", "over after 14 minutes"),
    (LOST, "at: 7", "time", "'7' is no time"),
    (LOST, "kind: cost", "duplicate-key", "`kind` stands twice"),
    ("    " + LOST + "\n", "", "trigger", "never comes", "  - id: lose"),
    (LOST, LOST + '\n    window: ["6:00", "7:00"]', "trigger", "`at` and `window`", "  - id: lose"),
    (WINDOW, 'window: ["11:30"]', "trigger", "two times"),
    (WINDOW, 'window: ["12:30", "11:30"]', "time", "ends before"),
    (WINDOW, 'window: ["12:30", "15:00"]', "time", "after the round"),
    (WINDOW, 'window: ["12:30", "1x"]', "time", "'1x' is no time"),
    (WHEN, "when: phase.comput == overrun", "unknown-phase", "`comput`"),
    (WHEN, "when: check.flops == miss", "unknown-check", "`flops`"),
    (WHEN, "when: plan.cp > 1", "unknown-field", "`cp`"),
    (WHEN, "when: fact.tokns == unasked", "unknown-fact", "`tokns`"),
    (WHEN, "when: phase.compute == late", "when", "no condition for a curveball"),
    (WHEN, "when: check.gpu_hours > miss", "when", "no condition for a curveball"),
    (WHEN, "when: plan.tp > many", "when", "no condition for a curveball"),
    (WHEN, "when: it rains", "when", "no condition for a curveball"),
    ("set: {gpus: gpus - 32}", "set: {gpu: 64}", "unknown-fact", "`gpu` is no fact"),
    ("set: {gpus: gpus - 32}", "set: {done: 64}", "unknown-fact", "`done` is no fact"),
    ("set: {gpus: gpus - 32}", "set: {gpus: gps - 32}", "formula", "gps"),
    ("check: gpu_hours\n", "check: gpu_ours\n", "unknown-check", "`gpu_ours` is no check"),
    ("    check: gpu_hours\n", "", "missing-key", "`check` is missing", "  - id: sure"),
    ("factor: 0.5", "factor: half", "factor", "half"),
    ("kind: challenge\n", "kind: cost\n", "kind", "doubts no check", "    check: gpu_hours"),
    ("kind: silence", "kind: silent", "type", "`kind` cannot be 'silent'"),
    ("say: We have to move on", "say: '{claim}' #", "placeholder", "{claim} has no value here"),
    ("  - id: silence\n", "  - id: sure\n", "duplicate-id", "the curveball 'sure' stands twice"),
    # the rubric and the examples
    ("  - id: numbers", "  - id: nubers", "type", "`id` cannot be 'nubers'"),
    (
        "  - id: layout\n    weight: 2",
        "  - id: numbers\n    weight: 2",
        "duplicate-id",
        "'numbers'",
    ),
    ("    floor: 2", "    floor: 9", "range", "`floor` is 9"),
    ("      mid: {3", "      middle: {3", "unknown-level", "no level 'middle'"),
    ("      mid: {3", "      mid: {5", "grade", "no grade '5'"),
    ("{flops_tok: 4.52e10", "{flop_tok: 4.52e10", "unknown-symbol", "`flop_tok`"),
    ("{flops_tok: 4.52e10 FLOP", "{flops_tok: 4.52e10 GB", "value", "GB"),
    ("within: 0.5%", "within: 3 GB", "within", "3 GB", "  - {flops"),
    (', source: "Training at scale lesson, §4(b)"}', "}", "example", "`source`", "  - {flops"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m[2]}: {m[1].strip()[:40]}")
def test_each_mistake_is_told_on_its_line(mistake):
    old, new, code, said, *at = mistake
    assert SMALL.count(old) == 1 or old.startswith(("level", "round")), SMALL.count(old)
    text = SMALL.replace(old, new, 1)
    reading = read(text)
    found = [(one.code, one.line, one.message) for one in reading.diagnostics]
    if code is None:
        # Some phases know their row; others may have any id where they name one.
        assert (found, reading.round is None) == ([], False)
        return
    lines, before = text.splitlines(), SMALL.splitlines()
    if at:
        line = next(n for n, each in enumerate(lines, 1) if each.startswith(at[0]))
    else:
        line = next(n for n, (a, b) in enumerate(zip(lines, before, strict=False), 1) if a != b)
    matching = [one for one in found if one[0] == code and said in one[2]]
    assert matching, found
    assert line in {one[1] for one in matching}, (line, found)
    assert reading.round is None
    assert all(one.hint and one.column >= 1 for one in reading.diagnostics if one.code == code)


def test_the_nearest_name_is_guessed():
    text = SMALL.replace("phase: layout", "phase: layot").replace("{params} par", "{parms} par", 1)
    hints = {found.code: found.hint for found in read(text).diagnostics}
    assert hints["unknown-phase"] == "did you mean `layout`?"
    assert hints["placeholder"] == "did you mean {params}?"


def test_one_reading_tells_of_many_faults():
    text = SMALL
    for old, new, code, *_ in (MISTAKES[0], MISTAKES[5]):
        text = text.replace(old, new)
        assert code in {found.code for found in read(text).diagnostics}
    assert {found.code for found in read(text).diagnostics} >= {"bad-id", "minutes"}


def test_phase_without_a_point_is_told():
    start = SMALL.index("    points:\n      - {id: loss-spikes")
    end = SMALL.index("    model: [Loss and gradient")
    (found,) = read(SMALL[:start] + SMALL[end:]).diagnostics
    assert (found.code, "'monitor' has no point" in found.message) == ("no-points", True)
    assert found.line == SMALL[: SMALL.index("  - id: monitor")].count("\n") + 1


def test_second_layout_in_a_round_is_told():
    start = SMALL.index("    plan:\n")
    plan = SMALL[start : SMALL.index("    points:\n      - {id: tp-in-node")]
    text = SMALL.replace("    row: evaluation\n", "    row: evaluation\n" + plan)
    assert [found.code for found in read(text).diagnostics] == ["plan"]


def test_derived_values_in_a_circle_are_told():
    text = SMALL.replace("lost: 32", "lost: back + 1\n  back: lost - 1")
    found = [one for one in read(text).diagnostics if one.code == "cycle"]
    assert {one.message for one in found} == {
        "`lost` takes its own value",
        "`back` takes its own value",
    }


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:20", 20), ("17:00", 1020), ("123:59", 7439), ("1:60", None), ("x", None), ("7", None)],
)
def test_times_are_minutes_and_seconds(text, seconds):
    assert read_time(text) == seconds


# --- files that are none -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "empty"),
        (b"- a\n- b\n", "shape"),
        (b"round: [\n", "yaml"),
        (b"round: x\n<<<<<<< ours\n=======\n>>>>>>> theirs\n", "conflict"),
        (b"\xff\xfer\x00", "encoding"),
        (b"round: \xff\n", "encoding"),
        (b"round: x\nround: y\n", "duplicate-key"),
        (b"round: !!python/object:os.system x\n", "yaml"),
    ],
)
def test_file_that_cannot_be_read_is_told(raw, code):
    reading = read_round(raw, "r.yaml")
    assert reading.round is None
    assert code in {found.code for found in reading.diagnostics}


def test_broken_yaml_is_told_with_its_line():
    text = SMALL.replace("title: Pretrain", "title: a: b")
    (found,) = read(text).diagnostics
    assert (found.line, found.message) == (3, "a second colon in an unquoted text")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lost: 32", "\n  ".join(f"s{n}: 1" for n in range(5000))),
        ('["batch/seq >= gpus"]', "[" + ", ".join("gpus > 1" for _ in range(5000)) + "]"),
        ("[1e12, 2e12]", "[" + ", ".join("1e12" for _ in range(5000)) + "]"),
        ("{0.33:", "{" + ", ".join(f"0.{n}: x" for n in range(1, 5000)) + ", 0.33:"),
        ("[done|success", "[" + ", ".join(f"k{n}" for n in range(5000)) + ", done|success"),
        ("set: {", "set: {" + ", ".join(f"s{n}: 1" for n in range(5000)) + ", "),
        ("examples:", "examples:" + "\n  - {flops_tok: 1, source: x}" * 5000),
        ("curveballs:", "curveballs:" + "\n  - {id: x, say: y}" * 5000),
    ],
    ids=["derive", "where", "vary", "diagnose", "keys", "set", "examples", "curveballs"],
)
def test_too_much_of_anything_is_refused(old, new):
    reading = read(SMALL.replace(old, new, 1))
    assert "too-many" in {found.code for found in reading.diagnostics}
    assert reading.round is None


def test_nodes_of_a_file_are_bounded():
    raw = SMALL + "x: [" + ", ".join("1" for _ in range(MOST_NODES)) + "]\n"
    (found,) = read(raw).diagnostics
    assert "the file has more than" in found.message


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('touch owned')",
        "params.__class__",
        "eval(params)",
        "9**9**9**9**9",
        "params**99999",
        "(" * 200 + "params" + ")" * 200,
        "params" + "+params" * 500,
        "[p for p in params]",
        "10^10^10",
    ],
)
def test_code_and_bombs_in_formulas_are_refused_or_harmless(formula, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quoted = "'" + formula.replace("'", "''") + "'"
    for old in ("6*params + 6*layers*seq*width", "gpus - 32", "32\n  wall", "batch/seq >= gpus"):
        started = time.process_time()
        read(SMALL.replace(old, old.replace(old.split("\n")[0], quoted), 1))
        # Far above what it takes (milliseconds), far below what a bomb would.
        assert time.process_time() - started < 5
    assert not (tmp_path / "owned").exists()


def test_any_bytes_give_diagnostics_and_no_exception():
    raw = SMALL.encode()
    for cut in range(0, len(raw), 397):
        read_round(raw[:cut] + b"\xff" + raw[cut:], "r.yaml")
        read_round(raw[:cut] + b"{[*&!" + raw[cut:], "r.yaml")
        read_round(raw[:cut] + b": [x, {y: z}]\n" + raw[cut:], "r.yaml")
        read_round(raw[cut:], "r.yaml")
        read_round(raw[:cut], "r.yaml")


@pytest.mark.parametrize("shape", ["x", "[x]", "[[x]]", "{x: y}", "[{x: y}]", "{x: {y: z}}", ""])
def test_any_shape_under_any_key_gives_diagnostics_and_no_exception(shape):
    head = [line.split(":")[0] for line in SMALL.splitlines() if line[:1].isalpha()]
    inner = ["checks", "plan", "points", "write", "model", "at", "when", "set", "anchors", "keys"]
    for key in head:
        text = "\n".join(f"{each}: {shape if each == key else 'x'}" for each in head)
        assert read(text).diagnostics
    for key in inner:
        for parent in ("phases", "curveballs", "rubric"):
            assert read(f"round: x\n{parent}:\n  - {{id: a, {key}: {shape}}}\n").diagnostics


# --- which files are rounds ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "file", "kind"),
    [
        (b"round: x\ntitle: y\n", "a.yaml", "round"),
        (b"# a remark\nround: x\n", "decks/a.yaml", "round"),
        (b"script: strong\nround: x\n", "a.yaml", "script"),
        (b"round: x\nscript: strong\n", "a.yaml", "script"),
        (b"deck: x\ncards:\n  - {id: a, ask: q, round: x}\n", "a.yaml", "deck"),
        (b"", "problems/rounds/a.yaml", "round"),
        (b"", "problems/rounds/a.strong.yaml", "script"),
        (b"", "problems/numeric/a.yaml", "problems"),
    ],
)
def test_rounds_and_scripts_are_told_by_their_keys_then_by_their_folder(raw, file, kind):
    assert kind_of(raw, file) == kind


def test_a_case_brings_words_for_other_texts() -> None:
    text = SMALL.replace("heads: 32}", 'heads: 32, words: {cause: "a cache cold for {seq}"}}')
    text = text.replace("heads: 40}", "heads: 40, words: {cause: a slow node}}")
    text = text.replace("Done means a better score", "{cause}: done means a better score")
    reading = read_round(text.encode(), "small.yaml")
    assert reading.diagnostics == []
    assert reading.round is not None
    assert reading.round.cases[1].words == (("cause", "a slow node"),)


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("{cause: one}", "{}", "case"),
        ("{cause: one}", "{cause: one, more: two}", "case"),
        ("{params: one}", "{params: two}", "bad-symbol"),
        ("{cause: '{effect}', effect: one}", "{cause: one, effect: two}", "placeholder"),
        ("{cause: '{nothing}'}", "{cause: two}", "placeholder"),
        ("[one]", "{cause: two}", "shape"),
    ],
)
def test_words_of_cases_are_judged(first: str, second: str, code: str) -> None:
    text = SMALL.replace("heads: 32}", f"heads: 32, words: {first}}}")
    text = text.replace("heads: 40}", f"heads: 40, words: {second}}}")
    found = read_round(text.encode(), "small.yaml").diagnostics
    assert code in {one.code for one in found}
    assert {one.line for one in found} <= {12, 13}
