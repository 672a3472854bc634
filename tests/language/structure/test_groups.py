"""What groups of kinds say of themselves is no kind: `about` and `source`, in all that lists the kinds of boards."""

from __future__ import annotations

from pathlib import Path

from interpreter import load
from interpreter.draw import Drawer, Showing
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game

TEXT = """\
game: {id: groups, language: 1, title: {en: Groups}, players: 2, seats: [red, green]}
boards:
  land:
    about: Where tokens stand.
    source: {inferred: the picture}
    cell: {for: {col: 0..1}, draw: {x: cell.col, y: 0}}
  sea:
    about: Where ships lie.
    source: {book: rulebook, place: contents}
    port: {for: {col: 0..1}, draw: {x: port.col, y: 0}}
rulebooks: {rulebook: {title: Groups, language: en}}
messages:
  player.red: {en: Red}
  player.green: {en: Green}
  %s
flow: []
ranking: [{most: player.score}]
"""


def test_what_boards_say_of_themselves_is_no_kind(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(TEXT % "board.sea: {en: The sea}", encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    assert [(problem.code, str(problem.message)) for problem in problems.errors] == []
    game = load(str(tmp_path))
    assert {"cell", "port"} <= game.world.domains.keys()
    assert not {"about", "source"} & game.world.domains.keys()
    assert list(Drawer(game, game.texts("en")).lines(game.start(1), Showing(None)))


def test_no_title_is_asked_for_what_is_no_kind(tmp_path: Path) -> None:
    """`board.source` is a message that nothing shows."""
    (tmp_path / "game.yaml").write_text(TEXT % "board.source: {en: The source}", encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, [], problems)
    assert "board.source" in " ".join(str(problem.message) for problem in problems.items)
