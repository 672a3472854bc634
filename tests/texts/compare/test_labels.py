"""What sort of paragraph a sentence of several languages is in: the majority says it; rules where they are divided."""

from __future__ import annotations

import pytest

from tests.texts.compare.books import BOOKS, compared


@pytest.mark.parametrize(
    ("told_as_story", "severity"),
    [((), "play"), (("en",), "play"), (("en", "fr"), "cosmetic")],
)
def test_one_language_alone_does_not_make_a_rule_a_story(told_as_story: tuple[str, ...], severity: str) -> None:
    """A digit differs in ja, in a paragraph that some languages mark as a historical note."""
    marks = {"en": "Historical note: ", "fr": "Note historique : ", "ja": ""}
    texts = {
        "en": "Each player takes 7 coins from the market.",
        "fr": "Chaque joueur prend 7 pièces du marché.",
        "ja": "各プレイヤーは市場からコインを8枚取ります。",
    }
    books = {
        language: f"{BOOKS[language]}\n{marks[language] if language in told_as_story else ''}{text}\n"
        for language, text in texts.items()
    }
    [finding] = [each for each in compared(books).findings if each.kind == "number"]
    assert (finding.odd, finding.severity) == ("ja", severity)
