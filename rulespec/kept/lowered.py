"""A game that is made ready to be run, with a program that was kept where nothing that it depends on has changed.

    built = kept_build(source, [], tree, 2, {}, problems)

What is declared is found anew each time: texts, scenarios and drawings go on from there.
"""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from typing import Any

from rulespec.build import Built, build, declare
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource
from rulespec.kept.digests import Digests
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import Context, Parsed
from rulespec.lower.make import fresh
from rulespec.program.codec import FileOf, from_data, to_data
from rulespec.source import store
from rulespec.source.nodes import Mapping
from rulespec.source.store import digest


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
    if digests.has_twins or problems.has_errors:
        return build(tree, players, options, problems, parsed)
    key = digest(digests.played(variants), str(players), str(sorted(options.items())))
    kept = store.read(f"program-{key}")
    if kept is not None:
        built = _restored(kept, digests.files.__getitem__, tree, players, options, parsed or Parsed())
        if built is not None:
            return built
    built = build(tree, players, options, problems, parsed)
    if built is not None:
        store.write(f"program-{key}", _data_of(built))
    return built


def _data_of(built: Built) -> Any:
    """The program, and what else lowering it has found."""
    cx = built.context
    return to_data((built.program, cx.logged, cx.watched))


def _restored(
    kept: Any,
    file_of: FileOf,
    tree: Mapping,
    players: int,
    options: AbstractMapping[str, OptionValue],
    parsed: Parsed,
) -> Built | None:
    """What was kept, with the declarations found anew; None where they are not those that it was made with."""
    problems = Problems()
    cx = declare(tree, players, options, problems, parsed)
    try:
        program, logged, watched = from_data(kept, file_of, fresh)
        if problems.has_errors or not _goes_on_from(cx, program.declared.interned):
            return None
        cx.logged.update(logged)
        cx.watched.update(watched)
        cx.world.tables.update(program.declared.tables)
        return Built(cx, program)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def _goes_on_from(cx: Context, interned: Sequence[tuple[str, tuple[int, ...], frozenset[str]]]) -> bool:
    """Numbers the effects that lowering has met, behind those of the declarations; whether these are the same."""
    there = len(cx.world.interned)
    if list(interned[:there]) != cx.world.interned:
        return False
    for name, args, lifted in interned[there:]:
        cx.world.intern(name, args, lifted)
    return len(cx.world.interned) == len(interned)
