"""What a step that is left out would have given: nothing that follows may build on it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import Game, State, load
from interpreter.log import GameLog
from interpreter.save import load_save, save
from rulespec.diagnostics.model import ContentError, Problems

FRAME = """\
game: {id: left_out, language: 1, title: {en: "Left out"}, players: 2, seats: [red, green]}
boards: {land: {cell: {for: {x: 0..3}}}}
pieces: {card: {attributes: {worth: 1..2}, rows: [{worth: 1, count: 2}, {worth: 2}]}}
zones:
  deck: {shape: stack, holds: card, start: true}
  discard: {shape: stack, holds: card}
  spot: {shape: slot, holds: card}
  drawn: {shape: stack, holds: card, renew: discard}
  player.hand: {shape: pool, holds: card}
state:
  player.place: {type: cell or none, start: none}
  n: {type: 0..9, start: 0}
"""
RANKING = "ranking: [{most: player.score}]\n"


def made(folder: Path, text: str) -> Game:
    """The game of the frame with these sections."""
    (folder / "game.yaml").write_text(FRAME + text + RANKING, encoding="utf-8")
    return load(str(folder))


def ended(game: Game, seed: int = 1) -> State:
    """A random game's end, which both executors reach alike."""
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    assert not isinstance(found := follow(pair, seed, 50), Difference), found
    state, dice = game.start(seed), random.Random(seed)
    while state.decision is not None:
        state = state.apply(dice.choice(list(state.options())))
    return state


def scores(state: State) -> list[int]:
    base = state.game.facts.layout.regions["player.score"]
    return [int(x) for x in state.cells[base : base + 2]]


# ---- everybody at once -----------------------------------------------------------------------------------------------

AT_ONCE = """
triggers:
  out: {when: {emptied: player.hand}, do: [{score: 5, for: player, reason: out}]}
setup:
  - as: green
    do: [{draw: 1, from: deck, to: me.hand}]
flow:
  - turns: player
    at_once: true
    do:
      - choose: card
        from: me.hand
      - score: 1
        reason: played
      - move: card
        to: discard
"""


def test_who_has_nothing_to_choose_is_left_out(tmp_path: Path) -> None:
    """Red holds no card: she is not asked, and none of her steps is done. Green plays her only one: 1 and 5 points."""
    game = made(tmp_path, AT_ONCE)
    state = game.start(1)
    assert state.decision is not None
    assert state.decision.player == 1
    assert scores(ended(game)) == [0, 6]


def test_nobody_has_anything_to_choose(tmp_path: Path) -> None:
    game = made(tmp_path, AT_ONCE.replace("as: green", "as: red").replace("me.hand}]", "discard}]"))
    assert scores(ended(game)) == [0, 0]


def test_in_a_unit_nothing_can_be_chosen_at_all(tmp_path: Path) -> None:
    """Inside `try` a choice that cannot be made leaves all of it, for everybody."""
    before, flow = AT_ONCE.split("flow:\n")
    inside = "\n".join("      " + line for line in flow.splitlines())
    text = f"{before}flow:\n  - try:\n{inside}\n    else: [{{score: 3, for: red, reason: not}}]\n"
    assert scores(ended(made(tmp_path, text))) == [3, 0]


def test_chance_chooses_for_those_who_have_something(tmp_path: Path) -> None:
    game = made(tmp_path, AT_ONCE.replace("from: me.hand", "from: me.hand\n        who: chance"))
    assert scores(ended(game)) == [0, 6]


# ---- a zone that ran empty -------------------------------------------------------------------------------------------

EMPTIED = "triggers: {out: {when: {emptied: %s}, do: [{score: 1, for: red, reason: out}]}}\nflow:\n"
#: Steps, and how often the zone loses its last piece in them. There are three cards in the deck.
LAST = [
    ("deck", "- {draw: 3, from: deck, to: discard}", 1),
    ("deck", "- {draw: 3, from: deck, to: discard}\n- {draw: 1, from: deck, to: discard}", 1),
    ("deck", "- {move: deck, to: discard}\n- {move: deck, to: discard}", 1),
    ("deck", "- {draw: 0, from: deck, to: discard}", 0),
    ("discard", "- {draw: 1, from: discard, to: deck}\n- {move: discard, to: deck}", 0),
    ("spot", "- {draw: 1, from: deck, to: spot}\n- {move: spot, to: discard}\n- {draw: 1, from: spot, to: deck}", 1),
    (
        "deck",
        "- {draw: 2, from: deck, to: discard}\n- {draw: 1, from: deck, to: spot}\n- {refill: spot, from: deck}",
        1,
    ),
    # of three that lie ready two are drawn, then the last one; then there is none, and nothing lies ready
    ("drawn", "- {move: deck, to: discard}\n- {draw: 2, from: drawn, to: red.hand}", 0),
    ("drawn", "- {move: deck, to: discard}\n" + "- {draw: 1, from: drawn, to: red.hand}\n" * 4, 1),
    # all three are shuffled in and drawn at once, from a zone that was empty before
    ("drawn", "- {move: deck, to: discard}\n- {draw: 3, from: drawn, to: red.hand}", 1),
    ("drawn", "- {move: deck, to: discard}\n- {draw: 0, from: drawn, to: red.hand}", 0),
]


@pytest.mark.parametrize(("zone", "steps", "times"), LAST)
def test_only_a_zone_that_lost_its_last_piece_was_emptied(zone: str, steps: str, times: int, tmp_path: Path) -> None:
    lines = "".join(f"  {line}\n" for line in steps.strip().splitlines())
    assert scores(ended(made(tmp_path, EMPTIED % zone + lines))) == [times, 0]


def test_a_move_that_cannot_be_done_empties_nothing(tmp_path: Path) -> None:
    """The slot holds a card already, so that the only card of the deck stays where it is."""
    steps = """
  - {draw: 2, from: deck, to: discard}
  - {draw: 1, from: discard, to: spot}
  - choose: one
    from: deck
    else: []
    then:
      - if: n == 0
        then:
          - {move: one, to: spot}
"""
    assert scores(ended(made(tmp_path, EMPTIED % "deck" + steps))) == [0, 0]


# ---- who decides, and what is known ----------------------------------------------------------------------------------


def test_behind_a_choice_of_somebody_else_one_is_oneself_again(tmp_path: Path) -> None:
    """Green would choose and has nothing to choose from: what is done instead is red's, and what follows too."""
    text = """
flow:
  - as: red
    do:
      - choose: card
        from: me.hand
        who: me.left
        else: [{score: 2, reason: nothing}]
      - score: 1
        reason: after
"""
    assert scores(ended(made(tmp_path, text))) == [3, 0]


REFUSED = {
    "a condition that is left out": "- require: exists red.place\n- {set: n, to: red.place.x}",
    "a condition about somebody else": (
        "- choose: c\n  from: cell\n  who: green\n  where: exists me.place and c.x > 0\n- {set: n, to: me.place.x}"
    ),
    "a condition about oneself, asked of somebody else": (
        "- if: exists me.place\n  then:\n    - choose: c\n      from: cell\n      who: green\n"
        "      where: c.x < me.place.x"
    ),
    "what was known of oneself, when all choose at once": (
        "- if: exists me.place\n  then:\n    - turns: player\n      at_once: true\n      do:\n"
        "        - choose: c\n          from: cell\n        - {set: n, to: me.place.x}"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_need_not_be_is_not_taken_for_known(name: str, tmp_path: Path) -> None:
    steps = "".join(f"  {line}\n" for line in REFUSED[name].splitlines())
    with pytest.raises(ContentError) as caught:
        made(tmp_path, "flow:\n" + steps)
    assert {problem.code for problem in caught.value.problems} == {"RS305"}


def test_in_a_unit_a_condition_is_known(tmp_path: Path) -> None:
    text = "flow:\n  - try:\n      - require: exists red.place\n      - {set: n, to: red.place.x}\n"
    assert scores(ended(made(tmp_path, text))) == [0, 0]


# ---- equal pieces ----------------------------------------------------------------------------------------------------

LOOPS = (
    "exists first(c in sort(d in cell by 0 - d.x) where c.x == card.worth)",
    "most(c in cell by c.x * card.worth).count == 1",
    "walk(c from cell[0] step cell[c.x + card.worth]).count > 1",
    "longest(c in cell where c.x >= card.worth).count > 1",
    "sum(c.x for c in sort(d in cell by d.x) where c.x >= card.worth) > 0",
    "any(c in reach(d from cell[0] via list(e for e in cell) cost card.worth within 3) where c.x > 0)",
)


@pytest.mark.parametrize("condition", LOOPS)
def test_equal_pieces_are_offered_once_whatever_the_condition_goes_through(condition: str, tmp_path: Path) -> None:
    """The deck holds two cards of worth 1 and one of worth 2; every condition is true of all of them."""
    text = (
        f"flow:\n  - choose: card\n    from: deck\n    where: {condition}\n  - score: card.worth\n    reason: taken\n"
    )
    game = made(tmp_path, text)
    assert len(game.start(1).options()) == 2
    ended(game)


#: Values that `take` has a part in, and what they are where the zone holds two cards. Red's hand is a pool of them.
TAKEN = {
    "take(2, red.hand).count": 2,
    "take(3, red.hand).count": 2,
    "count(card in take(3, red.hand))": 2,
    "if take(3, red.hand).empty then 4 else 5": 5,
    "(take(2, red.hand) + take(1, red.hand)).count": 3,
    "sum(1 for card in take(n + 3, red.hand))": 2,
}


@pytest.mark.parametrize("value", TAKEN)
def test_where_fewer_are_than_are_taken_it_is_all_of_them(value: str, tmp_path: Path) -> None:
    steps = f"  - {{draw: 2, from: deck, to: red.hand}}\n  - score: {value}\n    for: red\n    reason: taken\n"
    assert scores(ended(made(tmp_path, "flow:\n" + steps))) == [TAKEN[value], 0]


def test_more_than_there_are_cannot_be_moved(tmp_path: Path) -> None:
    steps = """
  - {draw: 2, from: deck, to: red.hand}
  - try: [{move: "take(3, red.hand)", to: discard}]
    else: [{score: 1, for: red, reason: fewer}]
  - for_each: card
    in: take(3, red.hand)
    do: [{score: 7, for: red, reason: each}]
  - try: [{move: "take(2, red.hand)", to: discard}]
    else: [{score: 9, for: red, reason: fewer}]
"""
    assert scores(ended(made(tmp_path, "flow:" + steps))) == [1 + 2 * 7, 0]


# ---- saves -----------------------------------------------------------------------------------------------------------


def test_a_save_is_taken_where_an_order_could_be_left_out_and_is_not(tmp_path: Path) -> None:
    """Each pass asks, so that the order is asked for: the log says none the less how the game was loaded."""
    steps = """
flow:
  - for_each: p
    in: player
    order: chosen
    do: [{choose: c, from: cell, who: p}]
"""
    game, place, problems = made(tmp_path, steps), tmp_path / "a.save", Problems()
    log = GameLog.start(None, game, 1)
    state = log.state
    for _ in range(2):
        option = state.options()[0]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    save(state, place, log)
    saved = load_save(place, problems, str(tmp_path))
    assert problems.items == ()
    assert saved is not None
    assert saved.state.to_bytes() == state.to_bytes()


TWICE = """
flow:
  - turns: (list(p for p in player)) + (list(p for p in player))
    at_once: true
    do:
      - choose: number
        from: 1..3
      - score: number
        for: active
        reason: chosen
"""


@pytest.mark.parametrize("seed", range(4))
def test_who_is_named_twice_chooses_twice_and_both_answers_are_kept(seed: int, tmp_path: Path) -> None:
    """Four answers of two seats: the state has room for the three that wait for the last one, in bytes too."""
    game = made(tmp_path, TWICE)
    ended(game, seed)
    state = game.start(seed)
    for chosen in ("1", "2", "3", "1"):  # red, green, red, green
        state = game.state_from_bytes(state.to_bytes()).apply(next(o for o in state.options() if chosen in o.key))
    assert state.decision is None
    assert scores(state) == [1 + 3, 2 + 1]


# ---- actions that nothing performs -----------------------------------------------------------------------------------

NEVER_DONE = """\
  gift: {type: effect or none, start: none}
effects:
  pass_on: {do: [{score: 3, for: me, reason: passed}]}
actions:
  act: {params: {many: 1..3}, do: [{score: many, for: me, reason: acted}]}
  never_done: {do: [{set: gift, to: act(2)}]}
flow:
  - as: red
    do: [{perform: (gift otherwise pass_on)}]
"""


def test_an_effect_that_only_an_unused_action_makes_a_value_of_is_performed_by_nobody(tmp_path: Path) -> None:
    """`gift` holds none, since nothing performs the action that would set it: red passes, for 3 points."""
    state = ended(made(tmp_path, NEVER_DONE))
    assert scores(state) == [3, 0]


# ---- choices outside every unit --------------------------------------------------------------------------------------

#: A trigger, and an effect that the flow performs: no unit is open in either, so that nothing is looked ahead at.
OUTSIDE = {
    "a trigger": "triggers: {t: {when: {turn: begins}, do: %s}}\nflow: [{turns: player, do: []}]\n",
    "an effect": "effects: {e: {do: %s}}\nflow: [{turns: player, do: [{perform: e}]}]\n",
}
#: The deck holds three cards. Whatever is chosen, what comes next cannot be done, in one of the two cases of the last.
FAILING = (
    ("[{choose: p, from: player}, {move: red.hand.first, to: discard}]", 2),
    ("[{choose: c, from: cell}, {require: c.x > 3}]", 4),
    ("[{choose: c, from: cell}, {require: c.x > 2}, {score: 1, reason: x}]", 4),
    ("[{choose: c, from: cell}, {move: deck.top, to: spot}, {move: deck.top, to: spot}]", 4),
)


@pytest.mark.parametrize("around", OUTSIDE)
@pytest.mark.parametrize(("steps", "offered"), FAILING)
def test_outside_every_unit_all_candidates_are_offered(around: str, steps: str, offered: int, tmp_path: Path) -> None:
    """Both executors and the reference ask each player, and pass over what cannot be done then."""
    game = made(tmp_path, OUTSIDE[around] % steps)
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    assert not isinstance(found := follow(pair, 1, 50), Difference), found
    state, asked = game.start(1), []
    while state.decision is not None:
        asked.append((state.decision.player, len(state.options())))
        state = state.apply(state.options()[0])
    assert asked == [(0, offered), (1, offered)]


def test_a_set_of_pieces_known_by_their_backs_reads_no_other_zone(tmp_path: Path) -> None:
    """What lies behind the zone in a state says nothing of how many look like this one. Each back is picked once."""
    frame = FRAME.replace("discard: {shape: stack, holds: card}", "discard: {shape: pool, holds: card, front: nobody}")
    steps = """
flow:
  - {draw: 1, from: deck, to: spot}
  - {draw: 2, from: deck, to: discard}
  - as: red
    do:
      - choose: some
        each: {card: {from: discard}}
        up_to: 3
      - {score: 1, reason: chosen}
"""
    (tmp_path / "game.yaml").write_text(frame + steps + RANKING, encoding="utf-8")
    game = load(str(tmp_path))
    assert game.native is not None, game.native_refused
    pair = Pair(game, game.native)
    for seed in range(4):
        assert not isinstance(found := follow(pair, seed, 50), Difference), found
