"""Builds of the last check of a game, so that those are not made again of which it follows what they would say.

Declaring reads no steps (`rulespec.kept.bodies`). So where only steps have changed, all that is declared is as it was,
and a block is another one only if it reads steps that are. Where a build that was made in this check has a block for
the same reads, that is what it is in every build for which they are the same. As long as such a block does the same to
the others, and nothing that is found of whole programs hangs on what is another one in it, nothing is wrong with such a
build either: only of builds with which nothing was wrong anything is kept. In all other cases it is made.

    former = Former(data, trees, shared)
    parts = former.parts(tree, divides)
    record = former.follows(name, parts, alone)   # None: it has to be made
    former.note(name, parts, pace, filters)   # one that was made
    former.data()                             # for the next check
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from rulespec.kept.bodies import Parts, Split, leads_into
from rulespec.kept.rows import Filter, Row, Rows, body_digest, body_text, filters_of, place_text, table_of
from rulespec.kept.seals import Place as At
from rulespec.kept.seals import Places, Seals, Unsealed, key_from
from rulespec.lower.offers.kept import SPAN
from rulespec.lower.steps.builder import MOST_INSTRUCTIONS, ProcKey
from rulespec.lower.steps.keeping import Kept as KeptBlock
from rulespec.lower.steps.lockstep import Done, Pace
from rulespec.lower.steps.shared import Shared
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
_FORM: Final = 2  #: of what is kept
MOST_KEPT: Final = 300_000  #: places and blocks of all builds together, about: of more builds nothing is kept

#: With more instructions a build is made: how many are too many is counted in a whole program, with others than these.
MOST_SIZE: Final = MOST_INSTRUCTIONS // 2

#: The names of facts that hang on which messages are shown begin so; the one that counts how much work a build is.
SHOWN: Final = "keys"
WORK: Final = "work"
#: How much work an instruction counts for, or a cell.
STEPS_EACH: Final = 100

#: Makes some blocks of a build by themselves, and gives those with which nothing is wrong.
Alone = Callable[[Sequence[ProcKey]], Iterable[tuple[ProcKey, KeptBlock]]]


@dataclass(slots=True)
class Record:
    """A build with which nothing was wrong: its blocks, and what else it went by.

    `places` are those that were read of what is declared, `bodies` those steps that were read to find something of the
    whole program; `ordered` are the blocks that set-up and chosen loops go through, and those in which a look-ahead
    ends (None: any), `others` the filters outside of blocks, `facts` what was asked of it.
    """

    parts: Parts
    rows: list[Row]
    places: dict[str, str]
    bodies: dict[str, str]
    ordered: frozenset[str] | None
    others: list[Filter]
    facts: dict[str, Any] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)  #: the facts that were asked for in this check: others are not kept on

    @property
    def meaning(self) -> str:
        """A digest of the build wherever its entries stand: what is said of texts with it hangs on nothing else."""
        blocks = (f"{row.key} {row.names} {row.deeds} {row.whole}" for row in self.rows)
        said = (f"{name} {text}" for name, text in self.parts.said.items())
        beside = (f"{name} {text}" for name, text in self.bodies.items())
        return digest(self.parts.declared, *said, *blocks, "beside", *beside)


class Former:
    """The builds of the last check, and those of this one. Nothing is known where `data` is not what was kept."""

    def __init__(self, data: Any, trees: Iterable[Tree], shared: Shared) -> None:
        listed = list(trees)
        self._trees = listed
        self._seals = Seals(Places(listed), shared.numbering)
        self._split = Split(listed, self._seals)
        self._rows = Rows(self._seals, shared.known.things)
        self._kept = _Kept(data)
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
            for place, fixed in {*record.others, *(each for row in record.rows for each in row.filters)}:
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

    def meaning(self, record: Record | None) -> str | None:
        """A digest of all that is said of texts with a build hangs on, wherever its entries stand."""
        if record is None:
            return None
        return digest(record.meaning, *(record.parts.bodies.values() if self._names_bodies else ()))

    def declared(self, record: Record | None) -> str | None:
        """A digest of what declaring reads of any file, and of what steps say by names: scenarios hang on no more."""
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

    def follows(self, name: str, parts: Parts, alone: Alone) -> Record | None:
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
        others = [row for row in known.rows if not _reads_the_same(row, parts)]
        anew = self._all_anew(others, known, parts, alone)
        if anew is None:
            return None
        is_told_anew = known.parts.said != parts.said or any(anew[row.key].told != row.told for row in others)
        facts = {what: found for what, found in known.facts.items() if not (is_told_anew and what.startswith(SHOWN))}
        if WORK in facts:
            facts[WORK] += STEPS_EACH * sum(anew[row.key].size - row.size for row in others)
        rows = [anew.get(row.key, row) for row in known.rows]
        if sum(row.size for row in rows) > MOST_SIZE:
            return None
        record = replace(known, parts=parts, rows=rows, facts=facts, asked=set())
        self.is_new = self.is_new or parts.bodies != known.parts.bodies
        self._records[name] = record
        return record

    def _all_anew(self, others: list[Row], known: Record, parts: Parts, alone: Alone) -> dict[str, Row] | None:
        """The blocks that read other steps as they are now, by key; None where something else may be otherwise, too."""
        found = {row.key: self._anew(row, known, parts) for row in others}
        lacking = [key for key, row in found.items() if row is None]
        for key, kept in alone(list(map(key_from, lacking))) if lacking else ():
            try:
                row = self._rows.of(key, kept, parts)
            except (Unsealed, RecursionError):
                return None
            self._live.setdefault(row.key, {})[id(row)] = row
        found.update({row.key: self._anew(row, known, parts) for row in others if row.key in lacking})
        anew = {key: row for key, row in found.items() if row is not None}
        is_harmless = len(anew) == len(others) and all(_is_harmless(anew[row.key], row, known) for row in others)
        return anew if is_harmless else None

    def _anew(self, row: Row, known: Record, parts: Parts) -> Row | None:
        """A block as it was made for the same in this check; None where it was not."""
        for made in self._live.get(row.key, {}).values():
            if self._fits(made, row, known, parts):
                return made
        return None

    def _fits(self, made: Row, row: Row, known: Record, parts: Parts) -> bool:
        """Whether making the block would do what was done: it would read the same."""
        if made.names != row.names or any(body_digest(text, parts) != found for text, found in made.bodies.items()):
            return False
        for text, found in made.reads.items():
            there = row.reads.get(text)
            if there is None and table_of(text) not in self._written:
                there = known.places.get(text)
            if there != found:
                return False
        return True

    # ---- what was made ----

    def note(self, name: str, parts: Parts, pace: Pace, filters: Mapping[Span, set[bool | None]]) -> Record | None:
        """Notes a build that was made, and with which nothing is wrong; its record, where it can be kept."""
        done = pace.finish()
        if done is None or not done.beside.keys() >= _SOUGHT:
            return None
        try:
            record = self._recorded(parts, done, pace)
            whole = set(record.others).union(*(row.filters for row in record.rows))
            if whole != {each for span, fixed in filters.items() for each in _filters(self._seals, span, fixed)}:
                return None
        except (Unsealed, RecursionError):
            return None
        self._records[name] = record
        self.is_new = True
        for row in record.rows:
            self._live.setdefault(row.key, {})[id(row)] = row
        return record

    def _recorded(self, parts: Parts, done: Done, pace: Pace) -> Record:
        rows: list[Row] = []
        bodies: dict[str, str] = {}
        for step in done.steps:
            if step.kept is None or step.key is None:
                bodies.update(_bodies(step.reads, parts))
                continue
            rows.append(self._rows.of(step.key, step.kept, parts))
            self._written |= {table for (table, _), _ in step.kept.written}
        for each in done.beside.values():
            bodies.update(_bodies(each.reads, parts))
        places = {
            place_text(place): self._rows.found(place, number)
            for place, number in done.places.items()
            if body_text(place) is None
        }
        others = [each for span, values in pace.filters.items() for each in _filters(self._seals, span, values)]
        others += filters_of(self._seals, (each for beside in done.beside.values() for each in beside.filters))
        return Record(parts, rows, places, bodies, self._ordered(done), list(dict.fromkeys(others)))

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
        return _as_data(self._records, self._written)


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


def _bodies(reads: Iterable[Any], parts: Parts) -> dict[str, str]:
    return {text: body_digest(text, parts) for place in reads if (text := body_text(place)) is not None}


def _reads_the_same(row: Row, parts: Parts) -> bool:
    return all(body_digest(text, parts) == found for text, found in row.bodies.items())


def _is_harmless(made: Row, row: Row, known: Record) -> bool:
    """Whether nothing but the block itself is another one, if that."""
    if made.deeds != row.deeds:
        return False
    return made.whole == row.whole or (
        made.flow == row.flow and known.ordered is not None and row.key not in known.ordered
    )


# ---- as plain data ---------------------------------------------------------------------------------------------------


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def pairs(self, found: Mapping[str, str]) -> list[int]:
        return [number for pair in found.items() for number in (self.of(pair[0]), self.of(pair[1]))]


def _as_data(records: Mapping[str, Record], written: Iterable[str]) -> Any:
    texts, numbers, rows = _Texts(), dict[int, int](), list[Any]()
    builds: dict[str, Any] = {}
    room = MOST_KEPT
    for name, record in records.items():
        if room < 0:
            break
        room -= sum(len(each) for each in (record.rows, record.places, record.parts.bodies, record.parts.said))
        for row in record.rows:
            if id(row) not in numbers:
                numbers[id(row)] = len(rows)
                words = (row.key, row.names, row.deeds, row.whole, row.flow, row.told)
                pairs = texts.pairs(row.bodies), texts.pairs(row.reads)
                room -= len(words) + len(row.bodies) + len(row.reads)
                rows.append([[texts.of(word) for word in words], *pairs, row.size, _filter_data(row.filters)])
        p = record.parts
        builds[name] = [
            p.declared, texts.pairs(p.bodies), texts.pairs(p.said), [numbers[id(row)] for row in record.rows],
            texts.pairs(record.places), texts.pairs(record.bodies),
            None if record.ordered is None else sorted(map(texts.of, record.ordered)), _filter_data(record.others),
            {what: found for what, found in record.facts.items() if what in record.asked},
        ]  # fmt: skip
    return {"form": _FORM, "texts": list(texts.numbers), "rows": rows, "builds": builds, "written": sorted(written)}


def _filter_data(filters: Iterable[Filter]) -> list[Any]:
    return [[list(place), fixed] for place, fixed in filters]


class _Kept:
    """What was kept, read as it is asked for. What is not of the right form is as if it were not there."""

    def __init__(self, data: Any) -> None:
        is_known = isinstance(data, dict) and data.get("form") == _FORM
        self._data: dict[str, Any] = data if is_known else {"texts": [], "rows": [], "builds": {}, "written": []}
        self._rows: dict[int, Row] = {}
        self.written = frozenset(map(str, self._data.get("written", ())))

    def record(self, name: str) -> Record | None:
        """The build with a name."""
        kept = self._data.get("builds", {}).get(name)
        try:
            return None if kept is None else self._record(*kept)
        except (LookupError, TypeError, ValueError):
            return None

    def _record(  # noqa: PLR0913, PLR0917  (what is kept of one)
        self,
        declared: str,
        bodies: list[int],
        said: list[int],
        rows: list[int],
        places: list[int],
        read: list[int],
        ordered: list[int] | None,
        others: list[Any],
        facts: dict[str, Any],
    ) -> Record:
        return Record(
            Parts(declared, self._pairs(bodies), self._pairs(said)),
            [self._row(number) for number in rows],
            self._pairs(places),
            self._pairs(read),
            None if ordered is None else frozenset(map(self._text, ordered)),
            _filters_from(others),
            dict(facts),
        )

    def _text(self, number: int) -> str:
        return str(self._data["texts"][number])

    def _pairs(self, numbers: list[int]) -> dict[str, str]:
        text = self._data["texts"]
        return {text[a]: text[b] for a, b in zip(numbers[::2], numbers[1::2], strict=True)}

    def _row(self, number: int) -> Row:
        known = self._rows.get(number)
        if known is None:
            words, bodies, reads, size, filters = self._data["rows"][number]
            key, names, deeds, whole, flow, told = map(self._text, words)
            pairs = self._pairs(bodies), self._pairs(reads)
            known = Row(key, *pairs, names, deeds, whole, flow, told, int(size), tuple(_filters_from(filters)))
            self._rows[number] = known
        return known


def _filters_from(data: Iterable[Any]) -> list[Filter]:
    return [((str(place[0]), str(place[1]), int(place[2]), int(place[3])), fixed) for place, fixed in data]
