"""What games have of accepted translations: the text of `texts.lock`, as an open editor or the disk has it."""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.lsp.files import text_of
from rulespec.service.accepting import is_lock, lock_name
from rulespec.service.game import Game


class Locks:
    """The locks that an editor has open; others are read when they are asked for. They are no content."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}

    def takes(self, name: str, text: str) -> bool:
        """Whether a file is a lock, whose text this is now."""
        if is_lock(name):
            self._open[name] = text
        return is_lock(name)

    def close(self, name: str) -> None:
        """What is on disk counts again."""
        self._open.pop(name, None)

    def text(self, name: str) -> str | None:
        """The text of an open one."""
        return self._open.get(name)

    def of(self, game: Game) -> str | None:
        """The text of a game's lock; None where there is none, or it cannot be read."""
        name = lock_name(game)
        return self._open[name] if name in self._open else text_of(Path(name))[0] if self.is_there(game) else None

    def is_there(self, game: Game) -> bool:
        """Whether a game has one, readable or not."""
        return os.path.lexists(lock_name(game)) or lock_name(game) in self._open
