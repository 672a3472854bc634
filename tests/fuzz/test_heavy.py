"""Large contents: they are as large as files and folders may be, and what a command takes with one is measured."""

from __future__ import annotations

import pytest
import yaml

from bench.heavy import kinds
from bench.heavy.run import COMMANDS, run
from rulespec.source.nodes import MAX_CHARACTERS, MAX_TEXT


@pytest.mark.parametrize("name", ["long_rules", "messages", "forms_of_terms"])
def test_a_content_is_within_what_files_may_have(name: str) -> None:
    texts = dict(kinds.contents())[name]()
    assert 2_000_000 < sum(len(text.encode()) for text in texts.values()) < 8_000_000
    assert max(len(text.encode()) for text in texts.values()) < MAX_CHARACTERS
    assert kinds.LONGEST_TEXT < MAX_TEXT


def test_the_files_of_a_content_say_together_what_was_made() -> None:
    made = kinds.rows_of_pieces() | {"values": {f"v{at}": at for at in range(9_000)}}
    entries: dict[str, object] = {}
    for text in kinds.written(made).values():
        for section, value in yaml.load(text, Loader=yaml.CSafeLoader).items():
            entries |= {f"{section}.{key}": each for key, each in value.items()} if section == "values" else {}
    assert entries == {f"values.v{at}": at for at in range(9_000)}


def test_a_command_is_measured() -> None:
    def small() -> dict[str, str]:
        return kinds.written(kinds.game(values={"n": 3, "m": "n +"}))

    [measured] = run([("small", small)], ["check"])
    assert (measured.status, measured.fault) == (1, "")
    assert measured.seconds > 0
    assert 20 << 20 < measured.held < 500 << 20


def test_too_much_is_a_fault() -> None:
    [measured] = run([("small", lambda: kinds.written(kinds.game()))], ["check"], limit=0)
    assert measured.fault == "more than 0 seconds"


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_its_words(command: str) -> None:
    """None is refused for how it is typed, which is the exit status 2."""
    [measured] = run([("small", lambda: kinds.written(kinds.many_rules_of(2)))], [command])
    assert measured.status in (0, 1), measured.says
