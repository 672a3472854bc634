"""The engine's own words: which there are, and what their placeholders are called.

They are declared by the files in `content/engine/`: a key is the engine's if it stands there, and its placeholders
are those of its English text. Each is a bare name; what it stands for is put in whole.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.messages.pattern import read_variants
from rulespec.overlay.merge import merge
from rulespec.source.nodes import Mapping, Scalar

PREFIX = "engine."


def engine_messages(trees: Iterable[Mapping], problems: Problems | None = None) -> dict[str, Mapping]:
    """Every message of the engine, by its key; languages of several files are put together."""
    section = merge(tuple(trees), problems if problems is not None else Problems()).get("messages")
    pairs = section.pairs if isinstance(section, Mapping) else ()
    return {key.text: node for key, node in pairs if isinstance(node, Mapping)}


def placeholders(message: Mapping) -> frozenset[str]:
    """What the English text of an engine's message names."""
    english, select = message.get("en"), message.get("select")
    names = {select.text} if isinstance(select, Scalar) else set()
    for text in read_variants(english, Problems()).texts.values() if english is not None else ():
        names |= {place.expression.name for place in text.places if isinstance(place.expression, ast.Name)}
    return frozenset(names)
