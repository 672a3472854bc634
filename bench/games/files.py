"""The files of a made game: its own one, those of its variants, and a language pack that lies elsewhere.

with laid_out(text, folder) as home:        # `text` is one document: the game's sections, and `files` by name
    read_game(str(home), problems)

A file with a section `variant` lies in the game's folder. One with `pack` lies in a person's own content, and belongs
to a shipped game: while it is laid out, the made one counts as shipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from rulespec import game_source
from rulespec.source.own import VARIABLE
from rulespec.source.shipped import games

Tree = dict[str, Any]
MAIN = "made.yaml"
FILES = "files"  #: what stands beside the game's sections, and is none
GAME = "made"


def as_yaml(tree: Tree) -> str:
    """The text of a document with this tree."""
    return str(yaml.dump(tree, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100_000))


class _Plain(yaml.CSafeDumper):
    """Writes equal parts again and again: the content has no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def parts(tree: Tree) -> dict[str, Tree]:
    """The trees of all files by name."""
    main = {name: section for name, section in tree.items() if name != FILES}
    beside = tree.get(FILES) or {}
    return {MAIN: main} | {name: each for name, each in beside.items() if isinstance(each, dict) and each}


def variants_of(tree: Tree) -> list[str]:
    """The ids of the variants, in the order of their files; a pack that holds texts of one is none."""
    files = [each for each in parts(tree).values() if "pack" not in each]
    heads = [each["variant"] for each in files if isinstance(each.get("variant"), dict)]
    return list(dict.fromkeys(str(head["id"]) for head in heads if "id" in head))


def languages_of(tree: Tree) -> list[str]:
    """English, and the languages of the packs: `made.de.yaml` is one in German."""
    packs = [name for name, each in parts(tree).items() if "pack" in each]
    return ["en", *dict.fromkeys(name.split(".")[1] for name in packs)]


@contextmanager
def laid_out(text: str, folder: Path) -> Iterator[Path]:
    """The game's folder while its files are there, with the packs in reach."""
    home, own = folder / GAME, folder / "own"
    home.mkdir(exist_ok=True)
    own.mkdir(exist_ok=True)
    for name, tree in parts(yaml.load(text, Loader=yaml.CSafeLoader)).items():
        (own if "pack" in tree else home).joinpath(name).write_text(as_yaml(tree), encoding="utf-8")
    shipped = {**games(), GAME: home}
    with patch.dict(os.environ, {VARIABLE: str(own)}), patch.object(game_source, "games", lambda: shipped):
        yield home
