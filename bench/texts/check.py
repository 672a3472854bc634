"""How much `rulespec texts check` catches of harm that is done to a game's own rules, and its alarms on harmless edits.

    python -m bench.texts.check                                        Barcelona, the development seeds
    python -m bench.texts.check --held-out                             seeds that nobody looks at while working
    python -m bench.texts.check --game metro --languages en,fr,es

A rule is harmed in one language, some dozens of rules at a time, in a copy of the game; it is caught when `texts check`
tells a problem of it; that translations are stale is told of any change of the first language, and does not count.
Placeholders are never changed. The exit status is 0.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.texts.book import Edit
from bench.texts.generate import put_in
from bench.texts.slips import SLIPS
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.source.text import Span
from rulespec.texts.check.entries import Entry, Text, texts_of
from rulespec.texts.check.everything import check_texts

#: Kinds of harm, with how often each is done beside the others.
HARM: Final = {
    "number_word": 4,
    "resource": 3,
    "term": 5,
    "negation_dropped": 5,
    "negation_added": 5,
    "must_to_may": 4,
    "may_to_must": 5,
    "direction": 4,
    "owner": 4,
    "deleted": 5,
    "item": 3,
}
HARMLESS: Final = {"synonym": 4, "digit_for_word": 2, "word_for_digit": 2, "other_words": 5}
DEVELOPMENT: Final = 1
HELD_OUT: Final = 9001
AT_ONCE: Final = 60  #: rules of one language that are edited at a time
STALE: Final = "RS542"  #: told of any change of the text that others are translated from, also of a harmless one
_FIRST_HOLE: Final = 0xE000  #: placeholders are letters of the private use area while a text is edited


@dataclass
class Caught:
    """What came of the edits of one language: by kind those made and caught, and which were not."""

    made: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, Edit]] = field(default_factory=list)
    told: list[tuple[str, Edit, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The part of the edits that is caught."""
        return sum(self.caught.values()) / max(1, sum(self.made.values()))


def main() -> int:
    """Measure, and print a table."""
    arguments = _arguments()
    source = read(arguments.game)
    first = HELD_OUT if arguments.held_out else DEVELOPMENT
    languages = arguments.languages.split(",")
    started = time.process_time()
    harm = {one: measured(source, one, HARM, first, arguments.faults) for one in languages}
    _table("harm that is caught", harm, HARM)
    slips = {one: measured(source, one, SLIPS, first, arguments.slips) for one in languages}
    _table("slips that are told", slips, SLIPS)
    alarms = {one: measured(source, one, HARMLESS, first, arguments.harmless) for one in languages}
    _table("alarms on harmless edits", alarms, HARMLESS)
    if arguments.missed:
        _tell({**harm, **{f"{one} slips": found for one, found in slips.items()}}, alarms)
    print(f"\n{time.process_time() - started:.0f} s of processor time")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.texts.check", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="barcelona")
    parser.add_argument("--languages", default="en,fr,ja")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--faults", type=int, default=360, help="harmed rules in each language")
    parser.add_argument("--harmless", type=int, default=180, help="harmlessly edited rules in each language")
    parser.add_argument("--slips", type=int, default=120, help="rules with a slip in each language")
    parser.add_argument("--missed", action="store_true", help="list the harm that is not caught, and the alarms")
    return parser.parse_args()


def read(game: str) -> GameSource:
    """A game by its id or folder."""
    source = read_game(game, Problems())
    assert source is not None, game
    return source


def measured(source: GameSource, language: str, kinds: Mapping[str, int], first: int, number: int) -> Caught:
    """Edits of one language, by seeds from `first` on."""
    entries = [entry for entry in texts_of(source).rules if _one_text(entry, language) is not None]
    found = Caught()
    with TemporaryDirectory() as folder:
        for seed in range(first, first + -(-number // AT_ONCE)):
            edits = _edited(entries, language, seed, kinds, source.id)
            problems = _problems(source, {entry.name: text for entry, text, _ in edits}, language, Path(folder))
            for entry, _, edit in edits:
                found.made[edit.kind] += 1
                if told := problems.get(entry.name):
                    found.caught[edit.kind] += 1
                    found.told.append((entry.name, edit, told))
                else:
                    found.missed.append((entry.name, edit))
    return found


def _one_text(entry: Entry, language: str) -> Text | None:
    """A rule's text in a language, where it has one and no forms for numbers."""
    forms = entry.texts.get(language, {})
    return forms.get("other") if len(forms) == 1 else None


def _edited(
    entries: Sequence[Entry], language: str, seed: int, kinds: Mapping[str, int], game: str
) -> list[tuple[Entry, str, Edit]]:
    """Rules with their edited texts; each rule is a line of a document while it is edited."""
    texts = [_one_text(entry, language) for entry in entries]
    lines = [_without_holes(text) for text in texts if text is not None]
    edited = put_in("\n".join(lines), language, seed, AT_ONCE, kinds, game)
    now = edited.text.split("\n")
    return [
        (entries[edit.lines[0] - 1], _with_holes(now[edit.lines[0] - 1], texts[edit.lines[0] - 1]), edit)
        for edit in edited.edits
    ]


def _without_holes(text: Text) -> str:
    words = text.node.text
    for number, (start, end) in reversed(list(enumerate(text.holes))):
        words = f"{words[:start]}{chr(_FIRST_HOLE + number)}{words[end:]}"
    return re.sub(r"[ \t\n]+", " ", words.strip())


def _with_holes(line: str, text: Text | None) -> str:
    assert text is not None
    holes = [text.node.text[start:end] for start, end in text.holes]
    return re.sub(r"[\ue000-\uf8ff]", lambda match: holes[ord(match[0]) - _FIRST_HOLE], line)


# ---- a copy of the game ---------------------------------------------------------------------------------


def _problems(source: GameSource, texts: Mapping[str, str], language: str, folder: Path) -> dict[str, str]:
    """The first problem of each rule whose text is another one now, by the rule's name."""
    copy = folder / source.folder.name
    shutil.copytree(source.folder, copy, dirs_exist_ok=True)
    spans = {
        entry.name: text.node.span
        for entry in texts_of(source).rules
        if entry.name in texts and (text := _one_text(entry, language)) is not None
    }
    for name in {span.file.name for span in spans.values()}:
        own = [(span, texts[rule]) for rule, span in spans.items() if span.file.name == name]
        (folder / name).write_text(_replaced(own), encoding="utf-8")
    changed, problems = read(str(copy)), Problems()
    check_texts(changed, problems)
    return _by_rule(changed, problems)


def _replaced(changes: Sequence[tuple[Span, str]]) -> str:
    """A file with other texts at some places."""
    text = changes[0][0].file.text
    for span, words in sorted(changes, key=lambda change: -change[0].start):
        text = text[: span.start] + json.dumps(words, ensure_ascii=False) + text[span.end :]
    return text


def _by_rule(source: GameSource, problems: Problems) -> dict[str, str]:
    places = [
        (span.file.name, span.start, span.end, entry.name) for entry in texts_of(source).rules for span in _spans(entry)
    ]
    found: dict[str, str] = {}
    for problem in problems.items:
        if problem.code == STALE:
            continue
        at = problem.span
        for name, start, end, rule in places:
            if at.file.name == name and start <= at.start < end:
                found.setdefault(rule, f"{problem.code} {problem.message}")
    return found


def _spans(entry: Entry) -> Iterator[Span]:
    """Where a rule stands: its name, what is said of it, its texts, which may be in files of their own."""
    yield entry.key.span
    yield entry.node.span
    yield from (text.node.span for forms in entry.texts.values() for text in forms.values())


# ---- telling --------------------------------------------------------------------------------------------


def _table(title: str, scores: Mapping[str, Caught], kinds: Mapping[str, int]) -> None:
    print(f"\n{title:26}" + "".join(f"{language:>12}" for language in scores))
    for kind in kinds:
        cells = [f"{score.caught[kind]}/{score.made[kind]}" for score in scores.values()]
        print(f"  {kind:24}" + "".join(f"{cell:>12}" for cell in cells))
    totals = [f"{sum(score.caught.values())}/{sum(score.made.values())}" for score in scores.values()]
    print(f"  {'all':24}" + "".join(f"{cell:>12}" for cell in totals))
    print(f"  {'share':24}" + "".join(f"{score.share:>12.3f}" for score in scores.values()), flush=True)


def _tell(harm: Mapping[str, Caught], alarms: Mapping[str, Caught]) -> None:
    print()
    for language, score in harm.items():
        for rule, edit in score.missed:
            print(f"missed {language} {edit.kind} {rule}: {edit.was[:60]!r} -> {edit.now[:40]!r}")
    for language, score in alarms.items():
        for rule, edit, told in score.told:
            print(f"alarm {language} {edit.kind} {rule}: {edit.was[:40]!r} -> {edit.now[:40]!r}: {told}")


if __name__ == "__main__":
    sys.exit(main())
