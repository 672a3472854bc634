"""Scenarios that stop at the end of a round: what is so there, and how it reads where they do not come there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.scenarios import Games, position_after, run_scenario, scenarios_of
from interpreter.scenarios.coverage import TracedGames
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.scenarios.islands import failures

#: Two hands of two tricks of two cards each; the deck is not shuffled, and dealt from the top.
GAME = """\
game: {id: hands, language: 1, title: {en: "Hands"}, players: 2, seats: [red, green]}
pieces: {card: {attributes: {rank: 1..8}, rows: [{rank: 1}, {rank: 2}, {rank: 3}, {rank: 4}]}}
zones:
  deck: {shape: stack, holds: card, start: true}
  player.hand: {shape: pool, holds: card}
state:
  player.sum: {type: 0..9, start: 0, anew: hand}
  hands: {type: 0..2, start: 0}
actions:
  play:
    do:
      - choose: card
        from: me.hand
      - {set: me.sum, to: "me.sum + card.rank"}
      - {move: card, to: deck}
flow:
  - repeat:
      - for_each: player
        do: [{draw: 2, from: deck, to: player.hand}]
      - repeat: [{turns: player, do: [{perform: play}]}]
        round: trick
        times: 2
      - {set: hands, to: hands + 1}
      - for_each: player
        do: [{score: player.sum, for: player, reason: sum}]
    round: hand
    until: UNTIL
ranking: [{most: player.score}]
"""
FIRST = "[{red: play card(3)}, {green: play card(1)}, {red: play card(4)}"
UNTILS = ("hands == 2", "hands == 1")


def one(folder: Path, text: str, until: str = "hands == 2") -> list[tuple[int, str]]:
    lines = "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))
    return failures(folder / "islands", f"  one:\n{lines}", GAME.replace("UNTIL", until))


@pytest.mark.parametrize("until", UNTILS)
def test_the_end_of_a_round_is_before_the_next_one_and_before_the_end(tmp_path: Path, until: str) -> None:
    """All is counted, and nothing is dealt or begun anew; so too where that round is the last."""
    text = f"""
play: {FIRST}, {{green: play card(2)}}]
to_end_of: hand
then: [hands == 1 and not game_over, winners.empty, red.sum == 7 and green.sum == 3, red.hand.empty, green.score == 3]
"""
    assert one(tmp_path, text, until) == []
    assert one(tmp_path, text.replace("to_end_of: hand", ""), until) != []


def test_decisions_with_one_option_behind_the_last_line_are_taken(tmp_path: Path) -> None:
    text = f"play: {FIRST}]\nto_end_of: hand\nthen: [hands == 1, green.sum == 3]"
    assert one(tmp_path, text) == []
    assert one(tmp_path, "at: end\nto_end_of: hand\nthen: [true]") == [
        (4, "The game is over before the round 'hand' ends.")
    ]


def test_the_round_in_a_round_ends_by_itself(tmp_path: Path) -> None:
    text = "play: [{red: play card(3)}, {green: play card(1)}]\nto_end_of: trick\nthen: [hands == 0, red.sum == 3]"
    assert one(tmp_path, text) == []


def test_a_round_that_has_not_ended_is_told_with_what_is_asked(tmp_path: Path) -> None:
    found = one(tmp_path, "play: [{red: play card(3)}]\nto_end_of: hand\nthen: [true]")
    assert found == [(4, "The round 'hand' has not ended after the last line of play: green is asked for play.")]
    found = one(tmp_path, "play: [{red: play card(3)}, {offered: play card(1)}]\nto_end_of: hand\nthen: [true]")
    assert found == [(4, "The round 'hand' has not ended after the last line of play: green is asked for play.")]


def test_what_stands_behind_the_last_move_is_said_of_the_end(tmp_path: Path) -> None:
    """Nobody is asked between two rounds, and all cards have been played."""
    text = f"play: {FIRST}, {{green: play card(2)}}, {{LINE}}]\nto_end_of: hand\nthen: [hands == 1]"
    found = one(tmp_path, text.replace("LINE", "offered: play card(1)"))
    assert [message for _, message in found] == ["The round is over before this line."]
    found = one(tmp_path, text.replace("LINE", "secret: {zone: green.hand, seen_by: [green]}"))
    assert [message for _, message in found] == ["Nothing lies in green.hand, so that nothing of it can be secret."]


def test_a_round_that_there_is_not(tmp_path: Path) -> None:
    assert one(tmp_path, "to_end_of: lap\nthen: [true]") == [(3, "No `repeat` has the round 'lap'.")]


def test_other_executors_and_coverage_stop_there_too(tmp_path: Path) -> None:
    """What is read of a scenario to play on from it goes on to the next decision."""
    lines = (f"play: {FIRST}, {{green: play card(2)}}]", "to_end_of: hand", "then: [red.sum == 7]")
    text = "".join(("scenarios:\n  one:\n", *(f"    {line}\n" for line in lines)))
    folder = tmp_path / "hands"
    folder.mkdir()
    (folder / "hands.yaml").write_text(GAME.replace("UNTIL", "hands == 2") + text, encoding="utf-8")
    source = read_game(str(folder), Problems())
    assert source is not None
    (scenario,) = scenarios_of(source)
    for games in (Games(source, executor="native"), Games(source, executor="reference"), TracedGames(source)):
        assert run_scenario(games, scenario) == ()
    after = position_after(Games(source), scenario)
    assert not isinstance(after, tuple)
    assert after.decision is not None
    assert after.value("player.sum", "red") == 0
