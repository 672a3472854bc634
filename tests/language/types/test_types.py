"""Expressions by themselves: those that are right have the type that is written beside them, the others one problem."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulespec.build import build
from rulespec.diagnostics.model import Problem, Problems
from rulespec.expr.parse import parse_span
from rulespec.game_source import read_game, resolve
from rulespec.lower.context import Context
from rulespec.lower.expressions import lower
from rulespec.lower.make import as_value
from rulespec.lower.steps.builder import base_scope
from rulespec.source.text import SourceFile, Span
from tests.language.cases import span_of

HERE = Path(__file__).parent


def cases(name: str) -> dict[str, Any]:
    """Every expression of a file with what is said of it."""
    groups: dict[str, dict[str, Any]] = yaml.load((HERE / name).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return {text: said for group in groups.values() for text, said in group.items()}


@cache
def context() -> Context:
    problems = Problems()
    source = read_game(str(HERE.parent / "faults" / "base"), problems)
    assert source is not None
    built = build(resolve(source, [], problems), 2, {}, problems)
    assert built is not None
    return built.context


def typed(text: str) -> tuple[str, tuple[Problem, ...]]:
    """The type of an expression where steps stand, and what is reported."""
    cx, problems = context(), Problems()
    file = SourceFile.of("case", text)
    expression = parse_span(Span(file, 0, len(text)), problems)
    if expression is None:
        return "", problems.items
    cx.world.problems = cx.problems = problems
    made = as_value(cx.world, lower(base_scope(cx), expression))
    return str(made.type), problems.items


KNOWN_PIECES = """
game: {id: shelf, language: 1, title: {en: "Shelf"}, players: 2, seats: [red, green]}
pieces:
  book: {attributes: {pages: 1..5}, rows: [{pages: 1}, {pages: 5}]}
zones:
  player.book: {shape: slot, holds: book}
functions:
  thick: {params: {b: book}, type: boolean, is: b.pages > 3}
  both: {params: {p: player}, type: boolean, is: exists p.book and thick(p.book)}
  mine_or: {params: {p: player, b: book}, type: book, is: if exists p.book then p.book else b}
effects:
  worth: {params: {b: book}, do: [{score: b.pages, reason: books}]}
  read:
    do:
      - require: exists me.book and both(me)
      - perform: worth(mine_or(me, me.book))
      - let: mine
        be: me.book
      - score: mine.pages
        reason: books
flow:
  - turns: player
    do: [{try: [{perform: read}]}]
ranking: [{most: player.score}]
"""


def test_a_slot_that_is_known_to_be_full_is_its_piece(tmp_path: Path) -> None:
    """In calls, branches, effects and `let`: what `exists` has asked is not asked once more."""
    (tmp_path / "shelf.yaml").write_text(KNOWN_PIECES, encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    build(resolve(source, [], problems), 2, {}, problems)
    assert [(p.code, p.span.start) for p in problems.items] == []


OK, ERR = cases("ok.yaml"), cases("err.yaml")


@pytest.mark.parametrize("text", OK)
def test_the_type(text: str) -> None:
    assert typed(text) == (OK[text], ())


@pytest.mark.parametrize("text", ERR)
def test_the_fault(text: str) -> None:
    code, at = ERR[text]
    _, problems = typed(text)
    assert [(p.code, p.span.start, p.span.end) for p in problems] == [(code, *span_of(text, at))]


LOOP = """\
game: {id: shelf, language: 1, title: {en: "Shelf"}, players: 2, seats: [red, green]}
state: {n: {type: 0..9, start: 4}, player.kept: {type: 0..20, start: 0}}
values: {each: {type: integer by player_count, is: {2: 4}}}
flow:
  - set: red.kept
    to: 12 // each[player_count]
  - repeat:
      - set: red.kept
        to: 12 // n
      - set: n
        to: n - 1
    CONDITION
"""


@pytest.mark.parametrize(("condition", "codes"), [("while: n > 0", []), ("until: n == 0", ["RS321"])])
def test_a_pass_knows_the_condition_that_lets_it_begin(tmp_path: Path, condition: str, codes: list[str]) -> None:
    """What ends a loop after a pass says nothing of the first one. A figure that is known is divided by as it is."""
    (tmp_path / "shelf.yaml").write_text(LOOP.replace("CONDITION", condition), encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    build(resolve(source, [], problems), 2, {}, problems)
    assert [p.code for p in problems.items] == codes


def test_a_check_over_several_lines_is_quoted_by_its_words(tmp_path: Path) -> None:
    """And not by the sign that begins it in YAML, nor with its line breaks."""
    checks = "checks:\n  - is: >-\n      1 + 1 ==\n      3\n  - |\n    2 ==\n    3\n"
    (tmp_path / "shelf.yaml").write_text(LOOP.replace("CONDITION", "while: n > 0") + checks, encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    build(resolve(source, [], problems), 2, {}, problems)
    assert [(p.code, p.args["text"]) for p in problems.items] == [("RS718", "1 + 1 == 3"), ("RS718", "2 == 3")]
