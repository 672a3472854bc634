"""All content: what a seat is shown stays the same whatever it does not see (see `independence`)."""

from __future__ import annotations

import pytest

from bench.independence import leaks, other_state
from interpreter import Game, load
from tests.engine.small import names, small

OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "secrets": tuple({"task": task} for task in ("bids", "taking", "drawing", "lots", "luring", "parting")),
}
SMALL = [(name, options) for name in names() for options in OPTIONS.get(name, ({},))]
#: Shipped games with hidden pieces, and the decisions of each random game that are looked at.
SHIPPED = {"agora_barcelona": 12, "metro": 12}
CHOICES: list[tuple[str, dict[str, str | bool]]] = [
    ("metro", {"stocks": True}),
    ("metro", {"solo": "normal"}),
    *(("metro", {"city": city}) for city in ("paris", "stockholm", "london", "new_york", "st_petersburg", "berlin")),
]


def _hides(game: Game) -> bool:
    return any(zone.front != "all" for zone in game.world.zones.values())


@pytest.mark.parametrize(("name", "options"), SMALL, ids=lambda x: x if isinstance(x, str) else "-".join(x.values()))
def test_small_games_tell_nothing(name: str, options: dict[str, str]) -> None:
    game = small(name, None, **options)
    if _hides(game):
        assert list(leaks(game, range(4))) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_tell_nothing(name: str) -> None:
    game = load(name)
    assert _hides(game)
    assert list(leaks(game, range(1), decisions=SHIPPED[name], others=1)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", [*SHIPPED, "barcelona"])
def test_shipped_games_tell_nothing_to_their_end(name: str) -> None:
    # of one, whose games take as long as those of all others, only a good part of a game
    seeds, decisions = (range(1, 2), 60) if name == "barcelona" else (range(1, 3), 200)
    assert list(leaks(load(name), seeds, decisions=decisions, others=1)) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), CHOICES, ids=lambda x: x if isinstance(x, str) else str(*x.values()))
def test_shipped_options_tell_nothing(name: str, options: dict[str, str | bool]) -> None:
    assert list(leaks(load(name, options=options), range(1), decisions=60, others=1)) == []


def test_most_of_what_is_compared_differs() -> None:
    """The comparisons are not of a state with itself: ivy's two cards may be any of those that jon does not see."""
    state = small("secrets", 2, task="drawing").start(3)
    assert len({other_state(state, 1, seed).to_bytes() for seed in range(20)}) > 10
