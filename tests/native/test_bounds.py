"""What is not too much for the native executor is not too much for the reference either, though it counts otherwise.

A first decision says how often something is done, or how much there is to look ahead at. The most of it that the native
executor does, the reference has to do too. All bounds are a share of the real ones, so that it takes no time.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from interpreter import load
from interpreter.game import Game
from interpreter.native import code, play, search
from interpreter.native.executor import Bailed, Native
from interpreter.reference import lookahead, machine
from interpreter.reference.position import MOST_WORK, Position
from tests.fuzz.hostile import game, inside

SHARE = 25
MOST = 20_000
BOARD = "boards: {map: {cell: {for: {x: 0..19, y: 0..19}}}}\n"
ZONES = "zones: {z: {shape: SHAPE, holds: p, start: true}, y: {shape: SHAPE, holds: p}}\n"
STACKS = "pieces: {p: {count: 60}}\n" + ZONES.replace("SHAPE", "stack")
POOLS = "pieces: {p: {count: 60}}\n" + ZONES.replace("SHAPE", "pool")
FACES = STACKS.replace("{count", "{faces: [front, back], count")


def times(*steps: str, more: str = "") -> str:
    """Steps that are done so many times."""
    return behind(f"- repeat:\n{''.join(_step(step) for step in steps)}  times: size\n", more)


def behind(flow: str, more: str, actions: str = "") -> str:
    """A game that asks something first, and then does what depends on `size`."""
    size = f"state: {{size: {{type: 0..{MOST}, start: 0}}, n: {{type: 0..5, start: 0}}}}\n"
    begin = "actions:\n  begin: {do: [{choose: k, from: 1..2}]}\n"
    return game(f"- perform: begin\n{flow}", size + more + begin + actions)


def _step(step: str) -> str:
    return "    - " + step.replace("\n", "\n      ") + "\n"


def look(*steps: str, more: str = BOARD) -> str:
    """A unit that is looked ahead at."""
    body = indent("".join(_step(step) for step in steps), "  ")
    return behind("- perform: act\n", more, f"  act:\n    do:\n{body}")


def total(high: int, inner: str = "n + i") -> str:
    """A step that computes a sum."""
    return f"set: n\nto: sum({inner} for i in 1..{high}) % 5"


OF_CELL = """functions:
  f: {params: {c: cell}, type: integer, is: sum(c.x + i for i in 1..90)}
"""
DEAR = OF_CELL.replace("90)", "9000)")
WAYS = """pieces: {p: {}}
zones: {cell.way: {shape: slot, holds: p}}
functions:
  f:
    params: {c: cell}
    type: integer
    is: count(d in walk(a from c step first(b in cell where b.x == a.x and b.y == a.y + 1 and not exists b.way.top)))
"""
ALIKE = "pieces: {p: {count: 900}}\nzones: {z: {shape: pool, holds: p, start: true}}\n"
SMALL = "effects:\n  act:\n    do:\n" + _step(total(150)) * 40

LOOPS = inside("- for_each: v{}\n  in: 1..9\n  do:", 2, "- {set: n, to: 1}")
SUM_OF_ONE = "{set: n, to: (f(first(c in cell where c.x == n)) otherwise 1) % 5}"

KINDS = {
    "one step": times("{set: n, to: 1}"),
    "twenty steps": times(*["{set: n, to: 1}"] * 20),
    "branches": times("if: n == 1\nthen: [{set: n, to: 2}]\nelse: [{set: n, to: 1}]"),
    "loops inside one another": times(
        inside("- for_each: v{}\n  in: 1..9\n  do:", 2, "- {set: n, to: 1}")[2:].replace("\n  ", "\n")
    ),
    "a small sum": times(total(100)),
    "a sum": times(total(3000)),
    "a large sum": times(total(20_000)),
    "a sum of small sums": times(total(60, "sum(n + j for j in 1..60)")),
    "many small sums": times(*[total(80)] * 30),
    "a block of small sums": times("perform: act", "perform: act", more=SMALL),
    "a count that is found at once": times("set: n\nto: count(c in cell where c.x > 3) % 5", more=BOARD),
    "a function": times(
        "{set: n, to: f(n) % 5}",
        more="functions: {f: {params: {a: 0..5}, type: integer, is: sum(a for i in 1..200)}}\n",
    ),
    "a table of sums": times("{set: n, to: sum(f(c) for c in cell where c.x == n) % 5}", more=BOARD + OF_CELL),
    "a table of dear sums": times(
        "{set: n, to: (f(first(c in cell where c.x == n)) otherwise 1) % 5}", more=BOARD + DEAR
    ),
    "a sum that is looked up": times(total(60, "sum(n + j for j in 1..90)")),
    "a function that is remembered": times(SUM_OF_ONE, more=BOARD.replace("y: 0..19", "y: 0..9") + WAYS),
    "many of a look": times("{set: n, to: sum(n for w in z) % 5}", more=ALIKE),
    "shuffling": times("shuffle: z", more=STACKS),
    "moving": times("move: z\nto: y", "move: y\nto: z", more=STACKS),
    "drawing": times("{draw: 59, from: z, to: y}", "{draw: 59, from: y, to: z}", more=POOLS),
    "turning": times("{flip: z, face: back}", "{flip: z, face: front}", more=FACES),
    "looking ahead": look("choose: a\nfrom: 1..size", "choose: b\nfrom: 1..size", "require: a + b == 0"),
    "looking ahead at a sum": look("choose: a\nfrom: 1..size", "require: sum(c.x + a for c in cell) == 0"),
    "filters that let little pass": look(
        "choose: a\nfrom: 1..size", "choose: b\nfrom: cell\nwhere: b.x == 0 and b.y == a", "require: a == 0"
    ),
    "sets": look("choose: a\nfrom: 1..size", "choose: q\nexactly: 2\nfrom: 1..9", "require: a == 0"),
}


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of both are a share of what they are."""
    instructions, blocks, work = "MOST_INSTRUCTIONS", "MOST_BLOCKS", "MOST_WORK"
    bounds = (machine, instructions), (lookahead, instructions), (play, blocks), (search, blocks), (code, work)
    for of, name in (*bounds, (search, work)):
        monkeypatch.setattr(of, name, getattr(of, name) // SHARE)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_goes_on_for_longer(kind: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(KINDS[kind], encoding="utf-8")
    played = load(tmp_path, executor="reference", players=1)
    reference = played.reference
    p = reference.begin(1)
    reference.play(p, p.at)
    most = _most(Native(played.built, played.facts, (), cache=False), played, p)
    assert 1 < most < MOST, "the bound is met, and not at once"
    p.store("size", 0, most)
    at = reference.answer(p, p.at, 1)
    reference.play(p, at, most=MOST_WORK // SHARE)  # raises where that is too much


def _most(native: Native, played: Game, p: Position) -> int:
    """How much the native executor does at most."""
    low, high = 0, MOST
    while high - low > low // 50 + 1:
        middle = (low + high) // 2
        p.store("size", 0, middle)
        try:
            native.after(played.reference.to_bytes(p), p.at, 1)
            low = middle
        except Bailed:
            high = middle
    return low
