"""What a condition is told by: the values that decide it, for whoever explains what was looked at."""

from __future__ import annotations

from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.make import none_value
from rulespec.model.types import ListType, Piece, Record, SetType, Zone, strip


def parts(ir: Ir, known: frozenset[str] = frozenset()) -> tuple[Ir, ...]:
    """The values that decide a condition: the sides of its comparisons, the functions it calls, what it asks for.

    `known` are the variables that have values where the condition stands.
    """
    found: list[Ir] = []
    _gather(ir, found)
    return tuple(dict.fromkeys(part for part in found if _is_telling(part, known)))


def _gather(ir: Ir, found: list[Ir]) -> None:
    if isinstance(ir, I.Logic):
        for item in ir.items:
            _gather(item, found)
    elif isinstance(ir, I.NotIr):
        _gather(ir.of, found)
    elif isinstance(ir, I.Compare) and _asks_whether_there(ir):
        found.append(ir)
    elif isinstance(ir, (I.Compare, I.Contains)):
        found += [_piece(side) for side in ((ir.left, ir.right) if isinstance(ir, I.Compare) else (ir.item,))]
    else:
        found.append(ir)
        found += [_piece(arg) for arg in ir.args] if isinstance(ir, I.CallIr) else []


def _asks_whether_there(ir: I.Compare) -> bool:
    """Whether a comparison tells only that something is there, and what it is may be hidden; of pieces see a side."""
    if not (isinstance(ir.right, I.Const) and ir.right.value == none_value(ir.right.type)):
        return False
    reads = (I.ZoneRead, I.Comprehend, I.CallIr, I.CallRow)
    return not isinstance(strip(ir.left.type), Piece) and any(isinstance(node, reads) for node in walk_ir(ir.left))


def _piece(ir: Ir) -> Ir:
    """A piece instead of its code."""
    return ir.piece if isinstance(ir, I.CodeOf) else ir


def _is_telling(ir: Ir, known: frozenset[str]) -> bool:
    """Whether a value is worth showing, and can be computed by itself."""
    if isinstance(ir, (I.Const, I.Whole, I.ZoneIr, I.Let)):
        return False
    bound = {n.name for n in walk_ir(ir) if isinstance(n, (I.Comprehend, I.WalkIr, I.ReachIr, I.Let))}
    if any(isinstance(n, I.Var) and n.name not in bound | known for n in walk_ir(ir)):
        return False
    return not isinstance(strip(ir.type), (ListType, SetType, Record, Zone))
