"""Edits of a game as a variant: the game with it says what was edited."""

from __future__ import annotations

import pytest

from rulespec.service.overlaying import Overlay, as_variant
from rulespec.service.rename import Refused
from tests.service.spaces import ISLANDS

NAME = "islands/game.yaml"


def made(*changes: tuple[str, str], game: str = ISLANDS) -> str | Refused:
    text = game
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = as_variant({NAME: game}, {NAME: text}, "my_variant", "islands/my_variant.yaml")
    return found.text if isinstance(found, Overlay) else found


HEAD = 'variant:\n  id: my_variant\n  title: {en: "TODO", fr: "TODO"}\n'


def test_a_figure_is_set_with_the_comment_beside_it() -> None:
    assert made(("bridge_cost: 2\n", "bridge_cost: 3  # dearer\n")) == (
        f"{HEAD}  changes:\n    - set: values.bridge_cost\n      to: 3  # dearer\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (
            "{col: 0..4, row: 0..4}",
            "{col: 0..4,\n        row: 0..5  # high\n      }",
            "  changes:\n    - replace: boards.land.cell.for.row\n      is: 0..5  # high\n",
        ),
        (
            "  bridge_cost: 2\n",
            "  bridge_cost: 3 # dear\r\n",
            "  changes:\n    - set: values.bridge_cost\n      to: 3 # dear\n",
        ),
        (
            "  bridge_cost: 2\n",
            '  bridge_cost: "3" #dear\n',
            '  changes:\n    - set: values.bridge_cost\n      to: "3" #dear\n',
        ),
        (
            "  bridge_cost: 2\n",
            "  bridge_cost: |\n    3\n  # dear\n",
            "  changes:\n    - set: values.bridge_cost\n      to: |\n        3\n",
        ),
        (
            "values:\n  bridge_cost: 2\n",
            "values: {bridge_cost: 3,  # dear\n  }\n",
            "  changes:\n    - set: values.bridge_cost\n      to: 3  # dear\n",
        ),
        (
            "  settled: {cell: cell}\n",
            "  settled: {cell: cell}\n  told: {cell: cell}  # of all\n",
            "events:\n  told: {cell: cell}  # of all\n",
        ),
    ],
)
def test_comments_stay_beside_what_they_are_about(old: str, new: str, wanted: str) -> None:
    assert made((old, new)) == f"{HEAD}{wanted}"


def test_what_is_added_stands_in_sections() -> None:
    assert made(("  bridge_cost: 2\n", "  bridge_cost: 2\n  rounds: {type: 1..9, is: 3}\n")) == (
        f"{HEAD}values:\n  rounds: {{type: 1..9, is: 3}}\n"
    )


def test_steps_are_replaced_with_their_layout_and_comments() -> None:
    old = "      - pay: {coins: bridge_cost}\n        rule: bridge_cost\n"
    new = "      # nothing is paid\n      - require: me.coins > 1\n"
    assert made((old, new)) == (
        f"{HEAD}  changes:\n"
        "    - replace: actions.settle.do\n"
        "      is:\n"
        "        - choose: cell\n"
        "          where: may_settle(cell, me)\n"
        "        # nothing is paid\n"
        "        - require: me.coins > 1\n"
        "        - move: me.stock.any\n"
        "          to: cell.token\n"
        "        - emit: settled(cell)\n"
    )


def test_what_is_deleted_is_removed_and_what_lies_deep_is_added_where_it_lies() -> None:
    deleted = (
        "triggers:\n  rim:\n    when: {emitted: settled}\n    where: cell.rim\n    do:\n      - perform: coins(1)\n"
    )
    rows = "    rows: [{each: ground, worth: 1, count: 3}]\n"
    assert made((deleted, ""), (rows, f'{rows}    about: "a card"\n')) == (
        f'{HEAD}  changes:\n    - remove: triggers\npieces:\n  card:\n    about: "a card"\n'
    )


def test_texts_of_messages_are_replaced() -> None:
    assert made(('en: "Choose a cell."', 'en: "Choose a free cell."')) == (
        f'{HEAD}  changes:\n    - replace: messages.settle.prompt.en\n      is: "Choose a free cell."\n'
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([("bridge_cost: 2\n", "bridge_cost: 2  # same\n")], "Only comments or layout were changed"),
        ([("game:\n", "rulebooks: {book: {title: Isles}}\ngame:\n")], "Nothing that a variant could change"),
        ([("values:\n", "values: [\n")], "cannot be read"),
    ],
)
def test_what_is_no_variant_is_refused(changes: list[tuple[str, str]], why: str) -> None:
    found = made(*changes)
    assert isinstance(found, Refused)
    assert why in found.why


FIGURE = ISLANDS.replace(
    "  bridge_cost: 2\n", '  bridge_cost: {type: 1..9, is: 2, source: {book: rulebook, place: "4"}}\n'
).replace("values:", "rulebooks:\n  rulebook: {title: Islands}\nvalues:")


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        # the source of a figure that is set is the variant
        ([("is: 2,", "is: 3,")], "    - set: values.bridge_cost.is\n      to: 3\n"),
        (
            [('place: "4"', 'place: "5"')],
            '    - replace: values.bridge_cost\n      is: {type: 1..9, is: 2, source: {book: rulebook, place: "5"}}\n',
        ),
        (
            [("is: 2,", "is: 3,"), ('place: "4"', 'place: "5"')],
            '    - replace: values.bridge_cost\n      is: {type: 1..9, is: 3, source: {book: rulebook, place: "5"}}\n',
        ),
        (
            [("is: 2,", 'is: "2",')],
            '    - set: values.bridge_cost.is\n      to: "2"\n',
        ),
        (
            [("Choose a cell.", "Choose  a cell.")],
            '    - replace: messages.settle.prompt.en\n      is: "Choose  a cell."\n',
        ),
        (
            [
                ("  player.stock: {shape: pool, holds: token,", "  player.stock: {holds: token, shape: pool,"),
                ("is: 2,", "is: 3,"),
            ],
            "    - set: values.bridge_cost.is\n      to: 3\n"
            "    - replace: zones.player.stock\n"
            "      is: {holds: token, shape: pool, start: token.owner == player}\n",
        ),
    ],
)
def test_all_of_an_edit_is_said(changes: list[tuple[str, str]], wanted: str) -> None:
    assert made(*changes, game=FIGURE) == f"{HEAD}  changes:\n{wanted}"


@pytest.mark.parametrize(
    "change",
    [
        ("  bridge_cost: {", "  rounds: 3\n  bridge_cost: {"),  # declared before another one
        ("title: Islands", "title: Isles"),
    ],
)
def test_what_a_variant_says_in_part_is_refused(change: tuple[str, str]) -> None:
    found = made(change, ("is: 2,", "is: 3,"), game=FIGURE)
    assert isinstance(found, Refused)
    assert "cannot say" in found.why
