"""Logs and saves: their form, what a seat's log leaves out, and what is said when the content has changed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load, log_reading
from interpreter import log as log_file
from interpreter.bounds import MOST_DECISIONS
from interpreter.log import GameLog, write_whole
from interpreter.log_checking import check_log, game_of
from interpreter.log_reading import parse_log, read_log
from interpreter.save import load_save, save
from rulespec.diagnostics.model import Problem, Problems
from rulespec.source.shipped import games
from rulespec.source.text import SourceFile
from tests.engine.small import folder_of, small

THREE = ("cell[0,0]", "cell[1,1]", "cell[2,2]")
WON = ("cell[0,0]", "cell[0,1]", "cell[1,0]", "cell[1,1]", "cell[2,0]")


def _played(path: Path, game: Game, keys: tuple[str, ...], *, seat: int | None = None) -> State:
    log = GameLog.start(path, game, 7, seat=seat)
    state = log.state
    for key in keys:
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    return state


def _marks(cells: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"place_mark {cell}" for cell in cells)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _check(path: Path, game: Game | None = None) -> tuple[Problem, ...]:
    problems = Problems()
    log = read_log(path, problems)
    assert log is not None
    found = game or game_of(log, problems)
    assert found is not None
    check_log(log, found, problems)
    return problems.items


# ---- form ------------------------------------------------------------------------------------------------------------


def test_a_log_has_a_header_decisions_events_and_a_result(tmp_path: Path) -> None:
    game, path = load("tic_tac_toe"), tmp_path / "game.log"
    end = _played(path, game, _marks(WON))
    lines = _lines(path)
    header = lines[0]
    assert {k: header[k] for k in ("log", "game", "players", "options", "variants", "language", "seed")} == {
        "log": 2, "game": "tic_tac_toe", "players": 2, "options": {}, "variants": [], "language": 1, "seed": 7,
    }  # fmt: skip
    assert header["fingerprint"] == game.fingerprint
    assert header["states"] == 2
    decisions = [line for line in lines if "n" in line]
    assert [line["n"] for line in decisions] == [1, 2, 3, 4, 5]
    assert [line["player"] for line in decisions] == ["cross", "nought", "cross", "nought", "cross"]
    assert [line["key"] for line in decisions] == list(_marks(WON))
    assert decisions[-1]["digest"] == end.digest()
    assert lines[-1] == {"result": {"scores": {"cross": 1, "nought": 0}, "ranking": [["cross"], ["nought"]]}}


def test_events_say_what_happened_and_where_it_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    _played(path, load("tic_tac_toe"), _marks(WON))
    last = _lines(path)[-4:-1]
    assert [line["event"] for line in last] == ["action", "move", "score"]
    assert (last[0]["action"], last[0]["args"]) == ("place_mark", {"cell": "cell[2,0]"})
    assert (last[1]["pieces"], last[1]["from"], last[1]["to"]) == (["mark(cross)"], "cross.hand", "cell[2,0].mark")
    assert (last[2]["player"], last[2]["amount"], last[2]["reason"]) == ("cross", 1, "line")
    text = (games()["tic_tac_toe"] / "tic_tac_toe.yaml").read_text(encoding="utf-8").splitlines()
    for line, words in zip(last, ("choose: cell", "me.hand.any", "score: 1"), strict=True):
        file, number = line["at"].split(":")
        assert file == "tic_tac_toe/tic_tac_toe.yaml"
        assert words in text[int(number) - 1]


def test_events_name_the_rule_that_is_bound_there(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    game = load("agora_barcelona", players=3)
    state = game.start(7)
    _played(path, game, (state.options()[0].key,))
    rules = {line.get("rule") for line in _lines(path) if line.get("event") == "action"}
    assert rules == {"take_from_the_left"}


def test_gains_payments_draws_and_emitted_events_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "market.log"
    _played(path, small("market"), ("plan buy_one", "buy pear", "polishing decline"))
    told = [(x["event"], x.get("counter"), x.get("amount")) for x in _lines(path) if x.get("event") in ("gain", "pay")]
    assert told == [("pay", "coins", 2), ("gain", "goods", 1)]
    path = tmp_path / "signals.log"
    _played(path, small("signals", task="order"), ())
    rung = [x["args"] for x in _lines(path) if x.get("event") == "emit" and x["name"] == "rung"]
    assert rung == [{"loud": False}, {"loud": True}]
    path = tmp_path / "secrets.log"
    _played(path, small("secrets", 2, task="lots"), ())
    draws = [x for x in _lines(path) if x.get("event") == "draw"]
    assert [(x["amount"], x["zone"], x["to"]) for x in draws] == [(2, "deck", "ivy.hand"), (2, "deck", "jon.hand")]
    assert all(len(x["pieces"]) == 2 for x in draws)


def test_a_game_left_before_its_end_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    _played(path, load("tic_tac_toe"), _marks(WON[:2]))
    assert _lines(path)[-1] == {"result": None}
    assert _check(path) == ()


def test_decisions_are_taken_back(tmp_path: Path) -> None:
    game, path = load("tic_tac_toe"), tmp_path / "game.log"
    log = GameLog.start(path, game, 7)
    state, texts = log.state, []
    for key in _marks(WON[:3]):
        texts.append(path.read_text(encoding="utf-8"))
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.undo(2)
    assert path.read_text(encoding="utf-8") == texts[1]
    assert log.n == 1
    log.undo(5)
    assert path.read_text(encoding="utf-8") == texts[0]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.log"
    path.write_text("before", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["game.log"]


# ---- a seat's log ----------------------------------------------------------------------------------------------------


def test_a_seat_log_hides_seed_hands_and_draws(tmp_path: Path) -> None:
    """Ivy sees her own two cards and of jon's the suits; what jon hides in between is a back to her."""
    game = small("secrets", 2, task="taking")
    state = game.start(7)
    keys = []
    while state.decision is not None:
        keys.append(state.options()[-1].key)
        state = state.apply(state.options()[-1])
    for seat in (0, 1):
        path = tmp_path / f"{seat}.log"
        _played(path, game, tuple(keys), seat=seat)
        lines = _lines(path)
        assert "seed" not in lines[0]
        assert lines[0]["seat"] == game.seats[seat]
        for line in lines:
            if line.get("event") == "draw" and line["to"] == f"{game.seats[1 - seat]}.hand":
                assert set(line["pieces"]) <= {"card(sun)", "card(moon)"}
            if line.get("event") == "draw" and line["to"] == f"{game.seats[seat]}.hand":
                assert all("," in piece for piece in line["pieces"])
            if line.get("key", "").startswith("hide card") and line["player"] != game.seats[seat]:
                assert line["key"] in ("hide card(sun)", "hide card(moon)")


def test_a_secret_choice_is_not_in_the_log_of_others(tmp_path: Path) -> None:
    game = small("secrets", 2, task="bids")
    path = tmp_path / "jon.log"
    _played(path, game, ("bid 3", "bid 1"), seat=1)
    lines = _lines(path)
    assert [line["key"] for line in lines if "n" in line] == ["bid", "bid 1"]
    told = [line["args"]["amount"] for line in lines if line.get("event") == "action"]
    assert told == [3, 1], "when all have chosen, the choices are told"


# ---- reading ---------------------------------------------------------------------------------------------------------

HEADER = (
    '{"log": 2, "game": "tic_tac_toe", "fingerprint": "0", "players": 2, "options": {}, "variants": [], '
    '"language": 1, "seed": 7, "digest": "0"}'
)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "RS824", 1),
        ("{", "RS820", 1),
        ("[1]", "RS821", 1),
        ('{"some": 1}', "RS821", 1),
        (HEADER.replace('"log": 2', '"log": 1'), "RS822", 1),
        (HEADER.replace('"seed": 7', '"states": 3, "seed": 7, "more": 1'), "RS822", 1),
        (HEADER.replace('"seed": 7', '"states": "3", "seed": 7'), "RS821", 1),
        (HEADER.replace('"seed": 7', '"states": true, "seed": 7'), "RS821", 1),
        (HEADER.replace(', "seed": 7', ""), "RS821", 1),
        (HEADER.replace('"seed": 7', '"seed": 7, "seat": "cross"'), "RS821", 1),
        (HEADER.replace('"players": 2', '"players": "2"'), "RS821", 1),
        (HEADER.replace('"players": 2', '"players": true'), "RS821", 1),
        (HEADER.replace('"seed": 7', '"seed": 7, "more": 1'), "RS821", 1),
        (HEADER.replace('"seed": 7', '"seed": 7, "seed": 8'), "RS820", 1),
        (HEADER.replace('"options": {}', '"options": {"a": []}'), "RS821", 1),
        ('{"n": 1, "player": "a", "key": "b", "digest": "c"}', "RS823", 1),
        (HEADER + "\n" + HEADER, "RS823", 2),
        (HEADER + '\n{"n": 2, "player": "a", "key": "b", "digest": "c"}', "RS823", 2),
        (HEADER + '\n{"n": 1, "player": "a", "key": "b"}', "RS821", 2),
        (HEADER + '\n{"result": 5}', "RS821", 2),
        (HEADER + '\n{"result": null}\n{"event": "x", "player": "a"}', "RS823", 3),
        (HEADER + "\n", "RS824", 1),
        (HEADER + '\n{"result": null}\nnonsense', "RS820", 3),
        (HEADER.replace('"seed": 7', '"seed": NaN'), "RS820", 1),
        (HEADER + '\n{"n": 1, "player": "a", "key": "\\ud800", "digest": "c"}', "RS820", 2),
        (HEADER + '\n{"n": 2, "player": "a", "key": "\\ud83d\\ude00", "digest": "c"}', "RS823", 2),
    ],
)
def test_faults_of_form_are_reported_at_their_line(text: str, code: str, line: int) -> None:
    problems = Problems()
    parse_log(SourceFile.of("a.log", text), problems)
    assert [(problem.code, problem.span.line) for problem in problems.items] == [(code, line)]


def test_a_log_of_another_version_says_which_can_be_read() -> None:
    found = []
    for old, new in (('"log": 2', '"log": 3'), ('"seed": 7', '"states": 3, "seed": 7')):
        problems = Problems()
        assert parse_log(SourceFile.of("a.log", HEADER.replace(old, new)), problems) is None
        found += [problem.message for problem in problems.items]
    assert found == [
        "The log has version 3; version 2 can be read.",
        "The log has states of form 3; form 2 can be read.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"game": "tic_tac_toe"', '"game": "tic_tac_tie"', "RS440"),
        ('"players": 2', '"players": 9', "RS434"),
        ('"options": {}', '"options": {"speed": 1}', "RS431"),
        ('"variants": []', '"variants": ["faster"]', "RS441"),
    ],
)
def test_what_cannot_be_loaded_is_reported_at_the_header(old: str, new: str, code: str) -> None:
    assert old in HEADER
    problems = Problems()
    log = parse_log(SourceFile.of("a.log", HEADER.replace(old, new)), problems, ended=False)
    assert log is not None
    assert game_of(log, problems) is None
    assert [(p.code, p.span.file.name, p.span.line) for p in problems.items] == [(code, "a.log", 1)]


def test_a_key_that_is_not_offered_names_the_nearest_and_the_condition(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    _played(path, load("tic_tac_toe"), _marks(THREE))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("place_mark cell[2,2]", "place_mark cell[2,3]"), encoding="utf-8")
    problem = _check(path)[0]
    third = next(number for number, line in enumerate(text.splitlines(), 1) if '"n": 3' in line)
    assert (problem.code, problem.span.line) == ("RS825", third)
    assert problem.hint is not None
    assert "place_mark cell[2," in problem.hint
    path.write_text(text.replace("place_mark cell[2,2]", "place_mark cell[1,1]"), encoding="utf-8")
    taken = _check(path)[0]
    assert taken.code == "RS825"
    assert [related.span.text for related in taken.related] == ["not exists cell.mark"]


# ---- content that has changed ----------------------------------------------------------------------------------------


def _copied(tmp_path: Path, old: str, new: str) -> Path:
    """The market with one change in its file."""
    folder = tmp_path / "market"
    shutil.copytree(folder_of("market"), folder)
    file = folder / "market.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return folder


BOUGHT = ("plan buy_one", "buy pear", "polishing decline")


def test_a_change_that_matters_is_named_with_its_declaration(tmp_path: Path) -> None:
    """A pear costs one coin more: the payment is the first thing that is not as it was."""
    path = tmp_path / "game.log"
    _played(path, small("market"), BOUGHT)
    changed = load(str(_copied(tmp_path, "pear: {cost: 2}", "pear: {cost: 3}")))
    problem = next(p for p in _check(path, changed) if p.code == "RS826")
    assert '"buy pear"' in problem.span.text
    assert [related.span.text for related in problem.related] == ["coins"]


def test_a_change_that_does_not_matter_leaves_the_log_true(tmp_path: Path) -> None:
    """Nobody bought a fig. The fingerprint is another, which is a note."""
    problems = _checked_with_copy(tmp_path, "fig: {cost: 5}", "fig: {cost: 6}")
    assert [(p.code, p.severity) for p in problems] == [("RS828", "note")]


def _checked_with_copy(tmp_path: Path, old: str, new: str) -> tuple[Problem, ...]:
    """What is said of a log that is true when it is played with a changed copy of its game."""
    path = tmp_path / "game.log"
    _played(path, small("market"), BOUGHT)
    folder, problems = _copied(tmp_path, old, new), Problems()
    log = read_log(path, problems)
    assert log is not None
    game = game_of(log, problems, str(folder))
    assert game is not None
    assert check_log(log, game, problems).is_true
    return problems.items


def test_a_log_played_with_a_copy_of_its_game_says_so(tmp_path: Path) -> None:
    """The copy has another id; all that was decided fits."""
    [problem] = _checked_with_copy(tmp_path, "id: market", "id: bazaar")
    assert (problem.code, problem.severity) == ("RS831", "note")
    assert problem.message == "The log is of the game `market`, and this is `bazaar`."


def test_a_save_goes_on_with_changed_content_as_long_as_all_fits(tmp_path: Path) -> None:
    log = GameLog.start(None, small("market"), 7)
    state = log.state
    for key in BOUGHT:
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    path, problems = tmp_path / "game.save", Problems()
    save(state, path, log)
    fits = load_save(path, problems, str(_copied(tmp_path / "a", "fig: {cost: 5}", "fig: {cost: 6}")))
    assert fits is not None
    assert [p.code for p in problems.items] == ["RS828"]
    assert fits.state.options().keys() == state.options().keys()
    problems = Problems()
    assert load_save(path, problems, str(_copied(tmp_path / "b", "pear: {cost: 2}", "pear: {cost: 3}"))) is None
    assert [p.code for p in problems.items] == ["RS828", "RS826"]


# ---- states of another form ------------------------------------------------------------------------------------------

ZERO_TO_THREE = hashlib.blake2b(bytes([0, 1, 2, 3]), digest_size=8).hexdigest()


def _of_before(text: str) -> str:
    """A log or save as it was written when states had another form: it does not name it, and digests are others."""
    assert '"states": 2, ' in text
    return re.sub(r'"digest": "[0-9a-f]{16}"', '"digest": "0123456789abcdef"', text.replace('"states": 2, ', ""))


def test_a_log_of_before_is_played_again_without_its_digests(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    _played(path, load("tic_tac_toe"), _marks(WON))
    text = _of_before(path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    assert [(p.code, p.severity, p.span.line) for p in _check(path)] == [("RS830", "note", 1)]
    path.write_text(text.replace("place_mark cell[2,0]", "place_mark cell[1,1]"), encoding="utf-8")
    assert [p.code for p in _check(path)] == ["RS830", "RS825"]
    path.write_text(text.replace('"cross": 1', '"cross": 2'), encoding="utf-8")
    assert [p.code for p in _check(path)] == ["RS830", "RS827"]


def test_digests_of_a_log_of_today_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    _played(path, load("tic_tac_toe"), _marks(WON))
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if '"n": 3' in line)
    lines[at] = re.sub(r'"digest": "[0-9a-f]{16}"', '"digest": "0123456789abcdef"', lines[at])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert [(p.code, p.span.line) for p in _check(path)] == [("RS826", at + 1)]


def _save_of_before(path: Path) -> tuple[GameLog, State]:
    """A save after one choice; its last line holds the bytes 0 to 3 and their digest (BLAKE2b, eight bytes)."""
    log = GameLog.start(None, load("tic_tac_toe"), 7)
    option = log.state.options()[0]
    after = log.state.apply(option, events=True)
    log.decision(log.state, option, after)
    save(after, path, log)
    text = _of_before(path.read_text(encoding="utf-8"))
    text = re.sub(r'"state": "[^"]*", "digest": "[^"]*"', f'"state": "AAECAw==", "digest": "{ZERO_TO_THREE}"', text)
    path.write_text(text, encoding="utf-8")
    return log, after


def test_a_save_of_before_goes_on_from_where_its_choices_lead(tmp_path: Path) -> None:
    path, problems = tmp_path / "game.save", Problems()
    _, after = _save_of_before(path)
    saved = load_save(path, problems)
    assert saved is not None
    assert [p.code for p in problems.items] == ["RS830"]
    assert saved.state == after
    assert saved.state.options().keys() == after.options().keys()


def test_a_save_of_before_that_is_gone_on_with_is_of_today(tmp_path: Path) -> None:
    """Its lines are those that the game has today; so a digest behind the load is compared, and one before it."""
    before, path, problems = tmp_path / "old.save", tmp_path / "new.save", Problems()
    log, after = _save_of_before(before)
    saved = load_save(before, problems)
    assert saved is not None
    again = saved.log(tmp_path / "game.log")
    assert _lines(tmp_path / "game.log") == log.lines
    option = after.options()[0]
    last = after.apply(option, events=True)
    again.decision(after, option, last)
    again.finish(last)
    assert _check(tmp_path / "game.log") == ()
    save(last, path, again)
    problems = Problems()
    assert load_save(path, problems) is not None
    assert problems.items == ()
    text = path.read_text(encoding="utf-8")
    for digest in (after.digest(), last.digest()):
        path.write_text(text.replace(f'"digest": "{digest}"', '"digest": "0123456789abcdef"', 1), encoding="utf-8")
        problems = Problems()
        assert load_save(path, problems) is None
        assert [p.code for p in problems.items] == ["RS826"]


@pytest.mark.parametrize("state", ["AAECAg==", "AAECAw", "", "a state"])
def test_a_damaged_save_of_before_is_refused(tmp_path: Path, state: str) -> None:
    """Other bytes than those of its digest, or no bytes in base64."""
    path, problems = tmp_path / "game.save", Problems()
    _save_of_before(path)
    text = path.read_text(encoding="utf-8")
    assert "AAECAw==" in text
    path.write_text(text.replace("AAECAw==", state), encoding="utf-8")
    assert load_save(path, problems) is None
    assert [p.code for p in problems.items] == ["RS830", "RS829"]


def test_a_save_is_gone_on_with_in_its_log(tmp_path: Path) -> None:
    log = GameLog.start(None, load("tic_tac_toe"), 7)
    option = log.state.options()[0]
    after = log.state.apply(option, events=True)
    log.decision(log.state, option, after)
    path, problems = tmp_path / "game.save", Problems()
    save(after, path, log)
    saved = load_save(path, problems)
    assert saved is not None
    again = saved.log(tmp_path / "game.log")
    assert again.n == 1
    assert _lines(tmp_path / "game.log") == log.lines


# ---- what changed ----------------------------------------------------------------------------------------------------


CHANGING = """
game: {id: changing, language: 1, title: {en: Changing}, players: 2, seats: [ann, bob]}
pieces: {tile: {faces: [open, taken], count: 1}}
boards: {map: {cell: {for: {place: 1..2}}}}
zones: {cell.tile: {shape: slot, holds: tile}}
state: {cell.dug: {type: boolean, start: false}}
tracks: {player.climb: {space: stair, start: 1, spaces: [{}, {}, {}], past_top: [], past_bottom: []}}
setup: [{move: box.tile.any, to: "cell[2].tile"}]
flow:
  - turns: player
    do:
      - id: go
        may:
          - advance: me.climb
          - set: cell[2].dug
            to: true
          - set: cell[1].dug
            to: false
          - flip: cell[2].tile
            face: taken
ranking: [{most: player.score}]
"""


def test_values_that_are_set_and_pieces_that_are_turned_are_lines(tmp_path: Path) -> None:
    """A step from the second space to the third; a cell that was not dug before; the tile with its front before."""
    (tmp_path / "changing").mkdir()
    (tmp_path / "changing" / "game.yaml").write_text(CHANGING, encoding="utf-8")
    game, path = load(str(tmp_path / "changing")), tmp_path / "game.log"
    _played(path, game, ("go accept", "go decline"))
    told = [{k: v for k, v in line.items() if k not in ("at", "player")} for line in _lines(path) if "event" in line]
    assert [line for line in told if line["event"] in ("set", "flip")] == [
        {"event": "set", "state": "ann.climb", "was": "stair[1]", "value": "stair[2]"},
        {"event": "set", "state": "cell[2].dug", "was": False, "value": True},
        {"event": "flip", "pieces": ["tile"], "face": "taken"},
    ]
    assert _check(path, game) == ()


SHOWN = """
game: {id: showing, language: 1, title: {en: Showing}, players: 2, seats: [ann, bob]}
pieces: {card: {attributes: {worth: 1..9}, back: [], rows: [{worth: 3}, {worth: 5}]}}
zones:
  deck: {shape: stack, holds: card, front: nobody, start: true}
  player.hand: {shape: pool, holds: card, front: owner}
  row: {shape: pool, holds: card}
events: {shown: {card: card}}
flow:
  - turns: player
    do:
      - id: go
        may:
          - move: deck.top
            to: PLACE
          - for_each: card
            in: PLACE
            do:
              - emit: shown(card)
              - move: card
                to: deck
ranking: [{most: player.score}]
"""


@pytest.mark.parametrize(("place", "seen"), [("row", "card(5)"), ("me.hand", "card()")])
def test_a_seats_log_names_what_the_seat_saw_when_it_happened(tmp_path: Path, place: str, seen: str) -> None:
    """The top of the deck is laid open, or taken into Ann's hand, and put back: Bob sees the first, and a back."""
    (tmp_path / "showing").mkdir()
    (tmp_path / "showing" / "game.yaml").write_text(SHOWN.replace("PLACE", place), encoding="utf-8")
    game = load(str(tmp_path / "showing"))
    for seat, name in ((0, "card(5)"), (1, seen)):
        path = tmp_path / f"{seat}.log"
        _played(path, game, ("go accept",), seat=seat)
        events = [line for line in _lines(path) if line.get("event") in ("emit", "move") and line.get("name") != "turn"]
        assert [line.get("pieces", [line.get("args", {}).get("card")])[0] for line in events] == [name] * 3


# ---- files that cannot be gone on with -------------------------------------------------------------------------------


def _step(log: GameLog, state: State) -> State:
    option = state.options()[0]
    after = state.apply(option, events=True)
    log.decision(state, option, after)
    return after


@pytest.mark.parametrize("when", ["write_whole", "_append"])
def test_a_log_that_is_replaced_while_it_is_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Another program puts its own log there just after ours is written: no lines are put behind that."""
    path, game = tmp_path / "a.log", small("market")
    log = GameLog.start(path, game, 1)
    written = getattr(log_file, when)

    def write(*given: Any) -> Any:
        found = written(*given)
        monkeypatch.undo()
        log_file.write_whole(path, "theirs\n")
        return found

    monkeypatch.setattr(log_file, when, write)
    goes_on = log.rewrite if when == "write_whole" else lambda: _step(log, log.state)
    with pytest.raises(OSError, match="another program has written to it"):
        goes_on()
    assert path.read_text(encoding="utf-8") == "theirs\n"


def test_a_log_into_which_another_program_writes_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    game = load("tic_tac_toe")
    mine = GameLog.start(path, game, 1)
    state = _step(mine, mine.state)
    other = GameLog.start(path, game, 2)
    with pytest.raises(OSError, match="another program has written to it") as caught:
        _step(mine, state)
    assert caught.value.filename == str(path)
    with pytest.raises(OSError, match="another program"):
        mine.undo()
    state = _step(other, other.state)
    other.finish(state)
    assert [line["n"] for line in _lines(path) if "n" in line] == [1]
    assert _lines(path)[0]["seed"] == 2


def test_a_log_that_cannot_be_written_any_more_goes_on_in_memory_where_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    log = GameLog.start(path, load("tic_tac_toe"), 1)
    told: list[OSError] = []
    log.on_fault = told.append
    state = _step(log, log.state)
    before = path.read_bytes()
    path.rename(tmp_path / "b.log")
    state = _step(log, _step(log, state))
    assert [fault.filename for fault in told] == [str(path)]
    assert (log.path, log.n) == (None, 3)
    assert [line["n"] for line in log.lines if "n" in line] == [1, 2, 3]
    assert not path.exists()
    assert (tmp_path / "b.log").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="modes and links are another matter there")
def test_a_file_that_is_written_anew_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    path, link, round_ = tmp_path / "a.log", tmp_path / "link", tmp_path / "round"
    link.symlink_to(path)
    for mode in (0o600, 0o664):
        path.touch()
        path.chmod(mode)
        log_file.write_whole(link, "new\n")
        assert (path.stat().st_mode & 0o777, path.read_text(encoding="utf-8")) == (mode, "new\n")
    assert link.is_symlink()
    round_.symlink_to(round_)
    with pytest.raises(OSError, match="links"):
        log_file.write_whole(round_ / "a", "new\n")


# ---- long ones -------------------------------------------------------------------------------------------------------


def test_a_log_or_save_of_too_many_bytes_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of exactly as many as may be is; what is beyond is not even looked at."""
    path, game = tmp_path / "a.log", load("tic_tac_toe")
    _played(path, game, _marks(WON))
    size = path.stat().st_size
    monkeypatch.setattr(log_reading, "LONGEST_LOG", size)
    assert read_log(path, Problems()) is not None
    monkeypatch.setattr(log_reading, "LONGEST_LOG", size - 1)
    for read in (read_log, load_save):
        with pytest.raises(OSError, match="million bytes") as fault:
            read(path, Problems())
        assert fault.value.errno == errno.EOVERFLOW


def test_a_short_log_is_read_in_little_memory(tmp_path: Path) -> None:
    """Not in as much as the longest one may need: where a process may have little, that alone would end it."""
    path = tmp_path / "a.log"
    _played(path, load("tic_tac_toe"), _marks(WON))
    tracemalloc.start()
    try:
        assert read_log(path, Problems()) is not None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < log_file.LONGEST_LOG // 20


def test_no_log_and_no_save_is_written_that_would_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the file stays whole lines; of as many bytes as may be a log and a save are written, and are read."""
    path, saved, game = tmp_path / "a.log", tmp_path / "a.save", load("tic_tac_toe")
    _played(path, game, _marks(WON))
    size = path.stat().st_size
    for module in (log_file, log_reading):
        monkeypatch.setattr(module, "LONGEST_LOG", size)
    _played(path, game, _marks(WON))
    assert path.stat().st_size == size
    monkeypatch.setattr(log_file, "LONGEST_LOG", size - 1)
    with pytest.raises(OSError, match="a longer one is not read") as fault:
        _played(path, game, _marks(WON))
    assert (fault.value.errno, fault.value.filename) == (errno.EOVERFLOW, str(path))
    log = read_log(path, Problems(), ended=False)
    assert log is not None
    assert len(log.decisions) == len(_marks(WON))  # the result alone is missing
    begun = GameLog.start(None, game, 7)
    monkeypatch.setattr(log_file, "LONGEST_LOG", 100)
    with pytest.raises(OSError, match="a longer one is not read"):
        save(begun.state, saved, begun)
    assert not saved.exists()


def test_a_log_of_as_many_decisions_as_a_game_may_have_is_read() -> None:
    """The figures beside the bound: the most bytes of a decision in a shipped game, and twice as many."""
    assert MOST_DECISIONS * 830 * 2 < log_file.LONGEST_LOG


def test_states_of_a_replay_are_given_one_by_one_and_not_kept() -> None:
    game, log, kept = load("tic_tac_toe"), GameLog.start(None, load("tic_tac_toe"), 7), []
    state = log.state
    for key in _marks(THREE):
        option = state.option(key)
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    read = parse_log(SourceFile.of("a.log", log_file.as_text(log.lines)), Problems(), ended=False)
    assert read is not None
    found = check_log(read, game, Problems(), seen=lambda each: kept.append(each.digest()))
    assert len(kept) == 4  # the first state, and one behind each of three decisions
    assert kept[-1] == state.digest()
    assert (found.decisions, found.last) == (3, state)
