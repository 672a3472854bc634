"""Sessions without a terminal: what is typed goes in as lines, what is printed comes out as text."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter import load
from interpreter.game import Game
from interpreter.play.session import Session
from interpreter.play.terminal import Terminal
from interpreter.table.seats import Seating

CONTENT = Path(__file__).parent / "content"
PROBE = str(CONTENT / "probe")


class Typed(io.StringIO):
    """Lines to be typed one after the other, and what had been printed before each of them."""

    def __init__(self, lines: Sequence[str], output: io.StringIO):
        super().__init__()
        self.left = list(lines)
        self.output = output
        self.seen: list[str] = []

    def readline(self, size: int = -1, /) -> str:
        self.seen.append(self.output.getvalue())
        return f"{self.left.pop(0)}\n" if self.left else ""


class AnyNumber(io.StringIO):
    """A person who types the number of any option."""

    def __init__(self, seed: int):
        super().__init__()
        self.dice = random.Random(seed)
        self.session: Session | None = None

    def readline(self, size: int = -1, /) -> str:
        assert self.session is not None
        return f"{self.dice.choice(self.session.option_numbers())}\n"


def game_of(name: str, players: int | None = None, **options: Any) -> Game:
    """A shipped game, or one of those beside the tests."""
    folder = CONTENT / name
    return load(str(folder) if folder.is_dir() else name, players=players, options=options)


class Play:
    """A session that has been played to the end of what is typed."""

    def __init__(
        self,
        game: Game,
        typed: Sequence[str],
        *,
        seats: Sequence[str] = ("human",),
        seed: int = 3,
        language: str = "en",
        width: int = 100,
        **more: Any,
    ):
        self.output = io.StringIO()
        self.input = Typed(typed, self.output)
        kinds = (*seats, *["random"] * (game.players - len(seats)))
        terminal = Terminal(self.input, self.output, width=width)
        self.session = Session(game, Seating(kinds, seed), terminal, language=language, **more)

    def run(self) -> Play:
        self.status = self.session.run()
        return self

    @property
    def text(self) -> str:
        return self.output.getvalue()

    def answer(self, n: int | str) -> str:
        """What was printed after the n-th line (from 0) and before the next; before the first; after the last."""
        seen = ["", *self.input.seen, self.text]
        at = {"start": 0, "end": len(seen) - 2}.get(str(n), int(n) + 1 if isinstance(n, int) else 0)
        return seen[at + 1][len(seen[at]) :]


def play(game: Game | str, typed: Sequence[str], **more: Any) -> Play:
    """A session from its beginning until nothing more is typed, or the game is over."""
    return Play(game_of(game) if isinstance(game, str) else game, typed, **more).run()
