"""`drillkit figure` and `drillkit plan`: the same numbers as text and as JSON."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from drillkit.cli.app import run
from drillkit.figures.catalogue import FIGURES


@pytest.fixture
def drill(monkeypatch, capsys, tmp_path):
    """Run a command line; return its exit code and what it printed."""
    monkeypatch.setenv("DRILLKIT_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: object):
        monkeypatch.setattr(sys, "argv", ["drillkit", *map(str, words)])
        code = run()
        printed = capsys.readouterr()
        return SimpleNamespace(code=code, out=printed.out, err=printed.err)

    return call


@pytest.mark.parametrize("name", FIGURES)
def test_text_and_json_have_the_same_numbers_and_reading(drill, name):
    """F7."""
    document = json.loads(drill("figure", name, "--json").out)
    text = drill("figure", name, "--text").out
    assert document["figure"] == name
    assert document["reading"] in text
    for key, number in document["numbers"].items():
        assert f"{key}: {number['text']}" in text
    for key, value in document["parameters"].items():
        assert f"{key} = {value['text']}" in text
    assert all(set(one) == {"value", "unit", "text"} for one in document["numbers"].values())


def test_settings_are_read_with_their_units(drill):
    found = drill(
        "figure",
        "checkpoint",
        "--set",
        "M=24 h",
        "--set",
        "delta=3 min",
        "--set",
        "R=0.1",
        "--json",
    )
    numbers = json.loads(found.out)["numbers"]
    assert numbers["best_interval"]["value"] / 3600 == pytest.approx(1.549, abs=0.001)
    assert numbers["best_interval"]["unit"] == "s"
    found = drill("figure", "zero", "--set", "P=7e9", "N=64", "stage=3", "--json")
    assert json.loads(found.out)["numbers"]["states"]["value"] == 1.75e9


def test_a_simulation_is_run_where_it_is_asked_for(drill):
    numbers = json.loads(drill("figure", "checkpoint", "--set", "simulate=1", "--json").out)[
        "numbers"
    ]
    assert numbers["simulated_4"]["value"] == pytest.approx(0.0719, abs=0.003)
    assert "simulated_4" not in drill("figure", "checkpoint", "--text").out


def test_the_picture_keeps_to_the_width_asked_for(drill):
    for width in (60, 100):
        out = drill("figure", "pipeline", "--set", "m=64", "--text", "--width", width).out
        picture = out.split("\n\n")[1]
        assert max(map(len, picture.splitlines())) <= width


@pytest.mark.parametrize(
    "words",
    [
        ("zerro",),
        ("zero", "--set", "N"),
        ("zero", "--set", "N=much"),
        ("zero", "--set", "stage=9"),
        ("ring", "--set", "p=0"),
        ("zero", "--set", "Q=3"),
    ],
)
def test_a_wrong_call_is_told_and_ends_with_2(drill, words):
    found = drill("figure", *words, "--json")
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("error: ")


def test_without_a_name_all_figures_are_listed(drill):
    listed = drill("figure").out.splitlines()
    assert [row.split()[0] for row in listed] == list(FIGURES)
    assert len(json.loads(drill("figure", "--json").out)["figures"]) == len(FIGURES)


def test_405b_runs_with_tp_8_over_a_pipeline_and_says_why_tp_1_does_not(drill):
    call = ("plan", "llama-3-405b", "--gpus", 16_384, "--seq", 8192)
    found = drill(*call)
    assert found.code == 0
    rows = [row.split() for row in found.out.splitlines()]
    degrees = {tuple(row[:3]) for row in rows if len(row) > 10 and row[0].isdigit()}
    assert ("8", "16", "128") in degrees
    assert "TP 1 fits with full recomputation alone" in found.out
    assert "Not modelled: " in found.out
    assert "72.0 GB = 67.1 GiB" in found.out
    document = json.loads(drill(*call, "--json").out)
    deep = next(one for one in document["fitting"] if one["tp"] == 8 and one["pp"] == 16)
    assert deep["dp"] == 128
    assert sum(deep["stage_layers"]) == 126
    assert "activations alone take 73.0 GB" in document["tensor_parallel"]["1"]
    assert document["not_modelled"]
    steps = [one["step_s"] for one in document["fitting"]]
    assert steps == sorted(steps)


@pytest.mark.parametrize(
    ("model", "gpus", "seq", "degrees", "gib"),
    [
        ("llama-2-7b", 8, 4096, (1, 1, 8), 51.5),
        ("llama-3-8b", 8, 8192, (2, 1, 4), 43.2),
        ("llama-3-70b", 64, 8192, (8, 1, 8), 66.42),
    ],
)
def test_the_least_parallel_layout_under_zero_1_in_both_units(
    drill, model, gpus, seq, degrees, gib
):
    """C12."""
    call = ("plan", model, "--gpus", gpus, "--seq", seq)
    least = json.loads(drill(*call, "--json").out)["least_parallel"]["zero-1"]
    assert (least["tp"], least["pp"], least["dp"]) == degrees
    assert least["total_gib"] == pytest.approx(gib, abs=0.05)
    assert least["memory_gb"]["total"] == pytest.approx(gib * 2**30 / 1e9, abs=0.05)
    text = drill(*call).out
    tp, pp, dp = degrees
    size = f"{least['memory_gb']['total']:.1f} GB ({least['total_gib']:.1f} GiB)"
    assert f"ZeRO-1: TP {tp} PP {pp} DP {dp}, {size}" in text


def test_zero_1_of_405b_says_what_is_missing(drill):
    """M7: ZeRO-1 with activations is 84.9 GB, over 80 GB; the verdict states its unit."""
    found = drill("plan", "llama-3-405b", "--gpus", 16_384, "--zero", 1, "--recompute", "selective")
    assert found.code == 0
    assert "No layout fits." in found.out
    assert "where 72.0 GB are usable" in found.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("plan", "llama-9", "--gpus", 8), "there is no model"),
        (("plan", "llama-3-8b", "--gpus", 8, "--gpu", "h900"), "there is no GPU"),
        (("plan", "llama-3-8b", "--gpus", 0), "gpus must be"),
        (("plan", "llama-3-8b", "--gpus", 8, "--headroom", 2), "headroom"),
        (("plan", "llama-3-8b", "--gpus", 8, "--recompute", "some"), "recomputation"),
        (("plan", "llama-3-8b", "--gpus", 8, "--zero", 7), "zero_stage"),
    ],
)
def test_a_plan_that_cannot_be_made_is_told_and_ends_with_2(drill, words, said):
    found = drill(*words, "--json")
    assert found.code == 2
    assert found.out == ""
    assert said in found.err
