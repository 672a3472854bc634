"""Builds of the last check of a game, so that those are not made again of which it follows what they would say.

Declaring reads no steps (`rulespec.kept.bodies`). So where only steps have changed, all that is declared is as it was,
and a block is another one only if it reads steps that are. Where figures have changed too, that is what stands under
`is` of constants, a build is declared anew (`rulespec.kept.redeclared`), and a block is another one only if it reads a
place at which something else is declared now. Where a build that was made in this check has a block for
the same reads, that is what it is in every build for which they are the same. As long as such a block does the same to
the others, and nothing that is found of whole programs hangs on what is another one in it, nothing is wrong with such a
build either: only of builds with which nothing was wrong anything is kept. In all other cases it is made.

    former = Former(data, trees, shared)
    parts = former.parts(tree, divides)
    record = former.follows(name, parts, declare, alone)   # None: it has to be made
    former.note(name, parts, pace, built.context)   # one that was made
    former.data()                             # for the next check
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from rulespec.kept.bodies import Parts, Split, leads_into
from rulespec.kept.record import Record, Seen
from rulespec.kept.redeclared import Redeclared, begun_of, cost_of, soft_of
from rulespec.kept.rows import Filter, Row, Rows, body_digest, body_text, filters_of, is_declared, place_text, table_of
from rulespec.kept.seals import Place as At
from rulespec.kept.seals import Places, Seals, Unsealed, key_from
from rulespec.kept.stored import Stored, as_data
from rulespec.lower.context import Context
from rulespec.lower.evaluate import MOST_STEPS
from rulespec.lower.offers.kept import SPAN
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, ProcKey
from rulespec.lower.steps.keeping import Kept as KeptBlock
from rulespec.lower.steps.lockstep import Done, Pace
from rulespec.lower.steps.shared import Shared
from rulespec.lower.versions import FRAME
from rulespec.model.reads import Place
from rulespec.source.store import digest
from rulespec.source.text import Span
from rulespec.source.tree import Mapping as Tree
from rulespec.source.tree import Node, Scalar
from rulespec.source.tree import Sequence as Items

#: What is found of whole programs by going through blocks that it then names.
_ORDERED: Final = ("order", "set-up")
#: What is looked at beside the blocks that are played, for its faults: without what was read for it nothing follows.
_SOUGHT: Final = frozenset({"unreached", "last"})
#: Tables that blocks write themselves: what is read there is not what was declared.
_WRITTEN: Final = frozenset({"interned"})
#: Sections whose texts may name what lies in steps.
_TELLING: Final = frozenset({"rules", "book", "rulebooks"})
#: With more instructions a build is made: how many are too many is counted in a whole program, with others than these.
MOST_SIZE: Final = MOST_INSTRUCTIONS // 2

#: The names of facts that hang on which messages are shown begin so; the one that counts how much work a build is.
SHOWN: Final = "keys"
WORK: Final = "work"
#: The name of the fact which builds scenarios ask for: where they ask for others they are looked at anew.
CONTEXTS: Final = "contexts"
#: How much work an instruction counts for, or a cell.
STEPS_EACH: Final = 100

#: What a block is part of; what goes through what is hidden.
_FRAME: Final = place_text(FRAME)
_WALK: Final = "walk"
#: What reports nothing, or is found by itself wherever something else is declared.
_FOUND_ANEW: Final = frozenset({"look cap", "starts", "begins"})

#: Finds what a build declares; None where something is wrong with it.
Declare = Callable[[], Context | None]
#: Makes some blocks of a build by themselves, and gives those with which nothing is wrong.
Alone = Callable[[Sequence[ProcKey]], Iterable[tuple[ProcKey, KeptBlock]]]


@dataclass(frozen=True, slots=True)
class _Build:
    """A build that may follow: what is kept of it, with what is declared now.

    At the places of `differs` something else is declared than was `before`; `now` is where that was found, if anywhere.
    """

    known: Record
    parts: Parts
    differs: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    now: Redeclared | None = None

    def at(self, text: str) -> str | None:
        """What is declared at a place; None where that is not known."""
        found = self.known.places.get(text)
        return self.now.digest(text) if found is None and self.now is not None else found

    def read_by(self, row: Row) -> Iterable[tuple[str, str]]:
        """The places that a block reads and that were not known, with what is declared there."""
        lacking = [text for text in row.reads if text not in self.known.places] if self.now is not None else ()
        return [(text, self.now.digest(text)) for text in lacking if self.now is not None]


class Former:
    """The builds of the last check, and those of this one. Nothing is known where `data` is not what was kept."""

    def __init__(self, data: Any, trees: Iterable[Tree], shared: Shared) -> None:
        listed = list(trees)
        self._trees, self._shared = listed, shared
        self._seals = Seals(Places(listed), shared.numbering)
        self._split = Split(listed, self._seals)
        self._rows = Rows(self._seals, shared.known.things)
        self._kept = Stored(data)
        self._parts: dict[int, tuple[Tree, Parts | None]] = {}
        self._records: dict[str, Record] = {}
        self._live: dict[str, dict[int, Row]] = {}
        self._written = _WRITTEN | self._kept.written
        self._spans: dict[At, Span] = {}
        self._names_bodies = leads_into(_telling(listed))
        self.is_new = False  #: whether something is to be kept

    def parts(self, tree: Tree, *more: str) -> Parts | None:
        """The parts of a tree; None where they cannot be told."""
        known = self._parts.get(id(tree))
        if known is None or known[0] is not tree:
            try:
                found: Parts | None = self._split.of(tree, *more)
            except (Unsealed, RecursionError):
                found = None
            known = self._parts[id(tree)] = tree, found
        return known[1]

    def filters(self, record: Record) -> dict[Span, set[bool | None]] | None:
        """What each filter of a build was before play, where it stands now; None where one is gone."""
        found: dict[Span, set[bool | None]] = {}
        try:
            for place, fixed in record.filters():
                found.setdefault(self._span(place), set()).add(fixed)
        except KeyError:
            return None
        return found

    def _span(self, place: At) -> Span:
        """Where a place stands now. Raises KeyError where its entry is gone."""
        span = self._spans.get(place)
        if span is None:
            span = self._spans[place] = self._seals.places.at(place)
        return span

    def meaning(self, record: Record | None, what: str, *, with_blocks: bool = True) -> str | None:
        """A digest of all that is said of texts with a build hangs on, wherever its entries stand; `what` is asked."""
        told = None if record is None else self.told(record, what)
        if record is None or told is None:
            return None
        meaning = record.meaning if with_blocks else record.parts.declared
        return digest(meaning, told, *(record.parts.bodies.values() if self._names_bodies else ()))

    def told(self, record: Record, what: str) -> str | None:
        """A digest of what is declared where it is read to answer something; None where that is not known."""
        record.asked.add(what)
        if what not in record.told:
            return None
        places = sorted(record.told[what])
        return digest(what, record.begun.frame, *(f"{text} {record.places[text]}" for text in places))

    def declared(self, record: Record | None) -> str | None:
        """A digest of what declaring reads of any file but for figures, and of what steps say by names: with what is
        read by place, scenarios hang on no more.
        """
        declared = None if record is None else self._declared
        return None if record is None or declared is None else digest(declared, record.parts.declared)

    @cached_property
    def _declared(self) -> str | None:
        try:
            every = [self._split.of(tree) for tree in self._trees]
        except (Unsealed, RecursionError):
            return None
        return digest(*(digest(parts.declared, *parts.said, *parts.said.values()) for parts in every))

    # ---- what follows ----

    def follows(self, name: str, parts: Parts, declare: Declare, alone: Alone) -> Record | None:
        """A build as it would come out, where that follows from what is known; nothing would be wrong with it.

        Blocks that no build of this check has made for the same are made `alone`.
        """
        mine = self._records.get(name)
        if mine is not None:  # it was asked for before, or made
            return mine if mine.parts == parts else None
        known = self._kept.record(name)
        if known is None or known.parts.declared != parts.declared:
            return None
        if any(body_digest(text, parts) != found for text, found in known.bodies.items()):
            return None
        build: _Build | None = _Build(known, parts)
        if known.parts.figures != parts.figures:
            try:
                now = self._redeclared(known, declare)
                build = None if now is None else self._declared_anew(known, parts, now)
            except (Unsealed, RecursionError, LookupError):
                return None
        return None if build is None else self._followed(name, build, alone)

    def _followed(self, name: str, build: _Build, alone: Alone) -> Record | None:
        known, parts = build.known, build.parts
        others = [row for row in known.rows if not _reads_the_same(row, build)]
        anew = self._all_anew(others, build, alone)
        if anew is None:
            return None
        is_told_anew = known.parts.said != parts.said or any(anew[row.key].told != row.told for row in others)
        facts = {what: found for what, found in known.facts.items() if not (is_told_anew and what.startswith(SHOWN))}
        if WORK in facts:
            facts[WORK] += STEPS_EACH * sum(anew[row.key].size - row.size for row in others)
        rows = [anew.get(row.key, row) for row in known.rows]
        if sum(row.size for row in rows) > MOST_SIZE:
            return None
        places = {**known.places, **{text: there for row in anew.values() for text, there in build.read_by(row)}}
        record = replace(known, parts=parts, rows=rows, places=places, facts=facts, asked=set())
        self.is_new = self.is_new or (parts.bodies, parts.figures) != (known.parts.bodies, known.parts.figures)
        self._records[name] = record
        return record

    # ---- other figures ----

    def _redeclared(self, known: Record, declare: Declare) -> Redeclared | None:
        """What a build declares now, where that is as it was but for what is read by place."""
        cx = declare()
        now = None if cx is None else Redeclared.of(cx, self._shared, self._rows)
        if now is None or now.begun.frame != known.begun.frame or now.begun.sizes != known.begun.sizes:
            return None
        more = now.begun.steps - known.begun.steps
        return now if more <= 0 or known.begun.spent + more <= MOST_STEPS // 2 else None

    def _declared_anew(self, known: Record, parts: Parts, now: Redeclared) -> _Build | None:
        """A build with what is declared now; None where something that was found of all of it may be otherwise."""
        differs = now.differs(known)
        if _FRAME in differs:
            return None
        for what, seen in known.beside.items():
            hit: Iterable[str] = seen.reads.intersection(differs) if what not in _FOUND_ANEW else ()
            if what == _WALK:
                hit = [text for text in hit if text not in known.soft or now.soft(text) != known.soft[text]]
            if hit:
                return None
        facts = {what: found for what, found in known.facts.items() if _is_still(what, known, differs)}
        more = now.begun.steps - known.begun.steps
        if WORK in facts:
            facts[WORK] += more
        others = [each for span, values in now.filters.items() for each in _filters(self._seals, span, values)]
        begun = replace(now.begun, spent=known.begun.spent + more)
        soft = {text: now.soft(text) or "" for text in known.soft}
        places = {**known.places, **differs}
        anew = replace(known, places=places, others=others, begun=begun, soft=soft, facts=facts)
        return _Build(anew, parts, differs, known.places, now)

    # ---- blocks ----

    def _all_anew(self, others: list[Row], build: _Build, alone: Alone) -> dict[str, Row] | None:
        """The blocks that read something else as they are now, by key; None where more may be otherwise, too."""
        found = {row.key: self._anew(row, build) for row in others}
        lacking = [key for key, row in found.items() if row is None]
        for key, kept in alone(list(map(key_from, lacking))) if lacking else ():
            try:
                row = self._rows.of(key, kept, build.parts)
            except (Unsealed, RecursionError):
                return None
            self._live.setdefault(row.key, {})[id(row)] = row
        found.update({row.key: self._anew(row, build) for row in others if row.key in lacking})
        anew = {key: row for key, row in found.items() if row is not None}
        is_harmless = len(anew) == len(others) and all(_is_harmless(anew[row.key], row, build.known) for row in others)
        return anew if is_harmless else None

    def _anew(self, row: Row, build: _Build) -> Row | None:
        """A block as it was made for the same in this check; None where it was not."""
        for made in self._live.get(row.key, {}).values():
            if self._fits(made, row, build):
                return made
        return None

    def _fits(self, made: Row, row: Row, build: _Build) -> bool:
        """Whether making the block would do what was done: it would read the same."""
        parts = build.parts
        if made.names != row.names or any(body_digest(text, parts) != found for text, found in made.bodies.items()):
            return False
        return all(self._there(text, row, build) == found for text, found in made.reads.items())

    def _there(self, text: str, row: Row, build: _Build) -> str | None:
        """What is at a place when a block is made; None where that is not known."""
        there = row.reads.get(text)
        if there is not None:  # or another block has written it before
            return build.differs.get(text, there) if there == build.before.get(text) else there
        return None if table_of(text) in self._written else build.at(text)

    # ---- what was made ----

    def note(self, name: str, parts: Parts, pace: Pace, cx: Context) -> Record | None:
        """Notes a build that was made, and with which nothing is wrong; its record, where it can be kept."""
        done = pace.finish()
        if done is None or not done.beside.keys() >= _SOUGHT:
            return None
        try:
            record = self._recorded(parts, done, pace, cx)
            filters = cx.world.constant_filters
            if record.filters() != {each for at, fixed in filters.items() for each in _filters(self._seals, at, fixed)}:
                return None
        except (Unsealed, RecursionError):
            return None
        self._records[name] = record
        self.is_new = True
        for row in record.rows:
            self._live.setdefault(row.key, {})[id(row)] = row
        return record

    def _recorded(self, parts: Parts, done: Done, pace: Pace, cx: Context) -> Record:
        rows: list[Row] = []
        rounds: set[Place] = set()
        for step in done.steps:
            if step.kept is None or step.key is None:
                rounds |= step.reads
                continue
            rows.append(self._rows.of(step.key, step.kept, parts))
            self._written |= {table for (table, _), _ in step.kept.written}
        bodies = _bodies(rounds, parts)
        beside = {"rounds": Seen(_named(rounds))}
        for what, each in done.beside.items():
            bodies.update(_bodies(each.reads, parts))
            beside[what] = Seen(_named(each.reads), tuple(filters_of(self._seals, each.filters)))
        places = {
            place_text(place): cost_of(place, cx) or self._rows.found(place, number)
            for place, number in done.places.items()
            if is_declared(place)
        }
        others = [each for span, values in pace.filters.items() for each in _filters(self._seals, span, values)]
        starts = done.beside["starts"].found
        begun = begun_of(cx, self._rows, done.interned, starts)
        soft = self._soft(done, cx)
        return Record(parts, rows, places, bodies, self._ordered(done), others, begun, beside, soft)

    def _soft(self, done: Done, cx: Context) -> dict[str, str]:
        """What a walk goes by at the places where that is less than all."""
        walk, versions = done.beside.get(_WALK), cx.versions
        if walk is None or versions is None:
            return {}
        found = ((place, soft_of(place, cx, versions, self._rows)) for place in walk.reads)
        return {place_text(place): soft for place, soft in found if soft is not None}

    def note_told(self, record: Record, what: str, reads: Iterable[Place], cx: Context) -> None:
        """Notes what was read of the declarations of a build to answer something."""
        versions = cx.versions
        try:
            if versions is None or any(body_text(place) is not None for place in reads):
                return
            for place in filter(is_declared, reads):
                text = place_text(place)
                if text not in record.places:
                    record.places[text] = cost_of(place, cx) or self._rows.found(place, versions.of(place))
            record.told[what] = _named(reads)
        except (Unsealed, RecursionError):
            return

    def _ordered(self, done: Done) -> frozenset[str] | None:
        found: set[str] = set()
        for what in _ORDERED:
            beside = done.beside.get(what)
            if beside is None or beside.blocks is None:
                return None
            found.update(self._seals.block(number) for number in beside.blocks)
        if (whose := done.beside.get("whose")) is not None and whose.found:
            return None
        ends = done.beside.get("ends")
        found.update(self._seals.block(number // SPAN) for number in (ends.found if ends is not None else ()))
        return frozenset(found)

    # ---- keeping ----

    def data(self) -> Any:
        """What the next check is given: builds of this one alone."""
        return as_data(self._records, self._written)


def _telling(trees: Iterable[Tree]) -> Iterable[str]:
    """The texts that may name what lies in steps: in those sections, and in what variants put there."""
    for tree in trees:
        for key, section in tree.pairs:
            if key.text in _TELLING:
                yield section.span.text
            elif key.text == "variant":
                yield from (change.span.text for change in _changes(section) if _is_of_texts(change))


def _changes(variant: Node) -> Sequence[Node]:
    found = variant.get("changes") if isinstance(variant, Tree) else None
    return found.items if isinstance(found, Items) else ()


def _is_of_texts(change: Node) -> bool:
    """Whether a change may put something into such a section; one that could not be read may."""
    if not isinstance(change, Tree) or change.broken:
        return True
    paths = [value.text for _, value in change.pairs if isinstance(value, Scalar)]
    return any(path.partition(".")[0].partition("[")[0] in _TELLING for path in paths)


def _filters(seals: Seals, span: Span, values: Iterable[bool | None]) -> list[Filter]:
    return filters_of(seals, ((span, fixed) for fixed in values))


def _named(reads: Iterable[Place]) -> frozenset[str]:
    """Places that are none of steps."""
    return frozenset(map(place_text, filter(is_declared, reads)))


def _bodies(reads: Iterable[Any], parts: Parts) -> dict[str, str]:
    return {text: body_digest(text, parts) for place in reads if (text := body_text(place)) is not None}


def _is_still(what: str, known: Record, differs: Mapping[str, str]) -> bool:
    """Whether a fact is as it was, or is known to be otherwise by how much."""
    return what in (WORK, CONTEXTS) or (what in known.told and known.told[what].isdisjoint(differs))


def _reads_the_same(row: Row, build: _Build) -> bool:
    is_same = all(body_digest(text, build.parts) == found for text, found in row.bodies.items())
    return is_same and row.reads.keys().isdisjoint(build.differs)


def _is_harmless(made: Row, row: Row, known: Record) -> bool:
    """Whether nothing but the block itself is another one, if that."""
    if made.deeds != row.deeds:
        return False
    return made.whole == row.whole or (
        made.flow == row.flow and known.ordered is not None and row.key not in known.ordered
    )
