"""Sessions as data: see sessions.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.play.table import play

CASES = yaml.safe_load((Path(__file__).parent / "sessions.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["about"] for case in CASES])
def test_session(case: dict[str, Any]) -> None:
    done = play("probe", case["typed"], seats=case.get("seats", ["human"]))
    for line, texts in case["says"].items():
        for text in texts:
            assert text in done.answer(line), done.answer(line)
    assert [text for text in case.get("never", []) if text in done.text] == []
    assert done.status == 0


def test_every_answer_is_looked_at() -> None:
    lines = [(case, line) for case in CASES for line in case["says"] if isinstance(line, int)]
    assert [line for case, line in lines if line >= len(case["typed"])] == []
