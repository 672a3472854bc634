"""What the lowering of one game shares: the declarations, the parsed expressions, the evaluator of constants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import ref

from rulespec.diagnostics.fixes import changed
from rulespec.diagnostics.model import Problem, Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression, parse_type
from rulespec.lower.cost import MOST_AT_LOAD, Costs, check_cost
from rulespec.lower.evaluate import Evaluator, NotConstant, OutsideRange, TooMuchWork
from rulespec.lower.expressions import lower, lower_as
from rulespec.lower.ir import NO_INTEGER, Const, Ir
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.model.types import (
    BOOLEAN,
    EFFECT,
    INTEGER,
    UNKNOWN,
    Formula,
    Integer,
    ListType,
    MapType,
    Member,
    Piece,
    SetType,
    Type,
    Unknown,
    optional,
    strip,
)
from rulespec.model.world import MOST_CHAINED, Circular, World
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

if TYPE_CHECKING:
    from rulespec.lower.versions import Versions

PLAIN_TYPES: dict[str, Type] = {"integer": INTEGER, "boolean": BOOLEAN, "effect": EFFECT}

#: What other languages call them.
_ELSEWHERE = {
    "int": ("integer", "Whole numbers are `integer`, or a range such as `0..20`."),
    "number": ("integer", "Whole numbers are `integer`, or a range such as `0..20`."),
    "bool": ("boolean", "`true` and `false` are of type `boolean`."),
}
MOST_DOMAIN = 4096
MOST_LIST = 4096
LARGEST = 2**31 - 1

_WORD = re.compile(r"[a-z][a-z0-9_]*")


def _broken_words(node: Mapping) -> Iterator[str]:
    for name in node.broken:
        yield from (name, *_WORD.findall(name))


def _broken_names(node: Node) -> Iterator[str]:
    if isinstance(node, Mapping):
        yield from _broken_words(node)
    for child in node.items if isinstance(node, Sequence) else ():
        yield from _broken_names(child)
    for _, child in node.pairs if isinstance(node, Mapping) else ():
        yield from _broken_names(child)


def maps_below(node: Node | None) -> Iterator[Mapping]:
    """All maps in a part of the tree, itself first."""
    if isinstance(node, Mapping):
        yield node
        for _, value in node.pairs:
            yield from maps_below(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from maps_below(item)


_Read = tuple[Node, ast.Expr | None, tuple[Problem, ...]]


#: sections that hold no expression which divides: their texts may hold the signs
_SPOKEN = ("messages", "terms", "rules", "book", "rulebooks", "scenarios", "source", "about")
_DIVISION = re.compile(r"(?<!:)//|%")


def _divides(node: Node) -> bool:
    if isinstance(node, Mapping):
        return any(key.text not in _SPOKEN and _divides(child) for key, child in node.pairs)
    if isinstance(node, Sequence):
        return any(map(_divides, node.items))
    return isinstance(node, Scalar) and _DIVISION.search(node.text) is not None


class Parsed:
    """Expressions and types by the node they were read from: each is parsed once, whatever is built from it.

    What is wrong with one is reported to everybody who asks for it, so that no build depends on which was the first.
    """

    def __init__(self) -> None:
        self._expressions: dict[int, _Read] = {}
        self._types: dict[int, _Read] = {}
        self._broken: dict[int, tuple[Node, frozenset[str]]] = {}
        self._divides: dict[int, tuple[Node, bool]] = {}
        self._maps: dict[int, tuple[Node, tuple[Mapping, ...]]] = {}

    def broken_in(self, tree: Mapping) -> frozenset[str]:
        """The names of everything in a tree that could not be read or is of a wrong form, which is reported."""
        if id(tree) not in self._broken:
            names = {*_broken_words(tree)}.union(*(self._broken_below(section) for _, section in tree.pairs))
            self._broken[id(tree)] = (tree, frozenset(names))
        return self._broken[id(tree)][1]

    def _broken_below(self, section: Node) -> frozenset[str]:
        """Those of one section, which several trees may share."""
        if id(section) not in self._broken:
            self._broken[id(section)] = (section, frozenset(_broken_names(section)))
        return self._broken[id(section)][1]

    def divides_in(self, tree: Mapping) -> bool:
        """Whether something in a tree may be a division."""
        if id(tree) not in self._divides:
            found = any(key.text not in _SPOKEN and self._divides_below(section) for key, section in tree.pairs)
            self._divides[id(tree)] = (tree, found)
        return self._divides[id(tree)][1]

    def _divides_below(self, section: Node) -> bool:
        if id(section) not in self._divides:
            self._divides[id(section)] = (section, _divides(section))
        return self._divides[id(section)][1]

    def maps_in(self, node: Node | None) -> tuple[Mapping, ...]:
        """All maps in a part of the tree, itself first."""
        if node is None:
            return ()
        if id(node) not in self._maps:
            self._maps[id(node)] = (node, tuple(maps_below(node)))
        return self._maps[id(node)][1]

    def expression(self, node: Node, problems: Problems) -> ast.Expr | None:
        """What stands in a node, as an expression; None after a report. Each node is parsed once."""
        return _read(self._expressions, parse_expression, node, problems)

    def type(self, node: Node, problems: Problems) -> ast.Expr | None:
        """What stands in a node, as a type; None after a report. Each node is parsed once."""
        return _read(self._types, parse_type, node, problems)


def _read(
    known: dict[int, _Read],
    parse: Callable[[Node, Problems], ast.Expr | None],
    node: Node,
    problems: Problems,
) -> ast.Expr | None:
    read = known.get(id(node))
    if read is None:
        found = Problems()
        expression = parse(node, found)
        read = known[id(node)] = node, expression, found.items
    if read[2]:
        problems.extend(read[2])
    return read[1]


def _weakly(cx: Context) -> Callable[[str], tuple[tuple[str, ...], Ir]]:
    """Gives bodies of functions and does not hold the context, which holds whoever asks: no circle is made."""
    held = ref(cx)

    def body_of(name: str) -> tuple[tuple[str, ...], Ir]:
        found = held()
        if found is None:
            raise ReferenceError(name)
        return found.body_of(name)

    return body_of


class Context:
    """One build: a world being filled from one resolved tree."""

    def __init__(self, tree: Mapping, world: World, parsed: Parsed):
        self.tree = tree
        self.world = world
        self.parsed = parsed
        self.problems = world.problems
        self.evaluator = Evaluator(world, _weakly(self))
        self.versions: Versions | None = None  #: what tells whether something is as in another build of a check
        self.steps_to_declare = 0  #: of computing tables, until all was declared
        self.costs = Costs(world)
        self.formulas: dict[str, dict[str, Ir]] = {}
        self.logged: dict[str, dict[str, Type]] = {}
        self.watched = world.watched

    # ---- reading the tree ----

    def part(self, name: str) -> Node | None:
        """A section as it is written; it is noted that it is read."""
        if self.world.reads is not None:
            self.world.reads.note(("tree", name, None))
        return self.tree.get(name)

    def steps_of(self, section: str, name: str, node: Node) -> Node | None:
        """The steps of an effect, an action (both `effects`) or a trigger; it is noted that they are read."""
        if self.world.reads is not None:
            self.world.reads.note(("do", section, name))
        return self.field(node, "do")

    def holds(self, section: str, verb: str) -> bool:
        """Whether a step with this verb stands in a section; it is noted that this alone is read."""
        if self.world.reads is not None:
            self.world.reads.note(("holds", section, verb))
        node = self.tree.get(section)
        return node is not None and holds_verb(node, verb)

    def word(self, section: str, name: str) -> str:
        """What stands under a key of a section, as a text; it is noted that this alone is read."""
        if self.world.reads is not None:
            self.world.reads.note(("word", section, name))
        return self.text(self.field(self.tree.get(section), name))

    def section(self, name: str) -> list[tuple[Scalar, Node]]:
        """The entries of a section, or none."""
        node = self.tree.get(name)
        return list(node.pairs) if isinstance(node, Mapping) else []

    def steps(self, node: Node | None) -> list[Node]:
        """The steps of a list; none where there is no list."""
        return list(node.items) if isinstance(node, Sequence) else []

    def conditions(self, node: Node | None) -> list[Node]:
        """The conditions of a list such as `checks`, where each stands alone or as `is` of a map."""
        found = [item.get("is") if isinstance(item, Mapping) else item for item in self.steps(node)]
        return [item for item in found if item is not None]

    def expr(self, node: Node) -> ast.Expr | None:
        """What stands in a node, as an expression; None after a report."""
        return self.parsed.expression(node, self.problems)

    # ---- expressions ----

    def lower(self, node: Node, scope: Scope, want: Type | None = None) -> Ir:
        """The lowered expression of a node, of type `want` where that is given."""
        e = self.expr(node)
        if e is None:
            return BAD
        try:
            made = lower(scope, e) if want is None else lower_as(scope, e, want)
            return made if bad(made) or check_cost(self.costs, made, node.span, self.problems) else BAD
        except Circular:
            raise
        except RecursionError:
            self.too_long(node.span)
            return BAD

    def too_long(self, span: Span, name: str = "This") -> None:
        """Reports what hangs on too many other declarations, one on the next."""
        what = f"it hangs on more than {MOST_CHAINED} other declarations, each on the next"
        self.problems.add("RS720", span, name=name, what=what)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Lets expressions be lowered a second time, for something else than their faults."""
        kept = self.world.problems, self.problems
        self.world.problems = self.problems = Problems()
        try:
            yield
        finally:
            self.world.problems, self.problems = kept

    def is_cheap(self, ir: Ir, node: Node, times: int) -> bool:
        """Whether a table made by reading `ir` so many times needs no more work than is allowed; else a report."""
        return check_cost(self.costs, ir, node.span, self.problems, times, MOST_AT_LOAD)

    def constant(self, node: Node, want: Type, names: dict[str, Ir] | None = None) -> Any:
        """The value of an expression that needs no state; None after a report."""
        scope = Scope(self.world, names or {}, constant=True)
        value, t = self.evaluate(self.lower(node, scope, want), node.span), strip(want)
        if isinstance(t, Integer) and isinstance(value, int) and value != NO_INTEGER and not t.holds(value):
            self.problems.add("RS314", node.span, value=value, low=t.low, high=t.high)
            return None
        return value

    def evaluate(self, ir: Ir, span: Span, env: dict[str, Any] | None = None) -> Any:
        """A constant's value; None after a report."""
        if isinstance(ir.type, Unknown):
            return None
        try:
            value = ir.value if isinstance(ir, Const) else self.evaluator.value(ir, env or {})
            return value if self._is_small(value, ir.type, span) else None
        except OutsideRange as fault:
            low, high = fault.declared.low, fault.declared.high
            self.problems.add("RS314", fault.span or span, value=fault.value, low=low, high=high)
        except NotConstant:
            self.problems.add("RS315", span, what="this value")
        except TooMuchWork:
            self.problems.add("RS701", span)
        except Circular as cycle:
            self.problems.add("RS702", span, name=str(cycle) or "this value")
        except RecursionError:
            self.too_long(span)
        except KeyError:
            return None
        return None

    def _is_small(self, value: Any, t: Type, span: Span) -> bool:
        """Whether an integer has at most 32 bits; else a report."""
        if not isinstance(t, Integer) or not isinstance(value, int) or -LARGEST <= value <= LARGEST:
            return True
        shown = value if abs(value) < 10**20 else f"A number of {len(str(abs(value)))} digits"
        self.problems.add("RS314", span, value=shown, low=-LARGEST, high=LARGEST)
        return False

    def body_of(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """Parameters and body of a function, lowered when first asked for."""
        from rulespec.lower.callables import function_body

        return function_body(self, name)

    # ---- types ----

    def type(self, node: Node | None, default: Type = UNKNOWN) -> Type:
        """The type that a node writes."""
        if node is None:
            return default
        e = self.parsed.type(node, self.problems)
        return UNKNOWN if e is None else self._type(e)

    def _type(self, e: ast.Expr) -> Type:
        if isinstance(e, ast.TypeName):
            return self._named(e)
        if isinstance(e, ast.TypeRange):
            return self._range(e)
        if isinstance(e, ast.TypeOptional):
            return optional(self._type(e.of))
        if isinstance(e, ast.TypeMany):
            return self._many(e)
        if isinstance(e, ast.TypeMap):
            return MapType(self._type(e.value), self._key(e.key))
        assert isinstance(e, ast.TypeFormula)
        params = tuple(self._named_type(p, e.span) for p in e.params)
        return Formula(params, self._type(e.returns))

    def _named(self, e: ast.TypeName) -> Type:
        return self._named_type(e.name, e.span)

    def _named_type(self, name: str, span: Span) -> Type:
        if name in PLAIN_TYPES:
            return PLAIN_TYPES[name]
        if name in self.world.domains:
            return Member(name)
        if name in self.world.pieces:
            return Piece(name)
        known = [*PLAIN_TYPES, *self.world.domains, *self.world.pieces]
        if name in _ELSEWHERE and name not in self.world.broken:
            meant, hint = _ELSEWHERE[name]
            self.problems.add("RS308", span, name=name, hint=hint, fixes=(changed(span, meant),))
        else:
            self.world.unknown("RS308", span, name, known)
        return UNKNOWN

    def _range(self, e: ast.TypeRange) -> Type:
        if isinstance(e.high, int):
            high = e.high
        else:
            value = self.world.values.get(e.high)
            if not isinstance(value, Const) or not isinstance(value.value, int):
                otherwise = "The upper end is a number or a constant of `values`."
                self.world.unknown("RS301", e.span, e.high, self.world.values, otherwise)
                return UNKNOWN
            high = value.value
        if high < e.low:
            self.problems.add("RS303", e.span, expected="a range from low to high", found=f"{e.low}..{high}")
            return UNKNOWN
        return Integer(e.low, high)

    def _many(self, e: ast.TypeMany) -> Type:
        of = self._type(e.of)
        if e.op == "set":
            if isinstance(of, Member):
                return SetType(of)
            if not isinstance(of, Unknown):
                self.problems.add("RS303", e.of.span, expected="a kind of members", found=str(of))
            return UNKNOWN
        return ListType(of, self.most(of))

    def most(self, of: Type) -> int:
        """How long a declared list of a type can get: each member once, each piece once."""
        if isinstance(of, Member):
            return self.world.domains[of.domain].size
        if isinstance(of, Piece):
            return sum(self.world.pieces[of.kind].supply)
        return MOST_LIST

    def _key(self, e: ast.Expr) -> Type:
        if isinstance(e, ast.TypeName) and e.name == "player_count":
            low, high = self.world.noted("player_range")
            return Integer(low, high)
        key = self._type(e)
        if isinstance(key, Integer) and (count := key.count) > MOST_DOMAIN:
            self.problems.add("RS705", e.span, name=e.span.text, count=count, most=MOST_DOMAIN)
            return UNKNOWN
        return key

    # ---- fields ----

    def field(self, node: Node | None, name: str) -> Node | None:
        """The node under a key of a map; None where there is neither."""
        return node.get(name) if isinstance(node, Mapping) else None

    def text(self, node: Node | None, default: str = "") -> str:
        """The text of a plain value, else `default`."""
        return node.text if isinstance(node, Scalar) else default

    def integer(self, node: Node | None, default: int, names: dict[str, Ir] | None = None) -> int:
        """A constant integer field."""
        if node is None:
            return default
        value = self.constant(node, INTEGER, names)
        return default if value is None else value


def holds_verb(node: Node, verb: str) -> bool:
    """Whether a step with this verb stands somewhere inside; one that could not be read may be such a step."""
    if isinstance(node, Mapping) and (node.get(verb) is not None or node.broken):
        return True
    children = [v for _, v in node.pairs] if isinstance(node, Mapping) else list(getattr(node, "items", ()))
    return any(holds_verb(c, verb) for c in children)


def bad(ir: Ir) -> bool:
    """Whether an expression had a fault, which was reported: nothing more is said of it."""
    return isinstance(ir.type, Unknown)


@contextmanager
def reporting(cx: Context, problems: Problems) -> Iterator[None]:
    """Problems of what is lowered meanwhile go to `problems`."""
    kept = cx.world.problems
    cx.world.problems = cx.problems = problems
    try:
        yield
    finally:
        cx.world.problems = cx.problems = kept
