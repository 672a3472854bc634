"""The benchmark's edits: the same for the same seed, in lines of their own, and of the kind that they say."""

from __future__ import annotations

import pytest

from bench.texts.generate import FAULTS, HARMLESS, faulty, harmlessly_edited
from bench.texts.measure import measured
from tests.texts.compare.books import BOOKS, compared

LONG = {
    "en": "You must take two Coins from the Warehouse and then place a Cobblestone tile on the left side.\n" * 30,
    "fr": "Vous devez prendre deux pièces dans votre entrepôt, puis placer une tuile Dallage à droite.\n" * 30,
    "ja": "倉庫からコインを2枚取り、左端に石畳タイルを1枚置かなければなりません。\n" * 30,
}


@pytest.mark.parametrize("language", LONG)
def test_a_seed_gives_the_same_edits(language: str) -> None:
    one, two = (faulty(LONG[language], language, 5, 12) for _ in range(2))
    assert one == two
    assert one != faulty(LONG[language], language, 6, 12)


@pytest.mark.parametrize("language", LONG)
def test_edits_stand_in_lines_of_their_own(language: str) -> None:
    edited = faulty(LONG[language], language, 3, 20)
    lines = [line for edit in edited.edits for line in edit.lines]
    assert len(edited.edits) == 20
    assert len(lines) == len(set(lines))
    assert {edit.kind for edit in edited.edits} <= set(FAULTS)
    old, new = LONG[language].split("\n"), edited.text.split("\n")
    assert {n for n, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b} == set(lines)


@pytest.mark.parametrize("language", LONG)
def test_harmless_edits_know_where_their_lines_come_from(language: str) -> None:
    edited = harmlessly_edited(LONG[language], language, 2, 15)
    assert {edit.kind for edit in edited.edits} <= set(HARMLESS)
    assert len(edited.origin) == edited.text.count("\n") + 1
    assert max(edited.origin) == LONG[language].count("\n") + 1


def test_faults_are_counted_where_a_finding_overlaps_them() -> None:
    score = measured(BOOKS, "en", faulty, lambda books: compared(dict(books)), [1, 2], 3)
    assert sum(score.made.values()) == 6
    assert sum(score.noticed.values()) + len(score.unnoticed) == 6
    assert score.on_an_edit <= score.new
