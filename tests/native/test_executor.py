"""The native executor as a part of the whole: random games, faults, giving up, the cache, machines that have none."""

from __future__ import annotations

import random
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bench.deep.cases import cases
from interpreter import ContentError, Game, State, load
from interpreter.game import load_source
from interpreter.native import build, engine, executor, store
from interpreter.native.asks import STOP
from interpreter.native.blocks import _EMIT
from interpreter.native.executor import Bailed, Native, NotCompiled
from interpreter.native.expressions import FORMS
from interpreter.players.outlook import points_if_over
from interpreter.playouts import by_reference
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.lower import ir
from rulespec.program.meaning import MEANING
from rulespec.program.ops import OPERATIONS
from rulespec.source.shipped import games
from tests.engine.small import small
from tests.fuzz.hostile import DEAR, ENDLESS, STEEP
from tests.lengths import long_where
from tests.project.modules import ROOT


def read(text: str, folder: Path) -> GameSource:
    """The game of one file."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    source = read_game(str(folder), Problems())
    assert source is not None
    return source


# ---- everything has code --------------------------------------------------------------------------------------------


def test_every_expression_has_code() -> None:
    """Those that have a meaning, which are all that are on the page of the instruction form."""
    assert set(FORMS) == set(MEANING)


def test_every_instruction_has_code() -> None:
    assert set(_EMIT) == set(OPERATIONS)


# ---- random games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(games()))
def test_random_games_are_those_of_the_other_executor(name: str) -> None:
    game = load(name)
    state = game.start(3)
    for _ in range(2):
        state = state.apply(state.options()[0])
    for begun, seed, amount in ((None, 5, 3), (state, 2**64 - 1, 2)):
        found = game.playouts(begun, amount, seed)
        assert len(found) == amount
        for i in range(amount):
            players = slice(i * game.players, (i + 1) * game.players)
            row = [*found.scores[players], *found.places[players], found.decisions[i]]
            assert row == by_reference(game, begun, (seed + i) % 2**64)


def test_a_random_game_from_the_beginning_has_the_set_up_of_its_seed() -> None:
    """Of two seeds whose set-ups differ, each gives its own game, whatever is asked before."""
    game = load("metro", players=2)
    together = game.playouts(None, 4, 10)
    apart = [game.playouts(None, 1, seed) for seed in range(10, 14)]
    assert together.scores == sum((each.scores for each in apart[1:]), apart[0].scores)
    assert len(set(together.scores)) > 2


def test_who_wins() -> None:
    """In this game somebody has a line, or nobody has, and then both share the first place."""
    found = load("tic_tac_toe").playouts(None, 400, 0)
    assert abs(found.wins(0) + found.wins(1) - 1) < 1e-9
    for i in range(400):
        scores, places = found.scores[2 * i : 2 * i + 2], found.places[2 * i : 2 * i + 2]
        assert places.tolist() == [int(score < max(scores)) for score in scores]
        assert 5 <= found.decisions[i] <= 9
    # the first player has five marks to four: three wins in five random games, as is well known (58.5 %, 12.7 % drawn)
    assert 0.58 < found.wins(0) < 0.72


def test_a_game_that_is_over_has_no_more_decisions() -> None:
    game = load("tic_tac_toe")
    state = game.start(1)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    found = game.playouts(state, 2, 0)
    assert found.decisions.tolist() == [0, 0]
    assert tuple(found.scores[:2]) == state.result.scores


def test_games_go_on_where_the_module_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for one copy of a state it gives up soon."""
    wanted = load("agora_barcelona").playouts(None, 1, 1)
    monkeypatch.setattr(build, "TEMPS_ROOM", 1200)
    game = load("agora_barcelona")
    native = Native(game.built, game.facts, (), cache=False)
    with pytest.raises(Bailed, match="memory"):
        _first_options(native)
    game.__dict__["native"] = native
    found = game.playouts(None, 1, 1)
    assert (found.scores, found.places, found.decisions) == (wanted.scores, wanted.places, wanted.decisions)


def _first_options(native: Native) -> None:
    native.first(1)
    while native.advance(0) > 0:
        pass


# ---- faults of content ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", long_where(DEAR.__contains__, ENDLESS))
def test_what_never_ends_is_reported_at_its_line(name: str, tmp_path: Path) -> None:
    game = load_source(read(ENDLESS[name], tmp_path), players=1)
    assert game.native is not None, game.native_refused
    with pytest.raises(Bailed):
        game.native.first(1)
    with pytest.raises(ContentError) as caught:
        game.playouts(None, 1, 1)
    [problem] = caught.value.problems
    assert problem.code in ("RS802", "RS803")
    assert problem.span.file.name.endswith("game.yaml")


@pytest.mark.parametrize("name", STEEP)
def test_steep_games_end_or_are_refused(name: str, tmp_path: Path) -> None:
    try:
        game = load_source(read(STEEP[name], tmp_path))
    except ContentError:
        return
    with suppress(ContentError):
        assert len(game.playouts(None, 1, 1)) == 1


RANGE = """\
game: {id: runaway, language: 1, title: {en: "Runaway"}, players: 1, seats: [solo]}
state:
  round: {type: 0..3, start: 0}
flow:
  - repeat:
      - choose: number
        from: 1..2
      - set: round
        to: round + 1
    times: 5
"""
HUGE = RANGE.replace("type: 0..3, start: 0", "type: 0..2000000000, start: 2").replace("round + 1", "round * round")


@pytest.mark.parametrize(("text", "value"), [(RANGE, "4"), (HUGE, "4294967296")])
def test_a_value_outside_its_range_is_the_same_fault(text: str, value: str, tmp_path: Path) -> None:
    """The fourth pass makes it 4; squares of 2 are 4, 16, 256, 65536 and then too much for 32 bits."""
    game = load_source(read(text, tmp_path))
    assert game.native is not None
    with pytest.raises(ContentError) as caught:
        game.playouts(None, 1, 0)
    [problem] = caught.value.problems
    assert problem.code == "RS801"
    assert problem.message.startswith(f"This comes to {value},")
    assert problem.span.text.startswith("round")


# ---- through the interface ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [None, "reference"])
def test_who_plays_stays_as_it_was_where_there_is_no_native_executor(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise NotCompiled("it cannot be written")

    monkeypatch.setattr(executor.Native, "__init__", refuse)
    game = load("tic_tac_toe", executor=before)
    with pytest.raises(ValueError, match="tic_tac_toe cannot be played by the native executor: it cannot be written"):
        game.play_by("native")
    assert game.executor == before
    assert game.start(1).options()


def natively(game: Game) -> Game:
    """A game whose module is at hand."""
    assert game.native is not None
    return game


@pytest.mark.parametrize("name", ["agora_barcelona", "breakthrough", "reversi"])
def test_states_are_equal_whoever_made_them(name: str) -> None:
    plain, quick = load(name), natively(load(name))
    a, b = plain.start(4), quick.start(4)
    for number in range(60):
        assert b._cells is None  # made by the module, and not looked into yet
        assert a.decision == b.decision
        assert a.to_bytes() == b.to_bytes()
        assert a.options().keys() == b.options().keys()
        assert a == b
        assert hash(a) == hash(b)
        assert a.result == b.result
        if a.decision is None:
            break
        chosen = number % len(a.options())
        a, b = a.apply(a.options()[chosen]), b.apply(b.options()[chosen])
    assert a.to_json() == b.to_json()
    assert [a.view(seat).to_json() for seat in range(2)] == [b.view(seat).to_json() for seat in range(2)]


def test_a_set_that_may_be_stopped() -> None:
    game = natively(small("bags", task="some"))
    state = game.start(0)
    before = game.native
    assert before is not None
    assert state.options().keys()[-1] == "stop"
    assert state.candidates is not None
    assert state.candidates[-1] == STOP
    after = state.apply(state.option("stop"))
    assert after.to_bytes() == small("bags", task="some").resume(*_answered(state)).to_bytes()


def _answered(state: State) -> tuple[list[object], int]:
    from interpreter.middle.pieces import copy_cells

    cells = copy_cells(state.cells)
    return cells, state.game.machine.answer(cells, cells[0], STOP)


def test_short_games_need_no_module() -> None:
    game = load("tic_tac_toe")
    state = game.start(0)
    while state.decision is not None:
        state = state.apply(state.options()[0])
    assert "native" not in game.__dict__


# ---- where there is none --------------------------------------------------------------------------------------------


def test_without_the_library_the_other_executor_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = load("connect_four").playouts(None, 2, 7)
    monkeypatch.setattr(engine, "wasmtime", None)
    game = load("connect_four")
    assert game.playouts(None, 2, 7).decisions == wanted.decisions
    assert game.native is None
    assert "pip install wasmtime" in game.native_refused


def test_what_has_no_code_is_left_to_the_other_executor_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = load("reversi").playouts(None, 1, 7)
    monkeypatch.delitem(FORMS, ir.Load)
    game = load("reversi")
    with pytest.raises(NotCompiled, match="Load"):
        build.make(game.built, game.facts)
    monkeypatch.setattr(store, "recall", lambda key: None)
    assert game.native is None
    assert "Load" in game.native_refused
    assert game.playouts(None, 1, 7).scores == wanted.scores


def test_a_function_that_would_take_long_to_compile_is_left_to_the_other_executor(tmp_path: Path) -> None:
    """What many hints are worth is one expression: 4,000 took the compiler two seconds, and 10,000 of them twelve."""
    case = next(each for each in cases() if str(each).startswith("hints.worth, map"))
    for size, refused in ((500, nullcontext()), (4_500, pytest.raises(NotCompiled, match="200,000 bytes"))):
        for name, text in replace(case, size=size).texts().items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        source = read_game(str(tmp_path), Problems())
        assert source is not None
        game = load_source(source, players=2)
        with refused:
            assert len(build.make(game.built, game.facts).code) > 10 * size


# ---- the cache ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one's own."""
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path / "rulespec"


def test_a_module_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load("tic_tac_toe").playouts(None, 3, 0)
    [kept] = folder.glob("native-*.bin")
    monkeypatch.setattr(executor, "make", None)  # nothing is made a second time
    assert load("tic_tac_toe").playouts(None, 3, 0).decisions == first.decisions
    monkeypatch.undo()
    kept.write_bytes(kept.read_bytes()[:-1])  # what is broken is made again
    assert load("tic_tac_toe").playouts(None, 3, 0).decisions == first.decisions


def test_a_changed_module_is_never_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the code nor where memory is written may be others than what a program of this user wrote."""
    monkeypatch.setattr(store, "MOST_BYTES", 1_000)
    game = load("tic_tac_toe")
    made = build.make(game.built, game.facts)
    store.keep("a", made, b"ready" * 20)
    store.keep("b", made, b"other" * 20)
    place, other = folder / "native-a.bin", folder / "native-b.bin"
    whole = place.read_bytes()
    for at in range(len(whole)):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert store.recall("a") is None, at
    place.write_bytes(other.read_bytes())  # another module, as it was written under its own name
    assert store.recall("a") is None
    place.write_bytes(whole)
    assert store.recall("a") == (replace(made, code=b""), b"ready" * 20)


def test_names_in_the_cache_change_with_what_a_game_is_made_of() -> None:
    words = ("fingerprint", 2, [("size", 3)], ())
    keys = {store.key_of(words), store.key_of((*words[:1], 3, *words[2:])), store.key_of(("other", *words[1:]))}
    assert len(keys) == 3
    assert store.key_of(words) in keys


def test_only_the_newest_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_KEPT", 2)
    game = load("tic_tac_toe")
    made = build.make(game.built, game.facts)
    for key in ("a", "b", "c"):
        store.keep(key, made, b"ready")
    assert len(list(folder.glob("native-*.bin"))) == 2
    found = store.recall("c")
    assert found is not None
    assert found == (replace(made, code=b""), b"ready")


# ---- bounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", list(games()))
def test_modules_are_small_and_import_nothing(name: str) -> None:
    import wasmtime

    game = load(name)
    made = build.make(game.built, game.facts)
    assert len(made.code) < 1_000_000
    assert made.memory <= engine.MOST_MEMORY
    assert not wasmtime.Module(wasmtime.Engine(), made.code).imports


# ---- searching ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("agora_barcelona", 3), ("metro", 2), ("breakthrough", 2)])
def test_going_on_at_random_takes_the_options_at_which_fractions_point(name: str, players: int) -> None:
    game, dice = load(name, players=players), random.Random(5)
    assert game.native is not None
    state = game.start(2)
    amount = game.native.options(state.to_bytes())
    fractions = array("d", [dice.random() for _ in range(30)])
    amount, taken = game.native.wander(amount, fractions)
    for fraction in fractions:
        state = state.apply(state.options()[int(fraction * len(state.options()))])
    assert taken == 30
    assert amount == len(state.options())
    assert game.native.state == state.to_bytes()
    assert game.native.candidates(state.asks_at, amount) == state.candidates


def test_going_on_at_random_ends_with_the_game() -> None:
    game = load("tic_tac_toe")
    assert game.native is not None
    amount = game.native.options(game.start(0).to_bytes())
    # always the first cell that is free: cross has 0, 2, 4, 6 of nine cells after seven marks, a diagonal with 2, 4, 6
    assert game.native.wander(amount, array("d", [0.0] * 20)) == (-1, 7)
    assert game.native.outlook(over=True).tolist()[:2] == [1, 0]


@pytest.mark.parametrize(("name", "players"), [("agora_barcelona", 3), ("metro", 2), ("barcelona", 2)])
def test_what_a_position_is_worth(name: str, players: int) -> None:
    """The points after the final scoring, and the content's hints."""
    game = load(name, players=players)
    assert game.native is not None
    state = game.start(3)
    for number in range(24):
        state = state.apply(state.options()[number % len(state.options())])
    game.native.options(state.to_bytes())
    found = game.native.outlook(over=False)
    assert tuple(found[:players]) == points_if_over(state)
    worth = game.facts.program.hints.worth
    hints = [game.machine.value(hint, state.cells, {"player": seat}) for hint in worth for seat in range(players)]
    assert found[players:].tolist() == hints


def test_threads_wait_for_each_other() -> None:
    """One game in several threads: each goes its own way."""
    game = natively(load("breakthrough"))
    wanted = [_walked(load("breakthrough"), seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: _walked(game, seed), range(4))) == wanted


def _walked(game: Game, seed: int) -> bytes:
    state = game.start(seed)
    for number in range(40):
        options = state.options()
        state = state.apply(options[(number * 7 + seed) % len(options)])
    return state.to_bytes()


LOOPS = """\
game: {id: runaway, language: 1, title: {en: "Runaway"}, players: 1, seats: [solo]}
state:
  round: {type: 0..9, start: 0}
flow:
  - repeat:
      - {set: round, to: 1}
      - {set: round, to: 2}
"""


@pytest.mark.parametrize("end", ["while: round < 3", "while: round <= 5", "until: round >= 3", "until: round == 7"])
def test_a_loop_that_looks_like_one_over_members_but_never_ends(end: str, tmp_path: Path) -> None:
    """It leaves by a comparison with a constant, as those do whose passes need not be counted."""
    game = load_source(read(f"{LOOPS}    {end}\n", tmp_path))
    assert game.native is not None
    with pytest.raises(Bailed, match="work"):
        game.native.first(1)
    with pytest.raises(ContentError) as caught:
        game.playouts(None, 1, 1)
    assert [problem.code for problem in caught.value.problems] == ["RS802"]


def test_a_very_large_program_is_left_to_the_other_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_INSTRUCTIONS", 10)
    monkeypatch.setattr(store, "recall", lambda key: None)
    game = load("tic_tac_toe")
    assert game.native is None
    assert game.native_refused == "more than 10 instructions"


def test_random_games_from_a_state_of_another_game() -> None:
    with pytest.raises(ValueError, match="another game: tic_tac_toe"):
        load("connect_four").playouts(load("tic_tac_toe").start(1), 1)


# ---- the end ---------------------------------------------------------------------------------------------------------

_ENDING = """\
import atexit
kept = []
atexit.register(lambda: print([store._Managed__ptr is None for store in kept]))  # registered first, so it runs last
import interpreter
from interpreter.native import engine
from tests.lengths import long_where
game = interpreter.load("tic_tac_toe")
game.playouts(None, 1, 1)
kept += [living._store for living in engine._LIVING]
"""


def test_the_library_lets_go_before_python_takes_its_modules_apart() -> None:
    """Else it complains behind everything that a command has printed."""
    done = subprocess.run([sys.executable, "-c", _ENDING], capture_output=True, text=True, check=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("[True]\n", "")
