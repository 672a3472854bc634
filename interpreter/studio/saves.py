"""Games from elsewhere: a save or a log, read into what a table is made of.

loaded = table_of(data, library)
loaded.about, loaded.record, loaded.game

A file from outside is played again whole before a table is made of it, so that it is either all there or refused with
the line that is wrong. The table is to be played by the very content that it was played again by. What it names are
ids: no file is opened for it but those of the game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import thread_time
from typing import Final

from interpreter.game import Game, load_source
from interpreter.log_checking import check_log, game_of
from interpreter.log_lines import Line
from interpreter.log_reading import Log, data_of, parse_log
from interpreter.players import HUMAN, is_own, is_player
from interpreter.save import SAVE_VERSION, is_seat, save_of
from interpreter.studio.bounds import LONGEST_REQUEST, MOST_ENTRIES, SECONDS_TO_CHECK
from interpreter.studio.library import Library
from interpreter.studio.store import About, Done
from interpreter.studio.trouble import Trouble, Troubled
from interpreter.table.notes import MOST_NOTES
from interpreter.table.record import Decided
from interpreter.table.saving import notes_in, seconds_in
from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.game_source import GameSource
from rulespec.published import first_fault
from rulespec.source.text import SourceFile

NAME: Final = "save"  #: what the file is called in places of problems

#: What is told of a problem with a file, by its code; of all others that the game cannot be played so.
_CODES: Final = {
    "RS820": "save.form",
    "RS821": "save.form",
    "RS822": "save.version",
    "RS823": "save.order",
    "RS824": "save.form",
    "RS825": "save.choice",
    "RS826": "save.differs",
    "RS827": "save.differs",
    "RS441": "save.variant",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """The table that a file leads to, what was decided and noted there, and the game that it was played again in."""

    about: About
    done: Done
    game: Game


@dataclass(slots=True)
class Patience:
    """Whether a file is still to be read: not where it takes too long, or where nobody waits for it any more.

    Time is that of the thread that reads: what else the machine does is not the file's fault.
    """

    seconds: float = field(default_factory=lambda: SECONDS_TO_CHECK)
    ended: Event = field(default_factory=Event)
    _until: float | None = None

    def __call__(self) -> None:
        """Raises Troubled where there is none left. It begins with the first call."""
        now = thread_time()
        self._until = now + self.seconds if self._until is None else self._until
        if self.ended.is_set() or now > self._until:
            raise Troubled(Trouble("save.slow"))


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a game lies; `source` are its files where tables in use were made of the file's content."""

    folder: str
    source: GameSource | None


def table_of(data: bytes, library: Library, patience: Patience | None = None) -> Loaded:
    """The table that a file leads to. It is played again by a game of its own. Raises Troubled.

    Where tables are in use that have the content that made the file, it is played by that; else by what lies on the
    disk now.
    """
    patience, problems = patience or Patience(), Problems()
    patience()
    file = SourceFile.of(NAME, _text(data))
    _must_be_short(len(file.text.partition("\n")[0]), 1)  # before it is read: what it names may be very many
    log = parse_log(file, problems, ended=False, each=patience)
    if log is None or not log.is_whole:
        raise _told(problems)
    home = _Home(str(_home(log, library)), library.source_of(log.header["game"], log.header["fingerprint"]))
    is_save = file.text.rstrip("\n").rpartition("\n")[2].startswith('{"save":')
    found = _of_save(file, log, home, problems, patience) if is_save else _of_log(log, home, problems, patience)
    if found is None:
        raise _told(problems, log)
    game, kinds = found
    if "asks" not in log.header:
        game = _asking_the_same(game)
    return Loaded(_about(log.header, game, kinds), _done(log, game), game)


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise Troubled(Trouble("save.form", "It is no text in UTF-8.", line=line)) from fault
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n") + "\n" if text.endswith("\n\n") else text  # as `rulespec play --load` takes it


def _must_be_short(length: int, line: int) -> None:
    """A header asks for no more than a request of a new table can, and a decision is no longer than that."""
    if length > LONGEST_REQUEST:
        raise Troubled(Trouble("save.form", f"It is longer than {LONGEST_REQUEST:,} characters.", line=line))


def _must_be_askable(header: Line) -> None:
    """What a header asks for is in the bounds of what may be asked of a new table."""
    names = ("options", "variants")
    asked = {"game": header["game"], "seats": [HUMAN] * min(header["players"], 101)}
    fault = first_fault(asked | {name: header[name] for name in names}, "studio", "new_table")
    if fault is not None:
        raise Troubled(Trouble("save.setup", f"{fault.words}.", line=1))


def _home(log: Log, library: Library) -> Path:
    """Where the game lies, after what can be refused without loading it."""
    header = log.header
    if log.is_of_a_seat:
        raise Troubled(Trouble("save.seat"))
    _must_be_askable(header)
    home = library.folder(header["game"])
    if home is None or not home.is_dir():
        raise Troubled(Trouble("save.game", game=header["game"]))
    if len(log.decisions) > MOST_ENTRIES:
        raise Troubled(Trouble("full", limit=f"{MOST_ENTRIES:,}"))
    for each in log.decisions:
        _must_be_short(each.span.end - each.span.start, each.span.line)
    return home


def _asking_the_same(game: Game) -> Game:
    """The game as tables play it: a log that does not say that choices were left out may have more decisions."""
    try:
        own = load_source(
            game.source, players=game.players, options=dict(game.options), variants=game.variants, keep=True
        )
    except ContentError as fault:
        raise Troubled(Trouble("content", str(fault.problems[0].message))) from fault
    if own.built.program.unasked:
        raise Troubled(Trouble("save.version", line=1))
    return own


def _of_save(
    file: SourceFile, log: Log, home: _Home, problems: Problems, patience: Patience
) -> tuple[Game, tuple[str, ...]] | None:
    saved = save_of(file, problems, home.folder, keep=True, source=home.source, log=log, each=patience)
    return None if saved is None else (saved.game, saved.seats)


def _of_log(log: Log, home: _Home, problems: Problems, patience: Patience) -> tuple[Game, tuple[str, ...]] | None:
    game = game_of(log, problems, home.folder, keep=True, source=home.source)
    if game is None or not check_log(log, game, problems, seen=lambda _: patience()).is_true:
        return None
    return game, ()


def _about(header: Line, game: Game, kinds: tuple[str, ...]) -> About:
    """Who plays is as it was saved; a log does not say it, and then people do."""
    playing = all(kind == HUMAN or (not is_own(kind) and is_player(kind)) for kind in kinds)
    seats = kinds if HUMAN in kinds and playing else (HUMAN,) * game.players
    options = tuple(sorted((name, _word(value)) for name, value in header["options"].items()))
    return About(header["game"], game.players, options, tuple(sorted(header["variants"])), seats, header["seed"])


def _done(log: Log, game: Game) -> Done:
    """What was decided, with the time that it took, and noted. Raises Troubled where there are too many notes."""
    lines = [log.header, *(each.line for each in log.decisions)]
    decided = [Decided(game.seats.index(line["player"]), line["key"]) for line in lines[1:]]
    found, of_seat = notes_in(lines, game.seats), Counter[int]()
    for note in found.values():
        of_seat[note.seat] += 1
        if of_seat[note.seat] > MOST_NOTES:
            detail = f"It has more than {MOST_NOTES:,} notes of one seat."
            line = log.decisions[note.moment - 1].span.line if note.moment else 1
            raise Troubled(Trouble("save.setup", detail, line=line))
    return Done(decided, seconds_in(lines), tuple(found.items()))


def _told(problems: Problems, log: Log | None = None) -> Troubled:
    """The first error, by its line, with its own words behind."""
    return Troubled(_trouble(problems.errors[0], log))


def _trouble(problem: Problem, log: Log | None) -> Trouble:
    detail = f"{problem.code}: {problem.message}"
    if problem.span.file.name != NAME:  # in the game's own files
        return Trouble("content", detail)
    code = _CODES.get(problem.code, "save.setup")
    if problem.code == "RS829" and log is not None:
        code = _of_last_line(log)
    return Trouble(code, detail, line=problem.span.line)


def _of_last_line(log: Log) -> str:
    """What is told of a last line that does not make a log a save: first of its form, then of what it says."""
    try:
        last = data_of(log.file.text.rstrip("\n").rpartition("\n")[2])
    except ValueError:
        return "save.form"
    if type(last["save"]) is int and last["save"] != SAVE_VERSION:
        return "save.version"
    if first_fault(last, "log", "save") is not None:
        return "save.form"
    seats = last.get("seats", [])
    if not all(map(is_seat, seats)) or (seats and len(seats) != log.header["players"]):
        return "save.setup"
    return "save.state" if last["n"] == len(log.decisions) else "save.order"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
