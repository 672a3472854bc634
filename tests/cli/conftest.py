"""Running the command in this process, from a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from interpreter.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command gave."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command with these words, run in that folder."""

    def command(*words: str) -> Done:
        status = main(words)
        output = capsys.readouterr()
        return Done(status, output.out, output.err)

    return command


ISLANDS = {
    "islands.yaml": """\
game:
  id: islands
  language: 1
  title: {en: "Islands"}
  players: 2
  seats: [red, green]
  options:
    weather: {type: boolean, start: false, switches: {"true": floods}}

values:
  bridge_cost: {is: 2, source: {reconstructed: the total is known}}
  hand_size: 5

setup:
  - shuffle: deck
""",
    "cards/cards.yaml": """\
pieces:
  card:
    attributes: {worth: 1..3}
    rows:
      - {worth: 1, count: 3}
      - {worth: 3}
    source: {book: rulebook, place: cards}

zones:
  deck: {shape: stack, holds: card, start: true}

rules:
  bridges:
    text: {en: "A bridge costs {bridge_cost}.", fr: "Un pont coûte {bridge_cost}."}
    binds: [values.bridge_cost]
""",
    "variants/floods.yaml": """\
variant:
  id: floods
  title: {en: "Floods"}
  changes:
    - set: values.bridge_cost
      to: 4
    - set: pieces.card.rows[worth=3].worth
      to: 2
    - remove: values.hand_size
values:
  water: 7
""",
}


@pytest.fixture
def islands(here: Path) -> Path:
    """A small game with one variant, in the folder `islands`."""
    folder = here / "islands"
    for name, text in ISLANDS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
