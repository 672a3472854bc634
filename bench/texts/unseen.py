"""What is found of faults that are put into rulebooks that nobody tuned the comparison for, and how sure its pairs are.

    python -m bench.texts.unseen collapsi.en-fr scout.en-es         faults, and alarms on harmless edits
    python -m bench.texts.unseen --lines collapsi.en-fr             books whose lines correspond: which pairs are right

There is no glossary. Found is what is told as `text` or `play`. With `--lines` a quarter of the lines of both books is
also taken out, at random, so that some sentences have no partner.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bench.texts.__main__ import table, tell_missed
from bench.texts.book import Edited, Other, is_edited
from bench.texts.generate import FAULTS, HARMLESS, put_in
from bench.texts.measure import measured
from bench.texts.relations import RELATIONS
from bench.texts.untuned import BOOKS
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.document import Document
from rulespec.texts.encoder import installed
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers.markdown import rows_of_markdown
from rulespec.texts.trust import SURE
from rulespec.texts.unwrapping import blocks

#: Kinds of faults that need words of one game, or that one book alone cannot lack.
_NOT_HERE: Final = frozenset({"resource", "term", "added"})
AT_ONCE: Final = 20  #: edits of one text at a time
TAKEN_OUT: Final = 0.25
DRAWS: Final = 3  #: how often lines are taken out


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.texts.unseen", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pairs", nargs="+", metavar="GAME.L-L")
    parser.add_argument("--books", type=Path, default=BOOKS, help="a folder of NAME.LANG.md")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--missed", action="store_true", help="list what is not found")
    parser.add_argument("--lines", action="store_true", help="which pairs are right, by the lines that correspond")
    parser.add_argument("--words", action="store_true", help="without an encoder, though it is installed")
    arguments = parser.parse_args()
    for pair in arguments.pairs:
        game, _, both = pair.partition(".")
        texts = {code: (arguments.books / f"{game}.{code}.md").read_text(encoding="utf-8") for code in both.split("-")}
        print(f"\n{pair}")
        if arguments.lines:
            _tell_lines(texts, words=arguments.words)
        else:
            seeds = range(arguments.first, arguments.first + arguments.seeds)
            _tell_edits(texts, seeds, words=arguments.words, missed=arguments.missed)
    return 0


def _compared(texts: Mapping[str, str], *, words: bool) -> Comparison:
    documents = [Document(code, code, blocks(rows_of_markdown(text))) for code, text in texts.items()]
    return compare(documents, Glossary({}), encoder=None if words else installed())


# ---- edits -----------------------------------------------------------------------------------------------------------


def _tell_edits(texts: Mapping[str, str], seeds: range, *, words: bool, missed: bool) -> None:
    faults = {kind: often for kind, often in FAULTS.items() if kind not in _NOT_HERE}

    def run(books: Mapping[str, str]) -> Comparison:
        found = _compared(books, words=words)
        return replace(found, findings=tuple(each for each in found.findings if each.severity != "cosmetic"))

    kinds_of = {"faults found": faults, "relations found": RELATIONS, "alarms on harmless edits": HARMLESS}
    for title, kinds in kinds_of.items():

        def edit(text: str, language: str, seed: int, number: int, kinds: Mapping[str, int] = kinds) -> Edited:
            other = next(Other(texts[code], code) for code in texts if code != language)
            return put_in(text, language, seed, number, kinds, other=other)

        scores = {code: measured(texts, code, edit, run, seeds, AT_ONCE) for code in texts if is_edited(code)}
        table(title, scores, list(kinds))
        if missed and kinds is not HARMLESS:
            tell_missed(scores)


# ---- lines -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pairs:
    """How many pairs stand on one line in both books, and how many do not; the same of those that are sure."""

    right: int = 0
    wrong: int = 0
    sure_right: int = 0
    sure_wrong: int = 0


def _tell_lines(texts: Mapping[str, str], *, words: bool) -> None:
    for taken, draws in ((0.0, 1), (TAKEN_OUT, DRAWS)):
        found = _Pairs()
        for draw in range(draws):
            _count({code: _without_some(text, taken, f"{draw}{code}") for code, text in texts.items()}, found, words)
        sure = f"; of those that are sure {found.sure_right} right, {found.sure_wrong} wrong" if not words else ""
        print(f"  {taken:4.0%} of the lines taken out: {found.right} pairs right, {found.wrong} wrong{sure}")


def _without_some(text: str, share: float, seed: str) -> str:
    """A text without a share of its lines; headings stay, and so do the numbers of lines."""
    chance = random.Random(seed)
    is_kept = [not line.strip() or line.startswith("#") or chance.random() >= share for line in text.split("\n")]
    return "\n".join(line if kept else "" for line, kept in zip(text.split("\n"), is_kept, strict=True))


def _count(texts: Mapping[str, str], found: _Pairs, words: bool) -> None:
    comparison = _compared(texts, words=words)
    one, other = comparison.reads
    for cluster in comparison.clusters:
        if len(cluster.members) < 2:
            continue
        lines = [{read.clauses[n].line for n in cluster.members[read.language]} for read in (one, other)]
        is_right = bool(lines[0] & lines[1])
        found.right += is_right
        found.wrong += not is_right
        if comparison.trust.sure.get(cluster.index, 0.0) >= SURE:
            found.sure_right += is_right
            found.sure_wrong += not is_right


if __name__ == "__main__":
    sys.exit(main())
