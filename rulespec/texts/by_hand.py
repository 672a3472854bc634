"""Pairs that a person has joined and split: a file of sentences, which the alignment obeys.

    pairs:
      - join: {en: "Take two coins.", fr: ["Prenez une pièce.", "Puis une autre."]}
      - split: {en: "Place a bridge.", fr: "Posez une tour."}
        by: M. Durand
        when: 2026-11-29
        reason: the tower is another action

Sentences are named by their words, so that an entry outlives new editions as long as they stand in them; `nth` says
which one where the same words stand several times. An entry that fits no more is told, and not obeyed. Of two that
contradict each other the last one counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from rulespec.source import nodes
from rulespec.texts.clusters import Read
from rulespec.texts.findings import State
from rulespec.texts.folding import fold
from rulespec.texts.kept_files import UnreadableFile, as_data, place_in, tree_in, tree_of, with_entries
from rulespec.texts.regions import nearest
from rulespec.texts.ruled import Hand, Sides

SCHEMA: Final = "texts_pairs"
RULINGS: Final = ("join", "split")
_ALIKE: Final = 0.6  #: how alike a sentence is, at least, to be told as what became of another


@dataclass(frozen=True, slots=True)
class Named:
    """A sentence as an entry names it: by its words, and which one of several that have them (0: the only one)."""

    text: str
    nth: int
    place: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What was decided of some sentences: that they are a pair (`join`) or none (`split`)."""

    ruling: str
    sides: Mapping[str, tuple[Named, ...]]


@dataclass(frozen=True, slots=True)
class Unfit:
    """A sentence that an entry names and that is not found: in which language, where the entry stands, how often the
    sentence stands there, and what stands there that is like it (a line and words).
    """

    named: Named
    language: str
    number: int
    like: tuple[int, str] | None = None


# ---- the file --------------------------------------------------------------------------------------------------------


def read_pairs(path: Path) -> list[Entry]:
    """The entries of a file. Raises UnreadableFile, with the line and the column of what is wrong."""
    return list(_entries(tree_in(path, SCHEMA)))


def _entries(tree: nodes.Mapping) -> Iterator[Entry]:
    listed = tree.get("pairs")
    for entry in listed.items if isinstance(listed, nodes.Sequence) else ():
        assert isinstance(entry, nodes.Mapping)  # by its form
        for ruling in RULINGS:
            sides = entry.get(ruling)
            if isinstance(sides, nodes.Mapping):
                yield Entry(ruling, {key.text: tuple(_named(value)) for key, value in sides.pairs})


def _named(node: nodes.Node) -> Iterator[Named]:
    if isinstance(node, nodes.Sequence):
        for item in node.items:
            yield from _named(item)
        return
    data = as_data(node)
    data = {"text": data} if isinstance(data, str) else data
    yield Named(data["text"], int(data.get("nth", "0")), place_in(node.span))


def with_entry(name: str, text: str, ruling: str, sides: Mapping[str, Sequence[Named]], why: State) -> str:
    """The text of the file `name` with one more entry. `why` says by whom, when and why. Raises UnreadableFile."""
    lines = [f"- {ruling}:"]
    for language, named in sides.items():
        words = ", ".join(_written(each) for each in named)
        lines.append(f"    {language}: {words if len(named) == 1 else f'[{words}]'}")
    lines += [f"  by: {_quoted(why.by)}", f"  when: {why.when}"]
    lines += [f"  reason: {_quoted(why.reason)}"] if why.reason else []
    added = with_entries(name, text, "pairs", SCHEMA, [lines])
    last = list(_entries(tree_of(name, added, SCHEMA)))[-1]
    if {k: [n.text for n in v] for k, v in last.sides.items()} != {k: [n.text for n in v] for k, v in sides.items()}:
        raise UnreadableFile(f"{name}: nothing can be added behind its last line.")
    return added


def _written(named: Named) -> str:
    text = _quoted(named.text)
    return f"{{text: {text}, nth: {named.nth}}}" if named.nth else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# ---- what it names ---------------------------------------------------------------------------------------------------


def words_of(text: str) -> str:
    """A sentence as it is known again: whatever its capitals, blanks and lines."""
    return fold(" ".join(text.split()))


def fitted(entries: Iterable[Entry], reads: Sequence[Read]) -> tuple[Hand, tuple[Unfit, ...]]:
    """What the entries say of the documents that are read, and what of them fits no more; others do not count."""
    finder = _Finder(reads)
    known = [(entry.ruling, sides) for entry in entries if len(sides := finder.found(entry)) > 1]
    joined: list[Sides] = []
    split: list[Sides] = []
    for ruling, sides in reversed(known):
        if ruling == "join":
            _join(sides, joined, split)
        elif not any(_have(one, sides) for one in joined):
            split.append(sides)
    return Hand(tuple(joined[::-1]), tuple(split[::-1])), tuple(finder.unfit)


def _join(sides: Sides, joined: list[Sides], split: Sequence[Sides]) -> None:
    """Takes a join where nothing that was decided later says otherwise; one that says more of a pair is put with it."""
    touched = [one for one in joined if any(set(one.get(language, ())) & set(ns) for language, ns in sides.items())]
    if any(_have(sides, apart) for apart in split) or len(touched) > 1:
        return
    if not touched:
        joined.append(sides)
        return
    [other] = touched
    if all(other[language] == ns for language, ns in sides.items() if language in other):
        joined[joined.index(other)] = {**sides, **other}


def _have(sides: Sides, apart: Sides) -> bool:
    """Whether a join holds clauses of two languages that are to be apart."""
    return sum(bool(set(sides.get(language, ())) & set(ns)) for language, ns in apart.items()) > 1


class _Finder:
    """Finds the sentences that are named."""

    def __init__(self, reads: Sequence[Read]) -> None:
        self._reads = reads
        self._words = {read.language: [words_of(clause.text) for clause in read.clauses] for read in reads}
        self.unfit: list[Unfit] = []

    def found(self, entry: Entry) -> Sides:
        """The clauses that an entry names, of the languages that are read; nothing where one is not found."""
        sides: Sides = {}
        is_whole = True
        for read in self._reads:
            named = nearest(read.language, entry.sides)
            places = [self._place(read, each) for each in named or ()]
            is_whole = is_whole and None not in places
            if places:
                sides[read.language] = tuple(sorted({n for n in places if n is not None}))
        return sides if is_whole else {}

    def _place(self, read: Read, named: Named) -> int | None:
        words = self._words[read.language]
        wanted = words_of(named.text)
        places = [n for n, text in enumerate(words) if text == wanted]
        if named.nth == 0 and len(places) == 1:
            return places[0]
        if 0 < named.nth <= len(places):
            return places[named.nth - 1]
        like = get_close_matches(wanted, words, 1, _ALIKE) if not places else []
        clause = read.clauses[words.index(like[0])] if like else None
        told = None if clause is None else (clause.line, clause.text)
        self.unfit.append(Unfit(named, read.language, len(places), told))
        return None


def name_for(read_texts: Sequence[str], n: int) -> Named:
    """A sentence of a document, as an entry names it."""
    wanted = words_of(read_texts[n])
    same = [m for m, text in enumerate(read_texts) if words_of(text) == wanted]
    return Named(" ".join(read_texts[n].split()), same.index(n) + 1 if len(same) > 1 else 0, "")
