"""Content that changed while a game is played: offers to begin again with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.play.session import Session


def renew(session: Session, confirmed: Callable[[str], bool]) -> bool:
    """Where content has changed and is sound: asks whether to start again with it, and does. Whether it did."""
    file = session.watch.changed()
    if file is None or session.content.load is None:
        return False
    session.say("changed", file=file)
    game = _loaded(session, session.content.load)
    if game is None or not confirmed(session.word("restart.question")):
        return False
    n = session.restart(game)
    session.say("restarted")
    if n:
        session.say("kept", n=n)
    return True


def _loaded(session: Session, load: Callable[[], Game]) -> Game | None:
    """The game with the new content; None after telling that it cannot be played."""
    from rulespec.diagnostics.render import render_text

    try:
        game = load()
        game.texts(session.language)
    except ContentError as fault:
        for line in render_text(fault.problems, colour=session.terminal.colour).splitlines():
            session.terminal.raw(line)
        session.say("changed.broken", n=len(fault.problems))
        return None
    return game
