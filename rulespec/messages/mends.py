"""Fixes of texts: entries for messages, languages and plural forms that are missing, marked as still to be written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix, quoted
from rulespec.messages.pattern import languages
from rulespec.messages.plurals import CATEGORIES, categories
from rulespec.source.entries import Pair, added_entry, added_section, as_key, without_entry
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar

#: What stands in a content file in the place of words that only its writer can find; editors list such places.
TO_WRITE: Final = "TODO"

_OF_PACK: Final = re.compile(r"^pack[ \t]*:", re.MULTILINE)
_OF_VARIANT: Final = re.compile(r"^variant[ \t]*:", re.MULTILINE)


def missing_message(messages: Mapping | None, key: str, named: Span, wanted: Iterable[str]) -> tuple[Fix, ...]:
    """A message in all languages of the game: beside its like, in the file of what it names where that has messages."""
    entry = f"{as_key(key)}: {{{', '.join(f'{language}: {quoted(TO_WRITE)}' for language in wanted)}}}"
    return (Fix(f"Add the message `{key}`", (_placed(messages, key, named.file, entry),)),)


def _placed(messages: Mapping | None, key: str, home: SourceFile, entry: str) -> Edit:
    pairs = messages.pairs if messages is not None else ()
    own = [pair for pair in pairs if pair[0].span.file is home]
    if not own and _is_of(_OF_VARIANT, home):
        return added_section(home, "messages", entry)
    near = own or [pair for pair in pairs if not _is_of(_OF_VARIANT, pair[0].span.file) and _is_whole(pair)]
    if not near:
        return added_section(home, "messages", entry)
    after = max(enumerate(near), key=lambda each: (_common(each[1][0].text, key), each[0]))[1]
    return added_entry(after, entry)


@lru_cache(maxsize=256)
def _is_of(section: re.Pattern[str], file: SourceFile) -> bool:
    """Whether a file has a section; many messages are asked about, which stand in few files."""
    return section.search(file.text) is not None


def _is_whole(pair: Pair) -> bool:
    """Whether an entry stands in the game's own files as it was read: not one that only adds a language to another."""
    file = pair[0].span.file
    return file is pair[1].span.file and not _is_of(_OF_PACK, file)


def _common(left: str, right: str) -> int:
    """How many parts of two keys are the same, from the beginning."""
    count = 0
    for a, b in zip(left.split("."), right.split("."), strict=False):
        if a != b:
            break
        count += 1
    return count


def missing_languages(message: Mapping, lacking: Iterable[str]) -> tuple[Fix, ...]:
    """The languages that a text lacks, each with the words of the first one and the forms that it needs."""
    told = list(languages(message))
    if not told:
        return ()
    first, last = told[0][1], told[-1]
    if last[0].span.file is not last[1].span.file:
        return ()
    listed = tuple(lacking)
    entries = [f"{language}: {_in_language(first, language)}" for language in listed]
    edits = tuple(added_entry(last, entry) for entry in entries)
    return (Fix(f"Add {', '.join(listed)}, to be written", edits),)


def missing_forms(node: Mapping, forms: Iterable[str]) -> tuple[Fix, ...]:
    """The plural forms that a text lacks, each with the words of its other numbers."""
    words = _words(node.get("other") or node.pairs[-1][1])
    listed = tuple(forms)
    if words is None:
        return ()
    edits = tuple(added_entry(node.pairs[-1], f"{form}: {quoted(f'{TO_WRITE} {words}')}") for form in listed)
    return (Fix(f"Add the forms {', '.join(listed)}, to be written", edits),)


def unused_message(messages: Mapping, key: Scalar) -> tuple[Fix, ...]:
    """The game without a message that nothing shows. Never certain: its words are lost with it."""
    edit = without_entry(messages, key)
    return () if edit is None else (Fix(f"Delete `{key.text}`", (edit,), is_certain=False),)


def without_form(node: Mapping, form: Scalar) -> tuple[Fix, ...]:
    """A text without a form that its language never takes."""
    edit = without_entry(node, form)
    return () if edit is None else (Fix(f"Delete `{form.text}`", (edit,)),)


def _in_language(first: Node, language: str) -> str:
    """A text in another language, as one value on a line: its words are still those of the first."""
    if isinstance(first, Scalar):
        return quoted(f"{TO_WRITE} {_words(first)}")
    if not isinstance(first, Mapping):
        return quoted(TO_WRITE)
    told = {key.text: _words(value) or "" for key, value in first.pairs if key.text.isdigit() or key.text in CATEGORIES}
    other = told.get("other", next(iter(told.values()), ""))
    forms = [*(form for form in told if form.isdigit()), *categories(language)]
    return "{" + ", ".join(f"{form}: {quoted(f'{TO_WRITE} {told.get(form, other)}')}" for form in forms) + "}"


def _words(node: Node | None) -> str | None:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else None
