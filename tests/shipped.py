"""Shipped games for tests that read or play them: each loaded once."""

from __future__ import annotations

from functools import cache

from interpreter import Game, load


def shipped(
    name: str, players: int | None = None, *, variants: tuple[str, ...] = (), **options: str | int | bool
) -> Game:
    """A shipped game, the same one for whoever asks for the same.

    A test that changes a game, or needs one that nobody has played yet, loads its own.
    """
    return _loaded(name, players, variants, tuple(sorted(options.items())))


@cache
def _loaded(
    name: str, players: int | None, variants: tuple[str, ...], options: tuple[tuple[str, str | int | bool], ...]
) -> Game:
    return load(name, players=players, variants=variants, options=dict(options))
