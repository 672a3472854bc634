"""Games of people as data: out of files of tables, logs and saves, and beside automatic seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra 'simulate' is not installed")

from interpreter import load
from interpreter.cli.main import main
from interpreter.simulate.columns import COLUMNS
from interpreter.studio.store import About, Done, Store
from interpreter.table.notes import Note
from interpreter.table.record import Decided, Entry, Undone
from interpreter.table.saving import log_text, saved_text
from interpreter.table.seats import Seating
from interpreter.table.table import Table

DOCS = Path(__file__).parents[2] / "docs"
#: Cross has the left column with its third mark; nought has two of the middle one.
KEYS = [f"place_mark cell[{at}]" for at in ("0,0", "1,0", "0,1", "1,1", "0,2")]
SECONDS = {0: 4.0, 2: 12.5, 4: 1.0}


def entries(keys: list[str]) -> list[Entry]:
    return [Decided(n % 2, key) for n, key in enumerate(keys)]


def about(*kinds: str) -> About:
    return About("tic_tac_toe", 2, (), (), kinds, 1)


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that Cross wins, one of which began with a decision that was taken back; one that was left; others."""
    path = tmp_path_factory.mktemp("tables") / "tables.sqlite"
    store = Store(path)
    notes = [(1, Note(0, 3, "too easy")), (2, Note(1, 9, "gone", stands=False))]
    store.make(about("human", "greedy"), {}, None, Done(entries(KEYS), SECONDS, notes))
    redone = [Decided(0, KEYS[1]), Undone(1, 0), *entries(KEYS)]
    store.make(about("human", "greedy"), {}, None, Done(redone, {0: 99.0, 2: 5.0}))
    store.make(about("human", "human"), {}, None, Done(entries(KEYS[:2]), {0: 2.0, 1: 3.0}))
    store.make(about("human", "human"), {})  # nothing was decided there
    store.make(About("breakthrough", 2, (), (), ("human", "human"), 1), {}, None, Done([Decided(0, "x")]))
    store.close()
    return path


@pytest.fixture(scope="module")
def folder(tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("kept") / "playtest"
    assert main(["playtests", "tic_tac_toe", str(tables), "--out", str(made)]) == 0
    return made


def test_games_of_people_have_the_form_of_a_run(folder: Path) -> None:
    games = rows(folder, "games")
    assert [(game["arm"], game["game"], game["decisions"], game["unfinished"]) for game in games] == [
        (0, 0, 5, None),
        (0, 1, 5, None),
        (1, 0, 2, "it was not played to its end"),
    ]
    seats = [(seat["arm"], seat["game"], seat["agent"], seat["won"]) for seat in rows(folder, "seats")]
    assert seats == [(0, 0, "human", 1), (0, 0, "greedy", 0), (0, 1, "human", 1), (0, 1, "greedy", 0)]
    [own] = {row["source"].partition(":")[0] for row in rows(folder, "sources")}
    assert own == "tables.sqlite"


def test_each_decision_has_its_time(folder: Path) -> None:
    """Of the game with a decision that was taken back only what stands is there, with its own times."""
    found = [(row["arm"], row["game"], row["keys"][row["took"]], row["seconds"]) for row in rows(folder, "decisions")]
    first = list(zip(KEYS, (4.0, None, 12.5, None, 1.0), strict=True))
    second = list(zip(KEYS, (5.0, None, None, None, None), strict=True))
    third = list(zip(KEYS[:2], (2.0, 3.0), strict=True))
    expected = [(0, 0, first), (0, 1, second), (1, 0, third)]
    assert found == [(arm, game, *each) for arm, game, of in expected for each in of]


def test_notes_are_rows(folder: Path) -> None:
    [stands, gone] = rows(folder, "notes")
    assert (stands["game"], stands["seat"], stands["n"], stands["note"], stands["stands"]) == (0, 1, 3, "too easy", 1)
    assert (gone["seat"], gone["note"], gone["stands"]) == (2, "gone", 0)


def test_columns_are_told_in_the_documentation(folder: Path) -> None:
    import pyarrow.parquet as pq

    page = (DOCS / "simulate_data.md").read_text(encoding="utf-8").splitlines()
    for path in folder.glob("*.parquet"):
        names = ", ".join(f"`{name}`" for name in pq.read_schema(path).names)
        assert f"| `{path.name}` | {names} |" in page
    for name in ("seconds", "note", "stands", "source"):
        assert f"| `{name}` | {COLUMNS[name].kind} | {COLUMNS[name].about} |" in page


def test_people_stand_beside_automatic_seats(folder: Path, tmp_path: Path) -> None:
    words = ["--games", "6", "--seats", "random,random", "--detail", "full", "--jobs", "1"]
    assert main(["simulate", "tic_tac_toe", *words, "--out", str(tmp_path / "bots")]) == 0
    for first, second in ((folder, tmp_path / "bots"), (tmp_path / "bots", folder)):
        page = tmp_path / "both.html"
        assert main(["report", str(first), str(second), "--out", str(page)]) == 0
        text = page.read_text(encoding="utf-8")
        for said in ("People beside automatic seats", ">human<", ">greedy<", ">random<", "too easy", "How long people"):
            assert said in text
        # 1, 2, 3, 4, 5 and 12.5 seconds: half of them are not longer than 3
        assert '<td>all decisions</td><td class="n">6</td><td>3.0</td><td>12.5</td><td>12.5</td>' in text
        assert "not about people" not in text


def test_a_run_without_people_is_reported_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--games", "4", "--seats", "random,random", "--jobs", "1", "--against", "misere"]
    variant = load("tic_tac_toe").source.variants
    words = words if "misere" in variant else words[:-2]
    assert main(["simulate", "tic_tac_toe", *words, "--out", str(out)]) == 0
    before = (out / "report.html").read_text(encoding="utf-8")
    assert main(["report", str(out)]) == 0
    assert (out / "report.html").read_text(encoding="utf-8") == before


def test_logs_and_saves_are_games_too(tmp_path: Path) -> None:
    """A save says who plays; in a log a person is who has times or notes."""
    table = Table(load("tic_tac_toe"), Seating(("human", "greedy"), 1))
    for n, key in enumerate(KEYS):
        if n == 4:
            (tmp_path / "a.save").write_text(saved_text(table), encoding="utf-8")
        table.decide(n % 2, key)
        table.thought[n] = 1.5 if n == 2 else 0.0
        if n != 2:
            del table.thought[n]
    table.pin(0, 0, "at the set-up")
    (tmp_path / "a.log").write_text(log_text(table), encoding="utf-8")
    out = tmp_path / "kept"
    files = [str(tmp_path / name) for name in ("a.log", "a.save")]
    assert main(["playtests", "tic_tac_toe", *files, "--out", str(out)]) == 0
    assert [seat["agent"] for seat in rows(out, "seats")] == ["human", "unknown"]
    assert [game["decisions"] for game in rows(out, "games")] == [5, 4]
    assert [(row["n"], row["note"]) for row in rows(out, "notes")] == [(0, "at the set-up")]
    assert sorted(row["seconds"] for row in rows(out, "decisions") if row["seconds"]) == [1.5, 1.5]


def test_what_does_not_fit_is_left_out_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(tmp_path / "tables.sqlite")
    store.make(about("human", "human"), {}, None, Done(entries([KEYS[0], KEYS[0]])))
    store.make(about("human", "human"), {}, None, Done(entries([*KEYS, "place_mark cell[2,2]"])))
    store.make(About("tic_tac_toe", 7, (), (), ("human",) * 7, 1), {}, None, Done(entries(KEYS)))
    store.make(about("human", "human"), {}, None, Done(entries(KEYS), {}, [(1, Note(4, 0, "x"))]))
    store.close()
    out = tmp_path / "out"
    assert main(["playtests", "tic_tac_toe", str(tmp_path / "tables.sqlite"), "--out", str(out)]) == 1
    told = capsys.readouterr().err
    for said in (
        "its decision 2, 'place_mark cell[0,0]', is not offered",
        "goes on after its end",
        "RS434",
        "a note of 4",
    ):
        assert said in told
    assert not out.exists()


@pytest.mark.parametrize("text", [None, "no log\n", "SQLite format 3\0 and nothing more", ""])
def test_other_files_are_refused(text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["playtests", "tic_tac_toe", str(file), "--out", str(tmp_path / "out")]) == 2
    assert str(file) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_folders_that_are_no_runs_or_of_another_game(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert "holds no run" in capsys.readouterr().err
    words = ["--games", "1", "--jobs", "1", "--out", str(tmp_path / "other")]
    assert main(["simulate", "connect_four", *words]) == 0
    assert main(["report", str(folder), str(tmp_path / "other")]) == 2
    assert "is of connect_four, and" in capsys.readouterr().err


def test_where_no_game_was_played_to_its_end_notes_and_times_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    notes = [(1, Note(0, 1, "<b>dull</b>"))]
    store.make(about("human", "human"), {}, None, Done(entries(KEYS[:1]), {0: 2.0}, notes))
    store.close()
    out = tmp_path / "out"
    assert main(["playtests", "tic_tac_toe", str(tmp_path / "tables.sqlite"), "--out", str(out)]) == 0
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;dull&lt;/b&gt;" in text
    assert "all decisions" in text


def test_a_game_counts_once_and_notes_without_a_game_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log and a save of one table are one game; what a person noted before any decision stands in no game."""
    table = Table(load("tic_tac_toe"), Seating(("human", "greedy"), 1))
    for n, key in enumerate(KEYS[:2]):
        table.decide(n, key)
        table.thought[n] = 1.5
    (tmp_path / "a.log").write_text(log_text(table), encoding="utf-8")
    (tmp_path / "a.save").write_text(saved_text(table), encoding="utf-8")
    store = Store(tmp_path / "tables.sqlite")
    store.make(about("human", "human"), {}, None, Done([], {}, [(1, Note(0, 0, "how?"))]))
    store.close()
    files = [str(tmp_path / name) for name in ("a.save", "a.log", "tables.sqlite")]
    assert main(["playtests", "tic_tac_toe", *files, "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert "a.log is left out: it is the same game as a.save." in told
    assert "is left out: nothing was decided there" in told
    assert len(rows(tmp_path / "out", "games")) == 1
    assert main(["playtests", "tic_tac_toe", *files, "--out", str(tmp_path / "out")]) == 2
    assert "holds results already: name another folder." in capsys.readouterr().err


def test_a_report_writes_over_nothing_that_it_reads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("games.parquet", "games.jsonl", "plan.json"):
        assert main(["report", str(folder), "--out", str(folder / name)]) == 2
        assert "which is read" in capsys.readouterr().err
    assert main(["report", str(folder), f"{folder}/."]) == 2
    assert "named twice" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
