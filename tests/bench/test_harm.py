"""Commands that are killed, find no room, read changed bits or run twice at once lose nothing that they had told.

Some hundreds of each: `python -m bench.kills` and `python -m bench.faults`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.modules import ROOT

if sys.platform == "win32":
    pytest.skip("processes are forked", allow_module_level=True)

from bench import faults, kills
from bench.harm import Harm, Place, run

KINDS = {**dict.fromkeys(kills.KINDS, "kills"), **dict.fromkeys(faults.KINDS, "faults")}

#: Takes longer than all others together.
LONG = "simulate"


def python(*words: str) -> subprocess.CompletedProcess[str]:
    """A fresh process, whose own processes are forked: the tests have threads, whose locks would stay shut."""
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)


def lost(command: str, *words: str) -> str:
    """What the trials told; nothing where nothing was lost."""
    ended = python("-m", f"bench.{command}", *words)
    return "" if ended.returncode == 0 else ended.stdout + ended.stderr


@pytest.mark.parametrize("command", ["kills", "faults"])
def test_nothing_is_lost(command: str) -> None:
    kinds = [kind for kind, of in KINDS.items() if of == command and kind != LONG]
    assert lost(command, *kinds, "--trials", "1", "--seed", "1") == ""


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_in_many_trials(kind: str) -> None:
    assert lost(KINDS[kind], kind, "--trials", "8", "--seed", "2") == ""


# ---- the harm itself -------------------------------------------------------------------------------------------------


def _writes() -> int:
    for name in ("one", "two"):
        Path(name).write_text("abc" * 10, encoding="utf-8")
    print("done")
    return 0


def left(harm: Harm) -> tuple[int, str, dict[str, int]]:
    """How a process ends that writes two files, what it says, and how many bytes are in its files then."""
    with Place() as place:
        ended = run(_writes, place.folder, harm)
        return ended.status, ended.out, {each.name: each.stat().st_size for each in place.folder.iterdir()}


def test_a_process_is_killed_before_a_change_of_files() -> None:
    assert left(Harm()) == (0, "done\n", {"one": 30, "two": 30})
    assert left(Harm(operation=0)) == (-9, "", {})
    assert left(Harm(operation=1)) == (-9, "", {"one": 30})


def test_a_process_is_killed_behind_a_byte() -> None:
    status, out, files = left(Harm(byte=7))
    assert (status < 0, out, files) == (True, "", {"one": 7})


def test_a_disk_without_room_is_an_error_of_the_system() -> None:
    def tells() -> int:
        try:
            return _writes()
        except OSError as fault:
            print(fault.strerror)
            return 2

    with Place() as place:
        ended = run(tells, place.folder, Harm(full=7))
        assert ended.status == 2
        assert ended.out
        assert (place.folder / "one").stat().st_size <= 7


def test_a_traceback_is_a_fault() -> None:
    def breaks() -> int:
        raise KeyError

    with Place() as place:
        assert len(run(breaks, place.folder).faults()) == 2  # the traceback, and an exit status that there is not


BAD_SAVES = """
from random import Random
import interpreter.save
from bench import kills
interpreter.save.write_whole = lambda path, text: path.write_text(text, encoding="utf-8")
print(any(kills.play(Random(f"bad {number}")) for number in range(30)))
"""


@pytest.mark.long
def test_what_is_lost_is_found() -> None:
    """A save that is written in its place, as it once might have been, is half there after some kill."""
    ended = python("-c", BAD_SAVES)
    assert (ended.stdout, ended.stderr) == ("True\n", "")
