"""Figures and expressions that get a name: the game stays what it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from rulespec.diagnostics.fixes import applied
from rulespec.diagnostics.model import Problems
from rulespec.game_source import engine_trees
from rulespec.lower.program import lower_program
from rulespec.service.extracting import Extraction, extractions
from rulespec.service.leaves import leaves
from rulespec.service.problems import Snapshot, problems_of
from rulespec.service.workspace import Workspace
from tests.service.programs import fingerprint
from tests.service.spaces import ISLANDS, shipped

NAME = "islands/game.yaml"


def islands(text: str = ISLANDS) -> Workspace:
    space = Workspace(engine())
    space.put(NAME, text)
    return space


@cache
def engine() -> tuple:  # type: ignore[type-arg]
    return engine_trees(Problems())


def said(texts: dict[str, str]) -> Counter[tuple[str, str]]:
    home = next(iter(texts)).partition("/")[0]
    found = problems_of(Snapshot(home, tuple(sorted(texts.items())), engine()))
    return Counter((problem.code, problem.message) for problem in found)


def at(words: str, part: str, *, is_selected: bool = False) -> list[Extraction]:
    """What is offered at a part of some words of the small game, which stand there once."""
    assert ISLANDS.count(words) == 1
    start = ISLANDS.index(words) + words.index(part)
    return list(extractions(islands(), NAME, start, start + len(part) if is_selected else start))


def offered(space: Workspace, game: str) -> Iterator[tuple[dict[str, str], Extraction]]:
    """All that is offered at the beginnings of expressions and at figures of a game, with its texts after it."""
    names = [name for name in space.names if name.startswith(f"{game}/")]
    texts = {name: space.text(name) for name in names}
    for name in names:
        tree = space.file(name).tree
        for leaf in leaves(tree) if tree is not None else ():
            content = leaf.node.content
            digits = (content.start + n for n, mark in enumerate(content.text) if mark.isdigit())
            for place in sorted({content.start, *digits}) if leaf.is_expression else ():
                for each in extractions(space, name, place, place):
                    yield applied(texts, each.edits), each


@pytest.mark.parametrize("game", ["islands", "tic_tac_toe"])
def test_nothing_is_wrong_after_any_of_them(game: str) -> None:
    space = islands() if game == "islands" else shipped()
    before = said({name: space.text(name) for name in space.names if name.startswith(f"{game}/")})
    titles = set()
    for texts, offer in offered(space, game):
        assert said(texts) - before == Counter(), offer.title
        titles.add(offer.title.partition(" ")[2].partition("`")[0])
    assert "it the function " in titles
    assert len(titles) > 2


def played(texts: dict[str, str], game: str, without: str = "") -> dict[str, bytes]:
    """What a game does, but for how much a look ahead may compute: a call of a function counts there."""
    space = Workspace(engine())
    for name, text in texts.items():
        space.put(name, text)
    declared = next(each for each in space.games if each.home == game).declared()
    assert declared is not None
    found = fingerprint(lower_program(declared.context), without=without)
    del found["look_cap"]
    return found


@pytest.mark.parametrize(
    "game", ["islands", "tic_tac_toe", "connect_four", "breakthrough", pytest.param("hex", marks=pytest.mark.long)]
)
def test_the_same_is_played_after_any_of_them(game: str) -> None:
    space = islands() if game == "islands" else shipped()
    before = {name: space.text(name) for name in space.names if name.startswith(f"{game}/")}
    offers, same = list(offered(space, game)), played(before, game)
    assert {offer.edits[-1].text.count("is:") for _, offer in offers} == {0, 1}  # figures and functions
    for texts, offer in offers:
        assert played(texts, game, offer.name) == same, offer.title


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p.coins > may_settle_value", "p.coins >= may_settle_value"),
        ("  may_settle_value: 0", "  may_settle_value: 1"),
        ("type: 0..20, start: 4", "type: 0..21, start: 4"),
        ("- perform: coins(1)", "- perform: coins(2)"),
        ("- most: player.coins", "- least: player.coins"),
    ],
)
def test_another_game_would_be_seen(old: str, new: str) -> None:
    words = "is: not exists cell.token and p.coins > 0"
    text = applied({NAME: ISLANDS}, at(words, "0")[0].edits)[NAME]
    assert text.count(old) == 1
    assert played({NAME: text}, "islands") == played({NAME: ISLANDS}, "islands")
    assert played({NAME: text.replace(old, new)}, "islands") != played({NAME: ISLANDS}, "islands")


def test_a_part_that_is_selected_gets_a_name_alone() -> None:
    [offer] = at("is: not exists cell.token and p.coins > 0", "p.coins > 0", is_selected=True)
    text = applied({NAME: ISLANDS}, offer.edits)[NAME]
    assert "is: not exists cell.token and may_settle_of(p)\n" in text
    assert "  may_settle_of:\n    params: {p: player}\n    type: boolean\n    is: p.coins > 0\n" in text


def test_a_figure_that_has_a_name_gets_none() -> None:
    assert at("bridge_cost: 2", "2") == []


def test_what_is_known_around_an_expression_is_not_lost() -> None:
    """That a card lies there is known behind `exists`; in a function of its own it would not be."""
    words = "where: exists deck.top and deck.top.worth > 1"
    text = ISLANDS.replace("where: cell.rim", words)
    start = text.index("deck.top.worth > 1")
    assert list(extractions(islands(text), NAME, start, start + len("deck.top.worth > 1"))) == []


def test_what_is_a_name_already_is_not_offered() -> None:
    assert at("pay: {coins: bridge_cost}", "bridge_cost") == []


def test_a_section_that_is_missing_is_made() -> None:
    text = (
        ISLANDS.replace("values:\n  bridge_cost: 2\n", "").replace("{bridge_cost}", "2").replace("bridge_cost}", "2}")
    )
    start = text.index("{coins: 2}") + len("{coins: ")
    [offer] = extractions(islands(text), NAME, start, start)
    after = applied({NAME: text}, offer.edits)[NAME]
    assert after.endswith(f"\n\nvalues:\n  {offer.name}: 2\n")
    assert f"{{coins: {offer.name}}}" in after


@pytest.mark.parametrize("key", ["variant", '"variant"'])
def test_a_name_that_a_variant_uses_is_declared_there(key: str) -> None:
    """The game has values of its own, which stand in another file."""
    text = f'{key}: {{id: rain, title: {{en: "Rain"}}}}\nfunctions:\n  wet: {{type: boolean, is: bridge_cost > 3}}\n'
    space = islands()
    space.put("islands/rain.yaml", text)
    made = next(extractions(space, "islands/rain.yaml", text.index("3}"), text.index("3}")))
    assert {edit.span.file.name for edit in made.edits} == {"islands/rain.yaml"}
