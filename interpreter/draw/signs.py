"""Signs that the content gives to things: the messages `drawn.KEY`, in which names are shown by their marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.draw.ink import Line, join, plain, render
from rulespec.messages.keys import drawn_key

if TYPE_CHECKING:
    from interpreter.draw.pieces import Look, Pieces
    from interpreter.texts.names import Typed, Words

_GIVEN = "…"
#: Signs inside signs.
_DEEPEST = 4


class Signs:
    """The signs of one game in one language."""

    def __init__(self, words: Words, pieces: Pieces):
        self._words, self._pieces = words, pieces
        self._depth = 0

    def has(self, key: str) -> bool:
        """Whether the content gives a sign to what has this key."""
        return self._words.catalogue.find(drawn_key(key)) is not None

    def line(self, look: Look, key: str, env: Mapping[str, Typed], style: str) -> Line | None:
        """The sign of a thing; None where it has none. `env` holds the piece, or an effect's parameters."""
        if not self.has(key) or self._depth >= _DEEPEST:
            return None
        parts = self._words.stretches(drawn_key(key), env, look.cells)
        if parts is None:
            return None
        if env:
            self._explain(look, key, "".join(p if isinstance(p, str) else _GIVEN for p in parts), env, style)
        self._depth += 1
        try:
            found = join([plain(p, style) if isinstance(p, str) else self._value(look, p) for p in parts])
        finally:
            self._depth -= 1
        if not env:  # it is always the same, figures and all
            self._explain(look, key, render(found), env, style)
        return found

    def _value(self, look: Look, typed: Typed) -> Line:
        return self._pieces.value(look, *typed, short=True)

    def _explain(self, look: Look, key: str, pattern: str, env: Mapping[str, Typed], style: str) -> None:
        """Notes what the sign means, for the legend: the sign with `…` for what differs, and the thing's bare word."""
        kind, _, member = key.partition(".")
        word = self._words.message(key, {}) if member else self._words.message(kind, {})
        word = word or self._words.message(f"{key}.name", env, look.cells)
        if word and pattern.strip(_GIVEN) and not word.endswith(pattern):
            meant = (False, plain(word, style if _GIVEN not in pattern else ""))
            if not env or not self._is_said(look, pattern, meant):
                look.used.setdefault(pattern, meant)

    def _is_said(self, look: Look, pattern: str, meant: tuple[bool, Line]) -> bool:
        """Whether a sign of the same meaning is in the legend that says no less: of one thing the longest stands."""
        others = [other for other, said in look.used.items() if said == meant and _GIVEN in other]
        for shorter in [other for other in others if len(other) < len(pattern)]:
            del look.used[shorter]
        return any(len(other) >= len(pattern) for other in others)
