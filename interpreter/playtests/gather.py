"""Games of people played again, into the folder of a run: the records, the Parquet files and the results.

gathered = gather(kept, "probe", Path("playtest"))
gathered.results, gathered.left

Games that go by the same players, options, variants and kinds of seats are an arm. In an arm the people come first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from interpreter.bounds import clocked
from interpreter.game import Game, load
from interpreter.options import Option
from interpreter.players import HUMAN
from interpreter.playtests.kept import Kept
from interpreter.simulate.dataset import NOTED, Dataset
from interpreter.simulate.journal import Journal
from interpreter.simulate.plan import PLAYERS, SEATS, Arm, Plan, game_of, versions, with_fingerprints
from interpreter.simulate.playing import Wanted, play_game
from interpreter.simulate.records import Record, head, to_line
from interpreter.simulate.run import Results
from interpreter.simulate.tally import Tally
from interpreter.state import State
from rulespec.diagnostics.model import ContentError

#: Seconds for playing one game again.
MOST_SECONDS: Final = 300.0
UNFINISHED: Final = "it was not played to its end"


class Misfit(Exception):
    """A decision that the content does not offer. Its text says which."""


@dataclass(slots=True)
class Gathered:
    """What came of it. `left` are the games that do not fit the content, each with the reason."""

    results: Results
    left: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What an arm is made of."""

    players: int
    options: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    kinds: tuple[str, ...]


class _Again:
    """Chooses what was chosen, seat by seat."""

    weighed = None

    def __init__(self, keys: Sequence[str]):
        self._keys, self._n = keys, 0

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """The option of the next key. Raises Misfit."""
        key = self._keys[self._n]
        self._n += 1
        found = state.options().find(key)
        if found is None:
            raise Misfit(f"its decision {self._n}, '{key}', is not offered by the content as it is now")
        return found


def gather(
    kept: Iterable[Kept], game: str, folder: Path, see: Callable[[Record, Plan], None] = lambda record, plan: None
) -> Gathered:
    """Plays the games again and keeps their records in a folder; nothing is written where none fits.

    Raises OtherRun where the folder holds something else, and NoArrow.
    """
    left: list[tuple[str, str]] = []
    arms: dict[_Setting, list[tuple[Kept, tuple[str, ...], Record]]] = defaultdict(list)
    loaded: dict[tuple[Any, ...], Game | str] = {}
    known: dict[tuple[Any, ...], Kept] = {}
    for each in kept:
        found = _is_left(each, known) or _loaded(loaded, game, each)
        if isinstance(found, str):
            left.append((each.source, found))
            continue
        kinds = each.kinds_of(found.seats)
        try:
            record = _record(found, each)
        except (Misfit, ContentError) as fault:
            left.append((each.source, _reason(fault)))
            continue
        ordered = tuple(sorted(kinds, key=lambda kind: (kind != HUMAN, kind)))
        arms[_Setting(each.players, each.options, each.variants, ordered)].append((each, kinds, record))
    if not arms:
        return Gathered(_nothing(game), left)
    return Gathered(_kept_in(folder, _plan(game, arms, loaded), list(arms.values()), see), left)


def _is_left(kept: Kept, known: dict[tuple[Any, ...], Kept]) -> str | None:
    """Why a game is no game, or one of those that are `known`; None where it is another one, which is known then."""
    if not kept.keys:
        return "nothing was decided there, and what was noted has no game to stand in"
    # nobody thinks for the same times again: a table, its log and its save are one game
    first = known.setdefault((kept.players, kept.seed, kept.keys, kept.seconds), kept)
    return None if first is kept else f"it is the same game as {first.source}"


def _loaded(known: dict[tuple[Any, ...], Game | str], game: str, kept: Kept) -> Game | str:
    """The game as it was set up, or what is wrong with that."""
    key = _setup(kept)
    if key not in known:
        try:
            known[key] = load(game, players=kept.players, options=dict(kept.options), variants=kept.variants)
        except ContentError as fault:
            known[key] = _reason(fault)
    found = known[key]
    if isinstance(found, Game) and kept.asks_everything and found.built.program.unasked:
        return "its log is of an older version, and has decisions that are not asked now"
    return found


def _setup(kept: Kept | _Setting) -> tuple[Any, ...]:
    return kept.players, kept.options, kept.variants


def _reason(fault: Misfit | ContentError) -> str:
    if isinstance(fault, Misfit):
        return str(fault)
    return f"{fault.problems[0].code}: {fault.problems[0].message}".removesuffix(".")


def _record(game: Game, kept: Kept) -> Record:
    """The record of a game without its head. Raises Misfit and ContentError."""
    again = _Again(kept.keys)
    with clocked(MOST_SECONDS):
        found = play_game(game, kept.seed, [again] * game.players, Wanted(full=True, each=True), most=len(kept.keys))
    if "unfinished" in found:
        found.pop("place", None)
        found["unfinished"] = UNFINISHED
    elif found["decisions"] < len(kept.keys):
        raise Misfit(f"it goes on after its end, which comes with decision {found['decisions']} by the content now")
    notes = []
    for note in kept.notes:
        seat = game.seats.index(note.player) if note.player in game.seats else note.player
        if not isinstance(seat, int) or seat >= game.players:
            raise Misfit(f"it has a note of {note.player}, and there is no such player")
        notes.append([seat, note.moment, note.text, int(note.stands)])
    return found | {"seconds": list(kept.seconds), "notes": notes, "source": kept.source}


def _plan(game: str, arms: dict[_Setting, list[Any]], loaded: dict[tuple[Any, ...], Game | str]) -> Plan:
    settings = list(arms)
    first = settings[0]
    own = len(settings) == 1
    made = []
    for setting in settings:
        found = loaded[_setup(setting)]
        assert isinstance(found, Game)
        named = {name for name, _ in setting.options}
        levels: list[tuple[str, Any]] = [each for each in sorted(found.options.items()) if each[0] in named]
        who = () if own else ((PLAYERS, setting.players), (SEATS, ",".join(setting.kinds)))
        made.append(Arm(setting.variants, levels=(*who, *levels)))
    plan = Plan(
        game=game,
        players=first.players,
        seats=first.kinds,
        games=max(map(len, arms.values())),
        arms=tuple(made),
        detail="decisions",
    )
    return with_fingerprints(plan)


def _nothing(game: str) -> Results:
    plan = Plan(game=game, players=1, seats=(HUMAN,), games=1, detail="decisions")
    return Results(plan, [], [], (), 0.0)


def _kept_in(
    folder: Path,
    plan: Plan,
    arms: list[list[tuple[Kept, tuple[str, ...], Record]]],
    see: Callable[[Record, Plan], None],
) -> Results:
    """The records in a folder, with the Parquet files, and their counts."""
    games = [game_of(plan, arm) for arm in range(len(arms))]
    about = versions(games[0])
    tallies = [Tally(plan.in_arm(arm).players) for arm in range(len(arms))]
    with Journal(folder) as journal:
        journal.begin(plan, about, resume=None)
        data = Dataset(folder, plan, games, about, NOTED)
        for arm, played in enumerate(arms):
            for number, (kept, kinds, found) in enumerate(played):
                task = number * len(arms) + arm
                entrants = _entrants(kinds, plan.in_arm(arm).seats)
                record = {**head(task, arm, number, kept.seed), "players": entrants, **found}
                journal.keep(to_line(record))
                data.add(record)
                tallies[arm].add(record)
                see(record, plan)
        data.close()
    return Results(plan, games, tallies, (), 0.0, about=about)


def _entrants(kinds: Sequence[str], seats: Sequence[str]) -> list[int]:
    """By seat which of the plan's players it is: those of one kind in their order."""
    free = list(range(len(seats)))
    found = []
    for kind in kinds:
        at = next(place for place in free if seats[place] == kind)
        free.remove(at)
        found.append(at)
    return found
