"""All certain mends of a game: what is in vain or spoils a file is not made, and typing slips go."""

from __future__ import annotations

import random
import re

import pytest

from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import engine_trees
from rulespec.service.fixing import MOST_ROUNDS, mend_all
from rulespec.service.problems import Snapshot, problems_of
from rulespec.source.text import SourceFile, Span
from tests.service.spaces import shipped_texts

ENGINE = engine_trees(Problems())
HEX = {name: text for name, text in shipped_texts().items() if name.startswith("hex/")}


def snapshot(texts: dict[str, str]) -> Snapshot:
    return Snapshot("hex", tuple(sorted(texts.items())), ENGINE)


def told(code: str, span: Span, text: str, at: int | None = None) -> Problem:
    """A problem whose fix puts a text in its place, or in at an offset."""
    place = span if at is None else Span(span.file, at, at)
    facts = {"RS301": {"name": span.text}, "RS139": {"detail": span.text}}[code]
    problems = Problems()
    problems.add(code, span, hint=None, near=None, related=(), fixes=(Fix("x", (Edit(place, text),)),), **facts)
    return problems.items[0]


def checks(*judge: tuple[str, str, str]):  # type: ignore[no-untyped-def]
    """A check that tells each word of `judge` wherever it stands first, with a code and what is put in its place."""

    def check(each: Snapshot) -> tuple[Problem, ...]:
        [(name, text)] = each.texts
        file = SourceFile.of(name, text)
        places = ((code, text.find(word), word, new) for word, code, new in judge)
        return tuple(told(code, Span(file, at, at + len(word)), new) for code, at, word, new in places if at >= 0)

    return check


def alone(text: str) -> Snapshot:
    return Snapshot("a", (("a/a.yaml", text),), ())


def test_mends_that_bring_others_to_light_are_made_one_after_the_other() -> None:
    found = mend_all(alone("one"), checks(("one", "RS301", "two"), ("two", "RS301", "three")))
    assert (found.texts, len(found.made), found.left) == ({"a/a.yaml": "three"}, 2, ())


def test_what_comes_round_again_ends() -> None:
    found = mend_all(alone("one"), checks(("one", "RS301", "two"), ("two", "RS301", "one")))
    assert len(found.made) == 1
    assert found.texts == {"a/a.yaml": "two"}


def test_a_mend_in_vain_is_not_made_and_the_others_are() -> None:
    """The first puts a comma behind itself and is told again; what stands behind it is mended all the same."""

    def check(each: Snapshot) -> tuple[Problem, ...]:
        [(name, text)] = each.texts
        file = SourceFile.of(name, text)
        first = told("RS301", Span(file, 0, 3), ",", at=3)
        at = text.find("coinz")
        return (first,) if at < 0 else (first, told("RS301", Span(file, at, at + 5), "coins"))

    found = mend_all(alone("bad coinz"), check)
    assert found.texts == {"a/a.yaml": "bad coins"}
    assert len(found.made) == 1


def test_a_mend_that_spoils_its_file_is_not_made() -> None:
    found = mend_all(alone("one x"), checks(("one", "RS301", "{"), ("{", "RS139", "{{")))
    assert (found.texts, found.made) == ({}, ())


def test_of_the_mends_of_a_file_only_those_are_left_that_spoil_it() -> None:
    judge = [(word, "RS301", word.upper()) for word in ("two", "three", "four")]
    found = mend_all(alone("two\none\nthree\nfour"), checks(("one", "RS301", "{"), ("{", "RS139", "{{"), *judge))
    assert found.texts == {"a/a.yaml": "TWO\none\nTHREE\nFOUR"}
    assert [each.span.text for each in found.made] == ["two", "three", "four"]


def test_mends_that_spoil_a_file_together_alone_are_left() -> None:
    """Two brackets of one kind cannot be read, one can."""

    def check(each: Snapshot) -> tuple[Problem, ...]:
        [(name, text)] = each.texts
        file = SourceFile.of(name, text)
        places = [(at, word) for word in ("one", "two") if (at := text.find(word)) >= 0]
        found = [told("RS301", Span(file, at, at + 3), "{") for at, word in places]
        return (*found, *([told("RS139", Span(file, 0, 1), "")] if text.count("{") > 1 else []))

    assert mend_all(alone("one\ntwo"), check).texts == {}


def test_there_is_an_end_to_it() -> None:
    def check(each: Snapshot) -> tuple[Problem, ...]:
        [(name, text)] = each.texts
        return (told("RS301", Span(SourceFile.of(name, text), len(text) - 1, len(text)), "ab"),)

    assert len(mend_all(alone("a"), check).made) == MOST_ROUNDS


def test_a_misspelt_declaration_does_not_change_all_its_uses() -> None:
    texts = {name: text.replace("hex.stone: {shape", "hex.sotne: {shape") for name, text in HEX.items()}
    assert texts != HEX
    assert mend_all(snapshot(texts), problems_of).texts == {}


@pytest.mark.parametrize("seed", range(8))
def test_a_slip_in_a_word_is_mended_or_left_alone(seed: int) -> None:
    """One letter of one use of a declared name is wrong: the text is as it was, or as it was broken."""
    r = random.Random(seed)
    names = [name for name in HEX if name.endswith(("hex.yaml", "rules.yaml"))]
    name = names[seed % len(names)]
    uses = list(re.finditer(r"\b(stones_each|touches)\b", HEX[name]))
    use = uses[r.randrange(len(uses))]
    at = use.start() + r.randrange(1, len(use[0]) - 1)
    broken = HEX[name][:at] + HEX[name][at + 1 :]
    found = mend_all(snapshot({**HEX, name: broken}), problems_of)
    assert found.texts.get(name, broken) in (HEX[name], broken)
    assert set(found.texts) <= {name}
