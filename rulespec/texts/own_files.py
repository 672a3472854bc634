"""The program's own files of words: no content, so that they are read as plain data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Final

import yaml

_SAFE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TRUTH: Final = "tag:yaml.org,2002:bool"
_TRUTH_WORDS: Final = re.compile(r"(?:true|false)\Z")


def read_data(path: Traversable) -> Any:
    """What a file holds: maps, lists, texts, numbers and truth values. Not every PyYAML has its quicker reader.

    `yes`, `no`, `on` and `off` are words and endings of languages: as in YAML 1.2 only `true` and `false` are truth
    values.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_reader(_SAFE))  # noqa: S506  (as it says)


@cache
def _reader(base: Any) -> Any:
    """A reader of YAML with the truth values of YAML 1.2."""
    resolvers = {
        first: [(tag, form) for tag, form in forms if tag != _TRUTH]
        for first, forms in base.yaml_implicit_resolvers.items()
    }
    reader: Any = type("_Reader", (base,), {"yaml_implicit_resolvers": resolvers})
    reader.add_implicit_resolver(_TRUTH, _TRUTH_WORDS, list("tf"))
    return reader
