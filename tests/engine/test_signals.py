"""Triggers, tracks, turns and `as`: what is called, in which order, and for whom."""

from __future__ import annotations

from interpreter import State
from tests.engine.small import cell, small, zone


def _after(task: str) -> State:
    """The end of the game of that task, in which nobody has anything to decide."""
    state = small("signals", task=task).start(1)
    assert state.decision is None
    return state


def _written(state: State) -> list[int]:
    return [int(note.removeprefix("note(").removesuffix(")")) for note in zone(state, "paper")]


def _scores(state: State) -> tuple[int, ...]:
    assert state.result is not None
    return state.result.scores


def test_triggers_of_one_event_go_clockwise_from_the_active_player() -> None:
    """Bob rings: bob writes 3, cyd 1, ann 2. Cyd rings aloud: these notes are gone, and only bob's loud one is left.

    A trigger whose piece is not there any more is left at that step, and the next one goes on. 6 is written at the end.
    """
    assert _written(_after("order")) == [3, 1, 2, 4, 6]


def test_a_condition_is_noticed_when_it_turns_true_and_not_while_it_stays() -> None:
    """5 once for `level`, although it was 9 for a moment inside `together`."""
    assert _written(_after("becoming")) == [5, 7, 6]


def test_a_condition_over_a_kind_is_noticed_for_each_member() -> None:
    """Bob alone has two coins or more; ann has the points of the end (the level, 2)."""
    assert _scores(_after("becoming")) == (2, 1, 0)


def test_the_last_piece_out_of_a_zone_is_noticed() -> None:
    """Ann's second token: bob, on her left, gets 3. Both of cyd's at once: ann gets 3, and 1 for the level."""
    assert _scores(_after("emptying")) == (3 + 1, 3, 0)


def test_a_track_is_gone_step_by_step_and_past_its_ends() -> None:
    """Ann: a step, and twice past the top (10 each), and the level. Bob: a step, twice a coin, and once `rich`."""
    state = _after("stepping")
    assert _scores(state) == (1 + 10 + 10 + 1, 1 + 1, 0)
    assert cell(state, "player.climb") == {"ann": "stair[2]", "bob": "stair[0]", "cyd": "stair[1]"}
    assert cell(state, "player.coins", "bob") == 2


def test_turns_begin_and_end_for_each_player_in_order() -> None:
    """A coin at the beginning of each turn: the level is 1 after set-up, then 2, 3 and 4. It passes 3 in cyd's turn."""
    state = _after("turning")
    assert cell(state, "level") == 4
    assert cell(state, "player.coins") == {"ann": 1, "bob": 1, "cyd": 1}
    assert _scores(state) == (1 + 4, 1, 1)
    assert _written(state) == [5, 6]


def test_as_makes_somebody_else_gain_and_gives_back() -> None:
    """In ann's turn bob gains 1, the active player (ann) 4, and bob once more 1."""
    state = _after("acting")
    assert cell(state, "player.coins") == {"ann": 4, "bob": 2, "cyd": 0}
    assert _scores(state) == (1 + 1, 1, 0)


def test_triggers_of_the_set_up_run_before_the_flow() -> None:
    assert cell(_after("order"), "level") == 1


def test_ranking_goes_on_to_the_next_line_and_shares_what_stays_level() -> None:
    """Bob and cyd have no points and no coins. With the same points fewer coins are better."""
    shared, apart = _after("order").result, _after("turning").result
    assert shared is not None
    assert apart is not None
    assert shared.ranking == ((0,), (1, 2))
    assert apart.winners == (0,)
