"""Filtered kinds with attributes, relations and lines that read one another: one answer, whatever stands first.

Boards are made by chance, and what they come to is worked out here once more by hand: the sites that the filter leaves
while all combinations are there, and everything else of those sites alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rulespec.build import build
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game, resolve
from rulespec.model.world import World

Cell = tuple[int, int]
GAME = """\
game: {id: example, language: 1, title: {en: "Example"}, players: 2, seats: [red, green]}
flow: [{score: 0, reason: nothing}]
"""


@dataclass(frozen=True)
class Filter:
    """What leaves a cell: as it is written, and as a function of the cell and of all combinations."""

    written: str
    keeps: Callable[[Cell, list[Cell]], bool]


FILTERS = [
    Filter("cell.odd", lambda c, every: (c[0] + c[1]) % 2 == 1),
    Filter("not cell.odd and cell.x > 0", lambda c, every: (c[0] + c[1]) % 2 == 0 and c[0] > 0),
    Filter("cell.weight > 1", lambda c, every: (c[0] * 3 + c[1]) % 4 > 1),
    Filter("cell.rank % 3 != 1", lambda c, every: every.index(c) % 3 != 1),
    Filter("cell.index % 2 == 0 or cell.odd", lambda c, every: every.index(c) % 2 == 0 or sum(c) % 2 == 1),
    Filter("exists cell.beyond", lambda c, every: any(o[0] > c[0] for o in every)),
    Filter("cell.x != 1", lambda c, every: c[0] != 1),
]

ATTRIBUTES = {
    "odd": "odd: {type: boolean, is: (cell.x + cell.y) % 2 == 1}",
    "weight": "weight: {type: 0..3, is: (cell.x * 3 + cell.y) % 4}",
    "rank": "rank: {type: 0..99, is: count(c in cell where c.x < cell.x or (c.x == cell.x and c.y < cell.y))}",
    "beyond": "beyond: {type: cell or none, is: first(c in cell where c.x > cell.x)}",
    "drawn": "drawn: {type: 0..99, by: x, values: VALUES}",
    "ways": "ways: {type: 0..99, is: cell.near.count}",
    "crossed": "crossed: {type: 0..99, is: cell.lines.count}",
}
RELATIONS = {
    "near": "cell.near: {to: cell, as: other, where: abs(cell.x - other.x) + abs(cell.y - other.y) == 1}",
    "busy": "cell.busy: {to: cell, as: other, where: other in cell.near and other.ways > 1, inverse: busied}",
    "back": "cell.back: {to: cell, as: other, where: other in cell.busied and other.odd == cell.odd}",
    "held": "site.held: {to: cell, where: cell.x == site.x, order: 0 - cell.y}",
}
KINDS = {
    "cell": "cell: {for: {x: 0..WIDE, y: 0..HIGH}, where: FILTER, attributes: {ATTRIBUTES}}",
    "site": "site: {for: {x: 0..WIDE}, where: site.cells_here > 0, attributes: {cells_here: {type: 0..99, "
    "is: count(c in cell where c.x == site.x)}}}",
    "line": "line: {lines_of: cell, directions: [[1, 0], [0, 1]], at_least: 2}",
}


def world_of(text: str, folder: Path) -> tuple[World, tuple[Problem, ...]]:
    """What a text declares, for two players, and what is reported."""
    (folder / "example.yaml").write_text(GAME + text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    built = build(resolve(source, [], problems), 2, {}, problems)
    assert built is not None, [problem.message for problem in problems.items]
    return built.world, problems.items


def declared(size: tuple[int, int], kept: Filter, orders: dict[str, list[str]]) -> str:
    """The sections, with everything in the order that is asked for."""
    attributes = ", ".join(ATTRIBUTES[name] for name in orders["attributes"])
    wide, high = size
    filled = {"WIDE": wide, "HIGH": high, "FILTER": f'"{kept.written}"', "ATTRIBUTES": attributes}
    filled["VALUES"] = [x * x for x in range(wide + 1)]
    lines = ["boards:", "  land:", *(f"    {KINDS[name]}" for name in orders["kinds"])]
    lines += ["relations:", *(f"  {RELATIONS[name]}" for name in orders["relations"])]
    text = "\n".join(lines) + "\n"
    for word, value in filled.items():
        text = text.replace(word, str(value))
    return text


def lines_of(cells: list[Cell]) -> list[list[Cell]]:
    """The straight runs of at least two cells, first those along x, each from its start."""
    found = []
    for dx, dy in ((1, 0), (0, 1)):
        for x, y in cells:
            if (x - dx, y - dy) not in cells:
                run = [(x, y)]
                while (run[-1][0] + dx, run[-1][1] + dy) in cells:
                    run.append((run[-1][0] + dx, run[-1][1] + dy))
                found += [run] if len(run) > 1 else []
    return found


def by_hand(wide: int, high: int, kept: Filter) -> dict[str, Any]:
    """Everything that the sections declare, worked out from the cells that stay."""
    every = [(x, y) for x in range(wide + 1) for y in range(high + 1)]
    cells = [c for c in every if kept.keeps(c, every)]
    number = {c: i for i, c in enumerate(cells)}
    lines = lines_of(cells)
    near = {c: [o for o in cells if abs(c[0] - o[0]) + abs(c[1] - o[1]) == 1] for c in cells}
    busy = {c: [o for o in near[c] if len(near[o]) > 1] for c in cells}
    back = {c: [o for o in cells if c in busy[o] and sum(o) % 2 == sum(c) % 2] for c in cells}
    sites = [x for x in range(wide + 1) if any(c[0] == x for c in cells)]

    def listed(relation: dict[Cell, list[Cell]]) -> list[list[int]]:
        return [[number[o] for o in relation[c]] for c in cells]

    return {
        "cells": cells,
        "odd": [sum(c) % 2 for c in cells],
        "weight": [(c[0] * 3 + c[1]) % 4 for c in cells],
        "rank": list(range(len(cells))),
        "beyond": [next((number[o] for o in cells if o[0] > c[0]), -1) for c in cells],
        "drawn": [c[0] ** 2 for c in cells],
        "ways": [len(near[c]) for c in cells],
        "crossed": [sum(c in line for line in lines) for c in cells],
        "near": listed(near),
        "busy": listed(busy),
        "back": listed(back),
        "busied": listed({c: [o for o in cells if c in busy[o]] for c in cells}),
        "lines": [[i for i, line in enumerate(lines) if c in line] for c in cells],
        "cells of lines": [[number[c] for c in line] for line in lines],
        "sites": [(x,) for x in sites],
        "cells here": [sum(c[0] == x for c in cells) for x in sites],
        "held": [[number[c] for c in sorted(cells, key=lambda c: -c[1]) if c[0] == x] for x in sites],
    }


def as_read(world: World) -> dict[str, Any]:
    """The same of a game that is built."""
    cell, site, line = (world.domains[name] for name in ("cell", "site", "line"))

    def items(domain: Any, name: str) -> list[list[int]]:
        return [list(row) for row in world.tables[domain.relations[name].items]]  # type: ignore[arg-type]

    found: dict[str, Any] = {name: list(world.table(f"cell.{name}")) for name in ATTRIBUTES}
    found |= {name: items(cell, name) for name in ("near", "busy", "back", "busied", "lines")}
    return found | {
        "cells": list(cell.coords),
        "cells of lines": items(line, "cells"),
        "sites": list(site.coords),
        "cells here": list(world.table("site.cells_here")),
        "held": items(site, "held"),
    }


@hypothesis_settings(max_examples=60, deadline=None, derandomize=True)
@given(
    size=st.tuples(st.integers(1, 4), st.integers(0, 3)),
    kept=st.sampled_from(FILTERS),
    attributes=st.permutations(list(ATTRIBUTES)),
    relations=st.permutations(list(RELATIONS)),
    kinds=st.permutations(list(KINDS)),
)
def test_one_answer_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    size: tuple[int, int],
    kept: Filter,
    attributes: list[str],
    relations: list[str],
    kinds: list[str],
) -> None:
    wanted = by_hand(*size, kept)
    if not wanted["cells"] or not wanted["cells of lines"]:
        return  # a kind without sites is refused, which is another test
    text = declared(size, kept, {"attributes": attributes, "relations": relations, "kinds": kinds})
    world, problems = world_of(text, tmp_path_factory.mktemp("board"))
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    assert as_read(world) == wanted


def test_the_first_case(tmp_path: Path) -> None:
    """Cells 1, 3 and 5 stay, and each of them is odd."""
    text = (
        "boards: {land: {cell: {for: {x: 0..5}, where: cell.odd, attributes: {odd: {type: boolean, is: x}}}}}\n"
    ).replace("is: x", '"is": cell.x % 2 == 1')
    world, _ = world_of(text, tmp_path)
    assert world.domains["cell"].coords == ((1,), (3,), (5,))
    assert world.table("cell.odd") == (1, 1, 1)
