"""Pieces as `==` compares them: by what they are, whichever face is up."""

from __future__ import annotations

from rulespec.lower import make
from rulespec.lower.ir import Comprehend, Const, Ir, ListIr, Var
from rulespec.lower.scope import Scope
from rulespec.model.types import Integer, ListType, Piece, strip


def plain_codes(scope: Scope, items: Ir) -> Ir:
    """A list of pieces as the codes that `==` compares; anything else as it is."""
    if not isinstance(items.type, ListType) or not isinstance(strip(items.type.of), Piece):
        return items
    of = items.type.of
    known: tuple[Ir, ...] = items.items if isinstance(items, ListIr) else ()
    if isinstance(items, Const) and isinstance(items.value, tuple):
        known = tuple(make.const(value, of) for value in items.value)
    if known:
        codes = [plain_code(scope, make.none_as(item, of)) for item in known]
        return make.list_of(codes, codes[0].type)
    var = Var(type=of, name=make.fresh("piece"))
    code = plain_code(scope, var)
    return Comprehend(type=ListType(code.type, items.type.most), op="list", name=var.name, source=items, value=code)


def plain_code(scope: Scope, ir: Ir) -> Ir:
    """The code of a piece with its face left out: what `==` compares."""
    of = strip(ir.type)
    if not isinstance(of, Piece):  # one that is wrong, which is reported
        return ir
    code = make.code_of(ir)
    kind = scope.world.pieces[of.kind]
    if len(kind.faces) < 2:
        return code
    return make.table_at(scope.world, f"piece.{kind.name}.plain", code, Integer(0, None))
