"""One game in progress: its record, the position that follows from it, and what may be done next.

    table = Table(game, Seating(("human", "random"), seed=7))
    table.decide(0, "mark cell[0,0]")          # raises Refused where seat 0 may not
    while table.is_automatic:
        table.play_alone()
    table.ask_undo(0)                          # at once, or after the others agree: `table.asked`

Who shows it (a terminal, a page) asks `questions` and `views` for what there is to show. Nothing here reads or writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from interpreter.players import HUMAN, make_player
from interpreter.rng import split_mix_64
from interpreter.table.history import History, Step, Undo
from interpreter.table.hot_reload import again
from interpreter.table.notes import Note, Notes, pinned, seen, taken_back, unpinned
from interpreter.table.record import Decided, Entry, Reloaded, Undone, standing, standing_at, unchanged
from interpreter.table.refused import Refused
from interpreter.table.seats import Seating

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.options import Option
    from interpreter.state import State


@dataclass(frozen=True, slots=True)
class AskedUndo:
    """Somebody wants decisions taken back, and others are to agree: `wanted` have not said anything yet."""

    by: int
    undo: Undo
    wanted: frozenset[int]


class Table:
    """A game from its beginning, or from the state `first` on.

    `tells` asks for what happens at each step, for whoever tells of it. Where nobody sits who could ask for it,
    nothing is kept of what was, and a long game needs no more memory than a short one.
    """

    def __init__(self, game: Game, seats: Seating, *, first: State | None = None, tells: bool = True):
        self.seats = seats
        self.away: frozenset[int] = frozenset()  #: people who are not there: they are not asked whether they agree
        self.tells = tells
        self.record: list[Entry] = []
        self.notes: Notes = {}  #: by number
        self.thought: dict[int, float] = {}  #: of entries of the record: seconds, where somebody has measured them
        self.asked: AskedUndo | None = None
        self._begin(game, first)

    @classmethod
    def of_record(cls, game: Game, seats: Seating, record: Iterable[Entry], notes: Notes | None = None) -> Table:
        """The table that a record leads to. Where the content is another one by now, as far as it still fits."""
        table = cls(game, seats)
        table.record, table.notes = list(record), dict(notes or {})
        keys = standing(table.record)
        if (kept := table.make_again(keys)) < len(keys):
            table.record.append(Reloaded(kept))
            taken_back(table.notes, kept)
        return table

    def _begin(self, game: Game, first: State | None) -> None:
        self.game = game
        self.history = History()
        self.n = 0  #: how many decisions stand
        self.state = self.first = game.start(self.seats.seed, events=True) if first is None else first
        self.asked = None
        self._declined: frozenset[int] = frozenset()  # whose question about undo the others did not agree to

    # ---- what it is ----

    @property
    def keeps(self) -> bool:
        """Whether the way to the position is kept: somebody may ask for it."""
        return bool(self.seats.humans)

    @property
    def revision(self) -> int:
        """A number that grows with everything that is done."""
        return len(self.record)

    @property
    def decider(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.state.decision is None else self.state.decision.player

    @property
    def is_automatic(self) -> bool:
        """Whether the seat that decides now plays by itself."""
        return self.decider is not None and self.seats.kinds[self.decider] != HUMAN

    @property
    def moments(self) -> Sequence[State]:
        """The states from the first one on, each with what happened on the way to it."""
        return (self.first, *(step.after for step in self.history.steps))

    def turns(self) -> int:
        """How many turns have begun; where a game has no turns, how often somebody else came to decide."""
        begun = sum(event[3:4] == ("turn",) for state in self.moments for event in state.events or ())
        seats = [step.seat for step in self.history.steps]
        return begun or sum(a != b for a, b in pairwise(seats))

    def unchanged_since(self, revision: int) -> int:
        """How many moments, from the first one on, are as they were at a revision; other content changes all."""
        if any(isinstance(entry, Reloaded) for entry in self.record[revision:]):
            return 0
        return 1 + unchanged(self.record, revision, self.n)

    # ---- decisions ----

    def decide(self, seat: int, key: str, revision: int | None = None) -> Step:
        """A seat chooses the option with a key. Raises Refused.

        With `revision`, the choice was made looking at the table as it was then, and stands only if it still is so.
        """
        if self.decider is None:
            raise Refused("over")
        if seat != self.decider:
            raise Refused("other_seat", self.decider)
        self._must_be_at(revision)
        option = self.state.options().find(key)
        if option is None:
            raise Refused("no_option")
        return self.choose(option)

    def choose(self, option: Option) -> Step:
        """Goes on with an option of the state."""
        before, seat = self.state, self.decider
        assert seat is not None
        after = before.apply(option, events=self.tells)
        step = Step(before, option.key, after, seat, forced=self.keeps and len(before.options()) == 1)
        self._take(step)
        if self.keeps:
            self.record.append(Decided(seat, option.key))
        return step

    def play_alone(self) -> Step:
        """An automatic seat's decision: always the same in the same place of the same game."""
        return self.choose(self.automatic_choice())

    def automatic_choice(self) -> Option:
        """What the seat that decides would choose if it played by itself."""
        seat = self.decider
        assert seat is not None
        player = make_player(self.seats.kinds[seat], seat, split_mix_64(self.seats.seed ^ self.n))
        return player.choose(self.state, self.state.options())

    def _take(self, step: Step) -> None:
        self.state, self.n = step.after, self.n + 1
        self._end_questions()
        if self.keeps:
            self.history.steps.append(step)

    # ---- notes ----

    def pin(self, seat: int, moment: int, text: str, revision: int | None = None) -> int:
        """A seat notes something at a moment; the note's number. Raises Refused.

        With `revision`, the moment was looked at when the table was at that, and must be as it was.
        """
        if seat not in self.seats.humans:
            raise Refused("spectator")
        if moment > self.n or (revision is not None and moment >= self.unchanged_since(revision)):
            raise Refused("late")
        return pinned(self.notes, Note(seat, moment, text))

    def unpin(self, seat: int, number: int) -> None:
        """A seat takes away a note of its own. Raises Refused."""
        unpinned(self.notes, seat, number)

    def notes_for(self, viewer: int) -> tuple[tuple[int, Note], ...]:
        """The notes that a seat or a spectator may see now, with their numbers."""
        return seen(self.notes, viewer, is_over=self.decider is None)

    def seconds(self) -> list[float | None]:
        """How long each decision that stands was thought about; None where nobody has measured it."""
        return [self.thought.get(at) for at in standing_at(self.record)]

    # ---- undo ----

    def undo_for(self, seat: int) -> Undo:
        """What a seat could have taken back now, or why nothing."""
        return self.history.undo_for(seat, self.seats.automatic, frozenset(self.seats.humans))

    def is_alone(self, seat: int, undo: Undo) -> bool:
        """Whether nobody needs to agree: it is the seat's own decision, and nobody else has been asked since."""
        return undo.seat == seat == self.decider

    def ask_undo(self, seat: int, revision: int | None = None) -> AskedUndo | None:
        """A seat wants the last decision taken back: done at once (None), or asked of the others. Raises Refused.

        Who is asked already and wants the same agrees by it. An open question stands until it is answered, withdrawn
        or overtaken, and one that was declined is not asked again by the same seat before the table has changed.
        """
        if seat not in self.seats.humans:
            raise Refused("spectator")
        self._must_be_at(revision)
        undo = self.undo_for(seat)
        if not undo.steps:
            raise _refused(undo)
        wanted = frozenset() if self.is_alone(seat, undo) else self._to_agree(seat, undo)
        if not wanted:
            self.take_back(undo.steps, seat)
            return None
        if self.asked is not None:
            return self._join_question(self.asked, seat, undo)
        if seat in self._declined:
            raise Refused("declined")
        self.asked = AskedUndo(seat, undo, wanted)
        return self.asked

    def _join_question(self, asked: AskedUndo, seat: int, undo: Undo) -> AskedUndo | None:
        """A seat asks while a question is open."""
        if undo.steps != asked.undo.steps:
            raise Refused("declined")
        if seat in asked.wanted:
            self.answer_undo(seat, agrees=True)
        return self.asked

    def _to_agree(self, seat: int, undo: Undo) -> frozenset[int]:
        """All others who are there, and whoever decided, there or not."""
        return (frozenset(self.seats.humans) - self.away | {undo.seat}) - {seat}

    def answer_undo(self, seat: int, revision: int | None = None, *, agrees: bool) -> bool:
        """What somebody says who was asked; whether the decision is taken back now. Raises Refused.

        Nobody has to agree twice, and one who does not ends the question. So does whoever asked it.
        """
        self._must_be_at(revision)
        asked = self.asked
        if asked is not None and seat == asked.by and not agrees:
            self.asked = None
            return False
        if asked is None or seat not in asked.wanted:
            raise Refused("no_question")
        left = asked.wanted - {seat}
        self.asked = replace(asked, wanted=left) if agrees and left else None
        if not agrees:
            self._declined |= {asked.by}
        if agrees and not left:
            self.take_back(asked.undo.steps, asked.by)
        return agrees and not left

    def take_back(self, steps: int, by: int) -> None:
        """Goes back to the state before the last steps."""
        self.state = self.history.steps[-steps].before
        del self.history.steps[-steps:]
        self.n -= steps
        self._end_questions()
        self.record.append(Undone(steps, by))
        taken_back(self.notes, self.n)

    def _end_questions(self) -> None:
        """What was asked about undo was asked of the table as it was before."""
        self.asked, self._declined = None, frozenset()

    def _must_be_at(self, revision: int | None) -> None:
        if revision is not None and revision != self.revision:
            raise Refused("late")

    # ---- another game in the place of this one ----

    def reload(self, game: Game, first: State | None = None) -> int:
        """The game from its beginning with other content, the decisions made again as far as they fit; how many."""
        keys = self.history.keys
        self.seats = self.seats.for_players(game.players)
        self._begin(game, first)
        kept = self.make_again(keys)
        self.record.append(Reloaded(kept))
        taken_back(self.notes, kept)
        return kept

    def resume(self, game: Game, seats: Seating, keys: Iterable[str]) -> int:
        """Goes on with a game that was kept elsewhere; how many decisions it has. The record begins anew with it."""
        self.seats, self.record, self.notes, self.thought = seats, [], {}, {}
        self._begin(game, None)
        n = self.make_again(keys)
        self.record = [Decided(step.seat, step.key) for step in self.history.steps]
        return n

    def begin_at(self, state: State) -> None:
        """Goes on from a state that the seed and the decisions do not lead to."""
        self.record, self.notes, self.thought = [], {}, {}
        self._begin(state.game, state)

    def make_again(self, keys: Iterable[str]) -> int:
        """Makes decisions as they were made before, up to the first that does not fit; how many stand then."""
        for step in again(self.state, keys):
            self._take(step)
        return self.n


def _refused(undo: Undo) -> Refused:
    """Why nothing can be taken back."""
    if undo.reason == "other_seat":
        return Refused("not_asked", undo.seat)
    return Refused("nothing" if undo.reason == "nothing" else "chance")
