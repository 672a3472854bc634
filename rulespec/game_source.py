"""A game's files, read: where it is, its trees, its variants, and the engine's own words.

problems = Problems()
source = read_game("my_game", problems)
tree = resolve(source, ["floods"], problems)
fingerprint(tree)
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.model.amounts import too_many
from rulespec.model.kept_forms import KeptForms
from rulespec.model.validate import Bad, Sound, validate_file, validate_whole
from rulespec.overlay.apply import Applied, apply_variants
from rulespec.overlay.fingerprint import fingerprint, text_fingerprint
from rulespec.overlay.merge import merge
from rulespec.overlay.options import check_switches
from rulespec.overlay.paths import written
from rulespec.overlay.variant import Variant, check_names, is_variant, read_variants
from rulespec.source.files import ENDINGS, read_file, read_folder, read_source
from rulespec.source.folders import files_below
from rulespec.source.memory import seldom_collected
from rulespec.source.nodes import read_yaml
from rulespec.source.own import own_folders
from rulespec.source.shipped import NOT_A_GAME, content_root, games
from rulespec.source.text import readable
from rulespec.source.tree import Mapping, Scalar

__all__ = [
    "GameSource",
    "Resolved",
    "check_packs",
    "engine_trees",
    "find_game",
    "fingerprint",
    "folder_beside",
    "game_of_pack",
    "game_of_trees",
    "load_variant",
    "needed",
    "pack_paths",
    "read_game",
    "resolve",
    "resolve_again",
    "resolve_fully",
    "text_fingerprint",
]

_PACK = re.compile(r"^pack[ \t]*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GameSource:
    """One game as its files say it. `trees` are the files of the game itself, without those of its variants.

    `engine` are the engine's own words, which stand under the game's. `base` is the union of `trees`.
    """

    id: str
    folder: Path
    trees: tuple[Mapping, ...]
    variants: dict[str, Variant]
    engine: tuple[Mapping, ...]
    base: Mapping
    sound: Sound = field(default_factory=dict, compare=False, repr=False)
    """What was found to have the right form; grows as variants are put on."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A game with some variants on: its declarations, what the variants did, and nodes with structural faults."""

    tree: Mapping
    applied: Applied
    bad: Bad


# ---- finding ---------------------------------------------------------------------------------------------------------


def find_game(name: str, problems: Problems) -> Path | None:
    """The folder of a game: `name` is a shipped game's id, or else a folder. Reports when there is none (RS440)."""
    shipped = games()
    if not _is_path(name) and name in shipped:
        return shipped[name]
    near, hint = near_to(name, shipped), f"Shipped games: {', '.join(shipped)}."
    nowhere = "there is no such folder"
    reason = nowhere if _is_path(name) else f"no shipped game has this id, and {nowhere}"
    try:
        if Path(name).is_dir():
            return Path(name)
        if Path(name).is_file():
            near, reason, hint = None, "it is a file, and a game is a folder", f"Name the folder: {Path(name).parent}"
    except (OSError, ValueError):  # no path at all
        pass
    problems.add("RS440", written(name, "command line").span, hint=hint, near=near, name=name, reason=reason)
    return None


def folder_beside(name: str) -> bool:
    """Whether a name is a shipped game's id, and another folder of that name, with content in it, lies here too."""
    if _is_path(name) or name not in (shipped := games()):
        return False
    try:
        here = Path(name)
        is_other = here.is_dir() and here.resolve() != shipped[name].resolve()
        return is_other and bool(files_below(here, ENDINGS))
    except OSError:
        return False


def _is_path(name: str) -> bool:
    return name in (".", "..") or any(mark in name for mark in (os.sep, os.altsep or os.sep))


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_game(name: str, problems: Problems) -> GameSource | None:
    """Read the game of that id or folder, with all of its variants. None when there is no game to speak of.

    Faults of structure, in any of the files, are reported here.
    """
    folder = find_game(name, problems)
    if folder is None:
        return None
    with seldom_collected():
        return _read_game(name, folder, problems)


def _read_game(name: str, folder: Path, problems: Problems) -> GameSource | None:
    before = len(problems.errors)
    files = [tree for _, tree in read_folder(folder, problems, _prefix(folder))]
    files += _packs(folder, problems)
    if _is_no_game(name, files, problems, lost=len(problems.errors) > before) or too_many(files, problems):
        return None
    forms = KeptForms(folder.resolve())
    for tree in files:
        forms.validate(tree, problems)
    forms.write()
    return _joined(folder, files, engine_trees(problems), forms.sound, problems)


def game_of_trees(
    folder: Path, files: Sequence[Mapping], engine: tuple[Mapping, ...], problems: Problems
) -> GameSource | None:
    """The game that some files are, as `read_game` would read them from a folder; None when there is no game.

    Where one of the files could not be read, that is reported already.
    """
    name = folder.as_posix()
    if _is_no_game(name, files, problems, lost=problems.has_errors) or too_many(files, problems):
        return None
    for tree in files:
        validate_file(tree, problems, variant=False)
    return _joined(folder, files, engine, {}, problems)


def _joined(
    folder: Path, files: Sequence[Mapping], engine: tuple[Mapping, ...], sound: Sound, problems: Problems
) -> GameSource:
    trees = tuple(tree for tree in files if not is_variant(tree))
    base = merge(trees, problems)
    variants = read_variants([tree for tree in files if is_variant(tree)], problems)
    check_names(variants, problems)
    check_switches(base, variants, problems)
    return GameSource(_id(base, folder), folder, trees, variants, engine, base, sound)


def _is_no_game(name: str, files: Sequence[Mapping], problems: Problems, *, lost: bool) -> bool:
    """Whether the files of a folder are those of no game, or of several. Reports it.

    Where files were `lost`, which is reported, the game may be declared in one of them.
    """
    declared = [tree for tree in files if not is_variant(tree) and ("game" in tree or "game" in tree.broken)]
    homes = sorted({posixpath.dirname(tree.span.file.name) for tree in declared if _has_id(tree)})
    reason = hint = None
    if not declared:
        reason = None if lost else "no file of the folder has a section `game`"
    elif len(homes) > 1:
        reason = f"there are {len(homes)} games in the folders below"
        hint = f"Name one of them: {', '.join(homes[:5])}{', …' if len(homes) > 5 else ''}."
    if reason is not None:
        problems.add("RS440", written(name, "command line").span, hint=hint, name=name, reason=reason)
    return reason is not None or not declared


def _has_id(tree: Mapping) -> bool:
    game = tree.get("game")
    return isinstance(game, Mapping) and "id" in game


def _prefix(folder: Path) -> str:
    """What the names of a folder's files begin with."""
    return f"{readable(folder.resolve().name)}/"


def _id(base: Mapping, folder: Path) -> str:
    game = base.get("game")
    declared = game.get("id") if isinstance(game, Mapping) else None
    return declared.text if isinstance(declared, Scalar) else readable(folder.resolve().name)


def engine_trees(problems: Problems) -> tuple[Mapping, ...]:
    """The engine's own words, in all languages; those in a person's own folders stand with them."""
    found: list[Mapping] = []
    folder = content_root() / "engine"
    if folder.is_dir():
        found += (tree for _, tree in read_folder(folder, problems, "engine/"))
    for own in (root / "engine" for root in own_folders()):
        if own.is_dir():
            found += (tree for _, tree in read_folder(own, problems, f"{readable(own.as_posix())}/"))
    return tuple(found)


def _packs(folder: Path, problems: Problems) -> list[Mapping]:
    """Files elsewhere in the shipped content, or in a person's own, that belong to the shipped game in `folder`."""
    name = _shipped_as(folder)
    return [] if name is None else [tree for _, tree, game in _all_packs(problems) if game.text == name]


def _shipped_as(folder: Path) -> str | None:
    """The id of the shipped game in a folder; None for other folders."""
    shipped, name = games(), folder.resolve().name
    return name if name in shipped and shipped[name].resolve() == folder.resolve() else None


def pack_paths(folder: Path) -> list[Path]:
    """The files outside the folder of a shipped game that belong to it all the same; none for other folders."""
    name = _shipped_as(folder)
    return [] if name is None else [path for path, _, game in _all_packs(Problems()) if game.text == name]


def game_of_pack(path: Path) -> Path | None:
    """The folder of the shipped game to which a file elsewhere belongs; None where that is no pack that is read."""
    found = (game.text for place, _, game in _all_packs(Problems()) if place == path)
    return games().get(next(found, ""))


def check_packs(problems: Problems) -> None:
    """Report files of the shipped content, and of a person's own, that belong to a game that there is not."""
    shipped = games()
    for _, _, game in _all_packs(problems):
        if game.text not in shipped:
            near = near_to(game.text, shipped)
            problems.add("RS440", game.span, near=near, name=game.text, reason="no shipped game has this id")


def _all_packs(problems: Problems) -> list[tuple[Path, Mapping, Scalar]]:
    """The files that lie in no game's folder and have a section `pack`, with its game: shipped ones, then one's own."""
    found = []
    for path, name in (*_shipped_places(), *_own_places()):
        tree = _pack(path, name, problems)
        pack = None if tree is None else tree.get("pack")
        game = pack.get("game") if isinstance(pack, Mapping) else None
        if tree is not None and isinstance(game, Scalar):
            found.append((path, tree, game))
    return found


def _shipped_places() -> Iterator[tuple[Path, str]]:
    """What may be a pack of the shipped content, with the name that it is shown by."""
    root, shipped = content_root(), games()
    for place in sorted(root.iterdir()):
        if place.name in shipped or place.name in NOT_A_GAME or place.name.startswith("."):
            continue
        for path in files_below(place, ENDINGS) if place.is_dir() else [place]:
            yield path, path.relative_to(root).as_posix()


def _own_places() -> Iterator[tuple[Path, str]]:
    """The same of a person's own folders; shown by the whole path, since no folder of a game is around it."""
    for folder in own_folders():
        yield from ((path, readable(path.as_posix())) for path in files_below(folder, ENDINGS))


def _pack(path: Path, name: str, problems: Problems) -> Mapping | None:
    """The tree of a file if it has a section `pack`; what is wrong with other files is no concern of a game."""
    if not path.name.endswith(ENDINGS) or path.is_symlink() or path.is_dir():
        return None
    file = read_source(path, name, Problems())
    return None if file is None or not _PACK.search(file.text) else read_yaml(file, problems)


def load_variant(source: GameSource, name: str, problems: Problems) -> tuple[GameSource, str] | None:
    """A variant by id or file: the source with it, and its id. Reports one that there is not (RS441)."""
    if name in source.variants:
        return source, name
    path = Path(name)
    if not (_is_path(name) or name.endswith(ENDINGS)):
        place = written(name, "command line")
        near, hint = near_to(name, source.variants), _listed(source.variants)
        problems.add("RS441", place.span, hint=hint, near=near, game=source.id, name=name)
        return None
    read = read_file(path, problems)
    if read is None:
        return None
    validate_file(read[1], problems, variant=True)
    for variant in read_variants([read[1]], problems).values():
        known = {**source.variants, variant.id: variant}
        check_names(known, problems)
        return replace(source, variants=known), variant.id
    return None


def with_variant_files(
    source: GameSource, names: Sequence[str], problems: Problems
) -> tuple[GameSource, tuple[str, ...]]:
    """The source with the variants that are given as files, and the ids of all, each once."""
    ids: dict[str, None] = {}
    for name in names:
        loaded = load_variant(source, name, problems)
        if loaded is not None:
            source, identity = loaded
            ids[identity] = None
    return source, tuple(ids)


def _listed(variants: MappingOf[str, Variant]) -> str:
    return f"Its variants: {', '.join(variants)}." if variants else "It has no variants of its own."


# ---- resolving -------------------------------------------------------------------------------------------------------


def needed(source: GameSource, variants: Iterable[str]) -> list[str]:
    """Ids of variants of a game with those that they require; what is none of the game is left out."""
    found: list[str] = []
    waiting = list(variants)
    while waiting:
        at = waiting.pop()
        if at not in found and at in source.variants:
            found.append(at)
            waiting += [each.text for each in source.variants[at].requires]
    return found


def resolve(source: GameSource, variants: Sequence[str], problems: Problems) -> Mapping:
    """The declarations of a game with these variants (ids or files) on. See `resolve_fully`."""
    return resolve_fully(source, variants, problems).tree


def resolve_again(source: GameSource, variants: Sequence[str]) -> Mapping:
    """The declarations of a game with these variants on, which were resolved before: known to have no faults."""
    return apply_variants(source.base, [source.variants[name] for name in variants], Problems()).tree


def resolve_fully(source: GameSource, variants: Sequence[str], problems: Problems) -> Resolved:
    """The declarations with these variants on, how they came to be, and which nodes have structural faults.

    Variants that there are not are reported and left out.
    """
    active: list[Variant] = []
    for name in variants:
        loaded = load_variant(source, name, problems)
        if loaded is not None:
            source, identity = loaded
            active.append(source.variants[identity])
    applied = apply_variants(source.base, active, problems)
    bad = validate_whole(applied.tree, problems, source.sound)
    return Resolved(applied.tree, applied, bad)
