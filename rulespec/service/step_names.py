"""Names that no section declares, where they stand: what is chosen, gone through or let, parameters, what events bring,
ids of steps, reasons of points, names of rounds and labels of conditions.

A name of steps belongs to its declaration. Messages of that declaration name it too, and so do keys of messages and
lines of scenarios; what one of these names in several declarations is called alike in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from rulespec.model.registry.names import BUILTIN_NAMES
from rulespec.service.occurrences import OF_LANGUAGE, Index
from rulespec.service.symbols import Symbol
from rulespec.service.words import Owner, Word
from rulespec.source.text import Span

#: A name of one declaration; reasons, rounds and labels are those of the whole game.
Node = tuple[Owner, str]

#: Words of a kind of role in a whole game, with what they are in a sentence.
_OF_GAME: Final = {"reason": "reason", "round": "round", "label": "label"}
#: What asks somebody under a name.
_ASKING: Final = frozenset({"choose", "for_each", "id"})
_SAID: Final = frozenset({"prompt", "option", "accept", "decline", "stop", "log"})
_READ: Final = frozenset({"name", "source", "binds"})


@dataclass(frozen=True, slots=True)
class Named:
    """All places of one name, in order; `around` are the declarations and messages that it could be read in."""

    places: tuple[Span, ...]
    kinds: frozenset[str]
    around: frozenset[Owner]
    doubt: Span | None = None

    @property
    def is_asked(self) -> bool:
        """Whether keys of messages and lines of scenarios may name it."""
        return bool(self.kinds & _ASKING)

    @property
    def of_game(self) -> str:
        """What it is where it belongs to no declaration: a reason, a round or a label."""
        return next((kind for kind in sorted(self.kinds) if kind in _OF_GAME), "")


def taken_by(index: Index, found: Named, new: str) -> str | None:
    """What has a new name for it already; None where that is free."""
    if found.of_game:
        same = any(word.role == found.of_game and word.span.text == new for word in index.free)
        is_function = found.of_game == "label" and Symbol("functions", new) in index.declared
        return f"a {found.of_game}" if same else "a function" if is_function else None
    if any(new in index.said.get(owner, ()) for owner in found.around):
        return "something in this declaration"
    kinds = sorted(each.kind for each in index.declared if each.last == new and each.kind != "messages")
    if kinds:
        return f"one of the {kinds[0]}"
    asked = (word for word in index.free if word.role in ("choice", "asks") and word.span.text == new)
    return "a step or choice elsewhere" if found.is_asked and next(asked, None) is not None else None


@dataclass
class StepNames:
    """The words of an index by the names that they are; a word that stands for several joins these."""

    index: Index
    kinds: dict[Node, set[str]] = field(default_factory=dict)
    words: dict[Node, list[Word]] = field(default_factory=dict)
    nodes: dict[int, list[Node]] = field(default_factory=dict)
    asked: dict[str, list[Node]] = field(default_factory=dict)
    messages: dict[Owner, list[Owner]] = field(default_factory=dict)  #: whose names each of them reads

    def __post_init__(self) -> None:
        free = [word for word in self.index.free if not word.is_inner and word.span.text not in BUILTIN_NAMES]
        for word in free:
            kind = _kind(word)
            if kind:
                self.kinds.setdefault(_own(word), set()).add(kind)
        for node, kinds in self.kinds.items():
            if kinds & _ASKING:
                self.asked.setdefault(node[1], []).append(node)
        self.messages = {owner: self._of_message(owner[1]) for owner in self.index.said if owner[:1] == ("messages",)}
        for word in free:
            found = [node for node in dict.fromkeys(self._nodes(word)) if node in self.kinds]
            self.nodes[id(word)] = found
            for node in found:
                self.words.setdefault(node, []).append(word)

    def at(self, name: str, offset: int) -> Named | None:
        """The name at an offset of a file with all its places; None where it is none of these, or nothing binds it."""
        for word in self.index.free:
            span = word.span
            if span.file.name == name and span.start <= offset <= span.end and not word.is_inner:
                return self.named(word)
        return None

    def named(self, word: Word) -> Named | None:
        """All that is called as a free word is, and must stay so."""
        waiting, done = list(self.nodes.get(id(word), ())), set[Node]()
        places: dict[tuple[str, int], Word] = {}
        while waiting:
            node = waiting.pop()
            if node not in done:
                done.add(node)
                for each in self.words.get(node, ()):
                    places[each.span.file.name, each.span.start] = each
                    waiting += self.nodes[id(each)]
        if not done:
            return None
        kinds = frozenset(kind for node in done for kind in self.kinds[node])
        owners = frozenset(owner for each in places.values() for owner in (each.owner, *self._owners(each)))
        doubt = next(self._doubts(word.span.text, owners, places.values()), None)
        return Named(tuple(places[key].span for key in sorted(places)), kinds, self.around(owners), doubt)

    def around(self, owners: Iterable[Owner]) -> frozenset[Owner]:
        """Some declarations with those that read their names, or whose names they read: events, triggers, messages."""
        found = set(owners)
        for trigger, events in self.index.heard.items():
            heard = {("events", event) for event in events}
            if ("triggers", trigger) in owners:
                found |= heard
            elif heard.intersection(owners):
                found.add(("triggers", trigger))
        return frozenset(found | {message for message, of in self.messages.items() if found.intersection(of)})

    def _doubts(self, text: str, owners: frozenset[Owner], words: Iterable[Word]) -> Iterator[Span]:
        """Places that may name this or something else."""
        same = (word for word in self.index.doubtful if word.span.text == text)
        yield from (word.span for word in same if word.owner in owners or owners.intersection(self._owners(word)))
        yield from (word.span for word in words if word.role == "dot" and text in OF_LANGUAGE)

    # ---- which names a word is ----

    def _nodes(self, word: Word) -> Iterator[Node]:
        text = word.span.text
        if word.role in _OF_GAME:
            yield (word.role,), text
        elif word.owner[:1] == ("scenarios",) or (word.role == "asks" and word.owner[:1] == ("messages",)):
            yield from self.asked.get(text, ())
        elif word.role == "dot":
            yield from (node for node in self._read(word) if "each" in self.kinds.get(node, ()))
        elif word.role in _READ or word.role == "choice":
            yield from self._read(word)

    def _read(self, word: Word) -> Iterator[Node]:
        for owner in self._owners(word):
            yield owner, word.span.text
            for event in sorted(self.index.heard.get(owner[1], ())) if owner[:1] == ("triggers",) else ():
                yield ("events", event), word.span.text

    def _owners(self, word: Word) -> Iterable[Owner]:
        """The declarations whose names a word can be: its own, or those whose message it stands in."""
        return self._of_message(word.owner[1]) if word.owner[:1] == ("messages",) else (word.owner,)

    def _of_message(self, key: str) -> list[Owner]:
        head, *rest = key.removeprefix("drawn.").split(".")
        if head == "event" and rest:
            return [("events", rest[0])]
        symbols = (Symbol(section, head) for section in ("actions", "effects", "triggers"))
        own: list[Owner] = [(each.kind, each.name) for each in symbols if each in self.index.declared]
        if own or not rest or rest[-1] not in _SAID:
            return own
        return [owner for owner, _ in self.asked.get(head, ())]


def _kind(word: Word) -> str:
    """What binds a name here, if anything does: the field that says it."""
    if word.owner[:1] in (("messages",), ("scenarios",)):
        return ""
    if word.role in _OF_GAME:
        return word.role if word.of in ("reason", "round", "rule") else ""
    return word.of if word.role == "binds" or (word.role == "choice" and word.of == "id") else ""


def _own(word: Word) -> Node:
    return ((word.role,) if word.role in _OF_GAME else word.owner), word.span.text
