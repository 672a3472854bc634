"""Saving and loading: in the same session, in another process, and what cannot be loaded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.play.table import PROBE, play
from tests.processes import PATIENCE

BEGIN = ["2", "1", "1"]
REST = ["2", "1", "1", "1", "1", "1", "1"]


def _position(text: str) -> str:
    """The position that was printed last, with its options; their numbers begin anew where a game is loaded."""
    return re.sub(r"(?m)^( +)\d+(  )", r"\1n\2", text[text.rindex("┌ ") :])


def test_a_saved_game_goes_on_in_another_process(tmp_path: Path) -> None:
    """With the same choices it ends as the game that was never left, also where other seats draw lots."""
    file = tmp_path / "game.save"
    whole = play("probe", [*BEGIN, *REST])
    saved = play("probe", [*BEGIN, f"save {file}", "quit", "yes"], width=200)
    assert f"Saved to {file}." in saved.answer(len(BEGIN))
    typed = "".join(f"{line}\n" for line in ["load game.save", *REST])
    words = [sys.executable, "-m", "interpreter.cli.main", "play", PROBE, "--lang", "en", "--seed", "8"]
    other = subprocess.run(
        words, input=typed, capture_output=True, text=True, check=True, timeout=PATIENCE, cwd=tmp_path
    )
    assert "game.save loaded, after 3 decisions." in other.stdout
    assert _position(other.stdout) == _position(whole.text)


def test_a_save_is_loaded_by_the_command_too(tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    words = [sys.executable, "-m", "interpreter.cli.main", "play", PROBE, "--lang", "en", "--load", "game.save"]
    other = subprocess.run(words, input="", capture_output=True, text=True, check=True, timeout=PATIENCE, cwd=tmp_path)
    assert "Seed 3" in other.stdout
    assert "Roll?" in other.stdout


def test_a_save_is_replayed_like_a_log(tmp_path: Path) -> None:
    """Its last line is no part of the log, and no result is missing; what is broken before it is still told."""
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    words = [sys.executable, "-m", "interpreter.cli.main", "replay", "game.save", "--game", PROBE, "--verify"]
    true = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=tmp_path)
    assert (true.returncode, true.stderr) == (0, "")
    assert "decisions: 3" in true.stdout
    file.write_text(file.read_text(encoding="utf-8").replace('{"n": 2', '{"n": 9'), encoding="utf-8")
    wrong = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=tmp_path)
    assert wrong.returncode == 1
    assert "error RS82" in wrong.stderr


def _greeting(words: list[str], folder: Path) -> str:
    """What is printed first by `play` with these words, in a process of its own."""
    command = [sys.executable, "-m", "interpreter.cli.main", "play", PROBE, "--lang", "en", *words]
    other = subprocess.run(command, input="", capture_output=True, text=True, check=True, timeout=PATIENCE, cwd=folder)
    return other.stdout


def test_who_plays_is_saved_too(tmp_path: Path) -> None:
    """But for seats that are said again, and a save that says nothing of them."""
    file = tmp_path / "game.save"
    play("probe", ["", *BEGIN, f"save {file}"], seats=["human", "human"])
    assert "Red: human\nGreen: human\n" in _greeting(["--load", "game.save"], tmp_path)
    assert "Red: human\nGreen: computer, looks one step ahead\n" in _greeting(
        ["--load", "game.save", "--seats", "human,greedy"], tmp_path
    )
    assert play("probe", [f"load {file}"]).session.seating.kinds == ("human", "human")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(', "seats": ["human", "human"]', ""), encoding="utf-8")
    assert file.read_text(encoding="utf-8") != text
    assert play("probe", [f"load {file}"]).session.seating.kinds == ("human", "random")


def _agora(typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A game of many players with an option, played by the command."""
    command = [sys.executable, "-m", "interpreter.cli.main", "play", "agora_barcelona", "--lang", "en", *words]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_a_save_says_how_many_play_and_with_what_options(tmp_path: Path) -> None:
    file = str(tmp_path / "game.save")
    _agora(f"save {file}\nquit\nyes\n", "--players", "4", "--option", "first_player=garnet", "--seed", "3")
    again = _agora("", "--load", file)
    assert "Seed 3" in again.stdout
    assert "4 players" in again.stdout
    assert _agora("", "--load", file, "--option", "first_player=garnet").stdout == again.stdout
    other = _agora("", "--load", file, "--option", "first_player=blue")
    assert (other.returncode, other.stderr.rstrip()) == (
        2,
        f"rulespec play: The game in {file} is played with first_player=garnet; leave --option out.",
    )


@pytest.mark.parametrize("seats", ['["human", "robot"]', '["human"]', '"human"', "3", "[1, 2]"])
def test_seats_that_cannot_be(tmp_path: Path, seats: str) -> None:
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    text = file.read_text(encoding="utf-8")
    changed = text.replace('["human", "random"]', seats)
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    assert "error RS829" in play("probe", [f"load {file}"], width=200).answer(0)


def test_a_save_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert "loaded, after 3 decisions." in play("probe", [f"load {file}"], width=200).answer(0)


def test_undo_goes_on_behind_loading(tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    done = play("probe", ["2", f"save {file}", "1", f"load {file}", "undo"])
    assert "One decision taken back." in done.answer(4)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    said = play("probe", [f"save {tmp_path / 'no' / 'game.save'}"], width=200).answer(0)
    assert said.startswith("Could not save to ")
    assert "there is no such file or folder" in said


def test_what_is_no_save_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    file.write_text("a letter\n", encoding="utf-8")
    done = play("probe", [f"load {file}", "load nowhere.save", "save", "load", "2"], width=200)
    assert f"Could not load {file}: it is no saved game that fits the present content" in done.answer(0)
    assert "Could not load nowhere.save: there is no such file or folder" in done.answer(1)
    assert "Please add the name of a file." in done.answer(2)
    assert "Please add the name of a file." in done.answer(3)
    assert "[2] Right" in done.answer(4)  # the game has gone on


@pytest.mark.parametrize("is_of_before", [True, False])
def test_notes_on_a_save_that_is_loaded_are_shown(tmp_path: Path, is_of_before: bool) -> None:
    """One of older states is told in the game; one of today is loaded without a word more."""
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    text = file.read_text(encoding="utf-8")
    assert '"states": 2, ' in text
    if is_of_before:
        file.write_text(text.replace('"states": 2, ', ""), encoding="utf-8")
    said = play("probe", [f"load {file}", f"save {file}", f"load {file}"], width=200)
    assert ("note RS830" in said.answer(0)) is is_of_before
    assert "loaded, after 3 decisions." in said.answer(0)
    assert "RS830" not in said.answer(2)
    assert file.read_text(encoding="utf-8") == text


def test_a_save_of_another_number_of_players_is_refused(tmp_path: Path) -> None:
    from tests.play.table import game_of

    file = tmp_path / "game.save"
    play(game_of("probe", 3), [f"save {file}"])
    assert "another number of players" in play("probe", [f"load {file}"]).answer(0)


def test_a_save_of_another_game_is_refused(tmp_path: Path) -> None:
    """By name, and not by the first line that does not fit."""
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    answer = play("tic_tac_toe", [f"load {file}"], width=300).answer(0)
    assert "or another game" in answer
    assert "error RS" not in answer


def test_an_edited_save_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    play("probe", [*BEGIN, f"save {file}"])
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("put card(7)", "put card(1)"), encoding="utf-8")
    assert "Could not load" in play("probe", [f"load {file}"]).answer(0)


def test_a_note_and_the_time_to_think_go_with_a_save(tmp_path: Path) -> None:
    """A note before the first choice stands at the set-up, and all of it is there when the game goes on."""
    first, second = tmp_path / "first.save", tmp_path / "second.save"
    play("probe", ["note so small", BEGIN[0], "note  better ", f"save {first}"])
    play("probe", [f"load {first}", BEGIN[1], f"save {second}"])
    lines = [json.loads(line) for line in second.read_text(encoding="utf-8").splitlines()]
    header, decided = lines[0], [line for line in lines if "key" in line]
    assert header["notes"] == [{"player": "red", "text": "so small"}]
    assert [line.get("notes") for line in decided] == [[{"player": "red", "text": "better"}], None]
    assert all(line["seconds"] >= 0 for line in decided)
