"""Where rules say that the published rulebooks say them: there are such lines, under such a heading.

The rulebooks are other people's and lie beside the project, not in it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.source.tree import Mapping, Scalar, Sequence
from rulespec.texts.check.entries import texts_of
from rulespec.texts.folding import fold

BOOKS = {"rulebook_en": "002", "rulebook_fr": "000", "rulebook_ja": "001"}
FOLDER = Path(__file__).parents[4] / "shared" / "seeds"
STEP = re.compile(r", (?:step|étape) \d$")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the published rulebooks are not beside this folder")


def _lines(book: str) -> list[str]:
    [path] = FOLDER.glob(f"{BOOKS[book]}_*.txt")
    return [re.sub(r"[*#⚙️🌸]", "", fold(line)).strip() for line in path.read_text(encoding="utf-8").splitlines()]


def _places() -> list[tuple[str, str, str, str]]:
    """Rule, book, place and lines of every source that names lines."""
    source = read_game("barcelona", Problems())
    assert source is not None
    found = []
    for entry in texts_of(source).rules:
        node = entry.rule.get("source") if entry.rule is not None else None
        for item in node.items if isinstance(node, Sequence) else ():
            parts = [item.get(key) for key in ("book", "place", "lines")] if isinstance(item, Mapping) else []
            if parts and all(isinstance(part, Scalar) for part in parts):
                found.append((entry.name, *(part.text for part in parts)))
    return found


def test_every_place_is_in_its_book() -> None:
    books = {book: _lines(book) for book in BOOKS}
    places = _places()
    assert len(places) > 1000
    wrong = [place for place in places if not _is_there(books[place[1]], place[2], place[3])]
    assert wrong == []


def _is_there(lines: list[str], place: str, numbers: str) -> bool:
    """Whether the lines are there and hold text, and the heading stands above them."""
    first = int(re.split(r"[-,]", numbers)[0])
    ends = [int(number) for number in re.findall(r"\d+", numbers)]
    heading = fold(STEP.sub("", place))
    above = [line for line in lines[:first] if heading in line or (line in heading and len(line) > 4)]
    return max(ends) <= len(lines) and bool(lines[first - 1]) and bool(above)
