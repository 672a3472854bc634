"""Playing: from one decision to the next, what chance answers, and what becomes of steps that fail."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from interpreter.reference import chance
from interpreter.reference.decisions import ACCEPT, DECLINE, STOP, answer, candidates
from interpreter.reference.definition import Definition
from interpreter.reference.events import Events
from interpreter.reference.faults import Fails, Fault, content_error, stuck
from interpreter.reference.instructions import Run, close_unit, enter_try
from interpreter.reference.layout import Layout
from interpreter.reference.lookahead import LookAhead, offered
from interpreter.reference.position import MOST_WORK, Position, start_of
from interpreter.reference.sets import Picks, picked_by_chance
from interpreter.reference.setup import must_be_done, must_be_enough
from rulespec.lower.ir import Ask, Program
from rulespec.program.stuck import HINT, loops_around, never_entered

#: how many instructions may follow one another without a decision
MOST_INSTRUCTIONS = 600_000
OUTERMOST = ("main", "setup", "flow", "end")


class Tried(NamedTuple):
    """A `try` outside every unit that is open: where it stands, the position before it, how many events there were."""

    at: int
    before: Position
    events: int


def options_of(p: Position, at: int, ask: Ask) -> list[Any]:
    """Outside every unit the candidates; else those from which the open unit can be completed."""
    if ask.kind == "one" and not p.units:
        return offered(p, at, ask)
    return LookAhead(p).options(p, at, ask)


class Reference:
    """One game, played by the meaning of its instruction form."""

    def __init__(self, program: Program, ran: set[str | int] | None = None):
        self.game = Definition(program, ran)
        self.layout = Layout(self.game)

    # ---- states ----

    def begin(self, seed: int) -> Position:
        """The position of a new game, before anything has run."""
        p = start_of(self.game)
        chance.seed(p, seed)
        p.at = self.game.procs[self.game.program.entries["main"]].entry
        return p

    def to_bytes(self, p: Position) -> bytes:
        """The state as bytes."""
        return self.layout.to_bytes(p)

    def from_bytes(self, data: bytes) -> Position:
        """The position of a state."""
        return self.layout.from_bytes(data)

    def result(self, p: Position) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """Points by seat, and seats by place, as if the game ended here."""
        seats = range(self.game.players)
        marks = [
            tuple((1 if word == "least" else -1) * p.value(node, {"player": seat}) for word, node in self.game.ranking)
            for seat in seats
        ]
        places = tuple(tuple(seat for seat in seats if marks[seat] == mark) for mark in sorted(set(marks)))
        won = [at for at, (word, _) in enumerate(self.game.ranking) if word == "won"]
        if won and not any(all(mark[at] for at in won) for mark in marks):
            places = ((), *places)  # the first place stays empty: nobody has won
        return tuple(p.load("player.score", seat) for seat in seats), places

    # ---- play ----

    def play(
        self,
        p: Position,
        at: int,
        events: Events | None = None,
        *,
        until: Collection[int] = (),
        most: int = MOST_WORK,
    ) -> list[Any] | None:
        """Goes on from an instruction to the next decision; its options, or None when the game is over.

        It is left where it comes to an instruction of `until`. Raises ContentError where the content is at fault, or it
        takes more than the `most` work.
        """
        run = Run(p, 0, events)
        run.at = at
        p.work[:] = 0, most
        try:
            return self._play(run, until)
        except RecursionError:
            raise content_error(Fault("RS803"), self.game.instrs, run.at) from None
        except Fault as fault:
            raise content_error(fault, self.game.instrs, run.at) from None

    def choose(self, p: Position, given: Any, events: Events | None = None) -> list[Any] | None:
        """Goes on with one of the options of a decision; as `play`."""
        return self.play(p, answer(p, p.at, self.game.instrs[p.at].args[0], given), events)

    def answer(self, p: Position, at: int, given: Any) -> int:
        """Fills what an answer to a decision fills; gives where to go on. Raises ContentError, as `play`."""
        try:
            return answer(p, at, self.game.instrs[at].args[0], given)
        except Fault as fault:
            raise content_error(fault, self.game.instrs, at) from None

    def options(self, p: Position) -> list[Any]:
        """The options of a decision. Raises ContentError, as `play`."""
        p.work[0] = 0
        try:
            return options_of(p, p.at, self.game.instrs[p.at].args[0])
        except RecursionError:
            raise content_error(Fault("RS803"), self.game.instrs, p.at) from None
        except Fault as fault:
            raise content_error(fault, self.game.instrs, p.at) from None

    def set_up(self, p: Position) -> None:
        """Runs the set-up and stops before the flow. What set-up asks is answered with the first option."""
        instrs, entries = self.game.instrs, self.game.program.entries
        main = self.game.procs[entries["main"]]
        begins = ("call", entries["flow"])
        flow = next(i for i in range(main.entry, main.end) if (instrs[i].op, *instrs[i].args[:1]) == begins)
        options = self.play(p, p.at, until=(flow,))
        while options is not None:
            options = self.play(p, self.answer(p, p.at, options[0]), until=(flow,))

    def comes_to(self, p: Position, at: int, is_sought: Callable[[Ask], bool]) -> bool:
        """Whether play comes from an instruction to a decision that is sought, without another one and without failing.

        The position is left at that decision.
        """
        run = Run(p)
        try:
            for _ in range(MOST_INSTRUCTIONS):
                op, args = self.game.instrs[at].op, self.game.instrs[at].args
                if op in ("ask", "halt"):
                    p.at = at
                    return op == "ask" and is_sought(args[0])
                at = enter_try(p, at) if op == "try" else run.step(at)
        except (Fails, Fault):
            return False
        return False

    def watch(self, p: Position) -> None:
        """Notes which conditions are true as things stand, after the position was changed from outside."""
        run, at = Run(p), self.game.procs[self.game.program.entries["watch"]].entry
        while at > 0:
            at = run.step(at)

    def _play(self, run: Run, until: Collection[int]) -> list[Any] | None:
        p, tried = run.p, None
        watch = None if run.events is None else run.events.watch
        p.random = 0
        for _ in range(MOST_INSTRUCTIONS):
            at = run.at
            try:
                op = self.game.instrs[at].op
                if watch is not None:
                    watch.comes_to(p, at, len(run.events or ()))
                if at in until:
                    p.at = 0
                    return None
                if op == "halt":
                    p.store("over", 0, 1)
                    p.at = 0
                    return None
                if op == "ask":
                    found = self._ask(run, at, self.game.instrs[at].args[0])
                    if isinstance(found, list):
                        p.at, p.random = at, 0
                        return found
                    run.at = found
                elif op == "try":
                    if not p.units:
                        tried = Tried(at, p.copy(), len(run.events or ()))
                        p.random = 0
                    run.at = self._try(p, at)
                else:
                    run.at = run.step(at)
                    if tried is not None and (op == "finish" or self._ends(at, tried)):
                        tried = None  # a game that is over is not taken back: `finish` leaves whatever is open
            except Fails:
                run.at, tried = self._failed(run, at, tried), None
        loop = never_entered(self.game.instrs, self.game.blocks, run.at, lambda test: bool(p.value(test)))
        if loop is not None:
            raise stuck(run.at, loop.span, HINT)
        raise stuck(next(iter(loops_around(self.game.instrs, self.game.blocks, run.at)), run.at))

    def _ends(self, at: int, tried: Tried) -> bool:
        """Whether what a `try` holds is done at an instruction."""
        return self.game.instrs[at].op == "orelse" and self.game.blocks.start[at] == tried.at

    def _try(self, p: Position, at: int) -> int:
        """Outside every unit a `try` is entered; inside one only where it can be completed by itself."""
        if not p.units or LookAhead(p).completes_alone(p, at):
            return enter_try(p, at)
        return self.game.blocks.middle[at] + 1

    # ---- decisions ----

    def _ask(self, run: Run, at: int, ask: Ask) -> list[Any] | int:
        """The options of a decision; or where to go on: chance answers, only declining or stopping is left."""
        p = run.p
        if ask.chance:
            run.tell_horizon()
            return self._by_chance(p, at, ask)
        options = options_of(p, at, ask)
        if ask.kind == "may" and ACCEPT not in options:
            return answer(p, at, ask, DECLINE)
        if ask.optional and options == [STOP]:
            return answer(p, at, ask, STOP)
        if not options:
            if ask.kind == "set":
                must_be_enough(p, at, p.value(ask.amount), Picks(p, at, ask, None).most)  # type: ignore[arg-type]
            raise Fails
        return options

    def _by_chance(self, p: Position, at: int, ask: Ask) -> int:
        """The stream answers, evenly."""
        if ask.kind == "set":
            return self._set_by_chance(p, at, ask)
        found = offered(p, at, ask)
        if not found:
            raise Fails
        given = found[chance.below(p, ask.stream, len(found))]
        p.random = 1
        return answer(p, at, ask, given)

    def _set_by_chance(self, p: Position, at: int, ask: Ask) -> int:
        """One by one, each evenly out of those that are left; play goes on behind the loop that asks."""
        assert ask.amount is not None
        behind = self.game.blocks.behind(self.game.blocks.loop[at - 1])
        found, amount = candidates(p, ask), p.value(ask.amount)
        is_short = amount > len(found) and not ask.optional
        picked = [] if is_short else picked_by_chance(p, ask, found, min(amount, len(found)))
        if len(picked) < amount and not ask.optional:
            must_be_enough(p, at, amount, len(found) if is_short else len(picked))
            if p.units:  # outside every unit there is nothing to leave, and nothing is chosen
                raise Fails
            return behind
        p.slots[ask.picked] = tuple(found[i] for i in sorted(picked))
        p.random = 1
        return behind

    # ---- steps that fail ----

    def _failed(self, run: Run, at: int, tried: Tried | None) -> int:
        """Where play goes on after a step that failed.

        Before anything random happened, a `try` outside every unit is taken back, and play goes on behind `orelse`.
        """
        if tried is not None and not run.p.random:
            run.p.become(tried.before)
            if run.events is not None:
                del run.events[tried.events :]
                if run.events.watch is not None:
                    run.events.watch.taken_back(tried.events)
            return self.game.blocks.middle[tried.at] + 1
        run.at = at
        must_be_done(run.p, at)
        return self._leave_unit(run.p, at)

    def _leave_unit(self, p: Position, at: int) -> int:
        """To the end of the innermost open unit; what happened stays. Outside every unit, behind the outermost call."""
        failed, blocks = at, self.game.blocks
        while True:
            if blocks.unit[at] >= 0:
                return close_unit(p, blocks.unit[at])
            proc = self.game.procs[blocks.proc[at]]
            back = p.slots[proc.back]
            if proc.kind in OUTERMOST or not back:
                if at != failed:
                    self._settle(p, proc.entry, at)
                return at + 1
            p.empty_block(proc.id)
            at = back - 1

    def _settle(self, p: Position, entry: int, at: int) -> None:
        """Outside every unit, after blocks were left in the middle: whoever has the turn decides again."""
        p.store("me", 0, p.load("active"))
        opened = (instr.args[0] for instr in self.game.instrs[entry:at] if instr.op == "together")
        p.store("together", 0, sum(opened))
