"""The command: documents, formats, what fails, wrong usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.book.telling import load_for_most
from interpreter.cli.common import open_game
from interpreter.cli.main import main
from interpreter.rulebooks import rules_with_figures
from rulespec.texts import compare
from rulespec.texts.readers import document_of_text
from rulespec.texts.tongues import language_read, misnamed
from tests.texts.compare.books import BOOKS

EN = "Shuffle the cards.\n\nThe first player takes 3 cards.\n"
FR = "Mélangez les cartes.\n\nLe premier joueur prend 4 cartes.\n"


@pytest.fixture
def books(tmp_path: Path) -> list[str]:
    (tmp_path / "en.txt").write_text(EN, encoding="utf-8")
    (tmp_path / "fr.txt").write_text(FR, encoding="utf-8")
    return [f"en={tmp_path / 'en.txt'}", f"fr={tmp_path / 'fr.txt'}"]


def test_json_of_two_rulebooks(books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["texts", "compare", "--game", "agora_barcelona", *books, "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert status == 1
    assert [finding["kind"] for finding in data["findings"]] == ["number"]
    assert data["findings"][0]["odd_one_out"] is None


def test_what_is_accepted_does_not_fail(books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["texts", "compare", "--game", "agora_barcelona", *books, "--format", "json"])
    [finding] = json.loads(capsys.readouterr().out)["findings"]
    baseline = tmp_path / "accepted.yaml"
    baseline.write_text(f"accepted:\n  - id: {finding['id']}\n    reason: a test\n", encoding="utf-8")
    out = tmp_path / "out.html"
    words = ["--baseline", str(baseline), "--format", "html", "--out", str(out), "--fail-on", "cosmetic"]
    assert main(["texts", "compare", "--game", "agora_barcelona", *books, *words]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("bound", "told"),
    [
        ("MOST_SENTENCES", "en.txt has 2 sentences, and at most 1 are compared."),
        ("MOST_PAIRS", "the rulebooks have 4 sentences: at most 1 pairs"),
    ],
)
def test_more_than_is_compared_is_refused(
    bound: str,
    told: str,
    books: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What grows with rules times sentences would take minutes: its size is known before."""
    monkeypatch.setattr(compare, bound, 1)
    out = tmp_path / "report.txt"
    assert main(["texts", "compare", "--game", "agora_barcelona", *books, "--out", str(out)]) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_language_without_words_is_told_once(
    form: str, books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the terminal in the report; where that goes to a program or a file, beside it."""
    (tmp_path / "pl.txt").write_text("Potasuj karty.\n\nPierwszy gracz bierze 3 karty.\n", encoding="utf-8")
    words = [books[0], f"pl={tmp_path / 'pl.txt'}"]
    main(["texts", "compare", "--game", "agora_barcelona", *words, "--format", form])
    told = capsys.readouterr()
    note = "There are no words for Polish: of its rulebook only digits and the game's terms are compared.\n"
    assert told.err == ("" if form == "text" else note)
    assert told.out.count(note) == (form == "text")
    main(["texts", "compare", "--game", "agora_barcelona", *words, "--out", str(tmp_path / "report.txt")])
    assert capsys.readouterr().err == note


def test_a_region_has_the_words_the_terms_and_the_rules_of_its_language(
    books: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for name in ("fr", "fr_CA"):
        words = [books[0], books[1].replace("fr=", f"{name}=", 1), "--format", "json", "--fail-on", "play"]
        assert main(["texts", "compare", "--game", "agora_barcelona", *words]) == 1
        told = capsys.readouterr()
        assert told.err == ""
        found.append(told.out.replace("fr-CA", "fr").replace("Canadian French", "French"))
    assert json.loads(found[0]) == json.loads(found[1])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Name the rulebooks"),
        (["en.txt"], "LANG=FILE"),
        (["en=nowhere.txt"], "cannot be read"),
        (["en=nowhere.txt", "--baseline", "nowhere.yaml"], "baseline"),
    ],
)
def test_wrong_usage(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "compare", "--game", "agora_barcelona", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_report_is_not_written_over_what_is_read(
    books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = tmp_path / "accepted.yaml"
    baseline.write_text("accepted: []\n", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    words = ["texts", "compare", "--game", "agora_barcelona", *books, "--baseline", str(baseline), "--out"]
    for file, held in ((baseline, "accepted: []\n"), (tmp_path / "sub" / ".." / "fr.txt", FR)):
        assert main([*words, str(file)]) == 2
        assert "would write over" in capsys.readouterr().err
        assert file.read_text(encoding="utf-8") == held


def test_a_terminal_does_not_obey_a_rulebook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.txt").write_text("The first player takes 3 \x1b[31mcards.\n", encoding="utf-8")
    (tmp_path / "fr.txt").write_text("Le premier joueur prend 4 cartes.\n", encoding="utf-8")
    documents = [f"{language}={tmp_path / language}.txt" for language in ("en", "fr")]
    main(["texts", "compare", "--game", "agora_barcelona", *documents])
    told = capsys.readouterr().out
    assert "The first player takes" in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"acepted: []\n", "accepted.yaml:1:1: a baseline has no field `acepted`"),
        (b"accepted:\n  - id: a\n    reason: x\n    until: y\n", "accepted.yaml:4:5: "),
        (b"accepted:\n  - [a]\n", "accepted.yaml:2:5: "),
        (b"accepted: [{id: a, id: b, reason: x}]\n", "accepted.yaml:1:20: The key 'id' stands twice"),
        (b"accepted: [{id: [a], reason: x}]\n", "accepted.yaml:1:17: `accepted[0].id` is a text"),
        (b"accepted: [{id: a, reason: }]\n", "accepted.yaml:1:20: "),
        (b"accepted: {number-1: a reason}\n", "is a list"),
        (b"accepted: []\n# caf\xe9\n", "accepted.yaml:2: this is not written in UTF-8"),
    ],
)
def test_a_baseline_that_would_accept_nothing_is_refused(
    text: bytes, told: str, books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "accepted.yaml").write_bytes(text)
    words = ["--baseline", str(tmp_path / "accepted.yaml")]
    assert main(["texts", "compare", "--game", "agora_barcelona", *books, *words]) == 2
    assert told in capsys.readouterr().err


def test_a_number_of_thousands_of_digits_is_passed_over(books: list[str], tmp_path: Path) -> None:
    """Python itself refuses to read more than 4,300 digits."""
    for language in ("en", "fr"):
        with (tmp_path / f"{language}.txt").open("a", encoding="utf-8") as file:
            file.write("\n1" + ",000" * 2000 + " cards\n")
    assert main(["texts", "compare", "--game", "agora_barcelona", *books]) == 1


def test_content_that_cannot_be_read_is_told(
    books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of a game is not compared."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.yaml").write_text("game: {id: game, title: }\n", encoding="utf-8")
    assert main(["texts", "compare", "--game", str(tmp_path / "game"), *books]) == 1
    assert "game.yaml:1:18: error RS119" in capsys.readouterr().out


# ---- rulebooks that are named by another language -------------------------------------------------------------------


def test_exchanged_languages_are_told(books: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.txt").write_text(BOOKS["en"], encoding="utf-8")
    (tmp_path / "fr.txt").write_text(BOOKS["fr"], encoding="utf-8")
    wrong = [f"en={tmp_path / 'fr.txt'}", f"fr={tmp_path / 'en.txt'}"]
    main(["texts", "compare", "--game", "agora_barcelona", *wrong])
    told = capsys.readouterr().err
    assert f"Did you mean fr={tmp_path / 'fr.txt'} en={tmp_path / 'en.txt'}?" in told
    main(["texts", "compare", "--game", "agora_barcelona", *books])
    assert capsys.readouterr().err == ""


def test_a_language_may_be_written_in_capitals(books: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["texts", "compare", "--game", "agora_barcelona", *(book.upper()[:2] + book[2:] for book in books)])
    assert "    fr 3: Le premier joueur prend 4 cartes." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("named", "written", "read"),
    [
        ("ja", "en", "en"),
        ("en", "ja", "ja"),
        ("de", "fr", "fr"),
        ("fr-CA", "fr", None),
        ("ja", "ja", None),
        ("eo", "fr", None),  # nothing is known of its words: it may look like any other
    ],
)
def test_a_rulebook_in_another_language_than_it_is_named_by(named: str, written: str, read: str | None) -> None:
    document = document_of_text(BOOKS[written], named)
    assert [one.read for one in misnamed([document])] == ([] if read is None else [read])


def test_nothing_is_guessed_of_few_or_mixed_words() -> None:
    assert language_read(["Take 2 cards."]) is None
    assert language_read([BOOKS["en"], BOOKS["fr"]]) is None


@pytest.mark.parametrize("game", ["agora_barcelona", "barcelona", "metro"])
def test_the_shipped_rules_read_like_their_languages(game: str) -> None:
    loaded = load_for_most(open_game(game)[0], [], {})
    rules = rules_with_figures(loaded, ["en", "fr", "ja", "es"])
    for language in ("en", "fr", "ja", "es"):
        texts = [rule.texts[language] for rule in rules if language in rule.texts]
        assert language_read(texts) == (language if texts else None)
