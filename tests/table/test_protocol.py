"""The protocol of tables: the form of all messages, and that they say nothing but what a seat may see."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from interpreter import Game, State
from interpreter.draw.declared import drawings
from interpreter.draw.vector import Vector
from interpreter.imagine import imagine
from interpreter.log_lines import LineWriter
from interpreter.options import key_text
from interpreter.refusal import Raw
from interpreter.table.protocol import PROTOCOL, REQUESTS, Client, Desk, Message, fault_of
from interpreter.table.rules import is_in
from interpreter.table.seats import SPECTATOR, Seating
from interpreter.table.table import Table
from interpreter.table.views import position
from rulespec.lower.domains import site_text
from rulespec.published import first_fault
from rulespec.source.shipped import schemas_root
from tests.engine.walks import SEEDS, Walk, as_json, quick_settings, walk
from tests.play.table import game_of

PROBE = game_of("probe")
JOIN = {"type": "join", "protocol": PROTOCOL, "language": "en"}
SCHEMA = json.loads((schemas_root() / "table.schema.json").read_text(encoding="utf-8"))


def desk_of(*keys: str, game: Game = PROBE, kinds: Sequence[str] = ("human", "human")) -> Desk:
    table = Table(game, Seating(tuple(kinds), 3))
    for key in keys:
        assert table.decider is not None
        table.decide(table.decider, key)
    return Desk(table)


def joined(desk: Desk, seat: int, language: str = "en") -> tuple[Client, list[Message]]:
    client = Client(seat)
    return client, checked(desk.answer(client, JOIN | {"language": language}))


def checked(messages: list[Message]) -> list[Message]:
    """Messages to a client, each of which has the published form."""
    for message in messages:
        assert first_fault(json.loads(json.dumps(message)), "table", message["type"]) is None, message
    return messages


def kinds_of(messages: list[Message]) -> list[str]:
    return [message["type"] for message in messages]


def only(messages: list[Message], kind: str) -> Message:
    [found] = [message for message in messages if message["type"] == kind]
    return found


# ---- the form --------------------------------------------------------------------------------------------------------


def test_the_schema_names_all_messages() -> None:
    def names(part: str) -> set[str]:
        return {entry["$ref"].rpartition("/")[2] for entry in SCHEMA["$defs"][part]["oneOf"]}

    assert names("to_table") == set(REQUESTS)
    assert names("to_table") | names("from_table") | {"to_table", "from_table", "lit", "option"} == set(SCHEMA["$defs"])
    assert SCHEMA["$defs"]["welcome"]["properties"]["protocol"] == {"const": PROTOCOL}


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (None, "A message is an object with a `type`: join"),
        ([], "A message is an object"),
        ({"type": "win"}, "A message is an object with a `type`"),
        ({"type": ["join"]}, "A message is an object with a `type`"),
        ({"type": "join"}, "has a field `protocol`"),
        ({"type": "join", "protocol": "1"}, "`protocol` is a whole number"),
        ({"type": "choose", "id": 1, "revision": 0}, "has a field `key`"),
        ({"type": "undo", "id": 1, "steps": 9}, "steps"),
        ({"type": "agree", "id": 1, "agrees": 1}, "`agrees` is true or false"),
        ({"type": "log", "since": -1}, "since"),
        ({"type": "language", "language": "../en"}, "language"),
        ({"type": "why_not", "id": 1, "text": "x" * 401}, "text"),
        ({"type": "why_not", "id": 1}, "a question with either a `text` or a `site`"),
        ({"type": "why_not", "id": 1, "text": "x", "site": "left"}, "`text` or a `site`, and not both"),
        ({"type": "draw", "columns": 9}, "columns"),
    ],
)
def test_a_message_without_the_form_is_told_what_is_wrong(message: object, says: str) -> None:
    desk = desk_of()
    client, _ = joined(desk, 0)
    told = only(checked(desk.answer(client, message)), "error")
    assert told["reason"] == "form"
    assert says in told["text"]
    assert desk.table.revision == 0


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Messages with the fields of one of the requests, and any values."""
    kind = draw(st.sampled_from(REQUESTS))
    fields = [name for name in SCHEMA["$defs"][kind]["properties"] if name != "type"]
    values = st.sampled_from([0, 1, 2, 10**9, True, "put card(1)", "red", "fr", "1"]) | ANYTHING
    return {"type": kind} | {name: draw(values) for name in fields if draw(st.integers(0, 9))}


@hypothesis_settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(requests() | ANYTHING, max_size=8), st.sampled_from([0, 1, SPECTATOR]))
def test_whatever_comes_is_answered_in_the_published_form(messages: list[Any], seat: int) -> None:
    desk = desk_of()
    client, _ = joined(desk, seat)
    for message in messages:
        assert kinds_of(checked(desk.answer(client, message))) != []
        checked(desk.news(client))


# ---- notes -----------------------------------------------------------------------------------------------------------


def test_a_note_is_its_authors_until_the_game_is_over() -> None:
    """Cross notes at the first move. Nobody else is sent anything of it, until the left column is full."""
    keys = [f"place_mark cell[{at}]" for at in ("0,0", "1,0", "0,1", "1,1", "0,2")]
    desk = desk_of(*keys[:4], game=game_of("tic_tac_toe"))
    (cross, _), (twin, _), (nought, _), (nobody, _) = (joined(desk, seat) for seat in (0, 0, 1, SPECTATOR))
    answer = desk.answer(cross, {"type": "note", "id": 4, "revision": 4, "moment": 1, "text": "  strong\n"})
    assert answer == [{"type": "accepted", "id": 4, "revision": 4}]
    told = {"number": 1, "moment": 1, "seat": "cross", "text": "strong", "stands": True}
    assert [checked(desk.news(each)) for each in (cross, twin)] == [[{"type": "notes", "notes": [told]}]] * 2
    assert [desk.news(each) for each in (cross, nought, nobody)] == [[], [], []]
    assert only(joined(desk, 0)[1], "notes")["notes"] == [told]
    for seat in (1, SPECTATOR):
        assert "notes" not in kinds_of(joined(desk, seat)[1])
    desk.table.decide(0, keys[4])
    assert desk.table.decider is None
    for client in (nought, nobody):
        assert only(checked(desk.news(client)), "notes")["notes"] == [told]


def test_notes_are_refused_and_taken_away() -> None:
    desk = desk_of("put card(7)")
    red, nobody = joined(desk, 0)[0], joined(desk, SPECTATOR)[0]
    note = {"type": "note", "id": 1, "revision": 1, "moment": 1, "text": "x"}
    assert only(checked(desk.answer(nobody, note)), "refused")["reason"] == "spectator"
    assert only(checked(desk.answer(red, note | {"moment": 2})), "refused")["reason"] == "late"
    assert only(checked(desk.answer(red, note | {"text": " \n"})), "error")["reason"] == "form"
    assert only(checked(desk.answer(red, note | {"text": "x" * 2_001})), "error")["reason"] == "form"
    assert desk.news(red) == []
    desk.answer(red, note)
    assert only(desk.news(red), "notes")["notes"] != []
    unpin = {"type": "unpin", "id": 2, "number": 1}
    assert only(desk.answer(red, unpin), "accepted")["id"] == 2
    assert only(checked(desk.news(red)), "notes")["notes"] == []
    assert only(checked(desk.answer(red, unpin)), "refused")["text"] == "You have no such note."


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_who_decides_gets_the_question_and_nobody_else() -> None:
    desk = desk_of()
    _, red = joined(desk, 0)
    assert kinds_of(red) == ["welcome", "view", "options", "lines"]
    options = only(red, "options")
    assert (options["heading"], options["prompt"]) == ("Red to play", "Put a card.")
    assert [(o["key"], o["text"]) for o in options["options"]] == [("put card(1)", "card 1"), ("put card(7)", "card 7")]
    assert [o["lit"] for o in options["options"]] == [[{"zone": "player.hand", "owner": "red"}]] * 2
    for seat in (1, SPECTATOR):
        assert kinds_of(joined(desk, seat)[1]) == ["welcome", "view", "lines"]


def test_a_seat_sees_its_own_hand_and_a_spectator_none() -> None:
    """Red begins with the cards 1 and 7, Green with 2 and 3."""
    desk = desk_of()
    hands = {
        seat: only(joined(desk, seat)[1], "view")["position"]["zones"]["player.hand"] for seat in (0, 1, SPECTATOR)
    }
    assert hands[0] == {"red": ["card(1)", "card(7)"], "green": hands[SPECTATOR]["green"]}
    assert hands[1] == {"red": hands[SPECTATOR]["red"], "green": ["card(2)", "card(3)"]}
    assert [hands[SPECTATOR][name]["count"] for name in ("red", "green")] == [2, 2]


def test_a_site_that_an_option_stands_for_is_named() -> None:
    options = only(joined(desk_of(game=game_of("tic_tac_toe")), 0)[1], "options")["options"]
    assert options[3]["lit"] == [{"site": "cell[1,0]"}]


def test_the_picture_shows_what_the_seat_sees_and_lights_what_it_may_choose() -> None:
    """Cross has marked the cell in the middle; Nought may choose the other eight."""
    desk = desk_of("place_mark cell[1,1]", game=game_of("tic_tac_toe"))
    lit = {}
    for seat in (0, 1, SPECTATOR):
        client, _ = joined(desk, seat)
        board = only(checked(desk.answer(client, {"type": "draw"})), "board")
        lit[seat] = {each.partition('"')[0] for each in board["svg"].split('data-site="')[1:] if 'width="3"' in each}
    assert (lit[0], lit[SPECTATOR]) == (set(), set())
    options = only(joined(desk, 1)[1], "options")["options"]
    assert lit[1] == {option["lit"][0]["site"] for option in options}
    assert len(lit[1]) == 8
    cards = {seat: only(desk_of().answer(joined(desk_of(), seat)[0], {"type": "draw"}), "board") for seat in (0, 1)}
    assert ["card 7" in cards[seat]["svg"] for seat in (0, 1)] == [True, False]


def test_each_reads_in_its_own_language_and_may_change_it() -> None:
    desk = desk_of(game=game_of("tic_tac_toe"))
    client, french = joined(desk, 0, "fr-CA")
    assert only(french, "welcome")["language"] == "fr"
    assert only(french, "view")["seats"][0]["kind_name"] == "humain"
    japanese = checked(desk.answer(client, {"type": "language", "language": "ja"}))
    assert kinds_of(japanese) == kinds_of(french)
    assert only(japanese, "view")["seats"][0]["kind_name"] == "人間"
    assert only(joined(desk, 0, "tlh")[1], "welcome")["language"] == "en"


def test_a_choice_is_accepted_and_told_to_all() -> None:
    desk = desk_of("put card(1)")
    red, _ = joined(desk, 0)
    green, _ = joined(desk, 1)
    assert desk.news(green) == []
    done = desk.answer(red, {"type": "choose", "id": 7, "revision": 1, "key": "put left"})
    assert checked(done) == [{"type": "accepted", "id": 7, "revision": 2}]
    news = checked(desk.news(green))
    assert kinds_of(news) == ["view", "lines"]
    assert only(news, "lines") == {
        "type": "lines",
        "since": 2,
        "moments": [{"n": 2, "texts": ["Red puts card 1.", "Red scores 1 point: cards"], "sites": [["left"], []]}],
    }
    assert kinds_of(desk.news(red)) == ["view", "options", "lines"]
    assert desk.news(green) == desk.news(red) == []


def test_what_is_refused_says_why() -> None:
    desk = desk_of()
    red, _ = joined(desk, 0)
    green, _ = joined(desk, 1)
    nobody, _ = joined(desk, SPECTATOR)

    def told(client: Client, **message: Any) -> tuple[str, str]:
        refused = only(checked(desk.answer(client, {"id": 1, **message})), "refused")
        return refused["reason"], refused["text"]

    choose = {"type": "choose", "key": "put card(1)", "revision": 0}
    assert told(green, **choose) == ("other_seat", "Red decides now.")
    assert told(nobody, **choose) == ("spectator", "Whoever only watches decides nothing.")
    assert told(red, **choose | {"revision": 4})[0] == "late"
    assert told(red, **choose | {"key": "put card(2)"})[0] == "no_option"
    assert told(red, type="undo") == ("nothing", "There is nothing to take back.")
    assert told(red, type="agree", agrees=True)[0] == "no_question"
    assert told(green, type="why_not", text="card 7")[0] == "other_seat"
    assert desk.table.revision == 0


def test_before_join_nothing_is_answered_and_other_versions_are_told() -> None:
    desk, client = desk_of(), Client(0)
    assert only(desk.answer(client, {"type": "look"}), "error")["reason"] == "join"
    assert only(desk.answer(client, JOIN | {"protocol": 2}), "error")["reason"] == "protocol"
    assert desk.news(client) == []
    assert kinds_of(desk.answer(client, JOIN)) == ["welcome", "view", "options", "lines"]


def test_why_and_where_points_come_from() -> None:
    desk = desk_of("put card(1)", "put left")
    red, _ = joined(desk, 0)
    [answer] = only(desk.answer(red, {"type": "points", "id": 1, "of": "red"}), "reasons")["answers"][1:]
    assert answer == {"text": "cards: 1 point"}
    assert only(desk.answer(red, {"type": "points", "id": 1, "of": "blue"}), "error")["id"] == 1
    desk = desk_of()
    red, _ = joined(desk, 0)
    why = only(desk.answer(red, {"type": "why_not", "id": 2, "text": "7"}), "reasons")
    assert why["answers"] == [{"text": "card 7 is offered: every condition holds."}]


def test_what_an_option_brings_is_told_to_who_decides() -> None:
    desk = desk_of()
    red, _ = joined(desk, 0)
    asked = {"type": "foresee", "id": 4, "revision": 0, "key": "put card(7)"}
    told = only(checked(desk.answer(red, asked)), "forecast")
    change = {"what": "points", "of": "", "seat": "red", "least": 7, "most": 7}
    assert told | {"type": "", "id": 0} == {
        "type": "",
        "id": 0,
        "key": "put card(7)",
        "changes": [change],
        "unfinished": False,
        "depends": False,
        "others": False,
        "unknown": False,
        "texts": ["+7 points"],
    }
    assert only(desk.answer(red, asked | {"revision": 1}), "refused")["reason"] == "late"
    assert only(desk.answer(red, asked | {"key": "put card(2)"}), "refused")["reason"] == "no_option"
    assert only(desk.answer(joined(desk, 1)[0], asked), "refused")["reason"] == "other_seat"
    assert desk.table.revision == 0


def test_the_rules_of_what_is_pointed_at_are_read_by_anybody() -> None:
    desk = desk_of(game=game_of("breakthrough"))

    def asked(seat: int, language: str = "en", **about: str) -> list[str]:
        client, _ = joined(desk, seat, language)
        answer = only(checked(desk.answer(client, {"type": "rules", "id": 1, **about})), "reasons")
        return [each["text"] for each in answer["answers"]]

    of_a_cell = asked(SPECTATOR, site="cell[3,2]")
    assert of_a_cell[0].startswith("The board has 8 columns and 8 rows. Each player fills the 2 rows")
    assert "A man goes one step towards the far side, straight on or slanting, onto a free cell." in of_a_cell
    assert asked(0, site="cell[3,2]") == of_a_cell
    assert asked(1, "ja", action="move_man")[0].startswith("駒は相手側へ1歩")
    assert len(asked(1, action="move_man")) == 4
    assert asked(0, site="cell[0,99]") == asked(0, site="cell[") == asked(0, action="win") == []
    client, _ = joined(desk, 0)
    for wrong in ({}, {"site": "cell[3,2]", "action": "move_man"}):
        assert only(desk.answer(client, {"type": "rules", "id": 1, **wrong}), "error")["reason"] == "form"


def test_a_named_site_has_the_rules_of_its_own_row() -> None:
    """A rule that binds one place is told of that place alone."""
    prefixes = ("boards.sea.isle",)
    assert [is_in("boards.sea.isle.rows.north.worth", prefixes, name) for name in ("north", "south")] == [True, False]
    assert [is_in(path, prefixes, "north") for path in ("boards.sea.isle", "boards.sea.isles", "boards.sea")] == [
        True,
        False,
        False,
    ]


def test_why_not_at_a_site_is_about_all_that_could_be_chosen_there() -> None:
    desk = desk_of("place_mark cell[0,0]", game=game_of("tic_tac_toe"))
    nought, _ = joined(desk, 1)

    def asked(site: str) -> list[str]:
        found = only(checked(desk.answer(nought, {"type": "why_not", "id": 1, "site": site})), "reasons")
        return [answer["text"] for answer in found["answers"]]

    [free], [taken] = asked("cell[1,1]"), asked("cell[0,0]")
    assert free.startswith("column 2, row 2 is offered")
    assert taken.startswith("column 1, row 1 is not offered")
    assert asked("cell[9,9]") == asked("nowhere") == []


def test_a_moment_is_drawn_as_it_was() -> None:
    desk = desk_of("place_mark cell[0,0]", "place_mark cell[1,1]", game=game_of("tic_tac_toe"))
    cross, _ = joined(desk, 0)

    def board(**more: Any) -> Message:
        return only(checked(desk.answer(cross, {"type": "draw", **more})), "board")

    def marks(picture: Message) -> int:
        return str(picture["svg"]).count("<circle")

    assert [(marks(found), found["moment"]) for found in (board(), board(moment=0), board(moment=1))] == [
        (2, 2),
        (0, 0),
        (1, 1),
    ]
    assert marks(board(moment=99)) == 2
    lit = 'stroke-width="3"'
    assert (board()["svg"].count(lit), board(moment=1)["svg"].count(lit)) == (7, 0)  # nothing is chosen in the past
    assert 'viewBox="0 0 392 ' in board(columns=40)["svg"]  # letters of 9 pixels, and margins of 16


def test_a_picture_is_drawn_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two spectators and both windows of a seat; another seat, language, width, moment or revision is drawn anew."""
    desk = desk_of("place_mark cell[0,0]", game=game_of("tic_tac_toe"))
    drawn: list[int] = []
    draw = Vector.svg

    def noted(self: Vector, state: State, seat: int, *more: Any) -> str:
        drawn.append(seat)
        return draw(self, state, seat, *more)

    monkeypatch.setattr(Vector, "svg", noted)

    def asked(seat: int, language: str = "en", **more: Any) -> str:
        client, _ = joined(desk, seat, language)
        return str(only(desk.answer(client, {"type": "draw", **more}), "board")["svg"])

    assert asked(SPECTATOR) == asked(SPECTATOR) != asked(1)
    assert asked(1) == asked(1)
    assert drawn == [SPECTATOR, 1]
    asked(1, "ja"), asked(1, columns=40), asked(1, moment=0), asked(0)
    assert len(drawn) == 6
    desk.table.decide(1, "place_mark cell[1,1]")
    assert asked(1).count("<circle") == 2
    assert len(drawn) == 7


def test_each_line_names_its_sites() -> None:
    desk = desk_of("move_man cell[3,2] cell[4,3]", game=game_of("breakthrough"))
    _, messages = joined(desk, 0)
    [*_, moment] = only(messages, "lines")["moments"]
    assert (moment["texts"], moment["sites"]) == (["White moves from 3/2 to 4/3."], [["cell[3,2]", "cell[4,3]"]])


def test_undo_is_asked_of_the_others_and_its_lines_are_told_anew() -> None:
    desk = desk_of("place_mark cell[0,0]", game=game_of("tic_tac_toe"))
    cross, _ = joined(desk, 0)
    nought, _ = joined(desk, 1)
    assert kinds_of(checked(desk.answer(cross, {"type": "undo", "id": 1}))) == ["accepted"]
    names = desk.table.game.seats
    asked = only(checked(desk.news(nought)), "view")["undo"]
    assert asked == {"by": names[0], "of": names[0], "wanted": [names[1]]}
    desk.answer(nought, {"type": "agree", "id": 2, "agrees": True})
    news = checked(desk.news(cross))
    assert (only(news, "view")["moment"], only(news, "view")["undo"]) == (0, None)
    assert only(news, "lines") == {"type": "lines", "since": 1, "moments": []}


def test_who_is_away_is_told() -> None:
    desk = desk_of()
    red, _ = joined(desk, 0)
    desk.table.away = frozenset({1})
    assert [seat["is_away"] for seat in only(desk.news(red), "view")["seats"]] == [False, True]
    assert desk.news(red) == []


def test_after_a_broken_connection_all_is_told_again() -> None:
    desk = desk_of("put card(1)", "put left")
    again = joined(desk, 0)[1]
    assert [moment["n"] for moment in only(again, "lines")["moments"]] == [0, 1, 2]
    assert only(again, "view")["revision"] == 2
    red, _ = joined(desk, 0)
    later = only(desk.answer(red, {"type": "log", "since": 2}), "lines")
    assert [moment["n"] for moment in later["moments"]] == [2]


# ---- hidden things ---------------------------------------------------------------------------------------------------
# The bytes that are sent to a seat are the same whatever that seat cannot see is.

QUICK = quick_settings()
MOST_TRIED = 40
MOST_FORETOLD = 2
# A position that is found is small enough to be looked at: nothing is gained by trying to make it smaller.
HOW = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
quick = hypothesis_settings(max_examples=8, phases=[Phase.generate], **HOW)
many = hypothesis_settings(max_examples=300, phases=[Phase.generate], **HOW)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Walk, int]:
    found = walk(draw(st.sampled_from(QUICK)), draw(st.sampled_from(list(SEEDS))))
    return found, draw(st.integers(0, len(found.keys) - 1))


def _bare(state: State) -> State:
    """The state, without what happened on the way to it."""
    return state.game.state_from_bytes(state.to_bytes())


def _sent(table: Table, seat: int, language: str, asked: Sequence[str]) -> bytes:
    """All that a seat can have sent to it: what it gets by itself, and what for each thing that it may ask."""
    desk, client = Desk(table), Client(seat)
    messages = desk.answer(client, JOIN | {"language": language})
    messages += desk.answer(client, {"type": "draw"})
    messages += desk.answer(client, {"type": "draw", "moment": 0, "columns": 40})
    for site in _some_sites(table.game) if asked else ():
        messages += desk.answer(client, {"type": "why_not", "id": 0, "site": site})
    for text in asked:
        messages += desk.answer(client, {"type": "why_not", "id": 0, "text": text})
    for key in _some_options(table) if asked and seat == table.decider else asked[:1]:
        messages += desk.answer(client, {"type": "foresee", "id": 0, "revision": table.revision, "key": key})
    for site in _some_sites(table.game):
        messages += desk.answer(client, {"type": "rules", "id": 0, "site": site})
    for name in table.game.seats:
        messages += desk.answer(client, {"type": "points", "id": 0, "of": name})
    if table.history.steps:
        messages += desk.answer(client, {"type": "undo", "id": 0})
        messages += desk.news(client)
    return json.dumps(messages, ensure_ascii=False).encode()


def _some_options(table: Table) -> list[str]:
    options = [option.key for option in table.state.options()]
    return options[:: len(options) // MOST_FORETOLD + 1]


def _some_sites(game: Game) -> list[str]:
    """The site in the middle of each of two kinds that are drawn."""
    kinds = [kind.domain for board in drawings(game).boards for kind in board]
    return [site_text(game.world, domain.name, domain.size // 2) for domain in kinds[:2]]


def _table(state: State, seed: int) -> Table:
    game = state.game
    return Table(game, Seating(("human",) * game.players, seed), first=state)


def _same_for_all_that_is_hidden(position: tuple[Walk, int], seed: int, seat: int, language: str) -> None:
    """Hidden pieces dealt anew, and all chance: every message is the same."""
    found, at = position
    state = found.states[at]
    seat = min(seat, found.setting.players - 1)
    other = imagine(state, max(seat, 0), seed)
    assert state.decision is not None
    bare = [key_text(state, candidate) for candidate in Raw(state).candidates()[:MOST_TRIED:8]]
    asked = [*bare, "1"] if seat == state.decision.player else ["1"]
    wanted = _sent(_table(_bare(state), 1), seat, language, asked)
    assert _sent(_table(_bare(other), 2), seat, language, asked) == wanted


DRAWN = st.tuples(positions(), st.integers(0, 1000), st.integers(-1, 4), st.sampled_from(["en", "fr", "ja"]))


@quick
@given(DRAWN)
def test_what_is_sent_does_not_change_with_what_the_seat_may_not_know(drawn: tuple[Any, ...]) -> None:
    _same_for_all_that_is_hidden(*drawn)


@pytest.mark.long
@many
@given(DRAWN)
def test_nor_in_many_more_positions(drawn: tuple[Any, ...]) -> None:
    _same_for_all_that_is_hidden(*drawn)


def _alike(before: State, key: str, after: State, seat: int, seed: int) -> Iterator[tuple[State, str]]:
    """Other states before a decision, each with a choice, that tell the seat the same: what it sees, and its log."""
    writer = LineWriter(before.game, seat)

    def seen(state: State, key: str, after: State) -> list[Any]:
        line = writer.decision(1, state, state.option(key), after)
        return [line, writer.events(after), as_json(after, seat)]

    wanted = seen(before, key, after)
    other = imagine(before, seat, seed)
    for option in list(other.options())[:MOST_TRIED]:
        if seen(other, option.key, other.apply(option, events=True)) == wanted:
            yield other, option.key


def _same_after_a_decision(position: tuple[Walk, int], seed: int, seat: int, language: str) -> int:
    """Where a seat's log and view are the same after a decision, so are its messages, and the answer about undo."""
    found, at = position
    before, after, key = found.states[at], found.states[at + 1], found.keys[at]
    seat = min(max(seat, 0), found.setting.players - 1)
    table = _table(_bare(before), 1)
    table.choose(table.state.option(key))
    wanted, others = _sent(table, seat, language, []), list(_alike(before, key, after, seat, seed))
    for other, other_key in others:
        another = _table(_bare(other), 2)
        another.choose(another.state.option(other_key))
        assert _sent(another, seat, language, []) == wanted, (key, other_key)
    return len(others)


@quick
@given(DRAWN)
def test_what_is_told_of_a_decision_does_not_change_either(drawn: tuple[Any, ...]) -> None:
    _same_after_a_decision(*drawn)


@pytest.mark.long
@many
@given(DRAWN)
def test_nor_after_many_more_decisions(drawn: tuple[Any, ...]) -> None:
    _same_after_a_decision(*drawn)


def test_decisions_are_compared() -> None:
    """Red puts a card of its own: in each world that Green cannot tell from this one, Red may have done so."""
    found = walk(next(setting for setting in QUICK if setting.game == "agora_barcelona"), 0)
    assert sum(_same_after_a_decision((found, at), 5, 1, "en") for at in range(0, 24, 3)) >= 4


def test_who_only_watches_knows_nothing_of_what_players_have_seen() -> None:
    """Late in a game players know cards that have gone into hands: their views say so, and a spectator's does not."""
    found = walk(next(setting for setting in QUICK if setting.game == "agora_barcelona"), 0)
    seen = dict.fromkeys((0, SPECTATOR), 0)
    for state in found.states[::24]:
        for seat in seen:
            seen[seat] += json.dumps(position(state, seat)).count('"known"')
    assert seen[SPECTATOR] == 0 < seen[0]


def test_the_check_would_see_a_card() -> None:
    """What Green is sent differs from what is sent to Red, so that the tests above can fail."""
    table = _table(_bare(PROBE.start(3)), 1)
    assert b"card(7)" in _sent(table, 0, "en", [])
    assert b"card(7)" not in _sent(table, 1, "en", [])


def test_a_form_has_its_fault_told() -> None:
    assert fault_of(JOIN) is None
    assert fault_of({}) is not None
