"""Games of automatic seats that never end, and faults of content that come up in play: their place and seed."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from interpreter import bounds, load
from interpreter.log import GameLog
from interpreter.play.session import Session
from interpreter.play.terminal import Terminal
from interpreter.players import greedy, search
from interpreter.simulate.plan import Plan
from interpreter.simulate.playing import play_tasks
from interpreter.table.seats import Seating
from rulespec.diagnostics.model import ContentError
from tests.cli.conftest import Done

ROOT = str(Path(__file__).parents[2])
#: A command that tells what it held, where the native executor never comes in.
ALONE = """
import sys
from bench.heavy.worker import main
from interpreter import game
game.WORK_FOR_KEPT_MODULE = 1 << 60
sys.exit(main())
"""

Run = Callable[..., Done]

HEAD = """\
game: {id: g, language: 1, title: {en: "G"}, players: 2, seats: [red, green]}
"""

#: `stones` never comes to 0.
ENDLESS = f"""\
{HEAD}state: {{stones: {{type: 0..9, start: 5}}}}
flow:
  - repeat:
      - turns: player
        do:
          - choose: amount
            from: 4..6
          - set: stones
            to: amount
    until: stones == 0
"""

#: The total has room for two choices of 2. When the options of the next one are sought, the first of them makes 5.
TOO_MUCH = f"""\
{HEAD}state: {{total: {{type: 0..4, start: 0}}}}
flow:
  - repeat:
      - turns: player
        do:
          - choose: amount
            from: 1..2
          - set: total
            to: total + amount
    times: 50
"""


@pytest.fixture
def game(here: Path) -> Callable[[str], str]:
    """Writes a game into `sub/g`, and gives the folder's name."""

    def written(text: str) -> str:
        folder = here / "sub" / "g"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "g.yaml").write_text(text, "utf-8")
        return "sub/g"

    return written


def _told(done: Done, words: str) -> None:
    assert done.status == 1
    assert words in done.out
    assert "Traceback" not in done.err


def test_play_stops_and_says_where(run: Run, game: Callable[[str], str]) -> None:
    done = run("play", game(ENDLESS), "--seats", "random,greedy", "--seed", "4", "--most-decisions", "20")
    _told(
        done, "sub/g/g.yaml:7:13: error RS806: The game is not over after 20 decisions: red is asked for amount here."
    )
    assert (
        "`rulespec play sub/g --players 2 --seats random,greedy --seed 4 --most-decisions 20 --log game.log`"
        in done.out
    )
    assert "`rulespec replay game.log --game sub/g` tells it" in done.out


@pytest.mark.long
@pytest.mark.parametrize("log", [(), ("--log", "g.log")])
def test_a_game_that_never_ends_is_flat_in_memory(game: Callable[[str], str], log: tuple[str, ...]) -> None:
    """Ten bytes for each decision more would be told. The quicker executor would come in some time: here is none."""
    words = ("play", game(ENDLESS), "--seats", "random,random", "--seed", "1", "--most-seconds", "600", *log)
    held = []
    for most in (3_000, 60_000):
        started = [sys.executable, "-c", ALONE, "600", *words, "--most-decisions", str(most)]
        done = subprocess.run(
            started, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ROOT}, check=False
        )
        assert f"after {most:,} decisions" in done.stdout
        held.append(int(done.stderr.rpartition("peak ")[2]))
    assert held[1] - held[0] < 600_000


def test_what_plays_it_again_and_tells_it_works(run: Run, game: Callable[[str], str], here: Path) -> None:
    """The two commands as they are told, where a variant lies beside the game: its id and its folder differ."""
    folder = game(TOO_MUCH)
    variant = "variant: {id: more, title: {en: More}, changes: [{set: state.total.start, to: 1}]}\n"
    (here / "more.yaml").write_text(variant, "utf-8")
    done = run("play", folder, "--seats", "random", "--seed", "3", "--variant", "more.yaml")
    again, telling = (
        command.removeprefix("rulespec ").split() for command in re.findall(r"`(rulespec [^`]+)`", done.out)
    )
    assert telling == ["replay", "game.log", "--game", "sub/g", "--variant", "more.yaml"]
    assert run(*again).status == 1
    assert "RS440" not in run(*telling).out + run(*telling).err


def test_a_person_who_is_never_asked_again(
    run: Run, game: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Green alone is asked; what counts are the decisions since a person's last one."""
    only_green = ENDLESS.replace("turns: player\n", "turns: [green]\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    done = run("play", game(only_green), "--seats", "human,random", "--seed", "4", "--most-decisions", "15")
    _told(done, "The game is not over after 15 decisions: green is asked for amount here.")


@pytest.mark.parametrize("executor", ["reference", "native"])
def test_bench_stops_and_says_where(run: Run, game: Callable[[str], str], executor: str) -> None:
    words = ("--seconds", "0.1", "--most-decisions", "30", "--executor", executor)
    done = run("bench", game(ENDLESS), *words)
    _told(done, "sub/g/g.yaml:7:13: error RS806: The game is not over after 30 decisions")
    assert "It came up with the seed 0;" in done.out


def test_bench_ends_where_nothing_is_ever_asked(run: Run, game: Callable[[str], str]) -> None:
    done = run("bench", game(f"{HEAD}flow:\n  - score: 1\n    reason: x\n"), "--seconds", "0.1", "--format", "json")
    (measured,) = json.loads(done.out)["games"]
    assert measured["playouts_per_second"] > 0
    assert (measured["decisions_per_second"], measured["options_median_us"]) == (0.0, 0.0)


def test_simulate_says_where_and_shows_such_a_game(run: Run, game: Callable[[str], str]) -> None:
    words = ("--games", "3", "--jobs", "1", "--seed", "8", "--most-decisions", "30")
    done = run("simulate", game(ENDLESS), *words)
    _told(done, "not finished   3: not over after 30 decisions (sub/g/g.yaml:7:13)")
    command = done.out.split("rulespec simulate ")[1].splitlines()[0]
    again = run("simulate", *shlex.split(command))
    _told(again, "sub/g/g.yaml:7:13: error RS806: The game is not over after 30 decisions")


def test_a_bound_that_a_game_does_not_reach_changes_nothing(run: Run) -> None:
    """Nine marks fill the board: with nine all games are over, with five none is by then."""
    words = ("simulate", "tic_tac_toe", "--games", "20", "--jobs", "1", "--format", "json")
    free, nine, four = (
        json.loads(run(*words, *bound).out) for bound in ((), ("--most-decisions", "9"), ("--most-decisions", "4"))
    )
    assert free["length"] == nine["length"]
    assert nine["unfinished"] == 0
    assert four["unfinished"] == 20


def test_a_fault_of_content_comes_with_a_command_that_shows_it(run: Run, game: Callable[[str], str]) -> None:
    words = ("--games", "5", "--jobs", "1", "--format", "json")
    done = run("simulate", game(TOO_MUCH), *words)
    found = json.loads(done.out)
    assert found["unfinished"] == 5
    for each in found["unfinished_games"]:
        assert each["reason"].endswith("(sub/g/g.yaml:10:17)")
        again = run(*shlex.split(each["command"])[1:], "--log", "shown.log")
        _told(again, "sub/g/g.yaml:10:17: error RS801: This comes to")
        last = (Path("shown.log").read_text("utf-8")).splitlines()[-1]
        assert json.loads(last)["result"] is None
        assert json.loads(Path("shown.log").read_text("utf-8").splitlines()[0])["seed"] == each["seed"]


def test_play_says_how_a_fault_is_seen_again(run: Run, game: Callable[[str], str]) -> None:
    done = run("play", game(TOO_MUCH), "--seats", "random", "--seed", "3", "--log", "first.log")
    _told(done, "sub/g/g.yaml:10:17: error RS801: This comes to")
    assert "`rulespec play sub/g --players 2 --seats random --seed 3 --log game.log` plays it again" in done.out
    assert json.loads(Path("first.log").read_text("utf-8").splitlines()[-1]) == {"result": None}


def test_replay_names_the_line_of_the_log_and_the_declaration(run: Run, game: Callable[[str], str]) -> None:
    """A log of a game whose total had room, played again where it has none: after 2 and 2 nothing can be offered."""
    folder = game(TOO_MUCH.replace("0..4", "0..100"))
    log = GameLog.start("room.log", load(folder), 1)
    state = log.state
    for _ in range(4):
        option = state.options()[1]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    game(TOO_MUCH)
    lines = Path("room.log").read_text("utf-8").splitlines()
    second = 1 + next(at for at, line in enumerate(lines) if json.loads(line).get("n") == 2)
    done = run("replay", "room.log", "--game", folder)
    assert "sub/g/g.yaml:10:17: error RS801: This comes to 5, outside 0..4." in done.err
    assert f"room.log:{second}:1: it comes up at this line of the log" in done.err
    assert "`rulespec replay room.log --to 1` shows what was before." in done.err


def test_a_game_that_nobody_watches_keeps_nothing(here: Path, game: Callable[[str], str]) -> None:
    session = Session(load(game(ENDLESS)), Seating(("random", "random"), 1), Terminal(io.StringIO(), io.StringIO()))
    session.most = 40
    seen: list[int] = []
    session.see = seen.append
    with pytest.raises(ContentError):
        session.run()
    assert seen == list(range(1, 41))
    assert session.history.steps == []
    assert len(session.log.lines) == 2  # the header, and that red's turn began


@pytest.mark.parametrize(
    "words", [("--most-decisions", "0"), ("--most-decisions", "many"), ("--log", "x"), ("--only", "-1")]
)
def test_what_cannot_be_asked_for(run: Run, words: tuple[str, ...]) -> None:
    assert run("simulate", "tic_tac_toe", *words).status == 2


# ---- by the clock ----------------------------------------------------------------------------------------------------


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a second each time that it is looked at."""
    seconds = count()
    monkeypatch.setattr(bounds, "now", lambda: float(next(seconds)))


@pytest.mark.usefixtures("late")
def test_play_is_left_when_it_takes_too_long(run: Run, game: Callable[[str], str]) -> None:
    done = run("play", game(ENDLESS), "--seats", "random", "--seed", "4", "--most-seconds", "7")
    _told(done, "sub/g/g.yaml:7:13: error RS807: The game is not over after 7 seconds: green is asked for amount here.")
    assert "plays it again" in done.out


@pytest.mark.usefixtures("late")
def test_a_seat_that_thinks_is_left_too(run: Run, game: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """While it tries the options, of which there are three, in its first decision."""
    for module in (greedy, search):
        monkeypatch.setattr(module, "native_of", lambda game: None)
    for seats in ("greedy", "mcts:50"):
        done = run("play", game(ENDLESS), "--seats", seats, "--seed", "4", "--most-seconds", "3")
        _told(done, "RS807: The game is not over after 3 seconds: red is asked for amount here.")


@pytest.mark.usefixtures("late")
def test_bench_is_left_when_it_takes_too_long(run: Run, game: Callable[[str], str]) -> None:
    _told(run("bench", game(ENDLESS), "--seconds", "0.1", "--most-seconds", "7"), "RS807: The game is not over after 7")


@pytest.mark.usefixtures("late")
def test_simulate_leaves_games_and_then_the_run(here: Path, game: Callable[[str], str]) -> None:
    """Three games are left, one after the other; those after them are not begun."""
    plan = Plan(str(here / game(ENDLESS)), 2, ("random", "random"), 5, detail="full", seconds=6.0)
    reasons = [record["unfinished"] for record in play_tasks(plan, range(5))]
    late = "The game is not over after 6 seconds"
    assert [late in reason for reason in reasons] == [True, True, True, False, False]
    assert reasons[3:] == ["not played, since the 3 before it took too long"] * 2


def test_how_long_games_may_take() -> None:
    assert bounds.seconds_for(["random", "random"]) == 60
    assert bounds.seconds_for(["random", "greedy"]) == 3_600


@pytest.mark.parametrize("words", ["0", "-1", "much", "nan", "inf"])
def test_times_that_are_none(run: Run, words: str) -> None:
    done = run("play", "tic_tac_toe", f"--most-seconds={words}")
    assert (done.status, f"and this is '{words}'" in done.err) == (2, True)
