"""Edits of a game as a variant: the game with it says what was edited."""

from __future__ import annotations

import pytest

from rulespec.service.overlaying import Overlay, as_variant
from rulespec.service.rename import Refused
from tests.service.spaces import ISLANDS

NAME = "islands/game.yaml"


def made(*changes: tuple[str, str]) -> str | Refused:
    text = ISLANDS
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = as_variant({NAME: ISLANDS}, {NAME: text}, "my_variant", "islands/my_variant.yaml")
    return found.text if isinstance(found, Overlay) else found


HEAD = 'variant:\n  id: my_variant\n  title: {en: "TODO", fr: "TODO"}\n'


def test_a_figure_is_set() -> None:
    assert made(("bridge_cost: 2\n", "bridge_cost: 3  # dearer\n")) == (
        f"{HEAD}  changes:\n    - set: values.bridge_cost\n      to: 3\n"
    )


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
    assert made((deleted, ""), ("card:\n    attributes:", 'card:\n    about: "a card"\n    attributes:')) == (
        f'{HEAD}  changes:\n    - remove: triggers\npieces:\n  card:\n    about: "a card"\n'
    )


def test_texts_of_messages_are_replaced() -> None:
    assert made(('en: "Choose a cell."', 'en: "Choose a free cell."')) == (
        f'{HEAD}  changes:\n    - replace: messages.settle.prompt.en\n      is: "Choose a free cell."\n'
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([("bridge_cost: 2\n", "bridge_cost: 2  # same\n")], "Nothing that a variant could change"),
        ([("values:\n", "values: [\n")], "cannot be read"),
    ],
)
def test_what_is_no_variant_is_refused(changes: list[tuple[str, str]], why: str) -> None:
    found = made(*changes)
    assert isinstance(found, Refused)
    assert why in found.why
