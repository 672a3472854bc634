"""What YAML reads as it is written, and a comment that may stand behind a text."""

from __future__ import annotations

import pytest

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, ListOf, MapOf, Shape, Text
from tests.language.structure.cases import found_in

AS_WRITTEN = {
    "a sign without a blank before it": "en: Space#1 scores",
    "quotes": 'en: "Space #1 scores"',
    "a comment behind quotes": "en: 'Space 1 scores'  # the first one",
    "a comment above": "# the first one\n      en: Space 1 scores",
    "a sign at the beginning of a block": "en: >\n        #1 scores\n        three.",
    "lines of Korean, which has blanks": "ko: 카드를\n        뽑는다",
    "a Latin word at the line's end": "ja: カードを3\n        枚引く",
    "a line break taken away": 'ja: "街灯は\\\n        動かない"',
    "lines that stay lines": "ja: |\n        街灯は\n        動かない",
    "a paragraph": "ja: >-\n        街灯は\n\n        動かない",
}


@pytest.mark.parametrize("text", AS_WRITTEN.values(), ids=AS_WRITTEN)
def test_nothing_is_told_of(text: str) -> None:
    assert found_in(f"rules:\n  lamps:\n    binds: []\n    text:\n      {text}\n") == []


def test_a_comment_may_stand_behind_an_option_of_a_scenario() -> None:
    lines = "      - red: settle north  # the first one\n      - offered: settle south  # later\n"
    assert found_in(f"scenarios:\n  one:\n    play:\n{lines}    then: []\n") == []


def test_all_texts_are_sentences_but_for_those_that_the_program_reads() -> None:
    """A new field with words for people is watched from its first day."""
    short = {
        (record.name, field.name) for record in REGISTRY.records for field in record.all_fields() if _has(field.shape)
    }
    assert short == {
        ("source", "book"),
        ("rule", "ledger"),
        ("term_forms", "gender"),
        ("move", "offered"),
        ("move", "refused"),
        ("refusal", "option"),
        ("secret", "seen_by"),
    }


def _has(shape: Shape | None) -> bool:
    match shape:
        case Text():
            return not shape.sentence
        case ListOf():
            return _has(shape.item)
        case MapOf():
            return _has(shape.value)
        case ByNode():
            return any(map(_has, (shape.scalar, shape.sequence, shape.mapping)))
        case _:
            return False
