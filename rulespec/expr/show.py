"""Writing an expression tree as text again: one canonical form, which parses to an equal tree."""

from __future__ import annotations

from rulespec.expr import ast

# How tightly each kind of expression binds: the levels of `expr.lark`, loosest first.
_IF, _OR, _AND, _NOT, _COMPARISON, _OTHERWISE, _RANGE, _SUM, _PRODUCT, _PREFIX, _WITHOUT, _ATOM = range(12)

_BINARY = {
    "otherwise": _OTHERWISE,
    "..": _RANGE,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "//": _PRODUCT,
    "%": _PRODUCT,
}
_LEFT_TO_RIGHT = frozenset({_SUM, _PRODUCT})


def show(expr: ast.Expr) -> str:
    """The canonical text of an expression or a type: single blanks, and no bracket that is not needed."""
    return _show(expr)[0]


def _at(expr: ast.Expr, level: int) -> str:
    """`expr` where something at least as tight as `level` must stand."""
    text, own = _show(expr)
    return text if own >= level else f"({text})"


def _show(expr: ast.Expr) -> tuple[str, int]:
    """The text, and how tightly it binds."""
    match expr:
        case ast.Binary():
            return _binary(expr)
        case ast.Logic():
            level = _OR if expr.op == "or" else _AND
            return f" {expr.op} ".join(_at(item, level + 1) for item in expr.items), level
        case ast.Not():
            return f"not {_at(expr.of, _NOT)}", _NOT
        case ast.Negative():
            return f"-{_at(expr.of, _PREFIX)}", _PREFIX
        case ast.Exists():
            return f"exists {_at(expr.of, _WITHOUT)}", _PREFIX
        case ast.Without():
            return f"{_at(expr.effect, _WITHOUT)} without {expr.label}", _WITHOUT
        case ast.IfElse():
            return f"if {show(expr.condition)} then {show(expr.then)} else {show(expr.otherwise)}", _IF
        case _:
            return _atom(expr), _ATOM


def _binary(expr: ast.Binary) -> tuple[str, int]:
    level = _BINARY.get(expr.op, _COMPARISON)
    left = _at(expr.left, level if level in _LEFT_TO_RIGHT else level + 1)
    right = _at(expr.right, level + 1)
    sign = ".." if expr.op == ".." else f" {expr.op.replace('_', ' ')} "
    return f"{left}{sign}{right}", level


def _atom(expr: ast.Expr) -> str:
    match expr:
        case ast.Number():
            return str(expr.value)
        case ast.Truth():
            return "true" if expr.value else "false"
        case ast.Nothing():
            return "none"
        case ast.Name():
            return expr.name
        case ast.ListOf():
            return f"[{_list(expr.items)}]"
        case ast.Get():
            return f"{_at(expr.of, _ATOM)}.{expr.name}"
        case ast.Call():
            return f"{_at(expr.of, _ATOM)}({_list(expr.args)})"
        case ast.Index():
            return f"{_at(expr.of, _ATOM)}[{_list(expr.args)}]"
        case _:
            return _closed(expr)


def _closed(expr: ast.Expr) -> str:
    match expr:
        case ast.Select():
            return f"{expr.op}({_each(expr.each)})"
        case ast.Fold():
            return f"{expr.op}({show(expr.value)} for {_each(expr.each)})"
        case ast.PickOf():
            return f"{expr.op}({_list(expr.items)})"
        case ast.Best():
            return f"{expr.op}({_each(expr.each)} by {show(expr.by)})"
        case ast.Longest():
            return f"longest({_each(expr.each)})"
        case ast.Stretch():
            return f"stretch({_each(expr.each)} around {show(expr.around)})"
        case ast.Walk():
            return f"walk({expr.name} from {show(expr.start)} step {show(expr.step)})"
        case ast.Reach():
            way = f"via {show(expr.via)} cost {show(expr.cost)} within {show(expr.within)}"
            return f"reach({expr.name} from {show(expr.start)} {way})"
        case _:
            return _type(expr)


def _type(expr: ast.Expr) -> str:
    match expr:
        case ast.TypeName():
            return expr.name
        case ast.TypeRange():
            return f"{expr.low}..{expr.high}"
        case ast.TypeOptional():
            return f"{show(expr.of)} or none"
        case ast.TypeMany():
            return f"{expr.op} of {show(expr.of)}"
        case ast.TypeMap():
            return f"{show(expr.value)} by {show(expr.key)}"
        case ast.TypeFormula():
            return f"({', '.join(expr.params)}) -> {show(expr.returns)}"
        case _:
            raise TypeError(f"no text is known for {type(expr).__name__}")


def _list(items: tuple[ast.Expr, ...]) -> str:
    return ", ".join(show(item) for item in items)


def _each(each: ast.Each) -> str:
    where = "" if each.where is None else f" where {show(each.where)}"
    return f"{each.name} in {show(each.source)}{where}"
