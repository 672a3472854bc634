"""A game in a terminal: people and automated players decide in turn, until it is over or somebody leaves.

session = Session(game, Seating(("human", "random"), seed=7), Terminal(sys.stdin, sys.stdout), language="fr")
session.run()

What is printed is what all may see. Where one person plays, that person sees its own seat; where several share the
terminal, each looks at hidden things alone, and the others are asked to look away.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.bounds import MOST_DECISIONS, clocked, in_time, not_over, seconds_for, wind_up
from interpreter.draw import Drawer, Showing
from interpreter.draw.ink import BLANK, BOLD, DIM
from interpreter.log import GameLog
from interpreter.play.changes import Watch
from interpreter.play.numbering import Numbering
from interpreter.play.screen import Screen
from interpreter.play.terminal import Terminal
from interpreter.players import HUMAN, kind_of
from interpreter.table.seats import Seating, viewer_of
from interpreter.table.table import Table
from interpreter.table.views import outcome, told
from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.options import Option
    from interpreter.state import State
    from interpreter.table.history import History

#: How many lines are told at once of what happened; the `log` command tells the rest.
MOST_NEWS = 25


@dataclass(frozen=True, slots=True)
class Renewable:
    """How content is read again: `load` gives the game anew; `places` are its files outside the game's folder."""

    load: Callable[[], Game] | None = None
    places: tuple[Path, ...] = ()


class Session:
    """One game from its beginning. `log` is a file that gets the whole game.

    `content` says how the game is loaded anew when its files have changed. Automatic seats decide at most `most` times
    in a row, and take at most `most_seconds` for it (None: by their kinds); `see` is told how often they have decided.
    Without people nothing is kept of what was: nobody can ask for it.

    Raises OSError where the log cannot be written.
    """

    def __init__(
        self,
        game: Game,
        seating: Seating,
        terminal: Terminal,
        *,
        language: str = "en",
        log: Path | None = None,
        content: Renewable | None = None,
    ):
        self.terminal, self.language = terminal, language
        self.content = content or Renewable()
        self.most = MOST_DECISIONS
        self.most_seconds: float | None = None
        self.has_no_log = False  #: it began in a position that no log leads to
        self.see: Callable[[int], None] = lambda decisions: None
        self.clock: Callable[[], float] = monotonic
        self.asked_at: float | None = None  #: since when a person has had the open question before them
        self._alone = 0
        self.watch = Watch([game.source.folder, *self.content.places])
        self._path = log
        started = GameLog.start(log, game, seating.seed, keeps_lines=bool(seating.humans))
        self.table = Table(game, seating, first=started.state)
        self._take_game(game)
        self._take_log(started)
        self._told = 0  # how many moments of the table have been told of

    # ---- the table ----

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def seating(self) -> Seating:
        return self.table.seats

    @property
    def history(self) -> History:
        return self.table.history

    def _take_game(self, game: Game) -> None:
        self.texts = game.texts(self.language)
        self.drawer = Drawer(game, self.texts, whole=self.terminal.takes_any_width)
        self.explained: set[str] = set()
        self._numbering, self.screen = Numbering(), Screen()

    def _take_log(self, log: GameLog) -> None:
        """Where people play, a log whose file cannot be written any more is told of, and the game goes on."""
        self.log = log
        self.table.tells = self.table.keeps or log.path is not None
        if self.table.keeps:
            log.on_fault = self._log_failed

    def _log_failed(self, fault: OSError) -> None:
        from interpreter.play.files import file_fault

        busy = fault.errno == errno.EBUSY
        reason = self.word("file.written" if busy else file_fault(fault))
        self.say("log.failed", file=str(fault.filename), reason=reason)
        self._path = None

    def begin_at(self, state: State) -> None:
        """Goes on from a state that the game's seed and its decisions do not lead to: nothing of it can be saved."""
        self.has_no_log = True
        self.table.begin_at(state)
        self._told = 0

    # ---- the game ----

    def run(self) -> int:
        """Plays until the game is over, somebody leaves or nothing more comes in; gives the exit status."""
        from interpreter.play.asking import Asking, Leave

        self._greet()
        asking = Asking(self)
        try:
            with clocked(self._seconds()):
                while self.state.decision is not None:
                    if self.table.is_automatic:
                        self._decide_alone()
                    else:
                        self._alone = 0
                        asking.decide()
                        wind_up(self._seconds())
        except (Leave, EOFError) as end:
            self._leave(ended=isinstance(end, EOFError))
            return 0
        except (KeyboardInterrupt, ContentError):  # it was stopped, or cannot go on
            self.log.finish(self.state)
            raise
        self._finish()
        return 0

    def _seconds(self) -> float:
        """How long automatic seats may take in a row."""
        return self.most_seconds or seconds_for([kind for kind in self.seating.kinds if kind != HUMAN])

    def _decide_alone(self) -> None:
        """An automatic seat's decision. Raises ContentError where there were too many in a row, or they take long."""
        if self._alone == self.most:
            raise not_over(self.state, self._alone)
        in_time(self.state)
        self.choose(self.table.automatic_choice())
        self._alone += 1
        self.see(self._alone)

    def choose(self, option: Option) -> None:
        """Goes on with an option of the state."""
        seconds = None if self.asked_at is None else round(self.clock() - self.asked_at, 1)
        self.asked_at = None
        step = self.table.choose(option)
        self.log.decision(step.before, option, step.after, seconds)

    def note(self, text: str) -> None:
        """The player who decides notes something at this moment: it stands in the log and in saves. Raises Refused."""
        seat = self.table.decider
        assert seat is not None
        self.table.pin(seat, self.table.n, text)
        self.log.note(self.game.seats[seat], text)

    def take_back(self, steps: int, by: int) -> None:
        """Goes back to the state before the last steps."""
        self.table.take_back(steps, by)
        self.log.undo(steps)
        self._told = len(self.table.moments)

    # ---- numbers of options ----

    def option_numbers(self) -> tuple[int, ...]:
        """The numbers that the options are chosen by, in their order."""
        options = self.state.options()
        texts = [option.text(self.language) for option in options]
        return self._numbering.numbers(self._question(), self.table.turns(), options.keys(), texts)

    def number_gone(self, number: int) -> str | None:
        """What a number stood for that no option has now; None for one that no option ever had."""
        return self._numbering.gone(self._question(), number)

    def _question(self) -> str:
        """What the numbers of options belong to: who is asked, and what."""
        assert self.state.decision is not None
        return f"{self.state.decision.player} {self.state.ask.action or self.state.ask.owner} {self.state.ask.id}"

    # ---- another game in the place of this one ----

    def restart(self, game: Game) -> int:
        """The game from its beginning with other content, the decisions made again as far as they fit; how many."""
        before = self.log.lines
        log = GameLog.start(self._path, game, self.seating.seed)
        n = self.table.reload(game, log.state)
        self._take_game(game)
        self._take_log(log)
        for step in self.history.steps:
            log.decision(step.before, step.before.option(step.key), step.after)
        log.remember(before)
        self._told = len(self.table.moments)
        return n

    def resume(self, game: Game, log: GameLog, seating: Seating, keys: list[str]) -> int:
        """Goes on with a saved game; how many decisions it has."""
        self.has_no_log = False
        n = self.table.resume(game, seating, keys)
        self._take_game(game)
        self.watch = Watch([game.source.folder, *self.content.places])
        self._take_log(log)
        self._told = len(self.table.moments)
        return n

    # ---- what is printed ----

    def word(self, key: str, **given: str | int) -> str:
        """One of the engine's own texts."""
        return self.texts.word(f"engine.{key}", **given)

    def say(self, key: str, **given: str | int) -> None:
        """Prints one of the engine's own texts."""
        self.terminal.text(self.word(key, **given))

    def viewer(self) -> int:
        """Through whose eyes things are shown when nobody in particular decides."""
        return viewer_of(self.seating.humans)

    def _greet(self) -> None:
        title = self.word("start", game=self.texts.title(), n=self.game.players)
        self.terminal.text(title, BOLD)
        self.say("seed", seed=str(self.seating.seed))
        for seat, kind in enumerate(self.seating.kinds):
            self.say("seat", player=self.texts.player(seat), kind=self.word(f"seat.{kind_of(kind)}"))
        self.tell_reconstructed()
        self.terminal.lines([BLANK])

    def tell_reconstructed(self) -> None:
        """Prints which figures of the game no source gives; nothing where all are known."""
        if said := self.texts.reconstructed():
            self.terminal.text(said)

    def draw(
        self, viewer: int, numbers: dict[tuple[str, int], int] | None = None, you: int | None = None, rest: int = 0
    ) -> None:
        """Prints the position as a viewer sees it, or what has changed of it where the terminal has no room for all.

        `rest` says how many other lines are to be seen beside it. Where it is long, signs are explained when they
        are new.
        """
        width, height = self.terminal.width, self.terminal.height
        known = set(self.explained)
        showing = Showing(viewer, width, numbers, you, self.explained)
        parts = self.drawer.parts(self.state, showing)
        unnumbered = replace(showing, numbers=None, explained=known)
        bare = parts if height is None else self.drawer.parts(self.state, unnumbered)
        picture = self.screen.picture(parts, bare, width, None if height is None else height - rest)
        self.terminal.lines(picture.lines)
        if not picture.is_whole:
            self.terminal.text(self.word("board.whole", command=self.word("command.board")), DIM)

    def redraw(self) -> None:
        """The next drawing is whole and explains its signs: the last one is gone, or all is asked for."""
        self.screen.forget()
        self.explained.clear()

    def news(self) -> int:
        """Prints what has happened since the last time, as the people at the terminal may know it; how many lines."""
        printed = 0
        for _, lines in told(self.table, self.texts, self.viewer(), self._told):
            if (earlier := len(lines) - MOST_NEWS) > 0:
                command = self.word("command.log")
                self.terminal.text(self.word("log.earlier", n=earlier, command=command), indent=2)
            for line in lines[-MOST_NEWS:]:
                self.terminal.text(line.text, indent=2)
            printed += min(len(lines), MOST_NEWS + 1)
        self._told = len(self.table.moments)
        return printed

    def whole_log(self) -> list[str]:
        """The lines about everything so far."""
        return [line.text for _, lines in told(self.table, self.texts, self.viewer()) for line in lines]

    def _finish(self) -> None:
        self.log.finish(self.state)
        if self.seating.humans:
            self.news()
        self.terminal.lines([BLANK])
        self.redraw()
        self.draw(self.viewer())
        self.terminal.lines([BLANK])
        for line in outcome(self.table, self.texts):
            self.terminal.text(line)

    def _leave(self, *, ended: bool) -> None:
        self.log.finish(self.state)
        if ended:
            self.terminal.lines([BLANK])
        if self.log.path is not None:
            self.terminal.text(self.word("quit.unsaved", file=str(self.log.path)))
        self.say("quit")
