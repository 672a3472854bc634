"""Names of the content in the report: what the records hold as ids, as people read it in a language.

names = Names(game, "fr")
names.action("build")          # "Construire", or the id where the game has no name for it
names.told([("a", "Hill"), ("b", "Hill")])   # ["Hill (a)", "Hill (b)"]: two that read alike keep their ids beside them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from interpreter.game import Game
from interpreter.names import piece_text, value_text
from interpreter.simulate.details import held_as
from rulespec.lower.ir import Ask
from rulespec.model.types import Boolean, EffectType, Member, Piece, Type, strip
from rulespec.model.world import PieceKind

#: More values of one kind are not named: they are pieces or effects of a very large game.
MOST_NAMED = 100_000

#: What is answered beside the values.
_ANSWERS = ("accept", "decline", "stop")


class Names:
    """The names of one game in one language. What has no name keeps its id."""

    def __init__(self, game: Game, language: str):
        self._game, self._world = game, game.world
        self.texts = game.texts(language)
        self._of_type: dict[Type, dict[str, str]] = {}
        self._of_kind: dict[str, dict[str, str]] = {}

    def action(self, name: str) -> str:
        """An action, or a choice that belongs to none."""
        return self.texts.words.message(f"{name}.name", {}) or name

    def asked(self, name: str) -> str:
        """What is chosen: the word of its kind where it is called by that."""
        return self.texts.kind(name) if name in self._world.domains or name in self._world.pieces else name

    def value(self, decision: str, name: str, value: str) -> str:
        """A value that was offered under a name of a decision, or of an attribute of what was, such as `card.suit`."""
        name, _, attribute = name.partition(".")
        if attribute:
            return self._attribute_value(decision, name, attribute, value)
        for of in self._types.get((decision, name), ()):
            if value in (found := self._named(of)):
                return found[value]
        if value not in _ANSWERS:
            return value
        own = (self.texts.words.message(f"{key}.{value}", {}) for key in (f"{decision}.{name}", name, decision))
        return next((said for said in own if said is not None), self.texts.word(f"engine.{value}"))

    def _attribute_value(self, decision: str, name: str, attribute: str, value: str) -> str:
        for of in self._types.get((decision, name), ()):
            if isinstance(of, (Member, Piece)):
                holder = self._world.domains[of.domain] if isinstance(of, Member) else self._world.pieces[of.kind]
                if attribute in holder.attributes:
                    return self._named(strip(holder.attributes[attribute].type)).get(value, value)
        return value

    def piece(self, zone: str, piece: str) -> str:
        """A piece that is held in a zone, as its holder names it."""
        return self._held(self._world.zones[zone].holds).get(piece, piece)

    def told(self, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """Names to be shown beside each other, given with their ids: those that read alike are told apart by these."""
        listed = list(pairs)
        often = Counter(name for _, name in set(listed))
        return [name if often[name] == 1 or name == key else f"{name} ({key})" for key, name in listed]

    def actions(self, names: Sequence[str]) -> dict[str, str]:
        """Several actions beside each other, by id."""
        return dict(zip(names, self.told((name, self.action(name)) for name in names), strict=True))

    # ---- values by their ids ----

    @cached_property
    def _types(self) -> dict[tuple[str, str], list[Type]]:
        """The types of what is asked under each name of each decision."""
        found: dict[tuple[str, str], list[Type]] = {}
        for instr in self._game.facts.program.instrs:
            if instr.op == "ask":
                ask: Ask = instr.args[0]
                for each in ask.names:
                    types = found.setdefault((ask.action or ask.id, each.name), [])
                    types += [strip(each.type)] if strip(each.type) not in types else []
        return found

    def _named(self, of: Type) -> dict[str, str]:
        """All values of a type, by their ids; none of types that are not named."""
        if of not in self._of_type:
            named = ((value_text(self._world, of, v), self.texts.name(v, of)) for v in self._values(of))
            self._of_type[of] = {**dict(named), "none": self.texts.word("engine.none")}
        return self._of_type[of]

    def _values(self, of: Type) -> Iterator[int]:
        if isinstance(of, Boolean):
            yield from (0, 1)
        elif isinstance(of, Member):
            yield from range(min(self._world.domains[of.domain].size, MOST_NAMED))
        elif isinstance(of, EffectType):
            yield from range(min(len(self._world.interned), MOST_NAMED))
        elif isinstance(of, Piece):
            codes = range(min(self._world.pieces[of.kind].count, MOST_NAMED))
            yield from (self.texts.words.sight.piece_of(of.kind, code) for code in codes)

    def _held(self, name: str) -> dict[str, str]:
        """The pieces of a kind by the texts that holdings have; of pieces with owners one owner is enough."""
        if name not in self._of_kind:
            self._of_kind[name] = dict(self._pieces(self._world.pieces[name]))
        return self._of_kind[name]

    def _pieces(self, kind: PieceKind) -> Iterator[tuple[str, str]]:
        seats = self._game.seats
        for code in range(min(kind.count, MOST_NAMED)):
            text = piece_text(self._world, kind, code)
            plain = self._plain(kind, code)
            for seat in range(2) if kind.per_player else (0,):
                held = held_as(text, kind, code, seat, seats)
                whose = "other" if "(other" in held else "own"
                yield held, f"{plain}, {whose}" if kind.per_player else plain

    def _plain(self, kind: PieceKind, code: int) -> str:
        """A piece's name; of one that belongs to somebody what it is besides, since whose it is is said otherwise."""
        words = self.texts.words
        if kind.per_player:
            return words.without_owner(kind, code)
        return words.piece(words.sight.piece_of(kind.name, code), kind.name)
