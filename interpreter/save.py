"""Saved games: the log so far, and a last line that holds the state itself.

    save(state, "game.save", log)
    saved = load_save("game.save", problems)        # in another process too
    saved.state.options()

A save is played again when it is loaded: where the content has changed since, either all that was decided still fits,
or the first line that no longer does is named with the declaration behind it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interpreter.log import GameLog, readable_text, write_whole
from interpreter.log_checking import check_log, game_of
from interpreter.log_lines import Line, LineWriter
from interpreter.log_reading import Log, data_of, parse_log, text_of
from interpreter.players import HUMAN, is_own, is_player
from interpreter.state import digest_of
from rulespec.diagnostics.model import Problems
from rulespec.published import first_fault, place_of
from rulespec.source.text import SourceFile, Span

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from rulespec.game_source import GameSource

SAVE_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game: where it stands, and the lines of its log, with which `GameLog.resume` goes on.

    `seats` says who plays each seat (`human` or a name of `interpreter.players`), where that was saved.
    """

    game: Game
    state: State
    lines: list[Line]
    seats: tuple[str, ...] = ()

    def log(self, path: str | Path | None = None) -> GameLog:
        """The log of the game, to be gone on with."""
        return GameLog.resume(path, self.game, self.lines, self.state)


def save(state: State, path: str | Path, log: GameLog, seats: Sequence[str] = ()) -> None:
    """Saves a game whole or not at all; `log` is the game's log up to this state, `seats` says who plays each seat.

    Raises OSError, with EOVERFLOW where the save would be longer than one that is read.
    """
    write_whole(Path(path), readable_text(save_lines(state, log.lines, log.n, seats)))


def save_lines(state: State, lines: Sequence[Line], n: int, seats: Sequence[str] = ()) -> list[Line]:
    """The lines of a save: those of the game's log, which has `n` decisions, and the one that holds the state."""
    data = base64.b64encode(state.to_bytes()).decode("ascii")
    last: Line = {"save": SAVE_VERSION, "n": n, "state": data, "digest": state.digest()}
    if seats and not any(map(is_own, seats)):
        last["seats"] = list(seats)
    return [*(line for line in lines if "result" not in line), last]


def load_save(
    path: str | Path, problems: Problems, name: str | None = None, variants: Sequence[str] = ()
) -> Saved | None:
    """The game in a save; None after a report. For `name` and `variants` see `game_of`.

    Raises as `text_of`.
    """
    return save_of(SourceFile.of(str(path), text_of(path)), problems, name, variants)


def save_of(  # noqa: PLR0913  (what was read already, and what from)
    file: SourceFile,
    problems: Problems,
    name: str | None = None,
    variants: Sequence[str] = (),
    *,
    keep: bool = False,
    source: GameSource | None = None,
    log: Log | None = None,
    each: Callable[[], None] | None = None,
) -> Saved | None:
    """As `load_save`, of a text; `keep` and `source` as in `game_of`.

    `log` is the text's log, where that was read already. `each` is called for each position: it may raise where this
    takes too long.
    """
    body = file.text.rstrip("\n")
    cut = body.rfind("\n") + 1
    place = Span(file, cut, len(body))
    last = _last_line(body[cut:], place, problems)
    if last is None:
        return None
    log = log or parse_log(SourceFile.of(file.name, file.text[:cut]), problems, ended=False)
    if log is None or not log.is_whole:
        return None
    game = game_of(log, problems, name, variants, keep=keep, source=source)
    if game is None:
        return None
    return _resumed(log, game, last, place, problems, each)


def _last_line(text: str, place: Span, problems: Problems) -> Line | None:
    """The line that makes a log a save."""
    try:
        line = data_of(text)
    except ValueError:
        line = None
    if not isinstance(line, dict) or "save" not in line:
        problems.add("RS829", place, reason="its last line does not hold the state")
        return None
    if type(line["save"]) is int and line["save"] != SAVE_VERSION:
        problems.add("RS829", place, reason=f"its version is {line['save']}, and {SAVE_VERSION} can be read")
        return None
    fault = first_fault(line, "log", "save")
    if fault is None:
        return line
    start, end = place_of(text, fault)
    problems.add("RS829", Span(place.file, place.start + start, place.start + end), reason=fault.words)
    return None


def _resumed(
    log: Log, game: Game, last: Line, place: Span, problems: Problems, each: Callable[[], None] | None
) -> Saved | None:
    anew = None if log.tells_states else _Anew(log, game)

    def seen(state: State) -> None:
        if each is not None:
            each()
        if anew is not None:
            anew(state)

    replay = check_log(log, game, problems, seen=seen)
    if replay.last is None or not replay.is_true:
        return None
    reason = _wrong_state(log, game, last, replay.last)
    if reason is not None:
        problems.add("RS829", place, reason=reason)
        return None
    lines = [entry.line for entry in log.entries] if anew is None else anew.lines
    return Saved(game, replay.last, lines, tuple(last.get("seats", ())))


class _Anew:
    """The lines of a game whose digests are of older states, as they are written today.

    Gone on with as they were, old digests and new ones would stand in one log, and none could ever be compared.
    """

    def __init__(self, log: Log, game: Game):
        self.lines: list[Line] = []
        header = log.header
        self._seed = header["seed"]
        self._noted: Line = {"notes": header["notes"]} if "notes" in header else {}
        self._decisions = iter(log.decisions)
        self._writer = LineWriter(game)

    def __call__(self, state: State) -> None:
        """Writes what led to a state."""
        if not self.lines:
            self.lines.append(self._writer.header(self._seed, state) | self._noted)
        else:
            self.lines.append({**next(self._decisions).line, "digest": self._writer.digest(state)})
        self.lines += self._writer.events(state)


def is_seat(kind: str) -> bool:
    """A saved game is input from elsewhere: it runs no file that it names."""
    return kind == HUMAN or (not is_own(kind) and is_player(kind))


def _wrong_state(log: Log, game: Game, last: dict[str, Any], state: State) -> str | None:
    """What is wrong with the state of the last line. Bytes of other content or another form mean nothing."""
    if last["n"] != len(log.decisions):
        return f"it was made after decision {last['n']}, and the log before it ends with {len(log.decisions)}"
    seats = last.get("seats", [])
    if not all(map(is_seat, seats)):
        return "its last line names a kind of seat that there is not"
    if seats and len(seats) != game.players:
        return f"its last line names {len(seats)} seats, and {game.players} play"
    try:
        data = base64.b64decode(last["state"], validate=True)
    except ValueError:
        return "its last line holds no state of this game"
    if not log.tells_states:  # of an older form no more can be said
        return None if last["digest"] == digest_of(data) else "the digest of its last line is not that of its state"
    if game.fingerprint != log.header["fingerprint"]:
        return None
    try:
        found = game.state_from_bytes(data) if data != state.to_bytes() else state
    except ValueError:
        return "its last line holds no state of this game"
    if found != state or last["digest"] != state.digest():
        return "its state is not the one that the decisions lead to"
    return None
