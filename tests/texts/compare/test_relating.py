"""Which edition is named where relations stand for each other in two books and in more."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from rulespec.texts import relating
from rulespec.texts.contrasts import Contrast
from rulespec.texts.trust import Trust


def contrast(one: str, sense: str, other: str, instead: str, *, worded: bool = True) -> Contrast:
    return Contrast("joining", one, sense, (0, 1), other, instead, (0, 1) if worded else None, 0.1)


def told(monkeypatch: pytest.MonkeyPatch, languages: tuple[str, ...], *found: Contrast) -> list[tuple[str, str, bool]]:
    """What is told of texts of these languages, where each two of them have the contrasts that are given."""

    def own(texts: dict[str, str], trust: Trust) -> list[Contrast]:
        return [each for each in found if {each.language, each.other} == set(texts)]

    monkeypatch.setattr(relating, "contrasts", own)
    sides: Any = {code: SimpleNamespace(parts=[SimpleNamespace(language=code, text=code)]) for code in languages}
    encoder: Any = object()
    view = relating.related(sides, Trust({}, {}, encoder))
    if view is None:
        return []
    assert all(each.alone is (len(languages) > 2) for each in view.found)
    return [(each.language, str(each.what), each.lost) for each in view.found]


@pytest.mark.parametrize("languages", list(permutations(("en", "es", "fr"))))
@pytest.mark.parametrize("odd", ["en", "es", "fr"])
def test_of_three_the_odd_one_is_named(monkeypatch: pytest.MonkeyPatch, languages: tuple[str, ...], odd: str) -> None:
    one, other = (language for language in languages if language != odd)
    found = [contrast(odd, "and", one, "or"), contrast(other, "or", odd, "and")]
    assert told(monkeypatch, languages, *found) == [(odd, "joining.and", False), (odd, "joining.or", True)]


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en")])
def test_of_two_it_is_the_later_one_whatever_their_order(
    monkeypatch: pytest.MonkeyPatch, languages: tuple[str, ...]
) -> None:
    differences = [("fr", "joining.and", False), ("fr", "joining.or", True)]
    assert told(monkeypatch, languages, contrast("en", "or", "fr", "and")) == differences
    assert told(monkeypatch, languages, contrast("fr", "and", "en", "or")) == differences


def test_contrasts_of_different_senses_name_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    three = ("en", "es", "fr")
    assert told(monkeypatch, three, contrast("en", "and", "es", "or"), contrast("en", "and", "fr", "nor")) == []
    assert told(monkeypatch, three, contrast("en", "and", "es", "or"), contrast("en", "but", "fr", "or")) == []
    alone = contrast("fr", "or", "en", "and", worded=False)
    assert told(monkeypatch, three, contrast("en", "and", "es", "or", worded=False), alone) == []


def test_a_side_without_words_agrees_with_one_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [contrast("en", "and", "es", "or"), contrast("en", "and", "fr", "nor", worded=False)]
    assert told(monkeypatch, ("fr", "es", "en"), *found) == [("en", "joining.and", False), ("en", "joining.or", True)]
    one_side = [contrast("es", "or", "en", "and", worded=False), contrast("fr", "or", "en", "nor", worded=False)]
    assert told(monkeypatch, ("fr", "es", "en"), *one_side) == [("en", "joining.or", True)]
