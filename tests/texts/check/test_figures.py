"""Which numbers of a text are figures of what its rule binds, and which are none.

Each case: what is declared, what the rule binds, the language, the text, and what is told of it, from reading the text
beside the declaration.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Scalar
from rulespec.texts.check.figures import Figure, placeholder_of, shown_instead, way_to_show
from tests.language.diagnostics.fragments import GAME
from tests.texts.check.small import problems_of

_LEVELS = "enums: {level: {attributes: {over: 1..5, gives: effect}, values: {low: {gives: 'points(7)'}}}}"
_TERMS = "terms: {level: {en: {one: level, other: levels}, ja: レベル}}"
_SELL = "actions: {sell: {nests: 6, do: [{choose: good}, {gain: {coins: 4}}, {score: 3, reason: sales}]}}"
_PAY = "effects: {pay: {params: {amount: 1..5}, do: [{repeat: [{gain: {coins: amount}}], times: 2}]}}"
_CROWDED = "functions: {crowded: {params: {site: site}, type: 0..9, is: 'count(h in site.houses) >= 3'}}"
_COUNTED = "pieces: {stone: {count: 'if player_count == 5 then 4 else 6'}}"
_SEEN = "functions: {seen: {type: boolean, is: 'row[3] in 4..5 or player_count in [2, 6]'}}"
_PILE = "zones: {display: {shape: pool, holds: card, up_to: 4}}"
_HANDS = "setup: [{draw: 5, from: bag, to: me.hand}]"
_PAIRS = "relations: {colour.stations: {to: station, pairs: {red: [2, 5], green: [3, 4]}}}"
_SITES = "boards: {field: {cell: {for: {col: 1..8}, attributes: {a: 1..6, b: {type: 0..7, values: [2, 9]}}}}}"

CASES = {
    "given to an effect, in a row": (_LEVELS, "enums.level", "en", "A low house gives seven points.", ["seven"]),
    "the bounds of a column": (_LEVELS, "enums.level", "en", "There are five kinds of houses.", []),
    "a part of a name": (f"{_PAY}\n{_TERMS}", "effects.pay", "en", "A house of level 2 pays.", []),
    "a part of a Japanese name": (f"{_PAY}\n{_TERMS}", "effects.pay", "ja", "レベル2の建物です。", []),
    "counted behind the same name": (f"{_PAY}\n{_TERMS}", "effects.pay", "ja", "レベル2つです。", ["2"]),
    "gained and scored in steps": (_SELL, "actions.sell", "en", "Four coins and 3 points.", ["Four", "3"]),
    "in French": (_SELL, "actions.sell", "fr", "On gagne quatre pièces.", ["quatre"]),
    "in kanji": (_SELL, "actions.sell", "ja", "四コインを得ます。", ["四"]),
    "in full width": (_SELL, "actions.sell", "ja", "４コインを得ます。", ["４"]),
    "how deep steps nest": (_SELL, "actions.sell", "en", "It has six parts.", []),
    "how often": (_PAY, "effects.pay", "en", "It is paid two times, five at most.", ["two"]),
    "a limit in a formula": (_CROWDED, "functions.crowded", "en", "Three houses make a crowd, not nine.", ["Three"]),
    "for so many players": (_COUNTED, "pieces.stone", "en", "With five each has four, else six.", ["four", "six"]),
    "places": (_SEEN, "functions.seen", "en", "Three, four, five, two or six of them.", []),
    "what there is room for": (_PILE, "zones.display", "fr", "On révèle quatre cartes.", ["quatre"]),
    "in the set-up": (_HANDS, "setup", "en", "Each begins with five cards.", ["five"]),
    "pairs of sites": (_PAIRS, "relations.colour.stations", "en", "Five colours have two, three or four.", []),
    "columns of sites": (_SITES, "boards.field.cell.attributes.b", "en", "Two of six, nine of seven.", ["Two", "nine"]),
    "which one in a row": (_PAY, "effects.pay", "en", "On the 2nd space it is paid, on the second one too.", []),
    "which one in French": (_PAY, "effects.pay", "fr", "À la 2e case on paie, à la 2ème aussi.", []),
    "which one in Spanish": (_PAY, "effects.pay", "es", "En la 2.ª casilla se paga, en el 2º lugar también.", []),
    "in Spanish": (_PAY, "effects.pay", "es", "Se paga dos veces.", ["dos"]),
    "which one in Japanese": (_PAY, "effects.pay", "ja", "第2ラウンドの2枚目と２回目に払います。", []),
    "an example": (f"{_PAY}\n", "effects.pay", "en", "Two coins are paid. kind: example", []),
}


@pytest.mark.parametrize("name", CASES)
def test_a_figure_of_what_is_bound(tmp_path: Path, name: str) -> None:
    declared, bound, language, text, told = CASES[name]
    words, _, kind = text.partition(" kind: ")
    rule = f"rules: {{told: {{kind: {kind or 'effect'}, text: {{{language}: '{words}'}}, binds: [{bound}]}}}}"
    flow = "flow: [{score: 0, reason: nothing}]"
    (tmp_path / "game.yaml").write_text(f"{GAME}{flow}\n{declared}\n{rule}\n", encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path), problems)
    assert source is not None
    assert [problem.span.text for problem in problems_of(source) if problem.code == "RS545"] == told


@pytest.mark.parametrize(
    ("path", "named", "shown"),
    [
        ("values.price", True, "{price}"),
        ("values.table.is.low", True, "{table[low]}"),
        ("enums.level.values.low.cost", True, "{level.low.cost}"),
        ("values.price", False, None),
        ("effects.pay", False, None),
        ("boards.field.cell.attributes.b", True, None),
    ],
)
def test_the_fix_writes_what_the_hint_says(tmp_path: Path, path: str, named: bool, shown: str | None) -> None:
    span = Span(SourceFile.of(str(tmp_path / "game.yaml"), "two"), 0, 3)
    figure = Figure(2, path, Scalar(span, "2", "plain", 2, span), named)
    assert placeholder_of(figure) == shown
    assert [edit.text for fix in shown_instead(figure, [span]) for edit in fix.edits] == ([shown] if shown else [])
    assert (way_to_show(figure) == f"Write {shown}.") is (shown is not None)


def test_what_has_no_name_yet_is_given_one(tmp_path: Path) -> None:
    rule = "rules: {told: {text: {en: It is paid two times.}, binds: [effects.pay]}}"
    (tmp_path / "game.yaml").write_text(f"{GAME}{_PAY}\n{rule}\n", encoding="utf-8")
    source = read_game(str(tmp_path), Problems())
    assert source is not None
    [problem] = [each for each in problems_of(source) if each.code == "RS545"]
    assert problem.message == "'two' is the figure of 'effects.pay', which this rule binds."
    assert problem.hint == "Give it a name under `values`, and show that."
