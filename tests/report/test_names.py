"""Names in the report: those of the reader's language, with the id where two would read alike."""

from __future__ import annotations

import pytest

from interpreter import Game, load
from interpreter.report.findings import findings
from interpreter.report.names import Names
from interpreter.simulate.details import holdings
from tests.report.test_report import _tally

GAME = """\
game: {id: quarry, language: 1, title: {en: Quarry, fr: Carrière}, players: 2, seats: [red, blue]}
enums: {ground: {values: [hill, moor, dale]}}
boards: {field: {cell: {for: {x: 0..1}}, shelf: {for: {owner: player, n: 0..1}}}}
pieces:
  tile: {attributes: {ground: ground}, rows: [{ground: hill}, {ground: moor}, {ground: dale}]}
  marker: {per: player, count: 4, attributes: {wide: boolean}, rows: [{wide: true, count: 2}, {wide: false, count: 2}]}
zones:
  player.kept: {shape: pool, holds: tile}
  shelf.marker: {shape: pool, holds: marker}
setup:
  - for_each: p
    in: player
    do:
      - move: take(1, box.tile)
        to: p.kept
  - for_each: shelf
    do:
      - move: first(m in box.marker where m.owner == shelf.owner and m.wide)
        to: shelf.marker
flow:
  - perform: dig
actions:
  dig:
    do:
      - choose: ground
      - may: [{emit: rested(ground)}]
        id: rest
  sell: {do: [{choose: cell}, {emit: sold(cell)}]}
events: {rested: {ground: ground}, sold: {cell: cell}}
messages:
  dig.name: {en: Dig, fr: Creuser}
  dig.prompt: {en: "Where?", fr: "Où ?"}
  rest.prompt: {en: "Rest?", fr: "Se reposer ?"}
  rest.accept: {en: Rest, fr: Se reposer}
  player.red: {en: Red, fr: Rouge}
  player.blue: {en: Blue, fr: Bleu}
  ground: {en: ground, fr: sol}
  ground.hill: {en: Hill, fr: Relief}
  ground.moor: {en: Moor, fr: Relief}
  ground.dale: {en: Dale, fr: Vallon}
  tile: {en: tile, fr: tuile}
  tile.name: {en: "tile {tile.ground}", fr: "tuile {tile.ground}"}
  marker: {en: marker, fr: marqueur}
  marker.name: {en: "marker of {marker.owner}", fr: "marqueur ({marker.owner})"}
  marker.wide: {en: wide, fr: large}
  zone.player.kept: {en: kept, fr: gardé}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("quarry")
    (folder / "quarry.yaml").write_text(GAME, encoding="utf-8")
    return load(str(folder), players=2)


def test_actions_and_what_they_ask(game: Game) -> None:
    names = Names(game, "fr")
    assert (names.action("dig"), names.action("sell")) == ("Creuser", "sell")
    assert names.actions(["dig", "sell"]) == {"dig": "Creuser", "sell": "sell"}
    assert (names.asked("ground"), names.asked("nowhere")) == ("sol", "nowhere")


def test_values_that_read_alike_keep_their_ids(game: Game) -> None:
    """Hill and moor are both called "Relief" in French, and the dale is not."""
    names = Names(game, "fr")
    values = ["hill", "moor", "dale"]
    said = [names.value("dig", "ground", value) for value in values]
    assert said == ["Relief", "Relief", "Vallon"]
    assert names.told(zip(values, said, strict=True)) == ["Relief (hill)", "Relief (moor)", "Vallon"]
    assert [Names(game, "en").value("dig", "ground", value) for value in values] == ["Hill", "Moor", "Dale"]


def test_the_same_thing_twice_needs_no_id(game: Game) -> None:
    assert Names(game, "fr").told([("a", "Vallon"), ("a", "Vallon")]) == ["Vallon", "Vallon"]


def test_answers_have_the_words_of_their_question(game: Game) -> None:
    names = Names(game, "fr")
    assert names.value("dig", "rest", "accept") == "Se reposer"
    assert names.value("dig", "rest", "other") == "other"


def test_pieces_are_named_and_whose_they_are_is_said(game: Game) -> None:
    """A marker is one's own, whatever its colour: the name with the owner in it would differ from seat to seat."""
    names = Names(game, "fr")
    assert names.piece("player.kept", "tile(hill)") == "tuile Relief"
    assert names.piece("shelf.marker", "marker(own,true)") == "marqueur (large), own"
    assert names.piece("shelf.marker", "marker(other,true)") == "marqueur (large), other"
    assert names.piece("shelf.marker", "marker(own,nowhere)") == "marker(own,nowhere)"


def test_what_lies_at_several_places_is_counted_together(game: Game) -> None:
    """Each seat has two shelves with a marker on each; before, a seat counted twice as one that had it."""
    held = [row for row in holdings(game.start(1)) if row[1] == "shelf.marker"]
    assert held == [[0, "shelf.marker", "marker(own,true)", 2], [1, "shelf.marker", "marker(own,true)", 2]]


def test_sentences_name_actions(game: Game) -> None:
    """1 use in 1,001 is less than one in a hundred."""
    found = findings(game, _tally(100, 200, {"dig": [1, 0], "sell": [500, 500]}), "fr")
    assert [each.text[:36] for each in found] == ["The action Creuser is hardly used: 0"]
