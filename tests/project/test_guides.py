"""The guides are true: links lead somewhere, recipes name what exists, the README's example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.modules import ROOT

GUIDES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)")
PATH = re.compile(r"`((?:[\w.]+/)+[\w.]*)`")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _recipes() -> dict[str, list[str]]:
    """Each recipe's title and the paths that it names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = text.split("## Recipes", 1)[1].split("\n### ")[1:]
    return {part.splitlines()[0]: PATH.findall(part) for part in parts}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(guide: Path) -> None:
    links = LINK.findall(guide.read_text(encoding="utf-8"))
    assert [link for link in links if not (guide.parent / link).exists()] == []


def test_extras_are_quoted_where_they_are_installed() -> None:
    """Some shells read brackets as a pattern, and find no file of that name."""
    code = [path for folder in ("rulespec", "interpreter") for path in sorted((ROOT / folder).rglob("*.py"))]
    lines = [(path, line) for path in (*GUIDES, *code) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(str(path), line) for path, line in lines if re.search(r"install [^'\"`]*rulespec\[", line)] == []


def test_the_four_recipes_name_places() -> None:
    recipes = _recipes()
    assert list(recipes) == ["Add a diagnostic", "Add a step verb", "Add a built-in function", "Add a language"]
    assert all(len(paths) >= 3 for paths in recipes.values())


@pytest.mark.parametrize("recipe", _recipes())
def test_places_in_recipes_exist(recipe: str) -> None:
    paths = _recipes()[recipe]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """It plays a whole game and prints the ranking: every seat stands in it once."""
    [example] = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    ranking = getattr(names["state"], "result").ranking  # noqa: B009  (its type is unknown here)
    assert sorted(seat for place in ranking for seat in place) == [0, 1]
    assert capsys.readouterr().out.strip() == str(ranking)
