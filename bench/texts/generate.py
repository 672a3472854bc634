"""Faults and harmless edits put into rulebooks, by seed: what they are, and where.

Edits keep the number of lines, so that a line of the edited text is that of the text it was made from; only
re-wrapping does not, and has its own count.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Final

from bench.texts.book import BULLET, Book, Edit, Edited, Maker, Other, exchange, exchange_of, from_table
from bench.texts.relations import RELATION_MAKERS
from bench.texts.slips import SLIP_MAKERS

#: Kinds of faults, with how often each is put in beside the others.
FAULTS: Final = {
    "digit": 5,
    "number_word": 4,
    "resource": 5,
    "term": 5,
    "negation_dropped": 4,
    "negation_added": 4,
    "must_to_may": 4,
    "may_to_must": 4,
    "direction": 5,
    "owner": 4,
    "deleted": 5,
    "added": 4,
    "duplicated": 3,
    "moved": 3,
}
HARMLESS: Final = {"rewrapped": 3, "synonym": 4, "digit_for_word": 3, "word_for_digit": 3}


def faulty(text: str, language: str, seed: int, number: int) -> Edited:
    """A text with `number` faults in lines of their own."""
    return put_in(text, language, seed, number, FAULTS)


def harmlessly_edited(text: str, language: str, seed: int, number: int) -> Edited:
    """A text with `number` harmless edits in lines of their own."""
    return put_in(text, language, seed, number, HARMLESS)


def put_in(  # noqa: PLR0913, PLR0917
    text: str,
    language: str,
    seed: int,
    number: int,
    kinds: Mapping[str, int],
    game: str = "",
    other: Other | None = None,
) -> Edited:
    """A text with `number` edits of these kinds, each as often as it says, in lines of their own.

    `other` is a book of another language: passages of it are put in where a kind asks for that.
    """
    rng = random.Random(f"{seed}:{language}:{','.join(kinds)}")
    book = Book(text, language, game, other)
    edits: list[Edit] = []
    touched: set[int] = set()
    bag = [kind for kind, share in kinds.items() for _ in range(share)]
    while len(edits) < number:
        rng.shuffle(bag)
        progress = False
        for kind in bag:
            if len(edits) >= number:
                break
            made = _one(book, rng, _MAKERS[kind], touched)
            if made is not None:
                edits.append(made)
                progress = True
        if not progress:
            break
    return _rewrapped(book, edits)


def _one(book: Book, rng: random.Random, make: Maker, touched: set[int]) -> Edit | None:
    """One edit somewhere in a line that has none yet."""
    places = [n for n in book.usable if n not in touched]
    rng.shuffle(places)
    for n in places:
        made = make(book, rng, n)
        if made is not None and not any(line - 1 in touched for line in made[0].lines):
            touched.update(line - 1 for line in made[0].lines)
            return made[0]
    return None


def _rewrapped(book: Book, edits: list[Edit]) -> Edited:
    """The text, with the lines that an edit broke anew in several lines."""
    lines: list[str] = []
    origin: list[int] = []
    for n, line in enumerate(book.lines, 1):
        parts = line.split("\x00")
        lines += parts
        origin += [n] * len(parts)
    return Edited("\n".join(lines), tuple(edits), tuple(origin))


# ---- numbers ----------------------------------------------------------------------------------------

_DIGIT: Final = r"(?<![\d*/])\d{1,3}(?![\d*]|[.)]\s)"


def _digit(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    found = list(re.finditer(_DIGIT, book.lines[n]))
    found = [m for m in found if m.start() > 2 or not BULLET.match(book.lines[n])]
    found = [m for m in found if not re.search(r"(?:page|p\.) ?$", book.lines[n][: m.start()], re.IGNORECASE)]
    found = [m for m in found if not book.lines[n][m.end() :].startswith("ページ")]
    if not found:
        return None
    match = rng.choice(found)
    value = int(match[0])
    new = value
    while new == value or new < 0:
        new = value + rng.choice([-2, -1, 1, 1, 2, 3, 5])
    line = book.lines[n]
    book.lines[n] = line[: match.start()] + str(new) + line[match.end() :]
    return [Edit("digit", (n + 1,), match[0], str(new))]


def _number_words(book: Book, n: int) -> list[tuple[int, int, int]]:
    """The number words of a line: from, to, value. The word for one may be an article and is left alone."""
    words = book.table["number_words"]
    found = []
    for value, word in enumerate(words, 1):
        if value == 1:
            continue
        pattern = f"{word}(?=[つ人枚個本回歩])" if book.language == "ja" else rf"(?i)\b{word}\b(?!-)"
        found += [(m.start(), m.end(), value) for m in re.finditer(pattern, book.lines[n])]
    return found


def _number_word(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    found = _number_words(book, n)
    if book.language == "ja":  # in Japanese, digits before a counter are what number words are elsewhere
        found += [
            (m.start(), m.end(), int(m[0])) for m in re.finditer(r"(?<!\d)[2-9](?=[つ人枚個本回歩])", book.lines[n])
        ]
    if not found:
        return None
    start, end, value = rng.choice(found)
    new = rng.choice([other for other in range(2, 8) if other != value])
    word = book.table["number_words"][new - 1]
    line = book.lines[n]
    was = line[start:end]
    book.lines[n] = line[:start] + (word.capitalize() if was[:1].isupper() else word) + line[end:]
    return [Edit("number_word", (n + 1,), was, word)]


def _digit_for_word(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    found = _number_words(book, n)
    if not found:
        return None
    start, end, value = rng.choice(found)
    line = book.lines[n]
    book.lines[n] = line[:start] + str(value) + line[end:]
    return [Edit("digit_for_word", (n + 1,), line[start:end], str(value))]


def _word_for_digit(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    before = r"(?<![\d*/x^-])" if book.language != "ja" else r"(?<![\d/x$ ])"
    after = r"(?= [a-zA-Zé])" if book.language != "ja" else r"(?=[つ人枚個本回歩])"
    found = list(re.finditer(f"{before}[2-9]{after}", book.lines[n]))
    if not found:
        return None
    match = rng.choice(found)
    line = book.lines[n]
    word = book.table["number_words"][int(match[0]) - 1]
    book.lines[n] = line[: match.start()] + word + line[match.end() :]
    return [Edit("word_for_digit", (n + 1,), match[0], word)]


# ---- sentences --------------------------------------------------------------------------------------


def _deleted(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    parts = [part for part in book.sentences(n) if len(part.strip()) > (12 if book.language == "ja" else 25)]
    if not parts:
        return None
    gone = rng.choice(parts)
    book.lines[n] = book.lines[n].replace(gone, "", 1).rstrip()
    return [Edit("deleted", (n + 1,), gone, "")]


def _added(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    line = book.lines[n]
    if not re.search(r"[.。!！]\W*$", line):
        return None
    new = rng.choice(book.table["added"])
    parts = book.sentences(n)
    at = rng.choice(list(range(0, len(parts) + 1, 2)) or [0]) if book.language != "ja" else len(parts)
    gap = "" if book.language == "ja" else " "
    if at == 0 and BULLET.match(line):
        at = len(parts)
    book.lines[n] = "".join([*parts[:at], gap if at else "", new, gap if at < len(parts) else "", *parts[at:]]).strip()
    return [Edit("added", (n + 1,), "", new)]


def _duplicated(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    parts = [part for part in book.sentences(n) if len(part.strip()) > (15 if book.language == "ja" else 30)]
    parts = [part for part in parts if re.search(r"[.。!！]\W*$", part) and not BULLET.match(part)]
    if not parts:
        return None
    twice = rng.choice(parts)
    gap = "" if book.language == "ja" else " "
    book.lines[n] = book.lines[n].replace(twice, f"{twice}{gap}{twice.strip()}", 1)
    return [Edit("duplicated", (n + 1,), "", twice)]


def _moved(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """An entry of a list changes places with one that is not its neighbour, or a sentence moves in its paragraph."""
    line = book.lines[n]
    if BULLET.match(line):
        near = [m for m in book.usable if 2 <= abs(m - n) <= 6 and BULLET.match(book.lines[m])]
        if not near:
            return None
        other = rng.choice(near)
        one, two = BULLET.match(line), BULLET.match(book.lines[other])
        assert one
        assert two
        body, other_body = line[one.end() :], book.lines[other][two.end() :]
        book.lines[n] = one[0] + other_body
        book.lines[other] = two[0] + body
        return [Edit("moved", (n + 1, other + 1), body, other_body)]
    parts = book.sentences(n)
    sentences = parts[::2] if book.language != "ja" else [part for part in parts if part]
    if len(sentences) < 4:
        return None
    gone = sentences.pop(rng.randrange(len(sentences) - 2))
    sentences.append(gone.strip())
    book.lines[n] = ("" if book.language == "ja" else " ").join(part.strip() for part in sentences)
    return [Edit("moved", (n + 1,), gone, gone)]


def _item(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """One of three or more things that a sentence counts up is gone."""
    return exchange(book, rng, n, "item", book.table["item"], "")


# ---- lines ------------------------------------------------------------------------------------------


def _broken(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    line = book.lines[n]
    width = rng.choice([40, 55, 72, 90]) if book.language != "ja" else rng.choice([20, 28, 36])
    if len(line) < width + 10:
        return None
    book.lines[n] = "\x00".join(_wrapped(line, width, book.language))
    return [Edit("rewrapped", (n + 1,), "", "")]


def _wrapped(line: str, width: int, language: str) -> Iterator[str]:
    while len(line) > width:
        at = width
        if language != "ja":
            at = line.rfind(" ", 0, width)
            if at <= 0:
                break
        yield line[:at].rstrip() if language != "ja" else line[:at]
        line = line[at:].lstrip() if language != "ja" else line[at:]
    yield line


_MAKERS: Final[dict[str, Maker]] = {
    "digit": _digit,
    "number_word": _number_word,
    "resource": exchange_of("resource", "resources"),
    "term": exchange_of("term", "terms"),
    "negation_dropped": from_table("negation_dropped", "drop_negation"),
    "negation_added": from_table("negation_added", "add_negation"),
    "must_to_may": from_table("must_to_may", "must_to_may"),
    "may_to_must": from_table("may_to_must", "may_to_must"),
    "direction": from_table("direction", "direction"),
    "owner": from_table("owner", "owner"),
    "deleted": _deleted,
    "added": _added,
    "duplicated": _duplicated,
    "moved": _moved,
    "item": _item,
    "rewrapped": _broken,
    "synonym": exchange_of("synonym", "synonyms"),
    "digit_for_word": _digit_for_word,
    "word_for_digit": _word_for_digit,
    "other_words": from_table("other_words", "other_words"),
    **RELATION_MAKERS,
    **SLIP_MAKERS,
}
