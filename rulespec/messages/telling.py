"""Which steps tell of themselves in the log, and which decisions nothing tells of.

A decision is told by a line of its own (`CHOICE.log`), by the line of its action, effect or trigger, or by what the
steps behind it do up to the next decision: points, counters, steps on tracks, pieces, events with a message, and
whatever they perform. Where none of these can be, no game has a line for it, and a note says so (RS529). Another one
names the zones of which the log has only the key (RS532).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.model import Problems
from rulespec.lower.ir import Ask, Instr, Ir, Proc, Program, ZoneIr, ZoneRead
from rulespec.messages.decisions import Decision, log_keys
from rulespec.messages.game import Game
from rulespec.messages.keys import zone_words_key
from rulespec.messages.mends import missing_message
from rulespec.messages.needs import required_languages
from rulespec.messages.pattern import languages, read_variants
from rulespec.messages.places import names_in
from rulespec.model.types import Integer, ListType, Piece, Type, strip
from rulespec.program.control_flow import Calls
from rulespec.program.ops import BRANCHES, DIVIDES, for_each, such_as
from rulespec.source import nodes
from rulespec.source.text import Span

#: In these blocks a move is told by itself; an action's own line tells of its moves.
TOLD_BLOCKS: Final = frozenset({"flow", "end", "trigger", "check"})
_ALWAYS: Final = such_as(lambda row: row.tells == "always")
_CLOSES: Final = frozenset(BRANCHES.values())


def check_silent(game: Game, program: Program, problems: Problems) -> None:
    """Notes the decisions of people that leave no line in the log, whatever is chosen (RS529)."""
    telling = _Telling(game, program)
    found: dict[Span, tuple[Decision, bool]] = {}
    for decision in game.decisions:
        if decision.span is not None:
            is_told = telling.of_decision(decision) or (decision.span in found and found[decision.span][1])
            found[decision.span] = decision, is_told
    for span, (decision, is_told) in found.items():
        if not is_told:
            keys = log_keys(decision.ask)
            hint = f"Give it a line of its own: `{keys[-1]}`." if keys else None
            fixes = _message(game, keys[-1], span) if keys and not problems.is_crowded else ()
            problems.add("RS529", span, name=decision.ask.id, hint=hint, fixes=fixes)


def check_zone_names(game: Game, program: Program, problems: Problems) -> None:
    """Notes the zones that the log speaks of and that no message names, each where it is declared (RS532)."""
    telling = _Telling(game, program)
    shown = {key for at in range(len(program.instrs)) for key in telling.zones_shown(at)}
    for zone in game.cx.world.noted("told_zones"):
        key = zone.key
        if key in shown and not key.startswith("box.") and not game.has(zone_words_key(key)) and zone.span is not None:
            words = zone_words_key(key)
            fixes = () if problems.is_crowded else _message(game, words, zone.span)
            problems.add("RS532", zone.span, zone=key, hint=f"Name it: `{words}`.", fixes=fixes)


def _message(game: Game, key: str, span: Span) -> tuple[Fix, ...]:
    """A message that is still to be written: until it is, people would read that mark, so nobody adds it unasked."""
    fixes = missing_message(game.messages, key, span, required_languages(game.tree))
    return tuple(replace(fix, is_certain=False) for fix in fixes)


def named(block: Proc) -> str:
    """What a block is called in the content: the name of its action, effect or trigger."""
    return block.name.split("(", 1)[0].rpartition(" ")[2]


class _Telling:
    """What the blocks of one program tell."""

    def __init__(self, game: Game, program: Program):
        self._game, self._program = game, program
        self._blocks = {i: proc for proc in program.procs for i in range(proc.entry, proc.end)}
        self._calls = Calls(program)
        self._told: set[int] = set()
        self._owned = {zone.key for zone in game.cx.world.noted("told_zones") if zone.domain == "player"}
        while self._spread():
            pass

    def _spread(self) -> bool:
        """Adds the blocks of which some step tells something; whether there were new ones."""
        before = len(self._told)
        for proc in self._program.procs:
            if proc.id not in self._told and any(self._tells(i) for i in range(proc.entry, proc.end)):
                self._told.add(proc.id)
        return len(self._told) > before

    # ---- zones ----

    def zones_shown(self, at: int) -> Iterator[str]:
        """The zones that the engine's own line for an instruction names."""
        instr, block = self._program.instrs[at], self._blocks[at]
        if instr.op == "shuffle":
            yield from _zones(instr.args[0])
        elif instr.op == "draw":  # a player draws from a source; anything else comes from it to a goal
            yield from _zones(instr.args[1])
            yield from (key for key in _zones(instr.args[2]) if block.kind == "setup" or key not in self._owned)
        elif instr.op == "move" and block.kind != "effect" and self._move_tells(at, instr):
            for part in instr.args[1:3]:
                yield from _zones(part)

    # ---- decisions ----

    def of_decision(self, decision: Decision) -> bool:
        """Whether some line of the log can tell of a decision."""
        if any(self._game.has(key) for key in log_keys(decision.ask)):
            return True
        lines = (i for i in range(decision.at, self._blocks[decision.at].end) if self._program.instrs[i].op == "log")
        if any(self._line_tells(i, self._program.instrs[i], decision) for i in lines):
            return True  # a line of the same block names it, however many choices stand between
        return any(self._tells(i) for i in self._behind(decision.at) if self._program.instrs[i].op != "log")

    def _behind(self, at: int) -> Iterator[int]:
        """The instructions of the same block that can follow an ask, up to the next one on each way."""
        instrs, end = self._program.instrs, self._blocks[at].end
        opened: list[int] = []
        i = at + 1
        while i < end:
            op = instrs[i].op
            if op == "ask" and not instrs[i].args[0].chance and not _same_set(instrs, at, i):
                if not opened:
                    return
                i = self._skipped(i, end)
                continue
            if op in DIVIDES and not opened:  # the other way of a branch that the ask stands in
                i = self._skipped(i + 1, end)
                continue
            if op in BRANCHES:
                opened.append(i)
            elif op in _CLOSES and opened:
                opened.pop()
            yield i
            i += 1

    def _skipped(self, at: int, end: int) -> int:
        """From an instruction on, the first that does not belong to the innermost branch that it stands in."""
        depth = 0
        for i in range(at, end):
            op = self._program.instrs[i].op
            if depth == 0 and (op in _CLOSES or op in DIVIDES):
                return i
            depth += (op in BRANCHES) - (op in _CLOSES)
        return end

    # ---- instructions ----

    def _tells(self, at: int) -> bool:
        """Whether an instruction can give the log a line."""
        instr = self._program.instrs[at]
        if instr.op in _ALWAYS:
            return True
        tells = _TELLS.get(instr.op)
        return tells(self, at, instr) if tells is not None else not self._told.isdisjoint(self._calls.of(instr))

    def _event_tells(self, at: int, instr: Instr) -> bool:
        return self._game.has(f"event.{instr.args[0]}")

    def _line_tells(self, at: int, instr: Instr, decision: Decision | None = None) -> bool:
        """Whether the line of an action, effect or trigger is there, and names something of a decision."""
        name, names, part = instr.args
        effect = self._game.cx.world.effects.get(name)
        is_action = effect is not None and effect.section == "actions"
        if not self._game.has(f"{name}.log"):
            return is_action and part != "late"  # the engine tells what was chosen
        if decision is None:
            return True
        asked = _names_of(decision.ask, self._program) & {n for n, _ in names}
        return bool(asked) and (self._is_alone(at, decision) or bool(asked & self._mentioned(f"{name}.log")))

    def _is_alone(self, at: int, decision: Decision) -> bool:
        """Whether a line stands behind no other decision of its block."""
        entry = self._blocks[at].entry
        asks = [i for i in range(entry, at) if self._program.instrs[i].op == "ask"]
        return asks == [decision.at]

    def _mentioned(self, key: str) -> set[str]:
        """The names that a message speaks of, in any language."""
        message = self._game.messages.get(key) if self._game.messages is not None else None
        found: set[str] = set()
        for _, node in languages(message) if isinstance(message, nodes.Mapping) else ():
            for text in read_variants(node, Problems()).texts.values():
                found |= {name.name for place in text.places for name in names_in(place.expression)}
        return found

    def _store_tells(self, at: int, instr: Instr) -> bool:
        region, block = instr.args[0], self._blocks[at]
        var = self._game.cx.world.states.get(region)
        if var is None:
            return False
        is_counter = var.domain == "player" and isinstance(var.type, Integer)
        named = self._game.has(f"state.{region}")
        return var.track is not None or (named and (is_counter or block.kind != "action"))

    def _move_tells(self, at: int, instr: Instr) -> bool:
        block = self._blocks[at]
        if self._game.has(f"{named(block)}.log"):
            return False  # the block's own line tells of it
        if block.kind != "effect":
            return block.kind in TOLD_BLOCKS
        zones = [zone for part in instr.args[1:3] for zone in _zones(part)]
        return bool(zones) and all(zone.startswith("box.") or self._game.has(f"zone.{zone}") for zone in zones)


#: Whether an instruction tells of itself: of those that only tell, or change what is seen and may not tell of it.
_TELLS: Final[Mapping[str, Callable[[_Telling, int, Instr], bool]]] = for_each(
    {
        "log": _Telling._line_tells,
        "event": _Telling._event_tells,
        "store": _Telling._store_tells,
        "move": _Telling._move_tells,
        "flip": _Telling._move_tells,
    },
    known=such_as(lambda row: row.tells == "only" or (not row.tells and bool(row.changes & {"cell", "pieces"}))),
)


def _same_set(instrs: Sequence[Instr], at: int, other: int) -> bool:
    """Whether two asks pick the members of one set."""
    return instrs[at].args[0] is instrs[other].args[0]


def _names_of(ask: Ask, program: Program) -> set[str]:
    """What a decision is named by where its answer is known."""
    names = {name.name for name in ask.names}
    return names | {program.slots[ask.picked].name} if ask.picked >= 0 else names


def _zones(part: Ir | object) -> Iterator[str]:
    """The zones that a part of a move names."""
    zone = part.zone if isinstance(part, ZoneRead) else part
    if isinstance(zone, ZoneIr):
        yield zone.zone
    elif isinstance(part, Ir) and isinstance(lies := _piece_of(part.type), Piece) and lies.zone is not None:
        yield lies.zone


def _piece_of(type: Type) -> Type:
    """The type of a piece, or of the pieces of a list."""
    t = strip(type)
    return strip(t.of) if isinstance(t, ListType) else t
