"""Files of expectations: sentences, one a line, or YAML of a published schema (`schemas/expectations.schema.json`).

```yaml
confidence: 95
expect:
  - no seat wins over 60 %
  - statement: length at most 250 decisions
    about: It is played on one evening.
```
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from interpreter.simulate.expect import Statement, WrongStatement, read_expectations, statement_of
from interpreter.simulate.numbers import CONFIDENCE
from rulespec.diagnostics.model import Problem, Problems
from rulespec.published import Fault, first_fault
from rulespec.source.files import read_source
from rulespec.source.nodes import read_yaml
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

SCHEMA: Final = "expectations"
ENDINGS: Final = (".yaml", ".yml", ".json")


class WrongFile(Exception):
    """A file that cannot be read as expectations; `problems` says where and why."""

    def __init__(self, problems: tuple[Problem, ...]):
        self.problems = problems
        super().__init__(problems[0].message)


def read_file(path: Path) -> tuple[list[Statement], float]:
    """The statements of a file and their confidence (0 to 1): YAML by its ending, else sentences.

    Raises WrongFile for a file that is no text or no YAML, WrongStatement for a form or a statement that is none.
    """
    problems = Problems()
    file = read_source(path, str(path), problems)
    tree = None
    if file is not None:
        if not path.name.endswith(ENDINGS):
            return read_expectations(file.text)
        tree = read_yaml(file, problems)
    if tree is None or problems.has_errors:
        raise WrongFile(problems.errors)
    return _of_tree(tree)


def _of_tree(tree: Mapping) -> tuple[list[Statement], float]:
    data = plain(tree)
    fault = first_fault(data, SCHEMA)
    if fault is not None:
        raise _wrong(place_in(tree, fault), fault.words)
    listed = tree.get("expect")
    assert isinstance(listed, Sequence)
    return [_statement(entry) for entry in listed.items], data.get("confidence", CONFIDENCE * 100) / 100


def _statement(entry: Node) -> Statement:
    node = entry.get("statement") if isinstance(entry, Mapping) else entry
    assert isinstance(node, Scalar)
    return statement_of(*node.content.file.line_and_column(node.content.start), " ".join(node.text.split()))


def plain(node: Node) -> Any:
    """What a node says, as JSON has it."""
    if isinstance(node, Mapping):
        return {key.text: plain(value) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else None


def place_in(tree: Mapping, fault: Fault) -> Span:
    """Where a fault stands: the key or the value that its path leads to."""
    node: Node | None = tree
    span = Span(tree.span.file, tree.span.start, tree.span.start)
    for number, step in enumerate(fault.path, 1):
        if isinstance(node, Mapping):
            key, node = node.key_node(str(step)), node.get(str(step))
            if key is not None and fault.is_key and number == len(fault.path):
                return key.span
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        span = node.span if node is not None else span
    return span


def _wrong(span: Span, words: str) -> WrongStatement:
    line, column = span.file.line_and_column(span.start)
    return WrongStatement(line, words, column)
