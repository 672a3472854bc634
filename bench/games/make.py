"""A whole game by chance: its content as a tree of plain data, the same for the same seed.

tree = make_game(7)
text = as_yaml(tree)
"""

from __future__ import annotations

from itertools import count
from random import Random

from bench.games.declared import Made, Tree, declare
from bench.games.files import as_yaml
from bench.games.forms import PLAY, NothingFits, Scope
from bench.games.further import further
from bench.games.steps import add_steps
from bench.games.variants import beside

__all__ = ["as_yaml", "make_game"]


def make_game(seed: int, turn: int = 0) -> Tree:
    """The tree of a game: sections, each with plain maps, lists and values; `files` are further files by name.

    Each `turn` is another game of the same seed.
    """
    start = f"{seed}" if turn == 0 else f"{seed}/{turn}"
    made = next(found for tries in count() if (found := _made(Random(f"{start} {tries}"))) is not None)
    return {name: made.tree[name] for name in made.tree if made.tree[name]}


def _made(random: Random) -> Made | None:
    """A game, or None where something that it needs has no expression in it."""
    try:
        made = declare(random)
        add_steps(made)
        _conditions(made)
    except NothingFits:
        return None
    _for_people(made)
    further(made)
    beside(made)
    return made


def _conditions(made: Made) -> None:
    """Conditions that always hold, and what automatic players go by."""
    if made.chance(0.3):
        made.tree["checks"] = ["figure >= 0 and cell.count > 0", {"is": "player_count > 0"}]
    if made.chance(0.3):
        made.tree["always"] = ["all(p.coins <= 20 for p in player)", {"is": "round <= 9", "about": "no more rounds"}]
    if made.chance(0.3):
        worth = made.words.make("integer", Scope({"player": "player"}, PLAY), 1)
        made.tree["hints"] = {"horizon": 5, "unit": 2, "worth": {"some": worth}}


def _for_people(made: Made) -> None:
    """Rules and a book, for some games."""
    if not made.chance(0.3):
        return
    made.tree["rules"] = {
        "rounds": {"text": {"en": "The figure is {figure}."}, "kind": "turn", "binds": ["flow", "values.figure"]},
        "deeds": {"text": {"en": "Work is done."}, "kind": "action", "binds": ["actions.act"], "title": {"en": "Work"}},
    }
    shows = [
        {"board": "land"},
        {"each": "suit", "columns": [{"title": {"en": "Suit"}, "is": "suit"}]},
        {"by_players": [{"title": {"en": "Cards"}, "is": "each[player_count]"}]},
    ]
    made.tree["book"] = {"parts": [{"title": {"en": "Rules"}, "kinds": ["turn"], "shows": shows}]}
