"""One case of the fuzz test: files of a game, or a log or a save of a shipped game, made from a seed and a number.

case = make_case(seed=1, number=42)      # the same on every machine with the same content
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from bench.fuzz.expressions import Words, scope_of
from bench.fuzz.mutations import mutated
from rulespec.source.shipped import content_root, games

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = ROOT.parent / "shared" / "design" / "sketches"
_HOLE = re.compile(
    r"\{\{(?P<what>[a-z?]+)(?P<rest>[^|{}]*)\|(?P<default>(?:(?!\}\}\n|\}\}$|\}\}[\"},:. ]).)*?\}?)\}\}", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Case:
    """`kind` is game, log or save. `files` are texts by path (bytes that are no text as lone surrogates)."""

    name: str
    kind: str
    seed: int
    files: dict[str, str]
    game: str = ""
    parts: list[str] = field(default_factory=list)

    def data(self) -> dict[str, object]:
        """The case as JSON."""
        return asdict(self)


LARGEST_GAME = 200_000  #: characters of a shipped game's files


def make_case(seed: int, number: int) -> Case:
    """The case of a number; kinds come in turn, weighted."""
    random = Random(f"{seed} {number}")
    makers: dict[Callable[[str, Random], Case], int] = {
        _rich: 8, _shipped: 5, _sketch: 2, _log: 2, _rich_mutated: 2, _variant: 2,
    }  # fmt: skip
    [maker] = random.choices(list(makers), list(makers.values()))
    return maker(f"{seed}-{number}", random)


# ---- the rich game --------------------------------------------------------------------------------------------------


@cache
def template() -> str:
    """The text of the rich game, with holes."""
    return Path(__file__).with_name("rich.yaml").read_text(encoding="utf-8")


def rich_text(fillings: dict[int, str] | None = None) -> str:
    """The rich game with its holes filled: by their defaults where `fillings` has nothing for their number."""
    fillings = fillings or {}
    numbers = iter(range(10_000))

    def fill(match: re.Match[str]) -> str:
        filled = fillings.get(next(numbers), match["default"])
        if match["what"] != "steps":
            return filled
        return "\n".join(" " * int(match["rest"].split()[0]) + line for line in filled.split("\n"))

    return _HOLE.sub(fill, template())


def holes() -> list[tuple[str, list[str]]]:
    """What each hole of the rich game wants, and the names that may be read there."""
    found = []
    for match in _HOLE.finditer(template()):
        names = match["rest"].split()
        found.append((match["what"], names[1:] if match["what"] == "steps" else names))
    return found


def _rich(name: str, random: Random) -> Case:
    words = Words(random)
    every = holes()
    fillings: dict[int, str] = {}
    for at in random.sample(range(len(every)), random.choice((1, 1, 1, 2, 3))):
        what, names = every[at]
        fillings[at] = _filling(words, what, scope_of(names))
    return Case(name, "game", random.randrange(1000), {"rich.yaml": rich_text(fillings)}, parts=list(fillings.values()))


def _filling(words: Words, what: str, scope: dict[str, str]) -> str:
    if what == "steps":
        return "\n".join(words.steps(scope, words.random.choice((1, 2, 2, 3))))
    if words.random.random() < 0.25:
        return words.anything(depth=words.random.choice((3, 5, 6)))[:1500]
    return words.expression(what, scope, words.random.choice((1, 2, 3, 4, 6)))[:4100]


def _rich_mutated(name: str, random: Random) -> Case:
    text = rich_text()
    return Case(name, "game", random.randrange(1000), {"rich.yaml": mutated(random, text, text.split("\n"))})


PATHS = """
    values.bridge_cost values.figure values.nosuch enums.level.values.low.cost
    enums.level.values[cost=1].gives boards.land.cell.where boards.land.cell
    pieces.card.rows[worth=3].count pieces.card.rows pieces.token.count zones.deck zones.display.up_to
    state.round state.round.type functions.bridges_of.is functions.bridges_of effects.coins.do
    effects.coins.do[gain] actions.settle.do actions.settle.do[pay] actions.settle.do[choose].where
    triggers.all_hot triggers.all_hot.when flow flow[repeat] flow[repeat].until setup end ranking
    game.players game.options.speed messages.settle.log messages.settle.log.en
    relations.cell.beside.where tracks.player.climb.spaces
""".split()


def _variant(name: str, random: Random) -> Case:
    """The rich game with an overlay of random changes, which is sometimes damaged."""
    words = Words(random)
    lines = ["variant:", "  id: other", '  title: {en: "Other"}', "  changes:"]
    for _ in range(random.randint(1, 4)):
        path, verb = random.choice(PATHS), random.choice(("set", "set", "replace", "remove", "wrap", "insert"))
        lines.append(f"    - {verb}: {path}")
        of = random.choice(("integer", "boolean", "effect"))
        value = random.choice((words.expression(of, {}, 2), "3", "[]", "{a: 1}"))
        steps = ["        " + line for line in words.steps({}, 1)]
        match verb:
            case "set":
                lines.append(f"      to: {value}")
            case "replace":
                lines += ["      steps:", *steps] if random.random() < 0.4 else [f"      is: {value}"]
            case "wrap":
                lines += [f"      {random.choice(('before', 'after'))}:", *steps]
            case "insert":
                lines += [
                    "      steps:",
                    *steps,
                    f"      {random.choice(('before: pay', 'after: choose', 'at: start'))}",
                ]
    if random.random() < 0.3:
        lines += ["values:", f"  {random.choice(('extra', 'bridge_cost'))}: {words.expression('integer', {}, 2)}"]
    text = "\n".join(lines) + "\n"
    if random.random() < 0.4:
        text = mutated(random, text, rich_text().split("\n"))
    return Case(name, "game", random.randrange(1000), {"rich.yaml": rich_text(), "variants/other.yaml": text})


# ---- shipped games, sketches ----------------------------------------------------------------------------------------


@cache
def shipped(game: str) -> dict[str, str]:
    """The files of a shipped game by path."""
    return _texts(content_root() / game)


def _texts(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.yaml"))}


@cache
def sketches() -> dict[str, dict[str, str]]:
    """The sketch games by their first word, where they are at hand."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(SKETCHES.glob("*.yaml")):
        found.setdefault(path.stem.split("_")[0], {})[path.name] = path.read_text(encoding="utf-8")
    return found


@cache
def quick_games() -> tuple[str, ...]:
    """The shipped games that are not too large to be checked and played in each of many cases."""
    sizes = {name: sum(map(len, shipped(name).values())) for name in games()}
    return tuple(name for name, size in sizes.items() if size <= LARGEST_GAME)


def _damaged(name: str, random: Random, files: dict[str, str]) -> Case:
    path = random.choice(sorted(files))
    pool = random.choice(list(files.values())).split("\n")
    changed = {**files, path: mutated(random, files[path], pool)}
    return Case(name, "game", random.randrange(1000), changed)


def _shipped(name: str, random: Random) -> Case:
    return _damaged(name, random, shipped(random.choice(quick_games())))


def _sketch(name: str, random: Random) -> Case:
    if not sketches():
        return _shipped(name, random)
    return _damaged(name, random, sketches()[random.choice(sorted(sketches()))])


# ---- logs and saves -------------------------------------------------------------------------------------------------


def _log(name: str, random: Random) -> Case:
    """A log or a save of a shipped game, which the worker makes before it damages the text with the case's seed."""
    kind = random.choice(("log", "save"))
    return Case(name, kind, random.randrange(10**6), {}, game=random.choice(quick_games()))
