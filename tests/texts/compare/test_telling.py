"""What is told of a difference: a sentence to send on, in the language of who reads it; its id, whatever the order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.findings import Finding
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text
from rulespec.texts.reports import FORMATS
from rulespec.texts.telling import Telling, phrases, told_in
from tests.texts.compare.books import BOOKS, changed, compared, glossary


def told(en: str, fr: str, language: str = "en") -> Finding:
    """The one finding of two rulebooks of one sentence each, compared by words."""
    documents = [document_of_text(text, code) for code, text in (("en", en), ("fr", fr))]
    [finding] = compare(documents, glossary(), told_in=language).findings
    return finding


def test_english_is_told_where_nothing_is_asked() -> None:
    assert told_in() == ("en", "fr", "ja")


@pytest.mark.parametrize("language", told_in()[1:])
def test_each_language_tells_all_with_the_same_parts(language: str) -> None:
    english, own = phrases("en"), phrases(language)
    assert set(own) == set(english)
    for key, text in own.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key


SENTENCES = [
    (
        "Each player takes exactly three coins.",
        "Chaque joueur prend jusqu'à trois pièces.",
        "The French edition says “jusqu'à trois pièces” where the English says “exactly three coins” (line 1).",
    ),
    (
        "You may keep one coin.",
        "Vous devez garder une pièce.",
        "The French edition says “devez garder” where the English says “may keep” (line 1).",
    ),
    (
        "Take fewer than 4 coins.",
        "Prenez moins de 5 pièces.",
        "The French edition says “moins de 5 pièces” where the English says “fewer than 4 coins” (line 1).",
    ),
    (
        "Do not place a bridge on the road.",
        "Posez un pont sur la route.",
        "The English edition says “Do not place”, and the French has nothing like it in this sentence (line 1).",
    ),
]


@pytest.mark.parametrize(("en", "fr", "message"), SENTENCES)
def test_a_difference_is_told_as_what_each_edition_says(en: str, fr: str, message: str) -> None:
    assert told(en, fr).message == message


@pytest.mark.parametrize(
    ("language", "message", "reason"),
    [
        (
            "en",
            "The French edition says “6 pièces” where the English says “5 coins” (line 1).",
            "A number differs: 6 against 5.",
        ),
        (
            "fr",
            "L’édition en français dit « 6 pièces » là où celle en anglais dit « 5 coins » (ligne 1).",
            "Un nombre diffère : 6 contre 5.",
        ),
        ("fr-CA", "L’édition en français dit « 6 pièces » là où celle en anglais dit « 5 coins » (ligne 1).", None),
        ("ja", "英語版は「5 coins」に対し、フランス語版は「6 pièces」としています（1行目）。", "数が違います：6と5。"),
    ],
)
def test_it_is_told_in_the_language_of_the_reader(language: str, message: str, reason: str | None) -> None:
    finding = told("Take 5 coins.", "Prenez 6 pièces.", language)
    assert finding.message == message
    assert reason is None or finding.reason == reason
    assert finding.id == told("Take 5 coins.", "Prenez 6 pièces.").id


def test_of_a_pdf_the_page_is_told() -> None:
    telling = Telling("en", {"fr": "regles.PDF", "en": "rules.md"})
    assert (telling.place("fr", 7012), telling.place("en", 12)) == ("p. 7", "line 12")


def test_every_format_has_the_sentence_the_reason_and_how_sure() -> None:
    comparison = compared(changed("fr", "5 pièces", "6 pièces"))
    [finding] = comparison.findings
    for name, write in FORMATS.items():
        report = write(comparison, comparison.findings).lower()
        for words in (finding.message, finding.reason, "sure"):
            assert words.lower() in report, (name, words)


# ---- the order of the books -----------------------------------------------------------------------------------------


def in_order(*languages: str) -> Comparison:
    books = {**BOOKS, "fr": BOOKS["fr"].replace("5 pièces", "6 pièces").replace("devez payer", "pouvez payer")}
    books["ja"] = books["ja"].replace("左側", "右側")
    return compared({language: books[language] for language in languages})


@pytest.mark.parametrize(
    "languages", [("en", "fr"), ("fr", "ja"), ("en", "ja"), ("en", "fr", "ja"), ("ja", "en", "fr")]
)
def test_ids_do_not_hang_on_the_order_of_the_books(languages: tuple[str, ...]) -> None:
    one, other = in_order(*languages), in_order(*reversed(languages))
    assert one.findings
    assert {finding.id for finding in one.findings} == {finding.id for finding in other.findings}


def test_the_books_stay_in_the_order_in_which_they_were_named() -> None:
    comparison = in_order("ja", "fr", "en")
    assert [read.language for read in comparison.reads] == ["ja", "fr", "en"]
    lines = [c.members["ja"][0] for c in comparison.clusters if "ja" in c.members]
    assert lines == sorted(lines)
    for finding in comparison.findings:
        assert [place.language for place in finding.places] == ["ja", "fr", "en"]


# ---- one cause ------------------------------------------------------------------------------------------------------


def test_one_name_for_another_is_one_finding_with_all_its_places() -> None:
    """In the French book towers stand where there are bridges in the English one, in three sentences of six."""
    en = [f"Put a bridge {where}." for where in ("by the market", "on the road", "in the box")]
    fr = [f"Posez une tour de guet {where}." for where in ("près du marché", "sur la route", "dans la boîte")]
    documents = [document_of_text("\n\n".join(texts), code) for code, texts in (("en", en), ("fr", fr))]
    [finding] = compare(documents, glossary()).findings
    assert [place.line for place in finding.places if place.language == "fr"] == [1, 3, 5]
    assert finding.message.endswith("(line 1); the same in 2 other places.")
    two = [document_of_text("\n\n".join(texts[:2]), code) for code, texts in (("en", en), ("fr", fr))]
    for language, told in (
        ("en", "; the same in 1 other place."),
        ("fr", " ; de même à 1 autre endroit."),
        ("ja", "ほか1か所も同じです。"),
    ):
        [again] = compare(two, glossary(), told_in=language).findings
        assert again.message.endswith(told)
    fewer = [document_of_text("\n\n".join(texts[:1]), code) for code, texts in (("en", en), ("fr", fr))]
    [alone] = compare(fewer, glossary()).findings
    assert (alone.kind, len(alone.places)) == (finding.kind, 2)


def test_what_is_no_name_stays_apart() -> None:
    """A may for a must is a fault of its own in each sentence."""
    en = [f"You may take {number} coins." for number in (2, 3, 4)]
    fr = [f"Vous devez prendre {number} pièces." for number in (2, 3, 4)]
    documents = [document_of_text("\n\n".join(texts), code) for code, texts in (("en", en), ("fr", fr))]
    assert len(compare(documents, Glossary({})).findings) == 3


def test_a_language_that_nothing_is_told_in_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Take 5 coins.\n", encoding="utf-8")
    books = [f"{code}={tmp_path / 'a.txt'}" for code in ("en", "fr")]
    assert main(["texts", "compare", *books, "--pairs", "words", "--lang", "pl"]) == 2
    assert "told in en, fr, ja, and not in 'pl'" in capsys.readouterr().err
    assert main(["texts", "compare", *books, "--pairs", "words", "--lang", "FR"]) == 0
    assert "Aucune différence." in capsys.readouterr().out
