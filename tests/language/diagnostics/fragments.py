"""Running the examples of the catalogue: fragments of content, put into a small game where they are not one."""

from __future__ import annotations

import re
from pathlib import Path

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game

GAME = """\
game:
  id: example
  language: 1
  title: {en: "Example"}
  players: 2
  seats: [red, green]
"""
FLOW = """\
flow:
  - score: 0
    reason: nothing
"""

#: A fragment shows one thing, so what it declares may be used nowhere in it. These are looked for in whole games only.
OF_WHOLE_GAMES = frozenset({"RS631", "RS632", "RS633"})

_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_ON = re.compile(r"^# on: (.+)\n")
_VARIANT = re.compile(r"^variant:[^a-z]*id: (\w+)", re.MULTILINE)


def files_of(example: str) -> dict[str, str]:
    """The files of an example: as it names them, else one; with the sections that no game is without."""
    parts = _FILE.split(example)
    files = dict(zip(parts[1::2], parts[2::2], strict=True)) or {"example.yaml": example}
    base = "".join(text for text in files.values() if not _VARIANT.search(text))
    if not re.search(r"^game:", base, re.MULTILINE):
        files["game_of_the_example.yaml"] = GAME
    if not re.search(r"^flow:", base, re.MULTILINE):
        files["flow_of_the_example.yaml"] = FLOW
    return files


def variants_of(example: str) -> list[str]:
    """The variants that are on: those that the first line names, else all."""
    on = _ON.match(example)
    return re.split(r",\s*", on[1]) if on else _VARIANT.findall(example)


def problems_of(example: str, folder: Path, code: str) -> tuple[Problem, ...]:
    """What `check` says of an example; of notes and of what is of whole games only that with the code."""
    folder.mkdir(parents=True)
    for name, text in files_of(example).items():
        (folder / name).write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, variants_of(example), problems)
    return tuple(p for p in problems.items if p.code == code or (p.code not in OF_WHOLE_GAMES and p.severity != "note"))
