"""`texts export` and `texts import`: what translators get, and what comes back of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.source.shipped import games
from rulespec.texts.check.entries import texts_of
from rulespec.texts.exchange import files
from rulespec.texts.exchange.units import Given, Unit, units_of
from tests.cli.conftest import Run

pytest.importorskip("translate.storage.po", reason="the extra 'exchange' is not installed")

GAME = """\
game: {id: pond, language: 1, title: {en: Pond}, players: 2, seats: [red, green]}
values: {hand: 3}
flow: [{score: 1, reason: catch}]
rules:
  # how many cards
  hand_limit:
    kind: setup
    text:
      en: "Each player begins with {hand} cards."   # five before
      fr: 'Chacun commence avec {hand} cartes.'
    binds: [values.hand]
  the_end: {kind: end, text: {en: "It ends: at once."}, binds: [flow]}
  long:
    kind: end
    text:
      en: >
        A text of
        two lines.
      fr: |
        Un texte
        de deux lignes.
    binds: [flow]
messages:
  reason.catch:
    en: {one: "a fish", other: "{points} fish"}
    fr: {one: "un poisson", other: "{points} poissons"}
"""
KINDS = ["po", "xlf", "tmx"]


@pytest.fixture
def pond(here: Path) -> Path:
    """The file of a game in the current folder."""
    (here / "pond").mkdir()
    place = here / "pond" / "pond.yaml"
    place.write_text(GAME, encoding="utf-8")
    return place


def units(folder: Path, language: str) -> dict[str, Unit]:
    source = read_game(str(folder), Problems())
    assert source is not None
    return {unit.id: unit for unit in units_of(texts_of(source), language)}


def back(path: Path) -> dict[str, Given]:
    kind = files.kind_of(path.name)
    assert kind is not None
    return {each.id: each for each in files.read(kind, path.read_bytes())[1]}


def give(path: Path, folder: Path, language: str, made: dict[str, str]) -> None:
    """A file as a translator leaves it: some texts are written."""
    from dataclasses import replace

    kind = files.kind_of(path.name)
    assert kind is not None
    rows = [
        replace(unit, target=made.get(name, unit.target), state="translated" if name in made else unit.state)
        for name, unit in units(folder, language).items()
    ]
    path.write_bytes(files.written(kind, rows, "en", language, "pond"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_text_is_there(run: Run, here: Path, pond: Path, kind: str) -> None:
    done = run("texts", "export", "pond", "--lang", "fr", "--out", f"fr.{kind}")
    assert (done.status, done.err) == (0, "")
    found = back(here / f"fr.{kind}")
    # a rule or message each, and each plural form; a memory of translations has no others
    names = {"rules.hand_limit", "rules.long", "messages.reason.catch:one", "messages.reason.catch:other"}
    assert set(found) == names | (set() if kind == "tmx" else {"rules.the_end"})
    assert found["rules.hand_limit"].target == "Chacun commence avec {hand} cartes."
    assert found["rules.long"].source == "A text of two lines.\n"
    assert found["rules.long"].target == "Un texte\nde deux lignes.\n"
    assert found["messages.reason.catch:one"].source == "a fish"
    assert ("4 texts" if kind == "tmx" else "5 texts") in done.out
    assert "1 to translate, 0 to look at again" in done.out


def test_a_new_language_has_its_own_plural_forms(run: Run, here: Path, pond: Path) -> None:
    assert run("texts", "export", "pond", "--lang", "pl", "--out", "pl.po").status == 0
    forms = {name.rpartition(":")[2]: each for name, each in back(here / "pl.po").items() if ":" in name}
    assert set(forms) == {"one", "few", "many", "other"}
    assert [forms[form].source for form in ("one", "few")] == ["a fish", "{points} fish"]


def test_what_is_stale_is_not_sure(run: Run, here: Path, pond: Path) -> None:
    assert run("texts", "accept", "pond", "--all", "--lang", "fr").status == 0
    pond.write_text(GAME.replace("hand: 3", "hand: 4"), encoding="utf-8")
    done = run("texts", "export", "pond", "--lang", "fr", "--out", "fr.po")
    assert "1 to look at again" in done.out
    assert [name for name, each in back(here / "fr.po").items() if not each.is_sure] == ["rules.hand_limit"]
    pond.write_text(GAME, encoding="utf-8")
    (here / "fr.po").write_text((here / "fr.po").read_text().replace("Chacun commence", "Chacun débute"))
    done = run("texts", "import", "pond", "fr.po", "--yes")
    assert done.status == 1
    assert "rules.hand_limit: not taken: it is marked as not sure." in done.err
    assert run("texts", "import", "pond", "fr.po", "--yes", "--unsure").status == 0
    assert 'fr: "Chacun débute avec {hand} cartes."' in pond.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["po", "xlf"])
def test_what_comes_back_stands_in_the_files_and_the_rest_stays(run: Run, here: Path, pond: Path, kind: str) -> None:
    made = {
        "rules.hand_limit": 'Chacun a {hand} "cartes".',
        "rules.the_end": "C'est fini : tout de suite.",
        "rules.long": "Une seule ligne.",
        "messages.reason.catch:other": "{points} carpes",
    }
    give(here / f"fr.{kind}", here / "pond", "fr", made)
    assert run("texts", "import", "pond", f"fr.{kind}").status == 1  # nobody is there to agree
    assert pond.read_text(encoding="utf-8") == GAME
    done = run("texts", "import", "pond", f"fr.{kind}", "--yes")
    assert done.status == 0
    assert "4 texts in fr written" in done.err
    by_hand = (
        GAME.replace("'Chacun commence avec {hand} cartes.'", "'Chacun a {hand} \"cartes\".'")
        .replace('en: "It ends: at once."', 'en: "It ends: at once.", fr: "C\'est fini : tout de suite."')
        .replace("|\n        Un texte\n        de deux lignes.\n", '"Une seule ligne."\n')
        .replace("{points} poissons", "{points} carpes")
    )
    assert pond.read_text(encoding="utf-8") == by_hand
    assert run("texts", "import", "pond", f"fr.{kind}", "--yes").err == "There is nothing to change.\n"


#: A text that comes back, for `rules.hand_limit`, and why it is not taken.
REFUSED = {
    "{hands} cartes": "it has {hands}, which the text has in no language",
    "{hand cartes": "it has a brace without its other one",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_taken_is_named(run: Run, here: Path, pond: Path, text: str) -> None:
    give(here / "fr.po", here / "pond", "fr", {"rules.hand_limit": text, "rules.the_end": "Fin."})
    done = run("texts", "import", "pond", "fr.po", "--yes")
    assert done.status == 1
    assert f"rules.hand_limit: not taken: {REFUSED[text]}." in done.err
    assert 'fr: "Fin."' in pond.read_text(encoding="utf-8")  # the others are taken


def test_what_was_translated_from_another_text_is_not_taken(run: Run, here: Path, pond: Path) -> None:
    give(here / "fr.po", here / "pond", "fr", {"rules.the_end": "Fin."})
    pond.write_text(GAME.replace("at once", "later"), encoding="utf-8")
    done = run("texts", "import", "pond", "fr.po", "--yes")
    assert "rules.the_end: not taken: the text was translated from another one; now it is: It ends: later." in done.err
    assert "Fin." not in pond.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no.po", "pond.yaml", "bad.po", "bad.xlf", "bad.tmx"])
def test_files_that_are_none(run: Run, here: Path, pond: Path, name: str) -> None:
    (here / "pond.yaml").write_text("a: 1\n")
    for kind in KINDS:
        (here / f"bad.{kind}").write_bytes(b'\xff\xfe<\x00 msgid "')
    done = run("texts", "import", "pond", name, "--lang", "fr", "--yes")
    assert done.status == 2
    assert name in done.err
    assert "Traceback" not in done.err
    assert pond.read_text(encoding="utf-8") == GAME


def test_an_id_that_the_game_has_not(run: Run, here: Path, pond: Path) -> None:
    give(here / "fr.po", here / "pond", "fr", {"rules.the_end": "Fin."})
    (here / "fr.po").write_text((here / "fr.po").read_text().replace("rules.the_end", "rules.no_end"))
    done = run("texts", "import", "pond", "fr.po", "--yes")
    assert "rules.no_end: not taken: the game has no such text." in done.err


@pytest.mark.long
@pytest.mark.parametrize("name", list(games()))
def test_shipped_texts_come_back(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every text of a game is written anew in a language that it has and in one that it has not."""
    folder = tmp_path / "game"
    shutil.copytree(games()[name], folder)
    for language in ("fr", "de"):
        before = units(folder, language)
        made = {key: f"« {unit.source.strip()} » – 'x' # \"y\"" for key, unit in before.items()}
        give(tmp_path / "it.xlf", folder, language, made)
        assert main(["texts", "import", str(folder), str(tmp_path / "it.xlf"), "--yes"]) == 0, capsys.readouterr().err
        assert {key: unit.target for key, unit in units(folder, language).items()} == made
        assert {key: unit.source for key, unit in units(folder, language).items()} == {
            key: unit.source for key, unit in before.items()
        }
