"""The benchmark's edits: the same for the same seed, in lines of their own, and of the kind that they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.texts.generate import FAULTS, HARMLESS, faulty, harmlessly_edited
from bench.texts.measure import measured
from bench.texts.top import label_of, labels
from bench.texts.untuned import bare, pairs
from rulespec.texts.findings import Finding, Place
from tests.texts.compare.books import BOOKS, compared, glossary

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


def found_at(known_as: str, kind: str, en: int, fr: int) -> Finding:
    places = tuple(Place(language, line, line, 1, 2, "") for language, line in (("en", en), ("fr", fr)))
    return Finding(known_as, kind, "text", 0.5, places, "", None, None, 0)


LABELS = """
en-fr:
- {id: term-0000000001, lines: {en: 3, fr: 4}, real: true}
- {id: modality-0000000002, lines: {en: 7, fr: 8}, real: false}
- {id: modality-0000000003, lines: {en: 9, fr: 9}, real: }
"""


@pytest.mark.parametrize(
    ("known_as", "kind", "en", "fr", "real"),
    [
        ("term-0000000001", "term", 30, 40, True),  # the lines have moved
        ("modality-9999999999", "modality", 7, 8, False),  # the id has changed
        ("term-9999999999", "term", 7, 8, None),  # another kind at the same lines
        ("modality-0000000003", "modality", 9, 9, None),  # nobody has judged it
    ],
)
def test_a_finding_is_known_by_its_id_or_its_lines(known_as: str, kind: str, en: int, fr: int, real: bool) -> None:
    assert label_of(found_at(known_as, kind, en, fr), labels(LABELS)["en-fr"]) is real


def test_books_of_a_folder_are_paired_by_game_with_english_first(tmp_path: Path) -> None:
    for name in ("isles.fr.md", "isles.de.md", "isles.en.md", "storms.ja.txt", "storms.es.txt", "LICENCES.md"):
        (tmp_path / name).write_text("# A\n\nTake 2 cards.\n", encoding="utf-8")
    names = [pair.name for pair in pairs(tmp_path, tmp_path / "none")]
    assert names == ["isles.en-de", "isles.en-fr", "isles.de-fr", "storms.es-ja"]


def test_a_bare_glossary_has_the_terms_own_forms_alone() -> None:
    found = bare(glossary())
    assert [form.text for form in found.concepts["coin"].forms["en"]] == ["coin", "coins"]
    assert [form.text for form in found.concepts["cloth"].forms["ja"]] == ["布"]
    assert found.concepts["stone_road"].parent is None
