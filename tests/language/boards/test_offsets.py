"""Relations that are found from offsets are those that asking every pair gives; what is no offset keeps its bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rulespec.build import build
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game, resolve
from rulespec.lower import known, relations

GAME: dict[str, Any] = {
    "game": {"id": "example", "language": 1, "title": {"en": "Example"}, "players": 2, "seats": ["red", "green"]},
    "flow": [{"score": 0, "reason": "nothing"}],
    "functions": {
        "apart": {"params": {"a": "cell", "b": "cell"}, "type": "0..99", "is": "abs(a.x - b.x) + abs(a.y - b.y)"},
        "beyond": {"params": {"a": "cell", "b": "cell"}, "type": "boolean", "is": "a.x + a.y < b.x + b.y"},
        "near": {"params": {"a": "cell", "b": "cell"}, "type": "0..2", "is": "abs(a.x - b.x)"},
        "even": {"params": {"n": "integer"}, "type": "boolean", "is": "n % 2 == 0"},
        "guard": {
            "params": {"a": "cell", "b": "cell", "n": "0..2"},
            "type": "boolean",
            "is": "a.x == b.x and n == 0",
        },
        "level": {"params": {"a": "cell", "b": "cell", "n": "0..2"}, "type": "boolean", "is": "a.x == b.x"},
    },
}
ATTRIBUTES = {
    "sum": {"type": "integer", "is": "cell.x - 2 * cell.y + 7"},  # a plane: offsets know its differences
    "rough": {"type": "integer", "is": "cell.x * cell.y % 3"},
    "dark": {"type": "boolean", "is": "(cell.x + cell.y) % 2 == 1"},
}
NUMBERS = [
    *("cell.x - other.x", "abs(cell.y - other.y)", "apart(cell, other)", "cell.sum - other.sum", "other.x - 2"),
    *(
        "max(abs(cell.x - other.x), abs(cell.y - other.y))",
        "(cell.x - other.x) % 3",
        "cell.rough",
        "3 * (other.y - cell.y)",
    ),
    *(
        "(if cell.x == other.x then 1 else cell.y - other.y)",
        "(if cell.dark then 0 else cell.x - other.x)",
        "other.rough",
    ),
    *("cell.x + cell.y - (other.y + other.x)", "max(cell.x, other.x - 1) - cell.x", "cell.x * other.y"),
]
CONDITIONS = [
    *("cell != other", "cell == other", "cell.dark", "other.dark == cell.dark", "beyond(cell, other)", "even(cell.x)"),
    *("even(cell.x - other.x)", "cell.x in other.x - 1..other.x + 2", "any(n in 1..2 where cell.x == other.x + n)"),
    *("any(n in 0..cell.y where cell.x == other.x + n)", "cell.x - other.x in [1, 3]", "cell.y == other.x"),
]
FILTERS = [None, "cell.x != 1", "abs(cell.x - cell.y) <= 2", "not (cell.x == 2 and cell.y > 0)"]


@st.composite
def conditions(draw: st.DrawFn, depth: int = 0) -> str:
    """A condition of two cells."""
    form = draw(st.integers(0, 6 if depth < 3 else 3))
    if form <= 1:
        return draw(st.sampled_from(CONDITIONS))
    if form <= 3:
        op = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
        return f"{draw(st.sampled_from(NUMBERS))} {op} {draw(st.integers(-2, 3))}"
    inside = [draw(conditions(depth=depth + 1)) for _ in range(2)]
    word = {4: "and", 5: "or"}.get(form)
    return f"not ({inside[0]})" if word is None else f"({inside[0]} {word} {inside[1]})"


def listed(folder: Path, of: dict[str, Any]) -> tuple[Any, list[str]]:
    """The pairs of the relation `way`, and the codes of the problems."""
    known._KNOWN.clear()
    (folder / "example.yaml").write_text(yaml.safe_dump(GAME | of, sort_keys=False), encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    built = build(resolve(source, [], problems), 2, {}, problems)
    codes = [problem.code for problem in problems.items if problem.severity == "error"]
    tables = None if built is None else built.world.tables
    return None if tables is None else tables.get(next((t for t in tables if t.endswith(".way.items")), "")), codes


def cells(wide: int, high: int, where: str | None = None) -> dict[str, Any]:
    """A board of cells, numbered from 1 along x and from 2 along y."""
    kind: dict[str, Any] = {"for": {"x": f"1..{wide}", "y": f"2..{high + 1}"}, "attributes": ATTRIBUTES}
    return {"land": {"cell": kind | ({} if where is None else {"where": where})}}


@hypothesis_settings(max_examples=120, deadline=None, derandomize=True)
@given(st.integers(1, 7), st.integers(1, 4), st.sampled_from(FILTERS), conditions())
def test_offsets_give_what_asking_every_pair_gives(
    tmp_path_factory: pytest.TempPathFactory, wide: int, high: int, where: str | None, condition: str
) -> None:
    content = {"boards": cells(wide, high, where), "relations": {"cell.way": {"to": "cell", "as": "other"}}}
    content["relations"]["cell.way"]["where"] = condition
    found = listed(tmp_path_factory.mktemp("board"), content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relations, "by_offsets", lambda *args: None)
        assert listed(tmp_path_factory.mktemp("board"), content) == found


#: Conditions of a board of 40 by 40, with the number of pairs that they hold, by hand: 40 * 40 cells, and for an offset
#: of dx, dy so many pairs as there are cells that far from the rim.
LARGE = {
    "abs(cell.x - other.x) + abs(cell.y - other.y) == 1": 4 * 39 * 40,
    "apart(cell, other) == 1 and cell.dark": 2 * 39 * 40,
    "abs(cell.x - other.x) <= 1 and abs(cell.y - other.y) <= 1 and cell != other": 4 * 39 * 40 + 4 * 39 * 39,
    "abs(cell.x - other.x) <= 1 and abs(cell.y - other.y) <= 1 and cell.x - other.x != cell.y - other.y": 4 * 39 * 40
    + 2 * 39 * 39,
    "abs((cell.x - other.x) * (cell.y - other.y)) == 2": 8 * 39 * 38,
    "cell.y == other.y - 1 and (if cell.dark then other.x == cell.x else other.x == cell.x + 1)": 39 * 20
    + 39 * 20
    - 20,
    "cell.x == other.x and cell.y != other.y": 40 * 40 * 39,
}


@pytest.mark.parametrize("condition", LARGE)
def test_a_large_board(tmp_path: Path, condition: str) -> None:
    content = {"boards": cells(40, 40), "relations": {"cell.way": {"to": "cell", "as": "other", "where": condition}}}
    found, codes = listed(tmp_path, content)
    assert codes == []
    assert sum(map(len, found)) == LARGE[condition]


def test_corners_of_cells(tmp_path: Path) -> None:
    """Coordinates of two kinds with other names belong together by their order: each cell has four corners."""
    boards = {
        "land": {"cell": {"for": {"x": "1..40", "y": "1..40"}}, "corner": {"for": {"col": "0..40", "row": "0..40"}}}
    }
    where = "cell.x - corner.col in 0..1 and cell.y - corner.row in 0..1"
    found, codes = listed(
        tmp_path, {"functions": {}, "boards": boards, "relations": {"cell.way": {"to": "corner", "where": where}}}
    )
    assert codes == []
    assert found[0] == (0, 1, 41, 42)  # corner 0, 0; 0, 1; 1, 0; 1, 1, of 41 to a column
    assert {len(row) for row in found} == {4}


#: What is no function of offsets, asks too much of what the offsets leave, or holds too many pairs.
REFUSED = {
    "cell.x % 3 == other.x % 3": "RS713",
    "cell.x * other.y == 4": "RS713",
    "cell.rough == other.rough and abs(cell.x - other.x) < 30": "RS713",
    "abs(cell.x - other.x) < 30": "RS713",
    "near(cell, other) == 1 and cell.dark": "RS713",  # a distance beyond its declared range must be met and reported
}


@pytest.mark.parametrize("condition", REFUSED)
def test_what_keeps_its_bound(tmp_path: Path, condition: str) -> None:
    content = {"boards": cells(40, 40), "relations": {"cell.way": {"to": "cell", "as": "other", "where": condition}}}
    assert listed(tmp_path, content)[1] == [REFUSED[condition]]


#: Two cells of four in a row are three apart, which `near` may not say, nor may `guard` and `level` be given it, not
#: even where what they are given is not asked for.
BEYOND = (
    "near(cell, other) == 1",
    "guard(cell, other, abs(cell.x - other.x))",
    "guard(cell, other, abs(cell.x - other.x)) and cell.dark",
    "level(cell, other, abs(cell.x - other.x))",
    "cell.dark and not level(cell, other, abs(cell.x - other.x))",
    "level(cell, other, near(cell, other))",
)


@pytest.mark.parametrize("condition", BEYOND)
def test_what_is_out_of_range_is_reported(tmp_path: Path, condition: str) -> None:
    content = {
        "boards": cells(4, 1),
        "relations": {"cell.way": {"to": "cell", "as": "other", "where": condition}},
    }
    assert listed(tmp_path, content)[1] == ["RS314"]
