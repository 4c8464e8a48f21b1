"""`check`, `new` and `schema` of design rounds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from plain_schema import faults

from drillkit.authoring.check import check
from drillkit.authoring.drills import bundled_families
from drillkit.authoring.round_check import judge_rounds
from drillkit.authoring.round_starter import round_schema, write_round
from drillkit.content.kind import kind_of
from drillkit.content.round import Round
from drillkit.content.round_reading import read_round
from drillkit.content.schema import keys_of
from drillkit.content.script_reading import read_script
from drillkit.errors import DrillkitError
from drillkit.settings import bundled_content

SMALL = Path(__file__).parent.parent / "cases" / "small_round.yaml"
SCRIPT = """\
script: strong
round: small
verdict: [no hire, lean no hire]
steps:
  - {at: "2:00", phase: compute}
"""


@pytest.fixture
def small(tmp_path):
    """Write the small round with parts replaced; return its file."""

    def written(*changes: tuple[str, str]) -> Path:
        text = SMALL.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "small.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def told(*paths: Path) -> list[tuple[str, int, str]]:
    """What check tells; that a round has no script to prove it is another matter."""
    found = check(paths).diagnostics
    return [(one.code, one.line, one.message) for one in found]


# --- check ---------------------------------------------------------------------------------------


def test_check_counts_rounds_apart_from_cards_and_problems(small, tmp_path):
    (tmp_path / "small.strong.yaml").write_text(SCRIPT)
    small()
    assert told(tmp_path) == []
    verdict = check([tmp_path])
    assert (verdict.files, verdict.rounds, verdict.cards, verdict.problems) == (2, 1, 0, 0)


def test_faults_of_a_round_are_told_with_its_name(small):
    path = small(("minutes: 14", "minutes: 20"))
    verdict = check([path])
    assert (verdict.rounds, verdict.errors) == (0, 1)
    (found,) = verdict.diagnostics
    assert str(found).startswith(f"{path}:5:10: error: round small: the phases take 14 minutes")


def test_check_that_sends_to_no_problem_is_told(small):
    family = min(bundled_families())
    assert (
        told(small(("        weight: 2\n    points", f"        drill: {family}\n    points"))) == []
    )
    path = small(("        weight: 2\n    points", f"        drill: {family}x\n    points"))
    (found,) = (one for one in check([path]).diagnostics if one.severity == "error")
    line = path.read_text().splitlines().index(f"        drill: {family}x") + 1
    assert (found.code, found.line, found.column) == ("unknown-drill", line, 16)
    assert found.hint == f"did you mean `{family}`?"


def test_check_may_send_to_a_problem_beside_it(small, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text(
        "problems:\n  - id: own-one\n    title: t\n"
        "    given: {P: {name: parameters, unit: params, from: [7e9, 8e9]}}\n"
        "    equations: ['M = 2*P']\n"
        "    find: {M: {unit: GB, ask: 'Weights of {P} parameters?'}}\n"
    )
    path = small(("        weight: 2\n    points", "        drill: own-one\n    points"))
    assert "unknown-drill" in {code for code, *_ in told(path)}
    assert "unknown-drill" not in {code for code, *_ in told(path, own)}


def test_script_is_judged_against_its_round(small, tmp_path):
    script = tmp_path / "small.strong.yaml"
    script.write_text(SCRIPT.replace("phase: compute", "phase: layout"))
    path = small()
    wrong = ("order", 5, "the next phase is 'compute', not 'layout'")
    assert wrong in told(path, script)
    assert told(script) == [wrong]


def test_script_without_a_round_is_told(tmp_path):
    script = tmp_path / "small.strong.yaml"
    script.write_text(SCRIPT)
    assert told(script) == [("unknown-round", 2, "there is no round 'small'")]


def test_script_of_a_round_with_faults_is_not_blamed(small, tmp_path):
    script = tmp_path / "small.strong.yaml"
    script.write_text(SCRIPT)
    assert {code for code, *_ in told(small(("minutes: 14", "minutes: 20")), script)} == {"minutes"}


def test_fix_leaves_a_round_as_it_is(small):
    path = small()
    before = path.read_bytes()
    assert check([path], fix=True).fixed == ()
    assert path.read_bytes() == before


def test_bundled_rounds_have_nothing_to_mend():
    """Here by their text alone: what is proved of them on many draws has tests of its own."""
    folder = bundled_content() / "problems" / "rounds"
    files = {str(path): path.read_bytes() for path in folder.glob("*.yaml")}
    kinds = {name: kind_of(raw, name) for name, raw in files.items()}
    rounds = {n: read_round(raw, n) for n, raw in files.items() if kinds[n] == "round"}
    scripts = {n: read_script(raw, n) for n, raw in files.items() if kinds[n] == "script"}
    found = [
        one for reading in (*rounds.values(), *scripts.values()) for one in reading.diagnostics
    ]
    assert [str(one) for one in (*found, *judge_rounds(rounds, scripts, set()))] == []
    assert len(rounds) + len(scripts) == len(files) > 0


# --- new -----------------------------------------------------------------------------------------


def test_new_round_has_nothing_to_mend(tmp_path):
    path = write_round(tmp_path / "Our Round")
    assert told(path) == []
    assert check([path]).rounds == 1
    found = read_round(path.read_bytes(), "r").round
    assert (found.id, found.title) == ("our-round", "Our round")


def test_new_round_is_never_written_over_a_file(tmp_path):
    write_round(tmp_path / "a")
    with pytest.raises(DrillkitError, match="there is a file already"):
        write_round(tmp_path / "a")


def test_new_round_tells_of_every_key_and_fits_the_width(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = write_round(Path("a")).read_text(encoding="utf-8")
    words = set(re.findall(r"[a-z0-9_]+", text))
    assert sorted(_keys(round_schema()) - words) == []
    assert max(len(line) for line in text.splitlines()) <= 100


def _keys(schema: Any) -> set[str]:
    """All names of properties and all words of enums in a schema."""
    if isinstance(schema, list):
        return set().union(*(_keys(one) for one in schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema.get("properties", {})) | set(schema.get("enum", ()))
    return found.union(*(_keys(one) for one in schema.values()))


# --- the schema ----------------------------------------------------------------------------------


def plain_yaml(path: Path) -> Any:
    """A file as an editor's YAML reads it, with the keys as JSON has them."""

    def keyed(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): keyed(one) for key, one in value.items()}
        return [keyed(one) for one in value] if isinstance(value, list) else value

    with path.open("rb") as source:
        return keyed(yaml.load(source, yaml.CSafeLoader))


def round_files() -> list[Path]:
    bundled = (bundled_content() / "problems" / "rounds").glob("*.yaml")
    return [SMALL, *sorted(path for path in bundled if "." not in path.stem)]


@pytest.mark.parametrize("path", round_files(), ids=lambda path: path.stem)
def test_schema_takes_every_round_that_drillkit_takes(path):
    assert faults(plain_yaml(path), round_schema()) == []


def test_schema_takes_a_new_round(tmp_path):
    assert faults(plain_yaml(write_round(tmp_path / "a")), round_schema()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Pretrain", "tittle: Pretrain"),
        ("round: small", "round: Not An Id"),
        ("minutes: 14", "minutes: long"),
        ("level: senior\n", "level: junior\n"),
        ("kind: deadline", "kind: dedline"),
        ("expr: 6*params", "formula: 6*params"),
        ('window: ["11:30", "12:30"]', 'window: ["11:30", "12:30"]\n    when: plan.tp > 8'),
        ('after: "1:00"', 'after: "1 minute"'),
        ("micro_batch]", "micro]"),
        ("        seq: seq\n", ""),
        ("mid: {3", "mid: {7"),
    ],
)
def test_schema_refuses_what_check_refuses(small, old, new):
    path = small((old, new))
    assert check([path]).errors
    assert faults(plain_yaml(path), round_schema())


def test_schema_has_every_key_of_a_round():
    own = {"id", "path", "line", "cards_max"}
    known = set(round_schema()["properties"])
    assert known == (set(keys_of(Round)) - own) | {"round", "cards"}
