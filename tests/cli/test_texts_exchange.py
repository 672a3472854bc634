"""`texts export` and `texts import`: what translators get, and what comes back of it."""

from __future__ import annotations

import shutil
from dataclasses import replace
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
    return {each.id: each for each in files.read(kind, path.read_bytes(), "en", None)[1]}


def give(path: Path, folder: Path, language: str, made: dict[str, str]) -> None:
    """A file as a translator leaves it: some texts are written."""
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


TMX = """\
<?xml version="1.0"?><tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x"
 adminlang="en" srclang="en" datatype="plaintext"/><body><tu tuid="rules.the_end">%s</tu></body></tmx>
"""
OF = {
    "en": '<tuv xml:lang="en"><seg>It ends: at once.</seg></tuv>',
    "de": '<tuv xml:lang="de"><seg>Ende.</seg></tuv>',
    "fr": '<tuv xml:lang="fr-FR"><note xml:lang="en">x</note><seg>Fin.</seg></tuv>',
}


@pytest.mark.parametrize(
    ("languages", "asked", "written"),
    [
        ("en fr", [], "Fin."),
        ("fr en", [], "Fin."),
        ("en de fr", ["--lang", "fr"], "Fin."),
        ("en de fr", ["--lang", "de"], "Ende."),
        ("en de fr", [], None),  # which of two is not said
        ("en de", ["--lang", "fr"], None),
    ],
)
def test_a_memory_is_read_by_its_languages(
    run: Run, here: Path, pond: Path, languages: str, asked: list[str], written: str | None
) -> None:
    (here / "x.tmx").write_text(TMX % "".join(OF[name] for name in languages.split()), encoding="utf-8")
    done = run("texts", "import", "pond", "x.tmx", "--yes", *asked)
    after = pond.read_text(encoding="utf-8")
    if written is None:
        assert after == GAME
        assert done.status == (0 if asked else 2)
    else:
        language = asked[1] if asked else "fr"  # the game has French: that of France goes into it
        assert after == GAME.replace('at once."', f'at once.", {language}: "{written}"')


def test_a_text_keeps_its_form_for_all_other_numbers(run: Run, here: Path, pond: Path) -> None:
    pond.write_text(GAME.replace('{one: "un poisson", other: "{points} poissons"}', '"{points} poissons"'))
    before = pond.read_text(encoding="utf-8")
    give(here / "fr.po", here / "pond", "fr", {"messages.reason.catch:one": "un poisson"})
    assert run("texts", "import", "pond", "fr.po", "--yes").status == 0
    assert pond.read_text(encoding="utf-8") == before.replace(
        'fr: "{points} poissons"', 'fr: {one: "un poisson", other: "{points} poissons"}'
    )
    give(here / "pl.po", here / "pond", "pl", {"messages.reason.catch:few": "ryby"})
    done = run("texts", "import", "pond", "pl.po", "--yes")
    assert "messages.reason.catch:few: not taken: the text for all other numbers (`other`) is missing." in done.err


def test_a_comment_behind_the_sign_of_a_block_stays(run: Run, here: Path, pond: Path) -> None:
    pond.write_text(GAME.replace("fr: |", "fr: |   # by hand"), encoding="utf-8")
    give(here / "fr.po", here / "pond", "fr", {"rules.long": "Un."})
    assert run("texts", "import", "pond", "fr.po", "--yes").status == 0
    assert '      fr: "Un."  # by hand\n    binds' in pond.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Fin\u202e.", "it holds the character U+202E, which nobody sees"),
        ("x" * 10_001, "it has more than 10,000 characters"),
        ("Fin {}.", "it has {} with nothing in it"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(run: Run, here: Path, pond: Path, text: str, reason: str) -> None:
    give(here / "fr.xlf", here / "pond", "fr", {"rules.the_end": text})
    done = run("texts", "import", "pond", "fr.xlf", "--yes")
    assert f"rules.the_end: not taken: {reason}." in done.err
    assert pond.read_text(encoding="utf-8") == GAME


@pytest.mark.parametrize(("word", "language"), [("FR", "fr"), ("fr_FR", "fr"), ("fr-CA", "fr"), ("pt_BR", '"pt-BR"')])
def test_languages_as_programs_name_them(run: Run, here: Path, pond: Path, word: str, language: str) -> None:
    give(here / "x.po", here / "pond", "fr", {"rules.the_end": "Fin."})
    (here / "x.po").write_text((here / "x.po").read_text().replace("Language: fr", f"Language: {word}"))
    assert run("texts", "import", "pond", "x.po", "--yes").status == 0
    assert f'at once.", {language}: "Fin."' in pond.read_text(encoding="utf-8")


@pytest.mark.parametrize("word", ["xx", "f", "fra/ncais"])
def test_what_is_no_language(run: Run, here: Path, pond: Path, word: str) -> None:
    done = run("texts", "export", "pond", "--lang", word, "--out", "x.po")
    assert (done.status, (here / "x.po").exists()) == (2, False)
    assert f"'{word}' is no language that CLDR knows" in done.err


def test_what_stands_behind_a_language_does_not_count(run: Run, here: Path, pond: Path) -> None:
    assert run("texts", "export", "pond", "--lang", "fr-fr@x-y", "--out", "x.po").status == 0
    assert files.read("po", (here / "x.po").read_bytes(), "en", None)[0] == "fr"


@pytest.mark.parametrize("part", ["export", "import"])
def test_half_of_a_game_is_not_taken_for_all(run: Run, here: Path, pond: Path, part: str) -> None:
    give(here / "fr.po", here / "pond", "fr", {"rules.the_end": "Fin."})
    pond.write_text(GAME + "values: {\n", encoding="utf-8")
    words = ["--lang", "fr", "--out", "new.po"] if part == "export" else ["fr.po", "--yes"]
    done = run("texts", part, "pond", *words)
    assert done.status != 0
    assert "pond.yaml:" in done.out
    assert not (here / "new.po").exists()


def test_of_two_texts_for_one_none_is_taken(run: Run, here: Path, pond: Path) -> None:
    give(here / "fr.po", here / "pond", "fr", {"rules.the_end": "Fin."})
    twice = (here / "fr.po").read_text() + '\nmsgctxt "rules.the_end"\nmsgid "It ends: at once."\nmsgstr "Autre."\n'
    (here / "fr.po").write_text(twice)
    done = run("texts", "import", "pond", "fr.po", "--yes")
    assert "rules.the_end: not taken: it stands there with two texts." in done.err
    assert pond.read_text(encoding="utf-8") == GAME


XLIFF = """\
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="%s" trgLang="fr"><file id="f">
<unit id="rules.the_end">%s</unit></file></xliff>
"""
SEGMENT = '<segment state="translated"><source>%s</source><target>%s</target></segment>'


def test_segments_of_a_unit_are_one_text(run: Run, here: Path, pond: Path) -> None:
    parts = SEGMENT % ("It ends: ", "C'est fini : ") + SEGMENT % ("at once.", "là.")
    (here / "x.xlf").write_text(XLIFF % ("en", parts), encoding="utf-8")
    assert run("texts", "import", "pond", "x.xlf", "--yes").status == 0
    assert 'fr: "C\'est fini : là."' in pond.read_text(encoding="utf-8")


#: Files that are not read, by what they hold, and words of the reason.
UNREAD = {
    "x.xlf": [
        (XLIFF % ("de", SEGMENT % ("It ends: at once.", "Fin.")), "it translates from de"),
        (XLIFF % ("en", SEGMENT % ("It ends: at once.", 'Fin<ph id="1"/>.')), "marks within its text"),
        ('<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>', "XLIFF 1: save it as XLIFF 2.0"),
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + XLIFF % ("en", ""), "it declares entities"),
    ],
    "x.po": [
        ('msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n', "it is written in ISO-8859-1"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"\n', "msgid_plural"),
    ],
}


@pytest.mark.parametrize(("name", "text", "reason"), [(n, *row) for n, rows in UNREAD.items() for row in rows])
def test_what_is_not_read_says_why(run: Run, here: Path, pond: Path, name: str, text: str, reason: str) -> None:
    (here / name).write_text(text, encoding="utf-8")
    done = run("texts", "import", "pond", name, "--lang", "fr", "--yes")
    assert done.status == 2
    assert reason in done.err
    assert pond.read_text(encoding="utf-8") == GAME


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
