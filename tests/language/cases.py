"""Helpers for tests whose cases are data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from rulespec.diagnostics.model import Problem, Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_span
from rulespec.source import nodes
from rulespec.source.text import SourceFile, Span


def load_cases(beside: str, name: str) -> dict[str, dict[str, Any]]:
    """The cases of the file `name` beside the test module `beside` (its `__file__`)."""
    loaded: dict[str, dict[str, Any]] = yaml.safe_load(Path(beside).with_name(name).read_text(encoding="utf-8"))
    return loaded


def span_of(text: str, at: str) -> tuple[int, int]:
    """Where `at` stands in `text`; `word#2` is its second place; "" the beginning."""
    word, _, number = at.rpartition("#") if at[-2:-1] == "#" and at[-1:].isdigit() else (at, "", "1")
    start = -1
    for _ in range(int(number)):
        start = text.index(word, start + 1)
    return start, start + len(word)


def read(text: str) -> tuple[nodes.Mapping | None, tuple[Problem, ...]]:
    """A content text as a tree, and what was reported."""
    problems = Problems()
    return nodes.read_yaml(SourceFile.of("case.yaml", text), problems), problems.items


def parse(text: str, start: str = "expr") -> tuple[ast.Expr | None, tuple[Problem, ...]]:
    """An expression or type by itself, and what was reported."""
    problems = Problems()
    file = SourceFile.of("case", text)
    return parse_span(Span(file, 0, len(text)), problems, start=start), problems.items


def found(problems: tuple[Problem, ...]) -> list[tuple[str, int, int]]:
    """Code and place of each problem, as `expected` gives them."""
    return [(problem.code, problem.span.start, problem.span.end) for problem in problems]


def expected(case: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """The one problem that a case asks for."""
    return [(case["code"], *span_of(case["text"], case["at"]))]
