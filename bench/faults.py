"""Disks without room, caches that cannot be written, changed bits, two processes at once: `python -m bench.faults`.

No command may end in a traceback or hang; what was there before stays, what was told to be done is done, and what was
changed is told or makes no difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from bench.harm import Deed, Ended, Harm, Place, command, preload, run, start, trials
from bench.kills import (
    GAME,
    MOVES,
    RUN,
    accepted,
    cache_faults,
    copied,
    log_faults,
    playouts,
    rules_of,
    run_faults,
    save_faults,
)

NOBODY = 65534  #: the user that root becomes where something must not be allowed


# ---- a full disk -----------------------------------------------------------------------------------------------------


def full_disk(random: Random) -> list[str]:
    """Every command that writes tells in words that it cannot; what was there before is as it was."""
    kind = random.choice(("play", "simulate", "cache", "small", "new", "accept", "book"))
    return _FULL[kind](random)


def _full_play(random: Random) -> list[str]:
    with Place() as place:
        words = ("play", GAME, "--seats", "human,human", "--seed", "1", "--lang", "en")
        typed = "\n".join(MOVES) + "\n"
        log = random.choice(([], ["--log", "a.log"]))
        ended = run(command(*words, *log), place.folder, Harm(full=random.randrange(1, 4_000)), typed)
        found = ended.faults() + log_faults(place.folder / "a.log")
        refused = ended.out.count("Could not save") + ended.out.count("Nothing more is written") + len(ended.err)
        told = ended.out.count("Saved to a.save.")
        if told + ended.out.count("Could not save") != len(MOVES) and not ended.err:
            found.append(f"not every save was answered: {ended.out[-600:]}")
        if told < len(MOVES) and not refused:
            found.append("nothing was told")
        return found + save_faults(place.folder / "a.save", ended)


def _full_run(random: Random) -> list[str]:
    with Place() as place:
        ended = run(command(*RUN), place.folder, Harm(full=random.randrange(1, 90_000)))
        found = ended.faults()
        again = ["--resume"] if (place.folder / "run").exists() else []
        more = run(command(*RUN, *again), place.folder)
        found += more.faults() + ([] if more.status == 0 else [f"it does not go on: {more.err}"])
        return found + run_faults(place.folder / "run")


def _full_cache(random: Random) -> list[str]:
    with Place() as place:
        harm = Harm(full=random.choice((0, 1, 100, 20_000)))
        ended = run(command("check", GAME, "--format", "json"), place.folder, harm)
        found = ended.faults() + ([] if ended.status == 0 else [f"exit status {ended.status}: {ended.err}"])
        return found + cache_faults(place)


def _small_disk(random: Random) -> list[str]:
    """A cache on a file system of its own that has little room; what is said is what is said without a cache."""
    with Place() as place:
        if not _mounted(place.cache, random.choice((4, 8, 64, 200, 400))):
            return _full_cache(random)
        try:
            return cache_faults(place) + cache_faults(place)
        finally:
            subprocess.run(["umount", str(place.cache)], check=True)  # noqa: S603, S607


def _mounted(folder: Path, kilobytes: int) -> bool:
    """Whether such a file system could be mounted on a folder: only root can."""
    words = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "tmpfs", str(folder)]
    return os.getuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0  # noqa: S603


def _full_new(random: Random) -> list[str]:
    words, made = random.choice((
        (("new", "game", "island", "--from", GAME), "island"),
        (("new", "variant", "windy", "--from", GAME), "windy.yaml"),
    ))  # fmt: skip
    with Place() as place:
        ended = run(command(*words), place.folder, Harm(full=random.randrange(1, 3_000)))
        found = ended.faults()
        is_there = (place.folder / made).exists()
        if is_there != (ended.status == 0):
            found.append(f"exit status {ended.status}, and {made} is {'there' if is_there else 'not there'}")
        if not is_there and run(command(*words), place.folder).status != 0:
            found.append("it cannot be made afterwards")
        return found


def _full_accept(random: Random) -> list[str]:
    with Place() as place:
        game = copied(place.folder)
        one, other = random.sample(rules_of(game), 2)
        run(command("texts", "accept", "./g", one, "--lang", "fr"), place.folder)
        before = (game / "texts.lock").read_bytes()
        ended = run(
            command("texts", "accept", "./g", other, "--lang", "fr"),
            place.folder,
            Harm(full=random.randrange(len(before) + 20)),
        )
        found = ended.faults()
        if ended.status != 0 and (game / "texts.lock").read_bytes() != before:
            found.append("texts.lock has changed")
        return found + (["there is a file beside texts.lock"] if (game / ".texts.lock.new").exists() else [])


def _full_book(random: Random) -> list[str]:
    with Place() as place:
        path = place.folder / "book.html"
        path.write_text("old", encoding="utf-8")
        ended = run(
            command("book", GAME, "--lang", "en", "--out", "book.html"),
            place.folder,
            Harm(full=random.randrange(1, 1_500)),
        )
        found = ended.faults() + ([] if ended.status == 2 and ended.err else [f"exit status {ended.status}"])
        return found + ([] if path.read_text(encoding="utf-8") == "old" else ["the old book is gone"])


_FULL: dict[str, Callable[[Random], list[str]]] = {
    "play": _full_play,
    "simulate": _full_run,
    "cache": _full_cache,
    "small": _small_disk,
    "new": _full_new,
    "accept": _full_accept,
    "book": _full_book,
}


# ---- what cannot be written ------------------------------------------------------------------------------------------


def read_only_cache(random: Random) -> list[str]:
    """A cache that cannot be written, is somebody else's or is no folder changes nothing of what is said."""
    check = command("check", GAME, "--format", "json")
    deed: Deed = random.choice((check, playouts))
    with Place() as place:
        folder = place.cache / "rulespec"
        kind = random.choice(("closed", "file", "link", "open", "gone"))
        if kind == "file":
            folder.write_text("no folder", encoding="utf-8")
        elif kind == "link":
            (place.cache / "other").mkdir()
            folder.symlink_to(place.cache / "other")
        elif kind == "gone":
            shutil.rmtree(place.cache)
            place.cache.write_text("no folder", encoding="utf-8")
        else:
            run(deed, place.folder)
            folder.chmod(0o777 if kind == "open" else 0o500)
        if os.getuid() == 0 and kind == "closed":
            for each in (place.cache, *place.cache.rglob("*"), place.folder, place.folder.parent):
                os.chown(each, NOBODY, NOBODY)
            deed = _as_nobody(check)  # what else Python would read may be closed to nobody
        ended = run(deed, place.folder)
        found = ended.faults() + ([] if ended.status == 0 else [f"{kind}: exit status {ended.status}: {ended.err}"])
        if kind in ("link", "open") and _written(place.cache, ended):
            found.append(f"{kind}: the folder was used")
        return found


def _as_nobody(deed: Deed) -> Deed:
    def done() -> int:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return deed()

    return done


def _written(cache: Path, ended: Ended) -> bool:
    """Whether a cache that others can write to got something new; what lies in it was written when it was closed."""
    other = cache / "other"
    return other.is_dir() and any(other.iterdir())


# ---- changed bits ----------------------------------------------------------------------------------------------------


def changed_bits(random: Random) -> list[str]:
    """Bits of a file of ours are changed: that is told, or nothing is different."""
    return random.choice((_bits_of_cache, _bits_of_save, _bits_of_log, _bits_of_run, _bits_of_parquet))(random)


def flip(random: Random, path: Path) -> None:
    """Changes one to three bits of a file."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 3))):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    path.write_bytes(data)


def _bits_of_cache(random: Random) -> list[str]:
    with Place() as place:
        for deed in (command("check", GAME), playouts):
            run(deed, place.folder)
        files = sorted(each for each in place.cache.rglob("*") if each.is_file())
        for path in files:
            flip(random, path)
        return cache_faults(place) + ([] if len(files) >= 3 else [f"only {files} were kept"])


def _played(place: Place, random: Random) -> None:
    words = ("play", GAME, "--seats", "human,human", "--seed", "1", "--lang", "en", "--log", "a.log")
    run(command(*words), place.folder, typed="\n".join(MOVES) + "\n")


def _bits_of_save(random: Random) -> list[str]:
    from interpreter.save import load_save
    from rulespec.diagnostics.model import Problems

    with Place() as place:
        _played(place, random)
        path = place.folder / "a.save"
        whole = load_save(path, Problems())
        assert whole is not None
        flip(random, path)
        ended = run(command("play", "--load", "a.save", GAME, "--lang", "en"), place.folder)
        found = ended.faults()
        if ended.status == 0:
            saved = load_save(path, Problems())
            if saved is None or saved.state.digest() != whole.state.digest() or saved.seats != whole.seats:
                found.append("another game was gone on with")
        return found + ([] if ended.status == 0 or ended.out or ended.err else ["nothing was told"])


def _bits_of_log(random: Random) -> list[str]:
    import json

    with Place() as place:
        _played(place, random)
        path = place.folder / "a.log"
        before = path.read_text(encoding="utf-8")
        flip(random, path)
        ended = run(command("replay", "a.log", "--verify"), place.folder)
        found = ended.faults()
        if ended.status == 0:
            after = path.read_text(encoding="utf-8")
            lines = zip(before.split("\n")[:-1], after.split("\n")[:-1], strict=False)
            pairs = [(json.loads(a), json.loads(b)) for a, b in lines]
            noted = {"fingerprint"} if "RS828" in ended.err else set()  # another content: a note, and no fault
            found += [f"{b} was not told" for a, b in pairs if a != b and not _is_said(a, b, noted)]
        return found


def _is_said(a: dict[str, object], b: dict[str, object], noted: set[str]) -> bool:
    """Whether two lines differ in what is `noted`, where something stands in the content or what wrote the log."""
    return all(a.get(key) == b.get(key) for key in (a.keys() | b.keys()) - {"at", "messages"} - noted)


def _bits_of_run(random: Random) -> list[str]:
    with Place() as place:
        run(command(*RUN), place.folder)
        folder = place.folder / "run"
        path = folder / random.choice(("games.jsonl", "games.jsonl", "plan.json"))
        whole = path.read_bytes()
        flip(random, path)
        ended = run(command(*RUN, "--resume"), place.folder)
        found = ended.faults()
        if ended.status != 0 and path.name == "plan.json":
            path.write_bytes(whole)
            ended = run(command(*RUN, "--resume"), place.folder)
        found += [] if ended.status == 0 else [f"it does not go on: {ended.err}"]
        return found + run_faults(folder, in_order=False)


def _bits_of_parquet(random: Random) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with Place() as place:
        run(command(*RUN), place.folder)
        path = random.choice(sorted((place.folder / "run").glob("*.parquet")))
        whole = pq.read_table(path)
        flip(random, path)
        try:
            table = pq.read_table(path, page_checksum_verification=True)
            found = [] if table.equals(whole) else [f"{path.name} reads differently"]
        except (OSError, pa.ArrowException, UnicodeDecodeError):
            found = []
        ended = run(command(*RUN, "--resume"), place.folder)  # makes them again
        return found + ended.faults() + run_faults(place.folder / "run")


# ---- two at once -----------------------------------------------------------------------------------------------------


def two_at_once(random: Random) -> list[str]:
    """Two processes do the same, or nearly, at the same time: both get their due, or one is told of the other."""
    return random.choice((_two_checks, _two_plays, _two_runs, _two_news, _two_accepts, _two_logs))(random)


def _both(place: Place, one: Deed, two: Deed, typed: str = "") -> tuple[list[Ended], list[str]]:
    started = [start(deed, place.folder, typed=typed) for deed in (one, two)]
    ended = [each.wait() for each in started]
    return ended, [fault for each in ended for fault in each.faults()]


def _two_checks(random: Random) -> list[str]:
    with Place() as place:
        deeds: tuple[Deed, Deed] = random.choice(
            ((command("check", GAME), command("check", GAME)), (playouts, playouts))
        )
        ended, found = _both(place, *deeds)
        found += [f"exit status {each.status}: {each.err}" for each in ended if each.status]
        return found + ([] if ended[0].out == ended[1].out else ["they say different things"]) + cache_faults(place)


def _two_plays(random: Random) -> list[str]:
    """Two games of one kind share the cache, and save to one file: it is one of both, whole."""
    with Place() as place:
        deed = command("play", GAME, "--seats", "human,human", "--seed", "1", "--lang", "en")
        ended, found = _both(place, deed, deed, "\n".join(MOVES) + "\n")
        found += [f"exit status {each.status}: {each.err}" for each in ended if each.status]
        return found + save_faults(place.folder / "a.save", ended[0]) + cache_faults(place)


def _two_runs(random: Random) -> list[str]:
    """Runs into one folder: one plays, and the other is told so."""
    with Place() as place:
        ended, found = _both(place, command(*RUN), command(*RUN))
        statuses = sorted(each.status for each in ended)
        if statuses != [0, 2]:
            found.append(f"exit status {statuses}: {ended[0].err} {ended[1].err}")
        return found + run_faults(place.folder / "run")


def _two_news(random: Random) -> list[str]:
    words = random.choice((("game", "island"), ("variant", "windy")))
    with Place() as place:
        ended, found = _both(place, command("new", *words), command("new", *words))
        statuses = sorted(each.status for each in ended)
        return found if statuses == [0, 2] else [*found, f"exit status {statuses}: {ended[0].err} {ended[1].err}"]


def _two_accepts(random: Random) -> list[str]:
    with Place() as place:
        game = copied(place.folder)
        one, two = random.sample(rules_of(game), 2)
        first, second = (command("texts", "accept", "./g", rule, "--lang", "fr") for rule in (one, two))
        ended, found = _both(place, first, second)
        found += [f"exit status {each.status}: {each.err}" for each in ended if each.status]
        return found + ([] if accepted(game) == {(one, "fr"), (two, "fr")} else [f"accepted: {accepted(game)}"])


def _two_logs(random: Random) -> list[str]:
    """Two games write one log: it is that of one of them, whole, and the other one is told."""
    with Place() as place:
        deed = command("play", GAME, "--seats", "human,human", "--seed", "1", "--lang", "en", "--log", "a.log")
        ended, found = _both(place, deed, deed, "\n".join(MOVES) + "\n")
        found += [f"exit status {each.status}: {each.err}" for each in ended if each.status]
        return found + log_faults(place.folder / "a.log")


KINDS = {
    "full_disk": full_disk,
    "read_only_cache": read_only_cache,
    "changed_bits": changed_bits,
    "two_at_once": two_at_once,
}


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
