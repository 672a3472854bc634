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
        ("es", "dos monedas", [(2, "")]),
        ("es", "menos de 4 jugadores", [(3, "at_most")]),
        ("es", "no más de 2", [(2, "at_most")]),
        ("es", "más de dos", [(3, "at_least")]),
        ("es", "al menos 3", [(3, "at_least")]),
        ("es", "tres o más", [(3, "at_least")]),
        ("es", "hasta cinco", [(5, "at_most")]),
        ("es", "el siglo XIX", [(19, "")]),
        ("es", "la tercera carta", [(3, "")]),
        ("es", "el 2º y la 4ª", [(2, ""), (4, "")]),
        ("es", "veintitrés puntos", [(23, "")]),
        ("en-GB", "two coins", [(2, "")]),
        ("fr_CA", "deux pièces", [(2, "")]),
    ],
)
def test_numbers_are_the_same_in_every_writing(language: str, text: str, wanted: list[tuple[int, str]]) -> None:
    assert [(number.value, number.bound) for number in numbers(text, language_of(language))] == wanted


@pytest.mark.parametrize(
    ("language", "text"), [("en", "see page 17"), ("fr", "voir p. 17"), ("ja", "17ページ"), ("es", "ver p. 17")]
)
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
        ("en", "Nobody has to pay.", ["need_not"]),
        # what somebody is able to do is a condition here, and no permission
        ("en", "If you can, pay 2 coins.", []),
        ("en", "Whenever they are able to, they pay.", []),
        ("en", "If you can not pay, discard.", ["cannot"]),
        ("fr", "Si vous le pouvez, payez 2 pièces.", []),
        ("ja", "支払うことができる場合は、コインを置きます。", []),
        ("ja", "獲得できる布を数えます。", []),  # before a noun it only describes it
        ("ja", "塔を進めます。", []),  # advance, or can advance
        ("ja", "塔を進められません。", ["cannot"]),
        ("fr", "Personne n'est obligé de payer.", ["need_not"]),
        ("es", "Debes pagar.", ["must"]),
        ("es", "Hay que pagar.", ["must"]),
        ("es", "El jugador ha de pagar.", ["must"]),
        ("es", "Tiene que pagar.", ["must"]),
        ("es", "Puedes pagar.", ["may"]),
        ("es", "Si lo desea, paga.", ["may"]),
        ("es", "No puedes pagar.", ["cannot"]),
        ("es", "No se pueden pagar.", ["cannot"]),
        ("es", "Nadie puede pagar.", ["cannot"]),
        ("es", "No se permite pagar.", ["cannot"]),
        ("es", "No debes pagar.", ["cannot"]),
        ("es", "No tienes que pagar.", ["need_not"]),
        ("es", "No hace falta pagar.", ["need_not"]),
        ("es", "No se puede pagar más que aquí.", ["may"]),
        ("es", "Paga 2 monedas.", []),
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
        ("fr", "Aucune n'est jamais oubliée.", 1),
        ("fr", "Les flèches n'importent pas.", 0),
        ("en", "The arrows do not matter.", 0),
        ("es", "No la muevas.", 1),
        ("es", "No mueve ninguna.", 1),
        ("es", "No puede mover ninguna.", 1),
        ("es", "No paga si no tiene ninguna.", 2),
        ("es", "No solo caminos, también puentes.", 0),
        ("es", "Sin embargo, sin duda, no más de dos.", 0),
        ("es", "Las flechas no importan.", 0),
        ("es", "sin pagar", 1),
    ],
)
def test_denials(language: str, text: str, number: int) -> None:
    assert signature(text, language, glossary()).denials == number


def test_a_narrower_term_may_stand_for_the_wider_one() -> None:
    counts = signature("a stone road", "en", glossary()).counts
    assert counts["stone_road"] == (1, 1)
    assert counts["road"] == (0, 1)


def test_a_general_word_with_a_neighbour_means_something_else() -> None:
    assert "turn" in signature("on your turn", "en", glossary()).counts
    assert "turn" not in signature("you may turn onto any road", "en", glossary()).counts


def test_a_term_of_a_game_keeps_its_forms_in_a_region() -> None:
    """One of its forms is that of a general word which has neighbours, whatever its id is."""
    for name in ("turn", "tour", "x"):
        terms = glossary(f"terms: {{{name}: {{en: {{one: turn, other: turns}}}}}}")
        for language in ("en", "en-GB"):
            assert name in signature("it is your turn", language, terms).counts
            assert name not in signature("you may turn onto any road", language, terms).counts


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "the 4th space"), ("fr", "la 4^e case"), ("ja", "4番目のマス"), ("es", "la 4.ª casilla")],
)
def test_digits_that_count_a_place(language: str, text: str) -> None:
    assert [(number.value, number.kind) for number in numbers(text, language_of(language))] == [(4, "ordinal")]


def test_letters_of_figures() -> None:
    assert [mark.kind for mark in signature("on the board **B** (see C).", "en", glossary()).letters] == ["B", "C"]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Put it on Board B. Then draw.", ["B"]),
        ("en", "Go to space B. Then stop.", ["B"]),
        ("de", "Leg es auf Plättchen B. Dann zieh.", ["B"]),
        ("en", "Ask Ann S. Moore first.", []),  # an initial is no letter of a figure
    ],
)
def test_a_letter_at_the_end_of_a_sentence_is_one_of_a_figure(language: str, text: str, wanted: list[str]) -> None:
    assert [mark.kind for mark in signature(text, language, glossary()).letters] == wanted


WORDS = ("en", "fr", "ja", "es")


@pytest.mark.parametrize("language", WORDS)
def test_every_language_has_the_general_words_of_english(language: str) -> None:
    """What one language lacks cannot be compared with the others; each has the same groups, and forms of its own."""
    own, english = language_of(language).concepts, language_of("en").concepts
    assert own.keys() >= english.keys()
    assert {name for name in english if own[name].group != english[name].group} == set()
    assert [name for name, concept in own.items() if not concept.forms[language]] == []


#: Words in Spanish, and what they stand for whatever their number, gender or person.
SPANISH = {
    "Los jugadores colocan las losetas azules boca abajo.": ("player", "place", "tile", "blue", "face_down"),
    "Cada jugador baraja sus fichas grises.": ("each_player", "shuffle", "token", "grey"),
    "Devuelve las cartas a la caja.": ("return", "card", "box"),
    "Avanza dos casillas hacia la derecha.": ("forward", "space", "right"),
    "La pila de más a la izquierda queda vacía.": ("stack", "leftmost", "empty"),
    "Otro jugador descarta la primera, después elige.": ("other_player", "discard", "first", "after", "choose"),
    "En el sentido contrario a las agujas del reloj.": ("counterclockwise",),
    "Los marcadores rojos, verticales, encima de los cubos.": ("marker", "red", "vertical", "on_top", "cube"),
    "Su dueño recibe las acciones restantes.": ("owner", "gain", "remaining"),
}


@pytest.mark.parametrize("text", SPANISH)
def test_spanish_words_in_all_their_forms(text: str) -> None:
    counts = signature(text, "es", glossary()).counts
    assert [concept for concept in SPANISH[text] if not counts.get(concept, (0, 0))[0]] == []


@pytest.mark.parametrize(("code", "is_known"), [("es", True), ("es-MX", True), ("pl", False), ("../es", False)])
def test_which_languages_are_known(code: str, is_known: bool) -> None:
    assert language_of(code).is_known is is_known


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("非常に大きい。", "always"),
        ("必ずしもそうではない。", "always"),
        ("などの理由で。", "any"),
        ("パターンを示します。", "turn"),
        ("ディスプレイを見ます。", "game"),
        ("スタイルは自由です。", "tile"),
        ("位置から離れます。", "place"),
        ("繰り返します。", "return"),
        ("もたらします。", "after"),
        ("銀行があります。", "row"),
        ("歩道があります。", "step"),
        ("空間があります。", "empty"),
        ("しかし、そうです。", "only"),
        ("名前に注意。", "before"),
    ],
)
def test_japanese_words_that_hide_in_longer_ones(text: str, concept: str) -> None:
    assert concept not in signature(text, "ja", glossary()).counts


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("常に引けます。", "always"),
        ("どの色でも。", "any"),
        ("次のターンです。", "turn"),
        ("タイルを置く。", "tile"),
        ("箱に返します。", "return"),
        ("一番上の列です。", "row"),
        ("2歩です。", "step"),
        ("マスが空です。", "empty"),
        ("その前に払います。", "before"),
    ],
)
def test_the_same_japanese_words_by_themselves(text: str, concept: str) -> None:
    assert signature(text, "ja", glossary()).counts[concept][1] > 0
