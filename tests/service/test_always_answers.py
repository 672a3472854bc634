"""Whatever is typed there is an answer; and after any edits it is that of a fresh start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import replay
from bench.deep.services import served
from bench.replay import differing, prefixes
from rulespec.service.completion import complete
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace
from tests.service.changes import edits
from tests.service.spaces import CURSOR, ISLANDS, RAINY, islands, shipped, shipped_texts, with_line


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


@pytest.mark.parametrize("letter", ["a", "é", "7", "a.", "x = ", " "])
@pytest.mark.parametrize(
    "written", ["values:\n  long: %", 'values:\n  long: "%"', "values:\n  %: 3", "values:\n  long: {en: [%"]
)
def test_a_very_long_word_is_looked_at_once(written: str, letter: str) -> None:
    """What begins again at each letter would take minutes for all of these."""
    text = ISLANDS.replace("values:", written.replace("%", letter * (40_000 // len(letter))))
    served({"game.yaml": text}, lambda _, asked: asked())


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


def test_a_variant_sees_the_steps_of_now() -> None:
    at, variant = RAINY.index(CURSOR), RAINY.replace(CURSOR, "")
    space = islands(rainy=variant)
    assert "spot" not in [item.label for item in complete(space, "islands/rainy.yaml", at).items]
    text = ISLANDS.replace("choose: cell", "choose: spot").replace("(cell, me)", "(spot, me)")
    space.put("islands/game.yaml", text)
    assert "spot" in [item.label for item in complete(space, "islands/rainy.yaml", at).items][:5]
    assert _answers(space, "islands/rainy.yaml", at) == _answers(islands(text, rainy=variant), "islands/rainy.yaml", at)


@pytest.mark.parametrize("seed", [7, 8])
def test_after_edits_the_answers_in_a_variant_are_those_of_a_fresh_start(seed: int) -> None:
    at, variant = RAINY.index(CURSOR), RAINY.replace(CURSOR, "")
    space = islands(rainy=variant)
    for text, _ in edits(seed, 20):
        space.put("islands/game.yaml", text)
        fresh = islands(text, rainy=variant)
        assert _answers(space, "islands/rainy.yaml", at) == _answers(fresh, "islands/rainy.yaml", at)


@pytest.mark.parametrize("seed", range(3))
def test_after_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in edits(seed, 40):
        space.put("islands/game.yaml", text)
        assert _answers(space, "islands/game.yaml", at) == _answers(islands(text), "islands/game.yaml", at)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 108))
def test_after_many_edits_the_answers_are_those_of_a_fresh_start(seed: int) -> None:
    space = islands()
    for text, at in edits(seed, 150):
        space.put("islands/game.yaml", text)
        assert _answers(space, "islands/game.yaml", at) == _answers(islands(text), "islands/game.yaml", at)


_TYPED = ("where: may_settle(cell, me)", "where: may_settle(cell, gamers|)")
_DIVIDES = ("where: may_settle(cell, me)", "where: me.coins != 0 and 6 // me.|coins > 1")
_SHOWN = "scenarios:\n  shown: {then: [gamers == 1]}\n"
_BAD = "scenarios:\n  shown: {then: [gamers == 1], paly: []}\n"  # its words may be names that are told there

#: What the text of another file is after edits one behind the other, and what is then told of a value in the game.
TOLD_AFTER = [
    pytest.param(_TYPED, [(_SHOWN, ["RS301"]), (_BAD, []), (_SHOWN, ["RS301"])], id="a scenario breaks and is mended"),
    pytest.param(_TYPED, [(_BAD, []), (_SHOWN, ["RS301"]), (_BAD, [])], id="a scenario is mended and breaks"),
]


@pytest.mark.parametrize(("typed", "steps"), TOLD_AFTER)
def test_what_is_told_of_a_value_is_that_of_the_texts_of_now(
    typed: tuple[str, str], steps: list[tuple[str, list[str]]]
) -> None:
    text, at = with_line(*typed)
    kept = islands(text)
    for other, codes in steps:
        kept.put("islands/more.yaml", other)
        for space in (kept, islands(text, more=other)):
            assert _told(space, at) == codes


def test_the_first_division_of_a_game_is_lowered_as_in_a_fresh_start() -> None:
    space = islands()
    assert _told(space, ISLANDS.index("may_settle(cell, me)")) == []
    text, at = with_line(*_DIVIDES)
    space.put("islands/game.yaml", text)
    assert _told(space, at) == _told(islands(text), at) == []  # the coins are known not to be 0


def _told(space: Workspace, at: int) -> list[str]:
    typed = typed_at(space, "islands/game.yaml", at)
    assert typed is not None
    return [problem.code for problem in typed.problems]


def test_an_edited_shipped_game_answers_as_one_that_is_read_anew() -> None:
    texts = {name: text for name, text in shipped_texts().items() if name.startswith("tic_tac_toe/")}
    assert list(differing(texts, "quick", 8)) == []
    assert list(prefixes(texts, "quick", 12)) == []


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "answers", lambda space, name, at: [str(id(space))])
    texts = {name: text for name, text in shipped_texts().items() if name.startswith("tic_tac_toe/")}
    assert len(list(differing(texts, "quick", 2))) == 2 * 2


def test_a_game_of_scenarios_alone_is_told_of_though_nothing_could_be_read_before() -> None:
    scenarios = "scenarios:\n  first:\n    then: [nobody == 1]\n"
    space = Workspace()
    space.hold("islands")
    for text in ("a\rb", scenarios):  # a character for which no file is read; nothing is declared either way
        space.put("islands/scenarios.yaml", text)
        space.games[0].frame()
        found = typed_at(space, "islands/scenarios.yaml", text.find("nobody") + 3)
    assert found is not None
    assert [each.message for each in found.problems] == ["Unknown name 'nobody'."]
