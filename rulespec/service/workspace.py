"""The texts of games as they stand in an editor, and the games that they are.

Files go by names with `/`, such as `islands/actions/bridges.yaml`; a game is the folder whose files have a section
`game` with an id, or one that is held. What is read of a text is kept for as long as the text is the same, so that an
edit costs what it touches.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING

from rulespec.diagnostics.model import Problem
from rulespec.service.files_read import FileRead, read_whole
from rulespec.service.game import Game
from rulespec.service.kept import Kept
from rulespec.service.outline import Map, outline
from rulespec.service.slips import count_words
from rulespec.service.topics import Topics, topics_of
from rulespec.service.usage import Entry, Usage, entries_of
from rulespec.source.tree import Mapping, Scalar

if TYPE_CHECKING:
    from rulespec.service.chosen import Chosen

_GAME = re.compile(r"^game[ \t]*:", re.MULTILINE)
_PACK = re.compile(r"^pack[ \t]*:", re.MULTILINE)
_LOOP = re.compile(r"\bfor ([a-z][a-z0-9_]*) in\b")
_RUNS = re.compile(r"(?:\bfor |\()([a-z][a-z0-9_]*) in (?:[a-z0-9_]+\.)*([a-z][a-z0-9_]*)")


#: Characters of older texts of which readings are kept: what is typed makes another text of a file with each letter.
OLDER = 2_000_000

Text = tuple[str, str]  #: a file's name, and what is written in it


def _length(text: Text) -> int:
    return len(text[1]) + 1


class Readings:
    """What is read of texts: each is read once for as long as it is one of now, or was asked for a while ago."""

    def __init__(self) -> None:
        self.files: Kept[Text, FileRead] = Kept(OLDER, _length)
        self.usages: Kept[Text, Usage] = Kept(OLDER, _length)
        self.entries: Kept[Text, list[Entry]] = Kept(OLDER, _length)
        self.topics: Kept[Text, Topics] = Kept(OLDER, _length)
        self.loops: Kept[Text, Counter[str]] = Kept(OLDER, _length)
        self.runs: Kept[Text, Counter[tuple[str, str]]] = Kept(OLDER, _length)
        self.words: Kept[Text, Counter[str]] = Kept(OLDER, _length)

    def fit(self, size: int) -> None:
        """The texts of now have so many characters together."""
        for kept in (self.files, self.usages, self.entries, self.topics, self.loops, self.runs, self.words):
            kept.most = size + OLDER


class Workspace:
    """Texts by name. `engine` are the engine's own words, which stand under those of every game.

    `readings` is what is known of texts, which several workspaces may share.
    """

    def __init__(self, engine: tuple[Mapping, ...] = (), readings: Readings | None = None) -> None:
        self.engine = engine
        self.changes = 0  #: grows whenever a text comes, changes or goes
        self._texts: dict[str, str] = {}
        self._size = 0  #: of all texts
        self._lost: dict[str, tuple[Problem, ...]] = {}
        self._homes: dict[str, str] = {}
        self._held: set[str] = set()
        self._files: dict[str, tuple[str, ...]] = {}
        self._is_sharing = readings is not None
        self.readings = readings or Readings()
        self._games: dict[str, Game] = {}
        self.chosen: dict[str, Chosen] = {}  #: by the folders of games, what their values are told for

    # ---- texts ----

    def put(self, name: str, text: str) -> None:
        """A file's text: a new file, or another text of one that is there."""
        self._lost.pop(name, None)
        old = self._texts.get(name)
        if old != text:
            self.changes += 1
            before = self._homes.get(name)
            self._texts[name] = text
            self._grow(_length((name, text)) - (0 if old is None else _length((name, old))))
            self._note_home(name, text)
            # a pack belongs to the game that it names, and one that loses that section to none
            if old is None or self._homes.get(name) != before or _PACK.search(text) or _PACK.search(old):
                self._files.clear()

    def drop(self, name: str) -> None:
        """A file is gone."""
        self._lost.pop(name, None)
        self.changes += 1
        old = self._texts.pop(name, None)
        self._grow(0 if old is None else -_length((name, old)))
        self._homes.pop(name, None)
        self._files.clear()

    def _grow(self, size: int) -> None:
        self._size += size
        if not self._is_sharing:  # else its texts are among those of the other
            self.readings.fit(self._size)

    def lose(self, name: str, problems: tuple[Problem, ...]) -> None:
        """A file is there, and cannot be read: these say why. The name may also be that of a folder."""
        self.drop(name)
        self._lost[name] = problems

    def text(self, name: str) -> str:
        """A file's text; an empty one where there is no such file."""
        return self._texts.get(name, "")

    @property
    def names(self) -> tuple[str, ...]:
        """All files, in order."""
        return tuple(sorted(self._texts))

    def file(self, name: str, text: str | None = None) -> FileRead:
        """What can be read of a file, or of another text of it."""
        text = self.text(name) if text is None else text
        return self.readings.files.of((name, text), lambda: read_whole(name, text))

    def usage(self, name: str) -> Usage:
        """How the words of a file are used."""
        return self.readings.usages.of((name, self.text(name)), lambda: Usage.of(self.entries(name)))

    def entries(self, name: str) -> list[Entry]:
        """The declarations of a file, by how its lines are moved in."""
        text = self.text(name)
        return self.readings.entries.of((name, text), lambda: entries_of(text))

    def topics(self, name: str) -> Topics:
        """What the declarations of a file are about."""
        return self.readings.topics.of((name, self.text(name)), lambda: topics_of(self.entries(name)))

    def loops(self, name: str) -> Counter[str]:
        """The names of loops in a file, with how often each stands there."""
        text = self.text(name)
        return self.readings.loops.of((name, text), lambda: Counter(_LOOP.findall(text)))

    def runs(self, name: str) -> Counter[tuple[str, str]]:
        """The names of loops in a file, each with the last word of what it goes through, and how often."""
        text = self.text(name)
        return self.readings.runs.of((name, text), lambda: Counter(_RUNS.findall(text)))

    def words(self, name: str) -> Counter[str]:
        """The words of a file, with how often each stands there."""
        text = self.text(name)
        return self.readings.words.of((name, text), lambda: count_words(text))

    # ---- games ----

    def _note_home(self, name: str, text: str) -> None:
        """A file that says a game's id lies in the game's folder."""
        self._homes.pop(name, None)
        if says_a_game(text):
            self._homes[name] = posixpath.dirname(name)

    def hold(self, folder: str) -> None:
        """A folder is a game's from now on, whatever its files say: while one edits, no file may say the id."""
        if folder not in self._held:
            self._held.add(folder)
            self._files.clear()

    def game_of(self, name: str) -> Game | None:
        """The game that a file belongs to; None for one that lies in no game's folder."""
        home = self._home(name)
        return None if home is None else self._game_in(home)

    def _game_in(self, home: str) -> Game:
        if home not in self._games:
            self._games[home] = Game(self, home)
        return self._games[home]

    def _home(self, name: str) -> str | None:
        homes = {*self._homes.values(), *self._held}
        folder = posixpath.dirname(name)
        inside = [home for home in homes if home == folder or folder.startswith(f"{home}/") or home == ""]
        if inside:
            home = max(inside, key=len)
            is_hidden = "/." in f"/{name[len(home) :]}"  # what begins with a dot is no content
            return None if is_hidden else home
        pack = self.file(name).tree if _PACK.search(self.text(name)) else None
        section = pack.get("pack") if pack is not None else None
        game = section.get("game") if isinstance(section, Mapping) else None
        if not isinstance(game, Scalar):
            return None
        return next((home for home in sorted(homes) if posixpath.basename(home) == game.text), None)

    @property
    def games(self) -> tuple[Game, ...]:
        """All games, by their folders' names."""
        return tuple(self._game_in(home) for home in sorted({*self._homes.values(), *self._held}))

    def files_of(self, home: str) -> tuple[str, ...]:
        """The files of the game in a folder, in order."""
        if home not in self._files:
            self._files[home] = tuple(name for name in self.names if self._home(name) == home)
        return self._files[home]

    def lost_of(self, home: str) -> tuple[Problem, ...]:
        """What is wrong with the files of the game in a folder that cannot be read."""
        return tuple(each for name in sorted(self._lost) if self._home(name) == home for each in self._lost[name])


def says_a_pack(text: str) -> bool:
    """Whether a file seems to belong to a game in another folder."""
    return _PACK.search(text) is not None


def says_a_game(text: str) -> bool:
    """Whether a file says the id of a game that it declares."""
    if not _GAME.search(text):  # most files are no such ones, and this is quick
        return False
    sections = {pair.key: pair.value for pair in outline(text).pairs}
    game = sections.get("game")
    return isinstance(game, Map) and "id" in game.keys and "variant" not in sections
