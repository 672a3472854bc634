"""The parser of expressions, with its tables from the user's cache folder where they are kept there.

They are kept as JSON: Lark's own cache is a pickle, and reading one runs whatever it says.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulespec.source.cache import cache_file
from rulespec.source.sealed import keep_newest, read_sealed, write_sealed
from rulespec.source.store import digest

MOST_BYTES: Final = 4_000_000
MOST_KEPT: Final = 8  #: tables, of other versions of the program or of Python
_KIND: Final = "expression tables"
_BUILDER: Final = "transformer"  # the option of Lark that is no data


def make_lark(grammar: str, builder: Any) -> Lark:
    """A parser of a grammar that gives its trees to `builder`."""
    made_of = digest(grammar, lark.__version__, sys.version)
    place = cache_file(f"expr-{made_of}.json")
    found = None if place is None else _recalled(place, builder)
    if found is None:
        found = _made(grammar, builder)
        if place is not None:
            _keep(place, found)
    return found


def _made(grammar: str, builder: Any) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["expr", "type"],
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=builder,
    )


def _recalled(place: Path, builder: Any) -> Lark | None:
    """The parser of kept tables. What is wrong with tables that are as they were written is of another program."""
    body = read_sealed(place, _KIND, MOST_BYTES)
    if body is None:
        return None
    try:
        kept = _from_data(json.loads(body))
        kept["data"]["options"][_BUILDER] = builder
        return Lark.load(kept)
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, lark.exceptions.LarkError):
        return None


def _keep(place: Path, made: Lark) -> None:
    """Keeps the tables. That it cannot be done is no fault."""
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != _BUILDER}
    body = json.dumps(_to_data({"data": data, "memo": memo}), separators=(",", ":")).encode("ascii")
    with suppress(OSError):
        write_sealed(place, _KIND, body)
        keep_newest(place.parent, "expr-*.json", MOST_KEPT)
        keep_newest(place.parent, "expr-*.bin", 0)  # of versions that kept pickles


def _to_data(value: Any) -> Any:
    """Maps as lists of pairs, since their keys may be numbers."""
    if isinstance(value, dict):
        return {"pairs": [[key, _to_data(each)] for key, each in value.items()]}
    return [_to_data(each) for each in value] if isinstance(value, (list, tuple)) else value


def _from_data(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _from_data(each) for key, each in value["pairs"]}
    return [_from_data(each) for each in value] if isinstance(value, list) else value
