"""A game that is made ready to be run, with a program that was kept where nothing that it depends on has changed.

    built = kept_build(source, [], tree, 2, {}, problems)

What is declared is kept beside the program, and made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as AbstractMapping
from typing import TYPE_CHECKING, Any

from rulespec.built import Built
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource
from rulespec.kept.digests import Digests
from rulespec.lower.ir import Program
from rulespec.program.codec import FileOf, from_data, to_data
from rulespec.source import store
from rulespec.source.store import digest
from rulespec.source.tree import Mapping

if TYPE_CHECKING:
    from rulespec.lower.constants import OptionValue
    from rulespec.lower.context import Context, Parsed

Tree = Callable[[], Mapping]


def kept_build(  # noqa: PLR0913, PLR0917  (what a program depends on)
    source: GameSource,
    variants: Sequence[str],
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    problems: Problems,
    parsed: Parsed | None = None,
) -> Built | None:
    """As `build`; `tree` is that of the source with these variants on, and has no errors.

    What is only noted of a program that was kept is not noted again: whoever asks for that checks the game.
    """
    digests = Digests(source)
    if not (digests.has_twins or problems.has_errors):
        key = program_key(digests, variants, players, options)
        kept = recalled(key, digests.files.__getitem__, lambda: tree, players, options, parsed)
        if kept is not None:
            return kept
    else:
        key = None
    from rulespec.build import build  # here, since what is kept needs nothing that lowers

    built = build(tree, players, options, problems, parsed)
    if built is not None and key is not None:
        _keep(key, built)
        built.key = key
    return built


def program_key(
    digests: Digests, variants: Sequence[str], players: int, options: AbstractMapping[str, OptionValue]
) -> str:
    """A digest of all that a program depends on."""
    return digest(digests.played(variants), str(players), str(sorted(options.items())))


def recalled(
    key: str,
    file_of: FileOf,
    tree: Tree,
    players: int,
    options: AbstractMapping[str, OptionValue],
    parsed: Parsed | None = None,
) -> Built | None:
    """The game whose program was kept; None where there is none. `tree` gives what it was lowered from."""
    from rulespec.lower.make import fresh

    kept = store.read(f"program-{key}")
    if kept is None:
        return None
    try:
        program = from_data(kept, file_of, fresh)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    if not isinstance(program, Program):
        return None
    return Built(lambda: _context(key, file_of, tree(), players, options, parsed), program, key)


def _context(
    key: str,
    file_of: FileOf,
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    parsed: Parsed | None,
) -> Context:
    """What was declared for a program that was kept: kept beside it, or else found anew in the same way."""
    from rulespec.kept import worlds  # here, since playing needs no declarations

    kept = store.read(f"world-{key}")
    if kept is not None:
        try:
            return worlds.context_from(kept, tree, file_of)
        except (AttributeError, LookupError, TypeError, ValueError):
            pass
    from rulespec.build import lowered
    from rulespec.lower.context import Parsed

    built = lowered(tree, players, options, Problems(), parsed or Parsed())
    _keep_world(key, built.context)
    return built.context


def _keep(key: str, built: Built) -> None:
    from rulespec.expr.parse import keep_readings

    keep_readings()
    store.write(f"program-{key}", to_data(built.program))
    _keep_world(key, built.context)


def _keep_world(key: str, context: Context) -> None:
    from rulespec.kept import worlds

    data: Any = None
    try:
        data = worlds.as_data(context)
    except (KeyError, TypeError):  # there is something that has no place, or is no plain data
        return
    store.write(f"world-{key}", data)
