"""Dice: pieces with faces that are numbers or members of an enum, rolled with a stream of chance of their own."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load
from interpreter.imagine import imagine, imagined_cells
from interpreter.log_lines import LineWriter
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import read_game
from tests.engine.small import small

HEAD = "game: {id: g, language: 1, title: {en: G}, players: 2, seats: [red, blue]}\n"
RANKING = "ranking: [{most: player.score}]\n"
#: What fair dice exceed once in a thousand times: chi-square with 5 and with 15 degrees of freedom, from tables.
MOST_OF_6, MOST_OF_16 = 20.52, 37.70


def made(folder: Path, text: str, executor: str | None = None) -> Game:
    folder.mkdir(exist_ok=True)
    (folder / "g.yaml").write_text(HEAD + text + RANKING, encoding="utf-8")
    return load(folder, executor=executor)


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = sum(counts.values()) / kinds
    return sum((counts[kind] - expected) ** 2 for kind in counts) / expected + (kinds - len(counts)) * expected


ROLLED = """
boards: {tally: {pip: {for: {n: 1..6}}}}
pieces: {die: {faces: 1..6}}
zones: {dice: {shape: slot, holds: die, start: true}}
state: {pip.seen: {type: 0..2000, start: 0}, pip.after_one: {type: 0..2000, start: 0}, last: {type: 1..6, start: 1}}
flow:
  - repeat:
      - roll: dice
      - for_each: pip
        where: pip.n == (dice.face otherwise 0)
        do:
          - {set: pip.seen, to: pip.seen + 1}
          - if: last == 1
            then: [{set: pip.after_one, to: pip.after_one + 1}]
      - set: last
        to: dice.face otherwise 1
    times: 1200
  - if: true
    then: [{score: 1, for: red, reason: end}]
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_each_face_comes_as_often_and_after_each_other(tmp_path: Path, seed: int) -> None:
    view = made(tmp_path, ROLLED).start(seed).view(0).to_json()["state"]
    seen, after = (
        Counter({n: view[f"pip.{name}"][f"pip[{n}]"] for n in range(1, 7)}) for name in ("seen", "after_one")
    )
    assert sum(seen.values()) == 1200
    assert chi_square(seen, 6) < MOST_OF_6
    assert 130 < sum(after.values()) < 275  # a sixth of all, and five deviations of 13
    assert chi_square(after, 6) < MOST_OF_6


def test_two_dice_are_independent() -> None:
    """Five dice of one roll, over 800 seeds: each total as often as five fair dice give it, the rare ones as one."""
    sums = Counter(sum(faces(small("dice", 2).start(seed))) for seed in range(800))
    ways = Counter(map(sum, product(range(1, 7), repeat=5)))
    expected = Counter[int]()
    found = Counter[int]()
    for total, number in ways.items():
        kind = min(max(total, 10), 25)  # of 800, at least 7 in each
        expected[kind] += 800 * number / 6**5
        found[kind] += sums[total]
    assert sum((found[kind] - expected[kind]) ** 2 / expected[kind] for kind in expected) < MOST_OF_16


def faces(state: State) -> list[int]:
    """What the open dice show."""
    return [int(piece[4:-1]) for piece in state.view(0).to_json()["zones"]["dice"]]


def rolls(state: State) -> list[tuple[str, int]]:
    return [(event.values["in"], len(event.pieces)) for event in state.what_happened() if event.kind == "roll"]


def test_only_what_is_chosen_is_rolled_again() -> None:
    """The first decision is whether to roll again; the turn then rolls two, the coin, and the next player's all."""
    state = small("dice", 2).start(4, events=True)
    assert rolls(state) == [("palm", 1), ("dice", 5), ("red.cup", 2)]
    before = faces(state)
    state = state.apply(state.option("rolling accept"))
    state = state.apply(state.option(f"again die({before[0]})"))
    state = state.apply(state.option("stop"), events=True)
    assert rolls(state)[0] == ("dice", 1)
    (first,) = next(event for event in state.what_happened() if event.kind == "roll").pieces
    assert first in {f"die({n})" for n in range(1, 7)}


def test_a_die_is_written_with_what_it_shows() -> None:
    state = small("dice", 2).start(4, events=True)
    view = state.view(0).to_json()["zones"]
    assert all(piece in {f"die({n})" for n in range(1, 7)} for piece in view["dice"])
    assert all(
        piece in {f"attack(red,{side})" for side in ("miss", "hit", "crit")} for piece in view["player.cup"]["red"]
    )


def test_others_learn_that_was_rolled_and_not_what() -> None:
    state = small("dice", 2).start(4, events=True)
    lines = [line for line in LineWriter(state.game, 1).events(state) if line["event"] == "roll"]
    assert [line["pieces"] for line in lines if line["in"] == "red.cup"] == [["attack()", "attack()"]]
    own = [line for line in LineWriter(state.game, 0).events(state) if line.get("in") == "red.cup"]
    assert all("," in piece for piece in own[0]["pieces"])


@pytest.mark.parametrize("seat", [None, 0])
def test_which_die_of_a_pool_fell_how_is_not_told(seat: int | None) -> None:
    """Five dice at once: in most of these throws they did not fall in the order of what they show."""
    for seed in range(10):
        state = small("dice", 2).start(seed, events=True)
        for line in LineWriter(state.game, seat).events(state):
            if line["event"] == "roll" and line["in"] == "dice":
                assert line["pieces"] == sorted(line["pieces"])


@pytest.mark.parametrize("executor", ["native", "reference"])
def test_each_die_is_told_by_where_it_lies(tmp_path: Path, executor: str) -> None:
    """Of a tower all see the die on top; of dice from table and cup, rolled at once, nobody else sees the cup's."""
    text = """
pieces: {die: {count: 6, faces: 1..6}}
zones:
  tower: {shape: stack, holds: die, front: top, start: true}
  table: {shape: pool, holds: die}
  player.cup: {shape: pool, holds: die, front: owner}
setup:
  - {draw: 2, from: tower, to: table}
  - {draw: 1, from: tower, to: red.cup}
  - {roll: tower}
  - {roll: "take(1, tower)"}
  - {roll: "take(1, table) + take(1, red.cup)"}
flow:
  - turns: player
    do: [{may: [{score: 1, reason: a}], id: b}]
"""
    state = made(tmp_path, text, executor).start(3, events=True)
    told = [line for line in LineWriter(state.game, 1).events(state) if line["event"] == "roll"]
    assert [[piece != "die()" for piece in line["pieces"]] for line in told] == [
        [False, False, True],
        [True],
        [True, False],
    ]
    assert [line["in"] for line in told] == ["tower", "tower", ["table", "red.cup"]]


@pytest.mark.parametrize("executor", ["native", "reference"])
def test_who_rolls_is_told_only_where_somebody_does(tmp_path: Path, executor: str) -> None:
    """Outside of turns it is whose the dice are, or nobody; in a turn it is whoever has it."""
    text = """
pieces: {die: {count: 4, faces: 1..6}}
zones:
  table: {shape: pool, holds: die, start: true}
  player.cup: {shape: pool, holds: die}
setup:
  - {roll: table}
  - for_each: player
    do: [{draw: 1, from: table, to: player.cup}, {roll: player.cup}]
flow:
  - {turns: player, do: [{roll: blue.cup}]}
  - {roll: table}
  - turns: player
    do: [{may: [{score: 1, reason: a}], id: b}]
"""
    state = made(tmp_path, text, executor).start(3, events=True)
    lines = [line.partition(":")[0] for line in state.game.texts("en").log_lines(state.events or ())]
    told = [line for line in lines if "olls" in line or "olled" in line]
    assert told == ["Rolled", "red rolls", "blue rolls", "red rolls", "blue rolls", "Rolled"]


def test_what_is_under_a_cup_is_imagined_anew() -> None:
    """Of another's two dice all nine looks come, whatever they show; one's own and the open ones stay."""
    state = small("dice", 2).start(4)
    found = Counter()
    for seed in range(300):
        other = imagine(state, 1, seed)
        assert faces(other) == faces(state)
        found[tuple(sorted(other.view(0).to_json()["zones"]["player.cup"]["red"]))] += 1
    assert len(found) == 6  # two equal dice: three pairs, three of one kind
    pairs = Counter({key: times if key[0] == key[1] else times / 2 for key, times in found.items()})
    assert all(15 < times < 55 for times in pairs.values())  # 33 of 300 each, and three deviations of 5.5


PEEK = """
pieces:
  die: {per: player, count: 3, faces: 1..6}
  tile: {attributes: {hue: 1..2}, faces: 1..6, rows: [{hue: 1, count: 2}, {hue: 2, count: 2}]}
zones:
  player.cup: {shape: pool, holds: die, front: owner, start: die.owner == player}
  pile: {shape: stack, holds: tile, front: nobody, start: true}
actions:
  peek:
    do:
      - {choose: d, from: me.left.cup, CHOOSE}
      - {choose: bet, from: 0..1}
      - {move: d, to: me.cup}
      - {flip: me.cup, face: 1}
  lift: {do: [{choose: t, from: pile}, {choose: bet, from: 0..1}, {move: t, to: pile, face: 1}]}
setup:
  - for_each: player
    do: [{roll: player.cup}]
  - roll: pile
flow:
  - turns: player
    do: [{choose: what, from: [peek, lift]}, {perform: what}]
"""


@pytest.mark.parametrize(("choose", "dice"), [("order: given", 1), ("exactly: 2", 2)])
def test_what_a_name_holds_under_a_cup_is_imagined_anew(tmp_path: Path, choose: str, dice: int) -> None:
    """A hidden die that was chosen shows each face as often as any, and what was begun can be ended with it."""
    game = made(tmp_path, PEEK.replace(", CHOOSE", "" if dice == 1 else f", {choose}"))
    found = Counter[tuple[int, ...]]()
    for seed in range(6):
        state = game.start(seed)
        state = state.apply(state.option("what peek"))
        while state.decision is not None and state.decision.id != "bet":
            state = state.apply(state.options()[0])
        for number in range(60):
            other = imagine(state, 0, number)
            assert other.to_bytes() == game.state_from_cells(imagined_cells(state, 0, number)).to_bytes()
            (held,) = (frame["names"]["d"] for frame in other.to_json()["stack"] if "d" in frame["names"])
            held = held if isinstance(held, list) else [held]
            under = Counter(other.to_json()["zones"]["player.cup"]["blue"])
            assert not Counter(held) - under  # what it holds lies there
            assert other.information_state(0) == state.information_state(0)
            ended = other.apply(other.options()[0]).to_json()["zones"]["player.cup"]
            assert len(ended["red"]) == 3 + dice
            found.update(die[-2] for die in held)
    assert chi_square(found, 6) < MOST_OF_6 * 6  # the same seeds come six times


def test_the_same_is_imagined_whatever_face_a_name_holds(tmp_path: Path) -> None:
    """What a seat imagines does not turn on what it does not see, and in a pile its name stays where it was."""
    game = made(tmp_path, PEEK.replace(", CHOOSE", ""))
    for start, names in (("what peek", "d"), ("what lift", "t")):
        imagined = set()
        for seed in range(5):
            state = game.start(seed)
            state = state.apply(state.option(start))
            state = state.apply(state.options()[0])
            seen = []
            for number in range(20):
                other = imagine(state, 0, number)
                assert other.to_bytes() == game.state_from_cells(imagined_cells(state, 0, number)).to_bytes()
                seen += [frame["names"][names] for frame in other.to_json()["stack"] if names in frame["names"]]
                other.apply(other.options()[0])
            assert len(set(seen)) > 3
            imagined.add(tuple(seen))
        assert names == "t" or len(imagined) == 1


def test_the_stream_of_a_kind_is_its_own() -> None:
    """Rolling coins shifts no roll of dice."""
    assert {"roll die", "roll attack", "roll coin"} <= set(small("dice", 2).facts.layout.streams)


@pytest.mark.parametrize("executor", ["native", "reference"])
def test_a_numbered_face_is_given_and_asked_for_by_its_number(tmp_path: Path, executor: str) -> None:
    text = """
pieces: {die: {count: 3, faces: 3..8}}
zones: {dice: {shape: pool, holds: die, start: true}, kept: {shape: pool, holds: die}}
flow:
  - score: sum(d.face for d in dice)
    for: red
    reason: first
  - move: dice.first
    to: kept
    face: 8
  - flip: dice.first
    face: 5
  - score: 100 * sum(d.face for d in kept) + 10 * (max(d.face for d in dice) otherwise 0)
    for: blue
    reason: then
"""
    state = made(tmp_path, text, executor).start(0)
    assert state.result is not None
    assert state.result.scores == (9, 850)  # three dice at their first face, 3; then 8 by itself, and 5 beside 3


@pytest.mark.parametrize("executor", ["native", "reference"])
@pytest.mark.parametrize(
    "step",
    ["flip: dice", "flip: dice.first", "move: dice.first, to: kept", "move: dice, to: kept"],
)
def test_a_computed_face_that_no_die_has_is_a_fault(tmp_path: Path, executor: str, step: str) -> None:
    """Of four dice: 4 + 2 is a face, 4 + 3 and 4 - 4 are none. Nothing turns into a die of another colour."""
    text = """
pieces: {die: {attributes: {hue: 1..2}, faces: 1..6, rows: [{hue: 1, count: 2}, {hue: 2, count: 2}]}}
zones: {dice: {shape: pool, holds: die, start: true}, kept: {shape: pool, holds: die}}
flow:
  - {STEP, face: FACE}
  - score: count(d in dice where d.face == 6) + count(d in kept where d.face == 6)
    for: red
    reason: six
  - score: 10 * dice.count + kept.count
    for: blue
    reason: left
"""
    text = text.replace("STEP", step)
    state = made(tmp_path, text.replace("FACE", "dice.count + 2"), executor).start(0)
    assert state.result is not None
    one, moved = "first" in step, "move" in step
    assert state.result.scores == (1 if one else 4, (31 if one else 4) if moved else 40)
    for face, value in (("dice.count + 3", 7), ("dice.count - 4", 0)):
        with pytest.raises(ContentError, match=rf"RS801: This comes to {value}, outside 1\.\.6"):
            made(tmp_path, text.replace("FACE", face), executor).start(0)


def test_no_die_is_described_by_a_face_that_it_does_not_have(tmp_path: Path) -> None:
    """Three white dice and three black ones that show 1: a white die of face 7 is none of the black ones."""
    text = """
pieces: {die: {attributes: {hue: 1..2}, faces: 1..6, rows: [{hue: 1, count: 3}, {hue: 2, count: 3}]}}
zones: {dice: {shape: pool, holds: die, start: true}}
flow:
  - score: count(d in dice where d == die(1, dice.count + 1))
    for: red
    reason: seven
  - score: count(d in dice where d == die(1, dice.count - 5))
    for: blue
    reason: one
  - score: 10 * count(d in dice where d == die(2, dice.count - 5 + d.hue - d.hue))
    for: blue
    reason: black
"""
    state = made(tmp_path, text).start(0)
    assert state.result is not None
    assert state.result.scores == (0, 33)


@pytest.mark.parametrize("executor", ["native", "reference"])
@pytest.mark.parametrize("shape", ["pool", "stack"])
@pytest.mark.parametrize(
    ("named", "dice"), [("dice.first", 1), ("take(1, dice)", 1), ("list(x for x in dice where x.face == 1)", 3)]
)
def test_a_name_follows_the_dice_that_are_rolled(
    tmp_path: Path, executor: str, shape: str, named: str, dice: int
) -> None:
    """Three dice that show 1 and one that shows 6: those that were rolled are moved, whatever they show; 6 stays."""
    text = f"""
pieces: {{die: {{count: 4, faces: 1..6}}}}
zones: {{dice: {{shape: {shape}, holds: die, start: true}}, kept: {{shape: pool, holds: die}}}}
flow:
  - flip: dice.{"bottom" if named.startswith("take") else "last"}
    face: 6
  - let: d
    be: {named}
  - roll: d
  - roll: d
  - move: d
    to: kept
  - score: 10 * kept.count + count(x in dice where x.face == 1)
    for: red
    reason: left
  - score: sum(x.face for x in kept)
    for: blue
    reason: shown
"""
    game = made(tmp_path, text, executor)
    shown = set()
    for seed in range(12):
        result = game.start(seed).result
        assert result is not None
        assert result.scores[0] == 10 * dice + 3 - dice
        shown.add(result.scores[1])
    assert len(shown) > 2


def test_where_nothing_lies_nothing_is_rolled_and_a_piece_must_be_there(tmp_path: Path) -> None:
    text = """
pieces: {die: {count: 1, faces: 1..6}}
zones: {cup: {shape: slot, holds: die}, tray: {shape: pool, holds: die}}
flow:
  - roll: tray
  - try: [{roll: cup}, {score: 1, for: red, reason: rolled}]
    else: [{score: 1, for: blue, reason: none}]
  - try: [{roll: "take(1, tray)"}, {score: 1, for: red, reason: rolled}]
    else: [{score: 1, for: blue, reason: none}]
"""
    state = made(tmp_path, text).start(0)
    assert state.result is not None
    assert state.result.scores == (0, 2)


# ---- what is refused -------------------------------------------------------------------------------------------------


def problems_of(folder: Path, text: str) -> list[tuple[str, str]]:
    from rulespec.check import check_game

    (folder / "g.yaml").write_text(HEAD + text + RANKING, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, [], problems)
    return [(problem.code, problem.hint or "") for problem in problems.errors]


ZONE = "zones: {dice: {shape: pool, holds: die, start: true}}\n"


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("pieces: {die: {faces: 6}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS253", "..6"),
        ("pieces: {die: {faces: [1..6]}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS259", "faces: 1..6"),
        ("pieces: {die: {faces: [1, 2, 3]}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS259", "faces: 1..6"),
        ("pieces: {die: {faces: 1..6}}\n" + ZONE + "flow: [{roll: 2}]\n", "RS303", "Dice are pieces"),
        ("pieces: {die: {count: 2}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS606", "faces: 1..6"),
        ("pieces: {die: {faces: 4..4}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS303", "1..6"),
        ("pieces: {die: {faces: 1..9999999}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS705", ""),
        ("pieces: {die: {faces: player}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS303", "1..6"),
        ("pieces: {die: {faces: 1..6}}\n" + ZONE + "flow: [{flip: dice, face: 7}]\n", "RS314", ""),
        ("pieces: {die: {sides: 6}}\n" + ZONE + "flow: [{roll: dice}]\n", "RS251", "faces"),
        ("flow: [{score: roll(6), for: red, reason: luck}]\n", "RS301", "faces: 1..6"),
        ("flow: [{score: 'random(1, 6)', for: red, reason: luck}]\n", "RS301", "faces: 1..6"),
    ],
)
def test_what_people_try_first_leads_there(tmp_path: Path, text: str, code: str, hint: str) -> None:
    found = problems_of(tmp_path, text)
    assert [problem for problem in found if problem[0] == code and hint in problem[1]], found
