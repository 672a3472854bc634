"""The report: what is on it, that it needs nothing else, and that a browser shows all of it."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from interpreter.report import page, write_report
from interpreter.report.charts import Row, dots, histogram, steps, told
from interpreter.report.findings import findings
from interpreter.simulate.numbers import Figure
from interpreter.simulate.run import Results
from interpreter.simulate.tally import Tally
from tests.engine.small import small
from tests.processes import PATIENCE
from tests.simulate.runs import Arm, plan, results

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def compared() -> Results:
    arms = (Arm(), Arm())
    seats = ("greedy", "random", "random")
    return results(plan("agora_barcelona", 6, seats, detail="full", arms=arms), jobs=1)


@pytest.fixture(scope="module")
def single() -> Results:
    return results(plan("tic_tac_toe", 20), jobs=1)


class _Tags(HTMLParser):
    """Open tags, headings and everything that would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.heads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        self.fetched += [f"{tag} {name}={value}" for name, value in attrs if name in ("src", "href", "srcset")]
        self.fetched += [tag] if tag in ("script", "link", "iframe", "object") else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.heads.append(data)


def _read(of: Results) -> _Tags:
    tags = _Tags()
    tags.feed(page(of))
    assert tags.open == []
    return tags


def test_one_file_that_needs_nothing_else(compared: Results) -> None:
    assert _read(compared).fetched == []
    assert "url(" not in page(compared)
    assert "@import" not in page(compared)


def test_every_part_is_there(compared: Results) -> None:
    assert _read(compared).heads == [
        "In short", "What stands out", "Side by side", "Who wins", "Points", "Where points come from",
        "How long it takes", "Actions", "What is held at the end", "What is chosen", "How much there is to choose",
        "How it was played", "How to read this",
    ]  # fmt: skip


def test_parts_without_anything_are_left_out(single: Results) -> None:
    heads = _read(single).heads
    assert "Side by side" not in heads
    assert "What is chosen" not in heads


def test_names_of_content_are_text(single: Results, tmp_path: Path) -> None:
    path = tmp_path / "<b>.html"
    single.about["version"] = "<script>alert(1)</script>"
    write_report(single, path)
    del single.about["version"]
    assert "<script>" not in path.read_text("utf-8")
    assert "&lt;script&gt;" in path.read_text("utf-8")


# ---- what stands out -------------------------------------------------------------------------------------------------


def _tally(wins: int, games: int, more: dict[str, list[int]] | None = None) -> Tally:
    tally = Tally(2)
    for game in range(games):
        scores, places = ([1, 0], [1, 2]) if game < wins else ([0, 1], [2, 1])
        tally.add({
            "task": game, "arm": 0, "game": game, "seed": 0, "players": [0, 1], "decisions": 2, "turns": 2,
            "scores": scores, "places": places, "points": {}, "actions": more or {"pick": [1, 1]},
        })  # fmt: skip
    return tally


def test_a_seat_that_wins_too_often_is_named() -> None:
    """140 of 200 is 70 %, far from half; 105 of 200 is not. What one seat wins the other loses: it is one finding."""
    [found] = findings(small("hints"), _tally(140, 200))
    assert found.text.startswith("Seat 1 (Red) wins more often than its part: 70.0 %")
    assert " Seat 2 (Blue) wins less often than its part: 30.0 %" in found.text
    assert found.size == pytest.approx(0.2)
    assert found.shown == (0, None)  # the first game that seat 1 wins
    assert findings(small("hints"), _tally(105, 200)) == []


def test_an_action_that_nobody_uses_is_named() -> None:
    """Nought of 400: Wilson's interval ends at z² / (400 + z²), which is 0.95 % with z = 1.96."""
    [found] = findings(small("hints"), _tally(100, 200, {"other": [1, 1]}))
    assert found.text == "The action pick is never used (at most 1.0 % of 400 actions)."


def test_a_value_that_nobody_wants_is_named() -> None:
    tally = _tally(100, 200)
    for chosen, value in ((100, "left"), (100, "middle"), (1, "right")):
        for n in range(200):
            tally.choices["pick", "stall", value].add(int(n < chosen), 0.5, 1)
    [found] = findings(small("hints"), tally)
    assert found.text.startswith("At pick, stall right is chosen in 0.5 %")
    assert "of 200 offers: much less often than the others (33.5 %)" in found.text


@pytest.mark.parametrize(
    ("kept", "begins"),
    [
        (195, "It is decided early: who leads in points after half of the game wins 97.5 %"),
        (150, ""),
        (40, "Leading does"),
    ],
)
def test_a_game_that_is_decided_early_is_named(kept: int, begins: str) -> None:
    """Of 200 games, of which each seat wins half, the leader at half-time wins so many. 75 % may still be a contest."""
    tally = Tally(2)
    for game in range(200):
        winner, leader = game % 2, game % 2 if game < kept else 1 - game % 2
        tally.add({
            "task": game, "arm": 0, "game": game, "seed": 0, "players": [0, 1], "decisions": 10, "turns": 2,
            "scores": [1 - winner, winner], "places": [1 + winner, 2 - winner], "points": {},
            "actions": {"pick": [1, 1]},
            "course": [["way", leader, 2, 3]],
        })  # fmt: skip
    found = findings(small("hints"), tally)
    assert [each.text[: len(begins)] for each in found] == ([begins] if begins else [])


def _used_when(uses: Callable[[int, int], int], games: int = 40) -> Tally:
    """Games that both win by turns; `uses` says how often a seat picks in a game that it wins (1) or loses (0)."""
    tally = Tally(2)
    for game in range(games):
        scores, places = ([1, 0], [1, 2]) if game % 2 else ([0, 1], [2, 1])
        tally.add({
            "task": game, "arm": 0, "game": game, "seed": 0, "players": [0, 1], "decisions": 2, "turns": 2,
            "scores": scores, "places": places, "points": {}, "actions": {"pick": [uses(game, won) for won in scores]},
        })  # fmt: skip
    return tally


def test_what_goes_with_winning_is_named() -> None:
    """Whoever wins has used it, and whoever loses in each fourth game: of 80 seats 50 used it, 40 of them won.

    The correlation of two yes-and-no figures: (80 * 40 - 50 * 40) / sqrt(50 * 30 * 40 * 40) = 0.7746.
    """
    [found] = findings(small("hints"), _used_when(lambda game, won: int(won or game % 4 == 0)))
    assert found.text.startswith("Using pick goes with winning: correlation 0.77 (")


@pytest.mark.parametrize(
    "uses",
    [
        lambda game, won: won,  # it is what winning is
        lambda game, won: int(game % 10 < 5 + won),  # six of ten who win, five of ten who lose
    ],
)
def test_what_says_nothing_of_winning_is_left_out(uses: Callable[[int, int], int]) -> None:
    assert findings(small("hints"), _used_when(uses, games=2_000)) == []


def test_players_of_one_kind_are_one_row(compared: Results) -> None:
    """Of greedy, random and random there is one row for greedy and one for both others."""
    shown = page(compared)
    assert "random, 2 of them (as it is)" in shown
    assert "2: random" not in shown
    assert "3: random" not in shown


def test_figures_have_as_many_decimals_as_tell() -> None:
    """Half of the interval is 0.0031: three of the third decimal. One that never changes has two digits."""
    assert told(Figure(0.0093, 0.0062, 0.0124, 500)) == "0.009 (0.006 to 0.012)"
    assert told(Figure(0.0189, 0.0158, 0.022, 500)) == "0.019 (0.016 to 0.022)"
    assert told(Figure(0.0093, 0.0093, 0.0093, 500)) == "0.0093 (0.0093 to 0.0093)"
    assert told(Figure(0.0001, 0.00005, 0.00015, 10**6), is_part=True) == "0.010 % (0.005 % to 0.015 %)"
    assert told(Figure(12.0, 11.0, 13.0, 9)) == "12.0 (11.0 to 13.0)"


def test_names_are_those_of_a_language(compared: Results) -> None:
    """The seats of this game have names of their own in Japanese."""
    names = {lang: compared.games[0].texts(lang).player(0) for lang in ("en", "ja")}
    assert names["en"] != names["ja"]
    assert f"seat 1: {names['en']}" in page(compared)
    compared.language = "ja"
    assert f"seat 1: {names['ja']}" in page(compared)
    compared.language = "en"


# ---- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (3, 3, [3]),
        (0.21, 0.29, [0.22, 0.24, 0.26, 0.28]),
    ],
)
def test_steps_of_a_scale(low: float, high: float, expected: list[float]) -> None:
    assert steps(low, high) == pytest.approx(expected)


def test_a_dot_lies_where_its_figure_says() -> None:
    """0 and 1 stand at the dashed line and at the other end; half of the way is in the middle."""
    rows = [Row("a", (Figure(0, 0, 0, 5),)), Row("b", (Figure(1, 1, 1, 5),)), Row("c", (Figure(0.5, 0.4, 0.6, 5),))]
    places = [float(x) for x in re.findall(r'cx="([\d.]+)"', dots("t", rows, even=0.0))]
    assert places[2] == pytest.approx((places[0] + places[1]) / 2, abs=0.1)


def test_bars_are_parts_of_their_arm() -> None:
    picture = histogram("t", [{1: 3, 2: 1}, {2: 2}], ["x", "y"])
    assert re.findall(r"<title>([^<]*%[^<]*)</title>", picture) == [
        "1: 75.0% x",
        "2: 25.0% x",
        "1: 0.0% y",
        "2: 100.0% y",
    ]


def test_nothing_gives_no_picture() -> None:
    assert dots("t", []) == ""
    assert histogram("t", [{}], [""]) == ""


# ---- in a browser ----------------------------------------------------------------------------------------------------

MEASURE = """<script>
const wide = document.documentElement.clientWidth, out = [];
for (const e of document.querySelectorAll('body *'))
  if (!e.closest('svg') && e.getBoundingClientRect().right > wide + 1) out.push(e.tagName + ' ' + e.textContent);
for (const t of document.querySelectorAll('svg text')) {
  const box = t.getBBox(), view = t.ownerSVGElement.viewBox.baseVal;
  if (box.x < -1 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 3) out.push(t.textContent);
}
const sizes = [...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height);
document.body.setAttribute('data-out', JSON.stringify({out: out, least: Math.min(...sizes), pictures: sizes.length}));
</script>"""

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium")


def _chromium(*words: str) -> str:
    assert CHROMIUM is not None
    base = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    return subprocess.run([*base, *words], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


@needs_browser
@pytest.mark.long
@pytest.mark.parametrize("wide", [820, 718])  # a window; the page of A4 between its margins
def test_everything_lies_inside(compared: Results, tmp_path: Path, wide: int) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(compared).replace("</body>", f"{MEASURE}</body>"), "utf-8")
    shown = _chromium(f"--window-size={wide},1000", f"--user-data-dir={tmp_path}/c", "--dump-dom", path.as_uri())
    found = re.search(r'data-out="([^"]*)"', shown)
    assert found is not None
    measured = json.loads(found[1].replace("&quot;", '"').replace("&amp;", "&"))
    assert measured["out"] == []
    assert measured["pictures"] > 50
    assert measured["least"] > 9  # the height of the smallest words, in pixels


@needs_browser
@pytest.mark.long
def test_a_screenshot_shows_it(compared: Results, tmp_path: Path) -> None:
    path, picture = tmp_path / "report.html", tmp_path / "shot.png"
    write_report(compared, path)
    _chromium("--window-size=820,2400", f"--user-data-dir={tmp_path}/c", f"--screenshot={picture}", path.as_uri())
    width, height, colours = _pixels(picture)
    assert (width, height) == (820, 2400)
    assert {(0x44, 0x77, 0xAA), (0xEE, 0x66, 0x77), (255, 255, 255)} <= colours  # both arms, on white


@needs_browser
@pytest.mark.long
def test_it_can_be_printed(compared: Results, tmp_path: Path) -> None:
    path, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    write_report(compared, path)
    _chromium(f"--user-data-dir={tmp_path}/c", f"--print-to-pdf={printed}", path.as_uri())
    data = printed.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3


def _pixels(path: Path) -> tuple[int, int, set[tuple[int, ...]]]:
    """Width, height and the colours of a PNG of eight bits a channel, not interlaced."""
    data, at, packed = path.read_bytes(), 8, b""
    width = height = depth = kind = 0
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        name, chunk = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", chunk[:10])
        packed += chunk if name == b"IDAT" else b""
        at += size + 12
    assert (depth, kind in (2, 6)) == (8, True)
    each = 3 if kind == 2 else 4
    raw, row, above, colours = zlib.decompress(packed), width * each, bytearray(width * each), set()
    for y in range(height):
        start = y * (row + 1)
        above = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + row]), above, each)
        colours |= {tuple(above[x : x + 3]) for x in range(0, row, each)}
    return width, height, colours


def _unfiltered(kind: int, line: bytearray, above: bytearray, each: int) -> bytearray:
    for x in range(len(line)):
        left = line[x - each] if x >= each else 0
        corner = above[x - each] if x >= each else 0
        guess = left + above[x] - corner
        paeth = min((left, above[x], corner), key=lambda value: abs(guess - value))
        line[x] = (line[x] + (0, left, above[x], (left + above[x]) // 2, paeth)[kind]) & 255
    return line
