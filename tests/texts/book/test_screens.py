"""The rulebook as a browser shows it: in letters, in Japanese too, inside of the page, with its changes marked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.book import html, make_book
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.texts.book.screens import CHROMIUM, WHITE, Screen, has_japanese, printed, shot

CONTENT = Path(__file__).with_name("content")
#: The grounds of what is added and removed, from the style sheet.
ADDED, REMOVED = (226, 242, 223), (248, 225, 222)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: on Debian it is the package `chromium`"),
]


def _page(folder: Path, game: str, language: str, variants: tuple[str, ...] = ()) -> Path:
    source = read_game(game, Problems())
    assert source is not None
    page = folder / f"{source.id}.{language}{len(variants)}.html"
    page.write_text(html(make_book(source, language, variants)), encoding="utf-8")
    return page


def _ink(screen: Screen) -> float:
    """The share of dots that are not white."""
    colours = screen.colours()
    return 1 - colours.get(WHITE, 0) / sum(colours.values())


@pytest.mark.parametrize("width", [420, 1000])
def test_the_page_fits_windows_of_several_widths(tmp_path: Path, width: int) -> None:
    screen = shot(_page(tmp_path, str(CONTENT), "fr"), width, 1400)
    assert screen.width == width
    assert screen.column(width - 2) == {WHITE}
    assert screen.column(1) == {WHITE}
    assert 0.01 < _ink(screen) < 0.3


def test_changes_are_seen(tmp_path: Path) -> None:
    without = shot(_page(tmp_path, str(CONTENT), "en"), 900, 1400).colours()
    changed = shot(_page(tmp_path, str(CONTENT), "en", ("storms",)), 900, 1400).colours()
    assert {ADDED, REMOVED} & without.keys() == set()
    assert changed[ADDED] > 40
    assert changed[REMOVED] > 400  # a whole rule is struck out, and of another one a figure


def test_japanese_is_shown_in_letters(tmp_path: Path) -> None:
    if not has_japanese(tmp_path):
        pytest.skip("there is no Japanese font: on Debian it is the package `fonts-noto-cjk`")
    screen = shot(_page(tmp_path, "barcelona", "ja"), 900, 1500)
    assert screen.column(898) == {WHITE}
    assert 0.03 < _ink(screen) < 0.3


def test_it_is_printed_on_several_pages(tmp_path: Path) -> None:
    data = printed(_page(tmp_path, "agora_barcelona", "fr"))
    assert data.startswith(b"%PDF-")
    assert 2 <= len(re.findall(rb"/Type ?/Page\b", data)) <= 12
