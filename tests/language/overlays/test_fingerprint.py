"""What a fingerprint sees and what it does not."""

from __future__ import annotations

import pytest

from rulespec.overlay.fingerprint import fingerprint, text_fingerprint
from tests.language.overlays.overlay_cases import tree

GAME = """\
game: {id: islands, language: 1, title: {en: "Islands"}, players: 2, seats: [red, green]}
values: {cost: {is: 1, about: "What a site costs.", source: {book: rulebook, place: costs}}}
boards: {land: {cell: {for: {col: 0..2}, draw: {x: cell.col, y: 0}}}}
effects: {settle: {params: {about: integer}, do: [{score: about + 1, reason: sites, about: "Points."}]}}
actions: {look: {do: [{draw: 2, from: deck, to: me.hand}]}}
messages: {score.sites: {en: "Sites"}}
terms: {site: {en: "site"}}
rules: {sites: {text: {en: "Sites score."}, binds: []}}
"""

# What is written otherwise, and whether play changes, and whether texts do.
CHANGES = [
    ("is: 1", "is: 2", True, False),
    ("id: islands", "id: atolls", True, True),
    ("[red, green]", "[green, red]", True, True),
    ("0..2", "0..3", True, False),
    ("about + 1", "about + 2", True, False),
    ("{about: integer}", "{about: 0..3}", True, False),
    ("What a site costs.", "The cost.", False, False),
    ("place: costs", "place: sites", False, False),
    ("x: cell.col", "x: cell.col + 1", False, False),
    ("draw: 2", "draw: 3", True, False),  # the verb, and no drawing
    ('about: "Points."', 'about: "More."', False, False),
    ('"Islands"', '"Atolls"', False, True),
    ('"Sites"', '"Places"', False, True),
    ('"site"', '"place"', False, True),
    ('"Sites score."', '"They score."', False, True),
    ("about + 1", "about  +  1", False, False),
    ("about + 1", '"about + 1"', False, False),
]


@pytest.mark.parametrize(("old", "new", "played", "told"), CHANGES)
def test_what_changes_a_fingerprint(old: str, new: str, played: bool, told: bool) -> None:
    assert old in GAME
    before, after = tree(GAME), tree(GAME.replace(old, new))
    assert (fingerprint(before) != fingerprint(after)) is played
    assert (text_fingerprint(before) != text_fingerprint(after)) is told


def test_the_order_of_sections_and_comments_mean_nothing() -> None:
    other = tree("# Islands\n" + "".join(reversed(GAME.splitlines(keepends=True))))
    assert fingerprint(other) == fingerprint(tree(GAME))
    assert text_fingerprint(other) == text_fingerprint(tree(GAME))


def test_the_order_of_declarations_counts() -> None:
    assert fingerprint(tree("values: {a: 1, b: 2}")) != fingerprint(tree("values: {b: 2, a: 1}"))


def test_a_text_is_no_number() -> None:
    assert fingerprint(tree("values: {a: 1}")) != fingerprint(tree('values: {a: "1"}'))


def test_the_form_is_short_and_plain() -> None:
    assert len(fingerprint(tree(GAME))) == 32
    assert set(fingerprint(tree(GAME))) <= set("0123456789abcdef")
