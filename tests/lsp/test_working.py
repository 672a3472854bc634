"""What takes long is told to an editor that can show it, and requests can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the server is an extra")

from interpreter.lsp import running
from interpreter.lsp.working import Working
from rulespec.service.problems import snapshot_of
from tests.lsp.client import LONGEST, Client
from tests.service.spaces import ISLANDS, islands

#: The code of an answer to a request that was taken back.
CANCELLED = -32800


class _Editor:
    """An editor that notes what it is told. It agrees to a token when `agree` is called."""

    def __init__(self, *, shows: bool = True) -> None:
        self.told: list[str] = []
        self.asked, self.begun = Event(), Event()
        self.agree: Callable[[], None] = lambda: None
        self.client_capabilities = SimpleNamespace(window=SimpleNamespace(work_done_progress=shows))
        self.work_done_progress = self

    def create(self, token: str, agreed: Callable[..., None]) -> None:
        self.told.append("asked")
        self.agree = lambda: agreed(None)
        self.asked.set()

    def begin(self, token: str, value: Any) -> None:
        self.told.append(value.title)
        self.begun.set()

    def end(self, token: str, value: Any) -> None:
        self.told.append("end")


def test_work_that_takes_long_is_told_from_when_the_editor_agrees() -> None:
    editor = _Editor()

    def work() -> int:
        assert editor.asked.wait(LONGEST)
        editor.agree()
        assert editor.begun.wait(LONGEST)
        return 7

    assert Working(editor, slow=0.0).during("Checking", work) == 7  # type: ignore[arg-type]
    assert editor.told == ["asked", "Checking", "end"]


def test_work_that_is_over_before_the_editor_agrees_is_never_begun() -> None:
    editor = _Editor()
    Working(editor, slow=0.0).during("Checking", lambda: editor.asked.wait(LONGEST))  # type: ignore[arg-type]
    editor.agree()
    assert editor.told == ["asked"]


def test_quick_work_and_an_editor_that_shows_none_are_not_told() -> None:
    editor, plain = _Editor(), _Editor(shows=False)
    Working(editor, slow=LONGEST).during("Checking", lambda: None)  # type: ignore[arg-type]
    Working(plain, slow=0.0).during("Checking", lambda: None)  # type: ignore[arg-type]
    assert editor.told == plain.told == []


def test_work_that_fails_is_ended() -> None:
    editor = _Editor()

    def work() -> None:
        assert editor.asked.wait(LONGEST)
        editor.agree()
        raise ValueError("while it is done")

    with pytest.raises(ValueError, match="while it is done"):
        Working(editor, slow=0.0).during("Checking", work)  # type: ignore[arg-type]
    assert editor.told == ["asked", "Checking", "end"]


def test_scenarios_that_were_stopped_load_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    [game] = islands().games
    loaded: list[str] = []
    monkeypatch.setattr(running, "_reason", lambda games, scenario: loaded.append(scenario.name.text) or "")
    stopped = Event()
    stopped.set()
    assert running.run_scenarios(snapshot_of(game), ["a_bridge"], stopped) == running.Outcome((), ())
    assert loaded == []


# ---- requests --------------------------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "islands").mkdir()
    (tmp_path / "islands" / "game.yaml").write_text(ISLANDS, encoding="utf-8")
    served = Client(tmp_path)
    yield served
    assert served.end() == (0, b"")


def test_a_request_can_be_taken_back_and_the_next_is_answered(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "islands" / "game.yaml")
    given = {"uri": uri, "names": ["a_bridge"]}
    number = client.send("workspace/executeCommand", command="rulespec.runScenarios", arguments=[given])
    client.tell("$/cancelRequest", id=number)
    answer = client.answer()
    assert answer["id"] == number
    # on a machine that is slow to read the second message the scenarios may have run by then
    assert answer.get("error", {}).get("code") == CANCELLED or answer["result"]["ran"] == ["a_bridge"]
    found = client.ask("workspace/executeCommand", command="rulespec.runScenarios", arguments=[given])
    assert found["failed"] == []


@pytest.mark.parametrize("sent", [[], [None], [{}], [{"uri": 3, "names": 3}], [{"uri": "untitled:x", "names": ["a"]}]])
def test_a_command_that_is_sent_otherwise_does_nothing(client: Client, sent: list[Any]) -> None:
    for name in ("runScenarios", "playScenario", "showPlaces", "showChanges"):
        client.send("workspace/executeCommand", command=f"rulespec.{name}", arguments=sent)
        answer = client.answer()
        assert answer.get("result") is None
