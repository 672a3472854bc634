"""Finding and reading games: names and folders, variants, packs that lie elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import game_source
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import check_packs, find_game, load_variant, read_game, resolve, resolve_fully
from rulespec.source.shipped import games
from tests.language.overlays.overlay_cases import plain

GAME = 'game: {{id: {id}, language: 1, title: {{en: "Islands"}}, players: 2, seats: [red, green]}}\n'


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content folder with two games, as if it were the shipped one."""
    root = tmp_path / "content"
    for name in ("islands", "atolls"):
        (root / name).mkdir(parents=True)
        (root / name / "game.yaml").write_text(GAME.format(id=name), encoding="utf-8")
    shipped = {name: root / name for name in ("atolls", "islands")}
    monkeypatch.setattr(game_source, "content_root", lambda: root)
    monkeypatch.setattr(game_source, "games", lambda: shipped)
    monkeypatch.chdir(tmp_path)
    return root


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _resolved(name: str, *variants: str) -> dict[str, object]:
    problems = Problems()
    source = read_game(name, problems)
    assert source is not None
    found = dict(plain(resolve(source, variants, problems)))
    assert [problem.code for problem in problems.items if problem.code >= "RS400"] == []
    return found


def test_a_shipped_game_by_id_and_by_folder(content: Path) -> None:
    assert find_game("islands", Problems()) == content / "islands"
    assert find_game("content/islands", Problems()) == Path("content/islands")


def test_an_id_comes_before_a_folder_of_that_name(content: Path, tmp_path: Path) -> None:
    (tmp_path / "islands").mkdir()
    assert find_game("islands", Problems()) == content / "islands"
    assert find_game("./islands", Problems()) == Path("./islands")


@pytest.mark.parametrize(("name", "reason"), [
    ("island", "no shipped game has this id, and there is no such folder"),
    ("./island", "there is no such folder"),
    ("content/islands/game.yaml", "it is a file, and a game is a folder"),
    ("\0", "no shipped game has this id, and there is no such folder"),
    ("x" * 5000, "no shipped game has this id, and there is no such folder"),
])  # fmt: skip
def test_what_is_no_game_is_reported(content: Path, name: str, reason: str) -> None:
    problems = Problems()
    assert find_game(name, problems) is None
    [problem] = problems.items
    assert problem.code == "RS440"
    assert problem.message.endswith(f"{reason}.")


def test_the_nearest_game_is_named(content: Path) -> None:
    problems = Problems()
    find_game("ilands", problems)
    assert problems.items[0].hint == "Did you mean `islands`?"


def test_engine_files_are_no_part_of_the_game(content: Path) -> None:
    _write(content / "engine/words.yaml", 'messages: {engine.yes: {en: "yes"}}\n')
    problems = Problems()
    source = read_game("islands", problems)
    assert source is not None
    assert [plain(tree) for tree in source.engine] == [[("messages", [("engine.yes", [("en", "yes")])])]]
    assert "messages" not in source.base


def test_a_pack_elsewhere_belongs_to_its_game_only(content: Path) -> None:
    _write(content / "german/islands.yaml", 'pack: {game: islands}\ngame: {title: {de: "Inseln"}}\n')
    _write(content / "notes/other.yaml", "values: {x: 1}\n")
    game = dict(_resolved("islands")["game"])  # type: ignore[call-overload]
    assert game["title"] == [("en", "Islands"), ("de", "Inseln")]
    assert "pack" not in _resolved("atolls")
    assert "values" not in _resolved("islands")


def test_several_packs_of_one_game(content: Path) -> None:
    _write(content / "german/islands.yaml", 'pack: {game: islands}\ngame: {title: {de: "Inseln"}}\n')
    _write(content / "dutch.yaml", 'pack: {game: islands}\ngame: {title: {nl: "Eilanden"}}\n')
    game = dict(_resolved("islands")["game"])  # type: ignore[call-overload]
    assert dict(game["title"]) == {"en": "Islands", "de": "Inseln", "nl": "Eilanden"}


def test_a_pack_may_be_of_a_variant(content: Path) -> None:
    _write(content / "islands/floods.yaml", 'variant: {id: floods, title: {en: "Floods"}}\nvalues: {water: 1}\n')
    _write(
        content / "german/floods.yaml",
        'pack: {game: islands}\nvariant: {id: floods, title: {de: "Fluten"}}\nmessages: {score.flood: {de: "Flut"}}\n',
    )
    assert "messages" not in _resolved("islands")
    assert _resolved("islands", "floods")["messages"] == [("score.flood", [("de", "Flut")])]


def test_a_pack_of_no_game_is_reported(content: Path) -> None:
    _write(content / "german/island.yaml", "pack: {game: island}\n")
    problems = Problems()
    check_packs(problems)
    [problem] = problems.items
    assert (problem.code, problem.span.file.name, problem.span.text) == ("RS440", "german/island.yaml", "island")
    assert problem.hint == "Did you mean `islands`?"


def test_a_folder_of_ones_own_has_no_packs(content: Path, tmp_path: Path) -> None:
    _write(content / "german/islands.yaml", 'pack: {game: islands}\ngame: {title: {de: "Inseln"}}\n')
    _write(tmp_path / "own/islands/game.yaml", GAME.format(id="islands"))
    game = dict(_resolved("own/islands")["game"])  # type: ignore[call-overload]
    assert game["title"] == [("en", "Islands")]


def test_a_variant_by_file(content: Path, tmp_path: Path) -> None:
    _write(tmp_path / "rich.yaml", 'variant: {id: rich, title: {en: "Rich"}}\nvalues: {gold: 9}\n')
    assert _resolved("islands", "./rich.yaml")["values"] == [("gold", 9)]
    assert _resolved("islands", "rich.yaml")["values"] == [("gold", 9)]


@pytest.mark.parametrize(("name", "code"), [("rich", "RS441"), ("./rich.yaml", "RS101"), ("./plain.yaml", "RS266")])
def test_a_variant_that_is_not_there(content: Path, tmp_path: Path, name: str, code: str) -> None:
    _write(tmp_path / "plain.yaml", "values: {gold: 9}\n")
    problems = Problems()
    source = read_game("islands", problems)
    assert source is not None
    assert load_variant(source, name, problems) is None
    assert code in [problem.code for problem in problems.items]


def test_faults_of_structure_are_found_in_all_files(content: Path) -> None:
    """Also in those of variants that are off, and each once."""
    _write(content / "islands/a.yaml", "valus: {x: 1}\n")
    _write(content / "islands/floods.yaml", 'variant: {id: floods, title: {en: "Floods"}, grop: x}\n')
    problems = Problems()
    source = read_game("islands", problems)
    assert source is not None
    resolve_fully(source, [], problems)
    places = [(problem.span.file.name, problem.span.text) for problem in problems.items]
    assert places.count(("islands/a.yaml", "valus")) == 1
    assert places.count(("islands/floods.yaml", "grop")) == 1


@pytest.mark.parametrize("name", games())
def test_shipped_games_are_whole(name: str) -> None:
    problems = Problems()
    source = read_game(name, problems)
    assert source is not None
    assert source.id == name
    resolve(source, [], problems)
    assert [problem for problem in problems.items if problem.severity != "note"] == []


INSIDE = """\
game: {id: inside, language: 1, title: {en: "Inside"}, players: 2, seats: [red, green]}
enums:
  kind: [hill, lake]
boards:
  land:
    site:
      for: {kind: kind}
      attributes:
        tone: {type: integer, by: kind, values: {hill: 1, lake: 2}}
      draw: {x: 1, y: 2, ports: 1, shows: [], joins: {0: 2}}
checks:
  - is: kind.count > 1
flow:
  - choose: site
"""
MORE = """\
variant: {id: more, title: {en: "More"}}
enums:
  kind: {values: [swamp]}
boards:
  land:
    site:
      attributes:
        tone: {values: {swamp: 3}}
      draw: {joins: {1: 3}}
"""
CHECKS = "checks:\n  - is: kind.count > 2\n"
INSERT = "  changes: [{insert: checks, rows: [{is: kind.count > 2}]}]\n"
BLOCK = 'variant:\n  id: more\n  title: {en: "More"}\n' + INSERT


def _inside(folder: Path, game: str, variant: str) -> tuple[list[tuple[str, str | None]], dict[str, object]]:
    """What a check says but notes, as codes and hints; and the game with its variant, by sections."""
    _write(folder / "inside" / "inside.yaml", game)
    _write(folder / "inside" / "more.yaml", variant)
    problems = Problems()
    source = read_game(str(folder / "inside"), problems)
    assert source is not None
    tree = dict(plain(resolve(source, ["more"], Problems())))
    check_game(source, (), problems)
    return [(each.code, each.hint) for each in problems.items if each.severity != "note"], tree


def test_a_variant_adds_to_the_values_of_an_attribute_and_to_a_drawing(tmp_path: Path) -> None:
    found, tree = _inside(tmp_path, INSIDE, MORE)
    assert found == []
    [(_, land)] = tree["boards"]  # type: ignore[misc]
    site = dict(dict(land)["site"])
    assert dict(dict(site["attributes"])["tone"])["values"] == [("hill", 1), ("lake", 2), ("swamp", 3)]
    assert dict(site["draw"])["joins"] == [("0", 2), ("1", 3)]


def test_what_is_missing_of_an_attribute_and_of_a_drawing_is_missed_in_the_whole_game(tmp_path: Path) -> None:
    """A site of the swamp stands at no place, and its tone has no type."""
    bare = INSIDE.replace("type: integer, by", "by").replace("x: 1, y: 2, ", "")
    assert {code for code, _ in _inside(tmp_path, bare, MORE)[0]} == {"RS252", "RS261"}


def test_two_lists_of_checks_are_told_how_to_be_one(tmp_path: Path) -> None:
    [(code, hint)] = _inside(tmp_path, INSIDE, MORE + CHECKS)[0]
    assert code == "RS402"
    assert hint is not None
    assert "`insert: checks` with `rows`" in hint
    found, tree = _inside(tmp_path, INSIDE, MORE.replace('variant: {id: more, title: {en: "More"}}', BLOCK))
    assert found == []
    assert len(tree["checks"]) == 3  # type: ignore[arg-type]  # the word `list`, and both
