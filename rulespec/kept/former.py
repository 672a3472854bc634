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
from rulespec.kept.rows import (
    COSTS,
    Filter,
    Row,
    Rows,
    body_digest,
    body_text,
    filters_of,
    is_declared,
    place_text,
    table_of,
)
from rulespec.kept.seals import Place as At
from rulespec.kept.seals import Places, Seals, Unsealed, key_from
from rulespec.kept.staged import Staged
from rulespec.kept.stored import Stored, as_data
from rulespec.lower.context import Context
from rulespec.lower.evaluate import MOST_STEPS
from rulespec.lower.last import READ as LAST_READ
from rulespec.lower.last import lower_last
from rulespec.lower.offers.kept import SPAN
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, ProcKey
from rulespec.lower.steps.keeping import Kept as KeptBlock
from rulespec.lower.steps.lockstep import Done, Pace
from rulespec.lower.steps.shared import Shared
from rulespec.lower.versions import FRAME, noted_tables
from rulespec.model.reads import Place
from rulespec.source.store import digest
from rulespec.source.text import Span
from rulespec.source.tree import Mapping as Tree

#: What is found of whole programs by going through blocks that it then names.
_ORDERED: Final = "order"
_SET_UP: Final = "set-up"
_LAST: Final = "last"
#: What is looked at beside the blocks that are played, for its faults: without what was read for it nothing follows.
_SOUGHT: Final = frozenset({"unreached", "last"})
#: Tables that blocks write themselves: what is read there is not what was declared.
_WRITTEN: Final = frozenset({"interned"})
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
    begins_anew: bool = False  #: whether a state begins otherwise, or something else is declared that a set-up has read

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
        self._staged = Staged(self._rows)
        self._kept = Stored(data)
        self._parts: dict[int, tuple[Tree, Parts | None]] = {}
        self._records: dict[str, Record] = {}
        self._live: dict[str, dict[int, Row]] = {}
        self._written = _WRITTEN | self._kept.written
        self._spans: dict[At, Span] = {}
        self._names_bodies = leads_into(listed)
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
                build = None if now is None else self._declared_anew(known, parts, now, declare)
            except (Unsealed, RecursionError, LookupError):
                return None
        return None if build is None else self._followed(name, build, declare, alone)

    def _followed(self, name: str, build: _Build, declare: Declare, alone: Alone) -> Record | None:
        known, parts = build.known, build.parts
        others = [row for row in known.rows if not _reads_the_same(row, build)]
        anew = self._all_anew(others, build, alone)
        if anew is None:
            return None
        is_told_anew = known.parts.said != parts.said or any(anew[row.key].told != row.told for row in others)
        facts = {what: found for what, found in known.facts.items() if not (is_told_anew and what.startswith(SHOWN))}
        if WORK in facts:
            facts[WORK] += STEPS_EACH * sum(anew[row.key].size - row.size for row in others)
        was, rows = {row.key: row for row in others}, [anew.get(row.key, row) for row in known.rows]
        if sum(row.size for row in rows) > MOST_SIZE:
            return None
        known_set_up = {row.key: row for row in rows if row.key in known.set_up}
        if build.begins_anew or any(anew[key].whole != row.whole for key, row in was.items() if key in known.set_up):
            staged = self._staged_anew(build, known_set_up, declare)
            if staged is None:
                return None
            known = staged
        places = {**known.places, **{text: there for row in anew.values() for text, there in build.read_by(row)}}
        record = replace(known, parts=parts, rows=rows, places=places, facts=facts, asked=set())
        self.is_new = self.is_new or (parts.bodies, parts.figures) != (known.parts.bodies, known.parts.figures)
        self._records[name] = record
        return record

    def _staged_anew(self, build: _Build, set_up: Mapping[str, Row], declare: Declare) -> Record | None:
        """What is kept of a build once its set-up was gone through anew; None where it has to be made for that."""
        known, now = build.known, build.now
        if now is None or not known.ends.isdisjoint(set_up):
            return None
        try:
            found = self._staged.again(set_up, build.parts, now, declare, self._shared)
            if found is None:
                return None
            seen, came_to = found
            places = {text: now.digest(text) for text in seen.reads if text not in known.places}
        except (Unsealed, RecursionError, LookupError):
            return None
        beside = {**known.beside, _SET_UP: seen}
        return replace(known, beside=beside, set_up=came_to, places={**known.places, **places})

    # ---- other figures ----

    def _redeclared(self, known: Record, declare: Declare) -> Redeclared | None:
        """What a build declares now, where that is as it was but for what is read by place."""
        cx = declare()
        now = None if cx is None else Redeclared.of(cx, self._shared, self._rows)
        if now is None or now.begun.frame != known.begun.frame:
            return None
        more = now.begun.steps - known.begun.steps
        return now if more <= 0 or known.begun.spent + more <= MOST_STEPS // 2 else None

    def _declared_anew(self, known: Record, parts: Parts, now: Redeclared, declare: Declare) -> _Build | None:
        """A build with what is declared now; None where something that was found of all of it may be otherwise."""
        differs = now.differs(known)
        if _FRAME in differs:
            return None
        begins_anew, beside = now.begun.sizes != known.begun.sizes, dict(known.beside)
        places = {**known.places, **differs}
        for what, seen in known.beside.items():
            hit: Iterable[str] = seen.reads.intersection(differs) if what not in _FOUND_ANEW else ()
            if what == _WALK:
                hit = [text for text in hit if text not in known.soft or now.soft(text) != known.soft[text]]
            if hit and what == _LAST and (last := self._last_anew(declare, known, now)) is not None:
                beside[what], hit = last, ()
                places.update({text: now.digest(text) for text in last.reads if text not in places})
            if hit and what != _SET_UP:
                return None
            begins_anew = begins_anew or bool(hit)
        facts = {what: found for what, found in known.facts.items() if _is_still(what, known, differs)}
        more = now.begun.steps - known.begun.steps
        if WORK in facts:
            facts[WORK] += more
        others = [each for span, values in now.filters.items() for each in _filters(self._seals, span, values)]
        begun = replace(now.begun, spent=known.begun.spent + more)
        soft = {text: now.soft(text) or "" for text in known.soft}
        anew = replace(known, places=places, beside=beside, others=others, begun=begun, soft=soft, facts=facts)
        return _Build(anew, parts, differs, known.places, now, begins_anew)

    def _last_anew(self, declare: Declare, known: Record, now: Redeclared) -> Seen | None:
        """What is found of `ranking`, `always` and `hints`, where they are right and read nothing that blocks write."""
        cx = declare()
        if cx is None or cx.world.reads is None:
            return None
        noted_tables(cx)
        with cx.world.reads.noting() as notes:
            lower_last(cx, None)
        reads = _named((*notes.read, *LAST_READ))
        is_own = any(table_of(text) in self._written and text not in known.places for text in reads)
        is_right = not (len(cx.problems) or notes.interned) and all(table == COSTS for table, _ in notes.written)
        return None if is_own or not is_right else Seen(reads, tuple(filters_of(self._seals, notes.filters)))

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
        return Record(parts, rows, places, bodies, *self._gone_through(done), others, begun, beside, soft)

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

    def _gone_through(self, done: Done) -> tuple[frozenset[str] | None, frozenset[str], frozenset[str]]:
        """The blocks that chosen loops go through, those in which a look-ahead ends, and those of the set-up."""
        ordered, set_up = self._named_by(done, _ORDERED), self._named_by(done, _SET_UP)
        whose, ends = done.beside.get("whose"), done.beside.get("ends")
        is_known = ordered is not None and set_up is not None and not (whose is not None and whose.found)
        numbers = {number // SPAN for number in (ends.found if ends is not None else ())}
        return ordered if is_known else None, frozenset(map(self._seals.block, numbers)), set_up or frozenset()

    def _named_by(self, done: Done, what: str) -> frozenset[str] | None:
        beside = done.beside.get(what)
        return None if beside is None or beside.blocks is None else frozenset(map(self._seals.block, beside.blocks))

    # ---- keeping ----

    def data(self) -> Any:
        """What the next check is given: builds of this one alone."""
        return as_data(self._records, self._written)


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
    """Whether nothing but the block itself is another one, if that; of a set-up it may be how it goes."""
    if made.deeds != row.deeds:
        return False
    may_differ = known.ordered is not None and row.key not in known.ordered and row.key not in known.ends
    return made.whole == row.whole or (made.flow == row.flow and may_differ)
