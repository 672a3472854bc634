"""Which files of a folder were found to be of the right form, kept for the next time: by their texts alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import MapOf, Shape, Use
from rulespec.model.validate import Sound, validate_file
from rulespec.source import store
from rulespec.source.kept_trees import WORTH_IT
from rulespec.source.nodes import Mapping
from rulespec.source.program import program_digest


class KeptForms:
    """Those of one folder: what was known, and what is to be kept of this reading."""

    def __init__(self, folder: Path) -> None:
        self._name = f"forms-{store.digest(program_digest(), str(folder))}"
        self._known: frozenset[str] | None = None
        self._used: list[str] = []
        self._size = 0
        self._is_new = False
        self.sound: Sound = {}  #: declarations that need not be looked at again in the whole game

    def validate(self, tree: Mapping, problems: Problems) -> None:
        """Checks a file that is no variant asked for, unless one with this text had no problem."""
        key = store.digest(tree.span.file.name, tree.span.file.text)
        self._size += len(tree.span.file.text)
        if key not in self._forms():
            before = len(problems.items)
            validate_file(tree, problems, variant=False)
            if len(problems.items) > before:
                return
            self._is_new = True
        self._used.append(key)
        self.sound.update(_sound(tree))

    def write(self) -> None:
        """Keeps what was found, where there is anything new and it is worth it."""
        if self._is_new and self._size >= WORTH_IT:
            store.write(self._name, self._used)

    def _forms(self) -> frozenset[str]:
        if self._known is None:
            data = store.read(self._name)
            is_list = isinstance(data, list) and all(isinstance(each, str) for each in data)
            self._known = frozenset(data) if is_list else frozenset()
        return self._known


def _sound(tree: Mapping) -> Iterator[tuple[tuple[int, int], Mapping]]:
    """The declarations of a file without a problem that are of the right form whatever other files add."""
    shapes = _sections()
    for section, node in tree.pairs:
        shape = shapes.get(section.text)
        for _, entry in node.pairs if shape is not None and isinstance(node, Mapping) else ():
            if isinstance(entry, Mapping):
                yield (id(entry), id(shape)), entry


@cache
def _sections() -> dict[str, Shape]:
    """What an entry looks like, by section, where nothing in it may be spread over several files."""
    fields = REGISTRY.record("file").all_fields()
    shapes = {field.name: field.shape.value for field in fields if isinstance(field.shape, MapOf)}
    return {name: shape for name, shape in shapes.items() if not _is_spread(shape, set())}


def _is_spread(shape: Shape, seen: set[str]) -> bool:
    """Whether what has this shape, or something in it, may be spread over several files."""
    if isinstance(shape, Use):
        if shape.record in seen:
            return False
        seen.add(shape.record)
        record = REGISTRY.record(shape.record)
        inner: list[Shape | None] = [field.shape for field in record.all_fields()]
        return record.partial or any(_is_spread(each, seen) for each in [*inner, record.others] if each is not None)
    parts = (getattr(shape, name, None) for name in ("item", "value", "scalar", "sequence", "mapping"))
    return any(_is_spread(part, seen) for part in parts if isinstance(part, Shape))
