"""Asks a person for a decision: shows the position and the options, and does what is typed until one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.draw.ink import BLANK, BOLD, DIM, Line
from interpreter.play.commands import COMMANDS, WITH_MORE, Command, CommandWords
from interpreter.play.files import file_fault, load_game, save_game
from interpreter.play.listing import numbered
from interpreter.play.matching import as_number, folded, matching
from interpreter.play.reasons import sources_of_points, why
from interpreter.play.renewal import renew
from interpreter.reference.decisions import STOP
from rulespec.diagnostics.model import quotable
from rulespec.model.types import Member, strip

if TYPE_CHECKING:
    from interpreter.play.session import Session
    from interpreter.state import State

LAST_LINES = 40
#: The lines of a question beside its options: the question, hints, blank lines, what is typed.
OTHER_LINES = 6


class Leave(Exception):
    """Somebody leaves the game."""


class Asking:
    """The questions of one session."""

    def __init__(self, session: Session):
        self._session = session
        self._shown_to: int | None = None
        self._hinted = False

    # ---- a decision ----

    def decide(self) -> None:
        """Asks whoever decides now, until an option is chosen or the position is another one."""
        session = self._session
        assert session.state.decision is not None
        if self._has_changed():
            return
        seat = session.state.decision.player
        self._hand_over(seat)
        news = session.news()
        if len(session.state.options()) == 1:
            option = session.state.options()[0]
            session.terminal.text(session.word("only_option", choice=option.text(session.language)), indent=2)
            session.choose(option)
            return
        self._show(seat, news)
        before = session.state
        while session.state is before:
            self._answer(session.terminal.read("> ").strip())
            if session.state is before and self._has_changed():
                return

    def _has_changed(self) -> bool:
        """Whether the content has changed and the game was started again with it."""
        state = self._session.state
        renew(self._session, self.confirmed)
        return self._session.state is not state

    def _hand_over(self, seat: int) -> None:
        """Where people share the terminal and something is hidden: waits until the right one looks at it."""
        session = self._session
        if len(session.seating.humans) < 2 or seat == self._shown_to or not _hides_something(session):
            return
        if self._shown_to is not None:
            session.terminal.clear()
            session.redraw()
        session.news()
        session.terminal.lines([BLANK])
        session.terminal.text(session.word("hand_over", player=session.texts.player(seat)), BOLD)
        session.terminal.read(session.word("enter") + " ")
        self._shown_to = seat

    # ---- what is shown ----

    def _show(self, seat: int, news: int = 0) -> None:
        """The position with the question; `news` says how many lines above it are new."""
        session = self._session
        options, _ = self._numbered(range(len(session.state.options())))
        session.terminal.lines([BLANK])
        session.draw(seat, self._numbers(), you=seat, rest=news + len(options) + OTHER_LINES)
        session.terminal.lines([BLANK])
        self._ask(seat)
        self._list(range(len(session.state.options())))

    def _ask(self, seat: int) -> None:
        session, cells = self._session, self._session.state.cells
        picks = self._picks()
        for text in picks:
            session.terminal.text(f"✓ {text}", DIM, indent=2)
        session.terminal.text(f"{self._whose_turn(seat, len(picks))}  {session.texts.prompt(cells, cells[0])}", BOLD)

    def _picks(self) -> list[str]:
        """What has been picked so far, where a decision is made of several picks."""
        session, state = self._session, self._session.state
        if state.ask.kind != "set":
            return []
        n = len(state.cells[session.game.facts.layout.slots[state.ask.picked]])
        steps = session.history.steps[-n:] if n else []
        return [step.before.option(step.key).text(session.language) for step in steps]

    def _whose_turn(self, seat: int, picks: int) -> str:
        session = self._session
        player = session.texts.player(seat)
        if picks:
            return session.word("to_decide", player=player, n=picks + 1)
        active = session.state.cells[session.game.facts.layout.regions["active"]]
        if active == seat or active != self._last_turn():  # else nobody's turn it is: the cell says 0 then
            return session.word("turn", player=player)
        return session.word("turn_of_others", player=player, active=session.texts.player(active))

    def _last_turn(self) -> int | None:
        """Whose turn was the last to begin."""
        session = self._session
        states: list[State] = [*(step.after for step in reversed(session.history.steps)), session.first]
        for state in states:
            happened: Sequence[Any] = state.events or []
            for event in reversed(happened):
                if event[3:4] == ("turn",):
                    return int(event[4][0])
        return None

    def _numbers(self) -> dict[tuple[str, int], int]:
        """The numbers of the options that stand for sites on the board."""
        state = self._session.state
        names = state.ask.names
        if len(names) != 1 or state.ask.kind == "may" or not isinstance(strip(names[0].type), Member):
            return {}
        domain = strip(names[0].type).domain  # type: ignore[attr-defined]
        if domain not in self._session.drawer.kinds:
            return {}
        found = {}
        for number, candidate in zip(self._session.option_numbers(), state.options().candidates, strict=True):
            if candidate != STOP:
                site = candidate[1] if state.ask.kind == "set" else candidate
                found[domain, site[0] if isinstance(site, tuple) else site] = number
        return found

    def _list(self, which: range | list[int]) -> None:
        session = self._session
        texts = self._texts()
        lines, more = self._numbered(which)
        session.terminal.lines(lines)
        if more:
            session.terminal.text(session.word("more", n=more), indent=2)
        hint = session.word("choose", n=len(texts)) if self._is_counted() else session.word("choose_listed")
        if not self._hinted:
            hint = f"{hint}  {session.word('choose_hint')}"
            self._hinted = True
        session.terminal.text(hint, DIM)

    def _numbered(self, which: range | list[int]) -> tuple[list[Line], int]:
        """Options with their numbers in lines, and how many were left out."""
        numbers, texts = self._session.option_numbers(), self._texts()
        return numbered([(numbers[at], texts[at]) for at in which], self._session.terminal.width)

    def _texts(self) -> list[str]:
        """What the options say."""
        session = self._session
        return [option.text(session.language) for option in session.state.options()]

    # ---- what is typed ----

    def _answer(self, typed: str) -> None:
        session = self._session
        if not typed:
            session.say("nothing_typed")
            return
        number = as_number(typed)
        if number is not None:
            self._take_number(number)
            return
        command = CommandWords(session.texts).read(typed)
        if command is not None and not self._is_option(typed):
            getattr(self, f"_do_{command.name}")(command)
            return
        self._take_text(typed)

    def _is_option(self, typed: str) -> bool:
        return folded(typed) in [folded(text) for text in self._texts()]

    def _take_number(self, number: int) -> None:
        session = self._session
        options, numbers = session.state.options(), self._session.option_numbers()
        if number in numbers:
            session.choose(options[numbers.index(number)])
            return
        gone = session.number_gone(number)
        if gone is not None:
            session.say("gone", input=str(number), choice=gone)
        elif self._is_counted():
            session.say("out_of_range", input=str(number), n=len(options))
        else:
            session.say("no_number", input=str(number))

    def _is_counted(self) -> bool:
        """Whether the numbers of the options go from 1 on without a gap."""
        return sorted(self._session.option_numbers()) == list(range(1, len(self._session.state.options()) + 1))

    def _take_text(self, typed: str) -> None:
        session = self._session
        options = session.state.options()
        found = options.find(typed)
        fitting = matching(typed, self._texts()) if found is None else []
        if found is not None:
            session.choose(found)
        elif len(fitting) == 1:
            session.choose(options[fitting[0]])
        elif fitting:
            session.say("several", input=quotable(typed), n=len(fitting))
            self._list(fitting)
        else:
            self._nothing_fits(typed)

    def _nothing_fits(self, typed: str) -> None:
        from rulespec.diagnostics.nearest import nearest

        session = self._session
        session.say("illegal", input=quotable(typed))
        texts = self._texts()
        close = nearest(folded(typed), [folded(text) for text in texts])
        if close is not None:
            choice = next(text for text in texts if folded(text) == close)
            session.say("did_you_mean", choice=choice)

    def confirmed(self, question: str) -> bool:
        """The answer to a question of yes or no; nothing typed is no."""
        session = self._session
        yes, no = session.word("yes"), session.word("no")
        typed = folded(session.terminal.read(f"{question} [{yes}/{no}] "))
        return bool(typed) and (folded(yes).startswith(typed) or typed in ("y", "yes"))

    # ---- commands ----

    def _do_help(self, command: Command) -> None:
        session = self._session
        session.say("help")
        entries = [("1, 2, 3 …", session.word("help.number")), ("…", session.word("help.text")), ("?", "")]
        entries[-1] = ("?", session.word("help.help"))
        for name in COMMANDS[1:]:
            more = " …" if name in WITH_MORE else ""
            entries.append((session.word(f"command.{name}") + more, session.word(f"help.{name}")))
        for word, meaning in entries:
            session.terminal.text(session.word("option", name=word, value=meaning), indent=2)
        session.tell_reconstructed()

    def _do_undo(self, command: Command) -> None:
        session = self._session
        assert session.state.decision is not None
        seat, seating = session.state.decision.player, session.seating
        undo = session.history.undo_for(seat, seating.automatic, frozenset(seating.humans))
        if undo.steps and (undo.seat == seat or self._others_agree(undo.seat)):
            session.take_back(undo.steps)
            session.say("undone", n=1)
        elif undo.steps:
            session.say("undo.refused")
        elif undo.reason == "other_seat":
            session.say("undo.other_seat", player=session.texts.player(undo.seat))
        else:
            session.say(f"undo.{undo.reason}")

    def _others_agree(self, seat: int) -> bool:
        """Whether the others at the keyboard let somebody take back a decision after which another one was asked."""
        session = self._session
        others = [session.texts.player(other) for other in session.seating.humans if other != seat]
        player = session.texts.player(seat)
        return self.confirmed(session.word("undo.question", player=player, others=session.texts.words.together(others)))

    def _do_board(self, command: Command) -> None:
        assert self._session.state.decision is not None
        self._session.redraw()
        self._show(self._session.state.decision.player)

    def _do_log(self, command: Command) -> None:
        lines = self._session.whole_log()
        for line in lines[-LAST_LINES:]:
            self._session.terminal.text(line, indent=2)
        if not lines:
            self._session.say("log.nothing")

    def _do_why(self, command: Command) -> None:
        session = self._session
        seats = matching(command.rest, [session.texts.player(seat) for seat in range(session.game.players)])
        asked = bool(command.rest) and not self._is_player(command.rest, seats)
        answers = why(session.texts, session.state, self._named(command.rest)) if asked else []
        for answer in answers:
            place = answer.place
            declared = "" if place is None else session.word("why.declared", place=f"{place.file.name}:{place.line}")
            session.terminal.text(f"{answer.text} ({declared})" if declared else answer.text)
        if not answers and len(seats) == 1:
            states = [session.first, *(step.after for step in session.history.steps)]
            for line in sources_of_points(session.texts, states, seats[0]):
                session.terminal.text(line)
        elif not answers:
            session.say("why.what" if not command.rest else "why.no_candidate", choice=quotable(command.rest))

    def _is_player(self, typed: str, seats: list[int]) -> bool:
        """Whether a text is a player's whole name, and no option says just that."""
        texts, state = self._session.texts, self._session.state
        options = (texts.option_text(state.cells, state.cells[0], c) for c in state.options().candidates)
        whole = len(seats) == 1 and folded(texts.player(seats[0])) == folded(typed)
        return whole and all(folded(option) != folded(typed) for option in options)

    def _named(self, typed: str) -> str:
        """What a number stands for: the option that is listed under it, by its key. Other texts are what they are."""
        number, numbers = as_number(typed), self._session.option_numbers()
        return self._session.state.options()[numbers.index(number)].key if number in numbers else typed

    def _do_save(self, command: Command) -> None:
        session = self._session
        if not command.rest:
            session.say("no_file")
            return
        if session.has_no_log:
            session.say("save.failed", file=command.rest, reason=session.word("file.position"))
            return
        try:
            save_game(session, Path(command.rest).expanduser())
        except OSError as fault:
            session.say("save.failed", file=command.rest, reason=session.word(file_fault(fault)))
        else:
            session.say("saved", file=command.rest)

    def _do_load(self, command: Command) -> None:
        session = self._session
        if not command.rest:
            session.say("no_file")
            return
        n = load_game(session, Path(command.rest).expanduser())
        if n is not None:
            self._shown_to = None
            session.say("loaded", file=command.rest, n=n)

    def _do_quit(self, command: Command) -> None:
        session = self._session
        kept = session.log.path is not None or not session.history.steps
        if kept or self.confirmed(session.word("quit.question")):
            raise Leave


def _hides_something(session: Session) -> bool:
    """Whether there is anything in the game that not everybody sees."""
    zones = [zone for zone in session.game.world.zones.values() if not zone.key.startswith("box.")]
    return any(zone.front == "owner" or zone.back == "owner" for zone in zones) or any(
        ask.secret for ask in session.game.facts.asks.values()
    )
