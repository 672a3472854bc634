"""Expressions made simpler before Python is written from them; what they mean stays the same.

Small functions are written out where they are called, a value that is used once stands where it is used, and whatever
depends on one member of a kind and on nothing of the state becomes a table, made once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from interpreter.middle.analysis.partition import fixed
from interpreter.middle.passes.numbering import number_asks
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower import make
from rulespec.lower.declared import Declared
from rulespec.lower.evaluate import MOST_STEPS, Evaluator, NotConstant, TooMuchWork
from rulespec.lower.ir import PARTS_OF, Ask, Const, Instr, Ir, Program, walk_ir
from rulespec.lower.substitute import substitute
from rulespec.model.types import Boolean, Integer, Member, strip

MOST_INSIDE = 40  #: nodes of a function that is written out where it is called
MOST_MEMBERS = 2_000
MOST_FOUND = 1_000_000  #: steps of finding values, for all expressions of a game together
LOOPS = (I.Comprehend, I.WalkIr, I.ReachIr)
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MEMBER = "\0member"  #: names the one member that an expression speaks of
UNKNOWN = -(1 << 62)  #: stands for a value that could not be found


class Simplifier:
    """Makes the expressions of one game simpler. `called` are functions that stay calls: they remember values."""

    def __init__(self, declared: Declared, called: set[str]):
        self._tables = dict(declared.tables)
        self.table_steps: dict[str, int] = {}  #: how many steps an entry of such a table stands for
        self.declared = replace(declared, tables=self._tables)  #: with the tables that are made here
        self.called = called
        self.bodies: dict[str, Ir] = {}
        self._open: set[str] = set()
        self._found: dict[Ir, str | None] = {}  #: by what is said of `MEMBER`: one expression stands in many places
        self._asks: dict[int, Ask] = {}
        #: by the identity of asks: a number for each, of those of a program that is made simpler later
        self.ask_numbers: dict[int, int] = {}
        self._evaluator = Evaluator(self.declared, self._written)
        self._evaluator.steps = MOST_STEPS - MOST_FOUND

    def _written(self, name: str) -> tuple[tuple[str, ...], Ir]:
        function = self.declared.functions[name]
        assert function.body is not None
        return tuple(f"{name}.{p}" for p, _ in function.params), function.body

    def all_bodies(self) -> None:
        """Makes all functions simpler."""
        for name in self.declared.functions:
            self.body(name)

    @property
    def has_found_all(self) -> bool:
        """Whether there was work enough for all values that were sought: then no order of seeking matters."""
        return self._evaluator.steps <= MOST_STEPS

    # ---- what is made simpler ----

    def body(self, name: str) -> Ir:
        """A function's expression."""
        if name not in self.bodies:
            self._open.add(name)
            self.bodies[name] = self.simple(self._written(name)[1])
            self._open.discard(name)
        return self.bodies[name]

    def later(self, program: Program) -> Program:
        """The same, each instruction when somebody looks at its operands."""
        self.ask_numbers = number_asks(program.instrs)
        return replace(program, instrs=tuple(_LaterInstr.of(i, self._operand) for i in program.instrs))

    def program(self, program: Program) -> Program:
        """All instructions; asks that were one stay one."""
        return replace(program, instrs=tuple(self._instr(i) for i in program.instrs))

    def _instr(self, instr: Instr) -> Instr:
        return replace(instr, args=tuple(self._operand(a) for a in instr.args))

    def _operand(self, value: Any) -> Any:
        if isinstance(value, Ir):
            return self.simple(value)
        if isinstance(value, Ask):
            if id(value) not in self._asks:
                made = self._asks[id(value)] = self._ask(value)
                self.ask_numbers[id(made)] = self.ask_numbers.get(id(value), -1)
            return self._asks[id(value)]
        if type(value) is tuple:
            return tuple(self._operand(v) for v in value)
        return value

    def _ask(self, ask: Ask) -> Ask:
        names = tuple(
            replace(
                n,
                source=self.simple(n.source),
                where=n.where and self.simple(n.where),
                where_parts=tuple(replace(part, test=self.simple(part.test)) for part in n.where_parts),
                if_possible=n.if_possible and self.simple(n.if_possible),
                seen=n.seen and self.simple(n.seen),
            )
            for n in ask.names
        )
        return replace(
            ask, names=names, amount=ask.amount and self.simple(ask.amount), alike=ask.alike and self.simple(ask.alike)
        )

    # ---- one expression ----

    def simple(self, node: Ir) -> Ir:
        """The expression made simpler, from the inside out."""
        changed: dict[str, Any] = {}
        for part in PARTS_OF[type(node)]:
            value = getattr(node, part)
            if isinstance(value, Ir):
                made = self.simple(value)
                if made is not value:
                    changed[part] = made
            elif isinstance(value, tuple):
                parts = tuple(self.simple(v) for v in value)
                if any(a is not b for a, b in zip(parts, value, strict=True)):
                    changed[part] = parts
        node = replace(node, **changed) if changed else node
        rewrite = _REWRITES.get(type(node))
        if rewrite is not None:
            node = rewrite(self, node)
        return self._as_table(node)

    def _as_table(self, node: Ir) -> Ir:
        """What depends on one member alone, and takes more than one step to find, as a table of its own."""
        if not _is_value(node) or _operations(node) < 2:
            return node
        leaf = _only_leaf(node)
        if leaf is None or not fixed(node):
            return node
        members = self.declared.domains[strip(leaf.type).domain].size  # type: ignore[attr-defined]
        if members > MOST_MEMBERS:
            return node
        of_member = _put(node, leaf, I.Var(type=leaf.type, name=MEMBER))
        if of_member not in self._found:
            self._found[of_member] = self._found_as_table(of_member, leaf, members)
        table = self._found[of_member]
        return node if table is None else I.Table(type=node.type, table=table, index=leaf)

    def _found_as_table(self, of_member: Ir, leaf: Ir, members: int) -> str | None:
        """The name of the table of an expression's values; None where one of them cannot be found."""
        if strip(leaf.type) != leaf.type and self._value(of_member, -1) != _none(of_member):
            return None
        values, most = [], 0
        for member in range(members):
            before = self._evaluator.steps
            values.append(self._value(of_member, member))
            most = max(most, self._evaluator.steps - before)
        return None if UNKNOWN in values else self._table(tuple(values), most + self._steps_inside(of_member))

    def _value(self, of_member: Ir, member: int) -> int:
        try:
            value = self._evaluator.value(of_member, {MEMBER: member})
        except (NotConstant, TooMuchWork, LookupError):
            return UNKNOWN
        return value if isinstance(value, int) else UNKNOWN

    def _steps_inside(self, node: Ir) -> int:
        return sum(self.table_steps.get(n.table, 0) for n in walk_ir(node) if isinstance(n, I.Table))

    def _table(self, values: tuple[int, ...], steps: int) -> str:
        name = "\0" + blake2b(repr(values).encode(), digest_size=12).hexdigest()
        self.table_steps[name] = max(steps, self.table_steps.get(name, 0))
        self._tables[name] = values
        return name


class _LaterInstr(Instr):
    """An instruction whose operands are made simpler when they are first asked for."""

    __slots__ = ("_made", "_plain", "_simple")
    _plain: tuple[Any, ...]
    _simple: Callable[[Any], Any]
    _made: tuple[Any, ...] | None

    @classmethod
    def of(cls, instr: Instr, simple: Callable[[Any], Any]) -> Instr:
        """The instruction with operands made simpler; itself where it has none that could be."""
        if not any(isinstance(arg, (Ir, Ask, tuple)) for arg in instr.args):
            return instr
        made = object.__new__(cls)
        for name, value in (
            ("op", instr.op),
            ("span", instr.span),
            ("_plain", instr.args),
            ("_simple", simple),
            ("_made", None),
        ):
            object.__setattr__(made, name, value)
        return made

    @property
    def args(self) -> tuple[Any, ...]:
        if self._made is None:
            object.__setattr__(self, "_made", tuple(map(self._simple, self._plain)))
            assert self._made is not None
        return self._made


def _none(node: Ir) -> int:
    return I.NO_INTEGER if isinstance(strip(node.type), Integer) else -1


def _is_value(node: Ir) -> bool:
    return isinstance(strip(node.type), (Integer, Boolean, Member)) and not isinstance(node, (Const, I.Var, I.Local))


def _operations(node: Ir) -> int:
    """How many steps it takes to find a value, about."""
    return sum(1 for n in walk_ir(node) if not isinstance(n, (Const, I.Var, I.Local)))


def _only_leaf(node: Ir) -> Ir | None:
    """The one member that an expression speaks of: a variable or a name of the running block."""
    if any(isinstance(n, LOOPS) for n in walk_ir(node)):
        return None
    leaves = {n for n in walk_ir(node) if isinstance(n, (I.Var, I.Local))}
    bound = {n.name for n in walk_ir(node) if isinstance(n, I.Let)}
    leaves = {n for n in leaves if not (isinstance(n, I.Var) and n.name in bound)}
    if len(leaves) != 1:
        return None
    leaf = leaves.pop()
    return leaf if isinstance(strip(leaf.type), Member) else None


def _put(node: Ir, leaf: Ir, var: I.Var) -> Ir:
    if node == leaf:
        return var
    changed: dict[str, Any] = {}
    for part in PARTS_OF[type(node)]:
        value = getattr(node, part)
        if isinstance(value, Ir):
            changed[part] = _put(value, leaf, var)
        elif isinstance(value, tuple):
            changed[part] = tuple(_put(v, leaf, var) for v in value)
    return replace(node, **changed) if changed else node


# ---- rewrites -------------------------------------------------------------------------------------------------------


def _not(_: Simplifier, n: I.NotIr) -> Ir:
    if isinstance(n.of, I.NotIr):
        return n.of.of
    if isinstance(n.of, I.Compare):
        return replace(n.of, op=OPPOSITE[n.of.op])
    return n


def _arith(_: Simplifier, n: I.Arith) -> Ir:
    neutral = {"+": 0, "-": 0, "*": 1, "//": 1}.get(n.op)
    if isinstance(n.right, Const) and n.right.value == neutral:
        return n.left
    if n.op in "+*" and isinstance(n.left, Const) and n.left.value == neutral:
        return n.right
    return n


def _let(s: Simplifier, n: I.Let) -> Ir:
    """A value that is named for nothing is not named; of a piece, its code is often enough."""
    code = _by_code(n)
    if code is not None:
        return s.simple(code)
    uses = Counter(v.name for v in walk_ir(n.body) if isinstance(v, I.Var))[n.name]
    again = any(_uses(loop, n.name) for loop in walk_ir(n.body) if isinstance(loop, LOOPS))
    if isinstance(n.value, (Const, I.Var, I.Local)) or (uses <= 1 and not again):
        return s.simple(substitute(n.body, {n.name: n.value}))
    return n


def _uses(node: Ir, name: str) -> bool:
    return any(isinstance(v, I.Var) and v.name == name for v in walk_ir(node))


def _by_code(n: I.Let) -> Ir | None:
    """`none if piece == none else table[code of piece]`, where none has no entry but none, as a look into the table."""
    body = n.body
    if not isinstance(n.value, I.ZoneRead) or not isinstance(body, I.If) or not isinstance(body.condition, I.Compare):
        return None
    test = body.condition
    if test.left != I.Var(type=test.left.type, name=n.name) or test.op not in ("==", "!="):
        return None
    missing, found = (body.then, body.otherwise) if test.op == "==" else (body.otherwise, body.then)
    if not isinstance(test.right, Const) or test.right.value != -1 or not isinstance(found, I.Table):
        return None
    code = found.index
    if not isinstance(code, I.CodeOf) or not isinstance(code.piece, I.Var) or code.piece.name != n.name:
        return None
    if not isinstance(missing, Const) or missing.value != _none(found):
        return None
    return replace(found, type=body.type, index=I.CodeOf(type=code.type, piece=n.value))


def _call(s: Simplifier, n: I.CallIr) -> Ir:
    if n.function in s.called or n.function in s._open:
        return n
    body = s.body(n.function)
    if sum(1 for _, _ in zip(walk_ir(body), range(MOST_INSIDE + 1), strict=False)) > MOST_INSIDE:
        return n
    params = s._written(n.function)[0]
    for param, arg in reversed(list(zip(params, n.args, strict=True))):
        body = _let(s, I.Let(type=body.type, name=param, value=arg, body=body))
    return body


def _within(_: Simplifier, n: I.Within) -> Ir:
    return make.within(n.value, n.type, n.span)


_REWRITES: dict[type[Ir], Callable[[Simplifier, Any], Ir]] = {
    I.NotIr: _not,
    I.Arith: _arith,
    I.Let: _let,
    I.CallIr: _call,
    I.Within: _within,
}
