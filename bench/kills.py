"""Kills commands at moments by chance and looks at what is left: `python -m bench.kills --trials 200 --seed 1`.

A process is killed just before one of its changes of files, behind some byte of a file that it writes, or after some
time. Whatever it had told to be done must be there afterwards, whole; and the same command must come to its end then.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from random import Random
from typing import Any

from bench.harm import Ended, Harm, Place, command, preload, run, some_harm, trials
from rulespec.source.shipped import content_root

GAME = "tic_tac_toe"
#: a save before and after each move
SQUARES = ((1, 1), (2, 2), (3, 1), (2, 1))
MOVES = ("save a.save", *(f"column {column}, row {row}\nsave a.save" for column, row in SQUARES))
RUN = ("simulate", GAME, "--games", "400", "--jobs", "1", "--seed", "5", "--out", "run")
MOST_ROUNDS = 4  #: how often a run of games is killed before it may end


def simulate(random: Random) -> list[str]:
    """Finished games stay as they were, however often the run is killed; the end is that of an unharmed run."""
    from interpreter.simulate.journal import Journal

    found: list[str] = []
    with Place() as place:
        folder = place.folder / "run"
        before: dict[int, Any] = {}
        for _ in range(random.randrange(1, MOST_ROUNDS)):
            again = ["--resume"] if folder.exists() else []
            ended = run(command(*RUN, *again), place.folder, some_harm(random, 25, 90_000, 1.5))
            found += ended.faults()
            after = {r["task"]: r for r in Journal(folder).records()} if (folder / "games.jsonl").exists() else {}
            found += [f"game {task} was there" for task, r in before.items() if after.get(task) != r]
            before = after
        ended = run(command(*RUN, *(["--resume"] if folder.exists() else [])), place.folder)
        found += ended.faults() + ([] if ended.status == 0 else [f"it does not go on: {ended.err}"])
        return found + run_faults(folder)


def run_faults(folder: Path, *, in_order: bool = True) -> list[str]:
    """What is wrong with the folder of the whole run."""
    import pyarrow.parquet as pq

    from interpreter.simulate.journal import Journal

    games = list(Journal(folder).records())
    if not in_order:  # one that was lost is played again at the end
        games.sort(key=lambda record: record["task"])
    found = [] if games == _whole_run() else ["its games are others than those of a whole run"]
    rows = pq.read_table(folder / "games.parquet", page_checksum_verification=True).num_rows
    return found + ([] if rows == len(_whole_run()) else [f"{rows} rows in games.parquet"])


_WHOLE: list[dict[str, Any]] = []


def _whole_run() -> list[dict[str, Any]]:
    from interpreter.simulate.journal import Journal

    if not _WHOLE:
        with Place() as place:
            ended = run(command(*RUN), place.folder)
            assert ended.status == 0, ended.err
            _WHOLE.extend(Journal(place.folder / "run").records())
    return _WHOLE


# ---- saves and logs --------------------------------------------------------------------------------------------------


def opened() -> int:
    """Plays the game, which leaves all that is kept of it in the cache: most harm would meet the writing of that."""
    return command("play", GAME, "--seats", "random,random", "--seed", "1")()


def play(random: Random) -> list[str]:
    """A save that was told to be made can be gone on with; every line of the log but the last one is whole."""
    with Place() as place:
        typed = "\n".join(MOVES) + "\n"
        words = ("play", GAME, "--seats", "human,human", "--seed", "1", "--lang", "en", "--log", "a.log")
        run(opened, place.folder)
        ended = run(command(*words), place.folder, some_harm(random, 40, 4_000, 0.5), typed)
        return ended.faults() + save_faults(place.folder / "a.save", ended) + log_faults(place.folder / "a.log")


def save_faults(path: Path, ended: Ended) -> list[str]:
    """What is wrong with a save, which was told to be made so often."""
    from interpreter.save import load_save
    from rulespec.diagnostics.model import Problems

    told = ended.out.count("Saved to a.save.")
    if not path.exists():
        return ["the save is gone"] if told else []
    problems = Problems()
    saved = load_save(path, problems)
    if saved is None:
        return [f"the save cannot be read: {problems.items}"]
    made = sum("n" in line for line in saved.lines)
    return [f"the save has {made} decisions of {told - 1}"] if made < told - 1 else []


def log_faults(path: Path) -> list[str]:
    """What is wrong with the log of a process that was killed."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    numbers = []
    for line in lines:
        try:
            numbers.append(json.loads(line).get("n"))
        except ValueError:
            return [f"a line of the log is no JSON: {line!r}"]
    made = [n for n in numbers if n is not None]
    return [] if made == list(range(1, len(made) + 1)) else [f"the decisions of the log: {made}"]


# ---- the cache -------------------------------------------------------------------------------------------------------


def cache(random: Random) -> list[str]:
    """What is said and played afterwards is what is said and played without a cache."""
    with Place() as place:
        deed = random.choice((command("check", GAME, "--format", "json"), playouts))
        size = random.choice((2_000, 200_000))
        found = run(deed, place.folder, some_harm(random, 12, size, 0.6)).faults()
        return found + cache_faults(place)


def playouts() -> int:
    """Plays a game by the native executor, whose module is kept."""
    from interpreter import load

    print(load(GAME, executor="native").playouts(None, 3, 0).scores)
    return 0


def cache_faults(place: Place) -> list[str]:
    """What is wrong with what commands say that find this cache."""
    found = []
    for name, deed in (("check", command("check", GAME, "--format", "json")), ("playouts", playouts)):
        ended = run(deed, place.folder)
        found += ended.faults()
        if (ended.status, ended.out) != _uncached(name):
            found.append(f"{name} says {ended.status}, {ended.out[:300]!r}")
    left = [each for each in place.cache.rglob("*") if each.stat().st_mode & 0o077]
    return found + [f"{each} is open to others" for each in left]


_SAID: dict[str, tuple[int, str]] = {}


def _uncached(name: str) -> tuple[int, str]:
    if name not in _SAID:
        with Place() as place:
            deed = playouts if name == "playouts" else command("check", GAME, "--format", "json", "--no-cache")
            ended = run(deed, place.folder)
            _SAID[name] = ended.status, ended.out
    return _SAID[name]


# ---- what is new -----------------------------------------------------------------------------------------------------


def new(random: Random) -> list[str]:
    """A game, a variant or a language is there whole or not at all, and can be begun then."""
    kind = random.choice(("game", "copy", "variant", "language"))
    words, made = {
        "game": (("new", "game", "island"), "island"),
        "copy": (("new", "game", "island", "--from", GAME), "island"),
        "variant": (("new", "variant", "windy", "--from", GAME), "windy.yaml"),
        "language": (("new", "language", "de", "--from", GAME), f"{GAME}.de.yaml"),
    }[kind]
    with Place() as place:
        ended = run(command(*words), place.folder, some_harm(random, 14, 9_000, 0.3))
        found = ended.faults()
        is_there = (place.folder / made).exists()
        if not ended.is_killed and not is_there:
            found.append(f"{made} is not there")
        again = run(command(*words), place.folder)
        found += again.faults()
        if again.status != (2 if is_there else 0):
            found.append(f"exit status {again.status} of the second try: {again.err}")
        return found + [f"{name} differs" for name in _different(place.folder / made, words, made)]


_NEW: dict[tuple[str, ...], dict[str, bytes]] = {}


def _different(path: Path, words: tuple[str, ...], made: str) -> list[str]:
    if words not in _NEW:
        with Place() as place:
            run(command(*words), place.folder)
            _NEW[words] = contents(place.folder / made)
    found, wanted = contents(path), _NEW[words]
    return [name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)]


def contents(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all files in a folder, by name."""
    places = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return {each.relative_to(path.parent).as_posix(): each.read_bytes() for each in places}


# ---- texts.lock ------------------------------------------------------------------------------------------------------

TRANSLATED = "connect_four"


def accept(random: Random) -> list[str]:
    """What was told to be accepted stays, and nobody waits for a program that was killed."""
    found: list[str] = []
    with Place() as place:
        game = copied(place.folder)
        rules = rules_of(game)
        told: set[tuple[str, str]] = set()
        for rule in random.sample(rules, min(3, len(rules))):
            language = random.choice(("fr", "ja"))
            ended = run(
                command("texts", "accept", "./g", rule, "--lang", language),
                place.folder,
                random.choice((Harm(), some_harm(random, 8, 400, 0.4))),
            )
            found += ended.faults()
            if "1 translation accepted" in ended.out:
                told.add((rule, language))
            found += [f"{each} is not accepted any more" for each in told - accepted(game)]
        ended = run(command("texts", "accept", "./g", "--all", "--lang", "fr,ja"), place.folder)
        found += ended.faults() + ([] if ended.status == 0 else [f"it does not go on: {ended.err}"])
        wanted = {(rule, language) for rule in rules for language in ("fr", "ja")}
        return found + ([] if accepted(game) == wanted else ["not all is accepted"])


def copied(folder: Path) -> Path:
    """A copy of the shipped game, of which nothing is accepted."""
    shutil.copytree(content_root() / TRANSLATED, folder / "g", ignore=shutil.ignore_patterns("texts.lock"))
    return folder / "g"


def rules_of(game: Path) -> list[str]:
    """The ids of a game's rules."""
    from rulespec.diagnostics.model import Problems
    from rulespec.game_source import read_game
    from rulespec.texts.check.entries import texts_of

    source = read_game(str(game), Problems())
    assert source is not None
    return [entry.name for entry in texts_of(source).rules]


def accepted(game: Path) -> set[tuple[str, str]]:
    """The rules and languages in `texts.lock`."""
    import yaml

    path = game / "texts.lock"
    kept = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {(rule, language) for rule, languages in (kept or {}).items() for language in languages}


KINDS = {"simulate": simulate, "play": play, "cache": cache, "new": new, "accept": accept}


def main() -> int:
    """Runs the trials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[], help="which; all by default")
    parser.add_argument("--trials", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the same seed tries the same, but for times")
    arguments = parser.parse_args()
    preload()
    return trials(KINDS, arguments.kinds or list(KINDS), arguments.trials, arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
