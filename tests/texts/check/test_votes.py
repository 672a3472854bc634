"""What all languages but one say alike: told of three and more, and never of what may be said so or otherwise."""

from __future__ import annotations

import pytest

from rulespec.texts.check.votes import lacking, put_for, turned

ONE, TWO, MAYBE, NOT = (1, 1), (2, 2), (0, 1), (0, 0)


def counts(things: str, **languages: list[tuple[int, int]]) -> dict[str, dict[str, tuple[int, int]]]:
    return {language: dict(zip(things, row, strict=True)) for language, row in languages.items()}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ({"en": [TWO, ONE], "fr": [TWO, ONE], "ja": [ONE, TWO]}, ("ja", "a", "b")),
        ({"en": [ONE, NOT], "fr": [TWO, NOT], "ja": [TWO, NOT]}, None),  # less of one thing alone is free wording
        ({"en": [NOT, ONE], "fr": [ONE, NOT]}, None),  # of two languages nobody can say which is right
        ({"en": [TWO, ONE], "fr": [MAYBE, ONE], "ja": [ONE, TWO]}, None),  # fr may say as little of it
        ({"en": [TWO, ONE], "fr": [TWO, ONE], "ja": [NOT, (3, 3)]}, None),  # two of each: another sentence
        ({"en": [TWO, ONE], "fr": [TWO, ONE], "es": [TWO, ONE], "ja": [ONE, TWO]}, ("ja", "a", "b")),
    ],
)
def test_one_thing_put_for_another(rows: dict[str, list[tuple[int, int]]], found: tuple[str, str, str] | None) -> None:
    assert put_for(counts("ab", **rows), "ab") == found


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ({"en": [ONE], "fr": [ONE], "ja": [NOT]}, ("ja", "a")),
        ({"en": [ONE], "fr": [ONE], "ja": [MAYBE]}, None),
        ({"en": [ONE], "fr": [MAYBE], "ja": [NOT]}, None),
        ({"en": [ONE], "ja": [NOT]}, None),
    ],
)
def test_what_one_language_lacks(rows: dict[str, list[tuple[int, int]]], found: tuple[str, str] | None) -> None:
    assert lacking(counts("a", **rows), "a") == found


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ({"en": [ONE, NOT], "fr": [NOT, MAYBE], "ja": [NOT, ONE]}, ("en", "b", "a")),
        ({"en": [ONE, NOT], "fr": [NOT, MAYBE]}, None),
        ({"en": [ONE, NOT], "fr": [MAYBE, ONE], "ja": [NOT, ONE]}, None),
        (
            {"en": [TWO, ONE], "fr": [ONE, TWO], "ja": [ONE, TWO]},
            ("en", "b", "a"),
        ),  # all have both, one is turned
    ],
)
def test_an_opposite_that_is_turned(rows: dict[str, list[tuple[int, int]]], found: tuple[str, str, str] | None) -> None:
    assert turned(counts("ab", **rows), ("a", "b")) == found
