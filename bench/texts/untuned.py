"""What `texts compare` tells of rulebooks that nobody tuned it for, and how much of it a reader calls real.

    python -m bench.texts.untuned                        all pairs: how much is told, what labels say of the first
    python -m bench.texts.untuned --pairs scout.en-es    some of them
    python -m bench.texts.untuned --show                 with the findings, for a reader who labels them

The books are those of other games in the folder given by --books, compared without any glossary, and the published
ones of the seeds, compared with the names of the game's terms and their plurals alone. `labels_untuned.yaml` names ids
and lines only: sentences of published rulebooks stay where they are. The pairs of HELD_BACK are looked at for figures,
never while working on the comparison.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final

from bench.texts.__main__ import SEEDS, published
from bench.texts.top import Label, label_of, labels, show
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.document import Document
from rulespec.texts.encoder import installed
from rulespec.texts.glossary import Concept, Glossary
from rulespec.texts.readers import document_of_text, read_rulebook

BOOKS: Final = SEEDS.parent / "rulebooks"
LABELS: Final = Path(__file__).with_name("labels_untuned.yaml")
#: Pairs that are kept for figures: games, or single pairs.
HELD_BACK: Final = ("shogi", "football", "crazyhouse.en-it", "crazyhouse.es-it", "crazyhouse.fr-it")
TUNED_GAME: Final = "barcelona"
TOP: Final = 15


@dataclass(frozen=True)
class Pair:
    """Two books of one game, and the words that they are read by."""

    name: str
    documents: tuple[Document, ...]
    glossary: Glossary

    @property
    def is_held_back(self) -> bool:
        """Whether it is kept for figures."""
        return self.name in HELD_BACK or self.name.partition(".")[0] in HELD_BACK

    @property
    def words(self) -> int:
        """The words of its first book that parts them by spaces."""
        return max(len(re.findall(r"\w+", " ".join(b.text for b in d.blocks))) for d in self.documents)


def main() -> int:
    """Print a line for each pair."""
    parser = argparse.ArgumentParser(prog="python -m bench.texts.untuned", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--books", type=Path, default=BOOKS, help="a folder of NAME.LANG.md and the like")
    parser.add_argument("--pairs", default="", help="such as scout.en-es,barcelona.en-fr; all if nothing is said")
    parser.add_argument("--top", type=int, default=TOP, help="how many findings a reader looks at")
    parser.add_argument("--words", action="store_true", help="without an encoder, though it is installed")
    parser.add_argument("--show", action="store_true", help="print them, with the sentences")
    parser.add_argument("--near", action="store_true", help="how near any two sentences are by the encoder")
    arguments = parser.parse_args()
    wanted = [name for name in arguments.pairs.split(",") if name]
    known = labels(LABELS.read_text(encoding="utf-8")) if LABELS.exists() else {}
    started = time.process_time()
    for pair in pairs(arguments.books, SEEDS, wanted):
        comparison = compare(pair.documents, pair.glossary, encoder=None if arguments.words else installed())
        print(_line(pair, comparison, known.get(pair.name, ()), arguments.top))
        if arguments.near and comparison.encoder is not None:
            print(f"{pair.name:18} nine of ten pairs of any two sentences are less near than {near(comparison):.2f}")
        for number, finding in enumerate(comparison.findings[: arguments.top] if arguments.show else (), 1):
            show(number, finding)
    print(f"{time.process_time() - started:.0f} s of processor time")
    return 0


def pairs(books: Path, seeds: Path, wanted: Sequence[str] = ()) -> Iterator[Pair]:
    """The pairs of books that are at hand, or those that are wanted; English first."""
    for game, by_language in _games(books).items():
        for one, other in combinations(sorted(by_language, key=lambda code: (code != "en", code)), 2):
            name = f"{game}.{one}-{other}"
            if not wanted or name in wanted or game in wanted:
                documents = tuple(read_rulebook(by_language[code], code) for code in (one, other))
                yield Pair(name, documents, Glossary({}))
    names = [f"{TUNED_GAME}.{one}-{other}" for one, other in combinations(("en", "fr", "ja"), 2)]
    for name in names if seeds.is_dir() else ():
        if not wanted or name in wanted or TUNED_GAME in wanted:
            texts = published(name.partition(".")[2].split("-"), seeds)
            documents = tuple(document_of_text(text, language) for language, text in texts.items())
            yield Pair(name, documents, bare(_glossary(TUNED_GAME)))


def _games(books: Path) -> dict[str, dict[str, Path]]:
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(books.glob("*.*.*")):
        game, language, _ = path.name.rsplit(".", 2)
        found.setdefault(game, {})[language] = path
    return found


def _glossary(game: str) -> Glossary:
    source = read_game(game, Problems())
    assert source is not None, game
    return Glossary.of(source.base)


def bare(glossary: Glossary) -> Glossary:
    """A glossary without all that was worked into it: the terms with their own forms alone."""
    return Glossary({name: _bare(concept) for name, concept in glossary.concepts.items()})


def _bare(concept: Concept) -> Concept:
    forms = {code: tuple(form for form in own if form.named) for code, own in concept.forms.items()}
    return replace(concept, parent=None, forms={code: own for code, own in forms.items() if own})


def near(comparison: Comparison) -> float:
    """The cosine below which nine of ten pairs of a sentence of the one book and any one of the other are."""
    import numpy as np

    one, other = (np.stack(read.vectors) for read in comparison.reads)
    return float(np.quantile(one @ other.T, 0.9))


def _line(pair: Pair, comparison: Comparison, known: Sequence[Label], top: int) -> str:
    counts = Counter(finding.severity for finding in comparison.findings)
    said = [label_of(finding, known) for finding in comparison.findings[:top]]
    both = sum(len(cluster.members) > 1 for cluster in comparison.clusters)
    sizes = "/".join(str(len(read.clauses)) for read in comparison.reads)
    graded = " ".join(f"{counts[severity]:3} {severity}" for severity in ("play", "text", "cosmetic"))
    grave = [label_of(finding, known) for finding in comparison.findings if finding.severity == "play"]
    return (
        f"{pair.name:18} {sizes:>8} sentences, {both:3} pairs, {len(comparison.findings):3} findings: {graded}; "
        f"of the first {len(said)}: {said.count(True)} real, {said.count(False)} not, {said.count(None)} unlabelled; "
        f"play: {grave.count(True)} real, {grave.count(False)} not, in {pair.words} words"
        f"{' (held back)' if pair.is_held_back else ''}"
    )


if __name__ == "__main__":
    sys.exit(main())
