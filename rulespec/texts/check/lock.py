"""Which translations were accepted, and for what: the rule's figures and its text in the language it is written in.

`texts.lock`, in the game's folder, holds a line for each rule, with a fingerprint for each language that was accepted.
It is written whole, by one program at a time. A translation is stale where the fingerprint is another one by now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.fixes import Edit, Fix, applied, replaced
from rulespec.diagnostics.model import Problems
from rulespec.overlay.rule_texts import figure
from rulespec.source.entries import without_entry
from rulespec.source.files import read_source
from rulespec.source.nodes import read_yaml
from rulespec.source.tree import Mapping as Map
from rulespec.source.tree import Node, Scalar, Sequence
from rulespec.texts.check.entries import Entry, Texts
from rulespec.texts.check.figures import bound_data
from rulespec.texts.check.writing import PATIENCE, changing

NAME: Final = "texts.lock"
_HEAD: Final = "# What each translation was accepted for. Written by `rulespec texts accept`.\n"
_PLACEHOLDER: Final = re.compile(r"\{([^{}]+)\}")
_FOR_READERS: Final = frozenset({"about", "source", "note", "draw"})


@dataclass(frozen=True)
class Lock:
    """The file as it stands: its tree, or None where there is none."""

    path: Path
    tree: Map | None

    def accepted(self, entry: Entry, language: str) -> str | None:
        """The fingerprint that a translation was accepted with."""
        languages = None if self.tree is None else self.tree.get(key_of(entry))
        found = languages.get(language) if isinstance(languages, Map) else None
        return found.text if isinstance(found, Scalar) else None

    def renewed(self, entry: Entry, language: str, now: str) -> tuple[Fix, ...]:
        """A translation accepted as it is now. Whether it is right, only who has read it knows."""
        languages = None if self.tree is None else self.tree.get(key_of(entry))
        found = languages.get(language) if isinstance(languages, Map) else None
        if not isinstance(found, Scalar):
            return ()
        return (replaced(found.span, now, f"Accept the text of `{entry.name}` in {language}", is_certain=False),)

    def without(self, rule: Scalar, language: Scalar) -> tuple[Fix, ...]:
        """The lock without a text that there is not."""
        tree, node = self.tree, None if self.tree is None else self.tree.get(rule.text)
        if tree is None or not isinstance(node, Map):
            return ()
        edit = without_entry(node, language, (rule, node))
        return () if edit is None else (Fix(f"Delete `{language.text}` of `{rule.text}`", (edit,)),)

    def pairs(self) -> list[tuple[Scalar, Scalar]]:
        """Each rule and language that it speaks of, where they stand in the file."""
        rows = self.tree.pairs if self.tree is not None else ()
        return [(rule, language) for rule, node in rows if isinstance(node, Map) for language, _ in node.pairs]


def read_lock(folder: Path, problems: Problems) -> Lock:
    """The lock of a game's folder. What cannot be read of it is reported."""
    path = folder / NAME
    if not path.exists():
        return Lock(path, None)
    file = read_source(path, f"{folder.resolve().name}/{NAME}", problems)
    return Lock(path, None if file is None else read_yaml(file, problems))


def key_of(entry: Entry) -> str:
    """What a rule is called in the lock: one of a variant by both names."""
    return entry.name if entry.variant is None else f"{entry.variant.id}.{entry.name}"


# ---- fingerprints ---------------------------------------------------------------------------------------


def fingerprint_of(entry: Entry, first: str, tree: Map) -> str:
    """12 hexadecimal digits of a rule's figures and of its text in the language `first`."""
    forms = {form: " ".join(text.node.text.split()) for form, text in entry.texts.get(first, {}).items()}
    shown = sorted({name for words in forms.values() for name in _PLACEHOLDER.findall(words)})
    data = [forms, [[name, figure(tree, name)] for name in shown], [[p, _plain(n)] for p, n in bound_data(entry, tree)]]
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=6).hexdigest()


def _plain(node: Node) -> Any:
    match node:
        case Scalar(value=str(text)):
            return " ".join(text.split())
        case Scalar(value=value):
            return value
        case Sequence(items=items):
            return [_plain(item) for item in items]
        case Map(pairs=pairs):
            return [[key.text, _plain(value)] for key, value in pairs if not is_for_readers(key.text, value)]
    return None


def is_for_readers(key: str, value: Node) -> bool:
    """Whether a key of a declaration is not played: remarks, sources and drawings. `draw` is a verb too."""
    return key in _FOR_READERS and (key != "draw" or isinstance(value, Map))


# ---- accepting --------------------------------------------------------------------------------------------


class UnreadableLock(Exception):
    """A lock that cannot be read, such as one with the marks of a merge; the words say why."""


def accept(texts: Texts, chosen: Iterable[Entry], languages: Iterable[str], patience: float = PATIENCE) -> Path:
    """Writes the lock anew: the chosen rules' texts in these languages are accepted, others keep what they have.

    Of rules and texts that there are not any more nothing is kept. Programs that accept at the same time do so one
    after the other, so that none loses what another wrote. Raises UnreadableLock, and writes nothing, where the lock
    cannot be read: what it holds would be lost; BusyFile where another program does not end within `patience` seconds.
    """
    wanted = {(id(entry), language) for entry in chosen for language in languages}
    path = texts.source.folder / NAME
    with changing(path, patience) as stream:
        stream.write(lock_text(texts, _readable(texts.source.folder), wanted))
    return path


def lock_text(texts: Texts, lock: Lock, wanted: set[tuple[int, str]]) -> str:
    """The lock anew, with the texts of these rules (by `id`) in these languages accepted."""
    return _HEAD + "".join(dict.fromkeys(_rows(texts, lock, wanted)))


def carried(before: Texts, after: Texts, lock: Lock, written: str) -> str:
    """The lock's text after a change of names alone: what was accepted for what it said is so for what it says now."""
    pairs = list(zip(before.rules, after.rules, strict=False))
    known = {key_of(old): (old, new) for old, new in pairs} if len(before.rules) == len(after.rules) else {}
    edits: list[Edit] = []
    for rule, node in lock.tree.pairs if lock.tree is not None else ():
        if rule.text in known and isinstance(node, Map):
            old, new = known[rule.text]
            edits += [Edit(rule.content, key_of(new))] if key_of(new) != rule.text else []
            was, now = (fingerprint_of(each, t.first, t.tree(each)) for each, t in ((old, before), (new, after)))
            marks = (mark for _, mark in node.pairs if isinstance(mark, Scalar) and mark.text == was != now)
            edits += [Edit(mark.content, now) for mark in marks]
    name = "" if lock.tree is None else lock.tree.span.file.name
    return applied({name: written}, edits)[name]


def _readable(folder: Path) -> Lock:
    problems = Problems()
    lock = read_lock(folder, problems)
    if problems.has_errors:
        raise UnreadableLock(f"{lock.path.name} cannot be read: {problems.errors[0].message}")
    return lock


def _rows(texts: Texts, lock: Lock, wanted: set[tuple[int, str]]) -> Iterator[str]:
    """A line for each rule of which a translation is accepted, now or before."""
    for entry in texts.rules:
        now = fingerprint_of(entry, texts.first, texts.tree(entry))
        found = {
            language: now if (id(entry), language) in wanted else lock.accepted(entry, language)
            for language in entry.texts
            if language != texts.first
        }
        kept = ", ".join(f"{language}: {mark}" for language, mark in sorted(found.items()) if mark is not None)
        if kept:
            yield f"{key_of(entry)}: {{{kept}}}\n"
