"""What sentences say: the same numbers, moods and denials in every language, and what only looks like them."""

from __future__ import annotations

import pytest

from rulespec.texts.language import language_of
from rulespec.texts.numbers import numbers
from rulespec.texts.signature import signature
from tests.texts.compare.books import glossary


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "two coins", [(2, "")]),
        ("fr", "deux pièces", [(2, "")]),
        ("ja", "２枚", [(2, "")]),
        ("ja", "二枚と二人", [(2, ""), (2, "")]),
        ("ja", "一番上", []),
        ("en", "fewer than 4 players", [(3, "at_most")]),
        ("fr", "à moins de 4 joueurs", [(3, "at_most")]),
        ("ja", "3人以下", [(3, "at_most")]),
        ("en", "no more than 2", [(2, "at_most")]),
        ("en", "at least 3", [(3, "at_least")]),
        ("fr", "au moins 3", [(3, "at_least")]),
        ("ja", "少なくとも3つ", [(3, "at_least")]),
        ("en", "the 19th century", [(19, "")]),
        ("fr", "le XIX^e siècle", [(19, "")]),
        ("ja", "19世紀", [(19, "")]),
        ("en", "x4 and 4x", [(4, ""), (4, "")]),
        ("en", "a two-step move", [(2, "")]),
        ("fr", "la troisième carte", [(3, "")]),
        ("ja", "三番目", [(3, "")]),
        ("en", "1,000 points", [(1000, "")]),
    ],
)
def test_numbers_are_the_same_in_every_writing(language: str, text: str, wanted: list[tuple[int, str]]) -> None:
    assert [(number.value, number.bound) for number in numbers(text, language_of(language))] == wanted


@pytest.mark.parametrize(("language", "text"), [("en", "see page 17"), ("fr", "voir p. 17"), ("ja", "17ページ")])
def test_pages_are_no_figures(language: str, text: str) -> None:
    said = signature(text, language, glossary())
    assert said.pages == (17,)
    assert said.values == {}


def test_one_is_as_good_as_an_article() -> None:
    assert signature("take 1 card", "en", glossary()).values == {1: (0, 1)}


def moods(language: str, text: str) -> list[str]:
    said = signature(text, language, glossary())
    return [mood for mood, (least, _) in said.moods.items() if least]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "You must pay.", ["must"]),
        ("fr", "Vous devez payer.", ["must"]),
        ("ja", "支払わなければなりません。", ["must"]),
        ("en", "You may pay.", ["may"]),
        ("fr", "Vous pouvez payer.", ["may"]),
        ("ja", "支払うことができます。", ["may"]),
        ("en", "You cannot pay.", ["cannot"]),
        ("en", "You may not pay.", ["cannot"]),
        ("fr", "Vous ne pouvez pas payer.", ["cannot"]),
        ("ja", "支払うことはできません。", ["cannot"]),
        ("en", "You do not have to pay.", ["need_not"]),
        ("fr", "Vous n'avez pas à payer.", ["need_not"]),
        ("ja", "支払う必要はありません。", ["need_not"]),
        ("fr", "Il ne peut être construit que là.", ["may"]),
        ("en", "Pay 2 coins.", []),
    ],
)
def test_may_and_must(language: str, text: str, wanted: list[str]) -> None:
    assert moods(language, text) == wanted


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "Do not move it.", 1),
        ("fr", "Ne le déplacez pas.", 1),
        ("ja", "動かしません。", 1),
        ("en", "Not only roads but also bridges.", 0),
        ("fr", "Non seulement les routes, mais aussi les ponts.", 0),
        ("ja", "道だけでなく、橋も。", 0),
        ("ja", "少なくとも、必ず、建設したかどうか。", 0),
        ("en", "the non-building side", 0),
        ("ja", "覆われていないスペース", 0),
        ("fr", "sans payer", 1),
    ],
)
def test_denials(language: str, text: str, number: int) -> None:
    assert signature(text, language, glossary()).denials == number


def test_a_narrower_term_may_stand_for_the_wider_one() -> None:
    counts = signature("a stone road", "en", glossary()).counts
    assert counts["stone_road"] == (1, 1)
    assert counts["road"] == (0, 1)


def test_letters_of_figures() -> None:
    assert [mark.kind for mark in signature("on the board **B** (see C).", "en", glossary()).letters] == ["B", "C"]
