"""Checks beside the editor go on, whatever happens to one of them; and what an editor shows meanwhile."""

from __future__ import annotations

from pathlib import Path
from queue import Queue

import pytest

from interpreter.cli.main import main
from interpreter.lsp.checking import Checker, Games
from interpreter.lsp.shown import Edited, Shown
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import engine_trees
from rulespec.kept.memo import Memo
from rulespec.service.problems import Snapshot, problems_of, quick_problems, snapshot_of
from rulespec.service.stopping import Stopped
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace
from tests.lsp.client import LONGEST
from tests.service.spaces import ISLANDS, islands

NAME = "islands/game.yaml"


def _snapshot(text: str = ISLANDS) -> Snapshot:
    space = islands(text)
    space.hold("islands")
    [game] = space.games
    return snapshot_of(game)


def test_a_fault_while_problems_are_told_ends_nothing() -> None:
    told: Queue[str] = Queue()
    faults: Queue[Exception] = Queue()

    def tell(snapshot: Snapshot, problems: tuple[Problem, ...]) -> None:
        if snapshot.home == "bad":
            raise ValueError("while it is told")
        told.put(snapshot.home)

    checker = Checker(Games().problems, tell, faults.put)
    checker.ask("bad", Snapshot("bad", (), ()))
    assert str(faults.get(timeout=LONGEST)) == "while it is told"
    checker.ask("islands", _snapshot())
    assert told.get(timeout=LONGEST) == "islands"
    checker.end()


class _Editor:
    """What was published, in order: the lines of the codes in a file."""

    def __init__(self) -> None:
        self.seen: list[list[tuple[str, int]]] = []
        self.shown = Shown(self._publish)

    def _publish(self, name: str, problems: tuple[Problem, ...]) -> None:
        assert name == NAME
        self.seen.append([(problem.code, problem.span.line) for problem in problems])

    def checked(self, text: str) -> None:
        snapshot = _snapshot(text)
        self.shown.of_game(snapshot, problems_of(snapshot), {NAME})

    def typed(self, text: str) -> None:
        self.shown.of_file(Edited("islands", NAME, text), quick_problems(NAME, text))


def test_what_is_wrong_with_a_file_by_itself_is_shown_before_its_game_is_checked() -> None:
    editor = _Editor()
    wrong = ISLANDS.replace("where: cell.rim", "where: cell.rimm")  # told by a check of the game alone
    line = wrong[: wrong.index("cell.rimm")].count("\n") + 1
    editor.checked(wrong)
    assert editor.seen.pop() == [("RS302", line)]
    editor.typed("\n" + wrong)
    assert editor.seen == []  # nothing else is wrong with the file
    also = "\n" + wrong.replace("shape: heap", "").replace("shape: stack", "shape: heap")
    deck = also[: also.index("heap")].count("\n") + 1
    editor.typed(also)
    assert editor.seen.pop() == [("RS258", deck), ("RS302", line + 1)]  # not one of the words; and one line below
    editor.typed("\n" + wrong)
    assert editor.seen.pop() == [("RS302", line + 1)]
    editor.typed(also)
    editor.checked(also)
    editor.seen.clear()
    editor.typed(also.replace("shape: heap", "shape: stack"))
    assert ("RS258", deck) not in editor.seen.pop()


def test_a_problem_whose_place_is_changed_is_shown_no_more() -> None:
    editor = _Editor()
    wrong = ISLANDS.replace("where: cell.rim", "where: cell.rimm")
    editor.checked(wrong)
    editor.typed(wrong.replace("cell.rimm", "[cell"))
    assert "RS302" not in [code for code, _ in editor.seen.pop()]


def test_what_is_wrong_with_the_value_that_is_typed_is_shown_at_once() -> None:
    editor = _Editor()
    other = ISLANDS.replace("- pay: {coins: bridge_cost}", "- pay: {coins: bridge_costs}")
    at = other[: other.index("bridge_costs")].count("\n") + 1
    editor.checked(other)
    assert editor.seen.pop() == [("RS301", at)]
    wrong = other.replace("where: cell.rim", "where: cell.rimm")
    line = wrong[: wrong.index("cell.rimm")].count("\n") + 1
    for text, shown in ((wrong, [("RS301", at), ("RS302", line)]), (other, [("RS301", at)])):
        typed = typed_at(islands(text), NAME, text.index("where: cell.rim") + len("where: cell.rim"))
        assert typed is not None
        editor.shown.of_value(Edited("islands", NAME, text), typed)
        assert editor.seen == [shown]
        editor.shown.of_value(Edited("islands", NAME, text), typed)
        assert editor.seen.pop() == shown  # told once


def test_files_that_are_no_more_of_a_game_have_nothing_shown() -> None:
    editor = _Editor()
    wrong = ISLANDS.replace("where: cell.rim", "where: cell.rimm")
    editor.checked(wrong)
    editor.shown.of_game(Snapshot("islands", (), ()), (), {NAME})
    assert editor.seen[1:] == [[]]
    editor.shown.of_game(Snapshot("islands", (), ()), (), {NAME})
    assert len(editor.seen) == 2


@pytest.mark.parametrize("asked", [1, 2, 5, 9])
def test_after_a_check_that_was_stopped_the_next_one_says_all(asked: int) -> None:
    left = [asked]

    def is_old(home: str) -> bool:
        left[0] -= 1
        return left[0] == 0

    found, wrong = Games(is_old), ISLANDS.replace("where: cell.rim", "where: cell.rimm")
    with pytest.raises(Stopped):
        found.problems(_snapshot())
    assert found.problems(_snapshot()) == problems_of(_snapshot())
    left[0] = asked
    with pytest.raises(Stopped):
        found.problems(_snapshot(wrong))
    assert found.problems(_snapshot(wrong)) == problems_of(_snapshot(wrong))
    assert found.problems(_snapshot()) == problems_of(_snapshot())


def test_the_first_check_begins_from_what_the_command_has_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "islands"
    folder.mkdir()
    (folder / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    space = Workspace(engine_trees(Problems()))
    space.hold(folder.as_posix())
    space.put((folder / "game.yaml").as_posix(), ISLANDS)
    [game] = space.games
    main(["check", str(folder)])
    made: list[str] = []
    monkeypatch.setattr(Memo, "put", lambda self, key, data: made.append(key))
    found = Games().problems(snapshot_of(game))
    assert {(each.code, each.span.file.name) for each in found} == {("RS505", (folder / "game.yaml").as_posix())}
    assert made == []
