"""Print what variants change: first the declarations, then the rule texts, with their figures filled in.

`+` is added, `-` is removed, `~` is changed. Where the changed game cannot be loaded, its problems stand in the place
of rule texts, and the exit status is 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_game,
    add_options,
    add_variants,
    named_languages,
    open_resolved,
    parse_options,
    place,
    placed,
    roots_of,
    say,
)
from interpreter.cli.yaml_text import short, short_pair
from rulespec.diagnostics.model import ContentError

if TYPE_CHECKING:
    from interpreter.book.telling import Telling
    from rulespec.game_source import GameSource
    from rulespec.overlay.apply import Applied
    from rulespec.overlay.edits import Edit
    from rulespec.overlay.rule_texts import TextChange
    from rulespec.source.text import Span
    from rulespec.source.tree import Mapping, Scalar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, the variants, and the language."""
    add_game(parser)
    add_variants(parser)
    add_options(parser)
    parser.add_argument("--lang", metavar="L", help="only the texts in this language, or in several: fr,ja")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print both parts."""
    from rulespec.messages.needs import languages_of_game
    from rulespec.overlay.rule_texts import changed_texts

    if not arguments.variants and not arguments.options:
        raise UsageError("Name the variants, with --variant, or options that switch some on.")
    source, resolved = open_resolved(arguments.game, arguments.variants, arguments.options)
    asked = arguments.lang and named_languages([arguments.lang], languages_of_game(resolved.tree))
    roots = roots_of(source)
    say("Declarations")
    lines = list(_declarations(resolved.applied))
    for line, span in lines:
        say(f"  {line}  ({place(span, roots)})")
    if not lines:
        say("  nothing changes")
    filler = _Filler(source, (source.base, resolved.tree), arguments)
    found = list(changed_texts(source.base, resolved.tree, filler))
    if filler.fault is not None:
        say()
        raise filler.fault
    say("\nRule texts")
    texts = [text for text in found if not asked or text.language in asked]
    for text in texts:
        say("\n".join(_text_lines(text)))
    if not texts:
        say("  nothing changes")
    return 0


class _Filler:
    """Puts figures into the texts of the base game and of the changed one.

    What is more than a declared figure is computed in the game itself, which is loaded when the first text needs it;
    where it cannot be loaded such a placeholder stays as it is.
    """

    def __init__(self, source: GameSource, trees: tuple[Mapping, Mapping], arguments: argparse.Namespace):
        self._source, self._trees, self._arguments = source, trees, arguments
        self._tellings: dict[tuple[bool, str], Telling | None] = {}
        self._faults: dict[bool, ContentError] = {}

    @property
    def fault(self) -> ContentError | None:
        """Why the changed game cannot be loaded, where the base game can."""
        return None if False in self._faults else self._faults.get(True)

    def __call__(self, tree: Mapping, language: str, text: Scalar) -> str:
        """The text with its figures."""
        from rulespec.overlay.rule_texts import fill

        plain = fill(tree, text.text)
        if "{" not in plain:
            return plain
        telling = self._telling(tree is not self._trees[0], language)
        told = None if telling is None else telling.text(text)
        return plain if told is None else " ".join(told.split())

    def _telling(self, changed: bool, language: str) -> Telling | None:
        if (changed, language) not in self._tellings:
            self._tellings[changed, language] = self._load(changed, language)
        return self._tellings[changed, language]

    def _load(self, changed: bool, language: str) -> Telling | None:
        from interpreter.book.telling import telling_of

        variants = self._arguments.variants if changed else []
        options = parse_options(self._arguments.options) if changed else {}
        try:
            return telling_of(self._source, language, variants, dict(options))
        except ContentError as fault:
            self._faults[changed] = ContentError(placed(fault.problems, self._source))
            return None


def _declarations(applied: Applied) -> Iterator[tuple[str, Span]]:
    """Each change as a line, with its place."""
    for edit in applied.edits:
        yield _edit_line(edit), edit.span
    for addition in applied.additions:
        path = ".".join(part for part in addition.locator if isinstance(part, str))
        yield f"+ {path}: {short(addition.value)}", addition.key


def _edit_line(edit: Edit) -> str:
    match edit.kind:
        case "remove":
            return f"- {edit.path}: {short(edit.old)}"
        case "wrap":
            parts = [f"{len(steps)} before" for steps in (edit.first,) if steps]
            parts += [f"{len(steps)} after" for steps in (edit.last,) if steps]
            return f"~ {edit.path}: wrapped, steps: {', '.join(parts)}"
        case "insert":
            return f"~ {edit.path}: {len(edit.first or edit.last)} inserted"
        case _:
            if edit.written is None:
                return f"~ {edit.path}: {short(edit.old)} -> nothing"
            old, new = short_pair(edit.old, edit.written)
            if old == new:
                return f"= {edit.path}: {old}, as it was"
            return f"~ {edit.path}: {old} -> {new}"


def _text_lines(text: TextChange) -> Iterator[str]:
    form = f", {text.form}" if text.form else ""
    yield f"  {text.rule} ({text.language}{form})"
    if text.old is not None:
        yield f"    - {text.old}"
    if text.new is not None:
        yield f"    + {text.new}"
