"""Any two shipped variants of a game go together and can be played, or name their conflict.

Every shipped game has a variant, each with a rule or a scenario of its own; Barcelona has those that show what variants
can do.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from interpreter import ContentError, load
from rulespec.diagnostics.model import Problem
from rulespec.overlay.variant import Variant
from rulespec.source.shipped import games
from rulespec.source.tree import Mapping, Scalar, Sequence
from tests.shipped import source

#: How variants say that they do not go together: both write one path, one group, one excludes the other.
NAMED = {"RS410", "RS412", "RS420", "RS422"}
DECISIONS = 25


def _needed(variants: dict[str, Variant], *names: str) -> list[str]:
    """These variants, with all that they require."""
    found: list[str] = []
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.append(name)
            todo += [required.text for required in variants[name].requires]
    return sorted(found)


def _pairs() -> list[tuple[str, str, str]]:
    return [(game, *pair) for game in games() for pair in combinations(sorted(source(game).variants), 2)]


def _variants() -> list[tuple[str, str]]:
    return [(game, name) for game in games() for name in sorted(source(game).variants)]


def _play_a_little(game: str, names: list[str], *, both: bool) -> None:
    """With the fewest players, and with `both` with the most too."""
    fewest = load(game, variants=names)
    for players in dict.fromkeys(fewest.world.player_range[: 1 + both]):
        played = fewest if players == fewest.players else load(game, players=players, variants=names)
        dice, state = random.Random(players), played.start(players)
        for _ in range(DECISIONS):
            if state.decision is None:
                break
            options = state.options()
            state = state.apply(options[dice.randrange(len(options))])


@pytest.mark.long
@pytest.mark.parametrize(("game", "one", "other"), _pairs())
def test_any_two_go_together_or_name_their_conflict(game: str, one: str, other: str) -> None:
    names = _needed(source(game).variants, one, other)
    errors = _errors(game, names, both=False)
    assert {problem.code for problem in errors} <= NAMED
    assert all(any(name in f"{problem.message} {problem.hint}" for name in names) for problem in errors)


def _errors(game: str, names: list[str], *, both: bool) -> list[Problem]:
    """What keeps a game with these variants from being played; nothing once it was."""
    try:
        _play_a_little(game, names, both=both)
    except ContentError as fault:
        return [problem for problem in fault.problems if problem.severity == "error"]
    return []


@pytest.mark.parametrize(("game", "name"), _variants())
def test_every_variant_can_be_played(game: str, name: str) -> None:
    assert _errors(game, _needed(source(game).variants, name), both=True) == []


def test_every_game_has_a_variant() -> None:
    assert [game for game in games() if not source(game).variants] == []
    assert len(source("barcelona").variants) >= 6


def _scenarios(game: str) -> list[tuple[str, set[str]]]:
    """The scenarios of a game and of its variants, each with the variants that it names."""
    files = source(game)
    trees = [*files.trees, *(tree for variant in files.variants.values() for tree in variant.files)]
    found = []
    for tree in trees:
        section = tree.get("scenarios")
        for key, node in section.pairs if isinstance(section, Mapping) else ():
            named = node.get("variants") if isinstance(node, Mapping) else None
            names = (
                {item.text for item in named.items if isinstance(item, Scalar)}
                if isinstance(named, Sequence)
                else set()
            )
            found.append((key.text, names))
    return found


@pytest.mark.parametrize(("game", "name"), [each for each in _variants() if each[0] != "metro"])
def test_every_variant_has_a_scenario(game: str, name: str) -> None:
    """Metro's modules are switched on by options, which its scenarios name instead."""
    assert any(name in names for _, names in _scenarios(game))


def _prompts(game: str, name: str) -> set[str]:
    """The languages in which a variant has its title."""
    node = source(game).variants[name].tree.get("variant")
    title = node.get("title") if isinstance(node, Mapping) else None
    return {key.text for key, _ in title.pairs} if isinstance(title, Mapping) else set()


@pytest.mark.parametrize(("game", "name"), _variants())
def test_every_variant_has_a_title_in_the_languages_of_the_game(game: str, name: str) -> None:
    head = source(game).base.get("game")
    assert isinstance(head, Mapping)
    title = head.get("title")
    assert isinstance(title, Mapping)
    assert {key.text for key, _ in title.pairs} <= _prompts(game, name)
