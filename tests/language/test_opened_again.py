"""A game that is opened again is shown and played as one that was read from nothing, whatever was edited meanwhile."""

from __future__ import annotations

import io
import json
import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.edits import Edits
from interpreter import load
from interpreter.cli.main import main
from rulespec import build
from rulespec.kept import lowered, opened
from rulespec.lower.show_ir import show_program
from rulespec.source import store
from rulespec.source.files import forget
from rulespec.source.own import VARIABLE
from rulespec.source.shipped import games
from tests.language.test_kept_stages import GAME


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    (tmp_path / "cache").mkdir(mode=0o700)
    yield
    forget()


def shown(folder: Path, *words: str, typed: str = "1\n2\nlog\n") -> tuple[int, str, str]:
    """The exit status and all that `play` prints, at the terminal and of faults, when the process begins now."""
    forget()
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO(typed))
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        status = main(["play", str(folder), "--seed", "1", *words])
    return status, out.getvalue(), err.getvalue()


def compare(folder: Path, *words: str) -> int:
    """With an empty cache or none, when it is filled and when it is used: always the same. The exit status."""
    anew = shown(folder, *words, "--no-cache")
    assert [shown(folder, *words), shown(folder, *words)] == [anew, anew]
    return anew[0]


def test_threads_that_ask_at_once_get_one_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is still making it while the others ask."""
    folder = tmp_path / "g"
    shutil.copytree(games()["tic_tac_toe"], folder)
    load(folder)
    game, made = load(folder), []
    resolve = opened.resolve_again
    asking = threading.Barrier(4, timeout=20)

    def slowly(*arguments: Any) -> Any:
        made.append(arguments)
        threading.Event().wait(0.05)
        return resolve(*arguments)

    def tree(_: int) -> Any:
        asking.wait()
        return game.tree

    monkeypatch.setattr(opened, "resolve_again", slowly)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(tree, range(4)))
    assert len(made) == 1
    assert len({id(each) for each in found}) == 1


def edited(name: str, place: Path, edits: int, *words: str) -> None:
    folder = place / name
    shutil.copytree(games()[name], folder, ignore=shutil.ignore_patterns("*.lock"))
    made = Edits(folder, Random(name))
    ends = [compare(folder, *words)]
    for _ in range(edits):
        made.make()
        ends.append(compare(folder, *words))
    assert ends.count(0) > 1, "some edits leave a game that can be played"
    assert ends.count(1) > 0, "some do harm"


@pytest.mark.parametrize(("name", "edits"), [("tic_tac_toe", 14), ("connect_four", 5)])
def test_after_edits_it_is_as_if_read_from_nothing(name: str, edits: int, tmp_path: Path) -> None:
    edited(name, tmp_path, edits, "--lang", "fr")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "edits", "words"),
    [
        ("tic_tac_toe", 20, ["--lang", "ja"]),
        ("metro", 4, ["--players", "3"]),
        ("agora_barcelona", 4, ["--lang", "ja"]),
        ("barcelona", 3, ["--players", "3", "--option", "printed_actions=true"]),
    ],
)
def test_after_many_edits(name: str, edits: int, words: list[str], tmp_path: Path) -> None:
    edited(name, tmp_path, edits, *words)


def noted(monkeypatch: pytest.MonkeyPatch, *places: tuple[Any, str]) -> list[str]:
    """The names of the functions that are called from now on, of those at these places."""
    found: list[str] = []
    for module, name in places:
        function = getattr(module, name)

        def call(*args: Any, function: Any = function, name: str = name, **more: Any) -> Any:
            found.append(name)
            return function(*args, **more)

        monkeypatch.setattr(module, name, call)
    return found


@pytest.mark.parametrize("words", [[], ["--players", "3"], ["--option", "long=true"]])
def test_nothing_is_declared_again(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = demo(tmp_path)
    first = shown(folder, *words)
    called = noted(monkeypatch, (build, "declare"), (build, "lowered"))
    monkeypatch.setattr("rulespec.game_source.validate_whole", lambda *_: pytest.fail("it is known to be sound"))
    assert shown(folder, *words) == first
    assert called == []


def demo(place: Path) -> Path:
    folder = place / "demo"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "words.yaml").write_text("messages:\n  player.red: {en: Red}\n", encoding="utf-8")
    return folder


def test_a_text_a_comment_and_a_new_file_are_noticed(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    assert "Red" in shown(folder)[1]
    (folder / "words.yaml").write_text("messages:\n  player.red: {en: Crimson}\n", encoding="utf-8")
    assert "Crimson" in shown(folder)[1]
    (folder / "more.yaml").write_text("messages:\n  player.blue: {en: Navy}\n", encoding="utf-8")
    assert "Navy" in shown(folder)[1]
    (folder / "more.yaml").unlink()
    assert "Navy" not in shown(folder)[1]
    (folder / "words.yaml").write_text("messages:\n  player.red: {en: Red}\n", encoding="utf-8")
    assert "Crimson" not in shown(folder)[1]


def test_words_in_a_folder_of_ones_own_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's words lie in no folder of the game, and are shown in it."""
    folder, own = demo(tmp_path), tmp_path / "own"
    (own / "engine").mkdir(parents=True)
    monkeypatch.setenv(VARIABLE, str(own))
    before = shown(folder, "--lang", "nl")[1]
    words = own / "engine" / "nl.yaml"
    words.write_text('messages:\n  engine.seed: {nl: "Zaad {seed}"}\n', encoding="utf-8")
    after = shown(folder, "--lang", "nl")[1]
    assert "Zaad 1" in after
    words.unlink()
    assert shown(folder, "--lang", "nl")[1] == before


def test_a_variant_outside_is_noticed(tmp_path: Path) -> None:
    """A file that is named by its path is none of the game's folder; each text of it is a game of its own."""
    folder, variant = demo(tmp_path), tmp_path / "more.yaml"
    found = []
    for start in (3, 4, 3):
        change = f"{{set: state.player.coins.start, to: {start}}}"
        text = f"variant:\n  id: more\n  title: {{en: More}}\n  changes:\n    - {change}\n"
        variant.write_text(text, encoding="utf-8")
        game = load(folder, variants=[str(variant)])
        found.append((game.fingerprint, game.start(1).to_bytes()))
        assert game.variants == ("more",)
    assert found[0] == found[2] != found[1]
    assert load(folder).fingerprint not in (found[0][0], found[1][0])


def kept_of(kind: str) -> Path:
    places = list(Path(os.environ["XDG_CACHE_HOME"]).rglob(f"{kind}-*"))
    assert len(places) == 1
    return places[0]


@pytest.mark.parametrize("kind", ["opened", "program", "world"])
def test_what_is_damaged_or_gone_is_made_anew(kind: str, tmp_path: Path) -> None:
    folder = demo(tmp_path)
    first = shown(folder)
    whole = kept_of(kind).read_bytes()
    for damaged in (whole[:-1], whole.replace(b"player", b"plaxer"), b"", whole[::-1], None):
        place = kept_of(kind)
        place.unlink() if damaged is None else place.write_bytes(damaged)
        assert shown(folder) == first
        assert kept_of(kind).read_bytes()[:33] == whole[:33]  # it was written again, with the same digest


@pytest.mark.parametrize("bad", [[], {}, "other", 3, {"rows": [[0]], "kinds": [], "files": [], "value": 1}])
@pytest.mark.parametrize("kind", ["opened", "program", "world", "trees", "shape"])
def test_what_is_something_else_is_not_used(
    kind: str, bad: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = demo(tmp_path)
    first = shown(folder)
    read = store.read
    monkeypatch.setattr(store, "read", lambda name: bad if name.startswith(f"{kind}-") else read(name))
    assert shown(folder) == first


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = demo(tmp_path)
    first = shown(folder)
    monkeypatch.setattr(store, "write", lambda *_: False)
    assert shown(folder) == first
    (folder / "words.yaml").write_text("messages:\n  player.red: {en: Crimson}\n", encoding="utf-8")
    assert "Crimson" in shown(folder)[1]


@pytest.mark.parametrize("name", ["tic_tac_toe", "reversi", "agora_barcelona"])
def test_the_declarations_are_those_that_were_kept(name: str) -> None:
    """Down to places in files: what is said of a node of the content is said of the same one."""
    cold, warm = load(name), load(name)
    one, two = cold.built.context, warm.built.context
    for field in ("domains", "zones", "states", "pieces", "tracks", "triggers", "effects", "options", "tables"):
        assert_same(getattr(one.world, field), getattr(two.world, field))
    assert one.world.interned == two.world.interned
    assert one.world.numbers == two.world.numbers
    assert (one.logged, one.watched) == (two.logged, two.watched)
    assert json.dumps(show_program(cold.built.program, cold.world)) == show_again(warm)


def show_again(game: Any) -> str:
    return json.dumps(show_program(game.built.program, game.world))


def assert_same(one: Any, two: Any) -> None:
    """Two declarations, places of nodes included, which do not count when nodes are compared."""
    assert one == two
    for key, value in one.items() if isinstance(one, dict) else enumerate(one):
        for part in ("node", "draw", "span"):
            mine, other = getattr(value, part, None), getattr(two[key], part, None)
            assert getattr(mine, "span", mine) == getattr(other, "span", other)


def test_the_comparison_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a name that does not see the files, what is kept of another text is shown."""
    folder = demo(tmp_path)
    monkeypatch.setattr(opened.Digests, "everything", "same")
    for module in (opened, lowered):
        monkeypatch.setattr(module, "program_key", lambda *_: "0" * 32)
    shown(folder)
    (folder / "game.yaml").write_text(GAME.replace("2..3", "3..3"), encoding="utf-8")
    with pytest.raises(AssertionError):
        compare(folder)
