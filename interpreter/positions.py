"""Positions from declared values, as the scenarios of content give them: `Game.position`."""

from __future__ import annotations

import json
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.scenarios.position import begin
from interpreter.scenarios.read import scenario_of
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.source.nodes import Mapping, read_yaml
from rulespec.source.text import SourceFile

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

STARTS = ("setup", "empty")


def position(game: Game, given: AbstractMapping[str, Any], at: str | None, start: str, seed: int) -> State:
    """See `Game.position`."""
    if start not in STARTS:
        raise ValueError(f"start is one of {', '.join(STARTS)}, not {start!r}")
    problems = Problems()
    tree = read_yaml(SourceFile.of("position", _text(given, at, start, seed)), problems)
    node = tree.get("position") if tree is not None else None
    if isinstance(node, Mapping) and tree is not None and not problems.has_errors:
        state = begin(game, scenario_of(tree.pairs[0][0], node), problems)
        if state is not None and not problems.has_errors:
            return state
    raise ContentError(problems.items)


def _text(given: AbstractMapping[str, Any], at: str | None, start: str, seed: int) -> str:
    """The position as a scenario writes it: a line for each thing that is given, so that problems name it."""
    lines = ["position:", f"  seed: {int(seed)}", f"  start: {start}"]
    lines += [] if at is None else [f"  at: {_quoted(at)}"]
    lines += ["  given:", *(f"    {_quoted(key)}: {_written(value)}" for key, value in given.items())] if given else []
    return "\n".join([*lines, ""])


def _written(value: Any) -> str:
    """A value as an expression: numbers, truth values, names and pieces as text, None, lists of these."""
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_written, value))}]"
    raise TypeError(f"what is given is a number, a truth value, a text, None or a list of these, not {value!r}")


def _quoted(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"what is given has its place as a text, not {text!r}")
    return json.dumps(text, ensure_ascii=False)
