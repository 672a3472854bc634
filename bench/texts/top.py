"""The findings of highest rank in the published rulebooks, for a reader who labels them, and what came of it.

    python -m bench.texts.top --pair en,fr               the 25 of highest rank, with the sentences
    python -m bench.texts.top --pair en,fr --labels      the part of them that a reader calls real (labels.yaml)

`labels.yaml` names ids and lines only: sentences of published rulebooks stay where they are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from bench.texts.__main__ import SEEDS, published
from interpreter.book.telling import load_for_most
from interpreter.rulebooks import rules_with_figures
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.texts.compare import compare
from rulespec.texts.findings import Finding
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text

LABELS: Final = Path(__file__).with_name("labels.yaml")
MOST: Final = 25


def main() -> int:
    """Print the findings, or the share of real ones."""
    parser = argparse.ArgumentParser(prog="python -m bench.texts.top", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="barcelona")
    parser.add_argument("--pair", default="en,fr", help="two or three languages")
    parser.add_argument("--books", type=Path, default=SEEDS)
    parser.add_argument("--labels", action="store_true")
    arguments = parser.parse_args()
    languages = arguments.pair.split(",")
    found = _top(arguments.game, languages, arguments.books)
    if arguments.labels:
        return _judged(found, "-".join(languages))
    for number, finding in enumerate(found, 1):
        _show(number, finding)
    return 0


def _top(game: str, languages: Sequence[str], books: Path) -> list[Finding]:
    source = read_game(game, Problems())
    assert source is not None
    loaded = load_for_most(source, (), {})
    texts = published(languages, books)
    documents = [document_of_text(text, language) for language, text in texts.items()]
    rules = rules_with_figures(loaded, languages)
    return list(compare(documents, Glossary.of(loaded.tree), rules).findings[:MOST])


def _show(number: int, finding: Finding) -> None:
    print(f"{number}. {finding.id} {finding.severity} {finding.kind}: {finding.message}")
    for place in finding.places:
        print(f"     {place.language} {place.line}: {place.excerpt or '(nothing)'}")
    lines = ", ".join(f"{place.language}: {place.line}" for place in finding.places)
    print(f"     - {{id: {finding.id}, lines: {{{lines}}}, real: }}\n")


def _judged(found: Sequence[Finding], pair: str) -> int:
    if not LABELS.exists():
        sys.exit(f"There is no {LABELS.name} yet.")
    data: dict[str, list[dict[str, Any]]] = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    labels = {entry["id"]: entry["real"] for entry in data.get(pair, ())}
    known = [labels[finding.id] for finding in found if finding.id in labels]
    print(f"{pair}: {sum(known)} of {len(known)} labelled findings are real; {len(found) - len(known)} have no label.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
