"""Begin a game, a variant or a language: writes files with comments that work as they are, and are there to be changed.

    rulespec new game NAME [--from GAME]        a folder with a small game, or with a copy of GAME
    rulespec new variant NAME [--from GAME]     a file with a variant (of GAME)
    rulespec new language CODE [--from GAME]    a file with GAME's texts to translate; without GAME, the engine's

What is there already is never written over.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interpreter.cli.common import UsageError, first_words, open_game, say
from interpreter.cli.new_files import (
    in_a_line,
    modeline,
    refuse_existing,
    template,
    with_modeline,
    with_schema,
    write_file,
    write_game,
)
from rulespec.source.own import user_content_folder
from rulespec.source.shipped import games

if TYPE_CHECKING:
    from rulespec.game_source import GameSource
    from rulespec.source.tree import Mapping

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to begin, its name, and what to begin from."""
    parser.add_argument(
        "kind", metavar="KIND", choices=("game", "variant", "language"), help="game, variant or language"
    )
    parser.add_argument("name", metavar="NAME", help="its id, or a path that ends with it; of a language its code")
    parser.add_argument("--from", metavar="GAME", dest="start", help="the game to copy, to vary or to translate")


def run(arguments: argparse.Namespace) -> int:
    """Write it, and say where it is and what to do next."""
    write = {"game": _new_game, "variant": _new_variant, "language": _new_language}[arguments.kind]
    try:
        write(arguments.name, arguments.start)
    except OSError as error:
        raise UsageError(f"It cannot be written: {error.strerror or error}.") from error
    return 0


def _target(name: str) -> tuple[Path, str]:
    """The path that a name stands for, and the id at its end."""
    path = Path(name)
    if not _NAME.fullmatch(path.name):
        raise UsageError(f"{path.name!r} cannot be an id: ids are of small letters, digits and _, letter first.")
    return path, path.name


# ---- a game ----------------------------------------------------------------------------------------------------------


def _new_game(name: str, start: str | None) -> None:
    target, identity = _target(name)
    if identity in games():
        raise UsageError(f"{identity!r} is the id of a shipped game; take another one.")
    texts = _first_game(target, identity) if start is None else _copied_game(target, identity, start)
    write_game(target, texts)
    say(f"{target} is a game now. Next: rulespec check {_as_folder(target)} --watch")


def _as_folder(path: Path) -> str:
    """A path that cannot be taken for an id."""
    return path.as_posix() if path.is_absolute() or path.parent != Path() else f"./{path.as_posix()}"


def _first_game(target: Path, identity: str) -> dict[str, str]:
    name = f"{identity}.yaml"
    title = identity.replace("_", " ").capitalize()
    words = {"MODELINE": modeline(target / name, target), "ID": identity, "TITLE": title}
    return {name: template("game.yaml", words)}


def _copied_game(target: Path, identity: str, start: str) -> dict[str, str]:
    """The content files of another game, under another id, and what was accepted of its translations."""
    from rulespec.texts.check.lock import NAME, read_lock

    source, problems = open_game(start)
    if problems.has_errors:
        raise UsageError(f"{start} has errors, so it is not copied. {first_words(problems)}")
    root = source.folder.resolve()
    texts = {}
    for file in dict.fromkeys(tree.span.file for tree in _all_trees(source)):
        relative = file.name.removeprefix(f"{root.name}/")
        if (root / relative).is_file():
            text = _with_id(file.text, file.name, source, identity)
            texts[relative] = with_modeline(text, modeline(target / relative, target))
    lock = read_lock(root, problems)
    if problems.has_errors:
        raise UsageError(f"{NAME} of {start} cannot be read, so the game is not copied. {first_words(problems)}")
    return texts if lock.tree is None else {**texts, NAME: lock.tree.span.file.text}


def _all_trees(source: GameSource) -> list[Mapping]:
    """The game's trees and those that its variants are made of."""
    return [*source.trees, *(part for variant in source.variants.values() for part in variant.files)]


def _with_id(text: str, name: str, source: GameSource, identity: str) -> str:
    """A file's text with the game's id replaced, if it stands there."""
    from rulespec.source.tree import Mapping, Scalar

    game = source.base.get("game")
    declared = game.get("id") if isinstance(game, Mapping) else None
    if not isinstance(declared, Scalar) or declared.span.file.name != name:
        return text
    return text[: declared.content.start] + identity + text[declared.content.end :]


# ---- a variant -------------------------------------------------------------------------------------------------------


def _new_variant(name: str, start: str | None) -> None:
    path, identity = _target(name)
    source = None if start is None else open_game(start)[0]
    own = source is not None and source.folder.resolve() not in _shipped_folders()
    if source is not None and own and path.parent == Path():
        path = source.folder / "variants" / path
    target = path.with_name(f"{identity}.yaml")
    refuse_existing(target)
    words = {
        "MODELINE": modeline(target.resolve(), with_schema(target.resolve().parent, _home(source, target))),
        "GAME": in_a_line(start or "GAME"),
        "FILE": identity if own else in_a_line(_as_folder(target)),
        "ID": identity,
        "TITLE": identity.replace("_", " ").capitalize(),
        "CHANGE": _first_change(source),
    }
    write_file(target, template("variant.yaml", words))
    say(f"{target} is a variant now. Next: rulespec diff {words['GAME']} --variant {words['FILE']}")


def _home(source: GameSource | None, target: Path) -> Path | None:
    """The folder of the game, where a file is to lie in it."""
    folder = None if source is None else source.folder.resolve()
    return folder if folder is not None and target.resolve().is_relative_to(folder) else None


def _shipped_folders() -> set[Path]:
    return {folder.resolve() for folder in games().values()}


def _first_change(source: GameSource | None) -> str:
    """A change that can be made: a figure of the game, set to what it is."""
    from rulespec.source.tree import Mapping, Scalar

    values = source.base.get("values") if source is not None else None
    for key, node in values.pairs if isinstance(values, Mapping) else ():
        value = node.get("is") if isinstance(node, Mapping) else node
        if isinstance(value, Scalar) and isinstance(value.value, int):
            return f"    - set: values.{key.text}\n      to: {value.text}"
    return "    []"


# ---- a language ------------------------------------------------------------------------------------------------------


def _new_language(code: str, start: str | None) -> None:
    from interpreter.cli.new_language import engine_texts, game_texts
    from rulespec.messages.plurals import is_language

    if not _LANGUAGE.fullmatch(code) or not is_language(code):
        raise UsageError(f"{code!r} is not a language code such as de, pt-BR or zh-Hant.")
    folder, where = Path(), "They can lie in a game's folder; for all games, in the folder `engine` of your content."
    if start is None:
        written = engine_texts(code)
    else:
        source, _ = open_game(start)
        own = source.folder.resolve() not in _shipped_folders()
        folder = source.folder if own else Path()
        where = "They are part of the game." if own else "They can lie anywhere in your content."
        written = game_texts(source, code, is_pack=not own)
    if not written:
        raise UsageError(f"There is nothing to translate into {code}.")
    targets = {folder / name: text for name, text in written.items()}
    for target in targets:
        refuse_existing(target)
    for target, text in targets.items():
        line = modeline(target.resolve(), with_schema(target.resolve().parent, folder.resolve()))
        write_file(target, f"{line}\n{text}")
        say(str(target))
    print(f"Each text in them is still in the language that it was copied from. {where}")
    if where.endswith("your content."):
        say(f"Your content is what lies in {user_content_folder()}, or in a folder that is named by --content.")
