"""`check --fix`: the certain mends of games, shown as a diff, and written when a person, or `--yes`, agrees."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli import kept_checks
from interpreter.cli.common import say
from interpreter.cli.edited import Read, change, place_of

if TYPE_CHECKING:
    from rulespec.service.fixing import Mended
    from rulespec.source.text import Span


def fix_games(folders: Sequence[Path], *, agreed: bool) -> bool:
    """Mends games; whether all that there is to mend is mended. Raises UsageError where a file cannot be written."""
    before: dict[str, Read] = {}
    after: dict[str, str] = {}
    made: set[tuple[str, str, Span]] = set()
    for folder in dict.fromkeys(each.resolve() for each in folders):  # one game may be named twice
        files, mended = _mended(folder)
        before |= {name: files[name] for name in mended.texts}
        after |= mended.texts
        made |= {(each.code, each.message, each.span) for each in mended.made}
    if not after:
        return True
    if not change(before, after, agreed=agreed):
        return False
    where = "1 file" if len(after) == 1 else f"{len(after)} files"
    say(f"Mended {len(made)} {'problem' if len(made) == 1 else 'problems'} in {where}.\n", stream=sys.stderr)
    return True


def _mended(home: Path) -> tuple[dict[str, Read], Mended]:
    """The files of a game as they are, and the game mended."""
    from interpreter.lsp.files import read_files
    from rulespec.diagnostics.model import Problems
    from rulespec.game_source import engine_trees
    from rulespec.service.fixing import mend_all
    from rulespec.service.problems import Snapshot, Trees, problems_of

    read = read_files(home)
    lost = tuple(problem for found in read.lost.values() for problem in found)
    snapshot = Snapshot(home.as_posix(), tuple(sorted(read.texts.items())), engine_trees(Problems()), lost)
    files = {name: Read(text, place_of(name, home)) for name, text in read.texts.items()}
    memo, trees = kept_checks.read_stages(home, []), Trees()
    return files, mend_all(snapshot, lambda each: problems_of(each, memo, trees))
