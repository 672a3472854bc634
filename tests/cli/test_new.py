"""`new`: what it writes works, is whole, and never replaces anything."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.cli import new_files
from rulespec.diagnostics.model import Problems
from rulespec.game_source import fingerprint, read_game, resolve
from rulespec.source.shipped import games, schemas_root
from tests.language.overlays.overlay_cases import plain, tree


def _modelines(folder: Path) -> dict[str, Path]:
    """Each content file with the schema that its first line names."""
    found = {}
    for path in folder.rglob("*.yaml"):
        match = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text(encoding="utf-8"))
        assert match is not None, path
        uri = match[1]
        found[path.name] = Path(uri.removeprefix("file://")) if uri.startswith("file:") else path.parent / uri
    return found


def _read(name: str) -> tuple[Problems, str]:
    problems = Problems()
    source = read_game(name, problems)
    assert source is not None
    return problems, fingerprint(resolve(source, [], problems))


def test_a_new_game_is_a_game(run, here: Path) -> None:
    done = run("new", "game", "harbour")
    assert done.status == 0
    assert "rulespec check ./harbour" in done.out
    problems, _ = _read("harbour")
    assert problems.items == ()
    assert run("show", "harbour", "game.id").out.startswith("harbour ")


def test_a_new_game_has_no_problem_and_its_scenarios_pass(run, here: Path) -> None:
    run("new", "game", "harbour")
    assert run("check", "harbour").out == "No problems.\n"
    assert run("test", "harbour").out == "harbour: 1 scenario passed, 1 of 1 rules shown.\n"


def test_a_new_game_names_a_schema_that_is_there(run, here: Path) -> None:
    run("new", "game", "harbour")
    [schema] = _modelines(here).values()
    assert schema.resolve().is_relative_to(here)
    assert json.loads(schema.read_text("utf-8")) == json.loads((schemas_root() / new_files.SCHEMA).read_text("utf-8"))


@pytest.mark.parametrize("game", games())
def test_a_copied_game_differs_by_its_id_only(run, here: Path, game: str) -> None:
    done = run("new", "game", "sub/copy", "--from", game)
    assert done.status == 0
    old, new = read_game(game, Problems()), read_game("sub/copy", Problems())
    assert old is not None
    assert new is not None
    assert new.id == "copy"
    before, after = plain(resolve(old, [], Problems())), plain(resolve(new, [], Problems()))
    assert _with_id(before, "copy") == after
    assert {schema.resolve() for schema in _modelines(here).values()} == {
        (here / "sub/copy" / new_files.SCHEMA_FOLDER / new_files.SCHEMA).resolve()
    }


def _with_id(data: list, identity: str) -> list:
    """The plain tree with another game's id."""
    sections = dict(data)
    sections["game"] = [(key, identity if key == "id" else value) for key, value in sections["game"]]
    return [(key, sections[key]) for key, _ in data]


def test_a_copy_has_the_variants_too(run, islands: Path, here: Path) -> None:
    assert run("new", "game", "atolls", "--from", "islands").status == 0
    assert (here / "atolls/variants/floods.yaml").is_file()
    assert run("diff", "atolls", "--variant", "floods").status == 0


def test_a_game_with_errors_is_not_copied(run, islands: Path, here: Path) -> None:
    (islands / "broken.yaml").write_text("values: {hand_size: 6}\n", encoding="utf-8")
    done = run("new", "game", "atolls", "--from", "islands")
    assert done.status == 2
    assert "has errors" in done.err
    assert not (here / "atolls").exists()


def test_nothing_is_written_over(run, here: Path) -> None:
    (here / "harbour").mkdir()
    (here / "harbour/mine.txt").write_text("mine", encoding="utf-8")
    done = run("new", "game", "harbour")
    assert done.status == 2
    assert "nothing was written" in done.err
    assert [path.name for path in (here / "harbour").iterdir()] == ["mine.txt"]
    (here / "floods.yaml").write_text("mine", encoding="utf-8")
    assert run("new", "variant", "floods").status == 2
    assert (here / "floods.yaml").read_text(encoding="utf-8") == "mine"


def test_it_is_written_whole_or_not_at_all(run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new_files.shutil, "copyfile", full)
    done = run("new", "game", "harbour")
    assert done.status == 2
    assert "No space left on device" in done.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", ["Harbour", "2harbours", "my-harbour", "häfen", "..", "a b"])
def test_a_name_that_cannot_be_an_id(run, here: Path, name: str) -> None:
    done = run("new", "game", name)
    assert done.status == 2
    assert "cannot be an id" in done.err
    assert list(here.iterdir()) == []


def test_the_id_of_a_shipped_game_is_taken(run, here: Path) -> None:
    done = run("new", "game", "tic_tac_toe")
    assert done.status == 2
    assert list(here.iterdir()) == []


def test_a_new_variant_of_a_game_of_ones_own(run, islands: Path) -> None:
    assert run("new", "variant", "droughts", "--from", "islands").status == 0
    text = (islands / "variants/droughts.yaml").read_text(encoding="utf-8")
    [change] = dict(dict(plain(tree(text)))["variant"])["changes"][1:]
    assert change == [("set", "values.bridge_cost"), ("to", 2)]
    problems, _ = _read("islands")
    assert problems.items == ()
    told = run("diff", "islands", "--variant", "droughts").out
    assert "= values.bridge_cost: 2, as it was" in told  # it is there to be changed
    path = islands / "variants/droughts.yaml"
    path.write_text(text.replace("to: 2", "to: 3"), encoding="utf-8")
    assert "~ values.bridge_cost: 2 -> 3" in run("diff", "islands", "--variant", "droughts").out


def test_a_new_variant_of_a_shipped_game(run, here: Path) -> None:
    done = run("new", "variant", "larger", "--from", "tic_tac_toe")
    assert done.status == 0
    assert "--variant ./larger.yaml" in done.out
    first = (here / "larger.yaml").read_text("utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=./.schema/content.schema.json"  # of no installation
    assert _modelines(here)["larger.yaml"].read_text("utf-8") == (schemas_root() / new_files.SCHEMA).read_text("utf-8")
    assert run("diff", "tic_tac_toe", "--variant", "./larger.yaml").status == 0


def test_a_second_file_names_the_same_copy(run, here: Path) -> None:
    run("new", "variant", "larger")
    (here / "deeper").mkdir()
    assert run("new", "variant", "deeper/larger").status == 0
    assert run("new", "language", "de", "--from", "tic_tac_toe").status == 0
    assert {schema.resolve() for schema in _modelines(here).values()} == {
        (here / new_files.SCHEMA_FOLDER / new_files.SCHEMA).resolve()
    }
    assert run("new", "variant", "larger").status == 2  # it is there already


def test_a_copy_around_the_current_folder_is_anybodys(run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = here / "inner"
    for folder in (inner, here / new_files.SCHEMA_FOLDER):
        folder.mkdir()
    (here / new_files.SCHEMA_FOLDER / new_files.SCHEMA).write_text("{}", encoding="utf-8")
    monkeypatch.chdir(inner)
    assert run("new", "variant", "larger").status == 0
    assert {schema.resolve() for schema in _modelines(inner).values()} == {
        (inner / new_files.SCHEMA_FOLDER / new_files.SCHEMA).resolve()
    }


def test_a_file_in_a_game_names_a_copy_in_the_games_folder(run, islands: Path) -> None:
    assert run("new", "variant", "droughts", "--from", "islands").status == 0
    first = (islands / "variants" / "droughts.yaml").read_text("utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../.schema/content.schema.json"
    assert (islands / ".schema" / "content.schema.json").is_file()


def test_a_new_variant_alone(run, here: Path) -> None:
    assert run("new", "variant", "larger").status == 0
    assert (here / "larger.yaml").is_file()


def test_a_new_language_lists_what_is_missing(run, islands: Path) -> None:
    done = run("new", "language", "de", "--from", "islands")
    assert done.status == 0
    [game, variant] = sorted(islands.glob("texts.de*.yaml"))
    texts = {path.name: dict(plain(tree(path.read_text(encoding="utf-8")))) for path in (game, variant)}
    assert texts == {
        "texts.de.yaml": {
            "game": [("title", [("de", "Islands")])],
            "rules": [("bridges", [("text", [("de", "A bridge costs {bridge_cost}.")])])],
        },
        "texts.de.floods.yaml": {"variant": [("id", "floods"), ("title", [("de", "Floods")])]},
    }
    problems, _ = _read("islands")
    assert problems.items == ()
    assert run("new", "language", "de", "--from", "islands").status == 2


def test_a_language_that_is_there(run, islands: Path) -> None:
    """French lacks the titles only."""
    run("new", "language", "fr", "--from", "islands")
    text = (islands / "texts.fr.yaml").read_text(encoding="utf-8")
    assert dict(plain(tree(text))) == {"game": [("title", [("fr", "Islands")])]}


def test_a_new_language_of_a_shipped_game_is_a_pack(run, here: Path) -> None:
    assert run("new", "language", "eo", "--from", "tic_tac_toe").status == 0
    data = dict(plain(tree((here / "tic_tac_toe.eo.yaml").read_text(encoding="utf-8"))))
    assert data["pack"] == [("game", "tic_tac_toe")]
    assert ("score.line", [("eo", "three in a row")]) in data["messages"]
    variant = dict(plain(tree((here / "tic_tac_toe.eo.misere.yaml").read_text(encoding="utf-8"))))
    assert variant["messages"] == [("score.line", [("eo", "three in a row of the other")])]
    done = run("check", "tic_tac_toe", "--content", ".")
    assert (done.status, done.out) == (0, "No problems.\n")
    assert run("new", "language", "eo", "--from", "tic_tac_toe", "--content", ".").status == 2  # nothing is left


def test_a_new_language_has_the_rules_that_variants_replace(run, here: Path) -> None:
    assert run("new", "language", "de", "--from", "reversi").status == 0
    variant = dict(plain(tree((here / "reversi.de.fewest_discs.yaml").read_text(encoding="utf-8"))))
    [(rule, [(field, [(language, _)])])] = variant["rules"]
    assert (rule, field, language) == ("most_discs", "text", "de")
    assert run("check", "reversi", "--variant", "fewest_discs", "--content", ".").out == "No problems.\n"


@pytest.mark.parametrize("code", ["German", "d", "de_DE", "DE"])
def test_what_is_no_language(run, here: Path, code: str) -> None:
    assert run("new", "language", code).status == 2
    assert list(here.iterdir()) == []
