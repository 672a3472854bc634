"""What an option will gain and cost before it is taken: worked out by hand, and never from what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import State, load
from interpreter.imagine import hides_nothing, imagine
from interpreter.table.forecast import Change, Forecast, forecast, in_words
from tests.play.table import game_of

HEAD = """
game: {id: g, language: 1, title: {en: G}, players: 2, seats: [red, blue]}
boards: {land: {site: {for: {n: 1..3}}}}
pieces:
  man: {per: player, count: 3}
  card: {attributes: {worth: 1..9}, back: [], rows: [{worth: 1}, {worth: 5}, {worth: 9}]}
zones:
  deck: {shape: stack, holds: card, front: nobody, back: all, start: true}
  player.men: {shape: pool, holds: man, start: man.owner == player}
  player.jail: {shape: pool, holds: man}
  site.men: {shape: pool, holds: man}
state:
  player.coins: {type: 0..20, start: 9}
  round: {type: 0..20, start: 0}
setup: [{shuffle: deck}]
flow: [{turns: player, do: [{perform: [deed]}]}]
ranking: [{most: player.score}]
messages:
  player.red: {en: Red}
  player.blue: {en: Blue}
  card.back: {en: card}
  card.name: {en: "card {card.worth}"}
  man.name: {en: man}
  site.name: {en: "site {site.n}"}
  deed.prompt: {en: "What?"}
  state.player.coins: {en: purse}
  state.player.coins.amount: {select: n, en: {one: "{n} coin", other: "{n} coins"}}
  zone.player.men: {en: men}
  zone.player.jail: {en: jail}
  score.deed: {en: deed}
actions:
"""
PAYS = """
  deed:
    do:
      - choose: site
      - pay: {coins: 2 * site.n - 2}
      - score: site.n
        reason: deed
      - set: round
        to: round + 1
"""
FURTHER = """
  deed:
    do:
      - choose: site
      - choose: amount
        from: 1..3
      - gain: {coins: amount}
      - score: site.n
        reason: deed
"""
TAKES = """
  deed:
    do:
      - choose: site
      - move: me.men.any
        to: site.men
      - move: blue.men.any
        to: me.jail
      - score: 1
        for: blue
        reason: deed
"""
DRAWS = """
  deed:
    do:
      - choose: site
      - gain: {coins: 1}
      - choose: card
        from: deck
        who: chance
      - score: card.worth
        reason: deed
"""
HIDDEN = """
  deed:
    do:
      - choose: site
      - if: site.n == 2 and deck.top.worth == 9
        then: [{gain: {coins: 5}}]
      - score: 1
        reason: deed
"""


DEPENDS, OTHERS = "the rest depends on chance or on what is hidden", "the rest depends on what others choose"

#: Each player has a card; all but one of them are a 1, so that some positions hardly ever differ.
HANDS = (
    HEAD.replace("[{worth: 1}, {worth: 5}, {worth: 9}]", "[{worth: 1, count: 60}, {worth: 9}]")
    .replace(
        "zones:",
        "zones:\n  heap: {shape: stack, holds: card}\n"
        "  player.hand: {shape: pool, holds: card, front: owner, back: all}",
    )
    .replace(
        "setup: [{shuffle: deck}]",
        "setup: [{for_each: p, in: player, do: [{move: deck.bottom, to: p.hand}]}, {shuffle: deck}]",
    )
    .replace("messages:", "messages:\n  zone.player.hand: {en: hand}")
)


def bare(steps: str, turns: str = "turns: player") -> str:
    """A game in whose turns steps are done that belong to no action."""
    flow = HANDS.replace("turns: player, do: [{perform: [deed]}]", f"{turns}, do: [{steps}]")
    return flow.replace("deed.prompt", "site.prompt").replace("actions:\n", '  amount.prompt: {en: "How many?"}\n')


def made(folder: Path, deed: str) -> State:
    (folder / "g.yaml").write_text(HEAD + deed, encoding="utf-8")
    return load(folder).start(1)


def told(state: State, key: str) -> Forecast:
    assert state.decision is not None
    found = forecast(state, state.decision.player, key)
    assert found is not None
    return found


def words(state: State, key: str, language: str = "en") -> list[str]:
    assert state.decision is not None
    return in_words(state.game.texts(language), told(state, key), state.decision.player)


# ---- what is told ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "key", "texts"),
    [
        (PAYS, "deed site[1]", ["+1 point"]),
        (PAYS, "deed site[2]", ["−2 coins", "+2 points"]),
        (PAYS, "deed site[3]", ["−4 coins", "+3 points"]),
        (FURTHER, "deed site[2]", ["+1 to +3 coins", "+2 points"]),
        (TAKES, "deed site[1]", ["jail: +1", "Blue, men: −1", "Blue: +1 point"]),
        (DRAWS, "deed site[1]", ["+1 coin", DEPENDS]),
        (HIDDEN, "deed site[1]", [DEPENDS]),
    ],
)
def test_each_gain_and_cost_is_told(tmp_path: Path, deed: str, key: str, texts: list[str]) -> None:
    """To put one's own man on a site costs nothing; what has no name, such as the round, is nothing people look at."""
    assert words(made(tmp_path, deed), key) == texts


def test_the_turns_that_come_then_are_not_foretold() -> None:
    """The probe's card of 1 scores 1; that the other player may roll afterwards belongs to another turn."""
    start = game_of("probe").start(3)
    assert told(start, "put card(1)") == Forecast((Change("points", "", 0, 1, 1),), unfinished=False, depends=False)
    assert words(start, "put card(7)") == ["+7 points"]


def test_an_option_that_is_not_offered_is_not_foretold() -> None:
    start = game_of("probe").start(3)
    assert forecast(start, 0, "put card(2)") is None


def test_many_ways_on_are_left_open(tmp_path: Path) -> None:
    """Thirty-three amounts are more than are tried: what they bring is not told, what comes before them is."""
    many = (
        FURTHER.replace("from: 1..3", "from: 1..33")
        .replace("      - choose: amount", "      - score: 4\n        reason: deed\n      - choose: amount")
        .replace("gain: {coins: amount}", "gain: {coins: 1}")
    )
    assert words(made(tmp_path, many), "deed site[1]") == ["+4 points", "then you decide further"]


# ---- what is hidden --------------------------------------------------------------------------------------------------


def test_what_is_told_is_the_same_whatever_lies_hidden(tmp_path: Path) -> None:
    """The second site brings coins where the deck's top is the 9, and else nothing: not even that is told."""
    start = made(tmp_path, HIDDEN.replace("      - score: 1\n        reason: deed\n", ""))
    worlds = [start, *(imagine(start, 0, number) for number in range(20))]
    tops = {world.to_json()["zones"]["deck"][-1] for world in worlds}
    assert len(tops) == 3
    assert not hides_nothing(start.game)
    found = {tuple(words(world, "deed site[2]")) for world in worlds}
    assert len(found) == 1
    assert "+5 coins" not in next(iter(found))


def test_a_game_without_secrets_and_chance_is_open(tmp_path: Path) -> None:
    assert hides_nothing(game_of("tic_tac_toe"))
    open_cards = HIDDEN.replace("deck.top.worth == 9", "true")
    assert not hides_nothing(made(tmp_path, open_cards).game)


# ---- how far it is foreseen ------------------------------------------------------------------------------------------


SITE = "\n  deed:\n    do:\n      - choose: site\n"
BY_CHANCE = """
      - choose: card
        from: deck
        who: chance
      - if: card.worth == 9
        then: [{gain: {coins: 5}}]
"""
SHUFFLED = """
      - shuffle: deck
      - choose: amount
        from: 1..3
      - score: 4 + amount
        reason: deed
"""
DRAWN = """
      - draw: 2
        from: deck
        to: me.hand
"""
DRAWN_AND_LAID = f"""{DRAWN}
      - choose: card
        from: me.hand
      - score: card.worth
        reason: deed
"""
SHAKEN = """
      - shuffle: deck
"""
OWN_HAND = """
      - score: sum(c.worth for c in me.hand) + count(c in me.hand where c.worth < 9)
        reason: deed
"""
OTHER_HAND = """
      - gain: {coins: 1}
      - as: blue
        do:
          - if: any(c in me.hand where c.worth == 9)
            then: [{score: 3, reason: deed}]
"""
OTHER_HAS_NONE = """
      - as: blue
        do:
          - choose: card
            from: me.hand
            where: card.worth == 9
            else: [{score: 1, reason: deed}]
"""
SHOWN = """
      - as: blue
        do: [{move: me.hand.any, to: heap}]
      - score: heap.top.worth otherwise 0
        reason: deed
"""
OTHER_PAYS = """
      - pay: {coins: 3}
      - as: blue
        do: [{choose: amount, from: 1..2}, {pay: {coins: amount}}]
      - gain: {coins: 5}
"""
OTHER_CHOOSES = """
      - choose: amount
        from: 1..2
        who: blue
      - score: 5
        reason: deed
"""
NAMED = """
  deed:
    do:
      - let: card
        be: deck.top
      - choose: site
      - score: card.worth otherwise 0
        reason: deed
"""
READ = NAMED.replace("be: deck.top", "be: deck.top.worth").replace("card.worth", "card")


@pytest.mark.parametrize(
    ("deed", "texts"),
    [
        (SITE + BY_CHANCE, [DEPENDS]),
        (SITE + SHUFFLED, [DEPENDS]),
        (SITE + DRAWN, ["hand: +2"]),
        (SITE + DRAWN_AND_LAID, ["hand: +2", DEPENDS]),
        (SITE + SHAKEN, ["no gain, no cost"]),
        (SITE + OWN_HAND, ["+2 points"]),
        (SITE + OTHER_HAND, ["+1 coin", DEPENDS]),
        (SITE + OTHER_HAS_NONE, [DEPENDS]),
        (SITE + SHOWN, ["Blue, hand: −1", DEPENDS]),
        (SITE + OTHER_PAYS, ["−3 coins", OTHERS]),
        (SITE + OTHER_CHOOSES, [OTHERS]),
        (NAMED, [DEPENDS]),
        (READ, [DEPENDS]),
    ],
)
def test_what_follows_from_what_a_seat_does_not_know_is_no_knowledge(
    tmp_path: Path, deed: str, texts: list[str]
) -> None:
    """Of 61 cards only one is a 9: nearly all positions agree that it lies elsewhere, which nobody knows."""
    (tmp_path / "g.yaml").write_text(HANDS + deed, encoding="utf-8")
    start = load(tmp_path).start(1)
    assert words(start, start.options()[0].key) == texts


@pytest.mark.parametrize(
    ("steps", "texts"),
    [
        ("{choose: site}, {choose: amount, from: 1..2}, {gain: {coins: amount}}", ["+1 to +2 coins"]),
        ("{choose: site}, {choose: amount, from: 1..2, who: blue}, {gain: {coins: amount}}", [OTHERS]),
        ("{choose: site}, {gain: {coins: 1}}", ["+1 coin"]),
    ],
)
def test_steps_of_a_turn_that_belong_to_no_action_are_followed(tmp_path: Path, steps: str, texts: list[str]) -> None:
    (tmp_path / "g.yaml").write_text(bare(steps), encoding="utf-8")
    assert words(load(tmp_path).start(1), "site site[1]") == texts


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("chosen", [1, 2, 3])
def test_what_others_chose_in_secret_is_not_told(tmp_path: Path, chosen: int, seed: int) -> None:
    """Red scores what it chose, of which Blue learns when both have chosen; and Red decides before Blue does."""
    steps = "{choose: site}, {score: site.n, reason: deed}, {gain: {coins: site.n}}"
    (tmp_path / "g.yaml").write_text(bare(steps, "turns: player, at_once: true"), encoding="utf-8")
    start = load(tmp_path).start(seed)
    assert told(start, "site site[1]") == Forecast((), unfinished=False, depends=False, others=True)
    blue = start.apply(start.option(f"site site[{chosen}]"))
    assert told(blue, "site site[1]") == Forecast((), unfinished=False, depends=True)


def test_what_takes_too_long_is_not_said_to_be_chance(tmp_path: Path) -> None:
    """The round never comes past 2: there is no end to it."""
    endless = SITE + "      - repeat: [{set: round, to: (round + 1) % 3}]\n        until: round > 5\n"
    start = made(tmp_path, endless)
    worked = start.game.machine.worked
    assert words(start, "deed site[1]") == ["this could not be worked out"]
    assert start.game.machine.worked - worked < 150_000
