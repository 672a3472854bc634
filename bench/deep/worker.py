"""Puts deep and wide contents through everything, in a process of its own. Started by `bench.deep.run`.

Reads one case as JSON from each line, `{"files": {...}}`; answers with one line each: `fault`, and what was seen.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench.deep.services import served
from bench.fuzz.worker import Late, deadline
from bench.peak import peak
from rulespec.source.files import forget

MEMORY = 500 * 1024 * 1024  #: bytes of memory that a process may hold
DEADLINE = 10.0  #: seconds of the processor's time for one command
DECISIONS = 12  #: of a game

#: What each content is given to beside `check`; `{}` is its folder.
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("show", "{}"),
    ("show", "{}", "--ir"),
    ("book", "{}"),
    ("book", "{}", "--out", "{}/../book.html"),
    ("texts", "check", "{}"),
    ("test", "{}"),
    ("test", "{}", "--coverage"),
    ("sources", "{}"),
    ("diff", "{}"),
    ("why", "{}", "values.bridge_cost"),
    ("play", "{}", "--seats", "random,greedy", "--seed", "1", "--most-decisions", "12"),
)


class Wrong(Exception):
    """Something is not as it must be, though nothing was raised."""


def examined(files: dict[str, str], *, all_commands: bool) -> dict[str, Any]:
    """Puts a content through everything: what was wrong with it, how long the slowest part took."""
    folder = Path(tempfile.mkdtemp(prefix="deep-"))
    seen: dict[str, Any] = {"fault": None, "codes": [], "part": "check", "slowest": ("", 0.0)}
    try:
        for name, text in files.items():
            place = folder / "game" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        _examine(files, str(folder / "game"), seen, all_commands=all_commands)
    except Late as fault:
        seen |= _report("late", fault)
    except MemoryError as fault:
        seen |= _report("memory", fault)
    except Exception as fault:  # finding these is what this is for
        seen |= _report(type(fault).__name__, fault)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _let_go()
    return seen


def _let_go() -> None:
    """Frees what the commands made: each thinks that its process ends with it, and has Python look no more at it."""
    forget()
    gc.unfreeze()
    gc.collect()


def _examine(files: dict[str, str], folder: str, seen: dict[str, Any], *, all_commands: bool) -> None:
    for form in ("text", "json", "sarif") if all_commands else ("json",):
        told = _timed(seen, f"check {form}", partial(_command, ["check", folder, "--format", form]))
        if form == "json":
            seen["codes"] = sorted({each["code"] for each in json.loads(told)["problems"]})
        if form == "text":
            _has_places(told)
    for words in COMMANDS if all_commands else ():
        typed = [word.replace("{}", folder) for word in words]
        _timed(seen, " ".join(words[:3]), partial(_command, typed))
    if all_commands:
        served(files, partial(_timed, seen))
    _timed(seen, "executors", partial(_play, folder, seen))


def _has_places(told: str) -> None:
    """Every problem names a file with a line."""
    if "Traceback" in told or "maximum recursion" in told:
        raise Wrong(told[-500:])


def _timed(seen: dict[str, Any], part: str, run: Callable[[], Any]) -> Any:
    seen["part"], begun = part, time.process_time()
    with deadline(DEADLINE):
        found = run()
    spent = time.process_time() - begun
    if spent > seen["slowest"][1]:
        seen["slowest"] = (part, spent)
    return found


def _command(words: list[str]) -> str:
    """What a command prints; every ending but 0, 1 and 2 is a fault."""
    from interpreter.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*words, "--no-cache"])
    if status not in (0, 1, 2):
        raise Wrong(f"exit status {status} of {words}: {err.getvalue()[-500:]}")
    return out.getvalue()


def _play(folder: str, seen: dict[str, Any]) -> None:
    """Plays a few decisions with both executors and the reference, side by side, where the content can be loaded."""
    from bench.differential import Pair
    from interpreter.game import load_source
    from interpreter.native.executor import Native, NotCompiled
    from rulespec.diagnostics.model import ContentError, Problems
    from rulespec.game_source import read_game

    source = read_game(folder, Problems())
    if source is None:
        return
    try:
        game = load_source(source, players=2)
        pair: Any = None
        try:
            pair = Pair(game, Native(game.built, game.facts, (), cache=False))
        except NotCompiled as why:
            seen["native"] = str(why)
        _decide(game, pair)
        seen["played"] = True
    except ContentError as fault:
        seen["refused"] = [problem.code for problem in fault.problems]


def _decide(game: Any, pair: Any) -> None:
    if pair is None:
        state = game.start(1)
        for _ in range(DECISIONS):
            if state.decision is not None:
                state = state.apply(state.options()[0])
        return
    different = pair.begin(1)
    for number in range(DECISIONS):
        if different:
            raise Wrong(different)
        if pair.options is None:
            return
        different = pair.advance(number % len(pair.options))


def _report(kind: str, fault: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(fault.__traceback__)
    own = [frame for frame in frames if "/rulespec/" in frame.filename or "/interpreter/" in frame.filename]
    last = (own or list(frames))[-1]
    lines = traceback.format_list(frames)
    trace = lines if len(lines) <= 40 else [*lines[:20], "  ...\n", *lines[-15:]]
    where = f"{Path(last.filename).name}:{last.name}"
    return {"fault": kind, "says": str(fault)[:300], "where": where, "trace": "".join(trace)}


def main() -> None:
    """Answers one line for each line of the input, until there are no more."""
    os.environ["RULESPEC_NO_CACHE"] = "1"  # each content is met once
    signal.signal(signal.SIGVTALRM, lambda number, frame: _raise_late())
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    for line in sys.stdin:
        case = json.loads(line)
        begun = time.process_time()
        answer = examined(case["files"], all_commands=case.get("all", True))
        answer["seconds"] = time.process_time() - begun
        answer["held"] = peak()
        if answer["fault"] is None and answer["held"] > MEMORY:
            answer |= {"fault": "memory", "says": f"{answer['held'] // 2**20} MB", "where": "?", "trace": ""}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if answer["held"] > MEMORY:
            break  # the next case begins with a small process


def _raise_late() -> None:
    raise Late


if __name__ == "__main__":
    main()
