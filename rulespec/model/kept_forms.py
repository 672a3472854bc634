"""Which files of a folder were found to be of the right form, kept for the next time: by their texts alone."""

from __future__ import annotations

from pathlib import Path

from rulespec.diagnostics.model import Problems
from rulespec.model.validate import validate_file
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
