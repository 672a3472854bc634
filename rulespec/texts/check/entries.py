"""Rules and messages as they are checked: their texts by language, what they are bound to, what is let pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, resolve
from rulespec.messages.pattern import languages
from rulespec.overlay.variant import Variant
from rulespec.source.tree import Mapping, Node, Scalar, Sequence
from rulespec.texts.glossary import Concept, Glossary
from rulespec.texts.stretches import Stretches

_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
#: What stands in the place of a placeholder while a text is read.
FILLER = "0"


@dataclass(frozen=True, slots=True)
class Suppression:
    """A problem that is let pass, with the reason. `node` is where it stands."""

    code: str
    language: str | None
    node: Mapping


@dataclass(frozen=True)
class Text:
    """One text: what stands in the file, and the same with placeholders blotted out (as long as it)."""

    node: Scalar

    @cached_property
    def holes(self) -> tuple[tuple[int, int], ...]:
        """The places of the placeholders."""
        return tuple(
            match.span() for match in _BRACES.finditer(self.node.text) if len(match[0]) != 2 or match[0] == "{}"
        )

    @cached_property
    def plain(self) -> str:
        """The text with a number of no meaning for each placeholder; all characters keep their places."""
        text, parts, at = self.node.text, [], 0
        for start, end in self.holes:
            parts += [text[at:start], FILLER * (end - start)]
            at = end
        return "".join([*parts, text[at:]])

    @cached_property
    def _computed(self) -> Stretches:
        return Stretches(self.holes)

    def is_typed(self, start: int, end: int) -> bool:
        """Whether a stretch is written out, and not computed."""
        return not self._computed.meet(start, end)


@dataclass(frozen=True)
class Entry:
    """A rule or message. `texts` are by language, then by plural form; `rule` is None for a message."""

    key: Scalar
    node: Mapping
    texts: dict[str, dict[str, Text]]
    rule: Mapping | None = None
    suppressions: tuple[Suppression, ...] = ()
    variant: Variant | None = None

    @property
    def name(self) -> str:
        return self.key.text

    def binds(self) -> list[Scalar]:
        """The paths that a rule binds."""
        return scalars(self.rule.get("binds")) if self.rule is not None else []

    def main(self, language: str) -> Text | None:
        """The text for most numbers in a language."""
        forms = self.texts.get(language, {})
        return forms.get("other") or next(iter(forms.values()), None)


@dataclass
class Texts:
    """All rules and messages of a game with its variants, and the languages that rules stand in."""

    source: GameSource
    rules: list[Entry]
    messages: list[Entry]
    first: str
    trees: dict[str, Mapping] = field(default_factory=dict)

    def tree(self, entry: Entry) -> Mapping:
        """The declarations that a rule is about: the game's, or those with its variant on."""
        return self.tree_with(entry.variant.id if entry.variant is not None else "")

    def tree_with(self, name: str) -> Mapping:
        """The declarations with a variant on, and those that it requires; the game's own for an empty name."""
        if name not in self.trees:
            needed = _needed(self.source, name)
            self.trees[name] = resolve(self.source, needed, Problems()) if needed else self.source.base
        return self.trees[name]

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language that rules are written in first, and those in which some rule of the game stands too."""
        own = [entry for entry in self.rules if entry.variant is None]
        found = dict.fromkeys(language for entry in own or self.rules for language in entry.texts)
        return tuple(dict.fromkeys((self.first, *found)))

    def wanted(self, entry: Entry) -> tuple[str, ...]:
        """The languages in which a rule should stand: of a variant those that the variant has a title in."""
        if entry.variant is None:
            return self.languages
        declared = entry.variant.tree.get("variant")
        title = declared.get("title") if isinstance(declared, Mapping) else None
        named = title.keys() if isinstance(title, Mapping) else self.languages
        return tuple(language for language in self.languages if language == self.first or language in named)


def texts_of(source: GameSource) -> Texts:
    """Everything that is checked, in the order of the files: the game's own, then what each variant adds."""
    trees: list[tuple[Mapping, Variant | None]] = [(source.base, None)]
    trees += [(variant.tree, variant) for variant in source.variants.values()]
    texts = Texts(source, [], [], _first(source.base))
    for tree, variant in trees:
        texts.rules += [rule_entry(key, node, variant) for key, node in maps(tree.get("rules"))]
        texts.messages += [_entry(key, node, None, variant) for key, node in maps(tree.get("messages"))]
    for variant in source.variants.values():
        texts.rules += _rewritten(texts, variant)
    return texts


def _rewritten(texts: Texts, variant: Variant) -> Iterator[Entry]:
    """The rules of the game whose texts a variant writes anew."""
    if not any(_of_rules(change) for change in variant.changes):
        return
    files = {tree.span.file.name for tree in variant.files}
    known = {key.text for key, _ in maps(variant.tree.get("rules"))}
    tree = texts.tree(Entry(variant.name, variant.tree, {}, variant=variant))
    for key, node in maps(tree.get("rules")):
        text = node.get("text")
        if key.text not in known and text is not None and text.span.file.name in files:
            yield rule_entry(key, node, variant)


def _of_rules(change: Mapping) -> bool:
    """Whether a change is one of a rule."""
    return any(isinstance(value, Scalar) and value.text.startswith("rules.") for _, value in change.pairs)


def _needed(source: GameSource, name: str) -> list[str]:
    """A variant with those that it requires."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at in source.variants and at not in found:
            found.append(at)
            waiting += [each.text for each in source.variants[at].requires]
    return found


def _first(tree: Mapping) -> str:
    """The language that a game is written in: the first that it asks for, else that of its title."""
    game = tree.get("game")
    asked = scalars(game.get("languages")) if isinstance(game, Mapping) else []
    title = game.get("title") if isinstance(game, Mapping) else None
    named = title.keys() if isinstance(title, Mapping) else ()
    return asked[0].text if asked else next(iter(named), "en")


def rule_entry(key: Scalar, node: Mapping, variant: Variant | None) -> Entry:
    """A rule as it is checked, of the game (None) or of a variant."""
    text = node.get("text")
    inner = text if isinstance(text, Mapping) else Mapping(node.span, ())
    return _entry(key, inner, node, variant)


def _entry(key: Scalar, node: Mapping, rule: Mapping | None, variant: Variant | None) -> Entry:
    texts = {language.text: _forms(value) for language, value in languages(node)}
    return Entry(key, node, texts, rule, tuple(_suppressions(node)), variant)


def _forms(node: Node) -> dict[str, Text]:
    if isinstance(node, Scalar):
        return {"other": Text(node)}
    pairs = node.pairs if isinstance(node, Mapping) else ()
    return {form.text: Text(value) for form, value in pairs if isinstance(value, Scalar)}


def _suppressions(node: Mapping) -> Iterator[Suppression]:
    listed = node.get("suppress")
    for item in listed.items if isinstance(listed, Sequence) else ():
        code = item.get("code") if isinstance(item, Mapping) else None
        if isinstance(item, Mapping) and isinstance(code, Scalar):
            language = item.get("language")
            yield Suppression(code.text, language.text if isinstance(language, Scalar) else None, item)


def glossary_of(source: GameSource) -> Glossary:
    """The terms of a game and of all its variants."""
    concepts: dict[str, Concept] = {}
    for tree in (*(variant.tree for variant in source.variants.values()), source.base):
        concepts.update(Glossary.of(tree).concepts)
    return Glossary(concepts)


def maps(node: Node | None) -> list[tuple[Scalar, Mapping]]:
    """The entries of a section that are maps."""
    pairs = node.pairs if isinstance(node, Mapping) else ()
    return [(key, value) for key, value in pairs if isinstance(value, Mapping)]


def scalars(node: Node | None) -> list[Scalar]:
    """The single values of a list."""
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
