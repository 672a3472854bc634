"""Figures that a variant changes while the game's rules still write them out, and those that nothing is said of.

Each case: what is declared, what the rule binds and says, what the variant does, and the words that are told, from
reading the text beside both declarations.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from tests.texts.check.small import problems_of

_GAME = """\
game: {id: example, language: 1, title: {en: Example}, players: 2..3, seats: [red, green, blue]}
state: {player.coins: {type: 0..99, start: 0}}
flow: [{score: 0, reason: nothing}]
"""
_ROADS = "values: {length: 4, start: 4, draws: 1, rounds: {type: '0..9 by player_count', is: {2: 6, 3: 8}}}"
_SELL = "actions: {sell: {do: [{gain: {coins: 4}}, {score: 3, reason: sales}]}}"
_LONGER = "[{set: values.length, to: 5}]"
_DEARER = "[{set: 'actions.sell.do[gain coins].gain.coins', to: 6}]"
_ROOMS = "enums: {room: {attributes: {holds: 1..9}, values: {low: {holds: 2}, high: {holds: 7}}}}"

CASES = {
    "in words": (_ROADS, "values.length", "en: Roads are four long.", _LONGER, ["four"]),
    "in digits": (_ROADS, "values.length", "en: Roads are 4 long.", _LONGER, ["4"]),
    "shown by a placeholder": (_ROADS, "values.length", "en: 'Roads are {length} long.'", _LONGER, []),
    "written out in one language of two": (
        _ROADS,
        "values.length",
        "en: 'Roads are {length} long.', fr: Une route a quatre cases.",
        _LONGER,
        ["quatre"],
    ),
    "not said at all": (_ROADS, "values.length", "en: Roads are of one length.", _LONGER, []),
    "another figure of the rule is the same": (
        _ROADS,
        "values.length, values.start",
        "en: Four roads are built.",
        _LONGER,
        [],
    ),
    "both are said, one changes": (
        _ROADS,
        "values.length, values.start",
        "en: Four roads are four long.",
        _LONGER,
        ["Four", "four"],
    ),
    "one in digits": (_ROADS, "values.draws", "en: Draw 1 card.", "[{set: values.draws, to: 2}]", ["1"]),
    "one in words may be an article": (
        _ROADS,
        "values.draws",
        "fr: Piochez une carte.",
        "[{set: values.draws, to: 2}]",
        [],
    ),
    "in a table": (
        _ROADS,
        "values.rounds",
        "en: 'Three play eight rounds, two {rounds[2]}.'",
        "[{set: values.rounds.is.3, to: 7}]",
        ["eight"],
    ),
    "in a row": (
        _ROOMS,
        "enums.room",
        "en: A high room holds seven.",
        "[{set: enums.room.values.high.holds, to: 8}]",
        ["seven"],
    ),
    "in a row, another one changes": (
        _ROOMS,
        "enums.room",
        "en: A high room holds seven.",
        "[{set: enums.room.values.low.holds, to: 3}]",
        [],
    ),
    "in a step": (_SELL, "actions.sell", "en: It brings four coins.", _DEARER, ["four"]),
    "in a step, the other figure": (_SELL, "actions.sell", "en: It brings three points.", _DEARER, []),
    "the variant writes the text anew": (
        _ROADS,
        "values.length",
        "en: Roads are four long.",
        "[{set: values.length, to: 5}, {replace: rules.told.text.en, is: Roads are five long.}]",
        [],
    ),
    "the variant writes one language anew": (
        _ROADS,
        "values.length",
        "en: Roads are four long., fr: Une route a quatre cases.",
        "[{set: values.length, to: 5}, {replace: rules.told.text.en, is: Roads are five long.}]",
        ["quatre"],
    ),
    "let pass": (
        _ROADS,
        "values.length",
        "en: Roads are four long., suppress: [{code: RS436, reason: of the printed game}]",
        _LONGER,
        [],
    ),
}


def _found(folder: Path, name: str, more: str = "") -> list[Problem]:
    declared, bound, text, changes, _ = CASES[name]
    rule = f"rules: {{told: {{text: {{{text}}}, binds: [{bound}]}}}}"
    (folder / "game.yaml").write_text(f"{_GAME}{declared}\n{rule}\n", encoding="utf-8")
    variant = f"variant:\n  id: other\n  title: {{en: Other}}\n  changes: {changes}\n{more}"
    (folder / "other.yaml").write_text(variant, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    assert problems.items == ()
    check_game(source, [], problems)
    assert [each.message for each in problems.errors] == []
    again = [each for each in problems_of(source) if each.code == "RS436"]
    found = [each for each in problems.items if each.code == "RS436"]
    assert [each.place for each in again] == [each.place for each in found]
    assert "RS559" not in {each.code for each in problems_of(source)}
    return found


@pytest.mark.parametrize("name", CASES)
def test_what_is_told(tmp_path: Path, name: str) -> None:
    told = [there.span.text for each in _found(tmp_path, name) for there in each.related[:-1]]
    assert told == CASES[name][-1]


def test_a_rule_that_the_variant_adds_is_no_way_out(tmp_path: Path) -> None:
    """The text of the game is still read: it says four beside the new rule's five."""
    own = "rules: {longer: {text: {en: 'Roads are {length} long.'}, binds: [values.length]}}\n"
    [problem] = _found(tmp_path, "in words", own)
    assert (problem.span.file.name.endswith("other.yaml"), problem.span.text) == (True, "5")
    assert problem.message == "'values.length' becomes 5, and what the rules write out of it stays 4: told."
    assert [there.span.text for there in problem.related] == ["four", "4"]
    assert problem.hint == "Write {length}. Or let the variant write the text anew: `replace: rules.told.text`."


def test_a_figure_of_a_table_has_its_placeholder_in_the_hint(tmp_path: Path) -> None:
    [problem] = _found(tmp_path, "in a table")
    assert problem.hint is not None
    assert problem.hint.startswith("Write {rounds[3]}. ")
