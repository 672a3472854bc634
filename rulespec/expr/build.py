"""What the parser calls at each reduction: grammar rules become tree nodes, with the places of their tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from lark import Token

from rulespec.expr import ast
from rulespec.source.text import SourceFile, Span

#: Largest number that can be written: what fits into 32 bits.
LARGEST_NUMBER = 2**31 - 1

Part = Any  # a token or an already built node; the grammar decides which stands where
Parts = list[Part]


class Builder:
    """One method for each rule of `expr.lark`; children are tokens and nodes in the order of the text.

    `too_large` collects the numbers that the grammar lets pass and the language does not.
    `made` counts the nodes, so that only large expressions need their depth measured.
    """

    def __init__(self) -> None:
        self.file = SourceFile.of("", "")
        self.begin_at = 0
        self.too_large: list[Span] = []
        self.made = 0

    def begin(self, span: Span) -> None:
        """Get ready for the expression that stands at `span`."""
        self.file = span.file
        self.begin_at = span.start
        self.too_large = []
        self.made = 0

    # ---- places -----------------------------------------------------------------------------------

    def _span(self, parts: Parts) -> Span:
        """From the first part to the last."""
        self.made += 1
        first, last = parts[0], parts[-1]
        begin = self._place(first) if isinstance(first, Token) else first.span
        end = self._place(last) if isinstance(last, Token) else last.span
        return Span(self.file, begin.start, end.end)

    def _place(self, token: Token) -> Span:
        return self._between(token, token)

    def _between(self, first: Token, last: Token) -> Span:
        """Tokens know where they stand in the expression."""
        begin, end = cast("int", first.start_pos), cast("int", last.end_pos)
        return Span(self.file, self.begin_at + begin, self.begin_at + end)

    # ---- values -----------------------------------------------------------------------------------

    def if_else(self, parts: Parts) -> ast.Expr:
        return ast.IfElse(span=self._span(parts), condition=parts[1], then=parts[3], otherwise=parts[5])

    def or_(self, parts: Parts) -> ast.Expr:
        return ast.Logic(span=self._span(parts), op="or", items=tuple(parts[::2]))

    def and_(self, parts: Parts) -> ast.Expr:
        return ast.Logic(span=self._span(parts), op="and", items=tuple(parts[::2]))

    def not_(self, parts: Parts) -> ast.Expr:
        return ast.Not(span=self._span(parts), of=parts[1])

    def _binary(self, parts: Parts) -> ast.Expr:
        left, op, right = parts
        return ast.Binary(span=self._span(parts), op=op.value, left=left, right=right, op_span=self._place(op))

    compare = is_in = otherwise = range = sum_ = product = _binary

    def not_in(self, parts: Parts) -> ast.Expr:
        left, not_, in_, right = parts
        return ast.Binary(span=self._span(parts), op="not_in", left=left, right=right, op_span=self._between(not_, in_))

    def negative(self, parts: Parts) -> ast.Expr:
        return ast.Negative(span=self._span(parts), of=parts[1])

    def exists(self, parts: Parts) -> ast.Expr:
        return ast.Exists(span=self._span(parts), of=parts[1])

    def without(self, parts: Parts) -> ast.Expr:
        effect, _, label = parts
        span = self._span(parts)
        return ast.Without(span=span, effect=effect, label=label.value, label_span=self._place(label))

    def get(self, parts: Parts) -> ast.Expr:
        of, _, name = parts
        return ast.Get(span=self._span(parts), of=of, name=name.value, name_span=self._place(name))

    def call(self, parts: Parts) -> ast.Expr:
        args = parts[2] if len(parts) == 4 else ()
        return ast.Call(span=self._span(parts), of=parts[0], args=args)

    def index(self, parts: Parts) -> ast.Expr:
        return ast.Index(span=self._span(parts), of=parts[0], args=parts[2])

    def args(self, parts: Parts) -> tuple[ast.Expr, ...]:
        return tuple(parts[::2])

    def number(self, parts: Parts) -> ast.Expr:
        return ast.Number(span=self._span(parts), value=self._number(parts[0]))

    def _number(self, token: Token) -> int:
        """The value of digits; what is too large is noted, and counts as nothing."""
        digits = token.value.lstrip("0") or "0"
        if len(digits) <= 10 and int(digits) <= LARGEST_NUMBER:
            return int(digits)
        self.too_large.append(self._place(token))
        return 0

    def true(self, parts: Parts) -> ast.Expr:
        return ast.Truth(span=self._span(parts), value=True)

    def false(self, parts: Parts) -> ast.Expr:
        return ast.Truth(span=self._span(parts), value=False)

    def nothing(self, parts: Parts) -> ast.Expr:
        return ast.Nothing(span=self._span(parts))

    def name(self, parts: Parts) -> ast.Expr:
        return ast.Name(span=self._span(parts), name=parts[0].value)

    def group(self, parts: Parts) -> ast.Expr:
        """The expression itself, with the brackets in its place, so that what stands around it has the right place."""
        inner: ast.Expr = parts[1]
        return replace(inner, span=self._span(parts))

    def list_of(self, parts: Parts) -> ast.Expr:
        return ast.ListOf(span=self._span(parts), items=parts[1] if len(parts) == 3 else ())

    # ---- closed operators -------------------------------------------------------------------------

    def each(self, parts: Parts) -> ast.Each:
        name, source = parts[0], parts[2]
        where = parts[4] if len(parts) == 5 else None
        return ast.Each(name=name.value, name_span=self._place(name), source=source, where=where)

    def select(self, parts: Parts) -> ast.Expr:
        return ast.Select(span=self._span(parts), op=parts[0].value, each=parts[2])

    def fold(self, parts: Parts) -> ast.Expr:
        return ast.Fold(span=self._span(parts), op=parts[0].value, value=parts[2], each=parts[4])

    def pick_of(self, parts: Parts) -> ast.Expr:
        return ast.PickOf(span=self._span(parts), op=parts[0].value, items=tuple(parts[2:-1:2]))

    def best(self, parts: Parts) -> ast.Expr:
        return ast.Best(span=self._span(parts), op=parts[0].value, each=parts[2], by=parts[4])

    def longest(self, parts: Parts) -> ast.Expr:
        return ast.Longest(span=self._span(parts), each=parts[2])

    def stretch(self, parts: Parts) -> ast.Expr:
        return ast.Stretch(span=self._span(parts), each=parts[2], around=parts[4])

    def walk(self, parts: Parts) -> ast.Expr:
        name = parts[2]
        place = self._place(name)
        return ast.Walk(span=self._span(parts), name=name.value, name_span=place, start=parts[4], step=parts[6])

    def reach(self, parts: Parts) -> ast.Expr:
        name = parts[2]
        return ast.Reach(
            span=self._span(parts),
            name=name.value,
            name_span=self._place(name),
            start=parts[4],
            via=parts[6],
            cost=parts[8],
            within=parts[10],
        )

    # ---- types ------------------------------------------------------------------------------------

    def type_formula(self, parts: Parts) -> ast.Expr:
        names = tuple(part.value for part in parts[1:-3] if part.type == "NAME")
        return ast.TypeFormula(span=self._span(parts), params=names, returns=parts[-1])

    def type_map(self, parts: Parts) -> ast.Expr:
        return ast.TypeMap(span=self._span(parts), value=parts[0], key=parts[2])

    def type_optional(self, parts: Parts) -> ast.Expr:
        return ast.TypeOptional(span=self._span(parts), of=parts[0])

    def type_many(self, parts: Parts) -> ast.Expr:
        return ast.TypeMany(span=self._span(parts), op=parts[0].value, of=parts[2])

    def type_range(self, parts: Parts) -> ast.Expr:
        low, _, high = parts
        high_value = high.value if high.type == "NAME" else self._number(high)
        return ast.TypeRange(span=self._span(parts), low=self._number(low), high=high_value)

    def type_name(self, parts: Parts) -> ast.Expr:
        return ast.TypeName(span=self._span(parts), name=parts[0].value)
