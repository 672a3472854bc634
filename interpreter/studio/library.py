"""The games that tables can be made of: by id, and never by a path that came from outside."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final
from weakref import WeakSet

from interpreter.game import Game, load_source
from interpreter.players import HUMAN, NoPlayer, is_own, is_player
from interpreter.studio.store import About
from interpreter.studio.trouble import Trouble, Troubled
from interpreter.studio.words import about_game
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource, read_game
from rulespec.source.shipped import games, games_in, holds_a_game

#: Loaded games that are kept; one that is not used for longest goes first.
MOST_GAMES: Final = 12
#: Games that are loaded at a time.
AT_ONCE: Final = 4


@dataclass(frozen=True, eq=False)
class Played:
    """A loaded game and the one thread that plays it: an executor of games is for one thread at a time."""

    game: Game
    thread: ThreadPoolExecutor


class Library:
    """The shipped games, or those of a folder: a game's own one, or one with games in it."""

    def __init__(self, folder: Path | None = None):
        """Raises Troubled where the folder has no game."""
        self._folders = games() if folder is None else _games_of(folder)
        if not self._folders:
            raise Troubled(Trouble("no_games", folder=folder))
        self._lock = Lock()  # of what follows; nobody holds it while a game is loaded
        self._played: OrderedDict[tuple[Any, ...], Future[Played]] = OrderedDict()
        self._in_use: WeakSet[Played] = WeakSet()  # those that are kept, and those of tables that are open
        self._loading = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="loading")

    def ids(self) -> tuple[str, ...]:
        """The games' ids."""
        return tuple(self._folders)

    def folder(self, game: str) -> Path | None:
        """Where a game lies; None where there is no such game."""
        return self._folders.get(game)

    def about(self, game: str, language: str = "en") -> dict[str, Any]:
        """What is to be known of a game before a table is made, in a language. Raises Troubled and ContentError."""
        return about_game(self._source(game), language)

    def played(self, about: About) -> Future[Played]:
        """The game of a table, loaded in a thread of its own.

        The future has ContentError where the content is at fault, and Troubled where the game is gone.
        """
        key = _key(about)
        with self._lock:
            found = self._played.get(key)
            if found is None or (found.done() and found.exception() is not None):  # the content may be mended by now
                found = self._loading.submit(self._load, about)
                self._keep(key, found)
            self._played.move_to_end(key)
        return found

    def source_of(self, game: str, fingerprint: str) -> GameSource | None:
        """The files of a game in use whose content has a fingerprint, as they were read: they may be others by now."""
        with self._lock:
            played = [each.game for each in self._in_use]
        return next((each.source for each in played if (each.id, each.fingerprint) == (game, fingerprint)), None)

    def playing(self, about: About, game: Game) -> Played:
        """What plays a table by the content of a game that was loaded for it, whatever content is kept.

        From then on new tables have that content, unless other tables were there that have it.
        """
        with self._lock:
            found = next((each for each in self._in_use if each.game.same_as(game)), None)
            if found is None:
                found = self._begun(game)
                made: Future[Played] = Future()
                made.set_result(found)
                self._keep(_key(about), made)
        return found

    def _keep(self, key: tuple[Any, ...], played: Future[Played]) -> None:
        """Under the lock."""
        self._played[key] = played
        self._played.move_to_end(key)
        while len(self._played) > MOST_GAMES:
            self._played.popitem(last=False)

    def _begun(self, game: Game) -> Played:
        """Under the lock."""
        played = Played(game, ThreadPoolExecutor(1, thread_name_prefix=game.id))
        self._in_use.add(played)
        return played

    def _load(self, about: About) -> Played:
        source = self._source(about.game)
        game = load_source(
            source, players=about.players, options=dict(about.options), variants=about.variants, keep=True
        )
        with self._lock:
            return self._begun(game)

    def _source(self, game: str) -> GameSource:
        folder = self._folders.get(game)
        problems = Problems()
        source = None if folder is None or not folder.is_dir() else read_game(str(folder), problems)
        if problems.has_errors:
            raise ContentError(problems.items)
        if source is None:
            raise Troubled(Trouble("no_game", game=game, games=", ".join(self._folders)))
        return source

    def asked_for(self, wanted: dict[str, Any], seed: int) -> About:
        """The table that is asked for, with the game's own numbers. Raises Troubled and ContentError.

        Its form is that of `#/$defs/new_table` in `schemas/studio.schema.json`.
        """
        kinds = tuple(wanted["seats"])
        for kind in kinds:
            if kind != HUMAN and not _is_automatic(kind):
                raise Troubled(Trouble("no_kind", kind=kind))
        if HUMAN not in kinds:
            raise Troubled(Trouble("no_person"))
        options = tuple(sorted((name, _word(value)) for name, value in wanted.get("options", {}).items()))
        variants = tuple(sorted(wanted.get("variants", [])))
        self._must_know(wanted["game"], variants)
        return About(wanted["game"], len(kinds), options, variants, kinds, wanted.get("seed", seed), wanted.get("pace"))

    def _must_know(self, game: str, variants: tuple[str, ...]) -> None:
        """A variant is named by its id: a name from outside is no file's."""
        source = self._source(game)
        for variant in variants:
            if variant not in source.variants:
                raise Troubled(Trouble("no_variant", game=game, variant=variant))


def _key(about: About) -> tuple[Any, ...]:
    return about.game, about.players, about.options, about.variants


def _is_automatic(kind: str) -> bool:
    """A seat that plays by itself, and not by a file that is named from outside."""
    try:
        return not is_own(kind) and is_player(kind)
    except NoPlayer:
        return False


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _games_of(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    below = games_in(folder)
    if below:
        return below
    own = folder.resolve()
    return {own.name: own} if holds_a_game(own) else {}
