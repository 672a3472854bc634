"""How much of what is put into rulebooks the comparison finds, and what it tells besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bench.texts.book import Edit, Edited
from rulespec.texts.compare import Comparison
from rulespec.texts.findings import Finding

Compare = Callable[[Mapping[str, str]], Comparison]
Editing = Callable[[str, str, int, int], Edited]


@dataclass
class Score:
    """What came of the edits of one language: by kind those put in and noticed; new findings, and those on an edit."""

    made: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    new: int = 0
    on_an_edit: int = 0
    unnoticed: list[tuple[int, Edit]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The part of the edits that is noticed."""
        return sum(self.noticed.values()) / max(1, sum(self.made.values()))

    @property
    def precision(self) -> float:
        """The part of the new findings that stands on an edit."""
        return self.on_an_edit / max(1, self.new)


def measured(
    texts: Mapping[str, str], language: str, edit: Editing, compare: Compare, seeds: Sequence[int], number: int
) -> Score:
    """Edits by seeds in one language of the rulebooks; `number` of them at a time."""
    known = {finding.id for finding in compare(texts).findings}
    score = Score()
    for seed in seeds:
        edited = edit(texts[language], language, seed, number)
        found = [f for f in compare({**texts, language: edited.text}).findings if f.id not in known]
        _count(score, seed, edited, [(finding, _lines(finding, language, edited)) for finding in found])
    return score


def _count(score: Score, seed: int, edited: Edited, found: Sequence[tuple[Finding, set[int]]]) -> None:
    everywhere: set[int] = set()
    for edit in edited.edits:
        lines = set(_around(edit, edited))
        everywhere |= lines
        score.made[edit.kind] += 1
        if any(there & lines for _, there in found):
            score.noticed[edit.kind] += 1
        else:
            score.unnoticed.append((seed, edit))
    score.new += len(found)
    score.on_an_edit += sum(bool(there & everywhere) for _, there in found)


def _lines(finding: Finding, language: str, edited: Edited) -> set[int]:
    """The lines of the text before the edits at which a finding stands."""
    numbers = {n for p in finding.places if p.language == language for n in range(p.line, p.end_line + 1)}
    return {edited.origin[min(number, len(edited.origin)) - 1] for number in numbers}


def _around(edit: Edit, edited: Edited) -> Iterator[int]:
    """The lines of an edit. Where a whole line is gone, what is missing there is told at the end of the one before."""
    yield from edit.lines
    if edit.kind == "deleted":
        lines = edited.text.split("\n")
        at = edit.lines[0] - 1
        while at > 0 and not lines[at - 1].strip():
            at -= 1
        yield at
