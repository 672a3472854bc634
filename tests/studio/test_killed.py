"""A real server that is killed in the middle of play: no accepted choice is lost."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio is an extra")
pytest.importorskip("uvicorn", reason="the studio is an extra")
pytest.importorskip("websockets", reason="the studio is an extra")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from interpreter.cli.main import main
from tests.play.table import CONTENT
from tests.processes import ANSWER

SUBPROTOCOL = "rulespec.table.1"


@dataclass
class Studio:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    key: str

    def ask(self, path: str, data: Any = None, method: str | None = None) -> str:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", body, method=method)
        request.add_header("authorization", f"Bearer {self.key}")
        with urllib.request.urlopen(request, timeout=ANSWER) as answer:
            return str(answer.read().decode())

    @contextmanager
    def sit(self, link: str) -> Iterator[ClientConnection]:
        place, _, token = link.partition("#")
        path = place.replace("/t/", "/ws/")
        address = f"ws://{self.address}{path}"
        with connect(address, subprotocols=[SUBPROTOCOL, token], open_timeout=ANSWER) as socket:
            socket.send(json.dumps({"type": "join", "protocol": 1}))
            yield socket


def _rest(socket: ClientConnection) -> tuple[list[dict[str, Any]], ConnectionClosed]:
    """What comes until the connection ends, and how it ends."""
    found: list[dict[str, Any]] = []
    while True:
        try:
            found.append(json.loads(socket.recv(timeout=ANSWER)))
        except ConnectionClosed as end:
            return found, end


@contextmanager
def studio(tables: Path) -> Iterator[Studio]:
    words = [str(CONTENT), "--port", "0", "--tables", str(tables), "--pace", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter.cli.main", "studio", *words], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        [address] = re.findall(r"http://(\S+)", process.stdout.readline())
        key = process.stdout.readline().split()[-1]
        yield Studio(process, address, key)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _choose_until(sockets: dict[int, ClientConnection], most: int) -> tuple[list[str], str]:
    """Chooses the last option for whoever decides; the keys that were accepted, and the one that was on its way."""
    accepted: list[str] = []
    asked: dict[int, str] = {}
    while True:
        for seat, socket in sockets.items():
            try:
                message = json.loads(socket.recv(timeout=0.01))
            except TimeoutError:
                continue
            if message["type"] == "options":
                key = message["options"][-1]["key"]
                asked[seat] = key
                socket.send(json.dumps({"type": "choose", "id": 0, "revision": message["revision"], "key": key}))
                if len(accepted) == most:
                    return accepted, key
            elif message["type"] == "accepted":
                accepted.append(asked[seat])


def test_no_accepted_choice_is_lost(tmp_path: Path) -> None:
    """The server is killed three times while a choice is on its way: that one stands or does not, all others stand."""
    tables, all_accepted, link = tmp_path / "tables.sqlite", [], {}
    for most in (4, 6):
        with studio(tables) as server:
            if not link:
                made = json.loads(server.ask("/api/tables", {"game": "reply", "seats": ["human", "human"], "seed": 1}))
                link = {each["seat"]: each["link"] for each in made["links"]}
            with ExitStack() as stack:
                sockets = {seat: stack.enter_context(server.sit(each)) for seat, each in link.items()}
                accepted, on_its_way = _choose_until(sockets, most)
                server.process.send_signal(signal.SIGKILL)
                server.process.wait()
                late = [message for socket in sockets.values() for message in _rest(socket)[0]]
            accepted += [on_its_way for message in late if message["type"] == "accepted"]
        all_accepted += accepted
        with studio(tables) as server:
            lines = server.ask(f"/api/tables/{made['table']}/save").splitlines()
            kept = [line["key"] for line in map(json.loads, lines) if "n" in line and "key" in line]
        assert kept in (all_accepted, [*all_accepted, on_its_way])
        all_accepted = kept
    assert len(all_accepted) >= 10


def test_a_real_server_lets_nobody_in_without_a_link(tmp_path: Path) -> None:
    with studio(tmp_path / "tables.sqlite") as server:
        made = json.loads(server.ask("/api/tables", {"game": "reply", "seats": ["human", "human"]}))
        for link in (f"/t/{made['table']}#{'0' * 32}", f"/t/00000000#{made['spectator'].partition('#')[2]}"):
            with pytest.raises(InvalidStatus, match="403"), server.sit(link):
                pass
        with server.sit(made["spectator"]) as socket:
            assert json.loads(socket.recv(timeout=ANSWER))["type"] == "welcome"
            socket.send("x" * 20_000)
            assert _rest(socket)[1].rcvd.code == 1009
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(ANSWER) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--port", "70000"], "is no port"),
        (["--pace", "-1"], "is no number of seconds"),
        (["nowhere"], "There is no game in nowhere"),
        ([str(CONTENT), "--tables", "/nowhere/tables"], "The tables in /nowhere/tables cannot be used"),
        ([str(CONTENT), "--host", "999.1.1.1", "--tables", "a.sqlite"], "--host 999.1.1.1"),
    ],
)
def test_what_cannot_be_served(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["studio", *words]) == 2
    assert says in capsys.readouterr().err


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("interpreter.cli.commands.studio.NEEDED", ("starlette", "not_there_at_all"))
    assert main(["studio"]) == 2
    assert "pip install 'rulespec[studio]'" in capsys.readouterr().err
