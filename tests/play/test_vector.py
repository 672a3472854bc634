"""Pictures: each site once, in its shape, with what a viewer may see; whatever stands in a name is text."""

from __future__ import annotations

import re
import shutil
from math import hypot
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from interpreter import Game, State, load
from interpreter.cli.main import main
from interpreter.draw import EVERYBODY, Drawer, Showing, render
from interpreter.draw.curves import port_at
from interpreter.draw.declared import drawings
from interpreter.draw.icons import PATHS
from interpreter.draw.ink import NAMED, SEATS
from interpreter.draw.shapes import Box, room_for
from interpreter.draw.vector import _COLOURS, Vector
from interpreter.imagine import imagine
from interpreter.log import GameLog
from rulespec.diagnostics.model import ContentError
from rulespec.model.registry.looks import COLOURS as LOOK_COLOURS
from rulespec.model.registry.looks import ICONS
from rulespec.source.shipped import games
from tests.engine.walks import quick_settings, walk
from tests.play.table import CONTENT, game_of
from tests.shipped import shipped

SVG = "{http://www.w3.org/2000/svg}"
#: All that there may be in a picture: nothing that runs, and nothing that comes from elsewhere.
ELEMENTS = {"svg", "g", "title", "rect", "circle", "polygon", "path", "text", "tspan"}
LEAST = [next(s for s in quick_settings() if s.game == name) for name in games()]


def picture(state: State, viewer: int | None = EVERYBODY, **more: object) -> ET.Element:
    return ET.fromstring(Vector(state.game, state.game.texts("en")).svg(state, viewer, **more))


def sites(root: ET.Element) -> dict[str, ET.Element]:
    found = [(group.attrib["data-site"], group) for group in root.iter(f"{SVG}g") if "data-site" in group.attrib]
    assert len(dict(found)) == len(found)
    return dict(found)


def texts(element: ET.Element) -> str:
    return " ".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


def is_harmless(root: ET.Element) -> bool:
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    attributes = {name for element in root.iter() for name in element.attrib}
    return names <= ELEMENTS and not any(re.match(r"on|href|.*}href|style|class", name) for name in attributes)


@pytest.mark.parametrize("setting", LEAST, ids=str)
def test_every_shipped_game_has_a_picture_of_each_site(setting: object) -> None:
    found = walk(setting, 0)
    for at in (0, len(found.keys) // 2, len(found.keys)):
        root = picture(found.states[at])
        drawn = [kind for board in drawings(setting.load()).boards for kind in board]
        assert len(sites(root)) == sum(kind.domain.size for kind in drawn)
        assert is_harmless(root)
        wide, high = float(root.attrib["width"]), float(root.attrib["height"])
        for rect in root.iter(f"{SVG}rect"):
            x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
            assert x + float(rect.attrib["width"]) <= wide
            assert y + float(rect.attrib["height"]) <= high


def test_a_mark_stands_where_it_was_put_and_what_may_be_chosen_is_lit() -> None:
    game = shipped("tic_tac_toe")
    state = game.start(1)
    state = state.apply(state.option("place_mark cell[2,0]"))
    found = sites(picture(state, lit=[("cell", 1)]))
    assert {name for name, site in found.items() if texts(site)} == {"cell[2,0]"}
    assert texts(found["cell[2,0]"]) == "X"
    strong = [name for name, site in found.items() if site.find(f"{SVG}rect").attrib["stroke-width"] == "3"]
    assert strong == ["cell[0,1]"]
    left, right = (float(found[name].find(f"{SVG}rect").attrib["x"]) for name in ("cell[0,0]", "cell[2,0]"))
    assert right - left == 2 * 54  # two columns of sites that touch


#: How a token is put on a spot, for games of two that differ in how these look.
PLAY = """\
zones:
  player.rest: {shape: pool, holds: token, start: token.owner == player}
  spot.token: {shape: slot, holds: token}
actions:
  put:
    do:
      - choose: spot
        where: not exists spot.token
      - move: me.rest.any
        to: spot.token
flow:
  - turns: player
    do: [{perform: put}]
ranking:
  - most: player.score
"""

HEX = """
game: {id: shapes, language: 1, title: {en: TITLE}, players: 2, seats: [red, green]}
boards:
  field:
    spot:
      for: {col: 0..1, row: 0..1}
      draw: {x: 2 * spot.col + spot.row, y: spot.row, shape: SHAPE}
pieces:
  token: {per: player, count: 2}
PLAY
messages:
  player.red: {en: NAME}
  player.green: {en: "Green"}
  spot.name: {en: NAME}
  token.name: {en: NAME}
""".replace("PLAY\n", PLAY)


def test_what_lies_beside_the_boards_is_a_part_of_its_own() -> None:
    start = game_of("tic_tac_toe").start(1)
    for columns, width in ((76, 76 * 9 + 32), (30, 30 * 9 + 32)):
        root = picture(start, columns=columns)
        [below] = [group for group in root.iter(f"{SVG}g") if "data-below" in group.attrib]
        assert "Cross" in texts(below)
        assert "Cross" not in " ".join(texts(site) for site in sites(root).values())
        assert not [group for group in below.iter() if "data-site" in group.attrib]
        lowest = max(
            float(rect.get("y", 0)) + float(rect.get("height", 0))
            for site in sites(root).values()
            for rect in site.iter(f"{SVG}rect")
        )
        assert lowest < float(below.attrib["data-below"]) < float(root.attrib["height"])
        assert float(root.attrib["width"]) == width


def test_pieces_of_a_player_are_drawn_beside_its_name_for_who_sees_them() -> None:
    """A tile of Metro joins its eight ends by four lines; the others see its back, which has no picture."""
    game = load("metro", players=3)
    found = {}
    for viewer in (0, 1, None):
        root = picture(game.start(1), viewer)
        [below] = [group for group in root.iter(f"{SVG}g") if "data-below" in group.attrib]
        frames, lines = list(below.iter(f"{SVG}rect")), list(below.iter(f"{SVG}path"))
        found[viewer] = len(frames), len(lines)
        ends = float(root.attrib["height"])
        assert all(float(frame.attrib["y"]) + float(frame.attrib["height"]) < ends for frame in frames)
        assert not any(sign in texts(below) for sign in "╭╮╰╯┼")
    assert found == {0: (1, 4), 1: (1, 4), None: (3, 12)}


def shaped(folder: Path, shape: str, name: str = "spot") -> Game:
    folder = folder / "shapes"
    folder.mkdir()
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\u202e", "\\u202E") + '"'
    text = HEX.replace("SHAPE", shape).replace("NAME", quoted).replace("TITLE", quoted)
    (folder / "shapes.yaml").write_text(text, encoding="utf-8")
    return load(str(folder))


@pytest.mark.parametrize(("shape", "corners"), [("hexagon", 6), ("octagon", 8), ("circle", None), ("square", None)])
def test_a_site_has_the_shape_that_is_declared(shape: str, corners: int | None, tmp_path: Path) -> None:
    found = sites(picture(shaped(tmp_path, shape).start(1)))
    assert len(found) == 4
    for site in found.values():
        polygons = site.findall(f"{SVG}polygon")
        if corners is None:
            assert polygons == []
            assert site.find(f"{SVG}{'circle' if shape == 'circle' else 'rect'}") is not None
        else:
            assert [len(polygon.attrib["points"].split()) for polygon in polygons] == [corners]


def test_columns_by_halves_put_hexes_into_gaps(tmp_path: Path) -> None:
    """The second row stands half a site further right: its left corner is between two of the first row."""
    found = sites(picture(shaped(tmp_path, "hexagon").start(1)))

    def left(name: str) -> float:
        points = found[name].find(f"{SVG}polygon").attrib["points"].split()
        return min(float(point.partition(",")[0]) for point in points)

    step = left("spot[1,0]") - left("spot[0,0]")
    assert left("spot[0,1]") - left("spot[0,0]") == pytest.approx(step / 2)


LOOKS = """
game: {id: looks, language: 1, title: {en: "Looks"}, players: 2, seats: [red, green]}
icons: {"▲": streetcar}
boards:
  field:
    spot:
      for: {col: 0..2}
      draw:
        x: spot.col
        y: 0
        width: 4
        height: 1
        picture_width: 6
        picture_height: 4
        shape: {circle: exists spot.token, upper_right: spot.col == 2, square: true}
        fill: {sea: exists spot.token, sand: spot.col == 0}
        edge: first(p in player where exists spot.token and spot.token.owner == p)
        shows: [spot.token]
    track:
      for: {col: 0..1}
      draw:
        x: track.col
        y: 1
        ports: 1
        joins: {1: 3}
        double: track.col == 1
        stroke: road
        inks: {1: green}
        shows: []
    rail:
      for: {col: 0..1}
      draw:
        x: rail.col
        y: 2
        ports: 1
        joins: {1: 3}
        inks: {3: if rail.col == 0 then red else none}
        shows: []
pieces:
  token:
    per: player
    count: 2
    draw: {icon: {house: token.owner == red, pawn: true}}
PLAY
messages:
  player.red: {en: "Red"}
  player.green: {en: "Green"}
  spot.name: {en: "spot {spot.col}"}
  track.name: {en: "track {track.col}"}
  rail.name: {en: "rail {rail.col}"}
  token.name: {en: "token of {token.owner}"}
  drawn.token: {en: "▲{token.owner}"}
  zone.player.rest: {en: "left"}
  put.prompt: {en: "Where?"}
""".replace("PLAY\n", PLAY)


def looking(folder: Path) -> State:
    (folder / "looks").mkdir()
    (folder / "looks" / "looks.yaml").write_text(LOOKS, encoding="utf-8")
    state = load(str(folder / "looks")).start(1)
    return state.apply(state.option("put spot[1]"))


def test_shapes_and_colours_follow_conditions(tmp_path: Path) -> None:
    """Red's token on the middle spot makes it round, of the colour of the sea, with an edge in Red's colour."""
    found = sites(picture(looking(tmp_path)))
    kinds = [[*found[f"spot[{n}]"]][1] for n in range(3)]
    assert [shape.tag.removeprefix(SVG) for shape in kinds] == ["rect", "circle", "polygon"]
    assert [shape.attrib["fill"] for shape in kinds] == [
        LOOK_COLOURS["sand"],
        LOOK_COLOURS["sea"],
        LOOK_COLOURS["paper"],
    ]
    assert [shape.attrib["stroke"] for shape in kinds] == ["#9ca3af", "#b91c1c", "#9ca3af"]
    assert (kinds[0].attrib["width"], kinds[0].attrib["height"]) == (f"{6 * 9}", f"{4 * 18}")
    points = [tuple(map(float, point.split(","))) for point in kinds[2].attrib["points"].split()]
    middle = 16 + 2.5 * 54, 16 + 36
    assert all(x - middle[0] > (y - middle[1]) * 54 / 72 for x, y in points)  # above the falling diagonal


def test_a_piece_with_an_icon_stands_as_it_in_its_owners_colour(tmp_path: Path) -> None:
    state = looking(tmp_path)
    state = state.apply(state.option("put spot[0]"))
    found = sites(picture(state))
    signs = {name: [g.attrib["data-says"] for g in site.iter(f"{SVG}g") if "data-says" in g.attrib]
             for name, site in found.items() if name.startswith("spot")}  # fmt: skip
    assert signs == {"spot[0]": ["▲G"], "spot[1]": ["▲R"], "spot[2]": []}
    for name, icon, colour, letter in (("spot[1]", "house", "#b91c1c", "R"), ("spot[0]", "pawn", "#15803d", "G")):
        [path] = found[name].iter(f"{SVG}path")
        assert (path.attrib["d"], path.attrib["fill"]) == (PATHS[icon], colour)
        assert texts(found[name]) == letter


def test_roads_are_of_two_widths_and_lines_have_the_colour_of_whose_they_are(tmp_path: Path) -> None:
    found = sites(picture(looking(tmp_path)))

    def widths(name: str) -> list[float]:
        lines = [path for path in found[name].iter(f"{SVG}path") if path.attrib["fill"] == "none"]
        return [float(path.attrib["stroke-width"]) for path in lines]

    assert widths("track[0]")[0] < widths("track[1]")[0] > widths("track[1]")[1]
    strokes = {name: [path.attrib["stroke"] for path in found[name].iter(f"{SVG}path")] for name in found}
    assert strokes["rail[0]"][-1] == "#b91c1c"
    assert strokes["rail[1]"] == ["#1f2937"]


def test_signs_that_have_an_icon_are_drawn_as_it_and_the_terminal_writes_them(tmp_path: Path) -> None:
    """What Red has left stands below the boards, as its sign with how many there are: one token of two."""
    state = looking(tmp_path)
    [below] = [group for group in picture(state).iter(f"{SVG}g") if "data-below" in group.attrib]
    assert "▲" not in texts(below)
    drawn = [g for g in below.iter(f"{SVG}g") if g.attrib.get("data-says") == "▲"]
    assert drawn
    assert {path.attrib["d"] for g in drawn for path in g} == {PATHS["streetcar"]}
    lines = Drawer(state.game, state.game.texts("en")).lines(state, Showing())
    assert any("▲R" in render(line) for line in lines)


def test_icons_are_where_the_words_for_them_are() -> None:
    assert set(PATHS) == set(ICONS)
    for path in PATHS.values():
        assert re.fullmatch(r"[MLHVCQSAZmlhvcqsaz0-9 .,-]+", path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("sand: spot.col == 0", "mauve: spot.col == 0", "mauve"),
        ("sand: spot.col == 0", "sand: spot.col", "boolean"),
        ("circle: exists", "blob: exists", "blob"),
        ("{house: token", "{castle: token", "castle"),
        ('"▲": streetcar', '"▲▲": tram', "one character"),
        ('"▲": streetcar', '"▲": penny', "penny"),
        ("edge: first(p in player", "edge: first(p in spot", "player"),
        ("picture_width: 6", "picture_width: 900", "200"),
        ("stroke: road", "stroke: rope", "rope"),
        ("inks: {1: green}", "inks: {1: player_count}", "player"),
        ("inks: {1: green}", "inks: {99: green}", "a port from 0 to 7"),
    ],
)
def test_looks_at_fault_are_told(old: str, new: str, says: str, tmp_path: Path) -> None:
    assert old in LOOKS
    (tmp_path / "looks").mkdir()
    (tmp_path / "looks" / "looks.yaml").write_text(LOOKS.replace(old, new), encoding="utf-8")
    with pytest.raises(ContentError, match=says):
        load(str(tmp_path / "looks"))


def test_lines_of_metro_have_the_colours_of_whose_they_are() -> None:
    """Of two players Yellow has station 3, whose line goes in at the top of the third square; no other begins there."""
    game = load("metro", players=2)
    state = game.start(1)
    for key in ("plan tile_in_hand", "lay square[2,0]"):
        state = state.apply(state.option(key))
    lines = list(sites(picture(state))["square[2,0]"].iter(f"{SVG}path"))
    assert [path.attrib["stroke"] for path in lines if path.attrib["stroke-width"] == "6"] == ["#facc15"]
    assert sum(path.attrib["stroke-width"] == "3" for path in lines) == 3


def test_an_unknown_shape_is_told(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="heptagon"):
        shaped(tmp_path, "heptagon")


HOSTILE = [
    "<script>alert(1)</script>",
    'a" onload="alert(1)',
    "]]>&lt;![CDATA[",
    "&amp; &bad; '",
    "x\u202egnp",
    "日本 é 👍",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_stands_in_a_name_is_text(name: str, tmp_path: Path) -> None:
    game = shaped(tmp_path, "square", name)
    state = game.start(1)
    root = picture(state.apply(state.options()[0]))
    assert is_harmless(root)
    titles = {title.text for title in root.iter(f"{SVG}title")}
    assert titles == {name.replace("\u202e", "")}


def test_ports_go_clockwise_from_the_left_end_of_the_top() -> None:
    box = Box(0, 0, 40, 20)
    assert [port_at(box, 2, port) for port in (0, 1, 2, 3)] == [(10, 0), (30, 0), (40, 5), (40, 15)]
    assert [port_at(box, 2, port) for port in (4, 5, 6, 7)] == [(30, 20), (10, 20), (0, 15), (0, 5)]
    assert [port_at(box, 2, port) for port in (8, 9, 10, 11)] == [(0, 0), (40, 0), (40, 20), (0, 20)]


def test_a_picture_shows_only_what_its_viewer_may_see() -> None:
    """Red holds the cards 1 and 7, Green 2 and 3; dealt anew, the picture for a seat stays the same."""
    state = game_of("probe").start(3)
    assert "card 7" in texts(picture(state, 0))
    assert "card 7" not in texts(picture(state, 1))
    assert "card 7" not in texts(picture(state))
    vector = Vector(state.game, state.game.texts("en"))
    for setting in LEAST:
        found = walk(setting, 0)
        before = found.states[len(found.keys) // 2]
        vector = Vector(before.game, before.game.texts("en"))
        for seat in range(setting.players):
            assert vector.svg(imagine(before, seat, 7), seat) == vector.svg(before, seat)


def test_a_look_that_tells_of_hidden_pieces_is_for_who_sees_them(tmp_path: Path) -> None:
    """What Red has left is seen by Red alone: its condition makes sites the sea for Red, and for whoever sees all."""
    text = LOOKS.replace("start: token.owner == player}", "start: token.owner == player, front: owner, back: all}")
    text = text.replace(
        "{sea: exists spot.token, sand: spot.col == 0}", "{sea: any(t in red.rest where t.owner == red)}"
    )
    text = text.replace("    count: 2\n", "    count: 2\n    back: []\n")
    folder = tmp_path / "looks"
    folder.mkdir()
    (folder / "looks.yaml").write_text(text, encoding="utf-8")
    state = load(str(folder)).start(1)
    colours = {viewer: [*sites(picture(state, viewer))["spot[0]"]][1].attrib["fill"] for viewer in (0, 1, EVERYBODY)}
    assert colours == {0: LOOK_COLOURS["sea"], 1: LOOK_COLOURS["paper"], EVERYBODY: LOOK_COLOURS["paper"]}
    whole = ET.fromstring(Vector(state.game, state.game.texts("en")).svg(state, None))
    assert [*sites(whole)["spot[0]"]][1].attrib["fill"] == LOOK_COLOURS["sea"]


@pytest.mark.parametrize("shape", ["circle", "octagon"])
@pytest.mark.parametrize(("columns", "rows"), [(2, 1), (3, 1), (2, 2), (1, 2)])
def test_several_icons_stay_inside_a_round_shape(shape: str, columns: int, rows: int) -> None:
    """The corners of their room are no further from the middle than a circle is."""
    box = Box(10, 20, 54, 54)
    room = room_for(shape, box, columns, rows)
    assert hypot(room.wide, room.high) / 2 == pytest.approx(27)
    assert room.wide / room.high == pytest.approx(columns / rows)
    assert room.middle == pytest.approx(box.middle)
    assert room_for(shape, box, 1, 1) == room_for("square", box, columns, rows) == box


def test_sites_that_lie_too_far_out_are_told(tmp_path: Path) -> None:
    text = HEX.replace("SHAPE", "square").replace("NAME", '"a"').replace("TITLE", '"a"')
    folder = tmp_path / "far"
    folder.mkdir()
    (folder / "far.yaml").write_text(
        text.replace("x: 2 * spot.col + spot.row, y: spot.row", "x: spot.row + 1000000 * spot.col, y: 0"),
        encoding="utf-8",
    )
    root = picture(load(str(folder)).start(1))
    assert len(sites(root)) == 2
    assert "2 sites lie too far out to be drawn." in texts(root)


def logged(file: Path) -> None:
    """The log of a game of tic-tac-toe that was ended after two marks."""
    log = GameLog.start(file, shipped("tic_tac_toe"), 1)
    state = log.state
    for key in ("place_mark cell[1,1]", "place_mark cell[0,0]"):
        after = state.apply(state.option(key), events=True)
        log.decision(state, state.option(key), after)
        state = after
    log.finish(state)


def test_the_command_draws_a_log_to_any_decision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged(tmp_path / "a.log")
    out = tmp_path / "board.svg"
    for words, marks in (([], ["cell[0,0]", "cell[1,1]"]), (["--to", "1"], ["cell[1,1]"])):
        assert main(["draw", "tic_tac_toe", "--log", str(tmp_path / "a.log"), *words, "--out", str(out)]) == 0
        found = sites(ET.fromstring(out.read_text(encoding="utf-8")))
        assert [name for name, site in found.items() if texts(site)] == marks
    capsys.readouterr()


def test_a_picture_is_printed_as_a_file_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", "tic_tac_toe", "--out", "a.svg"]) == 0
    capsys.readouterr()
    for words in ([], ["--out", "-"]):
        assert main(["draw", "tic_tac_toe", *words]) == 0
        assert capsys.readouterr().out == Path("a.svg").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.parametrize(
    ("game", "old", "new", "code"),
    [
        ("connect_four", "", "", "RS826"),  # another game, in which somebody else begins
        ("tic_tac_toe", "cell[0,0]", "cell[1,1]", "RS825"),
        ("tic_tac_toe", '"result": null}', '"resu', "RS820"),
    ],
)
def test_a_log_at_fault_is_not_drawn_but_told_as_when_it_is_played_again(
    game: str, old: str, new: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    logged(log)
    log.write_text(log.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert main(["draw", game, "--log", str(log), "--out", str(tmp_path / "a.svg")]) == 1
    told = capsys.readouterr().err
    assert code in told
    assert not (tmp_path / "a.svg").exists()
    assert main(["replay", str(log), "--game", game]) == 1
    assert capsys.readouterr().err == told


def test_a_decision_behind_the_end_of_a_log_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged(tmp_path / "a.log")
    log = str(tmp_path / "a.log")
    for words in (["draw", "tic_tac_toe", "--log", log, "--out", str(tmp_path / "a.svg")], ["replay", log]):
        assert main([*words, "--to", "3"]) == 2
        assert "a.log ends after decision 2." in capsys.readouterr().err
        assert main([*words, "--to", "2"]) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--to", "1"], "--to belongs to --log"),
        (["--as", "purple"], "there is no player 'purple'"),
        (["--seed", "-1"], "--seed lies between"),
        (["--log", "a.log", "--players", "2"], "leave --players and --option out"),
        (["--log", "a.log"], "a.log: No such file"),
    ],
)
def test_what_cannot_be_drawn(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", "tic_tac_toe", *words, "--out", "a.svg"]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CONTENT / "drawn", tmp_path / "drawn")
    assert main(["draw", str(tmp_path / "drawn"), "--out", str(tmp_path / "no" / "a.svg")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_every_colour_of_a_seat_has_one_in_pictures() -> None:
    for style in (*SEATS, *NAMED.values()):
        assert _COLOURS.keys() & style.split(";"), style
