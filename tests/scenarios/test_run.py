"""Moves and conditions of scenarios: what passes, and how a failure reads. Line 1 of each file is `scenarios:`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.model.validate import validate_file
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from tests.project.modules import ROOT
from tests.scenarios.islands import GAME, failures


def one(folder: Path, text: str, game: str = GAME) -> list[tuple[int, str]]:
    """The failures of one scenario, written from its first field on; that field is line 3 of the file."""
    lines = "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))
    return failures(folder / "islands", f"  one:\n{lines}", game)


def test_a_scenario_that_holds_has_no_failures(tmp_path: Path) -> None:
    text = """
play:
  - red: land north
  - refused: land north
  - offered: [land east, land south]
  - green: land east
then:
  - round == 2
  - exists north.ship and not exists south.ship
  - red.fleet.count == 2 and green.fleet.count == 2
  - not game_over
  - winners == []
"""
    assert one(tmp_path, text) == []


@pytest.mark.parametrize("key", ["land north", "north", "island north", "land  north"])
def test_keys_may_be_written_in_a_loose_form(tmp_path: Path, key: str) -> None:
    assert one(tmp_path, f"play:\n  - red: {key}\nthen:\n  - exists north.ship") == []


def test_a_seat_that_does_not_decide(tmp_path: Path) -> None:
    found = one(tmp_path, "play:\n  - green: land north\nthen:\n  - true")
    assert found == [(4, "green does not decide here: red is asked for land.")]


def test_an_option_that_is_not_offered_is_told_with_the_reason(tmp_path: Path) -> None:
    found = one(tmp_path, "play:\n  - red: land north\n  - green: land north\nthen:\n  - true")
    reason = "not exists island.ship (islands/game.yaml:27)"
    assert found == [(5, f"'land north' is not offered: {reason}. Offered: land east, land south.")]


def test_something_that_is_no_option_at_all(tmp_path: Path) -> None:
    found = one(tmp_path, "play:\n  - red: land west\nthen:\n  - true")
    assert [line for line, _ in found] == [4]
    assert found[0][1].startswith("'land west' is not offered: no such choice in land")


def test_only_the_first_move_that_fails_is_told(tmp_path: Path) -> None:
    found = one(tmp_path, "play:\n  - green: land north\n  - green: land east\nthen:\n  - round == 9")
    assert [line for line, _ in found] == [4]


def test_secret(tmp_path: Path) -> None:
    """Who sees into a purse that lies open, and into one that its owner alone may look into; an empty one has none."""

    def played(line: str, *, hidden: bool = False) -> list[tuple[int, str]]:
        game = GAME.replace("player.purse: {", "player.purse: {front: owner, back: all, ") if hidden else GAME
        return one(tmp_path, f"play:\n  - secret: {line}\nthen:\n  - true", game)

    assert played("{zone: red.purse, seen_by: [red, green]}") == []
    assert played("{zone: red.purse, seen_by: [red]}") == [(4, "green can see what lies in red.purse.")]
    assert played("{zone: red.purse, seen_by: [red]}", hidden=True) == []
    assert played("{zone: red.purse, seen_by: [green]}", hidden=True) == [
        (4, "green does not see what lies in red.purse.")
    ]
    nothing = "Nothing lies in green.purse, so that nothing of it can be secret."
    assert played("{zone: green.purse, seen_by: [green]}", hidden=True) == [(4, nothing)]
    assert played("{zone: red.luck, seen_by: [red]}") == [(4, "RS303: Here zone is expected, not 0..5.")]


def test_offered_and_refused(tmp_path: Path) -> None:
    found = one(tmp_path, "play:\n  - red: land north\n  - offered: land north\nthen:\n  - true")
    assert [line for line, _ in found] == [5]
    assert one(tmp_path, "play:\n  - refused: land south\nthen:\n  - true") == [
        (4, "'land south' is offered, and must be refused.")
    ]
    assert one(tmp_path, "play:\n  - refused: [rest red, land north]\nthen:\n  - true") == [
        (4, "'land north' is offered, and must be refused.")
    ]


@pytest.mark.parametrize("key", ["land west", "sail north", "land north east", "land 3", "west", "accept"])
def test_a_refusal_of_what_there_is_not_at_all(tmp_path: Path, key: str) -> None:
    """There are the islands north, east and south: no position offers anything else."""
    [(line, message)] = one(tmp_path, f"play:\n  - refused: {key}\nthen:\n  - true")
    assert line == 4
    assert message.startswith(f"No decision of the game can offer '{key}', so that it says nothing that it is refused.")


@pytest.mark.parametrize("key", ["land north", "north", "island north", "land island[north]", "island[north]"])
def test_a_refusal_of_what_is_not_there_now(tmp_path: Path, key: str) -> None:
    assert one(tmp_path, f"play:\n  - red: land north\n  - refused: {key}\nthen:\n  - true") == []


def test_a_refusal_of_a_number(tmp_path: Path) -> None:
    """In round 1 a 1 is not offered; that a 4 never is, is what the range says, and worth a scenario."""
    step = "          - {choose: amount, from: 1..3, where: amount > round}\n"
    game = GAME.replace("          - try:", f"{step}          - try:")
    assert one(tmp_path, "play:\n  - refused: [amount 1, amount 4]\nthen:\n  - true", game) == []
    [(line, message)] = one(tmp_path, "play:\n  - refused: amount many\nthen:\n  - true", game)
    assert (line, message[:48]) == (4, "No decision of the game can offer 'amount many',")


def test_a_refusal_by_its_rule(tmp_path: Path) -> None:
    game = GAME.replace("require: me.luck < 3", "require: me.luck < 3 or island == east")
    text = """
given:
  red.luck: 3
play:
  - refused: {option: land north, rule: luck_runs_out}
  - refused:
      - land south
      - {option: land south, rule: luck_runs_out}
  - offered: land east
then:
  - true
"""
    assert one(tmp_path, text, game) == []


def test_a_refusal_in_an_action_that_was_passed_over(tmp_path: Path) -> None:
    """Red has no luck left to land anywhere, so it is asked to rest; the reason is that of landing."""
    text = """
given:
  red.luck: 3
play:
  - refused: {option: land north, rule: luck_runs_out}
  - red: rest green
  - green: land north
then:
  - ahead == green
"""
    assert one(tmp_path, text) == []
    found = one(tmp_path, "given:\n  red.luck: 3\nplay:\n  - red: land north\nthen:\n  - true")
    reason = "luck_runs_out (islands/game.yaml:28)"
    assert found == [(6, f"'land north' is not offered: {reason}. Offered: rest red, rest green.")]


def test_the_rule_of_a_refusal_must_be_the_right_one(tmp_path: Path) -> None:
    text = "play:\n  - red: land east\n  - refused: {option: land east, rule: luck_runs_out}\nthen:\n  - true"
    reason = "not exists island.ship (islands/game.yaml:27)"
    assert one(tmp_path, text) == [(5, f"'land east' must be refused by luck_runs_out, and is refused by {reason}.")]


def test_moves_after_the_end(tmp_path: Path) -> None:
    text = "given:\n  round: 2\nplay:\n  - red: north\n  - green: east\n  - red: south\nthen:\n  - true"
    assert one(tmp_path, text) == [(8, "The game is over before this line.")]


def test_conditions_tell_both_sides(tmp_path: Path) -> None:
    text = "then:\n  - round == 2\n  - red.fleet.count < 3\n  - ahead == red\n  - winners == [red]\n  - game_over"
    assert one(tmp_path, text) == [
        (4, "`round == 2` does not hold: left is 1, right is 2."),
        (5, "`red.fleet.count < 3` does not hold: left is 3, right is 3."),
        (6, "`ahead == red` does not hold: left is none, right is red."),
        (7, "`winners == [red]` does not hold: left is [], right is [red]."),
        (8, "`game_over` does not hold."),
    ]


def test_of_several_conditions_the_false_one_is_told(tmp_path: Path) -> None:
    text = "then:\n  - round == 1 and red.luck == 4 and green.luck == 5"
    assert one(tmp_path, text) == [(4, "`red.luck == 4` does not hold: left is 0, right is 4.")]


def test_the_end_knows_the_winners(tmp_path: Path) -> None:
    """One island for red, none for green; a whole game of three rounds ends by itself."""
    text = """
given:
  round: 2
  north.ship: ship(red)
  green.luck: 3
play:
  - red: land east
  - green: rest red
then:
  - game_over
  - winners == [red]
  - red.score == 2 and green.score == 0
  - ahead == red
"""
    assert one(tmp_path, text) == []


def test_what_must_always_hold_is_looked_at_after_each_move(tmp_path: Path) -> None:
    game = GAME + "always:\n  - not exists south.ship\n"
    text = "play:\n  - red: land north\n  - green: land south\nthen:\n  - true"
    expected = "After this `not exists south.ship` does not hold, which must always hold."
    assert one(tmp_path, text, game) == [(5, expected)]


def test_options_and_players(tmp_path: Path) -> None:
    assert one(tmp_path, "players: 3\noptions: {secret: true}\nthen:\n  - player_count == 3 and option.secret") == []
    assert one(tmp_path, "then:\n  - player_count == 2 and not option.secret") == []
    found = one(tmp_path, "players: 4\nthen:\n  - true")
    assert [line for line, _ in found] == [2]
    assert found[0][1].startswith("RS434: ")


def test_a_seat_comes_before_other_members_of_its_name(tmp_path: Path) -> None:
    """Where a type is expected the name is of that type, as everywhere."""
    flags = "enums:\n  flag: {attributes: {worth: integer}, values: {white: {worth: 1}, green: {worth: 2}}}\n"
    text = """
given:
  green.luck: 2
  ahead: green
then:
  - green.luck == 2 and red.luck == 0
  - ahead == green and green == ahead
  - flag.green.worth == 2
  - any(f in flag where f == green)
"""
    assert one(tmp_path, text, GAME + flags) == []


def test_a_condition_that_cannot_be_read_fails(tmp_path: Path) -> None:
    found = one(tmp_path, "then:\n  - rounds == 1")
    assert [line for line, _ in found] == [4]
    assert "rounds" in found[0][1]


@pytest.mark.parametrize("tried", [False, True])
def test_a_step_of_set_up_that_cannot_be_done(tried: bool, tmp_path: Path) -> None:
    """Four coins for two players by threes: there are not enough for green. In `try` it is left, and set-up goes on."""
    step = "move: take(3, box.coin)\n        to: player.purse\n"
    if tried:
        step = "try: [{move: 'take(3, box.coin)', to: player.purse}]\n"
    loop = f"setup:\n  - for_each: player\n    do:\n      - {step}  - set: ahead\n    to: green\n"
    game = GAME.replace("setup:\n  - move: take(1, box.coin)\n    to: red.purse\n", loop).replace(", up_to: 2", "")
    text = "then:\n  - red.purse.count == 3 and green.purse.empty\n  - box.coin.count == 1\n  - ahead == green"
    found = one(tmp_path, text, game)
    assert [told.partition(":")[0] for _, told in found] == ([] if tried else ["RS805"])


def test_the_guides_example_is_well_formed() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    problems = Problems()
    tree = read_yaml(SourceFile.of("example.yaml", example), problems)
    assert tree is not None
    validate_file(tree, problems, variant=False)
    assert problems.items == ()
