"""What lenses do: scenarios run on the texts of the editor, games played on from them, places and changes shown.

add_commands(server)   # before it serves

A failure of a scenario is shown where it is, beside the problems of its file, until the game is changed.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from interpreter.lsp.choosing import CHOOSE_SHOWN, add_choosing
from interpreter.lsp.convert import location_of, range_of
from interpreter.lsp.server import Server
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import game_of_trees
from rulespec.service.lenses import CHANGED, CHANGES, CHOSEN, PLAY, RUN, SHOWN, Lens, changes_told, lenses
from rulespec.service.positions import Lines, path_of
from rulespec.service.problems import Snapshot, Trees, snapshot_of
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.scenarios import Games, Scenario

RUN_SCENARIOS = "rulespec.runScenarios"
PLAY_SCENARIO = "rulespec.playScenario"
SHOW_PLACES = "rulespec.showPlaces"
SHOW_CHANGES = "rulespec.showChanges"

_COMMANDS = {
    RUN: RUN_SCENARIOS,
    PLAY: PLAY_SCENARIO,
    SHOWN: SHOW_PLACES,
    CHANGED: SHOW_CHANGES,
    CHANGES: SHOW_CHANGES,
    CHOSEN: CHOOSE_SHOWN,
}

#: How many places are offered to choose from, and lines of a message shown.
MOST_PLACES, MOST_LINES = 20, 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """What running scenarios gave: how many ran, their failures by name with places, and why none could run."""

    ran: tuple[str, ...]
    failures: tuple[tuple[str, Span, str], ...]
    refused: str = ""

    @property
    def words(self) -> str:
        """One sentence about it."""
        if self.refused:
            return self.refused
        failed = list(dict.fromkeys(name for name, _, _ in self.failures))
        if failed:
            return f"{len(failed)} of {_counted(len(self.ran))} failed: {', '.join(failed[:5])}"
        return f"{self.ran[0]} passed" if len(self.ran) == 1 else f"{_counted(len(self.ran))} passed"


def _counted(number: int) -> str:
    return "1 scenario" if number == 1 else f"{number} scenarios"


def run_scenarios(snapshot: Snapshot, names: Sequence[str], stopped: Event) -> Outcome:
    """Runs scenarios of a game as it stands in the editor, until it is `stopped`."""
    from interpreter.scenarios import Games, run_scenario, scenarios_of

    problems = Problems(snapshot.lost)
    files = Trees().of(snapshot.texts, problems)
    source = game_of_trees(Path(snapshot.home), files, snapshot.engine, problems)
    if source is None or problems.has_errors:
        first = next(iter(problems.errors), None)
        return Outcome((), (), f"Nothing can be run: {first.message if first else 'there is no game'}")
    wanted = [each for each in scenarios_of(source) if each.name.text in names]
    if not wanted:
        return Outcome((), (), f"There is no scenario '{names[0] if names else ''}'")
    games, failures = Games(source), []
    reasons: list[str] = []
    while len(reasons) < len(wanted) and all(reasons):  # until one can be loaded
        if stopped.is_set():
            return Outcome((), ())
        reasons.append(_reason(games, wanted[len(reasons)]))
    if all(reasons):  # told where it is; each scenario would say it again
        return Outcome((), (), f"Nothing can be run: {reasons[0]}")
    for number, scenario in enumerate(wanted):
        if stopped.is_set():
            wanted = wanted[:number]
            break
        failures += [(each.scenario, each.span, each.message) for each in run_scenario(games, scenario)]
    return Outcome(tuple(each.name.text for each in wanted), tuple(failures))


def _reason(games: Games, scenario: Scenario) -> str:
    """Why a scenario's game cannot be loaded; an empty text where it can."""
    try:
        games.game_of(scenario)
    except ContentError as fault:
        return next((problem.message for problem in fault.problems if problem.severity == "error"), str(fault))
    return ""


def add_commands(server: Server) -> None:
    """Has a server answer lenses, and do what they say."""
    _lenses(server)
    _running(server)
    _showing(server)
    add_choosing(server)


def _lenses(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lensed(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        name = path_of(uri) or ""
        lines = Lines(ls.space.text(name))
        return [
            lsp.CodeLens(
                range_of(lines, each.at.start, each.at.end, ls.encoding),
                lsp.Command(each.words, *_command(each, uri, ls.encoding)),
            )
            for each in lenses(ls.space, name)
        ]


def _command(lens: Lens, uri: str, encoding: str) -> tuple[str, None, list[Any]]:
    """The command of a lens with its one argument."""
    given: dict[str, Any] = {"uri": uri, "names": list(lens.names)}
    if lens.kind in (SHOWN, CHANGED):
        places = [location_of(place, encoding) for place in lens.places]
        given["places"] = [
            {
                "uri": each.uri,
                "range": {
                    side: {"line": at.line, "character": at.character}
                    for side, at in (("start", each.range.start), ("end", each.range.end))
                },
            }
            for each in places
        ]
    if lens.kind in (CHANGED, CHANGES):
        given |= {"variant": lens.names[0], "path": lens.path}
    return _COMMANDS[lens.kind], None, [given]


def _running(server: Server) -> None:
    @server.command(RUN_SCENARIOS)
    async def run(ls: Server, *sent: Any) -> dict[str, Any] | None:
        name, names = _asked(sent)
        game = ls.space.game_of(name)
        if game is None:
            return None
        snapshot, stopped = snapshot_of(game), Event()
        loop = asyncio.get_running_loop()
        try:
            outcome = await loop.run_in_executor(
                ls.thread_pool,
                lambda: ls.working.during("Running scenarios", lambda: run_scenarios(snapshot, names, stopped)),
            )
        except asyncio.CancelledError:
            stopped.set()
            raise
        except ContentError as fault:
            outcome = Outcome((), (), str(fault))
        if snapshot_of(game).texts == snapshot.texts:  # else they are places of texts that are no more
            ls.results.put(snapshot, outcome.ran, outcome.failures)
        _say(ls, outcome.words, is_bad=bool(outcome.failures or outcome.refused))
        return {
            "ran": list(outcome.ran),
            "failed": [{"scenario": each, "message": message} for each, _, message in outcome.failures],
            "message": outcome.words,
        }

    @server.command(PLAY_SCENARIO)
    def play(ls: Server, *sent: Any) -> dict[str, Any] | None:
        name, names = _asked(sent)
        game = ls.space.game_of(name)
        if game is None or not names:
            return None
        words = ["rulespec", "play", game.home, "--scenario", names[0]]
        if not _does_itself(ls):
            _say(ls, f"In a terminal: {shlex.join(words)}", is_bad=False)
        return {"command": words}


def _showing(server: Server) -> None:
    @server.command(SHOW_PLACES)
    async def show(ls: Server, *sent: Any) -> None:
        given = _given(sent)
        places, names = given.get("places"), given.get("names")
        if not isinstance(places, list) or not places or _does_itself(ls):
            return
        place = places[0]
        if len(places) > 1 and isinstance(names, list):
            actions = [lsp.MessageActionItem(str(each)) for each in names[:MOST_PLACES]]
            asked = lsp.ShowMessageRequestParams(lsp.MessageType.Info, "Which one?", actions)
            chosen = await ls.window_show_message_request_async(asked)
            if chosen is None or chosen.title not in names:
                return
            place = places[names.index(chosen.title)]
        await _show(ls, place)

    @server.command(SHOW_CHANGES)
    def changes(ls: Server, *sent: Any) -> dict[str, str] | None:
        name, _ = _asked(sent)
        game, given = ls.space.game_of(name), _given(sent)
        if game is None:
            return None
        told = changes_told(game, str(given.get("variant", "")), str(given.get("path", "")))
        if not _does_itself(ls):
            lines = told.split("\n")
            more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
            _say(ls, "\n".join([*lines[:MOST_LINES], *more]), is_bad=False)
        return {"text": told}


async def _show(ls: Server, place: Any) -> None:
    window = ls.client_capabilities.window
    if window is None or window.show_document is None or not window.show_document.support:
        return
    try:
        start, end = place["range"]["start"], place["range"]["end"]
        first = lsp.Position(int(start["line"]), int(start["character"]))
        last = lsp.Position(int(end["line"]), int(end["character"]))
        uri = str(place["uri"])
    except (KeyError, TypeError, ValueError):  # an editor that sends something else than it was given
        return
    await ls.window_show_document_async(lsp.ShowDocumentParams(uri, take_focus=True, selection=lsp.Range(first, last)))


def _given(sent: Sequence[Any]) -> dict[str, Any]:
    """The one argument of a command, whatever an editor sends."""
    return sent[0] if sent and isinstance(sent[0], dict) else {}


def _asked(sent: Sequence[Any]) -> tuple[str, list[str]]:
    """The file and the names in what an editor sends with a command."""
    given = _given(sent)
    names = given.get("names")
    return path_of(str(given.get("uri", ""))) or "", [str(each) for each in names] if isinstance(names, list) else []


def _does_itself(ls: Server) -> bool:
    """Whether the editor shows what a command gives by itself, as the project's own extension does."""
    own = ls.client_capabilities.experimental
    return isinstance(own, dict) and bool(own.get("rulespec"))


def _say(ls: Server, words: str, *, is_bad: bool) -> None:
    kind = lsp.MessageType.Warning if is_bad else lsp.MessageType.Info
    ls.window_show_message(lsp.ShowMessageParams(kind, words))
