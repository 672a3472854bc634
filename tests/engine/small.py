"""Small games for tests of the engine: one file each in `tests/games`, loaded as a game of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from interpreter import Game, State, load

GAMES = Path(__file__).parents[1] / "games"


@cache
def _folder() -> Path:
    """A folder per game, as games are read; gone when the tests are over."""
    kept = tempfile.TemporaryDirectory(prefix="rulespec-games-")
    _KEPT.append(kept)
    for file in GAMES.glob("*.yaml"):
        folder = Path(kept.name) / file.stem
        folder.mkdir()
        shutil.copy(file, folder)
    return Path(kept.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
_LOADED: dict[str, Game] = {}


def folder_of(name: str) -> Path:
    """The folder of a small game."""
    return _folder() / name


def small(name: str, players: int | None = None, **options: str | int | bool) -> Game:
    """A small game; loaded once for each number of players and choice of options."""
    key = repr((name, players, sorted(options.items())))
    if key not in _LOADED:
        _LOADED[key] = load(str(folder_of(name)), players=players, options=options)
    return _LOADED[key]


def names() -> list[str]:
    """All small games."""
    return sorted(file.stem for file in GAMES.glob("*.yaml"))


def keys(state: State) -> list[str]:
    """What is offered, in order."""
    return list(state.options().keys())


def play(state: State, *chosen: str) -> State:
    """The state after choosing these keys one after the other."""
    for key in chosen:
        state = state.apply(state.option(key))
    return state


def ends(state: State, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], State]]:
    """Every way to play on until the game is over, with the keys chosen."""
    if state.decision is None:
        yield path, state
        return
    for option in state.options():
        yield from ends(state.apply(option), (*path, option.key))


def cell(state: State, key: str, member: str | None = None) -> Any:
    """A declared cell's value, by its key (`player.coins`) and member."""
    found = state.to_json()["state"][key]
    return found if member is None else found[member]


def zone(state: State, key: str, member: str | None = None) -> Any:
    """What lies in a zone."""
    found = state.to_json()["zones"][key]
    return found if member is None else found[member]
