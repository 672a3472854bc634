"""A game's tree in two: what is read to declare it, and the bodies that only blocks are made from.

    split = Split(sources, places)
    parts = split.of(tree, more)
    parts.declared                      # a digest of all that declaring reads but for figures, wherever it stands
    parts.figures                       # one of the figures: what stands under `is` of constants
    parts.bodies["actions settle"]      # a digest of the steps of an action

Declaring looks into no steps (`do`) of effects, actions and triggers, and into none of the sections of `WHOLE`, but for
their labels (`rulespec.lower.labels`) and whether somebody is eliminated there (`rulespec.lower.elimination`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.kept.seals import Seals
from rulespec.lower.labels import labels_of
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.source.store import digest
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: Sections that are bodies, and those whose entries have one.
WHOLE: Final = frozenset({"setup", "flow", "end", "ranking", "always", "hints"})
WITH_STEPS: Final = frozenset({"effects", "actions", "triggers"})
STEPS: Final = "do"
#: The section of the constants, and the key of each figure in it.
FIGURES: Final = "values"
FIGURE: Final = "is"

#: A verb that makes a declaration wherever it stands, and the one that other steps look for everywhere.
_DECLARING: Final = "eliminate"
_ENDING: Final = "finish"
#: What is said in steps by names that messages and scenarios go by.
_SAID: Final = frozenset({"reason", "rule", "choose", "for_each", "id"})
#: A text that leads into a body, as rules name what they are about.
_INTO: Final = re.compile(r"\.do\b|\b(?:setup|flow|end|ranking|always|hints)(?:\[|\.[a-z0-9_])")
#: Sections whose texts may name what lies in steps.
_TELLING: Final = frozenset({"rules", "book", "rulebooks"})
_DIVISION: Final = re.compile(r"//|%")


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a tree, as digests; `said` is what of each body messages and scenarios read by themselves."""

    declared: str
    figures: str
    bodies: dict[str, str]
    said: dict[str, str]


class Split:
    """Splits the trees of one check: what they share is looked at once."""

    def __init__(self, trees: Iterable[Mapping], seals: Seals) -> None:
        self._seals = seals
        #: entries and sections that are as their files have them, with the key: nothing was merged in them
        self._own: dict[int, tuple[Node, Scalar]] = {}
        for tree in trees:
            for key, section in tree.pairs:
                self._own[id(section)] = section, key
                for name, entry in section.pairs if isinstance(section, Mapping) else ():
                    self._own[id(entry)] = entry, name
        self._entries: dict[int, tuple[Node, Scalar, str, str, str]] = {}
        self._values: dict[int, tuple[Node, str, str]] = {}
        self._steps: dict[int, tuple[Node, str, str, str]] = {}

    def of(self, tree: Mapping, *more: str) -> Parts:
        """The parts of a tree; `more` is what declaring goes by beside."""
        declared: list[str] = [*more, " ".join(sorted(tree.broken))]
        bodies: dict[str, str] = {}
        said: dict[str, str] = {}
        figures = ""
        for key, section in tree.pairs:
            if key.text in UNPLAYED:
                continue
            declared.append(f"section {key.text}")
            if key.text in WHOLE:
                bodies[key.text], said[key.text], marks = self._body(section)
                declared.append(marks)
            elif key.text == FIGURES:
                form, figures = self._figures(section)
                declared.append(form)
            elif key.text in WITH_STEPS and isinstance(section, Mapping):
                declared.append(" ".join(section.broken))
                for name, entry in section.pairs:
                    rest, body, spoken = self._entry(name, entry)
                    declared.append(f"{name.text} {rest}")
                    bodies[f"{key.text} {name.text}"], said[f"{key.text} {name.text}"] = body, spoken
            else:
                declared.append(self._whole(key, section))
        return Parts(digest(*declared), figures, bodies, said)

    def _figures(self, section: Node) -> tuple[str, str]:
        """Digests of the constants without their figures, and of these. Of no constant it is told where it stands."""
        known = self._values.get(id(section))
        if known is None or known[0] is not section:
            forms: list[str] = []
            figures: list[str] = []
            for name, entry in section.pairs if isinstance(section, Mapping) else ():
                forms += [name.text, *_form_of(entry)]
                figures += _figures_of(entry)
            broken = section.broken if isinstance(section, Mapping) else _written(section)
            known = self._values[id(section)] = section, digest(*broken, "forms", *forms), digest(*figures)
        return known[1], known[2]

    def _body(self, node: Node) -> tuple[str, str, str]:
        """Of steps digests of them, of what they say, and of what declaring reads of them."""
        known = self._steps.get(id(node))
        if known is None or known[0] is not node:
            text = self._text(node)
            known = self._steps[id(node)] = node, text, digest(*_spoken(node)), _marks(node, text)
        return known[1], known[2], known[3]

    def _entry(self, key: Scalar, entry: Node) -> tuple[str, str, str]:
        """Of an entry digests of what is declared of it, of its steps, and of what these say."""
        known = self._entries.get(id(entry))
        if known is None or known[0] is not entry or known[1] is not key:
            known = self._entries[id(entry)] = entry, key, *self._parted(key, entry)
            self._seals.rests[id(entry)] = entry, known[2]
        return known[2], known[3], known[4]

    def _parted(self, key: Scalar, entry: Node) -> tuple[str, str, str]:
        steps = entry.get(STEPS) if isinstance(entry, Mapping) else None
        if steps is None or not isinstance(entry, Mapping):
            return self._whole(key, entry), "", ""
        body, spoken, marks = self._body(steps)
        rest = [self._seals.of(key.span), " ".join(entry.broken), marks, *labels_of(entry)]
        for name, part in entry.pairs:
            rest += [name.text] if part is steps else [self._seals.of(name), self._seals.of(part)]
        return digest(*rest), body, spoken

    def _whole(self, key: Scalar, node: Node) -> str:
        return digest(self._seals.of(key), self._text(node))

    def _text(self, node: Node) -> str:
        """A digest of a node: of its text, where it stands as its file has it."""
        own = self._own.get(id(node))
        if own is not None and own[0] is node:
            return digest(self._seals.of(own[1]), node.span.text, str(node.span.start - own[1].span.start))
        if isinstance(node, Mapping):
            parts = (part for key, value in node.pairs for part in (self._seals.of(key), self._text(value)))
            return digest("map", " ".join(node.broken), *parts)
        return self._seals.of(node)


def _form_of(entry: Node) -> Iterator[str]:
    """All that stands in a constant but for the scalars that are its figures."""
    if not isinstance(entry, Mapping):
        yield from _without_figures(entry, is_figure=True)
        return
    yield f"entry {' '.join(sorted(entry.broken))}"
    for key, value in entry.pairs:
        yield key.text
        yield from _without_figures(value, is_figure=key.text == FIGURE)


def _without_figures(node: Node, *, is_figure: bool) -> Iterator[str]:
    if isinstance(node, Mapping):
        yield f"map {' '.join(sorted(node.broken))}"
        for key, value in node.pairs:
            yield key.text
            yield from _without_figures(value, is_figure=is_figure)
        yield "end"
    elif isinstance(node, Sequence):
        yield "list"
        for item in node.items:
            yield from _without_figures(item, is_figure=is_figure)
        yield "end"
    else:
        yield from ("figure",) if is_figure and isinstance(node, Scalar) else _written(node)


def _figures_of(entry: Node) -> Iterator[str]:
    """The scalars that are figures of a constant, in order."""
    found = entry.get(FIGURE) if isinstance(entry, Mapping) else entry
    waiting = [] if found is None else [found]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            waiting += [value for _, value in node.pairs]
        elif isinstance(node, Sequence):
            waiting += node.items
        else:
            yield from _written(node)


def _written(node: Node) -> Iterator[str]:
    """What stands in a node, wherever it does."""
    yield from (f"{node.style} {node.value!r} {node.text}",) if isinstance(node, Scalar) else (node.span.text,)


def leads_into(trees: Iterable[Mapping]) -> bool:
    """Whether some text that may speak of what lies in a body does."""
    return any(_INTO.search(text) is not None for text in _telling(trees))


def _telling(trees: Iterable[Mapping]) -> Iterator[str]:
    """The texts that may name what lies in steps: in those sections, and in what variants put there."""
    for tree in trees:
        for key, section in tree.pairs:
            if key.text in _TELLING:
                yield section.span.text
            elif key.text == "variant":
                yield from (change.span.text for change in _changes(section) if _is_of_texts(change))


def _changes(variant: Node) -> tuple[Node, ...]:
    found = variant.get("changes") if isinstance(variant, Mapping) else None
    return found.items if isinstance(found, Sequence) else ()


def _is_of_texts(change: Node) -> bool:
    """Whether a change may put something into such a section; one that could not be read may."""
    if not isinstance(change, Mapping) or change.broken:
        return True
    paths = [value.text for _, value in change.pairs if isinstance(value, Scalar)]
    return any(path.partition(".")[0].partition("[")[0] in _TELLING for path in paths)


def _marks(node: Node, text: str) -> str:
    """What declaring reads of steps: whether the game ends in them; all of them where somebody is eliminated."""
    verbs = frozenset(_keys(node))
    return f"{_ENDING in verbs} {text if _DECLARING in verbs else ''}"


def _keys(node: Node) -> Iterator[str]:
    """All keys, and the names of values that could not be read."""
    if isinstance(node, Mapping):
        yield from node.broken
        for key, value in node.pairs:
            yield key.text
            yield from _keys(value)
    for item in node.items if isinstance(node, Sequence) else ():
        yield from _keys(item)


def _spoken(node: Node) -> Iterator[str]:
    """What steps say under a key such as `reason` or `id`, in order, and where they may divide."""
    if isinstance(node, Scalar) and _DIVISION.search(node.text) is not None:
        yield "divides"
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if key.text in _SAID and isinstance(value, Scalar):
            yield f"{key.text} {value.text}"
        yield from _spoken(value)
    for item in node.items if isinstance(node, Sequence) else ():
        yield from _spoken(item)
