"""What is likely of what may stand at a place, by what the game itself writes elsewhere."""

from __future__ import annotations

from collections import Counter

import pytest

from rulespec.service.completion import complete
from rulespec.service.items import Item
from rulespec.service.topics import about, topics_of
from rulespec.service.usage import ARGUMENT, KEY, LAST, LAST2, Entry, Usage, before, entries_of, together
from tests.service.spaces import islands

TEXT = """\
scenarios:
  one:
    play:
      - red: settle cell[1,1]
      - red: build bridge(wood) [near, far]
  two:
    play:
      - blue: build bridge(stone) [near, high]
"""


def _behind(way: int, words: str, text: str = TEXT) -> dict[str, int]:
    """The words that stand, in the whole text, behind what is before the place after some words."""
    at = text.index(words) + len(words)
    entry = next(each for each in reversed(entries_of(text)) if each.start <= at)
    found: Counter[str] = Counter()
    Usage.of(entries_of(text)).add_to(found, before(entry, at - entry.start)[way], 1)
    return dict(found)


def test_entries_are_the_text() -> None:
    assert "".join(each.text for each in entries_of(TEXT)) == TEXT
    assert [each.section for each in entries_of(TEXT)] == ["scenarios"] * 3


def test_words_are_known_by_the_last_ones_before_them() -> None:
    assert _behind(LAST, "build ") == {"bridge": 2}
    assert _behind(LAST2, "bridge(") == {"wood": 1, "stone": 1}


def test_words_are_known_by_the_bracket_and_the_number_of_the_argument() -> None:
    assert _behind(ARGUMENT, "bridge(") == {"wood": 1, "stone": 1}
    assert _behind(ARGUMENT, "red: build bridge(wood) [near, ") == {"far": 1}  # of this key


def test_words_are_known_by_the_key_above() -> None:
    assert _behind(KEY, "blue: ") == {"blue": 1, "build": 1, "bridge": 1, "stone": 1, "near": 1, "high": 1}


def test_words_of_the_same_file_count_more() -> None:
    own, other = Usage.of(entries_of("a: x y\n")), Usage.of(entries_of("b: x z\n"))
    [found] = together([own], [other], (before(Entry("a", 0, "a: x "), 5)[LAST],), 2)
    assert found == {"y": 2, "z": 1}


def test_a_reference_is_likely_that_is_about_the_same_or_names_the_declaration() -> None:
    rules = entries_of(
        'rules:\n  tolls:\n    text: {en: "A bridge has a toll for ships."}\n'
        '  snow:\n    text: {en: "Snow melts."}\n    shown_by: [a_ship]\n'
    )
    scenarios = entries_of("scenarios:\n  a_ship:\n    about: The ship pays its toll at the bridge.\n    rules: [\n")
    items = [Item("tolls", "rule"), Item("snow", "rule"), Item("nothing", "rule")]
    found = about([topics_of(rules)], scenarios, scenarios[1], "", items)
    assert found["tolls"][0] > found["snow"][0]
    assert (found["tolls"][1], found["snow"][1]) == (0, 1)
    assert found["nothing"] == (0, 0, 0, 0)


MORE = """\
variant: {id: tides, title: {en: "Tides"}}
zones:
  cell.shell: {shape: slot, holds: card}
"""
PLAYED = """\
scenarios:
  low_water:
    VARIANTS
    then:
      - not exists cell[1, 1].
"""


def test_in_a_scenario_its_variants_are_on() -> None:
    for line, is_there in (("variants: [tides]", True), ("players: 2", False)):
        space = islands(more=MORE)
        text = PLAYED.replace("VARIANTS", line)
        space.put("islands/played.yaml", text)
        at = len(text) - 1
        labels = [item.label for item in complete(space, "islands/played.yaml", at).items]
        assert ("shell" in labels) == is_there


def test_messages_that_must_be_there_come_first() -> None:
    """Of all messages that the game can have, it needs the names of seats, of the site that is chosen, and the like."""
    text = "messages:\n  \n"
    space = islands(more=text)
    items = complete(space, "islands/more.yaml", len(text) - 1).items
    needed = [item.detail == "is missing" for item in items]
    assert set(needed) == {True, False}
    assert needed == sorted(needed, reverse=True)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\n  one:\n    about: x\n    play:\n      - red: go\n", "scenarios"),
        ("\n  one:\n    params: {p: player}\n    type: boolean\n    is: true\n", "functions"),
        ("\n  - perform: settle\n", "flow"),
    ],
)
def test_a_key_fits_what_stands_below_it(text: str, wanted: str) -> None:
    items = complete(islands(more=text), "islands/more.yaml", 0).items
    assert wanted in [item.label for item in items[:5]]
    assert [item.rank for item in items if item.label == wanted] == [0]
    assert [item.rank for item in items if item.label == "zones"] == [4]
