"""What a page says by itself, and what it says of a game before a table is made: words of the content, by language.

All of it stands in message files, the page's own words under `engine.studio.`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from interpreter.texts.catalogue import Catalogue
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, engine_trees
from rulespec.lower.constants import option_nodes, option_values
from rulespec.lower.context import Context
from rulespec.messages.engine import engine_messages
from rulespec.messages.needs import required_languages
from rulespec.messages.pattern import languages
from rulespec.messages.plurals import fallbacks, nearest_language
from rulespec.model.types import Member, Optional, Type
from rulespec.overlay.options import all_switched, as_written
from rulespec.settle import frame, player_range
from rulespec.source.nodes import Mapping as Node
from rulespec.source.nodes import Scalar

PREFIX: Final = "engine.studio."
#: What stands before the codes of what goes wrong, among the page's words.
ERRORS: Final = "error."
#: The other words of the engine that the page shows: what a seat is called by who plays on it.
_SEATS: Final = "engine.seat."
ENGLISH: Final = "en"


@cache
def _engine() -> tuple[Node, ...]:
    return engine_trees(Problems())


@cache
def known_languages() -> tuple[str, ...]:
    """The languages that the page's own words are in, English first."""
    found = {
        code.text
        for key, message in engine_messages(_engine()).items()
        if key.startswith(PREFIX)
        for code, _ in languages(message)
    }
    return (ENGLISH, *sorted(found - {ENGLISH}))


def page_words(language: str) -> dict[str, Any]:
    """The page's words in a language, each with its placeholders as `{name}`; what it lacks is in English."""
    found = nearest_language(language, known_languages()) or ENGLISH
    return {"language": found, "languages": list(known_languages()), "words": dict(_words_of(found))}


@cache
def _words_of(language: str) -> dict[str, str]:
    catalogue, words = Catalogue(_engine(), language), {}
    for key in engine_messages(_engine()):
        if key.startswith((PREFIX, _SEATS)):
            words[key.removeprefix(PREFIX).removeprefix("engine.")] = _text(catalogue, key) or key
    return words


def error_words(code: str, language: str) -> str:
    """What is said of something that went wrong, with its placeholders as `{name}`."""
    return _words_of(nearest_language(language, known_languages()) or ENGLISH)[f"{ERRORS}{code}"]


def _text(catalogue: Catalogue, key: str) -> str | None:
    message = catalogue.find(key)
    if message is None:
        return None
    texts = message.variants.texts
    chosen = texts["other"] if "other" in texts else next(iter(texts.values()))
    return "".join(part if isinstance(part, str) else f"{{{part.span.text.strip()}}}" for part in chosen.parts)


# ---- a game before a table is made ----


def about_game(source: GameSource, language: str) -> dict[str, Any]:
    """What is to be known of a game before a table is made, in a language."""
    found = _Words(source, language)
    low, high = player_range(source.base, Problems())
    game = source.base.get("game")
    return {
        "id": source.id,
        "title": found.titled(game) or source.id,
        "languages": list(required_languages(source.base)),
        "players": [low, high],
        "options": found.options(low),
        "variants": found.variants(),
    }


class _Words:
    def __init__(self, source: GameSource, language: str):
        trees = [source.base, *(variant.tree for variant in source.variants.values())]
        self._source, self._languages = source, fallbacks(language)
        self._catalogue = Catalogue([*trees, *source.engine], language)

    def titled(self, node: object) -> str | None:
        """The title that a declaration has in the language, or in another one."""
        title = node.get("title") if isinstance(node, Node) else None
        if isinstance(title, Scalar):
            return title.text
        by_language = {code.text: text for code, text in languages(title)} if isinstance(title, Node) else {}
        wanted = [by_language[each] for each in self._languages if each in by_language]
        found = next(iter([*wanted, *by_language.values()]), None)
        return found.text if isinstance(found, Scalar) else None

    def options(self, players: int) -> list[dict[str, Any]]:
        """The options that have a choice of values; what one is without being chosen stands in `start`."""
        cx = frame(self._source.base, players, Problems())
        found = [self._option(cx, key.text, node) for key, node in option_nodes(cx)]
        return [option for option in found if len(option["values"]) > 1]

    def _option(self, cx: Context, name: str, node: Node) -> dict[str, Any]:
        t, start = cx.type(node.get("type")), node.get("start")
        values = [as_written(value) for value in option_values(cx, t)]
        key = f"option.{name}"
        return {
            "id": name,
            "name": _text(self._catalogue, key) or self.titled(node) or name,
            "about": _text(self._catalogue, f"{key}.about"),
            "start": start.text if isinstance(start, Scalar) and start.text in values else None,
            "values": [{"id": value, "name": self._value(cx, key, t, value)} for value in values],
        }

    def _value(self, cx: Context, key: str, t: Type, value: str) -> str:
        of = t.of if isinstance(t, Optional) else t
        keys = [f"{key}.{value}", *([f"{of.domain}.{value}"] if isinstance(of, Member) else []), f"engine.{value}"]
        found = (_text(self._catalogue, each) for each in keys)
        return next((text for text in found if text is not None), value)

    def variants(self) -> list[dict[str, Any]]:
        """The variants that are chosen by themselves, and not by an option."""
        switched = all_switched(self._source.base)
        return [
            {"id": name, "name": self.titled(variant.tree.get("variant")) or name}
            for name, variant in self._source.variants.items()
            if name not in switched
        ]
