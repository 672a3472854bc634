"""One made game, through everything: checked, played by both executors, looked at, saved, logged, drawn and printed.

found = examine(text, folder, seed=1)       # Refused, or Examined with what was seen; raises what goes wrong
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bench.differential import Pair
from bench.games.files import laid_out, languages_of, variants_of
from bench.independence import leaks
from interpreter import Game
from interpreter.book import html, make_book, markdown
from interpreter.draw import Drawer, Showing
from interpreter.draw.ink import render
from interpreter.game import load_source
from interpreter.log import GameLog, as_text
from interpreter.log_checking import check_log
from interpreter.log_reading import parse_log
from interpreter.middle.layout import to_bytes
from interpreter.native.executor import Bailed, Native, NotCompiled
from interpreter.save import load_save, save
from interpreter.scenarios import Games, run_scenario, scenarios_of
from rulespec.check import check_game
from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.game_source import GameSource, read_game, resolve
from rulespec.lower.ir import Ir, walk_ir
from rulespec.settle import player_range
from rulespec.source.text import SourceFile, Span

MOST_DECISIONS = 60
GAMES = 5  #: for each number of players
MOST_WORKED = 1  #: faults of too much work, each of which takes seconds in every executor; nothing is played then


class Wrong(Exception):
    """Something is not as it must be, though nothing was raised."""


@dataclass(slots=True)
class Examined:
    """What was seen: why `check` refuses the game, or what was done with it. `forms` are what the games consist of."""

    refused: tuple[Problem, ...] = ()
    games: int = 0
    decisions: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    forms: set[str] = field(default_factory=set)
    source: GameSource | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to play a game: with how many, with which variants and options, and in which language it is told."""

    players: int
    variants: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    language: str = "en"


def examine(text: str, folder: Path, seed: int) -> Examined:
    """Puts a game's files into a folder and does everything with it. Raises Wrong, or whatever breaks on the way."""
    with laid_out(text, folder) as home:
        return _examined(text, home, seed)


def _examined(text: str, home: Path, seed: int) -> Examined:
    problems, found = Problems(), Examined()
    found.source = source = read_game(str(home), problems)
    if source is not None:
        check_game(source, [], problems)
    if source is None or problems.has_errors:
        found.refused = tuple(problems.errors)
        return found
    tree = yaml.load(text, Loader=yaml.CSafeLoader)
    settings = _settings(source, tree, seed)
    for setting in settings:
        if not _is_dear(found):
            _examine_for(source, setting, seed, home, found)
    for language in languages_of(tree):
        if _is_dear(found):
            return found
        with _own_faults(found):
            _print(source, language, settings[-1])
    _scenarios(source)
    return found


def _settings(source: GameSource, tree: dict[str, Any], seed: int) -> list[Setting]:
    """The fewest and the most players; and by chance variants and options, told in a language of a pack."""
    low, high = player_range(source.base, Problems())
    found = [Setting(players) for players in sorted({low, high})]
    dice, languages = random.Random(f"settings {seed}"), languages_of(tree)
    options = tree["game"].get("options", {})
    chosen = {name: _value_of(option, dice) for name, option in options.items()}
    variants = _together(source, variants_of(tree), dice)
    if chosen or variants or len(languages) > 1:
        found.append(Setting(dice.randint(low, high), variants, chosen, languages[-1]))
    return found


def _value_of(option: dict[str, Any], dice: random.Random) -> bool | int:
    if option["type"] == "boolean":
        return dice.random() < 0.5
    low, _, high = str(option["type"]).partition("..")
    return dice.randint(int(low), int(high))


def _together(source: GameSource, names: list[str], dice: random.Random) -> tuple[str, ...]:
    """Some of the variants that can be on together."""
    wanted = dice.sample(names, dice.randint(min(1, len(names)), len(names)))
    for some in (wanted, wanted[:1], names[:1]):
        problems = Problems()
        resolve(source, some, problems)
        if not problems.has_errors:
            return tuple(some)
    return ()


def _examine_for(source: GameSource, setting: Setting, seed: int, folder: Path, found: Examined) -> None:
    """The game in one setting. Faults of the content that come up in play are counted: they are its own."""
    try:
        game = load_source(source, players=setting.players, options=setting.options, variants=setting.variants)
    except ContentError as fault:
        if setting.options or setting.variants:  # such as two that one option switches on and another forbids
            found.faults.update({problem.code for problem in fault.problems})
            return
        raise
    found.forms |= forms_of(game)
    try:
        pair = Pair(game, Native(game.built, game.facts, (), cache=False))
    except NotCompiled as why:
        found.given_up[f"not compiled: {why}"] += 1
    else:
        for number in range(seed, seed + GAMES):
            with _own_faults(found):
                found.decisions += side_by_side(pair, number)
                found.games += 1
            if _is_dear(found):
                break
        found.given_up.update(pair.gave_up)
    if _is_dear(found):
        return
    with _own_faults(found):
        recorded(game, seed, folder, setting.language)
    with _own_faults(found):
        if any(zone.front != "all" for zone in game.world.zones.values()):
            for told in leaks(game, range(seed, seed + 1), decisions=6, others=1):
                raise Wrong(f"leak: {told}")


def _is_dear(found: Examined) -> bool:
    """Whether so much work was met that nothing more is played: the bound is met the same way again and again."""
    return found.faults["RS802"] + found.faults["RS803"] >= MOST_WORKED


@contextmanager
def _own_faults(found: Examined) -> Iterator[None]:
    """Counts a fault of the content by its code, and goes on."""
    try:
        yield
    except ContentError as fault:
        found.faults.update({problem.code for problem in fault.problems})


# ---- both executors --------------------------------------------------------------------------------------------------


def side_by_side(pair: Pair, seed: int) -> int:
    """A random game by both executors: how many decisions were the same. Raises Wrong where they differ."""
    dice, done = random.Random(seed), 0
    what = _both(pair, seed, None)
    while not what and pair.options and done < MOST_DECISIONS:
        done += 1
        what = _both(pair, seed, dice.randrange(len(pair.options)))
    if what:
        raise Wrong(f"executors: {what}, after {done} decisions, at {pair.place()}")
    return done


def _both(pair: Pair, seed: int, chosen: int | None) -> str:
    """Both begin a game, or go on with an option; what differs, or nothing. A fault of the content stops both."""
    machine = pair.game.machine
    before = to_bytes(machine.begin(seed), pair.game.facts.rooms) if chosen is None else pair.bytes()
    try:
        return pair.begin(seed) if chosen is None else pair.advance(chosen)
    except ContentError as fault:
        with suppress(Bailed):
            if chosen is None:
                pair.native.begin(before)
            else:
                pair.native.options(before)
                pair.native.advance(chosen)
            return f"one alone finds a fault ({', '.join(problem.code for problem in fault.problems)})"
        raise


# ---- logs, saves, drawings -------------------------------------------------------------------------------------------


def recorded(game: Game, seed: int, folder: Path, language: str = "en") -> None:
    """A random game with its log: saved and resumed on the way, drawn for everybody, played again from its log."""
    dice, texts = random.Random(seed), game.texts(language)
    log = GameLog.start(None, game, seed)
    state, drawer = log.state, Drawer(game, texts)
    for number in range(MOST_DECISIONS // 2):
        if number in (0, 2, 9):
            _look(game, state, drawer)
        if state.decision is None:
            break
        texts.prompt(state.cells, state.cells[0])
        options = state.options()
        option = options[dice.randrange(len(options))]
        if state.option(option.key).key != option.key:
            raise Wrong(f"the key {option.key} leads to another option")
        texts.option_text(state.cells, state.asks_at, option.candidate)
        after = state.apply(option, events=True)
        texts.log_lines(after.events or ())
        log.decision(state, option, after)
        state = after
        if number == 3:
            _saved(state, log, folder)
    log.finish(state)
    _again(game, as_text(log.lines))


def _look(game: Game, state: Any, drawer: Drawer) -> None:
    if game.state_from_bytes(state.to_bytes()) != state:
        raise Wrong("a state differs from itself after a round through bytes")
    for seat in (None, *range(game.players)):
        for line in drawer.lines(state, Showing(seat)):
            render(line)
        if seat is not None:
            state.view(seat).to_json()


def _saved(state: Any, log: GameLog, folder: Path) -> None:
    place, problems = folder / "made.save", Problems()
    save(state, place, log)
    saved = load_save(place, problems, str(folder))
    place.unlink()
    if saved is None or problems.has_errors:
        raise Wrong(f"a save is not taken: {[str(p.message) for p in problems.errors]}")
    if saved.state.to_bytes() != state.to_bytes():
        raise Wrong("a state is another one when it was saved")


def _again(game: Game, text: str) -> None:
    problems = Problems()
    log = parse_log(SourceFile.of("made.log", text), problems)
    if log is not None:
        check_log(log, game, problems)
    if log is None or problems.has_errors:
        raise Wrong(f"a log is not played again: {[str(p.message) for p in problems.errors]}")


def _print(source: GameSource, language: str, setting: Setting) -> None:
    """The book of the game, and one of what a setting changes."""
    for variants, options in {(): {}, setting.variants: setting.options}.items():
        book = make_book(source, language, list(variants), options)
        html(book)
        markdown(book)


def _scenarios(source: GameSource) -> None:
    """Runs the content's own tests. Those of a made game need not hold."""
    games = Games(source)
    for scenario in scenarios_of(source):
        try:
            run_scenario(games, scenario)
        except ContentError:  # a position that cannot be
            continue


# ---- what a game consists of -----------------------------------------------------------------------------------------


def forms_of(game: Game) -> set[str]:
    """The operations of the instruction form, and the classes of its expressions, in a program and its functions."""
    program, found = game.built.program, set[str]()
    for instr in program.instrs:
        found.add(instr.op)
        found.update(type(node).__name__ for part in _expressions(instr.args) for node in walk_ir(part))
    for function in game.world.functions.values():
        if function.body is not None:
            found.update(type(node).__name__ for node in walk_ir(function.body))
    return found


def _expressions(parts: Any) -> Iterator[Ir]:
    """All expressions in the operands of an instruction, in what an ask asks too."""
    for part in parts:
        if isinstance(part, Ir):
            yield part
        elif isinstance(part, (tuple, list)):
            yield from _expressions(part)
        elif hasattr(part, "names") and not isinstance(part, Span):
            for name in part.names:
                yield from _expressions((name.source, name.where, name.if_possible, name.seen))
