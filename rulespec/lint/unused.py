"""What is declared and then nowhere used: mostly a slip in a name, or the remains of an older rule.

A name counts as used where it stands anywhere in the rules of the game or its variants, outside its own declaration.
So what is reported is certainly unused; a name that two things share is not looked into.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource
from rulespec.source.entries import without_entry
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FOR_PEOPLE = frozenset({"about", "source", "title", "note", "reason", "language", "languages", "ledger"})
_TEXTS = frozenset({"messages", "terms", "rules", "book", "rulebooks"})
_SECTIONS = {
    "values": "value",
    "functions": "function",
    "effects": "effect",
    "actions": "action",
    "events": "event",
    "zones": "zone",
    "state": "state",
}


@dataclass(slots=True)
class _Words:
    """How often each word stands in the rules, in the texts and in the scenarios; and in each declaration itself."""

    rules: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    scenarios: Counter[str] = field(default_factory=Counter)
    own: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)
    emitted: set[str] = field(default_factory=set)
    records: bool = False


def check_unused(source: GameSource, problems: Problems) -> None:
    """Reports unused declarations (RS631), options (RS632) and zones that nothing enters (RS633), and positions that
    no step records (RS653).

    Says nothing of a game with errors: what is meant to use a thing may be among what is faulty.
    """
    if problems.has_errors:
        return
    words = _Words()
    trees = [source.base, *(variant.tree for variant in source.variants.values())]
    for tree in trees:
        _read(tree, words)
    for tree in trees:
        _report(tree, words, problems)


def _read(tree: Mapping, words: _Words) -> None:
    for section, node in tree.pairs:
        name = section.text
        if name in _SECTIONS and isinstance(node, Mapping):
            for key, entry in node.pairs:
                found = Counter(_words_in(entry))
                words.rules += found
                words.own.setdefault((name, key.text), Counter()).update(found)
                words.rules += Counter(_WORD.findall(key.text)[:-1])
        elif name in _TEXTS:
            words.texts += Counter(_words_in(node))
        elif name == "scenarios":
            words.scenarios += Counter(_words_in(node))
        else:
            words.rules += Counter(_words_in(node))
        words.entered |= set(_under(node, ("to", "refill")))
        words.emitted |= set(_under(node, ("emit",)))
        words.records |= "position" in _under(node, ("record",))


def _words_in(node: Node) -> Iterator[str]:
    """All words that may be names, in keys and values, but for what is written for people."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _words_in(item)
    elif isinstance(node, Mapping):
        for key, value in node.pairs:
            if key.text not in _FOR_PEOPLE:
                yield from _WORD.findall(key.text)
                yield from _words_in(value)


def _under(node: Node, keys: tuple[str, ...]) -> Iterator[str]:
    """The words that stand under some keys: where pieces are put, or what is emitted."""
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if key.text in keys:
            yield from _words_in(value)
        yield from _under(value, keys)
    for item in node.items if isinstance(node, Sequence) else ():
        yield from _under(item, keys)


# ---- reports -----------------------------------------------------------------------------------------


def _report(tree: Mapping, words: _Words, problems: Problems) -> None:
    for section in _SECTIONS:
        node = tree.get(section)
        for key, entry in node.pairs if isinstance(node, Mapping) else ():
            _report_one(tree, section, key, entry, words, problems)
    counts = next((key for key, _ in tree.pairs if key.text == "repetition"), None)
    if counts is not None and not words.records:
        problems.add("RS653", counts.span)
    game = tree.get("game")
    options = game.get("options") if isinstance(game, Mapping) else None
    for key, entry in options.pairs if isinstance(options, Mapping) else ():
        own = Counter(_words_in(entry))[key.text] + 1
        if words.rules[key.text] <= own and not (isinstance(entry, Mapping) and "switches" in entry):
            fixes = () if problems.is_crowded else _without(options, key, _pair(game, "options"))
            problems.add("RS632", key.span, name=key.text, fixes=fixes)


def _report_one(tree: Mapping, section: str, key: Scalar, entry: Node, words: _Words, problems: Problems) -> None:
    name, what = key.text.rpartition(".")[2], _SECTIONS[section]
    if section == "events":
        if name not in words.emitted:
            fixes = () if problems.is_crowded else _without(tree.get(section), key, _pair(tree, section))
            problems.add("RS631", key.span, hint=_HINTS[section], what=what, name=key.text, fixes=fixes)
    elif words.rules[name] <= words.own.get((section, key.text), Counter())[name] and not _otherwise_used(
        section, name, words
    ):
        hint = _HINTS[section]
        fixes = () if problems.is_crowded else _without(tree.get(section), key, _pair(tree, section))
        problems.add("RS631", key.span, hint=hint, what=what, name=key.text, fixes=fixes)
    elif section == "zones" and not _begins_full(entry) and name not in words.entered:
        problems.add("RS633", key.span, name=key.text)


def _pair(node: Mapping | Node | None, name: str) -> tuple[Scalar, Node] | None:
    return next((pair for pair in node.pairs if pair[0].text == name), None) if isinstance(node, Mapping) else None


def _without(around: Node | None, key: Scalar, above: tuple[Scalar, Node] | None) -> tuple[Fix, ...]:
    """The game without a declaration. Never certain: it may be new, and used by what is not written yet."""
    edit = without_entry(around, key, above) if isinstance(around, Mapping) else None
    return () if edit is None else (Fix(f"Delete `{key.text}`", (edit,), is_certain=False),)


def _begins_full(zone: Node) -> bool:
    """Whether pieces begin in a zone, or are shuffled in when it is empty."""
    return not isinstance(zone, Mapping) or "start" in zone or "renew" in zone


def _otherwise_used(section: str, name: str, words: _Words) -> bool:
    """Figures and functions may be there for texts and tests alone; what is done may not."""
    if section in ("effects", "actions", "events"):
        return False
    return words.texts[name] > 0 or words.scenarios[name] > 0


_HINTS = {
    "values": "No expression and no text reads it.",
    "functions": "No expression and no text calls it.",
    "effects": "No step performs it, and nothing holds it as a value.",
    "actions": "No step performs it, so it is never offered.",
    "events": "No step emits it.",
    "zones": "No step and no expression speaks of it.",
    "state": "No step and no expression speaks of it.",
}
