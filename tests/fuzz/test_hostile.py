"""Games written to do harm are refused with the right code, or played, in seconds and within the memory allowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.fuzz.cases import Case
from bench.fuzz.run import Worker
from interpreter.game import load_source
from rulespec.check import check_game
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource, read_game
from tests.fuzz.hostile import DEAR, ENDLESS, LARGE, STEEP
from tests.lengths import long_where


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    found = Worker()
    yield found
    found.close()


def read(text: str, folder: Path) -> GameSource:
    """The game of one file."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    source = read_game(str(folder), Problems())
    assert source is not None
    return source


@pytest.mark.parametrize("name", long_where(DEAR.__contains__, [*ENDLESS, *LARGE, *STEEP]))
def test_nothing_but_problems(name: str, worker: Worker) -> None:
    """Checked, loaded, played and given to a command in a process that may use 500 MB and a few seconds."""
    text = ENDLESS.get(name) or STEEP.get(name) or LARGE[name][1]
    answer = worker.ask(Case(name, "game", len(name), {"game.yaml": text}).data())
    assert answer["fault"] is None, f"{answer['says']}\n{answer['trace']}"


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_refused(name: str, tmp_path: Path) -> None:
    code, text = LARGE[name]
    problems = Problems()
    check_game(read(text, tmp_path), [], problems)
    assert code in {problem.code for problem in problems.errors}


@pytest.mark.parametrize("name", long_where({*DEAR, "an end that ends itself"}.__contains__, ENDLESS))
def test_what_never_ends_is_reported_at_its_line(name: str, tmp_path: Path) -> None:
    game = load_source(read(ENDLESS[name], tmp_path), players=1)
    with pytest.raises(ContentError) as caught:
        game.start(1)
    [problem] = caught.value.problems
    assert problem.code in ("RS802", "RS803")
    assert problem.span.file.name.endswith("game.yaml")
    assert problem.span.line > 1
