"""Numbers in every way that they are written: words against another generator, and signs against hand-made forms."""

from __future__ import annotations

import re

import pytest

from rulespec.texts.compare import compare
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.numbers import Number, numbers
from rulespec.texts.readers import document_of_text

#: A sentence around a number, and what else it has that could be taken for one.
SENTENCES = {
    "en": "Take {} coins.",
    "fr": "Prenez {} pièces.",
    "es": "Toma {} monedas.",
}
HIGHEST = 10_000


def read(text: str, language: str) -> list[float]:
    """The values of the numbers in a text, but for those that may be articles."""
    return [number.value for number in numbers(text, language_of(language))]


def in_words(number: int, language: str) -> str:
    words = pytest.importorskip("num2words")
    return str(words.num2words(number, lang=language))


@pytest.mark.parametrize("language", SENTENCES)
def test_every_number_in_words(language: str) -> None:
    """num2words is another library than the rules that are read; its words are put into a sentence."""
    wrong = [
        (number, words)
        for number in range(HIGHEST + 1)
        if read(SENTENCES[language].format(words := in_words(number, language)), language) != [number]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "generated", "sentence"),
    [
        ("de", "de", "Nimm {} Münzen."),
        ("it", "it", "Prendi {} monete."),
        ("pt", "pt_BR", "Pegue {} moedas."),
        ("pt-PT", "pt", "Tire {} moedas."),
    ],
)
def test_numbers_in_words_up_to_a_thousand(language: str, generated: str, sentence: str) -> None:
    """Longer ones are one word in German and Italian; num2words spells those with 18 in Italian as nobody does."""
    wrong = [
        (number, words)
        for number in range(1_000)
        if "dicotto" not in (words := in_words(number, generated))
        and read(sentence.format(words), language) != [number]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("de", "Spielt zu zweit oder zu dritt.", [2, 3]),
        ("de", "Nimm höchstens drei Karten.", [3]),
        ("it", "Prendi almeno due carte.", [2]),
        ("pt", "Tire dezasseis ou dezesseis cartas.", [16, 16]),
    ],
)
def test_numbers_as_they_are_said(language: str, text: str, wanted: list[float]) -> None:
    assert read(text, language) == wanted


def kanji(number: int) -> str:
    """A number in kanji by hand: a digit before each power of ten, none for one of them but of ten thousand."""
    digits = "〇一二三四五六七八九"
    if number < 10:
        return digits[number]
    for power, sign in ((10_000, "万"), (1_000, "千"), (100, "百"), (10, "十")):
        times, rest = divmod(number, power)
        if times:
            before = digits[times] if times > 1 or power == 10_000 else ""
            return before + sign + (kanji(rest) if rest else "")
    raise AssertionError(number)


def test_every_number_in_kanji() -> None:
    wrong = [n for n in range(1, HIGHEST + 1) if read(f"カードを{kanji(n)}枚引く。", "ja") != [n]]
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize("number", [2, 21, 71, 80, 101, 999, 1000, 1234, 2021, 9999])
def test_ordinals_in_words(language: str, number: int) -> None:
    words = pytest.importorskip("num2words").num2words(number, lang=language, to="ordinal")
    found = [(each.value, each.kind) for each in numbers(f"x {words} x", language_of(language))]
    if (language == "es" and number >= 1_000) or (language == "fr" and number == 80):
        return  # where CLDR writes otherwise, or num2words as nobody does (quatre-vingtsième)
    assert found == [(number, "ordinal")]


#: Group marks: comma, point, blanks that no line ends at, apostrophes, underscore.
MARKS = ",.\u00a0\u202f\u2009\u2007'’_"


@pytest.mark.parametrize("language", ["en", "fr", "es", "ja"])
@pytest.mark.parametrize("mark", MARKS, ids=[f"U+{ord(mark):04X}" for mark in MARKS])
def test_groups_of_digits(language: str, mark: str) -> None:
    for number in (1_000, 1_234, 10_000, 999_999, 1_000_000):
        written = f"{number:,}".replace(",", mark)
        assert read(f"x {written} x", language) == [number]
        assert read(f"（{written.translate(WIDE)}）", language) == [number]


WIDE = str.maketrans("0123456789", "０１２３４５６７８９")

CASES: list[tuple[str, str, list[float]]] = [
    # digits
    ("en", "10000 points", [10000]),
    ("fr", "1 200 points", [1200]),
    ("en", "Cards 1 200 times", [1, 200]),  # English groups by commas
    ("es", "Cuesta 1 000 o 12 050 345 puntos", [1000, 12050345]),  # no number of its own begins with 0
    ("en", "pay 1 000 coins", [1000]),
    ("ja", "両方のプレイヤー", [2]),
    ("en", "1.5 points", [1.5]),
    ("fr", "1,5 point", [1.5]),
    ("es", "1,5 puntos", [1.5]),
    ("ja", "1.5点", [1.5]),
    ("fr", "1.5 point", [1.5]),
    ("fr", "0,125 point", [0.125]),
    ("es", "1.234,5 puntos", [1234.5]),
    ("en", "1,234.5 points", [1234.5]),
    ("en", "in columns 1,3 and 5", [1, 3, 5]),
    ("fr", "colonnes 1,3,5", [1, 3, 5]),
    ("en", "Draw 3. 2 players", [3, 2]),
    ("en", "½ point, 1½ points", [0.5, 1.5]),
    ("en", "１２ points", [12]),
    ("fr", "le 2e joueur", [2]),
    ("en", "the 22nd card", [22]),
    # words
    ("en", "seventy cards", [70]),
    ("fr", "quatre-vingts cartes", [80]),
    ("fr", "quatre vingt dix-neuf cartes", [99]),
    ("fr", "septante et nonante-neuf cartes", [70, 99]),
    ("fr", "deux cent vingt et une cartes", [221]),
    ("es", "ciento una cartas", [101]),
    ("es", "treinta y un mil monedas", [31000]),
    ("en", "one hundred and one coins", [101]),
    ("en", "one hundred one coins", [101]),
    ("en", "a hundred coins, a thousand coins", [100, 1000]),
    ("en", "a hundred and twenty coins", [120]),
    ("en", "fifteen hundred coins", [1500]),
    ("en", "Twenty-Two coins", [22]),
    ("en", "between twenty and thirty", [20, 30]),
    ("en", "two and three", [2, 3]),
    ("en", "one, two, three", [1, 2, 3]),
    ("en", "two thousand, three cards", [2000, 3]),
    ("fr", "un, deux, trois", [1, 2, 3]),
    ("fr", "mille, deux", [1000, 2]),
    ("en", "a two-step move", [2]),
    ("en", "both players twice", [2, 2]),
    ("en", "first of all", []),
    # Roman
    ("en", "Part II, act XIV", [2, 14]),
    ("fr", "niveau IV", [4]),
    ("fr", "au XIXe siècle", [19]),
    ("en", "Ⅳ and Ⅻ", [4, 12]),
    ("en", "I take a V and an X", []),
    ("en", "IIX, VIM, XL", []),
    # kanji
    ("ja", "カードを二十枚引く。", [20]),
    ("ja", "十二枚", [12]),
    ("ja", "二〇枚", [20]),
    ("ja", "第十二回", [12]),
    ("ja", "一千二百点", [1200]),
    ("ja", "2千点、1万2000点", [2000, 12000]),
    ("ja", "一番上のカード", []),
    ("ja", "十分に", []),
    ("ja", "万一の時", []),
]


@pytest.mark.parametrize(("language", "text", "values"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_numbers_of(language: str, text: str, values: list[float]) -> None:
    assert read(text, language) == values


def test_places_are_those_in_the_text() -> None:
    text = "Prenez quatre-vingt-dix pièces, puis 1\u202f200\u00a0points."
    found = [(text[number.start : number.end], number.value) for number in numbers(text, language_of("fr"))]
    assert found == [("quatre-vingt-dix", 90), ("1\u202f200", 1200)]


def test_a_kind_of_number_is_known_behind_words_too() -> None:
    def kinds(text: str) -> list[tuple[float, str]]:
        return [(each.value, each.kind) for each in numbers(text, language_of("en"))]

    assert kinds("the twenty-first card") == [(21, "ordinal")]
    assert kinds("see page twenty-two") == [(22, "page")]
    assert [each.bound for each in _found("at least twenty-two coins")] == ["at_least"]


def _found(text: str) -> list[Number]:
    assert re.search(r"[a-z]", text)
    return numbers(text, language_of("en"))


def test_fractions_are_compared() -> None:
    """A number with a fraction stands in both or in one; 4.0 is 4."""
    books = {
        "en": "Each player scores 2.5 points for each card.\n\nThis is version 4.0 of the rules of the cards.\n",
        "fr": "Chaque joueur marque 3,5 points par carte.\n\nCeci est la version 4 des règles des cartes.\n",
    }
    documents = [document_of_text(text, language) for language, text in books.items()]
    [finding] = [one for one in compare(documents, Glossary({})).findings if one.kind == "number"]
    assert finding.message == "The French edition says “3,5 points” where the English says “2.5 points” (line 1)."
