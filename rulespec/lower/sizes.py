"""Bounds of a whole program: how deep its blocks nest, and how many bytes its state takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from collections.abc import Set as AbstractSet

from rulespec.lower.circles import in_order
from rulespec.lower.context import Context
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Instr, Ir, Proc, Program, Region
from rulespec.lower.repetition import BEFORE
from rulespec.lower.steps.builder import Builder
from rulespec.model.world import World, ZoneDecl
from rulespec.program.memory import not_remembered
from rulespec.program.ops import CLOSES_UNIT, OPENS_UNIT
from rulespec.source.text import Span

#: Units inside units, through all that is performed: what a state keeps of them has room for so many.
MOST_UNITS = 60
#: Answers that a look-ahead tries at most, where no expression in it may need more than `CHEAP` steps ...
LOOK_CAP, CHEAP = 20_000, 20_000
#: ... else as many as need so many steps, but not fewer than the least.
LOOK_WORK, LEAST_CAP = 60_000_000, 100
MOST_STATE = 64 * 1024  #: bytes of zones and regions together
LARGE_ZONE = 1024  #: bytes from which a zone gets a note


# ---- nesting ----------------------------------------------------------------------------------------


def check_nesting(builder: Builder, calls: AbstractMapping[int, AbstractSet[int]]) -> None:
    """Reports the first block through which too many units stand inside one another. No block may call itself."""
    depth: dict[int, int] = {}
    for proc in in_order(calls):
        depth[proc] = _depth(builder, builder.procs[proc], calls[proc], depth)
        if depth[proc] > MOST_UNITS:
            builder.cx.problems.add("RS613", _place(builder, builder.procs[proc]), most=MOST_UNITS)
            return


def _depth(builder: Builder, proc: Proc, callees: AbstractSet[int], depth: AbstractMapping[int, int]) -> int:
    """How many units are open at most in a block and in what it calls."""
    picked = max((depth.get(callee, 0) for callee in callees), default=0)
    deepest = units = 0
    for instr in builder.instrs[proc.entry : proc.end]:
        if instr.op in OPENS_UNIT:
            units += 1
        elif instr.op in CLOSES_UNIT:
            units -= 1
        inside = depth.get(instr.args[0], 0) if instr.op == "call" else picked if instr.op in ("callv", "check") else 0
        deepest = max(deepest, units + inside)
    return deepest


def _place(builder: Builder, proc: Proc) -> Span:
    """Where a block is declared, or its first step that has a place."""
    effect = builder.cx.world.effects.get(proc.name.split("(", 1)[0])
    if effect is not None:
        return effect.span
    spans = (instr.span for instr in builder.instrs[proc.entry : proc.end])
    return next((span for span in spans if span is not None), builder.cx.tree.span)


# ---- the look-ahead ---------------------------------------------------------------------------------


def look_cap(builder: Builder) -> int:
    """How many answers a look-ahead tries: fewer where what stands between two decisions may be costly."""
    kinds = ("action", "effect", "trigger", "check", "track", "effects")
    tested = {loop.test for loop in builder.loops}  # what stands there was put in afterwards
    worst = max(
        (
            dearest(builder.cx.costs, builder.instrs[proc.entry : proc.end])
            if (known := builder.dearest.get(proc.id)) is None or any(proc.entry <= at < proc.end for at in tested)
            else known
            for proc in builder.procs.values()
            if proc.kind in kinds
        ),
        default=0,
    )
    return LOOK_CAP if worst <= CHEAP else max(LEAST_CAP, LOOK_WORK // worst)


def dearest(costs: Costs, instrs: Iterable[Instr]) -> int:
    """How many steps the dearest expression of some instructions can need."""
    operands = (operand for instr in instrs for operand in instr.args if isinstance(operand, Ir))
    return max(map(costs.of, operands), default=0)


# ---- the state --------------------------------------------------------------------------------------


def check_state(cx: Context, program: Program) -> None:
    """Reports a state that takes too many bytes, at what takes most of them; notes zones that are large or forget."""
    sizes = [*zone_sizes(cx.world), *((_region_size(r), r.key, _region_place(cx.world, r)) for r in program.regions)]
    total = sum(size for size, _, _ in sizes)
    if total > MOST_STATE:
        size, name, span = max((s for s in sizes if s[2] is not None), key=lambda s: s[0], default=sizes[0])
        place = span or cx.tree.span
        cx.problems.add("RS614", place, total=f"{total:,}", most=f"{MOST_STATE:,}", name=name, size=f"{size:,}")
        return
    for size, name, span in zone_sizes(cx.world):
        if size > LARGE_ZONE and span is not None:
            unbounded = _has_no_bound(cx.world.zones[name])
            hint = "Say with `up_to` how many pieces a place holds at most." if unbounded else None
            cx.problems.add("RS615", span, hint=hint, name=name, size=f"{size:,}")
    for name in not_remembered(program.declared, program):
        if span := cx.world.zones[name].span:
            cx.problems.add("RS645", span, hint=_FORGOTTEN, zone=name)


_FORGOTTEN = "Where nobody would follow which piece is which, say so: `memory: none`."


def zone_sizes(w: World) -> Iterator[tuple[int, str, Span | None]]:
    """Bytes, key and place of each zone."""
    for zone in w.zones.values():
        kind = w.pieces[zone.holds]
        cells = {"slot": 1, "pool": kind.count, "stack": 1 + zone.room}[zone.shape]
        wide = kind.count > 254 or max(kind.supply, default=0) > 255 or zone.room > 255
        yield cells * zone.places * (2 if wide else 1), zone.key, zone.span


def _has_no_bound(zone: ZoneDecl) -> bool:
    up_to = getattr(zone.node, "get", lambda key: None)("up_to")
    return zone.shape == "stack" and up_to is None


def _region_size(region: Region) -> int:
    return region.places * next(n for n in (1, 2, 4, 8) if _fits(region, n) or n == 8)


def _fits(region: Region, width: int) -> bool:
    """Whether a cell of so many bytes holds every value."""
    if region.lowest >= 0:
        return region.high < 1 << (8 * width)
    half = 1 << (8 * width - 1)
    return -half <= region.lowest and region.high < half


def _region_place(w: World, region: Region) -> Span | None:
    if region.key in w.states:
        return w.states[region.key].span
    if region.key == BEFORE and w.repetition is not None:
        return w.repetition.span
    trigger = next((t for t in w.triggers if region.key == f"was {t.name}"), None)
    return None if trigger is None else trigger.span
