"""Rulebooks that are named at the command line as LANG=FILE, and the encoder for their languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError

if TYPE_CHECKING:
    from rulespec.texts.document import Document
    from rulespec.texts.encoder import Encoder


def documents_of(words: list[str]) -> list[Document]:
    """The documents that are named. Raises UsageError where one is named wrongly or cannot be read."""
    from rulespec.texts.readers import UnreadableRulebook, read_rulebook

    found: dict[str, Document] = {}
    for word in words:
        language, equals, name = word.partition("=")
        language = _code(language)
        if not (equals and name and re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]+)*", language)):
            raise UsageError(f"A rulebook is named LANG=FILE, such as fr=regles.pdf, and this is {word!r}.")
        if language in found:
            raise UsageError(f"There are two rulebooks in {language}.")
        try:
            found[language] = read_rulebook(Path(name), language)
        except UnreadableRulebook as error:
            raise UsageError(f"A rulebook cannot be read. {error}") from error
    if not found:
        raise UsageError("Name the rulebooks: en=rules.pdf fr=regles.pdf.")
    return list(found.values())


def _code(language: str) -> str:
    """A language as it is written elsewhere: FR is fr, and fr_ca is fr-CA."""
    first, *regions = language.replace("_", "-").split("-")
    return "-".join([first.lower(), *(part.upper() if len(part) == 2 else part for part in regions)])


def refuse_to_write_over(out: Path | None, names: Iterable[str | None]) -> None:
    """Raises UsageError where a report would be written over a file that is read."""
    for read in [Path(name) for name in names if name]:
        with suppress(OSError):  # what there is not yet is nobody's
            if out is not None and out.is_file() and out.samefile(read):
                raise UsageError(f"--out would write over {read}, which is read. Name another file.")


def encoder_of(documents: list[Document]) -> Encoder | None:
    """The encoder for their languages. Raises UsageError where the extra does not start."""
    from rulespec.texts.encoder import UnusableEncoder, encoder_for

    try:
        return encoder_for(document.language for document in documents)
    except UnusableEncoder as error:
        raise UsageError(str(error)) from error
