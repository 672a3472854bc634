"""The program being made: instructions, blocks, slots; and what the lowering of one block knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as AbstractMapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rulespec.lower.context import Context
from rulespec.lower.filters import note_filter
from rulespec.lower.ir import Instr, Ir, Load, Local, Proc, Slot
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.lower.steps.sight import reads_hidden
from rulespec.model.registry import VERBS
from rulespec.model.types import BOOLEAN, PLAYER, EffectType, Integer, ListType, Type, strip
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

if TYPE_CHECKING:
    from rulespec.lower.steps.commuting import Loop
    from rulespec.model.reads import Notes

MOST_INSTRUCTIONS = 20_000
#: names that are in force at one step: each step has a scope of its own with all of them
MOST_NAMES = 500
#: loops inside loops, in the text of one block
MOST_LOOPS = 10

ME = Load(type=PLAYER, region="me", index=Local(type=Integer(0, 0), slot=-1))
ACTIVE = Load(type=PLAYER, region="active", index=Local(type=Integer(0, 0), slot=-1))

#: blocks whose steps nobody performs: what fails there outside every unit has nothing to be left
FLOWS = ("setup", "flow", "end")

ProcKey = tuple[str, frozenset[str], int]
StepLowering = Callable[["Block", Scope, Mapping, Node], Scope]


@dataclass(slots=True)
class Wanted:
    """A block that something calls and that is still to be made."""

    id: int
    key: ProcKey
    back: int
    params: tuple[int, ...]
    names: dict[str, Ir]


@dataclass(slots=True)
class Numbering:
    """The numbers of blocks, by key, and of slots, by block: as they are asked for.

    Several builds of one check may share it: then the same block has the same number in all of them, and so have its
    slots, and some numbers are of nothing in a build.
    """

    blocks: dict[ProcKey, int] = field(default_factory=dict)
    slots: dict[int, list[int]] = field(default_factory=dict)
    used: int = 0  #: how many slots there are

    def block(self, key: ProcKey) -> int:
        """The number of a block."""
        return self.blocks.setdefault(key, len(self.blocks))

    def slot(self, proc: int, at: int) -> int:
        """The number of a block's slot, of which it has `at` before it."""
        numbers = self.slots.setdefault(proc, [])
        if at == len(numbers):
            numbers.append(self.used)
            self.used += 1
        return numbers[at]


#: Stands where a number is of no slot in this build.
NO_SLOT = Slot("unused", BOOLEAN, -1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for while a block was made: another block, and what it was given."""

    key: ProcKey
    params: tuple[tuple[str, Type], ...]
    fixed: tuple[tuple[str, Ir], ...]


@dataclass(slots=True)
class Builder:
    """Instructions, blocks and slots so far."""

    cx: Context
    numbering: Numbering = field(default_factory=Numbering)
    instrs: list[Instr] = field(default_factory=list)
    slots: dict[int, Slot] = field(default_factory=dict)
    #: how many slots each block has
    taken: dict[int, int] = field(default_factory=dict)
    procs: dict[int, Proc] = field(default_factory=dict)
    wanted: dict[ProcKey, Wanted] = field(default_factory=dict)
    queue: list[Wanted] = field(default_factory=list)
    streams: dict[str, None] = field(default_factory=dict)
    checks: dict[str, frozenset[str]] = field(default_factory=dict)
    #: what steps may write, with the step, by its identity, and what was read to find it
    written: dict[int, tuple[Mapping, frozenset[str], Notes | None]] = field(default_factory=dict)
    #: the blocks of effects performed as values, with their arguments, by level and value
    performed: dict[tuple[int, int], tuple[Wanted, tuple[Ir, ...]] | None] = field(default_factory=dict)
    #: which effects the names of blocks can hold, by slot; None where any can
    effects: dict[int, frozenset[int] | None] = field(default_factory=dict)
    #: chosen loops whose order may change nothing (see `commuting`)
    loops: list[Loop] = field(default_factory=list)
    #: what the block that is being made has asked for, in order
    wishes: list[Wish] = field(default_factory=list)
    #: how many steps the dearest expression of a block can need, where that was found when another build made it
    dearest: dict[int, int] = field(default_factory=dict)
    #: at which levels effects are performed as values, and which ones, in the instructions that were looked through
    _performing: dict[tuple[int, frozenset[int] | None], None] = field(default_factory=dict)
    _looked_through: int = 0

    def performing(self) -> list[tuple[int, frozenset[int] | None]]:
        """The levels at which effects are performed as values, each with those that are (None: any), in order."""
        for instr in self.instrs[self._looked_through :]:
            if instr.op == "callv":
                self._performing.setdefault((instr.args[1], instr.args[2]))
        self._looked_through = len(self.instrs)
        return list(self._performing)

    def emit(self, op: str, *args: Any, span: Span | None = None) -> int:
        """Appends an instruction and gives its number."""
        self.instrs.append(Instr(op, args, span))
        return len(self.instrs) - 1

    def slot(self, name: str, type: Type, proc: int, *, hidden: bool = False) -> int:
        """A new slot of a block; its number."""
        at = self.taken.get(proc, 0)
        number = self.numbering.slot(proc, at)
        self.taken[proc] = at + 1
        self.slots[number] = Slot(name, type, proc, hidden)
        return number

    def slots_of(self, proc: int, start: int = 0) -> list[int]:
        """The numbers of a block's slots, but for the first ones."""
        return self.numbering.slots.get(proc, [])[start : self.taken.get(proc, 0)]

    def stream(self, name: str) -> None:
        """Notes a stream of chance that the game has."""
        self.streams.setdefault(name)

    def local(self, name: str, type: Type, proc: int, *, hidden: bool = False) -> Local:
        """A new name of a block, to be read."""
        return Local(type=type, slot=self.slot(name, type, proc, hidden=hidden))

    def want(
        self, key: ProcKey, params: tuple[tuple[str, Type], ...], fixed: AbstractMapping[str, Ir] | None = None
    ) -> Wanted:
        """The block for a key, asked for now and made later; `fixed` are names that it is made for."""
        self.wishes.append(Wish(key, params, tuple((fixed or {}).items())))
        found = self.wanted.get(key)
        if found is None:
            proc = self.numbering.block(key)
            back = self.slot("back", Integer(0, MOST_INSTRUCTIONS), proc)
            locals_ = [self.local(name, t, proc) for name, t in params]
            names: dict[str, Ir] = {name: ir for (name, _), ir in zip(params, locals_, strict=True)}
            found = Wanted(proc, key, back, tuple(ir.slot for ir in locals_), names)
            self.wanted[key] = found
            self.queue.append(found)
        found.names.update(fixed or {})
        return found


@dataclass(slots=True)
class Block:
    """The block being lowered. `units` and `together` count those that are open in its text."""

    builder: Builder
    proc: int
    name: str
    kind: str
    lifted: frozenset[str] = frozenset()
    level: int = 0
    units: int = 0
    listed: int = 0
    """How many of these are only the rest of a list of the flow: nothing says what is done where it cannot be."""
    together: int = 0
    labels: set[str] = field(default_factory=set)
    action: str | None = None
    #: a choice in whose `then` or `else` a line is written, and whose line it is
    telling: tuple[Mapping, str] | None = None
    depth: int = 0
    loops: int = 0
    here: Span | None = None
    forgotten: set[int] = field(default_factory=set)

    @property
    def owner(self) -> str | None:
        """The effect or trigger being lowered, by its name in the content."""
        if self.kind in ("effect", "trigger"):
            return self.name.split("(", 1)[0].removeprefix("trigger ")
        return None

    @property
    def slots(self) -> int:
        """How many slots it has so far."""
        return self.builder.taken.get(self.proc, 0)

    @property
    def cx(self) -> Context:
        return self.builder.cx

    @property
    def passes_over(self) -> bool:
        """Whether a step that cannot be done is left out here by itself, and the next one follows: no unit is open.

        In the set-up that is a fault instead, and a block that is called is left as a whole.
        """
        return self.kind in FLOWS[1:] and not self.units

    def emit(self, op: str, *args: Any, span: Span | None = None) -> int:
        """Adds an instruction; its number."""
        if op in ("loop", "end_loop"):
            self._count_loops(1 if op == "loop" else -1)
        return self.builder.emit(op, *args, span=span)

    def _count_loops(self, by: int) -> None:
        """Reports loops that stand inside too many others, the outermost of those alone."""
        self.loops += by
        if by > 0 and self.loops == MOST_LOOPS + 1 and self.here is not None:
            self.cx.problems.add("RS616", self.here, most=MOST_LOOPS)

    def local(self, name: str, type: Type, *, hidden: bool = False) -> Local:
        """A new name of this block, to be read."""
        return self.builder.local(name, type, self.proc, hidden=hidden)

    def forget(self, slot: int) -> None:
        """Empties a slot that nothing reads any more."""
        self.forgotten.add(slot)
        self.emit("forget", slot)

    def set(self, local: Local, value: Ir, span: Span | None = None) -> None:
        """Adds the instruction that gives a name its value."""
        self.holds(local, value)
        self.emit("set", local.slot, value, span=span)

    def holds(self, local: Local, value: Ir) -> None:
        """Notes which effects a name can hold, where it holds effects."""
        from rulespec.lower.steps.calls import possible_effects

        t = strip(local.type)
        if isinstance(t.of if isinstance(t, ListType) else t, EffectType):
            self.builder.effects[local.slot] = possible_effects(self.cx.world, value, self.builder.effects)

    def lower(self, scope: Scope, node: Node, want: Type | None = None) -> Ir:
        """The lowered expression of a node; what the chooser may not see ends a look-ahead."""
        ir = self.cx.lower(node, scope, want)
        if reads_hidden(self.cx.world, ir):
            self.emit("horizon", "hidden", span=node.span)
        return ir

    def filter(self, scope: Scope, node: Node) -> Ir:
        """The lowered condition of a `where`."""
        test = self.lower(scope, node, BOOLEAN)
        written = self.cx.expr(node)
        if written is not None:
            note_filter(scope, written, test)
        return test


def base_scope(cx: Context, names: dict[str, Ir] | None = None) -> Scope:
    """What every step can name."""
    return Scope(cx.world, names or {}, me=ME, active=ACTIVE)


def lower_steps(block: Block, scope: Scope, node: Node | None, *, forgets: bool = True) -> Scope:
    """Lowers a list of steps in order; names stay in force until its end, and are then forgotten.

    A block's own list, at the end of which it returns, needs not forget; `forgets` False: the caller does.
    """
    start = block.slots
    block.depth += 1
    found = _lower_list(block, scope, node)
    block.depth -= 1
    if forgets and block.depth:
        forget_since(block, start, block.forgotten)
    return found


def forget_since(block: Block, start: int, known: AbstractSet[int] = frozenset()) -> None:
    """Empties the block's slots but for the first `start`, so that equal positions are equal states.

    Those `known` to be empty are left out. After a unit, which may be left from anywhere inside it, none is known.
    """
    for slot in block.builder.slots_of(block.proc, start):
        if slot not in known:
            block.forget(slot)


def _lower_list(block: Block, scope: Scope, node: Node | None) -> Scope:
    from rulespec.lower.steps.flow import close_unit, open_unit

    items = node.items if isinstance(node, Sequence) else ()
    inner, units, saved = scope, block.units, None
    for number, item in enumerate(items, 1):
        if not isinstance(item, Mapping):
            continue
        if len(block.builder.instrs) > MOST_INSTRUCTIONS:
            block.cx.problems.add("RS620", item.span, most=MOST_INSTRUCTIONS)
            return scope
        if len(inner.names) > MOST_NAMES:
            block.cx.problems.add("RS634", item.span, most=MOST_NAMES)
            return scope
        if units == block.units == 0 and needs_unit(block, item):
            saved = open_unit(block)
            block.listed += 1
        if block.units == 0 and _is_open_chance(block, item):
            inner = lower_step(block, inner, _with_rest(item, items[number:]))
            break
        inner = lower_step(block, inner, item)
    if saved is not None:
        block.listed -= 1
        close_unit(block, saved)
    return Scope(scope.world, scope.names, scope.me, scope.active, inner.narrowed & scope.narrowed)


def lower_step(block: Block, scope: Scope, step: Mapping) -> Scope:
    """Lowers one step; gives the scope of what follows: with its names, and without what it may have changed."""
    from rulespec.lower.steps.verbs import HANDLERS
    from rulespec.lower.steps.writes import after_step, before_step

    verb = verb_of(step)
    if step.broken:
        return scope.with_names(dict.fromkeys(_names_bound(step), BAD))
    value = step.get(verb.text) if verb is not None else None
    if verb is None or value is None:
        return scope
    scope = before_step(block, scope, step)
    block.here = verb.span
    return after_step(block, HANDLERS[verb.text](block, scope, step, value), step)


def _names_bound(step: Mapping) -> Iterator[str]:
    """The names that a step binds, as far as it could be read; whatever it mentions, where its verb could not."""
    if verb_of(step) is None:
        yield from step.broken
    for word in ("choose", "let", "each"):
        node = step.get(word)
        if isinstance(node, Mapping):
            yield from node.keys()
        elif isinstance(node, Scalar):
            yield node.text


def needs_unit(block: Block, item: Mapping) -> bool:
    """Outside every unit a choice begins one, to the end of its list: without a candidate all of it is skipped."""
    chance = block.cx.text(item.get("who")) == "chance"
    return block.kind in FLOWS and item.get("choose") is not None and item.get("else") is None and not chance


def _is_open_chance(block: Block, item: Mapping) -> bool:
    """Whether chance chooses one thing, outside every unit, and nothing says what is done where there is none.

    Not in the set-up, where nothing may be left out: there it is a fault (RS805).
    """
    by_chance = (
        block.kind in FLOWS[1:] and block.cx.text(item.get("who")) == "chance" and item.get("choose") is not None
    )
    return by_chance and not any(item.get(key) is not None for key in ("else", "exactly", "up_to"))


def _with_rest(item: Mapping, rest: tuple[Node, ...]) -> Mapping:
    """The choice with what follows it as its `then`: without a candidate, all of it is skipped."""

    def key(text: str) -> Scalar:
        return Scalar(item.span, text, "plain", text, item.span)

    branches = ((key("then"), Sequence(item.span, rest)), (key("else"), Sequence(item.span, ())))
    return replace(item, pairs=(*item.pairs, *branches))


def verb_of(item: Node) -> Scalar | None:
    """The key of a step that is its verb."""
    if not isinstance(item, Mapping):
        return None
    for key, _ in item.pairs:
        if key.text in VERBS:
            return key
    return None


def bind(block: Block, scope: Scope, key: Scalar | Node, name: str, ir: Ir) -> Scope:
    """The scope with one more name; a name in force cannot be taken again."""
    if scope.is_taken(name):
        block.cx.problems.add("RS307", key.span, name=name)
        return scope
    return scope.with_names({name: ir})
