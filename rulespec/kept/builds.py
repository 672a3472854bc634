"""One lowering of a game for its faults: made only when something is asked of it that is not kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulespec.build import Built, declared, lowered
from rulespec.diagnostics.model import Problem, Problems
from rulespec.kept.digests import Digests
from rulespec.kept.former import Former
from rulespec.kept.memo import Memo
from rulespec.kept.problems import as_data, from_data, span_as_data, span_from_data, spans_of
from rulespec.kept.record import Record
from rulespec.lint.rehearsed import rehearse_once
from rulespec.lower.alone import made_alone
from rulespec.lower.context import Context, Parsed
from rulespec.lower.program import begun
from rulespec.lower.steps.builder import ProcKey
from rulespec.lower.steps.keeping import Kept as KeptBlock
from rulespec.lower.steps.lockstep import Done, Pace, own_places
from rulespec.lower.steps.shared import Shared, versions_of
from rulespec.options import Combination
from rulespec.source.nodes import Mapping
from rulespec.source.store import digest
from rulespec.source.text import Span

Filters = dict[Span, set[bool | None]]


@dataclass(slots=True)
class Build:
    """The declarations of `tree` for one number of players and one choice of options.

    `key` stands for all that the lowering depends on; None: nothing of it is kept.
    """

    tree: Mapping
    players: int
    options: Combination
    key: str | None
    parsed: Parsed
    memo: Memo
    digests: Digests
    shared: Shared | None = None
    former: Former | None = None
    name: str = ""  #: which build it is, whatever the game says
    record: Record | None = None  #: what it went by, where that is known and nothing is wrong with it
    _built: Built | None = None
    _found: Problems | None = None
    _pace: Pace | None = None
    _done: Done | None = None  #: what its blocks did, where nothing was wrong with any
    _context: Context | None = None  #: what it declares, where that was found without a program

    @property
    def built(self) -> Built:
        """The declarations and the program."""
        if self._built is None:
            self._found = Problems()
            self._built = lowered(self.tree, self.players, self.options, self._found, self.parsed, self.shared)
            self._pace = None if self.shared is None else self.shared.pace
            self._done = None if self._pace is None else self._pace.finish()
        return self._built

    def found(self) -> tuple[Problems, Filters]:
        """Its problems, and what each `where` was before play."""
        key = self._key("found")
        parts = None if self.former is None else self.former.parts(self.tree, str(self.parsed.divides_in(self.tree)))
        if self.former is not None and parts is not None:
            self.record = self.former.follows(self.name, parts, self._declared, self._alone)
        kept = None if key is None else self._recalled(self.memo.get(key))
        if kept is not None:
            return kept
        if self.record is not None and self.former is not None:
            followed = self.former.filters(self.record)
            if followed is not None:
                self._keep_found(key, Problems(), followed)
                return Problems(), followed
        built = self.built
        filters = built.world.constant_filters
        assert self._found is not None
        if not self._found.has_errors and not built.world.broken:
            rehearse_once(built.context, built.program, self._found, self._pace)
        if self.former is not None and parts is not None and self._pace is not None and not len(self._found):
            self.record = self.former.note(self.name, parts, self._pace, built.context)
        self._pace = None  # it holds all that the build was made of
        self._keep_found(key, self._found, filters)
        return self._found, filters

    def _declared(self) -> Context | None:
        """What it declares; None where something is wrong with that."""
        found = Problems()
        cx = declared(self.tree, self.players, self.options, found, self.parsed, self.shared)
        if self._context is None and not len(found):
            self._context = cx  # the first one: in others blocks may be made
        return None if len(found) else cx

    def _alone(self, keys: Sequence[ProcKey]) -> list[tuple[ProcKey, KeptBlock]]:
        """Some blocks made by themselves, where nothing is wrong with what is declared for them."""
        found = Problems()
        cx = declared(self.tree, self.players, self.options, found, self.parsed, self.shared)
        return [] if self.shared is None or len(found) else made_alone(cx, self.shared, keys)

    def _keep_found(self, key: str | None, found: Problems, filters: Filters) -> None:
        if key is not None and self._can_be_kept(found.items, filters):
            data = [[span_as_data(span), list(values)] for span, values in filters.items()]
            self.memo.put(key, {"problems": as_data(found.items), "filters": data})

    def _recalled(self, data: Any) -> tuple[Problems, Filters] | None:
        """What was kept; None where nothing was, or it is not what was written."""
        if data is None:
            return None
        file_of = self.digests.files.__getitem__
        try:
            filters = {span_from_data(span, file_of): set(values) for span, values in data["filters"]}
            return Problems(from_data(data["problems"], file_of)), filters
        except (KeyError, TypeError, ValueError):
            return None

    def fact(self, what: str, make: Callable[[Built], Any]) -> Any:
        """Plain data that depends on the lowering and on the words of `what` alone: not on where anything stands."""

        def told() -> Any:
            with self.telling(what):
                return make(self.built)

        return self._fact(what, told)

    def declared_fact(self, what: str, make: Callable[[Context], Any]) -> Any:
        """The same that depends on what is declared alone."""
        return self._fact(what, lambda: make(self.built.context if self._context is None else self._context))

    def _fact(self, what: str, make: Callable[[], Any]) -> Any:
        if self.record is not None:
            self.record.asked.add(what)
        return self.memo.of(self._key(what), lambda: self._recorded_fact(what, make))

    def _recorded_fact(self, what: str, make: Callable[[], Any]) -> Any:
        record = self.record
        if record is None:
            return make()
        if what not in record.facts:
            record.facts[what] = make()
        return record.facts[what]

    @contextmanager
    def telling(self, what: str, cx: Context | None = None) -> Iterator[None]:
        """Notes what is read of its declarations to answer something, so that it is known when that is as it was."""
        about = self.built.context if cx is None else cx
        reads = about.world.reads
        if self.record is None or self.former is None or reads is None:
            yield
            return
        with reads.noting() as notes:
            yield
        is_whole = self._built is not None and about is self._built.context
        own = own_places(self._done, notes.read) if is_whole and self._done is not None else ()
        if self._done is not None or not is_whole:
            self.former.note_told(self.record, what, notes.read.difference(own), about)

    def declared_context(self) -> Context | None:
        """What it declares, before any block is made; None where something is wrong with it."""
        cx = self._declared() if self._context is None else self._context
        if cx is not None and cx.versions is None and self.shared is not None:
            versions_of(begun(cx, self.shared), self.shared)
        return None if cx is None or len(cx.problems) else cx

    def _key(self, what: str) -> str | None:
        return None if self.key is None else digest(self.key, what)

    def _can_be_kept(self, problems: Iterable[Problem], filters: Iterable[Span]) -> bool:
        spans = [span for problem in problems for span in spans_of(problem)]
        return all(self.digests.covers(span) for span in (*spans, *filters))
