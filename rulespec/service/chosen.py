"""For which players, options and variants an author wants to be told what values are: chosen for a game in the editor.

for words, chosen in offered(game):     # what it can be changed to, one thing at a time
    game.space.chosen[game.home] = chosen
words_of(chosen_of(game))               # "3 players, open_hands: true, rainy"
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulespec.lower.constants import OptionValue
from rulespec.options import choices
from rulespec.service.game import Game

#: How many values of options are offered at most.
MOST = 30


@dataclass(frozen=True, slots=True)
class Chosen:
    """A number of players (0: the most that there can be), options that are not as they start, and variants."""

    players: int = 0
    options: tuple[tuple[str, OptionValue], ...] = ()
    variants: tuple[str, ...] = ()


AS_IT_STARTS = Chosen()


def chosen_of(game: Game) -> Chosen:
    """What is chosen for a game, without what the game has not any more."""
    asked, frame = game.space.chosen.get(game.home, AS_IT_STARTS), game.frame()
    if frame is None:
        return AS_IT_STARTS
    low, high = frame.context.world.player_range
    known = choices(frame.context)
    options = tuple((name, value) for name, value in asked.options if value in known.get(name, ()))
    variants = tuple(name for name in asked.variants if name in game.variants)
    return Chosen(asked.players if low <= asked.players < high else 0, options, variants)


def players_of(game: Game, chosen: Chosen) -> int:
    """How many players that is."""
    frame = game.frame()
    return chosen.players or (0 if frame is None else frame.context.world.player_range[1])


def words_of(game: Game, chosen: Chosen) -> str:
    """What is chosen, in words."""
    count = players_of(game, chosen)
    options = (f"{name}: {_said(value)}" for name, value in chosen.options)
    return ", ".join([f"{count} player" + ("s" if count != 1 else ""), *options, *chosen.variants])


def offered(game: Game) -> Iterator[tuple[str, Chosen]]:
    """What can be chosen instead, by words for it: other players, another value of an option, a variant on or off."""
    now, frame = chosen_of(game), game.frame()
    if frame is None:
        return
    if now != AS_IT_STARTS:
        yield "As the game starts", AS_IT_STARTS
    low, high = frame.context.world.player_range
    for count in range(low, high + 1):
        if count != players_of(game, now):
            yield f"{count} player" + ("s" if count != 1 else ""), replace(now, players=0 if count == high else count)
    for name in game.variants:
        without = tuple(each for each in now.variants if each != name)
        is_on = name in now.variants
        yield (
            f"Without {name}" if is_on else f"With {name}",
            replace(now, variants=without if is_on else (*without, name)),
        )
    others = ((name, value) for name, values in choices(frame.context).items() for value in values)
    for _, (name, value) in zip(range(MOST), others, strict=False):
        if (name, value) not in now.options:
            kept = tuple(pair for pair in now.options if pair[0] != name)
            yield f"{name}: {_said(value)}", replace(now, options=(*kept, (name, value)))


def value_as_chosen(game: Game, name: str) -> Iterator[str]:
    """A sentence on a named value for what is chosen; none where nothing is."""
    chosen = chosen_of(game)
    if chosen != AS_IT_STARTS:
        found = game.constants(chosen.variants, players_of(game, chosen), dict(chosen.options)).get(name, "")
        yield f"As chosen ({words_of(game, chosen)}): `{found or 'unknown'}`"


def _said(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
