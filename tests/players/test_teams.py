"""Automatic players play for their team: what they go by is worked out by hand, and both executors find it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, State, load
from interpreter.players import greedy, make_player, search
from interpreter.players.outlook import positions_of
from interpreter.players.search import InModule, InPython
from tests.native.test_searching import same_tree

HEAD = "game: {{id: g, language: 1, title: {{en: G}}, players: 4, seats: [north, east, south, west]{teams}}}\n"
PAIRS, ALL = ", teams: player.index % 2", ", teams: 0"


def made(folder: Path, teams: str, points: tuple[int, ...], asked: str, ranking: str = "most: player.score") -> Game:
    """North chooses one of two things, and the game is over."""
    seats = ("north", "east", "south", "west")
    steps = "".join(f"  - {{score: {n}, for: {seat}, reason: a}}\n" for n, seat in zip(points, seats, strict=True))
    body = (
        f"state: {{good: {{type: boolean, start: false}}}}\nflow:\n{steps}  - choose: x\n    from: 1..2\n  - {asked}\n"
    )
    (folder / "g.yaml").write_text(HEAD.format(teams=teams) + body + f"ranking: [{{{ranking}}}]\n", "utf-8")
    return load(folder)


HELP = "if: x == 1\n    then: [{score: 1, for: north, reason: b}]\n    else: [{score: 9, for: south, reason: b}]"


@pytest.mark.parametrize(
    ("teams", "leads"),
    [
        ("", [3.0, -4.0]),  # 6 to east's 3; 5 to south's 9
        (PAIRS, [0.0, 8.0]),  # 6 to 6; 14 to 6
        (ALL, [12.0, 20.0]),  # what all have
    ],
)
def test_a_lead_is_that_of_the_team(tmp_path: Path, teams: str, leads: list[float]) -> None:
    state = made(tmp_path, teams, (5, 3, 0, 3), HELP).start(0)
    assert greedy._by_reference(state, 0, [1]) == leads
    assert greedy._in_module(state, 0, [1]) == leads
    chosen = make_player("greedy", 0, 1).choose(state, state.options())
    assert chosen.key == state.options()[leads.index(max(leads))].key


def test_the_lead_of_a_partner_is_the_same(tmp_path: Path) -> None:
    state = made(tmp_path, PAIRS, (5, 3, 0, 3), HELP).start(0)
    for seat, expected in enumerate(([0.0, 8.0], [0.0, -8.0], [0.0, 8.0], [0.0, -8.0])):
        assert greedy._by_reference(state, seat, [1]) == greedy._in_module(state, seat, [1]) == expected


#: A lead of as much as usual: x = 1, and 0.5 + 0.5 * (27 + 1) / (27 + 9) = 8/9; behind by as much 1/9.
AHEAD, BEHIND = 8 / 9, 1 / 9


@pytest.mark.parametrize(
    ("teams", "points", "words", "brought"),
    [
        # 6 to 5 and won, or 4 to 5 and lost: each member has the whole victory
        (PAIRS, (4, 3, 0, 2), "if: x == 1\n    then: [{score: 2, for: south, reason: b}]; most: player.score",
         [0.85 + 0.15 * AHEAD, 0.15 * BEHIND]),
        # all have 5 points in any case, and win or lose together
        (ALL, (1, 1, 1, 2), "if: x == 1\n    then: [{set: good, to: true}]; won: good",
         [0.85 + 0.15 * AHEAD, 0.15 * AHEAD]),
    ],
)  # fmt: skip
def test_a_victory_is_whole_for_each_of_a_team(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    teams: str,
    points: tuple[int, ...],
    words: str,
    brought: list[float],
) -> None:
    asked, ranking = words.split("; ")
    game = made(tmp_path, teams, points, asked, ranking)
    state, rounds = game.start(0), 20
    assert game.native is not None
    module, python = InModule(game.native, state, 0, 5, rounds), InPython(state, 0, 5)
    for each in (module, python):
        each.play_rounds(rounds)
        assert [gained / taken for taken, gained in each.tried()] == pytest.approx(brought)
    assert not module._is_left
    monkeypatch.setattr(search, "native_of", lambda game: None)
    assert make_player("mcts:20", 0, 1).choose(state, state.options()).key == state.options()[0].key


LONG = """hints: {horizon: 2, worth: {gold: player.gold}}
state: {player.gold: {type: 0..30, start: 0}}
actions:
  earn: {do: [{set: me.gold, to: "min(30, me.gold + 2)"}]}
  give: {do: [{choose: p, from: player}, {set: p.gold, to: "min(30, p.gold + 3)"}, {score: 1, for: p, reason: given}]}
flow:
  - repeat:
      - turns: player
        do:
          - choose: what
            from: [earn, give]
          - perform: what
    times: 4
ranking: [{most: player.score}]
"""


@pytest.mark.parametrize("teams", [PAIRS, ALL, ", teams: if player == east then 1 else 0", ", teams: player.index"])
def test_both_executors_search_alike(tmp_path: Path, teams: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.yaml").write_text(HEAD.format(teams=teams) + LONG, "utf-8")
    game = load(tmp_path)
    state: State = game.start(3)
    for seed in range(2):
        same_tree(state, seed, monkeypatch)
        assert state.decision is not None
        assert greedy._by_reference(state, state.decision.player, [8]) == greedy._in_module(
            state, state.decision.player, [8]
        )
        state = state.apply(state.options()[-1])
    if teams.endswith("index"):  # each a team alone: as without teams
        (tmp_path / "g.yaml").write_text(HEAD.format(teams="") + LONG, "utf-8")
        plain = load(tmp_path).start(3)
        seat = plain.decision.player if plain.decision else 0
        assert greedy._by_reference(plain, seat, [8]) == greedy._by_reference(game.start(3), seat, [8])


def test_random_games_count_a_victory_of_a_team_whole(tmp_path: Path) -> None:
    """5 to 6: east and west have won, each of them all of it; of one team all have."""
    nothing = "if: x == 1\n    then: [{set: good, to: true}]"
    found = made(tmp_path, PAIRS, (5, 3, 0, 3), nothing).playouts(None, 3)
    assert [found.wins(seat) for seat in range(4)] == [0, 1, 0, 1]
    found = made(tmp_path, ALL, (5, 3, 0, 3), nothing).playouts(None, 3)
    assert [found.wins(seat) for seat in range(4)] == [1, 1, 1, 1]
    found = made(tmp_path, ALL, (5, 3, 0, 3), nothing, "won: false").playouts(None, 3)
    assert [found.wins(seat) for seat in range(4)] == [0, 0, 0, 0]
    game = made(tmp_path, PAIRS, (5, 3, 0, 3), nothing)
    over = game.start(0).apply(game.start(0).options()[0])
    assert positions_of(game).shares(positions_of(game).at(over)) == [0, 1, 0, 1]
