"""The findings of highest rank in the published rulebooks, for a reader who labels them, and what came of it.

    python -m bench.texts.top --pair en,fr               the 25 of highest rank, with the sentences
    python -m bench.texts.top --pair en,fr --labels      the part of them that a reader calls real (labels.yaml)

`labels.yaml` names ids and lines only: sentences of published rulebooks stay where they are. By pair, such as `en-fr`,
it lists entries of the form `{id: term-0123456789, lines: {en: 12, fr: 14}, real: true}`. A finding whose id has
changed is known by its kind and lines.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    found = highest_ranked(arguments.game, languages, arguments.books)
    if arguments.labels:
        return _judged(found, "-".join(languages))
    for number, finding in enumerate(found, 1):
        show(number, finding)
    return 0


def highest_ranked(game: str, languages: Sequence[str], books: Path) -> list[Finding]:
    """The findings of highest rank in the published rulebooks of these languages."""
    source = read_game(game, Problems())
    assert source is not None
    loaded = load_for_most(source, (), {})
    texts = published(languages, books)
    documents = [document_of_text(text, language) for language, text in texts.items()]
    rules = rules_with_figures(loaded, languages)
    return list(compare(documents, Glossary.of(loaded.tree), rules).findings[:MOST])


def show(number: int, finding: Finding) -> None:
    print(f"{number}. {finding.id} {finding.severity} {finding.kind}: {finding.message}")
    for place in finding.places:
        print(f"     {place.language} {place.line}: {place.excerpt or '(nothing)'}")
    lines = ", ".join(f"{language}: {line}" for language, line in _lines(finding).items())
    print(f"     - {{id: {finding.id}, lines: {{{lines}}}, real: }}\n")


def _judged(found: Sequence[Finding], pair: str) -> int:
    if not LABELS.exists():
        sys.exit(f"There is no {LABELS.name} yet.")
    entries = labels(LABELS.read_text(encoding="utf-8")).get(pair, ())
    known = [real for finding in found if (real := label_of(finding, entries)) is not None]
    print(f"{pair}: {sum(known)} of {len(known)} labelled findings are real; {len(found) - len(known)} have no label.")
    return 0


@dataclass(frozen=True)
class Label:
    """What a reader says of a finding: its id, its first line in each language, whether it is a real difference."""

    id: str
    lines: Mapping[str, int]
    real: bool


def labels(text: str) -> dict[str, list[Label]]:
    """The labels of a file, by pair. Entries that nobody has judged yet are left out."""
    data: dict[str, list[dict[str, Any]]] = yaml.safe_load(text) or {}
    return {
        pair: [Label(one["id"], one["lines"], one["real"]) for one in entries if one["real"] is not None]
        for pair, entries in data.items()
    }


def label_of(finding: Finding, known: Iterable[Label]) -> bool | None:
    """Whether a finding is called real: by its id, else by its kind and lines; None where nobody has judged it."""
    entries = list(known)
    by_id = next((label.real for label in entries if label.id == finding.id), None)
    if by_id is not None:
        return by_id
    lines = _lines(finding)
    return next((label.real for label in entries if _kind(label.id) == finding.kind and label.lines == lines), None)


def _kind(known_as: str) -> str:
    return known_as.rpartition("-")[0]


def _lines(finding: Finding) -> dict[str, int]:
    """The first line of a finding in each language."""
    found: dict[str, int] = {}
    for place in finding.places:
        found.setdefault(place.language, place.line)
    return found


if __name__ == "__main__":
    sys.exit(main())
