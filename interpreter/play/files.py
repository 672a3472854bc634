"""Saving and loading games while one is played."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.log_reading import text_of
from interpreter.save import load_save, save
from interpreter.table.saving import keys_of, seats_of
from interpreter.table.seats import Seating
from rulespec.diagnostics.model import Problems

#: errors that say that there is no room
_NO_ROOM = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}

if TYPE_CHECKING:
    from interpreter.play.session import Session


def save_game(session: Session, path: Path) -> None:
    """Saves the game as it is now. Raises OSError."""
    save(session.state, path, session.log, session.seating.kinds)


def load_game(session: Session, path: Path, *, keep_seats: bool = False) -> int | None:
    """Goes on with a saved game; how many decisions it has. None after telling why it cannot be.

    Who plays is as it was saved; with `keep_seats` as it is in the session.
    """
    problems = Problems()
    try:
        saved = load_save(
            path, problems, str(session.game.source.folder), [str(file) for file in session.content.places]
        )
    except (OSError, ValueError) as fault:
        session.say("load.failed", file=str(path), reason=session.word(file_fault(fault)))
        return None
    if _is_of_another_game(session, path):
        session.say("load.failed", file=str(path), reason=session.word("file.other"))
        return None
    if saved is None:
        session.say("load.failed", file=str(path), reason=session.word("file.no_save"))
        _tell(session, problems)
        return None
    _tell(session, problems)
    seats = seats_of(saved, session.seating.kinds)
    if keep_seats:
        seats = Seating(session.seating.kinds, seats.seed)
    return session.resume(saved.game, saved.log(session.log.path), seats, keys_of(saved))


def header_of(path: Path) -> dict[str, Any]:
    """What a save says of its game: at least its id and number of players. Empty for a file that says neither."""
    try:
        header = json.loads(text_of(path).partition("\n")[0])
    except (OSError, ValueError, RecursionError):
        return {}
    return header if isinstance(header, dict) and {"game", "players"} <= header.keys() else {}


def _is_of_another_game(session: Session, path: Path) -> bool:
    """Whether a save names another game or another number of players; a file that is no save names none."""
    header = header_of(path)
    return bool(header) and (header["game"], header["players"]) != (session.game.id, session.game.players)


def _tell(session: Session, problems: Problems) -> None:
    """What there is to say of a save, each with its place: why it cannot be gone on with, or notes on one that can."""
    from rulespec.diagnostics.render import render_text

    for line in render_text(problems.items, colour=session.terminal.colour).splitlines():
        session.terminal.raw(line)


def file_fault(fault: Exception) -> str:
    """The key of what is wrong with a file."""
    if isinstance(fault, FileNotFoundError):
        return "file.missing"
    if isinstance(fault, PermissionError):
        return "file.denied"
    if isinstance(fault, OSError) and fault.errno in _NO_ROOM:
        return "file.full"
    return "file.no_save" if isinstance(fault, ValueError) else "file.unusable"
