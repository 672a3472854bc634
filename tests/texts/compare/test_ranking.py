"""What two languages say in other words ranks below what they say otherwise; and a thing has one name in a book."""

from __future__ import annotations

import pytest

from rulespec.texts.compare import compare
from rulespec.texts.findings import Finding
from rulespec.texts.readers import document_of_text
from tests.texts.compare.books import BOOKS, TERMS, compared, glossary

#: A market has another name in each language here.
NAMED = (
    TERMS.replace("{one: market, other: markets}", "{one: market, other: markets, second: [fair]}")
    .replace("{one: marché, other: marchés}", "{one: marché, other: marchés, second: [foire]}")
    .replace("also: [マーケット・タイル]", "second: [市]")
)
#: Sentences about markets that all books say; the names stand at {} of the first two.
MARKETS = {
    "en": "Each {} costs 2 coins. Each {} is empty. Count each market. Remove each market. Discard each market.",
    "fr": "Chaque {} coûte 2 pièces. Chaque {} est vide. Comptez chaque marché. Retirez chaque marché. "
    "Défaussez chaque marché.",
    "ja": "{}ごとに2コインかかります。{}は空です。市場ごとに数えます。市場ごとに取り除きます。市場ごとに捨てます。",
}
FIRST = {"en": "market", "fr": "marché", "ja": "市場"}
OTHER = {"en": "fair", "fr": "foire", "ja": "マーケット"}


def told(first: dict[str, tuple[str, str]], terms: str = NAMED) -> tuple[Finding, ...]:
    """What is told where the markets of the first two sentences are called so."""
    books = {
        language: f"{BOOKS[language]}\n{MARKETS[language].format(*first.get(language, (FIRST[language],) * 2))}\n"
        for language in BOOKS
    }
    documents = [document_of_text(text, language) for language, text in books.items()]
    return compare(documents, glossary(terms)).findings


def test_a_thing_with_two_names_is_told_once_with_its_places() -> None:
    [finding] = told({"fr": ("foire", "foire")})
    assert (finding.kind, finding.severity, finding.odd) == ("term", "text", "fr")
    # the tiles of the set-up, the cloths, and the last three sentences
    assert finding.message == ("The French edition calls one thing by several names: “marché” 5x and “foire” 2x.")
    marked = [p.excerpt[s.start : s.end] for p in finding.places if p.language == "fr" for s in p.spots]
    assert marked == ["foire", "foire"]


def test_a_second_name_that_is_used_once_is_cosmetic() -> None:
    [finding] = told({"fr": ("foire", "marché")})
    assert (finding.kind, finding.severity, finding.odd) == ("term", "cosmetic", "fr")


def test_a_name_that_is_as_good_as_the_term_is_not_told() -> None:
    assert told({"fr": ("foire", "foire")}, NAMED.replace("second: [foire]", "also: [foire]")) == ()


def test_a_second_name_throughout_is_the_name() -> None:
    """French calls each market a foire, in all books' sentences: one name for one thing."""
    french = {
        **BOOKS,
        "fr": BOOKS["fr"].replace("tuiles Marché", "tuiles Foire").replace("chaque marché", "chaque foire"),
    }
    documents = [document_of_text(text, language) for language, text in french.items()]
    assert compare(documents, glossary(NAMED)).findings == ()


def test_a_short_form_is_no_second_name() -> None:
    """市 is a part of 市場."""
    assert told({"ja": ("市", "市")}) == ()


def test_what_two_languages_tell_apart_in_the_same_sentences_is_no_second_name() -> None:
    assert told({"fr": ("foire", "foire"), "en": ("fair", "fair")}) == ()


def test_a_heading_in_another_place_is_a_fault_of_the_text() -> None:
    """The rules beneath it stand under another heading then."""
    turn, end = "# TOUR DE JEU\n", "# FIN DE LA PARTIE\n"
    books = {**BOOKS, "fr": BOOKS["fr"].replace(end, "").replace(turn, f"{turn}\n{end}")}
    assert ("order", "text", "fr") in {(one.kind, one.severity, one.odd) for one in compared(books).findings}


def pair(english: str, french: str) -> tuple[Finding, ...]:
    """What is told of an English and a French text."""
    return compared({"en": f"{BOOKS['en']}\n{english}\n", "fr": f"{BOOKS['fr']}\n{french}\n"}).findings


def test_a_remark_in_brackets_belongs_to_what_it_follows() -> None:
    english = "20x ROAD TILES\n\n(5 per player)\n\n20x TOWER TILES\n\n(5 per player)"
    french = "20x TUILES ROUTE\n(5 par joueur)\n\n20x TUILES TOUR DE GUET\n(5 par joueur)"
    assert pair(english, french) == ()


@pytest.mark.parametrize(
    ("english", "french", "wanted"),
    [
        ("The tower stands in the x4 space.", "La tour de guet est dans la 4^e case.", {("number", "play")}),
        ("The tower stands in the 4th space.", "La tour de guet est dans la 4^e case.", set()),
        ("Pay with coins and/or cloths.", "Payez avec pièces et tissus.", {("term", "text")}),
        ("Pay with coins and/or cloths.", "Payez avec pièces et/ou tissus.", set()),
        ("Pay with coins and/or cloths.", "Payez avec pièces ou tissus.", set()),
        # a stone road is a road: French says it more loosely
        ("Place a tower beside the stone road.", "Placez une tour de guet près de la route.", {("term", "cosmetic")}),
        ("Place a tower beside the market.", "Placez une tour de guet près de la route.", {("term", "text")}),
        ("Place 7 coins on the stone road.", "Placez 7 pièces sur la carte.", {("term", "text")}),
        # the French heading says which card
        (
            "# STONE ROADS\n\nPlace 7 coins on the stone road.",
            "# ROUTES PAVÉES\n\nPlacez 7 pièces sur la carte.",
            {("term", "cosmetic")},
        ),
        # must against a plain step is a way of speaking, must against may is none
        ("The tower must be placed.", "La tour de guet est placée.", {("modality", "cosmetic")}),
        ("The tower must be placed.", "La tour de guet peut être placée.", {("modality", "play")}),
    ],
)
def test_what_two_languages_say(english: str, french: str, wanted: set[tuple[str, str]]) -> None:
    assert {(finding.kind, finding.severity) for finding in pair(english, french)} == wanted
