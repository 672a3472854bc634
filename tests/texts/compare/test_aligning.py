"""What makes aligning quicker changes nothing; and of two clauses that exchange their partners both must gain by it."""

from __future__ import annotations

from itertools import product

import pytest

from rulespec.texts import align
from rulespec.texts.clusters import Read, _own_item
from rulespec.texts.compare import read_all
from rulespec.texts.likeness import joined, likeness
from rulespec.texts.readers import document_of_text
from tests.project.modules import ROOT
from tests.texts.compare.books import BOOKS, glossary

SEEDS = ROOT.parent / "shared" / "seeds"


def items(read: Read) -> list[align.Item]:
    return [_own_item(read, n) for n in range(len(read.clauses))]


def small() -> list[list[align.Item]]:
    """Two languages, with the bullets as one paragraph each and some of them twice: groups of every sort."""
    books = {language: BOOKS[language].replace("- ", "") + BOOKS[language] for language in ("en", "fr")}
    documents = [document_of_text(text, language) for language, text in books.items()]
    return [items(read) for read in read_all(documents, glossary())]


def test_a_group_is_as_like_as_its_parts_together() -> None:
    """By its meaning: nothing where parts are hopeless or may not be one; less for a group of two paragraphs."""
    left, right = small()
    pairs = align._Pairs(left, right)
    seen = 0
    for (n, m), i, j in product(align._SHAPES[3:], range(len(left) - 3), range(len(right) - 3)):
        ones, others = left[i : i + n], right[j : j + m]
        crossing = sum(any(item.block != side[0].block for item in side) for side in (ones, others))
        hopeless = any(pairs.one(i + a, j + b) < align._HOPELESS for a in range(n) for b in range(m))
        expected = 0.0
        if not hopeless and crossing < 2 and align._together(ones) and align._together(others):
            alike = likeness(joined([item.features for item in ones]), joined([item.features for item in others]))
            expected = alike - crossing * align._CROSSING_COST
        assert pairs.group(i, n, j, m) == expected
        seen += expected > 0
    assert seen > 20


def test_a_shape_that_is_passed_over_could_not_have_won(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = small()
    quick = align.align(left, right)
    monkeypatch.setattr(align, "_ALIKE", 1e9)  # nothing is passed over
    assert align.align(left, right) == quick


@pytest.mark.long
@pytest.mark.skipif(not SEEDS.is_dir(), reason="the published rulebooks are not at hand")
def test_the_same_on_published_rulebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {one: next(SEEDS.glob(name)).read_text(encoding="utf-8") for one, name in (("en", "002*"), ("fr", "000*"))}
    reads = read_all([document_of_text(text, language) for language, text in texts.items()], glossary())
    left, right = (items(read) for read in reads)
    quick = align.align(left, right)
    monkeypatch.setattr(align, "_ALIKE", 1e9)
    assert align.align(left, right) == quick
    assert sum(bool(bead.left and bead.right) for bead in quick) > 200


class Likenesses(align._Pairs):
    """Pairs whose likeness is known: two headings of each side."""

    def __init__(self, likenesses: dict[tuple[int, int], float]) -> None:
        self._likenesses = likenesses

    def one(self, i: int, j: int) -> float:
        return self._likenesses[i, j]

    def advantage(self, i: int, j: int) -> float:
        return 0.12 if i == j else 0.0


@pytest.mark.parametrize(
    ("likenesses", "wanted"),
    [
        # the first is somewhat more like the other's partner, which leaves that one a poor one: 1.46 + 0.24 > 1.44
        ({(0, 0): 0.79, (0, 1): 0.92, (1, 0): 0.52, (1, 1): 0.67}, {(0, 0), (1, 1)}),
        # both fit better where they stand now: 1.8 > 1.0 + 0.24
        ({(0, 0): 0.5, (0, 1): 0.95, (1, 0): 0.85, (1, 1): 0.5}, {(0, 1), (1, 0)}),
    ],
)
def test_exchanged_partners(likenesses: dict[tuple[int, int], float], wanted: set[tuple[int, int]]) -> None:
    exchanged = [align.Bead((0,), (1,)), align.Bead((1,), (0,))]
    found = align._uncrossed(exchanged, {(0, 0), (1, 1)}, Likenesses(likenesses))
    assert {(bead.left[0], bead.right[0]) for bead in found} == wanted
