"""What must hold of every game, on random games of every shipped game, for every number of players and option."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from interpreter import Game, IllegalOption, State
from interpreter.imagine import imagine
from interpreter.log import GameLog, as_text, seat_log
from interpreter.log_checking import check_log
from interpreter.log_lines import LineWriter
from interpreter.log_reading import parse_log
from interpreter.options import key_text
from interpreter.refusal import Raw
from interpreter.save import load_save, save
from rulespec.diagnostics.model import Problems
from rulespec.source.text import SourceFile
from tests.engine.walks import SEEDS, Setting, Walk, as_json, quick_settings, settings, walk
from tests.lengths import long_where
from tests.shipped import GO

ROOT = Path(__file__).parents[2]
ALL = settings()
QUICK = quick_settings()
#: On large boards of Go a game takes the reference minutes.
ASKED = [s for s in ALL if s in QUICK or s.game != "go" or s.options in GO]
# All that is asked of a setting is asked by one process, one after the other: its games are played once.
each_setting = pytest.mark.parametrize(
    "setting",
    [pytest.param(s, marks=() if s in QUICK else pytest.mark.long, id=str(s)) for s in ASKED],
    scope="module",
)
quick = hypothesis_settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
#: Of the candidates that are not offered, so many are asked about at each position.
MOST_REFUSED = 12
MOST_APPLIED = 30


@st.composite
def positions(draw: st.DrawFn, *, over: bool = False) -> tuple[Walk, int]:
    """A random game and the number of a decision in it; with `over`, its end too."""
    found = walk(draw(st.sampled_from(QUICK)), draw(st.sampled_from(list(SEEDS))))
    return found, draw(st.integers(0, len(found.keys) - (0 if over else 1)))


def _spread(items: list[Any], most: int) -> list[Any]:
    """Some of the items, from all over the list."""
    return items[:: max(len(items) // most, 1)][:most]


# ---- playing ---------------------------------------------------------------------------------------------------------


def test_every_game_number_of_players_and_option_is_played() -> None:
    names = {(setting.game, setting.players) for setting in ALL}
    assert ("tic_tac_toe", 2) in names
    assert {players for game, players in names if game == "agora_barcelona"} == {3, 4, 5}
    assert {players for game, players in names if game == "metro"} == {1, 2, 3, 4, 5, 6}
    assert any(setting.options == (("take_at_once", True),) for setting in ALL)
    alone = {setting.options for setting in ALL if setting.game == "metro" and setting.players == 1}
    assert alone == {(("solo", "normal"),), (("solo", "harder"),)}


@each_setting
def test_never_stuck(setting: Setting) -> None:
    """Every random game ends, with an option at each decision (see `walk`), and a result at the end alone."""
    for seed in SEEDS:
        states = walk(setting, seed).states
        assert states[-1].result is not None
        assert all(state.result is None for state in states[:-1])
        assert sorted(s for place in states[-1].result.ranking for s in place) == list(range(setting.players))


@quick
@given(positions())
def test_keys_are_unique_and_find_their_option(position: tuple[Walk, int]) -> None:
    state = position[0].states[position[1]]
    keys = state.options().keys()
    assert len(set(keys)) == len(keys) == len(state.options())
    assert [state.option(key).candidate for key in keys] == [option.candidate for option in state.options()]


@quick
@given(positions())
def test_every_offered_option_applies_and_the_old_state_is_untouched(position: tuple[Walk, int]) -> None:
    state = position[0].states[position[1]]
    before, keys = state.to_bytes(), state.options().keys()
    for option in _spread(list(state.options()), MOST_APPLIED):
        after = state.apply(option)
        assert after.decision is not None or after.result is not None
    game = state.game
    lasting = game.facts.layout.lasting  # what lies behind is no part of a state
    assert game.state_from_bytes(before).cells[:lasting] == state.cells[:lasting]
    assert State(game, state.cells, state.candidates).to_bytes() == before
    assert state.options().keys() == keys


@quick
@given(positions())
def test_every_candidate_that_is_not_offered_is_refused_by_a_condition(position: tuple[Walk, int]) -> None:
    """Each refusal names the condition and its place; one of a set may also be picked already, or come later."""
    state = position[0].states[position[1]]
    offered, raw = set(state.options().keys()), Raw(state)
    others = [c for c in raw.candidates() if key_text(state, c) not in offered]
    for candidate in _spread(others, MOST_REFUSED):
        key = key_text(state, candidate)
        with pytest.raises(IllegalOption) as refused:
            state.option(key)
        refusal = refused.value.refusal
        assert refusal.rule
        if state.ask.kind != "set" or refusal.reason not in ("picked", "later"):
            assert refusal.reason in ("condition", "completion"), (key, refusal)
            assert refusal.span is not None
            assert f"{refusal.span.file.name}:{refusal.span.line}" in str(refused.value)


@quick
@given(positions(), st.text(max_size=20))
def test_any_other_text_is_refused(position: tuple[Walk, int], text: str) -> None:
    state = position[0].states[position[1]]
    if state.options().find(text) is None:
        with pytest.raises(IllegalOption):
            state.option(text)


@each_setting
def test_what_always_holds_holds_at_every_decision(setting: Setting) -> None:
    game = setting.load()
    for seed in SEEDS:
        for state in walk(setting, seed).states:
            always, value = game.facts.program.always, game.machine.value
            assert [span.text for span, holds in always if not value(holds, state.cells)] == []


@pytest.mark.long
@each_setting
def test_all_of_it_on_more_games(setting: Setting) -> None:
    """Conditions, pieces, bytes and views, at every tenth decision of two more games."""
    game = setting.load()
    for seed in range(10, 12):
        for at, state in enumerate(walk(setting, seed).states[::10]):
            assert all(game.machine.value(holds, state.cells) for _, holds in game.facts.program.always)
            assert _lying(state) == _supply(game)
            assert game.state_from_bytes(state.to_bytes()) == state
            seat = at % setting.players
            if state.decision is not None:
                assert as_json(imagine(state, seat, seed), seat) == as_json(state, seat)


# ---- data ------------------------------------------------------------------------------------------------------------


@quick
@given(positions(over=True))
def test_bytes_and_back(position: tuple[Walk, int]) -> None:
    found, at = position
    state = found.states[at]
    data = state.to_bytes()
    assert len(data) == len(found.states[0].to_bytes()) <= (4096 if state.game.world.repetition is None else 65_536)
    again = state.game.state_from_bytes(data)
    assert (again, again.digest(), hash(again)) == (state, state.digest(), hash(state))
    assert again.options().keys() == state.options().keys()
    assert again.to_json() == state.to_json()


@quick
@given(positions(over=True), st.data())
def test_other_bytes_are_refused_or_are_another_state(position: tuple[Walk, int], data: st.DataObject) -> None:
    """A changed byte never gives a state that calls itself equal; a changed length is refused."""
    found, at = position
    state = found.states[at]
    good = state.to_bytes()
    where = data.draw(st.integers(0, len(good) - 1))
    bad = good[:where] + bytes([good[where] ^ data.draw(st.integers(1, 255))]) + good[where + 1 :]
    with pytest.raises(ValueError, match="bytes"):
        state.game.state_from_bytes(good + b"\0")
    with pytest.raises(ValueError, match="bytes"):
        state.game.state_from_bytes(good[:-1])
    try:
        other = state.game.state_from_bytes(bad)
    except ValueError:
        return
    assert other.to_bytes() == bad
    assert other != state


def _supply(game: Game) -> Counter[tuple[str, int]]:
    """How many pieces there are of each kind and row, faces aside."""
    found: Counter[tuple[str, int]] = Counter()
    for name, kind in game.world.pieces.items():
        for code, count in enumerate(kind.supply):
            found[name, code // max(len(kind.faces), 1)] += count
    return +found


def _lying(state: State) -> Counter[tuple[str, int]]:
    found: Counter[tuple[str, int]] = Counter()
    handling = state.game.facts.pieces
    for zone in state.game.world.zones.values():
        faces = max(len(state.game.world.pieces[zone.holds].faces), 1)
        for place in range(zone.first, zone.first + zone.places):
            found.update((zone.holds, code // faces) for code in handling.content(state.cells, place))
    return found


@each_setting
def test_pieces_are_conserved(setting: Setting) -> None:
    for seed in SEEDS:
        for state in walk(setting, seed).states:
            assert _lying(state) == _supply(state.game)


# ---- the same again --------------------------------------------------------------------------------------------------


@each_setting
def test_the_same_seed_and_keys_give_the_same_game(setting: Setting) -> None:
    found = walk(setting, 0)
    state = setting.load().start(0)
    for key, expected in zip(found.keys, found.states[1:], strict=True):
        state = state.apply(state.option(key))
        assert state.digest() == expected.digest()


_ELSEWHERE = """
import random, sys
from interpreter import load
from interpreter.save import load_save
from rulespec.diagnostics.model import Problems
problems = Problems()
saved = load_save(sys.argv[1], problems)
assert saved is not None, problems.items
state, dice = saved.state, random.Random(int(sys.argv[2]))
while state.decision is not None:
    print(state.digest(), *state.options().keys(), sep="|")
    state = state.apply(state.options()[dice.randrange(len(state.options()))])
print(state.digest(), state.result)
"""


def _on(state: State, seed: int) -> str:
    """As the script above."""
    import random

    dice, lines = random.Random(seed), []
    while state.decision is not None:
        lines.append("|".join([state.digest(), *state.options().keys()]))
        state = state.apply(state.options()[dice.randrange(len(state.options()))])
    return "\n".join([*lines, f"{state.digest()} {state.result}"]) + "\n"


SAVED = [(QUICK[0], 0.2), (QUICK[-1], 0.5), (QUICK[len(QUICK) // 2], 0.9)]


@pytest.mark.parametrize(("setting", "share"), long_where(lambda s, _: s.game == "barcelona", SAVED), ids=str)
def test_a_save_goes_on_alike_in_another_process(setting: Setting, share: float, tmp_path: Path) -> None:
    """Also with another seed of Python's own hashes."""
    found = walk(setting, 1)
    stop = int(len(found.keys) * share)
    log = GameLog.start(None, setting.load(), 1)
    state = log.state
    for key in found.keys[:stop]:
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    file = tmp_path / "game.save"
    save(state, file, log)
    for hashes in ("0", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", _ELSEWHERE, str(file), "5"],
            capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes},
        )  # fmt: skip
        assert done.stderr == ""
        assert done.stdout == _on(state, 5)


# ---- what a seat may know --------------------------------------------------------------------------------------------


@quick
@given(positions(), st.integers(0, 1000), st.data())
def test_a_view_does_not_change_with_what_the_seat_may_not_know(
    position: tuple[Walk, int], seed: int, data: st.DataObject
) -> None:
    """Hidden pieces dealt anew, and all chance: the view is the same, and so is what its seat may choose."""
    found, at = position
    state = found.states[at]
    seat = data.draw(st.integers(0, found.setting.players - 1))
    other = imagine(state, seat, seed)
    assert as_json(other, seat) == as_json(state, seat)
    assert other.view(seat).option_keys() == state.view(seat).option_keys()
    assert _lying(other) == _supply(other.game)


@quick
@given(positions(), st.integers(0, 1000), st.data())
def test_a_seat_log_does_not_change_with_what_the_seat_may_not_know(
    position: tuple[Walk, int], seed: int, data: st.DataObject
) -> None:
    """The same choice of the seat, made in two worlds that it cannot tell apart, is written alike."""
    found, at = position
    state = found.states[at]
    assert state.decision is not None
    seat = state.decision.player
    other = imagine(state, seat, seed)
    key = data.draw(st.sampled_from(state.options().keys()))
    writer = LineWriter(state.game, seat)
    lines = [
        writer.decision(1, s, s.option(key), s.apply(s.option(key), events=True)) | {"digest": ""}
        for s in (state, other)
    ]
    assert lines[0] == lines[1]


def _fronts(game: Game, text: str) -> set[str]:
    """Pieces of hidden kinds that are told by their fronts."""
    hidden = {z.holds for z in game.world.zones.values() if z.front != "all"}
    return {m for kind in hidden for m in re.findall(rf"\b{kind}\([^()]*,[^()]*\)", text)}


def _laid_open(state: State) -> str:
    """Pieces that came to where everybody sees the fronts, on the way to a state; they may lie hidden by then."""
    zones = state.game.world.zones.items()
    open_ = {key.rpartition(".")[2] for key, zone in zones if zone.front == "all"}
    hidden = {key.rpartition(".")[2] for key, zone in zones if zone.front != "all"}
    moves = [event for event in state.what_happened() if event.kind == "move"]
    return str([event.pieces for event in moves if str(event.to).rpartition(".")[2] in open_ - hidden])


PLAIN = [s for s in ALL if not s.options]


@pytest.mark.parametrize("setting", long_where(lambda s: s.game == "barcelona" and s.players > 2, PLAIN), ids=str)
def test_a_seat_log_tells_only_what_its_seat_saw(setting: Setting) -> None:
    """Every front that is told of a decision was to be seen by the seat before, after or meanwhile; no seed is told."""
    found, game = walk(setting, 0), setting.load()
    for seat in range(setting.players):
        writer = LineWriter(game, seat)
        header = writer.header(0, found.states[0])
        assert "seed" not in header
        assert header["seat"] == game.seats[seat]
        for n, (key, before, after) in enumerate(zip(found.keys, found.states, found.states[1:], strict=False), 1):
            lines = [writer.decision(n, before, before.option(key), after), *writer.events(after)]
            seen = as_json(before, seat) + as_json(after, seat) + _laid_open(after)
            assert _fronts(game, as_text(lines)) <= _fronts(game, seen), (n, key)


def test_the_check_of_fronts_would_see_one() -> None:
    """The whole log tells fronts that a seat did not see, so that the test above can fail."""
    setting = next(s for s in ALL if s.game == "agora_barcelona" and not s.options)
    found, game = walk(setting, 0), setting.load()
    writer = LineWriter(game)
    told = _fronts(game, as_text(writer.events(found.states[0])))
    assert told - _fronts(game, as_json(found.states[0], 0))


# ---- logs ------------------------------------------------------------------------------------------------------------


def _log_text(found: Walk) -> str:
    writer = LineWriter(found.setting.load())
    lines = [writer.header(found.seed, found.states[0]), *writer.events(found.states[0])]
    for n, key in enumerate(found.keys, 1):
        before, after = found.states[n - 1], found.states[n]
        lines += [writer.decision(n, before, before.option(key), after), *writer.events(after)]
    return as_text([*lines, writer.result(found.states[-1])])


def _checked(text: str, game: Game) -> Problems:
    problems = Problems()
    log = parse_log(SourceFile.of("game.log", text), problems)
    if log is not None:
        check_log(log, game, problems)
    return problems


@each_setting
def test_a_log_replays_to_the_same_digests(setting: Setting) -> None:
    found, problems = walk(setting, 1), Problems()
    log = parse_log(SourceFile.of("game.log", _log_text(found)), problems)
    assert log is not None
    digests: list[str] = []
    replay = check_log(log, setting.load(), problems, seen=lambda state: digests.append(state.digest()))
    assert problems.items == ()
    assert replay.is_true
    assert digests == [state.digest() for state in found.states]
    assert (replay.last, replay.decisions) == (found.states[-1], len(found.states) - 1)


EDITS = ("cut", "drop", "double", "swap", "break", "change")


def _edit(lines: list[str], at: int, how: str, data: st.DataObject) -> tuple[list[str], int] | None:
    """The lines with one fault, and the line (from 1) at which it must be reported; None where nothing would change."""
    if how == "cut":
        return (lines[: at + 1], at + 1) if at + 1 < len(lines) else None
    if how == "drop":
        return lines[:at] + lines[at + 1 :], min(at + 1, len(lines) - 1)
    if how == "double":
        return lines[: at + 1] + lines[at:], at + 2
    if how == "swap":
        if at + 1 >= len(lines) or lines[at] == lines[at + 1]:
            return None
        return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]], at + 1
    if how == "break":
        where = data.draw(st.integers(1, len(lines[at]) - 2))
        return [*lines[:at], lines[at][:where] + "\n", *lines[at + 1 :]], at + 1
    return _changed(lines, at, data)


def _changed(lines: list[str], at: int, data: st.DataObject) -> tuple[list[str], int] | None:
    """A digit or letter inside a value is another one. Places and rules of events are not looked at."""
    kept = re.sub(r'"(at|rule)": "[^"]*"', lambda m: "#" * len(m[0]), lines[at])
    places = [m.start() for m in re.finditer(r'(?<=[0-9a-z])[0-9a-z](?=[^#]*$|[^"]*")', kept)]
    places = [p for p in places if kept[p] != "#" and not re.match(r'[^"]*": ', lines[at][p:])]
    if not places:
        return None
    where = data.draw(st.sampled_from(places))
    old = lines[at][where]
    new = data.draw(st.sampled_from([c for c in ("0123456789" if old.isdigit() else "abcxyz") if c != old]))
    return [*lines[:at], lines[at][:where] + new + lines[at][where + 1 :], *lines[at + 1 :]], at + 1


@hypothesis_settings(quick, max_examples=250)
@given(st.sampled_from(EDITS), st.data())
def test_a_cut_or_edited_log_is_reported_at_its_line(how: str, data: st.DataObject) -> None:
    """For a swap or a drop of equal neighbours, the line at which the order first differs."""
    setting = next(s for s in ALL if s.game == "tic_tac_toe")
    lines = _log_text(walk(setting, 1)).splitlines(keepends=True)
    edited = _edit(lines, data.draw(st.integers(0, len(lines) - 1)), how, data)
    if edited is None:
        return
    text, line = "".join(edited[0]), edited[1]
    problems = _checked(text, setting.load())
    reported = [problem.span.line for problem in problems.items if problem.span.file.name == "game.log"]
    assert reported, text
    assert min(reported) == line, (how, problems.items)


def test_a_seat_log_is_read_and_not_played_again() -> None:
    setting = next(s for s in ALL if s.game == "agora_barcelona")
    found, problems = walk(setting, 0), Problems()
    log = parse_log(SourceFile.of("seat.log", seat_log(setting.load(), 0, found.keys, 1)), problems)
    assert problems.items == ()
    assert log is not None
    assert log.is_of_a_seat
    with pytest.raises(ValueError, match="seat"):
        check_log(log, setting.load(), problems)


def test_a_save_that_was_edited_is_refused(tmp_path: Path) -> None:
    setting = next(s for s in ALL if s.game == "tic_tac_toe")
    log = GameLog.start(None, setting.load(), 3)
    option = log.state.options()[4]
    after = log.state.apply(option, events=True)
    log.decision(log.state, option, after)
    file = tmp_path / "game.save"
    save(after, file, log)
    good = file.read_text(encoding="utf-8")
    edits = (('"n": 1, "state"', '"n": 2, "state"'), ('"state": "', '"state": "AA'), ('"save": 1', '"save": 7'))
    for old, new in edits:
        assert old in good
        file.write_text(good.replace(old, new), encoding="utf-8")
        problems = Problems()
        assert load_save(file, problems) is None
        assert [problem.code for problem in problems.items] == ["RS829"]
