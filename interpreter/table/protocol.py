"""The one protocol of a table: messages of plain data, from those who sit at it and to them.

    desk = Desk(table)
    red = Client(seat=0, language="fr")
    desk.answer(red, {"type": "join", "protocol": 1})           # welcome, view, options, lines
    desk.answer(red, {"type": "choose", "id": 1, "revision": 0, "key": "mark cell[0,0]"})
    desk.news(red)                                              # what is new for a client since it was told last

The form of every message is in `schemas/table.schema.json`. What a client gets depends on what its seat may see and on
nothing else: not on hidden things, and not on what other clients ask. Nothing here reads or writes; whoever carries the
messages keeps the table's record before it passes on what follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from interpreter.draw.vector import TABLE_WIDTH, Vector
from interpreter.game import Game
from interpreter.players import kind_of
from interpreter.state import State
from interpreter.table.forecast import Forecast, forecast, in_words
from interpreter.table.notes import Note
from interpreter.table.notes import to_json as notes_json
from interpreter.table.questions import Choice, Lit, choices, question, site_name
from interpreter.table.reasons import sources_of_points, why, why_site
from interpreter.table.refused import Refused
from interpreter.table.rules import Rules
from interpreter.table.seats import SPECTATOR
from interpreter.table.table import Table
from interpreter.table.views import outcome, position, told
from interpreter.texts import Texts
from rulespec.messages.needs import required_languages
from rulespec.messages.plurals import nearest_language
from rulespec.published import first_fault

PROTOCOL: Final = 1
#: Bytes of a message from a client: a longer one is not read.
LONGEST_MESSAGE: Final = 16_384
#: Pictures of one position that are kept: some hundred thousand characters each at most.
MOST_PICTURES: Final = 16
REQUESTS: Final = (
    *("join", "look", "draw", "choose", "why_not", "rules", "points", "foresee", "undo", "agree", "note", "unpin"),
    *("log", "language"),
)

#: Half of a character, which a message can hold and no file.
_HALF: Final = re.compile("[\ud800-\udfff]")

Message = dict[str, Any]

#: What is said of each reason to refuse, as a key of the engine's own words.
_WORDS: Final = {
    "other_seat": "engine.table.other_seat",
    "no_option": "engine.table.no_option",
    "late": "engine.table.late",
    "over": "engine.over",
    "spectator": "engine.table.spectator",
    "nothing": "engine.undo.nothing",
    "chance": "engine.undo.chance",
    "not_asked": "engine.undo.other_seat",
    "no_question": "engine.table.no_question",
    "declined": "engine.table.declined",
    "no_note": "engine.table.no_note",
    "many_notes": "engine.table.many_notes",
}


@dataclass(slots=True)
class Client:
    """Somebody who is connected: the seat, or `SPECTATOR`, and what was sent so far."""

    seat: int = SPECTATOR
    language: str = "en"
    revision: int = -1  #: of the table when the client was told last
    presence: tuple[bool, ...] = ()
    moments: int = 0  #: so many moments of the log are known to the client
    notes: tuple[tuple[int, Note], ...] = ()  #: that were sent last

    @property
    def has_joined(self) -> bool:
        return self.revision >= 0


class Desk:
    """Answers messages about one table."""

    def __init__(self, table: Table):
        self.table = table
        self._vector: tuple[Game, str, Vector] | None = None  # of the language that was drawn in last
        self._drawn: State | None = None  # the position whose pictures, and those of how it came about, are kept
        self._pictures: dict[tuple[int, int, str, int], str] = {}
        self._told: tuple[Game, str, Rules] | None = None  # the rules, in the language that was read last
        self._foretold: tuple[State, dict[str, Forecast | None]] | None = None  # what was asked for of a position

    # ---- from clients ----

    def answer(self, client: Client, message: object) -> list[Message]:
        """What a client gets at once for a message; what the table's change means for all comes by `news`."""
        fault = fault_of(message)
        if fault is not None:
            return [error("form", fault)]
        assert isinstance(message, dict)
        if message["type"] != "join" and not client.has_joined:
            return [error("join", "The first message is `join`.")]
        try:
            return _ANSWERS[message["type"]](self, client, message)
        except Refused as refused:
            return [self._refusal(client, message, refused)]

    def _join(self, client: Client, message: Message) -> list[Message]:
        if message["protocol"] != PROTOCOL:
            return [error("protocol", f"The protocol's version is {PROTOCOL}, and not {message['protocol']}.")]
        client.language = self._language(message.get("language", client.language))
        client.moments, client.notes = 0, ()
        return [self.welcome(client), *self._all_of(client)]

    def _look(self, client: Client, message: Message) -> list[Message]:
        return self._all_of(client, since=client.moments)

    def _draw(self, client: Client, message: Message) -> list[Message]:
        """The picture is asked for and not sent by itself: it is large, and not every client shows it."""
        table = self.table
        moment = min(message.get("moment", table.n), table.n)
        svg = self._picture(client, moment, message.get("columns", TABLE_WIDTH))
        return [{"type": "board", "revision": table.revision, "moment": moment, "svg": svg}]

    def _picture(self, client: Client, moment: int, columns: int) -> str:
        """The picture of a moment, drawn once for all who see the same: spectators, and the windows of a seat."""
        table = self.table
        if self._drawn is not table.state or len(self._pictures) >= MOST_PICTURES:
            self._drawn, self._pictures = table.state, {}
        wanted = moment, client.seat, client.language, columns
        if wanted not in self._pictures:
            is_now = moment == table.n
            state, lit = (table.state, self._lit_sites(client)) if is_now else (table.moments[moment], set())
            self._pictures[wanted] = self._drawer(client).svg(state, client.seat, lit, columns)
        return self._pictures[wanted]

    def _drawer(self, client: Client) -> Vector:
        game, language = self.table.game, client.language
        if self._vector is None or self._vector[:2] != (game, language):
            self._vector = game, language, Vector(game, self._texts(client))
        return self._vector[2]

    def _lit_sites(self, client: Client) -> set[tuple[str, int]]:
        """The sites that the client's options stand for, where it decides."""
        if client.seat == SPECTATOR or client.seat != self.table.decider:
            return set()
        lit = (each for choice in choices(self.table.state, client.language) for each in choice.lit)
        return {(each.domain, each.site) for each in lit if each.domain is not None and each.site is not None}

    def _choose(self, client: Client, message: Message) -> list[Message]:
        _must_sit(client)
        self.table.decide(client.seat, message["key"], message["revision"])
        return [self._accepted(message)]

    def _why_not(self, client: Client, message: Message) -> list[Message]:
        """Only who decides may ask: the answer says what that seat could choose."""
        self._must_decide(client)
        texts = self._texts(client)
        state, site = self.table.state, message.get("site")
        found = why(texts, state, message["text"]) if site is None else why_site(texts, state, site)
        answers = [{"text": each.text} for each in found]
        return [{"type": "reasons", "id": message["id"], "answers": answers}]

    def _rules(self, client: Client, message: Message) -> list[Message]:
        """Anybody may ask: it follows from the declarations alone."""
        game, language = self.table.game, client.language
        if self._told is None or self._told[:2] != (game, language):
            self._told = game, language, Rules(game, language)
        about, site = self._told[2], message.get("site")
        found = about.about_action(message["action"]) if site is None else about.about_site(site)
        return [{"type": "reasons", "id": message["id"], "answers": [{"text": text} for text in found]}]

    def _points(self, client: Client, message: Message) -> list[Message]:
        seat = self._seat(message["of"])
        if seat is None:
            return [error("form", f"There is no seat '{message['of']}'.", message["id"])]
        lines = sources_of_points(self._texts(client), self.table.moments, seat)
        return [{"type": "reasons", "id": message["id"], "answers": [{"text": line} for line in lines]}]

    def _foresee(self, client: Client, message: Message) -> list[Message]:
        """Only who decides may ask; what is told follows from what that seat sees."""
        self._must_decide(client)
        if message["revision"] != self.table.revision:
            raise Refused("late")
        found = self._forecast(client.seat, message["key"])
        if found is None:
            raise Refused("no_option")
        names = self.table.game.seats
        changes = [{**asdict(change), "seat": names[change.seat]} for change in found.changes]
        told = {**asdict(found), "changes": changes}
        texts = in_words(self._texts(client), found, client.seat)
        return [{"type": "forecast", "id": message["id"], "key": message["key"], **told, "texts": texts}]

    def _forecast(self, seat: int, key: str) -> Forecast | None:
        """What an option brings: found once for each option of a position."""
        state = self.table.state
        if self._foretold is None or self._foretold[0] is not state:
            self._foretold = state, {}
        known = self._foretold[1]
        if key not in known and state.options().find(key) is not None:
            known[key] = forecast(state, seat, key)
        return known.get(key)

    def _undo(self, client: Client, message: Message) -> list[Message]:
        _must_sit(client)
        self.table.ask_undo(client.seat, message.get("revision"))
        return [self._accepted(message)]

    def _agree(self, client: Client, message: Message) -> list[Message]:
        _must_sit(client)
        self.table.answer_undo(client.seat, message.get("revision"), agrees=message["agrees"])
        return [self._accepted(message)]

    def _note(self, client: Client, message: Message) -> list[Message]:
        _must_sit(client)
        text = message["text"].strip()
        if not text:
            return [error("form", "A note has a text.", message["id"])]
        if _HALF.search(text):
            return [error("form", "A note is of whole characters.", message["id"])]
        self.table.pin(client.seat, message["moment"], text, message["revision"])
        return [self._accepted(message)]

    def _unpin(self, client: Client, message: Message) -> list[Message]:
        _must_sit(client)
        self.table.unpin(client.seat, message["number"])
        return [self._accepted(message)]

    def _log(self, client: Client, message: Message) -> list[Message]:
        return [self.lines(client, message["since"])]

    def _speak(self, client: Client, message: Message) -> list[Message]:
        client.language = self._language(message["language"])
        return [self.welcome(client), *self._all_of(client)]

    # ---- to clients ----

    def news(self, client: Client) -> list[Message]:
        """What has changed since the client was told last; nothing where nothing has."""
        if not client.has_joined:
            return []
        if (client.revision, client.presence) == self._now():
            return self._notes(client)
        return self._all_of(client, since=min(client.moments, self.table.unchanged_since(client.revision)))

    def welcome(self, client: Client) -> Message:
        """What does not change while a game goes on."""
        game, texts = self.table.game, self._texts(client)
        return {
            "type": "welcome",
            "protocol": PROTOCOL,
            "game": game.id,
            "title": texts.title(),
            "seats": [{"seat": name, "name": texts.player(seat)} for seat, name in enumerate(game.seats)],
            "you": None if client.seat == SPECTATOR else game.seats[client.seat],
            "language": client.language,
            "languages": list(required_languages(game.tree)),
        }

    def view(self, client: Client) -> Message:
        """The table as a client sees it."""
        table = self.table
        return {
            "type": "view",
            "revision": table.revision,
            "moment": table.n,
            "decides": None if table.decider is None else table.game.seats[table.decider],
            "seats": [self._seat_now(client, seat) for seat in range(table.game.players)],
            "undo": self._undo_now(),
            "over": outcome(table, self._texts(client)) or None,
            "position": position(table.state, client.seat),
        }

    def options(self, client: Client) -> Message:
        """The question and all that may be chosen, for the seat that decides."""
        table = self.table
        asked = question(table, self._texts(client))
        return {
            "type": "options",
            "revision": table.revision,
            "heading": asked.heading,
            "prompt": asked.prompt,
            "picks": list(asked.picks),
            "options": [self._choice(each) for each in choices(table.state, client.language)],
        }

    def lines(self, client: Client, since: int) -> Message:
        """What has happened from a moment on; it takes the place of all that the client had from there on."""
        found = told(self.table, self._texts(client), client.seat, since)
        moments = [
            {"n": n, "texts": [line.text for line in lines], "sites": [list(line.sites) for line in lines]}
            for n, lines in found
        ]
        return {"type": "lines", "since": since, "moments": moments}

    def _all_of(self, client: Client, since: int = 0) -> list[Message]:
        client.revision, client.presence = self._now()
        client.moments = len(self.table.moments)
        decides = client.seat != SPECTATOR and client.seat == self.table.decider
        options = [self.options(client)] if decides else []
        return [self.view(client), *options, self.lines(client, since), *self._notes(client)]

    def _notes(self, client: Client) -> list[Message]:
        """All notes that the client may see; nothing where it has them."""
        found, names = self.table.notes_for(client.seat), self.table.game.seats
        if found == client.notes:
            return []
        client.notes = found
        notes = [{"number": number, **notes_json(note), "seat": names[note.seat]} for number, note in found]
        return [{"type": "notes", "notes": notes}]

    def _now(self) -> tuple[int, tuple[bool, ...]]:
        asked = self.table.asked
        wanted = frozenset() if asked is None else asked.wanted
        here = [seat not in self.table.away for seat in range(self.table.game.players)]
        return self.table.revision, (*here, *(seat in wanted for seat in range(self.table.game.players)))

    # ---- parts ----

    def _seat_now(self, client: Client, seat: int) -> Message:
        table = self.table
        kind = kind_of(table.seats.kinds[seat])
        return {
            "seat": table.game.seats[seat],
            "kind": kind,
            "kind_name": self._texts(client).word(f"engine.seat.{kind}"),
            "is_away": seat in table.away,
            "points": table.state.value("score", table.game.seats[seat]),
        }

    def _undo_now(self) -> Message | None:
        asked, names = self.table.asked, self.table.game.seats
        if asked is None:
            return None
        return {"by": names[asked.by], "of": names[asked.undo.seat], "wanted": [names[s] for s in sorted(asked.wanted)]}

    def _choice(self, choice: Choice) -> Message:
        return {**asdict(choice), "lit": [self._lit(each) for each in choice.lit]}

    def _lit(self, lit: Lit) -> Message:
        """Sites by their names; where there is nothing to say of something, it is left out."""
        state, names = self.table.state, self.table.game.seats
        found: Message = {}
        if lit.domain is not None and lit.site is not None:
            found["site"] = site_name(state, lit.domain, lit.site)
        if lit.zone is not None:
            found["zone"] = lit.zone
        if lit.owner is not None:
            found["owner"] = names[lit.owner]
        return found

    def _accepted(self, message: Message) -> Message:
        return {"type": "accepted", "id": message["id"], "revision": self.table.revision}

    def _refusal(self, client: Client, message: Message, refused: Refused) -> Message:
        texts = self._texts(client)
        given = {} if refused.seat is None else {"player": texts.player(refused.seat)}
        text = texts.word(_WORDS[refused.reason], **given)
        return {"type": "refused", "id": message["id"], "reason": refused.reason, "text": text}

    def _must_decide(self, client: Client) -> None:
        if self.table.decider is None:
            raise Refused("over")
        if client.seat != self.table.decider:
            raise Refused("other_seat", self.table.decider)

    def _seat(self, name: str) -> int | None:
        return self.table.game.seats.index(name) if name in self.table.game.seats else None

    def _texts(self, client: Client) -> Texts:
        return self.table.game.texts(client.language)

    def _language(self, wanted: str) -> str:
        """The language that was asked for, or what the game has in its place."""
        known = required_languages(self.table.game.tree)
        return nearest_language(wanted, known) or "en"


def _must_sit(client: Client) -> None:
    if client.seat == SPECTATOR:
        raise Refused("spectator")


def fault_of(message: object) -> str | None:
    """What is wrong with the form of a message from a client; None where nothing is."""
    if not isinstance(message, Mapping) or message.get("type") not in REQUESTS:
        return f"A message is an object with a `type`: {', '.join(REQUESTS)}."
    fault = first_fault(message, "table", message["type"])
    return None if fault is None else f"{fault.words}."


def error(reason: str, text: str, number: int | None = None) -> Message:
    """Something that a sound client does not do. Its text is for whoever writes one, and in English."""
    return {"type": "error", "reason": reason, "text": text} | ({} if number is None else {"id": number})


_ANSWERS: Final[dict[str, Callable[[Desk, Client, Message], list[Message]]]] = {
    "join": Desk._join,
    "look": Desk._look,
    "draw": Desk._draw,
    "choose": Desk._choose,
    "why_not": Desk._why_not,
    "rules": Desk._rules,
    "points": Desk._points,
    "foresee": Desk._foresee,
    "undo": Desk._undo,
    "agree": Desk._agree,
    "note": Desk._note,
    "unpin": Desk._unpin,
    "log": Desk._log,
    "language": Desk._speak,
}
