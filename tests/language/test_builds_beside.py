"""A build beside an earlier one: only what may come out otherwise is declared, made and looked at again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.shared import check
from rulespec import build
from rulespec.build import lowered
from rulespec.built import Built
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.lower import program
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import Parsed
from rulespec.lower.ir import Instr, Ir, PlaceOf, walk_ir
from rulespec.lower.offers.walk import Walk
from rulespec.lower.steps.shared import Shared

#: A function reads `rich`, the action `rest` alone reads `tired`, nothing reads `idle`. Cards are hidden, and `earn`
#: sets off `again`, which may set itself off: so a walk comes to a call that is still being gone through.
GAME = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2..3
  seats: [red, blue, green]
  options:
    rich: {type: boolean, start: false}
    tired: {type: boolean, start: false}
    idle: {type: boolean, start: false}
state:
  player.coins: {type: 0..20, start: 0}
  player.naps: {type: 0..20, start: 0}
pieces:
  card: {count: 12}
zones:
  player.hand: {shape: pool, holds: card, front: owner}
functions:
  wage: {params: {more: 0..1}, type: 0..9, is: (if option.rich then 5 else 3) + more}
actions:
  earn:
    do:
      - gain: {coins: wage(1)}
  rest:
    do:
      - if: option.tired
        then:
          - set: me.naps
            to: min(me.naps + 1, 20)
      - require: me.naps < 19
triggers:
  again:
    when: {becomes: player.coins > 10}
    do:
      - set: player.coins
        to: 0
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
def source(tmp_path: Path) -> GameSource:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    found = read_game(str(tmp_path), problems := Problems())
    assert found is not None
    assert not problems.has_errors
    return found


class _Builds:
    """Builds one after the other, with what was done for the last one."""

    def __init__(self, source: GameSource, monkeypatch: pytest.MonkeyPatch) -> None:
        self._source, self._parsed, self._shared = source, Parsed(), Shared()
        self.declared, self.asked, self.walked = 0, list[str](), 0
        declare, shared, through = build.declare, program.make_shared, Walk._through

        def declared(*args: object) -> object:
            self.declared += 1
            return declare(*args)  # type: ignore[arg-type]

        def asked(*args: object) -> object:
            self.asked.append(args[3].key[0])  # type: ignore[attr-defined]
            return shared(*args)  # type: ignore[arg-type]

        def walked(*args: object) -> object:
            self.walked += 1
            return through(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(build, "declare", declared)
        monkeypatch.setattr(program, "make_shared", asked)
        monkeypatch.setattr(Walk, "_through", walked)

    def make(self, **options: bool) -> Built:
        self.declared, self.walked = 0, 0
        self.asked.clear()
        problems = Problems()
        built = lowered(self._source.base, 2, options, problems, self._parsed, self._shared)
        assert not len(problems)
        return built


def test_an_option_that_nothing_reads_costs_nothing(source: GameSource, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = _Builds(source, monkeypatch)
    builds.make()
    assert builds.declared == 1
    assert builds.walked > 0
    builds.make(idle=True)
    assert (builds.declared, builds.asked, builds.walked) == (0, [], 0)


def test_an_option_of_one_action_makes_that_alone(source: GameSource, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read by no declaration; the block of `rest` is the only one that may be another one."""
    builds = _Builds(source, monkeypatch)
    builds.make()
    built = builds.make(tired=True)
    assert (builds.declared, builds.asked) == (0, ["rest"])
    assert [instr.op for instr in built.program.instrs].count("store") > 0
    assert built.context.world.options["tired"].value == 1  # type: ignore[attr-defined]


def test_an_option_that_a_function_reads_is_declared_anew(source: GameSource, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = _Builds(source, monkeypatch)
    builds.make()
    builds.make(rich=True)
    assert (builds.declared, builds.asked) == (1, ["earn"])


def test_the_work_counts_as_if_all_were_declared(source: GameSource, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = _Builds(source, monkeypatch)
    builds.make()
    found = builds.make(idle=True, tired=True).context.steps_to_declare
    alone = lowered(source.base, 2, {"idle": True, "tired": True}, Problems(), Parsed()).context.steps_to_declare
    assert found == alone


def test_all_builds_are_as_each_by_itself(source: GameSource, tmp_path: Path) -> None:
    """Two and three players, with three options: none, each, and pairs of them."""
    compared, differences = check(tmp_path)
    assert compared >= 2 * 4
    assert differences == []


#: `dear` takes few steps, or 40³ with the option; the action that asks it has the same instructions either way.
DEAR = """\
game:
  {id: dear, language: 1, title: {en: "Dear"}, players: 1, seats: [red], options: {rich: {type: boolean, start: false}}}
boards: {land: {cell: {for: {x: 0..39}}}}
state: {player.coins: {type: 0..20, start: 0}, cell.n: {type: 0..20, start: 0}}
functions:
  many: {params: {more: 0..9}, type: integer, is: count(a in cell where count(b in cell where a.n == b.n + more) > 3)}
  dear:
    params: {more: 0..9}
    type: boolean
    is: if option.rich then any(c in cell where many(more) > c.n) else more > 5
actions:
  earn:
    params: {spot: cell}
    do:
      - if: not dear(red.coins)
        then: [{set: spot.n, to: 3}]
      - require: red.coins < 19
flow:
  - perform: earn(cell[0])
ranking: [{most: player.coins}]
"""


def test_a_function_that_gets_dearer_takes_of_the_look_ahead(tmp_path: Path) -> None:
    """40³ steps are more than 20,000: with the option fewer nodes are looked at, whatever was built before."""
    (tmp_path / "game.yaml").write_text(DEAR, encoding="utf-8")
    found = read_game(str(tmp_path), problems := Problems())
    assert found is not None
    assert not problems.has_errors
    shared, parsed = Shared(), Parsed()
    caps = [
        lowered(found.base, 1, options, Problems(), parsed, shared).program.look_cap
        for options in ({}, {"rich": True}, {})
    ]
    assert caps[0] == caps[2] == 20_000
    assert caps[1] < 20_000


def test_a_constraint_that_is_wrong_is_told_for_each(tmp_path: Path) -> None:
    """Of declarations with a fault nothing is remembered, so that each build finds it."""
    text = GAME.replace("tired: {type: boolean, start: false}", "tired: {type: boolean, start: false, constraint: nix}")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    found = read_game(str(tmp_path), Problems())
    assert found is not None
    shared, parsed = Shared(), Parsed()
    for options in ({}, {"idle": True}):
        lowered(found.base, 2, options, problems := Problems(), parsed, shared)
        assert [problem.code for problem in problems.items] == ["RS301"]


#: For two and three players a state and the zones have other numbers of places, and cards in hands begin elsewhere.
#: `bid` speaks of the state alone; a card that is moved is asked for its place among all zones, which begins elsewhere.
SEATED = """\
game: {id: seated, language: 1, title: {en: "Seated"}, players: 2..3, seats: [red, blue, green]}
state: {pot: {type: 0..20, start: 0}, player.bids: {type: 0..99, start: 0}}
pieces: {card: {count: 12}}
zones:
  player.hand: {shape: pool, holds: card, up_to: 12 // player_count}
  player.kept: {shape: stack, holds: card}
triggers:
  bare: {when: {emptied: player.kept}, do: [{set: pot, to: "min(pot + 1, 20)"}]}
actions:
  bid: {do: [{gain: {bids: 1}}]}
  clear:
    do:
      - choose: taken
        from: me.kept
      - move: taken
        to: box.card
setup:
  - for_each: player
    do: [{draw: 12 // player_count, from: box.card, to: player.hand}]
flow:
  - turns: player
    do:
      - perform: bid
      - {draw: 1, from: me.hand, to: me.kept}
      - perform: clear
ranking: [{most: player.bids}]
"""


def test_builds_for_other_numbers_of_players_are_as_each_by_itself(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(SEATED, encoding="utf-8")
    compared, differences = check(tmp_path)
    assert compared >= 2
    assert differences == []


def test_a_block_that_reads_no_number_of_places_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.yaml").write_text(SEATED, encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    made, shared, parsed, problems = list[str](), Shared(), Parsed(), Problems()
    make = program.make_block
    monkeypatch.setattr(program, "make_block", lambda b, w: (made.append(w.key[0]), make(b, w)))
    found = {players: lowered(source.base, players, {}, problems, parsed, shared).program for players in (2, 3)}
    assert [problem.message for problem in problems.items] == []
    assert made.count("bid") == 1
    assert made.count("clear") == 2
    assert [len(found[players].starts["player.hand"]) for players in (2, 3)] == [2, 3]
    firsts = {players: {zone.key: zone.first for zone in found[players].declared.zones.values()} for players in (2, 3)}
    assert [firsts[players]["player.kept"] for players in (2, 3)] == [2, 3]


#: With the option there are more cells, so that the places of `player.kept` come later; of the spots the first is the
#: largest, not the last. No block, and nothing that begins anywhere, reads any other thing that the option changes.
WIDE = """\
game:
  {id: wide, language: 1, title: {en: "Wide"}, players: 2, seats: [red, blue],
   options: {wide: {type: boolean, start: false}, turned: {type: boolean, start: false}}}
boards: {land: {cell: {for: {x: 0..3}, where: option.wide or cell.x < 2}, spot: {for: {y: 0..3}}}}
pieces: {card: {count: 20}, stone: {count: 4}}
zones:
  spot.cards: {shape: pool, holds: card, up_to: "if option.turned then 4 - spot.y else 1 + spot.y", start: "true"}
  cell.stones: {shape: pool, holds: stone}
  player.kept: {shape: stack, holds: card}
triggers:
  bare: {when: {emptied: player.kept}, do: [{score: 1, for: red, reason: bare}]}
actions:
  clear:
    do:
      - choose: taken
        from: me.kept
      - move: taken
        to: box.card
flow:
  - turns: player
    do:
      - {draw: 1, from: box.card, to: me.kept}
      - perform: clear
ranking: [{most: player.score}]
"""


def test_places_that_an_option_moves_are_those_of_each_build(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(WIDE, encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    shared, parsed, problems = Shared(), Parsed(), Problems()
    chosen: list[dict[str, OptionValue]] = [{}, {"wide": True}, {"turned": True}]
    found = [lowered(source.base, 2, options, problems, parsed, shared).program for options in chosen]
    assert [problem.message for problem in problems.items] == []
    # four spots stand first, then two or four cells; a card that is taken asks for its place behind them
    firsts = [{ir.first for instr in each.instrs for ir in _places_of(instr)} for each in found]
    assert firsts == [{6}, {8}, {6}]
    assert [[len(codes) for codes in each.starts["spot.cards"]] for each in found] == [
        [1, 2, 3, 4],
        [1, 2, 3, 4],
        [4, 3, 2, 1],
    ]
    assert check(tmp_path)[1] == []


def _places_of(instr: Instr) -> list[PlaceOf]:
    parts = [part for arg in instr.args if isinstance(arg, Ir) for part in walk_ir(arg)]
    return [part for part in parts if isinstance(part, PlaceOf)]
