"""Rules in English and Spanish: what says the same is let pass, and a fault in either is told at the right place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.texts.check.everything import check_texts
from tests.language.diagnostics.fragments import FLOW, GAME

TERMS = """
values: {hand_size: 22}
terms:
  coin: {en: {one: coin, other: coins}, es: {one: moneda, other: monedas}}
  bridge: {en: {one: bridge, other: bridges}, es: {one: puente, other: puentes}}
"""


def problems_of(folder: Path, en: str, es: str) -> list[Problem]:
    """What is told of one rule, but that nobody has accepted it."""
    rule = f'rules: {{one: {{text: {{en: "{en}", es: "{es}"}}, binds: [flow, values.hand_size]}}}}\n'
    (folder / "game.yaml").write_text(GAME + FLOW + TERMS + rule, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert problems.items == ()
    check_texts(source, problems)
    return [problem for problem in problems.items if problem.code != "RS543"]


@pytest.mark.parametrize(
    ("en", "es"),
    [
        ("You may build two bridges.", "Puedes construir dos puentes."),
        ("You may build both bridges.", "Puedes construir los dos puentes."),
        ("Nobody has to pay a coin.", "Nadie tiene que pagar una moneda."),
        ("No bridge may be moved.", "Ningún puente se puede mover."),
        ("No bridge is ever moved.", "No se mueve nunca ningún puente."),
        ("Bridges cannot be built on any coin.", "No se pueden construir puentes sobre ninguna moneda."),
        ("Only bridges pay.", "No pagan más que los puentes."),
        ("You must pay, unless you have no coin.", "Debes pagar, a no ser que no tengas ninguna moneda."),
        ("Pay no more than three coins.", "Paga como máximo tres monedas."),
        ("However, the bridge stays.", "Sin embargo, el puente se queda."),
        ("The first player pays.", "Paga el primer jugador."),
        ("Your bridges pay.", "Tus puentes pagan."),
        ("Each player has one.", "Todos los jugadores tienen uno."),
        ("The bridge pays thirty-one.", "El puente paga treinta y uno."),
    ],
)
def test_the_same_in_spanish_is_no_fault(tmp_path: Path, en: str, es: str) -> None:
    assert problems_of(tmp_path, en, es) == []


@pytest.mark.parametrize(
    ("en", "es", "code", "words"),
    [
        ("You may build a bridge.", "Debes construir un puente.", "RS548", "Debes"),
        ("You must build a bridge.", "Tienes derecho a un puente.", "RS548", None),
        ("You may build a bridge.", "No puedes construir un puente.", "RS548", None),
        ("Do not build a bridge.", "Construye un puente.", "RS549", None),
        ("Build a bridge.", "No construyas ningún puente.", "RS549", "No construyas ningún"),
        ("Build a bridge.", "Toma una moneda.", "RS547", "moneda"),
        ("Build two bridges.", "Construye tres puentes.", "RS546", "tres"),
        ("The third bridge pays.", "El quinto puente paga.", "RS546", "quinto"),
        ("Everybody pays.", "Otro jugador paga.", "RS550", "Otro jugador"),
        ("The bridge on the left pays.", "Paga el puente de la derecha.", "RS561", "de la derecha"),
        ("Before that, pay.", "Después, paga.", "RS561", "Después"),
        ("Place it face up.", "Ponlo boca abajo.", "RS561", "boca abajo"),
        ("Everybody has {hand_size} coins.", "Todos los jugadores tienen veintidós monedas.", "RS545", "veintidós"),
        ("What pays?", "Qué paga?", "RS553", None),
    ],
)
def test_a_fault_in_spanish_is_told(tmp_path: Path, en: str, es: str, code: str, words: str | None) -> None:
    found = [problem for problem in problems_of(tmp_path, en, es) if problem.code == code]
    assert found != []
    if words is not None:
        assert found[0].span.text == words
