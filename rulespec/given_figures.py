"""Figures that are given from outside of any file, such as those of a sweep, as a variant that is on beside the others.

    source, variants = with_figures(source, variants, (("values.purse", 12),), problems)

A figure is named by the path of a declaration, as in a variant's `set`, and the last word is its: the variant comes
after all others that are on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource
from rulespec.model.validate import validate_file
from rulespec.overlay.variant import read_variants
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile

Figures = Sequence[tuple[str, int | str]]
#: What is shown in the place of a file's name.
NAME = "figures given"


def with_figures(
    source: GameSource, variants: Sequence[str], figures: Figures, problems: Problems
) -> tuple[GameSource, tuple[str, ...]]:
    """The source with a variant that gives the figures, and the ids of all variants that are on then.

    `variants` are ids of the source. What a path leads to is looked for when the variants are put on; problems of paths
    that can be none are reported here.
    """
    if not figures:
        return source, tuple(variants)
    identity = "given"
    while identity in source.variants:
        identity += "_"
    file = SourceFile.of(NAME, _written(identity, variants, figures))
    tree = read_yaml(file, problems)
    if tree is None:
        return source, tuple(variants)
    validate_file(tree, problems, variant=True)
    made = read_variants([tree], problems)
    return replace(source, variants={**source.variants, **made}), (*variants, *made)


def _written(identity: str, variants: Sequence[str], figures: Figures) -> str:
    """The text of the variant. JSON is YAML too, and a text in it can end nothing."""
    head = {"id": identity, "title": {"en": "; ".join(f"{path} = {value}" for path, value in figures)}}
    after = {"after": list(variants)} if variants else {}
    changes = [{"set": path, "to": value} for path, value in figures]
    return json.dumps({"variant": {**head, **after, "changes": changes}}, ensure_ascii=False, indent=2) + "\n"
