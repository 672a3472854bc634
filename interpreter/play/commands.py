"""What a person can type beside an option: the commands, in the language of the game and in English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interpreter.table.matching import folded

if TYPE_CHECKING:
    from interpreter.texts import Texts

#: In the order of the help.
COMMANDS: Final = ("help", "undo", "board", "log", "why", "gains", "note", "save", "load", "quit")
#: Commands that something stands behind.
WITH_MORE: Final = ("why", "gains", "note", "save", "load")
HELP_SIGNS: Final = ("?", "？")


@dataclass(frozen=True, slots=True)
class Command:
    """A command's id and what stands behind its word."""

    name: str
    rest: str


class CommandWords:
    """Finds commands in what is typed."""

    def __init__(self, texts: Texts):
        self._words: dict[str, str] = {}
        for name in COMMANDS:
            self._words[folded(texts.word(f"engine.command.{name}"))] = name
        for name in COMMANDS:
            self._words.setdefault(name, name)

    def read(self, typed: str) -> Command | None:
        """The command that was typed; None where it is something else."""
        text = typed.strip()
        if text[:1] in HELP_SIGNS and text:
            return Command("help", "")
        for word, name in self._words.items():
            rest = self._behind(text, word)
            if rest is not None:
                return Command(name, rest)
        return None

    @staticmethod
    def _behind(text: str, word: str) -> str | None:
        """What stands behind a command's word, which may itself have several words."""
        parts = text.split()
        length = len(word.split())
        return " ".join(parts[length:]) if folded(" ".join(parts[:length])) == word else None
