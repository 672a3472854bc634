"""Every member of every set that can be completed is offered, in any order, and the order leaves no trace.

What can be completed is found beside the engine's own search: every set of candidates is written into the state as if
it had been picked, and the rest of the unit is tried from there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load
from interpreter.reference.lookahead import LookAhead
from interpreter.reference.pieces import alike
from interpreter.reference.position import Position
from interpreter.reference.sets import Picks
from interpreter.refusal import why_not
from rulespec.lower.ir import Ask
from rulespec.model.types import Piece, strip
from tests.engine.small import keys, names, small

#: Games whose decisions hold sets; each with more positions than one game has decisions of that kind.
SHIPPED = [("agora_barcelona", 3), ("barcelona", 2), ("barcelona", 4)]
SETS_EACH = 6
MOST_SETS = 4_000


def _sets(game: Game, seed: int) -> Iterator[State]:
    """The positions of one random game in which nothing is picked yet of a set."""
    rng, state = random.Random(seed), game.start(seed)
    for _ in range(600):
        if state.decision is None:
            return
        ask = state.ask
        if ask.kind == "set" and not state.cells[game.facts.layout.slots[ask.order]]:
            yield state
        state = state.apply(rng.choice(list(state.options())))


def _whole_sets(state: State) -> list[tuple[int, ...]] | None:
    """The numbers of the members of every set that leads on to the end of the unit; None where they are too many."""
    p = state.game.reference.from_bytes(state.to_bytes())
    search = LookAhead(p)
    picks = Picks(p, p.at, state.ask, search)
    fields = _piece_fields(state.ask)
    every = combinations_with_replacement if fields else combinations
    sizes = range(1, picks.wanted + 1) if picks.ask.optional else [picks.wanted]
    sets = [s for size in sizes for s in every(range(len(picks.found)), size)]
    if len(sets) > MOST_SETS:
        return None
    return [numbers for numbers in sets if _leads_on(p, picks, search, numbers, fields)]


def _piece_fields(ask: Ask) -> list[int]:
    """Which parts of a candidate are pieces."""
    return [i for i, name in enumerate(ask.names) if isinstance(strip(name.type), Piece)]


def _leads_on(p: Position, picks: Picks, search: LookAhead, numbers: tuple[int, ...], fields: list[int]) -> bool:
    values, is_record = tuple(picks.found[i] for i in numbers), picks.ask.record or len(picks.ask.names) > 1
    for field in fields:
        pieces = [value[field] if is_record else value for value in values]
        if any(pieces.count(piece) > alike(p, piece) for piece in pieces):
            return False
    tried = p.copy()
    tried.slots[picks.ask.picked], tried.slots[picks.ask.order] = values, numbers
    if picks.ask.optional:  # left by stopping: the answer says so
        tried.slots[picks.ask.answer] = 0
    search.left = p.game.program.look_cap
    return search.reaches(tried, picks.exit, 1)


def _pick(state: State, number: int, found: list[Any]) -> State:
    """The state after one more pick; it must be offered."""
    candidates = state.options().candidates
    assert (number, found[number]) in candidates
    return state.apply(state.options()[candidates.index((number, found[number]))])


def _look(game: Game, seeds: range) -> int:
    """Looks at the first sets of random games; how many there were."""
    seen = 0
    for seed in seeds:
        for state in _sets(game, seed):
            whole = _whole_sets(state)
            if whole is None:
                continue
            seen += 1
            found = game.machine.candidates(state.cells, state.cells[0])
            offered = {c[0] for c in state.options().candidates if isinstance(c, tuple)}
            members = {number for numbers in whole for number in numbers}
            assert offered == members or (len(whole) == 1 and offered == {min(members)})
            if offered != members:
                continue
            for numbers in random.Random(seed).sample(whole, min(3, len(whole))):
                ends = set()
                for order in permutations(numbers):
                    at = state
                    for number in order:
                        at = _pick(at, number, found)
                    ends.add(at.to_bytes())
                assert len(ends) == 1
            if seen >= SETS_EACH:
                return seen
    return seen


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_any_member_of_a_whole_set_may_come_first(name: str, players: int) -> None:
    assert _look(load(name, players=players), range(8)) >= 3


ALL = """\
game: {id: all, language: 1, title: {en: "All"}, players: 1, seats: [solo]}
boards:
  sea:
    site:
      for: {n: 1..3}
flow:
  - choose: sites
    from: site
    exactly: AMOUNT
  - choose: number
    from: 1..2
"""


@pytest.mark.parametrize(("amount", "first"), [(3, ["sites site[1]"]), (2, [f"sites site[{n}]" for n in (1, 2, 3)])])
def test_no_order_is_asked_for_where_all_are_taken(amount: int, first: list[str], tmp_path: Path) -> None:
    """Three of three sites are one set, and one option at a time; two of three are three sets."""
    (tmp_path / "all.yaml").write_text(ALL.replace("AMOUNT", str(amount)), encoding="utf-8")
    game = load(str(tmp_path))
    start = game.start(1)
    assert keys(start) == first
    if amount == 3:
        assert why_not(start, "sites site[2]").reason == "later"
    assert game.playouts(None, 20, 0).decisions.tolist() == [amount + 1] * 20


@pytest.mark.parametrize("task", ["sets", "sites", "some", "pairs"])
def test_any_member_comes_first_in_small_games(task: str) -> None:
    assert _look(small("bags", task=task), range(2)) >= 1


def test_any_member_comes_first_in_every_small_game() -> None:
    for name in names():
        game = small(name)
        if any(ask.kind == "set" and not ask.chance for ask in game.facts.asks.values()):
            _look(game, range(2))
