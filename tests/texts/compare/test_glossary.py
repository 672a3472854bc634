"""Terms in running text: which form is found, and where."""

from __future__ import annotations

import pytest

from rulespec.texts.signature import signature
from tests.texts.compare.books import glossary


def found(language: str, text: str, *, general: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    hits = glossary().matcher(language, general=general).hits(text)
    return [(text[hit.start : hit.end], hit.concepts) for hit in hits]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Two Coins and a stone road.", [("Coins", ("coin",)), ("stone road", ("stone_road",))]),
        ("en", "The bridge's end; a cartload.", [("bridge", ("bridge",))]),
        ("en", "gold  coins", [("gold  coins", ("coin",))]),
        ("fr", "Deux PIÈCES, des Tissus", [("PIÈCES", ("coin",)), ("Tissus", ("cloth",))]),
        ("fr", "Voies et voies", [("Voies", ("road",))]),
        ("fr", "Voie ferrée", []),
        ("ja", "コイン2枚と布地", [("コイン", ("coin",)), ("布地", ("cloth",))]),
        ("ja", "マーケットタイル", [("マーケットタイル", ("market",))]),
        ("ja", "マーケット タイル", [("マーケット タイル", ("market",))]),
        ("ja", "石の道と道", [("石の道", ("stone_road",)), ("道", ("road",))]),
    ],
)
def test_the_longest_form_is_found(language: str, text: str, wanted: list[tuple[str, tuple[str, ...]]]) -> None:
    assert found(language, text) == wanted


def test_a_form_to_be_avoided_is_read_and_known_as_such() -> None:
    [hit] = glossary().matcher("en").hits("a dubloon")
    assert (hit.concepts, hit.form.avoided) == (("coin",), True)


def test_a_general_word_can_be_read_in_two_ways() -> None:
    [hit] = glossary().matcher("en", general=True).hits("left")
    assert hit.concepts == ()
    assert {"left", "remaining"} <= set(hit.maybe)


def test_what_is_above_and_below() -> None:
    known = glossary()
    assert known.above("stone_road") == ("road",)
    assert known.below["road"] == {"stone_road"}


def test_a_language_without_words_of_its_own_still_finds_terms() -> None:
    known = glossary("terms: {coin: {pl: {one: moneta, other: monety}}}")
    assert [hit.concepts for hit in known.matcher("pl", general=True).hits("dwie monety")] == [("coin",)]


def test_a_region_has_the_terms_of_its_language_and_its_own_before_them() -> None:
    known = glossary("terms: {coin: {pt: {one: moeda}, pt-BR: {one: real}}}")
    found = {code: known.matcher(code).hits("uma moeda, um real") for code in ("pt", "pt-AO", "pt-BR")}
    assert {code: [hit.form.text for hit in hits] for code, hits in found.items()} == {
        "pt": ["moeda"],
        "pt-AO": ["moeda"],
        "pt-BR": ["real"],
    }


def test_a_kind_of_nothing_and_kinds_in_a_circle() -> None:
    """What `check` tells as a fault is read without one: texts are compared before it is mended."""
    text = """
terms:
  coin: {parent: nowhere, en: {other: coin}}
  cloth: {parent: tower, en: {other: cloth}}
  tower: {parent: cloth, en: {other: tower}}
"""
    known = glossary(text)
    assert (known.above("coin"), known.above("cloth")) == ((), ("tower", "cloth"))
    said = signature("A coin, a cloth.", "en", known)
    assert said.of_group("term")["coin"] == (1, 1)
