"""The words of a case stand in the texts of a round."""

from __future__ import annotations

import msgspec
from rounds_table import small_round

from drillkit.content.round import Case
from drillkit.rounds.draw import draw
from drillkit.rounds.solve import fact_text, fill_text, start


def test_words_follow_the_case_that_is_drawn_and_may_hold_numbers() -> None:
    cases = tuple(
        Case(case.name, case.values, (("cause", f"slow since {{seq}} ({case.name})"),))
        for case in small_round().cases
    )
    round_ = msgspec.structs.replace(small_round(), cases=cases)
    told = set()
    for seed in range(12):
        drawn = draw(round_, seed)
        text = fill_text(drawn, "The job is {cause}.", start(drawn))
        assert text == f"The job is slow since 4,096 ({drawn.case})."
        told.add(text)
    assert len(told) == 2
    done = next(fact for fact in round_.facts if fact.symbol == "done")
    said = msgspec.structs.replace(done, say="{cause}")
    assert fact_text(draw(round_, 0), said, start(draw(round_, 0))) == "slow since 4,096 (7B)"
