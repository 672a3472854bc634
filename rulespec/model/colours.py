"""The grammar with which Visual Studio Code colours expressions inside YAML while no server runs, made of the registry.

It is put into that of YAML: the value of a key that holds an expression, in one line, plain or in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rulespec.expr.words import OPERATOR_FORMS, VALUE_WORDS, WORDS
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, Data, Expression, Shape

SCOPE = "source.rulespec.expressions"
_INSIDE = "meta.embedded.expression.rulespec"


def expression_keys() -> list[str]:
    """The keys whose value is an expression in some record."""
    fields = (field for record in REGISTRY.records for field in record.all_fields())
    return sorted({field.name for field in fields if _is_expression(field.shape)})


def _is_expression(shape: Shape) -> bool:
    one = shape.scalar if isinstance(shape, ByNode) else shape
    return isinstance(one, (Expression, Data))


def expression_grammar() -> dict[str, Any]:
    """The grammar, as TextMate and those who took over its form write one."""
    behind = "(?<=" + "|".join(rf"[\s{{,]{key}:\s" for key in expression_keys()) + r")\s*"
    return {
        "information_for_contributors": "Made by `python -m rulespec.model.generate`.",
        "name": "Expressions of rulespec",
        "scopeName": SCOPE,
        "injectionSelector": "L:source.rulespec -comment -meta.embedded",
        "patterns": [
            _stretch(rf'{behind}(")', '"|$', "string.quoted.double.yaml"),
            _stretch(rf"{behind}(')", "'|$", "string.quoted.single.yaml"),
            # a block or an anchor is YAML's own
            _stretch(rf"{behind}(?=[^\s\"'#|>&*!])", r"(?=\s+#|[,}\]])|$", ""),
        ],
        "repository": {
            "brackets": {
                "begin": r"[(\[]",
                "end": r"[)\]]|$",
                "captures": {"0": {"name": "punctuation.section.brackets.rulespec"}},
                "patterns": [{"include": "#parts"}],
            },
            "parts": {"patterns": list(_parts())},
        },
    }


def _stretch(begin: str, end: str, quotes: str) -> dict[str, Any]:
    found: dict[str, Any] = {"begin": begin, "end": end, "contentName": _INSIDE, "patterns": [{"include": "#parts"}]}
    return {**found, "captures": {"0": {"name": quotes}}} if quotes else found


def _parts() -> Iterable[dict[str, Any]]:
    words = WORDS - VALUE_WORDS - OPERATOR_FORMS.keys()
    yield {"include": "#brackets"}
    yield {"match": r"(?<=[\w\])]\.)[a-z_]\w*", "name": "variable.other.property.rulespec"}
    yield {"match": _any_of(words), "name": "keyword.operator.word.rulespec"}
    yield {"match": _any_of(VALUE_WORDS), "name": "constant.language.rulespec"}
    yield {"match": rf"{_any_of(OPERATOR_FORMS)}(?=\s*\()", "name": "keyword.control.rulespec"}
    yield {"match": r"\b[a-z_]\w*(?=\()", "name": "entity.name.function.rulespec"}
    yield {"match": r"\b\d+\b", "name": "constant.numeric.rulespec"}
    yield {"match": r"[=!<>]=|\.\.|[-+*/<>=]", "name": "keyword.operator.rulespec"}
    yield {"match": r"\b[a-z_]\w*\b", "name": "variable.other.rulespec"}


def _any_of(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(map(re.escape, words)))})\b"
