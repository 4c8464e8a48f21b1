"""Design rounds for the tests of their numbers, built without files."""

from __future__ import annotations

from drillkit.content.round import (
    Assumption,
    Case,
    Check,
    Curveball,
    Derived,
    Fact,
    Phase,
    PlanCheck,
    Point,
    Round,
    Rule,
    Slip,
    Trigger,
)

POINT = Point(id="says", say="Says so.", ask="What is said?")

JOB = tuple(
    {
        "params": "params",
        "layers": "layers",
        "hidden": "width",
        "heads": "heads",
        "seq": "seq",
        "batch": "batch",
        "gpus": "gpus",
        "node": "8",
        "hbm": "hbm",
        "peak": "peak",
        "intra": "450e9",
        "inter": "inter",
    }.items()
)

FIELDS = ("tp", "pp", "dp", "zero", "micro_batch")
FITS = Rule("memory <= 0.9*hbm", "It does not fit {hbm}.")
IN_NODE = Rule("tp <= 8", "TP {tp} leaves the node.")


def plan(model, *rules):
    return PlanCheck(
        fields=FIELDS,
        valid=rules or (FITS, IN_NODE),
        model=tuple(zip(FIELDS, model, strict=True)),
        job=JOB,
    )


def facts(**values):
    units = {
        "params": "params",
        "tokens": "tokens",
        "gpus": "GPUs",
        "heads": "heads",
        "batch": "sequences",
        "hbm": "GB",
        "peak": "TFLOP/s",
        "inter": "GB/s",
        "days": "days",
    }
    return tuple(
        Fact(symbol=symbol, value=value, unit=units.get(symbol, ""))
        for symbol, value in values.items()
    )


THIRTEEN = Round(
    id="pretrain-13b-96",
    title="Pretrain a 13B decoder on 96 GPUs",
    prompt="We want our own {params} decoder on {gpus} GPUs.",
    cases=(
        Case("13B", (("params", "13e9"), ("layers", "40"), ("width", "5120"), ("heads", "40"))),
        Case("7B", (("params", "7e9"), ("layers", "32"), ("width", "4096"), ("heads", "32"))),
    ),
    facts=(
        Fact(symbol="params", name="parameters", unit="params"),
        Fact(symbol="layers"),
        Fact(symbol="width"),
        Fact(symbol="heads"),
        Fact(symbol="seq", value="4096", unit="tokens"),
        Fact(symbol="tokens", name="training tokens", value="600e9", unit="tokens"),
        Fact(symbol="batch", value="1536", unit="sequences"),
        Fact(symbol="gpus", name="GPUs", value="96", vary=("64", "96", "128"), unit="GPUs"),
        Fact(symbol="hbm", value="80 GB", unit="GB"),
        Fact(symbol="peak", value="989 TFLOP/s", unit="TFLOP/s"),
        Fact(
            symbol="inter",
            value="50 GB/s",
            vary=("25 GB/s", "50 GB/s"),
            unit="GB/s",
            say="Each GPU has {inter} between nodes.",
        ),
        Fact(symbol="days", value="30", unit="days"),
        Fact(symbol="done", say="Done means a lower loss than the last one."),
    ),
    assume=(
        Assumption(symbol="mfu", name="MFU", default="40%", range=("25%", "55%")),
        Assumption(symbol="goodput", default="90%", range=("70%", "100%")),
    ),
    derive=(
        Derived(symbol="lost", expr="gpus/3", unit="GPUs"),
        Derived(symbol="act_two", expr="2*act", unit="GB"),
    ),
    where=("16*params/gpus < 0.5*hbm",),
    phases=(
        Phase(
            id="compute",
            minutes=5,
            row="numbers",
            points=(POINT,),
            checks=(
                Check(
                    id="flops_tok",
                    ask="training FLOPs per token",
                    expr="6*params + 6*layers*seq*width",
                    unit="FLOP",
                    tol="10%",
                    slips=(Slip("2*params", "2Ψ is the forward pass alone."),),
                ),
                Check(
                    id="gpu_hours",
                    ask="GPU-hours",
                    expr="tokens*flops_tok/(peak*mfu)",
                    unit="GPU-h",
                    tol="10%",
                    diagnose=(("2.5", "The MFU is left out of {mfu}?"),),
                ),
                Check(
                    id="wall",
                    ask="days",
                    expr="gpu_hours/gpus/goodput",
                    unit="days",
                    tol="5%",
                ),
                Check(
                    id="fewest",
                    ask="GPUs needed",
                    expr="gpu_hours/(days*goodput)",
                    unit="GPUs",
                    tol="exact",
                    round="up",
                ),
            ),
        ),
        Phase(
            id="memory",
            minutes=5,
            row="memory",
            points=(POINT,),
            checks=(
                Check(id="states", ask="states", expr="16*params", unit="GB", tol="5%"),
                Check(
                    id="act", ask="activations", expr="34*seq*width*layers", unit="GB", tol="10%"
                ),
                Check(id="sharded", ask="states per GPU", expr="states/gpus", unit="GB"),
                Check(id="reduce", ask="all-reduce", expr="4*params/inter", unit="s"),
                Check(id="share", ask="share", expr="act/hbm", unit="%", tol="5%"),
            ),
        ),
        Phase(
            id="layout",
            minutes=7,
            row="layout",
            points=(POINT,),
            plan=plan(("1", "1", "gpus", "2", "1")),
            model=("TP {tp} × DP {dp}: {act} of activations, {states} of states.",),
        ),
    ),
    curveballs=(
        Curveball(
            id="lose-a-rack",
            say="We lose a rack: {lost} GPUs are gone.",
            trigger=Trigger(phase="layout", after_s=100),
            set=(("gpus", "gpus - lost"), ("batch", "gpus*16")),
        ),
    ),
)
"""Numbers recomputed: 8.30e10 FLOP/token, 34,980 GPU-h, 208 GB, 28.5 GB; 16.9 days on 96 GPUs."""


def planned(identity, model, *rules, **values):
    """A round of one phase that asks for a layout."""
    shared = {"hbm": "80", "peak": "989", "inter": "50"}
    return Round(
        id=identity,
        title=identity,
        prompt="Plan it.",
        facts=facts(**(shared | values)),
        phases=(
            Phase(id="layout", minutes=7, row="layout", points=(POINT,), plan=plan(model, *rules)),
        ),
    )


SEVENTY = planned(
    "seventy", ("8", "4", "32", "1", "1"),
    params="70e9", layers="80", width="8192", heads="64", seq="8192", batch="1024", gpus="1024",
)  # fmt: skip
"""70B on 1,024 H100: TP 8, PP 4, DP 32 has 9.57 GB of states and 22.8 GB of activations."""

LLAMA_405 = planned(
    "llama-405b", ("8", "16", "128", "3", "1"), Rule("memory <= hbm", "It does not fit {hbm}."),
    params="405e9", layers="126", width="16384", heads="128", seq="8192", batch="2048",
    gpus="16384",
)  # fmt: skip
"""405B on 16,384 GPUs: 13.0 + 71.9 = 84.9 GB under ZeRO-1, 72.3 GB under ZeRO-3."""
