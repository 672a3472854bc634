"""Two editions of one language: what changed, and which translations are stale now. Small books, made by hand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.main import main
from rulespec.source.shipped import schemas_root
from rulespec.texts.changes import Change, changes, marks
from rulespec.texts.compare import read_all
from rulespec.texts.encoder import Encoder, installed
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text
from rulespec.texts.stale import editions

OLD = [
    "# SETUP",
    "Shuffle the cards.",
    "The first player takes 3 cards.",
    "Each player may keep one card.",
    "Place the board between the players.",
    "Remove the two towers from the game.",
    "Then end your turn.",
]


def book(lines: Sequence[str]) -> str:
    return "\n\n".join(lines) + "\n"


def found(old: Sequence[str], new: Sequence[str], language: str = "en") -> list[Change]:
    [one], [other] = (read_all([document_of_text(book(each), language)], Glossary({})) for each in (old, new))
    return changes(one, other)


def replaced(n: int, *lines: str) -> list[str]:
    return [*OLD[:n], *lines, *OLD[n + 1 :]]


def signs(change: Change) -> set[tuple[str, str]]:
    return {(sign.sort, sign.what) for sign in change.signs}


def test_the_same_edition_in_other_lines() -> None:
    assert found(OLD, OLD) == []
    assert found(OLD, [line.replace(" the ", "\nthe ") for line in OLD]) == []


@pytest.mark.parametrize(
    ("new", "kind", "old_at", "new_at", "wanted"),
    [
        (replaced(2, "The first player takes 4 cards."), "changed", (2,), (2,), {("number", "3"), ("number", "4")}),
        (replaced(3, "Each player must keep one card."), "changed", (3,), (3,), {("mood", "may"), ("mood", "must")}),
        (replaced(4, "Place the big board between the players."), "changed", (4,), (4,), set()),
        (replaced(1, "Shuffle the cards,"), "respelled", (1,), (1,), set()),
        (replaced(1, "**Shuffle** the Cards."), "respelled", (1,), (1,), set()),
        (replaced(1), "dropped", (1,), (), set()),
        (replaced(1, OLD[1], "Deal nine tiles to everybody."), "added", (), (2,), set()),
        ([*OLD[:1], *OLD[2:6], OLD[1], OLD[6]], "moved", (1,), (5,), set()),
        (replaced(5, "Remove the two towers.", "They leave the game."), "changed", (5,), (5, 6), set()),
    ],
)
def test_what_becomes_of_a_sentence(
    new: list[str], kind: str, old_at: tuple[int, ...], new_at: tuple[int, ...], wanted: set[tuple[str, str]] | None
) -> None:
    [change] = found(OLD, new)
    assert (change.kind, change.old, change.new) == (kind, old_at, new_at)
    assert signs(change) == wanted or (wanted and wanted < signs(change))


def test_a_sentence_that_moved_and_changed() -> None:
    new = [*OLD[:2], *OLD[3:7], "The first player takes 4 cards."]
    [change] = found(OLD, new)
    assert (change.kind, change.old, change.new, change.is_moved) == ("changed", (2,), (6,), True)


def test_minus_and_marks_between_figures_are_read() -> None:
    assert [change.kind for change in found(["Gain 2 points."], ["Gain -2 points."])] == ["changed"]
    assert [change.kind for change in found(["For 2-4 players."], ["For 2–4 players."])] == ["respelled"]
    assert [change.kind for change in found(["カードを3枚取ります。"], ["カードを4枚取ります。"], "ja")] == ["changed"]


def test_everything_new() -> None:
    kinds = [change.kind for change in found(["One apple falls down."], ["Nobody sings before lunch."])]
    assert sorted(kinds) == ["added", "dropped"]


def test_what_changed_is_marked() -> None:
    old, new = marks("Take 3 red cards.", "Take 4 cards.")
    assert [(spot.start, spot.end) for spot in old] == [(5, 10)]
    assert [(spot.start, spot.end) for spot in new] == [(5, 6)]


# ---- translations ----------------------------------------------------------------------------------------------------

FR = [
    "# MISE EN PLACE",
    "Mélangez les cartes.",
    "Le premier joueur prend 3 cartes.",
    "Chaque joueur peut garder une carte.",
    "Placez le plateau entre les joueurs.",
    "Retirez les deux tours du jeu.",
    "Puis terminez votre tour.",
]


def verdicts(
    new: Sequence[str], fr: Sequence[str], language: str = "fr", encoder: Encoder | None = None
) -> list[tuple[str, str]]:
    [old, after] = (document_of_text(book(lines), "en") for lines in (OLD, new))
    result = editions(old, after, [document_of_text(book(fr), language)], Glossary({}), encoder)
    return [(by[language].verdict, by[language].why) for _, by in result.told if by]


NUMBER = replaced(2, "The first player takes 4 cards.")
DEAL, DONNEZ = "Then deal 9 coins to the last player.", "Puis donnez 9 pièces au dernier joueur."


def in_french(n: int, *lines: str) -> list[str]:
    return [*FR[:n], *lines, *FR[n + 1 :]]


@pytest.mark.parametrize(
    ("new", "fr", "wanted"),
    [
        (OLD, FR, []),
        (NUMBER, FR, [("stale", "old")]),
        (NUMBER, in_french(2, "Le premier joueur prend 4 cartes."), [("fits", "new")]),
        (NUMBER, in_french(2, "Le premier joueur prend 5 cartes."), [("check", "neither")]),
        (NUMBER, in_french(2), [("check", "unfound")]),
        (replaced(3, "Each player must keep one card."), FR, [("stale", "old")]),
        (replaced(4, "Place the big board between the players."), FR, [("check", "words")]),
        (replaced(1, "Shuffle the cards,"), FR, []),
        (replaced(2), FR, [("stale", "left")]),
        (replaced(2), in_french(2), [("check", "unfound")]),
        (replaced(2, OLD[2], DEAL), FR, [("stale", "lacks")]),
        (replaced(2, OLD[2], DEAL), in_french(2, FR[2], DONNEZ), [("fits", "new")]),
        ([*OLD[:2], *OLD[3:6], OLD[2], OLD[6]], FR, [("check", "moved")]),
    ],
)
def test_which_translations_are_stale(new: list[str], fr: list[str], wanted: list[tuple[str, str]]) -> None:
    assert verdicts(new, fr) == wanted


@pytest.mark.long  # the encoder takes seconds to load
@pytest.mark.skipif(installed() is None, reason="the encoder is an extra")
@pytest.mark.parametrize(
    ("new", "fr", "wanted"),
    [
        (NUMBER, FR, [("stale", "old")]),
        (NUMBER, in_french(2), [("stale", "lacks")]),
        (replaced(2), in_french(2), [("fits", "gone")]),
        (replaced(2), FR, [("stale", "left")]),
        (replaced(2, OLD[2], DEAL), FR, [("stale", "lacks")]),
        (replaced(2, OLD[2], DEAL), in_french(2, FR[2], DONNEZ), [("fits", "new")]),
    ],
)
def test_what_is_not_there_is_known_by_meaning(new: list[str], fr: list[str], wanted: list[tuple[str, str]]) -> None:
    assert verdicts(new, fr, encoder=installed()) == wanted


def test_of_a_language_without_words_only_figures_are_told() -> None:
    """Nobody knows how Polish says may: what a change of it does to the translation is to be looked at."""
    pl = [
        "# PRZYGOTOWANIE",
        "Potasuj karty.",
        "Pierwszy gracz bierze 3 karty.",
        "Każdy gracz może zatrzymać jedną kartę.",
        "Umieść planszę między graczami.",
        "Usuń z gry 2 wieże.",
        "Zakończ swoją turę.",
    ]
    assert verdicts(NUMBER, pl, "pl") == [("stale", "old")]
    assert verdicts(replaced(3, "Each player must keep one card."), pl, "pl") == [("check", "unfound")]


# ---- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def books(tmp_path: Path) -> list[str]:
    new = replaced(2, "The first player takes 4 cards.", "=Pass.")
    for name, lines in (("1.txt", OLD), ("2.txt", new), ("fr.txt", FR)):
        (tmp_path / name).write_text(book(lines), encoding="utf-8")
    return [f"en={tmp_path / '1.txt'}", f"en={tmp_path / '2.txt'}", f"fr={tmp_path / 'fr.txt'}"]


def test_the_report(books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "changed", *books, "--pairs", "words"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("2.txt:5:1: changed: a number  (changed-")
    assert told[1:5] == [
        "    old 5: The first player takes 3 cards.",
        "                                  ^",
        "    new 5: The first player takes 4 cards.",
        "                                  ^",
    ]
    assert told[5] == "    fr 5 stale (it says what the old edition said): Le premier joueur prend 3 cartes."
    assert "2 changes: 1 changed, 1 added." in told
    assert "  fr: 2 stale" in told


def test_json_has_its_form_and_csv_no_formula(books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "changed", *books, "--format", "json", "--pairs", "words"]) == 1
    data = json.loads(capsys.readouterr().out)
    schema = json.loads((schemas_root() / "texts_changed.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, schema)
    assert [change["translations"]["fr"]["verdict"] for change in data["changes"]] == ["stale", "stale"]
    assert data["changes"][0]["old"]["marks"] == [[23, 24]]
    main(["texts", "changed", *books, "--format", "csv", "--separator", "semicolon", "--pairs", "words"])
    rows = [dict(row) for row in csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter=";")]
    assert [(row["new line"], row["new"]) for row in rows[:2]] == [
        ("5", "The first player takes 4 cards."),
        ("7", "'=Pass."),
    ]
    assert (rows[0]["fr line"], rows[0]["fr verdict"], rows[0]["remark"]) == ("5", "stale", "")


def test_what_fails(books: list[str], tmp_path: Path) -> None:
    (tmp_path / "2.txt").write_text(book(replaced(4, "Place the big board between the players.")), encoding="utf-8")
    assert main(["texts", "changed", *books, "--pairs", "words"]) == 0
    assert main(["texts", "changed", *books, "--pairs", "words", "--fail-on", "check"]) == 1
    assert main(["texts", "changed", *books[:2]]) == 0


def test_pairs_made_by_hand_hold_here_too(books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.yaml"
    sentences = (f"{books[0]}:5", f"{books[2]}:11")  # the French towers
    assert main(["texts", "join", *sentences, "--in", str(file), "--by", "Ann"]) == 0
    capsys.readouterr()
    main(["texts", "changed", *books, "--by-hand", str(file), "--format", "json", "--pairs", "words"])
    told = capsys.readouterr()
    data = json.loads(told.out)
    assert data["changes"][0]["translations"]["fr"]["place"]["line"] == 11
    assert told.err == ""  # the entry fits the old edition
    file.write_text("pairs:\n  - join: {en: Nothing., fr: Rien.}\n", encoding="utf-8")
    main(["texts", "changed", *books, "--by-hand", str(file), "--format", "json", "--pairs", "words"])
    assert f"{file}:2:16: this entry fits neither edition" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("order", "told"),
    [((0,), "the old and the new edition"), ((0, 2), "in one language"), ((0, 1, 2, 2), "two rulebooks")],
)
def test_wrong_usage(order: tuple[int, ...], told: str, books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "changed", *(books[n] for n in order)]) == 2
    assert told in capsys.readouterr().err


def test_a_report_is_not_written_over_what_is_read(books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = books[2].partition("=")[2]
    assert main(["texts", "changed", *books, "--out", out]) == 2
    assert "would write over" in capsys.readouterr().err
    assert Path(out).read_text(encoding="utf-8") == book(FR)
