"""The reference plays what the native executor plays: bytes, options, events, results. `bench.differential` more.

Values that were worked out by hand stand in the tests of the games.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from bench.differential import Difference, Pair, Setting, Tally, follow, visit
from bench.differential import settings as all_settings
from interpreter import Game, load
from interpreter.reference.doubt import forbidden
from interpreter.reference.events import Events
from interpreter.reference.instructions import DO, ELSEWHERE
from interpreter.refusal import Raw
from rulespec.diagnostics.model import ContentError, Problem
from rulespec.lower.ir import Ask, FilterPart, Ir
from rulespec.lower.make import const
from rulespec.lower.substitute import substitute
from rulespec.program.meaning import MEANING
from rulespec.program.ops import FAILING, OPERATIONS
from rulespec.source.shipped import games
from tests.engine.expressions import expressions
from tests.engine.oracle import as_data, in_play, plainly
from tests.engine.small import folder_of, names, small
from tests.engine.test_oracle import _lowered, _rich
from tests.engine.test_short_setups import SHORT, game_of
from tests.native.test_differential import cut_short
from tests.shipped import every_setting, shipped

SAMPLE = random.Random(2).sample(every_setting(), 10)


def same(game: Game, seed: int, most: int) -> int:
    """How many decisions were the same."""
    assert game.native is not None, game.native_refused
    found = follow(Pair(game, game.native), seed, most)
    assert not isinstance(found, Difference), found
    return found


@pytest.mark.parametrize("name", list(games()))
def test_the_beginning_of_shipped_games(name: str) -> None:
    assert same(shipped(name), 1, 12) > 4


@pytest.mark.parametrize("name", names())
def test_small_games(name: str) -> None:
    for seed in range(2):
        same(small(name), seed, 30)


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_small_games_with_all_options(name: str) -> None:
    tally = Tally()
    for setting in all_settings([str(folder_of(name))]):
        assert visit(setting, range(2), float("inf"), tally) is None
    assert tally.games


@pytest.mark.long
@pytest.mark.parametrize("setting", SAMPLE, ids=str)
def test_some_options_and_variants(setting: Setting) -> None:
    tally = Tally()
    assert visit(setting, range(1), float("inf"), tally, most=60) is None
    assert not tally.not_compiled


# ---- values of expressions -------------------------------------------------------------------------------------------


def from_bytes(game: Game, node: Ir, data: bytes) -> object:
    """The value of an expression in a state; the tables that it was lowered to came after the program."""
    return as_data(game.reference.from_bytes(data).value(node), node.type)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=expressions(), number=st.integers(0, 11))
def test_made_expressions(text: str, number: int) -> None:
    game, states = _rich()
    node = _lowered(game, text)
    assume(node is not None)
    assert node is not None
    note(text)
    state = states[number % len(states)]
    assert from_bytes(game, node, state.to_bytes()) == plainly(game, node, state.cells)


# ---- what explanations are made of -----------------------------------------------------------------------------------


CONDITIONS = """\
game: {id: told, language: 1, title: {en: "Told"}, players: 2, seats: [red, green]}
state:
  player.coins: {type: 0..9, start: 3}
  height: {type: 0..9, start: 5}
functions:
  taller: {params: {n: 0..9}, type: boolean, is: height > n}
flow:
  - as: green
    do:
      - require: height > 2 and taller(4) and me.coins != 9
      - try: [{pay: {coins: 4}}]
        else: [{pay: {coins: 2}}]
      - set: height
        to: 1
      - require: not taller(0) or height <= me.coins
      - require: taller(3)
      - choose: n
        from: 1..2
"""


def test_conditions_are_told_with_their_values(tmp_path: Path) -> None:
    """Each that held, and when it was looked at: the sides of comparisons, the functions; of a payment means and price.

    Green (seat 1) has 3 coins, so that the `try` is not entered, and pays 2 of them. The last condition does not hold,
    and is passed over.
    """
    (tmp_path / "game.yaml").write_text(CONDITIONS, encoding="utf-8")
    reference, events = load(str(tmp_path)).reference, Events(conditions=True)
    position = reference.begin(1)
    assert reference.play(position, position.at, events) == [1, 2]
    told = [(event[2], event[3]) for event in events if event[0] == "condition"]
    assert told == [(1, (5, 1, 3)), (1, (3, 2)), (1, (1, 1, 1))]


@pytest.mark.parametrize("name", ["market", "spend", "agora_barcelona", "breakthrough", "reversi"])
def test_why_something_is_not_offered(name: str) -> None:
    """The first condition that is false of a candidate, by itself; else steps that can fail."""
    game = small(name) if name in names() else shipped(name)
    reference, state, dice, doubts = game.reference, game.start(1), random.Random(1), 0
    for _ in range(8):
        if state.decision is None:
            break
        position, ask = reference.from_bytes(state.to_bytes()), state.ask
        if ask.kind == "one":
            for candidate in [each for each in Raw(state).candidates() if each not in (state.candidates or [])][:20]:
                doubts += 1
                told, parts = forbidden(position, ask, candidate), _with_values(ask, candidate)
                false = [part for part, node in parts if not in_play(game, node, state.cells)]
                if false:
                    assert told == ("condition", false[0].name, false[0].span, ())
                else:
                    assert told.by == "completion"
                    assert {game.built.program.instrs[at].op for at in told.steps} <= FAILING
        state = state.apply(dice.choice(state.options()))
    assert doubts > 0


STEPS = """
game: {id: shop, language: 1, title: {en: "Shop"}, players: 1, seats: [red]}
enums: {ware: [bread, ring]}
state: {player.coins: {type: 0..9, start: 2}}
actions:
  buy:
    do:
      - choose: ware
      - score: 1
        reason: wares
      - pay: {coins: "if ware == ring then 5 else 1"}
flow: [{turns: player, do: [{perform: buy}]}]
ranking: [{most: player.score}]
"""


def test_the_steps_that_stand_in_the_way_are_named(tmp_path: Path) -> None:
    """Two coins pay for bread (1) and not for a ring (5): of what follows the choice, paying alone can fail."""
    (tmp_path / "game.yaml").write_text(STEPS, encoding="utf-8")
    game = load(str(tmp_path))
    reference, state = game.reference, game.start(1)
    position = reference.from_bytes(state.to_bytes())
    told = forbidden(position, state.ask, 1)
    assert told.by == "completion"
    assert [game.built.program.instrs[at].op for at in told.steps] == ["pay"]


def _with_values(ask: Ask, candidate: Any) -> list[tuple[FilterPart, Ir]]:
    """The parts of a decision's filters, each with the values of a candidate for the names."""
    values = candidate if ask.record or len(ask.names) > 1 else (candidate,)
    bound: dict[str, Ir] = {n.var: const(v, n.type) for n, v in zip(ask.names, values, strict=True)}
    return [(part, substitute(part.test, bound)) for name in ask.names for part in name.where_parts]


# ---- faults ----------------------------------------------------------------------------------------------------------


def fault_of(game: Game) -> tuple[Problem, ...] | None:
    """What is wrong with a game that cannot begin; None: nothing."""
    try:
        game.start(0)
    except ContentError as fault:
        return fault.problems
    return None


@pytest.mark.parametrize("name", SHORT)
def test_a_shortage_in_the_set_up(name: str, tmp_path: Path) -> None:
    game, _ = game_of(SHORT[name][0], tmp_path)
    assert fault_of(game) is not None


GAME = """\
game: {id: runaway, language: 1, title: {en: "Runaway"}, players: 1, seats: [solo]}
state:
  round: {type: 0..3, start: 0}
  large: {type: 0..9, start: 0}
functions:
  small: {params: {n: 0..3}, type: 0..3, is: n}
flow:
"""
FAULTS = {
    "a cell": ("RS801", "  - {set: large, to: 9}\n  - {set: round, to: large}\n"),
    "an argument": ("RS801", "  - {set: large, to: 4}\n  - {set: round, to: small(large)}\n"),
    "points": ("RS801", "  - repeat: [{score: 900000, reason: much, for: solo}]\n    times: 2\n"),
    "no decision": ("RS802", "  - repeat:\n      - try:\n          - require: round > 2\n    until: round > 1\n"),
    "never entered": (
        "RS802",
        "  - repeat:\n      - set: round\n        to: 1\n      - repeat:\n          - choose: number\n"
        "            from: 1..3\n        while: round > 2\n    until: round == 3\n",
    ),
}


FINISHED = """\
flow:
  - repeat:
      - try: [{score: 1, reason: try, for: solo}, {finish: game}]
      - set: round
        to: 1
end:
  - {score: 5, reason: end, for: solo}
  - require: round == 3
  - {score: 50, reason: later, for: solo}
"""


@pytest.mark.parametrize("executor", ["reference", "native"])
def test_a_game_that_is_over_is_not_taken_back(executor: str, tmp_path: Path) -> None:
    """`finish` leaves the `try` that it stands in; what fails in `end` is passed over alone: 1, 5, 50 points stay."""
    (tmp_path / "game.yaml").write_text(GAME.removesuffix("flow:\n") + FINISHED, encoding="utf-8")
    state = load(str(tmp_path), executor=executor).start(0)
    assert state.result is not None
    assert state.result.scores == (56,)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_play(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, flow = FAULTS[name]
    (tmp_path / "game.yaml").write_text(GAME + flow, encoding="utf-8")
    monkeypatch.setattr("interpreter.reference.machine.MOST_INSTRUCTIONS", 2_000)
    found = fault_of(load(str(tmp_path)))
    assert found is not None
    assert [problem.code for problem in found] == [code]


# ---- the cap of a look-ahead -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 2, 5, 20])
@pytest.mark.parametrize("name", ["market", "bags", "yard"])
def test_the_same_options_where_the_look_ahead_iscut_short(name: str, cap: int) -> None:
    pair = cut_short(load(str(folder_of(name))), cap)
    for seed in range(3):
        found = follow(pair, seed, 40)
        assert not isinstance(found, Difference), found


def test_declining_uses_up_nothing_of_the_cap() -> None:
    """Behind the first number all may be declined; behind each of the others four answers are tried, which all fail.

    With fewer than four the second runs out, and is offered; with fewer than eight the third one is.
    """
    for cap, offered in {1: [1, 2, 3], 3: [1, 2, 3], 4: [1, 3], 7: [1, 3], 8: [1]}.items():
        pair = cut_short(load(str(folder_of("spend"))), cap)
        assert pair.begin(0) == ""
        assert pair.options == offered


# ---- the document ----------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "instruction_form.md").read_text(encoding="utf-8")


def test_operations_stand_in_the_order_of_their_rows() -> None:
    """So a reader finds each beside its definition; the table itself refuses one that is missing."""
    assert [name for name in OPERATIONS if name not in ELSEWHERE] == list(DO)


def _first_cells(header: str) -> list[str]:
    """The names in the first column of the table with a header."""
    lines = PAGE[PAGE.index(header) :].split("\n\n")[0].splitlines()[2:]
    return [name for line in lines for name in line.split("|")[1].replace("`", "").replace(",", " ").split()]


def test_every_class_of_the_page_has_a_meaning() -> None:
    assert _first_cells("| class | meaning |") == [kind.__name__ for kind in MEANING]
