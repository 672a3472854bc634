"""Runs cases of the fuzz test one by one in a process of their own, with bounds on memory and time.

Reads one case as JSON from each line of its input and answers with one line: `{"fault": null}` where all is as it
should be, else the kind of fault, what it says and where it happened. Started by `bench.fuzz.run`.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from bench.fuzz import quick
from bench.fuzz.damage import damaged_files, large_games
from bench.fuzz.mutations import mutated

MEMORY = 500 * 1024 * 1024  #: bytes of address space
DEADLINE = 5.0  #: seconds of the processor's time for one part of a case
LARGE_DEADLINE = 90.0  #: the same for checking a large game, which takes a third of that undamaged
SETTLED = 200  #: cases after which all is there that is made once
FREED = 1_000  #: cases after which what commands left is freed, each time
PLAYED = 0.03  #: the part of the damaged inputs that is played too, where it can be: a tenth of them can
PLAYING = 0.6  #: seconds after which playing a case stops by itself
MOST_DECISIONS = 100

#: Commands that every case of a game is also given to, one of them each.
COMMANDS = (
    ["check", "--format", "json"],
    ["check", "--format", "sarif"],
    ["show"],
    ["show", "--ir"],
    ["sources"],
    ["test"],
    ["test", "--coverage"],
    # a game without an end may be played for a minute: here it is stopped before the harness stops waiting
    ["play", "--seats", "random,random,random,random,random", "--seed", "1", "--most-seconds", "3"],
    ["play", "--seats", "greedy,random", "--seed", "2", "--most-seconds", "3"],
)


class Late(BaseException):
    """A part of a case took longer than is allowed. No `Exception`, so that nothing catches it on the way."""


class Wrong(Exception):
    """Something is not as it must be, though nothing was raised."""


def _late(number: int, frame: Any) -> None:
    raise Late


@contextlib.contextmanager
def deadline(seconds: float = DEADLINE) -> Iterator[None]:
    """Stops what is inside after that much of the processor's time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


# ---- one game -------------------------------------------------------------------------------------------------------


def run_game(case: dict[str, Any], folder: Path) -> None:
    """Reads, checks, loads and plays a game, and gives it to one of the commands."""
    from rulespec.check import check_game
    from rulespec.diagnostics.export import render_json, render_sarif
    from rulespec.diagnostics.model import Problems
    from rulespec.diagnostics.render import render_text
    from rulespec.game_source import read_game

    random = Random(case["seed"])
    with deadline():
        problems = Problems()
        source = read_game(str(folder), problems)
        readable = not problems.has_errors
        if source is not None:
            check_game(source, [], problems)
        render_text(problems.items)
        render_json(problems.items)
        render_sarif(problems.items)
    if source is not None and readable:
        _play_all(source, random)
    command = random.choice(COMMANDS)
    if not problems.has_errors or random.random() < 0.3:
        run_command([command[0], str(folder), *command[1:], "--no-cache"])


def run_damaged(case: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Gives a damaged game of ours to `check` in one of its forms, and plays one of some hundreds."""
    random = Random(f"{case['seed']} {case['number']}")
    is_large = case["game"] in large_games()
    with deadline(LARGE_DEADLINE if is_large else DEADLINE):
        codes = checked(folder, random.choice(("text", "text", "json", "sarif")))
    is_played = False
    if not is_large and random.random() < PLAYED:
        is_played = _is_played(folder, random)
        command = random.choice(COMMANDS)
        run_command([command[0], str(folder), *command[1:], "--no-cache"])
    return {"codes": sorted(codes), "played": is_played, "resident": resident()}


def checked(folder: Path, form: str) -> set[str]:
    """The codes of what `rulespec check` says of a folder, run as it is typed."""
    from interpreter.cli.commands import check
    from interpreter.cli.main import main

    told: list[Any] = []
    show, out = check._show, io.StringIO()

    def seen(report: Any, form: str, watch: Any = None) -> None:
        told.append(report)
        show(report, form, watch)

    check._show = seen
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main(["check", str(folder), "--format", form, "--no-cache"])
    finally:
        check._show = show
    codes = {problem.code for report in told for problem in report.problems}
    if status not in (0, 1, 2) or "cannot be used: " in out.getvalue()[:200] or (status == 0 and len(told) != 1):
        raise Wrong(f"exit status {status} of check: {out.getvalue()[:300]}")
    return codes if told else {"refused"}


def _is_played(folder: Path, random: Random) -> bool:
    """Whether a damaged game could be played, and was."""
    from rulespec.diagnostics.model import Problems
    from rulespec.game_source import read_game

    problems = Problems()
    source = read_game(str(folder), problems)
    return source is not None and not problems.has_errors and _play_all(source, random)


def resident() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _play_all(source: Any, random: Random) -> bool:
    """Plays the game for the fewest and the most players, whatever the checker had to say of its texts; whether it
    could be played at all.
    """
    from interpreter.game import load_source
    from rulespec.diagnostics.model import ContentError, Problems
    from rulespec.settle import player_range

    is_played = False
    low, high = player_range(source.base, Problems())
    for players in sorted({low, high}):
        try:
            with deadline():
                variants = [name for name in sorted(source.variants) if random.random() < 0.6]
                game = load_source(source, players=players, variants=variants)
            _play(game, random)
            is_played = True
        except ContentError as error:
            if not error.problems:
                raise Wrong("a ContentError without problems") from None
    return is_played


def _play(game: Any, random: Random) -> None:
    """Random decisions up to a bound, with everything that is shown on the way."""
    started = time.process_time()
    with deadline():
        state = game.start(random.randrange(1000), events=True)
    for number in range(MOST_DECISIONS):
        if number < 3 or random.random() < 0.1:
            with deadline():
                _look_at(game, state, random)
        if state.decision is None or time.process_time() - started > PLAYING:
            break
        with deadline():
            options = state.options()
            if not options:
                raise Wrong("a decision without options")
            state = state.apply(options[random.randrange(len(options))], events=random.random() < 0.5)
    with deadline():
        _look_at(game, state, random)


def _look_at(game: Any, state: Any, random: Random) -> None:
    """Every form that a state can be given."""
    from interpreter.draw import Drawer, Showing
    from interpreter.draw.ink import render

    again = game.state_from_bytes(state.to_bytes())
    if again != state or again.digest() != state.digest():
        raise Wrong("a state differs from itself after a round through bytes")
    texts = game.texts(random.choice(("en", "fr", "ja")))
    json.dumps(state.to_json())
    seat = random.randrange(game.players)
    json.dumps(state.view(seat).to_json())
    for line in Drawer(game, texts).lines(state, Showing(seat)):
        render(line)
    texts.log_lines(state.events or ())
    if state.decision is None:
        return
    texts.prompt(state.cells, state.cells[0])
    options = state.options()
    for option in options[:30]:
        option.text("en")
        if state.option(option.key).key != option.key:
            raise Wrong(f"the key {option.key} leads to another option")
    if len(options) <= 200 and len(set(options.keys())) != len(options):
        raise Wrong("two options have one key")


# ---- commands, logs, saves ------------------------------------------------------------------------------------------


def run_command(words: list[str]) -> None:
    """A command as it is typed: every ending but 0, 1 and 2 is a fault."""
    from interpreter.cli.main import main

    out = io.StringIO()
    with deadline(2 * DEADLINE), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(words)
    if status not in (0, 1, 2):
        raise Wrong(f"exit status {status} of {words}")


def run_log(case: dict[str, Any], folder: Path) -> None:
    """Replays, explains or goes on with a damaged log or save of a shipped game."""
    random = Random(case["seed"])
    path = folder / f"a.{case['kind']}"
    path.write_bytes(damaged_log(case, random).encode("utf-8", "surrogateescape"))
    if case["kind"] == "save":
        run_command(["play", case["game"], "--load", str(path), "--seats", "random,random,random,random,random"])
        return
    words = random.choice((["replay"], ["replay", "--verify"], ["replay", "--as", "0"], ["explain", "--at", "3"]))
    run_command([words[0], str(path), *words[1:]])


def damaged_log(case: dict[str, Any], random: Random) -> str:
    """The text of the case's file; `text` where a case that was shrunk brings it along."""
    if "text" in case["files"]:
        return str(case["files"]["text"])
    text = _whole_log(case["game"], case["kind"], random)
    case["files"]["text"] = mutated(random, text, text.split("\n"))
    return str(case["files"]["text"])


def _whole_log(name: str, kind: str, random: Random) -> str:
    from interpreter import load
    from interpreter.log import GameLog, as_text
    from interpreter.save import save

    game = load(name)
    log = GameLog.start(None, game, random.randrange(100))
    state = log.state
    for _ in range(random.randint(3, 20)):
        if state.decision is None:
            break
        option = random.choice(state.options())
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state = after
    if kind == "log":
        log.finish(state)
        return as_text(log.lines)
    with tempfile.TemporaryDirectory() as folder:
        save(state, Path(folder, "s"), log)
        return Path(folder, "s").read_text(encoding="utf-8")


# ---- the loop -------------------------------------------------------------------------------------------------------

Run = Callable[[dict[str, Any], Path], dict[str, Any] | None]

RUNS: dict[str, Run] = {"game": run_game, "log": run_log, "save": run_log, "damaged": run_damaged}
#: where cases are written: in memory, where the system has such a place
_MEMORY = Path("/dev/shm")  # noqa: S108 - each case has a folder of its own in it


def run_case(case: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with how a case went: `fault` is None or a kind, with `says` and `where`.

    A damaged input without files is made here, in the folders that stay in the case's `home` where it has one.
    """
    told: dict[str, Any] | None = None
    try:
        if case["kind"] == "damaged" and not case["files"]:
            told = _run_made(case)
        else:
            told = _run_in_new_folder(case)
    except Late as fault:
        return _report("late", fault)
    except MemoryError as fault:
        return _report("memory", fault)
    except Exception as fault:  # finding these is what this is for
        return _report(type(fault).__name__, fault)
    return {"fault": None, **(told or {})}


def _run_made(case: dict[str, Any]) -> dict[str, Any] | None:
    quick.begin()
    made = damaged_files(case["seed"], case["number"])
    case["files"], case["game"] = made.files, made.game
    if "home" not in case:
        return _run_in_new_folder(case)
    with _folders(case["home"]).damaged(made) as folder:
        return {**run_damaged(case, folder), "how": made.how, "game": made.game}


@functools.cache
def _folders(home: str) -> quick.Folders:
    return quick.Folders(Path(home))


def _run_in_new_folder(case: dict[str, Any]) -> dict[str, Any] | None:
    with tempfile.TemporaryDirectory(prefix="case-", dir=in_memory(), ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for path, text in case["files"].items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode("utf-8", "surrogateescape"))
        return RUNS[case["kind"]](case, folder)


def in_memory() -> Path | None:
    """A folder in memory, where the system has one."""
    return _MEMORY if _MEMORY.is_dir() else None


def _report(kind: str, fault: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(fault.__traceback__)
    ours = ("/rulespec/", "/interpreter/", "<rulespec>")
    own = [f for f in frames if any(part in f.filename for part in ours)]
    last = (own or list(frames))[-1]
    where = f"{Path(last.filename).name}:{last.name}"
    return {"fault": kind, "says": str(fault)[:500], "where": where, "trace": "".join(_trace(frames))}


def _trace(frames: Any) -> list[str]:
    lines = traceback.format_list(frames)
    return lines if len(lines) <= 40 else [*lines[:15], "  ...\n", *lines[-20:]]


def main() -> None:
    """Answers one line for each line of the input, until there are no more."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, _late)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    for number, line in enumerate(sys.stdin):
        if number == SETTLED or (number and number % FREED == 0):
            quick.settle()
        case = json.loads(line)
        begun = time.process_time()
        answer = run_case(case)
        answer["spent"] = time.process_time() - begun
        if answer["fault"] is not None:
            answer["case"] = case
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
