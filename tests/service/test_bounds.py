"""Content that is more than a game may have, in an editor: as much of it is read as a game may have."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.model.amounts import MOST_DECLARED, MOST_PLACEHOLDERS, MOST_TEXTS, too_many, within_bounds
from rulespec.service import occurrences, workspace
from rulespec.service import rename as renaming
from rulespec.service.completion import complete
from rulespec.service.files_read import read_whole
from rulespec.service.kept import Kept
from rulespec.service.looking import references
from rulespec.service.outline import outline
from rulespec.service.rename import Refused, rename
from rulespec.service.workspace import Workspace
from rulespec.source.plain import MAX_FILE_BYTES
from rulespec.source.tree import Mapping, Scalar

HEAD = "game: {id: much, language: 1, players: 2%s}\n"
BEYOND = 7


def read(**files: str) -> list[Mapping]:
    """The files of a game as an editor reads them."""
    space = Workspace()
    for name, text in files.items():
        space.put(f"much/{name}.yaml", text)
    game = space.game_of("much/game.yaml")
    assert game is not None
    return [file.tree for file in game.read() if file.tree is not None]


def section(tree: Mapping, *way: str) -> Mapping:
    node = tree
    for key in way:
        found = node.get(key)
        assert isinstance(found, Mapping)
        node = found
    return node


def entries(start: int, count: int, value: str = "1", letter: str = "v") -> str:
    return "".join(f"  {letter}{at}: {value}\n" for at in range(start, start + count))


@pytest.mark.parametrize(
    ("name", "most"),
    [("values", MOST_DECLARED), ("functions", MOST_DECLARED), ("terms", MOST_TEXTS), ("scenarios", MOST_TEXTS)],
)
def test_entries_beyond_the_bound_are_known_by_name_alone(name: str, most: int) -> None:
    """The first file has three places left; the names of what does not fit any more count as declared."""
    first, second = read(
        game=f"{HEAD % ''}{name}:\n{entries(0, most - 3)}", other=f"{name}:\n{entries(most, 3 + BEYOND)}"
    )
    assert len(section(first, name).pairs) == most - 3
    kept = section(second, name)
    assert kept.keys() == (f"v{most}", f"v{most + 1}", f"v{most + 2}")
    assert kept.broken == tuple(f"v{at}" for at in range(most + 3, most + 3 + BEYOND))


def test_options_beyond_the_bound_are_left_out() -> None:
    options = ", ".join(f"o{at}: {{type: boolean}}" for at in range(MOST_DECLARED + BEYOND))
    [tree] = read(game=HEAD % f", options: {{{options}}}")
    assert len(section(tree, "game", "options").pairs) == MOST_DECLARED
    identity = section(tree, "game").get("id")
    assert isinstance(identity, Scalar)
    assert identity.text == "much"


def test_enums_whose_values_are_too_many_are_left_out() -> None:
    """Of 21 enums of a thousand values, in a list or a map, the last one has no room."""
    names = [f"v{at}" for at in range(1_000)]
    lists = entries(0, 11, f"[{', '.join(names)}]", "e")
    maps = entries(11, 10, f"{{values: {{{', '.join(f'{name}: {{}}' for name in names)}}}}}", "e")
    first, second = read(game=f"{HEAD % ''}enums:\n{lists}", other=f"enums:\n{maps}")
    assert len(section(first, "enums").pairs) == 11
    assert section(second, "enums").keys() == tuple(f"e{at}" for at in range(11, 20))
    problems = Problems()
    assert too_many((first, second), problems) is False
    assert problems.items == ()


def test_placeholders_beyond_the_bound_are_not_read() -> None:
    """Fifty in each message, in flow style with the braces of the languages: that makes 51."""
    each = 51
    whole = MOST_PLACEHOLDERS // each
    text = f'{{en: "{"{n} " * (each - 1)}"}}'
    [tree] = read(game=f"{HEAD % ''}messages:\n{entries(0, whole + BEYOND, text, 'm')}")
    assert len(section(tree, "messages").pairs) == whole


def test_what_goes_by_the_bounds_is_the_same() -> None:
    trees = read(game=f"{HEAD % ''}values:\n{entries(0, MOST_DECLARED)}")
    assert all(new is old for new, old in zip(within_bounds(trees), trees, strict=True))


def test_a_file_that_is_too_long_is_not_read() -> None:
    """What it declares is not offered either; without the blanks behind it, it is."""
    text = f"{HEAD % ''}values: {{known: 1}}\nalways: [kno]\n"
    at = text.index("kno]") + 3
    for blanks, offered in ((0, True), (MAX_FILE_BYTES, False)):
        space = Workspace()
        space.hold("much")
        space.put("much/game.yaml", text + " " * blanks)
        assert (space.file("much/game.yaml").tree is not None) is offered
        assert bool(outline(text + " " * blanks).pairs) is offered
        assert ("known" in [item.label for item in complete(space, "much/game.yaml", at).items]) is offered


def test_what_is_kept_by_weight_goes_by_it() -> None:
    """Texts of 4, 3 and 5 characters where 9 are kept: the first one goes with the third."""
    made: list[str] = []
    kept: Kept[str, int] = Kept(9, len)
    for text in ("aaaa", "bbb", "bbb", "ccccc", "bbb", "aaaa", "too much to keep", "ccccc"):
        assert kept.of(text, lambda text=text: made.append(text) or len(text)) == len(text)  # type: ignore[misc]
    assert made == ["aaaa", "bbb", "ccccc", "aaaa", "too much to keep", "ccccc"]


def test_a_game_of_many_files_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each letter that is typed made all of them be read anew, where there are more than some hundred."""
    read: list[str] = []
    monkeypatch.setattr(workspace, "read_whole", lambda name, text: read.append(name) or read_whole(name, text))
    space = Workspace()
    space.hold("much")
    for at in range(500):
        space.put(f"much/f{at}.yaml", f"values: {{v{at}: 1}}\n")
    game = space.game_of("much/f0.yaml")
    assert game is not None
    assert len(game.read()) == len(read) == 500
    game.read(("much/f7.yaml", "values: {v7: 2}\n"))
    assert read[500:] == ["much/f7.yaml"]


def test_what_is_typed_does_not_heap_up() -> None:
    """Of 20 texts of a long file as many are kept as have room beside the one of now: 200,000 characters each."""
    space = Workspace()
    for at in range(20):
        space.put("much/game.yaml", f"{HEAD % ''}# {at:0200000}\n")
        space.file("much/game.yaml")
        space.words("much/game.yaml")
    assert 9 <= len(space.readings.files) <= 11
    assert 9 <= len(space.readings.words) <= 11
    space.drop("much/game.yaml")
    space.put("much/game.yaml", HEAD % "")
    space.file("much/game.yaml")
    assert 9 <= len(space.readings.files) <= 11  # and no more than that


def test_of_too_many_names_none_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five names: two that are declared, and three in an expression."""
    text = f"{HEAD % ''}values: {{one: 1, two: one + one + one}}\n"
    at = text.index("one: 1")
    for most, places in ((5, 4), (4, 0)):
        monkeypatch.setattr(occurrences, "MOST_NAMES", most)
        monkeypatch.setattr(renaming, "MOST_NAMES", most)
        space = Workspace()
        space.put("much/game.yaml", text)
        assert len(references(space, "much/game.yaml", at)) == places
        found = rename(space, "much/game.yaml", at, "other")
        assert isinstance(found, Refused) is (places == 0)
        if isinstance(found, Refused):
            assert found.why == "The game has more than 4 names, and so it is not looked where they are used."
