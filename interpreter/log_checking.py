"""Playing a log again: each line against what the content does now, and the first line that no longer fits.

game = game_of(log, problems)
replay = check_log(log, game, problems)
replay.last
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.log_lines import Line, LineWriter, canonical
from interpreter.log_reading import Entry, Log
from rulespec.diagnostics.model import ContentError, Problem, Problems, Related
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from rulespec.game_source import GameSource


@dataclass(slots=True)
class Replay:
    """What came of a log, up to the first line that is wrong: how many decisions were made, and the state behind them.

    `last` is None where not even the game's beginning came about. `is_true` says whether all lines that were compared
    fit.
    """

    game: Game
    last: State | None = None
    decisions: int = 0
    is_true: bool = True


def game_of(
    log: Log,
    problems: Problems,
    name: str | None = None,
    variants: Sequence[str] = (),
    *,
    keep: bool = False,
    source: GameSource | None = None,
) -> Game | None:
    """The game that a log was made with, loaded as its header says.

    `name` is another id or folder to load it from, and `variants` are files of variants that do not lie there: a log
    may come from a stranger, so what it names are ids, and no file is opened for it. What cannot be loaded is reported
    at the header. Content that has changed since is a note (RS828), another game too (RS831). A log that does not say
    that choices were left out is of a game in which everything was asked, and so is played again. `keep`: as in
    `load_source`. `source` are files that were read already, for whoever does not want those of the disk.
    """
    from interpreter.game import load_source
    from rulespec.game_source import read_game, with_variant_files

    header, found = log.header, Problems()
    source = source or read_game(name or header["game"], found)
    if source is not None:
        source, _ = with_variant_files(source, variants, found)
        _check_known(header["variants"], source, found)
    if source is None or found.has_errors:
        _take_over(found.items, log, problems, elsewhere=name is None)
        return None
    try:
        game = load_source(
            source,
            players=header["players"],
            options=header["options"],
            variants=header["variants"],
            ask_everything="asks" not in header,
            keep=keep,
        )
    except ContentError as fault:
        _take_over(fault.problems, log, problems)
        return None
    if game.id != header["game"]:
        problems.add("RS831", log.entries[0].span, found=game.id, expected=header["game"])
    elif game.fingerprint != header["fingerprint"]:
        problems.add("RS828", log.entries[0].span, found=game.fingerprint, expected=header["fingerprint"])
    return game


def _check_known(ids: list[str], source: GameSource, problems: Problems) -> None:
    """Reports variants of a log that the game has not (RS441)."""
    from rulespec.overlay.paths import written

    for identity in ids:
        if identity not in source.variants:
            hint = "A file that does not lie in the game's folder is named with `--variant`."
            problems.add("RS441", written(identity, "command line").span, hint=hint, game=source.id, name=identity)


def _take_over(found: tuple[Problem, ...], log: Log, problems: Problems, *, elsewhere: bool = False) -> None:
    """Problems with what the header asks for stand at the header; those of the content's files where they are.

    `elsewhere`: nobody has said where the game lies.
    """
    folder = "A game that is not a shipped one is named by its folder, with `--game`."
    for problem in found:
        is_asked = problem.span.file.name == "command line"
        hint = folder if elsewhere and problem.code == "RS440" else problem.hint
        problems.extend([replace(problem, span=log.entries[0].span, hint=hint) if is_asked else problem])


#: Is given the first state, then the one after each decision, as soon as it is made.
Seen = Callable[["State"], None]


def check_log(
    log: Log, game: Game, problems: Problems, *, to: int | None = None, verify: bool = True, seen: Seen | None = None
) -> Replay:
    """Plays a log again, up to decision `to`; the first line that differs is reported (RS825 to RS827).

    Without `verify` only the choices are made; digests, events and the result are not compared. Digests of a log that
    was written before states had the form that they have now are not compared either (RS830). Who needs more states
    than the last one looks at each as it is `seen`: a log may be of any length, and they are not kept.
    Raises ValueError for a seat's log, which cannot be played again.
    """
    if log.is_of_a_seat:
        raise ValueError("a seat's log has no seed and cannot be played again")
    return _Checker(log, game, problems, verify, seen or (lambda state: None)).run(to)


class _Checker:
    """One run through a log."""

    def __init__(self, log: Log, game: Game, problems: Problems, verify: bool, seen: Seen):
        self.log, self.game, self.problems, self.verify, self.seen = log, game, problems, verify, seen
        self.writer = LineWriter(game)
        self.same_content = game.fingerprint == log.header["fingerprint"]
        self.tells_states = log.tells_states  # here once: each time the header is read again
        self.replay = Replay(game)

    def run(self, to: int | None) -> Replay:
        entries = self.log.entries
        if self.verify and not self.tells_states:
            self.problems.add("RS830", entries[0].span)
        state = self._begin()
        at = 1
        while state is not None and at <= len(entries):
            end = next((i for i in range(at, len(entries)) if entries[i].kind in ("decision", "result")), len(entries))
            is_cut = end == len(entries) and not self.log.is_whole
            if self.verify and not self._events(entries[at:end], end, is_cut=is_cut):
                break
            if end == len(entries) or entries[end].kind == "result":
                self._end(state, entries[end] if end < len(entries) else None)
                break
            if to is not None and entries[end].line["n"] > to:
                break
            state = self._decision(state, entries[end])
            at = end + 1
        return self.replay

    # ---- the beginning ----

    def _begin(self) -> State | None:
        header = self.log.entries[0]
        try:
            state = self.game.start(header.line["seed"], events=True)
        except ValueError as fault:
            self._fail("RS821", header.span, fault=str(fault))
            return None
        except ContentError as fault:
            self._stopped(fault, header, None)
            return None
        self._take(state)
        self.lines = self.writer.events(state)
        self.behind: list[Span | None] = self.writer.places_of(state)
        self.ask_span: Span | None = None
        if not self._are_of_players(header):
            return None
        made = self.writer.header(header.line["seed"], state)
        if self.verify and self.same_content:
            return state if self._same_header(header, made) else None
        return state

    def _take(self, state: State) -> None:
        self.replay.last = state
        self.seen(state)

    def _are_of_players(self, entry: Entry) -> bool:
        """Whether what was noted at a line is of seats that there are."""
        for note in entry.line.get("notes", ()):
            if note["player"] not in self.game.seats:
                self._fail("RS826", entry.span, what=f"`notes` names {note['player']}, and there is no such player")
                return False
        return True

    def _same_header(self, header: Entry, made: Line) -> bool:
        compared = made.keys() - (() if self.tells_states else ("states", "digest"))
        wrong = next((n for n in made if n in compared and canonical(header.line[n]) != canonical(made[n])), None)
        if wrong is None:
            return True
        what = f"`{wrong}` is {canonical(header.line[wrong])}, and is {canonical(made[wrong])} when played again"
        self._fail("RS826", header.span, what=what)
        return False

    def _stopped(self, fault: ContentError, entry: Entry, hint: str | None) -> None:
        """A fault of the content that comes up here: where it is, and the line of the log that leads to it."""
        self.replay.is_true = False
        for problem in fault.problems:
            words = " ".join(filter(None, (problem.hint, hint))) or None
            there = Related("it comes up at this line of the log", entry.span)
            self.problems.extend([replace(problem, hint=words, related=(*problem.related, there))])

    # ---- one decision ----

    def _decision(self, before: State, entry: Entry) -> State | None:
        line = entry.line
        if before.decision is None:
            self._fail("RS823", entry.span, found=f"decision {line['n']}", expected="the result")
            return None
        player = self.game.seats[before.decision.player]
        if line["player"] != player:
            self._fail("RS826", entry.span, what=f"`player` is {line['player']}, and {player} decides here")
            return None
        if not self._are_of_players(entry):
            return None
        option = before.options().find(line["key"])
        if option is None:
            self._refused(before, entry)
            return None
        try:
            after = before.apply(option, events=True)
        except ContentError as fault:
            self._stopped(
                fault, entry, f"`rulespec replay {self.log.file.name} --to {line['n'] - 1}` shows what was before."
            )
            return None
        self.lines = self.writer.events(after)
        self.behind = self.writer.places_of(after)
        self.ask_span = self.writer.place_of((None, before.cells[0]))
        self.replay.decisions += 1
        self._take(after)
        if self.verify and self.tells_states and line["digest"] != after.digest():
            self._differs(entry, after)
            return None
        return after

    def _refused(self, before: State, entry: Entry) -> None:
        from interpreter.refusal import why_not
        from rulespec.diagnostics.nearest import did_you_mean

        n, key = entry.line["n"], entry.line["key"]
        refusal, keys = why_not(before, key), before.options().keys()
        related = self._declared(refusal.span, "the condition that forbids it")
        hint = did_you_mean(key, keys) or f"Offered here: {', '.join(keys[:6])}{', …' * (len(keys) > 6)}."
        self._fail("RS825", entry.span, hint, related, n=n, key=key, reason=refusal.rule)

    def _differs(self, entry: Entry, after: State) -> None:
        """The digest is another: what happened tells where, else the choice itself."""
        at = self.log.entries.index(entry) + 1
        end = next(
            (i for i in range(at, len(self.log.entries)) if self.log.entries[i].kind != "event"),
            len(self.log.entries),
        )
        noted = [e.line for e in self.log.entries[at:end]]
        number = self._first_other(noted)
        span = self.ask_span if number is None else self._behind(number)
        what = f"its digest is {entry.line['digest']}, and is {after.digest()} when played again"
        self._fail("RS826", entry.span, None, self._declared(span), what=what)

    # ---- events ----

    def _events(self, entries: tuple[Entry, ...], end: int, *, is_cut: bool) -> bool:
        """Whether the events are those that happen now; where the log `is_cut` after them, the last may be missing."""
        number = self._first_other([entry.line for entry in entries])
        if number is None or (is_cut and number >= len(entries)):
            return True
        place = self.log.entries[min(end, len(self.log.entries) - 1)] if number >= len(entries) else entries[number]
        if number >= len(self.lines):
            what = "nothing of this kind happens here when it is played again"
        else:
            what = f"`{_short(self.lines[number])}` happens here when it is played again"
        self._fail("RS826", place.span, None, self._declared(self._behind(number)), what=what)
        return False

    def _first_other(self, noted: list[Line]) -> int | None:
        """The number of the first event that is not the one noted; None where all are."""
        for i in range(max(len(noted), len(self.lines))):
            if i >= len(noted) or i >= len(self.lines) or self._plain(noted[i]) != self._plain(self.lines[i]):
                return i
        return None

    @staticmethod
    def _plain(line: Line) -> str:
        """An event as it is compared: lines of the content may have moved, and rules been bound, without any effect."""
        return canonical({k: v for k, v in line.items() if k not in ("at", "rule")})

    def _behind(self, number: int) -> Span | None:
        """The declaration behind an event; past the last one that of the choice."""
        return self.behind[number] if number < len(self.behind) else self.ask_span

    def _declared(self, span: Span | None, what: str = "the declaration behind it") -> list[Related]:
        return [] if span is None else [Related(what, span)]

    # ---- the end ----

    def _end(self, state: State, entry: Entry | None) -> None:
        if entry is None or not self.verify or not self.log.is_whole:
            return
        made = self.writer.result(state)
        if canonical(made) == canonical(entry.line):
            return
        if entry.line["result"] is not None and state.result is None:
            self._fail("RS827", entry.span, what="the game is not over here")
        else:
            self._fail("RS827", entry.span, what=f"it is {canonical(made['result'])} when played again")

    def _fail(
        self, code: str, span: Span, hint: str | None = None, related: list[Related] | None = None, **args: Any
    ) -> None:
        self.replay.is_true = False
        self.problems.add(code, span, hint=hint, related=related or (), **args)


def _short(line: Line) -> str:
    """An event in a few words."""
    words = [str(line["event"])]
    words += [str(line[name]) for name in ("player", "action", "name", "counter", "amount", "reason") if name in line]
    return " ".join([*words, *(str(p) for p in line.get("pieces", ())[:3])])
