"""Three small rulebooks: nothing is told of them as they are, and each fault is told, with the language it is in."""

from __future__ import annotations

import pytest

from rulespec.texts.declared import Rule
from rulespec.texts.findings import Finding
from tests.texts.compare.books import BOOKS, changed, compared


def test_books_that_agree() -> None:
    assert compared().findings == ()


FAULTS = [
    ("en", "4 of them", "5 of them", "number"),
    ("fr", "5 pièces", "six pièces", "number"),
    ("ja", "布を3枚", "布を2枚", "number"),
    ("en", "3 cloths", "3 coins", "term"),
    ("fr", "payer 2 pièces", "payer 2 tissus", "term"),
    ("ja", "2コイン", "2布", "term"),
    ("en", "You may build", "You must build", "modality"),
    ("fr", "Vous devez payer", "Vous pouvez payer", "modality"),
    ("ja", "支払わなければなりません", "支払ってもかまいません", "modality"),
    ("en", "You must pay", "You must not pay", "negation"),
    ("fr", "vous ne construisez rien", "vous construisez un pont", "negation"),
    ("ja", "何も建設しません", "建設します", "negation"),
    ("en", "the left side", "the right side", "term"),
    ("fr", "la plus à gauche", "la plus à droite", "term"),
    ("ja", "左端の", "右端の", "term"),
    ("en", "to your bridge", "to another player's bridge", "term"),
    ("fr", "à votre pont", "au pont d'un autre joueur", "term"),
    ("ja", "あなたの橋", "他のプレイヤーの橋", "term"),
    ("en", "**A**", "**B**", "reference"),
    ("en", "- Put one bridge on each road **A**.\n", "", "omission"),
    ("fr", " Vous devez payer 2 pièces à la boîte.", "", "omission"),
    ("ja", "あなたの橋に隣接する市場ごとに布を3枚獲得します。\n\n", "", "omission"),
    ("en", "All players count", "Each player discards 2 bridges. All players count", "addition"),
    ("fr", "Tous les joueurs comptent", "Le marché est placé sur 3 routes. Tous les joueurs comptent", "addition"),
]


@pytest.mark.parametrize(("language", "was", "now", "kind"), FAULTS)
def test_a_fault_is_told_with_its_language(language: str, was: str, now: str, kind: str) -> None:
    found = compared(changed(language, was, now)).findings
    assert [finding.kind for finding in found if finding.odd == language] == [kind]
    assert {finding.odd for finding in found} == {language}


def test_each_difference_is_told_once_with_all_its_places() -> None:
    [finding] = compared(changed("fr", "5 pièces", "6 pièces")).findings
    assert finding.severity == "play"
    assert [(place.language, place.line) for place in finding.places] == [("en", 5), ("fr", 5), ("ja", 5)]
    assert finding.message == (
        "The French edition says “6 pièces” where the English says “5 coins” and the Japanese says “5枚” (line 5)."
    )
    [spot] = finding.places[1].spots
    assert finding.places[1].excerpt[spot.start : spot.end] == "6"


def test_what_is_missing_is_told_where_it_would_stand() -> None:
    [finding] = compared(changed("en", "- Put one bridge on each road **A**.\n", "")).findings
    [gap] = [place for place in finding.places if place.language == "en"]
    assert (gap.line, gap.lacking, gap.excerpt) == (6, True, "")


HARMLESS = [
    ("en", "5 coins", "five coins"),
    ("en", "5 coins", "5 gold coins"),
    ("fr", "2 pièces", "deux pièces"),
    ("ja", "3枚", "三枚"),
    ("ja", "布を3枚", "布地を３枚"),
    ("en", "You may build a bridge on an empty road.", "You may build a bridge\non an empty road."),
    ("ja", "市場ごとに布を", "市場ごとに\n布を"),
    ("en", "cannot", "can not"),
]


@pytest.mark.parametrize(("language", "was", "now"), HARMLESS)
def test_harmless_edits_change_nothing(language: str, was: str, now: str) -> None:
    assert compared(changed(language, was, now)).findings == ()


def test_a_sentence_that_stands_twice() -> None:
    twice = "All players count their cloths."
    [finding] = compared(changed("en", twice, f"{twice} {twice}")).findings
    assert (finding.odd, finding.message) == ("en", f"The English edition says this twice: “{twice}” (line 19).")


def test_entries_in_another_order_are_paired_and_the_order_is_told() -> None:
    first, second = "- Chaque joueur prend 5 pièces dans la boîte.\n", "- Posez un pont sur chaque route **A**.\n"
    text = BOOKS["fr"].replace(first, "@").replace(second, first).replace("@", second)
    found = compared({**BOOKS, "fr": text}).findings
    assert found
    assert {(finding.kind, finding.severity, finding.odd) for finding in found} == {("order", "cosmetic", "fr")}
    assert found[0].message.startswith(
        "This stands in another place in the French edition: in the English edition under “GAME SETUP” behind “"
    )
    assert "; in the French edition under “MISE EN PLACE” behind “" in found[0].message


LEFT = "Take the tokens from the box now.\n\n"


def test_what_was_left_in_another_language_and_stands_again_and_again_is_told_once() -> None:
    between = "各プレイヤーは箱からコインを5枚取ります。\n\n塔をボードの左側に置きます。\n\n"
    found = compared({**BOOKS, "ja": LEFT + between + LEFT * 4 + BOOKS["ja"]}).findings
    assert [finding.odd for finding in found if finding.kind == "untranslated"] == ["ja"]


def test_the_language_that_was_left_is_named_where_another_rulebook_has_the_same_words() -> None:
    heading = "市場タイルを混ぜ、4枚を表向きに置きます。"
    words = "Shuffle the market tiles and place 4 of them face up."
    [finding] = [f for f in compared(changed("ja", heading, words)).findings if f.kind == "untranslated"]
    assert finding.message == "Headings or sentences of the Japanese edition are left in another language: English."


@pytest.mark.parametrize("longer", ["en", "fr"])
def test_a_rulebook_of_one_line_is_compared_with_a_long_one(longer: str) -> None:
    line = {"en": "Take 2 coins.\n\n", "fr": "Prenez 2 pièces.\n\n"}
    texts = {language: words * (300 if language == longer else 1) for language, words in line.items()}
    texts[longer] = "".join(f"{chr(97 + n % 26)}{n}. {line[longer]}" for n in range(300))
    comparison = compared(texts)
    for read in comparison.reads:
        known = {n for cluster in comparison.clusters for n in cluster.members.get(read.language, ())}
        assert known == {n for n in range(len(read.clauses)) if n not in read.doubles}
    assert all(finding.places for finding in comparison.findings)


def test_a_form_to_be_avoided_is_a_misspelling() -> None:
    [finding] = compared(changed("en", "5 coins", "5 dubloons")).findings
    assert (finding.kind, finding.odd) == ("typo", "en")


def test_two_languages_alone_name_nobody() -> None:
    books = {language: text for language, text in changed("fr", "5 pièces", "6 pièces").items() if language != "ja"}
    [finding] = compared(books).findings
    assert (finding.kind, finding.odd) == ("number", None)


def test_ids_stay_when_other_sentences_change() -> None:
    books = changed("fr", "5 pièces", "6 pièces")
    [before] = compared(books).findings
    books["fr"] = "Une phrase de plus.\n\n" + books["fr"].replace("**A**", "**B**")
    assert before.id in {finding.id for finding in compared(books).findings}


# ---- against declarations -------------------------------------------------------------------------------------------


def rules(coins: int = 5) -> tuple[Rule, ...]:
    return (
        Rule(
            "start_coins",
            {
                "en": f"At the start every player has {coins} coins from the box.",
                "fr": f"Au début, chaque joueur a {coins} pièces de la boîte.",
                "ja": f"最初に各プレイヤーは箱のコインを{coins}枚持ちます。",
            },
        ),
        Rule("nowhere", {"en": "Elephants sleep.", "fr": "Les éléphants dorment.", "ja": "象は眠ります。"}),
    )


def of_rule(findings: tuple[Finding, ...], rule: str) -> list[Finding]:
    return [finding for finding in findings if finding.rule == rule]


def test_a_figure_that_all_rulebooks_have_otherwise() -> None:
    [finding] = of_rule(compared(rules=rules(7)).findings, "start_coins")
    assert (finding.kind, finding.odd) == ("number", None)
    assert finding.message == (
        "The declarations say 7 in the rule `start_coins`, and the rulebooks say otherwise: the English 5, the French "
        "5, and the Japanese 5."
    )


def test_a_figure_that_one_rulebook_has_otherwise_is_told_once() -> None:
    [finding] = compared(changed("ja", "5枚", "6枚"), rules()).findings
    assert (finding.kind, finding.odd, finding.rule) == ("number", "ja", "start_coins")


def test_one_rulebook_alone_is_compared_with_the_rules() -> None:
    [finding] = compared({"fr": BOOKS["fr"].replace("5 pièces", "6 pièces")}, rules()).findings
    assert (finding.kind, finding.rule) == ("number", "start_coins")


def test_rules_that_no_rulebook_says() -> None:
    links = compared(rules=rules()).links
    assert links is not None
    assert links.missing == {"en": ("nowhere",), "fr": ("nowhere",), "ja": ("nowhere",)}


def owned(**acting: str) -> Rule:
    """The rule of the small rulebooks that speaks to the owner of a bridge, told of the owner."""
    texts = {
        "en": "The owner of a bridge gains 3 cloths for each adjacent market.",
        "fr": "Le propriétaire d'un pont gagne 3 tissus pour chaque marché adjacent.",
        "ja": "橋の所有者は、隣接する市場ごとに布を3枚獲得します。",
    }
    return Rule("cloths", texts, acting=frozenset(acting.values()))


def test_declarations_that_let_another_player_act() -> None:
    found = compared(rules=(owned(who="active_player"),)).findings
    assert [(finding.severity, finding.rule) for finding in found] == [("play", "cloths")]
    assert "the player whose turn it is acts" in found[0].message
    assert "the English edition, the French edition, and the Japanese edition the owner" in found[0].message


@pytest.mark.parametrize("acting", [{}, {"who": "owner"}, {"one": "owner", "other": "active_player"}])
def test_declarations_that_let_the_owner_act_or_do_not_say(acting: dict[str, str]) -> None:
    assert compared(rules=(owned(**acting),)).findings == ()


def test_a_rule_that_names_other_players_than_a_rulebook() -> None:
    """The rule lets all players count; one French rulebook alone lets the active one."""
    rule = Rule(
        "counting",
        {
            "en": "When the game ends, all players count their cloths.",
            "fr": "À la fin de la partie, tous les joueurs comptent leurs tissus.",
        },
    )
    alone = {"fr": BOOKS["fr"].replace("Tous les joueurs comptent", "Le joueur actif compte")}
    [finding] = compared(alone, (rule,)).findings
    assert (finding.rule, finding.severity) == ("counting", "play")
    assert "each player, and the French edition of the player whose turn it is" in finding.message
    assert compared({"fr": BOOKS["fr"]}, (rule,)).findings == ()


@pytest.mark.parametrize(
    ("language", "was", "now"),
    [
        ("en", "may build a bridge on an empty road", "may build a bridge on an empty road, no matter which"),
        ("fr", "une route vide", "une route vide, peu importe laquelle"),
        ("ja", "空いている道に", "どれかに関係なく空いている道に"),
    ],
)
def test_a_turn_that_only_looks_like_a_denial_is_none(language: str, was: str, now: str) -> None:
    assert "a denial" not in " ".join(finding.reason for finding in compared(changed(language, was, now)).findings)


def test_what_all_say_with_a_turn_and_one_without_its_denial() -> None:
    """ "Not only" loses its "not" in Japanese: no denial is lost, and the sense is."""
    books = {
        "en": BOOKS["en"].replace("Gain 3", "Not only bridges count. Gain 3"),
        "fr": BOOKS["fr"].replace("Gagnez 3", "Non seulement les ponts comptent. Gagnez 3"),
        "ja": BOOKS["ja"].replace("あなたの橋に", "数えるのは橋だけであります。あなたの橋に"),
    }
    [finding] = [finding for finding in compared(books).findings if "not only" in finding.reason]
    assert (finding.kind, finding.odd) == ("negation", "ja")
    whole = {**books, "ja": books["ja"].replace("だけであります", "だけではありません")}
    assert not [finding for finding in compared(whole).findings if finding.kind == "negation"]
