"""The small games together: every verb of the language is played, and every state of theirs keeps its form."""

from __future__ import annotations

import re

import pytest

from rulespec.model.registry import VERBS
from tests.engine.small import GAMES, keys, names, small

TASKS = {
    "bags": ["sets", "sites", "some", "pairs", "ordered", "alike", "limited"],
    "signals": ["order", "becoming", "emptying", "stepping", "turning", "acting"],
    "secrets": ["bids", "taking", "drawing", "lots", "luring", "parting"],
    "yard": ["stacking", "turning", "crowding", "blind", "orders", "deep", "wide"],
}
ALL = [(name, task) for name in names() for task in TASKS.get(name, [None])]
MOST = 60


def test_every_verb_is_played() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in GAMES.glob("*.yaml"))
    assert [verb for verb in VERBS if not re.search(rf"[-{{\[]\s*{verb}:", text)] == []


@pytest.mark.parametrize(("name", "task"), ALL)
def test_every_state_keeps_its_form(name: str, task: str | None) -> None:
    """Equal after bytes and back, always as long; what is offered applies; the state before is as it was."""
    game = small(name, **({"task": task} if task else {}))
    length = len(game.start(0).to_bytes())
    for seed in range(3):
        state = game.start(seed)
        for step in range(MOST):
            data = state.to_bytes()
            assert len(data) == length
            again = game.state_from_bytes(data)
            assert again == state
            assert hash(again) == hash(state)
            assert keys(again) == keys(state)
            if state.decision is None:
                break
            after = [state.apply(option) for option in state.options()]
            assert state.to_bytes() == data
            assert again.to_bytes() == data
            state = after[(step * 7 + seed) % len(after)]
