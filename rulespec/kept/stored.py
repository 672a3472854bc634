"""Builds of a check as plain data, which the next check is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rulespec.kept.bodies import Parts
from rulespec.kept.record import Begun, Record, Seen
from rulespec.kept.rows import Filter, Row

_FORM: Final = 4  #: of what is kept
MOST_KEPT: Final = 400_000  #: places and blocks of all builds together, about: of more builds nothing is kept


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self, found: Iterable[str]) -> list[int]:
        return sorted(map(self.of, found))

    def pairs(self, found: Mapping[str, str]) -> list[int]:
        return [number for pair in found.items() for number in (self.of(pair[0]), self.of(pair[1]))]


def as_data(records: Mapping[str, Record], written: Iterable[str]) -> Any:
    """Builds by their names; `written` are the tables that blocks write themselves."""
    texts, numbers, rows = _Texts(), dict[int, int](), list[Any]()
    sets = _Sets(texts)
    builds: dict[str, Any] = {}
    room = MOST_KEPT
    for name, record in records.items():
        if room < 0:
            break
        room -= sum(len(each) for each in (record.rows, record.places, record.parts.bodies, record.parts.said))
        for row in record.rows:
            if id(row) not in numbers:
                numbers[id(row)] = len(rows)
                words = (row.key, row.names, row.deeds, row.whole, row.flow, row.told, row.shown)
                pairs = texts.pairs(row.bodies), texts.pairs(row.reads)
                room -= len(words) + len(row.bodies) + len(row.reads)
                rows.append([[texts.of(word) for word in words], *pairs, row.size, _filter_data(row.filters)])
        builds[name] = _record_data(record, texts, sets, [numbers[id(row)] for row in record.rows])
        room -= len(record.soft)
    return {
        "form": _FORM,
        "texts": list(texts.numbers),
        "sets": sets.data,
        "rows": rows,
        "builds": builds,
        "written": sorted(written),
    }


class _Sets:
    """Sets of texts by number, each once: most builds have read the same."""

    def __init__(self, texts: _Texts) -> None:
        self._texts = texts
        self._numbers: dict[frozenset[str], int] = {}
        self.data: list[list[int]] = []

    def of(self, found: frozenset[str]) -> int:
        number = self._numbers.setdefault(found, len(self.data))
        if number == len(self.data):
            self.data.append(self._texts.all(found))
        return number


def _record_data(record: Record, texts: _Texts, sets: _Sets, rows: list[int]) -> list[Any]:
    p, begun = record.parts, record.begun
    facts = {what: found for what, found in record.facts.items() if what in record.asked}
    return [
        [p.declared, p.figures, texts.pairs(p.bodies), texts.pairs(p.said)],
        rows,
        texts.pairs(record.places),
        texts.pairs(record.bodies),
        [None if record.ordered is None else sets.of(record.ordered), sets.of(record.ends), sets.of(record.set_up)],
        _filter_data(record.others),
        [begun.frame, begun.sizes, begun.steps, begun.spent],
        {what: [sets.of(seen.reads), _filter_data(seen.filters)] for what, seen in record.beside.items()},
        texts.pairs(record.soft),
        facts,
        {what: sets.of(reads) for what, reads in record.told.items() if what in record.asked},
    ]


def _filter_data(filters: Iterable[Filter]) -> list[Any]:
    return [[list(place), fixed] for place, fixed in filters]


class Stored:
    """What was kept, read as it is asked for. What is not of the right form is as if it were not there."""

    def __init__(self, data: Any) -> None:
        is_known = isinstance(data, dict) and data.get("form") == _FORM
        self._data: dict[str, Any] = data if is_known else {"texts": [], "rows": [], "builds": {}, "written": []}
        self._rows: dict[int, Row] = {}
        self._sets: dict[int, frozenset[str]] = {}
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
        parts: list[Any],
        rows: list[int],
        places: list[int],
        read: list[int],
        blocks: list[Any],
        others: list[Any],
        begun: list[Any],
        beside: dict[str, list[Any]],
        soft: list[int],
        facts: dict[str, Any],
        told: dict[str, int],
    ) -> Record:
        declared, figures, bodies, said = parts
        ordered, ends, set_up = blocks
        frame, sizes, steps, spent = begun
        return Record(
            Parts(str(declared), str(figures), self._pairs(bodies), self._pairs(said)),
            [self._row(number) for number in rows],
            self._pairs(places),
            self._pairs(read),
            None if ordered is None else self._set(ordered),
            self._set(ends),
            self._set(set_up),
            _filters_from(others),
            Begun(str(frame), str(sizes), int(steps), int(spent)),
            {what: Seen(self._set(reads), tuple(_filters_from(each))) for what, (reads, each) in beside.items()},
            self._pairs(soft),
            dict(facts),
            {what: self._set(number) for what, number in told.items()},
        )

    def _text(self, number: int) -> str:
        return str(self._data["texts"][number])

    def _set(self, number: int) -> frozenset[str]:
        known = self._sets.get(number)
        if known is None:
            known = self._sets[number] = frozenset(map(self._text, self._data["sets"][number]))
        return known

    def _pairs(self, numbers: list[int]) -> dict[str, str]:
        text = self._data["texts"]
        return {text[a]: text[b] for a, b in zip(numbers[::2], numbers[1::2], strict=True)}

    def _row(self, number: int) -> Row:
        known = self._rows.get(number)
        if known is None:
            words, bodies, reads, size, filters = self._data["rows"][number]
            key, names, deeds, whole, flow, told, shown = map(self._text, words)
            pairs = self._pairs(bodies), self._pairs(reads)
            filtered = tuple(_filters_from(filters))
            known = Row(key, *pairs, names, deeds, whole, flow, told, shown, int(size), filtered)
            self._rows[number] = known
        return known


def _filters_from(data: Iterable[Any]) -> list[Filter]:
    return [((str(place[0]), str(place[1]), int(place[2]), int(place[3])), fixed) for place, fixed in data]
