"""Whether an editor's answers, after any edits, are those of a server that begins with the same texts.

    python -m bench.replay                                  # 200 edits of each classic
    python -m bench.replay --edits 1000 metro hex
    python -m bench.replay --prefixes 2000 --edits 0 barcelona

Edits are made at random, by a seed: characters that break YAML and expressions, stretches that go, that come from
another place or that are swapped with the lines around, whole files that come and go, and all of it undone. After each,
completion, hover, the place of a declaration and what is wrong with a value are asked for at the edit and at another
place, of the workspace that saw all edits and of a fresh one. `--prefixes` types that many lines of the content as far
as some character, what stands behind in the line not being there yet. An exception anywhere, and any answer that
differs, is told with its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Iterator

from bench.typing import workspace
from rulespec.service.completion import complete
from rulespec.service.looking import definition, hover
from rulespec.service.problems import quick_problems
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace

_BREAKS = ("[", "]", "{", "}", '"', "'", "\t", ": ", "- ", "#", "|", "(", ")", "&a ", "\r", "é", "😀", "\n", ".", "}}")
_KINDS = {"break": 4, "cut": 3, "copy": 3, "lines": 2, "file": 1, "undo": 2}
CLASSICS = ("tic_tac_toe", "connect_four", "hex")


def answers(space: Workspace, name: str, at: int) -> list[str]:
    """Everything that is said at an offset, in words; places as those of the texts of now."""
    offered = complete(space, name, at)
    said = [f"{offered.start} {offered.end}"]
    said += [f"{each.label} {each.kind} {each.detail} {each.insert}" for each in offered.items]
    told = hover(space, name, at)
    said.append("" if told is None else f"{told.start} {told.end} {told.text}")
    said += [f"{span.file.name} {span.start} {span.end}" for span in definition(space, name, at)]
    typed = typed_at(space, name, at)
    said += [] if typed is None else [f"{each.place} {each.message}" for each in typed.problems]
    return said


class Edits:
    """A workspace that is edited, with the texts with which it began."""

    def __init__(self, texts: dict[str, str], seed: str) -> None:
        self.first = texts
        self.now = dict(texts)
        self.chance = random.Random(seed)
        self.space = begun(texts)

    def make(self) -> tuple[str, str, int]:
        """One edit: what it is, the file, and where in its text."""
        chance = self.chance
        kind = chance.choices(list(_KINDS), list(_KINDS.values()))[0]
        name = chance.choice(sorted(self.first))
        text = self.now.get(name, "")
        at = chance.randrange(len(text) + 1)
        if kind == "file":
            text = "" if name in self.now else self.first[name]
        elif kind == "undo":
            text = self.first[name]
        elif kind == "break":
            text = text[:at] + chance.choice(_BREAKS) + text[at:]
        elif kind == "cut":
            text = text[:at] + text[at + chance.randrange(1, 40) :]
        elif kind == "copy":
            other = self.first[chance.choice(sorted(self.first))]
            begin = chance.randrange(len(other) + 1)
            text = text[:at] + other[begin : begin + chance.randrange(1, 60)] + text[at:]
        else:
            lines = text.splitlines(keepends=True)
            chance.shuffle(part := lines[(n := chance.randrange(len(lines) + 1)) : n + 4])
            text = "".join([*lines[:n], *part, *lines[n + 4 :]])
        self._set(name, text, gone=kind == "file" and name in self.now)
        return kind, name, min(at, len(text))

    def _set(self, name: str, text: str, *, gone: bool) -> None:
        if gone:
            del self.now[name]
            self.space.drop(name)
        else:
            self.now[name] = text
            self.space.put(name, text)


def begun(texts: dict[str, str]) -> Workspace:
    """A workspace that begins with some texts. The folders of games stay so, as they do for a server."""
    space = Workspace(_SHIPPED.engine)
    for home in sorted({name.partition("/")[0] for name in texts}):
        space.hold(home)
    for name, text in texts.items():
        space.put(name, text)
    return space


def differing(texts: dict[str, str], seed: str, edits: int) -> Iterator[str]:
    """What differs, or raises, after each of some edits: a line each."""
    made = Edits(texts, seed)
    for number in range(edits):
        kind, name, at = made.make()
        places = [(name, at), (made.chance.choice(sorted(made.now) or [name]), made.chance.randrange(4_000))]
        fresh = begun(made.now)
        for place in places:
            what = f"seed {seed}, edit {number} ({kind} in {name}), asked at {place[0]} {place[1]}"
            try:
                quick_problems(place[0], made.now.get(place[0], ""))
                kept, anew = answers(made.space, *place), answers(fresh, *place)
            except Exception:
                yield f"{what}: {traceback.format_exc()}"
                continue
            if kept != anew:
                lost, more = ([e for e in one if e not in other][:3] for one, other in ((kept, anew), (anew, kept)))
                yield f"{what}: kept {lost}, fresh {more}"


def prefixes(texts: dict[str, str], seed: str, count: int) -> Iterator[str]:
    """What raises where lines are typed as far as one of their characters: a line each."""
    space, chance = begun(texts), random.Random(seed)
    for _ in range(count):
        name = chance.choice(sorted(texts))
        text = texts[name]
        at = chance.randrange(len(text) + 1)
        end = text.find("\n", at)
        typed = text[:at] + (text[end:] if end >= 0 else "")
        space.put(name, typed)
        try:
            quick_problems(name, typed)
            answers(space, name, at)
        except Exception:
            yield f"seed {seed}, {name} typed to {at}: {traceback.format_exc()}"
        space.put(name, text)


def main() -> int:
    """Makes edits and types lines; 1 where anything differs or raises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(CLASSICS))
    parser.add_argument("--edits", type=int, default=200, help="of each game")
    parser.add_argument("--prefixes", type=int, default=0, help="of each game")
    parser.add_argument("--seed", default="1")
    arguments, wrong = parser.parse_args(), 0
    for game in arguments.games:
        texts = {name: _SHIPPED.text(name) for name in _SHIPPED.names if name.startswith(f"{game}/")}
        if not texts:
            parser.error(f"No shipped game is called {game}.")
        began = time.process_time()
        for line in differing(texts, arguments.seed, arguments.edits):
            wrong += 1
            print(f"{game}: {line}", flush=True)
        for line in prefixes(texts, arguments.seed, arguments.prefixes):
            wrong += 1
            print(f"{game}: {line}", flush=True)
        took = time.process_time() - began
        print(
            f"{game}: {arguments.edits} edits, {arguments.prefixes} prefixes, {took:.0f} s of the processor", flush=True
        )
    print(f"{wrong} answers differ or raise." if wrong else "No answer differs, and none raises.")
    return 1 if wrong else 0


_SHIPPED = workspace()

if __name__ == "__main__":
    sys.exit(main())
