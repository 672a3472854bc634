"""What stands before the words of a text, so that what comes at another place with the same before it is likely.

    usage = Usage.of(entries_of(text))
    words = Counter()
    usage.add_to(words, before(entry, offset)[KEY], 1)    # counts the words that stand there elsewhere

A text is read line by line as entries of sections, without its meaning: also what is broken has words. For each word
it is noted what comes before in several ways (`WAYS`): the last marks and words, the key above, the bracket around with
the number of the argument, the words of the same level with whole brackets as one mark. What is kept of a word and one
way is a number of 64 bits and a count, so that a large game takes some MB.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[^\s\w\"'`]")
_DOTTED = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
_ENTRY = re.compile(r"^ {0,2}[A-Za-z_\"']", re.MULTILINE)
_LINE = re.compile(r"( *)((?:- +)*)(?:([\"']?)([A-Za-z_][\w.-]*)(?:\[[^\]]*\][\w.\]\[]*)?\3:(?=\s|$))?")
_WORDS = re.compile(r":\s+([a-z_][a-z0-9_]*(?: [a-z_][a-z0-9_]*)+)\s*$")
_OPEN, _CLOSE = "([{", ")]}"

#: The ways in which what comes before a word is noted.
LAST, LAST2, LAST3, LAST4, KEY, UNDER, UNDER_LEVEL, KEY_LEVEL, ARGUMENT, LEVEL, IN_ARGUMENT, ALL_ARGUMENT = range(12)
WAYS = 12

#: How many bits of a number are that of the word; those before it are what came before.
_BITS = 20
_MASK = (1 << _BITS) - 1

Before = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One declaration of a text: its section, where it begins, and its text."""

    section: str
    start: int
    text: str


def entries_of(text: str) -> list[Entry]:
    """The declarations of a text, by how far its lines are moved in; together they are the text."""
    starts = [found.start() for found in _ENTRY.finditer(text)]
    starts = starts if starts[:1] == [0] else [0, *starts]
    found: list[Entry] = []
    section = ""
    for first, last in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[first:last]
        if part[:1].isalpha():
            word = re.match(r"\w*", part)
            section = word.group() if word is not None else ""
        found.append(Entry(section, first, part))
    return found


@dataclass(slots=True)
class _Level:
    """The inside of one bracket, or of a line: its words so far, whose it is, the key inside of it, the argument."""

    words: list[str]
    head: str
    key: str = ""
    argument: int = 0


@dataclass(slots=True)
class _Reader:
    """Reads the lines of an entry."""

    section: str
    before: list[str] = field(default_factory=list)
    keys: list[tuple[int, str]] = field(default_factory=list)
    levels: list[_Level] = field(default_factory=list)
    last: str = ""

    def words(self, text: str) -> Iterator[tuple[Before, str]]:
        """The words of a text, each with what is before it."""
        self.keys = [(-1, self.section)]
        for line in text.split("\n"):
            self._line(line)
            yield from self._words(line)
            self.before.append("\n")

    def _line(self, line: str) -> None:
        found = _LINE.match(line)
        assert found is not None
        indent, dashes, key = len(found.group(1)), len(found.group(2)), found.group(4)
        if line.strip():
            least = indent + dashes if key or not dashes else indent + 1
            while len(self.keys) > 1 and self.keys[-1][0] >= least:
                self.keys.pop()
        if key:
            self.keys.append((indent + dashes, key))
        if len(self.levels) < 2 or key or dashes:
            self.levels = [_Level([], self.keys[-1][1])]

    def _words(self, line: str) -> Iterator[tuple[Before, str]]:
        for token in _TOKEN.findall(line):
            if is_word(token):
                yield self.here(), token
            self._take("0" if token.isdigit() else token)
        key = self._key()
        whole = _WORDS.search(line)
        for each in (*_DOTTED.findall(line), *((whole.group(1),) if whole else ())):
            yield (0,) * KEY + (_number(KEY, key), _number(UNDER, self._parent(), key)), each

    def _take(self, mark: str) -> None:
        level = self.levels[-1]
        if is_word(mark):
            self.last = mark
            level.words.append(mark)
        elif mark in _OPEN:
            head = level.words[-1] if level.words and is_word(level.words[-1]) else self._key()
            self.levels.append(_Level([], head + mark))
        elif mark in _CLOSE:
            self.levels[-1:] = self.levels[-1:] if len(self.levels) == 1 else []
            self.levels[-1].words.append("()")
        elif mark == ":" and len(self.levels) > 1 and self.last:
            level.key, level.words = self.last, [self.last, ":"]
        else:
            level.words.append(mark)
            if mark == ",":
                level.argument, level.key = level.argument + 1, ""
        self.before.append(mark)

    def _key(self) -> str:
        return self.levels[-1].key or self.keys[-1][1]

    def _parent(self) -> str:
        return self.keys[-1][1] if self.levels[-1].key else self.keys[-2][1] if len(self.keys) > 1 else ""

    def here(self) -> Before:
        """What is before the next word, by each way."""
        if not self.levels:
            self._line("")
        last, level = self.before[-4:], self.levels[-1]
        words, key, parent = level.words[-4:], self._key(), self._parent()
        argument = level.head, level.argument
        found: tuple[tuple[Hashable, ...], ...] = (
            (LAST, *last[-1:]),
            (LAST2, *last[-2:]),
            (LAST3, *last[-3:]),
            (LAST4, *last),
            (KEY, key),
            (UNDER, parent, key),
            (UNDER_LEVEL, parent, key, *words[-2:]),
            (KEY_LEVEL, key, *words[-3:]),
            (ARGUMENT, *argument),
            (LEVEL, *words[-3:]),
            (IN_ARGUMENT, *argument, *words[-1:]),
            (ALL_ARGUMENT, *argument, *words),
        )
        return tuple([hash(each) & ~_MASK for each in found])


def _number(*before: Hashable) -> int:
    return hash(before) & ~_MASK


def is_word(token: str) -> bool:
    """Whether it is a name, not a mark or a figure."""
    return token[:1].isalpha() or token[:1] == "_"


def before(entry: Entry, offset: int) -> Before:
    """What is before an offset of an entry."""
    reader = _Reader(entry.section)
    for _ in reader.words(entry.text[:offset]):
        pass
    reader.before.pop()  # its line goes on
    return reader.here()


@dataclass(frozen=True, slots=True)
class Usage:
    """The words of some entries with what is before each and how often, and how often each is written at all."""

    known: tuple[str, ...]
    table: array[int]
    counts: array[int]
    anywhere: Counter[str]

    @staticmethod
    def of(entries: Iterable[Entry]) -> Usage:
        """The usage in some entries."""
        numbers: dict[str, int] = {}
        anywhere: Counter[str] = Counter()
        found: list[int] = []
        for entry in entries:
            for numbered, word in _Reader(entry.section).words(entry.text):
                number = numbers.setdefault(word, len(numbers)) & _MASK
                anywhere[word] += 1
                found += [each | number for each in numbered if each]
        counts = Counter(found)
        table = array("q", sorted(counts))
        return Usage(tuple(numbers), table, array("l", [counts[each] for each in table]), anywhere)

    def add_to(self, found: Counter[str], number: int, weight: int) -> None:
        """Counts the words that stand behind what was noted under a number."""
        table, at = self.table, bisect_left(self.table, number)
        while at < len(table) and table[at] & ~_MASK == number:
            found[self.known[table[at] & _MASK]] += weight * self.counts[at]
            at += 1


@lru_cache(4_000)
def usage_of(section: str, text: str) -> Usage:
    """The usage of one entry: while a file is edited, most of its entries stay as they are."""
    return Usage.of([Entry(section, 0, text)])


def together(here: Sequence[Usage], elsewhere: Sequence[Usage], numbers: Before, weight: int) -> list[Counter[str]]:
    """The words that stand behind each of some numbers, those in `here` counted `weight` times."""
    found: list[Counter[str]] = []
    for number in numbers:
        words: Counter[str] = Counter()
        for usage in here:
            usage.add_to(words, number, weight)
        for usage in elsewhere:
            usage.add_to(words, number, 1)
        found.append(words)
    return found
