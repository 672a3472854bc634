"""Faults put into rules that agree: each is told, at the language that is alone, where the words stand."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.source.shipped import games
from rulespec.texts.check.everything import check_texts
from rulespec.texts.check.habits import habits_of
from tests.texts.check.small import game, problems_of

PLACES = {"en": "12th", "fr": "12e", "es": "12.º", "ja": "12番目"}
#: What nobody has accepted is no matter here.
BESIDES = {"RS543"}

#: A change of one language, the code that tells it, and what is pointed at.
FAULTS = {
    "a figure in digits": ("joueur a {hand_size} cartes", "joueur a 5 cartes", "RS545", "5"),
    "a figure in words": ("joueur a {hand_size} cartes", "joueur a cinq cartes", "RS545", "cinq"),
    "a figure in full width": ("カードを{hand_size}枚", "カードを５枚", "RS545", "５"),
    "a figure in kanji": ("カードを{hand_size}枚", "カードを五枚", "RS545", "五"),
    "a figure in the first language": ("holds {hand_size} cards", "holds five cards", "RS545", "five"),
    "another place in a row": ("La partie dure", "La troisième partie dure", "RS546", "troisième"),
    "another number": ("ne sont pas montrées", "ne sont pas montrées à deux joueurs", "RS546", "deux"),
    "another term": ("{level.low.cost} pièces", "{level.low.cost} cartes", "RS547", "cartes"),
    "another term in Japanese": ("{level.low.cost}コイン", "カード{level.low.cost}枚", "RS547", "カード"),
    "must for may": ("peut s'en passer", "doit s'en passer", "RS548", "doit"),
    "must for may in Japanese": ("省いてもかまいません", "省かなければなりません", "RS548", "なければなりません"),
    "must for may in the first language": ("may leave it out", "must leave it out", "RS548", "must"),
    "a denial is gone": ("ne sont pas montrées", "sont montrées", "RS549", None),
    "a denial is gone in Japanese": ("見せません", "見せます", "RS549", None),
    "a word stands twice": ("Le niveau bas", "Le niveau niveau bas", "RS565", "niveau niveau"),
    "a counter for people": ("{hand_size}枚持ち", "{hand_size}人持ち", "RS567", "人"),
    "a denial is new": ("La partie dure", "La partie ne dure pas", "RS549", "ne dure pas"),
    "another player": ("Chaque joueur a", "Un autre joueur a", "RS550", "Un autre joueur"),
    "nobody is named": ("Chaque joueur a", "On a", "RS564", None),
    "one thing for another of its kind": ("{level.low.cost} pièces", "{level.low.cost} jetons", "RS547", "jetons"),
    "the other side": ("Les cartes ne", "Les cartes de droite ne", "RS561", "de droite"),
    "no blank before a mark": ("montrées.", "montrées !", "RS553", " !"),
    "marks of half width": ("見せません。", "見せません.", "RS553", "."),
    "quotation marks of another language": ("are not shown.", "are not «shown».", "RS553", "«"),
}


def faults(folder: Path, *changes: tuple[str, str]) -> list[Problem]:
    return [problem for problem in problems_of(game(folder, *changes)) if problem.code not in BESIDES]


def test_the_game_itself_has_no_fault(tmp_path: Path) -> None:
    assert faults(tmp_path / "small") == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told(tmp_path: Path, name: str) -> None:
    old, new, code, words = FAULTS[name]
    left = [("The cards are", "The cards on the left are")] if code == "RS561" else []
    found = [problem for problem in faults(tmp_path / "small", (old, new), *left) if problem.code == code]
    assert found != []
    if words is not None:
        assert found[0].span.text == words


def test_a_placeholder_that_a_language_lacks_is_told_too(tmp_path: Path) -> None:
    codes = {p.code for p in faults(tmp_path / "small", ("dure {rounds} manches", "dure longtemps"))}
    assert codes == {"RS508"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Each player holds {hand_size} cards.", "Every player holds {hand_size} cards."),
        ("The cards are not shown.", "No card is shown."),
        ("Les cartes ne sont pas montrées.", "Aucune carte n'est montrée."),
        ("省いてもかまいません", "省くことができます"),
        ("rounds.\n      fr", "rounds of play.\n      fr"),
    ],
)
def test_other_words_for_the_same_are_no_fault(tmp_path: Path, old: str, new: str) -> None:
    assert faults(tmp_path / "small", (old, new)) == []


def test_a_reason_lets_a_problem_pass(tmp_path: Path) -> None:
    reason = "\n      suppress: [{code: RS545, language: fr, reason: the box says it in words}]"
    ja = "      ja: 各プレイヤーはカードを{hand_size}枚持ちます。"
    typed = ("joueur a {hand_size} cartes", "joueur a cinq cartes")
    assert "RS545" not in {p.code for p in faults(tmp_path / "small", typed, (ja, ja + reason))}
    assert [p.code for p in faults(tmp_path / "small", (ja, ja + reason))] == ["RS559"]


def test_a_reason_for_a_code_that_there_is_not_is_told(tmp_path: Path) -> None:
    ja = "      ja: 各プレイヤーはカードを{hand_size}枚持ちます。"
    [problem] = faults(tmp_path / "small", (ja, f"{ja}\n      suppress: [{{code: RS999, reason: a slip}}]"))
    assert problem.code == "RS559"
    assert problem.hint is not None
    assert problem.hint.startswith("RS999 is the code of nothing")


def test_a_number_that_is_bound_elsewhere_is_none_of_this_rule(tmp_path: Path) -> None:
    """Seven is the cost of a level; the rule about the cards binds no level."""
    fr, ja = ("ne sont pas montrées", "ne sont pas montrées à sept"), ("見せません", "7人に見せません")
    codes = {p.code for p in faults(tmp_path / "small", ("are not shown", "are not shown to seven"), fr, ja)}
    assert codes == set()


def test_a_language_whose_words_are_not_known_is_not_compared(tmp_path: Path) -> None:
    """Polish has no file of words, which is noted once; that a rule is missing in it is told all the same."""
    ja = "      ja: カードは見せません。"
    found = faults(tmp_path / "small", (ja, f"{ja}\n      pl: Karty pokazuje się."))
    assert {problem.code for problem in found} == {"RS540", "RS560", "RS563"}
    assert [problem.span.text for problem in found if problem.code == "RS563"] == ["Karty pokazuje się."]


def test_lists_are_compared_in_any_language(tmp_path: Path) -> None:
    ja = "      ja: カードは見せません。"
    found = faults(tmp_path / "small", (ja, f'{ja}\n      pl: "Karty\\n- czarne\\n- białe"'))
    [problem] = [problem for problem in found if problem.code == "RS551"]
    assert problem.message.endswith("en 0, fr 0, ja 0, pl 2.")


def test_a_region_is_read_as_its_language(tmp_path: Path) -> None:
    """What Canada has is French: words, terms, habits and marks."""
    folder = tmp_path / "small"
    game(folder)
    text = (folder / "game.yaml").read_text(encoding="utf-8").replace("fr:", "fr-CA:")
    for old, new in (
        ("ne sont pas montrées.", "sont montrées !"),
        ("{level.low.cost} pièces", "{level.low.cost} cartes"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert problems.items == ()
    assert {problem.code for problem in problems_of(source)} == {"RS543", "RS547", "RS549", "RS553"}


def test_a_note_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "small"
    game(folder)
    path = folder / "game.yaml"
    path.write_text(re.sub(r"\bja:", "pl:", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert main(["texts", "accept", str(folder), "--all", "--lang", "fr", "--lang", "pl"]) == 0
    capsys.readouterr()
    assert main(["texts", "check", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.count("note RS563: There are no words for pl: ") == 1
    assert out.endswith("1 note.\n")


STORMS = """\
variant:
  id: storms
  title: {en: Storms, fr: Tempêtes}
  changes:
    - set: values.hand_size
      to: 4
    - replace: rules.order.text
      is:
        en: The cards are not shown to four.
        fr: "Les cartes sont montrées à quatre !"
        ja: カードは4人に見せません。
rules:
  storms:
    text: {en: "In a storm four cards are held."}
    binds: [values.hand_size]
"""


def test_the_texts_of_a_variant_are_read_with_it_on(tmp_path: Path) -> None:
    """Its rule binds four cards, which were five; the rule that it writes anew binds none."""
    folder = tmp_path / "small"
    game(folder)
    (folder / "storms.yaml").write_text(STORMS, encoding="utf-8")
    found = [problem for problem in faults(folder) if problem.span.file.name.endswith("storms.yaml")]
    assert [(problem.code, problem.span.text) for problem in found] == [
        ("RS549", '"Les cartes sont montrées à quatre !"'[1:-1]),
        ("RS553", " !"),
        ("RS540", "storms"),
        ("RS545", "four"),
    ]
    assert found[2].message == "The rule 'storms' is missing in fr."


# ---- the command ----------------------------------------------------------------------------------------


def test_the_command_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game(tmp_path / "small", ("joueur a {hand_size} cartes", "joueur a cinq cartes"))
    assert main(["texts", "check", str(tmp_path / "small"), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    [problem] = [each for each in data["problems"] if each["code"] == "RS545"]
    assert problem["hint"] == "Write {hand_size}."
    assert problem["severity"] == "warning"
    assert (problem["end_column"] - problem["column"], problem["file"].endswith("game.yaml")) == (4, True)
    assert [each["id"] for each in data["games"]] == ["example"]


def test_the_command_in_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game(tmp_path / "small", ("montrées.", "montrées !"))
    assert main(["texts", "check", str(tmp_path / "small"), "--format", "sarif"]) == 1
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert "RS553" in {result["ruleId"] for result in run["results"]}


def test_files_with_faults_are_told_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game(tmp_path / "small")
    (tmp_path / "small" / "more.yaml").write_text("rules: [hands]\n", encoding="utf-8")
    assert main(["texts", "check", str(tmp_path / "small")]) == 1
    out = capsys.readouterr().out
    assert "RS543" not in out
    assert out.endswith("2 errors.\n")


def test_the_command_when_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "small"
    game(folder)
    assert main(["texts", "accept", str(folder), "--all", "--lang", "fr", "--lang", "ja"]) == 0
    capsys.readouterr()
    assert main(["texts", "check", str(folder)]) == 0
    assert capsys.readouterr().out == "No problems.\n"


@pytest.mark.parametrize("name", games())
def test_the_shipped_texts_have_no_problem(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "check", name]) == 0, capsys.readouterr().out


def test_a_kind_of_a_term_that_there_is_not_is_no_matter_here(tmp_path: Path) -> None:
    """`check` tells it."""
    changed = game(tmp_path, ("card: {en:", "card: {parent: nowhere, en:"))
    problems = Problems()
    check_texts(changed, problems)
    assert {problem.code for problem in problems.items} <= BESIDES


@pytest.mark.parametrize("language", ["en", "fr", "es", "ja"])
def test_a_very_long_number_takes_no_time(language: str) -> None:
    """From each of many figures a search to the last of them would take the square of their number."""
    began = time.process_time()
    assert list(habits_of(language).places.finditer("9" * 40_000)) == []
    assert [match[0] for match in habits_of(language).places.finditer(PLACES[language])] == [PLACES[language]]
    assert time.process_time() - began < 2
