"""Expression and type trees made by the grammar's rules, for property tests: only trees that a text can say."""

from __future__ import annotations

from hypothesis import strategies as st

from rulespec.expr import ast
from rulespec.expr.words import WORDS
from rulespec.source.text import SourceFile, Span

NOWHERE = Span(SourceFile.of("", ""), 0, 0)

letters = "abcdefghijklmnopqrstuvwxyz"
any_names = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True) | st.sampled_from(sorted(WORDS))
names = any_names.filter(lambda name: name not in WORDS)
numbers = st.integers(min_value=0, max_value=2**31 - 1)


def _some(items: st.SearchStrategy[ast.Expr], low: int, high: int = 3) -> st.SearchStrategy[tuple[ast.Expr, ...]]:
    return st.lists(items, min_size=low, max_size=high).map(tuple)


leaves: st.SearchStrategy[ast.Expr] = st.one_of(
    st.builds(ast.Name, span=st.just(NOWHERE), name=names),
    st.builds(ast.Number, span=st.just(NOWHERE), value=numbers),
    st.builds(ast.Truth, span=st.just(NOWHERE), value=st.booleans()),
    st.just(ast.Nothing(span=NOWHERE)),
)


def _eaches(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Each]:
    return st.builds(ast.Each, name=names, name_span=st.just(NOWHERE), source=inner, where=st.none() | inner)


def _and_or(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    return st.builds(ast.Logic, span=st.just(NOWHERE), op=st.sampled_from(["and", "or"]), items=_some(inner, 2))


def _closed(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    here = {"span": st.just(NOWHERE)}
    each = _eaches(inner)
    variable = {"name": names, "name_span": st.just(NOWHERE)}
    folds = st.sampled_from(["sum", "all", "list", "set", "min", "max"])
    return st.one_of(
        st.builds(ast.Select, **here, op=st.sampled_from(["count", "any", "first"]), each=each),
        st.builds(ast.Fold, **here, op=folds, value=inner, each=each),
        st.builds(ast.PickOf, **here, op=st.sampled_from(["min", "max"]), items=_some(inner, 2)),
        st.builds(ast.Best, **here, op=st.sampled_from(["most", "least", "sort"]), each=each, by=inner),
        st.builds(ast.Longest, **here, each=each),
        st.builds(ast.Stretch, **here, each=each, around=inner),
        st.builds(ast.Walk, **here, **variable, start=inner, step=inner),
        st.builds(ast.Reach, **here, **variable, start=inner, via=inner, cost=inner, within=inner),
    )


def _operators(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    here = {"span": st.just(NOWHERE)}
    signs = "+ - * // % .. otherwise == != < <= > >= in not_in".split()
    return st.one_of(
        st.builds(ast.Binary, **here, op=st.sampled_from(signs), left=inner, right=inner, op_span=st.just(NOWHERE)),
        _and_or(inner),
        st.builds(ast.Not, **here, of=inner),
        st.builds(ast.Negative, **here, of=inner),
        st.builds(ast.Exists, **here, of=inner),
        st.builds(ast.Without, **here, effect=inner, label=names, label_span=st.just(NOWHERE)),
        st.builds(ast.IfElse, **here, condition=inner, then=inner, otherwise=inner),
    )


def _readings(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    here = {"span": st.just(NOWHERE)}
    return st.one_of(
        st.builds(ast.Get, **here, of=inner, name=any_names, name_span=st.just(NOWHERE)),
        st.builds(ast.Call, **here, of=inner, args=_some(inner, 0)),
        st.builds(ast.Index, **here, of=inner, args=_some(inner, 1)),
        st.builds(ast.ListOf, **here, items=_some(inner, 0)),
    )


expressions: st.SearchStrategy[ast.Expr] = st.recursive(
    leaves, lambda inner: st.one_of(_operators(inner), _readings(inner), _closed(inner)), max_leaves=12
)

# ---- types: their rules allow less nesting ----------------------------------------------------------

_simple_types: st.SearchStrategy[ast.Expr] = st.one_of(
    st.builds(ast.TypeName, span=st.just(NOWHERE), name=names),
    st.builds(ast.TypeRange, span=st.just(NOWHERE), low=numbers, high=numbers | names),
)
_optional_types = st.builds(ast.TypeOptional, span=st.just(NOWHERE), of=_simple_types)
_inner_types: st.SearchStrategy[ast.Expr] = st.recursive(
    _simple_types | _optional_types,
    lambda inner: st.builds(ast.TypeMany, span=st.just(NOWHERE), op=st.sampled_from(["list", "set"]), of=inner),
    max_leaves=4,
)
types: st.SearchStrategy[ast.Expr] = st.one_of(
    _inner_types,
    st.builds(ast.TypeMap, span=st.just(NOWHERE), value=_inner_types, key=_inner_types),
    st.builds(
        ast.TypeFormula, span=st.just(NOWHERE), params=st.lists(names, max_size=3).map(tuple), returns=_inner_types
    ),
)
