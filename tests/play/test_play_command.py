"""`rulespec play` as it is typed."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.commands.play import seats, system_language
from interpreter.cli.common import UsageError
from interpreter.cli.main import main
from interpreter.log_checking import check_log, game_of
from interpreter.log_reading import read_log
from interpreter.play.terminal import Terminal, has_colour
from rulespec.diagnostics.model import Problems
from tests.play.table import PROBE
from tests.processes import PATIENCE

PLAY = [sys.executable, "-m", "interpreter.cli.main", "play"]


def _run(*words: str, typed: str = "", at: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *words], input=typed, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=at
    )


def test_without_people_it_runs_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "tic_tac_toe", "--seats", "greedy,greedy", "--seed", "1", "--lang", "en"]) == 0
    text = capsys.readouterr().out
    assert "The game is over." in text
    assert "Choose" not in text
    assert "1. " in text
    assert text.splitlines()[-1] in ("Cross wins.", "Nought wins.", "The game is a draw.")


def test_the_same_seed_is_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for seed in ("5", "5", "6"):
        main(["play", "agora_barcelona", "--players", "3", "--seats", "random,random,random", "--seed", seed])
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_a_shared_victory_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With all nine cells taken and no line of three, both share the first place."""
    for seed in range(30):
        main(["play", "tic_tac_toe", "--seats", "random,random", "--seed", str(seed), "--lang", "fr"])
        text = capsys.readouterr().out
        if "Match nul." in text:
            assert "1. Croix : 0 point (ex æquo)".replace(" :", "\u202f:") in text
            assert "1. Rond : 0 point (ex æquo)".replace(" :", "\u202f:") in text
            return
    pytest.fail("no draw in thirty games")


def test_the_log_is_a_true_one(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    words = ["play", PROBE, "--seats", "random,greedy", "--seed", "4", "--log", str(file)]
    assert main(words) == 0
    problems = Problems()
    log = read_log(file, problems)
    assert log is not None
    game = game_of(log, problems, PROBE)
    assert game is not None
    assert check_log(log, game, problems).is_true
    assert log.is_whole
    assert problems.items == ()


def test_a_game_that_is_left_keeps_its_log(tmp_path: Path) -> None:
    done = _run(PROBE, "--seed", "3", "--lang", "en", "--log", "game.log", typed="2\n1\nquit\n", at=tmp_path)
    assert done.returncode == 0
    assert "The game so far is in game.log." in done.stdout
    log = read_log(tmp_path / "game.log", Problems())
    assert log is not None
    assert len(log.keys) == 2
    assert log.is_whole


def test_options_and_variants_are_those_of_the_game() -> None:
    done = _run("agora_barcelona", "--option", "first_player=topaz", "--lang", "en", "--seed", "1")
    assert "Magic Fountain: Topaz" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere"),
        (["tic_tac_toe", "--players", "3"], "3"),
        (["tic_tac_toe", "--seats", "genius"], "there is no 'genius'; there are human, greedy, mcts, random,"),
        (["tic_tac_toe", "--seats", "human,human,human"], "names 3 seats, and 2 play"),
        (["tic_tac_toe", "--seed", "-1"], "--seed lies between 0"),
        (["agora_barcelona", "--option", "moon=full"], "moon"),
        (["agora_barcelona", "--option", "first_player=pink"], "pink"),
        (["tic_tac_toe", "--variant", "nothing"], "nothing"),
        (["tic_tac_toe", "--log", "/no/such/folder/game.log"], "the log cannot be written"),
    ],
)
def test_wrong_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    output = capsys.readouterr()
    assert said in output.err
    assert "Traceback" not in output.err


def test_broken_content_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(PROBE) / "probe.yaml").read_text(encoding="utf-8")
    (tmp_path / "broken.yaml").write_text(text.replace("spot.index, y", "spot.indexx, y"))
    assert main(["play", str(tmp_path)]) == 1
    assert "broken.yaml:4:56: error RS302" in capsys.readouterr().out


def test_seats_are_filled_up() -> None:
    assert seats(None, 3) == ("human", "random", "random")
    assert seats("greedy, human", 3) == ("greedy", "human", "random")
    with pytest.raises(UsageError):
        seats("human,human", 1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("fr_FR.UTF-8", "fr"), ("ja_JP.eucJP", "ja"), ("C", "en"), ("C.UTF-8", "en"), ("", "en"), ("de@euro", "de")],
)
def test_the_systems_language(value: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", value)
    assert system_language().split("-")[0] == expected


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_go_by_the_terminal_and_the_persons_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert has_colour(_Screen())
    assert not has_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour(_Screen())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(_Screen())


def test_only_a_screen_is_cleared() -> None:
    pipe, screen = io.StringIO(), _Screen()
    Terminal(io.StringIO(), pipe).clear()
    Terminal(io.StringIO(), screen).clear()
    assert pipe.getvalue() == ""
    assert screen.getvalue() != ""


def test_ctrl_c_ends_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1, /) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    file = tmp_path / "game.log"
    assert main(["play", PROBE, "--seed", "3", "--lang", "en", "--log", str(file)]) == 130
    assert "Traceback" not in capsys.readouterr().err
    log = read_log(file, Problems())
    assert log is not None
    assert log.is_whole


def test_a_language_that_a_game_lacks_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "tic_tac_toe", "--seats", "random,random", "--seed", "1", "--lang"]
    assert main([*words, "xx"]) == 0
    said = capsys.readouterr().err
    assert said.startswith(
        "rulespec play: The game has no texts in 'xx'; it has en, fr, ja. Packs of your own are read"
    )
    assert main([*words, "fr_CA"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "Croix gagne." in told.out


def test_a_constant_may_depend_on_an_option(tmp_path: Path) -> None:
    """Options are read before the constants that depend on them, also where none is named."""
    assert main(["new", "game", str(tmp_path / "piles")]) == 0
    file = tmp_path / "piles" / "piles.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("most_taken: 3", "most_taken: if option.big then 4 else 3")
    options = 'options: {big: {type: boolean, start: false, title: {en: "Big"}}}'
    file.write_text(text.replace("  players: 2..4", f"  players: 2..4\n  {options}"), encoding="utf-8")
    assert "4 tokens" not in _run(str(tmp_path / "piles"), "--lang", "en").stdout
    assert "4 tokens" in _run(str(tmp_path / "piles"), "--lang", "en", "--option", "big=true").stdout
    assert main(["test", str(tmp_path / "piles")]) == 0


def test_seats_that_search_or_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bots.py"
    file.write_text(
        "class First:\n    def __init__(self, seat, seed): pass\n"
        "    def choose(self, state, options): return options[0]\n",
        "utf-8",
    )
    assert main(["play", "tic_tac_toe", "--seats", f"mcts:20,{file}:First", "--seed", "1", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "Cross: computer, searches" in out
    assert "Nought: computer, plays from a file" in out


def test_joiners_of_names_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An emoji of three characters is printed as one sign."""
    (tmp_path / "game.yaml").write_text(
        'game: {id: rocket, language: 1, title: {en: "Rocket"}, players: 2, seats: [red, blue]}\n'
        "flow: [{score: 1, reason: start, for: red}, {finish: game}]\n"
        'messages: {player.red: {en: "👩\u200d🚀"}, player.blue: {en: "می\u200cر"}, score.start: {en: "Start"}}\n',
        encoding="utf-8",
    )
    assert main(["play", str(tmp_path), "--seats", "random,random"]) == 0
    printed = capsys.readouterr().out
    assert "👩\u200d🚀" in printed
    assert "می\u200cر" in printed
