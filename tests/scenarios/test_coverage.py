"""What the scenarios of a small game leave untouched."""

from __future__ import annotations

from pathlib import Path

from interpreter.scenarios import run_scenario, scenarios_of
from interpreter.scenarios.coverage import Gap, RuleCover, TracedGames, cover_rules, gaps_of, unbound
from tests.scenarios.islands import GAME, source_of

RULES = """\
functions:
  spare:
    type: integer
    is: 3
rules:
  landing:
    ledger: [ISL-1, ISL-2]
    text: {en: "A ship lands on an island that is free."}
    binds: [actions.land, boards.sea.island, pieces.ship, zones, state.player.luck]
    shown_by: [landing_twice]
  resting:
    ledger: [ISL-3]
    text: {en: "Who cannot land rests."}
    binds: [actions.rest, flow]
  ending:
    text: {en: "Each island is a point."}
    binds: [end, ranking]
messages:
  drawn.ship: {en: "S"}
  board.sea: {en: "Sea"}
  land.prompt: {en: "Where to?"}
  land.log: {en: "{me} lands."}
  rest.log: {en: "{me} rests."}
  rule.luck_runs_out: {en: "Out of luck."}
  zone.player.fleet: {en: "fleet"}
"""

LOOPS = """\
setup:
  - for_each: player
    do:
      - repeat:
          - move: take(1, box.coin)
            to: player.purse
        until: not player.purse.empty
"""

SCENARIOS = """\
  landing_twice:
    play:
      - red: land north
      - green: land east
    then:
      - true
  a_failure:
    rules: [ending]
    play: []
    then:
      - round == 9
"""


def covered(folder: Path, scenarios: str = SCENARIOS) -> tuple[RuleCover, tuple[Gap, ...]]:
    source = source_of(folder / "islands", scenarios, GAME + RULES)
    games = TracedGames(source)
    all_of_them = scenarios_of(source)
    failed = [f.scenario for s in all_of_them for f in run_scenario(games, s, games.shown)]
    rules = cover_rules(source, all_of_them, failed)
    return rules, gaps_of(games, rules)


def test_rules_by_their_ledger_ids(tmp_path: Path) -> None:
    rules, gaps = covered(tmp_path)
    assert rules.ids == ("ISL-1", "ISL-2", "ISL-3", "ending")
    assert rules.uncovered == ("ISL-3", "ending")
    reasons = {gap.name: gap.reason for gap in gaps if gap.kind == "rule"}
    assert reasons == {
        "ISL-3": "no scenario names the rule 'resting'",
        "ending": "the scenarios of the rule 'ending' fail",
    }


def test_declarations_that_no_rule_binds(tmp_path: Path) -> None:
    """Binding a whole section binds what is in it; binding a part of something binds it too."""
    _, gaps = covered(tmp_path)
    assert {gap.name for gap in gaps if gap.kind == "declaration"} == {
        "pieces.coin",
        "state.round",
        "state.ahead",
        "triggers.lucky",
        "functions.spare",
        "game.options.secret",
        "setup",
    }


def test_steps_that_are_not_carried_out(tmp_path: Path) -> None:
    """Nobody rests, nobody has luck twice, no game ends; landing is carried out."""
    _, gaps = covered(tmp_path)
    assert [gap.name for gap in gaps if gap.kind == "step"] == [
        "choose: leader",
        "to: leader",
        "score: 10",
        "else: [{perform: rest}]",
        "score: count(i in island where i.ship.owner == player)",
    ]


def test_a_payment_is_told_once_for_each_counter(tmp_path: Path) -> None:
    game = GAME.replace("state:\n", "state:\n  player.pluck: {type: 0..5, start: 0}\n")
    game = game.replace("end:\n", "end:\n  - as: red\n    do: [{pay: {luck: 1, pluck: 1}}]\n")
    source = source_of(tmp_path / "islands", "  idle:\n    then:\n      - true\n", game)
    games = TracedGames(source)
    assert not [f for s in scenarios_of(source) for f in run_scenario(games, s, games.shown)]
    found = [gap.span.text for gap in gaps_of(games, RuleCover((), ())) if "pay" in gap.name]
    assert found == ["luck", "pluck"]


def test_a_step_that_a_look_ahead_tries_has_not_run(tmp_path: Path) -> None:
    """Options are found by trying them out; with no move made, landing has not been carried out."""
    _, gaps = covered(tmp_path, "  idle:\n    then:\n      - true\n")
    assert "require: me.luck < 3" in [gap.name for gap in gaps if gap.kind == "step"]


def test_a_loop_in_the_set_up_is_carried_out(tmp_path: Path) -> None:
    game = GAME.replace("setup:\n  - move: take(1, box.coin)\n    to: red.purse\n", LOOPS)
    source = source_of(tmp_path / "islands", "  idle:\n    then:\n      - red.purse.count == 1\n", game)
    games = TracedGames(source)
    assert not [f for s in scenarios_of(source) for f in run_scenario(games, s, games.shown)]
    names = [gap.name for gap in gaps_of(games, RuleCover((), ())) if gap.kind == "step"]
    assert "require: me.luck < 3" in names
    assert "move: take(1, box.coin)" not in names


def test_a_question_at_the_beginning_of_a_try_is_carried_out(tmp_path: Path) -> None:
    flow = "          - try: [{perform: land}]\n            else: [{perform: rest}]\n"
    asked = "          - try:\n              - choose: plan\n              - perform: plan.does\n"
    plans = "enums:\n  plan: {attributes: {does: effect}, values: {by_sea: {does: land}}}\n"
    text = "  asked:\n    play:\n      - red: plan by_sea\n      - red: north\n    then:\n      - true\n"
    source = source_of(tmp_path / "islands", text, GAME.replace(flow, asked) + plans)
    games = TracedGames(source)
    assert not [f for s in scenarios_of(source) for f in run_scenario(games, s, games.shown)]
    names = [gap.name for gap in gaps_of(games, RuleCover((), ())) if gap.kind == "step"]
    assert "score: 10" in names
    assert "choose: plan" not in names


def test_functions_and_messages(tmp_path: Path) -> None:
    """The sea has no picture, so that its title stands nowhere."""
    _, gaps = covered(tmp_path)
    assert [gap.name for gap in gaps if gap.kind == "function"] == ["spare"]
    assert [gap.name for gap in gaps if gap.kind == "message"] == ["board.sea", "rest.log", "rule.luck_runs_out"]


def test_a_game_without_rules_has_nothing_unbound(tmp_path: Path) -> None:
    source = source_of(tmp_path / "islands", "  idle:\n    then:\n      - true\n")
    rules = cover_rules(source, scenarios_of(source), [])
    assert rules.ids == ()
    assert not [gap for gap in gaps_of(TracedGames(source), rules) if gap.kind == "declaration"]


def test_a_rule_of_a_variant_asks_for_no_rules_of_a_game_that_has_none(tmp_path: Path) -> None:
    """Of the variant's own declarations the rule binds one; the other one is all that is left."""
    variant = "variant: {id: wet, title: {en: Wet}}\nvalues: {rain: 3, hail: 4}\n"
    rule = "rules:\n  raining: {text: {en: 'It rains.'}, binds: [values.rain]}\n"
    folder = tmp_path / "islands"
    folder.mkdir()
    (folder / "wet.yaml").write_text(variant + rule, encoding="utf-8")
    source = source_of(folder, "  idle:\n    then:\n      - true\n")
    assert [gap.name for gap in unbound(source)] == ["values.hail"]
