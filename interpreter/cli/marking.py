"""Words that a person gives with what they decide: who and why, in one line, as a file can hold them."""

from __future__ import annotations

import re

from interpreter.cli.common import UsageError


def words(text: str, option: str) -> str:
    """A text in one line. Raises UsageError for what no file can hold."""
    from rulespec.source.characters import FOREIGN, named

    found = " ".join(text.split())
    foreign = re.search(f"[{FOREIGN}]", found)
    if foreign is not None:
        raise UsageError(f"{option} has a character that nobody sees ({named(foreign[0])}): leave it out.")
    return found
