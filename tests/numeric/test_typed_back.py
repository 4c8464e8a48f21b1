"""Ten thousand variants of the shipped families, each typed back and judged, as people would."""

from __future__ import annotations

import pytest
from families import shipped

from drillkit.authoring.proofs import SEEDS
from drillkit.authoring.typed import answers_in_units, slip_text
from drillkit.numeric.fit import judge_variant
from drillkit.numeric.sample import draw


@pytest.mark.slow
@pytest.mark.parametrize("family", shipped().values(), ids=shipped())
def test_no_verdict_is_wrong(family):
    """The right answer is right in every unit; each mistake is known by its name."""
    for seed in range(SEEDS):
        variant = draw(family, seed)
        for text in answers_in_units(variant):
            verdict = judge_variant(text, variant)
            assert verdict.right, (variant.ask, text, verdict)
        for slip in variant.slips:
            text = slip_text(variant, slip.value)
            named = {one.id for one in judge_variant(text, variant).slips}
            assert slip.id in named, (variant.ask, text, named)
