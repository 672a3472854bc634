"""A game has at most so many declarations of a section, in all files together: one more is told where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.model.amounts import MOST_DECLARED, MOST_MEMBERS, MOST_PLACEHOLDERS, MOST_TEXTS

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


@pytest.mark.parametrize("beyond", [0, 1])
def test_values_of_all_enums_are_counted(beyond: int, tmp_path: Path) -> None:
    """Enums of 4,000 values in two files, in lists and maps; the last one may have 4,000, and has one more."""
    names = [f"v{at}" for at in range(MOST_MEMBERS // 5)]
    listed, mapped = ", ".join(names), ", ".join(f"{name}: {{}}" for name in names)
    lists = "".join(f"  e{at}: [{listed}]\n" for at in range(4))
    (tmp_path / "a.yaml").write_text(f"{GAME}enums:\n{lists}", encoding="utf-8")
    more = ", one_more: {}" * beyond
    (tmp_path / "b.yaml").write_text(f"enums:\n  last: {{values: {{{mapped}{more}}}}}\n", encoding="utf-8")
    problems = Problems()
    assert (read_game(str(tmp_path), problems) is None) == bool(beyond)
    assert [(each.code, each.span.text) for each in problems.errors] == [("RS149", "last")] * beyond


@pytest.mark.parametrize("beyond", [0, 1])
def test_placeholders_of_all_languages_and_files_are_counted(beyond: int, tmp_path: Path) -> None:
    """A rule of 100 in one file, messages of 100 in another; the last message has one more than there may be."""
    many = '"' + "{n}" * 100 + '"'
    (tmp_path / "a.yaml").write_text(f"{GAME}rules:\n  r: {{text: {{en: {many}}}}}\n", encoding="utf-8")
    entries = [f"  m{at}: {{en: {many}, fr: {many}}}\n" for at in range(MOST_PLACEHOLDERS // 200 - 1)]
    last = f'  last: {{en: {many[:-1]}{"{n}" * beyond}"}}\n'
    (tmp_path / "b.yaml").write_text("messages:\n" + "".join(entries) + last, encoding="utf-8")
    problems = Problems()
    assert (read_game(str(tmp_path), problems) is None) == bool(beyond)
    assert [(each.code, each.span.line) for each in problems.errors] == [("RS151", len(entries) + 2)] * beyond


def test_braces_elsewhere_are_no_placeholders(tmp_path: Path) -> None:
    rows = ", ".join("{}" for _ in range(MOST_PLACEHOLDERS // 2 - 1_000))
    for name in "ab":
        (tmp_path / f"{name}.yaml").write_text(f"{GAME if name == 'a' else ''}checks: [{rows}]\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("values: {a: {is: [" + ", ".join("{}" for _ in range(3_000)) + "]}}\n")
    problems = Problems()
    read_game(str(tmp_path), problems)
    assert "RS151" not in {each.code for each in problems.errors}
