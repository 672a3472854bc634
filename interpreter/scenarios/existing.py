"""Whether the key of an option stands for anything that some decision of a game can offer, in whatever position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from interpreter.game import Game
from interpreter.names import piece_text, value_text
from interpreter.options import squeeze
from rulespec.lower.ir import Ask
from rulespec.model.types import Boolean, Integer, Member, Piece, Type, may_be_none, strip

#: Kinds of pieces that look in more ways than this are not gone through: any of them is taken to be there.
MOST_LOOKS = 20_000

_TOKEN = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s\[(])+")
_NUMBERED = re.compile(r"#\d+")


def can_exist(game: Game, key: str) -> bool:
    """Whether some decision has an option that is written so, in some position.

    True also where that cannot be told from the declared types, such as for lists.
    """
    tokens = [token for token in _TOKEN.findall(squeeze(key)) if not _NUMBERED.fullmatch(token)]
    return bool(tokens) and any(_fits(game, ask, tokens) for ask in game.facts.asks.values())


def _fits(game: Game, ask: Ask, tokens: Sequence[str]) -> bool:
    heads = {ask.action, ask.id, *(name.name for name in ask.names if len(ask.names) == 1)}
    named = tokens[0] in heads
    return (named and _is_body(game, ask, tokens[1:], named=True)) or _is_body(game, ask, tokens, named=False)


def _is_body(game: Game, ask: Ask, tokens: Sequence[str], *, named: bool) -> bool:
    """Whether tokens without the name of a decision are what it asks for. What is open needs the name."""
    if ask.kind == "may":
        return list(tokens) in (["accept"], ["decline"])
    if ask.optional and list(tokens) == ["stop"]:
        return True
    types = [name.type for name in ask.names]
    if any(_is_open(game, t) for t in types):
        return named
    return len(tokens) == len(types) and all(_is_value(game, t, each) for t, each in zip(types, tokens, strict=True))


def _is_open(game: Game, t: Type) -> bool:
    """Whether the values of a type are not gone through."""
    inner = strip(t)
    if isinstance(inner, Piece):
        kind = game.world.pieces[inner.kind]
        return kind.count + len(kind.shown) > MOST_LOOKS
    return not isinstance(inner, (Boolean, Integer, Member))


def _is_value(game: Game, t: Type, word: str) -> bool:
    inner = strip(t)
    if word == "none":
        return may_be_none(t)
    if isinstance(inner, Integer):
        return word.removeprefix("-").isdecimal()  # one outside a range is refused by that range: it says something
    return any(word in _forms(inner, text) for text in _texts(game, inner))


def _texts(game: Game, t: Type) -> Iterator[str]:
    """All values of a type, as keys have them."""
    if isinstance(t, Boolean):
        yield from ("true", "false")
    if isinstance(t, Member):
        amount = len(game.world.domains[t.domain].members)
        yield from (value_text(game.world, t, value) for value in range(amount))
    if isinstance(t, Piece):
        kind = game.world.pieces[t.kind]
        codes = range(kind.count + len(kind.shown))
        yield from (piece_text(game.world, kind, code) for code in islice(codes, MOST_LOOKS))


def _forms(t: Type, text: str) -> tuple[str, ...]:
    """The ways in which a person may write a value: in full, behind its kind, a piece by its one attribute."""
    text = squeeze(text)
    if isinstance(t, Member) and "[" not in text:
        return text, f"{t.domain}[{text}]"
    if text.endswith(")") and "," not in text and text.count("(") == 1:
        return text, text[text.index("(") + 1 : -1]
    return (text,)
