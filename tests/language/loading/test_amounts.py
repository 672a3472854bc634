"""A game has at most so many declarations of a section, in all files together: one more is told where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.model.amounts import MOST_DECLARED, MOST_TEXTS

GAME = "game: {id: many, language: 1, title: {en: X}, players: 1, seats: [red]}\n"


def written(section: str, count: int, first: int, entry: str) -> str:
    return f"{section}:\n" + "".join(f"  w{at}: {entry}\n" for at in range(first, first + count))


@pytest.mark.parametrize(
    ("section", "entry", "most"),
    [("values", "1", MOST_DECLARED), ("effects", "{do: []}", MOST_DECLARED), ("terms", "{en: w}", MOST_TEXTS)],
)
@pytest.mark.parametrize("beyond", [0, 1])
def test_so_many_in_two_files_and_one_more(section: str, entry: str, most: int, beyond: int, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GAME + written(section, most - 2, 0, entry), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(written(section, 2 + beyond, most, entry), encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    if not beyond:
        assert source is not None
        assert problems.errors == ()
        return
    [problem] = problems.errors
    assert source is None
    assert problem.code == "RS149"
    assert (problem.span.text, problem.span.line) == (f"w{most + 2}", 4)  # the third entry, below the section's name


@pytest.mark.parametrize("beyond", [0, 1])
def test_options_are_counted_too(beyond: int, tmp_path: Path) -> None:
    count = MOST_DECLARED + beyond
    options = ", ".join(f"w{at}: {{type: boolean, start: false}}" for at in range(count))
    text = GAME.replace("seats: [red]}", f"seats: [red], options: {{{options}}}}}")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    assert (read_game(str(tmp_path), problems) is None) == bool(beyond)
    assert [(each.code, each.span.text) for each in problems.errors] == [("RS149", f"w{MOST_DECLARED}")] * beyond
