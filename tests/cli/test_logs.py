"""`replay`, `explain`, `bench` and `show --ir`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter import load
from interpreter.log import GameLog, seat_log

WON = ("cell[0,0]", "cell[0,1]", "cell[1,0]", "cell[1,1]", "cell[2,0]")


@pytest.fixture
def log(here: Path) -> Path:
    """A game of tic-tac-toe that cross wins with its fifth mark."""
    path = here / "game.log"
    written = GameLog.start(path, load("tic_tac_toe"), 7)
    state = written.state
    for cell in WON:
        option = state.option(f"place_mark {cell}")
        after = state.apply(option, events=True)
        written.decision(state, option, after)
        state = after
    written.finish(state)
    return path


def _numbers(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"^ *(\d+)  ", text, re.MULTILINE)]


# ---- replay ----------------------------------------------------------------------------------------------------------


def test_replay_tells_the_game_in_the_language_asked_for(run, log: Path) -> None:
    english, french = run("replay", "game.log"), run("replay", "game.log", "--lang", "fr")
    assert english.status == french.status == 0
    assert "Cross marks column 1, row 1." in english.out
    assert "Croix joue colonne 1, ligne 1." in french.out
    assert "1. Cross: 1 point" in english.out
    assert set(_numbers(english.out)) == {0, 1, 2, 3, 4, 5}


def test_a_log_of_a_game_that_lies_elsewhere_says_how_to_name_its_folder(run, log: Path) -> None:
    log.write_text(log.read_text("utf-8").replace('"game": "tic_tac_toe"', '"game": "my_game"', 1), "utf-8")
    done, named = run("replay", "game.log"), run("replay", "game.log", "--game", "tic_tac_to")
    assert done.status == named.status == 1
    assert "with `--game`" in done.err
    assert "Did you mean `tic_tac_toe`" in named.err


def test_replay_stops_where_it_is_told_to(run, log: Path) -> None:
    done = run("replay", "game.log", "--to", "2")
    assert max(_numbers(done.out)) == 2
    assert done.out.splitlines()[-1] == "Cross: Choose a cell."
    shown = json.loads(run("replay", "game.log", "--to", "2", "--format", "json").out)
    assert (shown["decisions"], shown["verified"]) == (2, None)
    assert shown["state"]["zones"]["cell.mark"]["cell[0,1]"] == ["mark(nought)"]


def test_replay_verifies(run, log: Path) -> None:
    done = run("replay", "game.log", "--verify")
    assert (done.status, done.err) == (0, "")
    assert "decisions: 5" in done.out
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace('"amount": 1', '"amount": 2'), encoding="utf-8")
    wrong = run("replay", "game.log", "--verify")
    assert wrong.status == 1
    assert "RS826" in wrong.err
    line = next(n for n, t in enumerate(text.splitlines(), 1) if '"amount": 1' in t)
    assert f"game.log:{line}:1: error RS826" in wrong.err


def test_replay_of_a_cut_log_says_where(run, log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(lines[:-2]), encoding="utf-8")
    done = run("replay", "game.log", "--verify")
    assert done.status == 1
    assert f"game.log:{len(lines) - 2}:1: error RS824" in done.err


def test_replay_as_a_player_shows_that_players_view(run, here: Path) -> None:
    game = load("agora_barcelona", players=3)
    log, path = GameLog.start(here / "game.log", game, 1), here / "game.log"
    log.finish(log.state)
    shown = json.loads(run("replay", "game.log", "--as", "garnet", "--format", "json").out)
    assert shown["state"] == log.state.view(1).to_json()
    assert run("replay", "game.log", "--as", "garnett").status == 2
    assert (
        run("replay", "game.log", "--as", "2", "--format", "json").out
        == run("replay", "game.log", "--as", "garnet", "--format", "json").out
    )
    assert path.is_file()


def test_a_seat_log_is_shown_and_cannot_be_verified(run, here: Path) -> None:
    game = load("tic_tac_toe")
    text = seat_log(game, 7, [f"place_mark {cell}" for cell in WON], 0)
    (here / "seat.log").write_text(text, encoding="utf-8")
    shown = run("replay", "seat.log")
    assert shown.status == 0
    assert [json.loads(line) for line in shown.out.splitlines()] == [json.loads(line) for line in text.splitlines()]
    verified = run("replay", "seat.log", "--verify")
    assert verified.status == 2
    assert "seat's log" in verified.err
    assert run("replay", "seat.log", "--as", "cross").out == shown.out
    other = run("replay", "seat.log", "--as", "nought")
    assert (other.status, other.out) == (2, "")
    assert "this is the log of cross" in other.err


@pytest.mark.parametrize(
    "words",
    [
        ("nothing.log",),
        (".",),
        ("game.log", "--to", "-1"),
        ("game.log", "--as", "cross", "--verify"),
    ],
)
def test_wrong_usage_of_replay(run, log: Path, words: tuple[str, ...]) -> None:
    done = run("replay", *words)
    assert done.status == 2
    assert done.err.startswith("rulespec replay:")
    assert "Traceback" not in done.err


def test_a_log_that_is_no_text(run, here: Path) -> None:
    (here / "bytes.log").write_bytes(b"\xff\xfe{")
    assert run("replay", "bytes.log").status == 2


# ---- explain ---------------------------------------------------------------------------------------------------------


def test_explain_tells_the_conditions_of_an_option(run, log: Path) -> None:
    done = run("explain", "game.log", "--at", "3", "place_mark cell[1,0]")
    assert done.status == 0
    assert "place_mark cell[1,0] is offered" in done.out
    assert re.search(r"not exists cell\.mark.*tic_tac_toe\.yaml:25\]", done.out)


def test_explain_tells_why_a_site_is_not_offered(run, log: Path) -> None:
    done = run("explain", "game.log", "--at", "3", "cell[0,1]")
    assert "place_mark cell[0,1] is not offered: not exists cell.mark" in done.out
    assert "tic_tac_toe.yaml:25" in done.out


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ("cell[9,9]", "Did you mean `cell[0,2]`?"),
        ("plaec_mark", "Did you mean `place_mark`?"),
        ("x", "Offered: place_mark cell[0,2], place_mark cell[1,0], place_mark cell[1,1], place_mark cell[1,2], "
              "place_mark cell[2,0], place_mark cell[2,1], place_mark cell[2,2]."),
    ],
)  # fmt: skip
def test_explain_of_what_cannot_be_chosen_is_wrong_usage(run, log: Path, what: str, hint: str) -> None:
    done = run("explain", "game.log", what, "--at", "3")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"rulespec explain: '{what}' is not among what can be chosen there. {hint}\n"


def test_a_log_may_begin_with_the_mark_of_an_editor(run, log: Path) -> None:
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes())
    done = run("replay", "game.log", "--verify")
    assert (done.status, done.err) == (0, "")


def test_explain_tells_where_points_came_from(run, log: Path) -> None:
    done = run("explain", "game.log", "score", "cross")
    amounts = [int(re.match(r"\s*(-?\d+)", line)[1]) for line in done.out.splitlines()[1:]]  # type: ignore[index]
    assert amounts == [1, 1], "one row of one point, and their sum"
    assert "three in a row" in done.out
    assert re.search(r"tic_tac_toe\.yaml:30\]", done.out)


def test_the_points_of_every_player_add_up(run, here: Path) -> None:
    import random

    game, dice = load("agora_barcelona", players=3), random.Random(4)
    log = GameLog.start(here / "game.log", game, 4)
    state = log.state
    while state.decision is not None:
        option = state.options()[dice.randrange(len(state.options()))]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    assert state.result is not None
    assert sum(state.result.scores) > 0
    for seat, score in zip(game.seats, state.result.scores, strict=True):
        lines = run("explain", "game.log", "score", seat).out.splitlines()[1:]
        amounts = [int(re.match(r"\s*(-?\d+)", line)[1]) for line in lines]  # type: ignore[index]
        assert amounts[-1] == score == sum(amounts[:-1])


def test_explain_tells_all_that_is_offered(run, log: Path) -> None:
    done = run("explain", "game.log", "--at", "5")
    assert done.out.count("is offered") == 5
    assert done.out.startswith("Cross: Choose a cell.")


def test_explain_tells_what_the_conditions_of_later_steps_were_made_of(run, here: Path) -> None:
    game = load("agora_barcelona", players=3)
    log = GameLog.start(here / "game.log", game, 7)
    state = log.state
    for _ in range(3):
        option = state.options()[0]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    card = next(o for o in state.options() if o.key.startswith("play_card"))
    value = int(card.key[-2])
    done = run("explain", "game.log", card.key)
    assert re.search(rf"enough_walkers: .*count = 35, card\.value = {value} .*actions\.yaml:\d+\]", done.out)


@pytest.mark.parametrize("words", [("--at", "0"), ("--at", "9"), ("score", "crass"), ()])
def test_wrong_usage_of_explain(run, log: Path, words: tuple[str, ...]) -> None:
    """There is no decision 9, no player of that name, and nothing to be chosen when the game is over."""
    done = run("explain", "game.log", *words)
    assert done.status == 2
    assert done.err.startswith("rulespec explain:")


# ---- bench -----------------------------------------------------------------------------------------------------------


def test_bench_measures_beside_a_hand_written_game(run, here: Path) -> None:
    (here / "hand.py").write_text("def playout(seed, players):\n    return sum(range(2000))\n", encoding="utf-8")
    done = run("bench", "tic_tac_toe", "--seconds", "0.2", "--beside", "hand.py", "--format", "json")
    found = json.loads(done.out)["games"][0]
    assert (done.status, found["game"], found["players"]) == (0, "tic_tac_toe", 2)
    assert found["state_bytes"] == len(load("tic_tac_toe").start(0).to_bytes())
    assert found["playouts_per_second"] > 0
    assert 5 <= found["decisions_per_second"] / found["playouts_per_second"] <= 9
    assert found["options_median_us"] <= found["options_p99_us"]
    assert found["apply_median_us"] <= found["apply_p99_us"]
    assert found["ratio"] > 0


def test_bench_as_text(run) -> None:
    done = run("bench", "tic_tac_toe", "--seconds", "0.1")
    assert done.out.startswith("tic_tac_toe, 2 players\n")
    assert "playouts/s" in done.out


def test_bench_of_the_native_executor(run) -> None:
    done = run("bench", "tic_tac_toe", "--seconds", "0.1", "--executor", "native", "--format", "json")
    found = json.loads(done.out)
    assert (done.status, found["executor"]) == (0, "native")
    assert 5 <= found["games"][0]["decisions_per_second"] / found["games"][0]["playouts_per_second"] <= 9


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("tic_tac_toe", "--seconds", "0"), "--seconds"),
        (("tic_tac_toe", "--beside", "nothing.py"), "no Python file"),
        (("--beside", "x.py", "tic_tac_toe", "agora_barcelona"), "one GAME"),
    ],
)
def test_wrong_usage_of_bench(run, words: tuple[str, ...], hint: str) -> None:
    done = run("bench", *words)
    assert done.status == 2
    assert hint in done.err


# ---- show --ir -------------------------------------------------------------------------------------------------------


def test_show_prints_the_instructions_with_their_places(run) -> None:
    done = run("show", "tic_tac_toe", "--ir")
    assert done.status == 0
    program = load("tic_tac_toe").built.program
    numbers = [int(n) for n in re.findall(r"^ +(\d+)  ", done.out, re.MULTILINE)]
    assert numbers == list(range(len(program.instrs)))
    assert re.search(r"\d+ +ask one cell .* from cell where not .*tic_tac_toe\.yaml:24", done.out)
    assert re.search(r"^block \d+ place_mark\(\) \[action\]$", done.out, re.MULTILINE)


def test_show_of_instructions_depends_on_the_number_of_players(run) -> None:
    three, five = (run("show", "agora_barcelona", "--ir", "--players", n).out for n in "35")
    assert "player.score: 3 of" in three
    assert "player.score: 5 of" in five
    assert run("show", "agora_barcelona", "--ir", "--players", "9").status == 2


def test_show_of_the_instructions_of_a_part(run) -> None:
    """The choice of a cell and the move of a mark, in the block that they are written in; then the zone of marks."""
    done = run("show", "tic_tac_toe", "actions.place_mark", "--ir")
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0].startswith("block ")
    assert " place_mark() " in lines[0]
    assert [word for word in ("ask", "move") if any(word in line.split() for line in lines)] == ["ask", "move"]
    assert set(lines[1:]) < set(run("show", "tic_tac_toe", "--ir").out.splitlines())
    zone = run("show", "tic_tac_toe", "zones.cell.mark", "--ir")
    assert (zone.status, zone.out) == (0, "  cell.mark: 9 of slot for 1 mark\n")


def test_show_of_a_part_without_instructions(run) -> None:
    done = run("show", "agora_barcelona", "values", "--ir")
    assert (done.status, done.out) == (2, "")
    assert "'values' has no instructions of its own" in done.err
    assert run("show", "tic_tac_toe", "actions.nothing", "--ir").status == 2
