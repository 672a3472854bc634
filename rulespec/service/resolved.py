"""What a named value is for each number of players, with other options, and with the variants that change it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulespec.lower.constants import OptionValue
from rulespec.options import choices
from rulespec.service.game import Game
from rulespec.service.known_values import written
from rulespec.source.tree import Mapping as Map

#: For how many choices of options a value is worked out at most.
MOST = 16

_WORD = re.compile(r"[a-z_][a-z0-9_]*")


def elsewhere(game: Game, name: str) -> Iterator[str]:
    """Sentences on a named value where it is another one: with fewer players, other options, a variant."""
    frame = game.frame()
    if frame is None:
        return
    world = frame.context.world
    usual = written(world.values.get(name), world)
    if not usual:
        return
    low, high = world.player_range
    counts = {count: game.constants((), count, {}).get(name, "") for count in range(low, high)} | {high: usual}
    if len({*counts.values()}) > 1:
        yield f"By players: {', '.join(f'{count}: `{value}`' for count, value in counts.items())}"
    if "option" in _reached(game, name):
        yield from _by_options(game, name, usual, choices(frame.context), high)
    for variant in game.variants:
        value = game.constants((variant,), high, {}).get(name, "") if _mentions(game, variant, name) else usual
        if value != usual:
            yield f"With the variant `{variant}`: `{value or 'unknown'}`"


def _by_options(
    game: Game, name: str, usual: str, known: Mapping[str, list[OptionValue]], players: int
) -> Iterator[str]:
    chosen = [(option, value) for option, values in known.items() for value in values][:MOST]
    for option, value in chosen:
        found = game.constants((), players, {option: value}).get(name, "")
        if found != usual:
            said = str(value).lower() if isinstance(value, bool) else value
            yield f"With the option `{option}: {said}`: `{found or 'unknown'}`"


def _reached(game: Game, name: str) -> set[str]:
    """All words that decide a value: those of its expression, and of the values and functions that it names."""
    tree = game.tree()
    found: set[str] = set()
    waiting = [name]
    while waiting and tree is not None:
        for section in ("values", "functions"):
            entries = tree.get(section)
            node = entries.get(waiting[-1]) if isinstance(entries, Map) else None
            words = set(_WORD.findall(node.span.text)) - found if node is not None else set()
            found |= words
            waiting[:0] = words
        waiting.pop()
    return found


def _mentions(game: Game, variant: str, name: str) -> bool:
    """Whether any file of a variant has a word."""
    texts = (file.tree.span.file.text for file in game.read() if file.variant == variant and file.tree is not None)
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts)
