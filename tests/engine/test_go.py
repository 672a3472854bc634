"""Go: the numbers that are known of it, and games beside OpenSpiel's where that is there."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from bench import beside
from interpreter import Game, State, load
from rulespec.source.shipped import games

#: Legal positions by how many lines the board has: Tromp and Farnebäck, "Combinatorics of Go"; OEIS A094777.
LEGAL = {2: 57, 3: 12_675}

#: The game's own pieces and functions, with a flow that fills a board in every way and asks for liberties.
COLOURINGS = """
variant:
  id: colourings
  title: {{en: "Colourings", fr: "Colorations", ja: "塗り分け"}}
  changes:
    - set: values.size
      to: {size}
    - replace: flow
      is:
        - for_each: point
          do:
            - choose: colour
              from: 0..2
            - if: colour > 0
              then:
                - move: "(if colour == 1 then black else white).bowl.any"
                  to: point.stone
        - if: all(not exists q.stone or has_liberty(q, q.stone.owner) for q in point)
          then: [{{set: passes, to: 1}}]
"""


def colourings(folder: Path, size: int) -> Game:
    place = folder / "go"
    shutil.copytree(games()["go"], place)
    (place / "variants").mkdir(exist_ok=True)
    (place / "variants" / "colourings.yaml").write_text(COLOURINGS.format(size=size), encoding="utf-8")
    return load(place, variants=["colourings"])


def legal(state: State) -> int:
    """How many ways of filling the rest of the board leave each chain a liberty."""
    if state.decision is None:
        return int(state.value("passes"))
    return sum(legal(state.apply(option)) for option in state.options())


@pytest.mark.parametrize("size", [2, pytest.param(3, marks=pytest.mark.long)])
def test_legal_positions(tmp_path: Path, size: int) -> None:
    assert legal(colourings(tmp_path, size).start(0)) == LEGAL[size]


def test_first_turns() -> None:
    """81 points and a pass; then a point fewer after each stone."""
    state = load("go").start(0)
    options = list(state.options())
    assert len(options) == 82
    assert sum(len(state.apply(option).options()) for option in options) == 81 * 81 + 82


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not there")
def test_beside_open_spiel() -> None:
    """Superko comes up in some of these small games: the counts of what was compared say so."""
    counts = beside.compare("go", 100, 5, 0)
    assert counts["games"] == 100
    assert counts["moves that superko forbids"] > 0
