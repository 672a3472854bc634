"""Translations accepted in the editor, and what renames keep of what was accepted."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.fixes import applied
from rulespec.service.accepting import acceptances, with_lock
from rulespec.service.rename import Refused, rename
from rulespec.service.workspace import Workspace
from rulespec.texts.check.entries import texts_of
from rulespec.texts.check.lock import fingerprint_of
from tests.service.spaces import ISLANDS, islands

NAME, LOCK = "islands/game.yaml", "islands/texts.lock"
HEAD = "# What each translation was accepted for. Written by `rulespec texts accept`.\n"


def mark(space: Workspace) -> str:
    """What the one rule of the small game is accepted with."""
    source = space.games[0].source()
    assert source is not None
    texts = texts_of(source)
    return fingerprint_of(texts.rules[0], texts.first, texts.tree(texts.rules[0]))


def offered(at: str, lock: str | None, space: Workspace | None = None) -> dict[str, str]:
    """What can be accepted there, with the lock as it is then."""
    space = space or islands()
    start = space.text(NAME).index(at)
    found = {}
    for each in acceptances(space, NAME, start, start, lock):
        made = applied({LOCK: lock or ""}, each.edits)[LOCK]
        found[each.title] = made if each.new_file is None else each.new_file[1]
    return found


@pytest.mark.parametrize("at", ["Un pont", "A bridge costs", "bridges:\n", "binds: [actions.settle]"])
@pytest.mark.parametrize("lock", [f"{HEAD}bridges: {{fr: 000000000000}}\n", HEAD, None])
def test_a_stale_or_new_translation_is_accepted_anywhere_in_its_rule(at: str, lock: str | None) -> None:
    space = islands()
    wanted = f"{HEAD}bridges: {{fr: {mark(space)}}}\n"
    assert offered(at, lock) == {"Accept the text of `bridges` in fr": wanted}
    assert offered(at, wanted) == {}


def test_in_one_language_only_that_one_is_accepted() -> None:
    text = ISLANDS.replace('pièces."}\n    binds', 'pièces.", de: "Eine Brücke."}\n    binds')
    space = islands(text)
    now, lock = mark(space), f"{HEAD}bridges: {{de: 000000000000, fr: 111111111111}}\n"
    assert offered("Eine Brücke", lock, space) == {
        "Accept the text of `bridges` in de": f"{HEAD}bridges: {{de: {now}, fr: 111111111111}}\n"
    }
    assert offered("A bridge", lock, space) == {
        "Accept the text of `bridges` in fr, de": f"{HEAD}bridges: {{de: {now}, fr: {now}}}\n"
    }


def test_elsewhere_and_with_a_lock_that_cannot_be_read_nothing_is_accepted() -> None:
    assert offered("bridge_cost: 2", HEAD) == {}
    assert offered("A bridge costs", "bridges: {fr") == {}


@pytest.mark.parametrize(
    ("at", "new", "key"),
    [("bridges:\n", "tolls", "tolls"), ("bridge_cost: 2", "toll", "bridges")],
)
def test_what_was_accepted_stays_so_when_names_change(at: str, new: str, key: str) -> None:
    space = islands()
    for lock, keeps in (
        (f"bridges: {{fr: {mark(space)}}} # so\n", True),
        ("bridges: {fr: 000000000000} # so\n", False),
    ):
        found = rename(space, NAME, ISLANDS.index(at), new)
        assert not isinstance(found, Refused)
        texts = applied({NAME: ISLANDS, LOCK: lock}, with_lock(space.games[0], found, lock))
        now = mark(islands(texts[NAME])) if keeps else "000000000000"
        assert texts[LOCK] == f"{key}: {{fr: {now}}} # so\n"
        assert (now == mark(space)) == (keeps and key == "tolls")  # the text names the figure, and not the rule


def test_a_rename_that_no_rule_shows_leaves_the_lock() -> None:
    space = islands()
    found = rename(space, NAME, ISLANDS.index("a_bridge:\n"), "one_bridge")
    assert not isinstance(found, Refused)
    assert with_lock(space.games[0], found, f"bridges: {{fr: {mark(space)}}}\n") == found
