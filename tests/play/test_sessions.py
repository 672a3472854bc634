"""Sessions as data: see sessions.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play.table import game_of, play

PROBE_GAME = game_of("probe")
CASES = yaml.safe_load((Path(__file__).parent / "sessions.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["about"] for case in CASES])
def test_session(case: dict[str, Any]) -> None:
    done = play(case.get("game", "probe"), case["typed"], seats=case.get("seats", ["human"]))
    for line, texts in case["says"].items():
        for text in texts:
            assert text in done.answer(line), done.answer(line)
    assert [text for text in case.get("never", []) if text in done.text] == []
    assert done.status == 0


LINES = st.text(alphabet="ab1 29?=-[]é日\x1b\t", max_size=8) | st.sampled_from(
    [
        "undo",
        "why",
        "log",
        "board",
        "help",
        "why red",
        "why 1",
        "gains 1",
        "1",
        "2",
        "quit",
        "no",
        "save",
        "load",
        "undo undo",
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, max_size=12), st.sampled_from([("human",), ("human", "human")]))
def test_whatever_is_typed_is_answered(lines: list[str], seats: tuple[str, ...]) -> None:
    done = play(PROBE_GAME, lines, seats=seats)
    assert done.status == 0
    assert "\x1b" not in done.text


def test_every_answer_is_looked_at() -> None:
    lines = [(case, line) for case in CASES for line in case["says"] if isinstance(line, int)]
    assert [line for case, line in lines if line >= len(case["typed"])] == []
