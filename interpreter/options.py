"""What a decision offers, as objects that a person or a program can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from interpreter.names import plain_value, value_text
from interpreter.reference.decisions import STOP
from rulespec.lower.ir import Ask
from rulespec.model.types import Boolean, Integer, ListType, Member, Piece, Record, SetType, Type, strip

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


class Option:
    """One thing that may be chosen now.

    `key` is stable text, unique among the options of its state: the action's or choice's id and this
    decision's arguments. `action` is that id, `args` the declared names with plain values.
    """

    __slots__ = ("_key", "candidate", "state")

    def __init__(self, state: State, candidate: Any):
        self.state = state
        self.candidate = candidate
        self._key: str | None = None

    @property
    def key(self) -> str:
        """Stable text, unique among the options of the state."""
        if self._key is None:
            self._key = self.state.options().key_of(self.candidate)
        return self._key

    @property
    def action(self) -> str:
        """The id of the action that the decision belongs to, else of the choice."""
        ask = self.state.ask
        return ask.action or ask.id

    @property
    def args(self) -> dict[str, Any]:
        """The declared names of this decision with their values; empty for declining or stopping."""
        world, ask = self.state.game.world, self.state.ask
        return {name: plain_value(world, t, v) for name, t, v in arguments(ask, self.candidate)}

    def text(self, language: str = "en") -> str:
        """What a person reads."""
        return self.state.game.texts(language).option_text(self.state.cells, self.state.cells[0], self.candidate)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return self.candidate == other.candidate and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.candidate, self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        return _option_of, (self.state, self.key)

    def __repr__(self) -> str:
        return f"Option({self.key!r})"


def _option_of(state: State, key: str) -> Option:
    return state.option(key)


def stops(ask: Ask, candidate: Any) -> bool:
    """Whether a candidate means to choose no more; where that cannot be chosen, the same number is a number."""
    return ask.optional and bool(candidate == STOP)


def arguments(ask: Ask, candidate: Any) -> list[tuple[str, Type, Any]]:
    """Name, type and value of each thing that a candidate stands for."""
    if ask.kind == "may" or stops(ask, candidate):
        return []
    value = candidate[1] if ask.kind == "set" else candidate
    if len(ask.names) == 1 and not ask.record:
        return [(ask.names[0].name, ask.names[0].type, value)]
    return [(n.name, n.type, v) for n, v in zip(ask.names, value, strict=True)]


class Options(Sequence[Option]):
    """The options of one state, in stable order; indexing builds one `Option`."""

    __slots__ = ("_keys", "candidates", "state")

    def __init__(self, state: State, candidates: list[Any]):
        self.state = state
        self.candidates = candidates
        self._keys: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self.candidates)

    @overload
    def __getitem__(self, index: int) -> Option: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...

    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if isinstance(index, slice):
            return [Option(self.state, x) for x in self.candidates[index]]
        return Option(self.state, self.candidates[index])

    def __reduce__(self) -> tuple[Any, ...]:
        return _options_of, (self.state,)

    def keys(self) -> tuple[str, ...]:
        """All keys in order."""
        return tuple(self._by_key())

    def find(self, key: str) -> Option | None:
        """The option with a key, or None."""
        at = self._by_key().get(key)
        return None if at is None else self[at]

    def key_of(self, candidate: Any) -> str:
        """The key of one of the candidates."""
        at = self.candidates.index(candidate)
        if self._keys is None and self.state.game.key_words(self.state.asks_at).tells_apart:
            return key_text(self.state, candidate)
        return list(self._by_key())[at]

    def _by_key(self) -> dict[str, int]:
        if self._keys is None:
            found: dict[str, int] = {}
            for at, candidate in enumerate(self.candidates):
                text = key_text(self.state, candidate)
                key, n = text, 1
                while key in found:
                    n += 1
                    key = f"{text} #{n}"
                found[key] = at
            self._keys = found
        return self._keys


def places_of(state: State, options: Sequence[Option]) -> Sequence[int]:
    """Where options stand among all options of their state."""
    candidates = state.options().candidates
    if len(options) == len(candidates):
        return range(len(candidates))
    return [candidates.index(option.candidate) for option in options]


def _options_of(state: State) -> Options:
    return state.options()


class KeyWords:
    """The texts of the keys at one decision, those of names and pieces each made once.

    `tells_apart`: two candidates that are not equal have two texts. Pieces have theirs by their look alone.
    """

    def __init__(self, game: Game, ask: Ask):
        self._world, self._ask = game.world, ask
        self._head = ask.action or ask.id
        self._known: list[dict[int, str] | None] = [{} if _is_one_of_few(name.type) else None for name in ask.names]
        self._codes = [self._world.codes if isinstance(strip(name.type), Piece) else 0 for name in ask.names]
        self.tells_apart = all(_is_told_apart(name.type) for name in ask.names)

    def text(self, candidate: Any) -> str:
        """The key of a candidate, before equal ones are told apart."""
        ask = self._ask
        if ask.kind == "may":
            return f"{self._head if ask.id == 'may' else ask.id} {'accept' if candidate else 'decline'}"
        if stops(ask, candidate):
            return "stop"
        texts = [self._text(i, t, v) for i, (_, t, v) in enumerate(arguments(ask, candidate))]
        return " ".join([self._head, *texts])

    def _text(self, number: int, t: Type, value: Any) -> str:
        known = self._known[number]
        if known is None:
            return value_text(self._world, t, value)
        if self._codes[number] and value >= 0:
            value %= self._codes[number]
        found = known.get(value)
        if found is None:
            found = known[value] = value_text(self._world, t, value)
        return found


def _is_one_of_few(t: Type) -> bool:
    """Whether there are few values of a type, for how they are written."""
    return isinstance(strip(t), (Boolean, Member, Piece))


def _is_told_apart(t: Type) -> bool:
    """Whether two values of a type have two texts."""
    inner = strip(t)
    if isinstance(inner, ListType):
        return _is_told_apart(inner.of)
    if isinstance(inner, Record):
        return all(_is_told_apart(of) for _, of in inner.fields)
    return isinstance(inner, (Boolean, Integer, Member, SetType))


def key_text(state: State, candidate: Any) -> str:
    """The key of a candidate, before equal ones are told apart."""
    return state.game.key_words(state.asks_at).text(candidate)


def loose_forms(state: State, candidate: Any) -> list[str]:
    """Every way in which a person may write an option: with or without the action's id, or with the choice's name."""
    ask = state.ask
    full = _squeeze(key_text(state, candidate))
    if ask.kind == "may":
        word = "accept" if candidate else "decline"
        return [full, word, f"{ask.id} {word}"]
    if stops(ask, candidate):
        return ["stop"]
    found = arguments(ask, candidate)
    world = state.game.world
    texts = [_squeeze(value_text(world, t, v)) for _, t, v in found]
    bare = " ".join(texts)
    short = " ".join(_short(t) for t in texts)
    named = " ".join(_with_kind(t, text) for (_, t, _), text in zip(found, texts, strict=True))
    forms = [full]
    for body in dict.fromkeys((bare, short, named)):
        forms += [body, f"{ask.id} {body}", f"{ask.action or ask.id} {body}"]
        if len(found) == 1:
            forms.append(f"{found[0][0]} {body}")
    return list(dict.fromkeys(forms))


def _squeeze(text: str) -> str:
    return " ".join(text.replace(", ", ",").split())


def _with_kind(t: Type, text: str) -> str:
    """A named member behind its kind: `site[north]`."""
    inner = strip(t)
    return f"{inner.domain}[{text}]" if isinstance(inner, Member) and "[" not in text else text


def _short(text: str) -> str:
    """A piece with one attribute by that attribute alone."""
    if text.endswith(")") and "," not in text and text.count("(") == 1:
        return text[text.index("(") + 1 : -1]
    return text


def squeeze(text: str) -> str:
    """A key as written by a person, with white space made even."""
    return _squeeze(text)
