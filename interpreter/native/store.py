"""Modules that were compiled before: kept in the user's cache folder by what they were made of."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from interpreter.native import engine
from interpreter.native.build import Made
from rulespec.source.cache import cache_file
from rulespec.source.sealed import keep_newest, read_sealed, write_sealed

MOST_KEPT = 40  #: modules, the newest
MOST_BYTES = 200_000_000  #: one module
_KIND = "native module 3"


def key_of(words: Iterable[object]) -> str:
    """A name that changes with the words (what a game is made of), the program, its library and the machine."""
    made = hashlib.sha256("\n".join(map(str, words)).encode())
    made.update(f"\n{sys.version}\n{engine.version()}\n{platform.platform()}\n{platform.machine()}\n".encode())
    made.update(PROGRAM.encode())
    return made.hexdigest()[:32]


def _program() -> str:
    """The files of the program that modules are made by, by size and time."""
    root = Path(__file__).resolve().parents[2]
    shared = (root / "interpreter" / name for name in ("rng.py", "reckoning.py", "hiding.py", "sight.py"))
    rooms = (
        root / "interpreter" / "native",
        root / "interpreter" / "middle",
        root / "rulespec" / "lower",
        root / "rulespec" / "program",
    )
    found = (*shared, *(place for room in rooms for place in sorted(room.rglob("*.py"))))
    return "\n".join(f"{place.name} {place.stat().st_size} {place.stat().st_mtime_ns}" for place in found)


#: As the files were when this program was read: it may be running still when they are others.
PROGRAM = _program()


def _place(key: str) -> Path | None:
    return cache_file(f"native-{key}.bin")


def is_kept(words: Iterable[object]) -> bool:
    """Whether there is a module, made of these words, that need not be made again."""
    place = _place(key_of(words)) if engine.is_there() else None
    return place is not None and place.is_file()


def recall(key: str) -> tuple[Made, bytes] | None:
    """What is kept under a name: where things lie, and the module ready for this machine.

    A module that is ready is code, and the places are where memory is written: neither is used unless all of it is as
    it was written by a program of this user.
    """
    place = _place(key)
    body = None if place is None else read_sealed(place, _KIND, MOST_BYTES)
    if body is None:
        return None
    head, _, ready = body.partition(b"\n")
    try:
        facts = json.loads(head)
        words = {int(at): int(n) for at, n in facts.pop("words").items()}
        told = tuple((kind, name) for kind, name in facts.pop("told"))
        forms = {int(at): tuple((form, size) for form, size in given) for at, given in facts.pop("event_forms").items()}
        return Made(code=b"", words=words, told=told, event_forms=forms, **facts), ready
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def keep(key: str, made: Made, ready: bytes) -> None:
    """Keeps a module; nothing happens where that cannot be done."""
    place = _place(key)
    if place is None:
        return
    facts = {f.name: getattr(made, f.name) for f in fields(made) if f.name != "code"}
    with suppress(OSError):
        write_sealed(place, _KIND, json.dumps(facts).encode() + b"\n" + ready)
        keep_newest(place.parent, "native-*.bin", MOST_KEPT)
