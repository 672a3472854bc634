"""What is to be played: a game in one or several arms, who plays, how many games, and the seed of each.

A plan is data: it goes to other processes and machines as JSON, and is kept beside its results.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from interpreter.bounds import MOST_DECISIONS
from interpreter.game import Game, load
from interpreter.log_lines import language_version
from rulespec.source.shipped import games as shipped_games

PLAN_VERSION: Final = 1
DETAILS: Final = ("games", "full")


class WrongContent(Exception):
    """The content that was found here is not the one that the plan was made with."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One of the games that are compared: its variants and its fingerprints, of the rules and of the hints."""

    variants: tuple[str, ...] = ()
    fingerprint: str = ""
    hints: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Many games. `seats` are the players before they are rotated; all arms play the same seeds.

    `game` is a shipped id or a folder. `files` holds the texts of content that other machines cannot be expected to
    have; then `game` and the variants are names in it. A game that is not over after `most` decisions or
    `seconds` (None: by who plays) is left.
    """

    game: str
    players: int
    seats: tuple[str, ...]
    games: int
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    arms: tuple[Arm, ...] = (Arm(),)
    detail: str = "games"
    files: tuple[tuple[str, str], ...] = ()
    most: int = MOST_DECISIONS
    seconds: float | None = None

    @property
    def tasks(self) -> int:
        """How many games are played in all arms."""
        return self.games * len(self.arms)

    def task(self, number: int) -> tuple[int, int]:
        """The arm and the number of the game of a task. Games of one number stand side by side."""
        return number % len(self.arms), number // len(self.arms)

    def seed_of(self, game: int) -> int:
        """The seed of a game: the same in all arms, and whoever plays it."""
        data = hashlib.blake2b(f"{self.seed} {game}".encode(), digest_size=8).digest()
        return int.from_bytes(data, "big")

    def entrant(self, game: int, seat: int) -> int:
        """Which of `seats` plays on a seat: they move on by one seat from game to game."""
        return (seat + game) % self.players

    def to_json(self) -> dict[str, Any]:
        """The plan as data."""
        return {"plan": PLAN_VERSION, **asdict(self)}


def plan_from_json(data: dict[str, Any]) -> Plan:
    """The plan that data stand for."""
    given = {key: value for key, value in data.items() if key != "plan"}
    given["seats"] = tuple(given["seats"])
    given["options"] = tuple((name, value) for name, value in given["options"])
    given["files"] = tuple((name, text) for name, text in given["files"])
    given["arms"] = tuple(Arm(**{**arm, "variants": tuple(arm["variants"])}) for arm in given["arms"])
    return Plan(**given)


def versions(game: Game) -> dict[str, Any]:
    """What the results hang on beside the plan."""
    try:
        own = version("rulespec")
    except PackageNotFoundError:
        own = "not installed"
    return {"rulespec": own, "language": language_version(game), "python": platform.python_version()}


def with_fingerprints(plan: Plan, first: Game | None = None) -> Plan:
    """The plan with what its arms' content is; `first` is the game of the first arm, where it is read already.

    Raises ContentError for content that cannot be played.
    """
    games = [first if first is not None and at == 0 else _load(plan, arm) for at, arm in enumerate(plan.arms)]
    made = replace(plan, arms=tuple(map(_fingerprinted, plan.arms, games)))
    for arm, game in enumerate(games):
        _keep(made, arm, game)
    return made


def _fingerprinted(arm: Arm, game: Game) -> Arm:
    return replace(arm, fingerprint=game.fingerprint, hints=_hints_of(game))


def _hints_of(game: Game) -> str:
    """What stands for the hints of a game, which are no part of its fingerprint."""
    hints = game.facts.program.hints
    return hashlib.blake2b(repr(hints).encode(), digest_size=8).hexdigest()


#: Games that were read, by plan and arm; options by how they are written too, since True equals 1.
_GAMES: dict[tuple[Plan, str, int], Game] = {}
MOST_GAMES_KEPT: Final = 4


def game_of(plan: Plan, arm: int) -> Game:
    """The game of an arm, read once in each process. Raises WrongContent where it is another one here."""
    game = _GAMES.get((plan, repr(plan.options), arm))
    if game is None:
        game, wanted = _load(plan, plan.arms[arm]), plan.arms[arm].fingerprint
        if wanted and game.fingerprint != wanted:
            raise WrongContent(f"the content of {game.id} here is not the one that the plan was made with")
        _keep(plan, arm, game)
    return game


def _keep(plan: Plan, arm: int, game: Game) -> None:
    while len(_GAMES) >= max(MOST_GAMES_KEPT, len(plan.arms)):  # all arms of a plan are played by turns
        _GAMES.pop(next(iter(_GAMES)))
    _GAMES[plan, repr(plan.options), arm] = game


def _load(plan: Plan, arm: Arm) -> Game:
    name, variants = plan.game, arm.variants
    if plan.files:
        from interpreter.simulate.travel import unpacked

        name, variants = unpacked(plan.files, name, variants)
    return load(name, players=plan.players, options=dict(plan.options), variants=variants)


def is_shipped(name: str) -> bool:
    """Whether a game is found by its id on every machine."""
    return name in shipped_games() and not Path(name).is_dir()
