"""Asks a person for a decision: shows the position and the options, and does what is typed until one is chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.draw.ink import BLANK, BOLD, DIM, Line
from interpreter.play.commands import COMMANDS, WITH_MORE, Command, CommandWords
from interpreter.play.files import file_fault, load_game, save_game
from interpreter.play.hot_reload import renew
from interpreter.play.listing import numbered
from interpreter.table.forecast import forecast, in_words
from interpreter.table.matching import as_number, folded, matching
from interpreter.table.notes import LONGEST_NOTE
from interpreter.table.questions import question, site_of
from interpreter.table.reasons import sources_of_points, why
from interpreter.table.refused import Refused
from rulespec.diagnostics.model import quotable

if TYPE_CHECKING:
    from interpreter.options import Option
    from interpreter.play.session import Session

LAST_LINES = 40
#: The lines of a question beside its options: the question, hints, blank lines, what is typed.
OTHER_LINES = 6
#: So many options are foretold at once.
MOST_FORETOLD = 6


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
        before, session.asked_at = session.state, session.clock()
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
        self._ask()
        self._list(range(len(session.state.options())))

    def _ask(self) -> None:
        session = self._session
        asked = question(session.table, session.texts)
        for text in asked.picks:
            session.terminal.text(f"✓ {text}", DIM, indent=2)
        session.terminal.text(f"{asked.heading}  {asked.prompt}", BOLD)

    def _numbers(self) -> dict[tuple[str, int], int]:
        """The numbers of the options that stand for sites on the board."""
        session, state = self._session, self._session.state
        found = {}
        for number, candidate in zip(session.option_numbers(), state.options().candidates, strict=True):
            site = site_of(state, candidate)
            if site is not None and site[0] in session.drawer.kinds:
                found[site] = number
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
        seat = session.table.decider
        assert seat is not None
        undo = session.table.undo_for(seat)
        if undo.steps and (session.table.is_alone(seat, undo) or self._others_agree(undo.seat)):
            session.take_back(undo.steps, seat)
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
            for line in sources_of_points(session.texts, session.table.moments, seats[0]):
                session.terminal.text(line)
        elif not answers:
            session.say("why.what" if not command.rest else "why.no_candidate", choice=quotable(command.rest))

    def _do_gains(self, command: Command) -> None:
        """What the options that are meant will gain and cost, a line each."""
        session = self._session
        options, texts = session.state.options(), self._texts()
        found = options.find(self._named(command.rest))
        meant = [option for option in options if option == found] if found is not None else []
        meant = meant or [options[at] for at in matching(command.rest, texts)]
        for option in meant[:MOST_FORETOLD]:
            value = self._foretold(option)
            session.terminal.text(session.word("option", name=option.text(session.language), value=value), indent=2)
        if len(meant) > MOST_FORETOLD:
            session.terminal.text(session.word("more", n=len(meant) - MOST_FORETOLD), indent=2)
        if not meant:
            session.say("forecast.what" if not command.rest else "why.no_candidate", choice=quotable(command.rest))

    def _do_note(self, command: Command) -> None:
        session, text = self._session, command.rest[:LONGEST_NOTE]
        if not text:
            session.say("note.what")
            return
        try:
            session.note(text)
        except Refused as refused:
            session.say(f"table.{refused.reason}")
        else:
            session.say("note.done")

    def _foretold(self, option: Option) -> str:
        """What an option brings, in one line."""
        session, seat = self._session, self._session.table.decider
        assert seat is not None
        told = forecast(session.state, seat, option.key)
        assert told is not None
        return session.texts.words.in_a_row(in_words(session.texts, told, seat))

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
