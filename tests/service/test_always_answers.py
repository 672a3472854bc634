"""Whatever is typed there is an answer; and after any edits it is that of a fresh start."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulespec.service.completion import complete
from rulespec.service.workspace import Workspace
from tests.service.spaces import CURSOR, ISLANDS, RAINY, islands, shipped, shipped_texts, with_line

BREAKS = ("[", "]", "{", "}", '"', "'", "\t", ": ", "- ", "#", "|", "(", ")", "&a ", "\r", "é", "😀", "\n", "where: ")


def _typed(texts: dict[str, str], every: int, start: int = 0) -> Iterator[tuple[str, str, int]]:
    """Files with a line typed as far as one of its characters: what stands behind in the line is not there yet."""
    number = start
    for name, text in texts.items():
        at = 0
        for line in text.splitlines(keepends=True):
            ending = line[len(line.rstrip("\r\n")) :]
            for length in range(len(line) - len(ending) + 1):
                number += 1
                if number % every == 0:
                    yield name, text[: at + length] + ending + text[at + len(line) :], at + length
            at += len(line)


def _answers(space: Workspace, name: str, at: int) -> list[str]:
    return [f"{item.label} {item.detail} {item.rank}" for item in complete(space, name, at).items]


def test_each_prefix_of_a_line_has_an_answer() -> None:
    for name, text, at in _typed({"islands/game.yaml": ISLANDS}, every=7):
        space = islands(text)
        assert complete(space, name, at).start <= at


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rules: [bridges]", "rules: [bridges: x, [y, |"),  # a map of one pair in a list, and nothing closed
        ("when: {emitted: settled}", "when: {emitted: |"),
        ("values:\n", "values: {a: [{|\n"),
        ("- emit: settled(cell)", "- - - |"),
    ],
)
def test_what_is_open_in_flow_style_has_an_answer(old: str, new: str) -> None:
    text, at = with_line(old, new)
    assert complete(islands(text), "islands/game.yaml", at).start <= at


def test_each_cut_of_a_file_has_an_answer() -> None:
    space = islands()
    for at in range(0, len(ISLANDS), 61):
        space.put("islands/game.yaml", ISLANDS[:at])
        complete(space, "islands/game.yaml", at)
        complete(space, "islands/game.yaml", at // 2)


@pytest.mark.long
def test_prefixes_of_lines_of_all_shipped_files_have_answers() -> None:
    space, texts = shipped(), shipped_texts()
    for name, text, at in _typed(texts, every=499):
        space.put(name, text)
        complete(space, name, at)
        space.put(name, texts[name])


def _edits(seed: int, count: int) -> Iterator[tuple[str, int]]:
    """A text after each of some edits, and where the last one was."""
    chance, text = random.Random(seed), ISLANDS
    for _ in range(count):
        at = chance.randrange(len(text))
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + chance.choice(BREAKS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + chance.randrange(1, 12) :]
        elif kind == 2:
            begin = chance.randrange(len(ISLANDS))
            text = text[:at] + ISLANDS[begin : begin + chance.randrange(1, 30)] + text[at:]
        else:
            text = ISLANDS
        at = min(at, len(text))
        yield text, at


def test_a_variant_sees_the_steps_of_now() -> None:
    at, variant = RAINY.index(CURSOR), RAINY.replace(CURSOR, "")
    space = islands(rainy=variant)
    assert "spot" not in [item.label for item in complete(space, "islands/rainy.yaml", at).items]
    text = ISLANDS.replace("choose: cell", "choose: spot").replace("(cell, me)", "(spot, me)")
    space.put("islands/game.yaml", text)
    assert complete(space, "islands/rainy.yaml", at).items[0].label == "spot"
    assert _answers(space, "islands/rainy.yaml", at) == _answers(islands(text, rainy=variant), "islands/rainy.yaml", at)


@pytest.mark.parametrize("seed", [7, 8])
def test_after_edits_the_answers_in_a_variant_are_those_of_a_fresh_start(seed: int) -> None:
    at, variant = RAINY.index(CURSOR), RAINY.replace(CURSOR, "")
    space = islands(rainy=variant)
    for text, _ in _edits(seed, 20):
        space.put("islands/game.yaml", text)
        fresh = islands(text, rainy=variant)
        assert _answers(space, "islands/rainy.yaml", at) == _answers(fresh, "islands/rainy.yaml", at)


@pytest.mark.parametrize("seed", range(3))
def test_after_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in _edits(seed, 40):
        space.put("islands/game.yaml", text)
        assert _answers(space, "islands/game.yaml", at) == _answers(islands(text), "islands/game.yaml", at)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 108))
def test_after_many_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in _edits(seed, 150):
        space.put("islands/game.yaml", text)
        assert _answers(space, "islands/game.yaml", at) == _answers(islands(text), "islands/game.yaml", at)
