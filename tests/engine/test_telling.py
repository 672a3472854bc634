"""What the log tells: by what was seen when it happened, with the names that its line can use, for every change."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.middle.pieces import copy_cells
from rulespec.diagnostics.model import Problems
from rulespec.messages.check import check_messages
from tests.engine.test_texts import Played, begun, read

HEAD = """
game: {id: demo, language: 1, title: {en: "Demo"}, players: 3, seats: [red, green, blue]}
pieces:
  card: {attributes: {worth: 1..9}, back: [], rows: [{worth: 3}, {worth: 5}, {worth: 7}, {worth: 8}, {worth: 9}]}
zones:
  deck: {shape: stack, holds: card, front: nobody, start: true}
  player.hand: {shape: pool, holds: card, front: owner}
  row: {shape: pool, holds: card}
  open: {shape: slot, holds: card}
ranking: [{most: player.score}]
messages:
  player.red: {en: "Red", pl: "Czerwony"}
  player.green: {en: "Green"}
  player.blue: {en: "Blue"}
  card: {en: "card"}
  card.name: {en: "card {card.worth}"}
  card.back: {en: "a card"}
  zone.deck: {en: "deck"}
  zone.player.hand: {en: "hand"}
  zone.row: {en: "row"}
  zone.open: {en: "table"}
  go.prompt: {en: "Go?"}
"""


def told(body: str, *numbers: int, viewer: int | None = None, language: str = "en") -> list[str]:
    """The lines of what the last of some choices caused; the beginning of turns left out."""
    game = begun(read(HEAD + body), 3)
    events: list[Any] = []
    for number in numbers:
        chosen = (
            "choice",
            game.at,
            game.cells[game.facts.layout.regions["me"]],
            game.options[number],
            copy_cells(game.cells),
        )
        events = [chosen, *game.take(number)]
    return [line for line in game.texts(language).log_lines(events, viewer) if not line.endswith(" to play")]


# ---- seen when it happened -------------------------------------------------------------------------------------------

SHOWN = """
  event.shown: {en: "{me} shows {card}."}
  event.looked: {en: "{me} looks at {card}."}
  event.priced: {en: "{me} says {card.worth}."}
events: {shown: {card: card}, looked: {card: card}, priced: {card: card}}
flow:
  - turns: player
    do:
      - id: go
        may:
          - move: deck.top
            to: PLACE
          - for_each: card
            in: PLACE
            do:
              - emit: EVENT(card)
              - move: card
                to: deck
"""


def shown(place: str, event: str, viewer: int | None) -> list[str]:
    return told(SHOWN.replace("PLACE", place).replace("EVENT", event), 0, viewer=viewer)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_card_that_is_shown_to_all_and_put_back_is_named_to_all(viewer: int | None) -> None:
    """The top of the deck is the last row, the 9; it lies open for a moment. Each line names it."""
    lines = shown("row", "shown", viewer)
    assert [line for line in lines if "shows" in line] == ["Red shows card 9."]
    assert lines == ["card 9: deck → row", "Red shows card 9.", "card 9: row → deck"]


@pytest.mark.parametrize(("viewer", "name"), [(None, "card 9"), (0, "card 9"), (1, "a card"), (2, "a card")])
def test_a_card_that_one_hand_held_is_named_to_its_owner_alone(viewer: int | None, name: str) -> None:
    lines = [line for line in shown("me.hand", "looked", viewer) if "looks" in line]
    assert lines == [f"Red looks at {name}."]


LOOKED = """
flow:
  - turns: player
    do:
      - id: go
        may: [{look: "take(2, deck)"SEERS}]
"""


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_who_is_shown_pieces_reads_which_and_others_how_many(viewer: int | None) -> None:
    """The top two are the 9 and the 8."""
    own = told(LOOKED.replace("SEERS", ""), 0, viewer=viewer)
    assert own == ["Red looks at: " + ("card 9 and card 8 (deck)" if viewer in (None, 0) else "a card ×2 (deck)")]
    others = told(LOOKED.replace("SEERS", ", for: 'list(p for p in player where p != me)'"), 0, viewer=viewer)
    assert others == ["Shown to Green and Blue: " + ("a card ×2 (deck)" if viewer == 0 else "card 9 and card 8 (deck)")]


def test_a_line_that_says_what_a_hidden_card_is_is_not_for_those_who_do_not_see_it() -> None:
    assert "Red says 9." in shown("me.hand", "priced", 0)
    assert not [line for line in shown("me.hand", "priced", 1) if "says" in line]


# ---- drawing ---------------------------------------------------------------------------------------------------------

DEALT = """
  state.starter: {en: "first player"}
state: {starter: {type: player, start: red}}
setup:
  - draw: 1
    from: deck
    to: row
  - for_each: player
    do: [{draw: 1, from: deck, to: player.hand}]
  - set: starter
    to: blue
flow:
  - turns: player
    do:
      - id: go
        may:
          - draw: 1
            from: deck
            to: WHERE
"""


def test_nobody_draws_in_set_up() -> None:
    game = begun(read(HEAD + DEALT.replace("WHERE", "me.hand")), 3)
    machine, sink = game.machine, list[Any]()
    cells = machine.begin(1)
    machine.run(cells, cells[0], sink)
    lines = game.texts().log_lines(sink, 0)
    assert lines == [
        "card 9: deck → row",
        "card 8: deck → Red, hand",
        "a card: deck → Green, hand",
        "a card: deck → Blue, hand",
        "first player: Blue",
        "Red to play",
    ]


def test_a_player_draws_what_she_gets_and_nothing_else() -> None:
    assert told(DEALT.replace("WHERE", "me.hand"), 0) == ["Red draws from deck: card 3"]
    assert told(DEALT.replace("WHERE", "row"), 0) == ["card 3: deck → row"]


# ---- names of the line -----------------------------------------------------------------------------------------------

LINES = """
  take.prompt: {en: "Whom?"}
  take.log: {en: "TEXT"}
state: {player.coins: {type: 0..9, start: 2}}
setup: [{for_each: player, do: [{draw: 1, from: deck, to: player.hand}]}]
actions: {take: {do: STEPS}}
flow: [{turns: player, do: [{perform: take}]}]
"""


def line(text: str, steps: str) -> list[str]:
    return told(LINES.replace("TEXT", text).replace("STEPS", steps), 0)


def test_a_name_let_behind_the_choice_is_known() -> None:
    steps = "[{choose: n, from: 1..2}, {let: twice, be: n * 2}, {gain: {coins: twice}}]"
    assert line("{me} takes {twice}.", steps) == ["Red takes 2.", "Red, coins: +2"]


def test_a_name_let_after_other_steps_is_known_and_the_line_waits_for_it() -> None:
    steps = "[{choose: n, from: 1..2}, {gain: {coins: n}}, {let: have, be: me.coins}]"
    assert line("{me} has {have} now.", steps) == ["Red, coins: +1", "Red has 3 now."]
    assert line("{me} takes {n}.", steps) == ["Red takes 1.", "Red, coins: +1"]


def test_an_action_without_a_line_is_told_by_what_was_chosen() -> None:
    """Not by what `let` has worked out, whether it stands right behind the choice or later."""
    body = LINES.replace('  take.log: {en: "TEXT"}\n', "")
    for steps in (
        "[{choose: n, from: 1..2}, {let: twice, be: n * 2}, {gain: {coins: twice}}]",
        "[{choose: n, from: 1..2}, {gain: {coins: n * 2}}, {let: have, be: me.coins}]",
    ):
        assert told(body.replace("STEPS", steps), 0) == ["Red: 1", "Red, coins: +2"]


def test_names_of_then_are_known() -> None:
    then = "[{choose: m, from: 5..6}, {let: both, be: n + m}, {gain: {coins: n}}]"
    steps = f"[{{choose: n, from: 1..2, then: {then}, else: []}}]"
    text = LINES.replace("TEXT", "{me}: {n} and {m} are {both}.").replace("STEPS", steps)
    assert told(text, 1, 0) == ["Red: 2 and 5 are 7.", "Red, coins: +2"]


def test_where_there_was_no_candidate_the_line_of_a_choice_does_not_stand() -> None:
    """Without a card of 1 the `else` is done: there is no `card` for the line, and the coin tells of it."""
    ask = "{choose: card, from: me.hand, where: card.worth == 1, else: [{gain: {coins: 1}}]}"
    steps = f"[{{choose: n, from: 1..2}}, {ask}]"
    assert line("{me} shows {card}.", steps) == ["Red: 1", "Red, coins: +1"]


# ---- effects, triggers and single choices ----------------------------------------------------------------------------

EFFECTS = """
  gift.log: {en: "{me} has a gift of {amount}: {n} in coins."}
  gift.prompt: {en: "How many coins?"}
  bonus.log: {en: "{me} gets a bonus for {n}."}
  bonus.prompt: {en: "What for?"}
  fence.log: {en: "{me} builds a fence."}
  fence.prompt: {en: "A fence?"}
state: {player.coins: {type: 0..9, start: 2}, player.fences: {type: 0..9, start: 0}}
events: {given: {}}
effects:
  gift:
    params: {amount: 1..5}
    do: [{choose: n, from: 0..amount}, {gain: {coins: n}}, {emit: given}]
triggers:
  bonus: {when: {emitted: given}, do: [{choose: n, from: 3..4}, {score: n, reason: bonus}]}
flow:
  - turns: player
    do: [{perform: gift(2)}, {id: fence, may: [{set: me.fences, to: me.fences + 1}]}]
"""


def test_an_effect_a_trigger_and_a_choice_have_lines_of_their_own() -> None:
    assert told(EFFECTS, 1) == ["Red has a gift of 2: 1 in coins.", "Red, coins: +1"]
    assert told(EFFECTS, 1, 1)[0] == "Red gets a bonus for 4."
    assert told(EFFECTS, 1, 1, 0) == ["Red builds a fence."]
    assert told(EFFECTS, 1, 1, 1) == []


# ---- what changed ----------------------------------------------------------------------------------------------------

CHANGES = """
  state.player.coins: {en: "coins", pl: "monety"}
  state.player.coins.amount:
    {en: {one: "{n} coin", other: "{n} coins"}, pl: {one: "{n} moneta", few: "{n} monety", other: "{n} monet"}}
  state.player.climb: {en: "climb"}
  state.night: {en: "night"}
state: {player.coins: {type: 0..30, start: 22}, night: {type: boolean, start: false}, hidden: {type: 0..9, start: 0}}
tracks:
  player.climb: {space: stair, start: 0, spaces: [{}, {}, {}, {}], past_top: [], past_bottom: []}
flow: [{turns: player, do: [{id: go, may: STEPS}]}]
"""


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        ("[{gain: {coins: 1}}]", ["Red: +1 coin"]),
        ("[{gain: {coins: 2}}]", ["Red: +2 coins"]),
        ("[{pay: {coins: 1}}]", ["Red: −1 coin"]),
        ("[{pay: {coins: 0}}]", []),
        ("[{set: me.coins, to: 21}]", ["Red: −1 coin"]),
        ("[{set: me.coins, to: 22}]", []),
        ("[{advance: me.climb, by: 2}]", ["Red, climb: 0 → 2"]),
        ("[{advance: me.climb, by: 2}, {advance: me.climb}]", ["Red, climb: 0 → 3"]),
        ("[{advance: me.climb}, {gain: {coins: 1}}, {advance: me.climb}]",
         ["Red, climb: 0 → 1", "Red: +1 coin", "Red, climb: 1 → 2"]),
        ("[{set: night, to: true}]", ["night: yes"]),
        ("[{set: hidden, to: 3}]", []),  # nothing that has a name, and so nothing that people look at
    ],
)  # fmt: skip
def test_every_change_has_a_line(steps: str, lines: list[str]) -> None:
    assert told(CHANGES.replace("STEPS", steps), 0) == lines


@pytest.mark.parametrize(
    ("by", "words"), [(1, "+1 moneta"), (2, "+2 monety"), (5, "+5 monet"), (-1, "−1 moneta"), (-22, "−22 monety")]
)
def test_amounts_have_the_form_of_their_absolute_value(by: int, words: str) -> None:
    """CLDR's Polish: one for 1, few for 2 to 4 but for 12 to 14, else many, which the text calls other."""
    step = f"[{{gain: {{coins: {by}}}}}]" if by > 0 else f"[{{pay: {{coins: {-by}}}}}]"
    assert told(CHANGES.replace("STEPS", step), 0, language="pl") == [f"Czerwony: {words}"]


# ---- decisions that leave no line ------------------------------------------------------------------------------------


def notes(body: str, code: str = "RS529", head: str = HEAD) -> list[str]:
    """The notes of one kind: by default where nothing tells of a decision."""
    tree = read(head + body)
    game: Played = begun(tree, 3)
    problems = Problems()
    check_messages(game.context, tree, problems)
    return [p.message for p in problems.items if p.code == code]


SILENT = """
  WORDS
state: {player.fenced: {type: boolean, start: false}, player.coins: {type: 0..9, start: 2}}
effects: {fence: {do: [{set: me.fenced, to: true}]}, pay_one: {do: [{pay: {coins: 1}}]}}
flow: [{turns: player, do: [{id: go, may: STEPS}]}]
"""


@pytest.mark.parametrize(
    ("steps", "words", "is_told"),
    [
        ("[{set: me.fenced, to: true}]", "", False),
        ("[{set: me.fenced, to: true}]", 'go.log: {en: "{me} fences."}', True),
        ("[{set: me.fenced, to: true}]", 'state.player.fenced: {en: "fenced"}', True),
        ("[{perform: fence}]", "", False),
        ("[{perform: fence}]", 'fence.log: {en: "{me} fences."}', True),
        ("[{perform: pay_one}]", "", True),
        ("[{if: me.fenced, then: [{perform: fence}], else: [{perform: pay_one}]}]", "", True),
        ("[{perform: fence}, {id: more, may: [{score: 1, reason: more}]}]", "", False),  # that line is of the next one
    ],
)
def test_a_decision_that_nothing_tells_of_is_noted(steps: str, words: str, is_told: bool) -> None:
    body = SILENT.replace("WORDS", words).replace("STEPS", steps)
    assert notes(body) == ([] if is_told else ["Nothing in the log tells what was decided here, at 'go'."])


@pytest.mark.parametrize(("steps", "is_told"), [("{score: 1, reason: all}", True), ("{set: done, to: true}", False)])
def test_what_a_condition_sets_off_tells_of_a_decision(steps: str, is_told: bool) -> None:
    """Its steps are done right behind the one that made it true: their lines are of this decision."""
    body = SILENT.replace("WORDS", "").replace("STEPS", "[{set: me.fenced, to: true}]")
    body = body.replace("state: {", "state: {done: {type: boolean, start: false}, ")
    body += f"triggers: {{all: {{when: {{becomes: red.fenced}}, do: [{steps}]}}}}\n"
    assert notes(body) == ([] if is_told else ["Nothing in the log tells what was decided here, at 'go'."])


def test_a_line_that_names_an_earlier_choice_tells_of_it() -> None:
    """Two choices before the line: it names both, or the second one alone."""
    body = LINES.replace("STEPS", "[{choose: n, from: 1..2}, {choose: m, from: 1..3}]")
    assert notes(body.replace("TEXT", "{me}: {n} and {m}.")) == []
    assert notes(body.replace("TEXT", "{me}: {m}.")) == ["Nothing in the log tells what was decided here, at 'n'."]


#: Only the deck has a name.
NAMELESS = "\n".join(line for line in HEAD.splitlines() if not line.startswith("  zone.") or "deck" in line)
ZONES = """
SETUP
actions: {drop: {do: [{move: deck.top, to: row}]}}
flow: STEPS
"""
DROPPED = "[{turns: player, do: [{perform: drop}]}]"


@pytest.mark.parametrize(
    ("setup", "steps", "shown"),
    [
        ("", "[{draw: 1, from: deck, to: row}]", ["row"]),
        ("", "[{turns: player, do: [{draw: 1, from: deck, to: me.hand}]}]", []),  # the player draws from the deck
        ("setup: [{for_each: player, do: [{draw: 1, from: deck, to: player.hand}]}]", DROPPED, ["player.hand"]),
        ("", "[{move: deck.top, to: row}]", ["row"]),
        ("", DROPPED, []),  # the action's own line tells of it
    ],
)
def test_a_zone_that_the_log_shows_by_its_key_is_noted(setup: str, steps: str, shown: list[str]) -> None:
    body = ZONES.replace("SETUP", setup).replace("STEPS", steps)
    expected = [f"The log speaks of '{zone}' by this key: no message names the zone." for zone in shown]
    assert notes(body, "RS532", NAMELESS) == expected


# ---- prompts and names -----------------------------------------------------------------------------------------------

GRANTED = """
  granted.prompt: {en: "You may do this: {what}. Do you?"}
  rain.name: {en: {one: "{amount} drop", other: "{amount} drops"}}
  stroll.name: {en: "a stroll"}
state: {player.water: {type: 0..30, start: 0}}
effects:
  rain: {params: {amount: 1..3}, do: [{gain: {water: amount}}]}
  stroll: {do: [{score: 1, reason: stroll}]}
  allow: {params: {what: effect}, do: [{id: granted, may: [{perform: what}]}]}
flow: [{turns: player, do: [{perform: WHAT}]}]
"""


@pytest.mark.parametrize(("what", "words"), [("rain(2)", "2 drops"), ("stroll", "a stroll")])
def test_a_prompt_names_the_effect_that_it_is_about(what: str, words: str) -> None:
    game = begun(read(HEAD + GRANTED.replace("WHAT", f"allow({what})")), 3)
    assert game.texts().prompt(game.cells, game.at) == f"You may do this: {words}. Do you?"


@pytest.mark.parametrize(
    ("effects", "words"),
    [
        ("[rain(1), rain(2)]", "3 drops"),
        (
            "[rain(1), stroll, rain(3), stroll]",
            "4 drops, a stroll and a stroll",
        ),  # a stroll has no number to be added up
        ("[stroll]", "a stroll"),
    ],
)
def test_a_sum_of_effects_adds_their_numbers_up(effects: str, words: str) -> None:
    text = GRANTED.replace("WHAT", "stroll").replace(
        "state: {", '  event.told: {en: "TEXT"}\nevents: {told: {}}\nstate: {', 1
    )
    text = text.replace("TEXT", f"{{sum(e for e in {effects})}}").replace(
        "[{perform: stroll}]", "[{id: go, may: [{emit: told}]}]"
    )
    assert told(text, 0) == [words]


UNNAMED = """
game: {id: hands, language: 1, title: {en: "Hands"}, players: 2, seats: [red, green]}
enums: {suit: [sun, moon]}
pieces:
  card: {per: player, attributes: {suit: suit, worth: 1..3, wild: boolean}, back: [suit],
         rows: [{suit: sun, worth: 1, wild: false}, {suit: sun, worth: 2, wild: true},
                {suit: moon, worth: 2, wild: false}]}
zones: {player.hand: {shape: pool, holds: card, front: owner, start: card.owner == player}}
boards: {map: {site: {for: {player: player, place: 1..2}}}}
flow: [{turns: player, do: [{choose: card, from: me.hand}, {choose: site}]}]
"""


def test_pieces_and_sites_without_texts_are_told_apart_by_what_they_have() -> None:
    game = begun(read(UNNAMED), 2)
    assert game.shown() == ["card (red, sun, 1)", "card (red, sun, 2, wild)", "card (red, moon, 2)"]
    assert game.shown("ja") == ["card（red、sun、1）", "card（red、sun、2、wild）", "card（red、moon、2）"]
    game.take(0)
    assert game.shown() == ["site[red,1]", "site[red,2]", "site[green,1]", "site[green,2]"]


def test_a_back_without_a_text_says_what_it_shows() -> None:
    game = begun(read(UNNAMED), 2)
    hand = game.facts.world.zones["player.hand"]
    names = [
        game.texts().words.piece(ref, "card", game.cells, 1) for ref in game.facts.pieces.refs(game.cells, hand.first)
    ]
    assert names == ["card (sun), face down", "card (sun), face down", "card (moon), face down"]
