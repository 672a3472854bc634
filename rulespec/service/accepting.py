"""Translations that are accepted as they are, in the editor; and what a rename keeps of what was accepted.

Both change the game's `texts.lock`. It is always changed as a whole: an editor may have another text of it, unsaved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulespec.diagnostics.fixes import Edit, applied
from rulespec.diagnostics.model import Problems
from rulespec.service.actions import MEND, Action
from rulespec.service.game import Game
from rulespec.service.workspace import Workspace
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile, Span
from rulespec.texts.check.entries import Entry, Texts, texts_of
from rulespec.texts.check.lock import NAME, Lock, carried, fingerprint_of, lock_text


def lock_name(game: Game) -> str:
    """The name of the file that says which translations were accepted."""
    return f"{game.home}/{NAME}"


def is_lock(name: str) -> bool:
    """Whether a file is such a one. It is no content."""
    return name.rpartition("/")[2] == NAME


def acceptances(space: Workspace, name: str, start: int, end: int, written: str | None) -> Iterator[Action]:
    """Accepting the translations in a stretch of a file that were not accepted for what their rule says now.

    In the text of one language just that one, elsewhere in a rule all of them. `written` is the lock as it stands.
    """
    game = space.game_of(name)
    source = game.source() if game is not None and _has_rules(space, name, start, end) else None
    lock = None if game is None else _lock(game, written)
    if game is None or source is None or lock is None:
        return
    texts = texts_of(source)
    for entry in texts.rules:
        languages = [each for each in _languages(texts, entry, name, start, end) if _is_stale(texts, entry, each, lock)]
        if languages:
            text = lock_text(texts, lock, {(id(entry), language) for language in languages})
            title = f"Accept the text of `{entry.name}` in {', '.join(languages)}"
            yield _action(game, title, written, text)


def _action(game: Game, title: str, written: str | None, text: str) -> Action:
    if written is None:
        return Action(title, MEND, (), new_file=(lock_name(game), text))
    return Action(title, MEND, (_whole(game, written, text),))


def _whole(game: Game, written: str, text: str) -> Edit:
    return Edit(Span(SourceFile.of(lock_name(game), written), 0, len(written)), text)


def _lock(game: Game, written: str | None) -> Lock | None:
    """The lock; None where it cannot be read."""
    if written is None:
        return Lock(Path(lock_name(game)), None)
    problems = Problems()
    tree = read_yaml(SourceFile.of(lock_name(game), written), problems)
    return None if problems.has_errors else Lock(Path(lock_name(game)), tree)


def _has_rules(space: Workspace, name: str, start: int, end: int) -> bool:
    """Whether a stretch touches what may hold texts of rules: looked at first, as the rest takes some work."""
    tree = space.file(name).tree
    nodes = [tree.get(section) for section in ("rules", "variant")] if tree is not None else []
    return any(node is not None and node.span.start <= end and start <= node.span.end for node in nodes)


def _languages(texts: Texts, entry: Entry, name: str, start: int, end: int) -> list[str]:
    """The translations of a rule that a stretch is about."""

    def is_touched(span: Span) -> bool:
        return span.file.name == name and span.start <= end and start <= span.end

    inside = {
        language for language, forms in entry.texts.items() for text in forms.values() if is_touched(text.node.span)
    }
    others = [language for language in entry.texts if language != texts.first]
    if texts.first not in entry.texts:
        return []
    if inside - {texts.first}:
        return [language for language in others if language in inside]
    is_here = bool(inside) or is_touched(entry.key.span) or (entry.rule is not None and is_touched(entry.rule.span))
    return others if is_here else []


def _is_stale(texts: Texts, entry: Entry, language: str, lock: Lock) -> bool:
    return lock.accepted(entry, language) != fingerprint_of(entry, texts.first, texts.tree(entry))


def with_lock(game: Game, edits: Iterable[Edit], written: str | None) -> tuple[Edit, ...]:
    """Edits that change names alone, with that of the lock: what was accepted before them is so after them."""
    made = tuple(edits)
    lock, before = None if written is None else _lock(game, written), game.source()
    if written is None or lock is None or before is None or not made:
        return made
    space = Workspace(game.space.engine, game.space.readings)
    space.hold(game.home)
    for name, text in applied({name: game.space.text(name) for name in game.files}, made).items():
        space.put(name, text)
    after = space.games[0].source()
    text = written if after is None else carried(texts_of(before), texts_of(after), lock, written)
    return made if text == written else (*made, _whole(game, written, text))
