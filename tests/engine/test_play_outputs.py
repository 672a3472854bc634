"""What is printed, to the letter, for each fault of a log, a save, and content that goes wrong in play."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import ContentError, Game, load
from interpreter.log import GameLog, as_text
from interpreter.log_checking import check_log, game_of
from interpreter.log_reading import parse_log
from interpreter.save import load_save, save
from rulespec.diagnostics.catalogue import entry
from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.render import render_problem
from rulespec.source.text import SourceFile

HEADER = (
    '{"log": 2, "game": "islands", "fingerprint": "c0", "players": 2, "options": {}, "variants": [], '
    '"language": 1, "seed": 7, "digest": "f0"}\n'
)
FORMS = {
    "RS820": """\
game.log:1:1: error RS820: This line of the log is not JSON: expecting ':' delimiter.
    1 | {"n": 1, "player": "red", "key": "settle cell[0,0]", "digest"
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^""",
    "RS821": """\
game.log:1:7: error RS821: This line of the log has a wrong form: `n` is a whole number.
    1 | {"n": "1", "player": "red", "key": "settle cell[0,0]", "digest": "9fdafee0dd0ee6e7"}
      |       ^^^""",
    "RS822": """\
game.log:1:1: error RS822: The log has version 9; version 2 can be read.
    1 | {"log": 9, "game": "islands", "fingerprint": "c0", "players": 2, …
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^""",
    "RS823": """\
game.log:3:1: error RS823: Here stands decision 3; decision 2 must come next.
    3 | {"n": 3, "player": "red", "key": "settle cell[2,0]", "digest": "21d7e08e95eab65b"}
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^""",
    "RS824": """\
game.log:2:1: error RS824: The log ends without a result line.
    2 | {"n": 1, "player": "red", "key": "settle cell[0,0]", "digest": "9fdafee0dd0ee6e7"}
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^""",
}


@pytest.mark.parametrize("code", FORMS)
def test_faults_of_form(code: str) -> None:
    """The catalogue's faulty example, behind a header where it needs one; the mended one has no such fault."""
    head = HEADER if code in ("RS823", "RS824") else ""
    problems, mended = Problems(), Problems()
    parse_log(SourceFile.of("game.log", head + entry(code).bad), problems)
    parse_log(SourceFile.of("game.log", head + entry(code).good), mended)
    assert [render_problem(problem) for problem in problems.items] == [FORMS[code]]
    assert code not in {problem.code for problem in mended.items}


def _log() -> GameLog:
    """Cross marks a corner, nought the centre, and there the game is left."""
    log = GameLog.start(None, load("tic_tac_toe"), 7)
    state = log.state
    for cell in ("cell[0,0]", "cell[1,1]"):
        option = state.option(f"place_mark {cell}")
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    log.finish(state)
    return log


def _shown(old: str, new: str) -> list[str]:
    """The problems of that log with one thing changed, without the lines of the log and the carets."""
    text = as_text(_log().lines)
    assert text.count(old) == 1
    problems = Problems()
    log = parse_log(SourceFile.of("game.log", text.replace(old, new)), problems)
    assert log is not None
    game = game_of(log, problems)
    assert game is not None
    check_log(log, game, problems)
    return [render_problem(problem) for problem in problems.items]


def test_a_choice_that_is_not_offered() -> None:
    [shown] = _shown('"key": "place_mark cell[1,1]"', '"key": "place_mark cell[0,0]"')
    assert shown.splitlines()[0] == (
        "game.log:7:1: error RS825: Decision 2: `place_mark cell[0,0]` is not offered here: not exists cell.mark."
    )
    assert shown.splitlines()[3:6] == [
        "  tic_tac_toe/tic_tac_toe.yaml:25:16: the condition that forbids it",
        "   25 |         where: not exists cell.mark      # ... that is still free",
        "      |                ^^^^^^^^^^^^^^^^^^^^",
    ]
    assert shown.splitlines()[-1].startswith("  hint: Did you mean `place_mark cell[")


def test_an_event_that_differs() -> None:
    [shown] = _shown('"to": "cell[1,1].mark"', '"to": "cell[1,2].mark"')
    lines = shown.splitlines()
    assert lines[0] == (
        "game.log:9:1: error RS826: This line is not what happens: `move nought mark(nought)` happens here when it is "
        "played again."
    )
    assert lines[3] == "  tic_tac_toe/tic_tac_toe.yaml:26:15: the declaration behind it"
    assert lines[4] == "   26 |       - move: me.hand.any"


def test_a_digest_that_differs() -> None:
    log = _log()
    digest = next(line["digest"] for line in log.lines if line.get("n") == 1)
    [shown] = _shown(digest, "0123456789abcdef")
    assert shown.splitlines()[0] == (
        "game.log:3:1: error RS826: This line is not what happens: its digest is 0123456789abcdef, and is "
        f"{digest} when played again."
    )


def test_a_result_that_differs() -> None:
    [shown] = _shown('"result": null', '"result": {"scores": {"cross": 1, "nought": 0}, "ranking": [["cross"]]}')
    assert shown.splitlines()[0] == (
        "game.log:11:1: error RS827: This is not how the game ends: the game is not over here."
    )


def test_content_that_has_changed() -> None:
    fingerprint = load("tic_tac_toe").fingerprint
    [shown] = _shown(fingerprint, "0" * 32)
    assert shown.splitlines()[0] == (
        "game.log:1:1: note RS828: The content has changed since: its fingerprint is "
        f"{fingerprint}, and was {'0' * 32}."
    )


def test_a_save_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = GameLog.start(None, load("tic_tac_toe"), 7)
    save(log.state, "game.save", log)
    text = Path("game.save").read_text(encoding="utf-8")
    Path("game.save").write_text(text.replace('"n": 0', '"n": 4'), encoding="utf-8")
    problems = Problems()
    assert load_save("game.save", problems) is None
    [problem] = problems.items
    assert render_problem(problem).splitlines()[0] == (
        "game.save:3:1: error RS829: This save cannot be used: it was made after decision 4, and the log before it "
        "ends with 0."
    )


# ---- content that goes wrong in play ---------------------------------------------------------------------------------

GAME = """\
game: {id: runaway, language: 1, title: {en: "Runaway"}, players: 1, seats: [solo]}
state:
  round: {type: 0..3, start: 0}
flow:
"""


def _play_first_options(game: Game) -> None:
    state = game.start(1)
    while state.decision is not None:
        state = state.apply(state.options()[0])


def _fault(tmp_path: Path, flow: str) -> list[str]:
    folder = tmp_path / "runaway"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME + flow, encoding="utf-8")
    with pytest.raises(ContentError) as fault:
        _play_first_options(load(str(folder)))
    return [render_problem(problem) for problem in fault.value.problems]


def test_a_value_outside_its_cell(tmp_path: Path) -> None:
    """Of five passes the fourth would make it 4."""
    flow = (
        "  - repeat:\n      - choose: number\n        from: 1..2\n      - set: round\n        to: round + 1\n"
        "    times: 5\n"
    )
    assert _fault(tmp_path, flow) == [
        "runaway/game.yaml:9:13: error RS801: This comes to 4, outside 0..3.\n"
        "    9 |         to: round + 1\n"
        "      |             ^^^^^^^^^"
    ]


@pytest.mark.parametrize(
    ("function", "call", "place"),
    [
        ("{type: 0..3, is: 3 + total}", "laid", ("7:26", "3 + total")),
        ("{params: {n: 0..3}, type: 0..3, is: n}", "laid(total + 3)", ("12:23", "total + 3")),
    ],
)
def test_a_value_outside_the_range_of_a_function(
    tmp_path: Path, function: str, call: str, place: tuple[str, str]
) -> None:
    """With a total of 1, it is 4: what the function gives, or what is passed to it. The table goes from 0 to 3."""
    (tmp_path / "game.yaml").write_text(
        "game: {id: laid, language: 1, title: {en: Laid}, players: 2, seats: [red, blue]}\n"
        "values:\n"
        "  worth: {type: integer by 0..3, is: [0, 4, 7, 12]}\n"
        "state:\n"
        "  total: {type: 0..9, start: 0}\n"
        "functions:\n"
        f"  laid: {function}\n"
        "flow:\n"
        "  - choose: number\n"
        "    from: 1..2\n"
        "  - {set: total, to: 1}\n"
        f"  - score: worth[{call}]\n"
        "    reason: worth\n"
        "    for: red\n",
        encoding="utf-8",
    )
    with pytest.raises(ContentError) as fault:
        _play_first_options(load(str(tmp_path)))
    [problem] = fault.value.problems
    assert (problem.code, problem.message) == ("RS801", "This comes to 4, outside 0..3.")
    assert (f"{problem.span.line}:{problem.span.column}", problem.span.text) == place


def test_a_loop_that_never_ends(tmp_path: Path) -> None:
    flow = "  - repeat:\n      - set: round\n        to: 1\n    until: round > 1\n"
    [shown] = _fault(tmp_path, flow)
    assert shown.splitlines()[0] == (
        "runaway/game.yaml:5:5: error RS802: The game goes round without asking anybody anything."
    )


def test_a_flow_without_decisions(tmp_path: Path) -> None:
    """What is tried can never be done, and there is nothing else."""
    flow = "  - repeat:\n      - try:\n          - require: round > 2\n    until: round > 1\n"
    [shown] = _fault(tmp_path, flow)
    assert shown.splitlines()[0].endswith("error RS802: The game goes round without asking anybody anything.")
    assert shown.startswith("runaway/game.yaml:")


def test_a_loop_that_is_never_entered(tmp_path: Path) -> None:
    """What would ask stands in a loop whose condition is false at first: it is marked, and its mend said."""
    inner = "      - repeat:\n          - choose: number\n            from: 1..3\n        while: round > 2\n"
    flow = f"  - repeat:\n      - set: round\n        to: 1\n{inner}    until: round == 3\n"
    [shown] = _fault(tmp_path, flow)
    assert "error RS802" in shown.splitlines()[0]
    assert shown.splitlines()[1].strip().endswith("while: round > 2")
    assert "before the first pass" in shown
    assert "`until`" in shown
