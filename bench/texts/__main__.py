"""How well `rulespec texts compare` finds faults that are put into rulebooks, and how often it is alarmed for nothing.

    python -m bench.texts                        the development seeds, on the rulebooks in the folder given by --books
    python -m bench.texts --held-out             seeds that nobody looks at while working: for the figures that are told
    python -m bench.texts --own                  the game's own texts, rendered as documents

A fault counts as found when a finding that the clean texts do not have overlaps its line. The exit status is 0.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.texts.generate import FAULTS, HARMLESS, faulty, harmlessly_edited
from bench.texts.measure import Compare, Editing, Score, measured
from interpreter.book.telling import load_for_most
from interpreter.rulebooks import rules_with_figures
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.declared import Rule
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text

BOOKS: Final = {"en": "002_*.txt", "fr": "000_*.txt", "ja": "001_*.txt"}
SEEDS: Final = Path(__file__).resolve().parents[3] / "shared" / "seeds"
DEVELOPMENT: Final = 1
HELD_OUT: Final = 11001
AT_ONCE: Final = 40  #: edits of one text at a time


def main() -> int:
    """Measure, and print a table."""
    arguments = _arguments()
    game = load_for_most(_source(arguments.game), (), {})
    languages = arguments.languages.split(",")
    rules = rules_with_figures(game, languages)
    texts = _own(rules, languages) if arguments.own else published(languages, arguments.books)
    glossary = Glossary.of(game.tree)

    def run(books: Mapping[str, str]) -> Comparison:
        return compare([document_of_text(text, language) for language, text in books.items()], glossary, rules)

    first = HELD_OUT if arguments.held_out else DEVELOPMENT
    started = time.process_time()
    faults = {one: _score(texts, one, faulty, run, first, arguments.faults) for one in languages}
    table("faults found", faults, list(FAULTS))
    alarms = {one: _score(texts, one, harmlessly_edited, run, first, arguments.harmless) for one in languages}
    table("alarms on harmless edits", alarms, list(HARMLESS))
    if arguments.missed:
        tell_missed(faults)
    print(f"\n{time.process_time() - started:.0f} s of processor time")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="barcelona")
    parser.add_argument("--languages", default="en,fr,ja")
    parser.add_argument("--books", type=Path, default=SEEDS, help="the folder of the published rulebooks")
    parser.add_argument("--own", action="store_true", help="the game's own texts, not published ones")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--faults", type=int, default=400, help="faults in each language")
    parser.add_argument("--harmless", type=int, default=300, help="harmless edits in each language")
    parser.add_argument("--missed", action="store_true", help="list the faults that are not found")
    return parser.parse_args()


def _source(name: str) -> GameSource:
    source = read_game(name, Problems())
    assert source is not None, name
    return source


def published(languages: Sequence[str], folder: Path) -> dict[str, str]:
    """The published rulebooks, where they are at hand; otherwise the program ends with a word."""
    found = {language: sorted(folder.glob(BOOKS[language])) for language in languages}
    if not all(found.values()):
        sys.exit(f"The rulebooks are not in {folder}; --own measures on the game's own texts.")
    return {language: paths[0].read_text(encoding="utf-8") for language, paths in found.items()}


def _own(rules: Sequence[Rule], languages: Sequence[str]) -> dict[str, str]:
    """The rules that stand in all languages, as documents: a paragraph for each."""
    whole = [rule for rule in rules if all(language in rule.texts for language in languages)]
    return {one: "\n\n".join(" ".join(rule.texts[one].split()) for rule in whole) + "\n" for one in languages}


def _score(texts: Mapping[str, str], language: str, edit: Editing, run: Compare, first: int, number: int) -> Score:
    seeds = range(first, first + -(-number // AT_ONCE))
    return measured(texts, language, edit, run, seeds, AT_ONCE)


def table(title: str, scores: Mapping[str, Score], kinds: Sequence[str]) -> None:
    """Prints what came of the edits, a column for each text that was edited."""
    print(f"\n{title:26}" + "".join(f"{language:>14}" for language in scores))
    for kind in kinds:
        cells = [f"{score.noticed[kind]}/{score.made[kind]}" for score in scores.values()]
        print(f"  {kind:24}" + "".join(f"{cell:>14}" for cell in cells))
    totals = [f"{sum(score.noticed.values())}/{sum(score.made.values())}" for score in scores.values()]
    print(f"  {'all':24}" + "".join(f"{cell:>14}" for cell in totals))
    print(f"  {'share':24}" + "".join(f"{score.share:>14.3f}" for score in scores.values()))
    print(f"  {'new findings on an edit':24}" + "".join(f"{s.on_an_edit}/{s.new}".rjust(14) for s in scores.values()))
    print(f"  {'share':24}" + "".join(f"{score.precision:>14.3f}" for score in scores.values()), flush=True)


def tell_missed(scores: Mapping[str, Score]) -> None:
    """Prints the edits that were not noticed."""
    print()
    for language, score in scores.items():
        for seed, edit in score.unnoticed:
            print(f"{language} seed {seed} {edit.kind} line {edit.lines[0]}: {edit.was[:50]!r} -> {edit.now[:50]!r}")


if __name__ == "__main__":
    sys.exit(main())
