"""Where paths lead, and what is said of those that lead nowhere."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import Problem, Problems
from rulespec.overlay.paths import Found, Lost, find, report_lost, written
from tests.language.overlays.overlay_cases import plain, tree

GAME = tree("""\
values:
  cost: 3
  each: {type: 1..9 by player_count, is: {2: 4}}
enums:
  ground: [water, hill]
pieces:
  card:
    rows:
      - {cost: 1, kind: hill, points: 2}
      - {cost: 2, kind: hill, points: 3}
      - {cost: 2, kind: lake, points: 4}
  tile:
    rows: [{does: gain(most)}, {does: rain(2)}]
state:
  player.coins: {type: 0..9, start: 0}
actions:
  settle:
    do:
      - choose: site
        where: site.free
      - pay: {coins: 1}
        id: price
      - pay: {cloth: 1}
      - for_each: site
        do:
          - score: 1
            reason: sites
""")

LEADS = {
    "values.cost": 3,
    "values.cost.is": 3,
    "values.each.is.2": 4,
    "state.player.coins.start": 0,
    "pieces.card.rows[points=3].cost": 2,
    "pieces.card.rows[cost=2, kind=lake].points": 4,
    "actions.settle.do[choose].where": "site.free",
    "actions.settle.do[choose site].where": "site.free",
    "actions.settle.do[price].pay.coins": 1,
    "actions.settle.do[id=price].pay.coins": 1,
    "actions.settle.do[pay cloth].pay.cloth": 1,
    "actions.settle.do[for_each].do[score].reason": "sites",
    "enums.ground.values.hill": [],
}

# The path, the code, the words at which it stands, the hint (None: any).
NOWHERE = [
    ("value.cost", "RS403", "value", "Did you mean `values.cost`?"),
    ("values.cots", "RS403", "cots", "Did you mean `values.cost`?"),
    ("state.player.coin.start", "RS403", "player.coin", "Did you mean `state.player.coins.start`?"),
    ("values.cost.type", "RS403", "type", "It is a single value, with nothing inside."),
    ("actions.settle.do.choose", "RS403", "choose", None),
    ("actions.settle.do[chose].where", "RS403", "chose", "Did you mean `actions.settle.do[choose].where`?"),
    ("actions.settle.do[prise]", "RS403", "prise", "Did you mean `actions.settle.do[price]`?"),
    ("pieces.card.rows[cost=4]", "RS403", "cost=4", "Did you mean `pieces.card.rows[cost=1]`?"),
    # another argument of the same effect, though `rain(2)` is fewer slips away
    ("pieces.tile.rows[does=gain(2)]", "RS403", "does=gain(2)", "Did you mean `pieces.tile.rows[does=gain(most)]`?"),
    ("pieces.card[rows]", "RS403", "rows", "Did you mean `pieces.card.rows`?"),
    ("pieces.card.rows[cost=2]", "RS405", "cost=2", None),
    ("actions.settle.do[pay]", "RS405", "pay", None),
    ("actions.settle.do[0]", "RS408", "0", None),
    ("actions.settle.do.1.pay", "RS408", "1", None),
    ("values..cost", "RS259", "values..cost", None),
    ("[cost=1]", "RS259", "[cost=1]", None),
]


@pytest.mark.parametrize("path", LEADS)
def test_a_path_leads_to_its_value(path: str) -> None:
    found = find(GAME, path)
    assert isinstance(found, Found)
    assert plain(found.node) == LEADS[path]


@pytest.mark.parametrize(("path", "code", "at", "hint"), NOWHERE)
def test_a_path_that_leads_nowhere(path: str, code: str, at: str, hint: str | None) -> None:
    problem = _problem(path)
    assert (problem.code, problem.span.text) == (code, at)
    assert hint is None or problem.hint == hint


def _problem(path: str) -> Problem:
    lost = find(GAME, path)
    assert isinstance(lost, Lost)
    problems = Problems()
    report_lost(lost, path, written(path, "argument"), problems)
    [problem] = problems.items
    return problem


@pytest.mark.parametrize("path", [case[0] for case in NOWHERE])
def test_a_hint_leads_somewhere(path: str) -> None:
    hint = _problem(path).hint or ""
    if hint.startswith("Did you mean `"):
        assert isinstance(find(GAME, hint.split("`")[1]), Found)


def test_what_fits_is_shown() -> None:
    places = [related.span.line for related in _problem("pieces.card.rows[cost=2]").related]
    assert places == [10, 11]


def test_the_place_of_what_was_found_is_shown() -> None:
    [related] = _problem("pieces.card.rows[cost=4]").related
    assert (related.span.text, related.span.line) == ("rows", 8)


def test_a_path_in_quotes_with_escapes_is_marked_as_a_whole() -> None:
    text = tree('a: "values.c\\u006fts"').get("a")
    lost = find(GAME, "values.cots")
    problems = Problems()
    assert isinstance(lost, Lost)
    report_lost(lost, "values.cots", text, problems)  # type: ignore[arg-type]
    assert problems.items[0].span.text == '"values.c\\u006fts"'
