"""The catalogue of diagnostic codes: what each means, how bad it is, its words, and an example with its mend.

The entries live in `codes/*.yaml`, one file for each hundred of codes, and are read when first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about one code. `message` is a template; `bad` and `good` are content (from RS800 on: logs).

    `fix` says which mend it carries as an edit, after *certain*, *offered* or *none*; or why it carries none.
    """

    code: str
    title: str
    severity: Literal["error", "warning", "note"]
    message: str
    fix: str
    about: str
    bad: str
    good: str


def entry(code: str) -> Entry:
    """The entry of `code`; KeyError when there is none."""
    return _hundred(code[2:3])[code]


def all_entries() -> tuple[Entry, ...]:
    """Every entry, by code."""
    digits = sorted({path.name[0] for path in _paths()})
    entries = [item for digit in digits for item in _hundred(digit).values()]
    return tuple(sorted(entries, key=lambda item: item.code))


def files_of_catalogue() -> tuple[Path, ...]:
    """The catalogue's files, for tests and for the pages made from them."""
    return _paths()


@cache
def _hundred(digit: str) -> dict[str, Entry]:
    """The entries whose code begins with this digit."""
    found: dict[str, Entry] = {}
    for path in _paths():
        if path.name.startswith(f"{digit}_"):
            found.update(_read(path))
    return found


@cache
def _paths() -> tuple[Path, ...]:
    return tuple(sorted(Path(__file__).with_name("codes").glob("*.yaml")))


def _read(path: Path) -> dict[str, Entry]:
    # The base loader makes texts of everything, and these files are our own, so nothing more is needed.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    raw: dict[str, dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=loader) or {}
    return {code: _entry(code, fields) for code, fields in raw.items()}


def _entry(code: str, fields: dict[str, Any]) -> Entry:
    return Entry(
        code=code,
        title=fields["title"],
        severity=fields["severity"],
        message=fields["message"],
        fix=fields["fix"],
        about=fields["about"].strip(),
        bad=fields["bad"].rstrip() + "\n",
        good=fields["good"].rstrip() + "\n",
    )
