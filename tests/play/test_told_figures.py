"""What a player plans with is told: what is really paid, what no source gives, signs of sites, and how words meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, State, load
from interpreter.book import make_book
from interpreter.draw import Drawer, Showing, render
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.messages.elision import joined

GAME = """
game: {id: toll, language: 1, title: {en: "Toll", fr: "Péage"}, players: 2, seats: [oak, ash]}
boards:
  land:
    bank:
      for: {place: 0..1}
      attributes: {worth: {type: 0..9, by: place, values: [3, 7], source: {reconstructed: nobody knows}}}
      draw: {x: bank.place, y: 0, width: 5, shows: [bank]}
values:
  toll: {is: 2, source: {reconstructed: a guess}}
  purse: {is: 9, source: {book: rulebook, place: the table}}
state:
  player.coins: {type: 0..9, start: purse}
actions:
  cross:
    do:
      - choose: bank
      - pay: {coins: toll}
        rule: bridge_cost
effects:
  favour:
    do: [{id: favour, may: [{perform: cross without bridge_cost}]}]
flow:
  - turns: player
    do: [{perform: cross}, {perform: favour}]
ranking: [{most: player.score}]
rulebooks: {rulebook: {title: Toll}}
messages:
  player.oak: {en: "Oak", fr: "Orme"}
  player.ash: {en: "Ash", fr: "Hêtre"}
  state.player.coins: {en: "coins", fr: "pièces"}
  bank: {en: "bank", fr: "rive"}
  bank.name: {en: "bank {bank.place}", fr: "rive {bank.place}"}
  drawn.bank: {en: "{bank.worth}*", fr: "{bank.worth}*"}
  cross.prompt:
    en: "It costs {if waived(bridge_cost) then 0 else toll}."
    fr: "Il en coûte {if waived(bridge_cost) then 0 else toll}."
  favour.prompt: {en: "For nothing?", fr: "Pour rien ?"}
"""


def game(tmp_path: Path, text: str = GAME) -> Game:
    (tmp_path / "toll.yaml").write_text(text, encoding="utf-8")
    return load(tmp_path)


def prompt(state: State) -> str:
    return state.game.texts("en").prompt(state.cells, state.cells[0])


def test_a_prompt_says_what_is_really_paid(tmp_path: Path) -> None:
    """The toll is 2; with the label lifted nothing is paid."""
    state = game(tmp_path).start(0)
    assert prompt(state) == "It costs 2."
    state = state.apply(state.options()[0])
    state = state.apply(state.options()[0])  # the favour is taken
    assert prompt(state) == "It costs 0."
    after = state.apply(state.options()[0])
    assert after.to_json()["state"]["player.coins"] == {"oak": 7, "ash": 9}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("waived(bridge_cots)", ("RS301", "Did you mean `bridge_cost`?")),
        ("waived(2)", ("RS301", "The labels here are bridge_cost.")),
        ("waived()", ("RS304", None)),
    ],
)
def test_a_label_that_is_not_there(tmp_path: Path, written: str, found: tuple[str, str | None]) -> None:
    (tmp_path / "toll.yaml").write_text(GAME.replace("waived(bridge_cost)", written, 1), encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    check_game(source, (), problems)
    assert found in {(p.code, p.hint) for p in problems.items}


def test_a_site_without_a_name_has_a_sign(tmp_path: Path) -> None:
    loaded = game(tmp_path)
    board = [render(line) for line in Drawer(loaded, loaded.texts("en")).lines(loaded.start(0), Showing(0, 80))]
    assert any("3*" in line and "7*" in line for line in board)


def test_it_is_said_once_which_figures_no_source_gives(tmp_path: Path) -> None:
    """Those with the grade `reconstructed`: the bank's worth and the toll; the 9 is printed."""
    said = game(tmp_path).texts("en").reconstructed()
    assert said == "Reconstructed, as no source gives these figures: bank: worth · toll."
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    assert make_book(source, "en").reconstructed == said
    worth = 'messages:\n  worth: {en: "worth", fr: "valeur"}'
    french = game(tmp_path, GAME.replace("messages:", worth, 1)).texts("fr").reconstructed()
    assert "\u202f: rive\u202f: valeur" in french  # before a colon French has a narrow blank that no line breaks at
    known = game(
        tmp_path,
        GAME.replace("reconstructed: nobody knows", "public: a review").replace(
            "reconstructed: a guess", "public: a review"
        ),
    )
    assert known.texts("en").reconstructed() == ""


@pytest.mark.parametrize(
    ("language", "parts", "text"),
    [
        ("fr", ["Au tour de ", "Orange"], "Au tour d'Orange"),
        ("fr", ["De ", "Émile"], "D'Émile"),
        ("fr", ["Au tour de ", "Bleu"], "Au tour de Bleu"),
        ("fr", ["Au tour de ", "Hugo"], "Au tour de Hugo"),
        ("fr", ["le tour de ", "onze"], "le tour de onze"),
        ("fr", ["pour la ", "intersection"], "pour l'intersection"),
        ("fr", ["le code ", "Orange"], "le code Orange"),
        ("fr-CA", ["autour de ", "A1", "."], "autour d'A1."),
        ("ca", ["torn de ", "Ona"], "torn d'Ona"),
        ("en", ["de ", "Orange"], "de Orange"),
    ],
)
def test_a_word_loses_its_vowel_before_another(language: str, parts: list[str], text: str) -> None:
    assert joined(language, parts) == text


def test_whose_turn_it_is_in_french(tmp_path: Path) -> None:
    texts = game(tmp_path).texts("fr")
    assert texts.word("engine.turn", player=texts.player(0)) == "Au tour d'Orme"
