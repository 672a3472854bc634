"""Games that go out of a server as files and come in again: whole, or refused with the line that is wrong."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio is an extra")
pytest.importorskip("httpx2", reason="the test client is an extra")

from starlette.testclient import TestClient

from interpreter.log_lines import LineWriter
from interpreter.studio import hall, server, thinking
from interpreter.studio.hall import Hall
from interpreter.studio.library import Library
from interpreter.studio.saves import Loaded, Patience, table_of
from interpreter.studio.store import Store
from interpreter.studio.trouble import Troubled
from interpreter.studio.words import page_words
from interpreter.table.saving import log_text
from interpreter.table.seats import Seating
from interpreter.table.table import Table
from rulespec.published import first_fault
from tests.play.table import PROBE
from tests.studio.test_server import LIBRARY, made, serving, sitting

Lines = list[dict[str, Any]]


@pytest.fixture
def studio(tmp_path: Path) -> Any:
    with serving(tmp_path / "tables.sqlite") as client:
        yield client


def id_of(link: str) -> str:
    return link.split("/")[2].partition("#")[0]


def played(studio: TestClient) -> str:
    """A table at which one decision was made."""
    links = made(studio, seats=["human", "human"])
    with sitting(studio, links[0]) as red:
        red.choose("put card(7)", 0)
    return id_of(links[0])


def lines_of(text: str) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: Lines) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize("what", ["save", "log"])
def test_what_was_kept_goes_on_at_a_new_table(studio: TestClient, what: str) -> None:
    table = played(studio)
    kept = studio.get(f"/api/tables/{table}/{what}")
    assert kept.status_code == 200
    done = studio.post("/api/saves", content=kept.content)
    assert done.status_code == 201, done.text
    new = done.json()
    assert new["table"] != table
    assert [each["seat"] for each in new["links"]] == [0, 1]
    with sitting(studio, new["links"][1]["link"]) as green:
        view = green.until("view")
        assert (view["revision"], view["moment"]) == (1, 1)
    assert studio.get(f"/api/tables/{new['table']}/{what}").text == kept.text
    # the one before is as it was
    assert studio.get(f"/api/tables/{table}/{what}").text == kept.text


def test_notes_and_times_go_with_a_file(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red thinks for 7 seconds and notes what the set-up and that decision bring; all of it is there once more."""
    clock = Clock()
    monkeypatch.setattr(thinking, "monotonic", clock)
    links = made(studio, seats=["human", "human"])
    with sitting(studio, links[0]) as red:
        red.until("options")
        clock.at = 7.04
        red.choose("put card(7)", 0)
        for moment, text in ((0, " good cards "), (1, "better")):
            red.ask("note", id=1, revision=1, moment=moment, text=text)
            red.until("accepted")
    kept = studio.get(f"/api/tables/{id_of(links[0])}/log").text
    lines = lines_of(kept)
    assert lines[0]["notes"] == [{"player": "red", "text": "good cards"}]
    [decided] = [line for line in lines if "key" in line]
    assert (decided["seconds"], decided["notes"]) == (7.0, [{"player": "red", "text": "better"}])
    is_there_whole(studio, kept)


@pytest.mark.parametrize(
    ("note", "code"),
    [
        ({"player": "blue", "text": "x"}, "save.differs"),
        ({"player": "red"}, "save.form"),
        ({"player": "red", "text": "x" * 2_001}, "save.form"),
    ],
)
def test_notes_that_cannot_be_are_refused(studio: TestClient, note: dict[str, Any], code: str) -> None:
    lines = lines_of(log_of(LIBRARY, 2))
    at = next(at for at, line in enumerate(lines) if line.get("n") == 2)
    lines[at]["notes"] = [note]
    done = studio.post("/api/saves", content=text_of(lines)).json()
    assert (done["code"], done["given"]["line"]) == (code, str(at + 1))
    lines[at]["notes"] = [{"player": "red", "text": "x"}] * 201
    assert studio.post("/api/saves", content=text_of(lines)).json()["code"] == "save.setup"


class Clock:
    """Stands where it is put."""

    at = 0.0

    def __call__(self) -> float:
        return self.at


def test_who_plays_is_as_it_was_saved(studio: TestClient) -> None:
    links = made(studio, seats=["human", "greedy"])
    kept = studio.get(f"/api/tables/{id_of(links[0])}/save").content
    assert [each["seat"] for each in studio.post("/api/saves", content=kept).json()["links"]] == [0]
    kept = studio.get(f"/api/tables/{id_of(links[0])}/log").content  # a log does not say it
    assert [each["seat"] for each in studio.post("/api/saves", content=kept).json()["links"]] == [0, 1]


def log_of(games: Library, decisions: int) -> str:
    """The log of a game of so many decisions, each the first that is offered."""
    game = games.played(games.asked_for({"game": "probe", "seats": ["human"] * 2}, 3)).result().game
    table = Table(game, Seating(("human", "human"), 3))
    for _ in range(decisions):
        assert table.decider is not None
        table.decide(table.decider, table.state.options().keys()[0])
    return log_text(table)


def is_there_whole(studio: TestClient, text: str) -> None:
    """A log becomes a table that has all of it."""
    done = studio.post("/api/saves", content=text.encode())
    assert done.status_code == 201, done.text
    n = sum("n" in line for line in lines_of(text))
    with sitting(studio, done.json()["links"][0]["link"]) as red:
        view = red.until("view")
        assert (view["revision"], view["moment"]) == (n, n)
    assert studio.get(f"/api/tables/{done.json()['table']}/log").text == text


def test_a_file_is_gone_on_with_by_the_content_that_made_it(tmp_path: Path) -> None:
    """The content is edited while tables of it are open: one card more for each hand."""
    folder = tmp_path / "games"
    shutil.copytree(PROBE, folder / "probe")
    games = Library(folder)
    with serving(tmp_path / "tables.sqlite", games) as studio:
        old = log_of(games, 4)
        table = played(studio)
        content = folder / "probe" / "probe.yaml"
        text = content.read_text(encoding="utf-8")
        content.write_text(text.replace("take(2, box.card)", "take(3, box.card)", 1), encoding="utf-8")  # to hands
        new = log_of(Library(folder), 8)
        assert lines_of(old)[0]["fingerprint"] != lines_of(new)[0]["fingerprint"]
        is_there_whole(studio, old)
        is_there_whole(studio, new)
        # a table that goes on with the content of before, which no table that is made now has
        is_there_whole(studio, studio.get(f"/api/tables/{table}/log").text)


@pytest.mark.parametrize("where", ["event", "save"])
@pytest.mark.parametrize("deep", [100, 980, 5_000])
def test_a_line_that_is_too_deep_is_refused(studio: TestClient, where: str, deep: int) -> None:
    """What is deep can be read, and then neither compared nor read again where more calls are under way."""
    text = studio.get(f"/api/tables/{played(studio)}/save").text
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if f'"{where}":' in line)
    lines[at] = lines[at].rstrip()[:-1] + ', "was": ' + '{"a":' * deep + "1" + "}" * deep + "}"
    told = studio.post("/api/saves", content="\n".join([*lines, ""]).encode())
    assert (told.status_code, told.json()["code"], told.json()["given"]["line"]) == (422, "save.form", str(at + 1))


def decision_of(lines: Lines) -> dict[str, Any]:
    return next(line for line in lines if "n" in line and "save" not in line)


def at(lines: Lines, line: dict[str, Any]) -> int:
    return lines.index(line) + 1


#: What is done to a save, what is told of it, and at which line: a number, or what finds it.
FAULTS: dict[str, tuple[Callable[[Lines], Any], str, int | None]] = {
    "another game": (lambda lines: lines[0].update(game="chess"), "save.game", None),
    "another version": (lambda lines: lines[0].update(log=9), "save.version", 1),
    "another form of states": (lambda lines: lines[0].update(states=9), "save.version", 1),
    "a save of another version": (lambda lines: lines[-1].update(save=9), "save.version", -1),
    "a save of another form": (lambda lines: lines[-1].update(state=9), "save.form", -1),
    "a save after another decision": (lambda lines: lines[-1].update(n=5), "save.order", -1),
    "a seat that there is not": (lambda lines: lines[-1].update(seats=["human", "martian"]), "save.setup", -1),
    "more seats than play": (lambda lines: lines[-1].update(seats=["human"] * 3), "save.setup", -1),
    "very many variants": (lambda lines: lines[0].update(variants=["lunar"] * 101), "save.setup", 1),
    "very many options": (lambda lines: lines[0].update(options={f"o{i}": 1 for i in range(101)}), "save.setup", 1),
    "very many players": (lambda lines: lines[0].update(players=10**9), "save.setup", 1),
    "a header of a great length": (lambda lines: lines[0].update(variants=["lunar"] * 20_000), "save.form", 1),
    "a key of a great length": (lambda lines: decision_of(lines).update(key="a" * 70_000), "save.form", 0),
    "another state": (lambda lines: lines[-1].update(digest="0"), "save.state", -1),
    "a state of nothing": (lambda lines: lines[-1].update(state="AAAA"), "save.state", -1),
    "a variant that there is not": (lambda lines: lines[0].update(variants=["lunar"]), "save.variant", 1),
    "an option that there is not": (lambda lines: lines[0].update(options={"moon": True}), "save.setup", 1),
    "too many players": (lambda lines: lines[0].update(players=9), "save.setup", 1),
    "another choice": (lambda lines: decision_of(lines).update(key="put left"), "save.choice", 0),
    "another digest": (lambda lines: decision_of(lines).update(digest="0"), "save.differs", 0),
    "another player": (lambda lines: decision_of(lines).update(player="green"), "save.differs", 0),
    "a field of another kind": (lambda lines: decision_of(lines).update(n="one"), "save.form", 0),
    "a decision that is missing": (lambda lines: decision_of(lines).update(n=2), "save.order", 0),
    "no header": (lambda lines: lines.pop(0), "save.order", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_file_is_refused_with_its_line(studio: TestClient, fault: str) -> None:
    text = studio.get(f"/api/tables/{played(studio)}/save").text
    lines = lines_of(text)
    spoil, code, where = FAULTS[fault]
    decided = at(lines, decision_of(lines))
    spoil(lines)
    tables = studio.get("/api/tables").json()
    done = studio.post("/api/saves", content=text_of(lines))
    told = done.json()
    assert (done.status_code, told["code"]) == (422, code), told
    line = {None: None, 0: decided, -1: len(lines)}.get(where, where)
    assert told.get("given", {}).get("line") == (None if line is None else str(line))
    assert first_fault(told, "studio", "trouble") is None
    assert len(told["error"]) < 500 or "key" in fault  # names of a file that are very many are not sent back
    assert studio.get("/api/tables").json() == tables  # no half of a table


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"", 1), (b"\xff", 1), (b'{"log": 2\n', 1), (b"[" * 100_000, 1), (b"a picture\nof a board\n", 1), (b"null\n", 1)],
)
def test_what_is_no_file_of_a_game(studio: TestClient, data: bytes, line: int) -> None:
    told = studio.post("/api/saves", content=data)
    assert (told.status_code, told.json()["code"], told.json()["given"]["line"]) == (422, "save.form", str(line))


def test_a_file_that_was_cut_names_the_line(studio: TestClient) -> None:
    text = studio.get(f"/api/tables/{played(studio)}/log").text
    told = studio.post("/api/saves", content=text[: text.rindex("{") + 5].encode()).json()
    assert (told["code"], told["given"]["line"]) == ("save.form", str(len(text.splitlines())))


def test_a_save_that_was_cut_in_its_last_line_is_no_save(studio: TestClient) -> None:
    text = studio.get(f"/api/tables/{played(studio)}/save").text
    told = studio.post("/api/saves", content=text[:-20].encode()).json()
    assert (told["code"], told["given"]["line"]) == ("save.form", str(len(text.splitlines())))


@pytest.mark.parametrize("what", ["save", "log"])
def test_empty_lines_at_the_end_are_nothing(studio: TestClient, what: str) -> None:
    text = studio.get(f"/api/tables/{played(studio)}/{what}").text
    assert studio.post("/api/saves", content=f"{text}\n\n".encode()).status_code == 201


def test_a_file_that_names_no_person_is_gone_on_with_by_people(studio: TestClient) -> None:
    lines = lines_of(studio.get(f"/api/tables/{played(studio)}/save").text)
    lines[-1]["seats"] = ["greedy", "greedy"]
    assert [each["seat"] for each in studio.post("/api/saves", content=text_of(lines)).json()["links"]] == [0, 1]


@pytest.mark.parametrize("left", [0, 1, 3])
@pytest.mark.parametrize("what", ["save", "log"])
def test_a_file_that_takes_too_long_is_given_up(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch, what: str, left: int
) -> None:
    """Before it is read, while it is read, and while it is played again."""
    kept = studio.get(f"/api/tables/{played(studio)}/{what}").content
    lines = kept.count(b"\n") - (what == "save")
    clock = iter([0.0] * {0: 1, 1: 3, 3: lines + 2}[left])
    monkeypatch.setattr("interpreter.studio.saves.thread_time", lambda: next(clock, 1e9))
    told = studio.post("/api/saves", content=kept)
    assert (told.status_code, told.json()["code"]) == (422, "save.slow")


def test_a_file_that_nobody_waits_for_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = log_of(LIBRARY, 2).encode()
    begun = Event()

    def endless(data: bytes, games: Library, patience: Patience) -> Loaded:
        if data == kept:
            return table_of(data, games, patience)
        while True:
            begun.set()
            patience()

    async def is_there() -> bool:
        return False

    async def is_gone() -> bool:
        return begun.is_set()

    async def sent() -> Loaded:
        rooms = Hall(Store(tmp_path / "tables.sqlite"), LIBRARY)
        first = asyncio.create_task(rooms.of_file(b"", is_gone))
        await asyncio.sleep(0)
        found = await rooms.of_file(kept, is_there)
        with pytest.raises(Troubled, match="too long"):
            await first
        await rooms.close()
        return found

    monkeypatch.setattr(hall, "table_of", endless)
    monkeypatch.setattr(hall, "SECONDS_TO_LOOK", 0.01)
    assert len(asyncio.run(sent()).done.entries) == 2


def test_one_players_log_is_refused(studio: TestClient) -> None:
    game = LIBRARY.played(LIBRARY.asked_for({"game": "probe", "seats": ["human"] * 2}, 3)).result().game
    writer, state = LineWriter(game, 0), game.start(3, events=True)
    lines = [writer.header(3, state), *writer.events(state), writer.result(state)]
    assert studio.post("/api/saves", content=text_of(lines)).json()["code"] == "save.seat"


def test_a_file_has_its_bounds_and_needs_the_key(studio: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = studio.get(f"/api/tables/{played(studio)}/save").content
    assert studio.post("/api/saves", content=kept, headers={"authorization": "Bearer no"}).status_code == 401
    monkeypatch.setattr(server, "LONGEST_SAVE", len(kept) - 1)
    told = studio.post("/api/saves", content=kept)
    assert (told.status_code, told.json()["code"]) == (413, "long")
    monkeypatch.setattr(server, "LONGEST_SAVE", len(kept))
    monkeypatch.setattr(server, "MOST_TABLES", 1)
    assert studio.post("/api/saves", content=kept).json()["code"] == "many_tables"
    monkeypatch.setattr(server, "MOST_TABLES", 2)
    monkeypatch.setattr("interpreter.studio.saves.MOST_ENTRIES", 0)
    assert studio.post("/api/saves", content=kept).json()["code"] == "full"


@pytest.mark.parametrize("language", ["en", "fr", "ja", "es"])
def test_what_goes_wrong_at_a_table_is_told_in_its_language(
    studio: TestClient, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """The probe is in English and French; the page has the code, and words in all of its languages."""
    monkeypatch.setattr("interpreter.studio.hall.MOST_ENTRIES", 0)
    with sitting(studio, made(studio)[0]) as red:
        red.ask("language", language=language)
        spoken = red.until("welcome", lambda told: True)["language"]
        red.ask("choose", id=1, revision=0, key="put card(7)")
        told = red.until("error")
        assert first_fault(told, "table", "error") is None
        assert (told["reason"], told["code"], told["given"]) == ("full", "full", {"limit": "0"})
        words = page_words(language)["words"]["error.full"]
        assert words != page_words("en")["words"]["error.full"] or language == "en"
        assert told["text"] in {page_words(each)["words"]["error.full"].format(limit=0) for each in (spoken, "en")}
