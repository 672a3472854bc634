"""From declarations to a rulebook: the parts with everything in them, in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.book.changes import marked
from interpreter.book.document import Book, Paragraph, Part, Picture, Table, Words, words
from interpreter.book.index import index_of
from interpreter.book.layout import Plan, layout, title_of
from interpreter.book.telling import Telling, load_for_most, value
from interpreter.draw import Drawer
from interpreter.game import Game
from interpreter.scenarios.games import Games
from interpreter.scenarios.position import begin
from interpreter.scenarios.read import scenarios_of
from interpreter.state import State
from rulespec.build import build
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource
from rulespec.lower.constants import OptionValue
from rulespec.messages.book import maps_in, names_in
from rulespec.source import tree as nodes

#: The book's own words, by the engine's message for each.
LABELS = {
    "contents": "engine.book.contents",
    "index": "engine.book.index",
    "players": "engine.book.players",
    "rest": "engine.book.rest",
    "changed": "engine.book.changed",
    "added": "engine.book.added",
    "removed": "engine.book.removed",
}
#: A picture of a board is at most so many cells wide.
WIDTH = 100
Lines = tuple[tuple[tuple[str, str], ...], ...]
#: The seed of the start of a game, where that is shown.
SEED = 1


def make_book(
    source: GameSource,
    language: str,
    variants: Sequence[str] = (),
    options: Mapping[str, OptionValue] | None = None,
) -> Book:
    """The rulebook of a game. With variants or options, what they change in the base game's is marked.

    Raises ContentError for content that cannot be played so.
    """
    base = _Maker(source, language).book()
    if not variants and not options:
        return base
    changed = _Maker(source, language, tuple(variants), dict(options or {})).book()
    return marked(base, changed)


class _Maker:
    """Makes a book; each game that is needed on the way is loaded once."""

    def __init__(
        self,
        source: GameSource,
        language: str,
        variants: tuple[str, ...] = (),
        options: dict[str, OptionValue] | None = None,
    ):
        self._source, self._language = source, language
        self._variants, self._options = variants, options or {}
        self._games: dict[tuple[tuple[str, ...], int | None], Game] = {}
        self._tellings: dict[tuple[str, ...], Telling] = {}
        self._scenarios = {scenario.name.text: scenario for scenario in scenarios_of(source)}
        self._positions = Games(source)
        #: what was drawn, by what was asked for
        self._pictures: dict[tuple[object, ...], Lines | None] = {}

    def book(self) -> Book:
        """The whole book."""
        telling = self._telling(())
        plans = layout(self._source, telling.game.tree)
        parts = tuple(self._part(plan, str(at), (), self._labels) for at, plan in enumerate(plans, 1))
        on = [self._source.variants[name] for name in telling.game.variants]
        titles = tuple(telling.by_language(title_of(variant)) or variant.id for variant in on)
        title = telling.game.texts(self._language).title()
        index = index_of(self._source, self._language, parts)
        stand_ins = telling.game.texts(self._language).reconstructed()
        return Book(title, self._language, titles, parts, index, self._labels, stand_ins)

    @property
    def _labels(self) -> dict[str, str]:
        texts = self._telling(()).words
        return {name: texts.word(key) for name, key in LABELS.items()}

    # ---- games ----

    def _telling(self, variants: tuple[str, ...]) -> Telling:
        if variants not in self._tellings:
            self._tellings[variants] = Telling(self._game(variants), self._language)
        return self._tellings[variants]

    def _game(self, variants: tuple[str, ...], players: int | None = None) -> Game:
        """The game with more variants on, for the most players where nothing else is said.

        Where the variants do not go with those that the whole book is about, they are on alone.
        """
        key = (variants, players)
        if key not in self._games:
            try:
                self._games[key] = load_for_most(self._source, (*self._variants, *variants), self._options, players)
            except ContentError:
                if not variants:
                    raise
                self._games[key] = load_for_most(self._source, variants, {}, players)
        return self._games[key]

    # ---- parts ----

    def _part(self, plan: Plan, number: str, above: tuple[str, ...], labels: dict[str, str]) -> Part:
        on = tuple(dict.fromkeys((*above, *plan.variants)))
        telling = self._telling(on)
        title = telling.heading(plan.title) if plan.title is not None else labels["rest"]
        shows = tuple(shown for node in plan.shows if (shown := self._show(node, on)) is not None)
        rules = tuple(_paragraph(telling, rule, str(at)) for at, rule in enumerate(plan.rules, 1))
        parts = tuple(self._part(smaller, f"{number}.{at}", on, labels) for at, smaller in enumerate(plan.parts, 1))
        return Part(number, title, shows, rules, parts)

    def _show(self, node: nodes.Mapping, on: tuple[str, ...]) -> Table | Picture | None:
        if "board" in node:
            return self._picture(node, on)
        if "each" in node:
            return self._table(node, on)
        return self._by_players(node, on)

    def _table(self, node: nodes.Mapping, on: tuple[str, ...]) -> Table:
        """A line for each member of a kind; lines that say the same stand once."""
        telling = self._telling(on)
        kind = next((name.text for name in names_in(node.get("each"))), "")
        columns = maps_in(node.get("columns"))
        values = [column.get("is") for column in columns]
        lines = [
            tuple(telling.cell(each, kind, member) if each is not None else "" for each in values)
            for member in telling.rows(kind, node.get("where"))
        ]
        return Table(
            telling.heading(node.get("title")),
            tuple(telling.heading(column.get("title")) for column in columns),
            tuple(_cells(line) for line in dict.fromkeys(lines)),
        )

    def _by_players(self, node: nodes.Mapping, on: tuple[str, ...]) -> Table:
        telling = self._telling(on)
        game = telling.game
        counts = _player_counts(game)
        built = {players: build(game.tree, players, game.options) for players in counts}
        rows = []
        for line in maps_in(node.get("by_players")):
            told = line.get("is")
            found = [value(made, told, {}) for made in built.values() if made is not None and told is not None]
            rows.append(_cells([telling.heading(line.get("title")), *(telling.said(*each) for each in found)]))
        head = (telling.words.word(LABELS["players"]), *map(str, counts))
        return Table(telling.heading(node.get("title")), head, tuple(rows))

    def _picture(self, node: nodes.Mapping, on: tuple[str, ...]) -> Picture | None:
        groups = tuple(name.text for name in names_in(node.get("board")))
        asked = (groups, on, *(_text_of(node.get(field)) for field in ("scenario", "players")))
        if asked not in self._pictures:
            self._pictures[asked] = self._drawn(node, on, groups)
        lines = self._pictures[asked]
        return None if lines is None else Picture(self._telling(on).heading(node.get("title")), lines)

    def _drawn(self, node: nodes.Mapping, on: tuple[str, ...], groups: Sequence[str]) -> Lines | None:
        state = self._position(node, on)
        if state is None:
            return None
        drawer = Drawer(state.game, state.game.texts(self._language), whole=True)
        return tuple(drawer.boards(state, list(groups), WIDTH))

    def _position(self, node: nodes.Mapping, on: tuple[str, ...]) -> State | None:
        scenario = next((self._scenarios.get(name.text) for name in names_in(node.get("scenario"))), None)
        if scenario is not None:
            return begin(self._positions.game_of(scenario), scenario, Problems())
        players = node.get("players")
        count = players.value if isinstance(players, nodes.Scalar) and isinstance(players.value, int) else None
        return self._game(on, count).start(SEED)


def _text_of(node: nodes.Node | None) -> str:
    """What tells a node's content from that of others."""
    return "" if node is None else node.span.text


def _paragraph(telling: Telling, rule: str, number: str) -> Paragraph:
    text, language = telling.rule(rule)
    return Paragraph(rule, number, telling.title(rule), words(text), language, telling.ledger(rule))


def _cells(line: Sequence[str]) -> tuple[Words, ...]:
    return tuple(words(cell) for cell in line)


def _player_counts(game: Game) -> list[int]:
    low, high = game.world.player_range
    return list(range(low, high + 1))
