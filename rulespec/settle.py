"""What a person asks to be loaded: number of players, options and variants, checked against the game."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.game_source import GameSource, resolve
from rulespec.lower import constants, domains
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import Context, Parsed
from rulespec.model.world import World
from rulespec.options import allowed
from rulespec.overlay.options import declared_options, switched_on
from rulespec.overlay.paths import written
from rulespec.source.nodes import Mapping


@dataclass(frozen=True, slots=True)
class Settled:
    """What is loaded: all is known to exist; `variants` holds those that options switch on too."""

    players: int
    options: dict[str, OptionValue]
    variants: tuple[str, ...]


def settle_options(
    source: GameSource,
    players: int | None,
    options: AbstractMapping[str, OptionValue],
    variants: Sequence[str],
    problems: Problems,
) -> Settled | None:
    """Checks a request; None after a report (RS431 to RS434)."""
    chosen = tuple(dict.fromkeys((*variants, *switched_on(source.base, options))))
    found = Problems()
    tree = resolve(source, chosen, found) if chosen else source.base
    low, high = player_range(tree, found)
    count = low if players is None else players
    if not found.has_errors and not low <= count <= high:
        place = written(f"players {count}", "command line")
        problems.add("RS434", place.span, count=count, players=str(low) if low == high else f"{low} to {high}")
        return None
    refused = _refused(source.base, count, options)
    problems.extend(found if refused is None else [refused])
    if refused is not None:
        return None
    values = _values(tree, count, options, problems)
    return None if values is None else Settled(count, values, chosen)


def _refused(base: Mapping, players: int, options: AbstractMapping[str, OptionValue]) -> Problem | None:
    """The constraint of the game that the options break: what their variants would say together is then no matter."""
    cx = frame(base, players, Problems())
    constants.declare_options(cx, {})
    return allowed(cx, options)


def player_range(tree: Mapping, problems: Problems) -> tuple[int, int]:
    """The numbers of players that a game is for."""
    return constants.player_range(Context(tree, World(problems, 1), Parsed()))


def _values(
    tree: Mapping, players: int, options: AbstractMapping[str, OptionValue], problems: Problems
) -> dict[str, OptionValue] | None:
    """The options with their values, however these were written (`"3"` is 3); None after a report."""
    known = declared_options(tree)
    cx = frame(tree, players, problems)
    found: dict[str, OptionValue] = {}
    for name, value in options.items():
        place = written(f"{name}={value}", "command line")
        if name not in known:
            hint = f"Its options: {', '.join(known) or 'none'}."
            problems.add("RS431", place.span, hint=hint, near=near_to(name, known), name=name)
            continue
        t = cx.type(known[name].get("type"))
        number, values = constants.read_option(cx, t, value), constants.option_values(cx, t)
        if number is None:
            words = [str(v).lower() if isinstance(v, bool) else str(v) for v in values]
            near, hint = near_to(str(value), words), f"Its values: {', '.join(words)}."
            problems.add("RS432", place.span, hint=hint, near=near, name=name, value=value)
        found[name] = next((v for v in values if constants.read_option(cx, t, v) == number), value)
    return found if found.keys() == options.keys() and not problems.has_errors else None


def frame(tree: Mapping, players: int, problems: Problems) -> Context:
    """A context that knows players, enums and the constants that options speak of: enough for their types."""
    cx = Context(tree, World(problems, players), Parsed())
    cx.world.player_range = constants.player_range(cx)
    domains.declare_players(cx, constants.seats(cx))
    for key, node in cx.section("enums"):
        domains.declare_enum(cx, key, node)
    constants.declare_values(cx, constants.names_in_options(cx))  # others may depend on options in their turn
    return cx
