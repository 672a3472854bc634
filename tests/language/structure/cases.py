"""The cases of `faults.yaml`, and ways to read content for the structural tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rulespec.diagnostics.model import Problem, Problems
from rulespec.model.validate import validate_file, validate_whole
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
SCHEMA = PROJECT / "schemas" / "content.schema.json"
SKETCHES = PROJECT.parent / "shared" / "design" / "sketches"


@dataclass(frozen=True)
class Fault:
    """One structural fault: its code, the text that must be marked, and a word of the hint."""

    name: str
    code: str
    at: str
    text: str
    hint: str = ""
    whole: bool = False
    variant: bool = False
    schema: bool = True


def faults() -> list[Fault]:
    cases: dict[str, dict[str, str]] = yaml.load((HERE / "faults.yaml").read_text("utf-8"), Loader=yaml.BaseLoader)
    flags = ("whole", "variant", "schema")
    return [
        Fault(name, **{key: value == "true" if key in flags else value for key, value in case.items()})  # type: ignore[arg-type]
        for name, case in cases.items()
    ]


def tree_of(text: str, name: str = "case.yaml") -> Mapping:
    """The tree of a file that reads without problems."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    assert [problem.message for problem in problems.items] == []
    assert tree is not None
    return tree


def problems_of(fault: Fault) -> tuple[Problem, ...]:
    problems = Problems()
    tree = tree_of(fault.text)
    if fault.whole:
        validate_whole(tree, problems)
    else:
        validate_file(tree, problems, variant=fault.variant)
    return problems.items


def found_in(text: str) -> list[str]:
    """The messages of all structural problems of a file, with their lines."""
    problems = Problems()
    tree = tree_of(text)
    validate_file(tree, problems, variant="variant" in tree)
    return [f"{problem.span.line}: {problem.code} {problem.message}" for problem in problems.items]


def plain(node: Node) -> Any:
    """The data of a tree, as a JSON Schema sees it."""
    match node:
        case Mapping():
            return {key.text: plain(value) for key, value in node.pairs}
        case Sequence():
            return [plain(item) for item in node.items]
        case Scalar():
            return node.value
    raise TypeError(node)


def sketches() -> list[Path]:
    return sorted(SKETCHES.glob("*.yaml"))
