"""What games made by chance showed of the executors, as small games: each plays them alike, as worked out here."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import State, load

EXECUTORS = ("reference", "native")

#: An event brings first 1 and then 5 to one trigger. There is no sixth cell, so that the first one stands in for it.
EVENTS = """\
game: {id: events, language: 1, title: {en: "Events"}, players: 1, seats: [solo]}
boards: {land: {cell: {for: {x: 0..2}}}}
values: {far: 5}
events: {hit: {n: integer}}
triggers:
  counted:
    when: {emitted: hit}
    do:
      - if: (cell[n] otherwise cell[0]) == cell[0]
        then: [{score: 1, for: solo, reason: first}]
        else: [{score: 10, for: solo, reason: other}]
flow:
  - emit: hit(1)
  - emit: hit(far)
"""

#: A condition over a few members that hangs on none of them, kept as a value: a piece lies in the hand.
KEPT = """\
game: {id: kept, language: 1, title: {en: "Kept"}, players: 1, seats: [solo]}
boards: {land: {cell: {for: {x: 0..2}}}}
pieces: {card: {attributes: {worth: 1..3}, rows: [{worth: 1}, {worth: 2}, {worth: 3}]}}
zones:
  deck: {shape: stack, holds: card, start: true}
  player.hand: {shape: slot, holds: card}
state:
  some: {type: boolean, start: false}
  every: {type: boolean, start: false}
setup:
  - draw: 1
    from: deck
    to: solo.hand
  - set: some
    to: any(c in cell where exists solo.hand)
  - set: every
    to: all(exists solo.hand for c in cell)
flow:
  - choose: number
    from: 1..2
"""

#: The left hand is one's own where one plays alone: chance ends a look-ahead there as it does for others.
NEIGHBOUR = """\
game: {id: neighbour, language: 1, title: {en: "Neighbour"}, players: 1..2, seats: [red, blue]}
pieces: {card: {attributes: {worth: 1..3}, rows: [{worth: 3, count: 2}]}}
zones:
  deck: {shape: stack, holds: card, start: true}
  player.hand: {shape: pool, holds: card, front: owner}
state: {round: {type: 0..9, start: 0}}
setup:
  - for_each: player
    do: [{draw: 1, from: deck, to: player.hand}]
flow:
  - choose: {taken: {from: active.left.hand}}
  - require: round > 3
"""


#: Two of one player cannot be chosen: what was written down for choosing is taken back before the action is told.
TAKEN_BACK = """\
game: {id: taken_back, language: 1, title: {en: "Taken back"}, players: 1, seats: [solo]}
boards: {land: {cell: {for: {x: 0..2}}}}
actions:
  act:
    params: {spot: cell}
    do: []
flow:
  - try:
      - choose: both
        from: player
        exactly: 2
      - choose: number
        from: 1..2
    else: [{perform: "act(cell[0])"}]
"""


def _started(text: str, folder: Path, executor: str, players: int = 1) -> State:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return load(str(folder), players=players, executor=executor).start(0)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_one_emits_says_nothing_of_the_others(executor: str, tmp_path: Path) -> None:
    """10 points for cell 1, one for what is not there."""
    result = _started(EVENTS, tmp_path, executor).result
    assert result is not None
    assert result.scores == (11,)


def test_a_condition_that_is_kept_is_true_or_false(tmp_path: Path) -> None:
    states = [_started(KEPT, tmp_path, executor) for executor in EXECUTORS]
    for state in states:
        assert (state.to_json()["state"]["some"], state.to_json()["state"]["every"]) == (True, True)
    assert len({state.to_bytes() for state in states}) == 1


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_piece_chosen_where_it_may_be_hidden_ends_the_look_ahead(executor: str, players: int, tmp_path: Path) -> None:
    """So the card is offered, though what follows fails; that is found when it is taken, and leaves the unit."""
    state = _started(NEIGHBOUR, tmp_path, executor, players)
    assert len(state.options()) == 1
    assert state.apply(state.options()[0]).result is not None


def test_what_a_try_wrote_before_it_asked_is_taken_back(tmp_path: Path) -> None:
    """The state in which the action is told is the same one in all executors, to the byte."""
    (tmp_path / "game.yaml").write_text(TAKEN_BACK, encoding="utf-8")
    game = load(str(tmp_path))
    assert game.native is not None
    found = follow(Pair(game, game.native), 0, 9)
    assert not isinstance(found, Difference), found
