"""What is to be played: a game in one or several arms, who plays, how many games, and the seed of each.

A plan is data: it goes to other processes and machines as JSON, and is kept beside its results.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from interpreter.bounds import MOST_DECISIONS
from interpreter.game import Game, load, load_source
from interpreter.log_lines import language_version
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import read_game, with_variant_files
from rulespec.given_figures import with_figures
from rulespec.source.shipped import games as shipped_games

PLAN_VERSION: Final = 1
DETAILS: Final = ("games", "full", "decisions")


class WrongContent(Exception):
    """The content that was found here is not the one that the plan was made with."""


Level = int | str
#: The level that is a number of players. No option can have this name, and no declaration this path.
PLAYERS: Final = "players"
#: The level that says who plays, kinds of players with commas between them; the last one fills the seats.
SEATS: Final = "seats"


@dataclass(frozen=True, slots=True)
class Arm:
    """One of the games that are compared: its variants, its levels, and its fingerprints, of rules and of hints.

    A level is what else is different in it, by name: a path of a declaration with its figure, an option with its value,
    `players` with how many play, or `seats` with who does.
    """

    variants: tuple[str, ...] = ()
    fingerprint: str = ""
    hints: str = ""
    levels: tuple[tuple[str, Level], ...] = ()

    @property
    def figures(self) -> tuple[tuple[str, Level], ...]:
        """Levels of declarations: a path has a dot, and the name of an option has none."""
        return tuple(level for level in self.levels if "." in level[0])

    @property
    def options(self) -> dict[str, Level]:
        return {name: value for name, value in self.levels if "." not in name and name not in (PLAYERS, SEATS)}

    @property
    def players(self) -> int | None:
        """How many play; None where the plan says that."""
        found = dict(self.levels).get(PLAYERS)
        return None if found is None else int(found)

    @property
    def seats(self) -> tuple[str, ...] | None:
        """Who plays; None where the plan says that."""
        found = dict(self.levels).get(SEATS)
        return None if found is None else tuple(str(found).split(","))

    @property
    def told(self) -> str:
        """What it is played with, in words: `with A, purse = 14`; "" for the game as the plan has it."""
        words = [*self.variants, *(f"{name} = {written(value)}" for name, value in self.levels)]
        return f"with {', '.join(words)}" if words else ""


def written(value: Level | None) -> str:
    """A level as it is typed.

    >>> written(True), written(12)
    ('true', '12')
    """
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Plan:
    """Many games. `seats` are the players before they are rotated; all arms play the same seeds.

    `players`, `seats` and `options` are those of all arms that have no others; `swept` names the levels of a sweep.
    `until` are questions: when all are decided, no more games are wanted (see `interpreter.simulate.until`).
    `game` is a shipped id or a folder. `files` holds the texts of content that other machines cannot be expected to
    have; then `game` and the variants are names in it. A game that is not over after `most` decisions or
    `seconds` (None: by who plays) is left. `worth` is how many decisions of each game are tried in two ways
    (`interpreter.simulate.trials`).
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
    swept: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    worth: int = 0

    def in_arm(self, arm: int) -> Plan:
        """The plan with the players, seats and options of one arm; where more play, the last of `seats` fills them."""
        own = self.arms[arm]
        if not own.levels:
            return self
        players = own.players or self.players
        named = own.seats or self.seats
        seats = (*named[:players], *[named[-1]] * (players - len(named)))
        return replace(self, players=players, seats=seats, options=_merged(self.options, own.options))

    @property
    def judged(self) -> range:
        """The arms that statements are about: all of a sweep, those beside the first one, or else the only one."""
        return range(0 if self.swept else min(1, len(self.arms) - 1), len(self.arms))

    @property
    def tasks(self) -> int:
        """How many games are played in all arms."""
        return self.games * len(self.arms)

    def task(self, number: int) -> tuple[int, int]:
        """The arm and the number of the game of a task. Games of one number stand side by side."""
        return number % len(self.arms), number // len(self.arms)

    @property
    def text_of_seeds(self) -> bytes:
        """What seeds are made of, in front of the number of a game."""
        return b"%d " % self.seed

    def seed_of(self, game: int) -> int:
        """The seed of a game: the same in all arms, and whoever plays it."""
        data = hashlib.blake2b(self.text_of_seeds + b"%d" % game, digest_size=8).digest()
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
    given["arms"] = tuple(map(_arm_from_json, given["arms"]))
    given["swept"], given["until"] = tuple(given.get("swept", ())), tuple(given.get("until", ()))
    return Plan(**given)


def _arm_from_json(data: dict[str, Any]) -> Arm:
    levels = tuple((name, value) for name, value in data.get("levels", ()))
    return Arm(**{**data, "variants": tuple(data["variants"]), "levels": levels})


def _merged(options: tuple[tuple[str, Any], ...], others: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted({**dict(options), **others}.items()))


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
    """What stands for the hints of a game, which are no part of its fingerprint.

    It is made of the declarations: in a program local names differ by whether it was lowered here or kept on disk.
    """
    return game.hints_fingerprint[:16]


#: Games that were read, by plan and arm; options by how they are written too, since True equals 1.
_GAMES: dict[tuple[Plan, str, int], Game] = {}
MOST_GAMES_KEPT: Final = 4
#: Of a plan with more arms not all games stay in memory (a large one takes 10 to 15 MB): see `by_arm`.
MOST_ARMS_KEPT: Final = 32


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
    most = max(MOST_GAMES_KEPT, min(len(plan.arms), MOST_ARMS_KEPT))  # the arms of a plan are played by turns
    while len(_GAMES) >= most:
        _GAMES.pop(next(iter(_GAMES)))
    _GAMES[plan, repr(plan.options), arm] = game


def by_arm(plan: Plan, tasks: Sequence[int]) -> Sequence[int]:
    """Tasks in an order in which few games are read: those of one arm after each other where there are many arms."""
    return tasks if len(plan.arms) <= MOST_ARMS_KEPT else sorted(tasks, key=plan.task)


def _load(plan: Plan, arm: Arm) -> Game:
    name, variants = plan.game, arm.variants
    if plan.files:
        from interpreter.simulate.travel import unpacked

        name, variants = unpacked(plan.files, name, variants)
    players, options = arm.players or plan.players, {**dict(plan.options), **arm.options}
    if not arm.figures:
        return load(name, players=players, options=options, variants=variants)
    problems = Problems()
    source = read_game(name, problems)
    if source is None or problems.has_errors:
        raise ContentError(problems.items)
    source, ids = with_variant_files(source, variants, problems)
    source, ids = with_figures(source, ids, arm.figures, problems)
    given = {key: "none" if value is None else value for key, value in options.items()}
    return load_source(source, players=players, options=given, variants=ids, problems=problems, keep=True)


def is_shipped(name: str) -> bool:
    """Whether a game is found by its id on every machine."""
    return name in shipped_games() and not Path(name).is_dir()
