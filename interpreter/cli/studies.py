"""A study: what `simulate` is asked for, in a YAML file of the schema `study`; what was typed beside it comes first.

```yaml
# yaml-language-server: $schema=schemas/study.schema.json
games: 2000
seats: [greedy]
sweep:
  values.purse: 12..20
until: [precise=1%]
```
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interpreter.cli.common import UsageError
from rulespec.diagnostics.model import Problems

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA: Final = "study"


def complete(arguments: argparse.Namespace) -> None:
    """Puts what `--study` says where nothing was typed. Raises UsageError with the place of what is wrong."""
    if arguments.study is None:
        return
    typed = vars(arguments).get("_given", set())
    for name, value in _read(arguments.study).items():
        target, words = _TYPED[name]
        if target not in typed and not (isinstance(vars(arguments)[target], list) and vars(arguments)[target]):
            try:
                setattr(arguments, target, words(value))
            except argparse.ArgumentTypeError as fault:
                raise UsageError(f"{arguments.study}: `{name}` {fault}.") from None


def _read(path: Path) -> dict[str, Any]:
    from interpreter.simulate.expectations import place_in, plain
    from rulespec.diagnostics.render import place_of
    from rulespec.published import first_fault
    from rulespec.source.files import read_source
    from rulespec.source.nodes import read_yaml

    problems = Problems()
    file = read_source(path, str(path), problems)
    tree = None if file is None else read_yaml(file, problems)
    if tree is None or problems.has_errors:
        problem = problems.errors[0]
        raise UsageError(f"{place_of(problem.span)}: {problem.message}")
    data: dict[str, Any] = plain(tree)
    if not data:
        raise UsageError(f"{path}: there is nothing in this file, so nothing would be found out.")
    fault = first_fault(data, SCHEMA)
    if fault is not None:
        raise UsageError(f"{place_of(place_in(tree, fault))}: {fault.words}.")
    return data


def _players(value: Any) -> tuple[int, ...]:
    from interpreter.cli.arguments import player_counts

    listed = value if isinstance(value, list) else [value]
    return player_counts(",".join(map(str, listed)))


def _arm(value: Any) -> str:
    """An arm as `--against` has it."""
    return ",".join([*value.get("variants", ()), *_settings(value.get("with", {}))])


def _settings(value: dict[str, Any]) -> list[str]:
    from interpreter.simulate.plan import written

    return [f"{name}={written(each)}" for name, each in value.items()]


def _sweep(value: dict[str, Any]) -> list[str]:
    from interpreter.simulate.plan import written

    return [
        f"{name}={','.join(map(written, each)) if isinstance(each, list) else each}" for name, each in value.items()
    ]


#: For each key of a study the argument that it stands for, and the words that would be typed there.
_TYPED: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "about": ("study", str),
    "games": ("games", int),
    "players": ("players", _players),
    "seats": ("seats", ",".join),
    "seed": ("seed", int),
    "detail": ("detail", str),
    "worth": ("worth", int),
    "variants": ("variants", list),
    "options": ("options", _settings),
    "arms": ("against", lambda value: [_arm(each) for each in value]),
    "sweep": ("sweep", _sweep),
    "design": ("design", str),
    "until": ("until", list),
}
