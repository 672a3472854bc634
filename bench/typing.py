"""How well names are offered while one types: the lines of all shipped content are cut at their names and typed anew.

    python -m bench.typing                      # some names of every game
    python -m bench.typing --every 1 barcelona  # all names of one

A name counts where it is one that somebody else declared: keys, words, references, names of expressions and of
placeholders. What a declaration calls itself by can be known to nobody. The line is cut before the name, and what was
behind it on the line is gone; then the name is typed letter by letter, and it counts as offered with so many letters
when it is among the first ten. A path or the key of a message is one name. Times are of the processor.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.expr.unfinished import wanted_after
from rulespec.expr.words import WORDS
from rulespec.game_source import engine_trees
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Data, Expression, MapOf, Name, Record, Shape, Text, Use, Word
from rulespec.model.shapes import Type as TypeShape
from rulespec.service.completion import complete, placeholder, unquoted_start
from rulespec.service.looking import hover
from rulespec.service.place import Place, place_at
from rulespec.service.referred import REFERS
from rulespec.service.shape_at import Held, held_at
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace
from rulespec.source.shipped import content_root, games

FIRST = 10
LETTERS = (0, 1, 2, 3)
_NAME = re.compile(r"(?<![\w\"'])[a-z][a-z0-9_]*")
_WHOLE = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
#: Where a dotted name, or several words, are one name: keys of messages, paths, moments.
_DOTTED, _IN_WORDS = frozenset({"paths"}), frozenset({"moments"})
#: What a name is that may also be declared where it stands.
_MAY_BE_NEW = frozenset({"labels", "reasons"})


@dataclass
class Tally:
    """What was found: names, and how many of them were offered with so many letters; the times of all answers."""

    names: int = 0
    offered: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    hovers: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)


def workspace() -> Workspace:
    """All shipped games, as files."""
    space = Workspace(engine_trees(Problems()))
    root = content_root()
    for folder in games().values():
        for path in sorted(folder.rglob("*.yaml")):
            space.put(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    return space


def others(folder: Path) -> Workspace:
    """Games of one file each."""
    space = Workspace(engine_trees(Problems()))
    for path in sorted(folder.glob("*.yaml")):
        space.put(f"{path.stem}/game.yaml", path.read_text(encoding="utf-8"))
    return space


def main() -> None:
    """Types names, and prints the shares and times by kind of place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--every", type=int, default=40, help="each so-manieth name (default 40)")
    parser.add_argument("--folder", type=Path, help="games that are not shipped: each file of this folder is one")
    parser.add_argument("--start", help="how soon a server that begins has the first problems of this game")
    parser.add_argument("--letters", type=int, default=3, help="how many letters of a name are typed at most")
    parser.add_argument("--missed", action="store_true", help="list names that are not offered with as many letters")
    arguments = parser.parse_args()
    space = workspace() if arguments.folder is None else others(arguments.folder)
    found: dict[str, Tally] = defaultdict(Tally)
    for cut in cuts(space, arguments.games, arguments.every):
        _type(space, cut, found[cut.kind], arguments.letters)
    _print(found, show_missed=arguments.missed)
    if arguments.start:
        with tempfile.TemporaryDirectory() as cache:
            os.environ["XDG_CACHE_HOME"] = os.environ["LOCALAPPDATA"] = cache
            _print_start(arguments.start)


@dataclass(frozen=True, slots=True)
class Cut:
    """A name of a file at which its line is cut, and what kind of place that is."""

    name: str
    text: str
    start: int
    word: str
    kind: str

    def cut(self, typed: str) -> str:
        """The file's text with its line cut before the name, and some letters typed there."""
        end = self.text.find("\n", self.start)
        return self.text[: self.start] + typed + (self.text[end:] if end >= 0 else "")


def cuts(space: Workspace, games: list[str], every: int) -> Iterator[Cut]:
    """Each so-manieth name of some games, or of all. Texts are to be as they were when the next one is asked for."""
    number = 0
    for name in space.names:
        if games and name.partition("/")[0] not in games:
            continue
        text = space.text(name)
        for match in _NAME.finditer(text):
            number += 1
            if number % every == 0:
                place = place_at(text, match.start())
                kind = _kind(text, match, place)
                word = _word(space, name, match, place) if kind is not None else ""
                if kind is not None and word:
                    yield Cut(name, text, match.start(), word, kind)


def _type(space: Workspace, cut: Cut, tally: Tally, most: int) -> None:
    tally.names += 1
    is_found = False
    for letters in LETTERS[: most + 1]:
        typed = cut.word[: min(letters, max(0, len(cut.word) - 1))]
        space.put(cut.name, cut.cut(typed))
        began = time.process_time()
        offered = complete(space, cut.name, cut.start + len(typed))
        tally.seconds.append(time.process_time() - began)
        lead = cut.text[offered.start : cut.start]
        is_found = any(is_name(item.label, lead, cut.word) for item in offered.items[:FIRST])
        tally.offered[letters] += is_found
        tally.values.append(_took(partial(typed_at, space, cut.name, cut.start + len(typed))))
    space.put(cut.name, cut.text)
    tally.hovers.append(_took(partial(hover, space, cut.name, cut.start + 1)))
    if not is_found:
        tally.missed[f"{cut.name}:{cut.text.count(chr(10), 0, cut.start) + 1} {cut.word}"] += 1


def _took(what: Callable[[], object]) -> float:
    began = time.process_time()
    what()
    return time.process_time() - began


#: A process that begins as the server does, and finds the problems of one game.
_BEGIN = """
import sys
from pathlib import Path
import interpreter.lsp.server
from bench.peak import peak
from interpreter.lsp.checking import Games
from interpreter.lsp.files import read_files
from rulespec.diagnostics.model import Problems
from rulespec.game_source import engine_trees
from rulespec.service.problems import snapshot_of
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace
space = Workspace(engine_trees(Problems()))
space.hold(sys.argv[1])
for name, text in read_files(Path(sys.argv[1])).texts.items():
    space.put(name, text)
Games().problems(snapshot_of(space.games[0]))
print(f"{peak() // 1_000_000} MB at most", end=", ", flush=True)
"""


def _print_start(game: str) -> None:
    """From the start of a process to the first problems of a game: when it was never checked, and again."""
    for what in ("cold", "warm"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", _BEGIN, games()[game].as_posix()], check=True)  # noqa: S603 - this
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{game}: start to first problems, {what}: {took:.2f} s")


def _word(space: Workspace, name: str, match: re.Match[str], place: Place) -> str:
    """The whole of a name; nothing for one that is declared here, and for all parts of a path but the first."""
    text = space.text(name)
    held = held_at(place.way, place.around)
    is_key = place.role == "key"
    refers = (
        ""
        if is_key
        else REFERS.get((held.record.name if held.record else "", held.field.name if held.field else ""), "")
    )
    if refers in _MAY_BE_NEW and len(re.findall(rf"\b{match.group()}\b", text)) < 2:
        return ""
    if refers == "kinds_to_choose" and not _is_kind(space, name, place, match.group()):
        return ""  # a step that calls what is chosen by a name of its own
    is_dotted = refers in _DOTTED or (is_key and place.way == ("messages",))
    if not is_dotted and refers not in _IN_WORDS:
        return match.group()
    if text[place.first : match.start()].strip("\"'"):
        return ""
    if refers in _IN_WORDS:
        return text[match.start() : place.last].strip("\"' ")
    whole = _WHOLE.match(text, match.start())
    return whole.group() if whole else match.group()


def _is_kind(space: Workspace, name: str, place: Place, word: str) -> bool:
    game = space.game_of(name)
    frame = game.frame(game.variants_at((name, space.text(name)), place.way)) if game is not None else None
    return frame is not None and (word in frame.context.world.domains or word in frame.context.world.pieces)


def is_name(label: str, lead: str, word: str) -> bool:
    """Whether an offer is the name, or one of the path of which it is the next part."""
    whole = lead + word
    return label == whole or (bool(lead) and label.startswith(whole) and label[len(whole) : len(whole) + 1] in ".[ ")


def _kind(text: str, match: re.Match[str], place: Place) -> str | None:
    """What a name of a file is, in a word; None for what is no name of something that is known."""
    if place.role == "none" or place.start != match.start():
        return None
    held = held_at(place.way, place.around)
    if place.role == "key":
        return _kind_of_key(held, match.group())
    return next((kind for shape in held.shapes if (kind := _kind_of_value(shape, held, place, match.group()))), None)


def _record_of(shape: Shape) -> Record | None:
    return REGISTRY.record(shape.record) if isinstance(shape, Use) else None


def _kind_of_key(held: Held, key: str) -> str | None:
    for shape in held.shapes:
        record = _record_of(shape)
        if record is not None and record.field(key) is not None:
            return "key of a form"
        if record is not None and record.others is not None and record.others.key.id in ("language", "plural", "known"):
            return "key that is known"
        if isinstance(shape, MapOf) and shape.key.id in ("language", "plural", "message"):
            return "key that is known"
        if isinstance(shape, Use) and record is not None and record.name in ("enum_value", "site_row", "piece_row"):
            return "attribute in a row"
    return None


def _kind_of_value(shape: object, held: Held, place: Place, word: str) -> str | None:
    if isinstance(shape, Word):
        return "word"
    if isinstance(shape, TypeShape):
        return None if word in WORDS else "name in a type"
    if isinstance(shape, Name):
        pair = (held.record.name if held.record else "", held.field.name if held.field else "")
        return "reference" if REFERS.get(pair, "new") != "new" else None
    if isinstance(shape, (Expression, Data)):
        return _kind_in_expression(unquoted_start(place.typed), word)
    if isinstance(shape, Text):
        inside = placeholder(place.typed)
        if inside is not None:
            found = _kind_in_expression(inside, word)
            return None if found is None else "name in a placeholder"
        return "option of a move" if held.record is not None and held.record.name in ("move", "refusal") else None
    return None


def _kind_in_expression(before: str, word: str) -> str | None:
    if word in WORDS:
        return None
    wanted = wanted_after(before)
    if wanted is None:
        return None
    return "member after a dot" if "MEMBER" in wanted else "name in an expression" if "INT" in wanted else None


def _print(found: dict[str, Tally], *, show_missed: bool) -> None:
    rows = [*sorted(found.items()), ("all", _sum(found))]
    heads = "".join(f"{f'{n} typed':>10}" for n in LETTERS)
    print(f"{'kind of place':26}{'names':>7}{heads}{'p50':>9}{'p95':>9}")
    for kind, tally in rows:
        shares = "".join(f"{tally.offered[n] / max(1, tally.names):>10.1%}" for n in LETTERS)
        print(f"{kind:26}{tally.names:>7}{shares}{_at(tally.seconds, 0.5):>6.0f} ms{_at(tally.seconds, 0.95):>6.0f} ms")
    whole = _sum(found)
    for what, seconds in (("hover", whole.hovers), ("problems of the value typed", whole.values)):
        print(f"{what:76}{_at(seconds, 0.5):>6.0f} ms{_at(seconds, 0.95):>6.0f} ms")
    if show_missed:
        for tally in found.values():
            print("\n".join(tally.missed))


def _sum(found: dict[str, Tally]) -> Tally:
    whole = Tally()
    for tally in found.values():
        whole.names += tally.names
        whole.offered += tally.offered
        whole.seconds += tally.seconds
        whole.hovers += tally.hovers
        whole.values += tally.values
    return whole


def _at(seconds: list[float], share: float) -> float:
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


if __name__ == "__main__":
    main()
