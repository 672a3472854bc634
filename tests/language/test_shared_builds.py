"""What the builds of a check share is what each of them would make by itself, and no more than need be is made."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import pytest

from bench.shared import check
from rulespec import build
from rulespec.build import lowered
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.lower import known, program
from rulespec.lower.context import Parsed
from rulespec.lower.steps.builder import Builder, Wanted
from rulespec.lower.steps.shared import Shared
from rulespec.source.shipped import games

#: Two actions; `earn` reads a value that an option decides, through a function. `rest` reads none of it.
GAME = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2..3
  seats: [red, blue, green]
  options: {rich: {type: boolean, start: false}}
state:
  player.coins: {type: 0..20, start: 0}
  player.naps: {type: 0..20, start: 0}
functions:
  wage: {params: {more: 0..1}, type: 0..9, is: (if option.rich then 5 else 3) + more}
actions:
  earn:
    do:
      - gain: {coins: wage(1)}
  rest:
    do:
      - set: me.naps
        to: min(me.naps + 1, 20)
flow:
  - turns: player
    do:
      - perform: earn
      - perform: rest
ranking:
  - most: player.coins
"""


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the blocks that are made."""
    found: list[str] = []
    make = program.make_block

    def noted(builder: Builder, wanted: Wanted) -> None:
        found.append(wanted.key[0])
        make(builder, wanted)

    monkeypatch.setattr(program, "make_block", noted)
    return found


def _blocks(tmp_path: Path, made: list[str], settings: list[tuple[int, dict[str, bool]]]) -> list[set[str]]:
    """Which blocks each of these builds, one after the other, has made."""
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "game.yaml").write_text(GAME, encoding="utf-8")
    source = read_game(str(tmp_path / "demo"), problems := Problems())
    assert source is not None
    shared, found = Shared(), []
    for players, options in settings:
        made.clear()
        lowered(source.base, players, options, problems, Parsed(), shared)
        found.append(set(made))
    assert not problems.has_errors
    return found


def test_the_same_build_makes_nothing_again(tmp_path: Path, made: list[str]) -> None:
    first, again = _blocks(tmp_path, made, [(2, {}), (2, {})])
    assert first == {"main", "end", "watch", "setup", "flow", "earn", "rest"}
    assert again == set()


def test_only_what_reads_an_option_is_made_again(tmp_path: Path, made: list[str]) -> None:
    """`earn` calls a function whose value hangs on the option: nothing else does."""
    _, rich, poor = _blocks(tmp_path, made, [(2, {}), (2, {"rich": True}), (2, {"rich": False})])
    assert rich == {"earn"}
    assert poor == set()  # as in the first


def test_a_gain_is_that_of_its_own_build(tmp_path: Path) -> None:
    """wage(1) is 3 + 1 or 5 + 1, by hand."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    shared, gains = Shared(), []
    for rich in (False, True, False):
        built = lowered(source.base, 2, {"rich": rich}, Problems(), Parsed(), shared)
        (gain,) = (instr for instr in built.program.instrs if instr.op == "gain")
        gains.append(built.context.evaluate(gain.args[2], source.base.span))
    assert gains == [4, 6, 4]


def test_what_takes_too_much_room_is_made_for_each_build(tmp_path: Path, made: list[str]) -> None:
    """Nothing of the declarations is kept, so that nothing is known to be the same."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    shared = Shared()
    shared.known.room = 0
    for _ in range(2):
        made.clear()
        lowered(source.base, 2, {}, Problems(), Parsed(), shared)
        assert len(made) == 7  # main, end, watch, setup, flow, earn, rest


#: The same wrong step is in two blocks of the base, and alone in the variant.
WRONG = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2
  seats: [red, blue]
state:
  player.coins: {type: 0..9, start: 3}
effects:
  e:
    do:
      - require: me.coins > 0
        rule: lab
      - require: nix
setup:
  - perform: e
  - perform: e without lab
flow:
  - finish: game
ranking:
  - most: player.score
"""
VARIANT = """\
variant:
  id: lifted
  title: {en: Lifted}
  changes:
    - replace: setup
      steps:
        - perform: e without lab
"""


def test_what_is_wrong_in_two_blocks_makes_nothing_else_wrong(tmp_path: Path) -> None:
    """One unknown name is one error: no build plays the block that could not be made."""
    (tmp_path / "game.yaml").write_text(WRONG, encoding="utf-8")
    (tmp_path / "lifted.yaml").write_text(VARIANT, encoding="utf-8")
    source = read_game(str(tmp_path), problems := Problems())
    assert source is not None
    check_game(source, [], problems)
    assert [problem.code for problem in problems.errors] == ["RS301"]


@pytest.mark.parametrize("name", ["tic_tac_toe", "reversi", "hex", "breakthrough"])
def test_builds_of_shipped_games_are_what_they_would_be_alone(name: str) -> None:
    compared, different = check(games()[name])
    assert compared > 0
    assert different == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["agora_barcelona", "metro", "barcelona"])
def test_so_are_those_of_the_large_ones(name: str) -> None:
    compared, different = check(games()[name])
    assert compared > 40
    assert different == []


STATED = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2..3
  options: {rich: {type: boolean, start: false}}
values:
  wage: {is: if option.rich then 5 else 3}
  rounds: 4
checks:
  - {is: wage * rounds < 20, about: there are not more coins}
  - rounds == 4
flow: []
ranking: []
"""


def _stated(tmp_path: Path, settings: list[tuple[int, bool]], shared: Shared | None) -> list[tuple[list[str], int]]:
    """What is said of each build, and how many steps declaring it took."""
    (tmp_path / "demo").mkdir(exist_ok=True)
    (tmp_path / "demo" / "game.yaml").write_text(STATED, encoding="utf-8")
    source = read_game(str(tmp_path / "demo"), Problems())
    assert source is not None
    found, parsed = [], Parsed()
    for players, rich in settings:
        problems = Problems()
        own = Shared() if shared is None else shared
        built = lowered(source.base, players, {"rich": rich}, problems, parsed, own)
        found.append(([p.code for p in problems.items], built.context.steps_to_declare))
    return found


def test_a_statement_is_looked_at_again_where_what_it_reads_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    run = build._run_check
    monkeypatch.setattr(
        build, "_run_check", lambda cx, entry, problems: (looked_at.append(entry.span.text), run(cx, entry, problems))
    )
    settings = [(2, False), (3, False), (2, True), (3, True)]
    together = _stated(tmp_path, settings, Shared())
    # 3 * 4 is less than 20, 5 * 4 is not; a number of players is read by neither
    assert [codes for codes, _ in together] == [[], [], ["RS718"], ["RS718"]]
    assert [text for text in looked_at if text == "rounds == 4"] == ["rounds == 4"]
    assert len([text for text in looked_at if "wage" in text]) == 3  # what is wrong is looked at each time
    assert together == _stated(tmp_path, settings, None), "the work of declaring counts as it would alone"


@pytest.mark.parametrize("name", ["connect_four", "agora_barcelona"])
def test_work_counts_as_if_nothing_had_been_made_before(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many combinations a check looks at hangs on its work, and must not hang on what a process did before."""
    monkeypatch.setattr(known, "_KNOWN", OrderedDict())
    source = read_game(str(games()[name]), Problems())
    assert source is not None
    steps = [lowered(source.base, 2, {}, Problems(), Parsed()).context.steps_to_declare for _ in range(2)]
    assert known._KNOWN, "nothing is remembered, so that nothing is tested"
    assert steps[0] == steps[1] > 0
