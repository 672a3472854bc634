"""Writing what `rulespec new` makes: whole or not at all, and never over something that is there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from interpreter.cli.common import UsageError
from rulespec.diagnostics.render import visible
from rulespec.source.shipped import schemas_root
from rulespec.source.text import readable

SCHEMA: Final = "content.schema.json"
SCHEMA_FOLDER: Final = ".schema"  # of a game that `new` wrote: hidden, so it is not read as content
_MODELINE: Final = "# yaml-language-server: $schema="


def template(name: str, words: Mapping[str, str]) -> str:
    """A template's text with `@WORD@` replaced."""
    text = files("interpreter.cli").joinpath("templates", name).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text


def modeline(place: Path, root: Path) -> str:
    """The first line of a content file at `place`, which tells editors its schema.

    `root` is the folder with a copy of the schema, around the file or its own: the two are moved together, and no
    installation has to stay where it is.
    """
    up = in_a_line(Path(os.path.relpath(root / SCHEMA_FOLDER / SCHEMA, place.parent)).as_posix())
    return f"{_MODELINE}{up if up.startswith('../') else f'./{up}'}"


def in_a_line(name: str) -> str:
    """A file's name as it can stand in a comment: on one line, with a mark for bytes that are no UTF-8."""
    return visible(readable(name))


def with_modeline(text: str, line: str) -> str:
    """A content file's text with that first line, in place of one that it has."""
    first, _, rest = text.partition("\n")
    return f"{line}\n{rest}" if first.startswith(_MODELINE) else f"{line}\n{text}"


def schema_root_of(folder: Path, home: Path | None = None) -> Path | None:
    """The folder, this or one around it, that has a copy of the schema; None when there is none.

    Folders around `home`, or else around the current one, are not looked at: they may be anybody's.
    """
    top = home or Path.cwd()
    around = [each for each in folder.parents if each.is_relative_to(top)]
    return next((each for each in (folder, *around) if (each / SCHEMA_FOLDER / SCHEMA).is_file()), None)


def with_schema(folder: Path, home: Path | None = None) -> Path:
    """The folder, this or one around it, that has a copy of the schema; where none has, `home` or this one gets it."""
    root = schema_root_of(folder, home)
    if root is None:
        root = home or folder
        place = root / SCHEMA_FOLDER / SCHEMA
        try:
            write_file(place, (schemas_root() / SCHEMA).read_text(encoding="utf-8"))
        except UsageError:
            if not place.is_file():  # else another program has just done the same
                raise
    return root


def write_game(target: Path, texts: Mapping[str, str]) -> None:
    """A new folder with these files, by relative path, and the schema. Raises UsageError when something is there."""
    refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as made:
        folder = Path(made) / target.name
        for name, text in texts.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        (folder / SCHEMA_FOLDER).mkdir()
        shutil.copyfile(schemas_root() / SCHEMA, folder / SCHEMA_FOLDER / SCHEMA)
        try:
            folder.rename(target)
        except OSError:
            refuse_existing(target)  # another program may have made it meanwhile
            raise


def write_file(target: Path, text: str) -> None:
    """A new file. Raises UsageError when something is there."""
    refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(made).chmod(0o644)
        _put(Path(made), target)
    finally:
        Path(made).unlink(missing_ok=True)


def _put(made: Path, target: Path) -> None:
    """Gives a file its name, unless something has it: a rename would be over what another program just wrote."""
    try:
        os.link(made, target)
    except FileExistsError:
        refuse_existing(target)
        raise
    except OSError:  # there are no second names here
        refuse_existing(target)
        made.rename(target)


def refuse_existing(target: Path) -> None:
    """Raises UsageError when something is at this path."""
    if target.exists() or target.is_symlink():
        raise UsageError(f"{target} is there already; nothing was written.")
