"""Games from elsewhere: a save or a log, read into what a table is made of.

about, record = table_of(text, library.folder)

A file from outside is played again whole before a table is made of it, so that it is either all there or refused with
the line that is wrong. What it names are ids: no file is opened for it but those of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from interpreter.game import Game, load_source
from interpreter.log_checking import check_log, game_of
from interpreter.log_lines import Line
from interpreter.log_reading import Log, parse_log
from interpreter.players import HUMAN, is_own, is_player
from interpreter.save import save_of
from interpreter.studio.bounds import MOST_ENTRIES
from interpreter.studio.store import About
from interpreter.studio.trouble import Trouble, Troubled
from interpreter.table.record import Decided
from rulespec.diagnostics.model import ContentError, Problem, Problems
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
    "RS829": "save.state",
    "RS441": "save.variant",
}


def table_of(data: bytes, folder: Callable[[str], Path | None]) -> tuple[About, tuple[Decided, ...]]:
    """The table that a file leads to, and its decisions. `folder` says where a game lies. Raises Troubled."""
    file = SourceFile.of(NAME, _text(data))
    problems = Problems()
    log = parse_log(file, problems, ended=False)
    if log is None or not log.is_whole:
        raise _told(problems)
    home = _home(log, folder)
    is_save = file.text.rstrip("\n").rpartition("\n")[2].startswith('{"save":')
    found = _of_save(file, home, problems) if is_save else _of_log(log, home, problems)
    if found is None:
        raise _told(problems)
    game, kinds = found
    if "asks" not in log.header:
        _must_ask_the_same(game)
    return _about(log.header, game, kinds), tuple(_decided(log, game))


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise Troubled(Trouble("save.form", "It is no text in UTF-8.", line=line)) from fault
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _home(log: Log, folder: Callable[[str], Path | None]) -> Path:
    """Where the game lies, after what can be refused without loading it."""
    header = log.header
    if log.is_of_a_seat:
        raise Troubled(Trouble("save.seat"))
    home = folder(header["game"])
    if home is None:
        raise Troubled(Trouble("save.game", game=header["game"]))
    if len(log.decisions) > MOST_ENTRIES:
        raise Troubled(Trouble("full", most=f"{MOST_ENTRIES:,}"))
    return home


def _must_ask_the_same(game: Game) -> None:
    """A log that does not say that choices were left out has more decisions than a table of the same game."""
    try:
        own = load_source(
            game.source, players=game.players, options=dict(game.options), variants=game.variants, keep=True
        )
    except ContentError as fault:
        raise Troubled(Trouble("content", str(fault.problems[0].message))) from fault
    if own.built.program.unasked:
        raise Troubled(Trouble("save.version", line=1))


def _of_save(file: SourceFile, home: Path, problems: Problems) -> tuple[Game, tuple[str, ...]] | None:
    saved = save_of(file, problems, str(home), keep=True)
    return None if saved is None else (saved.game, saved.seats)


def _of_log(log: Log, home: Path, problems: Problems) -> tuple[Game, tuple[str, ...]] | None:
    game = game_of(log, problems, str(home), keep=True)
    return (game, ()) if game is not None and check_log(log, game, problems).is_true else None


def _about(header: Line, game: Game, kinds: tuple[str, ...]) -> About:
    """Who plays is as it was saved; a log does not say it, and then people do."""
    playing = all(kind == HUMAN or (not is_own(kind) and is_player(kind)) for kind in kinds)
    seats = kinds if HUMAN in kinds and playing else (HUMAN,) * game.players
    options = tuple(sorted((name, _word(value)) for name, value in header["options"].items()))
    return About(header["game"], game.players, options, tuple(sorted(header["variants"])), seats, header["seed"])


def _decided(log: Log, game: Game) -> list[Decided]:
    return [Decided(game.seats.index(each.line["player"]), each.line["key"]) for each in log.decisions]


def _told(problems: Problems) -> Troubled:
    """The first error, by its line, with its own words behind."""
    return Troubled(_trouble(problems.errors[0]))


def _trouble(problem: Problem) -> Trouble:
    detail = f"{problem.code}: {problem.message}"
    if problem.span.file.name != NAME:  # in the game's own files
        return Trouble("content", detail)
    code = _CODES.get(problem.code, "save.setup")
    return Trouble(code, detail, line=problem.span.line)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
