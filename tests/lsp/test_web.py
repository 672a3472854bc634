"""The server over WebSockets: an editor in a browser is answered, other pages are refused, and bounds hold."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

import pytest

from interpreter.cli.main import main
from rulespec.service.problems import Snapshot
from tests.lsp.client import LONGEST
from tests.processes import PATIENCE
from tests.service.spaces import ISLANDS

pytest.importorskip("pygls", reason="the server is an extra")
pytest.importorskip("websockets", reason="WebSockets are an extra")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from interpreter.lsp import running
from interpreter.lsp.running import run_scenarios
from interpreter.lsp.server import make_server
from interpreter.lsp.web import MOST_BYTES, MOST_CONNECTIONS, Web, serve_web


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server listens that all tests share."""
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter.cli.main", "lsp", "--ws"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert process.stderr is not None
    told = process.stderr.readline().decode("utf-8")
    assert told.startswith("rulespec lsp: listening at ws://localhost:")
    yield told.rpartition(" ")[2].strip()
    assert process.poll() is None  # whatever the tests did
    process.kill()
    process.wait(PATIENCE)
    process.stderr.close()


def _ask(page: ClientConnection, number: int, method: str, params: Any) -> Any:
    page.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while True:
        answer = json.loads(page.recv(timeout=LONGEST))
        if answer.get("id") == number and "method" not in answer:
            return answer["result"]


def _tell(page: ClientConnection, method: str, params: Any) -> None:
    page.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))


def _read_all(page: ClientConnection) -> None:
    while True:
        page.recv(timeout=LONGEST)


def test_a_session_in_a_browser(address: str, tmp_path: Path) -> None:
    path = tmp_path / "islands" / "game.yaml"
    path.parent.mkdir()
    path.write_text(ISLANDS, encoding="utf-8")
    with connect(address, origin="http://localhost:5173") as page:  # type: ignore[arg-type]
        about = _ask(page, 1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert about["serverInfo"]["name"] == "rulespec"
        _tell(page, "initialized", {})
        document = {"uri": path.as_uri(), "languageId": "rulespec", "version": 1, "text": ISLANDS}
        _tell(page, "textDocument/didOpen", {"textDocument": document})
        found = _ask(page, 2, "textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
        assert found[0]["name"] == "game"
        while True:  # what a thread of the server tells comes too
            message = json.loads(page.recv(timeout=LONGEST))
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]:
                break
        assert {each["code"] for each in message["params"]["diagnostics"]} == {"RS505"}
        _ask(page, 3, "shutdown", None)
        _tell(page, "exit", None)
        with pytest.raises(ConnectionClosed):
            _read_all(page)


@pytest.mark.parametrize("origin", ["https://example.org", "http://localhost.example.org", "null", "file://"])
def test_a_page_of_elsewhere_is_refused(address: str, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(address, origin=origin):  # type: ignore[arg-type]
        pass
    assert refused.value.response.status_code == 403


def test_origins_that_are_allowed() -> None:
    web = Web(origins=("https://studio.example.org",))
    assert all(map(web.allows, (None, "http://localhost:80", "https://127.0.0.1", "https://studio.example.org")))
    assert not any(map(web.allows, ("https://studio.example.org.x", "http://127.0.0.1.x", "", "http://localhost:80/")))


@pytest.mark.parametrize("sent", ["{", "[1]", "\x00", '{"jsonrpc": "2.0"}', json.dumps("x" * (MOST_BYTES + 1))])
def test_what_is_no_message_ends_that_connection_alone(address: str, sent: str) -> None:
    with connect(address) as page:
        page.send(sent)
        if sent != '{"jsonrpc": "2.0"}':
            with pytest.raises(ConnectionClosed):
                page.recv(timeout=LONGEST)
    with connect(address) as page:
        assert _ask(page, 1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def test_there_are_so_many_connections_at_a_time(address: str) -> None:
    with ExitStack() as pages:
        for _ in range(MOST_CONNECTIONS):
            pages.enter_context(connect(address))
        with pytest.raises(InvalidStatus) as refused, connect(address):
            pass
        assert refused.value.response.status_code == 503


# ---- while scenarios run ---------------------------------------------------------------------------------------------


class _Held:
    """Runs scenarios as the server does, and gives what came of it when it is let go on."""

    def __init__(self) -> None:
        self.runs: Queue[Event] = Queue()  #: of each run, what tells it to stop
        self.goes_on = Event()

    def run(self, snapshot: Snapshot, names: Sequence[str], stopped: Event) -> running.Outcome:
        outcome = run_scenarios(snapshot, names, stopped)
        self.runs.put(stopped)
        self.goes_on.wait(LONGEST)
        return outcome


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> _Held:
    """A server of this process runs scenarios by it."""
    held = _Held()
    monkeypatch.setattr(running, "run_scenarios", held.run)
    return held


@pytest.fixture
def here(held: _Held) -> Iterator[str]:
    """Where a server in a thread of this process listens."""
    told: Queue[tuple[str, asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Queue()

    def ready(address: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        told.put((address, asyncio.get_running_loop(), task))

    def serve() -> None:
        with suppress(asyncio.CancelledError):
            serve_web(lambda: make_server("1"), Web(), ready)

    thread = Thread(target=serve)
    thread.start()
    address, loop, serving = told.get(timeout=LONGEST)
    yield address
    held.goes_on.set()
    loop.call_soon_threadsafe(serving.cancel)
    thread.join(PATIENCE)


def _run(page: ClientConnection, folder: Path, text: str) -> str:
    """Opens a game and has its scenario run, as request 2; the game's address."""
    path = folder / "islands" / "game.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    _ask(page, 1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    document = {"uri": path.as_uri(), "languageId": "rulespec", "version": 1, "text": text}
    _tell(page, "textDocument/didOpen", {"textDocument": document})
    given = {"command": running.RUN_SCENARIOS, "arguments": [{"uri": path.as_uri(), "names": ["a_bridge"]}]}
    page.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": given}))
    return path.as_uri()


def test_a_connection_that_goes_while_scenarios_run_keeps_no_other_one_waiting(
    here: str, held: _Held, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(here) as page:
        _run(page, tmp_path, ISLANDS)
        stopped = held.runs.get(timeout=LONGEST)
    assert stopped.wait(LONGEST)  # it is told to stop, and does not yet
    with connect(here) as page:
        assert _ask(page, 1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert not held.goes_on.is_set()
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


def test_scenarios_whose_request_is_taken_back_are_stopped(
    here: str, held: _Held, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(here) as page:
        _run(page, tmp_path, ISLANDS)
        stopped = held.runs.get(timeout=LONGEST)
        assert not stopped.is_set()
        _tell(page, "$/cancelRequest", {"id": 2})
        assert stopped.wait(LONGEST)
        assert _ask(page, 3, "workspace/symbol", {"query": "settled"})
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


@pytest.mark.parametrize("is_changed", [False, True])
def test_what_failed_in_a_game_that_was_changed_meanwhile_is_not_shown(
    is_changed: bool, here: str, held: _Held, tmp_path: Path
) -> None:
    with connect(here) as page:
        uri = _run(page, tmp_path, ISLANDS.replace("red.coins == 2", "red.coins == 3"))
        held.runs.get(timeout=LONGEST)
        if is_changed:
            _tell(page, "textDocument/didChange", {
                "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": f"# more\n{ISLANDS}"}],
            })  # fmt: skip
        _ask(page, 3, "textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        held.goes_on.set()
        shown, message = set(), {}
        while message.get("id") != 2:
            message = json.loads(page.recv(timeout=LONGEST))
            if message.get("method") == "textDocument/publishDiagnostics":
                shown |= {each["code"] for each in message["params"]["diagnostics"]}
    assert [each["scenario"] for each in message["result"]["failed"]] == ["a_bridge"]
    assert ("scenario" in shown) is not is_changed


# ---- wrong use -------------------------------------------------------------------------------------------------------


def test_wrong_use_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--origin", "https://example.org"]) == 2
    assert "--host and --origin belong to --ws" in capsys.readouterr().err
    assert main(["lsp", "--ws", "99999"]) == 2
    assert "no port" in capsys.readouterr().err
    monkeypatch.setattr("interpreter.cli.commands.lsp.NEEDED_FOR_WEB", "no_such_package")
    assert main(["lsp", "--ws"]) == 2
    assert "pip install 'rulespec[ws]'" in capsys.readouterr().err


def test_an_address_that_is_taken_is_told(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--ws", address.rpartition(":")[2]]) == 2
    assert "nothing can listen at localhost" in capsys.readouterr().err
