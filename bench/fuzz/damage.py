"""The mutated inputs: a file of a game of ours, damaged in its bytes, its words or its subtrees.

files = damaged_files(seed=1, number=42)      # by path, with bytes that are no text as lone surrogates
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from bench.fuzz.grafts import Tree, grafted
from bench.fuzz.mutations import mutated
from rulespec.source.shipped import games

GAMES = Path(__file__).resolve().parents[2] / "tests" / "games"
#: Games of more characters take a second or more to be checked: of so many inputs one is a damaged game of these.
LARGE, SELDOM = 60_000, 1_000
_BYTES = bytes(range(256))


@dataclass(frozen=True, slots=True)
class Damaged:
    """The files of a game after its damage, where that is, and its kind."""

    game: str
    path: str
    files: dict[str, str]
    how: str

    @property
    def is_large(self) -> bool:
        """Whether the whole game was a large one."""
        return self.game in large_games()


@cache
def sources() -> dict[str, dict[str, str]]:
    """The files by path of all games that are damaged: those that are shipped, and those of the tests."""
    found = {
        name: {p.relative_to(place).as_posix(): p.read_text(encoding="utf-8") for p in sorted(place.rglob("*.yaml"))}
        for name, place in games().items()
    }
    for path in sorted(GAMES.glob("*.yaml")):
        found[path.stem] = {path.name: path.read_text(encoding="utf-8")}
    return found


@cache
def large_games() -> tuple[str, ...]:
    """The games that are damaged seldom; a half of these the smallest of them."""
    sizes = {name: sum(map(len, files.values())) for name, files in sources().items()}
    return tuple(sorted((name for name, size in sizes.items() if size > LARGE), key=lambda name: sizes[name]))


@cache
def _small_games() -> tuple[str, ...]:
    return tuple(name for name in sources() if name not in large_games())


@cache
def _tree(game: str, path: str) -> Tree:
    return Tree.of(sources()[game][path])


@cache
def _pool() -> tuple[str, ...]:
    """Lines of all small games, which may be put into any."""
    return tuple(line for game in _small_games() for text in sources()[game].values() for line in text.split("\n"))


@cache
def _donors() -> tuple[Tree, ...]:
    return tuple(_tree(game, path) for game in _small_games() for path in sources()[game])


def damaged_files(seed: int, number: int) -> Damaged:
    """The input of a number: the same on every machine with the same content.

    Of the small games each is damaged by the inverse of its size: those of some hundred characters about thirty times
    as often as the largest, of 16,000, whose check takes about ten times as long.
    """
    random = Random(f"damage {seed} {number}")
    game = _game(random)
    files = sources()[game]
    [path] = random.choices(list(files), [len(text) for text in files.values()])
    how, text = _damaged(random, game, path)
    return Damaged(game, path, {**files, path: text}, how)


@cache
def _shares() -> tuple[float, ...]:
    """How often each small game is damaged, so that a run does not spend its time on the largest of them."""
    return tuple(sum(map(len, sources()[game].values())) ** -1.0 for game in _small_games())


def _game(random: Random) -> str:
    if random.randrange(SELDOM):
        [small] = random.choices(_small_games(), _shares())
        return small
    large = large_games()
    [found] = random.choices(large, [2.0**-n for n in range(len(large))])
    return found


def _damaged(random: Random, game: str, path: str) -> tuple[str, str]:
    """The kind of the damage, and the text after it."""
    text = sources()[game][path]
    kind = random.randrange(13)
    if kind >= 10:
        return "a word", _in_a_word(random, text)
    if kind < 4:
        text = grafted(random, _tree(game, path), _donors())
        return ("subtrees", text) if random.random() < 0.7 else ("subtrees and lines", mutated(random, text, _pool()))
    if kind < 8:
        return "lines and values", mutated(random, text, _pool())
    return "bytes", _in_bytes(random, text)


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+")
#: what a word becomes; `{0}` is the word, `{1}` another one of the file
_FORMS = (
    "nosuch", "{1}", "{1}", "{1}", "none", "[{0}]", "[{0}, {1}]", "{0}.{1}", "{0}[0]", "{0}[{1}]", "count({0})",
    "({0} otherwise {1})", "(if {0} then {1} else {0})", "{0} == {1}", "not {0}", "{0} + 1", "{0}({1})", "me.{0}",
    "first({0})", "set({0})", "list(k for k in {0})", "{0} in {1}", "any(k in {0} where k == {1})", "take(1, {0})",
)  # fmt: skip


def _in_a_word(random: Random, text: str) -> str:
    """One or two words that are another one, or a form around them: most of the rest keeps its meaning."""
    for _ in range(random.choice((1, 1, 2))):
        found = list(_WORD.finditer(text))
        if found:
            match, other = random.choice(found), random.choice(found)
            text = text[: match.start()] + random.choice(_FORMS).format(match[0], other[0]) + text[match.end() :]
    return text


def _in_bytes(random: Random, text: str) -> str:
    """One to eight bytes flipped, put in, lost, or a stretch of them copied elsewhere."""
    data = bytearray(text.encode("utf-8"))
    for _ in range(random.choice((1, 1, 2, 8))):
        at = random.randrange(len(data) + 1)
        match random.randrange(4):
            case 0 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 1:
                data[at:at] = random.choices(_BYTES, k=random.choice((1, 1, 2, 4)))
            case 2:
                del data[at : at + random.choice((1, 1, 2, 30))]
            case _:
                start = random.randrange(len(data) + 1)
                data[at:at] = data[start : start + random.choice((1, 10, 200))]
    return bytes(data).decode("utf-8", "surrogateescape")
