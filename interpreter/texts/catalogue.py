"""Finding a message: a game's own before the engine's, in the wanted language before others."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.diagnostics.model import Problems
from rulespec.messages.pattern import Variants, languages, read_variants
from rulespec.messages.plurals import fallbacks
from rulespec.source.nodes import Mapping, Node


class Message:
    """A message in the language that was found: its texts and what chooses among them. `key` says which it is."""

    __slots__ = ("key", "language", "select", "variants")

    def __init__(self, key: str, language: str, select: Node | None, variants: Variants):
        self.key = key
        self.language = language
        self.select = select
        self.variants = variants


class Catalogue:
    """All messages of a game and of the engine, as seen from one language. Texts are read when first asked for."""

    def __init__(self, trees: Iterable[Mapping], language: str):
        sections = [tree.get("messages") for tree in trees]
        self._sections = [section for section in sections if isinstance(section, Mapping)]
        self._languages = fallbacks(language)
        self._found: dict[str, Message | None] = {}

    def find(self, key: str) -> Message | None:
        """The message under a key in the best language that it has; None for a key that is nowhere."""
        if key not in self._found:
            self._found[key] = self._find(key)
        return self._found[key]

    @property
    def used(self) -> frozenset[str]:
        """The keys that were asked for and are there."""
        return frozenset(key for key, message in self._found.items() if message is not None)

    def first(self, keys: Iterable[str]) -> Message | None:
        """The message under the first key that there is."""
        return next((message for key in keys if (message := self.find(key)) is not None), None)

    def _find(self, key: str) -> Message | None:
        entries = [entry for s in self._sections if isinstance(entry := s.get(key), Mapping)]
        for language in self._languages:
            for entry in entries:
                node = entry.get(language)
                if node is not None:
                    return Message(key, language, _select(entries), read_variants(node, Problems()))
        for entry in entries:
            for code, node in languages(entry):
                return Message(key, code.text, _select(entries), read_variants(node, Problems()))
        return None


def _select(entries: list[Mapping]) -> Node | None:
    """What chooses among plural forms; it need not stand in the file that adds a language."""
    return next((node for entry in entries if (node := entry.get("select")) is not None), None)
