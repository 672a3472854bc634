"""Reading small games with variants out of one text: `# file: NAME` begins each file, `# on: NAMES` says what is on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.model import Problem, Problems
from rulespec.overlay.apply import Applied, apply_variants
from rulespec.overlay.merge import merge
from rulespec.overlay.options import check_switches
from rulespec.overlay.variant import check_names, is_variant, read_variants
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile

_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_ON = re.compile(r"^# on: (.+)\n")


@dataclass(frozen=True)
class Case:
    """What became of a text."""

    files: dict[str, str]
    base: Mapping
    applied: Applied
    problems: tuple[Problem, ...]


def run(text: str) -> Case:
    """Put the files of a text together, with the variants that are on (all when it does not say)."""
    problems = Problems()
    parts = _FILE.split(text)
    files = dict(zip(parts[1::2], parts[2::2], strict=True)) or {"game.yaml": text}
    trees = [read_yaml(SourceFile.of(name, part), problems) for name, part in files.items()]
    assert problems.items == ()
    read = [tree for tree in trees if tree is not None]
    base = merge([tree for tree in read if not is_variant(tree)], problems)
    variants = read_variants([tree for tree in read if is_variant(tree)], problems)
    check_names(variants, problems)
    check_switches(base, variants, problems)
    on = _ON.match(text)
    names = re.split(r",\s*", on[1]) if on else list(variants)
    applied = apply_variants(base, [variants[name] for name in names], problems)
    return Case(files, base, applied, problems.items)


def plain(node: Node) -> Any:
    """A tree as plain data. Maps are lists of pairs, since the order of declarations counts."""
    if isinstance(node, Mapping):
        return [(key.text, plain(value)) for key, value in node.pairs]
    if isinstance(node, Sequence):
        return ["list", *(plain(item) for item in node.items)]
    assert isinstance(node, Scalar)
    return node.value


def tree(text: str) -> Mapping:
    """A text as a tree."""
    problems = Problems()
    found = read_yaml(SourceFile.of("expected.yaml", text), problems)
    assert problems.items == ()
    assert found is not None
    return found
