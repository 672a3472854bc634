"""Reading the content files of a folder, within bounds and never outside it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.source.folders import MAX_ENTRIES, MAX_FOLDERS_DEEP, folders_below
from rulespec.source.kept_trees import KeptTrees
from rulespec.source.nodes import Mapping, read_yaml, value_of
from rulespec.source.plain import MAX_FILE_BYTES, plain_bytes
from rulespec.source.text import SourceFile, Span, readable

MAX_GAME_BYTES = 8_000_000  #: all files of one folder together
MAX_FILES = 1_000  #: content files of one folder
ENDINGS = (".yaml", ".yml")

#: characters of files whose trees this process keeps for the next time, those that were used last; a tree takes about
#: forty bytes for each, so that a process that lives long (`check --watch`) does not fill the memory
MOST_KEPT = 2_500_000

_KNOWN: OrderedDict[SourceFile, tuple[SourceFile, Mapping]] = OrderedDict()
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class _Budget:
    """What may still be read of one folder."""

    size: int
    files: int


def read_folder(path: Path, problems: Problems, prefix: str = "") -> list[tuple[SourceFile, Mapping]]:
    """Every content file (`*.yaml`) of a folder and of the folders in it, in the order of their paths.

    Files are named by `prefix` and their path relative to the folder, with `/`. Links that lead out of the folder,
    unreadable files and those beyond the bounds are reported and left out; so are files that are no YAML maps.
    """
    kept = KeptTrees(path.resolve())
    read = [_parsed(file, problems, kept) for file in sources_in(path, problems, prefix)]
    kept.write()
    return [each for each in read if each is not None]


def sources_in(path: Path, problems: Problems, prefix: str = "") -> Iterator[SourceFile]:
    """The texts of the files that `read_folder` reads, in the same order, and with the same reports."""
    budget = _Budget(MAX_GAME_BYTES, MAX_FILES)
    for name, place in sorted(_content_files(path.resolve(), prefix, problems)):
        file = _read_within(place, name, budget, problems)
        if file is None and budget.size < 0:
            break
        if file is not None:
            yield file


def read_file(path: Path, problems: Problems, name: str | None = None) -> tuple[SourceFile, Mapping] | None:
    """One content file by its path, such as a variant's; shown to people as `name`, else as the path was given."""
    file = read_source(path, name or path.as_posix(), problems)
    return None if file is None else _parsed(file, problems)


def _parsed(file: SourceFile, problems: Problems, kept: KeptTrees | None = None) -> tuple[SourceFile, Mapping] | None:
    """A file and its tree; a file that was read before, without a problem, is not parsed again.

    This process knows it, or it was `kept` by one before.
    """
    known = _KNOWN.get(file)
    if known is not None:
        _KNOWN.move_to_end(file)
        return known
    found = Problems()
    tree = None if kept is None else kept.get(file, value_of)
    if tree is None:
        tree = read_yaml(file, found)
        problems.extend(found)
        if tree is not None and kept is not None and not found.items:
            kept.put(file, tree)
    if tree is None:
        return None
    if not found.items:
        _KNOWN[file] = file, tree
        while sum(len(each.text) for each in _KNOWN) > MOST_KEPT:
            _KNOWN.popitem(last=False)
    return file, tree


def forget() -> None:
    """Forgets the trees that this process has read, as if it began now."""
    _KNOWN.clear()


def read_source(path: Path, name: str, problems: Problems) -> SourceFile | None:
    """The text of one file, without a byte order mark; None when it cannot be read, is too large or is not UTF-8."""
    try:
        if not path.is_file():  # a pipe or a device would be read for ever
            problems.add("RS101", _nowhere(name), reason="it is not a file" if path.exists() else "there is none")
            return None
        raw = plain_bytes(path, MAX_FILE_BYTES)
    except (OSError, ValueError) as error:
        problems.add("RS101", _nowhere(name), reason=_reason(error))
        return None
    if raw is None:
        problems.add("RS101", _nowhere(name), reason="it was being changed while it was read")
        return None
    if len(raw) > MAX_FILE_BYTES:
        problems.add("RS104", _nowhere(name), limit=f"{MAX_FILE_BYTES:,}")
        return None
    return _decode(raw.removeprefix(_BOM), name, problems)


def _read_within(place: Path, name: str, budget: _Budget, problems: Problems) -> SourceFile | None:
    """One file of a folder, taken from the folder's budget."""
    budget.files -= 1
    with suppress(OSError):  # reading it will say why
        budget.size -= place.stat().st_size
    if budget.size < 0 or budget.files < 0:
        limit = f"{MAX_GAME_BYTES:,} bytes" if budget.size < 0 else f"{MAX_FILES:,} files"
        problems.add("RS105", _nowhere(name), limit=limit)
        budget.size = -1
        return None
    return read_source(place, name, problems)


def _content_files(root: Path, prefix: str, problems: Problems) -> Iterator[tuple[str, Path]]:
    """Name and path of every content file under `root`."""
    entries = 0

    def left_out(place: str, error: OSError | None) -> None:
        _tell_folder(_shown(Path(place), root, prefix), error, problems)

    for folder, folders, names in folders_below(root, left_out):
        entries += len(folders) + len(names)
        if entries > MAX_ENTRIES:
            problems.add("RS105", _nowhere(prefix or "."), limit=f"{MAX_ENTRIES:,} files and folders")
            return
        for name in names:
            place = Path(folder, name)
            is_content = name.endswith(ENDINGS) and not name.startswith(".")
            if not is_content and (name.startswith(".") or not _is_linked_folder(place)):
                continue
            shown = _shown(place, root, prefix)
            if not _stays_inside(place, root):
                problems.add("RS102", _nowhere(shown))
            elif is_content and _is_named_in_text(place, root, shown, problems):
                yield shown, place


def _shown(place: Path, root: Path, prefix: str) -> str:
    """The name of a file or folder under `root`, as people are shown it: bytes that are no text have a mark."""
    return prefix + readable(place.relative_to(root).as_posix())


def _is_named_in_text(place: Path, root: Path, shown: str, problems: Problems) -> bool:
    """Whether a path under `root` is UTF-8; else a report (RS148): no format could name the file."""
    inside = place.relative_to(root).as_posix()
    if inside != readable(inside):
        problems.add("RS148", _nowhere(shown))
        return False
    return True


def _is_linked_folder(place: Path) -> bool:
    try:
        return place.is_symlink() and place.is_dir()
    except OSError:  # it leads to a name that is no path
        return False


def _tell_folder(shown: str, error: OSError | None, problems: Problems) -> None:
    """Reports a folder that is not gone through: it lies too deep, or cannot be read."""
    if error is None:
        problems.add("RS105", _nowhere(shown), limit=f"{MAX_FOLDERS_DEEP} folders inside one another")
    else:
        problems.add("RS101", _nowhere(shown), reason=f"it is a folder, and the system says: {_reason(error)}")


def _stays_inside(place: Path, inside: Path) -> bool:
    """Whether a path, with its links followed, lies in the folder."""
    try:
        return place.resolve().is_relative_to(inside)
    except (OSError, RuntimeError):  # a circle of links
        return False


def _decode(raw: bytes, name: str, problems: Problems) -> SourceFile | None:
    """The text of a file's bytes; a wrong byte is reported at its line and column."""
    try:
        return SourceFile.of(name, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        start = error.start
    if b"\0" in raw[:64]:  # UTF-16 and binary files
        problems.add("RS106", _nowhere(name))
        return None
    readable = raw[:start].decode("utf-8")
    rest = raw[start:].decode("utf-8", errors="replace")
    file = SourceFile.of(name, readable + rest)
    problems.add("RS103", Span(file, len(readable), len(readable) + 1), byte=f"{raw[start]:02X}")
    return None


def _nowhere(name: str) -> Span:
    """The beginning of a file whose text is not at hand."""
    return Span(SourceFile.of(name, ""), 0, 0)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
