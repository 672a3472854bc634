"""Small faults in declarations: how they are made, and that the shipped scenarios notice them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.mutants import Mutant, mutants_of, put_in
from bench.mutate import LEAST, Bench, chosen, known_survivors, run
from interpreter import load
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.scenarios.islands import source_of

#: Of more mutants than these a sample is tried; all of them by `python -m bench.mutate GAME`.
MOST = 40
SHIPPED = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "reversi",
    "hex",
    "english_draughts",
    "spades",
    "agora_barcelona",
)


def mutants(folder: Path) -> dict[str, Mutant]:
    source = source_of(folder / "islands", "  one:\n    then:\n      - true\n")
    return {m.name: m for m in mutants_of(source, load(str(folder / "islands"), players=3).world)}


def test_every_sort_of_fault_is_made(tmp_path: Path) -> None:
    found = mutants(tmp_path)
    for name in (
        "actions.land.do[require me.luck < 3].require: < -> <= in `me.luck < 3`",
        "actions.land.do[require me.luck < 3].require: < -> >= in `me.luck < 3`",
        "actions.land.do[require me.luck < 3].require: 3 -> 4",
        "actions.land.do[require me.luck < 3].require: 3 -> 2",
        "actions.land.do[require me.luck < 3]: step dropped",
        "actions.land.do[choose island].where: condition dropped",
        "actions.land.do[choose island].where: not exists island.ship -> exists island.ship",
        "actions.land.do[gain].gain.luck: 1 -> 2",
        "pieces.ship.count: 3 -> 2",
        "zones.player.purse.up_to: 2 -> 3",
        "boards.sea.island.rows.north: row dropped",
        "setup[move take(1, box.coin)].to: red -> green",
        "flow[repeat].until: == -> != in `round == 3`",
        "ranking[most player.score].most: most -> least",
        "end[for_each player]: step dropped",
    ):
        assert name in found, name


def test_words_are_left_alone(tmp_path: Path) -> None:
    sections = {name.partition(".")[0].partition("[")[0] for name in mutants(tmp_path)}
    assert sections == {"boards", "pieces", "zones", "state", "actions", "triggers", "setup", "flow", "end", "ranking"}


def test_a_fault_is_put_in_and_nothing_else(tmp_path: Path) -> None:
    found = mutants(tmp_path)
    source = read_game(str(tmp_path / "islands"), Problems())
    assert source is not None
    mutant = found["actions.land.do[require me.luck < 3].require: < -> <= in `me.luck < 3`"]
    changed = put_in(source, mutant, Problems())
    old, new = source.trees[mutant.file].span.file.text, changed.trees[mutant.file].span.file.text
    assert new == old.replace("require: me.luck < 3", "require: me.luck <= 3")


def test_a_dropped_step_leaves_the_others(tmp_path: Path) -> None:
    source = source_of(tmp_path / "islands", "  one:\n    then:\n      - true\n")
    world = load(str(tmp_path / "islands"), players=3).world
    mutant = next(m for m in mutants_of(source, world) if m.name == "end[for_each player]: step dropped")
    problems = Problems()
    changed = put_in(source, mutant, problems)
    assert not len(problems)
    assert changed.base.get("end").items == ()
    assert changed.base.get("flow") is source.base.get("flow")


def test_verdicts(tmp_path: Path) -> None:
    """Red lands with luck 2, and then has 3: a bound of 2 is noticed, one of 4 is not; no step may lose its names."""
    text = (
        "  one:\n    given:\n      red.luck: 2\n    play:\n      - red: land north\n    then:\n      - red.luck == 3\n"
    )
    source_of(tmp_path / "islands", text)
    bench = Bench.of(str(tmp_path / "islands"))
    results = {bench.mutants[v.number].name: v for v in map(bench.judge, range(len(bench.mutants)))}
    at = "actions.land.do[require me.luck < 3].require"
    assert (results[f"{at}: 3 -> 2"].result, results[f"{at}: 3 -> 2"].by) == ("killed", "one")
    assert results[f"{at}: 3 -> 4"].result == "survived"
    assert results["actions.land.do[choose island]: step dropped"].result == "invalid"
    assert not [v for v in results.values() if v.result == "crashed"]


BOLD = """\
variant:
  id: bold
  title: {en: "Bold"}
  changes:
    - wrap: actions.land.do
      after:
        - score: prize
          reason: boldness
values:
  prize: 2
enums:
  mood: [calm, keen]
state:
  temper: {type: mood, start: calm}
"""

BOLD_SCENARIOS = """\
variant:
  id: bold
scenarios:
  landing_pays:
    play:
      - red: land north
    then:
      - red.score == 2 and temper == calm
"""


def test_faults_in_a_variant(tmp_path: Path) -> None:
    """They are put before the scenarios with the variant on, in whichever of its files, and before no others."""
    source_of(tmp_path / "islands", "  idle:\n    play: []\n    then:\n      - false\n")
    (tmp_path / "islands" / "bold.yaml").write_text(BOLD, encoding="utf-8")
    (tmp_path / "islands" / "tests_of_bold.yaml").write_text(BOLD_SCENARIOS, encoding="utf-8")
    bench = Bench.of(str(tmp_path / "islands"))
    numbers = [n for n, mutant in enumerate(bench.mutants) if mutant.variant == "bold"]
    results = {bench.mutants[n].name: bench.judge(n) for n in numbers}
    killed = {name for name, verdict in results.items() if (verdict.result, verdict.by) == ("killed", "landing_pays")}
    assert {"bold: values.prize: 2 -> 3", "bold: state.temper.start: calm -> keen"} <= killed
    assert not [v for v in results.values() if v.by == "idle"]


def test_a_sample_depends_on_its_seed_alone() -> None:
    assert chosen(10, None, 0) == list(range(10))
    assert chosen(100, 5, 1) == chosen(100, 5, 1) != chosen(100, 5, 2)
    assert len(set(chosen(100, 50, 3))) == 50


@pytest.mark.parametrize("game", SHIPPED)
def test_explained_survivors_are_there(game: str) -> None:
    names = {mutant.name for mutant in Bench.of(game).mutants}
    assert known_survivors(game).keys() <= names
    assert all(len(reason) > 20 for reason in known_survivors(game).values())


@pytest.mark.long
@pytest.mark.parametrize("game", SHIPPED)
def test_scenarios_notice_faults(game: str) -> None:
    report = run(game, limit=MOST, seed=1, jobs=2)
    assert not [f"{m.span.file.name}:{m.span.line}: {m.name}" for m in report.unexplained]
    assert report.count("crashed") == 0
    assert report.rate >= LEAST
