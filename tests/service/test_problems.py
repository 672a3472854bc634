"""The problems of texts in an editor are those that a check of the same files tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.kept.memo import Memo
from rulespec.service.problems import Trees, problems_of, quick_problems, snapshot_of
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace
from tests.service.spaces import ISLANDS, islands, with_line

#: Edits of the small game, one for each stage that finds faults: each is what stands there, and what is written.
EDITS = [
    ("", ""),
    ("deck: {shape: stack", "deck: {shape: heap"),
    ("where: cell.rim", "where: cell.rimm"),
    ("bridge_cost: 2", "bridge_cost: [2"),
    ("to: cell.token\n", "to: cell.tokenn\n"),
    ("{bridge_cost} coins", "{bridge_costs} coins"),
    ("- red.coins == 2", "- red.coinz == 2"),
    ("binds: [actions.settle]", "binds: [actions.settles]"),
    ("players: 2..4", "players: x"),
]


def _told(problems: tuple[Problem, ...]) -> list[tuple[object, ...]]:
    return [
        (*p.place, p.severity, p.hint, tuple((r.message, r.span.file.name, r.span.start) for r in p.related))
        for p in problems
    ]


def _checked(folder: Path) -> list[tuple[object, ...]]:
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is not None:
        check_game(source, [], problems)
    return _told(problems.items)


@pytest.mark.parametrize(("old", "new"), EDITS, ids=[new or "as it is" for _, new in EDITS])
def test_the_problems_are_those_of_a_check(old: str, new: str, tmp_path: Path) -> None:
    folder = tmp_path / "islands"
    folder.mkdir()
    text = ISLANDS.replace(old, new) if old else ISLANDS
    assert not old or ISLANDS.count(old) == 1
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    game = islands(text).game_of("islands/game.yaml") or islands().game_of("islands/game.yaml")
    assert game is not None
    game.space.put("islands/game.yaml", text)
    assert _told(problems_of(snapshot_of(game))) == _checked(folder)


def test_what_is_kept_changes_nothing() -> None:
    space, memo, trees = islands(), Memo(), Trees()
    game = space.game_of("islands/game.yaml")
    assert game is not None
    for old, new in EDITS:
        space.put("islands/game.yaml", ISLANDS.replace(old, new) if old else ISLANDS)
        snapshot = snapshot_of(game)
        assert _told(problems_of(snapshot, memo, trees)) == _told(problems_of(snapshot))


def test_one_file_is_looked_at_alone() -> None:
    found = quick_problems("x.yaml", "zones:\n  deck: {shape: heap, holds: card}\n")
    assert [problem.code for problem in found] == ["RS258"]  # not one of the words
    assert quick_problems("x.yaml", "zones:\n  deck: {shape: stack, holds: card}\n") == ()


#: Something that is typed, in place of what, and the code and the words at which an error is told; None where none is.
TYPED = [
    ("where: cell.rim", "where: cell.rimm|", "RS302", "rimm"),
    ("where: cell.rim", "where: cell.rim and|", "RS2", ""),
    ("where: cell.rim", "where: cell.rim|", None, ""),
    ("where: may_settle(cell, me)", "where: may_settle(cell, mee|)", "RS301", "mee"),
    ("where: may_settle(cell, me)", "where: may_settle(cell, me)|", None, ""),
    ("to: cell.token\n", "to: cel|.token\n", "RS301", "cel"),
    ("is: not exists cell.token and p.coins > 0", "is: not exists cell.token and p.coin| > 0", "RS302", "coin"),
    ("- red.coins == 2", "- red.coinz| == 2", "RS302", "coinz"),
    ('is: "cell.col in [0, 4]"', 'is: "cell.cool| in [0, 4]"', "RS302", "cool"),
]


@pytest.mark.parametrize(("old", "new", "code", "words"), TYPED, ids=[case[1].strip() for case in TYPED])
def test_what_is_wrong_with_the_value_that_is_typed(old: str, new: str, code: str | None, words: str) -> None:
    text, at = with_line(old, new)
    typed = typed_at(islands(text), "islands/game.yaml", at)
    assert typed is not None
    assert typed.start <= at <= typed.end
    if code is None:
        assert typed.problems == ()
        return
    assert typed.problems[0].code.startswith(code)
    assert not words or typed.problems[0].span.text == words


def test_what_is_no_expression_is_not_looked_at() -> None:
    for old, new in (("times: 3", "times|: 3"), ("shape: pool", "shape: poo|"), ("Choose a cell.", "Choose|")):
        text, at = with_line(old, new)
        assert typed_at(islands(text), "islands/game.yaml", at) is None
    assert typed_at(Workspace(), "x.yaml", 3) is None
