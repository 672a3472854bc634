"""Which messages people would read while scenarios run: in prompts, options, log lines, and beside the board."""

from __future__ import annotations

from typing import Any

from interpreter.draw import Drawer
from interpreter.game import Game
from interpreter.state import State
from interpreter.texts import Texts
from rulespec.lower.constants import option_nodes, option_values
from rulespec.model.types import Member, Piece

LANGUAGE = "en"


class Shown:
    """Collects the keys of messages. Languages differ in texts, not in keys, so one stands for all."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Game, Texts]] = {}
        self._drawers: dict[int, Drawer] = {}
        self._others: set[str] = set()
        self._seen: set[bytes] = set()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all messages that were shown."""
        found = set(self._others)
        for _, texts in self._texts.values():
            found |= texts.words.catalogue.used
        return frozenset(found)

    def add(self, game: Game) -> None:
        """A game, with the words that stand beside its board whatever happens."""
        texts = game.texts(LANGUAGE)
        self._texts[id(game)] = (game, texts)
        world = game.world
        for zone in world.zones.values():
            texts.zone(zone.key)
        for variable in world.states.values():
            texts.state(variable.key)
        for kind in (*world.pieces, *world.domains):
            texts.kind(kind)
        for name, domain in world.domains.items():
            for member in range(domain.size):
                texts.name(member, Member(name), game.facts.empty)
            for word in (*domain.attributes, *domain.relations):
                texts.words.message(f"{name}.{word}", {})
        # actions are effects too: reports of simulated games list them, and tables of the rulebook
        self._others |= {f"{name}.name" for name in world.effects}
        for option, _ in option_nodes(game.built.context):
            self._option(game, texts, option.text)

    def _option(self, game: Game, texts: Texts, option: str) -> None:
        """What is said of one of the game's options where they are chosen."""
        texts.option_title(option)
        values = option_values(game.built.context, game.world.options[option].type)
        for word in ("about", *(str(value).lower() if isinstance(value, bool) else str(value) for value in values)):
            texts.words.message(f"option.{option}.{word}", {})

    def state(self, state: State) -> None:
        """What a state shows: pieces on the board, what is asked and offered, and what has just happened."""
        game, texts = self._texts[id(state.game)]
        texts.log_lines(state.events or ())
        if state.to_bytes() in self._seen:
            return
        self._seen.add(state.to_bytes())
        self._pieces(game, texts, state.cells)
        if state.decision is not None:
            texts.prompt(state.cells, state.cells[0])
            for option in state.options():
                option.text(LANGUAGE)

    def _pieces(self, game: Game, texts: Texts, cells: list[Any]) -> None:
        """Every kind of piece that lies somewhere, as whoever sees all reads it, and as the others do."""
        for zone in game.world.zones.values():
            for place in range(zone.first, zone.first + zone.places):
                for piece in set(game.facts.pieces.refs(cells, place)):
                    for viewer in (None, *range(game.players)):
                        texts.name(piece, Piece(zone.holds, zone.key), cells, viewer)

    def refusal(self, game: Game, rule: str) -> None:
        """The label of a condition that refused an option: its words are read by whoever asks why."""
        self._texts[id(game)][1].rule(rule)

    def ended(self, state: State) -> None:
        """The picture of the last position of a scenario: all boards and what lies beside them."""
        game, texts = self._texts[id(state.game)]
        drawer = self._drawers.setdefault(id(game), Drawer(game, texts))
        drawer.lines(state)
