"""The engine knows no game: no word of one stands in rulespec/ or interpreter/, or in the engine's own texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import yaml

from rulespec.source.shipped import games
from tests.project.modules import PACKAGES, ROOT, Module, modules

# Words of the games that this project is about, shipped or not yet. Whole words, any case.
LISTED = """
agora barcelona metro stockholm london paris berlin eixample gracia
breakthrough reversi othello connect_four connectfour tic_tac_toe tictactoe noughts
cerda cerdà modernisme modernista sagrada cobblestone promenade passeig
tram trams tramway warehouse district districts citizen citizens tourist tourists passenger passengers
overbuild overbuilding rail rails
"""

# Ids that a game declares and that are also plain words of any program.
PLAIN = {"first_player"}

SECTIONS = ("values", "enums", "boards", "relations", "pieces", "zones", "state", "tracks", "functions", "effects",
            "actions", "events", "triggers")  # fmt: skip
SUFFIXES = {".py", ".lark", ".yaml", ".json", ".md", ".txt", ".j2", ".html"}


def _searched() -> Iterator[Path]:
    roots = [ROOT / package for package in PACKAGES] + [ROOT / "content" / "engine"]
    for root in roots:
        yield from sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES)


def _declared_ids(folder: Path) -> Iterator[str]:
    """Ids that this game declares in its sections, as plain PyYAML reads them: enough to find names."""
    for path in sorted(folder.rglob("*.yaml")):
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        for key, section in root.value if isinstance(root, yaml.MappingNode) else ():
            if key.value in SECTIONS and isinstance(section, yaml.MappingNode):
                yield from (name.value for name, _ in section.value)


LISTED_WORDS = frozenset(LISTED.split())


@lru_cache
def declared_words() -> frozenset[str]:
    """The games' ids, and their declared ids of two words or more: one word may be anybody's."""
    declared = {name for folder in games().values() for name in _declared_ids(folder)}
    compound = {name for name in declared if "_" in name and name.isidentifier()}
    return frozenset(games()) | compound - PLAIN


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Each word with its line. A compound name is itself and each of its parts."""
    for number, line in enumerate(text.lower().splitlines(), 1):
        for word in re.findall(r"\w+", line):
            yield number, word
            yield from ((number, part) for part in word.split("_") if part != word)


def _found(text: str, forbidden: frozenset[str]) -> list[tuple[int, str]]:
    return [(line, word) for line, word in _words(text) if word in forbidden]


def _used_names(module: Module) -> Iterator[tuple[int, str]]:
    """Every name in the code, and every text that may be one: not the examples inside longer texts."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def test_no_word_of_a_game_in_the_engine() -> None:
    """Examples in the catalogue and in the engine's texts included."""
    hits = [
        f"{path.relative_to(ROOT)}:{line} {word}"
        for path in _searched()
        for line, word in _found(path.read_text(encoding="utf-8"), LISTED_WORDS)
    ]
    assert hits == []


def test_no_declared_id_in_the_code() -> None:
    """What a shipped game declares is data: code that mentions it by name treats that game apart."""
    hits = [
        f"{module.place}:{line} {name}"
        for module in modules().values()
        for line, name in _used_names(module)
        if name in declared_words()
    ]
    assert hits == []


def test_words_are_found() -> None:
    """The search sees ids in code and in running text, and does not take a part of a word for the word."""
    assert _found("x = 1\nrun_tram(site)  # Barcelona's", LISTED_WORDS) == [(2, "tram"), (2, "barcelona")]
    assert _found("a railing, trampolines, metronomes", LISTED_WORDS) == []


def test_names_are_found() -> None:
    tree = ast.parse("def f(a, *, b):\n    'c d'\n    return g(h='i').j['k'] + l")
    names = {name for _, name in _used_names(Module("m", ROOT, "", tree))}
    assert names == {"f", "a", "b", "c d", "g", "h", "i", "j", "k", "l"}


def test_every_shipped_game_gives_words() -> None:
    """Else the search for declared ids would find nothing whatever the code says."""
    for name, folder in games().items():
        assert name in declared_words()
        assert list(_declared_ids(folder)) != [], folder
