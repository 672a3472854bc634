"""Which files make up a game, as texts come, change and go."""

from __future__ import annotations

from rulespec.service.workspace import Workspace
from tests.service.spaces import islands

PACK = "pack: {game: islands}\nterms: {}\n"


def _files(space: Workspace) -> tuple[str, ...]:
    return space.files_of("islands")


def test_a_pack_belongs_to_its_game_for_as_long_as_it_says_so() -> None:
    space = islands()
    space.put("packs/de.yaml", "terms: {}\n")
    assert _files(space) == ("islands/game.yaml",)
    space.put("packs/de.yaml", PACK)
    assert _files(space) == ("islands/game.yaml", "packs/de.yaml")
    space.put("packs/de.yaml", "terms: {}\n")
    assert _files(space) == ("islands/game.yaml",)


def test_a_folder_that_is_held_is_a_game_whatever_its_files_say() -> None:
    space = islands()
    space.hold("islands")
    space.put("islands/game.yaml", "game: {players: 2}\n")
    game = space.game_of("islands/game.yaml")
    assert game is not None
    assert game.files == ("islands/game.yaml",)
    assert space.game_of("other/game.yaml") is None
