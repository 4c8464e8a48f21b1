"""Families that the tests of drawing and solving share, in the form of a problem file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.content.problem_reading import read_problems

if TYPE_CHECKING:
    from drillkit.content.problem import Problem

ROOT = Path(__file__).parents[2]

TEXT = """\
problems:
  - id: zero3
    title: Model states under ZeRO-3
    given:
      P: {unit: params, from: [1.3e9, 7e9, 13e9, 30e9, 70e9]}
      N: {unit: GPUs, powers_of_2: [8, 256]}
      M: {unit: GB, from: [10, 16, 24, 40, 60]}
    where: [16*P/N > 1e9, 16*P/N < 200e9]
    equations: ["M = 16*P/N"]
    find:
      M: {unit: GB, within: 2%, ask: "A model of {P} parameters on {N} GPUs: GB a GPU?"}
      N: {unit: GPUs, round: up, ask: "A model of {P} parameters, {M} a GPU: GPUs?"}
      P: {unit: params, within: 2%, ask: "{N} GPUs with {M} each: parameters?"}
    slips:
      - {id: weights-only, M: 2*P/N, says: "Only the weights of {P}."}
      - {id: optimizer-only, M: 12*P/N, says: Only the optimizer.}
      - {id: floor, N: floor(16*P/M), says: Rounded down.}
  - id: bubble
    title: Pipeline bubble
    given:
      p: {unit: stages, powers_of_2: [4, 16]}
      m: {unit: microbatches, range: [8, 64], step: 4}
      x: {unit: "%"}
    where: [m >= p, m <= 4*p]
    equations: ["x = (p-1)/(m+p-1)"]
    find:
      x: {unit: "%", within: 1%, ask: "{p} stages, {m} micro-batches: bubble?"}
      m: {unit: microbatches, round: nearest, ask: "{p} stages idle {x}: micro-batches?"}
    slips:
      - {id: ideal, x: (p-1)/m, says: Of the ideal time.}
      - {id: naive, x: (p-1)/p, says: Of one micro-batch.}
  - id: young
    title: Checkpoint interval
    given:
      delta: {unit: s, range: [5, 300], nice: true}
      M: {unit: h, range: [1, 24], log: true}
      tau: {unit: min, from: [10, 20, 30]}
    equations: ["tau = sqrt(2*delta*M)"]
    find:
      tau: {unit: min, within: 3%, ask: "{delta}, {M}: interval?"}
      delta: {unit: s, within: 3%, ask: "{M}, {tau}: time to save?", where: [delta < 600]}
    slips:
      - {id: no-two, tau: sqrt(delta*M), says: The 2 is lost.}
  - id: hours
    title: GPU-hours
    given:
      P: {unit: params, from: [7e9, 13e9, 70e9]}
      D: {unit: tokens, from: [1T, 2T, 15T]}
      mfu: {unit: "%", from: [30, 40, 50]}
      F: {unit: TFLOP/s}
      N: {unit: GPUs, from: [256, 512, 1024]}
      H: {unit: GPU-hours}
    presets:
      gpu: [a100, h100]
    equations: ["H = 6*P*D/(F*mfu)", "T = H/N"]
    find:
      T: {unit: days, within: 4%, ask: "{P}, {D}, {gpu}, {mfu}, {N} GPUs: days?"}
      mfu: {unit: "%", within: 4%, ask: "{P}, {D}, {F}, {H}: MFU?"}
    slips:
      - {id: peak, mfu: 1, says: At peak.}
      - {id: sparse, F: 2*F, says: With sparsity.}
      - {id: forward, H: 2*P*D/(F*mfu), says: Forward only.}
  - id: fit
    title: Does it fit?
    given:
      P: {unit: params, from: [7e9, 13e9, 30e9]}
      N: {unit: GPUs, from: [4, 8, 16]}
      A: {unit: GB, range: [4, 60], step: 4}
      C: {unit: GB, from: [40, 80]}
    equations: ["room = C - 16*P/N - A"]
    find:
      room: {unit: GB, within: 3%, fit: C, ask: "{P} on {N} GPUs of {C}, {A} of activations: fit?"}
    slips:
      - {id: no-activations, room: C - 16*P/N, says: The activations are missing.}
      - {id: no-sharding, room: C - 16*P - A, says: Not sharded.}
"""


def read(text: str) -> dict[str, Problem]:
    """The families of a text; it must be without fault."""
    reading = read_problems(text.encode(), "families.yaml")
    assert [str(found) for found in reading.diagnostics] == []
    return {family.id: family for family in reading.problems.problems}


FAMILIES = read(TEXT)


def questions() -> list[tuple[str, str]]:
    """Each family with each symbol that it asks for."""
    return [(name, find.symbol) for name, family in FAMILIES.items() for find in family.find]


def shipped() -> dict[str, Problem]:
    """The families that drillkit ships."""
    found: dict[str, Problem] = {}
    for path in sorted((ROOT / "problems" / "numeric").glob("*.yaml")):
        found |= {one.id: one for one in read_problems(path.read_bytes(), "x").problems.problems}
    return found
