"""Two terms exchanged in a translation are told whatever the terms' ids are: English, French, or without meaning."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.texts.check.everything import check_texts
from rulespec.texts.folding import fold
from rulespec.texts.glossary import Glossary

#: Things of games, by their English and French names.
NOUNS = {
    "card": "carte",
    "token": "jeton",
    "tile": "tuile",
    "cube": "cube",
    "coin": "pièce",
    "marker": "marqueur",
    "disc": "disque",
    "pawn": "pion",
    "die": "dé",
    "board": "plateau",
    "space": "case",
    "street": "rue",
    "building": "bâtiment",
    "passenger": "passager",
    "station": "gare",
    "deck": "paquet",
    "box": "boîte",
    "step": "étape",
    "bridge": "pont",
    "crown": "couronne",
}


def plain(word: str) -> str:
    """A word without accents."""
    return fold(word)


PAIRS = list(permutations(NOUNS, 2))
IDS = {
    "English": {noun: noun for noun in NOUNS},
    "French": {noun: plain(french) for noun, french in NOUNS.items()},
    "no": {noun: f"x{number}" for number, noun in enumerate(NOUNS)},
    "another's": dict(zip(NOUNS, [*list(NOUNS)[7:], *list(NOUNS)[:7]], strict=True)),
}


def told(folder: Path, ids: dict[str, str]) -> set[tuple[str, str]]:
    """The pairs of nouns of which English says one and French the other, and that are told; and the false alarms."""
    folder.mkdir()
    lines = ['game: {id: ids, language: 1, title: {en: "X", fr: "X"}, players: 2, seats: [red, green]}']
    lines += ["flow: [{finish: game}]", "terms:"]
    lines += [f"  {ids[noun]}: {{en: {noun}, fr: {french}}}" for noun, french in NOUNS.items()]
    lines.append("rules:")
    for number, (one, other) in enumerate([*PAIRS, *((noun, noun) for noun in NOUNS)]):
        text = f'{{en: "Move the {one} now.", fr: "Déplacez maintenant : {NOUNS[other]}."}}'
        lines.append(f"  r{number}: {{text: {text}, binds: [flow]}}")
    (folder / "game.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert problems.items == ()
    check_texts(source, problems)
    at = {problem.span.line - lines.index("rules:") - 2 for problem in problems.items if problem.code == "RS547"}
    return {(*PAIRS, *((noun, noun) for noun in NOUNS))[number] for number in at}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[str, str]]]:
    folder = tmp_path_factory.mktemp("ids")
    return {kind: told(folder / str(number), ids) for number, (kind, ids) in enumerate(IDS.items())}


def test_ids_have_no_meaning(found: dict[str, set[tuple[str, str]]]) -> None:
    assert all(pairs == found["English"] for pairs in found.values())


def test_all_exchanges_are_told_and_nothing_else(found: dict[str, set[tuple[str, str]]]) -> None:
    assert found["no"] == set(PAIRS)


def test_a_term_that_is_called_like_another_general_word_is_none_of_it() -> None:
    """`deck` is here a part of a ship, and no pile of cards; `left` a bank of the river."""
    from rulespec.texts.signature import signature
    from tests.texts.compare.books import glossary

    terms = glossary("terms: {deck: {en: upper floor, fr: étage}, left: {en: river bank, fr: rive}}")
    assert isinstance(terms, Glossary)
    said = signature("The pile lies on the left.", "en", terms)
    assert said.counts["left"] == (1, 1)
    assert not {concept for concept in said.counts if concept in terms.concepts}
