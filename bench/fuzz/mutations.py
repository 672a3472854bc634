"""Random damage to texts: lines, words, figures, bytes; and things that are too large, too deep or too long.

mutated(Random(1), "a: 1", ["c: 3"])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[Random, str, Sequence[str]], str]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+|[^\sA-Za-z0-9_]")
_FIGURE = re.compile(r"\d+")
_VALUE = re.compile(r"(?<=: )[^\n#{}\[\]]+$", re.MULTILINE)
_FIGURES = ("0", "-1", "1", "64", "300", "4097", "70000", "2147483647", "2147483648", "-2147483648", "9" * 30)
_STRANGE = (
    "none", "true", "[]", "{}", "''", "[[1, 2], [3]]", "{a: {b: {c: d}}}", "player", "me", "1..0", "0..2000000000",
    "integer by integer", "set of set of cell", "x" * 3000, "キ", "\u202e", "\x07", "~", "&a b", "*a", "!!int 3", "? ",
    "- ", "(" * 70, "not " * 70, "1 + " * 1500 + "1", "[" * 50, "effect or none", "list of integer", "2 * " * 60 + "2",
    "count(a in 0..2000000000)", "sum(sum(sum(c for c in 0..9999) for b in 0..9999) for a in 0..9999)",
    "take(99999999, deck)",
)  # fmt: skip


def mutated(random: Random, text: str, pool: Sequence[str]) -> str:
    """The text after one to three mutations; `pool` holds lines that may be put in."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        text = random.choice(MUTATIONS)(random, text, pool)
    return text


def _lines(random: Random, text: str, pool: Sequence[str]) -> str:
    """A line lost, doubled, swapped with another, moved in or out, or put in from elsewhere."""
    lines = text.split("\n")
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(7):
        case 0:
            del lines[at : at + random.choice((1, 1, 2, 8))]
        case 1:
            lines[at:at] = lines[at : at + random.choice((1, 3))]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = "  " + lines[at]
        case 4:
            lines[at] = lines[at].removeprefix("  ")
        case 5 if pool:
            lines.insert(at, random.choice(pool))
        case _:
            lines[at] = lines[at][: random.randrange(len(lines[at]) + 1)]
    return "\n".join(lines)


def _word(random: Random, text: str, pool: Sequence[str]) -> str:
    """A word changed for another of the same text, lost, or doubled."""
    found = list(_WORD.finditer(text))
    if not found:
        return text
    match, other = random.choice(found), random.choice(found)
    new = random.choice((other[0], other[0], "", match[0] * 2, match[0][:-1]))
    return text[: match.start()] + new + text[match.end() :]


def _figure(random: Random, text: str, pool: Sequence[str]) -> str:
    found = list(_FIGURE.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + random.choice(_FIGURES) + text[match.end() :]


def _value(random: Random, text: str, pool: Sequence[str]) -> str:
    """A whole value changed for another one of the text, or for something strange."""
    found = list(_VALUE.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    new = random.choice(_STRANGE) if random.random() < 0.6 else random.choice(found)[0]
    return text[: match.start()] + new + text[match.end() :]


def _cut(random: Random, text: str, pool: Sequence[str]) -> str:
    return text[: random.randrange(len(text) + 1)]


def _bytes(random: Random, text: str, pool: Sequence[str]) -> str:
    at = random.randrange(len(text) + 1)
    signs = (0, 7, 9, 10, 13, 34, 39, 91, 123, 0x85, 0xDC80, 0xE9, 0x3042, 0x1F600)
    new = "".join(map(chr, random.choices(signs, k=3)))
    return text[:at] + new + text[at + random.randrange(3) :]


def _deep(random: Random, text: str, pool: Sequence[str]) -> str:
    """Steps, maps and lists inside one another."""
    depth = random.choice((10, 25, 60, 200))
    word = random.choice(("may:", "repeat:", "try:", "together:", "a:"))
    lines = [" " * (4 * i) + ("- " if word != "a:" else "  ") + word for i in range(depth)]
    return f"{text}\nactions:\n  deep:\n    do:\n" + "\n".join("      " + line for line in lines) + " " + "[]"


def _many(random: Random, text: str, pool: Sequence[str]) -> str:
    """Very many of one thing."""
    count = random.choice((300, 3000, 20000))
    lines = {
        0: "enums:\n  many: [" + ", ".join(f"m{i}" for i in range(count)) + "]",
        1: "values:\n" + "\n".join(f"  v{i}: v{i + 1} + v{i + 1}" for i in range(count)),
        2: "functions:\n" + "\n".join(f"  f{i}: {{type: integer, is: f{i + 1} + f{i + 1}}}" for i in range(300)),
        3: "boards:\n  big:\n    square: {for: {x: 0.." + str(count) + ", y: 0.." + str(count) + "}}",
        4: "state:\n" + "\n".join(f"  s{i}: {{type: 0..9, start: 0}}" for i in range(count)),
        5: "pieces:\n  lot: {count: " + str(count * 100) + "}\nzones:\n  heap: {shape: stack, holds: lot, start: true}",
        6: "actions:\n"
        + "\n".join(f"  a{i}: {{do: [{{perform: a{i + 1}}}, {{perform: a{i + 1}}}]}}" for i in range(30)),
        7: "enums:\n  e:\n    attributes: {g: effect}\n    values:\n"
        + "\n".join(f"      m{i}: {{g: coins({i})}}" for i in range(300)),
    }[random.randrange(8)]
    return f"{text}\n{lines}\n"


MUTATIONS: tuple[Mutation, ...] = (_lines, _lines, _word, _word, _figure, _value, _value, _cut, _bytes, _deep, _many)
