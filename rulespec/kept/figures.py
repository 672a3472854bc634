"""Figures in texts, which are kept by the text and the terms of the game."""

from __future__ import annotations

from dataclasses import astuple
from functools import cached_property
from typing import Any

from rulespec.game_source import GameSource
from rulespec.kept.digests import Digests
from rulespec.kept.memo import Memo
from rulespec.source.store import digest
from rulespec.texts.check.entries import Text, glossary_of
from rulespec.texts.check.figures import Figures
from rulespec.texts.numbers import Number


class KeptFigures(Figures):
    """Finds figures that are written out; terms are only read for a text that is new."""

    def __init__(self, source: GameSource, memo: Memo, digests: Digests) -> None:
        self._source, self._memo, self._digests = source, memo, digests
        self.names: list[str] = []  #: under which they are kept

    @cached_property
    def _anew(self) -> Figures:
        return Figures(glossary_of(self._source))

    def counting(self, text: Text, language: str) -> list[Number]:
        """The numbers that are written out in a text."""
        key = digest("figures", self._digests.terms, language, text.node.text)
        self.names.append(key)
        found: list[Any] = self._memo.of(key, lambda: [astuple(n) for n in self._anew.counting(text, language)])
        return [Number(*number) for number in found]
