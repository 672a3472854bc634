"""The server of tables: who is let in, what is kept, and its bounds."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Barrier, Event
from typing import Any
from unittest.mock import ANY

import pytest

pytest.importorskip("starlette", reason="the studio is an extra")
pytest.importorskip("httpx2", reason="the test client is an extra")

from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from interpreter.studio import bounds, hall, library, server
from interpreter.studio.guard import is_our_host, is_our_origin
from interpreter.studio.hall import Hall
from interpreter.studio.library import Library
from interpreter.studio.server import RULES_CODE, SUBPROTOCOL, make_app
from interpreter.studio.store import About, Done, NoStore, Store, new_token, opened
from interpreter.studio.thinking import Thinking
from interpreter.studio.trouble import Troubled
from interpreter.table.notes import Note
from interpreter.table.record import Decided, Entry, Undone
from interpreter.table.seats import Seating
from interpreter.table.table import Table
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.source.text import SourceFile, Span
from tests.play.table import CONTENT
from tests.processes import ANSWER

KEY = "the host's key"
HERE = "http://127.0.0.1:8371"
JOIN = {"type": "join", "protocol": 1, "language": "en"}
PROBE = {"game": "probe", "seats": ["human", "human"], "seed": 3}
LIBRARY = Library(CONTENT)


@contextmanager
def serving(file: Path, games: Library = LIBRARY, **more: Any) -> Iterator[TestClient]:
    app = make_app(Hall(Store(file), games, pace=0), KEY, **more)
    with TestClient(app, base_url=HERE) as client:
        client.headers["authorization"] = f"Bearer {KEY}"
        yield client


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


@pytest.fixture
def studio(file: Path) -> Iterator[TestClient]:
    with serving(file) as client:
        yield client


def made(studio: TestClient, **more: Any) -> dict[int, str]:
    """A new table's links, by seat; -1 is a spectator's."""
    done = studio.post("/api/tables", json=PROBE | more)
    assert done.status_code == 201, done.text
    links = {each["seat"]: each["link"] for each in done.json()["links"]}
    return links | {-1: done.json()["spectator"]}


class Sitting:
    """Somebody who is connected by a link."""

    def __init__(self, socket: Any):
        self.socket = socket

    def ask(self, kind: str, **more: Any) -> None:
        self.socket.send_text(json.dumps({"type": kind, **more}))

    def until(self, kind: str, fits: Callable[[dict[str, Any]], bool] = bool) -> dict[str, Any]:
        """The next message of a kind that fits."""
        for _ in range(60):
            message = self.socket.receive_json()
            if message["type"] == kind and fits(message):
                return message
        raise AssertionError(f"no message {kind} came")

    def choose(self, key: str, revision: int) -> dict[str, Any]:
        self.ask("choose", id=revision, revision=revision, key=key)
        return self.until("accepted")


def address(link: str) -> tuple[str, str]:
    """Where a link's page connects to, and the secret word that it names there."""
    place, _, token = link.partition("#")
    return place.replace("/t/", f"{HERE.replace('http', 'ws')}/ws/"), token


@contextmanager
def sitting(studio: TestClient, link: str, **headers: str) -> Iterator[Sitting]:
    """Somebody who has joined."""
    place, token = address(link)
    with studio.websocket_connect(place, subprotocols=[SUBPROTOCOL, token], headers=headers) as socket:
        socket.send_text(json.dumps(JOIN))
        yield Sitting(socket)


def refused(studio: TestClient, place: str, words: list[str], **headers: str) -> None:
    """No connection is made."""
    connecting = studio.websocket_connect(place, subprotocols=words, headers=headers)
    with pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)):
        connecting.__enter__()


# ---- who is let in ---------------------------------------------------------------------------------------------------


def test_each_link_opens_its_own_seat(studio: TestClient) -> None:
    links = made(studio)
    for seat, name in ((0, "red"), (1, "green"), (-1, None)):
        with sitting(studio, links[seat]) as someone:
            assert someone.until("welcome")["you"] == name


def test_no_two_links_are_alike_and_each_has_128_bits(studio: TestClient) -> None:
    tokens = [link.partition("#")[2] for _ in range(3) for link in made(studio).values()]
    assert len(set(tokens)) == 9
    assert {len(bytes.fromhex(token)) for token in tokens} == {16}


def test_a_stranger_gets_nothing(studio: TestClient) -> None:
    links, others = made(studio), made(studio)
    place, token = address(links[0])
    other = others[0].partition("#")[2]
    for words in ([SUBPROTOCOL, other], [SUBPROTOCOL, ""], [SUBPROTOCOL, token[:-1]], [SUBPROTOCOL], [token], []):
        refused(studio, place, words)
    refused(studio, f"{place[:-8]}00000000", [SUBPROTOCOL, token])
    for method, path in (("GET", "/api/tables"), ("POST", "/api/tables"), ("GET", "/api/games"),
                         ("DELETE", f"/api/tables/{place[-8:]}"), ("GET", "/api/tables/x/save")):  # fmt: skip
        for key in ("", "Bearer", f"Bearer {token}", f"Basic {KEY}"):
            assert studio.request(method, path, headers={"authorization": key}).status_code == 401


def test_of_secret_words_only_digests_are_kept(studio: TestClient, file: Path) -> None:
    tokens = [link.partition("#")[2] for link in made(studio).values()]
    kept = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert not any(token.encode() in kept or bytes.fromhex(token) in kept for token in tokens)


def test_only_a_whole_secret_word_opens_a_seat() -> None:
    token = new_token()
    links = [(0, b"\0" * 32), (1, hashlib.sha256(token.encode()).digest())]
    assert opened(links, token) == 1
    for other in (token.upper(), token[:-1], token + "0", "", "\ud800"):
        assert opened(links, other) is None


def test_the_word_that_the_page_was_opened_with_gets_the_key_once(file: Path) -> None:
    with serving(file, once="once-word") as studio:
        codes, said = [], {}
        for word in ("once-other", KEY, "once-word", "once-word"):
            answer = studio.post("/api/host", headers={"authorization": f"Bearer {word}"})
            codes.append(answer.status_code)
            said |= answer.json()
        assert codes == [401, 401, 200, 401]
        assert said["key"] == KEY
        assert studio.get("/api/tables", headers={"authorization": "Bearer once-word"}).status_code == 401
    with serving(file) as studio:
        assert studio.post("/api/host").status_code == 401


OURS = ["localhost:8371", "127.0.0.1", "192.168.1.7:8371", "[::1]:80", "table.test"]
OTHERS = ["evil.test:80@127.0.0.1", "127.0.0.1/x", "evil.test", "evil.test:8371", "localhost.evil.test", "", "[::1"]


@pytest.mark.parametrize(("host", "is_ours"), [(host, host in OURS) for host in (*OURS, *OTHERS)])
def test_requests_to_other_names_are_refused(studio: TestClient, host: str, is_ours: bool) -> None:
    assert is_our_host(host, ("table.test",)) is is_ours
    if not is_ours:
        assert studio.get("/api/tables", headers={"host": host or "evil.test"}).status_code == 403
        links = made(studio)
        place, token = address(links[0])
        refused(studio, place, [SUBPROTOCOL, token], host=host or "evil.test")


def test_pages_of_other_origins_are_refused(studio: TestClient) -> None:
    links = made(studio)
    place, token = address(links[0])
    for origin in ("http://evil.test", "http://127.0.0.1:80", "null", "http://127.0.0.1:8371.evil.test"):
        assert not is_our_origin(origin, "127.0.0.1:8371")
        refused(studio, place, [SUBPROTOCOL, token], origin=origin)
        assert studio.post("/api/tables", json=PROBE, headers={"origin": origin}).status_code == 403
    with sitting(studio, links[0], origin=HERE) as red:
        assert red.until("welcome")["you"] == "red"


def test_browsers_are_told_to_run_nothing_but_our_own(studio: TestClient) -> None:
    for answer in (studio.get("/api/tables"), studio.get("/nothing"), studio.get("/", headers={"host": "evil.test"})):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


# ---- playing ---------------------------------------------------------------------------------------------------------


def test_a_choice_is_told_to_all_at_the_table(studio: TestClient) -> None:
    links = made(studio)
    with sitting(studio, links[0]) as red, sitting(studio, links[1]) as green, sitting(studio, links[-1]) as nobody:
        assert [option["key"] for option in red.until("options")["options"]] == ["put card(1)", "put card(7)"]
        red.choose("put card(7)", 0)
        red.choose("put left", 1)
        for other in (green, nobody):
            lines = other.until("lines", lambda message: any(moment["n"] == 2 for moment in message["moments"]))
            told = {"n": 2, "texts": ["Red puts card 7.", "Red scores 7 points: cards"], "sites": [["left"], []]}
            assert told in lines["moments"]


def test_automatic_seats_play_while_somebody_is_there(studio: TestClient) -> None:
    links = made(studio, seats=["random", "human"])
    with sitting(studio, links[1]) as green:
        view = green.until("view", lambda view: view["decides"] == "green")
        assert view["moment"] >= 4  # Red has put a card on a side, and declined or done two more things
        assert green.until("options")["heading"] == "Green to play"


def test_who_comes_and_goes_is_told(studio: TestClient) -> None:
    links = made(studio)
    with sitting(studio, links[0]) as red:
        assert [seat["is_away"] for seat in red.until("view")["seats"]] == [False, True]
        with sitting(studio, links[1]):
            red.until("view", lambda view: not view["seats"][1]["is_away"])
        red.until("view", lambda view: view["seats"][1]["is_away"])


def test_who_comes_again_is_where_the_game_is(studio: TestClient) -> None:
    links = made(studio)
    with sitting(studio, links[0]) as red:
        red.choose("put card(1)", 0)
    with sitting(studio, links[0]) as red:
        assert red.until("view")["revision"] == 1


def test_another_server_goes_on_with_the_same_tables(file: Path) -> None:
    with serving(file) as studio:
        links = made(studio)
        with sitting(studio, links[0]) as red:
            red.choose("put card(1)", 0)
            red.ask("undo", id=5)
            red.until("accepted")
            red.choose("put card(7)", 2)
    with serving(file) as studio:
        with sitting(studio, links[0]) as red:
            assert red.until("view")["revision"] == 3
            assert red.until("options")["heading"] == "Red to play"
        table = links[0].split("/")[2].partition("#")[0]
        keys = [json.loads(line).get("key") for line in studio.get(f"/api/tables/{table}/save").text.splitlines()]
        assert [key for key in keys if key] == ["put card(7)"]


def test_what_cannot_be_kept_is_not_done(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    links = made(studio)
    with sitting(studio, links[0]) as red:
        red.until("lines")

        def full(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "add", full)
            red.ask("choose", id=1, revision=0, key="put card(1)")
            assert red.until("error")["reason"] == "fault"
        red.ask("look")
        assert red.until("view")["revision"] == 0
        assert red.choose("put card(7)", 0)["revision"] == 1


# ---- waiting ---------------------------------------------------------------------------------------------------------


def about(game: str) -> About:
    return About(game, 2, (), (), ("human", "human"), 1)


def test_a_busy_game_holds_up_nobody_at_another(file: Path) -> None:
    """A seat of `probe` searches for ever, and somebody comes to a table of it that is not in memory."""

    async def play() -> None:
        rooms, gate = Hall(Store(file), LIBRARY, pace=0), Event()
        busy, free, other = (rooms.store.make(about(game), {}) for game in ("probe", "reply", "reply"))
        await rooms.opened(free)
        (await rooms.played(about("probe"))).thread.submit(gate.wait)
        opening = [asyncio.create_task(rooms.opened(busy)) for _ in range(2)]
        try:
            await asyncio.sleep(0.05)
            async with asyncio.timeout(ANSWER):
                await rooms.join(free, 0)
                assert await rooms.saved(free)
                await rooms.opened(other)
                assert rooms.remove(busy)
        finally:
            gate.set()
        for each in opening:
            with pytest.raises(Troubled, match="There is no table"):
                await each
        with pytest.raises(Troubled, match="There is no table"):
            await rooms.opened(busy)
        await rooms.close()

    asyncio.run(play())


def test_a_table_is_opened_once_for_all_who_come_at_once(file: Path) -> None:
    async def play() -> None:
        rooms = Hall(Store(file), LIBRARY, pace=0)
        table = rooms.store.make(about("probe"), {})
        found = await asyncio.gather(*(rooms.opened(table) for _ in range(5)))
        assert {id(each) for each in found} == {id(found[0])}
        await rooms.close()

    asyncio.run(play())


def test_a_game_that_is_loaded_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, loads, load = Event(), [], library.load_source

    def slow(source: Any, **more: Any) -> Any:
        loads.append(source.folder.name)
        if source.folder.name == "probe":
            assert gate.wait(ANSWER)
        return load(source, **more)

    monkeypatch.setattr(library, "load_source", slow)
    games = Library(CONTENT)
    waiting = [games.played(about("probe")) for _ in range(3)]
    try:
        assert games.played(about("reply")).result(ANSWER).game.id == "reply"
        assert not any(each.done() for each in waiting)
    finally:
        gate.set()
    assert len({id(each.result(ANSWER)) for each in waiting}) == 1
    assert sorted(loads) == ["probe", "reply"]


def test_a_fault_in_an_automatic_seats_move_is_told_to_all_once(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = Problems()
    problems.add("RS824", Span(SourceFile.of("a.yaml", ""), 0, 0), what="is at fault")

    def stopped(_: Table) -> None:
        raise ContentError(problems.items)

    monkeypatch.setattr(Table, "play_alone", stopped)
    links = made(studio, seats=["random", "human"])
    with sitting(studio, links[1]) as green, sitting(studio, links[-1]) as nobody:
        for someone in (green, nobody):
            told = someone.until("error")
            assert told["reason"] == "fault"
            assert "RS824" in told["text"]
        green.ask("look")
        green.ask("points", id=1, of="red")
        time.sleep(0.1)
        green.ask("points", id=2, of="nobody")
        assert green.until("error")["id"] == 2  # and not the fault again


# ---- making tables ---------------------------------------------------------------------------------------------------


def test_the_host_sees_the_games_and_the_tables(studio: TestClient) -> None:
    games = {each["id"]: each["players"] for each in studio.get("/api/games").json()["games"]}
    assert games["probe"] == [2, 3]
    links = made(studio)
    table = links[0].split("/")[2].partition("#")[0]
    with sitting(studio, links[1]) as green:
        green.until("view")
        told = {"id": table, "game": "probe", "seats": ["human", "human"], "here": [1]}
        assert studio.get("/api/tables").json() == {"tables": [told]}
        assert studio.delete(f"/api/tables/{table}").status_code == 204
        with pytest.raises(WebSocketDisconnect) as left:
            green.until("nothing else")
        assert left.value.code == server.GONE_CODE
    assert studio.delete(f"/api/tables/{table}").status_code == 404
    assert studio.get("/api/tables").json() == {"tables": []}


@pytest.mark.parametrize(
    ("wanted", "status", "says"),
    [
        ({"game": "nothing"}, 422, "There is no game 'nothing'"),
        ({"game": "../probe"}, 400, "an id, and never a path"),
        ({"seats": []}, 400, "seats"),
        ({"seats": ["random", "random"]}, 422, "at least one person"),
        ({"seats": ["human", "genius"]}, 422, "no kind of seat 'genius'"),
        ({"seats": ["human", "\ud800"]}, 422, "no kind of seat '\ufffd'"),
        ({"options": {"\ud800": "\ud800"}}, 422, "cannot be played so"),
        ({"seats": ["human", "/tmp/own.py:Mine"]}, 422, "no kind of seat"),
        ({"seats": ["human"] * 9}, 422, "cannot be played so"),
        ({"options": {"moon": True}}, 422, "cannot be played so"),
        ({"variants": ["lunar"]}, 422, "no variant 'lunar'"),
        ({"variants": ["a.yaml"]}, 400, "an id"),
        ({"seed": -1}, 400, "seed"),
    ],
)
def test_tables_that_there_cannot_be(studio: TestClient, wanted: dict[str, Any], status: int, says: str) -> None:
    done = studio.post("/api/tables", content=json.dumps(PROBE | wanted))
    assert (done.status_code, says in done.text) == (status, True), done.text
    assert studio.get("/api/tables").json() == {"tables": []}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[" * 30_000, b'{"game": NaN}', b"\xff"])
def test_bodies_that_are_no_request(studio: TestClient, body: bytes) -> None:
    assert studio.post("/api/tables", content=body).status_code == 400


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_long_messages_and_other_texts_are_told(studio: TestClient) -> None:
    with sitting(studio, made(studio)[0]) as red:
        for text, reason in (("x" * (bounds.LONGEST_SOCKET_MESSAGE + 1), "size"), ("{", "form"), ("[" * 9_000, "form"),
                             ('{"type": NaN}', "form"), ("[]", "form"), ('"\ud800"', "form")):  # fmt: skip
            with suppress(UnicodeEncodeError):
                red.socket.send_text(text)
                assert red.until("error")["reason"] == reason
        red.socket.send_bytes(b"{}")
        assert red.until("error")["reason"] == "size"


def test_halves_of_characters_are_quoted_with_a_mark(studio: TestClient) -> None:
    with sitting(studio, made(studio)[0]) as red:
        for asked in ({"type": "points", "id": 1, "of": "\ud800"}, {"type": "draw", "\ud800": 1}):
            red.socket.send_text(json.dumps(asked))
            told = red.until("error")
            assert told["reason"] == "form"
            assert "\ufffd" in told["text"]
            assert told["text"].isprintable()


def test_a_note_that_could_not_be_written_is_refused(studio: TestClient) -> None:
    """And whatever could not be kept is not done: it must not stand in the way of what comes after it."""
    links = made(studio)
    with sitting(studio, links[0]) as red, sitting(studio, links[1]) as green:
        red.ask("note", id=1, revision=0, moment=0, text="\ud800 half")
        assert red.until("error")["reason"] == "form"
        red.ask("note", id=2, revision=0, moment=0, text="whole \U0001f600")
        assert [note["text"] for note in red.until("notes")["notes"]] == ["whole \U0001f600"]
        green.ask("note", id=3, revision=0, moment=0, text="mine")
        assert [note["text"] for note in green.until("notes")["notes"]] == ["mine"]


@pytest.mark.parametrize("text", ['{"type":"undo","id":1}', "{", "x" * (bounds.LONGEST_SOCKET_MESSAGE + 1), b"{}"])
def test_too_many_messages_are_not_answered(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch, text: str | bytes
) -> None:
    monkeypatch.setattr(bounds, "A_SECOND", 0.0)
    with sitting(studio, made(studio)[0]) as red:
        for _ in range(int(bounds.BURST) + 1):
            if isinstance(text, bytes):
                red.socket.send_bytes(text)
            else:
                red.socket.send_text(text)
        assert red.until("error", lambda told: told["reason"] == "rate")


def test_who_does_not_join_is_sent_away(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SECONDS_TO_JOIN", 0.2)
    links = made(studio)
    place, token = address(links[1])
    with sitting(studio, links[0]) as red:
        with studio.websocket_connect(place, subprotocols=[SUBPROTOCOL, token]) as silent:
            with pytest.raises(WebSocketDisconnect) as left:
                silent.receive_json()
            assert left.value.code == RULES_CODE
        assert red.choose("put card(1)", 0)


@pytest.mark.parametrize("bound", ["MOST_SPECTATORS", "MOST_WATCHING"])
def test_each_link_has_room_for_so_many_and_spectators_take_none_from_players(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(hall, bound, 1)
    monkeypatch.setattr(hall, "MOST_AT_A_SEAT", 1)
    links = made(studio)

    def has_room(link: str) -> bool:
        with sitting(studio, link) as someone:
            message = someone.socket.receive_json()
            if message["type"] == "error":
                assert message["reason"] == "crowded"
                with pytest.raises(WebSocketDisconnect) as left:
                    someone.socket.receive_json()
                assert left.value.code == server.CROWDED_CODE
            return bool(message["type"] == "welcome")

    with sitting(studio, links[-1]) as nobody, sitting(studio, links[0]) as red:
        nobody.until("view")
        red.until("view")
        assert [has_room(links[seat]) for seat in (-1, 0, 1)] == [False, False, True]
    assert has_room(links[0])


def test_spectators_together_ask_for_so_much_and_slow_no_player(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`join` counts 4 times and `draw` twice: four spectators have asked for all that five may."""
    monkeypatch.setattr(bounds, "A_SECOND", 0.0)
    monkeypatch.setattr(bounds, "BURST", 8.0)
    links = made(studio)
    with ExitStack() as all_of_them:
        for _ in range(4):
            spectator = all_of_them.enter_context(sitting(studio, links[-1]))
            for _ in range(2):
                spectator.ask("draw")
                spectator.until("board")
        late = all_of_them.enter_context(sitting(studio, links[-1]))
        assert late.until("error")["reason"] == "rate"
        red = all_of_them.enter_context(sitting(studio, links[0]))
        assert red.choose("put card(7)", 0)["revision"] == 1
        for number in range(4):
            red.ask("points", id=number, of="red")
        assert red.until("error") == {"type": "error", "reason": "rate", "code": "rate", "id": 1} | {"text": ANY}


def test_a_file_of_tables_is_for_nobody_else(tmp_path: Path) -> None:
    """Where the machine has rights for files: what is kept of a game is not for all who use it."""
    file = tmp_path / "tables.sqlite"
    Store(file).close()
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o644)  # as an earlier version made it
    Store(file).close()
    assert file.stat().st_mode & 0o077 == 0


def test_there_are_so_many_tables_and_entries_and_bytes(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    links = made(studio)
    monkeypatch.setattr(server, "MOST_TABLES", 1)
    assert studio.post("/api/tables", json=PROBE).status_code == 409
    assert studio.post("/api/tables", content=b" " * (bounds.LONGEST_REQUEST + 1)).status_code == 413
    monkeypatch.setattr(hall, "MOST_ENTRIES", 1)
    with sitting(studio, links[0]) as red:
        red.choose("put card(1)", 0)
        for kind, more in (("choose", {"revision": 1, "key": "put left"}), ("undo", {}), ("agree", {"agrees": True})):
            red.ask(kind, id=2, **more)
            assert red.until("error")["reason"] == "full"


def test_tables_that_are_made_at_once_are_counted(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    both, asked_for = Barrier(2, timeout=ANSWER), Library.asked_for

    def asked(*words: Any) -> About:
        both.wait()  # neither is made yet
        return asked_for(*words)

    monkeypatch.setattr(server, "MOST_TABLES", 1)
    monkeypatch.setattr(Library, "asked_for", asked)
    with ThreadPoolExecutor(2) as people:
        done = [people.submit(studio.post, "/api/tables", json=PROBE) for _ in range(2)]
    assert sorted(each.result().status_code for each in done) == [201, 409]


# ---- the file --------------------------------------------------------------------------------------------------------


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("a text that is no file of tables, and long enough to be none " * 20, encoding="utf-8")
    with pytest.raises(NoStore, match="no file of tables"):
        Store(other)
    db = sqlite3.connect(tmp_path / "db")
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    with pytest.raises(NoStore, match="no file of tables, or one of another version"):
        Store(tmp_path / "db")


def test_faults_of_the_disk_are_told_to_the_host(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    for name, method, path in (
        ("make", "POST", "/api/tables"),
        ("remove", "DELETE", "/api/tables/x"),
        ("about", "GET", "/api/tables/x/save"),
        ("ids", "GET", "/api/tables"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(Store, name, fault)
            done = studio.request(method, path, json=PROBE)
        assert (done.status_code, "disk I/O error" in done.json()["error"]) == (503, True)


@pytest.mark.parametrize("entry", ["{", "[]", '{"did": "decided", "seat": "0", "key": "x"}', '{"did": []}'])
def test_a_record_that_was_spoilt_is_told(file: Path, entry: str) -> None:
    with serving(file) as studio:
        links = made(studio)
    table = links[0].split("/")[2].partition("#")[0]
    db = sqlite3.connect(file)
    with db:
        db.execute("INSERT INTO entries (at, n, entry) VALUES (?, 0, ?)", (table, entry))
    db.close()
    with serving(file) as studio:
        done = studio.get(f"/api/tables/{table}/save")
        assert (done.status_code, f"table '{table}' cannot be read" in done.text) == (422, True)
        with sitting(studio, links[0]) as red:
            assert "cannot be read" in red.until("error", lambda told: told["reason"] == "fault")["text"]
            with pytest.raises(WebSocketDisconnect) as left:
                red.until("nothing else")
            assert left.value.code == server.FAULT_CODE
        assert studio.delete(f"/api/tables/{table}").status_code == 204


def test_a_record_is_kept_whole_and_in_order(file: Path) -> None:
    store = Store(file)
    about = About("probe", 2, (("moon", "true"),), ("lunar",), ("human", "random"), 2**63 - 1)
    table = store.make(about, {0: new_token()})
    done: list[Entry] = [Decided(0, "é日"), Decided(1, "b"), Undone(1, 0)]
    note = Note(1, 2, "é日")
    store.add(table, 0, Done(done[:1], {0: 2.5}, [(1, note), (2, note)]))
    with pytest.raises(sqlite3.IntegrityError):
        store.add(table, 0, Done(done, {}, [(1, None)]))  # its first place is taken: nothing of it is kept
    store.add(table, 1, Done(done[1:], {0: 9.0, 2: 4.0}, [(2, None)]))
    store.close()
    again = Store(file)
    assert again.about(table) == about
    assert again.record(table) == done
    assert again.thought(table) == {0: 2.5, 2: 4.0}
    assert again.notes(table) == {1: note}
    assert again.remove(table)
    assert again.record(table) == []
    again.close()


def test_a_file_of_an_older_form_is_brought_to_this_one(file: Path) -> None:
    with serving(file) as studio:
        links = made(studio)
        with sitting(studio, links[0]) as red:
            red.choose("put card(1)", 0)
    db = sqlite3.connect(file)
    db.executescript("ALTER TABLE entries DROP COLUMN thought; DROP TABLE notes; PRAGMA user_version = 1;")
    db.close()
    with serving(file) as studio, sitting(studio, links[0]) as red:
        assert red.until("view")["revision"] == 1
        red.ask("note", id=1, revision=1, moment=1, text="kept")
        assert [note["text"] for note in red.until("notes")["notes"]] == ["kept"]


def test_people_are_timed_while_they_are_there(file: Path) -> None:
    """The clock of a question: 3 seconds, away for 100, 4 more; the next question begins anew."""
    at = [0.0]
    clock = Thinking(lambda: at[0])
    game = LIBRARY.played(LIBRARY.asked_for(PROBE, 3)).result().game
    table = Table(game, Seating(("human", "random"), 3))
    for seconds, away in ((0, ()), (3, (0,)), (103, ())):
        at[0], table.away = seconds, frozenset(away)
        clock.look(table)
    at[0] = 107.0
    assert clock.seconds == 7.0
    table.decide(0, "put card(1)")
    clock.look(table)
    assert clock.seconds == 0.0


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "no_address"),
        ("GET", "/api/tables/x/y/z", 404, "no_address"),
        ("PUT", "/api/tables", 405, "no_method"),
        ("POST", "/api/games", 405, "no_method"),
    ],
)
def test_what_is_not_there_is_told_as_all_errors_are(
    studio: TestClient, method: str, path: str, status: int, code: str
) -> None:
    done = studio.request(method, path)
    assert (done.status_code, done.json()["code"]) == (status, code)
    assert done.json()["error"] != ""
    assert ("allow" in done.headers) == (status == 405)


def test_a_game_that_is_gone_and_one_at_fault_are_told_apart(tmp_path: Path) -> None:
    folder = tmp_path / "probe"
    shutil.copytree(CONTENT / "probe", folder)
    shutil.copytree(CONTENT / "reply", tmp_path / "reply")
    with serving(tmp_path / "tables.sqlite", Library(tmp_path)) as studio:
        kept = studio.get(f"/api/tables/{made(studio)[0].split('/')[2].partition('#')[0]}/log").content
    with serving(tmp_path / "tables.sqlite", Library(tmp_path)) as studio:
        (folder / "probe.yaml").write_text("game: [", encoding="utf-8")
        done = studio.post("/api/tables", json=PROBE).json()
        assert (done["code"], done["problems"][0]["file"]) == ("unplayable", "probe/probe.yaml")
        assert studio.post("/api/saves", content=kept).json()["code"] == "content"
        shutil.rmtree(folder)
        assert studio.post("/api/tables", json=PROBE).json()["code"] == "no_game"
        assert studio.post("/api/saves", content=kept).json()["code"] == "save.game"


def test_a_seat_gets_the_log_of_what_it_knows(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red begins with the cards 1 and 7, Green with 2 and 3: Green's log has no card of Red's hand, and no note."""
    monkeypatch.setattr(bounds, "A_SECOND", 0.0)
    links = made(studio)
    place = f"/api/tables/{links[0].split('/')[2].partition('#')[0]}/log"
    with sitting(studio, links[0]) as red:
        red.choose("put card(7)", 0)
        red.ask("note", id=1, revision=1, moment=1, text="mine")
        red.until("accepted")
    found = {}
    for seat, link in links.items():
        headers = {"authorization": f"Bearer {link.partition('#')[2]}"}
        answer = studio.get(place, headers=headers)
        assert answer.status_code == (401 if seat == -1 else 200)
        found[seat] = answer.text
    for seat, name in ((0, "red"), (1, "green")):
        header = json.loads(found[seat].splitlines()[0])
        assert (header.get("seat"), "seed" in header) == (name, False)
    assert "card(1)" in found[0]
    assert "card(1)" not in found[1]
    assert "mine" in found[0]
    assert "mine" not in found[1]
    assert ['"seconds"' in found[seat] for seat in (0, 1)] == [True, False]
    headers = {"authorization": f"Bearer {links[0].partition('#')[2]}"}
    codes = [studio.get(place, headers=headers).status_code for _ in range(9)]
    assert codes[0] == 200
    assert codes[-1] == 429
    assert studio.get(place, headers={"authorization": f"Bearer {'0' * 32}"}).status_code == 401


def test_a_folder_without_games_has_none(tmp_path: Path) -> None:
    with pytest.raises(Troubled, match="There is no game in"):
        Library(tmp_path)
    assert Library(CONTENT / "probe").ids() == ("probe",)
    assert RULES_CODE == 1008


def test_what_is_no_readable_file_beside_a_game_is_passed_over(tmp_path: Path) -> None:
    """A link that leads to itself, a folder and a pipe: none of them is a game, none of them is in the way."""
    for name in ("circle", "folder", "pipe"):
        (tmp_path / name).mkdir()
    (tmp_path / "circle" / "a.yaml").symlink_to(tmp_path / "circle" / "a.yaml")
    (tmp_path / "folder" / "a.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe" / "a.yaml")
    shutil.copytree(CONTENT / "probe", tmp_path / "probe")
    assert Library(tmp_path).ids() == ("probe",)
