"""Slips that are told, and sentences that are right and look like them."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.language.diagnostics.fragments import FLOW, GAME
from tests.texts.check.small import problems_of

TERMS = """\
terms:
  thing:
    de: {one: Stein, other: Steine, gender: masculine, also: [Steinen]}
    es: {one: área, other: áreas, gender: feminine}
    pt: {one: jogador, other: jogadores, gender: masculine}
    fr: {one: tuile, other: tuiles, gender: feminine}
  space:  # a word of all games has this id too
    pt: {one: casa, other: casas, gender: feminine}
  card:
    de: {one: Karte, other: Karten, gender: feminine}
    en: {one: card, other: cards}
    fr: {one: carte, other: cartes}
    es: {one: carta, other: cartas}
  coin:
    en: {one: coin, other: coins}
    fr: {one: pièce, other: pièces}
    es: {one: moneda, other: monedas}
"""

#: A language and a sentence, the code that tells it, and the words that are told; no words where it is right.
SENTENCES = [
    ("ja", "カードを3人引きます。", "RS567", ["人"]),
    ("ja", "タイル{n}人引きます。", "RS567", ["人"]),
    ("ja", "カードを1人5枚ずつ配ります。", "RS567", []),
    ("ja", "カードを1人{n}枚ずつ配ります。", "RS567", []),
    ("ja", "カードを一人五枚配ります。", "RS567", []),
    ("ja", "カードを1人５枚配ります。", "RS567", []),
    ("ja", "カードを1人あたり3枚配ります。", "RS567", []),
    ("ja", "カードを1人ずつ引きます。", "RS567", []),
    ("ja", "カードを2人から受け取ります。", "RS567", []),
    ("ja", "カードを2人分用意します。", "RS567", []),
    ("ja", "2人の手札を見ます。", "RS567", []),
    ("ja", "3人のコマを置きます。", "RS567", []),
    ("ja", "3人の得点を比べます。", "RS567", []),
    ("fr", "Chacun prend un tuile.", "RS566", ["un"]),
    ("es", "Elige los áreas.", "RS566", ["los"]),
    ("pt", "Cada um escolhe uma jogador.", "RS566", ["uma"]),
    ("pt", "Fica no casa.", "RS566", ["no"]),
    ("de", "Er hat keine Steine.", "RS566", []),
    ("de", "Nimm diese Steine.", "RS566", []),
    ("de", "Das steht in jeder Karte.", "RS566", []),
    ("de", "Spiele mit diesen Karten.", "RS566", []),
    ("es", "Elige un área.", "RS566", []),
    ("es", "No hay ningún área.", "RS566", []),
    ("es", "Sale del área.", "RS566", []),
    ("es", "Mueve al área.", "RS566", []),
    ("pt", "Passe a jogador seguinte.", "RS566", []),
    ("en", "Draw one card card.", "RS565", ["card card"]),
    ("tr", "Her oyuncu taşlarını tek tek koyar.", "RS565", []),
    ("it", "Si gioca piano piano.", "RS565", []),
]


def words(folder: Path, texts: dict[str, str], code: str) -> list[tuple[str, str]]:
    """The sentences in which a code is told, and the words that are pointed at."""
    rule = "".join(f'      {language}: "{text}"\n' for language, text in texts.items())
    values = "values: {n: 2, a: 3, b: 4}\n"
    (folder / "game.yaml").write_text(
        f"{GAME}{FLOW}{values}{TERMS}rules:\n  told:\n    text:\n{rule}    binds: [values]\n", encoding="utf-8"
    )
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert not problems.has_errors
    return [(p.message, p.span.text) for p in problems_of(source) if p.code == code]


@pytest.mark.parametrize(("language", "text", "code", "told"), SENTENCES)
def test_a_slip_is_told_and_what_looks_like_one_is_not(
    tmp_path: Path, language: str, text: str, code: str, told: list[str]
) -> None:
    assert [where for _, where in words(tmp_path, {language: text}, code)] == told


RIGHT = {
    "en": "Pay {a} coins and {b} cards.",
    "fr": "Payez {a} pièces et {b} cartes.",
    "es": "Paga {a} monedas y {b} cartas.",
}
CROSSED = {
    "en": "Pay {b} coins and {a} cards.",
    "fr": "Payez {b} pièces et {a} cartes.",
    "es": "Paga {b} monedas y {a} cartas.",
}


@pytest.mark.parametrize("languages", list(permutations(RIGHT)))
@pytest.mark.parametrize("odd", RIGHT)
def test_of_three_languages_the_odd_one_alone_is_told(tmp_path: Path, languages: tuple[str, ...], odd: str) -> None:
    texts = {language: (CROSSED if language == odd else RIGHT)[language] for language in languages}
    [(message, where)] = words(tmp_path, texts, "RS569")
    assert message.startswith(f"In {odd} {{a}} and {{b}} have changed places")
    assert where == "{a}"


def test_another_order_of_what_counts_nothing_known_is_no_exchange(tmp_path: Path) -> None:
    texts = {"en": "First {a}, then {b}.", "es": "Primero {a}, luego {b}.", "fr": "D'abord {b}, puis {a}."}
    assert words(tmp_path, texts, "RS569") == []
