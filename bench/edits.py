"""Whether what is kept of earlier checks changes an answer: random edits of shipped content, each checked twice.

    python -m bench.edits --edits 2000 --game tic_tac_toe --game connect_four
    python -m bench.edits --edits 40 --game barcelona --texts      # only in files of texts alone
    python -m bench.edits --edits 40 --game barcelona --figures    # only of figures: constants, and those in steps

After each edit the game is checked with what was kept of earlier checks, as a new process and as `--watch` would, and
from nothing. Both must say the same: all problems, their places, their order. It stops with exit status 1 where not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.kept.memo import Memo
from rulespec.source import files
from rulespec.source.shipped import games

_NUMBER = re.compile(r"\b[0-9]+\b")
_NAME = re.compile(r"(?m)^[ a-z_-]+: [^\"\nA-Z#]*?\b([a-z][a-z_]{2,})\b(?!:)[^\"\nA-Z#]*$")  # in an expression, mostly
_WORD = re.compile(r"\b[^\W\d_]{3,}\b")
_SHOWN = re.compile(r"\{[^{}:,\n]+\}")  # a placeholder, mostly
_TEXTS = frozenset({"messages", "terms", "rules", "book"})
#: A figure that stands by itself: no part of a range, of a place in a list, or of a word.
_FIGURE = re.compile(r"(?<![\w.\"'@#-])(?<!\.\.)([0-9]{1,3})\b(?!\.\.|[\w:\"'])")
_BREAKS = ("[", "]", "{", '"', "\t", ": :", "- ", "&a ", "}")
#: What is done, and how often beside the others.
_KINDS = {"name": 6, "number": 4, "word": 4, "away": 2, "twice": 1, "breaks": 1, "moved": 1, "shown": 2, "mended": 5}

_OF_FIGURES = {"constant": 8, "in steps": 2, "mended": 1}


@dataclass(slots=True)
class Edits:
    """A copy of a game's folder, and the edits made of it so far. The same seed always makes the same edits."""

    folder: Path
    random: random.Random
    texts: bool = False  #: only in files that hold nothing but texts
    figures: bool = False  #: only of constants (most), and of figures in steps
    first: dict[Path, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read = {place: place.read_text(encoding="utf-8") for place in sorted(self.folder.rglob("*.yaml"))}
        self.first = {place: text for place, text in read.items() if not self.texts or _TEXTS.issuperset(_of(text))}

    def make(self) -> str:
        """Makes one edit; what it is, in words."""
        changed = [place for place, text in self.first.items() if place.read_text(encoding="utf-8") != text]
        kinds = _OF_FIGURES if self.figures else _KINDS
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        if kind == "mended" or len(changed) > 3:
            for place in changed:
                place.write_text(self.first[place], encoding="utf-8")
            return "all is mended"
        if kind in ("constant", "in steps"):
            return self._other_figure(kind)
        played = [place for place, text in self.first.items() if re.search("(?m)^(game|flow|actions|effects):", text)]
        place = self.random.choice(played if kind == "name" and played else list(self.first))
        text = place.read_text(encoding="utf-8")
        place.write_text(self._edited(kind, text), encoding="utf-8")
        return f"{kind} in {place.name}"

    def _other_figure(self, kind: str) -> str:
        """One more or less mostly, so that most edits leave the game right."""
        sections = "values" if kind == "constant" else "actions|effects|triggers|setup|flow"
        found: list[tuple[Path, re.Match[str]]] = []
        for place in self.first:
            text = place.read_text(encoding="utf-8")
            for section in re.finditer(rf"(?m)^(?:{sections}):.*\n(?:[ #].*\n|\n)*", text):
                found += [(place, each) for each in _FIGURE.finditer(text, *section.span())]
        if not found:
            return "nothing"
        place, at = self.random.choice(found)
        text, old = at.string, int(at.group(1))
        new = self.random.choice((old + 1, max(0, old - 1), old + 2, 0, 1, self.random.randrange(12)))
        place.write_text(text[: at.start(1)] + str(new) + text[at.end(1) :], encoding="utf-8")
        return f"{new} for {old} at {at.start(1)} of {place.name}"

    def _edited(self, kind: str, text: str) -> str:
        pattern = _NUMBER if kind == "number" else _WORD
        found = list(pattern.finditer(text)) if kind in ("number", "word") else []
        if found:
            at = self.random.choice(found)
            other = str(self.random.randrange(12)) if kind == "number" else self._misspelt(at.group())
            return text[: at.start()] + other + text[at.end() :]
        shown = list(_SHOWN.finditer(text)) if kind == "shown" else []
        if shown:
            start, end = self.random.choice(shown).span()
            return text[:start] + self.random.choice(("", 2 * text[start:end])) + text[end:]
        names = list(_NAME.finditer(text)) if kind == "name" else []
        if names:
            start, end = self.random.choice(names).span(1)
            return text[:start] + self._misspelt(text[start:end]) + text[end:]
        lines = text.splitlines(keepends=True)
        number = self.random.randrange(len(lines))
        line = lines[number]
        if kind == "breaks":
            at_mark = self.random.randrange(len(line))
            lines[number] = line[:at_mark] + self.random.choice(_BREAKS) + line[at_mark:]
        elif kind == "twice":
            lines[number] = line + line
        elif kind == "moved":  # nothing else than where things stand
            lines[number] = f"{line}# a remark\n" if line.endswith("\n") else line
        else:
            lines[number] = ""
        return "".join(lines)

    def _misspelt(self, word: str) -> str:
        at = self.random.randrange(len(word) - 1)
        return self.random.choice((word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :]))


def _of(text: str) -> list[str]:
    """The sections of a file."""
    return re.findall(r"(?m)^([a-z_]+):", text)


def said(folder: Path, memo: Memo | None) -> list[Any]:
    """Everything that a check says, in its order. Without `memo` nothing is known of any earlier one."""
    if memo is None:
        files.forget()
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is not None:
        check_game(source, [], problems, memo)
    return [as_plain(problem) for problem in problems.items]


def as_plain(problem: Problem) -> list[Any]:
    """A problem with all that is shown of it."""
    related = [[each.message, each.span.file.name, each.span.start, each.span.end] for each in problem.related]
    return [*problem.place, problem.severity, problem.hint, problem.span.line, problem.span.column, related]


def differences(
    game: Path, edits: int, seed: int, *, texts: bool = False, figures: bool = False
) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """After each edit: what it was, what is said with what was kept, and what is said from nothing."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, game.name)
        shutil.copytree(game, folder, ignore=shutil.ignore_patterns("*.lock"))
        made = Edits(folder, random.Random(f"{game.name} {seed}"), texts, figures)
        memo = Memo()
        said(folder, memo)
        for number in range(edits):
            what = made.make()
            if number % 2:  # as a process that begins now
                memo = Memo(json.loads(json.dumps(memo.used)))
            memo.begin()
            kept = said(folder, memo)
            yield what, kept, said(folder, None)


def asked(about: str | None, edits: int) -> argparse.Namespace:
    """What was asked for on the command line: `edits`, `seed`, and the names of games. Nothing is kept of any check."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=edits, help="for each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="a shipped game; tic_tac_toe and connect_four")
    os.environ["RULESPEC_NO_CACHE"] = "1"
    parser.add_argument("--texts", action="store_true", help="only in files that hold nothing but texts")
    parser.add_argument("--figures", action="store_true", help="only of figures: constants, and those in steps")
    found = parser.parse_args()
    found.games = found.game or ["tic_tac_toe", "connect_four"]
    return found


def main() -> int:
    """Make the edits and compare."""
    arguments, wrong = asked(__doc__, 200), 0
    for name in arguments.games:
        begun, problems, number = time.process_time(), 0, 0
        only = {"texts": arguments.texts, "figures": arguments.figures}
        each = differences(games()[name], arguments.edits, arguments.seed, **only)
        for number, (what, kept, fresh) in enumerate(each, 1):
            problems += len(fresh)
            if kept != fresh:
                wrong += 1
                print(f"{name}: edit {number} ({what}):")
                print("  kept: ", *(each for each in kept if each not in fresh), sep="\n    ")
                print("  fresh:", *(each for each in fresh if each not in kept), sep="\n    ")
        print(f"{name}: {number} edits, {problems} problems, {time.process_time() - begun:.0f} s of the processor")
    print("No answer differs." if not wrong else f"{wrong} answers differ.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
